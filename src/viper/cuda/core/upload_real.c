// SPDX-License-Identifier: GPL-3.0-or-later
/// A scene laid out for a device: see host.h.
#include "viper/cuda/core/host.h"

#include "viper/cuda/core/bounds.h"
#include "viper/cuda/core/device.h"
#include "viper/method/newton.h"
#include "viper/model/hill_law.h"
#include "viper/model/rest.h"

#include <stdlib.h>
#include <string.h>

typedef struct device_model {
  viper_device_model base;
  const viper_model *model;
  const viper_body_groups *body_groups;
  viper_settings settings;
  viper_bounds bounds;
  viper_device device;
} device_model;

static void destroy(viper_device_model *self) {
  device_model *dm = (device_model *)self;
  viper_bounds_destroy(&dm->bounds);
  free(dm);
}

static void to_reals(const double *from, size_t n, viper_real *to) {
  for (size_t k = 0; k < n; k++)
    to[k] = (viper_real)from[k];
}

static void to_doubles(const viper_real *from, size_t n, double *to) {
  for (size_t k = 0; k < n; k++)
    to[k] = (double)from[k];
}

/// One more than the number of a load among those of its body that turn; 0 where it does not.
static uint32_t turning_number(const viper_model *m, int32_t load, int32_t body) {
  uint32_t number = 0;
  for (size_t k = 0; k < m->n_follower_loads; k++) {
    number += m->follower_load[k].body == body;
    if (m->follower_load[k].load == load)
      return number;
  }
  return 0;
}

static int32_t bound_type_of(const viper_model_activation *a) {
  if (a->hill)
    return VIPER_BOUND_HILL;
  return a->active == VB_ACTIVE_FORCE ? VIPER_BOUND_PULL : VIPER_BOUND_STRAIN;
}

/// What does work on the body of a kind of its own.
static void place_work(device_model *dm, const viper_body_group *group, viper_memory *b,
                       viper_device_body_group *out) {
  const viper_model *m = dm->model;
  int32_t body = group->body[0], n = 0;
  const viper_model_body *at = &m->body[body];
  size_t n_loads;
  const vb_load *load = vb_scene_loads(m->scene, &n_loads);
  viper_work_item *host;
  for (size_t k = 0; at->driven && k < m->n_pins; k++)
    n += viper_pinned_body(&dm->bounds, &m->pin[k]) == body;
  for (size_t k = 0; at->driven && k < n_loads; k++)
    n += viper_loaded_body(&dm->bounds, &load[k]) == body;
  for (size_t k = 0; k < m->n_activations; k++)
    out->n_activations += m->activation[k].body == body;
  n += out->n_activations;
  out->n_works = n;
  out->work = viper_memory_reserve(b, (size_t)n, sizeof *host, &host);
  for (size_t k = 0; host && n > 0 && k < m->n_pins; k++) {
    const viper_model_pin *pin = &m->pin[k];
    bool frame = pin->location == VB_AT_SEGMENT;
    if (viper_pinned_body(&dm->bounds, pin) == body)
      *host++ = (viper_work_item){frame ? VIPER_BOUND_FRAME_PIN : VIPER_BOUND_NODE_PIN,
                                  pin->index - (frame ? at->first_segment : at->first_node),
                                  pin->mask, dm->bounds.summand[k], -1};
  }
  for (size_t k = 0; host && n > 0 && k < n_loads; k++) {
    bool frame = load[k].location == VB_AT_SEGMENT;
    int32_t index = frame ? m->segment_at[load[k].index] - at->first_segment
                          : m->node_at[load[k].index] - at->first_node;
    if (viper_loaded_body(&dm->bounds, &load[k]) == body)
      *host++ = (viper_work_item){frame ? VIPER_BOUND_FRAME_LOAD : VIPER_BOUND_NODE_LOAD, index,
                                  turning_number(m, (int32_t)k, body),
                                  dm->bounds.summand[m->n_pins + k], dm->bounds.force[k]};
  }
  uint32_t n_hills = 0;
  for (size_t k = 0; host && k < m->n_activations; k++) {
    const viper_model_activation *a = &m->activation[k];
    if (a->body == body)
      *host++ = (viper_work_item){
          bound_type_of(a), a->segment - at->first_segment, a->hill ? n_hills++ : 0,
          dm->bounds.summand[m->n_pins + n_loads + k], dm->bounds.active[k]};
  }
}

