// SPDX-License-Identifier: GPL-3.0-or-later
/// Muscles as rods: the field, the slices, the points, and their matching.
/// Covers: src/muscle/*.[ch]
#include "muscle/fibers.h"
#include "muscle/harmonic.h"
#include "muscle/matching.h"
#include "muscle/parts.h"
#include "muscle/viperize.h"
#include "test.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#define N_RODS   16
#define N_SLICES 6

typedef struct ends {
  bool *source, *sink;
} ends;

/// A box of 0.3 x 0.05 x 0.05 m with ends in x; bent where `bend` [rad] is not 0.
static vb_mesh make_muscle(double bend, ends *out) {
  vb_box box = {{0, -0.025, -0.025}, {0.3, 0.025, 0.025}, {12, 5, 5}, 5};
  vb_mesh mesh = {0};
  vb_error error = {0};
  ck_assert_int_eq(vb_mesh_box(&box, &mesh, &error), VB_OK);
  out->source = calloc(mesh.n_vertices, sizeof(bool));
  out->sink = calloc(mesh.n_vertices, sizeof(bool));
  for (size_t i = 0; i < mesh.n_vertices; i++) {
    double *x = mesh.vertex[i], angle = bend * x[0] / 0.3;
    out->source[i] = x[0] == 0;
    out->sink[i] = x[0] == 0.3;
    if (bend != 0) {
      double r = 0.3 / bend + x[1];
      x[0] = r * sin(angle);
      x[1] = r * cos(angle);
    }
  }
  return mesh;
}

static void free_muscle(vb_mesh *mesh, ends *e) {
  vb_mesh_clear(mesh);
  free(e->source);
  free(e->sink);
}

START_TEST(fields_are_linear_in_a_bar) {
  ends e;
  vb_mesh mesh = make_muscle(0, &e);
  vb_viperize asked = {&mesh, e.source, e.sink, N_RODS, N_SLICES, 0};
  vb_error error = {0};
  double *field = malloc(mesh.n_vertices * sizeof *field);
  ck_assert_msg(vb_harmonic_solve(&asked, field, &error) == VB_OK, "%s", error.message);
  for (size_t i = 0; i < mesh.n_vertices; i++) // linear elements hold it; rounding of a solve
    ck_assert_double_eq_tol(field[i], mesh.vertex[i][0] / 0.3, 1e-12);
  free(field);
  free_muscle(&mesh, &e);
}
END_TEST

/// Fibers of a bar go along it, those within its ends, too, which reach three layers in.
START_TEST(fibers_of_a_bar_are_straight) {
  ends e;
  vb_mesh mesh = make_muscle(0, &e);
  for (size_t i = 0; _i && i < mesh.n_vertices; i++) {
    e.source[i] = mesh.vertex[i][0] < 0.08;
    e.sink[i] = mesh.vertex[i][0] > 0.22;
  }
  vb_viperize asked = {.mesh = &mesh, .source = e.source, .sink = e.sink};
  vb_error error = {0};
  double(*fiber)[3] = malloc(mesh.n_tetrahedra * sizeof *fiber);
  ck_assert_msg(vb_fiber_run(&asked, fiber, &error) == VB_OK, "%s", error.message);
  for (size_t k = 0; k < mesh.n_tetrahedra; k++)
    for (int c = 0; c < 3; c++) // differences of a field with errors of 1e-12, a tenth apart
      ck_assert_double_eq_tol(fiber[k][c], c == 0, 1e-10);
  free(fiber);
  free_muscle(&mesh, &e);
}
END_TEST

/// Fibers of a bar bent to an arc are its tangents: exact for the field, and within the angle that
/// an element of an arc of 12 takes up, 1.2/12 rad, for its linear pieces.
START_TEST(fibers_of_an_arc_are_tangents) {
  ends e;
  vb_mesh mesh = make_muscle(1.2, &e);
  vb_viperize asked = {.mesh = &mesh, .source = e.source, .sink = e.sink};
  vb_error error = {0};
  double(*fiber)[3] = malloc(mesh.n_tetrahedra * sizeof *fiber), worst = 0;
  ck_assert_msg(vb_fiber_run(&asked, fiber, &error) == VB_OK, "%s", error.message);
  for (size_t k = 0; k < mesh.n_tetrahedra; k++) {
    double x = 0, y = 0, r, along, norm = 0;
    for (int c = 0; c < 4; c++) {
      x += mesh.vertex[mesh.tetrahedron[k][c]][0] / 4;
      y += mesh.vertex[mesh.tetrahedron[k][c]][1] / 4;
    }
    r = sqrt(x * x + y * y);
    along = (fiber[k][0] * y - fiber[k][1] * x) / r;
    for (int c = 0; c < 3; c++)
      norm += fiber[k][c] * fiber[k][c];
    ck_assert_double_eq_tol(norm, 1, 1e-14); // rounding
    worst = fmax(worst, acos(fmin(along, 1)));
  }
  printf("fibers of an arc: %.2e rad off its tangents\n", worst);
  ck_assert_double_lt(worst, 0.1);
  free(fiber);
  free_muscle(&mesh, &e);
}
END_TEST

