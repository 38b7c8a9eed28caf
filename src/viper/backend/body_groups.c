// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/backend/body_groups.h"

#include "viper/backend/gathered_groups.h"
#include "viper/backend/line.h"
#include "viper/energy/term.h"

#include <stdlib.h>
#include <string.h>

/// A body's key: equal for bodies of one group.
typedef struct key {
  uint64_t hash;
  int32_t body;
} key;

static uint64_t mix(uint64_t hash, int64_t value) {
  return (hash ^ (uint64_t)value) * UINT64_C(0x100000001b3);
}

/// What makes a joint's topology, relative to its body, one item after the other; returns the
/// count.
static int joint_items(const viper_model_body *b, const viper_model_joint *t, int64_t out[10]) {
  int n = 0;
  for (int i = 0; i < 3; i++)
    out[n++] = t->node[i] - b->first_node;
  for (int i = 0; i < 2; i++)
    out[n++] = t->segment[i] - b->first_segment;
  out[n++] = viper_acting(t->k, VIPER_N_JOINT_TERMS);
  return n;
}

static int segment_items(const viper_model_body *b, const viper_model_segment *s, int64_t out[10]) {
  out[0] = s->node[0] - b->first_node;
  out[1] = s->node[1] - b->first_node;
  out[2] = (int64_t)s->pinned;
  out[3] = viper_segment_acting(s->k, s->k_solid);
  return 4;
}

static uint64_t hash_body(const viper_model *m, const viper_model_body *b) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  int64_t item[10];
  hash = mix(hash, b->n_nodes);
  for (int32_t i = 0; i < b->n_nodes; i++)
    hash = mix(hash, m->node[b->first_node + i].pinned);
  for (int32_t j = 0; j < b->n_segments; j++)
    for (int n = segment_items(b, &m->segment[b->first_segment + j], item), i = 0; i < n; i++)
      hash = mix(hash, item[i]);
  for (int32_t t = 0; t < b->n_joints; t++)
    for (int n = joint_items(b, &m->joint[b->first_joint + t], item), i = 0; i < n; i++)
      hash = mix(hash, item[i]);
  return hash;
}

static bool same_topology(const viper_model *m, const viper_model_body *a,
                          const viper_model_body *b) {
  int64_t x[10], y[10];
  if (a->n_nodes != b->n_nodes || a->n_segments != b->n_segments || a->n_joints != b->n_joints ||
      a->free_center != b->free_center)
    return false;
  for (int32_t i = 0; i < a->n_nodes; i++)
    if (m->node[a->first_node + i].pinned != m->node[b->first_node + i].pinned)
      return false;
  for (int32_t j = 0; j < a->n_segments; j++) {
    int n = segment_items(a, &m->segment[a->first_segment + j], x);
    segment_items(b, &m->segment[b->first_segment + j], y);
    if (memcmp(x, y, (size_t)n * sizeof *x) != 0)
      return false;
  }
  for (int32_t t = 0; t < a->n_joints; t++) {
    int n = joint_items(a, &m->joint[a->first_joint + t], x);
    joint_items(b, &m->joint[b->first_joint + t], y);
    if (memcmp(x, y, (size_t)n * sizeof *x) != 0)
      return false;
  }
  return true;
}

/// Whether two bodies of one group have the same rest data and inertias, too.
static bool same_rest(const viper_model *m, const viper_model_body *a, const viper_model_body *b,
                      double tolerance) {
  for (int32_t i = 0; i < a->n_nodes; i++)
    if (!viper_node_rest_equal(&m->node[a->first_node + i], &m->node[b->first_node + i], tolerance))
      return false;
  for (int32_t j = 0; j < a->n_segments; j++)
    if (!viper_segment_rest_equal(&m->segment[a->first_segment + j],
                                  &m->segment[b->first_segment + j], tolerance))
      return false;
  for (int32_t t = 0; t < a->n_joints; t++)
    if (!viper_joint_rest_equal(&m->joint[a->first_joint + t], &m->joint[b->first_joint + t],
                                tolerance))
      return false;
  return true;
}

static bool all_along(const viper_model *m) {
  for (size_t t = 0; t < m->n_joints; t++)
    if (m->joint[t].flip[0] < 0 || m->joint[t].flip[1] < 0)
      return false;
  return true;
}

/// Whether elements act on rows as in VIPER_CHAIN.
static bool is_chain(const viper_model *m) {
  bool chain = m->n_segments + 1 == m->n_nodes && m->n_joints + 1 == m->n_segments;
  for (size_t j = 0; chain && j < m->n_segments; j++)
    for (size_t side = 0; side < 2; side++)
      chain = chain && (size_t)m->segment[j].node[side] == j + side;
  for (size_t t = 0; chain && t < m->n_joints; t++) {
    const viper_model_joint *joint = &m->joint[t];
    chain = joint->outer;
    for (size_t role = 0; role < 3; role++)
      chain = chain && (size_t)joint->node[role] == t + role;
    for (size_t side = 0; side < 2; side++)
      chain = chain && (size_t)joint->segment[side] == t + side;
  }
  return chain;
}

