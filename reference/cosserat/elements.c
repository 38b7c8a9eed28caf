// SPDX-License-Identifier: GPL-3.0-or-later
#include "reference/cosserat/elements.h"

#include "reference/cosserat/density.h"
#include "scene/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENT_NODES = 3, ELEMENT_UNKNOWNS = ELEMENT_NODES * COSSERAT_NODE_UNKNOWNS };

vb_status cosserat_chain_create(size_t n_elements, cosserat_chain *out, vb_error *error) {
  cosserat_chain c = {.n_elements = n_elements, .n_nodes = 2 * n_elements + 1};
  c.element = calloc(n_elements, sizeof *c.element);
  c.position = calloc(c.n_nodes, sizeof *c.position);
  c.frame = calloc(c.n_nodes, sizeof *c.frame);
  c.held = calloc(c.n_nodes, sizeof *c.held);
  c.force = calloc(c.n_nodes, sizeof *c.force);
  c.moment = calloc(c.n_nodes, sizeof *c.moment);
  c.gradient = calloc(c.n_nodes, sizeof *c.gradient);
  c.matrix = calloc(c.n_nodes, COSSERAT_NODE_UNKNOWNS * sizeof *c.matrix);
  *out = c;
  if (!c.element || !c.position || !c.frame || !c.held || !c.force || !c.moment || !c.gradient ||
      !c.matrix)
    return vb_error_memory(error);
  for (size_t i = 0; i < c.n_nodes; i++)
    c.frame[i][0] = 1;
  return VB_OK;
}

void cosserat_chain_free(cosserat_chain *chain) {
  free(chain->element);
  free(chain->position);
  free(chain->frame);
  free(chain->held);
  free(chain->force);
  free(chain->moment);
  free(chain->gradient);
  free(chain->matrix);
  *chain = (cosserat_chain){0};
}

/// The shape functions of an element and their derivatives along it, at Gauss point `g`.
static void shape(int g, double length, double value[ELEMENT_NODES], double slope[ELEMENT_NODES]) {
  double x = (g ? 1 : -1) / sqrt(3.0);
  value[0] = x * (x - 1) / 2;
  value[1] = 1 - x * x;
  value[2] = x * (x + 1) / 2;
  slope[0] = (2 * x - 1) / length;
  slope[1] = -4 * x / length;
  slope[2] = (2 * x + 1) / length;
}

/// The frames of an element's nodes, of signs that belong together.
static void node_frames(const cosserat_chain *chain, size_t e, double out[ELEMENT_NODES][4]) {
  const double *middle = chain->frame[2 * e + 1];
  for (size_t i = 0; i < ELEMENT_NODES; i++) {
    const double *q = chain->frame[2 * e + i];
    double product = 0;
    for (int k = 0; k < 4; k++)
      product += q[k] * middle[k];
    for (int k = 0; k < 4; k++)
      out[i][k] = product < 0 ? -q[k] : q[k];
  }
}

/// What the density of energy depends on at Gauss point `g`.
static void sample(const cosserat_chain *chain, size_t e, int g,
                   const double frame[ELEMENT_NODES][4], double out[COSSERAT_DENSITY_SIZE]) {
  double value[ELEMENT_NODES], slope[ELEMENT_NODES];
  shape(g, chain->element[e].length, value, slope);
  memset(out, 0, COSSERAT_DENSITY_SIZE * sizeof *out);
  for (size_t i = 0; i < ELEMENT_NODES; i++) {
    for (int k = 0; k < 3; k++)
      out[k] += slope[i] * chain->position[2 * e + i][k];
    for (int k = 0; k < 4; k++) {
      out[3 + k] += value[i] * frame[i][k];
      out[7 + k] += slope[i] * frame[i][k];
    }
  }
}

void cosserat_chain_rest(cosserat_chain *chain, size_t e) {
  double frame[ELEMENT_NODES][4], at[COSSERAT_DENSITY_SIZE];
  node_frames(chain, e, frame);
  for (int g = 0; g < COSSERAT_GAUSS; g++) {
    sample(chain, e, g, frame, at);
    cosserat_density_strain(at, chain->element[e].rest[g]);
  }
}