/// Hill's laws of a body's activations of that kind.
static void place_hills(device_model *dm, int32_t body, viper_memory *b,
                        viper_device_body_group *out) {
  const viper_model *m = dm->model;
  size_t n = 0;
  for (size_t k = 0; k < m->n_activations; k++)
    n += m->activation[k].body == body && m->activation[k].hill;
  viper_hill *host;
  out->n_hills = (int32_t)n;
  out->hill = viper_memory_reserve(b, n, sizeof *host, &host);
  for (size_t k = 0; host && k < m->n_activations; k++)
    if (m->activation[k].body == body && m->activation[k].hill)
      *host++ = viper_hill_from(&m->activation[k]);
}

/// The loads of a body that turn with its segments.
static void place_turning(device_model *dm, int32_t body, viper_memory *b,
                          viper_device_body_group *out) {
  const viper_model *m = dm->model;
  const viper_model_body *at = &m->body[body];
  for (size_t k = 0; k < m->n_follower_loads; k++)
    out->n_follower_loads += m->follower_load[k].body == body;
  viper_device_follower_load *host;
  out->follower_load = viper_memory_reserve(b, (size_t)out->n_follower_loads, sizeof *host, &host);
  for (size_t k = 0; host && k < m->n_follower_loads; k++) {
    const viper_model_follower_load *t = &m->follower_load[k];
    const bool node = t->location == VB_AT_NODE;
    if (t->body != body)
      continue;
    *host = (viper_device_follower_load){node,
                                         t->index - (node ? at->first_node : at->first_segment),
                                         t->segment - at->first_segment,
                                         dm->bounds.force[t->load],
                                         {0}};
    to_reals(t->back, 4, (host++)->back);
  }
}

/// The nodes of a body that follow drivers.
static void place_follows(device_model *dm, int32_t body, viper_memory *b,
                          viper_device_body_group *out) {
  const viper_model *m = dm->model;
  for (size_t k = 0; k < m->n_follows; k++)
    out->n_follows += m->follow[k].body == body;
  viper_device_follow *host;
  out->follow = viper_memory_reserve(b, (size_t)out->n_follows, sizeof *host, &host);
  for (size_t k = 0; host && k < m->n_follows; k++)
    if (m->follow[k].body == body)
      *host++ =
          (viper_device_follow){m->follow[k].node - m->body[body].first_node, dm->bounds.follow[k]};
}

/// The bounds of a kind: those of its first body.
static void place_bounds(device_model *dm, const viper_body_group *group, viper_memory *b,
                         viper_device_body_group *out) {
  const viper_model_body *first = &dm->model->body[group->body[0]];
  int32_t begin = dm->bounds.first[group->body[0]], n = 0;
  struct {
    int32_t type;
    const int32_t *bound;
    int32_t first, count;
  } const list[] = {
      {VIPER_BOUND_NODE_LOAD, dm->bounds.node_load, first->first_node, first->n_nodes},
      {VIPER_BOUND_FRAME_LOAD, dm->bounds.frame_load, first->first_segment, first->n_segments},
      {VIPER_BOUND_NODE_PIN, dm->bounds.node_pin, first->first_node, first->n_nodes},
      {VIPER_BOUND_FRAME_PIN, dm->bounds.frame_pin, first->first_segment, first->n_segments},
  };
  for (int l = 0; l < 4; l++) {
    for (int32_t i = 0; i < list[l].count; i++)
      n += list[l].bound[list[l].first + i] >= 0;
    if (l == 1)
      out->n_loads = n;
  }
  viper_bound *host;
  out->n_bounds = n;
  out->bound = viper_memory_reserve(b, (size_t)n, sizeof *host, &host);
  for (int l = 0; host && l < 4; l++)
    for (int32_t i = 0; i < list[l].count; i++) {
      int32_t at = list[l].bound[list[l].first + i];
      if (at >= 0)
        host[at - begin] = (viper_bound){list[l].type, i,
                                         l == 2   ? dm->model->node[list[l].first + i].pinned
                                         : l == 3 ? dm->model->segment[list[l].first + i].pinned
                                                  : 0};
    }
}

