// SPDX-License-Identifier: GPL-3.0-or-later
/// Rounds hold every element once, none of them more than there are threads, and elements that
/// share an unknown go on in the order of their colors.
/// Covers: src/viper/model/rounds.*
#include "scenes/scenes.h"
#include "viper/backend/body_groups.h"

typedef struct bodies {
  vb_scene *scene;
  viper_model *model;
  viper_body_groups groups;
} bodies;

static bodies make(vb_builder *b) {
  bodies m = {.scene = fixture_freeze(b)};
  const viper_grouping grouping = {0};
  ck_assert_int_eq(viper_model_create(m.scene, true, &m.model, NULL), VB_OK);
  ck_assert_int_eq(viper_body_groups_create(m.model, &grouping, &m.groups, NULL), VB_OK);
  ck_assert_int_eq(viper_body_groups_complete(m.model, false, &m.groups, NULL), VB_OK);
  return m;
}

static void drop(bodies *m) {
  viper_body_groups_destroy(&m->groups);
  viper_model_destroy(m->model);
  free(m->scene);
}

/// The unknowns of an element: nodes, then frames.
static int list_unknowns(const viper_model *m, bool joints, int32_t e, int32_t unknown[5]) {
  const int32_t n_nodes = (int32_t)m->n_nodes;
  if (!joints) {
    memcpy(unknown, m->segment[e].node, 2 * sizeof *unknown);
    unknown[2] = n_nodes + e;
    return 3;
  }
  const viper_model_joint *joint = &m->joint[e];
  unknown[0] = n_nodes + joint->segment[0];
  unknown[1] = n_nodes + joint->segment[1];
  unknown[2] = joint->node[1];
  unknown[3] = joint->node[0];
  unknown[4] = joint->node[2];
  return joint->outer ? 5 : 3;
}

static int32_t color_of(const viper_model *m, bool joints, int32_t e) {
  size_t p = 0;
  while (m->phase[p].joints != joints || e < m->phase[p].first ||
         e >= m->phase[p].first + m->phase[p].count)
    p++;
  return (int32_t)p;
}

/// Whether elements of the rounds follow each other at every unknown as their colors do, and none
/// of a round shares one.
static bool follow_colors(const viper_model *m, const viper_rounds *rounds) {
  int32_t *round = calloc(m->n_nodes + m->n_segments, sizeof *round), unknown[5];
  int32_t *color = calloc(m->n_nodes + m->n_segments, sizeof *color);
  bool follow = true;
  for (int32_t r = 0; r < rounds->n; r++)
    for (int32_t k = 0; k < rounds->phase[r].count; k++) {
      const bool joints = rounds->phase[r].joints;
      const int32_t e = rounds->order[rounds->phase[r].first + k], c = color_of(m, joints, e);
      const int n = list_unknowns(m, joints, e, unknown);
      for (int i = 0; i < n; i++) {
        follow &= round[unknown[i]] <= r && color[unknown[i]] <= c;
        round[unknown[i]] = r + 1;
        color[unknown[i]] = c + 1;
      }
    }
  free(round);
  free(color);
  return follow;
}

static bool has_each_once(const viper_model *m, const viper_rounds *rounds, int threads) {
  int *seen[2] = {calloc(m->n_segments + 1, sizeof(int)), calloc(m->n_joints + 1, sizeof(int))};
  int32_t n = 0;
  bool once = true;
  for (int32_t r = 0; r < rounds->n; r++) {
    const viper_phase *phase = &rounds->phase[r];
    once &= phase->first == n && phase->count > 0 && phase->count <= threads;
    for (int32_t k = 0; k < phase->count; k++)
      once &= seen[phase->joints][rounds->order[n++]]++ == 0;
  }
  free(seen[0]);
  free(seen[1]);
  return once && n == (int32_t)(m->n_segments + m->n_joints);
}

/// By colors one after the other.
static int64_t rounds_by_colors(const viper_model *m, int threads) {
  int64_t n = 0;
  for (size_t p = 0; p < m->n_phases; p++)
    n += (m->phase[p].count + threads - 1) / threads;
  return n;
}

START_TEST(rounds_are_packed_in_the_order_of_colors) {
  const scenes_material *material = _i ? &scenes_rubber : &scenes_no_surface;
  vb_builder *b = scenes_begin(0.01, 0);
  scenes_bar(b, 32, 1, 0.05, material);
  scenes_octopus(b, 9, 3, 3, material);
  scenes_graph(b, 60, 20, 3, material);
  bodies m = make(b);
  int packed = 0;
  for (size_t k = 0; k < m.groups.n_groups; k++)
    for (int threads = 1; threads <= 64; threads *= 2) {
      const viper_model *body = m.groups.group[k].model;
      const int64_t by_colors = rounds_by_colors(body, threads);
      viper_rounds rounds = {0};
      ck_assert_int_eq(viper_rounds_pack(body, threads, &rounds, NULL), VB_OK);
      if (rounds.n > 0) {
        ck_assert(has_each_once(body, &rounds, threads));
        ck_assert(follow_colors(body, &rounds));
        ck_assert_int_le(rounds.n, by_colors);
        ck_assert_int_ge(rounds.n, viper_rounds_count(body, threads));
        packed++;
      } else
        ck_assert_int_eq(by_colors, (int64_t)body->n_phases);
      viper_rounds_clear(&rounds);
    }
  ck_assert_int_gt(packed, 8);
  drop(&m);
}
END_TEST

/// 32 segments of two colors and 31 joints of three: eight threads take eight rounds, where colors
/// one after the other would take ten.
START_TEST(threads_of_a_rod_do_not_idle) {
  static const int threads[] = {1, 2, 4, 8, 16, 32};
  static const int rounds_of_them[] = {63, 32, 16, 8, 5, 5};
  vb_builder *b = scenes_begin(0.01, 0);
  scenes_bar(b, 32, 1, 0.05, &scenes_rubber);
  bodies m = make(b);
  const viper_model *rod = m.groups.group[0].model;
  ck_assert_int_eq(rounds_by_colors(rod, 8), 10);
  for (size_t k = 0; k < sizeof threads / sizeof *threads; k++) {
    viper_rounds rounds = {0};
    ck_assert_int_eq(viper_rounds_count(rod, threads[k]), rounds_of_them[k]);
    ck_assert_int_eq(viper_rounds_pack(rod, threads[k], &rounds, NULL), VB_OK);
    ck_assert_int_eq(rounds.n, threads[k] < 16 ? rounds_of_them[k] : 0);
    viper_rounds_clear(&rounds);
  }
  drop(&m);
}
END_TEST

static TCase *rounds(void) {
  TCase *t = tcase_create("rounds");
  tcase_add_loop_test(t, rounds_are_packed_in_the_order_of_colors, 0, 2);
  tcase_add_test(t, threads_of_a_rod_do_not_idle);
  return t;
}

VB_TEST_MAIN("rounds", rounds())
