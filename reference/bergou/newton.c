// SPDX-License-Identifier: GPL-3.0-or-later
#include "reference/bergou/newton.h"

#include "reference/bergou/element.h"
#include "reference/bergou/residual.h"
#include "scene/rotation.h"

#include <float.h>
#include <math.h>
#include <string.h>

/// LAPACK: Cholesky factorization and solution of a symmetric positive definite band matrix.
void dpbtrf_(const char *uplo, const int *n, const int *kd, double *ab, const int *ldab, int *info,
             size_t uplo_length);
void dpbtrs_(const char *uplo, const int *n, const int *kd, const int *nrhs, const double *ab,
             const int *ldab, double *b, const int *ldb, int *info, size_t uplo_length);

static const int half_band = BERGOU_BAND, rows = BERGOU_BAND + 1;

enum { CUTS = 40 }; ///< of a trial step, at most

/// A chain at work.
typedef struct chain_solve {
  const bergou_rods *rods;
  const bergou_chain *chain;
  double h;
  bergou_state *state;
  bergou_scratch *scratch;
  bergou_norms norms;
  double phi;
} chain_solve;

/// Inertia of each kind of unknown of an element's stencil: of node or frame.
typedef struct stencil {
  int32_t at[3]; ///< first unknowns, three each
  double inverse[BERGOU_ELEMENT_UNKNOWNS];
} stencil;

static void stencil_node(const chain_solve *w, int32_t i, int place, stencil *s) {
  const bergou_node *node = &w->rods->node[i];
  s->at[place] = node->at;
  for (int k = 0; k < 3; k++)
    s->inverse[3 * place + k] = w->scratch->held[node->at + k] ? 0 : 1 / node->mass;
}

static void stencil_frame(const chain_solve *w, int32_t j, int place, stencil *s) {
  const bergou_segment *segment = &w->rods->segment[j];
  s->at[place] = segment->at;
  for (int k = 0; k < 3; k++)
    s->inverse[3 * place + k] =
        w->scratch->held[segment->at + k] ? 0 : 1 / (segment->inertia * (k < 2 ? 1 : 2));
}

/// Adds an element to gradient and matrix.
static void add(chain_solve *w, const bergou_element *e, const stencil *s) {
  for (int i = 0; i < e->n; i++) {
    int32_t row = s->at[i / 3] + i % 3;
    w->state->gradient[row] += e->g[i];
    for (int j = 0; j < e->n; j++) {
      int32_t column = s->at[j / 3] + j % 3;
      if (row >= column)
        w->scratch->band[(size_t)column * (size_t)rows + (size_t)(row - column)] += e->h[i][j];
    }
  }
}

/// Adds an elastic element, and the squares of the rounding errors of its forces: `slope` is the
/// magnitude of dW/dx for each third of the stencil, `error` that of an error of W over epsilon,
/// `k` its stiffness.
static void add_elastic(chain_solve *w, const bergou_element *e, const stencil *s, double k,
                        double error, const double slope[3]) {
  add(w, e, s);
  w->phi += e->energy[0] + e->energy[1];
  for (int i = 0; i < e->n; i++) {
    double rounding = DBL_EPSILON * k * error * slope[i / 3];
    w->norms.rounding += rounding * rounding * s->inverse[i];
  }
}

static void add_segment(chain_solve *w, int32_t j, bergou_hessian hessian) {
  const bergou_segment *segment = &w->rods->segment[j];
  const double *a = w->state->position + 3 * segment->node[0];
  const double *b = w->state->position + 3 * segment->node[1];
  bergou_element e;
  stencil s = {0};
  stencil_node(w, segment->node[0], 0, &s);
  stencil_frame(w, j, 1, &s);
  stencil_node(w, segment->node[1], 2, &s);
  bergou_stretch(segment, w->state->active[j], a, b, w->state->frame + 4 * j, hessian, &e);
  double inv_l = 1 / segment->length, slope[3] = {inv_l, 1, inv_l};
  double error = 1 + inv_l * (sqrt(vb_dot(a, a)) + sqrt(vb_dot(b, b)));
  add_elastic(w, &e, &s, segment->k, error, slope);
}