/// Bodies one by one, on their own grounds or for lack of company; those that something drives
/// unless they are `gathered`.
static bool is_single(const viper_model_body *b, bool gathered) {
  return (!gathered && (b->driven || b->apart)) || b->n_nodes > VIPER_BODY_GROUP_MAX_NODES;
}

static int compare(const void *x, const void *y) {
  const key *a = x, *b = y;
  if (a->hash != b->hash)
    return a->hash < b->hash ? -1 : 1;
  return (a->body > b->body) - (a->body < b->body);
}

static int compare_bodies(const void *x, const void *y) {
  int32_t a = *(const int32_t *)x, b = *(const int32_t *)y;
  return (a > b) - (a < b);
}

/// One body of a model as a model of its own.
static viper_model *extract(const viper_model *m, const viper_model_body *b) {
  viper_model *one = viper_model_of_body(m->scene, b);
  if (!one)
    return NULL;
  one->has_moments = m->has_moments;
  memcpy(one->node, m->node + b->first_node, one->n_nodes * sizeof *one->node);
  memcpy(one->segment, m->segment + b->first_segment, one->n_segments * sizeof *one->segment);
  memcpy(one->joint, m->joint + b->first_joint, one->n_joints * sizeof *one->joint);
  memcpy(one->phase, m->phase + b->first_phase, one->n_phases * sizeof *one->phase);
  for (size_t j = 0; j < one->n_segments; j++)
    for (int i = 0; i < 2; i++)
      one->segment[j].node[i] -= b->first_node;
  for (size_t t = 0; t < one->n_joints; t++) {
    for (int i = 0; i < 3; i++)
      one->joint[t].node[i] -= b->first_node;
    for (int i = 0; i < 2; i++)
      one->joint[t].segment[i] -= b->first_segment;
  }
  for (size_t p = 0; p < one->n_phases; p++)
    one->phase[p].first -= one->phase[p].joints ? b->first_joint : b->first_segment;
  return one;
}

/// Finds the factors of a group whose rest data differ; it has none if some body's are no
/// multiples, or frames have moments of inertia of their own. False for want of memory.
static bool find_factors(const viper_model *m, double tolerance, viper_body_group *g) {
  if (m->has_moments)
    return true;
  g->factor = reallocarray(NULL, (size_t)g->n_bodies + 1, sizeof *g->factor);
  if (!g->factor)
    return false;
  int32_t i = 0;
  while (i < g->n_bodies && viper_body_rest_multiple(m, &m->body[g->body[0]], &m->body[g->body[i]],
                                                     tolerance, g->factor[i]))
    i++;
  if (i == g->n_bodies) {
    g->uniform = VIPER_MULTIPLES;
    return true;
  }
  free(g->factor);
  g->factor = NULL;
  return true;
}

/// Makes a group of the bodies of `run`, which have the same topology. It is freed with the others,
/// whole or not.
static vb_status make_group(const viper_model *m, const key *run, size_t n,
                            const viper_grouping *grouping, viper_body_group *out,
                            vb_error *error) {
  bool same = true, eliminate = grouping->direct;
  *out = (viper_body_group){.n_bodies = (int32_t)n};
  out->body = reallocarray(NULL, n + 1, sizeof *out->body);
  out->model = extract(m, &m->body[run[0].body]);
  if (!out->body || !out->model)
    return vb_error_memory(error);
  for (size_t i = 0; i < n; i++) {
    out->body[i] = run[i].body;
    same = same && same_rest(m, &m->body[run[0].body], &m->body[run[i].body], grouping->tolerance);
  }
  const bool along = all_along(out->model);
  out->chain = along && is_chain(out->model);
  const int shape = out->chain ? VIPER_CHAIN : along ? VIPER_ALONG : 0;
  if (same)
    out->uniform = shape ? shape : VIPER_UNIFORM;
  if (!same && grouping->multiples && shape >= grouping->multiples &&
      !find_factors(m, grouping->tolerance, out))
    return vb_error_memory(error);
  vb_status status = viper_adjacency_create(out->model, &out->adjacency, error);
  if (!status && eliminate)
    status = viper_elimination_create(out->model, &out->elimination, error);
  if (!status && eliminate && viper_chain_find(out->model, 0, &out->segments, &out->joints) &&
      out->joints.n != 2)
    out->root =
        viper_chain_root(out->elimination, out->model->body, &out->segments, &out->upper_first);
  return status;
}

