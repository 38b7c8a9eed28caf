// SPDX-License-Identifier: GPL-3.0-or-later
#include "reference/umetani/step.h"

#include "reference/umetani/boundary.h"
#include "reference/umetani/contact.h"

#include <time.h>

/// Points from which on threads are worth their waking up: an iteration does about 0.1 us for each.
enum { PARALLEL_POINTS = 1024 };

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/// Sum of w g g^T of a straight joint in bending and in twist with nothing held: S_1 = S_2 and S_3
/// of the law of the stiffness (README.md).
static void straight_matrix(const umetani_rods *rods, const umetani_joint *j, double s[3]) {
  const int32_t *at = j->point;
  double w[5], inv_l[2], inv_g[2];
  for (int p = 0; p < 5; p++)
    w[p] = 1 / rods->mass[at[p]];
  for (int side = 0; side < 2; side++) {
    inv_l[side] = 1 / rods->edge[j->edge[side]].length;
    inv_g[side] = 1 / rods->edge[j->edge[side]].ghost;
  }
  double both = inv_l[0] + inv_l[1], apart = inv_g[0] - inv_g[1];
  double inv_lb2 = 1 / (j->lb * j->lb);
  s[0] = s[1] =
      inv_lb2 * (w[0] * inv_l[0] * inv_l[0] + w[1] * both * both + w[2] * inv_l[1] * inv_l[1]);
  s[2] = inv_lb2 * ((w[3] + w[0] / 4) * inv_g[0] * inv_g[0] +
                    (w[4] + w[2] / 4) * inv_g[1] * inv_g[1] + w[1] / 4 * apart * apart);
}

double umetani_set_alphas(const umetani_rods *rods, const umetani_settings *settings, double h,
                          double (*alpha)[3]) {
  int64_t capped = 0;
  for (size_t i = 0; i < rods->n_joints; i++) {
    const umetani_joint *j = &rods->joint[i];
    memcpy(alpha[i], settings->law.alpha, sizeof *alpha);
    if (!settings->by_stiffness)
      continue;
    double s[3];
    straight_matrix(rods, j, s);
    for (int k = 0; k < 3; k++) {
      double q = j->k[k] * h * h * j->lb * s[k] / (2 * settings->iterations);
      alpha[i][k] = q < 1 ? 2 * q / (1 + q) : 1;
      capped += q > 1;
    }
  }
  return rods->n_joints ? (double)capped / (3.0 * (double)rods->n_joints) : 0;
}

/// What a substep is done with.
typedef struct substep {
  const umetani_rods *rods;
  const umetani_settings *settings;
  umetani_state *state;
  umetani_scratch *scratch;
  double h;
  double end; ///< its time
} substep;

/// Part of a ghost's weight that stays on it.
static double ghost_part(const umetani_settings *settings, double ratio) {
  if (settings->gravity != UMETANI_REDISTRIBUTED)
    return settings->gravity == UMETANI_FULL;
  return settings->clamp_ratio ? fmin(1, fmax(0, ratio)) : ratio;
}

/// Adds to `hat` what gravity moves the points of a body by: nodes by their own weight and what
/// their edges' ghosts pass on to them, ghosts by the rest of theirs; a rigid body's ghosts do as
/// its edges' in the mean.
static void fall(const substep *s, const umetani_body *body) {
  const umetani_rods *rods = s->rods;
  double(*hat)[3] = s->state->hat, h2 = s->h * s->h;
  const double *g = vb_scene_world(rods->scene)->gravity;
  int32_t n_nodes = body->n_points - body->n_edges - 2 * body->n_hubs;
  for (int32_t p = body->first_point; p < body->first_point + n_nodes; p++)
    vb_add_scaled(hat[p], h2, g, hat[p]);
  bool pass_on = s->settings->gravity == UMETANI_REDISTRIBUTED;
  for (int32_t i = body->first_edge; i < body->first_edge + body->n_edges; i++) {
    const int32_t *at = rods->edge[i].point;
    double part = ghost_part(s->settings, s->state->ratio[i]);
    vb_add_scaled(hat[at[2]], part * h2, g, hat[at[2]]);
    for (int side = 0; side < 2 && pass_on; side++)
      vb_add_scaled(hat[at[side]], (1 - part) / 2 * rods->mass[at[2]] / rods->mass[at[side]] * h2,
                    g, hat[at[side]]);
  }
  for (int32_t i = body->first_hub; i < body->first_hub + body->n_hubs; i++) {
    const umetani_hub *hub = &rods->hub[i];
    double part = 0;
    for (int32_t k = hub->first_attachment; k < hub->first_attachment + hub->n_attachments; k++)
      part += ghost_part(s->settings, s->state->ratio[rods->edge_of[rods->attachment[k].segment]]) /
              hub->n_attachments;
    const int32_t *at = hub->point;
    for (int p = 1; p < 3; p++) {
      vb_add_scaled(hat[at[p]], part * h2, g, hat[at[p]]);
      if (pass_on)
        vb_add_scaled(hat[at[0]], (1 - part) * rods->mass[at[p]] / rods->mass[at[0]] * h2, g,
                      hat[at[0]]);
    }
  }
}

