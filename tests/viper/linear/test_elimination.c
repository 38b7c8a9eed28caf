// SPDX-License-Identifier: GPL-3.0-or-later
/// The order and fill of the exact factorization, and the factorization itself against GSL's dense
/// Cholesky. With the entries of the matrix as plain doubles.
/// Covers: src/viper/linear/*.[ch] src/base/rows.h
#define VIPER_PRECISION            64
#define VIPER_WIDE                 double
#define VIPER_WIDE_ZERO            0.0
#define VIPER_WIDEN(x)             (x)
#define VIPER_NARROWED(x)          ((double)(x))
#define VIPER_WIDE_SELECT(m, a, b) ((m) ? (a) : (b))
#define VIPER_ENTRY                double
#define VIPER_ENTRY_IS_SCALAR
#define VIPER_ENTRY_SELECT(m, a, b) ((m) ? (a) : (b))
#define VIPER_ENTRY_ONE             1.0
#include "viper/linear/factor.h"

#include "scenes/scenes.h"
#include "viper/linear/dissection.h"
#include "viper/linear/schedule.h"

#include <gsl/gsl_linalg.h>

/// Model and elimination of a scene, which is kept with them.
typedef struct analyzed {
  vb_scene *scene;
  viper_model *model;
  viper_elimination *elimination;
} analyzed;

static analyzed analyze_scene(vb_builder *b) {
  analyzed a = {.scene = fixture_freeze(b)};
  ck_assert_int_eq(viper_model_create(a.scene, true, &a.model, NULL), VB_OK);
  ck_assert_int_eq(viper_elimination_create(a.model, &a.elimination, NULL), VB_OK);
  return a;
}

/// Of a scene of one body, in the order of nested dissection, in submatrices of so many columns.
static analyzed dissect_scene(vb_builder *b, int32_t most) {
  analyzed a = {.scene = fixture_freeze(b)};
  ck_assert_int_eq(viper_model_create(a.scene, true, &a.model, NULL), VB_OK);
  ck_assert_uint_eq(a.model->n_bodies, 1);
  ck_assert_int_eq(viper_elimination_dissect(a.model, most, &a.elimination, NULL), VB_OK);
  return a;
}

static void analyzed_free(analyzed *a) {
  viper_elimination_destroy(a->elimination);
  viper_model_destroy(a->model);
  free(a->scene);
}

static int32_t first_column(const viper_model_body *body) {
  return body->first_node + body->first_segment;
}

static int32_t end_column(const viper_model_body *body) {
  return first_column(body) + body->n_nodes + body->n_segments;
}

static size_t bar_blocks(int n, const scenes_material *m) {
  vb_builder *b = scenes_begin(0.01, 0);
  scenes_bar(b, n, 1, 0.01, m);
  analyzed a = analyze_scene(b);
  size_t blocks = a.elimination->n_blocks;
  ck_assert_uint_eq(a.elimination->n_columns, 2 * (size_t)n + 1);
  analyzed_free(&a);
  return blocks;
}

/// A chain is a band: each further segment adds the same blocks. With surface_bend a node reaches
/// back over two frames and two nodes (half-bandwidth 14: 4 + 3 + 4 + 3), without over one frame
/// less (10).
START_TEST(a_chain_is_a_band) {
  size_t wide = bar_blocks(11, &scenes_rubber) - bar_blocks(10, &scenes_rubber);
  size_t narrow = bar_blocks(11, &scenes_no_surface) - bar_blocks(10, &scenes_no_surface);
  ck_assert_uint_eq(bar_blocks(400, &scenes_rubber) - bar_blocks(10, &scenes_rubber), 390 * wide);
  ck_assert_uint_eq(bar_blocks(400, &scenes_no_surface) - bar_blocks(10, &scenes_no_surface),
                    390 * narrow);
  ck_assert_uint_le(wide, 7);
  ck_assert_uint_le(narrow, 5);
  ck_assert_uint_lt(narrow, wide);
}
END_TEST

