// SPDX-License-Identifier: GPL-3.0-or-later
#include "reference/cosserat/collocation.h"

#include "reference/cosserat/equations.h"
#include "reference/cosserat/interval.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  FIRST_INTERVALS = 16, ///< of 4, so that quarters are points of every mesh
  MOST_INTERVALS = 4096,
  MOST_ITERATIONS = 30,
  MOST_HALVINGS = 12, ///< of a step of the load
  RIGHT_SIDES = 4     ///< that a linearized problem is solved for at once, at most
};

/// By how much the polynomial may miss the equations, over the length of its interval. It is of
/// lower order than the state at points of the mesh, whose error is far less.
static const double defect_limit = 1e-7;

/// Newton's method ends where no number of the state changes by more, as a part of the greatest of
/// its kind.
static const double newton_limit = 1e-12;

/// A state on a mesh.
typedef struct mesh {
  const cosserat_rod *rod;
  int n, size;   ///< intervals, numbers of a state
  double *knot;  ///< (n + 1) along the rod
  double *state; ///< (n + 1) x size
  double *slope; ///< n x 3 x size: rates at the Gauss points
} mesh;

static void clear(mesh *m) {
  free(m->knot);
  free(m->state);
  free(m->slope);
}

static vb_status create(const cosserat_rod *rod, int n, mesh *out, vb_error *error) {
  mesh m = {.rod = rod, .n = n, .size = cosserat_state_size(rod)};
  size_t points = (size_t)n + 1, size = (size_t)m.size;
  m.knot = calloc(points, sizeof *m.knot);
  m.state = calloc(points, size * sizeof *m.state);
  m.slope = calloc(points, 3 * size * sizeof *m.slope);
  *out = m;
  return m.knot && m.state && m.slope ? VB_OK : vb_error_memory(error);
}

/// Begins at the first guess.
static void guess(mesh *m, double factor) {
  for (int i = 0; i <= m->n; i++)
    cosserat_first_guess(m->rod, factor, m->knot[i], m->state + m->size * i);
  for (int i = 0; i < m->n; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < m->size; k++)
        m->slope[(3 * i + j) * m->size + k] =
            (m->state[m->size * (i + 1) + k] - m->state[m->size * i + k]) /
            (m->knot[i + 1] - m->knot[i]);
}

/// The linearized problem on a mesh, whose band LAPACK solves, and what interval by interval is
/// left to be found from its solution.
typedef struct system {
  int n, below, above, rows; ///< unknowns, diagonals below and above, rows of the band
  double *band, *right;
  int *pivot;
  cosserat_interval *interval;
} system_t;

/// LAPACK: factorization and solution of a band matrix.
extern void dgbtrf_(const int *m, const int *n, const int *kl, const int *ku, double *ab,
                    const int *ldab, int *ipiv, int *info);
extern void dgbtrs_(const char *trans, const int *n, const int *kl, const int *ku, const int *nrhs,
                    const double *ab, const int *ldab, const int *ipiv, double *b, const int *ldb,
                    int *info, size_t trans_length);
extern void dgbsv_(const int *n, const int *kl, const int *ku, const int *nrhs, double *ab,
                   const int *ldab, int *ipiv, double *b, const int *ldb, int *info);

static void clear_system(system_t *s) {
  free(s->band);
  free(s->right);
  free(s->pivot);
  free(s->interval);
}

static vb_status create_system(const mesh *m, system_t *out, vb_error *error) {
  system_t s = {.n = (m->n + 1) * m->size, .below = 2 * m->size - 1, .above = 2 * m->size - 1};
  s.rows = 2 * s.below + s.above + 1;
  s.band = calloc((size_t)s.n, (size_t)s.rows * sizeof *s.band);
  s.right = calloc((size_t)s.n, RIGHT_SIDES * sizeof *s.right);
  s.pivot = calloc((size_t)s.n, sizeof *s.pivot);
  s.interval = calloc((size_t)m->n, sizeof *s.interval);
  *out = s;
  return s.band && s.right && s.pivot && s.interval ? VB_OK : vb_error_memory(error);
}

