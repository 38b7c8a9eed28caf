// SPDX-License-Identifier: GPL-3.0-or-later
/// Files to meshes.
#include "mesh/mesh_text.h"
#include "scene/rotation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A volume below this fraction of the cube of the longest edge is rounding of the file's numbers.
static const double flatness = 1e-12;

/// The number of a vertex in the file, and where it lies.
typedef struct named_vertex {
  int64_t name;
  int32_t index;
} named_vertex;

static int compare_names(const void *left, const void *right) {
  const named_vertex *a = left, *b = right;
  if (a->name != b->name)
    return a->name < b->name ? -1 : 1;
  return (a->index > b->index) - (a->index < b->index);
}

/// Sorts the vertices by number. `*out` is the caller's.
static vb_status sort_names(const vb_raw_mesh *raw, const char *shown, named_vertex **out,
                            vb_error *error) {
  named_vertex *list = reallocarray(NULL, raw->n_vertices + 1, sizeof *list);
  if (!list)
    return vb_error_memory(error);
  for (size_t i = 0; i < raw->n_vertices; i++)
    list[i] = (named_vertex){raw->name[i], (int32_t)i};
  qsort(list, raw->n_vertices, sizeof *list, compare_names);
  for (size_t i = 1; i < raw->n_vertices; i++)
    if (list[i].name == list[i - 1].name) {
      vb_status status = vb_bad_input(error, "%s: two points have the number %lld", shown,
                                      (long long)list[i].name);
      free(list);
      return status;
    }
  *out = list;
  return VB_OK;
}

/// Writes the vertices of a tetrahedron by their place among all.
static vb_status find_corners(const vb_raw_mesh *raw, const named_vertex *list, size_t k,
                              const char *shown, int32_t out[4], vb_error *error) {
  for (int c = 0; c < 4; c++) {
    named_vertex key = {.name = raw->tetrahedron[k][c]};
    size_t low = 0, high = raw->n_vertices;
    while (low < high) {
      size_t middle = (low + high) / 2;
      if (list[middle].name < key.name)
        low = middle + 1;
      else
        high = middle;
    }
    if (low == raw->n_vertices || list[low].name != key.name)
      return vb_bad_input(error, "%s:%zu: there is no point of number %lld", shown, raw->line[k],
                          (long long)key.name);
    out[c] = list[low].index;
  }
  return VB_OK;
}

/// Turns a tetrahedron over where its volume is negative.
static vb_status orient(vb_mesh *mesh, size_t k, const char *shown, size_t line, vb_error *error) {
  int32_t *t = mesh->tetrahedron[k];
  double longest = 0, volume = vb_mesh_volume(mesh, k);
  for (int i = 1; i < 4; i++)
    longest = fmax(longest, vb_distance(mesh->vertex[t[0]], mesh->vertex[t[i]]));
  if (!(fabs(volume) > flatness * longest * longest * longest) || !isfinite(volume))
    return vb_bad_input(error, "%s:%zu: the tetrahedron has no volume: its corners lie in a plane",
                        shown, line);
  if (volume < 0) {
    int32_t last = t[3];
    t[3] = t[2];
    t[2] = last;
  }
  return VB_OK;
}

/// Leaves out the vertices that no tetrahedron uses.
static vb_status drop_unused(vb_mesh *mesh, vb_error *error) {
  int32_t *at = reallocarray(NULL, mesh->n_vertices + 1, sizeof *at), n = 0;
  if (!at)
    return vb_error_memory(error);
  for (size_t i = 0; i < mesh->n_vertices; i++)
    at[i] = -1;
  for (size_t k = 0; k < mesh->n_tetrahedra; k++)
    for (int c = 0; c < 4; c++)
      at[mesh->tetrahedron[k][c]] = 0;
  for (size_t i = 0; i < mesh->n_vertices; i++)
    if (at[i] == 0) {
      memmove(mesh->vertex[n], mesh->vertex[i], sizeof mesh->vertex[i]);
      at[i] = n++;
    }
  mesh->n_vertices = (size_t)n;
  for (size_t k = 0; k < mesh->n_tetrahedra; k++)
    for (int c = 0; c < 4; c++)
      mesh->tetrahedron[k][c] = at[mesh->tetrahedron[k][c]];
  free(at);
  return VB_OK;
}