/// A tree has no fill beyond that of its chains: blocks per segment are bounded, however it
/// branches.
START_TEST(a_tree_fills_like_its_chains) {
  for (int n = 50; n <= 400; n *= 2) {
    vb_builder *b = scenes_begin(0.01, 0);
    scenes_graph(b, n, 0, (uint64_t)n, &scenes_no_surface);
    analyzed a = analyze_scene(b);
    ck_assert_uint_le(a.elimination->n_blocks, 6 * (size_t)n);
    analyzed_free(&a);
  }
}
END_TEST

/// Closing a chain to a loop adds at most 7 unknowns to each column: two vertices, a node and a
/// frame, so two blocks more (three with surface_bend, which ties one more node).
START_TEST(a_loop_carries_a_few_columns) {
  for (int wide = 0; wide < 2; wide++) {
    const scenes_material *m = wide ? &scenes_rubber : &scenes_no_surface;
    vb_builder *b = scenes_begin(0.01, 0);
    scenes_octopus(b, 300, 0, 0, m);
    analyzed a = analyze_scene(b);
    ck_assert_uint_eq(a.elimination->n_columns, 600);
    ck_assert_uint_gt(a.elimination->n_blocks, bar_blocks(300, m));
    ck_assert_uint_le(a.elimination->n_blocks, bar_blocks(300, m) + 600 * (wide ? 3 : 2));
    analyzed_free(&a);
  }
}
END_TEST

/// The order is a permutation; rows increase below their column and stay in their body.
START_TEST(elimination_order_is_valid) {
  vb_builder *b = scenes_begin(0.01, 0);
  scenes_bar(b, 5, 1, 0.05, &scenes_rubber);
  scenes_octopus(b, 6, 3, 3, &scenes_rubber);
  scenes_graph(b, 20, 5, 3, &scenes_no_surface);
  analyzed a = analyze_scene(b);
  const viper_elimination *e = a.elimination;
  bool *seen = calloc(e->n_columns, sizeof *seen);
  for (size_t v = 0; v < e->n_columns; v++) {
    ck_assert_int_lt(e->column_of[v], (int32_t)e->n_columns);
    ck_assert(!seen[e->column_of[v]]);
    seen[e->column_of[v]] = true;
  }
  free(seen);
  for (size_t k = 0; k < a.model->n_bodies; k++)
    for (int32_t p = first_column(&a.model->body[k]); p < end_column(&a.model->body[k]); p++)
      for (int32_t i = e->first_block[p], last = p; i < e->first_block[p + 1]; last = e->row[i++]) {
        ck_assert_int_gt(e->row[i], last);
        ck_assert_int_lt(e->row[i], end_column(&a.model->body[k]));
      }
  analyzed_free(&a);
}
END_TEST

/// Random values in the blocks of a body, made positive definite by a diagonal that dominates; the
/// same in a dense matrix, fill included.
static void fill_random(viper_matrix *d, const viper_model_body *body, gsl_matrix *dense,
                        uint64_t *seed) {
  const viper_elimination *e = d->elimination;
  int32_t first = first_column(body);
  for (int32_t p = first; p < end_column(body); p++) {
    for (int r = 0; r < 4; r++)
      for (int c = 0; c <= r; c++) {
        double value = r == c ? 60 : scenes_random(seed);
        size_t row = 4 * (size_t)(p - first) + (size_t)r, col = 4 * (size_t)(p - first) + (size_t)c;
        d->diagonal[p].a[r][c] = d->diagonal[p].a[c][r] = value;
        gsl_matrix_set(dense, row, col, value);
        gsl_matrix_set(dense, col, row, value);
      }
    for (int32_t i = e->first_block[p]; i < e->first_block[p + 1]; i++)
      for (int r = 0; r < 4; r++)
        for (int c = 0; c < 4; c++) {
          size_t row = 4 * (size_t)(e->row[i] - first) + (size_t)r;
          size_t col = 4 * (size_t)(p - first) + (size_t)c;
          d->block[i].a[c][r] = scenes_random(seed);
          gsl_matrix_set(dense, row, col, d->block[i].a[c][r]);
          gsl_matrix_set(dense, col, row, d->block[i].a[c][r]);
        }
  }
}

