// SPDX-License-Identifier: GPL-3.0-or-later
#include "activation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// The least stretch of the kind hill; parts of it by which energies are differentiated; bisections
/// of a rate, which leave 1e-13 of it.
#define LEAST 0.25
#define APART 1e-4
enum { BISECTIONS = 60 };

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
    if (activation[k].active != VB_ACTIVE_STRAIN && activation[k].active != VB_ACTIVE_HILL)
      return vb_error_set(error, VB_UNAVAILABLE,
                          "activation %zu (%s) is neither a strain nor of the kind hill, the kinds "
                          "that solver neohookean supports",
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
    if (activation[k].active != VB_ACTIVE_HILL)
      solid->active[activation[k].index].stretch =
          vb_scene_curve(solid->scene, activation[k].curve, time, 1);
}

bool nh_active_has_hill(const nh_solid *solid) {
  return vb_scene_count(solid->scene, VB_SET_HILL) > 0;
}

void nh_active_start(nh_solid *solid, const double *x) {
  size_t n;
  const vb_hill *hill = vb_scene_hills(solid->scene, &n);
  for (size_t k = 0; k < n; k++) {
    nh_active *active = &solid->active[hill[k].index];
    double f[9], square = 0;
    nh_solid_deformation(solid, (size_t)hill[k].index, 0, x, f);
    for (int i = 0; i < 3; i++) {
      double along = 0;
      for (int c = 0; c < 3; c++)
        along += f[3 * i + c] * active->direction[c];
      square += along * along;
    }
    active->stretch = active->before = fmax(sqrt(square), LEAST);
  }
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

/// The stress of the contractile element at the rate `v` of its stretch `a`; with the excitation
/// `e`.
static double hill_stress(const vb_hill *hill, double a, double e, double v) {
  double off = a - hill->optimum, part = off / hill->width, u = v / hill->velocity;
  double length = fmax(0, 1 - part * part), over = off > 0 && hill->passive > 0 ? off : 0;
  double steep = (1 + 1 / hill->curvature) / (hill->eccentric - 1);
  double speed = u > 0 ? (1 + hill->eccentric * steep * u) / (1 + steep * u)
                       : fmax(0, (1 + u) / (1 - u / hill->curvature));
  over = over > 0 ? over / hill->passive : 0;
  return hill->stress * (e * length * speed + over * over) + hill->damping * v;
}

/// The stretch `h` after `a`, where X(a) is `drive` and falls by `slope`: implicit in the rate, and
/// in the passive stress by its slope.
static double hill_next(const vb_hill *hill, double a, double e, double h, double drive,
                        double slope) {
  double over = hill->passive > 0 ? fmax(0, a - hill->optimum) / hill->passive : 0;
  double low = -1, high = 1;
  if (over > 0)
    slope += 2 * hill->stress * over / hill->passive;
#define LEFT(v) (drive - slope * h * (v)-hill_stress(hill, a, e, v))
  while (LEFT(low) < 0 && low > -1e9)
    low *= 4;
  while (LEFT(high) > 0 && high < 1e9)
    high *= 4;
  for (int i = 0; i < BISECTIONS; i++) {
    double middle = 0.5 * (low + high);
    if (LEFT(middle) > 0)
      low = middle;
    else
      high = middle;
  }
#undef LEFT
  return fmax(LEAST, a + 0.5 * h * (low + high));
}

void nh_active_advance(nh_solid *solid, double time, double h, const double *ahead) {
  size_t n, n_hills;
  const vb_activation *activation = vb_scene_activations(solid->scene, &n);
  const vb_hill *hill = vb_scene_hills(solid->scene, &n_hills);
  for (size_t k = 0; k < n; k++) {
    if (activation[k].active != VB_ACTIVE_HILL)
      continue;
    size_t e = (size_t)activation[k].index;
    nh_active *active = &solid->active[e];
    double a = active->stretch, volume = 0;
    for (int q = 0; q < solid->points; q++)
      volume += solid->weight[e * (size_t)solid->points + (size_t)q];
    double shorter = energy_with(solid, e, a - APART, ahead),
           here = energy_with(solid, e, a, ahead);
    double longer = energy_with(solid, e, a + APART, ahead);
    double drive = (shorter - longer) / (2 * APART * volume);
    double slope = ((shorter - here) + (longer - here)) / (APART * APART * volume);
    active->before = a;
    active->stretch =
        hill_next(hill++, a, vb_scene_curve(solid->scene, activation[k].curve, time, 1), h, drive,
                  fmax(slope, 0));
  }
}

void nh_active_work(const nh_solid *solid, double from, double to, const double *x, double share,
                    double *work) {
  size_t n;
  const vb_activation *activation = vb_scene_activations(solid->scene, &n);
  for (size_t k = 0; k < n; k++) {
    size_t e = (size_t)activation[k].index;
    bool is_hill = activation[k].active == VB_ACTIVE_HILL;
    double before = is_hill ? solid->active[e].before
                            : vb_scene_curve(solid->scene, activation[k].curve, from, 1);
    double after = is_hill ? solid->active[e].stretch
                           : vb_scene_curve(solid->scene, activation[k].curve, to, 1);
    if (before != after)
      work[k] += share * (energy_with(solid, e, after, x) - energy_with(solid, e, before, x));
  }
}
