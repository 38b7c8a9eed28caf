// SPDX-License-Identifier: GPL-3.0-or-later
/// Steps in contact, and what both of their methods share. If contacts have forces of the substep
/// before, the augmented Lagrangian is minimized from these. Where this gets lost, the substep
/// begins anew, with steps of the interior-point method; where these do not converge in time, those
/// that follow minimize the augmented Lagrangian.
#define VIPER_PRECISION 64
#include "base/blas.h"
#include "viper/cpu/evaluate/contact_bounds.h"
#include "viper/cpu/evaluate/contact_cones.h"
#include "viper/cpu/evaluate/contact_newton_internal.h"
#include "viper/cpu/evaluate/elastic_phi.h"
#include "viper/cpu/evaluate/unknowns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_HALVINGS = 20 };

/// Part of what the slope promises that a step must bring, as in method/direct.h.
#define SUFFICIENT 1e-4

/// Part of the objective that its rounding may be: sums of some thousand terms, each a square of
/// differences of coordinates.
#define ROUNDING 1e-12

/// Part of a Newton step below which it is no good.
#define STUCK 0.1

/// Steps of the interior-point method. Stacks converge in twelve to sixteen. What does not is
/// sliding that a blow makes: there the augmented Lagrangian gains by what these have found.
enum { MOST_INTERIOR = 18 };

/// Steps from forces of the substep before, and those of them without progress, after which these
/// forces are given up if the residual was never below NEAR: without forces it is some 1, so what
/// has come nearer would lose by it. Rods that rest or creep converge in two to five steps.
enum { MOST_WARM = 12, MOST_LOST = 3 };
#define NEAR 0.5

/// Newton steps without progress after which multipliers are only taken where a minimum has been
/// found, to this part of the forces. Taken after every step they are better at once where they
/// are near, but may go back and forth for ever: the next step begins at another objective.
enum { MOST_IDLE = 8 };
#define MINIMUM 1e-4

/// Part of the coordinates below which a Newton step is rounding: that of W, times the condition of
/// a rod.
#define MOST_ROUNDING 1e-13

/// Those of the model and of bundles.
static size_t count_unknowns(const viper_contact_newton *self) {
  return viper_count_unknowns(self->model) + VIPER_TRANSFORM_UNKNOWNS * self->bundles.n;
}

static vb_status allocate(viper_contact_newton *self, vb_error *error) {
  const viper_model *m = self->model;
  const size_t n = 4 * m->n_nodes, s = 4 * m->n_segments;
  viper_contact_state *x = &self->state;
  VB_TAKE(&self->memory, x->node, n);
  VB_TAKE(&self->memory, x->node_old, n);
  VB_TAKE(&self->memory, x->node_hat, n);
  VB_TAKE(&self->memory, x->frame, s);
  VB_TAKE(&self->memory, x->frame_old, s);
  VB_TAKE(&self->memory, x->frame_hat, s);
  if (m->n_activations > 0)
    VB_TAKE(&self->memory, x->active, 2 * m->n_segments + 2);
  VB_TAKE(&self->memory, self->gradient, count_unknowns(self));
  VB_TAKE(&self->memory, self->move, count_unknowns(self));
  VB_TAKE(&self->memory, self->turn, 3 * m->n_segments);
  VB_TAKE(&self->memory, self->node_from, n);
  VB_TAKE(&self->memory, self->frame_from, s);
  VB_TAKE(&self->memory, self->node_begin, n);
  VB_TAKE(&self->memory, self->frame_begin, s);
  if (viper_has_held(m))
    VB_TAKE(&self->memory, self->cpu.held, m->n_segments + 1);
  return vb_arena_status(&self->memory, error);
}

vb_status viper_contact_newton_create(const viper_model *model, const viper_bundles *bundles,
                                      viper_contact_newton **out, vb_error *error) {
  viper_contact_newton *self = calloc(1, sizeof *self);
  if (!self)
    return vb_error_memory(error);
  self->model = model;
  vb_blas_use_one_thread();
  vb_status status = viper_bundle_rows_create(&self->bundles, model, bundles, error);
  if (!status)
    status = allocate(self, error);
  if (!status)
    status = viper_contact_matrix_create(model, &self->bundles, &self->matrix, error);
  if (status) {
    viper_contact_newton_destroy(self);
    return status;
  }
  viper_contact_state *x = &self->state;
  self->cpu.model = model;
  self->cpu.node = (viper_node_x *)x->node;
  self->cpu.node_hat = (viper_node_x *)x->node_hat;
  self->cpu.node_hat0 = x->node_hat;
  self->cpu.frame = (viper_quat *)x->frame;
  self->cpu.frame_hat = (viper_quat *)x->frame_hat;
  self->cpu.active = (viper_contraction *)x->active;
  for (size_t j = 0; self->cpu.held && j <= model->n_segments; j++)
    self->cpu.held[j] = viper_held_none();
  *out = self;
  return VB_OK;
}

