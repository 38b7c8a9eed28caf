// SPDX-License-Identifier: GPL-3.0-or-later
/// The method `xpbd`: eq. 28 (corrected) by Gauss-Seidel over the colors, accumulated multipliers,
/// a vector-valued W as one block. Phases: segments color by color, then joints color by color.
#include "viper/cpu/cpu_real.h"

#include <string.h>

/// h^2 times the inverse inertias of node `i`, 0 where pinned.
static void node_h2a(const viper_cpu *cpu, int32_t i, viper_real h2, viper_real out[4]) {
  viper_real free[4];
  viper_node_inertia a = viper_node_inertia_load(cpu, i);
  viper_node_free(cpu, i, free);
  for (int k = 0; k < 3; k++)
    out[k] = free[k] * h2 / a.mass;
  out[3] = free[3] * h2 / a.scale;
}

static void frame_h2a(const viper_cpu *cpu, int32_t j, viper_real h2, viper_real out[3]) {
  viper_vec3 a = viper_frame_inertia_load(cpu, j);
  viper_real f = viper_frame_free(cpu, j) ? h2 : VIPER_R(0);
  out[0] = f / a.x;
  out[1] = f / a.y;
  out[2] = f / a.z;
}

static void move_node(viper_node_x *node, const viper_real d[4]) {
  node->c = viper_add(node->c, viper_vec3_make(d[0], d[1], d[2]));
  viper_real s = node->s + d[3];
  node->s = s < VIPER_R(VIPER_MINIMUM_SCALE) ? VIPER_R(VIPER_MINIMUM_SCALE) : s;
}

/// Phase function: the terms of segment `j`, one after the other.
static void solve_segment(viper_cpu *cpu, int32_t j, viper_real h2) {
  const int32_t *node = cpu->model->segment[j].node;
  viper_real h2a[VIPER_SEGMENT_UNKNOWNS], d[VIPER_SEGMENT_UNKNOWNS];
  viper_real *lambda = cpu->segment_lambda[j];
  node_h2a(cpu, node[0], h2, h2a);
  node_h2a(cpu, node[1], h2, h2a + 4);
  frame_h2a(cpu, j, h2, h2a + 8);
#define SOLVE(name, NAME)                                                                          \
  {                                                                                                \
    viper_segment_state x = viper_segment_load(cpu, j);                                            \
    viper_##name##_multiplier(&cpu->segment[j], &x, h2a, lambda, d);                               \
    lambda += VIPER_##NAME##_ROWS;                                                                 \
    move_node(&cpu->node[node[0]], d);                                                             \
    move_node(&cpu->node[node[1]], d + 4);                                                         \
    cpu->frame[j] = viper_quat_turn(cpu->frame[j], viper_vec3_make(d[8], d[9], d[10]));            \
  }
  VIPER_SEGMENT_TERMS(SOLVE)
#undef SOLVE
}

static void move_scale(viper_cpu *cpu, int32_t i, viper_real ds) {
  viper_real d[4] = {VIPER_R(0), VIPER_R(0), VIPER_R(0), ds};
  move_node(&cpu->node[i], d);
}

/// Phase function: the terms of joint `t`, one after the other.
static void solve_joint(viper_cpu *cpu, int32_t t, viper_real h2) {
  const viper_model_joint *joint = &cpu->model->joint[t];
  viper_real h2a[VIPER_JOINT_UNKNOWNS], d[VIPER_JOINT_UNKNOWNS], node[4];
  viper_real *lambda = cpu->joint_lambda[t];
  for (int k = 0; k < 3; k++) {
    node_h2a(cpu, joint->node[k], h2, node);
    h2a[k] = node[3];
  }
  frame_h2a(cpu, joint->segment[0], h2, h2a + 3);
  frame_h2a(cpu, joint->segment[1], h2, h2a + 6);
#define SOLVE(name, NAME)                                                                          \
  if (cpu->joint[t].k_##name > VIPER_R(0)) {                                                       \
    viper_joint_state x = viper_joint_load(cpu, t);                                                \
    viper_##name##_multiplier(&cpu->joint[t], &x, h2a, lambda, d);                                 \
    for (int k = 0; k < 3; k++)                                                                    \
      if (d[k] != VIPER_R(0))                                                                      \
        move_scale(cpu, joint->node[k], d[k]);                                                     \
    for (int side = 0; side < 2; side++) {                                                         \
      const viper_real *turn = d + 3 + 3 * side;                                                   \
      viper_quat *frame = &cpu->frame[joint->segment[side]];                                       \
      *frame = viper_quat_turn(*frame, viper_vec3_make(turn[0], turn[1], turn[2]));                \
    }                                                                                              \
  }                                                                                                \
  lambda += VIPER_##NAME##_ROWS;
  VIPER_JOINT_TERMS(SOLVE)
#undef SOLVE
}

void viper_body_xpbd(viper_cpu *cpu, const viper_model_body *body, const viper_settings *settings,
                     viper_real h) {
  if (!settings->continued) {
    memset(cpu->segment_lambda[body->first_segment], 0,
           (size_t)body->n_segments * sizeof *cpu->segment_lambda);
    memset(cpu->joint_lambda[body->first_joint], 0,
           (size_t)body->n_joints * sizeof *cpu->joint_lambda);
  }
  for (int iteration = 0; iteration < settings->iterations; iteration++)
    for (int32_t p = body->first_phase; p < body->first_phase + body->n_phases; p++) {
      const viper_phase *phase = &cpu->model->phase[p];
      for (int32_t e = phase->first; e < phase->first + phase->count; e++) {
        if (phase->joints)
          solve_joint(cpu, e, h * h);
        else
          solve_segment(cpu, e, h * h);
      }
    }
}
