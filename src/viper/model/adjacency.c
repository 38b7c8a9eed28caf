// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/model/adjacency.h"

#include "viper/energy/term.h"
#include "viper/model/coloring.h"

#include <stdbool.h>
#include <stdlib.h>

/// A table under construction.
typedef struct draft {
  viper_table *table;
  int32_t roles;
  size_t n; ///< rows
} draft;

/// Goes over all elements: first to count, then to fill.
static void visit(const viper_model *m, draft d[3],
                  void (*note)(draft *d, int32_t row, int32_t role, int32_t element)) {
  for (size_t j = 0; j < m->n_segments; j++)
    for (int32_t role = 0; role < 2; role++)
      note(&d[0], m->segment[j].node[role], role, (int32_t)j);
  for (size_t k = 0; k < m->n_joints; k++) {
    const viper_model_joint *joint = &m->joint[k];
    for (int32_t role = 0; role < 3; role++)
      if (role == 1 || joint->outer)
        note(&d[1], joint->node[role], role, (int32_t)k);
    for (int32_t role = 0; role < 2; role++)
      note(&d[2], joint->segment[role], role, (int32_t)k);
  }
}

static void count_entry(draft *d, int32_t row, int32_t role, int32_t element) {
  (void)element;
  d->table->first[d->roles * row + role + 2]++;
}

static void fill_entry(draft *d, int32_t row, int32_t role, int32_t element) {
  d->table->element[d->table->first[d->roles * row + role + 1]++] = element;
}

static bool fill_tables(const viper_model *m, viper_adjacency *l) {
  draft d[3] = {{&l->node_segment, 2, m->n_nodes},
                {&l->node_joint, 3, m->n_nodes},
                {&l->frame_joint, 2, m->n_segments}};
  for (int i = 0; i < 3; i++)
    VB_TAKE(&l->memory, d[i].table->first, (size_t)d[i].roles * d[i].n + 3);
  if (l->memory.failed)
    return false;
  visit(m, d, count_entry);
  for (int i = 0; i < 3; i++) {
    int32_t *first = d[i].table->first;
    size_t n = (size_t)d[i].roles * d[i].n;
    for (size_t k = 0; k <= n; k++)
      first[k + 1] += first[k];
    if (!VB_TAKE(&l->memory, d[i].table->element, (size_t)first[n + 1]))
      return false;
  }
  visit(m, d, fill_entry);
  return true;
}

/// The segments at a node, and the joints that tie it to other nodes.
static int node_ties(const viper_model *m, const viper_adjacency *l, int32_t i, int32_t *touched) {
  const viper_table *s = &l->node_segment, *t = &l->node_joint;
  int n = 0;
  for (int32_t k = s->first[2 * i]; k < s->first[2 * i + 2]; k++)
    touched[n++] = s->element[k];
  for (int32_t k = t->first[3 * i]; k < t->first[3 * i + 3]; k++)
    if (m->joint[t->element[k]].outer)
      touched[n++] = (int32_t)m->n_segments + t->element[k];
  return n;
}

static int frame_ties(const viper_adjacency *l, int32_t j, int32_t *touched) {
  const viper_table *t = &l->frame_joint;
  int n = 0;
  for (int32_t k = t->first[2 * j]; k < t->first[2 * j + 2]; k++)
    touched[n++] = t->element[k];
  return n;
}

/// Colors all nodes (or frames), and writes their places and each body's phases.
static vb_status order(const viper_model *m, viper_adjacency *l, bool frames, viper_coloring **out,
                       vb_error *error) {
  size_t n = frames ? m->n_segments : m->n_nodes;
  size_t most = 2 * m->n_segments + 3 * m->n_joints + 1;
  viper_coloring *c = NULL;
  int32_t *touched = reallocarray(NULL, most, sizeof *touched),
          *place = reallocarray(NULL, n + 1, sizeof *place);
  int32_t *body_of = calloc(n + 1, sizeof *body_of);
  int32_t *list = frames ? l->frame_order : l->node_order;
  vb_status status = touched && place && body_of ? VB_OK : vb_error_memory(error);
  if (!status)
    status = viper_coloring_create(n, m->n_segments + m->n_joints, m->n_bodies, &c, error);
  for (size_t k = 0; !status && k < m->n_bodies; k++) {
    int32_t first = frames ? m->body[k].first_segment : m->body[k].first_node;
    int32_t count = frames ? m->body[k].n_segments : m->body[k].n_nodes;
    for (int32_t i = first; i < first + count; i++)
      body_of[i] = (int32_t)k;
  }
  for (size_t i = 0; !status && i < n; i++) {
    int ties_of =
        frames ? frame_ties(l, (int32_t)i, touched) : node_ties(m, l, (int32_t)i, touched);
    status = viper_coloring_add(c, body_of[i], touched, ties_of, error);
  }
  if (!status)
    status = viper_coloring_place(c, place, error);
  for (size_t i = 0; !status && i < n; i++)
    list[place[i]] = (int32_t)i;
  free(touched);
  free(place);
  free(body_of);
  *out = c;
  return status;
}

