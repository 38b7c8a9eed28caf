// SPDX-License-Identifier: GPL-3.0-or-later
/// The elastic energy and the gradient of Phi, body by body, summed in double in a fixed order.
#include "viper/cpu/core/cpu_real.h"

void viper_body_elastic(const viper_cpu *cpu, const viper_model_body *body,
                        double out[VIPER_N_TERMS]) {
  for (int32_t j = body->first_segment; j < body->first_segment + body->n_segments; j++) {
    viper_segment_state x = viper_segment_load(cpu, j);
    viper_segment_rest own = viper_segment_rest_from(&cpu->model->segment[j]), *rest = &own;
    if (cpu->model->segment[j].pulled) // the potential of the forces is not elastic
      x.active = viper_passive();
#define ADD(name, NAME) out[VIPER_TERM_##NAME] += (double)viper_##name##_energy(rest, &x);
    VIPER_SEGMENT_TERMS(ADD)
#undef ADD
    viper_solid_rest solid = viper_solid_rest_from(&cpu->model->segment[j]);
#define ADD(name, NAME, SHOWN)                                                                     \
  if (body->solid != VIPER_NONE_SOLID)                                                             \
    out[VIPER_TERM_##SHOWN] += (double)viper_##name##_energy(&solid, &x);
    VIPER_SOLID_TERMS(ADD)
#undef ADD
  }
  for (int32_t t = body->first_joint; t < body->first_joint + body->n_joints; t++) {
    viper_joint_state x = viper_joint_load(cpu, t);
    viper_joint_rest own = viper_joint_rest_from(&cpu->model->joint[t]), *rest = &own;
#define ADD(name, NAME)                                                                            \
  out[VIPER_N_SEGMENT_TERMS + VIPER_TERM_##NAME] += (double)viper_##name##_energy(rest, &x);
    VIPER_JOINT_TERMS(ADD)
#undef ADD
  }
}

/// Adds a term's local gradient to `sum`.
static void add_term(const viper_real *g, int n, double *sum) {
  for (int k = 0; k < n; k++)
    sum[k] += (double)g[k];
}

/// Adds what segment `j` has by the material model solid.
static void add_solid(const viper_cpu *cpu, int32_t j, const viper_segment_state *x, double *sum) {
  viper_solid_rest rest = viper_solid_rest_from(&cpu->model->segment[j]);
#define ADD(name, NAME, SHOWN)                                                                     \
  {                                                                                                \
    viper_real g[VIPER_SEGMENT_UNKNOWNS] = {0};                                                    \
    viper_##name##_add_gradient(&rest, x, g);                                                      \
    add_term(g, VIPER_SEGMENT_UNKNOWNS, sum);                                                      \
  }
  VIPER_SOLID_TERMS(ADD)
#undef ADD
}

static void add_segment(const viper_cpu *cpu, const viper_model_body *body, int32_t j, double *node,
                        double *frame) {
  viper_segment_state x = viper_segment_load(cpu, j);
  viper_segment_rest own = viper_segment_rest_from(&cpu->model->segment[j]), *rest = &own;
  double sum[VIPER_SEGMENT_UNKNOWNS] = {0};
#define ADD(name, NAME)                                                                            \
  {                                                                                                \
    viper_real g[VIPER_SEGMENT_UNKNOWNS] = {0};                                                    \
    viper_##name##_add_gradient(rest, &x, g);                                                      \
    add_term(g, VIPER_SEGMENT_UNKNOWNS, sum);                                                      \
  }
  VIPER_SEGMENT_TERMS(ADD)
#undef ADD
  if (body->solid != VIPER_NONE_SOLID)
    add_solid(cpu, j, &x, sum);
  viper_segment_scatter(cpu, body, j, sum, node, frame);
}

static void add_joint(const viper_cpu *cpu, const viper_model_body *body, int32_t t, double *node,
                      double *frame) {
  viper_joint_state x = viper_joint_load(cpu, t);
  viper_joint_rest own = viper_joint_rest_from(&cpu->model->joint[t]), *rest = &own;
  double sum[VIPER_JOINT_UNKNOWNS] = {0};
#define ADD(name, NAME)                                                                            \
  {                                                                                                \
    viper_real g[VIPER_JOINT_UNKNOWNS] = {0};                                                      \
    viper_##name##_add_gradient(rest, &x, g);                                                      \
    add_term(g, VIPER_JOINT_UNKNOWNS, sum);                                                        \
  }
  VIPER_JOINT_TERMS(ADD)
#undef ADD
  viper_joint_scatter(cpu, body, t, sum, node, frame);
}

/// The inertial part starts the gradient of a node; in statics the load, `inv_h2` being 1.
static void start_node(const viper_cpu *cpu, int32_t i, viper_real inv_h2, double *node) {
  viper_real g[4];
  if (cpu->is_static)
    viper_node_load_gradient(cpu->node_hat[i], g);
  else
    viper_node_inertial_gradient(viper_node_inertia_load(cpu, i), cpu->node[i], cpu->node_hat[i],
                                 g);
  for (int k = 0; k < 4; k++)
    node[k] = (double)(inv_h2 * g[k]);
}

static void start_frame(const viper_cpu *cpu, int32_t j, viper_real inv_h2, double *frame) {
  viper_real g[3], h[3][3];
  if (cpu->is_static)
    viper_frame_load_gradient(cpu->frame[j], cpu->frame_hat[j], g);
  else
    viper_frame_block_load(cpu, j, cpu->frame[j], cpu->frame_hat[j], g, h);
  for (int k = 0; k < 3; k++)
    frame[k] = (double)(inv_h2 * g[k]);
}

void viper_body_gradient(const viper_cpu *cpu, const viper_model_body *body, viper_real h,
                         double *node, double *frame) {
  viper_real inv_h2 = VIPER_R(1) / (h * h);
  for (int32_t i = 0; i < body->n_nodes; i++)
    start_node(cpu, body->first_node + i, inv_h2, node + 4 * i);
  for (int32_t j = 0; j < body->n_segments; j++)
    start_frame(cpu, body->first_segment + j, inv_h2, frame + 3 * j);
  for (int32_t j = 0; cpu->frame_push && j < body->n_segments; j++)
    frame[3 * j + 2] -= cpu->frame_push[body->first_segment + j];
  for (int32_t k = 0; cpu->bundle_torque && k < 3 * body->n_segments; k++)
    frame[k] -= cpu->bundle_torque[3 * body->first_segment + k];
  for (int32_t j = body->first_segment; j < body->first_segment + body->n_segments; j++)
    add_segment(cpu, body, j, node, frame);
  for (int32_t t = body->first_joint; t < body->first_joint + body->n_joints; t++)
    add_joint(cpu, body, t, node, frame);
}
