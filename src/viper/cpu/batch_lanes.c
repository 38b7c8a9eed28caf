// SPDX-License-Identifier: GPL-3.0-or-later
/// Batches: memory, state in and out, and the substep.
#include "viper/cpu/access_batch.h"
#include "viper/cpu/loose.h"
#include "viper/method/motion.h"

#include <omp.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>

/// All batches of a model, in one precision and one variant.
typedef struct viper_lanes {
  const viper_model *model;
  const viper_kinds *kinds;
  viper_method method;
  viper_uniform *uniform; ///< [n_kinds]
  viper_batch *batch;
  int32_t n_batches;
  viper_scratch *scratch; ///< [n_threads]
  viper_scratch *kept;    ///< [n_batches] what lasts from part to part of a substep; else null
  int n_threads;
  viper_scalar gravity[3];
} viper_lanes;

/// Takes `n` elements of `size` bytes from the block at `*at`; counts only where the block is null.
static void *take(char *block, size_t *at, size_t n, size_t size) {
  size_t begin = *at;
  *at += (n * size + 63) / 64 * 64;
  return block ? block + begin : NULL;
}

/// Lays out a batch's arrays in a block; returns its size.
static size_t lay_batch(viper_batch *b, char *block, bool pins) {
  const viper_model *m = b->kind->model;
  size_t at = 0, n = m->n_nodes, s = m->n_segments;
  b->node = take(block, &at, n, sizeof *b->node);
  b->node_rate = take(block, &at, n, sizeof *b->node_rate);
  b->node_hat = take(block, &at, n, sizeof *b->node_hat);
  b->frame = take(block, &at, s, sizeof *b->frame);
  b->frame_rate = take(block, &at, s, sizeof *b->frame_rate);
  b->frame_hat = take(block, &at, s, sizeof *b->frame_hat);
  if (pins) {
    b->node_pin = take(block, &at, n, sizeof *b->node_pin);
    b->frame_pin = take(block, &at, s, sizeof *b->frame_pin);
  }
  if (!b->kind->uniform) {
    b->node_inertia = take(block, &at, n, sizeof *b->node_inertia);
    b->frame_rest = take(block, &at, s, sizeof *b->frame_rest);
    b->segment = take(block, &at, s, sizeof *b->segment);
    b->joint = take(block, &at, m->n_joints, sizeof *b->joint);
  }
  return at;
}

/// The most that any kind has of each.
typedef struct most {
  size_t nodes, segments, joints, columns, blocks;
} most;

static size_t larger(size_t a, size_t b) {
  return a > b ? a : b;
}

static most find_most(const viper_kinds *kinds) {
  most out = {0};
  for (size_t k = 0; k < kinds->n_kinds; k++) {
    const viper_model *m = kinds->kind[k].model;
    const viper_elimination *e = kinds->kind[k].elimination;
    out.nodes = larger(out.nodes, m->n_nodes);
    out.segments = larger(out.segments, m->n_segments);
    out.joints = larger(out.joints, m->n_joints);
    out.columns = larger(out.columns, e ? e->n_columns : 0);
    out.blocks = larger(out.blocks, e ? e->n_blocks : 0);
  }
  return out;
}

/// What must last for a whole substep.
static size_t lay_kept(viper_scratch *s, char *block, most n) {
  size_t at = 0;
  s->node_old = take(block, &at, n.nodes, sizeof *s->node_old);
  s->frame_old = take(block, &at, n.segments, sizeof *s->frame_old);
  s->inertia = take(block, &at, n.segments, sizeof *s->inertia);
  s->h2a = take(block, &at, n.nodes, sizeof *s->h2a);
  s->frame_h2a = take(block, &at, n.segments, sizeof *s->frame_h2a);
  s->segment_lambda = take(block, &at, n.segments * VIPER_SEGMENT_ROWS, sizeof(viper_real));
  s->joint_lambda = take(block, &at, n.joints * VIPER_JOINT_ROWS, sizeof(viper_real));
  return at;
}

