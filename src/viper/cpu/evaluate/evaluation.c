// SPDX-License-Identifier: GPL-3.0-or-later
#define VIPER_PRECISION 64
#include "viper/backend/evaluation.h"

#include "viper/cpu/core/cpu_real.h"
#include "viper/cpu/evaluate/load_path.h"
#include "viper/cpu/evaluate/newton_step.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// An instance of the CPU's data whose state is that of others: numbers in double lie in both
/// alike.
struct viper_evaluation {
  viper_cpu cpu;
  viper_boundary boundary;
  double *load; ///< 4 n_nodes + 3 n_segments
  const viper_state *state;
  viper_node_x *middle;      ///< [n_nodes], then n_segments frames: the state in the middle of the
                             ///< latest substep; null but of midpoint
  viper_newton_step *newton; ///< null until it is asked for
};

/// Room for what holds parts of frames: nothing, at first.
static vb_status create_held(viper_evaluation *evaluation, vb_error *error) {
  viper_cpu *cpu = &evaluation->cpu;
  const size_t n = cpu->model->n_segments;
  cpu->held = reallocarray(NULL, n + 1, sizeof *cpu->held);
  if (!cpu->held)
    return vb_error_memory(error);
  for (size_t j = 0; j <= n; j++)
    cpu->held[j] = viper_held_none();
  return VB_OK;
}

/// The state that Phi is of: of midpoint the middle of the latest substep.
static viper_cpu phi_state(const viper_evaluation *evaluation) {
  viper_cpu out = evaluation->cpu;
  const viper_state *state = evaluation->state;
  if (!evaluation->middle)
    return out;
  const size_t n = out.model->n_nodes, m = out.model->n_segments;
  double *node = (double *)evaluation->middle, *frame = node + 4 * n;
  for (size_t k = 0; k < 4 * n; k++)
    node[k] = 0.5 * (state->node[k] + state->node_before[k]);
  for (size_t j = 0; j < m; j++) {
    const double *q = state->frame + 4 * j, *before = state->frame_before + 4 * j;
    double sum = 0, dot = 0;
    for (int k = 0; k < 4; k++)
      dot += q[k] * before[k];
    for (int k = 0; k < 4; k++) { // q and -q are the same frame
      frame[4 * j + (size_t)k] = before[k] + (dot < 0 ? -q[k] : q[k]);
      sum += frame[4 * j + (size_t)k] * frame[4 * j + (size_t)k];
    }
    for (int k = 0; k < 4; k++)
      frame[4 * j + (size_t)k] /= sqrt(sum);
  }
  out.node = evaluation->middle;
  out.frame = (viper_quat *)frame;
  return out;
}

/// The time of that state, by that of the end and h of Phi.
static double phi_time(const viper_evaluation *evaluation, double time, double h) {
  return evaluation->middle ? time - h : time;
}

vb_status viper_evaluation_create(const viper_model *model, const viper_state *state,
                                  const viper_settings *settings, viper_evaluation **out,
                                  vb_error *error) {
  viper_evaluation *evaluation = calloc(1, sizeof *evaluation);
  if (!evaluation)
    return vb_error_memory(error);
  evaluation->cpu = (viper_cpu){
      .model = model,
      .is_static = settings->dynamics == VIPER_STATIC,
      .node = (viper_node_x *)state->node,
      .node_hat = (viper_node_x *)state->node_hat,
      .node_rate = (viper_node_x *)state->node_rate,
      .frame = (viper_quat *)state->frame,
      .frame_hat = (viper_quat *)state->frame_hat,
      .frame_rate = (viper_vec3 *)state->frame_rate,
      .node_hat0 = state->node_hat0,
      .frame_push = state->frame_push,
      .bundle_torque = state->bundle_torque,
      .active = (viper_contraction *)state->active,
  };
  evaluation->state = state;
  vb_status status = viper_boundary_create(model, &evaluation->boundary, error);
  if (!status && settings->integrator == VIPER_MIDPOINT) {
    evaluation->middle = calloc(model->n_nodes + model->n_segments + 1, sizeof(viper_node_x));
    status = evaluation->middle ? VB_OK : vb_error_memory(error);
  }
  evaluation->load =
      reallocarray(NULL, 4 * model->n_nodes + 3 * model->n_segments + 1, sizeof(double));
  if (!status && !evaluation->load)
    status = vb_error_memory(error);
  if (!status && viper_has_held(model))
    status = create_held(evaluation, error);
  if (status) {
    viper_evaluation_destroy(evaluation);
    return status;
  }
  *out = evaluation;
  return VB_OK;
}

void viper_evaluation_at(viper_evaluation *evaluation, double time) {
  viper_boundary_at(&evaluation->boundary, evaluation->cpu.model, time);
  viper_hold_parts(&evaluation->cpu, &evaluation->boundary);
}

void viper_evaluation_held(const viper_evaluation *evaluation, int32_t segment, double g[3]) {
  viper_held_part(&evaluation->cpu, segment, g, g);
}

void viper_evaluation_destroy(viper_evaluation *evaluation) {
  if (!evaluation)
    return;
  viper_boundary_destroy(&evaluation->boundary);
  free(evaluation->cpu.held);
  free(evaluation->load);
  free(evaluation->middle);
  viper_newton_step_destroy(evaluation->newton);
  free(evaluation);
}

