// SPDX-License-Identifier: GPL-3.0-or-later
/// Batches: their memory.
#include "viper/cpu/batch/batches.h"

/// Lays out a batch's arrays in a block; returns its size.
static size_t lay_batch(viper_batch *b, char *block, bool pins, const viper_lanes *l) {
  const viper_model *m = b->group->model;
  size_t at = 0;
#define TAKE(name, type, place, set, spare)                                                        \
  b->name = viper_take(block, &at, m->n_##place##s, sizeof *b->name);
  VIPER_STATE_FIELDS(TAKE)
  VIPER_RATE_FIELDS(TAKE)
  if (l->history) {
    VIPER_HISTORY_FIELDS(TAKE)
  }
  if (l->spin) {
    VIPER_SPIN_FIELDS(TAKE)
  }
#undef TAKE
  if (pins) {
    b->node_pin = viper_take(block, &at, m->n_nodes, sizeof *b->node_pin);
    b->frame_pin = viper_take(block, &at, m->n_segments, sizeof *b->frame_pin);
  }
  if (!b->group->uniform) {
#define TAKE(name, type, place) b->name = viper_take(block, &at, m->n_##place##s, sizeof *b->name);
    VIPER_REST_DATA(TAKE)
    if (b->group->chain && viper_method_has(l->method, VIPER_NOTES)) {
      VIPER_SPRING_DATA(TAKE)
    }
#undef TAKE
  }
  if (b->group->factor)
    b->factor = viper_take(block, &at, VIPER_N_FACTORS, sizeof *b->factor);
  return at;
}

static size_t larger(size_t a, size_t b) {
  return a > b ? a : b;
}

static viper_most find_most(const viper_body_groups *body_groups) {
  viper_most out = {0};
  for (size_t k = 0; k < body_groups->n_groups; k++) {
    const viper_model *m = body_groups->group[k].model;
    const viper_elimination *e = body_groups->group[k].elimination;
    out.nodes = larger(out.nodes, m->n_nodes);
    out.segments = larger(out.segments, m->n_segments);
    out.joints = larger(out.joints, m->n_joints);
    out.columns = larger(out.columns, e ? e->n_columns : 0);
    if (body_groups->group[k].root > 0) {
      out.chain_nodes = larger(out.chain_nodes, m->n_nodes);
    } else if (e) {
      out.diagonals = larger(out.diagonals, e->n_columns);
      out.blocks = larger(out.blocks, e->n_blocks);
    }
  }
  return out;
}

/// What a thread needs of a method with the traits `sets`; the first array is node_old.
static size_t lay_scratch(viper_scratch *s, char *block, viper_most n, unsigned sets) {
  size_t at = 0;
#define TAKE(name, type, place, set, spare)                                                        \
  s->name = viper_take(block, &at, n.place##s, sizeof *s->name);
  VIPER_OLD_FIELDS(TAKE)
#undef TAKE
  viper_take_fields(s, block, &at, n, sets);
  s->diagonal = viper_take(block, &at, n.diagonals, 16 * sizeof(viper_real));
  s->block = viper_take(block, &at, n.blocks, 16 * sizeof(viper_real));
  viper_batch_take_chain(s, block, &at, n.chain_nodes);
  s->gradient = viper_take(block, &at, n.columns, sizeof *s->gradient);
  s->move = viper_take(block, &at, n.columns, sizeof *s->move);
  return at;
}

static bool make_scratch(viper_scratch *s, viper_most n, unsigned sets) {
  char *block = viper_zeroed(lay_scratch(s, NULL, n, sets));
  if (block)
    lay_scratch(s, block, n, sets);
  return block != NULL;
}

void viper_batches_destroy(void *self) {
  viper_lanes *l = self;
  if (!l)
    return;
  for (int32_t i = 0; l->batch && i < l->n_batches; i++)
    free(l->batch[i].node); // the first array of the block
  for (size_t k = 0; l->uniform && k < l->body_groups->n_groups; k++)
    free(l->uniform[k].node_inertia);
  for (int t = 0; l->scratch && t < l->n_threads; t++)
    free(l->scratch[t].node_old);
  for (int32_t i = 0; l->kept && i < l->n_batches; i++)
    free(l->kept[i].node_old);
  vb_arena_clear(&l->memory);
  free(l);
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

static bool make_batch(const viper_lanes *l, const viper_body_group *group, int32_t first,
                       viper_batch *b) {
  bool pins = has_pins(group->model);
  b->group = group;
  b->n_bodies = group->n_bodies - first < VIPER_LANES ? group->n_bodies - first : VIPER_LANES;
  for (int lane = 0; lane < VIPER_LANES; lane++)
    b->body[lane] = group->body[first + (lane < b->n_bodies ? lane : 0)];
  char *block = viper_zeroed(lay_batch(b, NULL, pins, l));
  if (!block)
    return false;
  lay_batch(b, block, pins, l);
  if (!group->uniform) {
    viper_batch_fill_rest(l->model, b);
    viper_batch_fill_springs(b, group->model->n_nodes);
  }
  for (int lane = 0; group->factor && lane < VIPER_LANES; lane++) {
    const double *factor = group->factor[first + (lane < b->n_bodies ? lane : 0)];
    for (int k = 0; k < VIPER_N_FACTORS; k++)
      b->factor[k][lane] = (viper_scalar)factor[k];
  }
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

/// Where a body lies: batch x VIPER_LANES + lane, or -1 for a single one.
static int32_t *find_slots(const viper_lanes *l) {
  int32_t *slot = reallocarray(NULL, l->model->n_bodies + 1, sizeof *slot);
  if (!slot)
    return NULL;
  memset(slot, -1, (l->model->n_bodies + 1) * sizeof *slot);
  for (int32_t i = 0; i < l->n_batches; i++)
    for (int lane = 0; lane < l->batch[i].n_bodies; lane++)
      slot[l->batch[i].body[lane]] = i * VIPER_LANES + lane;
  return slot;
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
    viper_batch_hold_pin(b, pin, &m->body[body], lane, boundary->target + 4 * k);
    for (int idle = b->n_bodies; lane == 0 && idle < VIPER_LANES; idle++)
      viper_batch_hold_pin(b, pin, &m->body[body], idle, boundary->target + 4 * k);
  }
  free(slot);
  return true;
}

static bool make_batches(viper_lanes *l) {
  const viper_body_groups *body_groups = l->body_groups;
  size_t n = 0;
  for (size_t k = 0; k < body_groups->n_groups; k++)
    n += (size_t)(body_groups->group[k].n_bodies + VIPER_LANES - 1) / VIPER_LANES;
  VB_TAKE(&l->memory, l->batch, n);
  VB_TAKE(&l->memory, l->uniform, body_groups->n_groups);
  if (l->memory.failed)
    return false;
  for (size_t k = 0; k < body_groups->n_groups; k++) {
    const viper_body_group *group = &body_groups->group[k];
    if (group->uniform && !viper_uniform_create(group->model, &l->uniform[k]))
      return false;
    for (int32_t first = 0; first < group->n_bodies; first += VIPER_LANES)
      if (!make_batch(l, group, first, &l->batch[l->n_batches++]))
        return false;
  }
  return true;
}

/// For each thread, but for no more than there are batches.
static bool make_all_scratch(viper_lanes *l, int threads) {
  viper_most n = find_most(l->body_groups);
  threads = threads < l->n_batches ? threads : l->n_batches;
  bool done = VB_TAKE(&l->memory, l->scratch, (size_t)threads);
  for (l->n_threads = 0; done && l->n_threads < threads; l->n_threads++)
    done = make_scratch(&l->scratch[l->n_threads], n, viper_traits(l->method));
  return done;
}

/// For each batch, what lasts from part to part of a substep.
static bool make_kept(viper_lanes *l) {
  bool done = VB_TAKE(&l->memory, l->kept, (size_t)l->n_batches);
  for (int32_t i = 0; done && i < l->n_batches; i++) {
    const viper_model *m = l->batch[i].group->model;
    viper_most n = {.nodes = m->n_nodes, .segments = m->n_segments, .joints = m->n_joints};
    done = make_scratch(&l->kept[i], n, viper_traits(l->method) & VIPER_LASTING);
  }
  return done;
}

vb_status viper_batches_create(const viper_model *model, const viper_body_groups *body_groups,
                               const viper_boundary *boundary, const viper_settings *settings,
                               bool split_substep, void **out, vb_error *error) {
  viper_lanes *l = calloc(1, sizeof *l);
  if (!l)
    return vb_error_memory(error);
  l->model = model;
  l->body_groups = body_groups;
  l->method = settings->method;
  l->history = viper_has_history(settings);
  l->spin = viper_has_spin(settings);
  for (int k = 0; k < 3; k++)
    l->gravity[k] = (viper_scalar)vb_scene_world(model->scene)->gravity[k];
  if (!make_batches(l) || !make_all_scratch(l, settings->threads) ||
      (split_substep && !make_kept(l)) || !fill_pins(l, boundary)) {
    viper_batches_destroy(l);
    return vb_error_memory(error);
  }
  *out = l;
  return VB_OK;
}