/// An array of a table: its rows' beginnings and its elements.
static viper_table place_table(viper_memory *b, const viper_table *t, size_t rows) {
  viper_table out = {VIPER_COPY(b, t->first, rows + 1),
                     VIPER_COPY(b, t->element, (size_t)t->first[rows])};
  return out;
}

static viper_adjacency place_adjacency(viper_memory *b, const viper_adjacency *l,
                                       const viper_model *m) {
  viper_adjacency out = {
      .node_segment = place_table(b, &l->node_segment, 2 * m->n_nodes),
      .node_joint = place_table(b, &l->node_joint, 3 * m->n_nodes),
      .frame_joint = place_table(b, &l->frame_joint, 2 * m->n_segments),
      .node_order = VIPER_COPY(b, l->node_order, m->n_nodes),
      .frame_order = VIPER_COPY(b, l->frame_order, m->n_segments),
      .phase = VIPER_COPY(b, l->phase, (size_t)l->body_phase[1]),
      .body_phase = VIPER_COPY(b, l->body_phase, 2),
  };
  return out;
}

static viper_elimination place_elimination(viper_memory *b, const viper_elimination *e,
                                           const viper_model *m) {
  viper_elimination out = {
      .column_of = VIPER_COPY(b, e->column_of, e->n_columns),
      .first_block = VIPER_COPY(b, e->first_block, e->n_columns + 1),
      .row = VIPER_COPY(b, e->row, e->n_blocks),
      .segment = VIPER_COPY(b, e->segment, m->n_segments),
      .joint = VIPER_COPY(b, e->joint, m->n_joints),
      .n_nodes = e->n_nodes,
      .n_columns = e->n_columns,
      .n_blocks = e->n_blocks,
      .submatrices = e->submatrices,
  };
  out.submatrices.first = VIPER_COPY(b, e->submatrices.first, (size_t)e->submatrices.n + 2);
  return out;
}

static viper_schedule place_schedule(viper_memory *b, const viper_schedule *s,
                                     const viper_elimination *e) {
  size_t n = e->n_columns;
  viper_schedule out = {
      .is_chain = s->is_chain,
      .n_stages = s->n_stages,
      .stage = VIPER_COPY(b, s->stage, (size_t)s->n_stages + 1),
      .submatrix_stage = VIPER_COPY(b, s->submatrix_stage, (size_t)e->submatrices.n + 2),
      .column = VIPER_COPY(b, s->column, e->n_blocks),
      .first_source = VIPER_COPY(b, s->first_source, n + 1),
      .source = VIPER_COPY(b, s->source, e->n_blocks),
      .first_reach = VIPER_COPY(b, s->first_reach, n + 1),
      .reach = VIPER_COPY(b, s->reach, (size_t)s->first_reach[n]),
      .n_passes = s->n_passes,
      .n_levels = s->n_levels,
  };
  if (s->n_levels > 0 && s->is_chain) {
    out.forward = VIPER_COPY(b, s->forward, n);
    out.panel = VIPER_COPY(b, s->panel, (size_t)s->n_panels);
  } else if (s->n_levels > 0)
    out.update = VIPER_COPY(b, s->update, (size_t)s->pass[s->n_passes]);
  if (s->n_levels > 0) {
    out.pass = VIPER_COPY(b, s->pass, (size_t)s->n_passes + 1);
    out.level = VIPER_COPY(b, s->level, (size_t)s->n_levels + 1);
    out.backward = VIPER_COPY(b, s->backward, n);
  }
  return out;
}

