// SPDX-License-Identifier: GPL-3.0-or-later
#define VIPER_PRECISION 64
#include "viper/cpu/hessian.h"

#include <string.h>

/// Differences: in radians, and of scales; of positions over the segment's length. Truncation and
/// rounding are alike there.
#define STEP 1e-5

static viper_quat turned(viper_quat q, int axis, double angle) {
  viper_vec3 delta =
      viper_vec3_make(axis == 0 ? angle : 0, axis == 1 ? angle : 0, axis == 2 ? angle : 0);
  return viper_quat_turn(q, delta);
}

static void move_component(viper_vec3 *c, int k, double by) {
  *(k == 0 ? &c->x : k == 1 ? &c->y : &c->z) += by;
}

/// A stencil with unknown `u` moved.
static viper_segment_state segment_moved(viper_segment_state x, int u, double by) {
  if (u < 3)
    move_component(&x.c_a, u, by);
  else if (u == 3)
    x.s_a += by;
  else if (u < 7)
    move_component(&x.c_b, u - 4, by);
  else if (u == 7)
    x.s_b += by;
  else
    x.q = turned(x.q, u - 8, by);
  return x;
}

static viper_joint_state joint_moved(viper_joint_state x, int u, double by) {
  if (u < 3)
    *(u == 0 ? &x.s_prev : u == 1 ? &x.s : &x.s_next) += by;
  else if (u < 6)
    x.q_j = turned(x.q_j, u - 3, by);
  else
    x.q_k = turned(x.q_k, u - 6, by);
  return x;
}

static void symmetrize(int n, double *h) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < i; k++)
      h[i * n + k] = h[k * n + i] = 0.5 * (h[i * n + k] + h[k * n + i]);
}

// Of K |W|^2 / 2: K dW^T dW, and what the derivative of dW^T makes with K W held.
#define DEFINE(name, NAME, kind, n)                                                                \
  static void name##_hessian(const viper_##kind##_rest *rest, const viper_##kind##_state *x,       \
                             const double step[n], double h[n][n]) {                               \
    enum { ROWS = VIPER_##NAME##_ROWS, COLUMNS = VIPER_##NAME##_COLUMNS };                         \
    double w[ROWS], dw[ROWS][COLUMNS], other[ROWS], low[ROWS][COLUMNS], high[ROWS][COLUMNS];       \
    viper_##name(rest, x, w, dw);                                                                  \
    for (int k = 0; k < COLUMNS; k++) {                                                            \
      int u = VIPER_##NAME##_COLUMN(k);                                                            \
      viper_##kind##_state before = kind##_moved(*x, u, -step[u]);                                 \
      viper_##kind##_state after = kind##_moved(*x, u, step[u]);                                   \
      viper_##name(rest, &before, other, low);                                                     \
      viper_##name(rest, &after, other, high);                                                     \
      for (int i = 0; i < ROWS; i++)                                                               \
        for (int m = 0; m < COLUMNS; m++)                                                          \
          h[VIPER_##NAME##_COLUMN(m)][u] +=                                                        \
              viper_##kind##_of_row(rest->k_##name, x, VIPER_TERM_##NAME, i) *                     \
              (dw[i][k] * dw[i][m] + w[i] * (high[i][m] - low[i][m]) / (2 * step[u]));             \
    }                                                                                              \
  }
#define DEFINE_SEGMENT(name, NAME) DEFINE(name, NAME, segment, VIPER_SEGMENT_UNKNOWNS)
#define DEFINE_JOINT(name, NAME)   DEFINE(name, NAME, joint, VIPER_JOINT_UNKNOWNS)
VIPER_SEGMENT_TERMS(DEFINE_SEGMENT)
VIPER_JOINT_TERMS(DEFINE_JOINT)

void viper_segment_hessian(const viper_cpu *cpu, int32_t j,
                           double h[VIPER_SEGMENT_UNKNOWNS][VIPER_SEGMENT_UNKNOWNS]) {
  viper_segment_state x = viper_segment_load(cpu, j);
  viper_segment_rest rest = viper_segment_rest_from(&cpu->model->segment[j]);
  double step[VIPER_SEGMENT_UNKNOWNS];
  for (int u = 0; u < VIPER_SEGMENT_UNKNOWNS; u++)
    step[u] = u < 8 && u % 4 < 3 ? STEP / rest.inv_l : STEP;
  memset(h, 0, sizeof(double[VIPER_SEGMENT_UNKNOWNS][VIPER_SEGMENT_UNKNOWNS]));
#define ADD(name, NAME)                                                                            \
  if (rest.k_##name > 0)                                                                           \
    name##_hessian(&rest, &x, step, h);
  VIPER_SEGMENT_TERMS(ADD)
#undef ADD
  symmetrize(VIPER_SEGMENT_UNKNOWNS, &h[0][0]);
}

void viper_joint_hessian(const viper_cpu *cpu, int32_t t,
                         double h[VIPER_JOINT_UNKNOWNS][VIPER_JOINT_UNKNOWNS]) {
  viper_joint_state x = viper_joint_load(cpu, t);
  viper_joint_rest rest = viper_joint_rest_from(&cpu->model->joint[t]);
  double step[VIPER_JOINT_UNKNOWNS];
  for (int u = 0; u < VIPER_JOINT_UNKNOWNS; u++)
    step[u] = STEP;
  memset(h, 0, sizeof(double[VIPER_JOINT_UNKNOWNS][VIPER_JOINT_UNKNOWNS]));
#define ADD(name, NAME)                                                                            \
  if (rest.k_##name > 0)                                                                           \
    name##_hessian(&rest, &x, step, h);
  VIPER_JOINT_TERMS(ADD)
#undef ADD
  symmetrize(VIPER_JOINT_UNKNOWNS, &h[0][0]);
}

void viper_frame_hessian(const viper_cpu *cpu, int32_t j, double h[3][3]) {
  double inertia = viper_frame_inertia_load(cpu, j), low[3], high[3], block[3][3];
  for (int k = 0; k < 3; k++) {
    viper_frame_inertial_block(inertia, turned(cpu->frame[j], k, -STEP), cpu->frame_hat[j], low,
                               block);
    viper_frame_inertial_block(inertia, turned(cpu->frame[j], k, STEP), cpu->frame_hat[j], high,
                               block);
    for (int i = 0; i < 3; i++)
      h[i][k] = (high[i] - low[i]) / (2 * STEP);
  }
  symmetrize(3, &h[0][0]);
}
