// SPDX-License-Identifier: GPL-3.0-or-later
/// Bundles by a penalty and multipliers that last over substeps (bundle/README.md): the alternating
/// direction method of multipliers. While a body iterates, each node and frame of a bundle is also
/// pulled to where the bundle wants it: its inertia is greater by the penalty, its prediction a
/// mean. What remains of the way to there is added to the multiplier.
///
/// Contacts push between iterations, by that inertia, and move these predictions. After the last
/// iteration nodes and frames go to where bundles want them, and contacts pass once more, by the
/// inertia without the penalty, so that momentum is kept.
#include "viper/bundle/bundle_shift.h"
#include "viper/cpu/contact/contact_real.h"

#include <string.h>

/// Penalties over the inertia, of centers and of scales and frames. Within a section a scale or a
/// frame is held by the stiffness of its segment against the inertia of its nodes, which is l^2/r^2
/// and more of its own: 38 in a spindle of eight sections; centers by little more than their
/// inertia. Factors of four more or less take up to five times as many iterations.
#define CENTER_PENALTY 2
#define FRAME_PENALTY  40

/// Members weigh as the penalties do: their discs more, beside the middles.
static void weigh_discs(viper_bundles *rest, double more) {
  for (size_t i = 0; i < rest->n_members; i++)
    rest->member[i].disc *= more;
  for (size_t k = 0; k < rest->n; k++) {
    viper_bundle *bundle = &rest->bundle[k];
    bundle->rest_norm = 0;
    for (int32_t i = bundle->first; i < bundle->first + bundle->n; i++) {
      const viper_bundle_member *m = &rest->member[i];
      bundle->rest_norm += m->mass * (2 * m->disc + vb_dot(m->rest_middle, m->rest_middle));
    }
  }
}

vb_status viper_penalty_create(viper_cpu *cpu, vb_error *error) {
  viper_bundled *b = &cpu->bundled;
  const viper_model *m = cpu->model;
  b->penalty[0] = CENTER_PENALTY;
  b->penalty[1] = FRAME_PENALTY;
  VB_TAKE(&b->memory, b->target.node, m->n_nodes);
  VB_TAKE(&b->memory, b->target.frame, m->n_segments);
  VB_TAKE(&b->memory, b->multiplier, 4 * m->n_nodes + 3 * m->n_segments);
  VB_TAKE(&b->memory, b->torque, 3 * m->n_segments);
  VB_TAKE(&b->memory, b->node_inertia, m->n_nodes);
  vb_status status = vb_arena_status(&b->memory, error);
  if (status)
    return status;
  weigh_discs(&b->rest, b->penalty[1] / b->penalty[0]);
  for (int32_t i = 0; i < (int32_t)m->n_nodes; i++)
    b->node_inertia[i] = viper_node_inertia_load(cpu, i);
  for (size_t k = 0; k < b->rest.n_nodes; k++) {
    viper_node_inertia *with = &b->node_inertia[b->rest.node[k]];
    with->mass *= (viper_real)(1 + b->penalty[0]);
    with->scale *= (viper_real)(1 + b->penalty[1]);
  }
  return VB_OK;
}

/// A turn as a vector, twice the sine of its half angle long; and back, short of half a turn.
static void vector_of(viper_quat turn, double out[3]) {
  out[0] = 2 * (double)turn.x;
  out[1] = 2 * (double)turn.y;
  out[2] = 2 * (double)turn.z;
}

static viper_quat turn_by(const double v[3]) {
  const double square = vb_dot(v, v) / 4, most = 0.98;
  const double half = square > most ? 0.5 * sqrt(most / square) : 0.5;
  return viper_quat_make((viper_real)sqrt(1 - (square > most ? most : square)),
                         (viper_real)(half * v[0]), (viper_real)(half * v[1]),
                         (viper_real)(half * v[2]));
}

/// What iterations take for the prediction of node `i`: with `pull` the mean of the prediction and
/// of where its bundle wants it, less the multiplier; else the prediction moved by that alone.
static void aim_node(viper_cpu *cpu, int32_t i, bool pull) {
  viper_bundled *b = &cpu->bundled;
  const double *u = b->multiplier + 4 * (size_t)i;
  double hat[4], y[4];
  viper_node_to(b->predicted.node[i], hat);
  viper_node_to(b->target.node[i], y);
  for (int k = 0; k < 4; k++) {
    const double p = b->penalty[k == 3];
    hat[k] = pull ? (hat[k] + p * (y[k] - u[k])) / (1 + p) : hat[k] - p * u[k];
  }
  cpu->node_hat[i] = viper_node_from(hat);
}

