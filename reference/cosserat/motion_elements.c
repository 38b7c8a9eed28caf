// SPDX-License-Identifier: GPL-3.0-or-later
// Motions by elements and the midpoint rule.
#include "reference/cosserat/elements.h"
#include "reference/cosserat/motion.h"
#include "scene/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 3 * COSSERAT_BAND + 1, ITERATIONS = 20 };

/// A chain in motion.
typedef struct moving {
  const cosserat_rod *rod;
  const cosserat_motion *motion;
  cosserat_chain *chain;
  double *mass;            ///< of each node
  double (*inertia)[3];    ///< of each node, in axes of its frame
  double (*velocity)[3];   ///< of each node
  double (*momentum)[3];   ///< angular, of each frame, in fixed axes
  double (*from)[3];       ///< positions where the step began
  double (*from_frame)[4]; ///< frames there
  double *band, *x;
  int *pivot;
} moving;

/// LAPACK: solution of a band matrix.
extern void dgbsv_(const int *n, const int *kl, const int *ku, const int *nrhs, double *ab,
                   const int *ldab, int *ipiv, double *b, const int *ldb, int *info);

static void clear(moving *m) {
  cosserat_chain_free(m->chain);
  free(m->mass);
  free(m->inertia);
  free(m->velocity);
  free(m->momentum);
  free(m->from);
  free(m->from_frame);
  free(m->band);
  free(m->x);
  free(m->pivot);
}

/// Makes the chain of a rod, whose rod and motion are there and all else is 0.
static vb_status create(moving *out, size_t n_elements, vb_error *error) {
  const cosserat_rod *rod = out->rod;
  cosserat_rod at_rest = *rod;
  memcpy(at_rest.bent, rod->curvature, sizeof at_rest.bent);
  vb_status status = cosserat_rod_chain(&at_rest, n_elements, 0, 0, out->chain, error);
  size_t n = status ? 0 : out->chain->n_nodes;
  out->mass = calloc(n + 1, sizeof *out->mass);
  out->inertia = calloc(n + 1, sizeof *out->inertia);
  out->velocity = calloc(n + 1, sizeof *out->velocity);
  out->momentum = calloc(n + 1, sizeof *out->momentum);
  out->from = calloc(n + 1, sizeof *out->from);
  out->from_frame = calloc(n + 1, sizeof *out->from_frame);
  out->band = calloc(n + 1, COSSERAT_NODE_UNKNOWNS * ROWS * sizeof *out->band);
  out->x = calloc(n + 1, COSSERAT_NODE_UNKNOWNS * sizeof *out->x);
  out->pivot = calloc(n + 1, COSSERAT_NODE_UNKNOWNS * sizeof *out->pivot);
  if (status)
    return status;
  if (!out->mass || !out->inertia || !out->velocity || !out->momentum || !out->from ||
      !out->from_frame || !out->band || !out->x || !out->pivot)
    return vb_error_memory(error);
  for (size_t i = 0; i < n; i++) {
    double part = rod->length / (6 * (double)n_elements) * cosserat_chain_weight(out->chain, i);
    out->mass[i] = part * out->motion->mass;
    for (int k = 0; k < 3; k++)
      out->inertia[i][k] = part * out->motion->inertia[k];
  }
  return VB_OK;
}

/// A vector in axes of a frame.
static void into_frame(const double frame[4], const double v[3], double out[3]) {
  const double back[4] = {frame[0], -frame[1], -frame[2], -frame[3]};
  vb_quaternion_rotate(back, v, out);
}

/// The turn from where the step began to where frame `i` is now, as a vector in its axes.
static void turn_of(const moving *m, size_t i, double out[3]) {
  const double *q = m->from_frame[i], back[4] = {q[0], -q[1], -q[2], -q[3]};
  double r[4];
  vb_quaternion_multiply(back, m->chain->frame[i], r);
  double sine = sqrt(vb_dot(r + 1, r + 1)), angle = 2 * atan2(sine, fabs(r[0]));
  for (int k = 0; k < 3; k++)
    out[k] = sine > 0 ? (r[0] < 0 ? -1 : 1) * angle / sine * r[1 + k] : 0;
}

/// Adds `factor` times the matrix of the cross product with `v`.
static void add_cross(double a[3][3], double factor, const double v[3]) {
  for (int k = 0; k < 3; k++) {
    int next = (k + 1) % 3, after = (k + 2) % 3;
    a[after][next] += factor * v[k];
    a[next][after] -= factor * v[k];
  }
}