void viper_contact_newton_destroy(viper_contact_newton *self) {
  if (!self)
    return;
  viper_contact_matrix_destroy(self->matrix);
  viper_rows_clear(&self->rows);
  viper_bundle_rows_clear(&self->bundles);
  free(self->change);
  vb_arena_clear(&self->memory);
  free(self);
}

viper_contact_state *viper_contact_newton_state(viper_contact_newton *self) {
  return &self->state;
}

viper_contact_rows *viper_contact_newton_rows(viper_contact_newton *self) {
  return &self->rows;
}

viper_bundle_rows *viper_contact_newton_bundles(viper_contact_newton *self) {
  return &self->bundles;
}

static double frame_inertial(const viper_cpu *cpu, int32_t j) {
  const double inertia = viper_frame_inertia_load(cpu, j);
  if (cpu->model->has_moments)
    return viper_moments_inertial(inertia, viper_moments_load(cpu, j), cpu->frame[j],
                                  cpu->frame_hat[j]);
  return viper_frame_inertial(inertia, cpu->frame[j], cpu->frame_hat[j]);
}

static double inertial_phi(const viper_cpu *cpu) {
  double sum = 0;
  for (int32_t i = 0; i < (int32_t)cpu->model->n_nodes; i++)
    sum += viper_node_inertial(viper_node_inertia_load(cpu, i), cpu->node[i], cpu->node_hat[i]);
  for (int32_t j = 0; j < (int32_t)cpu->model->n_segments; j++)
    sum += frame_inertial(cpu, j);
  return sum;
}

/// The objective without rows, Phi, J.
static double phi(const viper_contact_newton *self) {
  return inertial_phi(&self->cpu) / (self->h * self->h) + viper_elastic_phi(&self->cpu);
}

void viper_contact_newton_place(viper_contact_newton *self) {
  const viper_contact_state *x = &self->state;
  viper_rows_place(&self->rows, x->node, x->node_old, x->frame, x->frame_old);
  viper_bundle_rows_place(&self->bundles, &self->cpu);
}

static void note_start(viper_contact_newton *self) {
  const viper_model *m = self->model;
  memcpy(self->node_from, self->state.node, 4 * m->n_nodes * sizeof *self->node_from);
  memcpy(self->frame_from, self->state.frame, 4 * m->n_segments * sizeof *self->frame_from);
  viper_bundle_rows_note(&self->bundles);
}

static void go_back(viper_contact_newton *self) {
  const viper_model *m = self->model;
  memcpy(self->state.node, self->node_from, 4 * m->n_nodes * sizeof *self->node_from);
  memcpy(self->state.frame, self->frame_from, 4 * m->n_segments * sizeof *self->frame_from);
  viper_bundle_rows_back(&self->bundles);
}

/// Puts what is free to where it was before the substep.
static void place_old(viper_contact_newton *self) {
  const viper_model *m = self->model;
  for (size_t i = 0; i < m->n_nodes; i++)
    for (size_t k = 0; k < 4; k++)
      if (!(m->node[i].pinned >> k & 1))
        self->state.node[4 * i + k] = self->state.node_old[4 * i + k];
  for (size_t j = 0; j < m->n_segments; j++)
    if (viper_free_axes(m, (int32_t)j) == 3)
      memcpy(self->state.frame + 4 * j, self->state.frame_old + 4 * j, 4 * sizeof(double));
}

/// The objective, J, with rows at another place along the move: `part` of their changes.
static double objective(const viper_contact_newton *self, const double *change, double part) {
  const viper_contact_rows *rows = &self->rows;
  double sum = phi(self) + viper_bundle_rows_objective(&self->bundles);
  for (size_t i = 0; i < rows->n; i++) {
    const viper_contact_row *row = &rows->row[i];
    const double *d = change ? change + 4 * i : (const double[4]){0};
    const double slip[3] = {row->slip[0] + part * d[1], row->slip[1] + part * d[2],
                            row->slip[2] + part * d[3]};
    const double gap = row->gap + part * d[0];
    sum += rows->barrier > 0 ? viper_cone_objective(rows, row, gap, slip)
                             : viper_row_objective(row, gap, slip);
  }
  return sum;
}

