// SPDX-License-Identifier: GPL-3.0-or-later
/// Batches: the substep.
#include "viper/cpu/batch/access.h"
#include "viper/cpu/batch/batches.h"
#include "viper/method/midpoint.h"
#include "viper/method/moments.h"

#include <omp.h>

/// The prediction with pinned components where they are held.
static viper_node_x held(const viper_batch *b, int32_t i, uint32_t pinned, viper_node_x x) {
  const viper_node_x *pin = &b->node_pin[i];
  x.c.x = pinned & VB_PIN_X ? pin->c.x : x.c.x;
  x.c.y = pinned & VB_PIN_Y ? pin->c.y : x.c.y;
  x.c.z = pinned & VB_PIN_Z ? pin->c.z : x.c.z;
  x.s = pinned & VB_PIN_SCALE ? pin->s : x.s;
  return x;
}

/// The predicted scale of node `i`; a pinned one is where it is held.
static viper_real predicted_scale(const viper_access *w, int32_t i) {
  const viper_batch *b = w->batch;
  return w->model->node[i].pinned & VB_PIN_SCALE ? b->node[i].s : b->node_hat[i].s;
}

/// The prediction of node `i` with accelerations `a`. With bdf2 what it keeps moves on, and the
/// rates are from now on the predicted ones.
static viper_node_x predict_node(viper_batch *b, int32_t i, viper_node_x a,
                                 const viper_advance *t) {
  viper_node_x x = b->node[i], v = b->node_rate[i], before;
  viper_real h = viper_splat((viper_scalar)t->h), keep = viper_splat((viper_scalar)t->keep);
  if (!b->node_before)
    return viper_node_predict(x, v, a, h);
  before = b->node_before[i];
  if (t->second_order)
    b->node_rate[i] = viper_node_predict_rate(v, b->node_rate_before[i], a, h, keep);
  b->node_before[i] = x;
  b->node_rate_before[i] = v;
  return t->second_order ? viper_node_predict_after(x, before, b->node_rate[i], h)
                         : viper_node_predict(x, v, a, h);
}

/// Likewise of a frame.
static viper_quat predict_frame(viper_batch *b, int32_t j, const viper_advance *t) {
  viper_quat q = b->frame[j], before;
  viper_vec3 v = b->frame_rate[j];
  viper_real h = viper_splat((viper_scalar)t->h), keep = viper_splat((viper_scalar)t->keep);
  if (!b->frame_before)
    return viper_frame_predict(q, v, h);
  before = b->frame_before[j];
  if (t->second_order)
    b->frame_rate[j] = viper_scale(keep, viper_vec3_extrapolate(v, b->frame_rate_before[j]));
  b->frame_before[j] = q;
  b->frame_rate_before[j] = v;
  return t->second_order ? viper_frame_predict_after(q, before, b->frame_rate[j], h)
                         : viper_frame_predict(q, v, h);
}

static viper_real rest_inertia(const viper_access *w, int32_t j) {
  return viper_get_frame_rest(w, j, w->batch->group->uniform).inertia;
}

/// The scale of segment `j` by those of its nodes in a state.
static viper_real segment_scale(const viper_access *w, int32_t j, const viper_node_x *node) {
  const int32_t *end = w->model->segment[j].node;
  return viper_mean_scale(node[end[0]].s, node[end[1]].s, VIPER_MINIMUM_SCALE);
}

/// The rate of this scale by those of its nodes.
static viper_real segment_scale_rate(const viper_access *w, int32_t j, const viper_node_x *rate) {
  const int32_t *end = w->model->segment[j].node;
  return VIPER_R(0.5) * (rate[end[0]].s + rate[end[1]].s);
}

