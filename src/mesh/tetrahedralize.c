// SPDX-License-Identifier: GPL-3.0-or-later
#include "mesh/tetrahedralize.h"

#include "base/scratch.h"
#include "base/text.h"
#include "base/time_limit.h"
#include "mesh/mesh_text.h"
#include "mesh/surface_checks.h"
#include "mesh/surface_union.h"
#include "mesh/tetgen_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A quality or size [m] from here on allows all tetrahedra; its digits would be too many.
#define NO_LIMIT 1e9

vb_status vb_tetrahedralize_check(const vb_tetrahedralize *asked, vb_error *error) {
  vb_surface_union all = {0};
  vb_status status = vb_surface_union_make(asked, &all, error);
  vb_surface_union_clear(&all);
  return status;
}

/// Writes the surfaces as TetGen's .smesh.
static vb_status write_surfaces(const char *path, const vb_mesh *mesh, vb_error *error) {
  FILE *file = fopen(path, "wxe");
  if (!file)
    return vb_error_set(error, VB_CANNOT_WRITE, "%s: cannot be written", path);
  fprintf(file, "%zu 3 0 0\n", mesh->n_vertices);
  for (size_t i = 0; i < mesh->n_vertices; i++)
    fprintf(file, "%zu %.17g %.17g %.17g\n", i, mesh->vertex[i][0], mesh->vertex[i][1],
            mesh->vertex[i][2]);
  fprintf(file, "%zu 0\n", mesh->n_triangles);
  for (size_t t = 0; t < mesh->n_triangles; t++)
    fprintf(file, "3 %d %d %d\n", mesh->triangle[t][0], mesh->triangle[t][1], mesh->triangle[t][2]);
  fprintf(file, "0\n0\n");
  bool bad = ferror(file);
  if (fclose(file) || bad)
    return vb_error_set(error, VB_CANNOT_WRITE, "%s: cannot be written", path);
  return VB_OK;
}

/// Reads the part of each tetrahedron, which TetGen numbers from 1 on, from the .ele file.
static vb_status read_parts(const char *path, size_t n, int32_t **out, int32_t *n_parts,
                            vb_error *error) {
  vb_mesh_text text;
  vb_status status = vb_mesh_text_open(path, "TetGen's result", '#', &text, error);
  if (status)
    return status;
  int32_t *part = reallocarray(NULL, n + 1, sizeof *part);
  if (!part)
    text.status = vb_error_memory(error);
  vb_mesh_text_need_line(&text, "the counts");
  *n_parts = 0;
  for (size_t k = 0; !text.status && k < n; k++) {
    vb_mesh_text_need_line(&text, "another tetrahedron");
    for (int c = 0; c < 5; c++)
      vb_mesh_text_integer(&text, "a number", 0, INT32_MAX);
    part[k] = (int32_t)vb_mesh_text_integer(&text, "the part", 0, (int64_t)n);
    *n_parts = part[k] > *n_parts ? part[k] : *n_parts;
  }
  status = text.status;
  vb_mesh_text_close(&text);
  if (status)
    free(part);
  else
    *out = part;
  return status;
}

/// Which region the point `x` is in: -1 outside, else as vb_tetrahedralize_run has it.
static int32_t region_at(const vb_surface_union *all, const double x[3]) {
  const double *vertex = all->mesh.vertex[0];
  int32_t region = 0, number = 0;
  double outside = 0, least = INFINITY;
  for (size_t k = 0; k < all->n_components; k++) {
    size_t n = (size_t)(all->component[k + 1] - all->component[k]);
    double turns = vb_surface_winding(vertex, all->mesh.triangle[all->component[k]], n, x);
    if (!all->surface[k]) {
      outside += turns;
      continue;
    }
    number++;
    if (turns > 0.5 && all->volume[k] < least) {
      least = all->volume[k];
      region = number;
    }
  }
  // A surface that turns inward as a whole encloses the same points.
  return fabs(outside) > 0.5 ? region : -1;
}

/// Writes of each part its region: that of the middle of its largest tetrahedron.
static vb_status find_regions(const vb_surface_union *all, const vb_mesh *mesh, const int32_t *part,
                              int32_t n_parts, int32_t *region, vb_error *error) {
  int32_t *largest = reallocarray(NULL, (size_t)n_parts + 1, sizeof *largest);
  if (!largest)
    return vb_error_memory(error);
  for (int32_t p = 0; p <= n_parts; p++)
    largest[p] = -1;
  for (size_t k = 0; k < mesh->n_tetrahedra; k++) {
    int32_t *best = &largest[part[k]];
    if (*best < 0 || vb_mesh_volume(mesh, k) > vb_mesh_volume(mesh, (size_t)*best))
      *best = (int32_t)k;
  }
  for (int32_t p = 0; p <= n_parts; p++) {
    double x[3] = {0};
    region[p] = -1;
    if (largest[p] < 0)
      continue;
    for (int c = 0; c < 4; c++)
      for (int i = 0; i < 3; i++)
        x[i] += mesh->vertex[mesh->tetrahedron[largest[p]][c]][i] / 4;
    region[p] = region_at(all, x);
  }
  free(largest);
  return VB_OK;
}

