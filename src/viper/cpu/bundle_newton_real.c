// SPDX-License-Identifier: GPL-3.0-or-later
/// Bundles in a substep by Newton's method (bundle/README.md): what the solver begins with, and
/// what the solution leaves for all that follows in the substep.
#include "viper/cpu/contact/contact_real.h"

#include <math.h>
#include <string.h>

vb_status viper_bundle_newton_create(viper_cpu *cpu, vb_error *error) {
  viper_bundled *b = &cpu->bundled;
  const size_t m = cpu->model->n_segments;
  VB_TAKE(&b->memory, b->row_force, VIPER_BUNDLE_ROWS * m);
  VB_TAKE(&b->memory, b->node_push, 4 * cpu->model->n_nodes);
  VB_TAKE(&b->memory, cpu->bundle_torque, 3 * m);
  return vb_arena_status(&b->memory, error);
}

void viper_bundle_newton_begin(const viper_cpu *cpu, viper_contact_newton *newton) {
  viper_bundle_rows *rows = viper_contact_newton_bundles(newton);
  for (size_t i = 0; i < rows->n_members; i++)
    memcpy(rows->row[i].multiplier,
           cpu->bundled.row_force + VIPER_BUNDLE_ROWS * rows->rest->member[i].segment,
           sizeof rows->row[i].multiplier);
}

/// Moves the predictions of nodes by what bundles push in a substep.
static void push(viper_cpu *cpu, double h2) {
  const viper_bundles *rest = &cpu->bundled.rest;
  for (size_t k = 0; k < rest->n_nodes; k++) {
    const int32_t i = rest->node[k];
    const viper_model_node *m = &cpu->model->node[i];
    double x[4];
    viper_node_to(cpu->node_hat[i], x);
    for (int c = 0; c < 4; c++)
      x[c] += h2 * cpu->bundled.node_push[4 * i + c] / (c < 3 ? m->mass : m->scale_inertia);
    cpu->node_hat[i] = viper_node_from(x);
  }
}

void viper_bundle_newton_end(viper_cpu *cpu, viper_contact_newton *newton, double h) {
  const viper_bundle_rows *rows = viper_contact_newton_bundles(newton);
  double *force = cpu->bundled.node_push;
  for (size_t i = 0; i < rows->n_members; i++)
    memcpy(cpu->bundled.row_force + VIPER_BUNDLE_ROWS * rows->rest->member[i].segment,
           rows->row[i].multiplier, sizeof rows->row[i].multiplier);
  memset(force, 0, 4 * cpu->model->n_nodes * sizeof *force);
  viper_bundle_rows_forces(rows, force, cpu->bundle_torque);
  push(cpu, h * h);
  cpu->bundled.solved = true;
}

static void read_state(const viper_cpu *cpu, viper_contact_state *x) {
  const viper_model *m = cpu->model;
  for (size_t i = 0; i < m->n_nodes; i++) {
    viper_node_to(cpu->node[i], x->node + 4 * i);
    viper_node_to(cpu->node_old[i], x->node_old + 4 * i);
    viper_node_to(cpu->node_hat[i], x->node_hat + 4 * i);
  }
  for (size_t j = 0; j < m->n_segments; j++) {
    viper_quat_to(cpu->frame[j], x->frame + 4 * j);
    viper_quat_to(cpu->frame_old[j], x->frame_old + 4 * j);
    viper_quat_to(cpu->frame_hat[j], x->frame_hat + 4 * j);
  }
  for (size_t j = 0; cpu->active && j < m->n_segments; j++) {
    x->active[2 * j] = (double)cpu->active[j].stretch;
    x->active[2 * j + 1] = (double)cpu->active[j].scale;
  }
}

/// Makes the solver, where there is none, with the state and the multipliers.
static vb_status prepare(viper_cpu *cpu, vb_error *error) {
  viper_bundled *b = &cpu->bundled;
  vb_status status = VB_OK;
  if (!b->newton)
    status = viper_contact_newton_create(cpu->model, &b->rest, &b->newton, error);
  if (status)
    return status;
  read_state(cpu, viper_contact_newton_state(b->newton));
  viper_bundle_newton_begin(cpu, b->newton);
  return VB_OK;
}

vb_status viper_bundle_newton_solve(viper_cpu *cpu, const viper_settings *settings, double h,
                                    vb_error *error) {
  viper_contact_newton *newton;
  bool done = false;
  vb_status status = prepare(cpu, error);
  if (status)
    return status;
  newton = cpu->bundled.newton;
  viper_contact_newton_begin(newton, &cpu->boundary, 0, h);
  for (int k = 0; k < settings->iterations && !status && !done; k++)
    status = viper_contact_newton_step(newton, settings->tolerance, &done, error);
  if (status)
    return status;
  const viper_contact_state *x = viper_contact_newton_state(newton);
  for (size_t i = 0; i < cpu->model->n_nodes; i++)
    cpu->node[i] = viper_node_from(x->node + 4 * i);
  for (size_t j = 0; j < cpu->model->n_segments; j++)
    cpu->frame[j] = viper_quat_from(x->frame + 4 * j);
  viper_bundle_newton_end(cpu, newton, h);
  return VB_OK;
}

void viper_bundle_newton_look(const viper_cpu *cpu, viper_contact_newton *newton, double h) {
  const viper_bundles *rest = &cpu->bundled.rest;
  double *hat = viper_contact_newton_state(newton)->node_hat;
  viper_bundle_newton_begin(cpu, newton);
  for (size_t k = 0; k < rest->n_nodes; k++)
    for (int32_t u = 4 * rest->node[k], c = 0; c < 4; c++) {
      const viper_model_node *m = &cpu->model->node[rest->node[k]];
      hat[u + c] -= h * h * cpu->bundled.node_push[u + c] / (c < 3 ? m->mass : m->scale_inertia);
    }
}

vb_status viper_bundle_newton_distance(viper_cpu *cpu, double h, double *out, vb_error *error) {
  viper_contact_newton *newton = cpu->bundled.newton;
  const viper_contact_before before = {cpu->node_hat0, NULL};
  *out = NAN;
  if (!cpu->bundled.solved)
    return VB_OK;
  read_state(cpu, viper_contact_newton_state(newton));
  viper_bundle_newton_look(cpu, newton, h);
  return viper_contact_newton_distance(newton, &before, &cpu->boundary, h, out, error);
}