/// The part of node `i` of what is to be 0 half way of a step of `h`, and of its derivative by the
/// turn of its frame, which is not symmetric.
static void add_inertia(moving *m, size_t i, double h, double residual[6], double a[3][3]) {
  const cosserat_chain *c = m->chain;
  double turn[3], momentum[3], moment[3], inner[3], cross[3][3] = {{0}};
  into_frame(c->frame[i], m->momentum[i], momentum);
  into_frame(c->frame[i], c->moment[i], moment);
  turn_of(m, i, turn);
  add_cross(cross, 1, turn);
  memset(a, 0, 9 * sizeof a[0][0]);
  for (int k = 0; k < 3; k++) {
    residual[k] =
        c->gradient[i][k] +
        m->mass[i] * (4 * (c->position[i][k] - m->from[i][k]) / h - 2 * m->velocity[i][k]) / h;
    residual[3 + k] =
        c->gradient[i][3 + k] + 2 / h * (2 / h * m->inertia[i][k] * turn[k] - momentum[k]);
    inner[k] = c->gradient[i][3 + k] + moment[k];
    // The turn changes by (1 + [turn]/2 + [turn]^2/12) of a further turn.
    for (int j = 0; j < 3; j++) {
      double square = 0;
      for (int l = 0; l < 3; l++)
        square += cross[k][l] * cross[l][j];
      a[k][j] += 4 / (h * h) * m->inertia[i][k] * ((k == j) + 0.5 * cross[k][j] + square / 12);
    }
  }
  add_cross(a, 0.5, inner); // turns do not commute
  add_cross(a, -1, moment);
  add_cross(a, -2 / h, momentum);
}

/// Puts the Hessian of the energy into the band, and the identity where something is held.
static void put_hessian(moving *m) {
  size_t n = COSSERAT_NODE_UNKNOWNS * m->chain->n_nodes;
  memset(m->band, 0, n * ROWS * sizeof *m->band);
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k <= COSSERAT_BAND && k <= i; k++) {
      bool held = cosserat_chain_holds(m->chain, i) || cosserat_chain_holds(m->chain, i - k);
      double value = held ? k == 0 : m->chain->matrix[i][k];
      m->band[(i - k) * ROWS + 2 * COSSERAT_BAND + k] = value;
      m->band[i * ROWS + 2 * COSSERAT_BAND - k] = value;
    }
}

/// One of Newton's iterations for the state half way of a step; the greatest move, over the length
/// or in rad. Negative where the matrix is singular.
static double iterate(moving *m, double h) {
  cosserat_chain *c = m->chain;
  int n = COSSERAT_NODE_UNKNOWNS * (int)c->n_nodes, band = COSSERAT_BAND, rows = ROWS, one = 1,
      info = 1;
  double greatest = 0;
  cosserat_chain_evaluate(c);
  put_hessian(m);
  for (size_t i = 0; i < c->n_nodes; i++) {
    double residual[6], a[3][3];
    add_inertia(m, i, h, residual, a);
    for (size_t k = 0; k < 6; k++) {
      size_t row = 6 * i + k;
      bool held = cosserat_chain_holds(c, row);
      m->x[row] = held ? 0 : -residual[k];
      if (!held && k < 3)
        m->band[row * ROWS + 2 * COSSERAT_BAND] += 4 * m->mass[i] / (h * h);
      for (size_t j = 3; !held && k >= 3 && j < 6; j++)
        if (!cosserat_chain_holds(c, 6 * i + j))
          m->band[(6 * i + j) * ROWS + 2 * COSSERAT_BAND + k - j] += a[k - 3][j - 3];
    }
  }
  dgbsv_(&n, &band, &band, &one, m->band, &rows, m->pivot, m->x, &n, &info);
  if (info)
    return -1;
  for (int i = 0; i < n; i++)
    greatest = fmax(greatest, fabs(m->x[i]) / (i % 6 < 3 ? m->rod->length : 1));
  cosserat_chain_move(c, m->x, 1);
  return greatest;
}