/// The prediction of a body, and the state it starts its iterations from.
static void predict(const substep *s, const umetani_body *body) {
  umetani_state *state = s->state;
  for (int32_t p = body->first_point; p < body->first_point + body->n_points; p++) {
    memcpy(s->scratch->old[p], state->x[p], sizeof state->x[p]);
    memcpy(state->hat[p], state->drift[p], sizeof state->hat[p]);
    vb_add_scaled(state->hat[p], s->h * s->h / s->rods->mass[p], s->scratch->push[p],
                  state->hat[p]);
  }
  fall(s, body);
  for (int32_t p = body->first_point; p < body->first_point + body->n_points; p++)
    for (int k = 0; k < 3; k++)
      if (s->rods->weights[p][k] > 0)
        state->x[p][k] = state->hat[p][k];
}

/// Velocities and ratios of a body after the iterations.
static void update(const substep *s, const umetani_body *body) {
  umetani_state *state = s->state;
  const vb_world *world = vb_scene_world(s->rods->scene);
  double rate = 1 / (s->h * (1 + s->h * world->damping)),
         g2 = vb_dot(world->gravity, world->gravity);
  for (int32_t p = body->first_point; p < body->first_point + body->n_points; p++)
    for (int k = 0; k < 3; k++)
      state->v[p][k] = rate * (state->x[p][k] - s->scratch->old[p][k]);
  for (int32_t i = body->first_edge; i < body->first_edge + body->n_edges; i++) {
    const int32_t *at = s->rods->edge[i].point;
    double fall = 0;
    for (int k = 0; k < 3; k++) {
      double middle = 0.5 * (state->v[at[0]][k] + state->v[at[1]][k]);
      fall += world->gravity[k] * (middle - state->middle[i][k]) / s->h;
      state->middle[i][k] = middle;
    }
    if (g2 > 0)
      state->ratio[i] = fall / g2;
  }
}

/// Moves the prediction by the multipliers that were kept, with the gradients at the places to
/// which points drift. With those at the old places a force lags behind a rod that swings by the
/// turn of a substep: it pushes along the motion, as much as implicit Euler damps or more.
static void warm(void *context, int kind, umetani_grouping grouping, const umetani_element *e,
                 const double *lambda) {
  const substep *s = context;
  double all[3], push[3];
  (void)kind;
  umetani_multipliers(e, &s->settings->law, grouping, lambda, all);
  for (int p = 0; p < e->n_points; p++) {
    int32_t at = e->point[p];
    umetani_push(e, all, p, push);
    for (int k = 0; k < 3; k++) {
      s->state->x[at][k] += s->rods->weights[at][k] * push[k];
      if (s->rods->weight[at] == 0)
        s->state->impulse[at][k] += push[k];
    }
  }
}

/// The torques of the held frames' multipliers that were kept.
static void warm_torques(const substep *s) {
  for (size_t i = 0; i < s->rods->n_holds; i++) {
    umetani_element e;
    const double(*before)[3] = (const double(*)[3])s->scratch->before[i];
    double x[3][3];
    if (!umetani_hold_element(&s->rods->hold[i], before, s->state->drift, &e))
      continue;
    for (int p = 0; p < 3; p++)
      memcpy(x[p], s->state->drift[e.point[p]], sizeof x[p]);
    umetani_torque(&e, s->state->hold[i], x, s->state->torque[i]);
  }
}

/// Clears what a substep sums up; the multipliers unless they are kept.
static void clear(const substep *s) {
  const umetani_rods *rods = s->rods;
  umetani_state *state = s->state;
  memset(state->impulse, 0, rods->n_points * sizeof *state->impulse);
  memset(state->contact, 0, rods->n_points * sizeof *state->contact);
  memset(state->torque, 0, rods->n_holds * sizeof *state->torque);
  if (s->settings->law.xpbd && s->settings->warm_start)
    return;
  memset(state->edge, 0, rods->n_segments * sizeof *state->edge);
  memset(state->joint, 0, rods->n_joints * sizeof *state->joint);
  memset(state->hub, 0, rods->n_hubs * sizeof *state->hub);
  memset(state->attachment, 0, rods->n_attachments * sizeof *state->attachment);
  memset(state->hold, 0, rods->n_holds * sizeof *state->hold);
  memset(state->anchor_place, 0, rods->n_anchors * sizeof *state->anchor_place);
  memset(state->anchor_turn, 0, rods->n_anchors * sizeof *state->anchor_turn);
}