/// Likewise of frame `j`.
static void aim_frame(viper_cpu *cpu, int32_t j, bool pull) {
  viper_bundled *b = &cpu->bundled;
  const double *u = b->multiplier + 4 * cpu->model->n_nodes + 3 * (size_t)j, p = b->penalty[1];
  double v[3];
  viper_quat from = pull ? b->target.frame[j] : b->predicted.frame[j];
  viper_quat rest =
      viper_quat_positive(viper_quat_mul(b->predicted.frame[j], viper_quat_conj(from)));
  vector_of(rest, v);
  for (int k = 0; k < 3; k++)
    v[k] = pull ? (v[k] - p * u[k]) / (1 + p) : -p * u[k];
  cpu->frame_hat[j] = viper_bundle_turned(turn_by(v), from);
}

static void aim(viper_cpu *cpu, bool pull) {
  const viper_bundled *b = &cpu->bundled;
  if (cpu->contacts) { // predictions of other bodies have what contacts pushed
    memcpy(cpu->node_hat, b->predicted.node, cpu->model->n_nodes * sizeof *cpu->node_hat);
    memcpy(cpu->frame_hat, b->predicted.frame, cpu->model->n_segments * sizeof *cpu->frame_hat);
  }
  for (size_t k = 0; k < b->rest.n_nodes; k++)
    aim_node(cpu, b->rest.node[k], pull);
  for (size_t i = 0; i < b->rest.n_members; i++)
    aim_frame(cpu, b->rest.member[i].segment, pull);
  if (cpu->contacts)
    viper_contact_push_hat(cpu);
}

/// Phase function: where bundles want node `k` of those in some; of an iteration, adds what is left
/// of the way to there to its multiplier.
static void target_node(viper_cpu *cpu, size_t k, bool learn) {
  viper_bundled *b = &cpu->bundled;
  const int32_t i = b->rest.node[k], first = b->rest.first_share[k];
  const uint32_t pinned = cpu->model->node[i].pinned;
  double d[4], *u = b->multiplier + 4 * (size_t)i;
  viper_bundle_shift(b->rest.share + first, b->rest.first_share[k + 1] - first, b->now, b->goal, d);
  b->target.node[i] = viper_bundle_move_node(cpu->node[i], d, pinned, VIPER_R(VIPER_MINIMUM_SCALE));
  for (int c = 0; c < 4 && learn; c++)
    u[c] = pinned >> c & 1 ? 0 : u[c] - d[c];
}

/// Likewise of the frame of member `i`.
static void target_frame(viper_cpu *cpu, size_t i, bool learn) {
  viper_bundled *b = &cpu->bundled;
  const int32_t j = b->rest.member[i].segment;
  double v[3], *u = b->multiplier + 4 * cpu->model->n_nodes + 3 * (size_t)j;
  b->target.frame[j] = cpu->frame[j];
  if (!viper_frame_free(cpu, j))
    return;
  const viper_quat turn = viper_bundle_turn(&b->goal[i], cpu->frame[j]);
  b->target.frame[j] = viper_bundle_turned(turn, cpu->frame[j]);
  vector_of(turn, v);
  for (int k = 0; k < 3 && learn; k++)
    u[k] -= v[k];
}

/// Where bundles want what bodies have reached.
static void target(viper_cpu *cpu, const viper_settings *settings, bool learn) {
  const viper_bundles *rest = &cpu->bundled.rest;
  const bool parallel = rest->n_members > 256; // as many as are worth waking up threads
#pragma omp parallel for if (parallel) num_threads(settings->threads)
  for (size_t k = 0; k < rest->n; k++)
    viper_bundled_fit(cpu, k);
#pragma omp parallel for if (parallel) num_threads(settings->threads)
  for (size_t k = 0; k < rest->n_nodes; k++)
    target_node(cpu, k, learn);
#pragma omp parallel for if (parallel) num_threads(settings->threads)
  for (size_t i = 0; i < rest->n_members; i++)
    target_frame(cpu, i, learn);
}

