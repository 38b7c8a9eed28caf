// SPDX-License-Identifier: GPL-3.0-or-later
#include "reference/umetani/boundary.h"
#include "reference/umetani/measure.h"
#include "reference/umetani/step.h"

#include <float.h>
#include <stdlib.h>

/// What a residual is made of.
typedef struct measurement {
  const umetani_rods *rods;
  const umetani_law *law;
  double violation;    ///< sum of C'^T A^-1 C' over all constraints
  double (*pushed)[3]; ///< kinds x points: sums of gradients times multipliers
} measurement;

/// C' is C of what is enforced, or with XPBD C + compliance/h^2 times the multiplier.
static void measure(void *context, int kind, umetani_grouping grouping, const umetani_element *e,
                    const double *lambda) {
  measurement *m = context;
  const umetani_rods *rods = m->rods;
  double all[3] = {0}, r[3] = {0}, a[3][3], y[3] = {0};
  umetani_multipliers(e, m->law, grouping, lambda, all);
  uint32_t rows = e->rows;
  for (int i = 0; i < e->n_rows; i++) {
    r[i] = e->c[i] + (m->law->xpbd ? e->compliance[i] * m->law->inv_h2 * all[i] : 0);
    if (!m->law->xpbd && e->alpha[i] == 0)
      rows &= ~(UINT32_C(1) << i);
  }
  umetani_matrix(e, rods->weights, m->law, a);
  if (umetani_solve((const double(*)[3])a, rows, r, y))
    for (int i = 0; i < e->n_rows; i++)
      m->violation -= y[i] * r[i] * (rows >> i & 1);
  for (int p = 0; p < e->n_points; p++) {
    double push[3], *sum = m->pushed[(size_t)kind * rods->n_points + (size_t)e->point[p]];
    umetani_push(e, all, p, push);
    vb_add_scaled(sum, 1, push, sum);
  }
}

/// Root of sum |d|^2/w, of displacements d by w times `pushed` or by the difference of `x` and
/// `from`.
static double norm_of_pushed(const umetani_rods *rods, double (*pushed)[3]) {
  double sum = 0;
  for (size_t p = 0; p < rods->n_points; p++)
    for (int k = 0; k < 3; k++)
      sum += rods->weights[p][k] * pushed[p][k] * pushed[p][k];
  return sqrt(sum);
}

static double norm_of_difference(const umetani_rods *rods, double (*x)[3], double (*from)[3]) {
  double sum = 0;
  for (size_t p = 0; p < rods->n_points; p++)
    for (int k = 0; k < 3; k++)
      if (rods->weights[p][k] > 0)
        sum += rods->mass[p] * (x[p][k] - from[p][k]) * (x[p][k] - from[p][k]);
  return sqrt(sum);
}

/// The same of x - hat - w (all that pushed): how far XPBD ends from the minimizer.
static double gap(const measurement *m, const umetani_state *state) {
  const umetani_rods *rods = m->rods;
  double sum = 0;
  for (size_t p = 0; p < rods->n_points; p++)
    for (int k = 0; k < 3; k++) {
      double push = state->contact[p][k];
      for (size_t kind = 0; kind < UMETANI_KIND_COUNT; kind++)
        push += m->pushed[kind * rods->n_points + p][k];
      double d = state->x[p][k] - state->hat[p][k] - rods->weights[p][k] * push;
      sum += rods->weights[p][k] > 0 ? rods->mass[p] * d * d : 0;
    }
  return sqrt(sum);
}

/// What rounding of positions makes of a norm.
static double rounding(const umetani_rods *rods) {
  double mass = 0;
  for (size_t p = 0; p < rods->n_points; p++)
    mass += rods->mass[p];
  return 16 * DBL_EPSILON * rods->size * sqrt(mass);
}

vb_status umetani_read_residual(void *self, double *out, vb_error *error) {
  const umetani *u = self;
  const umetani_rods *rods = u->rods;
  const umetani_state *state = &u->state;
  umetani_settings now = u->settings;
  measurement m = {rods, &now.law, 0, NULL};
  if (!(*state->h > 0)) {
    *out = 0;
    return VB_OK;
  }
  now.law.inv_h2 = 1 / (*state->h * *state->h);
  m.pushed = calloc(UMETANI_KIND_COUNT * rods->n_points + 1, sizeof *m.pushed);
  if (!m.pushed)
    return vb_error_memory(error);
  umetani_set_alphas(rods, &now, *state->h, u->scratch.alpha);
  umetani_aim_holds(rods, *state->time, u->scratch.target);
  umetani_visit_all(rods, &now, u->scratch.target, state->x, u->scratch.alpha, state, measure, &m);
  double sum = norm_of_difference(rods, state->x, state->drift) +
               norm_of_difference(rods, state->hat, state->drift) +
               norm_of_pushed(rods, state->contact);
  for (size_t kind = 0; kind < UMETANI_KIND_COUNT; kind++)
    sum += norm_of_pushed(rods, m.pushed + kind * rods->n_points);
  double part = sqrt(fmax(0, m.violation));
  if (now.law.xpbd)
    part = fmax(part, gap(&m, state));
  *out = sum == 0 || part <= rounding(rods) ? 0 : part / sum;
  free(m.pushed);
  return VB_OK;
}
