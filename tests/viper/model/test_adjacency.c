// SPDX-License-Identifier: GPL-3.0-or-later
/// Who acts on whom, counted again in another way; the order of block descent; and how many terms
/// act on each unknown.
/// Covers: src/viper/energy/term.*
#include "scenes/scenes.h"
#include "viper/model/adjacency.h"

typedef struct linked {
  vb_scene *scene;
  viper_model *model;
  viper_adjacency *adjacency;
} linked;

static linked link_scene(vb_builder *b) {
  linked l = {.scene = fixture_freeze(b)};
  ck_assert_int_eq(viper_model_create(l.scene, true, &l.model, NULL), VB_OK);
  ck_assert_int_eq(viper_adjacency_create(l.model, &l.adjacency, NULL), VB_OK);
  return l;
}

static void linked_free(linked *l) {
  viper_adjacency_destroy(l->adjacency);
  viper_model_destroy(l->model);
  free(l->scene);
}

/// Chains, branches, loops, and a hub.
static linked graph(bool surface) {
  const scenes_material *material = surface ? &scenes_rubber : &scenes_no_surface;
  vb_builder *b = scenes_begin(0.01, 0);
  scenes_bar(b, 8, 1, 0.05, material);
  scenes_helix(b, 7, 2, material);
  scenes_octopus(b, 9, 3, 3, material);
  scenes_graph(b, 60, 20, 3, material);
  for (int k = 0, hub = fixture_node(b, 9, 9, 9, 0.1); k < 20; k++)
    scenes_segment(b, hub, fixture_node(b, 9 + cos(k), 9 + sin(k), 9, 0.1), material);
  return link_scene(b);
}

/// Whether the elements listed for a row and role are those of `expected` (n of them, rising).
static bool listed(const viper_table *t, int roles, int32_t row, int role, const int32_t *expected,
                   int n) {
  int32_t first = t->first[roles * row + role], end = t->first[roles * row + role + 1];
  return end - first == n && !memcmp(t->element + first, expected, (size_t)n * sizeof *expected);
}

/// Each row lists the elements that name it, by looking through all elements.
START_TEST(adjacency_lists_acting_elements) {
  linked l = graph(_i);
  const viper_model *m = l.model;
  int32_t found[256];
  for (size_t i = 0; i < m->n_nodes; i++)
    for (int role = 0; role < 3; role++) {
      int n = 0;
      for (size_t j = 0; role < 2 && j < m->n_segments; j++)
        if (m->segment[j].node[role] == (int32_t)i)
          found[n++] = (int32_t)j;
      ck_assert(role == 2 || listed(&l.adjacency->node_segment, 2, (int32_t)i, role, found, n));
      n = 0;
      for (size_t t = 0; t < m->n_joints; t++)
        if (m->joint[t].node[role] == (int32_t)i && (role == 1 || _i))
          found[n++] = (int32_t)t;
      ck_assert(listed(&l.adjacency->node_joint, 3, (int32_t)i, role, found, n));
    }
  for (size_t j = 0; j < m->n_segments; j++)
    for (int role = 0; role < 2; role++) {
      int n = 0;
      for (size_t t = 0; t < m->n_joints; t++)
        if (m->joint[t].segment[role] == (int32_t)j)
          found[n++] = (int32_t)t;
      ck_assert(listed(&l.adjacency->frame_joint, 2, (int32_t)j, role, found, n));
    }
  linked_free(&l);
}
END_TEST

/// Whether a term acts on both of two nodes (or frames) of the model.
static bool tied(const viper_model *m, bool frames, int32_t a, int32_t b) {
  for (size_t j = 0; !frames && j < m->n_segments; j++)
    if ((m->segment[j].node[0] == a && m->segment[j].node[1] == b) ||
        (m->segment[j].node[0] == b && m->segment[j].node[1] == a))
      return true;
  for (size_t t = 0; t < m->n_joints; t++) {
    const int32_t *member = frames ? m->joint[t].segment : m->joint[t].node;
    bool has_a = false, has_b = false;
    for (int k = 0; k < (frames ? 2 : m->joint[t].k[2] > 0 ? 3 : 0); k++) {
      has_a = has_a || member[k] == a;
      has_b = has_b || member[k] == b;
    }
    if (has_a && has_b)
      return true;
  }
  return false;
}

