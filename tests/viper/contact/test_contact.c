// SPDX-License-Identifier: GPL-3.0-or-later
/// Finding contacts: closest points of capsules against a search that shares no code with them, and
/// the grid's pairs against all pairs.
/// Covers: src/viper/contact/closest.h src/viper/contact/friction.h src/viper/contact/grid*
#define VIPER_PRECISION 64
#include "scenes/scenes.h"
#include "test.h"
#include "viper/contact/closest.h"
#include "viper/contact/friction.h"
#include "viper/contact/grid.h"

#include <math.h>

/// A capsule for the search, in plain numbers.
typedef struct plain {
  double c[2][3], r[2];
} plain;

static double gap_at(const plain *a, const plain *b, double al, double be) {
  double d2 = 0;
  for (int k = 0; k < 3; k++) {
    double d = (1 - al) * a->c[0][k] + al * a->c[1][k] - (1 - be) * b->c[0][k] - be * b->c[1][k];
    d2 += d * d;
  }
  return sqrt(d2) - (1 - al) * a->r[0] - al * a->r[1] - (1 - be) * b->r[0] - be * b->r[1];
}

/// The least of a convex function of [0, 1] by golden section: 0.62^32 of the interval are left,
/// 2e-7, which moves the value by that times the slope where it has a kink, and by its square else.
#define SECTIONS 32
#define SEARCH(name, arguments, call)                                                              \
  static double name arguments {                                                                   \
    const double golden = 0.6180339887498949;                                                      \
    double low = 0, high = 1, t = 1 - golden, left = call;                                         \
    double u = t;                                                                                  \
    t = golden;                                                                                    \
    double right = call, v = t;                                                                    \
    for (int i = 0; i < SECTIONS; i++) {                                                           \
      if (left < right) {                                                                          \
        high = v, v = u, right = left;                                                             \
        t = u = high - golden * (high - low);                                                      \
        left = call;                                                                               \
      } else {                                                                                     \
        low = u, u = v, left = right;                                                              \
        t = v = low + golden * (high - low);                                                       \
        right = call;                                                                              \
      }                                                                                            \
    }                                                                                              \
    double best = left < right ? left : right;                                                     \
    t = 0;                                                                                         \
    double end = call;                                                                             \
    best = end < best ? end : best;                                                                \
    t = 1;                                                                                         \
    end = call;                                                                                    \
    return end < best ? end : best;                                                                \
  }
SEARCH(search_b, (const plain *a, const plain *b, double al), gap_at(a, b, al, t))
SEARCH(search, (const plain *a, const plain *b), search_b(a, b, t))

static viper_capsule capsule_of(const plain *p) {
  viper_capsule out;
  for (int k = 0; k < 2; k++) {
    out.c[k] = viper_vec3_make(p->c[k][0], p->c[k][1], p->c[k][2]);
    out.r[k] = p->r[k];
  }
  return out;
}

static plain random_capsule(uint64_t *seed) {
  plain p;
  for (int k = 0; k < 2; k++) {
    p.r[k] = 0.3 * (1.001 + scenes_random(seed));
    for (int c = 0; c < 3; c++)
      p.c[k][c] = scenes_random(seed);
  }
  return p;
}