/// Factors and solves a body's random system both ways; they agree to the rounding of a well
/// conditioned system of 1e2 unknowns.
static void compare_body(viper_matrix *d, const viper_model_body *body, uint64_t *seed) {
  int32_t first = first_column(body);
  size_t n = 4 * (size_t)(end_column(body) - first);
  gsl_matrix *dense = gsl_matrix_calloc(n, n);
  gsl_vector *x = gsl_vector_alloc(n);
  fill_random(d, body, dense, seed);
  for (size_t k = 0; k < n; k++) {
    double value = scenes_random(seed);
    d->gradient[(size_t)first + k / 4][k % 4] = value;
    gsl_vector_set(x, k, -value);
  }
  ck_assert_int_eq(gsl_linalg_cholesky_decomp1(dense), GSL_SUCCESS);
  gsl_linalg_cholesky_svx(dense, x);
  viper_slope found = viper_factor_and_solve(d, first, end_column(body));
  double slope = found.slope, right = 0;
  ck_assert_double_eq(found.shifted, 0);
  for (size_t k = 0; k < n; k++) {
    double value = gsl_vector_get(x, k);
    right += value * d->gradient[(size_t)first + k / 4][k % 4];
    ck_assert_double_eq_tol(d->move[(size_t)first + k / 4][k % 4], value, 1e-13);
  }
  ck_assert_double_lt(right, 0);
  ck_assert_double_eq_tol(slope, right, 1e-12 * -right);
  gsl_matrix_free(dense);
  gsl_vector_free(x);
}

/// A body's random system with one negative pivot, of unknown 1 of the last column: the moves solve
/// the rows of all other unknowns, for only that one is shifted; and they descend.
static void check_shift(viper_matrix *d, const viper_model_body *body, uint64_t *seed) {
  int32_t first = first_column(body), last = end_column(body) - 1;
  size_t n = 4 * (size_t)(last + 1 - first), shifted = n - 3;
  gsl_matrix *dense = gsl_matrix_calloc(n, n);
  fill_random(d, body, dense, seed);
  d->diagonal[last].a[1][1] = -60;
  gsl_matrix_set(dense, shifted, shifted, -60);
  for (size_t k = 0; k < n; k++)
    d->gradient[(size_t)first + k / 4][k % 4] = scenes_random(seed);
  viper_slope slope = viper_factor_and_solve(d, first, last + 1);
  double along = 0;
  for (size_t row = 0; row < n; row++) {
    double g = d->gradient[(size_t)first + row / 4][row % 4], sum = g;
    for (size_t k = 0; k < n; k++)
      sum += gsl_matrix_get(dense, row, k) * d->move[(size_t)first + k / 4][k % 4];
    if (row != shifted)
      ck_assert_double_eq_tol(sum, 0, 1e-13); // a hundred products of order one
    along += g * d->move[(size_t)first + row / 4][row % 4];
  }
  ck_assert_double_lt(along, 0);
  ck_assert_double_eq_tol(slope.slope, along, 1e-12 * -along);
  ck_assert_double_gt(slope.shifted, 0);
  ck_assert_double_lt(slope.shifted, -slope.slope);
  gsl_matrix_free(dense);
}

/// Chains, trees, loops and graphs, several bodies in one factorization.
/// Solves with random matrices of all bodies of a scene.
static void compare_scene(const analyzed *a) {
  size_t n = a->elimination->n_columns;
  viper_matrix d = {.elimination = a->elimination, .model = a->model};
  d.diagonal = calloc(n, sizeof *d.diagonal);
  d.block = calloc(a->elimination->n_blocks + 1, sizeof *d.block);
  d.gradient = calloc(n, sizeof *d.gradient);
  d.move = calloc(n, sizeof *d.move);
  uint64_t seed = 5;
  for (size_t k = 0; k < a->model->n_bodies; k++)
    compare_body(&d, &a->model->body[k], &seed);
  for (size_t k = 0; k < a->model->n_bodies; k++)
    check_shift(&d, &a->model->body[k], &seed);
  free(d.diagonal);
  free(d.block);
  free(d.gradient);
  free(d.move);
}