static void put(system_t *s, int row, int column, double value) {
  s->band[(size_t)column * (size_t)s->rows + (size_t)(s->below + s->above + row - column)] = value;
}

/// Conditions at an end as rows of the band from `row` on, at the state that begins in `column`.
static void put_end(const mesh *m, double factor, bool finish, int row, int column, system_t *s) {
  double complex state[COSSERAT_STATE], out[COSSERAT_STATE];
  int at_start = cosserat_start_conditions(m->rod), n = finish ? m->size - at_start : at_start;
  for (int c = 0; c < m->size; c++) {
    for (int k = 0; k < m->size; k++)
      state[k] = m->state[column + k] + (k == c ? I * COSSERAT_TINY : 0);
    if (finish)
      cosserat_at_finish(m->rod, factor, state, out);
    else
      cosserat_at_start(m->rod, state, out);
    for (int k = 0; k < n; k++) {
      put(s, row + k, column + c, cimag(out[k]) / COSSERAT_TINY);
      s->right[row + k] = -creal(out[k]);
    }
  }
}

/// Linearizes the problem at the state of the mesh.
static vb_status assemble(const mesh *m, double factor, system_t *s, vb_error *error) {
  int size = m->size, first = cosserat_start_conditions(m->rod);
  memset(s->band, 0, (size_t)s->n * (size_t)s->rows * sizeof *s->band);
  put_end(m, factor, false, 0, 0, s);
  put_end(m, factor, true, first + m->n * size, m->n * size, s);
  for (int i = 0; i < m->n; i++) {
    cosserat_interval *at = &s->interval[i];
    if (!cosserat_interval_linearize(m->rod, factor, m->knot[i + 1] - m->knot[i],
                                     m->state + size * i, m->slope + 3 * size * i, at))
      return vb_error_set(error, VB_FAILED, "collocation: an interval has no solution");
    for (int k = 0; k < size; k++) {
      int row = first + i * size + k;
      for (int c = 0; c < size; c++)
        put(s, row, i * size + c, -at->transfer[k][c]);
      put(s, row, (i + 1) * size + k, 1);
      s->right[row] = at->next[k] - m->state[size * (i + 1) + k];
    }
  }
  return VB_OK;
}

static bool solve(system_t *s) {
  int one = 1, info;
  dgbsv_(&s->n, &s->below, &s->above, &one, s->band, &s->rows, s->pivot, s->right, &s->n, &info);
  return info == 0;
}

/// Adds the solution to the state; returns the greatest change, position, frame, force and moment
/// each as a part of the greatest number of their kind.
static double advance(mesh *m, const system_t *s) {
  static const int kind[COSSERAT_STATE] = {0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 3, 3};
  double change[4] = {0}, greatest[4] = {0}, worst = 0;
  for (int i = 0; i < m->n; i++)
    cosserat_interval_advance(&s->interval[i], m->size, s->right + m->size * i,
                              m->slope + 3 * m->size * i);
  for (int i = 0; i < s->n; i++) {
    int k = m->rod->string ? (i % m->size < 3 ? 0 : 2) : kind[i % m->size];
    m->state[i] += s->right[i];
    change[k] = fmax(change[k], fabs(s->right[i]));
    greatest[k] = fmax(greatest[k], fabs(m->state[i]));
  }
  // Where all forces are 0 they are small beside moments over the length.
  greatest[2] = fmax(greatest[2], greatest[3] / m->rod->length);
  greatest[3] = fmax(greatest[3], greatest[2] * m->rod->length);
  for (int k = 0; k < 4; k++)
    if (greatest[k] > 0)
      worst = fmax(worst, change[k] / greatest[k]);
  return worst;
}