static void place_topology(viper_memory *b, const viper_model *m, viper_device_body_group *out) {
  viper_device_segment *segment;
  viper_device_joint *joint;
  uint8_t *node_pinned, *frame_pinned;
  out->segment = viper_memory_reserve(b, m->n_segments, sizeof *segment, &segment);
  out->joint = viper_memory_reserve(b, m->n_joints, sizeof *joint, &joint);
  out->node_pinned = viper_memory_reserve(b, m->n_nodes, 1, &node_pinned);
  out->frame_pinned = viper_memory_reserve(b, m->n_segments, 1, &frame_pinned);
  for (size_t i = 0; node_pinned && i < m->n_nodes; i++)
    node_pinned[i] = (uint8_t)m->node[i].pinned;
  for (size_t j = 0; segment && j < m->n_segments; j++) {
    memcpy(segment[j].node, m->segment[j].node, sizeof segment[j].node);
    frame_pinned[j] = m->segment[j].pinned & VB_PIN_FRAME ? VIPER_FRAME_FIXED
                      : m->segment[j].pinned              ? VIPER_FRAME_HELD
                                                          : 0;
  }
  for (size_t t = 0; joint && t < m->n_joints; t++) {
    memcpy(joint[t].node, m->joint[t].node, sizeof joint[t].node);
    memcpy(joint[t].segment, m->joint[t].segment, sizeof joint[t].segment);
    joint[t].outer = m->joint[t].outer;
  }
}

/// Colors of elements; or rounds, where a color has more elements than a cooperative group threads.
static void place_phases(viper_memory *b, const viper_body_group *group,
                         viper_device_body_group *out) {
  const viper_model *m = group->model;
  const viper_rounds *rounds = &group->rounds;
  out->body.n_phases = rounds->n > 0 ? rounds->n : (int32_t)m->n_phases;
  out->phase = VIPER_COPY(b, rounds->n > 0 ? rounds->phase : m->phase, (size_t)out->body.n_phases);
  if (rounds->n > 0)
    out->order = VIPER_COPY(b, rounds->order, m->n_segments + m->n_joints);
}

static void place_body_groups(device_model *dm, viper_memory *b) {
  viper_device_body_group *host;
  dm->device.group = viper_memory_reserve(b, dm->body_groups->n_groups, sizeof *host, &host);
  for (size_t k = 0; k < dm->body_groups->n_groups; k++) {
    const viper_body_group *group = &dm->body_groups->group[k];
    const viper_model *m = group->model;
    viper_device_body_group out = {.body = m->body[0]};
    place_topology(b, m, &out);
    place_phases(b, group, &out);
    out.adjacency = place_adjacency(b, group->adjacency, m);
    if (group->elimination) {
      out.elimination = place_elimination(b, group->elimination, m);
      out.schedule = place_schedule(b, group->schedule, group->elimination);
    }
    place_bounds(dm, group, b, &out);
    place_work(dm, group, b, &out);
    place_turning(dm, group->body[0], b, &out);
    place_hills(dm, group->body[0], b, &out);
    place_follows(dm, group->body[0], b, &out);
    if (host)
      host[k] = out;
  }
}

/// Where rest data are written; all null while bytes are counted.
typedef struct rest {
  viper_real *node_inertia, *node_weight, *frame_inertia, *frame_weight;
  viper_real *segment, *joint, *segment_spring, *joint_spring; ///< in columns of four
  viper_solid_rest *solid;
  viper_bending *bending;
  viper_fused *fused;
  viper_moments *moments;
} rest;

/// Writes row `at` of `n`, of `count` numbers, in columns of four.
static void to_columns(const void *row, size_t count, viper_real *to, int32_t n, int32_t at) {
  const viper_real *number = row;
  for (size_t c = 0; c < count; c++)
    to[4 * (c / 4 * (size_t)n + (size_t)at) + c % 4] = number[c];
}

/// Rest data of a segment and of a joint, and what block descent makes of them.
static void write_segment(const viper_device *d, const viper_model_segment *segment,
                          const rest *out, int32_t at) {
  const viper_segment_rest row = viper_segment_rest_from(segment);
  const viper_segment_spring spring = viper_segment_spring_of(&row);
  to_columns(&row, VIPER_REALS(row), out->segment, d->n_rest_segments, at);
  if (out->segment_spring)
    to_columns(&spring, VIPER_REALS(spring), out->segment_spring, d->n_rest_segments, at);
}

