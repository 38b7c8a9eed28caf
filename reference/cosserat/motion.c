// SPDX-License-Identifier: GPL-3.0-or-later
// What both computations of motions share: the course of loads, and extrapolation.
#include "reference/cosserat/motion.h"

#include "scene/rotation.h"

#include <math.h>
#include <stdlib.h>

double cosserat_motion_factor(const cosserat_motion *motion, double t) {
  double x = t / motion->pulse_time, sine = sin(M_PI * x);
  if (motion->course == COSSERAT_HOLD)
    return 1;
  if (x >= 1)
    return 0;
  return motion->course == COSSERAT_PULSE ? sine * sine : 1 - fabs(2 * x - 1);
}

void cosserat_motion_start(const cosserat_rod *rod, const cosserat_motion *motion, double t,
                           double out[4]) {
  double rate = sqrt(vb_dot(motion->spin, motion->spin)), period = motion->pulse_time;
  double x = rate > 0 ? t / period : 0;
  double turns = x < 1 ? x * x / 2 + (cos(2 * M_PI * x) - 1) / (4 * M_PI * M_PI) : x - 0.5;
  double half = rate > 0 ? 0.5 * rate * period * turns : 0, turn[4] = {cos(half)};
  for (int k = 0; k < 3; k++)
    turn[1 + k] = rate > 0 ? sin(half) * motion->spin[k] / rate : 0;
  vb_quaternion_multiply(turn, rod->start.frame, out);
}

vb_status cosserat_motion_refine(cosserat_motion_level *level, const cosserat_rod *rod,
                                 const cosserat_motion *motion, size_t n_cells, double step,
                                 const cosserat_place *place, size_t n, cosserat_value *out,
                                 vb_error *error) {
  enum { LEVELS = 3 };
  for (int k = 0; k < 6; k++)
    if (!(rod->flexibility[k] > 0))
      return vb_bad_input(error, "the motion of a rod needs six finite stiffnesses");
  double *v = calloc(n + 1, LEVELS * sizeof *v);
  vb_status status = v ? VB_OK : vb_error_memory(error);
  for (int k = 0; !status && k < LEVELS; k++)
    status = level(rod, motion, n_cells << k, step / (1 << k), place, n, v + (size_t)k * n, error);
  for (size_t i = 0; !status && i < n; i++) {
    double a = v[i], b = v[n + i], c = v[2 * n + i];
    double first = (4 * b - a) / 3, second = (4 * c - b) / 3;
    // Waves come late to the order of a method: twice the change, for safety.
    out[i] =
        (cosserat_value){(16 * second - first) / 15, 2 * fabs(second - first) + 1e-9 * rod->length};
  }
  free(v);
  return status;
}