/// Makes a pair degenerate in one of several ways.
static void degrade(plain *a, plain *b, int degeneracy) {
  if (degeneracy == 1) // two equal spheres
    for (int c = 0; c < 3; c++) {
      a->c[1][c] = a->c[0][c], b->c[1][c] = b->c[0][c];
      a->r[0] = a->r[1] = b->r[0] = b->r[1] = 0.3;
    }
  if (degeneracy == 2) // one inside the other
    for (int c = 0; c < 3; c++) {
      a->c[0][c] = b->c[0][c] + 0.01 * (a->c[0][c] - b->c[0][c]),
      a->c[1][c] = a->c[0][c] + 0.01 * c;
      a->r[0] = a->r[1] = 0.01;
    }
  if (degeneracy == 3) // no length
    for (int c = 0; c < 3; c++)
      b->c[1][c] = b->c[0][c];
  if (degeneracy == 4) // axes that cross
    for (int c = 0; c < 3; c++)
      b->c[1][c] = 0.7 * a->c[0][c] + 1.3 * a->c[1][c] - b->c[0][c];
  if (degeneracy == 5) // parallel
    for (int c = 0; c < 3; c++)
      b->c[1][c] = b->c[0][c] + 0.7 * (a->c[1][c] - a->c[0][c]);
  if (degeneracy == 6) // one sphere of a capsule holds the other
    b->r[1] = b->r[0] + 4;
  if (degeneracy == 7) // the same capsule
    *b = *a;
  if (degeneracy == 8) // one axis
    for (int c = 0; c < 3; c++) {
      b->c[0][c] = 2 * a->c[1][c] - a->c[0][c];
      b->c[1][c] = 3 * a->c[1][c] - 2 * a->c[0][c];
    }
}

enum { DEGENERACIES = 9, PAIRS = 100000 };

/// The gap is never above the search's (by more than rounding), and the point that it is at has it.
START_TEST(closest_points_match_brute_force) {
  uint64_t seed = 1;
  double worst = 0;
  for (int i = 0; i < PAIRS; i++) {
    int degeneracy = i % 2 ? 0 : i / 2 % DEGENERACIES;
    plain a = random_capsule(&seed), b = random_capsule(&seed);
    degrade(&a, &b, degeneracy);
    viper_capsule p = capsule_of(&a), q = capsule_of(&b);
    viper_closest found = viper_capsule_closest(&p, &q);
    double sought = search(&a, &b);
    ck_assert(found.al >= 0 && found.al <= 1 && found.be >= 0 && found.be <= 1);
    // Rounding of coordinates of size 1, and of al and be where axes are nearly parallel.
    ck_assert_msg(found.gap <= sought + 1e-12, "pair %d, way %d: %.17g, search %.17g", i,
                  degeneracy, found.gap, sought);
    ck_assert_msg(fabs(found.gap - gap_at(&a, &b, found.al, found.be)) < 1e-13, "pair %d", i);
    worst = fmax(worst, sought - found.gap);
  }
  ck_assert_double_lt(worst, 1e-6); // what the search leaves at kinks: 2e-7 of a length of 4
}
END_TEST

/// Ten dichotomous steps, as the paper has them, leave 1.3e-3 of a length: a pair whose closest
/// points are known is found to rounding.
START_TEST(known_closest_points_are_found) {
  viper_capsule a = {{{0, 0, 0}, {1, 0, 0}}, {0.1, 0.1}};
  viper_capsule b = {{{0.3, -1, 0.5}, {0.3, 2, 0.5}}, {0.2, 0.2}};
  viper_closest c = viper_capsule_closest(&a, &b);
  ck_assert_double_eq_tol(c.al, 0.3, 1e-15);
  ck_assert_double_eq_tol(c.be, 1.0 / 3, 1e-15);
  ck_assert_double_eq_tol(c.gap, 0.2, 1e-15);
  // A cone of slope 3/5 below a sphere at height 1: the foot moves by 3/4 of it towards the base.
  viper_capsule cone = {{{0, 0, 0}, {5, 0, 0}}, {3.5, 0.5}};
  ck_assert_double_eq_tol(viper_capsule_foot(&cone, viper_vec3_make(4, 0, 1)), (4 - 0.75) / 5,
                          1e-15);
}
END_TEST

