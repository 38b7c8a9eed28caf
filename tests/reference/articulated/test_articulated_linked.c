// SPDX-License-Identifier: GPL-3.0-or-later
/// Sets of bones of the solver articulated: projections along trees of links against dense ones,
/// and what is far apart moves as if it were alone.
/// Covers: reference/articulated/tree.* reference/articulated/couple.*
/// Covers: reference/articulated/linked.* reference/articulated/balance.*
/// Covers: reference/articulated/reduce.*
#include "handle.h"
#include "reference/articulated/linked.h"
#include "scenes/bones.h"
#include "scenes/solids.h"

#define SOLVER "articulated"

enum { BONES = 8 };

static int32_t add_link(vb_builder *b, vb_link_type type, int32_t first, int32_t second, double x) {
  char name[16];
  size_t n;
  vb_builder_elements(b, VB_SET_LINK, &n);
  snprintf(name, sizeof name, "link %zu", n);
  vb_link link = bones_link(name, type, first, second, -1, x, 0, 0);
  if (type == VB_LINK_HINGE)
    link.limit[1] = 0.2;
  return fixture_add(b, VB_SET_LINK, &link);
}

/// Bars in a row whose links form a random tree, of all kinds, with the parent on either side; in
/// the world or free. Bar 5 is a thousand times heavier.
static vb_scene *random_tree(uint64_t *seed, bool held) {
  static const vb_link_type types[3] = {VB_LINK_BALL, VB_LINK_HINGE, VB_LINK_UNIVERSAL};
  vb_builder *b = scenes_begin(0.01, 0);
  for (int k = 0; k < BONES; k++) {
    char name[16];
    snprintf(name, sizeof name, "bar %d", k);
    bones_bar(b, name, k, 0, 0, 1);
  }
  bones_of(b)[5].mass *= 1000;
  for (int c = 0; c < 6; c++)
    bones_of(b)[5].inertia[c] *= 1000;
  if (held)
    add_link(b, VB_LINK_HINGE, 3, -1, 3.5);
  for (int32_t k = 1; k < BONES; k++) {
    int32_t parent = (int32_t)(0.5 * (scenes_random(seed) + 1) * k);
    bool child_first = scenes_random(seed) > 0;
    add_link(b, types[k % 3], child_first ? k : parent, child_first ? parent : k, k);
  }
  return fixture_freeze(b);
}

/// Projectors of the same bones, by the tree and densely; their weights, that of z another one.
typedef struct pair {
  ar_links links[2];
  ar_projector by[2]; ///< the tree, dense
  double blocks[2][16 * BONES], whole[2][16 * BONES * BONES];
} pair;

static void set_up(pair *p, const ar_body *body, uint64_t *seed) {
  for (int c = 0; c < 2; c++)
    for (size_t k = 0; k < BONES; k++) {
      double root[16], *block = p->blocks[c] + 16 * k, heavy = body->bone[k].mass;
      for (int i = 0; i < 16; i++)
        root[i] = scenes_random(seed);
      for (size_t i = 0; i < 16; i++) {
        block[i] = i % 5 == 0 ? 5 * heavy : 0;
        for (size_t j = 0; j < 4; j++)
          block[i] += heavy * root[4 * (i / 4) + j] * root[4 * (i % 4) + j];
        p->whole[c][(4 * k + i / 4) * 4 * BONES + 4 * k + i % 4] = block[i];
      }
    }
  for (int d = 0; d < 2; d++) {
    ck_assert_int_eq(ar_links_create(body, &p->links[d], NULL), VB_OK);
    ck_assert_int_eq(ar_projector_create(body, &p->links[d], d == 0, &p->by[d], NULL), VB_OK);
    for (int c = 0; c < 3; c++)
      p->by[d].weight[c] = d == 0 ? p->blocks[c == 2] : p->whole[c == 2];
  }
}