/// Goes from half way to the end of a step of `h`.
static void finish_step(moving *m, double h) {
  cosserat_chain *c = m->chain;
  for (size_t i = 0; i < c->n_nodes; i++) {
    double turn[3], half[3], mean[3];
    turn_of(m, i, turn);
    for (int k = 0; k < 3; k++)
      half[k] = 2 / h * m->inertia[i][k] * turn[k];
    vb_quaternion_rotate(c->frame[i], half, mean);
    for (int k = 0; k < 3; k++) {
      double moved = c->position[i][k] - m->from[i][k];
      c->position[i][k] += moved;
      m->velocity[i][k] = 4 * moved / h - m->velocity[i][k];
      m->momentum[i][k] = 2 * mean[k] - m->momentum[i][k];
      m->x[6 * i + k] = 0;
      m->x[6 * i + 3 + k] = turn[k]; // the same turn once more, about the same axis
    }
  }
  cosserat_chain_move(c, m->x, 1);
}

/// Begins a step of `h` half way along velocities and angular velocities.
static void begin_step(moving *m, double h) {
  cosserat_chain *c = m->chain;
  for (size_t i = 0; i < c->n_nodes; i++) {
    double momentum[3];
    memcpy(m->from[i], c->position[i], sizeof m->from[i]);
    memcpy(m->from_frame[i], c->frame[i], sizeof m->from_frame[i]);
    into_frame(c->frame[i], m->momentum[i], momentum);
    for (size_t k = 0; k < 3; k++) {
      m->x[6 * i + k] = cosserat_chain_holds(c, 6 * i + k) ? 0 : 0.5 * h * m->velocity[i][k];
      m->x[6 * i + 3 + k] =
          cosserat_chain_holds(c, 6 * i + 3 + k) ? 0 : 0.5 * h * momentum[k] / m->inertia[i][k];
    }
  }
  cosserat_chain_move(c, m->x, 1);
}

/// Puts the frame of a start that is spun up where it is at time `t`.
static void spin(moving *m, double t) {
  if (vb_dot(m->motion->spin, m->motion->spin) > 0)
    cosserat_motion_start(m->rod, m->motion, t, m->chain->frame[0]);
}

static vb_status step(moving *m, double t, double h, vb_error *error) {
  double before = INFINITY;
  begin_step(m, h);
  cosserat_rod_load(m->rod, cosserat_motion_factor(m->motion, t + 0.5 * h), m->chain);
  spin(m, t + 0.5 * h);
  for (int i = 0; i < ITERATIONS; i++) {
    double moved = iterate(m, h);
    // Newton's method squares what is left, until only rounding moves.
    if (moved >= 0 && (moved < 1e-13 || (moved < 1e-8 && moved > 0.1 * before))) {
      finish_step(m, h);
      spin(m, t + h);
      return VB_OK;
    }
    if (!(moved >= 0) || !isfinite(moved))
      break;
    before = moved;
  }
  return vb_error_set(error, VB_FAILED, "elements: Newton's method does not converge at time %g",
                      t);
}

/// What is asked for at a place, which is a node: its position, or the direction u of its frame.
static double find_answer(const cosserat_chain *c, const cosserat_place *place) {
  size_t node = (size_t)lround(place->at * (double)(c->n_nodes - 1));
  double u[3];
  if (place->component < 3)
    return c->position[node][place->component];
  vb_quaternion_rotate(c->frame[node], (double[3]){1, 0, 0}, u);
  return u[place->component - 3];
}

static vb_status find(const cosserat_rod *rod, const cosserat_motion *motion, size_t n_elements,
                      double longest, const cosserat_place *place, size_t n, double *out,
                      vb_error *error) {
  cosserat_chain chain = {0};
  moving m = {.rod = rod, .motion = motion, .chain = &chain};
  double t = 0;
  vb_status status = create(&m, n_elements, error);
  for (size_t i = 0; !status && i < n; i++) {
    int steps = (int)ceil((place[i].time - t) / longest - 1e-9);
    double begun = t, h = steps > 0 ? (place[i].time - t) / steps : 0;
    for (int k = 0; !status && k < steps; k++)
      status = step(&m, begun + k * h, h, error);
    t = place[i].time;
    if (!status)
      out[i] = find_answer(m.chain, &place[i]);
  }
  clear(&m);
  return status;
}

vb_status cosserat_move_elements(const cosserat_rod *rod, const cosserat_motion *motion,
                                 size_t n_elements, const cosserat_place *place, size_t n,
                                 cosserat_value *out, vb_error *error) {
  return cosserat_motion_refine(find, rod, motion, n_elements, 1 / motion->steps, place, n, out,
                                error);
}
