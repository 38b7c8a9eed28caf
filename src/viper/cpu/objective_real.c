// SPDX-License-Identifier: GPL-3.0-or-later
/// Phi, its gradient and the residual, body by body, summed in double in a fixed order.
#include "viper/cpu/cpu_real.h"
#include "viper/energy/term.h"

#include <stdlib.h>

void viper_body_elastic(const viper_cpu *cpu, const viper_model_body *body,
                        double out[VIPER_N_TERMS]) {
  for (int32_t j = body->first_segment; j < body->first_segment + body->n_segments; j++) {
    viper_segment_state x = viper_segment_load(cpu, j);
    viper_segment_rest own = viper_segment_rest_from(&cpu->model->segment[j]), *rest = &own;
#define ADD(name, NAME) out[VIPER_TERM_##NAME] += (double)viper_##name##_energy(rest, &x);
    VIPER_SEGMENT_TERMS(ADD)
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

/// Inverse inertias of a segment's stencil, 0 where pinned.
static void segment_inverse(const viper_cpu *cpu, int32_t j, double out[VIPER_SEGMENT_UNKNOWNS]) {
  for (int side = 0; side < 2; side++) {
    int32_t i = cpu->model->segment[j].node[side];
    viper_real free[4];
    viper_node_free(cpu, i, free);
    for (int k = 0; k < 3; k++)
      out[4 * side + k] = (double)free[k] / cpu->model->node[i].mass;
    out[4 * side + 3] = (double)free[3] / cpu->model->node[i].scale_inertia;
  }
  double a = (double)viper_frame_inertia_load(cpu, j), free = viper_frame_free(cpu, j) ? 1 : 0;
  out[8] = out[9] = free / a;
  out[10] = 0.5 * free / a;
}

/// Inverse inertias of a joint's stencil, 0 where pinned.
static void joint_inverse(const viper_cpu *cpu, int32_t t, double out[VIPER_JOINT_UNKNOWNS]) {
  const viper_model_joint *joint = &cpu->model->joint[t];
  for (int k = 0; k < 3; k++) {
    viper_real free[4];
    viper_node_free(cpu, joint->node[k], free);
    out[k] = (double)free[3] / cpu->model->node[joint->node[k]].scale_inertia;
  }
  for (int side = 0; side < 2; side++) {
    double a = (double)viper_frame_inertia_load(cpu, joint->segment[side]);
    double free = viper_frame_free(cpu, joint->segment[side]) ? 1 : 0;
    out[3 + 3 * side] = out[4 + 3 * side] = free / a;
    out[5 + 3 * side] = 0.5 * free / a;
  }
}

/// Adds a term's local gradient to `sum`, and its squared norm to `sums`.
static void add_term(const viper_real *g, const double *inverse, int n, double *sum,
                     viper_residual_sums *sums) {
  for (int k = 0; k < n; k++) {
    sum[k] += (double)g[k];
    if (sums)
      sums->term += (double)g[k] * (double)g[k] * inverse[k];
  }
}

/// Squared norm of the forces that an error of 1 in the positions over their size, and in the
/// frame's axis, makes by way of the terms on centers.
static double segment_rounding(const viper_cpu *cpu, int32_t j, const viper_segment_state *x,
                               const double *inverse) {
  const viper_model_segment *m = &cpu->model->segment[j];
  double size = m->inv_l * sqrt((double)(viper_dot(x->c_a, x->c_a) + viper_dot(x->c_b, x->c_b)));
  double k_on = viper_k_on(viper_segment_term, m->k, VIPER_N_SEGMENT_TERMS, VIPER_SEGMENT_CENTERS);
  double w = k_on * (1 + size), sum = 0;
  for (int k = 0; k < VIPER_SEGMENT_UNKNOWNS; k++) {
    double slope = k < 8 && k % 4 < 3 ? m->inv_l : 1;
    sum += w * w * slope * slope * inverse[k];
  }
  return sum;
}

/// Likewise of an error of 1 in the frames' product, by way of the terms on frames.
static double joint_rounding(const viper_cpu *cpu, int32_t t, const double *inverse) {
  const viper_model_joint *m = &cpu->model->joint[t];
  double k_on = viper_k_on(viper_joint_term, m->k, VIPER_N_JOINT_TERMS, VIPER_JOINT_FRAMES);
  double w = k_on * m->inv_lm * m->inv_lm, sum = 0;
  for (int k = 3; k < VIPER_JOINT_UNKNOWNS; k++)
    sum += w * w * inverse[k];
  return sum;
}

static void add_segment(const viper_cpu *cpu, const viper_model_body *body, int32_t j, double *node,
                        double *frame, viper_residual_sums *sums) {
  viper_segment_state x = viper_segment_load(cpu, j);
  viper_segment_rest own = viper_segment_rest_from(&cpu->model->segment[j]), *rest = &own;
  double sum[VIPER_SEGMENT_UNKNOWNS] = {0}, inverse[VIPER_SEGMENT_UNKNOWNS] = {0};
  if (sums)
    segment_inverse(cpu, j, inverse);
#define ADD(name, NAME)                                                                            \
  {                                                                                                \
    viper_real g[VIPER_SEGMENT_UNKNOWNS] = {0};                                                    \
    viper_##name##_add_gradient(rest, &x, g);                                                      \
    add_term(g, inverse, VIPER_SEGMENT_UNKNOWNS, sum, sums);                                       \
  }
  VIPER_SEGMENT_TERMS(ADD)
#undef ADD
  if (sums)
    sums->rounding += segment_rounding(cpu, j, &x, inverse);
  const int32_t *at = cpu->model->segment[j].node;
  for (int k = 0; k < 4; k++) {
    node[4 * (at[0] - body->first_node) + k] += sum[k];
    node[4 * (at[1] - body->first_node) + k] += sum[4 + k];
  }
  for (int k = 0; k < 3; k++)
    frame[3 * (j - body->first_segment) + k] += sum[8 + k];
}

static void add_joint(const viper_cpu *cpu, const viper_model_body *body, int32_t t, double *node,
                      double *frame, viper_residual_sums *sums) {
  viper_joint_state x = viper_joint_load(cpu, t);
  viper_joint_rest own = viper_joint_rest_from(&cpu->model->joint[t]), *rest = &own;
  double sum[VIPER_JOINT_UNKNOWNS] = {0}, inverse[VIPER_JOINT_UNKNOWNS] = {0};
  if (sums)
    joint_inverse(cpu, t, inverse);
#define ADD(name, NAME)                                                                            \
  {                                                                                                \
    viper_real g[VIPER_JOINT_UNKNOWNS] = {0};                                                      \
    viper_##name##_add_gradient(rest, &x, g);                                                      \
    add_term(g, inverse, VIPER_JOINT_UNKNOWNS, sum, sums);                                         \
  }
  VIPER_JOINT_TERMS(ADD)
#undef ADD
  if (sums)
    sums->rounding += joint_rounding(cpu, t, inverse);
  const viper_model_joint *joint = &cpu->model->joint[t];
  for (int k = 0; k < 3; k++) {
    node[4 * (joint->node[k] - body->first_node) + 3] += sum[k];
    frame[3 * (joint->segment[0] - body->first_segment) + k] += sum[3 + k];
    frame[3 * (joint->segment[1] - body->first_segment) + k] += sum[6 + k];
  }
}

/// The inertial part starts the gradient of a node.
static void start_node(const viper_cpu *cpu, int32_t i, viper_real inv_h2, double *node) {
  viper_real g[4];
  viper_node_inertial_gradient(viper_node_inertia_load(cpu, i), viper_node_load(cpu, i),
                               cpu->node_hat[i], g);
  for (int k = 0; k < 4; k++)
    node[k] = (double)(inv_h2 * g[k]);
}

static void start_frame(const viper_cpu *cpu, int32_t j, viper_real inv_h2, double *frame) {
  viper_real g[3], h[3][3];
  viper_frame_inertial_block(viper_frame_inertia_load(cpu, j), viper_frame_load(cpu, j),
                             cpu->frame_hat[j], g, h);
  for (int k = 0; k < 3; k++)
    frame[k] = (double)(inv_h2 * g[k]);
}

/// Squared norm of the inertial forces that an error of 1 in the positions over their size makes.
static double inertial_rounding(const viper_cpu *cpu, const viper_model_body *body, double inv_h2) {
  double sum = 0;
  for (int32_t i = body->first_node; i < body->first_node + body->n_nodes; i++) {
    viper_vec3 c = viper_node_load(cpu, i).c;
    sum += cpu->model->node[i].mass * (double)viper_dot(c, c);
  }
  return inv_h2 * inv_h2 * sum;
}

/// Squared norms of the finished gradient over free unknowns, weighted by the inverse inertias.
static double norm2(const viper_cpu *cpu, const viper_model_body *body, const double *node,
                    const double *frame) {
  double sum = 0;
  for (int32_t i = 0; i < body->n_nodes; i++) {
    const viper_model_node *m = &cpu->model->node[body->first_node + i];
    for (int k = 0; k < 4; k++)
      if (!(m->pinned >> k & 1))
        sum += node[4 * i + k] * node[4 * i + k] / (k < 3 ? m->mass : m->scale_inertia);
  }
  for (int32_t j = body->first_segment; j < body->first_segment + body->n_segments; j++) {
    const double *g = &frame[3 * (j - body->first_segment)],
                 a = (double)viper_frame_inertia_load(cpu, j);
    if (viper_frame_free(cpu, j))
      sum += (g[0] * g[0] + g[1] * g[1] + 0.5 * g[2] * g[2]) / a;
  }
  return sum;
}

void viper_body_gradient(const viper_cpu *cpu, const viper_model_body *body, viper_real h,
                         double *node, double *frame, viper_residual_sums *sums) {
  viper_real inv_h2 = VIPER_R(1) / (h * h);
  for (int32_t i = 0; i < body->n_nodes; i++)
    start_node(cpu, body->first_node + i, inv_h2, node + 4 * i);
  for (int32_t j = 0; j < body->n_segments; j++)
    start_frame(cpu, body->first_segment + j, inv_h2, frame + 3 * j);
  for (int32_t j = body->first_segment; j < body->first_segment + body->n_segments; j++)
    add_segment(cpu, body, j, node, frame, sums);
  for (int32_t t = body->first_joint; t < body->first_joint + body->n_joints; t++)
    add_joint(cpu, body, t, node, frame, sums);
  if (!sums)
    return;
  sums->now += norm2(cpu, body, node, frame);
  sums->rounding += inertial_rounding(cpu, body, (double)inv_h2);
}

bool viper_make_forces(const viper_model *model, viper_cpu *out) {
  size_t nodes = 0, segments = 0; // of the largest body
  for (size_t k = 0; k < model->n_bodies; k++) {
    size_t n = (size_t)model->body[k].n_nodes, s = (size_t)model->body[k].n_segments;
    nodes = n > nodes ? n : nodes;
    segments = s > segments ? s : segments;
  }
  out->node_force = malloc((4 * nodes + 3 * segments + 1) * sizeof *out->node_force);
  if (out->node_force)
    out->frame_force = out->node_force + 4 * nodes;
  return out->node_force != NULL;
}

double viper_relative_residual(const viper_cpu *began, const viper_cpu *end, double h) {
  viper_cpu start = *began;
  viper_residual_sums first = {0}, now = {0};
  start.at_start = true;
  for (size_t k = 0; k < end->model->n_bodies; k++) {
    const viper_model_body *body = &end->model->body[k];
    viper_body_gradient(&start, body, (viper_real)h, end->node_force, end->frame_force, &first);
    viper_body_gradient(end, body, (viper_real)h, end->node_force, end->frame_force, &now);
  }
  double reference = first.now > now.term ? first.now : now.term;
  if (viper_is_rounding(now.now, now.rounding) || reference == 0)
    return 0;
  return sqrt(now.now / reference);
}