START_TEST(rods_fill_a_muscle) {
  ends e;
  vb_mesh mesh = make_muscle(_i * 1.2, &e);
  vb_viperize asked = {&mesh, e.source, e.sink, N_RODS, N_SLICES, 0};
  vb_muscle_rods rods[2];
  vb_error error = {0};
  for (int run = 0; run < 2; run++) {
    omp_set_num_threads(run ? 3 : 1);
    ck_assert_msg(vb_viperize_run(&asked, &rods[run], &error) == VB_OK, "%s", error.message);
  }
  ck_assert_mem_eq(rods[0].point, rods[1].point, sizeof(double[N_RODS * N_SLICES][3]));
  ck_assert_mem_eq(rods[0].radius, rods[1].radius, sizeof(double[N_RODS * N_SLICES]));
  double volume = 0, wanted = 0;
  for (size_t k = 0; k < mesh.n_tetrahedra; k++)
    wanted += vb_mesh_volume(&mesh, k);
  for (int i = 0; i < N_RODS; i++)
    for (int j = 1; j < N_SLICES; j++) {
      const double *p = rods[0].point[i * N_SLICES + j], *q = p - 3;
      double a = rods[0].radius[i * N_SLICES + j - 1], b = rods[0].radius[i * N_SLICES + j];
      double l = sqrt(pow(p[0] - q[0], 2) + pow(p[1] - q[1], 2) + pow(p[2] - q[2], 2));
      volume += acos(-1) / 3 * l * (a * a + a * b + b * b);
    }
  ck_assert_double_eq_tol(volume / wanted, 1, 1e-12);
  // Sixteen points of a square come to lie on a grid of 4 x 4, up to the pieces that they move by.
  ck_assert_double_le(rods[0].spread, 0.1);
  for (int run = 0; run < 2; run++)
    vb_muscle_rods_clear(&rods[run]);
  free_muscle(&mesh, &e);
}
END_TEST

/// Takes away what is near the plane y = `y` from `from` to `to` along x.
static void cut_out(vb_mesh *mesh, double from, double to, double y) {
  size_t kept = 0;
  for (size_t k = 0; k < mesh->n_tetrahedra; k++) {
    bool gap = true;
    for (int c = 0; c < 4; c++) {
      const double *x = mesh->vertex[mesh->tetrahedron[k][c]];
      gap = gap && x[0] > from && x[0] < to && fabs(x[1] - y) < 0.006;
    }
    if (!gap)
      memmove(mesh->tetrahedron[kept++], mesh->tetrahedron[k], sizeof *mesh->tetrahedron);
  }
  mesh->n_tetrahedra = kept;
}

/// Turns the section at x by `rate` x about the x-axis.
static void twist(double (*x)[3], size_t n, double rate) {
  for (size_t i = 0; i < n; i++) {
    double c = cos(rate * x[i][0]), s = sin(rate * x[i][0]), y = x[i][1], z = x[i][2];
    x[i][1] = c * y - s * z;
    x[i][2] = s * y + c * z;
  }
}