/// Kinetic energy of a segment's frame, J.
static double frame_energy(const viper_cpu *cpu, size_t j) {
  const viper_model_segment *m = &cpu->model->segment[j];
  double s = 0.5 * (cpu->node[m->node[0]].s + cpu->node[m->node[1]].s);
  viper_quat q = cpu->frame[j];
  double u = viper_dot(viper_quat_u(q), cpu->frame_rate[j]);
  double v = viper_dot(viper_quat_v(q), cpu->frame_rate[j]);
  double w = viper_dot(viper_quat_w(q), cpu->frame_rate[j]);
  return 0.5 * s * s * m->frame_inertia * (u * u + m->moments[0] * v * v + m->moments[1] * w * w);
}

void viper_evaluation_energies(const viper_evaluation *evaluation, double out[VIPER_N_ENERGIES]) {
  const viper_cpu *cpu = &evaluation->cpu;
  const double *g = vb_scene_world(cpu->model->scene)->gravity;
  double kinetic = 0, gravity = 0, elastic[VIPER_N_TERMS] = {0};
  for (size_t k = 0; k < cpu->model->n_bodies; k++)
    viper_body_elastic(cpu, &cpu->model->body[k], elastic);
  for (size_t i = 0; i < cpu->model->n_nodes; i++) {
    const viper_model_node *m = &cpu->model->node[i];
    double x[4], v[4];
    viper_node_to(cpu->node[i], x);
    viper_node_to(cpu->node_rate[i], v);
    kinetic += 0.5 * (m->mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) +
                      m->scale_inertia * v[3] * v[3]);
    gravity -= m->mass * (g[0] * x[0] + g[1] * x[1] + g[2] * x[2]);
  }
  for (size_t j = 0; j < cpu->model->n_segments; j++)
    kinetic += frame_energy(cpu, j);
  memcpy(out, elastic, sizeof elastic);
  out[VIPER_KINETIC] = kinetic;
  out[VIPER_GRAVITY] = gravity;
}

void viper_evaluation_gradient(const viper_evaluation *evaluation, double h, double *node,
                               double *frame) {
  const viper_cpu at = phi_state(evaluation);
  const viper_model *m = at.model;
  for (size_t k = 0; k < m->n_bodies; k++)
    viper_body_gradient(&at, &m->body[k], h, node + 4 * m->body[k].first_node,
                        frame + 3 * m->body[k].first_segment);
}

const double *viper_evaluation_loads(viper_evaluation *evaluation, double time) {
  const viper_cpu *cpu = &evaluation->cpu;
  viper_evaluation_at(evaluation, time);
  viper_boundary_forces(&evaluation->boundary, cpu->model, (const double *)cpu->frame_hat,
                        evaluation->load);
  return evaluation->load;
}

vb_status viper_evaluation_residual(viper_evaluation *evaluation, double h, double time,
                                    double *out, vb_error *error) {
  const viper_cpu end = phi_state(evaluation);
  viper_cpu began = end;
  if (began.node_hat0)
    began.node_hat = (viper_node_x *)began.node_hat0;
  const double *load = viper_evaluation_loads(evaluation, phi_time(evaluation, time, h));
  return viper_relative_residual(&began, &end, h, load, out, error);
}

vb_status viper_evaluation_newton_step(viper_evaluation *evaluation, double h, double *out,
                                       vb_error *error) {
  vb_status status = VB_OK;
  if (!evaluation->newton)
    status = viper_newton_step_create(evaluation->cpu.model, &evaluation->newton, error);
  const viper_cpu at = phi_state(evaluation);
  return status ? status : viper_newton_step_evaluate(evaluation->newton, &at, h, out, error);
}

vb_status viper_evaluation_moves(viper_evaluation *evaluation, double h, double *out,
                                 vb_error *error) {
  vb_status status = VB_OK;
  if (!evaluation->newton)
    status = viper_newton_step_create(evaluation->cpu.model, &evaluation->newton, error);
  const viper_cpu at = phi_state(evaluation);
  return status ? status : viper_newton_step_moves(evaluation->newton, &at, h, out, error);
}

vb_status viper_evaluation_load_step(viper_evaluation *evaluation, viper_state *state,
                                     const viper_settings *settings, double time, double h,
                                     viper_equilibrium *out, vb_error *error) {
  viper_cpu *cpu = &evaluation->cpu;
  vb_status status = VB_OK;
  if (!evaluation->newton)
    status = viper_newton_step_create(cpu->model, &evaluation->newton, error);
  if (status)
    return status;
  cpu->pin_force = state->pin_force;
  status = viper_follow_load_path(cpu, &evaluation->boundary, evaluation->newton, settings, time, h,
                                  state->work, out, error);
  cpu->pin_force = NULL;
  return status;
}

vb_status viper_evaluation_turned_residual(viper_evaluation *evaluation, double time, double *out,
                                           vb_error *error) {
  const viper_model *m = evaluation->cpu.model;
  const size_t n = m->n_nodes, s = m->n_segments;
  viper_cpu turned = evaluation->cpu;
  turned.node_hat = reallocarray(NULL, n + 1, sizeof *turned.node_hat);
  turned.frame_hat = reallocarray(NULL, s + 1, sizeof *turned.frame_hat);
  vb_status status = turned.node_hat && turned.frame_hat ? VB_OK : vb_error_memory(error);
  if (!status) {
    viper_evaluation_at(evaluation, time);
    viper_boundary_forces(&evaluation->boundary, m, (const double *)turned.frame, evaluation->load);
    viper_put_static_loads(&turned, evaluation->load);
    status = viper_relative_residual(&turned, &turned, 1, evaluation->load, out, error);
  }
  free(turned.node_hat);
  free(turned.frame_hat);
  return status;
}
