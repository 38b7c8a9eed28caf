// SPDX-License-Identifier: GPL-3.0-or-later
/// Writhe, twist and linking number against closed forms.
#include "gate/ribbon.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Most points of a polygon here.
enum { MOST = 2000 };

static double point[MOST][3], u[MOST][3];

static double writhe(size_t n, bool closed) {
  return vb_writhe((const double(*)[3])point, n, closed);
}

static double twist(size_t n, bool closed) {
  return vb_twist((const double(*)[3])point, (const double(*)[3])u, n, closed);
}

static void set(double out[3], double x, double y, double z) {
  out[0] = x;
  out[1] = y;
  out[2] = z;
}

/// The sum over some 1e6 pairs of numbers below 1, each rounded by 1e-16.
static const double ROUNDING = 1e-11;

START_TEST(a_plane_curve_has_no_writhe) {
  size_t n = 40;
  for (size_t i = 0; i < n; i++) {
    double a = 2 * M_PI * (double)i / (double)n, r = 2 + cos(3 * a);
    set(point[i], r * cos(a), r * sin(a), 0.3 * r * cos(a)); // a tilted plane
  }
  ck_assert_double_eq_tol(writhe(n, true), 0, ROUNDING);
  ck_assert_double_eq_tol(writhe(n, false), 0, ROUNDING);
}
END_TEST

/// A long helix writhes by 1 - cos(angle of its tangent and axis) a turn (F. B. Fuller 1978): more
/// turns leave the part of its ends as it is, but for one over their number squared.
static double helix_per_turn(size_t per_turn, size_t turns, double rise) {
  double at[2];
  for (size_t k = 0; k < 2; k++) {
    size_t n = (k + 1) * turns * per_turn + 1;
    for (size_t i = 0; i < n; i++) {
      double a = 2 * M_PI * (double)i / (double)per_turn;
      set(point[i], cos(a), sin(a), rise * a);
    }
    at[k] = writhe(n, false);
  }
  return (at[1] - at[0]) / (double)turns;
}

START_TEST(a_helix_writhes_by_its_angle) {
  static const double rises[] = {0.3, -0.3, 1};
  for (size_t k = 0; k < 3; k++) {
    double rise = rises[k], expected = copysign(1 - fabs(rise) / hypot(1, rise), rise);
    // Ends of 20 turns: one over 400; edges of 1/40 of a turn: some (2 pi / 40)^2 / 12.
    ck_assert_double_eq_tol(helix_per_turn(40, 20, rise), expected, 3e-3);
  }
}
END_TEST

/// A knot that winds p times round the axis of a torus and q times through it, and the normal of
/// the torus as u.
static void torus_knot(size_t n, int p, int q) {
  for (size_t i = 0; i < n; i++) {
    double t = 2 * M_PI * (double)i / (double)n, middle = t + M_PI / (double)n;
    double r = 2 + cos(q * t);
    set(point[i], r * cos(p * t), r * sin(p * t), sin(q * t));
    set(u[i], cos(q * middle) * cos(p * middle), cos(q * middle) * sin(p * middle),
        sin(q * middle));
  }
}

/// The line beside a torus knot along the normal links it p q times.
START_TEST(a_torus_knot_links_its_neighbor) {
  static const int knots[][2] = {{2, 3}, {3, 2}, {2, -3}, {2, 5}, {1, 4}, {1, 0}};
  for (size_t k = 0; k < sizeof knots / sizeof *knots; k++) {
    int p = knots[k][0], q = knots[k][1];
    torus_knot(400, p, q);
    double linking = writhe(400, true) + twist(400, true);
    // With q > 0 a knot in these coordinates is left-handed.
    ck_assert_double_eq_tol(linking, -p * q, ROUNDING);
  }
}
END_TEST

static double random_number(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return (double)*state / 4294967296.0 * 2 - 1;
}

/// Of any closed polygon and any vectors along it.
START_TEST(a_closed_ribbon_has_a_whole_linking_number) {
  unsigned state = 7;
  double least = INFINITY, most = -INFINITY;
  for (int k = 0; k < 50; k++) {
    size_t n = 5 + (size_t)k;
    for (size_t i = 0; i < n; i++)
      for (int c = 0; c < 3; c++) {
        point[i][c] = random_number(&state);
        u[i][c] = random_number(&state);
      }
    double linking = writhe(n, true) + twist(n, true);
    ck_assert_double_eq_tol(linking, round(linking), ROUNDING);
    least = fmin(least, linking);
    most = fmax(most, linking);
  }
  ck_assert_double_gt(most - least, 1); // they differ
}
END_TEST

START_TEST(a_straight_ribbon_twists_alone) {
  size_t n = 21;
  for (size_t i = 0; i < n; i++) {
    set(point[i], 0, 0, (double)i);
    set(u[i], cos(0.5 * (double)i), sin(0.5 * (double)i), 0.7);
  }
  ck_assert_double_eq_tol(writhe(n, false), 0, ROUNDING);
  ck_assert_double_eq_tol(twist(n, false), 0.5 * 19 / (2 * M_PI), ROUNDING);
}
END_TEST

