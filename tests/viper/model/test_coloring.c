// SPDX-License-Identifier: GPL-3.0-or-later
/// Elements of one color share nothing, in every body, and no element is lost.
/// Covers: src/viper/model/model.*
#include "scenes/scenes.h"
#include "viper/model/model.h"

/// Marks the unknowns that an element of a phase touches; whether none was marked in this phase.
static bool mark(const viper_model *m, const viper_phase *phase, int32_t e, int32_t *last,
                 int32_t p) {
  int32_t touched[5], n = 0, n_nodes = (int32_t)m->n_nodes;
  if (phase->joints) {
    const viper_model_joint *t = &m->joint[e];
    touched[n++] = n_nodes + t->segment[0];
    touched[n++] = n_nodes + t->segment[1];
    touched[n++] = t->node[1];
    for (int k = 0; k < 3 && t->k[2] > 0; k += 2)
      touched[n++] = t->node[k];
  } else {
    touched[n++] = m->segment[e].node[0];
    touched[n++] = m->segment[e].node[1];
  }
  bool alone = true;
  for (int32_t k = 0; k < n; k++) {
    alone = alone && last[touched[k]] != p;
    last[touched[k]] = p;
  }
  return alone;
}

START_TEST(elements_of_one_color_are_independent) {
  const scenes_material *material = _i ? &scenes_rubber : &scenes_no_surface;
  vb_builder *b = scenes_begin(0.01, 0);
  scenes_bar(b, 8, 1, 0.05, material);
  scenes_octopus(b, 9, 3, 3, material);
  scenes_graph(b, 60, 20, 3, material);
  for (int k = 0, hub = fixture_node(b, 9, 9, 9, 0.1); k < 70; k++) // more than 64 colors
    scenes_segment(b, hub, fixture_node(b, 9 + cos(k), 9 + sin(k), 9, 0.1), material);
  vb_scene *scene = fixture_freeze(b);
  viper_model *m;
  ck_assert_int_eq(viper_model_create(scene, true, &m, NULL), VB_OK);
  int32_t *last = malloc((m->n_nodes + m->n_segments) * sizeof *last), p = 0;
  memset(last, -1, (m->n_nodes + m->n_segments) * sizeof *last);
  size_t elements[2] = {0, 0};
  for (size_t k = 0; k < m->n_bodies; k++) {
    const viper_model_body *body = &m->body[k];
    ck_assert_int_eq(body->first_phase, p);
    for (; p < body->first_phase + body->n_phases; p++) {
      const viper_phase *phase = &m->phase[p];
      ck_assert_int_eq(phase->first, (int32_t)elements[phase->joints]);
      for (int32_t e = phase->first; e < phase->first + phase->count; e++)
        ck_assert(mark(m, phase, e, last, p));
      elements[phase->joints] += (size_t)phase->count;
    }
  }
  ck_assert_uint_eq(elements[0], m->n_segments);
  ck_assert_uint_eq(elements[1], m->n_joints);
  ck_assert_int_eq(m->body[0].n_phases, _i ? 2 + 3 : 2 + 2); // a chain: red and black, joints too
  free(last);
  viper_model_destroy(m);
  free(scene);
}
END_TEST

static TCase *colors(void) {
  TCase *t = tcase_create("colors");
  tcase_add_loop_test(t, elements_of_one_color_are_independent, 0, 2);
  return t;
}

VB_TEST_MAIN("coloring", colors())