static size_t lay_scratch(viper_scratch *s, char *block, most n) {
  size_t at = lay_kept(s, block, n);
  s->turn = take(block, &at, n.joints, sizeof *s->turn);
  s->hold = take(block, &at, n.joints, sizeof *s->hold);
  s->pull = take(block, &at, n.joints, sizeof *s->pull);
  s->inverse = take(block, &at, n.segments, sizeof *s->inverse);
  s->node_sum = take(block, &at, n.nodes, sizeof *s->node_sum);
  s->frame_sum = take(block, &at, n.segments, sizeof *s->frame_sum);
  s->diagonal = take(block, &at, n.columns, 16 * sizeof(viper_real));
  s->block = take(block, &at, n.blocks, 16 * sizeof(viper_real));
  s->gradient = take(block, &at, n.columns, sizeof *s->gradient);
  s->move = take(block, &at, n.columns, sizeof *s->move);
  s->node_start = take(block, &at, n.nodes, sizeof *s->node_start);
  s->frame_start = take(block, &at, n.segments, sizeof *s->frame_start);
  return at;
}

static void *zeroed(size_t size) {
  size_t whole = (size / 64 + 2) * 64; // aligned_alloc takes multiples of the alignment alone
  void *block = aligned_alloc(64, whole);
  if (block)
    memset(block, 0, whole);
  return block;
}

static void destroy(void *self) {
  viper_lanes *l = self;
  if (!l)
    return;
  for (int32_t i = 0; l->batch && i < l->n_batches; i++)
    free(l->batch[i].node); // the first array of the block
  for (size_t k = 0; l->uniform && k < l->kinds->n_kinds; k++)
    free(l->uniform[k].node_inertia);
  for (int t = 0; l->scratch && t < l->n_threads; t++)
    free(l->scratch[t].node_old);
  for (int32_t i = 0; l->kept && i < l->n_batches; i++)
    free(l->kept[i].node_old);
  free(l->kept);
  free(l->batch);
  free(l->uniform);
  free(l->scratch);
  free(l);
}

// Rest data of one body's element, as the scalars of the structs they fill.
static void node_scalars(const viper_model_node *m, viper_scalar *out) {
  out[0] = (viper_scalar)m->mass;
  out[1] = (viper_scalar)m->scale_inertia;
}

static void segment_scalars(const viper_model_segment *m, viper_scalar *out) {
  out[0] = (viper_scalar)m->inv_l;
  for (int k = 0; k < 4; k++)
    out[1 + k] = (viper_scalar)m->k[k];
}

static void joint_scalars(const viper_model_joint *m, viper_scalar *out) {
  int n = 0;
  for (int k = 0; k < 4; k++)
    out[n++] = (viper_scalar)m->half[k];
  for (int k = 0; k < 2; k++)
    out[n++] = (viper_scalar)m->flip[k];
  for (int k = 0; k < 3; k++)
    out[n++] = (viper_scalar)m->omega_rest[k];
  out[n++] = (viper_scalar)m->inv_lm;
  out[n++] = (viper_scalar)m->inv_l_j;
  out[n++] = (viper_scalar)m->inv_l_k;
  for (int k = 0; k < 4; k++)
    out[n++] = (viper_scalar)m->k[k];
}

/// Writes the `n` scalars at `from` into one lane of the `n` vectors at `to`.
static void to_lane(const viper_scalar *from, size_t n, int lane, void *to) {
  viper_real *out = to;
  for (size_t k = 0; k < n; k++)
    out[k][lane] = from[k];
}

static bool make_uniform(const viper_kind *kind, viper_uniform *out) {
  enum {
    NODE = VIPER_REALS(viper_node_inertia),
    SEGMENT = VIPER_REALS(viper_segment_rest),
    JOINT = VIPER_REALS(viper_joint_rest)
  };
  const viper_model *m = kind->model;
  size_t n = NODE * m->n_nodes + (1 + SEGMENT) * m->n_segments + JOINT * m->n_joints;
  viper_scalar *all = zeroed(n * sizeof *all);
  if (!all)
    return false;
  out->node_inertia = all;
  out->frame_rest = all + NODE * m->n_nodes;
  out->segment = out->frame_rest + m->n_segments;
  out->joint = out->segment + SEGMENT * m->n_segments;
  for (size_t i = 0; i < m->n_nodes; i++)
    node_scalars(&m->node[i], out->node_inertia + NODE * i);
  for (size_t j = 0; j < m->n_segments; j++) {
    out->frame_rest[j] = (viper_scalar)m->segment[j].frame_inertia;
    segment_scalars(&m->segment[j], out->segment + SEGMENT * j);
  }
  for (size_t t = 0; t < m->n_joints; t++)
    joint_scalars(&m->joint[t], out->joint + JOINT * t);
  return true;
}