/// The spin of frame `j` before the substep, as the prediction needs it: what spin.h notes, and in
/// the place of its prediction the axes in which the momentum is.
static void begin_spin(viper_access *w, int32_t j, const viper_advance *t) {
  viper_batch *b = w->batch;
  viper_real rest = rest_inertia(w, j), h = viper_splat((viper_scalar)viper_advance_length(t));
  viper_quat q = b->frame[j];
  viper_vec3 omega = b->frame_rate[j], mean = omega;
  viper_real s = segment_scale(w, j, b->node), rate = segment_scale_rate(w, j, b->node_rate);
  viper_spin spin = viper_spin_at(w, j, rest, s, q, omega);
  if (t->ahead > 0) {
    viper_real ahead = viper_splat((viper_scalar)t->ahead);
    viper_vec3 before = b->frame_rate_before[j];
    viper_spin spin_before =
        viper_spin_at(w, j, rest, segment_scale(w, j, b->node_before), b->frame_before[j], before);
    spin = viper_spin_extrapolate(spin, spin_before, t->second_order, ahead);
    mean = viper_rate_mean(omega, before, ahead);
    rate = viper_scale_rate_mean(rate, segment_scale_rate(w, j, b->node_rate_before), ahead);
  }
  b->momentum[j] = spin.momentum;
  b->frame_hat[j] = viper_frame_predict_bounded(q, mean, h);
  b->frame_hat0[j] = viper_spin_notes(spin, viper_scale_after(s, rate, h, VIPER_MINIMUM_SCALE));
}

/// All frames, and then the centrifugal forces at nodes, half of a segment's at either, into the
/// place of the scales that they are predicted to have.
static void begin_spins(viper_access *w, const viper_advance *t) {
  viper_batch *b = w->batch;
  for (int32_t j = 0; j < (int32_t)w->model->n_segments; j++)
    begin_spin(w, j, t);
  for (int32_t i = 0; i < (int32_t)w->model->n_nodes; i++)
    b->node_hat[i].s = viper_splat(0);
  for (int side = 0; side < 2; side++)
    for (int32_t j = 0; j < (int32_t)w->model->n_segments; j++)
      b->node_hat[w->model->segment[j].node[side]].s += VIPER_R(0.5) * b->frame_hat0[j].w;
}

/// The prediction of a frame that keeps its momentum, after begin_spins. The rate of bdf2 is from
/// now on the predicted one.
static viper_quat predict_spin(viper_access *w, int32_t j, const viper_advance *t) {
  viper_batch *b = w->batch;
  viper_real h = viper_splat((viper_scalar)t->h), keep = viper_splat((viper_scalar)t->keep);
  viper_quat q = b->frame[j], axes = b->frame_hat[j];
  b->momentum[j] = viper_scale(keep, b->momentum[j]);
  viper_real s = b->frame_hat0[j].x;
  viper_vec3 omega = viper_rate_of(w, j, axes, b->momentum[j], s * s * rest_inertia(w, j));
  b->frame_hat0[j] = t->second_order
                         ? viper_frame_predict_bounded_after(q, b->frame_before[j], omega, h)
                         : viper_frame_predict_bounded(q, omega, h);
  if (b->frame_before) {
    b->frame_before[j] = q;
    b->frame_rate_before[j] = b->frame_rate[j];
  }
  if (t->second_order)
    b->frame_rate[j] = omega;
  return b->frame_hat0[j];
}

static void predict(viper_access *w, const viper_scalar gravity[3], const viper_advance *t) {
  viper_batch *b = w->batch;
  viper_scratch *s = w->scratch;
  viper_real least = viper_splat((viper_scalar)VIPER_MINIMUM_SCALE);
  viper_node_x a = {{viper_splat(gravity[0]), viper_splat(gravity[1]), viper_splat(gravity[2])},
                    {0}};
  if (b->momentum)
    begin_spins(w, t);
  for (int32_t i = 0; i < (int32_t)w->model->n_nodes; i++) {
    uint32_t pinned = w->model->node[i].pinned;
    s->node_old[i] = b->node[i];
    if (b->momentum)
      a.s = b->node_hat[i].s / viper_get_node_inertia(w, i, b->group->uniform).scale;
    b->node_hat[i] = predict_node(b, i, a, t);
    b->node[i] = b->node_hat[i];
    b->node[i].s = VIPER_SELECT(b->node[i].s < least, least, b->node[i].s);
    if (pinned)
      b->node[i] = held(b, i, pinned, b->node[i]);
  }
  for (int32_t j = 0; j < (int32_t)w->model->n_segments; j++) {
    const viper_model_segment *m = &w->model->segment[j];
    s->frame_old[j] = b->frame[j];
    s->inertia[j] = viper_frame_inertia(rest_inertia(w, j), predicted_scale(w, m->node[0]),
                                        predicted_scale(w, m->node[1]), VIPER_MINIMUM_SCALE);
    b->frame_hat[j] = b->momentum ? predict_spin(w, j, t) : predict_frame(b, j, t);
    b->frame[j] = m->pinned & VB_PIN_FRAME ? b->frame_pin[j] : b->frame_hat[j];
  }
}