static void add_joint(chain_solve *w, int32_t t, bergou_hessian hessian) {
  const bergou_joint *joint = &w->rods->joint[t];
  bergou_element e;
  stencil s = {0};
  stencil_frame(w, joint->segment[0], 0, &s);
  stencil_frame(w, joint->segment[1], 1, &s);
  bergou_turn(joint, w->state->frame + 4 * joint->segment[0],
              w->state->frame + 4 * joint->segment[1], hessian, &e);
  const double slope[3] = {1, 1, 0};
  add_elastic(w, &e, &s, fmax(joint->k[0], joint->k[2]), 1, slope);
}

/// Inertia of a node. What is pinned adds a constant to Phi, large enough at times to drown
/// changes: it is left out.
static void add_node_inertia(chain_solve *w, int32_t i) {
  const bergou_node *node = &w->rods->node[i];
  double k = node->mass / (w->h * w->h);
  for (int c = 0; c < 3; c++) {
    int32_t u = node->at + c;
    double x = w->state->position[3 * i + c], d = x - w->scratch->hat_position[3 * i + c];
    w->state->gradient[u] += k * d;
    w->scratch->band[(size_t)u * (size_t)rows] += k;
    if (w->scratch->held[u])
      continue;
    double rounding = DBL_EPSILON * k * x;
    w->phi += 0.5 * k * d * d;
    w->norms.pull += k * d * k * d / node->mass;
    w->norms.rounding += rounding * rounding / node->mass;
  }
}

static void add_frame_inertia(chain_solve *w, int32_t j, bergou_hessian hessian) {
  const bergou_segment *segment = &w->rods->segment[j];
  bergou_element e;
  stencil s = {0};
  stencil_frame(w, j, 0, &s);
  bergou_frame_inertia(segment->inertia, w->h, w->scratch->hat_frame + 4 * j,
                       w->state->frame + 4 * j, hessian, &e);
  add(w, &e, &s);
  if (segment->pinned & VB_PIN_FRAME)
    return;
  double rounding = 4 * DBL_EPSILON * segment->inertia / (w->h * w->h);
  w->phi += e.energy[0];
  for (int k = 0; k < 3; k++) {
    w->norms.pull += e.g[k] * e.g[k] * s.inverse[k];
    w->norms.rounding += rounding * rounding * (k < 2 ? 1 : 4) * s.inverse[k];
  }
}

/// Squared norm of the gradient.
static void norm(chain_solve *w) {
  w->norms.now = 0;
  for (int32_t n = 0; n < w->chain->n_nodes; n++) {
    stencil s = {0};
    stencil_node(w, w->rods->path_node[w->chain->first_node + n], 0, &s);
    if (n + 1 < w->chain->n_nodes)
      stencil_frame(w, w->rods->path_segment[w->chain->first_segment + n], 1, &s);
    for (int i = 0; i < (n + 1 < w->chain->n_nodes ? 6 : 3); i++) {
      double g = w->state->gradient[s.at[i / 3] + i % 3];
      w->norms.now += g * g * s.inverse[i];
    }
  }
}

/// Phi, its gradient and Hessian, and the norms but those of the parts.
static void evaluate(chain_solve *w, bergou_hessian hessian) {
  const bergou_chain *c = w->chain;
  const size_t first = (size_t)c->first_unknown, n = (size_t)c->n_unknowns;
  memset(w->state->gradient + first, 0, n * sizeof(double));
  memset(w->scratch->band + first * (size_t)rows, 0, n * (size_t)rows * sizeof(double));
  w->phi = w->norms.pull = w->norms.rounding = 0;
  for (int32_t i = 0; i < c->n_nodes; i++)
    add_node_inertia(w, w->rods->path_node[c->first_node + i]);
  for (int32_t j = 0; j + 1 < c->n_nodes; j++) {
    add_frame_inertia(w, w->rods->path_segment[c->first_segment + j], hessian);
    add_segment(w, w->rods->path_segment[c->first_segment + j], hessian);
  }
  for (int32_t t = 0; t < c->n_joints; t++)
    add_joint(w, w->rods->path_joint[c->first_joint + t], hessian);
  norm(w);
}