static void write_joint(const viper_device *d, const viper_model_joint *joint, const rest *out,
                        int32_t at) {
  const viper_joint_rest row = viper_joint_rest_from(joint);
  const viper_joint_spring spring = viper_joint_spring_of(&row);
  to_columns(&row, VIPER_REALS(row), out->joint, d->n_rest_joints, at);
  if (out->joint_spring)
    to_columns(&spring, VIPER_REALS(spring), out->joint_spring, d->n_rest_joints, at);
}

/// Rest data of a body, from place `to` of each array on.
static void write_rest(const device_model *dm, const viper_body_group *group, int32_t body,
                       const rest *out, const viper_device_body *to) {
  const viper_model *m = dm->model;
  const viper_model_body *b = &m->body[body];
  const viper_adjacency *adjacency = group->adjacency;
  for (int32_t i = 0; i < b->n_nodes; i++) {
    const viper_model_node *node = &m->node[b->first_node + i];
    size_t at = 2 * (size_t)(to->rest_node + i);
    out->node_inertia[at] = (viper_real)node->mass;
    out->node_inertia[at + 1] = (viper_real)node->scale_inertia;
    out->node_weight[at] = VIPER_R(1) / (viper_real)adjacency->node_count[i].center;
    out->node_weight[at + 1] = VIPER_R(1) / (viper_real)adjacency->node_count[i].scale;
  }
  for (int32_t j = 0; j < b->n_segments; j++) {
    const viper_model_segment *segment = &m->segment[b->first_segment + j];
    out->frame_inertia[to->rest_segment + j] = (viper_real)segment->frame_inertia;
    out->frame_weight[to->rest_segment + j] = VIPER_R(1) / (viper_real)adjacency->frame_count[j];
    write_segment(&dm->device, segment, out, to->rest_segment + j);
    if (out->solid)
      out->solid[to->rest_segment + j] = viper_solid_rest_from(segment);
    if (out->moments)
      out->moments[to->rest_segment + j] =
          (viper_moments){(viper_real)segment->moments[0], (viper_real)segment->moments[1]};
  }
  for (int32_t t = 0; t < b->n_joints; t++)
    write_joint(&dm->device, &m->joint[b->first_joint + t], out, to->rest_joint + t);
  for (int32_t t = 0; out->bending && t < b->n_joints; t++)
    out->bending[to->rest_joint + t] = viper_bending_from(m, (size_t)b->first_joint + (size_t)t);
  for (int32_t t = 0; out->fused && t < b->n_joints; t++)
    out->fused[to->rest_joint + t] = viper_fused_from(m, (size_t)b->first_joint + (size_t)t);
}

/// Counts the rest data that are kept: of uniform body groups those of one body.
static void count_rest(const viper_body_groups *body_groups, size_t *n, size_t *s, size_t *t) {
  *n = *s = *t = 0;
  for (size_t k = 0; k < body_groups->n_groups; k++) {
    const viper_body_group *group = &body_groups->group[k];
    size_t times = group->uniform ? 1 : (size_t)group->n_bodies;
    *n += times * group->model->n_nodes;
    *s += times * group->model->n_segments;
    *t += times * group->model->n_joints;
  }
}

/// Room for `n` rows in columns of four; null without columns.
static viper_real *reserve_columns(viper_memory *b, size_t columns, size_t n, viper_real **host) {
  viper_real *at = viper_memory_reserve(b, 4 * columns * n, sizeof **host, host);
  if (columns > 0)
    return at;
  *host = NULL;
  return NULL;
}