/// Newton's method at one load factor. VB_FAILED where it does not converge.
static vb_status newton(mesh *m, double factor, vb_error *error) {
  system_t s;
  vb_status status = create_system(m, &s, error);
  double change = INFINITY, before;
  for (int i = 0; !status && i < MOST_ITERATIONS && change > newton_limit; i++) {
    before = change;
    status = assemble(m, factor, &s, error);
    if (!status && !solve(&s))
      status = vb_error_set(error, VB_FAILED, "collocation: the linearized problem is singular");
    if (status)
      break;
    change = advance(m, &s);
    if (!(change < 1e3)) // far beyond where Newton's method comes back from
      i = MOST_ITERATIONS;
    else if (change < 1e-9 && change > 0.5 * before) // rounding
      change = 0;
  }
  if (!status && !(change <= newton_limit))
    status = vb_error_set(error, VB_FAILED, "collocation: Newton's method does not converge");
  clear_system(&s);
  return status;
}

/// Copies a state to a mesh of the same intervals.
static void copy(const mesh *from, mesh *to) {
  size_t points = (size_t)from->n + 1, size = (size_t)from->size;
  memcpy(to->knot, from->knot, points * sizeof *to->knot);
  memcpy(to->state, from->state, points * size * sizeof *to->state);
  memcpy(to->slope, from->slope, points * 3 * size * sizeof *to->slope);
}

/// Makes a step of the load from `m`, by way of `tried`.
static vb_status step_to(mesh *m, mesh *tried, bool first, double factor, vb_error *error) {
  copy(m, tried);
  if (first)
    guess(tried, factor);
  vb_status status = newton(tried, factor, error);
  if (!status)
    copy(tried, m);
  return status;
}

/// Lets the load grow to its full size, by steps that are halved where Newton's method fails.
static vb_status grow(mesh *m, vb_error *error) {
  mesh tried;
  vb_error failure = {0};
  vb_status status = create(m->rod, m->n, &tried, &failure);
  double reached = 0, step = 1;
  for (int halvings = 0; !status && reached < 1;) {
    double factor = fmin(1, reached + step);
    status = step_to(m, &tried, reached == 0, factor, &failure);
    if (!status) {
      reached = factor;
    } else if (status == VB_FAILED && halvings < MOST_HALVINGS) {
      status = VB_OK;
      step /= 2;
      halvings++;
    }
  }
  clear(&tried);
  return status ? vb_error_set(error, status, "%s", failure.message) : VB_OK;
}

/// Whether the polynomial of interval `i` misses the equations at its ends by too much.
static bool misses(const mesh *m, int i, double factor) {
  double h = m->knot[i + 1] - m->knot[i], worst = 0;
  for (int end = 0; end < 2; end++) {
    double complex state[COSSERAT_STATE], rates[COSSERAT_STATE];
    double slope[COSSERAT_STATE];
    for (int k = 0; k < m->size; k++)
      state[k] = m->state[m->size * (i + end) + k];
    cosserat_rates(m->rod, factor, state, rates);
    cosserat_interval_slope(m->slope + 3 * m->size * i, m->size, end, slope);
    for (int k = 0; k < m->size; k++)
      worst = fmax(worst, h * fabs(creal(rates[k]) - slope[k]) / (1 + fabs(creal(state[k]))));
  }
  return worst > defect_limit;
}

/// Makes the mesh in which intervals are halved that miss the equations, or all of them.
static vb_status refine(const mesh *m, bool all, mesh *out, vb_error *error) {
  int n = 0, size = m->size;
  for (int i = 0; i < m->n; i++)
    n += all || misses(m, i, 1) ? 2 : 1;
  vb_status status = create(m->rod, n, out, error);
  for (int i = 0, at = 0; !status && i < m->n; i++) {
    int parts = all || misses(m, i, 1) ? 2 : 1;
    double h = m->knot[i + 1] - m->knot[i];
    for (int p = 0; p < parts; p++, at++) {
      double *state = out->state + size * at, *slope = m->slope + 3 * size * i;
      out->knot[at] = m->knot[i] + 0.5 * h * p;
      cosserat_interval_state(m->state + size * i, slope, size, h, 0.5 * p, state);
      for (int j = 0; j < 3; j++)
        cosserat_interval_slope(slope, size, (p + cosserat_gauss_point[j]) / parts,
                                out->slope + (3 * at + j) * size);
    }
  }
  if (!status) {
    out->knot[n] = m->knot[m->n];
    memcpy(out->state + size * n, m->state + size * m->n, (size_t)size * sizeof *out->state);
  }
  return status;
}