static vb_status find_order(const viper_model *m, viper_adjacency *l, vb_error *error) {
  viper_coloring *nodes = NULL, *frames = NULL;
  vb_status status = order(m, l, false, &nodes, error);
  if (!status)
    status = order(m, l, true, &frames, error);
  if (!status) {
    VB_TAKE(&l->memory, l->phase, viper_coloring_n_phases(nodes) + viper_coloring_n_phases(frames));
    status = vb_arena_status(&l->memory, error);
  }
  int32_t n = 0, first, count;
  for (size_t k = 0; !status && k < m->n_bodies; k++) {
    l->body_phase[k] = n;
    n += (int32_t)viper_coloring_phases(nodes, k, 0, l->phase + n, &first, &count);
    n += (int32_t)viper_coloring_phases(frames, k, 1, l->phase + n, &first, &count);
    l->body_phase[k + 1] = n;
  }
  viper_coloring_destroy(nodes);
  viper_coloring_destroy(frames);
  return status;
}

static int32_t at_least_one(int32_t n) {
  return n > 0 ? n : 1;
}

/// How many terms act on any of these unknowns.
static int32_t on_segment(const viper_model_segment *s, int32_t unknowns) {
  return viper_count_acting(viper_segment_term, s->k, VIPER_N_SEGMENT_TERMS, unknowns);
}

static int32_t on_joint(const viper_model_joint *t, int32_t unknowns) {
  return viper_count_acting(viper_joint_term, t->k, VIPER_N_JOINT_TERMS, unknowns);
}

static void count_terms(const viper_model *m, viper_adjacency *l) {
  for (size_t j = 0; j < m->n_segments; j++) {
    const viper_model_segment *segment = &m->segment[j];
    for (int side = 0; side < 2; side++) {
      viper_counts *count = &l->node_count[segment->node[side]];
      count->center += on_segment(segment, VIPER_END_CENTER(side));
      count->scale += on_segment(segment, VIPER_END_SCALE(side));
    }
    l->frame_count[j] += on_segment(segment, VIPER_SEGMENT_FRAME);
  }
  for (size_t t = 0; t < m->n_joints; t++) {
    const viper_model_joint *joint = &m->joint[t];
    for (int role = 0; role < 3; role++)
      l->node_count[joint->node[role]].scale += on_joint(joint, 1 << role);
    for (int side = 0; side < 2; side++)
      l->frame_count[joint->segment[side]] += on_joint(joint, VIPER_JOINT_FRAME(side));
  }
  for (size_t i = 0; i < m->n_nodes; i++) {
    l->node_count[i].center = at_least_one(l->node_count[i].center);
    l->node_count[i].scale = at_least_one(l->node_count[i].scale);
  }
  for (size_t j = 0; j < m->n_segments; j++)
    l->frame_count[j] = at_least_one(l->frame_count[j]);
}

vb_status viper_adjacency_create(const viper_model *m, viper_adjacency **out, vb_error *error) {
  viper_adjacency *l = calloc(1, sizeof *l);
  if (!l)
    return vb_error_memory(error);
  VB_TAKE(&l->memory, l->node_order, m->n_nodes);
  VB_TAKE(&l->memory, l->frame_order, m->n_segments);
  VB_TAKE(&l->memory, l->body_phase, m->n_bodies + 1);
  VB_TAKE(&l->memory, l->node_count, m->n_nodes);
  VB_TAKE(&l->memory, l->frame_count, m->n_segments);
  vb_status status = fill_tables(m, l) ? find_order(m, l, error) : vb_error_memory(error);
  if (status) {
    viper_adjacency_destroy(l);
    return status;
  }
  count_terms(m, l);
  *out = l;
  return VB_OK;
}

void viper_adjacency_destroy(viper_adjacency *adjacency) {
  if (adjacency)
    vb_arena_clear(&adjacency->memory);
  free(adjacency);
}
