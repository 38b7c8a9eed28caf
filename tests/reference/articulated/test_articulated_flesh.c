// SPDX-License-Identifier: GPL-3.0-or-later
/// Flesh against flesh in the solver articulated: depths below flat surfaces, which are exact,
/// balanced forces, rest, parts of one body, and the same bits for any number of threads.
/// Covers: reference/articulated/contact.* reference/articulated/overlap.*
/// Covers: reference/articulated/surface.*
#include "handle.h"
#include "mesh/mesh.h"
#include "scenes/scenes.h"

#include "scene/rotation.h"

#include <math.h>

#define SOLVER "articulated"

static const double step = 0.005, stiffness = 300;

/// A box that rests apart from all others, and is moved by `shift` from there.
typedef struct block {
  double from[3], size[3];
  int32_t cells[3];
  double shift[3], velocity[3];
  bool slotted; ///< without the cells in the middle of z beyond the first of x
} block;

static bool in_slot(const block *k, const vb_mesh *mesh, const int32_t *t) {
  double center[3] = {0};
  for (int c = 0; c < 4; c++)
    vb_add_scaled(center, 0.25, mesh->vertex[t[c]], center);
  double z = (center[2] - k->from[2]) / k->size[2], x = (center[0] - k->from[0]) / k->size[0];
  return k->slotted && x > 1.0 / 3 && z > 1.0 / 3 && z < 2.0 / 3;
}

static void add_block(vb_builder *b, const block *k) {
  vb_box box = {{k->from[0], k->from[1], k->from[2]},
                {k->from[0] + k->size[0], k->from[1] + k->size[1], k->from[2] + k->size[2]},
                {k->cells[0], k->cells[1], k->cells[2]},
                5};
  vb_mesh mesh;
  size_t first;
  vb_builder_elements(b, VB_SET_NODE, &first);
  ck_assert_int_eq(vb_mesh_box(&box, &mesh, NULL), VB_OK);
  for (size_t i = 0; i < mesh.n_vertices; i++) {
    vb_node node = {.velocity = {k->velocity[0], k->velocity[1], k->velocity[2]}};
    bool moves = !k->slotted || (mesh.vertex[i][0] > k->from[0] + 0.5 * k->size[0] &&
                                 mesh.vertex[i][2] > k->from[2] + 0.5 * k->size[2]);
    memcpy(node.rest_position, mesh.vertex[i], sizeof node.rest_position);
    vb_add_scaled(node.rest_position, moves ? 1 : 0, k->shift, node.position);
    fixture_add(b, VB_SET_NODE, &node);
  }
  for (size_t e = 0; e < mesh.n_tetrahedra; e++) {
    vb_tetrahedron t = {.young = 1e5, .poisson = 0.3, .density = 1000};
    if (in_slot(k, &mesh, mesh.tetrahedron[e]))
      continue;
    for (int c = 0; c < 4; c++)
      t.node[c] = (int32_t)first + mesh.tetrahedron[e][c];
    fixture_add(b, VB_SET_TETRAHEDRON, &t);
  }
  vb_mesh_clear(&mesh);
}

static vb_scene *scene_of(const block *blocks, int n, bool own, double gravity, double damping) {
  vb_builder *b = scenes_begin(step, gravity);
  vb_builder_world(b)->damping = damping;
  for (int k = 0; k < n; k++)
    add_block(b, &blocks[k]);
  fixture_add(b, VB_SET_CONTACT, &(vb_contact){.self = own});
  return fixture_freeze(b);
}

/// The sum of all nodes' forces of contact, and of their moments about the origin, as they were at
/// positions `x`; those of nodes from `first` on.
static void sum_up(const handle *s, const double *x, size_t first, double force[3],
                   double moment[3]) {
  double *push = handle_read(s, "node_push"), turn[3];
  for (int c = 0; c < 3; c++)
    force[c] = moment[c] = 0;
  for (size_t i = first; i < handle_numbers(s, 0) / 3; i++) {
    vb_add_scaled(force, 1, push + 3 * i, force);
    vb_cross(x + 3 * i, push + 3 * i, turn);
    vb_add_scaled(moment, 1, turn, moment);
  }
  free(push);
}

