// SPDX-License-Identifier: GPL-3.0-or-later
#define VIPER_PRECISION 64
#include "viper/cpu/evaluate/static_newton.h"

#include "viper/cpu/evaluate/elastic_phi.h"
#include "viper/cpu/evaluate/unknowns.h"

#include <math.h>
#include <string.h>

enum {
  MOST_STEPS = 60,  ///< of a solve; those that end in an equilibrium take 5 to 20
  MOST_TRIED = 20,  ///< of a descent after which another way is left
  SETTLE_STEPS = 2, ///< of centers and scales after frames have turned, as in method/equilibrium.h
  MOST_HALVINGS = 12
};

/// Part of what the slope promises that a step must bring, as in method/direct.h.
#define SUFFICIENT 1e-4

/// A step that leaves less of the residual is taken in any case: near an equilibrium the fall of
/// Phi is below its rounding, and where loads have no potential Phi may rise.
#define LEFT_OVER 0.5

/// Residual below which an equilibrium is near.
#define NEARLY 1e-3

vb_status viper_static_newton_create(viper_cpu *cpu, viper_boundary *boundary,
                                     viper_newton_step *step, double tolerance,
                                     viper_static_newton *out, vb_error *error) {
  const viper_model *m = cpu->model;
  const size_t n = 4 * m->n_nodes + 3 * m->n_segments;
  *out =
      (viper_static_newton){.cpu = cpu, .boundary = boundary, .step = step, .tolerance = tolerance};
  VB_TAKE(&out->memory, out->start_load, n);
  VB_TAKE(&out->memory, out->load, n);
  VB_TAKE(&out->memory, out->load_from, n);
  VB_TAKE(&out->memory, out->move, n);
  VB_TAKE(&out->memory, out->settle, n);
  VB_TAKE(&out->memory, out->turn, 3 * m->n_segments);
  VB_TAKE(&out->memory, out->node_from, m->n_nodes);
  VB_TAKE(&out->memory, out->frame_from, m->n_segments);
  vb_status status = vb_arena_status(&out->memory, error);
  return status ? status : viper_load_stiffness_create(m, &out->stiffness, error);
}

void viper_static_newton_destroy(viper_static_newton *self) {
  viper_load_stiffness_destroy(&self->stiffness);
  vb_arena_clear(&self->memory);
}

void viper_static_newton_place_loads(viper_static_newton *self) {
  viper_cpu *cpu = self->cpu;
  viper_boundary_forces(self->boundary, cpu->model, (const double *)cpu->frame, self->load);
  for (size_t u = 0; u < viper_count_unknowns(self->cpu->model); u++)
    self->load[u] += self->left * self->start_load[u];
  viper_put_static_loads(cpu, self->load);
}

/// Notes where a step begins, and what acts there.
static void note_start(viper_static_newton *self) {
  const viper_model *m = self->cpu->model;
  memcpy(self->node_from, self->cpu->node, m->n_nodes * sizeof *self->node_from);
  memcpy(self->frame_from, self->cpu->frame, m->n_segments * sizeof *self->frame_from);
  memcpy(self->load_from, self->load, viper_count_unknowns(self->cpu->model) * sizeof *self->load);
}

/// Finds the step. `*negative`: whether the Hessian has negative pivots, and they count by their
/// magnitudes. `*found` is false where there is no step.
static vb_status find_step(viper_static_newton *self, bool *found, bool *negative,
                           vb_error *error) {
  const size_t n = viper_count_unknowns(self->cpu->model);
  int n_negative = 0;
  vb_status status =
      viper_newton_step_factor(self->step, self->cpu, false, self->descend, &n_negative, error);
  *negative = n_negative > 0 && self->descend;
  *found = !status && n_negative >= 0;
  if (!*found)
    return status;
  viper_newton_step_gradient(self->step, self->cpu, self->move);
  for (size_t u = 0; u < n; u++)
    self->move[u] = -self->move[u];
  status = viper_newton_step_solve(self->step, self->move, error);
  if (!status && self->stiffness.n > 0)
    status = viper_load_stiffness_linearize(&self->stiffness, self->cpu, self->boundary, self->step,
                                            error);
  if (!status && self->stiffness.n > 0)
    viper_load_stiffness_apply(&self->stiffness, self->move);
  viper_held_turns(self->cpu, self->move + 4 * self->cpu->model->n_nodes, self->turn);
  return status;
}

static void move_nodes(viper_cpu *cpu, const double *move, double part) {
  for (size_t i = 0; i < cpu->model->n_nodes; i++) {
    const double *d = move + 4 * i;
    cpu->node[i].c = viper_add(cpu->node[i].c, viper_scale(part, (viper_vec3){d[0], d[1], d[2]}));
    cpu->node[i].s = fmax(cpu->node[i].s + part * d[3], VIPER_MINIMUM_SCALE);
  }
}

static void move_frames(viper_static_newton *self, double part) {
  viper_cpu *cpu = self->cpu;
  for (size_t j = 0; j < cpu->model->n_segments; j++) {
    const double *d = self->turn + 3 * j;
    viper_quat turn = viper_quat_exp(viper_scale(part, (viper_vec3){d[0], d[1], d[2]}));
    viper_quat q =
        viper_quat_turn(viper_quat_mul(self->frame_from[j], turn), (viper_vec3){0, 0, 0});
    if (viper_free_axes(cpu->model, (int32_t)j) > 0)
      cpu->frame[j] = cpu->held ? viper_held_frame(&cpu->held[j], q) : q;
  }
}