/// Takes all of the forces of the substep before, of which contacts have the part `warm`. Returns
/// whether there are any.
static bool take_forces(viper_contact_rows *rows, double warm) {
  bool any = false;
  for (size_t i = 0; warm > 0 && i < rows->n; i++) {
    rows->row[i].push /= warm;
    any = any || rows->row[i].push > 0;
  }
  return any;
}

void viper_contact_newton_begin(viper_contact_newton *self, const viper_boundary *boundary,
                                double warm, double h) {
  const viper_model *m = self->model;
  self->h = h;
  self->steps = self->idle = 0;
  self->waiting = false;
  self->best = INFINITY;
  viper_hold_parts(&self->cpu, boundary);
  memcpy(self->node_begin, self->state.node, 4 * m->n_nodes * sizeof *self->node_begin);
  memcpy(self->frame_begin, self->state.frame, 4 * m->n_segments * sizeof *self->frame_begin);
  viper_bundle_rows_begin(&self->bundles, h);
  viper_contact_interior_begin(self);
  self->inside = self->inside && (self->rows.n > 0 || self->bundles.n == 0);
  self->warm = self->inside && take_forces(&self->rows, warm);
  self->rows.barrier = 0;
  note_start(self);
  viper_bundle_rows_fit(&self->bundles, &self->cpu);
  viper_contact_newton_place(self);
  viper_rows_press(&self->rows, true);
  const double predicted = objective(self, NULL, 0);
  place_old(self);
  viper_bundle_rows_fit(&self->bundles, &self->cpu);
  viper_contact_newton_place(self);
  viper_rows_press(&self->rows, true);
  if (predicted < objective(self, NULL, 0)) {
    go_back(self);
    viper_bundle_rows_fit(&self->bundles, &self->cpu);
  }
  self->inside = self->inside && !self->warm;
  self->rows.barrier = self->inside ? self->first_barrier : 0;
}

bool viper_contact_newton_is_lost(const viper_contact_newton *self) {
  return self->warm && self->best > NEAR && (self->idle >= MOST_LOST || self->steps >= MOST_WARM);
}

void viper_contact_newton_restore(viper_contact_newton *self) {
  const viper_model *m = self->model;
  memcpy(self->state.node, self->node_begin, 4 * m->n_nodes * sizeof *self->node_begin);
  memcpy(self->state.frame, self->frame_begin, 4 * m->n_segments * sizeof *self->frame_begin);
  viper_bundle_rows_restore(&self->bundles);
}

/// Takes the forces of rows out of the gradient, and adds those of bundles.
static void add_rows(viper_contact_newton *self) {
  const viper_model *m = self->model;
  const viper_contact_rows *rows = &self->rows;
  viper_bundle_rows_gradient(&self->bundles, self->gradient);
  for (size_t i = 0; i < rows->n; i++) {
    const viper_contact_row *row = &rows->row[i];
    for (int k = 0; k < row->n_nodes; k++) {
      double *g = self->gradient + 4 * (size_t)row->node[k];
      for (int c = 0; c < 3; c++)
        g[c] -= row->weight[k] * (row->force * row->normal[c] + row->friction[c]);
      g[3] -= row->pull[k] * row->force;
    }
    for (size_t k = row->first_roller; k < row->first_roller + row->n_rollers; k++) {
      const viper_row_roller *r = &rows->roller[k];
      self->gradient[viper_unknown_of_frame(m, r->segment, 2)] -= r->slope[0] * row->friction[0] +
                                                                  r->slope[1] * row->friction[1] +
                                                                  r->slope[2] * row->friction[2];
    }
  }
}

/// Squared norm of the gradient over free unknowns, weighted by inverse inertias.
static double norm2(const viper_contact_newton *self) {
  const viper_model *m = self->model;
  double sum = viper_bundle_rows_norm2(&self->bundles, self->gradient);
  for (size_t i = 0; i < m->n_nodes; i++)
    for (size_t k = 0; k < 4; k++)
      if (!(m->node[i].pinned >> k & 1)) {
        const double g = self->gradient[4 * i + k];
        sum += g * g / (k < 3 ? m->node[i].mass : m->node[i].scale_inertia);
      }
  for (int32_t j = 0; j < (int32_t)m->n_segments; j++) {
    const double *g = self->gradient + viper_unknown_of_frame(m, j, 0);
    for (int k = 0; k < viper_free_axes(m, j); k++)
      sum += g[k] * g[k] / (double)viper_frame_inertia_load(&self->cpu, j);
  }
  return sum;
}