static void update_rates(viper_access *w, viper_scalar rate) {
  viper_batch *b = w->batch;
  for (int32_t i = 0; i < (int32_t)w->model->n_nodes; i++) {
    const viper_node_x *old = &w->scratch->node_old[i];
    b->node_rate[i].c = viper_scale(viper_splat(rate), viper_sub(b->node[i].c, old->c));
    b->node_rate[i].s = viper_splat(rate) * (b->node[i].s - old->s);
  }
  for (int32_t j = 0; j < (int32_t)w->model->n_segments; j++)
    b->frame_rate[j] =
        viper_scale(viper_splat(rate), viper_turn_since(b->frame[j], w->scratch->frame_old[j]));
}

/// Of midpoint: nodes and their rates go on to the substep's end as they went to its middle, but
/// for rates of what is pinned.
static void go_on(viper_access *w) {
  viper_batch *b = w->batch;
  for (int32_t i = 0; i < (int32_t)w->model->n_nodes; i++) {
    viper_real free[4];
    viper_get_free(w, i, free);
    viper_midpoint_advance(w->scratch->node_old[i], b->node_rate_before[i], free, &b->node[i],
                           &b->node_rate[i]);
  }
}

/// Of bdf2, whose rates are the predicted ones: adds what the solve changed.
static void correct_rates(viper_access *w, viper_scalar rate) {
  viper_batch *b = w->batch;
  for (int32_t i = 0; i < (int32_t)w->model->n_nodes; i++) {
    viper_node_x *v = &b->node_rate[i], x = b->node[i], hat = b->node_hat[i];
    v->c = viper_add(v->c, viper_scale(viper_splat(rate), viper_sub(x.c, hat.c)));
    v->s += viper_splat(rate) * (x.s - hat.s);
  }
  for (int32_t j = 0; j < (int32_t)w->model->n_segments; j++)
    b->frame_rate[j] =
        viper_add(b->frame_rate[j],
                  viper_scale(viper_splat(rate), viper_turn_since(b->frame[j], b->frame_hat[j])));
}

/// The rates of frames that keep their momentum; of pinned ones they are by how they turned.
static void spin_rates(viper_access *w, const viper_advance *t) {
  viper_batch *b = w->batch;
  viper_real kept = viper_splat((viper_scalar)t->kept);
  viper_real reach = viper_splat((viper_scalar)(t->reach * t->rate));
  for (int32_t j = 0; j < (int32_t)w->model->n_segments; j++) {
    viper_real s = segment_scale(w, j, b->node), free = viper_get_frame_free(w, j);
    viper_quat q = b->frame[j];
    viper_vec3 impulse = viper_impulse_of(w, j, q, b->frame_hat0[j], w->scratch->inertia[j]);
    viper_vec3 momentum = viper_add(viper_scale(kept, b->momentum[j]), viper_scale(reach, impulse));
    if (viper_advance_is_midpoint(t))
      b->frame[j] = q = viper_frame_extrapolate(q, w->scratch->frame_old[j]);
    viper_vec3 omega = viper_rate_of(w, j, q, momentum, s * s * rest_inertia(w, j));
    viper_vec3 *v = &b->frame_rate[j];
    *v = viper_vec3_make(VIPER_SELECT(free > 0, omega.x, v->x),
                         VIPER_SELECT(free > 0, omega.y, v->y),
                         VIPER_SELECT(free > 0, omega.z, v->z));
  }
}

/// Whether a value is not finite (or a position so large that its square is not), or a scale that
/// is not pinned at its bound; in lanes with a body of their own, since contacts push no copies. A
/// value that is not finite makes a sum of zeros times it not 0.
static bool in_trouble(const viper_access *w) {
  const viper_batch *b = w->batch;
  viper_real sum = {0}, least = viper_splat((viper_scalar)1);
  for (int32_t i = 0; i < (int32_t)w->model->n_nodes; i++) {
    viper_real s = b->node[i].s;
    sum += viper_dot(b->node[i].c, b->node[i].c) + s;
    if (!(w->model->node[i].pinned & VB_PIN_SCALE))
      least = VIPER_SELECT(s < least, s, least);
  }
  for (int32_t j = 0; j < (int32_t)w->model->n_segments; j++)
    sum += b->frame[j].w + b->frame[j].x + b->frame[j].y + b->frame[j].z;
  bool trouble = false;
  for (int lane = 0; lane < b->n_bodies; lane++)
    trouble |= !viper_is_finite(sum[lane]) || least[lane] <= (viper_scalar)VIPER_MINIMUM_SCALE;
  return trouble;
}

