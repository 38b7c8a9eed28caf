// SPDX-License-Identifier: GPL-3.0-or-later
/// Distances of surfaces against brute force and known gaps, and of recorded runs over time.
/// Covers: src/mesh/box_tree.* src/gate/surface_series.* src/gate/node_distance.*
#include "base/signals.h"
#include "gate/gate.h"
#include "gate/surface_series.h"
#include "mesh/surface_distance.h"
#include "scene/rotation.h"
#include "scenes/scenes.h"
#include "solver/table.h"
#include "study/run.h"
#include "study/study_execute.h"

#include <signal.h>
#include <unistd.h>

/// Distance of `p` to the point a + s (b - a) + t (c - a).
static double distance_at(const double p[3], const double x[3][3], double s, double t) {
  double q[3];
  for (int k = 0; k < 3; k++)
    q[k] = x[0][k] + s * (x[1][k] - x[0][k]) + t * (x[2][k] - x[0][k]);
  return vb_distance(p, q);
}

/// The least of them over 0 <= t <= 1 - s, of which the distance is a convex function: by thirds.
static double search_t(const double p[3], const double x[3][3], double s) {
  double low = 0, high = 1 - s;
  for (int i = 0; i < 60; i++) {
    double a = low + (high - low) / 3, b = high - (high - low) / 3;
    if (distance_at(p, x, s, a) < distance_at(p, x, s, b))
      high = b;
    else
      low = a;
  }
  return distance_at(p, x, s, (low + high) / 2);
}

/// And over 0 <= s <= 1: that least is convex, too. No geometry but that of points.
static double searched(const double p[3], const double x[3][3]) {
  double low = 0, high = 1;
  for (int i = 0; i < 60; i++) {
    double a = low + (high - low) / 3, b = high - (high - low) / 3;
    if (search_t(p, x, a) < search_t(p, x, b))
      high = b;
    else
      low = a;
  }
  return search_t(p, x, (low + high) / 2);
}

START_TEST(points_and_triangles_match_brute_force) {
  uint64_t seed = 5;
  for (int n = 0; n < 300; n++) {
    double p[3], t[3][3];
    for (int k = 0; k < 3; k++) {
      p[k] = 1.5 * scenes_random(&seed);
      for (int c = 0; c < 3; c++)
        t[c][k] = scenes_random(&seed);
    }
    double d = sqrt(vb_triangle_distance2(p, t[0], t[1], t[2]));
    double found = searched(p, (const double(*)[3])t);
    // A search by values ends at the root of their rounding, some 1e-8 of the triangle's size.
    ck_assert_double_eq_tol(d, found, 1e-7);
  }
}
END_TEST

START_TEST(degenerate_triangles_are_segments_and_points) {
  const double p[3] = {0, 0, 2}, a[3] = {-1, 0, 0}, b[3] = {1, 0, 0}, c[3] = {3, 0, 0};
  ck_assert_double_eq(vb_triangle_distance2(p, a, b, c), 4);
  ck_assert_double_eq(vb_triangle_distance2(p, b, c, c), 5);
  ck_assert_double_eq(vb_triangle_distance2(p, a, a, a), 5);
}
END_TEST

/// A square sheet of n x n cells of 1/n m at height z(x, y).
typedef struct sheet {
  double *vertex;
  int32_t *triangle;
  vb_surface surface;
} sheet;

static sheet make_sheet(int n, double shift, double tilt, double height) {
  size_t side = (size_t)n + 1, cells = (size_t)n * (size_t)n;
  sheet s = {malloc(3 * side * side * sizeof(double)), malloc(6 * cells * sizeof(int32_t)), {0}};
  ck_assert(s.vertex && s.triangle);
  for (size_t i = 0; i < side * side; i++) {
    size_t row = i / side, place = i % side;
    double x = (double)row / n, y = (double)place / n;
    memcpy(s.vertex + 3 * i, (double[3]){x + shift, y, height + tilt * x}, 3 * sizeof(double));
  }
  for (size_t c = 0; c < cells; c++) {
    int32_t at = (int32_t)(c / (size_t)n * side + c % (size_t)n), next = at + (int32_t)side;
    memcpy(s.triangle + 6 * c, (int32_t[6]){at, next, at + 1, next, next + 1, at + 1},
           6 * sizeof(int32_t));
  }
  s.surface = (vb_surface){s.vertex, side * side, s.triangle, 2 * cells};
  return s;
}

static void free_sheet(sheet *s) {
  free(s->vertex);
  free(s->triangle);
}

static vb_surface_gap gap_of(const sheet *a, const sheet *b) {
  vb_surface_gap gap = {0};
  vb_error error = {0};
  ck_assert_msg(!vb_surface_distance(&a->surface, &b->surface, &gap, &error), "%s", error.message);
  return gap;
}

