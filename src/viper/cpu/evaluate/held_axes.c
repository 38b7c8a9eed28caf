// SPDX-License-Identifier: GPL-3.0-or-later
#define VIPER_PRECISION 64
#include "viper/cpu/evaluate/held_axes.h"

#include <math.h>

static viper_vec3 unit(viper_vec3 v) {
  return viper_scale(1 / sqrt(viper_dot(v, v)), v);
}

/// A unit vector normal to `n`.
static viper_vec3 normal_to(viper_vec3 n) {
  viper_vec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
  double least = fmin(fabs(n.x), fmin(fabs(n.y), fabs(n.z)));
  return unit(viper_cross(n, fabs(n.x) == least ? x : fabs(n.y) == least ? y : z));
}

/// The axes of frame `j`, in body axes, normal to the n_k of its held parts: rows k of
/// Re D + [Im D]x.
static void axes_of(const viper_cpu *cpu, int32_t j, viper_vec3 axis[3]) {
  viper_quat d = viper_quat_mul(viper_quat_conj(cpu->held[j].at), cpu->frame[j]);
  const viper_vec3 row[3] = {{d.w, -d.z, d.y}, {d.z, d.w, -d.x}, {-d.y, d.x, d.w}};
  viper_vec3 held[3] = {{0, 0, 0}};
  int n = 0;
  for (int k = 0; k < 3; k++)
    if (viper_holds(cpu->model->segment[j].pinned, k))
      held[n++] = row[k];
  axis[0] = n == 1 ? normal_to(held[0]) : unit(viper_cross(held[0], held[1]));
  axis[1] = n == 1 ? unit(viper_cross(held[0], axis[0])) : (viper_vec3){0, 0, 0};
  axis[2] = (viper_vec3){0, 0, 0};
}

/// Whether a frame has one or two of the three axes.
static bool is_held(const viper_cpu *cpu, int32_t j) {
  int n = viper_free_axes(cpu->model, j);
  return n == 1 || n == 2;
}

/// Three numbers, `stride` apart, over a frame's turns, about the axes.
static void take_along(const viper_vec3 axis[3], double *v, int stride) {
  viper_vec3 all = {v[0], v[stride], v[2 * stride]};
  for (int k = 0; k < 3; k++)
    v[k * stride] = viper_dot(axis[k], all);
}

void viper_held_gradient(const viper_cpu *cpu, int32_t j, double g[3]) {
  viper_vec3 axis[3];
  if (!is_held(cpu, j))
    return;
  axes_of(cpu, j, axis);
  take_along(axis, g, 1);
}

void viper_held_block(const viper_cpu *cpu, int32_t j, int n, int first, double *h) {
  viper_vec3 axis[3];
  if (!is_held(cpu, j))
    return;
  axes_of(cpu, j, axis);
  for (int column = 0; column < n; column++)
    take_along(axis, h + first * n + column, n);
  for (int row = 0; row < n; row++)
    take_along(axis, h + row * n + first, 1);
}

void viper_held_axes(const viper_cpu *cpu, int32_t j, viper_vec3 axis[3]) {
  const int n = viper_free_axes(cpu->model, j);
  if (is_held(cpu, j)) {
    axes_of(cpu, j, axis);
    return;
  }
  for (int k = 0; k < 3; k++)
    axis[k] = (viper_vec3){n == 3 && k == 0, n == 3 && k == 1, n == 3 && k == 2};
}

void viper_held_turns(const viper_cpu *cpu, const double *move, double *turn) {
  for (int32_t j = 0; j < (int32_t)cpu->model->n_segments; j++) {
    const double *d = move + 3 * (size_t)j;
    double *out = turn + 3 * (size_t)j;
    viper_vec3 axis[3];
    viper_held_axes(cpu, j, axis);
    out[0] = d[0] * axis[0].x + d[1] * axis[1].x + d[2] * axis[2].x;
    out[1] = d[0] * axis[0].y + d[1] * axis[1].y + d[2] * axis[2].y;
    out[2] = d[0] * axis[0].z + d[1] * axis[1].z + d[2] * axis[2].z;
  }
}
