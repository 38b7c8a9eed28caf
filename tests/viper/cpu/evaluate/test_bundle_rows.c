// SPDX-License-Identifier: GPL-3.0-or-later
/// Rows of bundles at random states: their gradient and second derivatives against differences,
/// and what a motion of all that there is leaves as it is.
#define VIPER_PRECISION 64
#include "viper/cpu/evaluate/bundle_rows.h"

#include "scenes/scenes.h"
#include "viper/cpu/evaluate/unknowns.h"

enum { MEMBERS = 4 };

/// A section of members of several radii, in a state, and with multipliers, at random.
typedef struct section {
  vb_scene *scene;
  viper_model *model;
  viper_bundles rest;
  viper_bundle_rows rows;
  viper_cpu cpu;
  size_t n; ///< unknowns
} section;

static void open_section(section *s, viper_bundle_scale scale, uint64_t seed) {
  vb_builder *b = scenes_begin(0.01, 9.81);
  for (int i = 0; i < MEMBERS; i++) {
    const double y = 0.1 * (i % 2), z = i < 2 ? 0 : 0.1, radius = 0.03 + 0.005 * i;
    int32_t at = fixture_node(b, 0.01 * i, y, z, radius);
    fixture_node(b, 0.2, y + 0.01 * i, z, radius);
    scenes_segment(b, at, at + 1, &scenes_rubber);
    fixture_add(b, VB_SET_BUNDLE, &(vb_bundled){0, i});
  }
  s->scene = fixture_freeze(b);
  ck_assert_int_eq(viper_model_create(s->scene, false, &s->model, NULL), VB_OK);
  ck_assert_int_eq(viper_bundles_create(s->model, scale, &s->rest, NULL), VB_OK);
  ck_assert_int_eq(viper_bundle_rows_create(&s->rows, s->model, &s->rest, NULL), VB_OK);
  s->n = viper_count_unknowns(s->model) + VIPER_TRANSFORM_UNKNOWNS;
  s->cpu = (viper_cpu){.model = s->model};
  s->cpu.node = calloc(s->model->n_nodes, sizeof *s->cpu.node);
  s->cpu.frame = calloc(s->model->n_segments, sizeof *s->cpu.frame);
  ck_assert(s->cpu.node && s->cpu.frame);
  size_t n;
  const vb_node *node = vb_scene_nodes(s->scene, &n);
  for (size_t i = 0; i < n; i++) {
    const double *x = node[s->model->node[i].scene_index].rest_position;
    double at[4] = {x[0], x[1], x[2], 1.1};
    for (int k = 0; k < 4; k++)
      at[k] += 0.02 * scenes_random(&seed);
    s->cpu.node[i] = viper_node_from(at);
  }
  for (size_t j = 0; j < s->model->n_segments; j++) {
    double turn[3];
    for (int k = 0; k < 3; k++)
      turn[k] = 0.4 * scenes_random(&seed);
    s->cpu.frame[j] = viper_quat_turn(viper_quat_from(s->rest.member[j].rest_frame),
                                      viper_vec3_make(turn[0], turn[1], turn[2]));
  }
  viper_bundle_rows_begin(&s->rows, 0.01);
  for (size_t i = 0; i < s->rows.n_members; i++)
    for (int r = 0; r < VIPER_BUNDLE_ROWS; r++) { // as large as the forces of the penalty
      s->rows.row[i].penalty[r] = 1 + 0.5 * scenes_random(&seed);
      s->rows.row[i].multiplier[r] = 0.1 * scenes_random(&seed);
    }
  viper_bundle_rows_fit(&s->rows, &s->cpu);
  viper_bundle_rows_place(&s->rows, &s->cpu);
}

static void close_section(section *s) {
  free(s->cpu.node);
  free(s->cpu.frame);
  viper_bundle_rows_clear(&s->rows);
  viper_bundles_destroy(&s->rest);
  viper_model_destroy(s->model);
  free(s->scene);
}

/// Goes by `part` of a move over all unknowns, and places the rows there.
static void go(section *s, const section *from, const double *move, double part) {
  const viper_model *m = s->model;
  for (size_t i = 0; i < m->n_nodes; i++) {
    double x[4];
    viper_node_to(from->cpu.node[i], x);
    for (size_t k = 0; k < 4; k++)
      x[k] += part * move[4 * i + k];
    s->cpu.node[i] = viper_node_from(x);
  }
  for (size_t j = 0; j < m->n_segments; j++) {
    const double *d = move + viper_unknown_of_frame(m, (int32_t)j, 0);
    s->cpu.frame[j] =
        viper_quat_turn(from->cpu.frame[j], viper_vec3_make(part * d[0], part * d[1], part * d[2]));
  }
  viper_bundle_rows_note(&s->rows);
  memcpy(s->rows.from, from->rows.at, sizeof *s->rows.from);
  viper_bundle_rows_move(&s->rows, move, part);
  viper_bundle_rows_place(&s->rows, &s->cpu);
}