/// A node of 2 kg on a half-plane, pushed onto it by 0.3 m; friction over what slid.
static double braked(double slid, double at_rest, double sliding) {
  viper_contact_node node = {.x = {slid, 0, 0.8, 1},
                             .old = {0, 0, 1.1, 1},
                             .inverse = {0.5, 0.5, 0.5, 1},
                             .free = {1, 1, 1, 0},
                             .least = {-100, -100, -100, -100},
                             .radius = 1.1};
  viper_touch t = {.weight = {1}, .n = {0, 0, 1}};
  ck_assert(viper_touch_weigh(&t, &node, 1));
  const viper_plane plane = {.driver = -1};
  for (int pass = 0; pass < 3; pass++) // a pass without need changes nothing
    viper_touch_on_plane(&t, &node, (viper_frame_rolls){NULL, 0}, (viper_rollers){NULL, 0, 0, NULL},
                         &plane, (viper_friction){at_rest, sliding}, VIPER_VISIT_SOLVE);
  ck_assert_double_eq_tol(t.lambda, 0.6, 1e-15); // 0.3 m of 2 kg
  ck_assert_double_eq_tol(node.push[2], 0.3, 1e-15);
  ck_assert_double_eq_tol(node.push[0], node.x[0] - slid, 1e-15);
  return slid - node.x[0];
}

START_TEST(friction_sticks_and_slides) {
  ck_assert_double_eq_tol(braked(0.14, 0.5, 0.4), 0.14, 1e-15); // 0.28 of 0.6 kg m: it sticks
  ck_assert_double_eq_tol(braked(0.16, 0.5, 0.4), 0.15, 1e-15); // 0.32 is too much: it creeps
  ck_assert_double_eq_tol(braked(0.29, 0.5, 0.4), 0.15, 1e-15);
  ck_assert_double_eq_tol(braked(0.31, 0.5, 0.4), 0.12,
                          1e-15); // 0.62 is twice as much: 0.24 brakes
  ck_assert_double_eq(braked(0.16, 0, 0), 0);
}
END_TEST

/// Contacts squeeze no scale below the limit, and the limit itself pushes only.
START_TEST(scales_keep_their_limit) {
  viper_contact_node node = {.x = {0, 0, 0, 0.55},
                             .inverse = {0.1, 0.1, 0.1, 10},
                             .free = {1, 1, 1, 1},
                             .least = {-100, -100, -100, VIPER_LEAST_TOUCHING}};
  viper_touch t = {.weight = {1}, .n = {0, 0, 1}, .offset = 3};
  viper_limit limit = {0};
  node.radius = 1;
  ck_assert(viper_touch_weigh(&t, &node, 1));
  viper_touch_push(&t, &node, 1);
  ck_assert_double_eq_tol(node.x[3], VIPER_LEAST_TOUCHING, 1e-15);
  ck_assert_double_eq_tol(node.push[3], -0.05, 1e-15);
  viper_limit_scale(&limit, &node);
  ck_assert_double_eq(limit.lambda, 0);
  node.x[3] = 0.3;
  viper_limit_scale(&limit, &node);
  ck_assert_double_eq_tol(node.x[3], VIPER_LEAST_TOUCHING, 1e-15);
  node.x[3] = 2; // and takes back what it pushed, but no more
  viper_limit_scale(&limit, &node);
  ck_assert_double_eq_tol(node.x[3], 1.8, 1e-15);
  ck_assert_double_eq(limit.lambda, 0);
}
END_TEST

typedef struct cloud {
  viper_sphere *sphere;
  size_t n;
} cloud;

/// `n` spheres of radii about 0.1 to 0.3, in `bodies` bodies; every 50th `large` times as large.
static cloud random_cloud(size_t n, double extent, float large, int bodies, uint64_t seed) {
  cloud c = {malloc(n * sizeof *c.sphere), n};
  ck_assert_ptr_nonnull(c.sphere);
  for (size_t i = 0; i < n; i++) {
    viper_sphere s = {.groups = i % 7 ? 1 : 2, .meets = i % 5 ? 3 : 1};
    for (int k = 0; k < 3; k++)
      s.center[k] = (float)(extent * scenes_random(&seed));
    s.radius = (float)(0.2 + 0.1 * scenes_random(&seed)) * (i % 50 ? 1 : large);
    s.body = bodies ? (int32_t)(i % (size_t)bodies) : -1;
    c.sphere[i] = s;
  }
  return c;
}