/// A small block, moved down into a large one between that one's nodes: all its nodes there are
/// below the same plane. Depths are exact, further in, too.
START_TEST(depths_below_a_plane_are_exact) {
  const double depth = _i ? 0.15 : 0.02;
  const block blocks[] = {{.size = {0.8, 0.8, 0.4}, .cells = {2, 2, 1}},
                          {.from = {0.45, 0.45, 0.5},
                           .size = {0.3, 0.3, 0.3},
                           .cells = {2, 2, 3},
                           .shift = {0, 0, -0.1 - depth}}};
  vb_scene *scene = scene_of(blocks, 2, false, 0, 0);
  handle s = handle_open_as(SOLVER, scene, "contact", "explicit", "contact_stiffness", "300", NULL);
  double sum = 0, squares = 0, force[3], moment[3];
  for (int layer = 0; layer < 2; layer++) { // of 3 x 3 nodes
    double d = fmax(depth - 0.1 * layer, 0);
    sum += 9 * d;
    squares += 9 * d * d;
  }
  ck_assert_double_eq_tol(handle_value(&s, "penetration", 0), depth, 1e-14);
  ck_assert_double_eq_tol(handle_energy(&s, "contact"), 0.5 * stiffness * squares, 1e-12);
  double *x = handle_read(&s, "position");
  handle_step(&s, 1);
  sum_up(&s, x, 3 * 3 * 2, force, moment);
  ck_assert_double_eq_tol(force[2], stiffness * sum, 1e-10);
  sum_up(&s, x, 0, force, moment);
  for (int c = 0; c < 3; c++) { // rounding of some 1000 N in all
    ck_assert_double_eq_tol(force[c], 0, 1e-11);
    ck_assert_double_eq_tol(moment[c], 0, 1e-11);
  }
  free(x);
  handle_close(&s);
  free(scene);
}
END_TEST

/// Blocks that strike each other at an angle keep momentum and angular momentum, and are the same
/// for any number of threads.
START_TEST(blocks_keep_momentum) {
  const block blocks[] = {
      {.from = {0, 0, 0}, .size = {0.3, 0.3, 0.3}, .cells = {3, 3, 3}, .velocity = {0.5, 0, 0.5}},
      {.from = {0.28, 0.07, 0.35},
       .size = {0.3, 0.3, 0.3},
       .cells = {2, 3, 2},
       .velocity = {-0.5, 0.2, -1}}};
  vb_scene *scene = scene_of(blocks, 2, false, 0, 0);
  handle s[3];
  double touched = 0;
  for (int t = 0; t < 3; t++)
    s[t] = handle_open_as(SOLVER, scene, "contact", "explicit", "threads",
                          ((const char *[]){"1", "2", "3"})[t], "tolerance", "0", "iterations",
                          "60", NULL);
  double *before = handle_read(&s[0], "momentum");
  for (int k = 0; k < 20; k++) {
    for (int t = 0; t < 3; t++)
      handle_step(&s[t], 1);
    touched = fmax(touched, handle_value(&s[0], "penetration", 0));
  }
  ck_assert(handle_same(&s[0], &s[1]) && handle_same(&s[0], &s[2]));
  ck_assert_double_gt(touched, 0.01);
  for (size_t c = 0; c < 3; c++) // of 50 kg m/s; element forces cancel to rounding in each step
    ck_assert_double_eq_tol(handle_value(&s[0], "momentum", c), before[c], 1e-9);
  free(before);
  for (int t = 0; t < 3; t++)
    handle_close(&s[t]);
  free(scene);
}
END_TEST

