// SPDX-License-Identifier: GPL-3.0-or-later
/// TetGen's .node and .ele files (H. Si, TetGen, a Delaunay-Based Quality Tetrahedral Mesh
/// Generator, 2015, doi 10.1145/2629697; manual, section 5.2).
#include "mesh/mesh_text.h"

/// Reads "<count> <width> ...", the first line of either file.
static int64_t read_head(vb_mesh_text *text, const char *count_name, const char *width_name,
                         int64_t *width) {
  vb_mesh_text_need_line(text, "a line with the counts");
  int64_t count = vb_mesh_text_integer(text, count_name, 1, INT32_MAX / 4);
  *width = vb_mesh_text_integer(text, width_name, 3, 10);
  if (count > vb_mesh_text_left(text))
    vb_mesh_text_fail(text, "%s is %lld; the file is too short for so many", count_name,
                      (long long)count);
  return count;
}

void vb_mesh_read_nodes(vb_mesh_text *text, vb_raw_mesh *out) {
  static const char *const axes[] = {"x", "y", "z"};
  int64_t width, count = read_head(text, "number of points", "dimension", &width);
  if (width != 3)
    vb_mesh_text_fail(text, "dimension is %lld; it should be 3", (long long)width);
  vb_raw_mesh_vertices(text, out, (size_t)count);
  for (int64_t i = 0; !text->status && i < count; i++) {
    size_t n = out->n_vertices++;
    vb_mesh_text_need_line(text, "another point");
    out->name[n] = vb_mesh_text_integer(text, "number of the point", 0, INT32_MAX);
    for (int c = 0; c < 3; c++)
      out->vertex[n][c] = vb_mesh_text_number(text, axes[c]);
    vb_mesh_text_check_place(text, out->vertex[n]);
  }
}

void vb_mesh_read_elements(vb_mesh_text *text, vb_raw_mesh *out) {
  int64_t width, count = read_head(text, "number of tetrahedra", "nodes per tetrahedron", &width);
  if (width != 4 && width != 10)
    vb_mesh_text_fail(text, "nodes per tetrahedron are %lld; they should be 4 or 10",
                      (long long)width);
  vb_raw_mesh_tetrahedra(text, out, (size_t)count);
  for (int64_t i = 0; !text->status && i < count; i++) {
    vb_mesh_text_need_line(text, "another tetrahedron");
    vb_raw_mesh_read_tetrahedron(text, out, "number of the tetrahedron", "number of a corner", 0,
                                 INT32_MAX);
  }
}