/// Lets the rows and columns of pinned unknowns be those of the unit matrix.
static void mask_pinned(chain_solve *w) {
  const bergou_chain *c = w->chain;
  for (int32_t column = c->first_unknown; column < c->first_unknown + c->n_unknowns; column++) {
    double *band = w->scratch->band + (size_t)column * (size_t)rows;
    for (int d = 0; d <= half_band && column + d < c->first_unknown + c->n_unknowns; d++)
      if (w->scratch->held[column] || w->scratch->held[column + d])
        band[d] = d == 0;
  }
}

/// Newton's direction in `direction`; false where the matrix is not positive definite.
static bool solve(chain_solve *w) {
  int n = w->chain->n_unknowns, info = 0, one = 1;
  const size_t first = (size_t)w->chain->first_unknown;
  double *band = w->scratch->band + first * (size_t)rows, *d = w->scratch->direction + first;
  mask_pinned(w);
  dpbtrf_("L", &n, &half_band, band, &rows, &info, 1);
  if (info)
    return false;
  for (int i = 0; i < n; i++)
    d[i] = w->scratch->held[first + (size_t)i] ? 0 : -w->state->gradient[first + (size_t)i];
  dpbtrs_("L", &n, &half_band, &one, band, &rows, d, &n, &info, 1);
  return true;
}

/// Sets the chain to where it was before the trial, moved by `t` times the direction.
static void move(chain_solve *w, double t) {
  const bergou_chain *c = w->chain;
  for (int32_t n = 0; n < c->n_nodes; n++) {
    int32_t i = w->rods->path_node[c->first_node + n];
    const double *d = w->scratch->direction + w->rods->node[i].at;
    for (int k = 0; k < 3; k++)
      w->state->position[3 * i + k] = w->scratch->try_position[3 * i + k] + t * d[k];
  }
  for (int32_t n = 0; n + 1 < c->n_nodes; n++) {
    int32_t j = w->rods->path_segment[c->first_segment + n];
    const double *d = w->scratch->direction + w->rods->segment[j].at;
    if (w->rods->segment[j].pinned & VB_PIN_FRAME)
      continue;
    // (1, delta/2) normalized is exp(delta/2) to second order, without a function of libm.
    double turn[4] = {1, 0.5 * t * d[0], 0.5 * t * d[1], 0.5 * t * d[2]};
    double *q = w->state->frame + 4 * j;
    vb_quaternion_multiply(w->scratch->try_frame + 4 * j, turn, q);
    double length = vb_quaternion_norm(q);
    for (int k = 0; k < 4; k++)
      q[k] /= length;
  }
}

/// Copies the chain's positions and frames.
static void copy(const chain_solve *w, const double *from_position, const double *from_frame,
                 double *position, double *frame) {
  const bergou_chain *c = w->chain;
  for (int32_t n = 0; n < c->n_nodes; n++) {
    int32_t i = w->rods->path_node[c->first_node + n];
    memcpy(position + 3 * i, from_position + 3 * i, 3 * sizeof(double));
  }
  for (int32_t n = 0; n + 1 < c->n_nodes; n++) {
    int32_t j = w->rods->path_segment[c->first_segment + n];
    memcpy(frame + 4 * j, from_frame + 4 * j, 4 * sizeof(double));
  }
}

static void save_trial_start(chain_solve *w) {
  copy(w, w->state->position, w->state->frame, w->scratch->try_position, w->scratch->try_frame);
}

static void restore_trial_start(chain_solve *w) {
  copy(w, w->scratch->try_position, w->scratch->try_frame, w->state->position, w->state->frame);
}