/// Body `k` of those that are solved for.
static void add_body(vb_builder *b, int k, const scenes_material *m) {
  static const int sizes[6][3] = {{1}, {9}, {12, 0, 3}, {9, 0, 3}, {6, 3, 5}, {14, 8, 9}};
  const int *s = sizes[k];
  if (k < 2)
    scenes_bar(b, s[0], 1, 0.05, m);
  else if (k == 3 || k == 4)
    scenes_octopus(b, s[0], s[1], s[2], m);
  else
    scenes_graph(b, s[0], s[1], (uint64_t)s[2], m);
}

START_TEST(the_factorization_solves) {
  const scenes_material *m = _i ? &scenes_rubber : &scenes_no_surface;
  vb_builder *b = scenes_begin(0.01, 0);
  for (int k = 0; k < 6; k++)
    add_body(b, k, m);
  analyzed a = analyze_scene(b);
  ck_assert_uint_eq(a.model->n_bodies, 6);
  compare_scene(&a);
  analyzed_free(&a);
}
END_TEST

START_TEST(the_dissected_factorization_solves) {
  const scenes_material *m = _i % 2 ? &scenes_rubber : &scenes_no_surface;
  vb_builder *b = scenes_begin(0.01, 0);
  add_body(b, _i / 2 % 6, m);
  analyzed a = dissect_scene(b, _i < 12 ? 0 : 9);
  compare_scene(&a);
  analyzed_free(&a);
}
END_TEST

/// Checks a schedule: no column of a stage acts on another one; sources are all blocks of a row,
/// rising; what they reach is there, and nothing else.
static void check_schedule(const viper_elimination *e, const viper_schedule *s) {
  int32_t n = (int32_t)e->n_columns, seen = 0;
  ck_assert(s->stage[0] == 0 && s->stage[s->n_stages] == n);
  ck_assert(s->submatrix_stage[0] == 0 && s->submatrix_stage[e->submatrices.n + 1] == s->n_stages);
  for (int32_t k = 0; k <= e->submatrices.n + 1; k++)
    ck_assert_int_eq(s->stage[s->submatrix_stage[k]], e->submatrices.first[k]);
  for (int32_t k = 0; k < s->n_stages; k++) {
    ck_assert_int_lt(s->stage[k], s->stage[k + 1]);
    for (int32_t i = e->first_block[s->stage[k]]; i < e->first_block[s->stage[k + 1]]; i++)
      ck_assert_int_ge(e->row[i], s->stage[k + 1]);
  }
  for (int32_t c = 0; c < n; c++) {
    int32_t first = s->first_source[c], count = s->first_source[c + 1] - first;
    for (int32_t k = 0; k < count; k++, seen++) {
      int32_t source = s->source[first + k], p = s->column[source];
      ck_assert_int_eq(e->row[source], c);
      ck_assert(e->first_block[p] <= source && source < e->first_block[p + 1]);
      ck_assert(k == 0 || s->column[s->source[first + k - 1]] < p);
      int32_t reached = 0;
      for (int32_t i = e->first_block[c]; i < e->first_block[c + 1]; i++) {
        int32_t by = s->reach[s->first_reach[c] + (int64_t)(i - e->first_block[c]) * count + k];
        ck_assert(by == 0 || e->row[source + by] == e->row[i]);
        reached += by > 0;
      }
      ck_assert_int_eq(reached, e->first_block[p + 1] - source - 1);
    }
  }
  ck_assert_int_eq(seen, (int32_t)e->n_blocks);
}

