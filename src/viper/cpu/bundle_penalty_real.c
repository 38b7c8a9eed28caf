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

/// Penalties over the inertia (README.md): the least, for what the inertia alone holds, and times
/// what the terms of the sections resist with. Found by runs of sculpted_arm and of single muscles.
#define CENTER_LEAST 1
#define DISC_LEAST   2
#define CENTER_STIFF 4
#define DISC_STIFF   1

/// The part of multipliers that lasts to the next substep (README.md).
#define KEPT 0.9

/// The penalty of discs at which scales begin with half of the way that is predicted (README.md):
/// with 400 the muscles of sculpted_arm diverge in 32 substeps of 12 iterations, with 100 not.
#define HALF_WAY 50

/// Members weigh as the penalties do: their discs more, beside the middles.
static void weigh_discs(viper_bundles *rest, viper_bundle *bundle, double more) {
  bundle->rest_norm = 0;
  for (int32_t i = bundle->first; i < bundle->first + bundle->n; i++) {
    viper_bundle_member *m = &rest->member[i];
    m->disc *= more;
    bundle->rest_norm += m->mass * (2 * m->disc + vb_dot(m->rest_middle, m->rest_middle));
  }
}

/// The penalty of a bundle in substeps of length `h`. Along a rod the middle of a segment is held
/// by K/l^2 against its mass m, a frame or a scale by K against m r^2/4.
static viper_bundle_penalty penalty_of(const viper_cpu *cpu, const viper_bundle *bundle, double h) {
  double along = 0, across = 0, inertia = 0;
  for (int32_t i = bundle->first; i < bundle->first + bundle->n; i++) {
    const viper_model_segment *s = &cpu->model->segment[cpu->bundled.rest.member[i].segment];
    const double k = viper_bundle_stiffness(s);
    along += k * s->inv_l * s->inv_l;
    across += k;
    inertia += s->frame_inertia;
  }
  return (viper_bundle_penalty){CENTER_LEAST + CENTER_STIFF * h * h * along / bundle->mass,
                                DISC_LEAST + DISC_STIFF * h * h * across / inertia};
}

/// The penalty of node `k` of those in bundles, and its shares weighed by penalties: its part of a
/// member is as stiff as the member.
static void weigh_node(viper_cpu *cpu, size_t k) {
  viper_bundled *b = &cpu->bundled;
  const int32_t i = b->rest.node[k], first = b->rest.first_share[k];
  const int32_t n = b->rest.first_share[k + 1] - first;
  const viper_bundle_share *share = b->rest.share + first;
  viper_bundle_penalty sum = {0, 0};
  for (int32_t e = 0; e < n; e++) {
    const viper_bundle_penalty of = b->member_penalty[share[e].member];
    b->pull[first + e] = (viper_bundle_share){share[e].member, share[e].center * of.center,
                                              share[e].scale * of.disc};
    sum.center += share[e].center * of.center;
    sum.disc += share[e].scale * of.disc;
  }
  for (int32_t e = first; e < first + n; e++) {
    b->pull[e].center /= sum.center;
    b->pull[e].scale /= sum.disc;
  }
  const viper_node_inertia own = viper_node_inertia_load(cpu, i);
  b->node_penalty[i] = sum;
  b->node_inertia[i] = (viper_node_inertia){own.mass * (viper_real)(1 + sum.center),
                                            own.scale * (viper_real)(1 + sum.disc)};
}

/// Takes penalties for substeps of length `h`.
static void weigh(viper_cpu *cpu, double h) {
  viper_bundled *b = &cpu->bundled;
  if (b->penalty_h == h)
    return;
  for (size_t k = 0; k < b->rest.n; k++) {
    viper_bundle *bundle = &b->rest.bundle[k];
    const viper_bundle_penalty p = penalty_of(cpu, bundle, h);
    const viper_bundle_penalty old = b->member_penalty[bundle->first];
    weigh_discs(&b->rest, bundle,
                p.disc / p.center * (b->penalty_h > 0 ? old.center / old.disc : 1));
    for (int32_t i = bundle->first; i < bundle->first + bundle->n; i++) {
      b->member_penalty[i] = p;
      b->frame_penalty[b->rest.member[i].segment] = p.disc;
    }
  }
  for (size_t k = 0; k < b->rest.n_nodes; k++)
    weigh_node(cpu, k);
  b->penalty_h = h;
}

vb_status viper_penalty_create(viper_cpu *cpu, vb_error *error) {
  viper_bundled *b = &cpu->bundled;
  const viper_model *m = cpu->model;
  VB_TAKE(&b->memory, b->target.node, m->n_nodes);
  VB_TAKE(&b->memory, b->target.frame, m->n_segments);
  VB_TAKE(&b->memory, b->multiplier, 4 * m->n_nodes + 3 * m->n_segments);
  VB_TAKE(&b->memory, b->torque, 3 * m->n_segments);
  VB_TAKE(&b->memory, b->node_inertia, m->n_nodes);
  VB_TAKE(&b->memory, b->member_penalty, b->rest.n_members);
  VB_TAKE(&b->memory, b->node_penalty, m->n_nodes);
  VB_TAKE(&b->memory, b->frame_penalty, m->n_segments);
  VB_TAKE(&b->memory, b->pull, 2 * b->rest.n_members);
  vb_status status = vb_arena_status(&b->memory, error);
  if (status)
    return status;
  for (int32_t i = 0; i < (int32_t)m->n_nodes; i++)
    b->node_inertia[i] = viper_node_inertia_load(cpu, i);
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
    const double p = k == 3 ? b->node_penalty[i].disc : b->node_penalty[i].center;
    hat[k] = pull ? (hat[k] + p * (y[k] - u[k])) / (1 + p) : hat[k] - p * u[k];
  }
  cpu->node_hat[i] = viper_node_from(hat);
}