START_TEST(reversal_and_mirror) {
  size_t n = 101;
  double forth[2] = {0}, back[2] = {0}, mirrored[2] = {0};
  for (int way = 0; way < 3; way++) {
    for (size_t i = 0; i < n; i++) {
      size_t at = way == 1 ? n - 1 - i : i, edge = way == 1 ? n - 2 - i : i;
      double a = 0.2 * (double)i, m = way == 2 ? -1 : 1;
      set(point[at], cos(a), m * sin(a), 0.1 * a);
      if (i + 1 < n)
        set(u[edge], cos(3 * a), m * sin(2 * a), 1);
    }
    double *out = way == 0 ? forth : way == 1 ? back : mirrored;
    out[0] = writhe(n, false);
    out[1] = twist(n, false);
  }
  for (int k = 0; k < 2; k++) {
    ck_assert_double_gt(fabs(forth[k]), 0.1);
    ck_assert_double_eq_tol(back[k], forth[k], ROUNDING);
    ck_assert_double_eq_tol(mirrored[k], -forth[k], ROUNDING);
  }
}
END_TEST

/// Rings of rods of which some segments are stored the other way round: the gates of a study.
static const char STUDY[] =
    "return { title = 'Rings', build = function(p)\n"
    "  local s = vb.scene{ step = 0.01, steps = 1 }\n"
    "  local n, stuff = 24, { E = 1e5, nu = 0.3 }\n"
    "  local function ring(y, turns)\n"
    "    local r = s:rod{ nodes = n, radius = 0.05, material = stuff, density = 1000,\n"
    "      curve = function(t) local a = 2 * math.pi * t * (n - 1) / n\n"
    "        return math.cos(a), y, math.sin(a) end,\n"
    "      reverse = function(j) return j % 5 == 2 end,\n"
    "      twist = function(t) return turns * 2 * math.pi * t * (n - 1) / n end }\n"
    "    s:segment{ nodes = { r.first, r.last }, material = stuff, density = 1000 }\n"
    "  end\n"
    "  ring(0, 1) ring(3, -2)\n"
    "  local function gate(quantity, body, near)\n"
    "    s:gate{ name = quantity .. body, quantity = 'ribbon/' .. quantity, body = body,\n"
    "      measure = 'first', near = near, tolerance = 1e-9, absolute = true, reason = 'ring' }\n"
    "  end\n"
    "  gate('linking', 0, 1) gate('linking', 1, -2)\n"
    "  gate('twist', 0, 1) gate('twist', 1, -2) gate('writhe', 0, 0)\n"
    "  return s\n"
    "end }\n";

static int run_in(const char *folder, const char *arguments) {
  char command[300];
  snprintf(command, sizeof command, "cd %s && %s %s >out.txt 2>&1", folder, getenv("VIPERBENCH"),
           arguments);
  return WEXITSTATUS(system(command));
}

static bool says(const char *folder, const char *text) {
  char command[300];
  snprintf(command, sizeof command, "grep -q '%s' %s/out.txt", text, folder);
  return system(command) == 0;
}

START_TEST(gates_and_tables_take_it) {
  char folder[32] = "/tmp/vb_ribbon_XXXXXX", path[64], command[64];
  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/rings.lua", folder);
  FILE *file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  fputs(STUDY, file);
  fclose(file);
  ck_assert_int_eq(run_in(folder, "run ./rings.lua --out ."), 0);
  ck_assert_int_eq(run_in(folder, "table rings.h5 'runs/rings/ribbon/linking[1]'"), 0);
  ck_assert(says(folder, "^0 -\\(2\\|1.9999\\)"));
  ck_assert_int_eq(run_in(folder, "table rings-rings.h5 ribbon/twist"), 2);
  ck_assert(says(folder, "has several bodies; choose one"));
  ck_assert_int_eq(run_in(folder, "table rings-rings.h5 'ribbon/twist[7]'"), 2);
  ck_assert(says(folder, "body 7 has no segments"));
  snprintf(command, sizeof command, "rm -rf %s", folder);
  ck_assert_int_eq(system(command), 0);
}
END_TEST

static TCase *ribbons(void) {
  TCase *c = tcase_create("ribbons");
  tcase_set_timeout(c, 60);
  tcase_add_test(c, a_plane_curve_has_no_writhe);
  tcase_add_test(c, a_helix_writhes_by_its_angle);
  tcase_add_test(c, a_torus_knot_links_its_neighbor);
  tcase_add_test(c, a_closed_ribbon_has_a_whole_linking_number);
  tcase_add_test(c, a_straight_ribbon_twists_alone);
  tcase_add_test(c, reversal_and_mirror);
  tcase_add_test(c, gates_and_tables_take_it);
  return c;
}

VB_TEST_MAIN("ribbons", ribbons())