/// Checks updates: they are those of the elimination; each column is complete before the pass of
/// its updates; a block has one update in a pass at most, and they rise.
static void check_updates(const viper_elimination *e, const viper_schedule *s) {
  const int32_t n = (int32_t)e->n_columns, n_blocks = (int32_t)e->n_blocks;
  const size_t most = e->n_columns + e->n_blocks;
  int32_t *done = calloc(most, sizeof *done); // updates of a block before the pass
  int32_t *all = calloc(most, sizeof *all), *latest = calloc(most, sizeof *latest);
  ck_assert(done && all && latest);
  ck_assert_int_eq(s->pass[s->n_passes], e->first_target[n] + n_blocks);
  for (int32_t k = 0; k < s->pass[s->n_passes]; k++)
    all[s->update[k].x == s->update[k].y ? s->update[k].target : n + s->update[k].target]++;
  for (int32_t pass = 0; pass < s->n_passes; pass++) {
    ck_assert_int_lt(s->pass[pass], s->pass[pass + 1]);
    for (int32_t k = s->pass[pass]; k < s->pass[pass + 1]; k++) {
      const viper_update u = s->update[k];
      ck_assert(e->first_block[u.column] <= u.y && u.y <= u.x &&
                u.x < e->first_block[u.column + 1]);
      ck_assert_int_eq(done[u.column], all[u.column]);
      for (int32_t i = e->first_block[u.column]; i < e->first_block[u.column + 1]; i++)
        ck_assert_int_eq(done[n + i], all[n + i]);
    }
    for (int32_t k = s->pass[pass]; k < s->pass[pass + 1]; k++) {
      const viper_update u = s->update[k];
      const int32_t to = u.x == u.y ? u.target : n + u.target;
      const int32_t column = e->row[u.y], row = e->row[u.x];
      ck_assert(u.x == u.y ? column == u.target
                           : e->row[u.target] == row && e->first_block[column] <= u.target &&
                                 u.target < e->first_block[column + 1]);
      ck_assert(done[to] == 0 || latest[to] < u.column);
      for (int32_t j = s->pass[pass]; j < k; j++)
        ck_assert(s->update[j].target != u.target ||
                  (s->update[j].x == s->update[j].y) != (u.x == u.y));
      done[to]++;
      latest[to] = u.column;
    }
  }
  free(latest);
  free(all);
  free(done);
}

/// The row of four numbers at which what block `i` of column `p` changes in the column of its
/// block j's row begins; i behind its blocks is its solution.
static int32_t expected_target(const viper_elimination *e, int32_t p, int32_t i, int32_t j) {
  const int32_t n = (int32_t)e->n_columns, first = e->first_block[p];
  const int32_t column = e->row[first + j];
  if (first + i == e->first_block[p + 1])
    return column;
  if (i == j)
    return n + 4 * column;
  for (int32_t b = e->first_block[column]; b < e->first_block[column + 1]; b++)
    if (e->row[b] == e->row[first + i])
      return ~(5 * n + 4 * b);
  return 0; // there is none
}

/// Checks the panels of column `p`, which is in pass `at` of the schedule.
static void check_panels(const viper_elimination *e, const viper_schedule *s, int32_t p,
                         const viper_forward_column *at) {
  const int32_t n = at->n_blocks, columns = (int32_t)e->n_columns;
  ck_assert_int_eq(n, e->first_block[p + 1] - e->first_block[p]);
  ck_assert_int_eq(at->block, 5 * columns + 4 * e->first_block[p]);
  ck_assert_int_le(n, VIPER_CHAIN_BLOCKS);
  ck_assert_int_le(at->panel + n + 1, s->n_panels);
  for (int32_t i = 0; i <= n; i++) {
    const viper_panel *panel = &s->panel[at->panel + i];
    const int32_t last = i < n ? i : n - 1;
    ck_assert_int_eq(panel->row, i < n ? at->block + 4 * i : p);
    for (int32_t j = 0; j < VIPER_CHAIN_BLOCKS && n > 0; j++)
      ck_assert_int_eq(panel->target[j], expected_target(e, p, i, j < last ? j : last));
  }
}