/// Makes a mesh of what was read; takes its vertices.
static vb_status finish(vb_raw_mesh *raw, const char *shown, vb_mesh *out, vb_error *error) {
  named_vertex *list = NULL;
  vb_mesh mesh = {0};
  vb_status status = VB_OK;
  if (raw->n_tetrahedra == 0)
    return vb_bad_input(error, "%s: the file has no tetrahedra", shown);
  if (raw->n_tetrahedra > INT32_MAX / 4 || raw->n_vertices > INT32_MAX)
    return vb_bad_input(error, "%s: it has more than %d tetrahedra", shown, INT32_MAX / 4);
  status = sort_names(raw, shown, &list, error);
  mesh.n_vertices = raw->n_vertices;
  mesh.vertex = raw->vertex;
  raw->vertex = NULL;
  mesh.n_tetrahedra = raw->n_tetrahedra;
  mesh.tetrahedron = reallocarray(NULL, raw->n_tetrahedra, sizeof *mesh.tetrahedron);
  if (!status && !mesh.tetrahedron)
    status = vb_error_memory(error);
  for (size_t k = 0; !status && k < raw->n_tetrahedra; k++) {
    status = find_corners(raw, list, k, shown, mesh.tetrahedron[k], error);
    if (!status)
      status = orient(&mesh, k, shown, raw->line[k], error);
  }
  if (!status)
    status = drop_unused(&mesh, error);
  if (!status && vb_mesh_find_boundary(&mesh, error)) {
    vb_error inner = *error;
    status = vb_bad_input(error, "%.100s: %.400s", shown, inner.message);
  }
  free(list);
  if (status)
    vb_mesh_clear(&mesh);
  else
    *out = mesh;
  return status;
}

static bool ends_in(const char *text, const char *ending) {
  size_t n = strlen(text), m = strlen(ending);
  return n >= m && strcmp(text + n - m, ending) == 0;
}

/// Opens one file and hands it to a reader.
static vb_status read_one(const char *path, const char *shown, char comment,
                          void (*reader)(vb_mesh_text *, vb_raw_mesh *), vb_raw_mesh *raw,
                          vb_error *error) {
  vb_mesh_text text;
  vb_status status = vb_mesh_text_open(path, shown, comment, &text, error);
  if (status)
    return status;
  reader(&text, raw);
  status = text.status;
  vb_mesh_text_close(&text);
  return status;
}

/// Reads NAME.node and NAME.ele, of which `path` is one. Messages of the second part show `ele`.
static vb_status read_pair(const char *path, const char *shown, char ele[1024], vb_raw_mesh *raw,
                           vb_error *error) {
  static const char *const endings[] = {".node", ".ele"};
  vb_status status = VB_OK;
  for (int i = 0; !status && i < 2; i++) {
    char file[4096];
    int stem = (int)(strrchr(path, '.') - path), shown_stem = (int)(strrchr(shown, '.') - shown);
    int n = snprintf(file, sizeof file, "%.*s%s", stem, path, endings[i]);
    int m = snprintf(ele, 1024, "%.*s%s", shown_stem, shown, endings[i]);
    if (n >= (int)sizeof file || m >= 1024)
      return vb_bad_input(error, "%.200s: its path is too long", shown);
    status = read_one(file, ele, '#', i ? vb_mesh_read_elements : vb_mesh_read_nodes, raw, error);
  }
  return status;
}

vb_status vb_mesh_read(const char *path, const char *shown, vb_mesh *out, vb_error *error) {
  vb_raw_mesh raw = {0};
  char ele[1024];
  vb_error local = {0};
  vb_error *report = error ? error : &local;
  vb_status status;
  bool pair = ends_in(path, ".node") || ends_in(path, ".ele");
  if (pair && strrchr(shown, '.'))
    status = read_pair(path, shown, ele, &raw, report);
  else if (ends_in(path, ".msh"))
    status = read_one(path, shown, 0, vb_mesh_read_gmsh, &raw, report);
  else
    status = vb_error_set(report, VB_BAD_INPUT,
                          "%s: it should end in .msh (Gmsh), or .node or .ele (TetGen)", shown);
  if (!status)
    status = finish(&raw, pair ? ele : shown, out, report);
  vb_raw_mesh_clear(&raw);
  return status;
}