/// Along random moves the objective changes as the gradient says, and the gradient as the second
/// derivatives do.
START_TEST(derivatives_are_those_of_the_objective) {
  uint64_t seed = 5;
  section here, there;
  open_section(&here, _i ? VIPER_RIGID_BUNDLES : VIPER_SCALED_BUNDLES, 7);
  open_section(&there, _i ? VIPER_RIGID_BUNDLES : VIPER_SCALED_BUNDLES, 7);
  double *move = calloc(2 * here.n, sizeof *move), *gradient = move + here.n;
  const double width = 1e-4;
  ck_assert_ptr_nonnull(move);
  viper_bundle_rows_gradient(&here.rows, gradient);
  for (int trial = 0; trial < 5; trial++) {
    double value[2], slope = 0, bend = 0;
    for (size_t u = 0; u < here.n; u++)
      move[u] = scenes_random(&seed);
    if (_i)
      move[here.n - 4] = 0; // the scale of what is rigid
    for (int k = 0; k < 2; k++) {
      go(&there, &here, move, k ? width : -width);
      value[k] = viper_bundle_rows_objective(&there.rows);
    }
    for (size_t u = 0; u < here.n; u++)
      slope += gradient[u] * move[u];
    // Central differences are off by a sixth of the third derivative times 1e-8.
    ck_assert_double_eq_tol((value[1] - value[0]) / (2 * width), slope, 1e-6);
    for (int32_t i = 0; i < MEMBERS; i++) {
      double h[VIPER_MEMBER_UNKNOWNS][VIPER_MEMBER_UNKNOWNS];
      int32_t at[VIPER_MEMBER_UNKNOWNS];
      viper_bundle_rows_unknowns(&here.rows, 0, i, at);
      viper_bundle_rows_block(&here.rows, 0, i, true, h);
      for (int u = 0; u < VIPER_MEMBER_UNKNOWNS; u++)
        for (int v = 0; v < VIPER_MEMBER_UNKNOWNS; v++)
          bend += move[at[u]] * h[u][v] * move[at[v]];
    }
    const double measured =
        (value[0] + value[1] - 2 * viper_bundle_rows_objective(&here.rows)) / (width * width);
    // Rounding of values of some 1, over 1e-8.
    ck_assert_double_eq_tol(measured, bend, 1e-5 * fabs(bend) + 1e-6);
  }
  free(move);
  close_section(&here);
  close_section(&there);
}
END_TEST

/// A shift or a turn of nodes, frames and transform together changes nothing: their forces and
/// torques add up to 0, whatever the multipliers. So where those of the transform are 0, momentum
/// and angular momentum are kept.
START_TEST(a_motion_of_all_changes_no_row) {
  section s;
  open_section(&s, VIPER_SCALED_BUNDLES, 11);
  double *g = calloc(s.n, sizeof *g), force[3] = {0}, torque[3] = {0}, q[4], turned[3];
  ck_assert_ptr_nonnull(g);
  const viper_bundle_transform *t = &s.rows.at[0];
  const double *own = g + viper_count_unknowns(s.model);
  viper_bundle_rows_gradient(&s.rows, g);
  for (size_t i = 0; i < s.model->n_nodes; i++) {
    double x[4], moment[3];
    viper_node_to(s.cpu.node[i], x);
    vb_subtract(x, t->mean, x);
    vb_cross(x, g + 4 * i, moment);
    for (int k = 0; k < 3; k++) {
      force[k] += g[4 * i + (size_t)k];
      torque[k] += moment[k];
    }
  }
  ck_assert_double_gt(fabs(force[0]) + fabs(torque[0]), 1e-3); // those of the transform are not 0
  for (size_t j = 0; j < s.model->n_segments; j++) {
    viper_quat_to(s.cpu.frame[j], q);
    vb_quaternion_rotate(q, g + viper_unknown_of_frame(s.model, (int32_t)j, 0), turned);
    vb_add_scaled(torque, 1, turned, torque);
  }
  vb_quaternion_rotate(t->rotation, own, turned);
  vb_add_scaled(force, 1, turned, force);
  vb_quaternion_rotate(t->rotation, own + 4, turned);
  vb_add_scaled(torque, 1, turned, torque);
  for (int k = 0; k < 3; k++) { // rounding of sums of some 1 N and 0.1 N m
    ck_assert_double_eq_tol(force[k], 0, 1e-14);
    ck_assert_double_eq_tol(torque[k], 0, 1e-14);
  }
  free(g);
  close_section(&s);
}
END_TEST

static TCase *rows_case(void) {
  TCase *test = tcase_create("rows");
  tcase_add_loop_test(test, derivatives_are_those_of_the_objective, 0, 2);
  tcase_add_test(test, a_motion_of_all_changes_no_row);
  return test;
}

VB_TEST_MAIN("bundle rows", rows_case())
