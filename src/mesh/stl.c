// SPDX-License-Identifier: GPL-3.0-or-later
/// STL files, text and binary (little-endian): triangles whose corners are joined where equal.
#include "mesh/equal_rows.h"
#include "mesh/surface_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HEAD  84 ///< bytes before the first triangle
#define FACET 50 ///< bytes of a triangle: normal, three corners, two bytes more

/// Makes one vertex of equal ones, each where its first is, and triangles of each three.
static void join(vb_mesh_text *text, vb_surface_lists *out) {
  vb_mesh *mesh = &out->file.mesh;
  size_t n = mesh->n_vertices, kept = 0;
  int32_t *to = reallocarray(NULL, n + 1, sizeof *to);
  if (!to)
    text->status = vb_error_memory(text->error);
  else if (n > 0)
    text->status = vb_equal_places(mesh->vertex[0], n, to, text->error);
  for (size_t i = 0; !text->status && i < n; i++)
    if (to[i] == (int32_t)i) {
      memmove(mesh->vertex[kept], mesh->vertex[i], sizeof *mesh->vertex);
      to[i] = (int32_t)kept++;
    } else
      to[i] = to[to[i]];
  mesh->n_vertices = kept;
  for (size_t t = 0; !text->status && t + 2 < n; t += 3)
    vb_surface_add_triangle(text, out, (int64_t[]){to[t], to[t + 1], to[t + 2]});
  free(to);
}

static void add_corner(vb_mesh_text *text, vb_surface_lists *out, const double x[3]) {
  double y[3];
  for (int k = 0; k < 3; k++)
    y[k] = x[k] + 0.0; // -0 and 0 are one place
  vb_surface_add_vertex(text, out, y);
}

static void read_binary(vb_mesh_text *text, vb_surface_lists *out, size_t n) {
  for (size_t i = 0; !text->status && i < 3 * n; i++) {
    float f[3];
    memcpy(f, text->all + HEAD + i / 3 * FACET + 12 + i % 3 * 12, sizeof f);
    double x[3] = {(double)f[0], (double)f[1], (double)f[2]};
    if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2]))
      vb_mesh_text_fail(text, "triangle %zu has a corner that is not finite", i / 3);
    add_corner(text, out, x);
  }
}

static void read_text(vb_mesh_text *text, vb_surface_lists *out) {
  size_t in_facet = 0;
  while (!text->status && vb_mesh_text_line(text)) {
    if (strncmp(text->at, "endfacet", 8) == 0) {
      if (in_facet != 3)
        vb_mesh_text_fail(text, "a facet of %zu vertices ends here; it should have 3", in_facet);
      in_facet = 0;
    }
    if (strncmp(text->at, "vertex", 6) != 0)
      continue;
    text->at += 6;
    double x[3];
    x[0] = vb_mesh_text_number(text, "x");
    x[1] = vb_mesh_text_number(text, "y");
    x[2] = vb_mesh_text_number(text, "z");
    add_corner(text, out, x);
    in_facet++;
  }
  if (!text->status && in_facet)
    vb_mesh_text_fail(text, "the file ends inside a facet");
}

void vb_surface_read_stl(vb_mesh_text *text, vb_surface_lists *out) {
  size_t size = (size_t)(text->end - text->all);
  uint32_t n = 0;
  if (size >= HEAD)
    memcpy(&n, text->all + 80, sizeof n);
  if (size >= HEAD && size == HEAD + (size_t)n * FACET)
    read_binary(text, out, n);
  else if (memchr(text->all, '\0', size))
    vb_mesh_text_fail(text, "it has %zu bytes; %u triangles of binary STL take %zu", size, n,
                      HEAD + (size_t)n * FACET);
  else
    read_text(text, out);
  if (!text->status)
    join(text, out);
}