/// Checks passes of columns: each column is factored once, in a later pass than all columns that
/// act on it; no two of a pass act on the same column, and those that do so rise.
static void check_columns(const viper_elimination *e, const viper_schedule *s) {
  const int32_t n = (int32_t)e->n_columns;
  int32_t *pass_of = calloc((size_t)n, sizeof *pass_of), *by = calloc((size_t)n, sizeof *by);
  ck_assert(pass_of && by);
  ck_assert_int_eq(s->pass[s->n_passes], n);
  for (int32_t pass = 0; pass < s->n_passes; pass++) {
    ck_assert_int_lt(s->pass[pass], s->pass[pass + 1]);
    for (int32_t k = s->pass[pass]; k < s->pass[pass + 1]; k++) {
      const int32_t p = (s->forward[k].diagonal - n) / 4;
      ck_assert(p >= 0 && p < n && pass_of[p] == 0);
      pass_of[p] = pass + 1;
      check_panels(e, s, p, &s->forward[k]);
    }
  }
  for (int32_t p = 0; p < n; p++)
    for (int32_t i = e->first_block[p]; i < e->first_block[p + 1]; i++) {
      ck_assert_int_lt(pass_of[p], pass_of[e->row[i]]);
      ck_assert_int_lt(by[e->row[i]], pass_of[p]);
      by[e->row[i]] = pass_of[p];
    }
  free(by);
  free(pass_of);
}

/// Checks the way back: a column waits for its rows.
static void check_levels(const viper_elimination *e, const viper_schedule *s) {
  const int32_t n = (int32_t)e->n_columns;
  int32_t *level = calloc((size_t)n, sizeof *level), seen = 0;
  ck_assert_ptr_nonnull(level);
  for (int32_t l = 0; l < s->n_levels; l++)
    for (int32_t k = s->level[l]; k < s->level[l + 1]; k++, seen++) {
      const viper_backward_column *at = &s->backward[k];
      level[at->column] = l + 1;
      ck_assert(at->block == e->first_block[at->column] &&
                at->block_end == e->first_block[at->column + 1]);
      for (int32_t i = at->block; i < at->block_end; i++)
        ck_assert(level[e->row[i]] > 0 && level[e->row[i]] <= l);
      for (int32_t i = 0; i < VIPER_ROWS_NOTED; i++)
        ck_assert_int_eq(at->row[i], at->block == at->block_end      ? at->column
                                     : at->block + i < at->block_end ? e->row[at->block + i]
                                                                     : e->row[at->block]);
    }
  ck_assert_int_eq(seen, n);
  free(level);
}

/// Checks passes and levels.
static void check_passes(const viper_elimination *e, const viper_schedule *s) {
  int32_t most = 0;
  for (size_t p = 0; p < e->n_columns; p++)
    most = e->first_block[p + 1] - e->first_block[p] > most
               ? e->first_block[p + 1] - e->first_block[p]
               : most;
  ck_assert_int_eq(s->is_chain, most <= VIPER_CHAIN_BLOCKS);
  ck_assert((s->forward != NULL) == s->is_chain && (s->update != NULL) == !s->is_chain);
  if (s->is_chain)
    check_columns(e, s);
  else
    check_updates(e, s);
  check_levels(e, s);
}

START_TEST(schedules_are_valid) {
  vb_builder *b = scenes_begin(0.01, 0);
  add_body(b, _i / 2 % 6, &scenes_rubber);
  analyzed a = _i % 2 ? dissect_scene(b, _i < 12 ? 0 : 9) : analyze_scene(b);
  viper_schedule *s;
  ck_assert_int_eq(viper_schedule_create(a.elimination, &s, NULL), VB_OK);
  check_schedule(a.elimination, s);
  ck_assert_int_eq(viper_schedule_find_passes(a.elimination, s, NULL), VB_OK);
  check_passes(a.elimination, s);
  viper_schedule_destroy(s);
  analyzed_free(&a);
}
END_TEST

/// Dissected, a chain is done in stages that grow by three (two where no surface_bend ties scales)
/// with every doubling; a column has at most two such cuts below it and the rest of its own.
START_TEST(a_dissected_chain_takes_few_stages) {
  const scenes_material *m = _i ? &scenes_rubber : &scenes_no_surface;
  int cut = _i ? 3 : 2, last = 0;
  for (int n = 250; n <= 4000; n *= 2) {
    vb_builder *b = scenes_begin(0.01, 0);
    scenes_bar(b, n, 0.01 * n, 0.01, m);
    analyzed a = dissect_scene(b, 0);
    viper_schedule *s;
    ck_assert_int_eq(viper_schedule_create(a.elimination, &s, NULL), VB_OK);
    check_schedule(a.elimination, s);
    ck_assert_int_le(s->n_stages, last ? last + 2 * cut : n / 2);
    ck_assert(n < 4000 || s->n_stages <= cut * 13 + 4); // 13 halvings of 8001 columns
    ck_assert_uint_le(a.elimination->n_blocks, (size_t)(3 * cut) * a.elimination->n_columns);
    last = s->n_stages;
    viper_schedule_destroy(s);
    analyzed_free(&a);
  }
}
END_TEST

