// SPDX-License-Identifier: GPL-3.0-or-later
#include "reference/cosserat/equations.h"

#include "scene/rotation.h"

#include <math.h>
#include <string.h>

enum { POSITION = 0, FRAME = 3, FORCE = 7, MOMENT = 10 };

int cosserat_state_size(const cosserat_rod *rod) {
  return rod->string ? COSSERAT_STRING_STATE : COSSERAT_STATE;
}

int cosserat_start_conditions(const cosserat_rod *rod) {
  return rod->string ? 3 : 7;
}

/// The matrix of a frame.
static void matrix_of(const double complex q[4], double complex m[3][3]) {
  double complex a = q[0], b = q[1], c = q[2], d = q[3];
  const double complex all[3][3] = {
      {a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)},
      {2 * (b * c + a * d), a * a - b * b + c * c - d * d, 2 * (c * d - a * b)},
      {2 * (b * d - a * c), 2 * (c * d + a * b), a * a - b * b - c * c + d * d}};
  memcpy(m, all, sizeof all);
}

/// Component `k` of a vector along the frame's axes.
static double complex along(double complex m[3][3], const double complex *v, int k) {
  return m[0][k] * v[0] + m[1][k] * v[1] + m[2][k] * v[2];
}

static void string_rates(const cosserat_rod *rod, double factor, const double complex *state,
                         double complex *out) {
  const double complex *n = state + 3;
  double complex tension = csqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  for (int k = 0; k < 3; k++) {
    out[k] = n[k] / tension + rod->flexibility[2] * n[k];
    out[3 + k] = -factor * rod->weight[k];
  }
}

