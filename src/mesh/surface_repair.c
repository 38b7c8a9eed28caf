// SPDX-License-Identifier: GPL-3.0-or-later
#include "mesh/surface_repair.h"

#include "mesh/equal_rows.h"

#include <stdlib.h>
#include <string.h>

/// Keeps the triangles that are marked, in their order.
static void keep(vb_surface_file *file, const bool *kept) {
  vb_mesh *mesh = &file->mesh;
  size_t n = 0;
  for (size_t t = 0; t < mesh->n_triangles; t++) {
    if (!kept[t])
      continue;
    memmove(mesh->triangle[n], mesh->triangle[t], sizeof *mesh->triangle);
    file->group[n++] = file->group[t];
  }
  mesh->n_triangles = n;
}

void vb_surface_drop_degenerate(vb_surface_file *file, vb_surface_repairs *repairs) {
  vb_mesh *mesh = &file->mesh;
  size_t n = 0;
  for (size_t t = 0; t < mesh->n_triangles; t++) {
    const int32_t *v = mesh->triangle[t];
    if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0])
      continue;
    memmove(mesh->triangle[n], v, sizeof *mesh->triangle);
    file->group[n++] = file->group[t];
  }
  repairs->dropped += mesh->n_triangles - n;
  mesh->n_triangles = n;
}

/// Sorts three corners; whether that turned the triangle over.
static bool sort_corners(int64_t v[3]) {
  bool turned = false;
  for (int pass = 0; pass < 3; pass++) {
    int c = pass % 2;
    if (v[c] <= v[c + 1])
      continue;
    int64_t low = v[c + 1];
    v[c + 1] = v[c];
    v[c] = low;
    turned = !turned;
  }
  return turned;
}

/// Of each triangle the sorted corners, each as the first vertex at its place, in `*row`, and
/// whether that turned it over in `*turned`, where not null; all to be freed.
static vb_status list_corners(const vb_mesh *mesh, const int32_t *place, int64_t (**row)[3],
                              bool **turned, vb_error *error) {
  *row = reallocarray(NULL, mesh->n_triangles + 1, sizeof **row);
  if (turned)
    *turned = calloc(mesh->n_triangles + 1, sizeof **turned);
  if (!*row || (turned && !*turned))
    return vb_error_memory(error);
  for (size_t t = 0; t < mesh->n_triangles; t++) {
    for (int c = 0; c < 3; c++)
      (*row)[t][c] = place[mesh->triangle[t][c]];
    bool over = sort_corners((*row)[t]);
    if (turned)
      (*turned)[t] = over;
  }
  return VB_OK;
}

/// Drops triangles with the corners of another one that turns the same way.
static vb_status drop_doubled(vb_surface_file *file, const int32_t *place, size_t *doubled,
                              vb_error *error) {
  size_t n = file->mesh.n_triangles;
  int64_t(*row)[3] = NULL;
  bool *turned = NULL;
  bool(*seen)[2] = calloc(n + 1, sizeof *seen), *kept = calloc(n + 1, sizeof *kept);
  int32_t *first = reallocarray(NULL, n + 1, sizeof *first);
  vb_status status = seen && kept && first ? VB_OK : vb_error_memory(error);
  if (!status)
    status = list_corners(&file->mesh, place, &row, &turned, error);
  if (!status)
    status = vb_equal_rows((const int64_t(*)[3])row, n, first, error);
  for (size_t t = 0; !status && t < n; t++) {
    bool *before = &seen[first[t]][turned[t]];
    kept[t] = !*before;
    *doubled += *before;
    *before = true;
  }
  if (!status)
    keep(file, kept);
  free(row);
  free(turned);
  free(seen);
  free(kept);
  free(first);
  return status;
}

vb_status vb_surface_repair(vb_surface_file *file, vb_surface_repairs *repairs, vb_error *error) {
  vb_mesh *mesh = &file->mesh;
  int32_t *place = reallocarray(NULL, mesh->n_vertices + 1, sizeof *place);
  if (!place)
    return vb_error_memory(error);
  vb_status status = vb_equal_places(mesh->vertex[0], mesh->n_vertices, place, error);
  for (size_t i = 0; !status && i < mesh->n_vertices; i++)
    repairs->joined += place[i] != (int32_t)i;
  for (size_t t = 0; !status && t < mesh->n_triangles; t++)
    for (int c = 0; c < 3; c++)
      mesh->triangle[t][c] = place[mesh->triangle[t][c]];
  if (!status) {
    vb_surface_drop_degenerate(file, repairs);
    status = drop_doubled(file, place, &repairs->doubled, error);
  }
  free(place);
  return status;
}

vb_status vb_surface_find_doubled(const vb_mesh *mesh, int32_t pair[2], vb_error *error) {
  int64_t(*row)[3] = NULL;
  int32_t *place = reallocarray(NULL, mesh->n_vertices + 1, sizeof *place);
  int32_t *first = reallocarray(NULL, mesh->n_triangles + 1, sizeof *first);
  vb_status status = place && first ? VB_OK : vb_error_memory(error);
  pair[0] = pair[1] = -1;
  if (!status)
    status = vb_equal_places(mesh->vertex[0], mesh->n_vertices, place, error);
  if (!status)
    status = list_corners(mesh, place, &row, NULL, error);
  if (!status)
    status = vb_equal_rows((const int64_t(*)[3])row, mesh->n_triangles, first, error);
  for (size_t t = 0; !status && pair[0] < 0 && t < mesh->n_triangles; t++)
    if (first[t] != (int32_t)t) {
      pair[0] = first[t];
      pair[1] = (int32_t)t;
    }
  free(row);
  free(place);
  free(first);
  return status;
}