/// Nodes, then frames of a body, each once; those of one phase share no term.
START_TEST(phases_share_no_term) {
  linked l = graph(_i);
  const viper_model *m = l.model;
  int *seen = calloc(m->n_nodes + m->n_segments, sizeof *seen);
  for (size_t k = 0; k < m->n_bodies; k++)
    for (int32_t p = l.adjacency->body_phase[k]; p < l.adjacency->body_phase[k + 1]; p++) {
      const viper_phase *phase = &l.adjacency->phase[p];
      bool frames = phase->joints;
      const int32_t *list =
          (frames ? l.adjacency->frame_order : l.adjacency->node_order) + phase->first;
      const viper_model_body *body = &m->body[k];
      int32_t first = frames ? body->first_segment : body->first_node;
      ck_assert_int_gt(phase->count, 0);
      for (int32_t i = 0; i < phase->count; i++) {
        ck_assert_int_ge(list[i], first);
        ck_assert_int_lt(list[i], first + (frames ? body->n_segments : body->n_nodes));
        seen[list[i] + (frames ? (int32_t)m->n_nodes : 0)]++;
        for (int32_t other = 0; other < i; other++)
          ck_assert(!tied(m, frames, list[i], list[other]));
      }
    }
  for (size_t i = 0; i < m->n_nodes + m->n_segments; i++)
    ck_assert_int_eq(seen[i], 1);
  // A chain: red and black, and three colors for its nodes where surface_bend ties scales.
  ck_assert_int_eq(l.adjacency->body_phase[1], (_i ? 3 : 2) + 2);
  free(seen);
  linked_free(&l);
}
END_TEST

/// The counts of a chain by hand. Of a segment, stretch and volume act on centers and its frame,
/// section, taper and volume on scales; of a joint, bend, twist and volume_bend on its node's scale
/// and two frames, surface_bend on three scales.
START_TEST(counts_of_a_chain) {
  enum { N = 6 };
  vb_builder *b = scenes_begin(0.01, 0);
  scenes_bar(b, N, 1, 0.05, _i ? &scenes_rubber : &scenes_no_surface);
  linked l = link_scene(b);
  for (int i = 0; i <= N; i++) {
    int segments = (i > 0) + (i < N), joint = i > 0 && i < N;
    int surface = (i > 1) + joint + (i < N - 1); // joints at i - 1, i and i + 1
    int at = l.model->node_at[i];
    ck_assert_int_eq(l.adjacency->node_count[at].center, 2 * segments);
    ck_assert_int_eq(l.adjacency->node_count[at].scale,
                     3 * segments + 3 * joint + (_i ? surface : 0));
  }
  for (int j = 0; j < N; j++)
    ck_assert_int_eq(l.adjacency->frame_count[l.model->segment_at[j]],
                     2 + 3 * ((j > 0) + (j < N - 1)));
  linked_free(&l);
}
END_TEST

/// A term without stiffness does not count; what nothing acts on counts 1.
START_TEST(terms_without_stiffness_do_not_count) {
  vb_builder *b = scenes_begin(0.01, 0);
  scenes_material only_kz = {1000, {0, 0, 5e4, 0, 0, 0}}, nothing = {1000, {0}};
  scenes_bar(b, 2, 1, 0.05, &only_kz);
  scenes_bar(b, 2, 1, 0.05, &nothing);
  linked l = link_scene(b);
  static const int center[6] = {1, 2, 1, 1, 1, 1}, frame[4] = {2, 2, 1, 1};
  for (int i = 0; i < 6; i++) { // at node 1, bend alone acts on a scale
    ck_assert_int_eq(l.adjacency->node_count[l.model->node_at[i]].center, center[i]);
    ck_assert_int_eq(l.adjacency->node_count[l.model->node_at[i]].scale, 1);
  }
  for (int j = 0; j < 4; j++)
    ck_assert_int_eq(l.adjacency->frame_count[l.model->segment_at[j]], frame[j]);
  linked_free(&l);
}
END_TEST

static TCase *adjacency(void) {
  TCase *t = tcase_create("links");
  tcase_add_loop_test(t, adjacency_lists_acting_elements, 0, 2);
  tcase_add_loop_test(t, phases_share_no_term, 0, 2);
  tcase_add_loop_test(t, counts_of_a_chain, 0, 2);
  tcase_add_test(t, terms_without_stiffness_do_not_count);
  return t;
}

VB_TEST_MAIN("links", adjacency())