/// A muscle may have two heads, or a hole: each rod stays in one branch, on the side of its first
/// point in it, also where branches are twisted by 2 rad from slice to slice, so that the other one
/// is nearer; and branches have rods as they have area.
START_TEST(branches_share_the_rods) {
  static const struct {
    double from, to, y;
    int below; // rods below the cut: a middle layer of five is missing, or the lowest but one
    int n_slices;
    double rate;
  } cuts[] = {{0.14, 1, 0, 6, 12, 0},
              {-1, 0.14, 0, 6, 12, 0},
              {0.07, 0.23, 0, 6, 12, 0},
              {0.14, 1, -0.01, 3, 12, 0},
              {0.03, 0.27, 0, 6, 5, 30}};
  enum { N = 12 };
  ends e;
  vb_mesh mesh = make_muscle(0, &e);
  double from = cuts[_i].from, to = cuts[_i].to, y = cuts[_i].y;
  int m = cuts[_i].n_slices;
  cut_out(&mesh, from, to, y);
  twist(mesh.vertex, mesh.n_vertices, cuts[_i].rate);
  vb_viperize asked = {&mesh, e.source, e.sink, N, m, 0};
  vb_muscle_rods rods[2];
  vb_error error = {0};
  for (int run = 0; run < 2; run++) {
    omp_set_num_threads(run ? 3 : 1);
    ck_assert_msg(vb_viperize_run(&asked, &rods[run], &error) == VB_OK, "%s", error.message);
  }
  size_t n_points = (size_t)N * (size_t)m;
  ck_assert_mem_eq(rods[0].point, rods[1].point, n_points * sizeof *rods[0].point);
  ck_assert_mem_eq(rods[0].part, rods[1].part, n_points * sizeof *rods[0].part);
  ck_assert_int_eq(rods[0].n_parts, 2);
  twist(rods[0].point, n_points, -cuts[_i].rate);
  for (int i = 0; i < N; i++)
    for (int j = 1; j < m; j++) {
      const double *p = rods[0].point[i * m + j], *q = p - 3;
      bool branched = fmin(p[0], q[0]) > from + 0.03 && fmax(p[0], q[0]) < to - 0.03;
      ck_assert_msg(!branched || (p[1] < y) == (q[1] < y), "rod %d crosses at slice %d", i, j);
    }
  for (int j = 0; j < m; j++) {
    int below = 0;
    for (int i = 0; i < N; i++)
      below += rods[0].point[i * m + j][1] < y;
    double x = rods[0].point[j][0];
    if (x > from + 0.03 && x < to - 0.03)
      ck_assert_int_eq(below, cuts[_i].below);
  }
  for (int run = 0; run < 2; run++)
    vb_muscle_rods_clear(&rods[run]);
  free_muscle(&mesh, &e);
}
END_TEST

/// The least sum over all orders of the columns from `row` on.
// NOLINTNEXTLINE(misc-no-recursion): as deep as a matrix has rows
static double least_sum(const double *cost, int n, int row, int taken) {
  double best = row == n ? 0 : INFINITY;
  for (int c = 0; row < n && c < n; c++)
    if (!(taken >> c & 1))
      best = fmin(best, cost[row * n + c] + least_sum(cost, n, row + 1, taken | 1 << c));
  return best;
}

START_TEST(matchings_equal_brute_force) {
  srand(5);
  for (int trial = 0; trial < 200; trial++) {
    int n = 1 + trial % 7, seen = 0;
    double cost[49], sum = 0;
    int32_t column[7];
    vb_error error = {0};
    for (int i = 0; i < n * n; i++)
      cost[i] = trial % 3 ? rand() / (double)RAND_MAX : rand() % 4; // also with equal costs
    ck_assert_int_eq(vb_matching_find(cost, n, column, &error), VB_OK);
    for (int i = 0; i < n; i++) {
      seen |= 1 << column[i];
      sum += cost[i * n + column[i]];
    }
    ck_assert_int_eq(seen, (1 << n) - 1);
    ck_assert_double_eq_tol(sum, least_sum(cost, n, 0, 0), 1e-14 * n); // a sum of n rounded terms
  }
}
END_TEST

/// Expects that it is refused with these words.
static void expect_refusal(const vb_viperize *asked, const char *words) {
  vb_muscle_rods rods;
  vb_error error = {0};
  ck_assert_int_eq(vb_viperize_run(asked, &rods, &error), VB_BAD_INPUT);
  ck_assert_msg(strstr(error.message, words), "\"%s\" lacks \"%s\"", error.message, words);
}

START_TEST(bad_muscles_are_refused) {
  ends e;
  vb_mesh mesh = make_muscle(0, &e);
  vb_viperize asked = {&mesh, e.source, e.sink, 4, 6, 0};
  bool *none = calloc(mesh.n_vertices, sizeof *none);
  asked.sink = none;
  expect_refusal(&asked, "the sink has 0 vertices");
  asked.sink = e.source;
  expect_refusal(&asked, "share the vertex at (0, -0.025, -0.025)");
  asked.sink = e.sink;
  size_t kept = 0;
  for (size_t k = 0; k < mesh.n_tetrahedra; k++)
    if (mesh.vertex[mesh.tetrahedron[k][0]][0] < 0.1 ||
        mesh.vertex[mesh.tetrahedron[k][0]][0] > 0.2)
      memmove(mesh.tetrahedron[kept++], mesh.tetrahedron[k], sizeof *mesh.tetrahedron);
  mesh.n_tetrahedra = kept;
  expect_refusal(&asked, "does not reach the");
  free(none);
  free_muscle(&mesh, &e);
}
END_TEST

static double square_between(const double *x, const double *y) {
  const double u = x[0] - y[0], v = x[1] - y[1], w = x[2] - y[2];
  return u * u + v * v + w * w;
}

