// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/backend/tiles.h"

#include "viper/energy/term.h"
#include "viper/model/rest_equal.h"

#include <stdlib.h>
#include <string.h>

/// Own nodes of a tile: the more, the less of the work is that of margins; but the lanes of two
/// threads are to have a tile each, and what a thread works on is to stay in its cache.
#define LEAST_OWN  96
#define MOST_OWN   480
#define MANY_LANES 64
/// Nodes of the longest chain that is a line (backend/line.h), which costs less than tiles.
#define LONG VIPER_BODY_GROUP_MAX_NODES

/// Whether the elements of a chain may lie in this order: phase `p` has all that are `p` from a
/// multiple of their number on.
static bool order_of(const viper_model *m, const viper_model_body *b, int32_t joints, int32_t count,
                     viper_chain_order *out) {
  *out = (viper_chain_order){.first = {INT32_MAX, INT32_MAX, INT32_MAX}};
  for (int32_t p = b->first_phase; p < b->first_phase + b->n_phases; p++)
    if (m->phase[p].joints == joints) {
      if (out->n == 3)
        return false;
      out->first[out->n++] = m->phase[p].first;
    }
  for (int32_t p = b->first_phase, k = 0; p < b->first_phase + b->n_phases; p++)
    if (m->phase[p].joints == joints) {
      if (m->phase[p].count != (count - k + out->n - 1) / out->n)
        return false;
      k++;
    }
  return out->n > 0;
}

static bool segment_fits(const viper_model *m, const viper_model_body *b, int32_t p,
                         const viper_chain_order *segments) {
  const viper_model_segment *s = &m->segment[viper_chain_at(segments, p)];
  const viper_model_segment *first = &m->segment[b->first_segment];
  return s->node[0] == b->first_node + p && s->node[1] == b->first_node + p + 1 &&
         viper_segment_acting(s->k, s->k_solid) == viper_segment_acting(first->k, first->k_solid);
}

static bool joint_fits(const viper_model *m, const viper_model_body *b, int32_t p,
                       const viper_chain_order *segments, const viper_chain_order *joints) {
  const viper_model_joint *t = &m->joint[viper_chain_at(joints, p)];
  const double *k = m->joint[b->first_joint].k;
  bool fits =
      t->outer && viper_acting(t->k, VIPER_N_JOINT_TERMS) == viper_acting(k, VIPER_N_JOINT_TERMS);
  for (int32_t role = 0; role < 3; role++)
    fits = fits && t->node[role] == b->first_node + p + role;
  for (int32_t side = 0; side < 2; side++)
    fits = fits && t->segment[side] == viper_chain_at(segments, p + side) && t->flip[side] > 0;
  return fits;
}

bool viper_chain_find(const viper_model *m, int32_t body, viper_chain_order *segments,
                      viper_chain_order *joints) {
  const viper_model_body *b = &m->body[body];
  bool chain = b->n_segments == b->n_nodes - 1 && b->n_joints == b->n_segments - 1 &&
               order_of(m, b, 0, b->n_segments, segments) && order_of(m, b, 1, b->n_joints, joints);
  for (int32_t p = 0; chain && p < b->n_segments; p++)
    chain = segment_fits(m, b, p, segments);
  for (int32_t p = 0; chain && p < b->n_joints; p++)
    chain = joint_fits(m, b, p, segments, joints);
  return chain;
}

/// Lays the tiles: `own` nodes apart, the last as far as the chain goes.
static bool lay_tiles(int32_t n_nodes, viper_tiling *c) {
  int32_t own = n_nodes / MANY_LANES;
  own = own < LEAST_OWN ? LEAST_OWN : own > MOST_OWN ? MOST_OWN : own;
  own = (own + VIPER_TILE_ALIGNMENT - 1) / VIPER_TILE_ALIGNMENT * VIPER_TILE_ALIGNMENT;
  c->length = own + 2 * VIPER_TILE_MARGIN;
  c->length += (n_nodes - c->length) % VIPER_TILE_ALIGNMENT;
  int32_t last = n_nodes - c->length; // a multiple of the alignment
  c->n = 1 + (last + own - 1) / own;
  c->tile = calloc((size_t)c->n, sizeof *c->tile);
  for (int32_t i = 0; c->tile && i < c->n; i++) {
    viper_tile *w = &c->tile[i];
    w->first = i * own < last ? i * own : last;
    w->begin = i > 0 ? w->first + VIPER_TILE_MARGIN : 0;
    w->end = n_nodes;
    if (i > 0)
      c->tile[i - 1].end = w->begin;
  }
  return c->tile != NULL;
}