/// The torques of multipliers on frames, which a prediction can hold up to half a turn alone.
static void note_torques(viper_cpu *cpu) {
  viper_bundled *b = &cpu->bundled;
  for (size_t i = 0; i < b->rest.n_members; i++) {
    const int32_t j = b->rest.member[i].segment;
    const double *u = b->multiplier + 4 * cpu->model->n_nodes + 3 * (size_t)j;
    const double a = -b->penalty[1] * (double)viper_frame_inertia_load(cpu, j);
    double q[4], back[4];
    viper_quat_to(cpu->frame[j], q);
    for (int k = 0; k < 4; k++)
      back[k] = k ? -q[k] : q[k];
    vb_quaternion_rotate(back, u, b->torque + 3 * j);
    for (int k = 0; k < 3; k++)
      b->torque[3 * j + k] *= k == 2 ? 2 * a : a;
  }
}

/// Takes nodes and frames of bundles to where these want them.
static void take_targets(viper_cpu *cpu) {
  const viper_bundled *b = &cpu->bundled;
  for (size_t k = 0; k < b->rest.n_nodes; k++)
    cpu->node[b->rest.node[k]] = b->target.node[b->rest.node[k]];
  for (size_t i = 0; i < b->rest.n_members; i++)
    cpu->frame[b->rest.member[i].segment] = b->target.frame[b->rest.member[i].segment];
}

/// In scenes with contact: notes what the residual is taken of, before the last pass.
static void note_before(viper_cpu *cpu) {
  viper_bundled *b = &cpu->bundled;
  const viper_contacts *c = cpu->contacts;
  const size_t n = cpu->model->n_nodes, m = cpu->model->n_segments;
  memcpy(b->before.node, cpu->node, n * sizeof *cpu->node);
  memcpy(b->before.frame, cpu->frame, m * sizeof *cpu->frame);
  memcpy(b->before_hat.node, cpu->node_hat, n * sizeof *cpu->node_hat);
  memcpy(b->before_hat.frame, b->predicted.frame, m * sizeof *cpu->frame_hat);
  for (int32_t k = 0; k < c->n_rolling; k++) {
    const int32_t j = c->rolling[k];
    b->before_hat.frame[j] = viper_contact_frame_hat(cpu, j, b->predicted.frame[j]);
  }
}

void viper_penalty_begin(viper_cpu *cpu, const viper_settings *settings) {
  viper_bundled *b = &cpu->bundled;
  const size_t n = cpu->model->n_nodes, m = cpu->model->n_segments;
  if (settings->fresh_contacts) // multipliers are of substeps of one length
    memset(b->multiplier, 0, (4 * n + 3 * m) * sizeof *b->multiplier);
  memcpy(b->predicted.node, cpu->node_hat, n * sizeof *cpu->node_hat);
  memcpy(b->predicted.frame, cpu->frame_hat, m * sizeof *cpu->frame_hat);
  cpu->at_targets = false;
  target(cpu, settings, false);
  for (size_t i = 0; i < b->rest.n_members; i++)
    cpu->arrays.inertia[b->rest.member[i].segment] *= (viper_scalar)(1 + b->penalty[1]);
  cpu->light = cpu->arrays.node_inertia;
  cpu->arrays.node_inertia = (const viper_scalar *)b->node_inertia;
  if (cpu->contacts)
    viper_contact_weigh(cpu, true);
}

void viper_penalty_aim(viper_cpu *cpu) {
  aim(cpu, true);
}

/// After the last iteration: predictions hold the multipliers' forces.
static void end(viper_cpu *cpu) {
  take_targets(cpu);
  cpu->at_targets = true;
  cpu->arrays.node_inertia = cpu->light;
  for (int32_t j = 0; j < (int32_t)cpu->model->n_segments; j++)
    cpu->arrays.inertia[j] = viper_frame_inertia_load(cpu, j);
  if (cpu->contacts)
    viper_contact_weigh(cpu, false);
  aim(cpu, false);
  note_torques(cpu);
  if (cpu->contacts)
    note_before(cpu);
}

void viper_penalty_move(viper_cpu *cpu, const viper_settings *settings, bool last) {
  target(cpu, settings, true);
  if (last)
    end(cpu);
}

void viper_penalty_solve(viper_cpu *cpu, const viper_settings *settings, double h,
                         viper_solve_bodies *bodies) {
  viper_settings one = *settings;
  one.iterations = 1;
  one.in_parts = true;
  viper_penalty_begin(cpu, settings);
  for (int iteration = 0; iteration < settings->iterations; iteration++) {
    one.continued = iteration;
    viper_penalty_aim(cpu);
    bodies(cpu, &one, h);
    viper_penalty_move(cpu, settings, iteration + 1 == settings->iterations);
  }
}