/// One block on another that a half-plane carries comes to rest, carried by its weight. Without
/// friction it would slide off: nodes may move up and down alone.
START_TEST(a_block_rests_on_another) {
  const block blocks[] = {
      {.from = {0, 0, 0}, .size = {0.4, 0.4, 0.2}, .cells = {4, 4, 2}},
      {.from = {0.06, 0.07, 0.2}, .size = {0.29, 0.27, 0.2}, .cells = {2, 2, 2}}};
  vb_builder *b = scenes_begin(step, 9.81);
  vb_builder_world(b)->damping = 20;
  add_block(b, &blocks[0]);
  add_block(b, &blocks[1]);
  size_t n;
  vb_builder_elements(b, VB_SET_NODE, &n);
  int32_t wall = scenes_wall(b, "wall");
  for (size_t i = 0; i < n; i++)
    scenes_pin_node(b, (int32_t)i, VB_PIN_X | VB_PIN_Y, wall);
  fixture_add(b, VB_SET_CONTACT, &(vb_contact){.self = 0});
  fixture_add(b, VB_SET_HALF_PLANE, &(vb_half_plane){.normal = {0, 0, 1}});
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open_as(SOLVER, scene, "contact", "explicit", NULL);
  handle_step(&s, 800);
  double force[3], moment[3], *x = handle_read(&s, "position");
  sum_up(&s, x, 5 * 5 * 3, force, moment);
  ck_assert_double_eq_tol(force[2], 1000 * 0.29 * 0.27 * 0.2 * 9.81,
                          1e-4); // what is left of motion
  ck_assert_double_lt(handle_value(&s, "penetration", 0), 0.02);
  free(x);
  handle_close(&s);
  free(scene);
}
END_TEST

/// The upper arm of a slotted block is in the lower one: they touch where the scene asks for it.
START_TEST(parts_of_a_body_touch_where_asked) {
  const block slotted = {.from = {0, 0, 0},
                         .size = {0.3, 0.1, 0.3},
                         .cells = {3, 1, 3},
                         .shift = {0, 0.03, -0.12},
                         .slotted = true};
  for (int own = 0; own < 2; own++) {
    vb_scene *scene = scene_of(&slotted, 1, own, 0, 0);
    handle s =
        handle_open_as(SOLVER, scene, "contact", "explicit", "contact_stiffness", "300", NULL);
    double depth = handle_value(&s, "penetration", 0), force[3], moment[3];
    double *x = handle_read(&s, "position"), *push;
    if (!own)
      ck_assert_double_eq(depth, 0);
    else
      ck_assert_double_eq_tol(depth, 0.03, 0.02); // below the top, at the rim less than 0.05
    handle_step(&s, 1);
    push = handle_read(&s, "node_push");
    for (size_t i = 0; i < handle_numbers(&s, 0) / 3 && own; i++)
      if (x[3 * i] > 0.15 && x[3 * i + 2] < 0.01) // below, nothing is inside
        ck_assert_double_le(push[3 * i + 2], 1e-12);
    sum_up(&s, x, 0, force, moment);
    for (int c = 0; c < 3; c++) {
      ck_assert_double_eq_tol(force[c], 0, 1e-11);
      ck_assert_double_eq_tol(moment[c], 0, 1e-11);
    }
    free(push);
    free(x);
    handle_close(&s);
    free(scene);
  }
}
END_TEST

START_TEST(friction_is_refused) {
  const block one = {.size = {1, 1, 1}, .cells = {1, 1, 1}};
  vb_builder *b = scenes_begin(step, 0);
  add_block(b, &one);
  fixture_add(b, VB_SET_CONTACT, &(vb_contact){.static_friction = 0.2, .kinetic_friction = 0.2});
  vb_scene *scene = fixture_freeze(b);
  vb_error error = {0};
  void *self = NULL;
  const vb_solver *solver;
  ck_assert_int_eq(vb_solver_find(SOLVER, &solver, NULL), VB_OK);
  ck_assert_int_eq(
      solver->create(solver, scene, (const vb_option[]){{"contact", "explicit"}}, 1, &self, &error),
      VB_UNAVAILABLE);
  ck_assert_ptr_nonnull(strstr(error.message, "the scene's contact has friction"));
  free(scene);
}
END_TEST

static TCase *make_tests(void) {
  TCase *test = tcase_create("flesh");
  tcase_set_timeout(test, 60);
  tcase_add_loop_test(test, depths_below_a_plane_are_exact, 0, 2);
  tcase_add_test(test, blocks_keep_momentum);
  tcase_add_test(test, a_block_rests_on_another);
  tcase_add_test(test, parts_of_a_body_touch_where_asked);
  tcase_add_test(test, friction_is_refused);
  return test;
}

VB_TEST_MAIN("articulated_flesh", make_tests())