static void place_rest(device_model *dm, viper_memory *b) {
  viper_device *d = &dm->device;
  size_t n, s, t;
  rest host;
  viper_device_body *body, next = {0};
  count_rest(dm->body_groups, &n, &s, &t);
  d->node_inertia = viper_memory_reserve(b, 2 * n, sizeof(viper_real), &host.node_inertia);
  d->node_weight = viper_memory_reserve(b, 2 * n, sizeof(viper_real), &host.node_weight);
  d->frame_inertia = viper_memory_reserve(b, s, sizeof(viper_real), &host.frame_inertia);
  d->frame_weight = viper_memory_reserve(b, s, sizeof(viper_real), &host.frame_weight);
  d->n_rest_segments = (int32_t)s;
  d->n_rest_joints = (int32_t)t;
  d->segment = reserve_columns(b, VIPER_COLUMNS(viper_segment_rest), s, &host.segment);
  d->joint = reserve_columns(b, VIPER_COLUMNS(viper_joint_rest), t, &host.joint);
  const bool springs = viper_method_has(dm->settings.method, VIPER_NOTES);
  d->segment_spring = reserve_columns(b, springs ? VIPER_COLUMNS(viper_segment_spring) : 0, s,
                                      &host.segment_spring);
  d->joint_spring =
      reserve_columns(b, springs ? VIPER_COLUMNS(viper_joint_spring) : 0, t, &host.joint_spring);
  const size_t solid = dm->model->n_solids > 0 ? s : 0;
  d->solid = viper_memory_reserve(b, solid, sizeof *host.solid, &host.solid);
  if (solid == 0)
    d->solid = host.solid = NULL;
  const size_t uneven = viper_has_bending_factors(dm->model) ? t : 0;
  d->bending = viper_memory_reserve(b, uneven, sizeof *host.bending, &host.bending);
  if (uneven == 0)
    d->bending = host.bending = NULL;
  const size_t fused = dm->model->fused ? t : 0;
  d->fused = viper_memory_reserve(b, fused, sizeof *host.fused, &host.fused);
  if (fused == 0)
    d->fused = host.fused = NULL;
  const size_t moments = dm->model->has_moments ? s : 0;
  d->moments = viper_memory_reserve(b, moments, sizeof *host.moments, &host.moments);
  if (moments == 0)
    d->moments = host.moments = NULL;
  d->body = viper_memory_reserve(b, dm->model->n_bodies, sizeof *body, &body);
  for (size_t k = 0; body && k < dm->body_groups->n_groups; k++) {
    const viper_body_group *group = &dm->body_groups->group[k];
    for (int32_t i = 0; i < group->n_bodies; i++) {
      const viper_model_body *from = &dm->model->body[group->body[i]];
      viper_device_body out = next;
      out.group = (int32_t)k;
      out.node = from->first_node;
      out.segment = from->first_segment;
      out.bound = dm->bounds.first[group->body[i]];
      body[group->body[i]] = out;
      if (i == 0 || !group->uniform)
        write_rest(dm, group, group->body[i], &host, &out);
      if (i + 1 < group->n_bodies && group->uniform)
        continue;
      next.rest_node += from->n_nodes;
      next.rest_segment += from->n_segments;
      next.rest_joint += from->n_joints;
    }
  }
}

/// What holds parts of frames: nothing, at first.
static void place_held(device_model *dm, viper_memory *b) {
  const size_t n = viper_has_held(dm->model) ? dm->model->n_segments : 0;
  viper_held *host, *held = viper_memory_reserve(b, n, sizeof *host, &host);
  dm->device.held = n > 0 ? (viper_real *)held : NULL;
  for (size_t j = 0; host && j < n; j++)
    host[j] = viper_held_none();
}

static void place_state(device_model *dm, viper_memory *b) {
  viper_device *d = &dm->device;
  size_t n = dm->model->n_nodes, s = dm->model->n_segments;
  VIPER_ROOM(b, d->control, 1);
  VIPER_ROOM(b, d->node, 4 * n);
  VIPER_ROOM(b, d->node_rate, 4 * n);
  VIPER_ROOM(b, d->node_hat, 4 * n);
  VIPER_ROOM(b, d->frame, 4 * s);
  VIPER_ROOM(b, d->frame_hat, 4 * s);
  VIPER_ROOM(b, d->frame_rate, 3 * s);
  if (dm->settings.integrator == VIPER_BDF2) {
    VIPER_ROOM(b, d->node_before, 4 * n);
    VIPER_ROOM(b, d->node_rate_before, 4 * n);
    VIPER_ROOM(b, d->frame_before, 4 * s);
    VIPER_ROOM(b, d->frame_rate_before, 3 * s);
  }
  if (viper_has_spin(&dm->settings)) {
    VIPER_ROOM(b, d->momentum, 3 * s);
    VIPER_ROOM(b, d->frame_hat0, 4 * s);
  }
  if (viper_has_pin_force(&dm->settings))
    VIPER_ROOM(b, d->work_force, 4 * (size_t)dm->bounds.work_first[dm->bounds.n_slots]);
  if (viper_has_contact(dm->model))
    VIPER_ROOM(b, d->node_hat0, 4 * n);
  if (dm->model->n_activations > 0) {
    VIPER_ROOM(b, d->active, 2 * s);
    VIPER_ROOM(b, d->active_now, 2 * s);
  }
  VIPER_ROOM(b, d->work, (size_t)dm->bounds.n_slots);
  VIPER_ROOM(b, d->work_summand, (size_t)dm->bounds.work_first[dm->bounds.n_slots]);
}

