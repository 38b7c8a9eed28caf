// SPDX-License-Identifier: GPL-3.0-or-later
/// Boxes cut into tetrahedra.
#include "base/time_limit.h"
#include "mesh/mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Corner b of a cell lies at (b & 1, b >> 1 & 1, b >> 2).

/// Five: a regular tetrahedron in the middle and one at each corner that it leaves out; mirrored in
/// every other cell, so that the diagonals of shared faces agree.
static const int five[2][5][4] = {
    {{0, 3, 6, 5}, {1, 3, 0, 5}, {2, 0, 3, 6}, {4, 5, 0, 6}, {7, 6, 3, 5}},
    {{1, 2, 4, 7}, {0, 1, 2, 4}, {3, 2, 1, 7}, {5, 1, 4, 7}, {6, 4, 2, 7}},
};

/// Six: along the paths of edges from corner 0 to corner 7.
static const int six[6][4] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7},
                              {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};

static vb_status check_box(const vb_box *box, vb_error *error) {
  static const char axes[] = "xyz";
  double vertices = 1, tetrahedra = box->tetrahedra;
  if (box->tetrahedra != 5 && box->tetrahedra != 6)
    return vb_bad_input(error, "box: %d tetrahedra per cell; it should be 5 or 6", box->tetrahedra);
  for (int c = 0; c < 3; c++) {
    double size = box->to[c] - box->from[c];
    if (!(size > 0 && isfinite(size)))
      return vb_bad_input(error,
                          "box: it goes from %g to %g m along %c; the second should be larger",
                          box->from[c], box->to[c], axes[c]);
    if (box->cells[c] < 1)
      return vb_bad_input(error, "box: %d cells along %c; at least 1 is needed", box->cells[c],
                          axes[c]);
    vertices *= box->cells[c] + 1.0;
    tetrahedra *= box->cells[c];
  }
  // Four sides of each tetrahedron are counted in 32 bits.
  if (vertices > INT32_MAX || tetrahedra > INT32_MAX / 4)
    return vb_bad_input(error,
                        "box: %.0f vertices and %.0f tetrahedra are more than the %d that can be "
                        "counted",
                        vertices, tetrahedra, INT32_MAX / 4);
  return VB_OK;
}

static size_t vertex_at(const vb_box *box, size_t i, size_t j, size_t k) {
  return (i * ((size_t)box->cells[1] + 1) + j) * ((size_t)box->cells[2] + 1) + k;
}

static void place_vertices(const vb_box *box, vb_mesh *mesh) {
  for (size_t i = 0; i <= (size_t)box->cells[0]; i++)
    for (size_t j = 0; j <= (size_t)box->cells[1]; j++)
      for (size_t k = 0; k <= (size_t)box->cells[2]; k++) {
        double *x = mesh->vertex[vertex_at(box, i, j, k)];
        const size_t at[3] = {i, j, k};
        for (int c = 0; c < 3; c++) {
          // Exact at both ends, so that planes can be found by comparison.
          double t = (double)at[c] / box->cells[c];
          x[c] = at[c] == (size_t)box->cells[c] ? box->to[c]
                                                : box->from[c] + t * (box->to[c] - box->from[c]);
        }
      }
}

/// Writes the tetrahedra of cell (i, j, k) and returns the place behind them.
static int32_t (*cut_cell(const vb_box *box, size_t i, size_t j, size_t k, int32_t (*out)[4]))[4] {
  const int(*pattern)[4] = box->tetrahedra == 6 ? six : five[(i + j + k) & 1];
  for (int t = 0; t < box->tetrahedra; t++, out++)
    for (int c = 0; c < 4; c++) {
      unsigned corner = (unsigned)pattern[t][c];
      (*out)[c] =
          (int32_t)vertex_at(box, i + (corner & 1), j + (corner >> 1 & 1), k + (corner >> 2));
    }
  return out;
}

vb_status vb_mesh_box(const vb_box *box, vb_mesh *out, vb_error *error) {
  vb_status status = check_box(box, error);
  if (status)
    return status;
  size_t x = (size_t)box->cells[0], y = (size_t)box->cells[1], z = (size_t)box->cells[2];
  vb_mesh mesh = {.n_vertices = (x + 1) * (y + 1) * (z + 1),
                  .n_tetrahedra = x * y * z * (size_t)box->tetrahedra};
  mesh.vertex = reallocarray(NULL, mesh.n_vertices, sizeof *mesh.vertex);
  mesh.tetrahedron = reallocarray(NULL, mesh.n_tetrahedra, sizeof *mesh.tetrahedron);
  if (!mesh.vertex || !mesh.tetrahedron) {
    vb_mesh_clear(&mesh);
    return vb_error_memory(error);
  }
  place_vertices(box, &mesh);
  int32_t(*next)[4] = mesh.tetrahedron;
  for (size_t i = 0; i < x && !vb_time_limit_over(); i++)
    for (size_t j = 0; j < y; j++)
      for (size_t k = 0; k < z; k++)
        next = cut_cell(box, i, j, k, next);
  status = vb_time_limit_check(error);
  if (!status)
    status = vb_mesh_find_boundary(&mesh, error);
  if (status) {
    vb_mesh_clear(&mesh);
    return status;
  }
  *out = mesh;
  return VB_OK;
}