START_TEST(known_gaps_are_measured) {
  sheet a = make_sheet(8, 0, 0, 0), b = make_sheet(5, 0, 0, 0.3), c = make_sheet(8, 0.5, 0, 0);
  vb_surface_gap gap = gap_of(&a, &b);
  ck_assert_double_eq_tol(gap.rms, 0.3, 1e-15);
  ck_assert_double_eq_tol(gap.hausdorff, 0.3, 1e-15);
  // Moved by half its side in its own plane: half of either is up to 0.5 m from the other.
  gap = gap_of(&a, &c);
  ck_assert_double_eq_tol(gap.hausdorff, 0.5, 1e-15);
  // The mean square over that half is 1/12, over all 1/24; vertices take it by the trapezoid rule,
  // which is off by the square of their distance over 12, and by the rounding of that.
  ck_assert_double_eq_tol(gap.rms * gap.rms, 1.0 / 24, 0.125 * 0.125 / 11.9);
  gap = gap_of(&a, &a);
  ck_assert_double_eq(gap.rms, 0);
  ck_assert_double_eq(gap.hausdorff, 0);
  free_sheet(&a);
  free_sheet(&b);
  free_sheet(&c);
}
END_TEST

/// Sums the same without passing over any triangle.
static vb_surface_gap brute(const vb_surface *a, const vb_surface *b) {
  double area = 0, square = 0, most = 0;
  const vb_surface *s[2] = {a, b};
  for (int side = 0; side < 2; side++)
    for (size_t t = 0; t < s[side]->n_triangles; t++) {
      const double *x[3];
      double u[3], v[3], normal[3];
      for (int c = 0; c < 3; c++)
        x[c] = s[side]->vertex + 3 * s[side]->triangle[3 * t + (size_t)c];
      for (int k = 0; k < 3; k++) {
        u[k] = x[1][k] - x[0][k];
        v[k] = x[2][k] - x[0][k];
      }
      vb_cross(u, v, normal);
      double third = sqrt(vb_dot(normal, normal)) / 6;
      for (int c = 0; c < 3; c++) {
        const vb_surface *other = s[!side];
        double best = INFINITY;
        for (size_t o = 0; o < other->n_triangles; o++)
          best = fmin(best, vb_triangle_distance2(x[c], other->vertex + 3 * other->triangle[3 * o],
                                                  other->vertex + 3 * other->triangle[3 * o + 1],
                                                  other->vertex + 3 * other->triangle[3 * o + 2]));
        area += third;
        square += third * best;
        most = fmax(most, sqrt(best));
      }
    }
  return (vb_surface_gap){sqrt(square / area), most};
}

START_TEST(surfaces_agree_with_brute_force) {
  uint64_t seed = 9;
  sheet a = make_sheet(7, 0, 0.2, 0), b = make_sheet(9, 0.1, -0.4, 0.1);
  for (size_t i = 0; i < 3 * a.surface.n_vertices; i++)
    a.vertex[i] += 0.05 * scenes_random(&seed);
  for (size_t i = 0; i < 3 * b.surface.n_vertices; i++)
    b.vertex[i] += 0.05 * scenes_random(&seed);
  vb_surface_gap gap = gap_of(&a, &b), all = brute(&a.surface, &b.surface);
  ck_assert_double_eq_tol(gap.rms, all.rms, 1e-14); // rounding: another order of the sums
  ck_assert_double_eq_tol(gap.hausdorff, all.hausdorff, 1e-15);
  free_sheet(&a);
  free_sheet(&b);
}
END_TEST

START_TEST(what_has_no_distance_is_refused) {
  vb_surface_gap gap = {-1, -1};
  vb_error error = {0};
  sheet a = make_sheet(2, 0, 0, 0), b = make_sheet(2, 0, 0, 1);
  vb_surface none = {b.vertex, b.surface.n_vertices, b.triangle, 0};
  ck_assert_int_eq(vb_surface_distance(&a.surface, &none, &gap, &error), VB_BAD_INPUT);
  b.vertex[4] = NAN;
  ck_assert_int_eq(vb_surface_distance(&a.surface, &b.surface, &gap, &error), VB_BAD_INPUT);
  ck_assert_ptr_nonnull(strstr(error.message, "vertex 1 of a surface is not finite"));
  memset(a.vertex, 0, 3 * a.surface.n_vertices * sizeof(double));
  ck_assert_int_eq(vb_surface_distance(&a.surface, &a.surface, &gap, &error), VB_BAD_INPUT);
  ck_assert_double_eq(gap.rms, -1);
  free_sheet(&a);
  free_sheet(&b);
}
END_TEST