/// The derivative of what the density depends on by the unknowns of an element.
static void derivative(const double value[ELEMENT_NODES], const double slope[ELEMENT_NODES],
                       const double frame[ELEMENT_NODES][4],
                       double out[COSSERAT_DENSITY_SIZE][ELEMENT_UNKNOWNS]) {
  memset(out, 0, COSSERAT_DENSITY_SIZE * sizeof *out);
  for (int i = 0; i < ELEMENT_NODES; i++) {
    for (int k = 0; k < 3; k++) {
      const double axis[4] = {0, k == 0 ? 0.5 : 0, k == 1 ? 0.5 : 0, k == 2 ? 0.5 : 0};
      double turned[4];
      int column = COSSERAT_NODE_UNKNOWNS * i + k;
      vb_quaternion_multiply(frame[i], axis, turned);
      out[k][column] = slope[i];
      for (int c = 0; c < 4; c++) {
        out[3 + c][column + 3] = value[i] * turned[c];
        out[7 + c][column + 3] = slope[i] * turned[c];
      }
    }
  }
}

/// What a Gauss point adds to the gradient and Hessian of an element.
typedef struct part {
  double gradient[ELEMENT_UNKNOWNS];
  double hessian[ELEMENT_UNKNOWNS][ELEMENT_UNKNOWNS];
} share;

static void add_density(const cosserat_density *d, double weight, const double value[ELEMENT_NODES],
                        const double slope[ELEMENT_NODES], const double frame[ELEMENT_NODES][4],
                        share *out) {
  double by[COSSERAT_DENSITY_SIZE][ELEMENT_UNKNOWNS];
  derivative(value, slope, frame, by);
  for (int j = 0; j < ELEMENT_UNKNOWNS; j++) {
    double column[COSSERAT_DENSITY_SIZE] = {0};
    for (int a = 0; a < COSSERAT_DENSITY_SIZE; a++) {
      out->gradient[j] += weight * d->gradient[a] * by[a][j];
      for (int b = 0; b < COSSERAT_DENSITY_SIZE; b++)
        column[a] += d->hessian[a][b] * by[b][j];
    }
    for (int i = 0; i < ELEMENT_UNKNOWNS; i++)
      for (int a = 0; a < COSSERAT_DENSITY_SIZE; a++)
        out->hessian[i][j] += weight * by[a][i] * column[a];
  }
  // A turn by d takes a frame q to q (1 + d/2 - |d|^2/8), whose last part bends the energy, too.
  for (int i = 0; i < ELEMENT_NODES; i++) {
    double along = 0;
    for (int c = 0; c < 4; c++)
      along += (value[i] * d->gradient[3 + c] + slope[i] * d->gradient[7 + c]) * frame[i][c];
    for (int k = 3; k < 6; k++) {
      int at = COSSERAT_NODE_UNKNOWNS * i + k;
      out->hessian[at][at] -= 0.25 * weight * along;
    }
  }
}

static void add_element(cosserat_chain *chain, size_t e) {
  const cosserat_element *element = &chain->element[e];
  double frame[ELEMENT_NODES][4], at[COSSERAT_DENSITY_SIZE];
  share p = {0};
  node_frames(chain, e, frame);
  for (int g = 0; g < COSSERAT_GAUSS; g++) {
    double value[ELEMENT_NODES], slope[ELEMENT_NODES], weight = element->length / 2;
    cosserat_density d;
    shape(g, element->length, value, slope);
    sample(chain, e, g, frame, at);
    cosserat_density_find(element->stiffness, element->rest[g], at, &d);
    add_density(&d, weight, value, slope, frame, &p);
    for (int k = 0; k < 3; k++)
      chain->energy[k] += weight * d.energy[k];
  }
  size_t first = 2 * e * COSSERAT_NODE_UNKNOWNS;
  double *gradient = &chain->gradient[0][0], norm = 0;
  for (size_t i = 0; i < ELEMENT_UNKNOWNS; i++) {
    gradient[first + i] += p.gradient[i];
    norm += p.gradient[i] * p.gradient[i];
    for (size_t j = 0; j <= i; j++)
      chain->matrix[first + i][i - j] += p.hessian[i][j];
  }
  chain->forces += sqrt(norm);
}

/// A vector in axes of a frame.
static void into_frame(const double frame[4], const double v[3], double out[3]) {
  const double back[4] = {frame[0], -frame[1], -frame[2], -frame[3]};
  vb_quaternion_rotate(back, v, out);
}