static bool overlap(const viper_sphere *a, const viper_sphere *b) {
  float x = a->center[0] - b->center[0], y = a->center[1] - b->center[1];
  float z = a->center[2] - b->center[2], r = a->radius + b->radius;
  if (a->body >= 0 && a->body == b->body)
    return false;
  return x * x + y * y + z * z <= r * r && a->groups & b->meets && b->groups & a->meets;
}

/// The pairs of a cloud are all that overlap, in order, whatever the number of threads.
static void check_pairs(viper_grid *grid, const cloud *c, int threads) {
  viper_sphere_pairs pairs;
  int32_t at = 0;
  ck_assert_int_eq(viper_grid_pairs(grid, c->sphere, c->n, threads, &pairs, NULL), VB_OK);
  for (int32_t i = 0; i < (int32_t)c->n; i++) {
    ck_assert_int_eq(pairs.first[i], at);
    for (int32_t j = i + 1; j < (int32_t)c->n; j++)
      if (overlap(&c->sphere[i], &c->sphere[j])) {
        ck_assert_msg(at < pairs.first[i + 1] && pairs.other[at] == j,
                      "pair %d, %d of %zu is missing", i, j, c->n);
        at++;
      }
    ck_assert_int_eq(pairs.first[i + 1], at);
  }
}

static void check_cloud(cloud c) {
  viper_grid *grid;
  ck_assert_int_eq(viper_grid_create(c.n, &grid, NULL), VB_OK);
  for (int threads = 1; threads <= 5; threads += threads)
    check_pairs(grid, &c, threads);
  check_pairs(grid, &c, 1); // what is left from before does not matter
  viper_grid_destroy(grid);
  free(c.sphere);
}

START_TEST(grid_finds_all_pairs_and_no_others) {
  check_cloud(random_cloud(0, 1, 1, 0, 1));
  check_cloud(random_cloud(1, 1, 1, 0, 2));
  check_cloud(random_cloud(2000, 1, 1, 0, 3)); // all in a few cells
  check_cloud(random_cloud(3000, 6, 1, 0, 4));
  check_cloud(random_cloud(3000, 6, 1, 100, 5)); // bodies do not touch themselves
  check_cloud(random_cloud(3000, 400, 1, 0, 6)); // few pairs, more cells than the grid has
  check_cloud(random_cloud(10000, 12, 1, 0, 7)); // sorted by all threads
}
END_TEST

START_TEST(no_pair_is_lost_where_one_is_much_larger) {
  check_cloud(random_cloud(3000, 20, 7, 0, 8));
  check_cloud(random_cloud(3000, 20, 300, 0, 9));
  check_cloud(random_cloud(1000, 5, 1e7F, 0, 10));
  check_cloud(random_cloud(1000, 5, 1e-9F, 0, 11));
}
END_TEST

START_TEST(nan_positions_have_no_pairs) {
  cloud c = random_cloud(500, 2, 3, 0, 12);
  c.sphere[3].center[1] = NAN;
  c.sphere[100].center[0] = INFINITY;
  c.sphere[200].center[2] = -INFINITY;
  c.sphere[300].center[0] = 3e38F;
  check_cloud(c);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("contact");
  TCase *closest = tcase_create("closest points"), *grid = tcase_create("grid");
  TCase *constraint = tcase_create("constraints");
  tcase_add_test(constraint, friction_sticks_and_slides);
  tcase_add_test(constraint, scales_keep_their_limit);
  suite_add_tcase(suite, constraint);
  tcase_add_test(closest, closest_points_match_brute_force);
  tcase_add_test(closest, known_closest_points_are_found);
  tcase_add_test(grid, grid_finds_all_pairs_and_no_others);
  tcase_add_test(grid, no_pair_is_lost_where_one_is_much_larger);
  tcase_add_test(grid, nan_positions_have_no_pairs);
  tcase_set_timeout(closest, 120);
  tcase_set_timeout(grid, 120);
  suite_add_tcase(suite, closest);
  suite_add_tcase(suite, grid);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
