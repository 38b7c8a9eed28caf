// SPDX-License-Identifier: GPL-3.0-or-later
#define VIPER_PRECISION 64
#include "viper/cpu/evaluate/hessian.h"

#include "viper/energy/second.h"

/// Fills in the upper triangle.
static void mirror(int n, double *h) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < i; k++)
      h[k * n + i] = h[i * n + k];
}

void viper_segment_hessian(const viper_cpu *cpu, int32_t j, bool second,
                           double h[VIPER_SEGMENT_UNKNOWNS][VIPER_SEGMENT_UNKNOWNS]) {
  viper_segment_state x = viper_segment_load(cpu, j);
  viper_segment_rest rest = viper_segment_rest_from(&cpu->model->segment[j]);
  double g[VIPER_SEGMENT_UNKNOWNS];
  viper_clear(VIPER_SEGMENT_UNKNOWNS, g, &h[0][0]);
#define ADD(name, NAME)                                                                            \
  if (rest.k_##name > 0)                                                                           \
    viper_##name##_add_block(&rest, &x, g, h);
  VIPER_SEGMENT_TERMS(ADD)
#undef ADD
  if (second)
    viper_segment_add_second(&rest, &x, h);
  if (cpu->model->n_solids > 0) {
    viper_solid_rest solid = viper_solid_rest_from(&cpu->model->segment[j]);
    viper_axial_add_block(&solid, &x, g, h);
    viper_dilation_add_block(&solid, &x, g, h);
    if (second)
      viper_solid_add_part(&solid, &x, 1, h);
  }
  mirror(VIPER_SEGMENT_UNKNOWNS, &h[0][0]);
}

void viper_joint_hessian(const viper_cpu *cpu, int32_t t, bool second,
                         double h[VIPER_JOINT_UNKNOWNS][VIPER_JOINT_UNKNOWNS]) {
  viper_joint_state x = viper_joint_load(cpu, t);
  viper_joint_rest rest = viper_joint_rest_from(&cpu->model->joint[t]);
  double g[VIPER_JOINT_UNKNOWNS];
  viper_clear(VIPER_JOINT_UNKNOWNS, g, &h[0][0]);
#define ADD(name, NAME)                                                                            \
  if (rest.k_##name > 0)                                                                           \
    viper_##name##_add_block(&rest, &x, g, h);
  VIPER_JOINT_TERMS(ADD)
#undef ADD
  if (second)
    viper_joint_add_second(&rest, &x, h);
  mirror(VIPER_JOINT_UNKNOWNS, &h[0][0]);
}

void viper_frame_hessian(const viper_cpu *cpu, int32_t j, bool second, double h[3][3]) {
  const double inertia = viper_frame_inertia_load(cpu, j);
  const viper_quat q = cpu->frame[j], hat = cpu->frame_hat[j];
  double g[3];
  viper_frame_block_load(cpu, j, q, hat, g, h);
  for (int i = 0; second && i < 3; i++)
    h[i][i] += cpu->model->has_moments
                   ? viper_moments_second(inertia, viper_moments_load(cpu, j), q, hat)
                   : viper_frame_inertial_second(inertia, q, hat);
  mirror(3, &h[0][0]);
}