double viper_contact_newton_gradient(viper_contact_newton *self) {
  const viper_model *m = self->model;
  const size_t n = count_unknowns(self);
  double *g = self->gradient, inv_h2 = 1 / (self->h * self->h);
  memset(g, 0, n * sizeof *g);
  add_rows(self);
  const double pushed = norm2(self);
  for (int32_t i = 0; i < (int32_t)m->n_nodes; i++) {
    viper_node_inertial_gradient(viper_node_inertia_load(&self->cpu, i), self->cpu.node[i],
                                 self->cpu.node_hat[i], g + 4 * i);
    for (int k = 0; k < 4; k++)
      g[4 * i + k] *= inv_h2;
  }
  for (int32_t j = 0; j < (int32_t)m->n_segments; j++) {
    double block[3][3], *at = g + viper_unknown_of_frame(m, j, 0);
    viper_frame_block_load(&self->cpu, j, self->cpu.frame[j], self->cpu.frame_hat[j], at, block);
    for (int k = 0; k < 3; k++)
      at[k] *= inv_h2;
  }
  memset(g + viper_count_unknowns(m), 0, (n - viper_count_unknowns(m)) * sizeof *g);
  const double pulled = norm2(self);
  for (size_t k = 0; k < m->n_bodies; k++)
    viper_body_gradient(&self->cpu, &m->body[k], self->h, g + 4 * m->body[k].first_node,
                        g + viper_unknown_of_frame(m, m->body[k].first_segment, 0));
  add_rows(self);
  for (int32_t j = 0; j < (int32_t)m->n_segments; j++)
    viper_held_gradient(&self->cpu, j, g + viper_unknown_of_frame(m, j, 0));
  const double sum = sqrt(pushed) + sqrt(pulled);
  return sum > 0 ? sqrt(norm2(self)) / sum : 0;
}

/// The first one is of Gauss and Newton (../../method/README.md, Newton).
vb_status viper_contact_newton_factor(viper_contact_newton *self, bool *definite, vb_error *error) {
  viper_curvature curvature = self->steps > 0 ? VIPER_ALL_CURVATURE : VIPER_NO_CURVATURE;
  vb_status status = viper_contact_matrix_factor(self->matrix, &self->cpu, self->h, &self->rows,
                                                 curvature, definite, error);
  if (!status && !*definite)
    status = viper_contact_matrix_factor(self->matrix, &self->cpu, self->h, &self->rows,
                                         VIPER_POSITIVE, definite, error);
  return status;
}

vb_status viper_contact_newton_solve(viper_contact_newton *self, bool definite, vb_error *error) {
  for (size_t u = 0; u < count_unknowns(self); u++)
    self->move[u] = definite ? -self->gradient[u] : 0;
  return definite ? viper_contact_matrix_solve(self->matrix, self->move, error) : VB_OK;
}

/// The move, with the bounds at its end.
static vb_status find_move(viper_contact_newton *self, vb_error *error) {
  bool definite;
  vb_status status = viper_contact_newton_factor(self, &definite, error);
  if (!status && definite && !self->waiting)
    status = viper_predict_bounds(self->matrix, self->model, &self->rows, self->gradient,
                                  self->move, error);
  if (status)
    return status;
  if (self->rows.n > 0) { // else there are no bounds
    viper_rows_press(&self->rows, false);
    viper_contact_newton_gradient(self);
  }
  return viper_contact_newton_solve(self, definite, error);
}

bool viper_contact_newton_is_rounding(const viper_contact_newton *self) {
  double size = 0, most = 0;
  for (size_t i = 0; i < self->model->n_nodes; i++)
    for (size_t k = 0; k < 4; k++) {
      size = fmax(size, fabs(self->state.node[4 * i + k]));
      most = fmax(most, fabs(self->move[4 * i + k]));
    }
  return most <= MOST_ROUNDING * (self->bundles.n > 0 ? VIPER_BUNDLE_PENALTY : 1) * size;
}

static void take_nodes(viper_contact_newton *self, double part) {
  const viper_model *m = self->model;
  viper_cpu *cpu = &self->cpu;
  const viper_quat *from = (const viper_quat *)self->frame_from;
  for (size_t u = 0; u < 4 * m->n_nodes; u++)
    self->state.node[u] = self->node_from[u] + part * self->move[u];
  for (size_t i = 0; i < m->n_nodes; i++)
    cpu->node[i].s = fmax(cpu->node[i].s, VIPER_MINIMUM_SCALE);
  for (size_t j = 0; j < m->n_segments; j++) {
    const double *d = self->turn + 3 * j;
    const viper_quat q =
        viper_quat_turn(from[j], (viper_vec3){part * d[0], part * d[1], part * d[2]});
    if (viper_free_axes(m, (int32_t)j) > 0)
      cpu->frame[j] = cpu->held ? viper_held_frame(&cpu->held[j], q) : q;
  }
}