/// Parts of a substep.
enum { BEGIN = 1, ITERATE = 2, END = 4, ALL = BEGIN | ITERATE | END };

/// Does parts of a substep; returns whether a body is in trouble at its end.
static bool step_batch(viper_lanes *l, viper_batch *b, viper_scratch *scratch,
                       const viper_settings *settings, const viper_advance *t, int actions) {
  const viper_body_group *group = b->group;
  viper_access w = {b,
                    &l->uniform[group - l->body_groups->group],
                    scratch,
                    group->model,
                    group->adjacency,
                    group->elimination,
                    (viper_scalar)t->inertia_h,
                    false,
                    false,
                    false,
                    {0}};
  if (actions & BEGIN)
    predict(&w, l->gravity, t);
  if (actions & ITERATE && viper_method_has(l->method, VIPER_FACTORS))
    viper_batch_direct(&w, settings);
  else if (actions & ITERATE)
    viper_batch_sweeps(&w, settings);
  if (!(actions & END))
    return false;
  if (t->second_order)
    correct_rates(&w, (viper_scalar)t->rate);
  else
    update_rates(&w, (viper_scalar)t->rate);
  if (viper_advance_is_midpoint(t))
    go_on(&w);
  if (b->momentum)
    spin_rates(&w, t);
  return in_trouble(&w);
}

/// No more threads than there is scratch for.
static int count_threads(const viper_lanes *l, const viper_settings *settings) {
  return settings->threads < l->n_threads ? settings->threads : l->n_threads;
}

static bool run_batch(viper_lanes *l, const viper_settings *settings, const viper_advance *t,
                      int actions, int32_t i) {
  viper_scratch scratch = viper_scratch_for(l, i, omp_get_thread_num());
  return step_batch(l, &l->batch[i], &scratch, settings, t, actions);
}

/// Where a substep is done in parts, a batch stays with one thread, and in its cache.
static bool run(viper_lanes *l, const viper_settings *settings, const viper_advance *t,
                int actions) {
  bool trouble = false;
#pragma omp parallel num_threads(count_threads(l, settings))                                       \
    reduction(||                                                                                   \
              : trouble) if (l->n_batches > 1)
  {
    if (actions == ALL) { // NOLINT(bugprone-branch-clone): what differs is the pragma
#pragma omp for schedule(dynamic)
      for (int32_t i = 0; i < l->n_batches; i++)
        trouble = run_batch(l, settings, t, actions, i) || trouble;
    } else {
#pragma omp for schedule(static)
      for (int32_t i = 0; i < l->n_batches; i++)
        trouble = run_batch(l, settings, t, actions, i) || trouble;
    }
  }
  return trouble;
}

bool viper_batches_substep(void *self, const viper_settings *settings, const viper_advance *t) {
  return run(self, settings, t, ALL);
}

void viper_batches_begin(void *self, const viper_settings *settings, const viper_advance *t) {
  run(self, settings, t, BEGIN);
}

void viper_batches_iterate(void *self, const viper_settings *settings, const viper_advance *t) {
  run(self, settings, t, ITERATE);
}

bool viper_batches_end(void *self, const viper_settings *settings, const viper_advance *t) {
  return run(self, settings, t, END);
}

void viper_batches_places(void *self, viper_place *place, viper_place *frame) {
  viper_lanes *l = self;
  for (int32_t i = 0; i < l->n_batches; i++) {
    viper_batch *b = &l->batch[i];
    for (int lane = 0; lane < b->n_bodies; lane++) {
      const viper_model_body *body = &l->model->body[b->body[lane]];
      for (int32_t k = 0; k < body->n_nodes; k++)
        place[body->first_node + k] = (viper_place){
            (viper_scalar *)&b->node[k] + lane, (viper_scalar *)&b->node_hat[k] + lane,
            (viper_scalar *)&l->kept[i].node_old[k] + lane, VIPER_LANES,
            (viper_scalar *)&b->node_rate[k] + lane};
      for (int32_t k = 0; k < body->n_segments; k++)
        frame[body->first_segment + k] = (viper_place){
            (viper_scalar *)&b->frame[k] + lane, (viper_scalar *)&b->frame_hat[k] + lane,
            (viper_scalar *)&l->kept[i].frame_old[k] + lane, VIPER_LANES, NULL};
    }
  }
}