/// Brings centers and scales to where the frames want them.
static vb_status settle(viper_static_newton *self, vb_error *error) {
  for (int k = 0; k < SETTLE_STEPS; k++) {
    int n_negative = 0;
    viper_static_newton_place_loads(self);
    vb_status status =
        viper_newton_step_factor(self->step, self->cpu, true, true, &n_negative, error);
    if (status || n_negative < 0)
      return status;
    viper_newton_step_gradient(self->step, self->cpu, self->settle);
    for (size_t u = 0; u < viper_count_unknowns(self->cpu->model); u++)
      self->settle[u] = u < 4 * self->cpu->model->n_nodes ? -self->settle[u] : 0;
    status = viper_newton_step_solve(self->step, self->settle, error);
    if (status)
      return status;
    move_nodes(self->cpu, self->settle, 1);
  }
  viper_static_newton_place_loads(self);
  return VB_OK;
}

/// Takes `part` of the step from its start.
static vb_status take_step(viper_static_newton *self, double part, vb_error *error) {
  const viper_model *m = self->cpu->model;
  memcpy(self->cpu->node, self->node_from, m->n_nodes * sizeof *self->node_from);
  memcpy(self->cpu->frame, self->frame_from, m->n_segments * sizeof *self->frame_from);
  move_nodes(self->cpu, self->move, part);
  move_frames(self, part);
  return settle(self, error);
}

/// The work that the loads at the step's start do in `part` of it: torques over turns, J.
static double load_work(const viper_static_newton *self, double part) {
  const viper_cpu *cpu = self->cpu;
  const double *f = self->load_from, *t = f + 4 * cpu->model->n_nodes;
  double sum = 0;
  for (size_t i = 0; i < cpu->model->n_nodes; i++, f += 4) {
    viper_vec3 way = viper_sub(cpu->node[i].c, self->node_from[i].c);
    sum += f[0] * way.x + f[1] * way.y + f[2] * way.z;
    sum += f[3] * (cpu->node[i].s - self->node_from[i].s);
  }
  for (size_t j = 0; j < cpu->model->n_segments; j++, t += 3) {
    viper_vec3 body = viper_quat_unrotate(self->frame_from[j], (viper_vec3){t[0], t[1], t[2]});
    const double *turn = self->turn + 3 * j;
    sum += part * (body.x * turn[0] + body.y * turn[1] + body.z * turn[2]);
  }
  return sum;
}

/// What the step promises: gradient . move at its start.
static double slope_of(const viper_static_newton *self, const double *gradient) {
  double sum = 0;
  for (size_t u = 0; u < viper_count_unknowns(self->cpu->model); u++)
    sum += gradient[u] * self->move[u];
  return sum;
}

static vb_status residual_of(const viper_static_newton *self, double *out, vb_error *error) {
  return viper_relative_residual(self->cpu, self->cpu, 1, self->load, out, error);
}

/// Takes the greatest of the parts *part, *part/2, .. of the step with which Phi falls by a part of
/// what the slope promises, or after which little of the residual is left; `*part` becomes that, or
/// 0 where there is none. Updates the residual.
static vb_status search(viper_static_newton *self, double slope, double *part, double *residual,
                        vb_error *error) {
  const double from = viper_elastic_phi(self->cpu), before = *residual;
  for (int k = 0; k <= MOST_HALVINGS; k++, *part *= 0.5) {
    vb_status status = take_step(self, *part, error);
    if (!status)
      status = residual_of(self, residual, error);
    if (status)
      return status;
    const double fall = viper_elastic_phi(self->cpu) - from - load_work(self, *part);
    if (fall <= SUFFICIENT * *part * slope || *residual <= LEFT_OVER * before)
      return VB_OK;
  }
  *part = 0;
  *residual = before;
  return VB_OK;
}

/// Whether descent has left an equilibrium that is no minimum: it was near, and goes away.
static bool slides_off(double residual, double least) {
  return least < NEARLY && residual > 10 * least;
}

vb_status viper_static_newton_solve(viper_static_newton *self, double *residual, vb_error *error) {
  double part = 1, least = INFINITY;
  viper_static_newton_place_loads(self);
  vb_status status = residual_of(self, residual, error);
  const bool tries = self->stiffness.n > 0 && self->descend;
  for (int k = 0; k < (tries ? MOST_TRIED : MOST_STEPS) && !status && *residual > self->tolerance;
       k++) {
    bool found = false, negative = false;
    status = find_step(self, &found, &negative, error);
    if (status || !found)
      break;
    // Off a saddle nothing says how far to go: steps grow.
    part = negative ? part : fmin(part, 1);
    note_start(self);
    viper_newton_step_gradient(self->step, self->cpu, self->settle);
    status = search(self, slope_of(self, self->settle), &part, residual, error);
    least = fmin(least, *residual);
    if (!(part > 0) || (tries && slides_off(*residual, least)))
      break;
    part *= 2;
  }
  return status;
}