/// Goes along the direction, shorter and shorter until Phi falls as its slope promises, or by no
/// more than its rounding errors can hide. False where nothing helps: the chain stays.
static bool search(chain_solve *w) {
  const int32_t first = w->chain->first_unknown;
  double phi = w->phi, slope = 0, hidden = 64 * DBL_EPSILON * phi;
  for (int32_t u = first; u < first + w->chain->n_unknowns; u++)
    slope += w->scratch->held[u] ? 0 : w->state->gradient[u] * w->scratch->direction[u];
  save_trial_start(w);
  double t = 1;
  for (int cut = 0; cut < CUTS; cut++, t *= 0.5) {
    move(w, t);
    evaluate(w, BERGOU_EXACT);
    if (w->phi <= phi + 1e-4 * t * slope + hidden)
      return true;
  }
  restore_trial_start(w);
  evaluate(w, BERGOU_EXACT);
  return false;
}

/// How far the mean of the prediction is from the old state's, by mass; nowhere where a center is
/// pinned.
static void mean_displacement(const chain_solve *w, double out[3]) {
  const bergou_chain *c = w->chain;
  double mass = 0;
  out[0] = out[1] = out[2] = 0;
  for (int32_t n = 0; n < c->n_nodes; n++) {
    int32_t i = w->rods->path_node[c->first_node + n];
    const bergou_node *node = &w->rods->node[i];
    if (node->pinned & VB_PIN_CENTER) {
      out[0] = out[1] = out[2] = 0;
      return;
    }
    mass += node->mass;
    for (int k = 0; k < 3; k++)
      out[k] +=
          node->mass * (w->scratch->hat_position[3 * i + k] - w->scratch->old_position[3 * i + k]);
  }
  for (int k = 0; k < 3; k++)
    out[k] /= mass;
}

/// Puts what is free where it was at the start of the substep. A chain that is free altogether is
/// carried along with the prediction's mean: Newton's steps, cut short or not, then leave its
/// momentum alone.
static void start_from_old_state(chain_solve *w) {
  const bergou_chain *c = w->chain;
  double displacement[3];
  mean_displacement(w, displacement);
  for (int32_t n = 0; n < c->n_nodes; n++) {
    int32_t i = w->rods->path_node[c->first_node + n];
    for (int k = 0; k < 3; k++)
      if (!w->scratch->held[w->rods->node[i].at + k])
        w->state->position[3 * i + k] = w->scratch->old_position[3 * i + k] + displacement[k];
  }
  for (int32_t n = 0; n + 1 < c->n_nodes; n++) {
    int32_t j = w->rods->path_segment[c->first_segment + n];
    if (!(w->rods->segment[j].pinned & VB_PIN_FRAME))
      memcpy(w->state->frame + 4 * j, w->scratch->old_frame + 4 * j, 4 * sizeof(double));
  }
}

/// Starts from the prediction, or from the old state where Phi is lower.
static void choose_start(chain_solve *w) {
  evaluate(w, BERGOU_EXACT);
  double phi = w->phi;
  save_trial_start(w);
  start_from_old_state(w);
  evaluate(w, BERGOU_EXACT);
  if (w->phi < phi)
    return;
  restore_trial_start(w);
  evaluate(w, BERGOU_EXACT);
}

bergou_norms bergou_newton(const bergou_rods *rods, const bergou_chain *c, double h, int iterations,
                           double tolerance, bergou_state *state, bergou_scratch *scratch) {
  chain_solve w = {.rods = rods, .chain = c, .h = h, .state = state, .scratch = scratch};
  choose_start(&w);
  for (int i = 0; i < iterations && !bergou_converged(&w.norms, tolerance); i++) {
    bool found = solve(&w);
    if (!found) {
      evaluate(&w, BERGOU_CONVEX);
      found = solve(&w);
    }
    if (!found || !search(&w))
      break;
  }
  bergou_measure_parts(rods, c, h, state, scratch, &w.norms);
  return w.norms;
}