/// Checks submatrices: none is larger than it may be, but a single one, which has no top; none acts
/// on another; and the room is that of the largest with the top.
static void check_pieces(const viper_elimination *e, int32_t most) {
  const viper_submatrices *p = &e->submatrices;
  int32_t top = p->first[p->n], largest = 0;
  size_t blocks = 0;
  ck_assert(p->first[0] == 0 && p->first[p->n + 1] == (int32_t)e->n_columns);
  for (int32_t k = 0; k < p->n; k++) {
    int32_t first = p->first[k], end = p->first[k + 1], n = end - first;
    size_t of_piece = (size_t)(e->first_block[end] - e->first_block[first]);
    ck_assert(n > 0 && (n <= most || p->n == 1));
    for (int32_t i = e->first_block[first]; i < e->first_block[end]; i++)
      ck_assert(e->row[i] < end || e->row[i] >= top);
    largest = n > largest ? n : largest;
    blocks = of_piece > blocks ? of_piece : blocks;
  }
  ck_assert(p->n > 1 || top == (int32_t)e->n_columns);
  ck_assert_uint_eq(p->room_columns, (size_t)largest + e->n_columns - (size_t)top);
  ck_assert_uint_eq(p->room_blocks, blocks + e->n_blocks - (size_t)e->first_block[top]);
}

START_TEST(submatrices_are_independent) {
  for (int32_t most = 8; most < 60; most += 13) {
    vb_builder *b = scenes_begin(0.01, 0);
    add_body(b, _i, &scenes_rubber);
    analyzed a = dissect_scene(b, most);
    check_pieces(a.elimination, most);
    analyzed_free(&a);
  }
}
END_TEST

/// A chain is halved until its submatrices are small enough; between two of them are the three
/// columns that tie what is before to what is after. Arms of a body that its middle ties are joined
/// to submatrices again.
START_TEST(chains_have_few_submatrices) {
  vb_builder *b = scenes_begin(0.01, 0);
  scenes_bar(b, 1000, 10, 0.01, &scenes_rubber);
  analyzed a = dissect_scene(b, 300);
  const viper_submatrices *p = &a.elimination->submatrices;
  check_pieces(a.elimination, 300);
  ck_assert_int_eq(p->n, 8);
  ck_assert_int_le(p->first[9] - p->first[8], 7 * 3);
  ck_assert_uint_lt(p->room_blocks, a.elimination->n_blocks / 7);
  analyzed_free(&a);
  b = scenes_begin(0.01, 0);
  scenes_octopus(b, 40, 5, 0, &scenes_rubber); // arms of ten columns and more
  a = dissect_scene(b, 200);
  check_pieces(a.elimination, 200);
  ck_assert_int_le(a.elimination->submatrices.n, 2 * (int32_t)a.elimination->n_columns / 200 + 1);
  analyzed_free(&a);
}
END_TEST

static TCase *elimination(void) {
  TCase *t = tcase_create("elimination");
  tcase_add_test(t, a_chain_is_a_band);
  tcase_add_test(t, a_tree_fills_like_its_chains);
  tcase_add_test(t, a_loop_carries_a_few_columns);
  tcase_add_test(t, elimination_order_is_valid);
  tcase_add_loop_test(t, the_factorization_solves, 0, 2);
  tcase_add_loop_test(t, the_dissected_factorization_solves, 0, 24);
  tcase_add_loop_test(t, schedules_are_valid, 0, 24);
  tcase_add_loop_test(t, submatrices_are_independent, 0, 6);
  tcase_add_test(t, chains_have_few_submatrices);
  tcase_add_loop_test(t, a_dissected_chain_takes_few_stages, 0, 2);
  return t;
}

VB_TEST_MAIN("elimination", elimination())