static void place(viper_device_model *self, viper_memory *rest_block, viper_memory *state) {
  device_model *dm = (device_model *)self;
  viper_real *value;
  // First, so that what moves is a block from the beginning.
  dm->device.bound_value =
      viper_memory_reserve(rest_block, 4 * (size_t)dm->bounds.n, sizeof *value, &value);
  place_body_groups(dm, rest_block);
  place_rest(dm, rest_block);
  place_held(dm, rest_block);
  dm->device.n_slots = dm->bounds.n_slots;
  dm->device.work_first =
      VIPER_COPY(rest_block, dm->bounds.work_first, (size_t)dm->bounds.n_slots + 1);
  place_state(dm, state);
  if (value)
    to_reals(dm->bounds.value, 4 * (size_t)dm->bounds.n, value);
}

static vb_status create(const viper_model *model, const viper_body_groups *body_groups,
                        const viper_settings *settings, viper_device_model **out, vb_error *error) {
  device_model *dm = calloc(1, sizeof *dm);
  if (!dm)
    return vb_error_memory(error);
  dm->base = (viper_device_model){&dm->device, place, destroy};
  dm->model = model;
  dm->body_groups = body_groups;
  dm->settings = *settings;
  vb_status status = viper_bounds_create(model, &dm->bounds, error);
  if (status) {
    destroy(&dm->base);
    return status;
  }
  for (int k = 0; k < 3; k++)
    dm->device.gravity[k] = (viper_real)vb_scene_world(model->scene)->gravity[k];
  *out = &dm->base;
  return VB_OK;
}

static size_t moving(const viper_device_model *self) {
  return 4 * (size_t)((const device_model *)self)->bounds.n_moving * sizeof(viper_real);
}

/// Where an array of the state lies in its block.
static void *in_state(const device_model *dm, char *block_at, const void *array) {
  return block_at + ((const char *)array - (const char *)dm->device.control);
}

/// What bdf2 keeps.
static void put_history(const device_model *dm, const viper_state *state, char *out) {
  const viper_device *d = &dm->device;
  size_t n = dm->model->n_nodes, s = dm->model->n_segments;
  to_reals(state->node_before, 4 * n, in_state(dm, out, d->node_before));
  to_reals(state->node_rate_before, 4 * n, in_state(dm, out, d->node_rate_before));
  to_reals(state->frame_before, 4 * s, in_state(dm, out, d->frame_before));
  to_reals(state->frame_rate_before, 3 * s, in_state(dm, out, d->frame_rate_before));
}

/// What held the pins, of bdf2 and in statics.
static void put_pin_forces(const device_model *dm, const viper_state *state, char *out) {
  viper_real *force = in_state(dm, out, dm->device.work_force);
  for (size_t k = 0; k < dm->model->n_pins; k++)
    if (dm->bounds.summand[k] >= 0)
      to_reals(state->pin_force + 4 * k, 4, force + 4 * (size_t)dm->bounds.summand[k]);
}