static void doubles_to_lane(const double *from, size_t n, int lane, void *to) {
  viper_real *out = to;
  for (size_t k = 0; k < n; k++)
    out[k][lane] = (viper_scalar)from[k];
}

static void lane_to_doubles(const void *from, size_t n, int lane, double *to) {
  const viper_real *in = from;
  for (size_t k = 0; k < n; k++)
    to[k] = (double)in[k][lane];
}

static void fill_rest(const viper_model *whole, viper_batch *b) {
  viper_scalar x[VIPER_REALS(viper_joint_rest)];
  for (int lane = 0; lane < VIPER_LANES; lane++) {
    const viper_model_body *body = &whole->body[b->body[lane]];
    for (int32_t i = 0; i < body->n_nodes; i++) {
      node_scalars(&whole->node[body->first_node + i], x);
      to_lane(x, VIPER_REALS(viper_node_inertia), lane, &b->node_inertia[i]);
    }
    for (int32_t j = 0; j < body->n_segments; j++) {
      const viper_model_segment *s = &whole->segment[body->first_segment + j];
      b->frame_rest[j].inertia[lane] = (viper_scalar)s->frame_inertia;
      segment_scalars(s, x);
      to_lane(x, VIPER_REALS(viper_segment_rest), lane, &b->segment[j]);
    }
    for (int32_t t = 0; t < body->n_joints; t++) {
      joint_scalars(&whole->joint[body->first_joint + t], x);
      to_lane(x, VIPER_REALS(viper_joint_rest), lane, &b->joint[t]);
    }
  }
}

static bool has_pins(const viper_model *m) {
  for (size_t i = 0; i < m->n_nodes; i++)
    if (m->node[i].pinned)
      return true;
  for (size_t j = 0; j < m->n_segments; j++)
    if (m->segment[j].pinned)
      return true;
  return false;
}

static bool make_batch(const viper_model *whole, const viper_kind *kind, int32_t first,
                       viper_batch *b) {
  bool pins = has_pins(kind->model);
  b->kind = kind;
  b->n_bodies = kind->n_bodies - first < VIPER_LANES ? kind->n_bodies - first : VIPER_LANES;
  for (int lane = 0; lane < VIPER_LANES; lane++)
    b->body[lane] = kind->body[first + (lane < b->n_bodies ? lane : 0)];
  char *block = zeroed(lay_batch(b, NULL, pins));
  if (!block)
    return false;
  lay_batch(b, block, pins);
  if (!kind->uniform)
    fill_rest(whole, b);
  return true;
}