/// Likewise of frame `j`.
static void aim_frame(viper_cpu *cpu, int32_t j, bool pull) {
  viper_bundled *b = &cpu->bundled;
  const double *u = b->multiplier + 4 * cpu->model->n_nodes + 3 * (size_t)j,
               p = b->frame_penalty[j];
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

/// Phase function: where bundles want node `k` of those in some; with `learn`, of an iteration,
/// adds what is left of the way to there to its multiplier. The `last` way is the mean weighed by
/// inertia, which keeps momentum.
static void target_node(viper_cpu *cpu, size_t k, bool learn, bool last) {
  viper_bundled *b = &cpu->bundled;
  const int32_t i = b->rest.node[k], first = b->rest.first_share[k];
  const int32_t n = b->rest.first_share[k + 1] - first;
  const uint32_t pinned = cpu->model->node[i].pinned;
  double d[4], *u = b->multiplier + 4 * (size_t)i;
  viper_bundle_shift(b->pull + first, n, b->now, b->goal, d);
  for (int c = 0; c < 4 && learn; c++)
    u[c] = pinned >> c & 1 ? 0 : u[c] - d[c];
  if (last)
    viper_bundle_shift(b->rest.share + first, n, b->now, b->goal, d);
  b->target.node[i] = viper_bundle_move_node(cpu->node[i], d, pinned, VIPER_R(VIPER_MINIMUM_SCALE));
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
static void target(viper_cpu *cpu, const viper_settings *settings, bool learn, bool last) {
  const viper_bundles *rest = &cpu->bundled.rest;
  const bool parallel = rest->n_members > 256; // as many as are worth waking up threads
#pragma omp parallel for if (parallel) num_threads(settings->threads)
  for (size_t k = 0; k < rest->n; k++)
    viper_bundled_fit(cpu, k);
#pragma omp parallel for if (parallel) num_threads(settings->threads)
  for (size_t k = 0; k < rest->n_nodes; k++)
    target_node(cpu, k, learn, last);
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
    const double a = -b->frame_penalty[j] * (double)viper_frame_inertia_load(cpu, j);
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

/// What the substep begins with: multipliers that fade, and scales of stiff sections nearly as they
/// were (README.md).
static void settle(viper_cpu *cpu, bool fresh) {
  viper_bundled *b = &cpu->bundled;
  const size_t n = 4 * cpu->model->n_nodes + 3 * cpu->model->n_segments;
  for (size_t i = 0; i < n; i++)
    b->multiplier[i] *= fresh ? 0 : KEPT;
  for (size_t k = 0; k < b->rest.n_nodes; k++) {
    const int32_t i = b->rest.node[k];
    const double back = b->node_penalty[i].disc / (b->node_penalty[i].disc + HALF_WAY);
    if (!(cpu->model->node[i].pinned & VB_PIN_SCALE))
      cpu->node[i].s += (viper_scalar)back * (cpu->node_old[i].s - cpu->node[i].s);
  }
}

void viper_penalty_begin(viper_cpu *cpu, const viper_settings *settings, double h) {
  viper_bundled *b = &cpu->bundled;
  memcpy(b->predicted.node, cpu->node_hat, cpu->model->n_nodes * sizeof *cpu->node_hat);
  memcpy(b->predicted.frame, cpu->frame_hat, cpu->model->n_segments * sizeof *cpu->frame_hat);
  cpu->at_targets = false;
  weigh(cpu, h);
  settle(cpu, settings->fresh_contacts); // multipliers are of substeps of one length
  target(cpu, settings, false, false);
  for (size_t i = 0; i < b->rest.n_members; i++)
    cpu->arrays.inertia[b->rest.member[i].segment] *=
        (viper_scalar)(1 + b->frame_penalty[b->rest.member[i].segment]);
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
  target(cpu, settings, true, last);
  if (last)
    end(cpu);
}

void viper_penalty_solve(viper_cpu *cpu, const viper_settings *settings, double h,
                         viper_solve_bodies *bodies) {
  viper_settings one = *settings;
  one.iterations = 1;
  one.in_parts = true;
  viper_penalty_begin(cpu, settings, h);
  for (int iteration = 0; iteration < settings->iterations; iteration++) {
    one.continued = iteration;
    viper_penalty_aim(cpu);
    bodies(cpu, &one, h);
    viper_penalty_move(cpu, settings, iteration + 1 == settings->iterations);
  }
}