void cosserat_chain_evaluate(cosserat_chain *chain) {
  size_t n = COSSERAT_NODE_UNKNOWNS * chain->n_nodes;
  memset(chain->gradient, 0, chain->n_nodes * sizeof *chain->gradient);
  memset(chain->matrix, 0, n * sizeof *chain->matrix);
  memset(chain->energy, 0, sizeof chain->energy);
  chain->forces = 0;
  for (size_t e = 0; e < chain->n_elements; e++)
    add_element(chain, e);
  for (size_t i = 0; i < chain->n_nodes; i++) {
    double moment[3];
    into_frame(chain->frame[i], chain->moment[i], moment);
    chain->forces += sqrt(vb_dot(chain->force[i], chain->force[i]) + vb_dot(moment, moment));
    for (int k = 0; k < 3; k++) {
      chain->gradient[i][k] -= chain->force[i][k];
      chain->gradient[i][3 + k] -= moment[k];
    }
  }
}

int cosserat_chain_weight(const cosserat_chain *chain, size_t node) {
  if (node % 2)
    return 4;
  return node == 0 || node == chain->n_nodes - 1 ? 1 : 2;
}

bool cosserat_chain_holds(const cosserat_chain *chain, size_t unknown) {
  return chain->held[unknown / COSSERAT_NODE_UNKNOWNS] >> unknown % COSSERAT_NODE_UNKNOWNS & 1;
}

/// The gradient over all unknowns, one after the other.
static const double *gradient_of(const cosserat_chain *chain) {
  return &chain->gradient[0][0];
}

double cosserat_chain_residual(const cosserat_chain *chain) {
  double sum = 0;
  for (size_t i = 0; i < COSSERAT_NODE_UNKNOWNS * chain->n_nodes; i++)
    if (!cosserat_chain_holds(chain, i))
      sum += gradient_of(chain)[i] * gradient_of(chain)[i];
  return chain->forces > 0 ? sqrt(sum) / chain->forces : 0;
}

/// Factors the Hessian of what is not held to L D L^T in its place. Its eigenvalues below 0 are as
/// many as those of D (Sylvester); returns their number.
static int factor(cosserat_chain *chain) {
  double(*a)[COSSERAT_BAND + 1] = chain->matrix;
  size_t n = COSSERAT_NODE_UNKNOWNS * chain->n_nodes;
  int negative = 0;
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k <= COSSERAT_BAND && k <= i; k++)
      if (cosserat_chain_holds(chain, i) || cosserat_chain_holds(chain, i - k))
        a[i][k] = k == 0;
  for (size_t i = 0; i < n; i++) {
    size_t begin = i > COSSERAT_BAND ? i - COSSERAT_BAND : 0;
    for (size_t j = begin; j < i; j++) { // L D of row i
      double sum = a[i][i - j];
      for (size_t k = begin; k < j; k++)
        if (j - k <= COSSERAT_BAND)
          sum -= a[i][i - k] * a[j][j - k];
      a[i][i - j] = sum;
    }
    for (size_t j = begin; j < i; j++) {
      double l = a[i][i - j] / a[j][0];
      a[i][0] -= l * a[i][i - j];
      a[i][i - j] = l;
    }
    negative += a[i][0] < 0;
  }
  return negative;
}

/// x = - (L D L^T)^-1 gradient; 0 where held.
static void solve(const cosserat_chain *chain, double *x) {
  double(*a)[COSSERAT_BAND + 1] = chain->matrix;
  size_t n = COSSERAT_NODE_UNKNOWNS * chain->n_nodes;
  for (size_t i = 0; i < n; i++) {
    x[i] = cosserat_chain_holds(chain, i) ? 0 : -gradient_of(chain)[i];
    for (size_t k = 1; k <= COSSERAT_BAND && k <= i; k++)
      x[i] -= a[i][k] * x[i - k];
  }
  for (size_t i = 0; i < n; i++)
    x[i] /= a[i][0];
  for (size_t i = n; i-- > 0;)
    for (size_t k = 1; k <= COSSERAT_BAND && k <= i; k++)
      x[i - k] -= a[i][k] * x[i];
}

/// LAPACK: solution of a band matrix.
extern void dgbsv_(const int *n, const int *kl, const int *ku, const int *nrhs, double *ab,
                   const int *ldab, int *ipiv, double *b, const int *ldb, int *info);

static bool has_moment(const cosserat_chain *chain) {
  for (size_t i = 0; i < chain->n_nodes; i++)
    if (vb_dot(chain->moment[i], chain->moment[i]) > 0)
      return true;
  return false;
}