/// Whether a body pays as the only one of a batch; one that is a line does not.
static bool batch_pays(const viper_model *m, const viper_model_body *b,
                       const viper_grouping *grouping) {
  int64_t vectors = 0, elements = 0;
  if (b->n_nodes > VIPER_BODY_GROUP_SINGLE_NODES ||
      (grouping->vector_cost > 0 && viper_line_is_best(m, (int32_t)(b - m->body), grouping->lanes)))
    return false;
  for (int32_t p = 0; p < b->n_phases && grouping->vector_cost > 0; p++) {
    int32_t count = m->phase[b->first_phase + p].count;
    vectors += (count + grouping->lanes - 1) / grouping->lanes;
    elements += count;
  }
  return vectors > 0 && (double)elements < grouping->vector_cost * (double)vectors;
}

/// Goes through the sorted keys run by run.
static vb_status make_groups(const viper_model *m, const key *sorted, size_t n,
                             const viper_grouping *grouping, viper_body_groups *out,
                             vb_error *error) {
  for (size_t i = 0, end; i < n; i = end) {
    for (end = i + 1; end < n && sorted[end].hash == sorted[i].hash &&
                      same_topology(m, &m->body[sorted[i].body], &m->body[sorted[end].body]);
         end++)
      ;
    if (end - i < VIPER_BODY_GROUP_MIN_BODIES &&
        !batch_pays(m, &m->body[sorted[i].body], grouping)) {
      for (size_t k = i; k < end; k++)
        out->single[out->n_singles++] = sorted[k].body;
      continue;
    }
    viper_body_group *group = VB_APPEND(out->group, out->n_groups);
    if (!group)
      return vb_error_memory(error);
    vb_status status = make_group(m, sorted + i, end - i, grouping, group, error);
    if (status)
      return status;
  }
  return VB_OK;
}

static vb_status create(const viper_model *m, const viper_grouping *grouping, bool gathered,
                        viper_body_groups *out, vb_error *error) {
  viper_body_groups body_groups = {0};
  key *sorted = reallocarray(NULL, m->n_bodies + 1, sizeof *sorted);
  size_t n = 0;
  vb_status status = VB_OK;
  body_groups.single = reallocarray(NULL, m->n_bodies + 1, sizeof *body_groups.single);
  if (!sorted || !body_groups.single)
    status = vb_error_memory(error);
  for (size_t k = 0; !status && k < m->n_bodies; k++) {
    if (grouping->none || is_single(&m->body[k], gathered))
      body_groups.single[body_groups.n_singles++] = (int32_t)k;
    else
      sorted[n++] = (key){hash_body(m, &m->body[k]), (int32_t)k};
  }
  if (!status) {
    qsort(sorted, n, sizeof *sorted, compare);
    status = make_groups(m, sorted, n, grouping, &body_groups, error);
    qsort(body_groups.single, body_groups.n_singles, sizeof *body_groups.single, compare_bodies);
  }
  free(sorted);
  if (status) {
    viper_body_groups_destroy(&body_groups);
    return status;
  }
  *out = body_groups;
  return VB_OK;
}

vb_status viper_body_groups_create(const viper_model *m, const viper_grouping *grouping,
                                   viper_body_groups *out, vb_error *error) {
  return create(m, grouping, false, out, error);
}

vb_status viper_gathered_groups_create(const viper_model *m, viper_body_groups *out,
                                       vb_error *error) {
  // By a negative tolerance none are uniform.
  const viper_grouping grouping = {.direct = true, .tolerance = -1};
  if (viper_has_held(m) || viper_has_bending_factors(m) || m->has_moments || m->fused ||
      m->n_follows > 0) {
    *out = (viper_body_groups){0};
    return VB_OK;
  }
  return create(m, &grouping, true, out, error);
}

vb_status viper_body_groups_complete(const viper_model *m, bool eliminate,
                                     viper_body_groups *body_groups, vb_error *error) {
  for (; body_groups->n_singles > 0; body_groups->n_singles--) {
    key one = {0, body_groups->single[body_groups->n_singles - 1]};
    viper_body_group *group = VB_APPEND(body_groups->group, body_groups->n_groups);
    const viper_grouping alone = {.direct = eliminate};
    vb_status status =
        group ? make_group(m, &one, 1, &alone, group, error) : vb_error_memory(error);
    if (status)
      return status;
  }
  for (size_t k = 0; eliminate && k < body_groups->n_groups; k++) {
    viper_body_group *group = &body_groups->group[k];
    vb_status status = viper_schedule_create(group->elimination, &group->schedule, error);
    if (status)
      return status;
  }
  return VB_OK;
}

void viper_body_groups_destroy(viper_body_groups *body_groups) {
  for (size_t k = 0; k < body_groups->n_groups; k++) {
    free(body_groups->group[k].body);
    free(body_groups->group[k].factor);
    viper_model_destroy(body_groups->group[k].model);
    viper_adjacency_destroy(body_groups->group[k].adjacency);
    viper_elimination_destroy(body_groups->group[k].elimination);
    viper_schedule_destroy(body_groups->group[k].schedule);
    viper_rounds_clear(&body_groups->group[k].rounds);
  }
  free(body_groups->group);
  free(body_groups->single);
  memset(body_groups, 0, sizeof *body_groups);
}