/// Predictions, and all that acts from outside. False where memory is short.
static bool begin(const substep *s, const umetani_pass *pass) {
  const umetani_rods *rods = s->rods;
  umetani_state *state = s->state;
  int n_bodies = (int)rods->n_bodies;
  clear(s);
  umetani_activate(rods, s->end, state);
  for (size_t p = 0; p < rods->n_points; p++)
    for (int k = 0; k < 3; k++)
      state->drift[p][k] = state->x[p][k] + s->h * state->v[p][k];
  umetani_add_loads(rods, s->end, state, s->scratch);
  memcpy(s->scratch->before, s->scratch->target, rods->n_holds * sizeof *s->scratch->target);
  umetani_aim_holds(rods, s->end, s->scratch->target);
#pragma omp parallel for schedule(static)                                                          \
    num_threads(s->settings->threads) if (n_bodies > 1 && rods->n_points > PARALLEL_POINTS)
  for (int b = 0; b < n_bodies; b++)
    predict(s, &rods->body[b]);
  if (s->settings->law.xpbd && s->settings->warm_start) {
    umetani_visit_all(rods, s->settings, s->scratch->before, s->state->drift, s->scratch->alpha,
                      state, warm, (void *)(uintptr_t)s);
    warm_torques(s);
  }
  umetani_place_points(rods, s->end, state->x);
  return !s->scratch->contact || umetani_contact_find(pass, s->end - s->h, s->h);
}

/// The next `visits` iterations over all bodies.
static void sweep_bodies(const umetani_pass *pass, int visits) {
  const umetani_rods *rods = pass->rods;
  const umetani_settings *settings = pass->settings;
  int n_groups = (int)rods->n_groups;
  int32_t lanes = umetani_count_lanes();
#pragma omp parallel for schedule(static)                                                          \
    num_threads(settings->threads) if (n_groups > 1 && rods->n_points > PARALLEL_POINTS)
  for (int g = 0; g < n_groups; g++) {
    int32_t first = rods->group[g], n = rods->group[g + 1] - first;
    if (umetani_sweep_lanes(pass, first, n, visits, lanes))
      continue;
    for (int32_t b = first; b < first + n; b++)
      for (int k = 0; k < visits; k++)
        umetani_sweep(rods, settings, b, *pass->state->visits + k, pass->state, pass->scratch);
  }
  *pass->state->visits += visits;
}

static void iterate(const umetani_pass *pass) {
  int iterations = pass->settings->iterations;
  if (!pass->scratch->contact && pass->rods->n_anchors == 0) {
    sweep_bodies(pass, iterations);
    return;
  }
  for (int n = 0; n < iterations; n++) {
    sweep_bodies(pass, 1);
    umetani_anchor_sweep(pass);
    if (pass->scratch->contact)
      umetani_contact_sweep(pass);
  }
}

static void finish(const substep *s, const umetani_pass *pass) {
  int n_bodies = (int)s->rods->n_bodies;
#pragma omp parallel for schedule(static)                                                          \
    num_threads(s->settings->threads) if (n_bodies > 1 && s->rods->n_points > PARALLEL_POINTS)
  for (int b = 0; b < n_bodies; b++)
    update(s, &s->rods->body[b]);
  *s->state->h = s->h;
  *s->state->time = s->end;
  umetani_add_work(s->rods, s->scratch, s->state);
  if (s->scratch->contact)
    umetani_contact_finish(pass, s->h);
}

bool umetani_step(const umetani_rods *rods, umetani_settings *settings, double time, double h,
                  umetani_state *state, umetani_scratch *scratch, double *timer) {
  substep s = {rods, settings, state, scratch, h / settings->substeps, 0};
  const umetani_pass pass = {rods, settings, state, scratch};
  settings->law.inv_h2 = 1 / (s.h * s.h);
  umetani_set_alphas(rods, settings, s.h, scratch->alpha);
  umetani_aim_holds(rods, time, scratch->target);
  for (int k = 0; k < settings->substeps; k++) {
    double at[4];
    s.end = time + (k + 1) * s.h;
    at[0] = seconds();
    if (!begin(&s, &pass))
      return false;
    at[1] = seconds();
    iterate(&pass);
    at[2] = seconds();
    finish(&s, &pass);
    at[3] = seconds();
    for (int phase = 0; phase < UMETANI_PHASE_COUNT; phase++)
      timer[phase] += at[phase + 1] - at[phase];
  }
  return true;
}

int64_t umetani_check_state(const umetani_rods *rods, const umetani_state *state) {
  double most = 1e6 * rods->size;
  for (size_t p = 0; p < rods->n_points; p++)
    for (int k = 0; k < 3; k++)
      if (!(fabs(state->x[p][k]) <= most) || !isfinite(state->v[p][k]))
        return (int64_t)p;
  return -1;
}