/// Puts the refined mesh in the place of `m`, and finds the equilibrium there.
static vb_status take_refined(mesh *m, bool all, double factor, vb_error *error) {
  mesh finer = {0};
  vb_status status = refine(m, all, &finer, error);
  if (status) {
    clear(&finer);
    return status;
  }
  clear(m);
  *m = finer;
  return newton(m, factor, error);
}

/// Halves intervals until none misses the equations by too much.
static vb_status adapt(mesh *m, vb_error *error) {
  vb_status status = VB_OK;
  for (bool missed = true; !status && missed;) {
    missed = false;
    for (int i = 0; i < m->n && !missed; i++)
      missed = misses(m, i, 1);
    if (missed && m->n > MOST_INTERVALS / 2)
      status = vb_error_set(error, VB_FAILED, "collocation: more than %d intervals", m->n);
    else if (missed)
      status = take_refined(m, false, 1, error);
  }
  return status;
}

static vb_status begin(const cosserat_rod *rod, mesh *out, vb_error *error) {
  vb_status status = create(rod, FIRST_INTERVALS, out, error);
  if (!status && rod->middle_plane)
    status = vb_bad_input(error, "collocation does not support conditions at the middle of a rod");
  for (int i = 0; !status && i <= FIRST_INTERVALS; i++)
    out->knot[i] = rod->length * i / FIRST_INTERVALS;
  return status;
}

/// The position at a place that is a point of the mesh.
static double position_at(const mesh *m, const cosserat_place *place) {
  int nearest = 0;
  double s = place->at * m->rod->length;
  for (int i = 1; i <= m->n; i++)
    if (fabs(m->knot[i] - s) < fabs(m->knot[nearest] - s))
      nearest = i;
  return m->state[m->size * nearest + place->component];
}

vb_status cosserat_collocate(const cosserat_rod *rod, const cosserat_place *place, size_t n,
                             cosserat_value *out, vb_error *error) {
  mesh m = {0};
  double *before = calloc(n + 1, sizeof *before);
  vb_status status = begin(rod, &m, error);
  if (!status && !before)
    status = vb_error_memory(error);
  if (!status)
    status = grow(&m, error);
  if (!status)
    status = adapt(&m, error);
  for (size_t i = 0; !status && i < n; i++)
    before[i] = position_at(&m, &place[i]);
  if (!status)
    status = take_refined(&m, true, 1, error);
  for (size_t i = 0; !status && i < n; i++) {
    double value = position_at(&m, &place[i]);
    out[i] = (cosserat_value){value, fabs(value - before[i]) + 1e-12 * rod->length};
  }
  free(before);
  clear(&m);
  return status;
}

/// Numbers that change sign where the linearized problem has a solution beside 0, be it a double
/// one: 1 / (c A^-1 A^-T A^-1 b) with fixed vectors b and c. (Three of them let it stand out.)
/// Each also does so at poles, where it is large, and which may lie close to what is looked for; so
/// there are several, whose poles differ.
enum { MARGINS = RIGHT_SIDES };

/// The margins of the problem that is linearized in `s`.
static void take_margins(system_t *s, double out[MARGINS]) {
  int count = MARGINS, info;
  for (int p = 0; p < MARGINS; p++)
    for (int i = 0; i < s->n; i++)
      s->right[p * s->n + i] = sin((1.7 + p) * i + 0.3 * sqrt(i));
  dgbtrf_(&s->n, &s->n, &s->below, &s->above, s->band, &s->rows, s->pivot, &info);
  for (int k = 0; k < 3 && info == 0; k++)
    dgbtrs_(k == 1 ? "T" : "N", &s->n, &s->below, &s->above, &count, s->band, &s->rows, s->pivot,
            s->right, &s->n, &info, 1);
  for (int p = 0; p < MARGINS; p++) {
    double product = 0;
    for (int i = 0; i < s->n; i++)
      product += s->right[p * s->n + i] * cos((2.3 + p) * i + 0.7 * sqrt(i));
    out[p] = info == 0 && product != 0 ? 1 / product : 0;
  }
}