/// A rod of one segment that moves along z by `speed`, with a square sheet around it.
static vb_scene *moving(double speed, int64_t n_steps) {
  vb_builder *b = fixture_builder();
  vb_builder_world(b)->n_steps = n_steps;
  scenes_bar(b, 1, 1, 0.1, &scenes_rubber);
  sheet s = make_sheet(2, 0, 0, 0);
  size_t n;
  vb_node *node = vb_builder_elements(b, VB_SET_NODE, &n);
  for (size_t i = 0; i < n; i++)
    node[i].velocity[2] = speed;
  for (size_t i = 0; i < s.surface.n_vertices; i++) {
    vb_surface_vertex v = {.segment = -1};
    memcpy(v.rest_position, s.vertex + 3 * i, sizeof v.rest_position);
    fixture_add(b, VB_SET_SURFACE_VERTEX, &v);
  }
  for (size_t t = 0; t < s.surface.n_triangles; t++) {
    vb_triangle triangle = {0};
    memcpy(triangle.vertex, s.triangle + 3 * t, sizeof triangle.vertex);
    fixture_add(b, VB_SET_TRIANGLE, &triangle);
  }
  free_sheet(&s);
  return fixture_freeze(b);
}

static void record(const vb_scene *scene, const char *path) {
  static char *fields[] = {"vertices", "position"};
  vb_run_plan run = {
      .name = "a",
      .label = "a",
      .scenario = "sheet",
      .script = "return {}",
      .parameters = "{}",
      .solver = "viper",
      .scene = (vb_scene *)(uintptr_t)scene,
      .record = {.every = 1, .frames_every = 2, .fields = fields, .n_fields = 2, .exact = true}};
  vb_study study = {
      .name = "s", .title = "S", .tier = "quick", .script = "", .runs = &run, .n_runs = 1};
  const vb_solver *solver;
  vb_run_result result;
  vb_error error = {0};
  ck_assert_int_eq(vb_solver_find("viper", &solver, NULL), VB_OK);
  ck_assert_msg(!vb_run_execute(&study, &run, solver, path, NULL, &result, &error), "%s",
                error.message);
}

static vb_verdict evaluate(vb_gate gate, const char *a, const char *b) {
  const char *paths[2] = {a, b};
  char *names[2] = {"a", "b"};
  vb_verdict verdict;
  gate.name = gate.reason = "";
  gate.component = -1;
  gate.runs = names;
  vb_gate_evaluate(&gate, paths, &verdict);
  return verdict;
}

/// The same of the first component of a row.
static vb_verdict evaluate_x(vb_gate gate, const char *a, const char *b) {
  const char *paths[2] = {a, b};
  char *names[2] = {"a", "b"};
  vb_verdict verdict;
  gate.name = gate.reason = "";
  gate.from = -INFINITY;
  gate.to = INFINITY;
  gate.runs = names;
  vb_gate_evaluate(&gate, paths, &verdict);
  return verdict;
}