static void get_history(const device_model *dm, char *from, viper_state *state) {
  const viper_device *d = &dm->device;
  size_t n = dm->model->n_nodes, s = dm->model->n_segments;
  to_doubles(in_state(dm, from, d->node_before), 4 * n, state->node_before);
  to_doubles(in_state(dm, from, d->node_rate_before), 4 * n, state->node_rate_before);
  to_doubles(in_state(dm, from, d->frame_before), 4 * s, state->frame_before);
  to_doubles(in_state(dm, from, d->frame_rate_before), 3 * s, state->frame_rate_before);
}

static void get_pin_forces(const device_model *dm, char *from, viper_state *state) {
  const viper_real *force = in_state(dm, from, dm->device.work_force);
  for (size_t k = 0; k < dm->model->n_pins; k++)
    if (dm->bounds.summand[k] >= 0)
      to_doubles(force + 4 * (size_t)dm->bounds.summand[k], 4, state->pin_force + 4 * k);
}

static void put(const viper_device_model *self, const viper_state *state, char *out) {
  const device_model *dm = (const device_model *)self;
  const viper_device *d = &dm->device;
  size_t n = dm->model->n_nodes, s = dm->model->n_segments;
  memset(out, 0, sizeof *d->control);
  to_reals(state->node, 4 * n, in_state(dm, out, d->node));
  to_reals(state->node_rate, 4 * n, in_state(dm, out, d->node_rate));
  to_reals(state->node_hat, 4 * n, in_state(dm, out, d->node_hat));
  to_reals(state->frame, 4 * s, in_state(dm, out, d->frame));
  to_reals(state->frame_hat, 4 * s, in_state(dm, out, d->frame_hat));
  to_reals(state->frame_rate, 3 * s, in_state(dm, out, d->frame_rate));
  if (d->node_hat0)
    to_reals(state->node_hat0, 4 * n, in_state(dm, out, d->node_hat0));
  if (d->active) {
    to_reals(state->active, 2 * s, in_state(dm, out, d->active));
    to_reals(state->active, 2 * s, in_state(dm, out, d->active_now));
  }
  if (d->node_before)
    put_history(dm, state, out);
  if (d->work_force)
    put_pin_forces(dm, state, out);
  memcpy(in_state(dm, out, d->work), state->work, (size_t)dm->bounds.n_slots * sizeof *state->work);
}

static void get(const viper_device_model *self, const char *in, viper_state *state) {
  const device_model *dm = (const device_model *)self;
  const viper_device *d = &dm->device;
  size_t n = dm->model->n_nodes, s = dm->model->n_segments;
  char *from = (char *)in; // only read
  to_doubles(in_state(dm, from, d->node), 4 * n, state->node);
  to_doubles(in_state(dm, from, d->node_rate), 4 * n, state->node_rate);
  to_doubles(in_state(dm, from, d->node_hat), 4 * n, state->node_hat);
  to_doubles(in_state(dm, from, d->frame), 4 * s, state->frame);
  to_doubles(in_state(dm, from, d->frame_hat), 4 * s, state->frame_hat);
  to_doubles(in_state(dm, from, d->frame_rate), 3 * s, state->frame_rate);
  if (d->node_hat0)
    to_doubles(in_state(dm, from, d->node_hat0), 4 * n, state->node_hat0);
  if (d->active)
    to_doubles(in_state(dm, from, d->active), 2 * s, state->active);
  if (d->node_before)
    get_history(dm, from, state);
  if (d->work_force)
    get_pin_forces(dm, from, state);
  memcpy(state->work, in_state(dm, from, d->work),
         (size_t)dm->bounds.n_slots * sizeof *state->work);
}

static viper_progress progress(const char *in, int64_t n_steps) {
  viper_control control;
  memcpy(&control, in, sizeof control);
  return (viper_progress){control.n_steps - n_steps, control.stopped};
}

static void move(viper_device_model *self, double time, double h, double from, char *out) {
  device_model *dm = (device_model *)self;
  viper_bounds_at(&dm->bounds, time, h, from);
  void *at = out;
  to_reals(dm->bounds.value, 4 * (size_t)dm->bounds.n_moving, at);
}

const viper_upload_api VIPER_NAME(viper_upload) = {
    sizeof(viper_real), sizeof(viper_control), create, moving, put, get, progress, move};