/// The body that node (or segment) `i` belongs to.
static int32_t body_of(const viper_model *m, int32_t i, bool segment) {
  int32_t low = 0, high = (int32_t)m->n_bodies - 1;
  while (low < high) {
    int32_t middle = low + (high - low + 1) / 2;
    int32_t first = segment ? m->body[middle].first_segment : m->body[middle].first_node;
    if (first <= i)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

/// Where a body lies: batch x VIPER_LANES + lane, or -1 for a loose one.
static int32_t *find_slots(const viper_lanes *l) {
  int32_t *slot = malloc((l->model->n_bodies + 1) * sizeof *slot);
  if (!slot)
    return NULL;
  memset(slot, -1, (l->model->n_bodies + 1) * sizeof *slot);
  for (int32_t i = 0; i < l->n_batches; i++)
    for (int lane = 0; lane < l->batch[i].n_bodies; lane++)
      slot[l->batch[i].body[lane]] = i * VIPER_LANES + lane;
  return slot;
}

static void hold_pin(viper_batch *b, const viper_model_pin *pin, const viper_model_body *body,
                     int lane, const double target[4]) {
  if (pin->location == VB_AT_SEGMENT)
    doubles_to_lane(target, 4, lane, &b->frame_pin[pin->index - body->first_segment]);
  else
    doubles_to_lane(target, 4, lane, &b->node_pin[pin->index - body->first_node]);
}

static bool fill_pins(viper_lanes *l, const viper_boundary *boundary) {
  const viper_model *m = l->model;
  int32_t *slot = find_slots(l);
  if (!slot)
    return false;
  for (size_t k = 0; k < m->n_pins; k++) {
    const viper_model_pin *pin = &m->pin[k];
    int32_t body = body_of(m, pin->index, pin->location == VB_AT_SEGMENT);
    if (slot[body] < 0)
      continue;
    viper_batch *b = &l->batch[slot[body] / VIPER_LANES];
    int lane = slot[body] % VIPER_LANES;
    hold_pin(b, pin, &m->body[body], lane, boundary->target + 4 * k);
    for (int idle = b->n_bodies; lane == 0 && idle < VIPER_LANES; idle++)
      hold_pin(b, pin, &m->body[body], idle, boundary->target + 4 * k);
  }
  free(slot);
  return true;
}

static bool make_batches(viper_lanes *l) {
  const viper_kinds *kinds = l->kinds;
  size_t n = 0;
  for (size_t k = 0; k < kinds->n_kinds; k++)
    n += (size_t)(kinds->kind[k].n_bodies + VIPER_LANES - 1) / VIPER_LANES;
  l->batch = calloc(n + 1, sizeof *l->batch);
  l->uniform = calloc(kinds->n_kinds + 1, sizeof *l->uniform);
  if (!l->batch || !l->uniform)
    return false;
  for (size_t k = 0; k < kinds->n_kinds; k++) {
    const viper_kind *kind = &kinds->kind[k];
    if (kind->uniform && !make_uniform(kind, &l->uniform[k]))
      return false;
    for (int32_t first = 0; first < kind->n_bodies; first += VIPER_LANES)
      if (!make_batch(l->model, kind, first, &l->batch[l->n_batches++]))
        return false;
  }
  return true;
}

/// For each thread, but for no more than there are batches.
static bool make_scratch(viper_lanes *l, int threads) {
  most n = find_most(l->kinds);
  threads = threads < l->n_batches ? threads : l->n_batches;
  l->scratch = calloc((size_t)threads + 1, sizeof *l->scratch);
  if (!l->scratch)
    return false;
  for (l->n_threads = 0; l->n_threads < threads; l->n_threads++) {
    viper_scratch *s = &l->scratch[l->n_threads];
    char *block = zeroed(lay_scratch(s, NULL, n));
    if (!block)
      return false;
    lay_scratch(s, block, n);
  }
  return true;
}

/// For each batch, what lasts from part to part of a substep.
static bool make_kept(viper_lanes *l) {
  l->kept = calloc((size_t)l->n_batches + 1, sizeof *l->kept);
  for (int32_t i = 0; l->kept && i < l->n_batches; i++) {
    const viper_model *m = l->batch[i].kind->model;
    most n = {.nodes = m->n_nodes, .segments = m->n_segments, .joints = m->n_joints};
    char *block = zeroed(lay_kept(&l->kept[i], NULL, n));
    if (!block)
      return false;
    lay_kept(&l->kept[i], block, n);
  }
  return l->kept != NULL;
}

static vb_status create(const viper_model *model, const viper_kinds *kinds,
                        const viper_boundary *boundary, viper_method method, int threads,
                        bool in_parts, void **out, vb_error *error) {
  viper_lanes *l = calloc(1, sizeof *l);
  if (!l)
    return vb_error_memory(error);
  l->model = model;
  l->kinds = kinds;
  l->method = method;
  for (int k = 0; k < 3; k++)
    l->gravity[k] = (viper_scalar)vb_scene_world(model->scene)->gravity[k];
  if (!make_batches(l) || !make_scratch(l, threads) || (in_parts && !make_kept(l)) ||
      !fill_pins(l, boundary)) {
    destroy(l);
    return vb_error_memory(error);
  }
  *out = l;
  return VB_OK;
}

static void put(void *self, const viper_state *state) {
  viper_lanes *l = self;
  for (int32_t i = 0; i < l->n_batches; i++) {
    viper_batch *b = &l->batch[i];
    for (int lane = 0; lane < VIPER_LANES; lane++) {
      const viper_model_body *body = &l->model->body[b->body[lane]];
      for (int32_t k = 0; k < body->n_nodes; k++) {
        size_t at = 4 * ((size_t)body->first_node + (size_t)k);
        doubles_to_lane(state->node + at, 4, lane, &b->node[k]);
        doubles_to_lane(state->node_rate + at, 4, lane, &b->node_rate[k]);
        doubles_to_lane(state->node_hat + at, 4, lane, &b->node_hat[k]);
      }
      for (int32_t k = 0; k < body->n_segments; k++) {
        size_t at = (size_t)body->first_segment + (size_t)k;
        doubles_to_lane(state->frame + 4 * at, 4, lane, &b->frame[k]);
        doubles_to_lane(state->frame_hat + 4 * at, 4, lane, &b->frame_hat[k]);
        doubles_to_lane(state->frame_rate + 3 * at, 3, lane, &b->frame_rate[k]);
      }
    }
  }
}

static void get(const void *self, viper_state *state) {
  const viper_lanes *l = self;
  for (int32_t i = 0; i < l->n_batches; i++) {
    const viper_batch *b = &l->batch[i];
    for (int lane = 0; lane < b->n_bodies; lane++) {
      const viper_model_body *body = &l->model->body[b->body[lane]];
      for (int32_t k = 0; k < body->n_nodes; k++) {
        size_t at = 4 * ((size_t)body->first_node + (size_t)k);
        lane_to_doubles(&b->node[k], 4, lane, state->node + at);
        lane_to_doubles(&b->node_rate[k], 4, lane, state->node_rate + at);
        lane_to_doubles(&b->node_hat[k], 4, lane, state->node_hat + at);
      }
      for (int32_t k = 0; k < body->n_segments; k++) {
        size_t at = (size_t)body->first_segment + (size_t)k;
        lane_to_doubles(&b->frame[k], 4, lane, state->frame + 4 * at);
        lane_to_doubles(&b->frame_hat[k], 4, lane, state->frame_hat + 4 * at);
        lane_to_doubles(&b->frame_rate[k], 3, lane, state->frame_rate + 3 * at);
      }
    }
  }
}

/// The prediction with pinned components where they are held.
static viper_node_x held(const viper_batch *b, int32_t i, uint32_t pinned, viper_node_x x) {
  const viper_node_x *pin = &b->node_pin[i];
  x.c.x = pinned & VB_PIN_X ? pin->c.x : x.c.x;
  x.c.y = pinned & VB_PIN_Y ? pin->c.y : x.c.y;
  x.c.z = pinned & VB_PIN_Z ? pin->c.z : x.c.z;
  x.s = pinned & VB_PIN_SCALE ? pin->s : x.s;
  return x;
}

static void predict(viper_work *w, const viper_scalar gravity[3]) {
  viper_batch *b = w->batch;
  viper_scratch *s = w->scratch;
  viper_real h = viper_splat(w->h), least = viper_splat((viper_scalar)VIPER_MINIMUM_SCALE);
  viper_node_x a = {{viper_splat(gravity[0]), viper_splat(gravity[1]), viper_splat(gravity[2])},
                    {0}};
  for (int32_t i = 0; i < (int32_t)w->model->n_nodes; i++) {
    uint32_t pinned = w->model->node[i].pinned;
    s->node_old[i] = b->node[i];
    b->node_hat[i] = viper_node_predict(b->node[i], b->node_rate[i], a, h);
    b->node[i] = b->node_hat[i];
    b->node[i].s = VIPER_SELECT(b->node[i].s < least, least, b->node[i].s);
    if (pinned)
      b->node[i] = held(b, i, pinned, b->node[i]);
  }
  for (int32_t j = 0; j < (int32_t)w->model->n_segments; j++) {
    const viper_model_segment *m = &w->model->segment[j];
    viper_frame_rest rest = viper_get_frame_rest(w, j, b->kind->uniform);
    s->frame_old[j] = b->frame[j];
    b->frame_hat[j] = viper_frame_predict(b->frame[j], b->frame_rate[j], h);
    b->frame[j] = m->pinned & VB_PIN_FRAME ? b->frame_pin[j] : b->frame_hat[j];
    s->inertia[j] = viper_frame_inertia(rest.inertia, b->node_hat[m->node[0]].s,
                                        b->node_hat[m->node[1]].s, VIPER_MINIMUM_SCALE);
  }
}

static void update_rates(viper_work *w, viper_scalar rate) {
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

/// Whether a value is not finite (or a position so large that its square is not), or a scale that
/// is not pinned at its bound. A value that is not finite makes a sum of zeros times it not 0.
static bool in_trouble(const viper_work *w) {
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
  for (int lane = 0; lane < VIPER_LANES; lane++)
    trouble |= !viper_is_finite(sum[lane]) || least[lane] <= (viper_scalar)VIPER_MINIMUM_SCALE;
  return trouble;
}

/// Parts of a substep.
enum { BEGIN = 1, ITERATE = 2, END = 4, ALL = BEGIN | ITERATE | END };

/// A thread's scratch for batch `i`, with what is kept for that.
static viper_scratch scratch_for(const viper_lanes *l, int32_t i, int thread) {
  viper_scratch s = l->scratch[thread];
  if (!l->kept)
    return s;
  const viper_scratch *kept = &l->kept[i];
  s.node_old = kept->node_old;
  s.frame_old = kept->frame_old;
  s.inertia = kept->inertia;
  s.h2a = kept->h2a;
  s.frame_h2a = kept->frame_h2a;
  s.segment_lambda = kept->segment_lambda;
  s.joint_lambda = kept->joint_lambda;
  return s;
}

/// Does parts of a substep; returns whether a body is in trouble at its end.
static bool step_batch(viper_lanes *l, viper_batch *b, viper_scratch *scratch,
                       const viper_settings *settings, double h, int parts) {
  const viper_kind *kind = b->kind;
  double damping = vb_scene_world(l->model->scene)->damping;
  viper_work w = {b,
                  &l->uniform[kind - l->kinds->kind],
                  scratch,
                  kind->model,
                  kind->links,
                  kind->elimination,
                  (viper_scalar)h};
  if (parts & BEGIN)
    predict(&w, l->gravity);
  if (parts & ITERATE && l->method == VIPER_DIRECT)
    viper_batch_direct(&w, settings);
  else if (parts & ITERATE)
    viper_batch_sweeps(&w, settings);
  if (!(parts & END))
    return false;
  update_rates(&w, (viper_scalar)(1 / (h * (1 + damping * h))));
  return in_trouble(&w);
}

/// No more threads than there is scratch for.
static int count_threads(const viper_lanes *l, const viper_settings *settings) {
  return settings->threads < l->n_threads ? settings->threads : l->n_threads;
}

static bool run_batch(viper_lanes *l, const viper_settings *settings, double h, int parts,
                      int32_t i) {
  viper_scratch scratch = scratch_for(l, i, omp_get_thread_num());
  return step_batch(l, &l->batch[i], &scratch, settings, h, parts);
}

/// Where a substep is done in parts, a batch stays with one thread, and in its cache.
static bool run(viper_lanes *l, const viper_settings *settings, double h, int parts) {
  bool trouble = false;
#pragma omp parallel num_threads(count_threads(l, settings))                                       \
    reduction(||                                                                                   \
              : trouble) if (l->n_batches > 1)
  {
    if (parts == ALL) {
#pragma omp for schedule(dynamic)
      for (int32_t i = 0; i < l->n_batches; i++)
        trouble = run_batch(l, settings, h, parts, i) || trouble;
    } else {
#pragma omp for schedule(static)
      for (int32_t i = 0; i < l->n_batches; i++)
        trouble = run_batch(l, settings, h, parts, i) || trouble;
    }
  }
  return trouble;
}

static bool substep(void *self, const viper_settings *settings, double h) {
  return run(self, settings, h, ALL);
}

static void begin(void *self, const viper_settings *settings, double h) {
  run(self, settings, h, BEGIN);
}

static void iterate(void *self, const viper_settings *settings, double h) {
  run(self, settings, h, ITERATE);
}

static bool end(void *self, const viper_settings *settings, double h) {
  return run(self, settings, h, END);
}

static void places(void *self, viper_place *place) {
  viper_lanes *l = self;
  for (int32_t i = 0; i < l->n_batches; i++) {
    viper_batch *b = &l->batch[i];
    for (int lane = 0; lane < b->n_bodies; lane++) {
      const viper_model_body *body = &l->model->body[b->body[lane]];
      for (int32_t k = 0; k < body->n_nodes; k++)
        place[body->first_node + k] = (viper_place){
            (viper_scalar *)&b->node[k] + lane, (viper_scalar *)&b->node_hat[k] + lane,
            (viper_scalar *)&l->kept[i].node_old[k] + lane, VIPER_LANES};
    }
  }
}

const viper_lanes_api VIPER_NAME(viper_lanes) = {VIPER_LANES,
                                                 create,
                                                 destroy,
                                                 put,
                                                 get,
                                                 substep,
                                                 begin,
                                                 iterate,
                                                 end,
                                                 places,
                                                 viper_loose_predict,
                                                 viper_loose_rate,
                                                 viper_loose_sweeps,
                                                 viper_loose_direct};