static bool has_pin(const viper_model *m, const viper_tiling *c, const viper_tile *w) {
  const viper_model_body *b = &m->body[c->body];
  uint32_t pinned = 0;
  for (int32_t p = w->first; p < w->first + c->length; p++)
    pinned |= m->node[b->first_node + p].pinned;
  for (int32_t p = w->first; p < w->first + c->length - 1; p++)
    pinned |= m->segment[viper_chain_at(&c->segments, p)].pinned;
  return pinned != 0;
}

static bool tiles_equal(const viper_model *m, const viper_tiling *c, const viper_tile *x,
                        const viper_tile *y, double tolerance) {
  const viper_model_node *node = m->node + m->body[c->body].first_node;
  for (int32_t p = 0; p < c->length; p++)
    if (!viper_node_rest_equal(&node[x->first + p], &node[y->first + p], tolerance))
      return false;
  for (int32_t p = 0; p < c->length - 1; p++)
    if (!viper_segment_rest_equal(&m->segment[viper_chain_at(&c->segments, x->first + p)],
                                  &m->segment[viper_chain_at(&c->segments, y->first + p)],
                                  tolerance))
      return false;
  for (int32_t p = 0; p < c->length - 2; p++)
    if (!viper_joint_rest_equal(&m->joint[viper_chain_at(&c->joints, x->first + p)],
                                &m->joint[viper_chain_at(&c->joints, y->first + p)], tolerance))
      return false;
  return true;
}

/// Puts the tiles first that are special. Those whose rest data are not those of the middle one
/// are so only where they are few: else no rest data are common. Returns whether they are.
static bool sort_tiles(const viper_model *m, double tolerance, viper_tiling *c,
                       viper_tile *sorted) {
  viper_tile usual = c->tile[c->n / 2];
  int32_t n_pinned = 0, n_other = 0;
  for (int32_t i = 0; i < c->n; i++) {
    bool pinned = has_pin(m, c, &c->tile[i]);
    n_pinned += pinned;
    n_other += !pinned && !tiles_equal(m, c, &usual, &c->tile[i], tolerance);
  }
  bool uniform = n_pinned + n_other <= 2 + c->n / 16;
  for (int pass = 0; pass < 2; pass++) {
    for (int32_t i = 0; i < c->n; i++) {
      const viper_tile *w = &c->tile[i];
      bool special = has_pin(m, c, w) || (uniform && !tiles_equal(m, c, &usual, w, tolerance));
      if (special == (pass == 0))
        *sorted++ = *w;
    }
    if (pass == 0)
      c->n_special = uniform ? n_pinned + n_other : n_pinned;
  }
  return uniform;
}

/// The pins that lie in special tiles.
static bool list_pins(const viper_model *m, viper_tiling *c) {
  const viper_model_body *b = &m->body[c->body];
  for (int pass = 0; pass < 2; pass++) {
    size_t n = 0;
    for (int32_t i = 0; i < c->n_special; i++)
      for (size_t k = 0; k < m->n_pins; k++) {
        const viper_model_pin *pin = &m->pin[k];
        bool node = pin->location != VB_AT_SEGMENT;
        int32_t p = (node ? pin->index : m->segment[pin->index].node[0]) - b->first_node;
        int32_t end = c->tile[i].first + c->length - (node ? 0 : 1);
        if (p < c->tile[i].first || p >= end)
          continue;
        if (pass == 1)
          c->pin[n] = (viper_tile_pin){i, (int32_t)k};
        n++;
      }
    c->n_pins = n;
    if (pass == 0 && !(c->pin = reallocarray(NULL, n + 1, sizeof *c->pin)))
      return false;
  }
  return true;
}

viper_chain_order viper_tile_order(const viper_chain_order *whole, int32_t count) {
  viper_chain_order out = {{0, INT32_MAX, INT32_MAX}, whole->n};
  for (int32_t k = 1; k < out.n; k++)
    out.first[k] = out.first[k - 1] + (count - (k - 1) + out.n - 1) / out.n;
  return out;
}

static void fill_phases(const viper_chain_order *segments, const viper_chain_order *joints,
                        viper_model *m) {
  viper_phase *out = m->phase;
  for (int32_t k = 0; k < segments->n; k++)
    *out++ = (viper_phase){0, segments->first[k],
                           ((int32_t)m->n_segments - k + segments->n - 1) / segments->n};
  for (int32_t k = 0; k < joints->n; k++)
    *out++ =
        (viper_phase){1, joints->first[k], ((int32_t)m->n_joints - k + joints->n - 1) / joints->n};
}