START_TEST(recorded_runs_are_compared) {
  char folder[] = "/tmp/vb_gap_XXXXXX", path[3][64], command[64];
  ck_assert_ptr_nonnull(mkdtemp(folder));
  const double speed[3] = {0, 2, 0};
  for (int i = 0; i < 3; i++) {
    vb_scene *scene = moving(speed[i], i < 2 ? 4 : 5);
    snprintf(path[i], sizeof path[i], "%s/%d.h5", folder, i);
    record(scene, path[i]);
    free(scene);
  }
  vb_surface_series series = {0};
  vb_error error = {0};
  vb_run_location place[3] = {{path[0], NULL}, {path[1], NULL}, {path[2], NULL}};
  ck_assert_int_eq(vb_surface_series_read(place[0], place[1], &series, &error), VB_OK);
  ck_assert_uint_eq(series.n, 3);
  for (size_t k = 0; k < 3; k++) {
    ck_assert_double_eq_tol(series.time[k], 0.02 * (double)k, 1e-15);
    ck_assert_double_eq_tol(series.rms[k], 2 * series.time[k], 1e-14);
    ck_assert_double_eq_tol(series.hausdorff[k], 2 * series.time[k], 1e-14);
  }
  vb_surface_series_free(&series);
  ck_assert_int_eq(vb_surface_series_read(place[0], place[2], &series, &error), VB_BAD_INPUT);
  ck_assert_ptr_nonnull(strstr(error.message, "has 3 frames, "));

  vb_gate gate = {.quantity = "frames/vertices", .row = -1, .measure = VB_MEASURE_VALUE};
  gate.from = 0.03;
  gate.combination = VB_SURFACE_RMS;
  gate.n_runs = 2;
  gate.reference = gate.tolerance = 1;
  ck_assert_double_eq_tol(evaluate(gate, path[0], path[1]).value, 0.06, 1e-14);
  gate.combination = VB_SURFACE_HAUSDORFF;
  gate.measure = VB_MEASURE_FINAL;
  ck_assert_double_eq_tol(evaluate(gate, path[0], path[1]).value, 0.08, 1e-14);
  ck_assert(!evaluate(gate, path[0], path[2]).passed);
  ck_assert_ptr_nonnull(strstr(evaluate(gate, path[0], path[2]).note, "frames"));

  // Two corners of the sheet stay apart by its diagonal.
  gate = (vb_gate){.quantity = "frames/vertices", .row = 0, .apart = true, .other_row = 8};
  gate.measure = VB_MEASURE_FINAL;
  gate.n_runs = 1;
  ck_assert_double_eq_tol(evaluate(gate, path[1], NULL).value, sqrt(2), 1e-14);
  gate.other_row = 9;
  ck_assert_ptr_nonnull(strstr(evaluate(gate, path[1], NULL).note, "has no row 9"));

  // The rod's end is at x = 1, and 0.08 m from where it is at rest.
  gate = (vb_gate){.quantity = "frames/position", .row = 1, .measure = VB_MEASURE_FINAL};
  gate.combination = VB_OVER_DISTANCE;
  gate.n_runs = 2;
  gate.limit = NAN;
  ck_assert_double_eq_tol(evaluate_x(gate, path[0], path[1]).value, 1 / 0.08, 1e-11);
  gate.origin = -0.02;
  ck_assert_double_eq_tol(evaluate_x(gate, path[0], path[1]).value, 1.02 / 0.1, 1e-11);
  gate.limit = 0.5;
  ck_assert_double_eq(evaluate_x(gate, path[0], path[1]).value, 1);
  gate.limit = NAN;
  gate.origin = 0;
  ck_assert_ptr_nonnull(strstr(evaluate_x(gate, path[0], path[0]).note, "zero"));
  snprintf(command, sizeof command, "rm -r %s", folder);
  ck_assert_int_eq(system(command), 0);
}
END_TEST

START_TEST(a_signal_ends_comparisons_and_judges_no_gate) {
  char folder[] = "/tmp/vb_gap_XXXXXX", command[64], path[64];
  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/a.h5", folder);
  vb_scene *scene = moving(0, 2);
  record(scene, path);
  free(scene);
  char *names[2] = {"a", "a"};
  vb_gate gate = {.name = "gap", .reason = "", .runs = names, .n_runs = 2, .tolerance = 1};
  gate.quantity = "frames/vertices";
  gate.component = -1;
  gate.measure = VB_MEASURE_FINAL;
  gate.combination = VB_SURFACE_RMS;
  vb_run_plan plan = {.name = "a"};
  vb_study study = {.name = "s", .runs = &plan, .n_runs = 1, .gates = &gate, .n_gates = 1};
  vb_run_outcome run = {.path = path, .recorded = true};
  vb_verdict verdict = {0};
  bool evaluated = false;
  vb_study_outcome outcome = {
      .study = &study, .runs = &run, .verdicts = &verdict, .evaluated = &evaluated};
  vb_study_evaluate_gate(&outcome, 0);
  ck_assert(evaluated && verdict.passed);

  sheet a = make_sheet(2, 0, 0, 0);
  vb_surface_gap gap = {-1, -1};
  vb_error error = {0};
  vb_signals_install();
  raise(SIGTERM);
  ck_assert_int_eq(vb_surface_distance(&a.surface, &a.surface, &gap, &error), VB_INTERRUPTED);
  ck_assert_double_eq(gap.rms, -1);
  vb_study_evaluate_gate(&outcome, 0);
  ck_assert(!evaluated);
  free_sheet(&a);
  snprintf(command, sizeof command, "rm -r %s", folder);
  ck_assert_int_eq(system(command), 0);
}
END_TEST

static TCase *make_case(void) {
  TCase *test = tcase_create("surface distance");
  tcase_add_test(test, points_and_triangles_match_brute_force);
  tcase_add_test(test, degenerate_triangles_are_segments_and_points);
  tcase_add_test(test, known_gaps_are_measured);
  tcase_add_test(test, surfaces_agree_with_brute_force);
  tcase_add_test(test, what_has_no_distance_is_refused);
  tcase_add_test(test, recorded_runs_are_compared);
  tcase_add_test(test, a_signal_ends_comparisons_and_judges_no_gate);
  return test;
}

VB_TEST_MAIN("surface_distance", make_case())