void cosserat_rates(const cosserat_rod *rod, double factor, const double complex *state,
                    double complex *out) {
  if (rod->string) {
    string_rates(rod, factor, state, out);
    return;
  }
  const double complex *q = state + FRAME, *n = state + FORCE;
  double complex m[3][3], v[3], k[3], *r = out + POSITION;
  matrix_of(q, m);
  for (int i = 0; i < 3; i++) {
    v[i] = (i == 2) + rod->flexibility[i] * along(m, n, i);
    k[i] = rod->curvature[i] + rod->flexibility[3 + i] * along(m, state + MOMENT, i);
  }
  for (int i = 0; i < 3; i++) {
    r[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
    out[FORCE + i] = -factor * rod->weight[i];
  }
  out[FRAME + 0] = -0.5 * (q[1] * k[0] + q[2] * k[1] + q[3] * k[2]);
  out[FRAME + 1] = 0.5 * (q[0] * k[0] + q[2] * k[2] - q[3] * k[1]);
  out[FRAME + 2] = 0.5 * (q[0] * k[1] + q[3] * k[0] - q[1] * k[2]);
  out[FRAME + 3] = 0.5 * (q[0] * k[2] + q[1] * k[1] - q[2] * k[0]);
  out[MOMENT + 0] = n[1] * r[2] - n[2] * r[1];
  out[MOMENT + 1] = n[2] * r[0] - n[0] * r[2];
  out[MOMENT + 2] = n[0] * r[1] - n[1] * r[0];
}

/// What is zero at an end held by `frame`, with loads on what is free.
static void at_end(const cosserat_end *end, const double frame[4], const double force[3],
                   const double moment[3], const double complex *state, double complex *out) {
  const double complex *q = state + FRAME;
  const double *f = frame;
  // The imaginary part of conj(frame) q.
  const double complex turned[3] = {f[0] * q[1] - f[1] * q[0] - f[2] * q[3] + f[3] * q[2],
                                    f[0] * q[2] - f[2] * q[0] - f[3] * q[1] + f[1] * q[3],
                                    f[0] * q[3] - f[3] * q[0] - f[1] * q[2] + f[2] * q[1]};
  double complex m[3][3], free[3];
  matrix_of(q, m);
  for (int k = 0; k < 3; k++)
    free[k] = state[MOMENT + k] - moment[k];
  for (int k = 0; k < 3; k++) {
    out[k] = end->held >> k & 1 ? state[k] - end->position[k] : state[FORCE + k] - force[k];
    out[3 + k] = end->held >> (3 + k) & 1 ? turned[k] : along(m, free, k);
  }
}

void cosserat_at_start(const cosserat_rod *rod, const double complex *state, double complex *out) {
  static const double none[3] = {0};
  const double complex *q = state + FRAME;
  if (rod->string) {
    for (int k = 0; k < 3; k++)
      out[k] = state[k] - rod->start.position[k];
    return;
  }
  at_end(&rod->start, rod->start.frame, none, none, state, out);
  out[6] = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1;
}

/// The frame that holds the finish.
static void finish_frame(const cosserat_rod *rod, double factor, double out[4]) {
  double half = 0.5 * factor * rod->twist;
  const double turn[4] = {cos(half), 0, 0, sin(half)};
  vb_quaternion_multiply(rod->finish.frame, turn, out);
}

void cosserat_at_finish(const cosserat_rod *rod, double factor, const double complex *state,
                        double complex *out) {
  double frame[4], force[3], moment[3];
  if (rod->string) {
    for (int k = 0; k < 3; k++)
      out[k] = state[k] - rod->finish.position[k];
    return;
  }
  for (int k = 0; k < 3; k++) {
    force[k] = factor * rod->force[k];
    moment[k] = factor * rod->moment[k];
  }
  finish_frame(rod, factor, frame);
  at_end(&rod->finish, frame, force, moment, state, out);
}

/// The frame at `s` of the curvature `bent`, before it is twisted.
static void bent_frame(const cosserat_rod *rod, double s, double out[4]) {
  double size = sqrt(vb_dot(rod->bent, rod->bent)), half = 0.5 * size * s, turn[4] = {cos(half)};
  for (int k = 0; k < 3; k++)
    turn[1 + k] = size > 0 ? sin(half) * rod->bent[k] / size : 0;
  vb_quaternion_multiply(rod->start.frame, turn, out);
}

/// A string hangs as if its tension at the lowest point were half its weight.
static void string_guess(const cosserat_rod *rod, double factor, double s, double *state) {
  double middle = s / rod->length - 0.5, w = sqrt(vb_dot(rod->weight, rod->weight)), along[3];
  vb_direction(rod->start.position, rod->finish.position, along);
  for (int k = 0; k < 3; k++) {
    double down = w > 0 ? rod->weight[k] / w : 0;
    state[k] = rod->start.position[k] +
               s / rod->length * (rod->finish.position[k] - rod->start.position[k]) +
               down * rod->length * (0.25 - middle * middle);
    state[3 + k] = factor * rod->length * (0.5 * w * along[k] - middle * rod->weight[k]);
  }
}

void cosserat_first_guess(const cosserat_rod *rod, double factor, double s, double *state) {
  enum { PARTS = 64 }; // of Simpson's rule for the center line
  if (rod->string) {
    string_guess(rod, factor, s, state);
    return;
  }
  double frame[4], tangent[3], center[3], twist = factor * rod->twist / rod->length;
  memcpy(center, rod->start.position, sizeof center);
  for (int i = 0; i <= 2 * PARTS; i++) {
    double weight = (i == 0 || i == 2 * PARTS ? 1 : i % 2 ? 4 : 2) * s / (6 * PARTS);
    bent_frame(rod, s * i / (2 * PARTS), frame);
    vb_frame_axis(frame, 2, tangent);
    vb_add_scaled(center, weight, tangent, center);
  }
  const double spin[4] = {cos(0.5 * twist * s), 0, 0, sin(0.5 * twist * s)};
  double moment[3];
  vb_quaternion_multiply(frame, spin, frame);
  memcpy(state + POSITION, center, sizeof center);
  memcpy(state + FRAME, frame, sizeof frame);
  for (int k = 0; k < 3; k++) {
    double stiffness = rod->flexibility[3 + k] > 0 ? 1 / rod->flexibility[3 + k] : 0;
    state[FORCE + k] = factor * (rod->force[k] + rod->weight[k] * (rod->length - s));
    moment[k] = stiffness * (rod->bent[k] - rod->curvature[k] + (k == 2) * twist);
  }
  vb_quaternion_rotate(frame, moment, state + MOMENT);
}