/// A tile as a model of its own, without pins.
static viper_model *extract(const viper_model *whole, const viper_tiling *c, const viper_tile *w) {
  const viper_model_body body = {.n_nodes = c->length,
                                 .n_segments = c->length - 1,
                                 .n_joints = c->length - 2,
                                 .solid = whole->body[c->body].solid,
                                 .bends = whole->body[c->body].bends,
                                 .n_phases = c->segments.n + c->joints.n};
  viper_model *m = viper_model_of_body(whole->scene, &body);
  if (!m)
    return NULL;
  viper_chain_order segments = viper_tile_order(&c->segments, c->length - 1);
  viper_chain_order joints = viper_tile_order(&c->joints, c->length - 2);
  int32_t first = whole->body[c->body].first_node + w->first;
  memcpy(m->node, whole->node + first, m->n_nodes * sizeof *m->node);
  for (int32_t p = 0; p < c->length; p++)
    m->node[p].pinned = 0;
  for (int32_t p = 0; p < c->length - 1; p++) {
    viper_model_segment *s = &m->segment[viper_chain_at(&segments, p)];
    *s = whole->segment[viper_chain_at(&c->segments, w->first + p)];
    s->pinned = 0;
    for (int32_t side = 0; side < 2; side++)
      s->node[side] = p + side;
  }
  for (int32_t p = 0; p < c->length - 2; p++) {
    viper_model_joint *t = &m->joint[viper_chain_at(&joints, p)];
    *t = whole->joint[viper_chain_at(&c->joints, w->first + p)];
    for (int32_t role = 0; role < 3; role++)
      t->node[role] = p + role;
    for (int32_t side = 0; side < 2; side++)
      t->segment[side] = viper_chain_at(&segments, p + side);
  }
  fill_phases(&segments, &joints, m);
  return m;
}

/// Marks what is pinned in any special tile.
static void mark_pins(const viper_model *whole, const viper_tiling *c, viper_model *m) {
  viper_chain_order segments = viper_tile_order(&c->segments, c->length - 1);
  for (size_t k = 0; k < c->n_pins; k++) {
    const viper_model_pin *pin = &whole->pin[c->pin[k].pin];
    bool node = pin->location != VB_AT_SEGMENT;
    int32_t p = (node ? pin->index : whole->segment[pin->index].node[0]) -
                whole->body[c->body].first_node - c->tile[c->pin[k].tile].first;
    if (node)
      m->node[p].pinned |= whole->node[pin->index].pinned;
    else
      m->segment[viper_chain_at(&segments, p)].pinned |= whole->segment[pin->index].pinned;
  }
}

static vb_status make_group(const viper_model *m, const viper_tiling *c, const viper_tile *w,
                            bool pins, viper_body_group *out, vb_error *error) {
  out->model = extract(m, c, w);
  if (!out->model)
    return vb_error_memory(error);
  if (pins)
    mark_pins(m, c, out->model);
  return viper_adjacency_create(out->model, &out->adjacency, error);
}

/// Sorts the tiles, and makes the models of both groups.
static vb_status make_groups(const viper_model *m, double tolerance, viper_tiling *c,
                             vb_error *error) {
  viper_tile *sorted = reallocarray(NULL, (size_t)c->n, sizeof *sorted);
  if (!sorted)
    return vb_error_memory(error);
  bool uniform = sort_tiles(m, tolerance, c, sorted);
  viper_tile usual = c->tile[c->n / 2];
  free(c->tile);
  c->tile = sorted;
  if (uniform)
    c->plain.uniform = c->along ? VIPER_CHAIN : VIPER_ALONG;
  vb_status status = list_pins(m, c) ? VB_OK : vb_error_memory(error);
  if (!status && c->n_special > 0)
    status = make_group(m, c, &c->tile[0], true, &c->special, error);
  if (!status && c->n_special < c->n)
    status = make_group(m, c, &usual, false, &c->plain, error);
  return status;
}

vb_status viper_tiling_create(const viper_model *m, int32_t body, double tolerance,
                              viper_tiling *out, vb_error *error) {
  *out = (viper_tiling){.body = body};
  if (m->body[body].n_nodes <= LONG || !viper_chain_find(m, body, &out->segments, &out->joints))
    return VB_OK;
  out->along = out->segments.n == 1 && out->joints.n == 1;
  vb_status status = lay_tiles(m->body[body].n_nodes, out) ? VB_OK : vb_error_memory(error);
  if (!status)
    status = make_groups(m, tolerance, out, error);
  if (status)
    viper_tiling_destroy(out);
  return status;
}

void viper_tiling_destroy(viper_tiling *tiling) {
  viper_model_destroy(tiling->special.model);
  viper_adjacency_destroy(tiling->special.adjacency);
  viper_model_destroy(tiling->plain.model);
  viper_adjacency_destroy(tiling->plain.adjacency);
  free(tiling->tile);
  free(tiling->pin);
  memset(tiling, 0, sizeof *tiling);
}