/// Keeps the tetrahedra inside, with their regions, and the vertices that they have.
static vb_status keep_inside(vb_mesh *mesh, int32_t *part, const int32_t *region, vb_error *error) {
  int32_t *to = calloc(mesh->n_vertices + 1, sizeof *to);
  size_t kept = 0, n = 0;
  if (!to)
    return vb_error_memory(error);
  for (size_t k = 0; k < mesh->n_tetrahedra; k++) {
    if (region[part[k]] < 0)
      continue;
    memmove(mesh->tetrahedron[kept], mesh->tetrahedron[k], sizeof *mesh->tetrahedron);
    part[kept++] = region[part[k]];
  }
  mesh->n_tetrahedra = kept;
  for (size_t k = 0; k < kept; k++)
    for (int c = 0; c < 4; c++)
      to[mesh->tetrahedron[k][c]] = 1;
  for (size_t i = 0; i < mesh->n_vertices; i++)
    if (to[i]) {
      memmove(mesh->vertex[n], mesh->vertex[i], sizeof *mesh->vertex);
      to[i] = (int32_t)n++;
    }
  mesh->n_vertices = n;
  for (size_t k = 0; k < kept; k++)
    for (int c = 0; c < 4; c++)
      mesh->tetrahedron[k][c] = to[mesh->tetrahedron[k][c]];
  mesh->region = part;
  free(to);
  return vb_mesh_find_boundary(mesh, error);
}

/// Says which inner component has no tetrahedra.
static vb_status check_regions(const vb_tetrahedralize *asked, const vb_surface_union *all,
                               const vb_mesh *mesh, int32_t *n_regions, vb_error *error) {
  int32_t number = 0;
  for (size_t k = 0; k < all->n_components; k++) {
    bool found = false;
    if (vb_time_limit_over())
      return vb_time_limit_check(error);
    if (!all->surface[k])
      continue;
    number++;
    for (size_t i = 0; !found && i < mesh->n_tetrahedra; i++)
      found = mesh->region[i] == number;
    if (!found) {
      const double *x = all->mesh.vertex[all->mesh.triangle[all->component[k]][0]];
      return vb_bad_input(error, "%s: its part at (%g, %g, %g) is not inside of %s",
                          asked->inside[all->surface[k] - 1].name, x[0], x[1], x[2],
                          asked->outside.name);
    }
  }
  *n_regions = number;
  return VB_OK;
}

/// Reads TetGen's result from a folder and tells its regions.
static vb_status read_result(const vb_tetrahedralize *asked, const vb_surface_union *all,
                             const char *folder, vb_mesh *mesh, int32_t *n_regions,
                             vb_error *error) {
  char path[VB_SCRATCH_PATH + 16];
  int32_t *part = NULL, *region = NULL, n_parts = 0;
  snprintf(path, sizeof path, "%s/m.1.ele", folder);
  vb_status status = vb_mesh_read(path, "TetGen's result.ele", mesh, error);
  if (!status)
    status = read_parts(path, mesh->n_tetrahedra, &part, &n_parts, error);
  if (!status && !(region = reallocarray(NULL, (size_t)n_parts + 1, sizeof *region)))
    status = vb_error_memory(error);
  if (!status)
    status = find_regions(all, mesh, part, n_parts, region, error);
  if (!status)
    status = keep_inside(mesh, part, region, error);
  if (mesh->region != part)
    free(part);
  free(region);
  return status ? status : check_regions(asked, all, mesh, n_regions, error);
}

vb_status vb_tetrahedralize_run(const vb_tetrahedralize *asked, vb_mesh *out, int32_t *n_regions,
                                vb_error *error) {
  vb_surface_union all = {0};
  vb_mesh mesh = {0};
  char folder[VB_SCRATCH_PATH], path[VB_SCRATCH_PATH + 16], switches[128];
  if (!(asked->quality > 1) || !(asked->size >= 0) || !isfinite(asked->size + asked->quality))
    return vb_bad_input(error,
                        "the quality is %g, which must be more than 1, and the size %g m, which "
                        "must not be negative",
                        asked->quality, asked->size);
  vb_status status = vb_surface_union_make(asked, &all, error);
  if (status)
    return status;
  status = vb_scratch_make(folder, error);
  if (status) {
    vb_surface_union_clear(&all);
    return status;
  }
  snprintf(path, sizeof path, "%s/m.smesh", folder);
  snprintf(switches, sizeof switches, "-pAzFQ%sq%.6f", asked->keep_surface ? "Y" : "",
           fmin(asked->quality, NO_LIMIT));
  if (asked->size > 0 && asked->size < NO_LIMIT) // volume of the regular tetrahedron
    vb_text_add(switches, sizeof switches, "a%.17f",
                asked->size * asked->size * asked->size / (6 * sqrt(2)));
  status = write_surfaces(path, &all.mesh, error);
  if (!status)
    status = vb_tetgen_run(switches, folder, asked->outside.name, error);
  if (!status)
    status = read_result(asked, &all, folder, &mesh, n_regions, error);
  vb_scratch_remove(folder);
  vb_surface_union_clear(&all);
  if (status)
    vb_mesh_clear(&mesh);
  else
    *out = mesh;
  return status;
}
