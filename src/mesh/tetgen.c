// SPDX-License-Identifier: GPL-3.0-or-later
/// TetGen's .node and .ele files (H. Si, TetGen, a Delaunay-Based Quality Tetrahedral Mesh
/// Generator, 2015, doi 10.1145/2629697; manual, section 5.2).
#include "mesh/mesh_text.h"

/// Reads "<count> <width> ...", the first line of either file.
static vb_status read_head(vb_mesh_text *text, const char *count_name, const char *width_name,
                           int64_t *count, int64_t *width) {
  vb_status status = vb_mesh_text_need_line(text, "a line with the counts");
  if (!status)
    status = vb_mesh_text_integer(text, count_name, 1, INT32_MAX / 4, count);
  if (!status)
    status = vb_mesh_text_integer(text, width_name, 3, 10, width);
  if (!status && *count > vb_mesh_text_left(text))
    status = vb_mesh_text_fail(text, "%s is %lld; the file is too short for so many", count_name,
                               (long long)*count);
  return status;
}

static vb_status read_vertex(vb_mesh_text *text, vb_raw_mesh *out) {
  static const char *const axes[] = {"x", "y", "z"};
  size_t n = out->n_vertices;
  vb_status status = vb_mesh_text_need_line(text, "another point");
  if (!status)
    status = vb_mesh_text_integer(text, "number of the point", 0, INT32_MAX, &out->name[n]);
  for (int c = 0; !status && c < 3; c++)
    status = vb_mesh_text_number(text, axes[c], &out->vertex[n][c]);
  if (!status)
    out->n_vertices++;
  return status;
}

vb_status vb_mesh_read_nodes(vb_mesh_text *text, vb_raw_mesh *out) {
  int64_t count = 0, width = 0;
  vb_status status = read_head(text, "number of points", "dimension", &count, &width);
  if (!status && width != 3)
    status = vb_mesh_text_fail(text, "dimension is %lld; it should be 3", (long long)width);
  if (!status)
    status = vb_raw_mesh_vertices(out, (size_t)count, text->error);
  for (int64_t i = 0; !status && i < count; i++)
    status = read_vertex(text, out);
  return status;
}

static vb_status read_tetrahedron(vb_mesh_text *text, vb_raw_mesh *out) {
  size_t n = out->n_tetrahedra;
  int64_t number;
  vb_status status = vb_mesh_text_need_line(text, "another tetrahedron");
  if (!status)
    status = vb_mesh_text_integer(text, "number of the tetrahedron", 0, INT32_MAX, &number);
  // Of ten nodes the first four are the corners.
  for (int c = 0; !status && c < 4; c++)
    status =
        vb_mesh_text_integer(text, "number of a corner", 0, INT32_MAX, &out->tetrahedron[n][c]);
  if (status)
    return status;
  out->line[n] = text->number;
  out->n_tetrahedra++;
  return VB_OK;
}

vb_status vb_mesh_read_elements(vb_mesh_text *text, vb_raw_mesh *out) {
  int64_t count = 0, width = 0;
  vb_status status =
      read_head(text, "number of tetrahedra", "nodes per tetrahedron", &count, &width);
  if (!status && width != 4 && width != 10)
    status = vb_mesh_text_fail(text, "nodes per tetrahedron are %lld; they should be 4 or 10",
                               (long long)width);
  if (!status)
    status = vb_raw_mesh_tetrahedra(out, (size_t)count, text->error);
  for (int64_t i = 0; !status && i < count; i++)
    status = read_tetrahedron(text, out);
  return status;
}
