// SPDX-License-Identifier: GPL-3.0-or-later
#include "muscle/fibers.h"

#include "muscle/harmonic.h"
#include "scene/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Makes a vector one of length 1; returns false, and leaves it, where it is 0.
static bool normalize(double v[3]) {
  double norm = sqrt(vb_dot(v, v));
  for (int c = 0; norm > 0 && c < 3; c++)
    v[c] /= norm;
  return norm > 0;
}

/// Gives tetrahedra without a direction the mean of those that share a vertex with them, the
/// volumes of these being their weights. Returns how many are still without.
static size_t spread(const vb_mesh *m, double (*direction)[3], double (*at_vertex)[3]) {
  size_t missing = 0;
  memset(at_vertex, 0, m->n_vertices * sizeof *at_vertex);
  for (size_t k = 0; k < m->n_tetrahedra; k++)
    for (int c = 0; c < 4; c++) {
      double *sum = at_vertex[m->tetrahedron[k][c]];
      vb_add_scaled(sum, vb_mesh_volume(m, k), direction[k], sum);
    }
  for (size_t k = 0; k < m->n_tetrahedra; k++) {
    if (vb_dot(direction[k], direction[k]) > 0)
      continue;
    for (int c = 0; c < 4; c++)
      vb_add_scaled(direction[k], 1, at_vertex[m->tetrahedron[k][c]], direction[k]);
    missing += !normalize(direction[k]);
  }
  return missing;
}

vb_status vb_fiber_run(const vb_viperize *asked, double (*direction)[3], vb_error *error) {
  const vb_mesh *m = asked->mesh;
  double *field = reallocarray(NULL, m->n_vertices, sizeof *field);
  double(*at_vertex)[3] = reallocarray(NULL, m->n_vertices, sizeof *at_vertex);
  vb_status status =
      field && at_vertex ? vb_harmonic_solve(asked, field, error) : vb_error_memory(error);
  size_t missing = 0, before = m->n_tetrahedra + 1;
  if (!status) {
    vb_harmonic_gradient(m, field, direction);
    for (size_t k = 0; k < m->n_tetrahedra; k++)
      missing += !normalize(direction[k]);
  }
  // Each time at least those get one that touch one with a direction.
  for (; missing > 0 && missing < before; missing = spread(m, direction, at_vertex))
    before = missing;
  if (missing > 0)
    status = vb_error_set(error, VB_FAILED, "%zu tetrahedra have no direction: opposite ones meet",
                          missing);
  free(at_vertex);
  free(field);
  return status;
}