/// Adds to a general band what a moment `m` in fixed axes does to the turns `d` of its node: it has
/// no potential. In axes of the frame its gradient -m changes by -m x d, and that of the energy,
/// which balances it, by the Hessian and m x d / 2, for turns do not commute.
static void add_moments(const cosserat_chain *chain, double *band, size_t rows) {
  for (size_t i = 0; i < chain->n_nodes; i++) {
    double m[3];
    size_t first = COSSERAT_NODE_UNKNOWNS * i + 3;
    into_frame(chain->frame[i], chain->moment[i], m);
    for (size_t k = 0; k < 3; k++) {
      size_t next = first + (k + 1) % 3, after = first + (k + 2) % 3;
      if (cosserat_chain_holds(chain, first + k) || cosserat_chain_holds(chain, next) ||
          cosserat_chain_holds(chain, after))
        break;
      band[(next)*rows + 2 * COSSERAT_BAND + (first + k) - next] += 0.5 * m[(k + 2) % 3];
      band[(first + k) * rows + 2 * COSSERAT_BAND + next - (first + k)] -= 0.5 * m[(k + 2) % 3];
    }
  }
}

/// x = - A^-1 gradient, 0 where held, A being the Hessian and what moments add to it.
static bool solve_with_moments(const cosserat_chain *chain, double *x) {
  enum { ROWS = 3 * COSSERAT_BAND + 1 };
  int n = COSSERAT_NODE_UNKNOWNS * (int)chain->n_nodes, band = COSSERAT_BAND, rows = ROWS, one = 1;
  int info = 1, *pivot = calloc((size_t)n, sizeof *pivot);
  double *a = calloc((size_t)n, ROWS * sizeof *a);
  for (size_t i = 0; a && i < (size_t)n; i++) {
    x[i] = cosserat_chain_holds(chain, i) ? 0 : -gradient_of(chain)[i];
    for (size_t k = 0; k <= COSSERAT_BAND && k <= i; k++) {
      bool held = cosserat_chain_holds(chain, i) || cosserat_chain_holds(chain, i - k);
      double value = held ? k == 0 : chain->matrix[i][k];
      a[(i - k) * ROWS + 2 * COSSERAT_BAND + k] = value;
      a[i * ROWS + 2 * COSSERAT_BAND - k] = value;
    }
  }
  if (a && pivot) {
    add_moments(chain, a, ROWS);
    dgbsv_(&n, &band, &band, &one, a, &rows, pivot, x, &n, &info);
  }
  free(a);
  free(pivot);
  return info == 0;
}

void cosserat_chain_move(cosserat_chain *chain, const double *x, double scale) {
  for (size_t i = 0; i < chain->n_nodes; i++) {
    double v[3], *q = chain->frame[i];
    for (int k = 0; k < 3; k++) {
      chain->position[i][k] += scale * x[6 * i + k];
      v[k] = scale * x[6 * i + 3 + k];
    }
    double angle = sqrt(vb_dot(v, v));
    if (angle == 0) // what is held stays, to the last bit
      continue;
    double part = sin(angle / 2) / angle;
    const double turn[4] = {cos(angle / 2), part * v[0], part * v[1], part * v[2]};
    vb_quaternion_multiply(q, turn, q);
    double norm = vb_quaternion_norm(q);
    for (int k = 0; k < 4; k++)
      q[k] /= norm;
  }
}

/// The greatest turn of a node.
static double greatest_turn(const cosserat_chain *chain, const double *x) {
  double greatest = 0;
  for (size_t i = 0; i < chain->n_nodes; i++)
    greatest = fmax(greatest, sqrt(vb_dot(x + 6 * i + 3, x + 6 * i + 3)));
  return greatest;
}

cosserat_outcome cosserat_chain_balance(cosserat_chain *chain, int iterations, double tolerance) {
  const double most = 0.5; // rad: the Hessian tells nothing of what lies beyond
  double before = INFINITY;
  cosserat_outcome out = {.residual = INFINITY};
  double *x = calloc(chain->n_nodes, COSSERAT_NODE_UNKNOWNS * sizeof *x);
  for (int i = 0; x && i <= iterations && !out.converged; i++) {
    cosserat_chain_evaluate(chain);
    out.residual = cosserat_chain_residual(chain);
    if (!isfinite(out.residual))
      break;
    if (has_moment(chain)) {
      if (!solve_with_moments(chain, x))
        break;
    } else {
      out.negative = factor(chain);
      solve(chain, x);
    }
    double turn = greatest_turn(chain, x);
    // Newton's method squares what is left, until only rounding moves.
    out.converged = out.residual <= tolerance ||
                    (i > 0 && (turn < 1e-13 || (turn < 1e-8 && turn > 0.1 * before)));
    before = turn;
    if (!out.converged && i < iterations)
      cosserat_chain_move(chain, x, turn > most ? most / turn : 1);
  }
  free(x);
  return out;
}
