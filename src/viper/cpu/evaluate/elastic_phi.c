// SPDX-License-Identifier: GPL-3.0-or-later
#define VIPER_PRECISION 64
#include "viper/cpu/evaluate/elastic_phi.h"

static double segment_energy(const viper_cpu *cpu, int32_t j, double sum) {
  const viper_segment_state x = viper_segment_load(cpu, j);
  const viper_segment_rest rest = viper_segment_rest_from(&cpu->model->segment[j]);
#define ADD(name, NAME) sum += viper_##name##_energy(&rest, &x);
  VIPER_SEGMENT_TERMS(ADD)
#undef ADD
  if (cpu->model->n_solids == 0)
    return sum;
  const viper_solid_rest solid = viper_solid_rest_from(&cpu->model->segment[j]);
#define ADD(name, NAME, SHOWN) sum += viper_##name##_energy(&solid, &x);
  VIPER_SOLID_TERMS(ADD)
#undef ADD
  return sum;
}

static double joint_energy(const viper_cpu *cpu, int32_t t, double sum) {
  const viper_joint_state x = viper_joint_load(cpu, t);
  const viper_joint_rest rest = viper_joint_rest_from(&cpu->model->joint[t]);
#define ADD(name, NAME) sum += viper_##name##_energy(&rest, &x);
  VIPER_JOINT_TERMS(ADD)
#undef ADD
  return sum;
}

double viper_elastic_phi(const viper_cpu *cpu) {
  double sum = 0;
  for (int32_t j = 0; j < (int32_t)cpu->model->n_segments; j++)
    sum = segment_energy(cpu, j, sum);
  for (int32_t t = 0; t < (int32_t)cpu->model->n_joints; t++)
    sum = joint_energy(cpu, t, sum);
  return sum;
}