/// The tree's projection is the dense one, with as many iterations, the same limits and
/// multipliers; what it leaves of a gradient, too.
START_TEST(trees_are_eliminated_as_dense_systems) {
  uint64_t seed = (uint64_t)_i + 3;
  bool held = _i % 2;
  vb_scene *scene = random_tree(&seed, held);
  ar_choice choice = {.bones = AR_BONES_EXACT};
  ar_body body;
  pair p = {0};
  double target[12 * BONES], out[2][12 * BONES], g[2][6 * BONES];
  ck_assert_int_eq(ar_body_create(scene, &choice, &body, NULL), VB_OK);
  set_up(&p, &body, &seed);
  ck_assert_uint_eq(p.by[0].tree.n, BONES);
  ck_assert_uint_eq(p.by[1].tree.n, 0);
  for (size_t i = 0; i < 12 * BONES; i++)
    target[i] = (i % 12 < 9 ? i % 12 % 4 == 0 : body.bone[i / 12].center[i % 12 - 9]) +
                0.2 * scenes_random(&seed);
  for (size_t i = 0; i < 6 * BONES; i++)
    g[0][i] = g[1][i] = scenes_random(&seed);
  for (int d = 0; d < 2; d++) {
    ck_assert_int_eq(ar_project(&p.by[d], target, out[d], NULL), VB_OK);
    ck_assert_int_eq(ar_projector_remove(&p.by[d], p.by[d].pose, g[d], NULL), VB_OK);
    ck_assert_double_le(p.by[d].gap, 1e-13);
  }
  // The dense system is never reserved for the tree: no block was singular, none was far off.
  ck_assert_ptr_null(p.by[0].rows);
  ck_assert_uint_eq(p.links[0].n_rows, p.links[1].n_rows);
  ck_assert_int_eq(p.by[0].iterations, p.by[1].iterations);
  for (size_t i = 0; i < 12 * BONES; i++)
    ck_assert_double_eq_tol(out[0][i], out[1][i], 1e-11); // a step of 1e-12 ends either
  for (size_t i = 0; i < 6 * BONES; i++)
    ck_assert_double_eq_tol(g[0][i], g[1][i], 1e-12); // numbers of size one
  for (size_t i = 0; i < p.links[0].n_rows; i++)      // forces of 1000, after that step
    ck_assert_double_eq_tol(p.by[0].multiplier[i], p.by[1].multiplier[i], 1e-8);
  for (int d = 0; d < 2; d++) {
    ar_projector_clear(&p.by[d]);
    ar_links_clear(&p.links[d]);
  }
  ar_body_clear(&body);
  free(scene);
}
END_TEST

/// How many bones the tree of `n` links has, each of two bones of four.
static size_t tree_size(const int32_t (*bones)[2], int n) {
  vb_builder *b = scenes_begin(0.01, 0);
  ar_choice choice = {.bones = AR_BONES_EXACT};
  ar_body body;
  ar_links links;
  ar_tree tree;
  for (int k = 0; k < 4; k++)
    bones_bar(b, (const char *[]){"a", "b", "c", "d"}[k], k, 0, 0, 1);
  for (int k = 0; k < n; k++)
    add_link(b, VB_LINK_BALL, bones[k][0], bones[k][1], k);
  vb_scene *scene = fixture_freeze(b);
  ck_assert_int_eq(ar_body_create(scene, &choice, &body, NULL), VB_OK);
  ck_assert_int_eq(ar_links_create(&body, &links, NULL), VB_OK);
  ck_assert_int_eq(ar_tree_create(&links, &tree, NULL), VB_OK);
  size_t size = tree.n;
  ar_tree_clear(&tree);
  ar_links_clear(&links);
  ar_body_clear(&body);
  free(scene);
  return size;
}

START_TEST(loops_are_no_trees) {
  const int32_t chain[][2] = {{0, 1}, {2, 1}, {2, 3}, {3, -1}};
  const int32_t loop[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
  const int32_t twice[][2] = {{0, 1}, {1, 0}, {2, 3}};
  const int32_t bridge[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, -1}, {0, -1}};
  const int32_t both[][2] = {{0, 1}, {1, 2}, {2, 0}}; // a loop, and a bone that is not reached
  ck_assert_uint_eq(tree_size(chain, 3), 4);
  ck_assert_uint_eq(tree_size(chain, 4), 4);
  ck_assert_uint_eq(tree_size(chain, 2), 0);
  ck_assert_uint_eq(tree_size(loop, 4), 0);
  ck_assert_uint_eq(tree_size(twice, 3), 0);
  ck_assert_uint_eq(tree_size(bridge, 5), 0);
  ck_assert_uint_eq(tree_size(both, 3), 0);
}
END_TEST

/// An arm of flesh along x at height `y`, of 6 x 2 x 2 cells, with bones in its ends and a ball
/// between them; its bones and nodes are those behind all others.
static void add_arm(vb_builder *b, double y) {
  size_t n_nodes, n_tetrahedra, n_bones, n;
  vb_builder_elements(b, VB_SET_NODE, &n_nodes);
  vb_builder_elements(b, VB_SET_TETRAHEDRON, &n_tetrahedra);
  vb_builder_elements(b, VB_SET_BONE, &n_bones);
  solids_box(b, (const int32_t[]){6, 2, 2}, (const double[]){1.2, 0.4, 0.4}, 0.3, 0);
  vb_tetrahedron *t = vb_builder_elements(b, VB_SET_TETRAHEDRON, &n);
  for (size_t i = n_tetrahedra; i < n; i++) {
    t[i].young = 5e4;
    for (int c = 0; c < 4; c++)
      t[i].node[c] += (int32_t)n_nodes;
  }
  for (int k = 0; k < 2; k++) {
    vb_bone bone = {0};
    snprintf(bone.name, sizeof bone.name, "bone %zu", n_bones + (size_t)k);
    fixture_add(b, VB_SET_BONE, &bone);
  }
  vb_node *node = vb_builder_elements(b, VB_SET_NODE, &n);
  for (size_t i = n_nodes; i < n; i++) {
    double x = node[i].rest_position[0];
    int32_t bone = (int32_t)n_bones + (x > 0.6);
    node[i].rest_position[1] += y;
    node[i].position[1] += y;
    node[i].velocity[2] = 3 * x * (1 + y); // each arm has motions of its own
    if (x < 0.25 || x > 0.95)
      fixture_add(b, VB_SET_TIE,
                  &(vb_tie){.location = VB_AT_NODE, .index = (int32_t)i, .bone = bone});
    node = vb_builder_elements(b, VB_SET_NODE, &n);
  }
  vb_link link =
      bones_link("x", VB_LINK_BALL, (int32_t)n_bones, (int32_t)n_bones + 1, -1, 0.6, y + 0.2, 0.2);
  snprintf(link.name, sizeof link.name, "joint %zu", n_bones);
  fixture_add(b, VB_SET_LINK, &link);
}