/// The sample nearest to `x` of all of the slice, the first of several.
static const vb_slice_sample *nearest_of_all(const vb_slice *slice, const double *x) {
  const vb_slice_sample *best = slice->sample;
  for (size_t i = 1; i < slice->n; i++)
    if (square_between(slice->sample[i].x, x) < square_between(best->x, x))
      best = &slice->sample[i];
  return best;
}

enum { N_NEAR = 40 };

/// A slice of a bent muscle, in many boxes, and points about it.
static vb_parts cut_muscle(double x[N_NEAR][3]) {
  ends e;
  vb_mesh mesh = make_muscle(1.5, &e);
  vb_viperize asked = {&mesh, e.source, e.sink, N_RODS, N_SLICES, 0};
  vb_error error = {0};
  vb_parts parts = {0};
  const double level = 0.4;
  double *field = malloc(mesh.n_vertices * sizeof *field);
  uint64_t seed = 1;
  ck_assert_int_eq(vb_harmonic_solve(&asked, field, &error), VB_OK);
  ck_assert_int_eq(vb_parts_make(&mesh, field, &level, 1, 2000, N_RODS, &parts, &error), VB_OK);
  ck_assert_uint_gt(parts.part[0].slice.n, 10 * VB_SLICE_BLOCK);
  for (int i = 0; i < 3 * N_NEAR; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    x[i / 3][i % 3] = parts.part[0].slice.center[i % 3] +
                      0.05 * ((double)(seed >> 11) / 9007199254740992.0 - 0.5);
  }
  free(field);
  free_muscle(&mesh, &e);
  return parts;
}

/// Points are projected to the nearest piece of all, or to its plane: boxes leave out none that is.
START_TEST(points_are_projected_to_the_nearest_piece) {
  double x[N_NEAR][3], out[3];
  vb_parts parts = cut_muscle(x);
  const vb_slice *slice = &parts.part[0].slice;
  for (int p = 0; p < N_NEAR; p++) {
    const vb_slice_sample *s = nearest_of_all(slice, x[p]);
    double off = 0;
    for (int k = 0; k < 3; k++)
      off += (x[p][k] - s->x[k]) * s->normal[k];
    const bool near = square_between(s->x, x[p]) - off * off <= 4 * s->area;
    vb_slice_project(slice, x[p], out);
    for (int k = 0; k < 3; k++) {
      const double expected = near ? x[p][k] - off * s->normal[k] : s->x[k];
      ck_assert_double_eq_tol(out[k], expected, 1e-15); // rounding, which compilers may choose
    }
  }
  vb_parts_clear(&parts);
}
END_TEST

/// Each piece is of the cell of the point that is the nearest of all: boxes leave out none.
START_TEST(points_move_to_the_middles_of_their_cells) {
  double x[N_NEAR][3], sum[N_NEAR][4] = {{0}}, out[3], room[VB_SLICE_ROOM * N_NEAR];
  vb_parts parts = cut_muscle(x);
  const vb_slice *slice = &parts.part[0].slice;
  for (size_t i = 0; i < slice->n; i++) {
    const vb_slice_sample *s = &slice->sample[i];
    int owner = 0;
    for (int p = 1; p < N_NEAR; p++)
      owner = square_between(x[p], s->x) < square_between(x[owner], s->x) ? p : owner;
    for (int k = 0; k < 3; k++)
      sum[owner][k] += s->area * s->x[k];
    sum[owner][3] += s->area;
  }
  vb_slice_relax(slice, x, N_NEAR, NULL, 0, room);
  for (int p = 0; p < N_NEAR; p++) {
    for (int k = 0; k < 3; k++)
      sum[p][k] /= sum[p][3];
    vb_slice_project(slice, sum[p], out);
    for (int k = 0; k < 3 && sum[p][3] > 0; k++) // to rounding of a cell's sums
      ck_assert_double_eq_tol(x[p][k], out[k], 1e-14);
  }
  vb_parts_clear(&parts);
}
END_TEST

static TCase *make_case(void) {
  TCase *test = tcase_create("viperize");
  tcase_add_test(test, fields_are_linear_in_a_bar);
  tcase_add_test(test, fibers_of_an_arc_are_tangents);
  tcase_add_loop_test(test, fibers_of_a_bar_are_straight, 0, 2);
  tcase_add_loop_test(test, rods_fill_a_muscle, 0, 2);
  tcase_add_test(test, matchings_equal_brute_force);
  tcase_add_loop_test(test, branches_share_the_rods, 0, 5);
  tcase_add_test(test, points_are_projected_to_the_nearest_piece);
  tcase_add_test(test, points_move_to_the_middles_of_their_cells);
  tcase_add_test(test, bad_muscles_are_refused);
  return test;
}

VB_TEST_MAIN("viperize", make_case())