static void take_step(viper_contact_newton *self, double part) {
  take_nodes(self, part);
  viper_bundle_rows_move(&self->bundles, self->move, part);
  viper_bundle_rows_place(&self->bundles, &self->cpu);
}

/// How gaps and slips change along the move; false without memory.
static bool find_changes(viper_contact_newton *self) {
  if (!VB_GROW(self->change, self->change_capacity, 4 * self->rows.n + 1))
    return false;
  for (size_t i = 0; i < self->rows.n; i++)
    self->change[4 * i] = viper_row_change(&self->rows, &self->rows.row[i], self->move,
                                           self->turn + 2, 3, self->change + 4 * i + 1);
  return true;
}

vb_status viper_contact_newton_search(viper_contact_newton *self, double *taken, vb_error *error) {
  double slope = 0, part = 1;
  viper_held_turns(&self->cpu, self->move + 4 * self->model->n_nodes, self->turn);
  if (!find_changes(self))
    return vb_error_memory(error);
  for (size_t u = 0; u < count_unknowns(self); u++)
    slope += self->gradient[u] * self->move[u];
  const double start = objective(self, self->change, 0);
  const double rounding = ROUNDING * fabs(start);
  note_start(self);
  for (int k = 0; k <= MOST_HALVINGS; k++, part *= 0.5) {
    take_step(self, part);
    if (objective(self, self->change, part) <= start + SUFFICIENT * part * slope + rounding)
      break;
    if (k == MOST_HALVINGS)
      go_back(self);
  }
  *taken = part;
  return VB_OK;
}

/// Whether the state may be taken for the minimum of the objective at hand.
static bool is_minimum(viper_contact_newton *self, double part) {
  if (self->idle < MOST_IDLE)
    return part == 1;
  return viper_contact_newton_gradient(self) <= MINIMUM;
}

/// Counts the steps since the residual last fell by a tenth.
static void note_progress(viper_contact_newton *self, double residual) {
  if (self->idle >= MOST_IDLE)
    return; // for the rest of the substep
  self->idle = residual < 0.9 * self->best ? 0 : self->idle + 1;
  self->best = fmin(self->best, residual);
}

/// A step on the augmented Lagrangian.
static vb_status lagrangian_step(viper_contact_newton *self, double tolerance, bool *done,
                                 vb_error *error) {
  viper_contact_newton_place(self);
  viper_rows_press(&self->rows, false);
  const double off = fmax(viper_rows_error(&self->rows), viper_bundle_rows_error(&self->bundles));
  viper_rows_hold(&self->rows);
  viper_bundle_rows_hold(&self->bundles);
  const double residual = viper_contact_newton_gradient(self);
  note_progress(self, residual);
  *done = self->steps > 0 && residual <= tolerance && off <= VIPER_ROWS_TOLERANCE * tolerance;
  if (*done)
    return VB_OK;
  viper_rows_press(&self->rows, !self->waiting);
  viper_bundle_rows_press(&self->bundles);
  viper_contact_newton_gradient(self);
  vb_status status = find_move(self, error);
  if (status)
    return status;
  *done = self->steps > 0 && viper_contact_newton_is_rounding(self);
  if (*done)
    return VB_OK;
  double part = 0;
  status = viper_contact_newton_search(self, &part, error);
  self->steps++;
  viper_contact_newton_place(self);
  viper_rows_press(&self->rows, false);
  bool minimum = is_minimum(self, part);
  self->waiting = self->idle >= MOST_IDLE && !minimum;
  if (minimum)
    viper_bundle_rows_take(&self->bundles);
  if (minimum)
    viper_rows_take(&self->rows);
  else if (part < STUCK)
    viper_rows_reduce(&self->rows);
  return status;
}

vb_status viper_contact_newton_step(viper_contact_newton *self, double tolerance, bool *done,
                                    vb_error *error) {
  vb_status status = VB_OK;
  *done = false;
  self->inside = self->inside && self->steps < MOST_INTERIOR;
  if (self->inside)
    status = viper_contact_interior_step(self, tolerance, done, error);
  if (status || self->inside)
    return status;
  if (self->rows.barrier > 0)
    viper_cones_leave(&self->rows);
  return lagrangian_step(self, tolerance, done, error);
}