/// Two bars on a ball in the world.
static void add_pendulum(vb_builder *b, double y) {
  int32_t bone[2];
  for (int k = 0; k < 2; k++) {
    char name[16];
    snprintf(name, sizeof name, "bar %d", k);
    bone[k] = bones_bar(b, name, k, y, 0, 1);
    vb_link link = bones_link(name, k == 0 ? VB_LINK_BALL : VB_LINK_HINGE, bone[k],
                              k == 0 ? -1 : bone[0], -1, k, y, 0);
    fixture_add(b, VB_SET_LINK, &link);
  }
}

/// The scene with parts of `which`: 1 and 2 arms, 4 a pendulum.
static vb_scene *company(int which) {
  vb_builder *b = scenes_begin(1.0 / 30, 9.81);
  if (which & 1)
    add_arm(b, 0);
  if (which & 2)
    add_arm(b, 1);
  if (which & 4)
    add_pendulum(b, -1);
  return fixture_freeze(b);
}

/// The place of each bone after ten steps; `n` of them, to be freed.
static double *bones_after(int which, const char *projection, const char *threads, double **force) {
  vb_scene *scene = company(which);
  handle s = handle_open_as(SOLVER, scene, "projection", projection, "threads", threads,
                            "iterations", "5", "tolerance", "0", NULL);
  handle_step(&s, 10);
  double *x = handle_read(&s, "bone_position");
  *force = handle_read(&s, "joint_force");
  handle_close(&s);
  free(scene);
  return x;
}

/// Two arms and a pendulum move as each does alone, whatever the projection, and bitwise the same
/// with threads: flesh couples the bones of an arm, and nothing couples arms.
START_TEST(what_is_not_coupled_is_alone) {
  const char *projection = _i == 0 ? "consistent" : "published";
  double *force, *other, *all = bones_after(7, projection, "1", &force);
  double *again = bones_after(7, projection, "2", &other), moved = 0;
  ck_assert_mem_eq(all, again, 18 * sizeof *all);
  ck_assert_mem_eq(force, other, 12 * sizeof *all);
  free(again);
  free(other);
  for (int part = 0; part < 3; part++) {
    double *own = bones_after(1 << part, projection, "1", &other);
    for (int i = 0; i < 6; i++)
      ck_assert_double_eq_tol(all[6 * part + i], own[i], 1e-11); // projections end at 1e-12
    for (int i = 0; i < (part < 2 ? 3 : 6); i++)
      ck_assert_double_eq_tol(force[3 * part + i], other[i], 1e-6); // of some 1e2 N
    moved = fmax(moved, fabs(own[2] - 0.2));
    free(own);
    free(other);
  }
  ck_assert_double_gt(moved, 0.1);
  free(all);
  free(force);
}
END_TEST

/// Sets by flesh, by links and by both.
START_TEST(sets_are_those_that_are_coupled) {
  vb_scene *scene = company(7);
  ar_choice choice = {.bones = AR_BONES_EXACT};
  ar_body body;
  ar_sets sets;
  const size_t expected[4] = {6, 4, 3, 3}; // none, flesh, links, both
  ck_assert_int_eq(ar_body_create(scene, &choice, &body, NULL), VB_OK);
  for (int k = 0; k < 4; k++) {
    ck_assert_int_eq(ar_sets_create(&body, k & 1, k & 2, &sets, NULL), VB_OK);
    ck_assert_uint_eq(sets.n, expected[k]);
    for (size_t i = 0; i < 6; i++)
      ck_assert_int_eq(sets.bone[sets.first[sets.set_of[i]] + (size_t)sets.place[i]], (int32_t)i);
    ck_assert_int_eq(sets.set_of[0] == sets.set_of[1], k > 0);
    ck_assert_int_eq(sets.set_of[4] == sets.set_of[5], k >= 2);
    for (size_t i = 0; i < body.n_nodes; i++)
      if (body.bone_of[i] < 0)
        ck_assert_int_eq(sets.set_of_node[i], k & 1 ? i >= body.n_nodes / 2 : -1);
    ar_sets_clear(&sets);
  }
  ar_body_clear(&body);
  free(scene);
}
END_TEST

static TCase *make_tests(void) {
  TCase *test = tcase_create("linked");
  tcase_add_loop_test(test, trees_are_eliminated_as_dense_systems, 0, 12);
  tcase_add_test(test, loops_are_no_trees);
  tcase_add_loop_test(test, what_is_not_coupled_is_alone, 0, 2);
  tcase_add_test(test, sets_are_those_that_are_coupled);
  return test;
}

VB_TEST_MAIN("articulated_linked", make_tests())