/// The margins at a load factor, on a mesh of `n` intervals.
static vb_status margins(const cosserat_rod *rod, int n, double factor, double out[MARGINS],
                         vb_error *error) {
  mesh m = {0};
  system_t s = {0};
  vb_status status = create(rod, n, &m, error);
  for (int i = 0; !status && i <= n; i++)
    m.knot[i] = rod->length * i / n;
  if (!status) {
    guess(&m, factor);
    status = newton(&m, factor, error);
  }
  if (!status)
    status = create_system(&m, &s, error);
  if (!status)
    status = assemble(&m, factor, &s, error);
  if (!status)
    take_margins(&s, out);
  clear_system(&s);
  clear(&m);
  return status;
}

/// Where one of the margins is 0.
typedef struct bracket {
  double a, b, at_a, at_b;
} bracket;

/// Halves a bracket in which margin `p` changes sign. Whether it is a root, and no pole.
static vb_status halve(const cosserat_rod *rod, int n, int p, bracket *k, bool *root,
                       vb_error *error) {
  enum { HALVINGS = 60 };
  double width = k->b - k->a, greatest = fmax(fabs(k->at_a), fabs(k->at_b)), at[MARGINS];
  vb_status status = VB_OK;
  for (int i = 0; !status && i < HALVINGS && k->b - k->a > 1e-13 * k->b; i++) {
    double c = 0.5 * (k->a + k->b);
    status = margins(rod, n, c, at, error);
    if (!status && k->at_a * at[p] <= 0)
      k->b = c, k->at_b = at[p];
    else if (!status)
      k->a = c, k->at_a = at[p];
  }
  *root = k->b - k->a < 1e-3 * width && fabs(k->at_a) + fabs(k->at_b) < greatest;
  return status;
}

/// The first root of a margin, by steps and then halving.
static vb_status find_root(const cosserat_rod *rod, int n, double low, double high, double *out,
                           vb_error *error) {
  enum { STEPS = 24 };
  double at[2][MARGINS];
  vb_status status = margins(rod, n, low, at[0], error);
  for (int i = 1; !status && i <= STEPS; i++) {
    double a = low + (high - low) * (i - 1) / STEPS, b = low + (high - low) * i / STEPS;
    bool found = false;
    status = margins(rod, n, b, at[i % 2], error);
    for (int p = 0; !status && !found && p < MARGINS; p++) {
      bracket k = {a, b, at[1 - i % 2][p], at[i % 2][p]};
      if (k.at_a * k.at_b <= 0)
        status = halve(rod, n, p, &k, &found, error);
      if (!status && found)
        *out = 0.5 * (k.a + k.b);
    }
    if (found)
      return status;
  }
  return status
             ? status
             : vb_error_set(error, VB_FAILED,
                            "collocation: no load factor between %g and %g is critical", low, high);
}

vb_status cosserat_collocate_critical(const cosserat_rod *rod, double low, double high,
                                      cosserat_value *out, vb_error *error) {
  enum { INTERVALS = 64 };
  double coarse, fine;
  if (rod->middle_plane)
    return vb_bad_input(error, "collocation does not support conditions at the middle of a rod");
  vb_status status = find_root(rod, INTERVALS, low, high, &coarse, error);
  if (!status)
    status = find_root(rod, 2 * INTERVALS, low, high, &fine, error);
  if (!status) // bisection ends at 1e-13 of the highest, the margin rounds at some 1e-11
    *out = (cosserat_value){fine, fabs(fine - coarse) + 1e-10 * fine};
  return status;
}
