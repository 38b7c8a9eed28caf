// SPDX-License-Identifier: GPL-3.0-or-later
#include "activation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

vb_status nh_active_create(nh_solid *solid, vb_error *error) {
  size_t n;
  const vb_activation *activation = vb_scene_activations(solid->scene, &n);
  if (n == 0)
    return VB_OK;
  solid->active = calloc(solid->n_elements, sizeof *solid->active);
  if (!solid->active)
    return vb_error_memory(error);
  for (size_t e = 0; e < solid->n_elements; e++)
    solid->active[e].stretch = 1;
  for (size_t k = 0; k < n; k++) {
    if (activation[k].active != VB_ACTIVE_STRAIN)
      return vb_error_set(error, VB_UNAVAILABLE,
                          "activation %zu (%s) is not an active strain, the only kind that solver "
                          "neohookean supports",
                          k, activation[k].name);
    memcpy(solid->active[activation[k].index].direction, activation[k].direction,
           sizeof activation[k].direction);
  }
  nh_active_at(solid, 0);
  return VB_OK;
}

void nh_active_at(nh_solid *solid, double time) {
  size_t n;
  const vb_activation *activation = vb_scene_activations(solid->scene, &n);
  for (size_t k = 0; k < n; k++)
    solid->active[activation[k].index].stretch =
        vb_scene_curve(solid->scene, activation[k].curve, time, 1);
}

/// Multiplies rows by Fa^-1 = d d^T/a + a^(1/2) (I - d d^T), which is symmetric.
static void divide(const nh_active *active, double *row, int n) {
  const double *d = active->direction;
  double across = sqrt(active->stretch), along = 1 / active->stretch - across;
  for (; n > 0; n--, row += 3) {
    double part = along * (row[0] * d[0] + row[1] * d[1] + row[2] * d[2]);
    for (int c = 0; c < 3; c++)
      row[c] = across * row[c] + part * d[c];
  }
}

void nh_active_divide(const nh_solid *solid, size_t e, double *row, int n) {
  if (solid->active && solid->active[e].stretch != 1)
    divide(&solid->active[e], row, n);
}

/// The energy of an element with another stretch [J].
static double energy_with(const nh_solid *solid, size_t e, double stretch, const double *x) {
  nh_active active = solid->active[e];
  active.stretch = stretch;
  double sum = 0;
  for (int q = 0; q < solid->points; q++) {
    double f[9];
    nh_solid_deformation(solid, e, q, x, f);
    divide(&active, f, 3);
    sum += solid->weight[e * (size_t)solid->points + (size_t)q] * nh_energy(&solid->material[e], f);
  }
  return sum;
}

void nh_active_work(const nh_solid *solid, double from, double to, const double *x, double share,
                    double *work) {
  size_t n;
  const vb_activation *activation = vb_scene_activations(solid->scene, &n);
  for (size_t k = 0; k < n; k++) {
    size_t e = (size_t)activation[k].index;
    double before = vb_scene_curve(solid->scene, activation[k].curve, from, 1);
    double after = vb_scene_curve(solid->scene, activation[k].curve, to, 1);
    if (before != after)
      work[k] += share * (energy_with(solid, e, after, x) - energy_with(solid, e, before, x));
  }
}
