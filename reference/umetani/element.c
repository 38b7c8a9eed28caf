// SPDX-License-Identifier: GPL-3.0-or-later
#include "reference/umetani/element.h"

/// Part of a rest length below which a length has no direction.
static const double NOTHING = 1e-12;

/// Part of a matrix's trace below which a pivot is rounding: its component depends on others.
static const double DEPENDENT = 1e-12;

/// Starts an element of `n_rows` components over points.
static void begin(umetani_element *e, const int32_t *point, int n_points, int n_rows) {
  *e = (umetani_element){.n_points = n_points,
                         .n_rows = n_rows,
                         .rows = n_rows == 1 ? 1 : 7,
                         .point = point,
                         .alpha = {1, 1, 1}};
}

bool umetani_edge_element(const umetani_edge *edge, double length, umetani_edge_kind kind,
                          const umetani_law *law, double (*x)[3], umetani_element *out) {
  const double *a = x[edge->point[0]], *b = x[edge->point[1]], *g = x[edge->point[2]];
  double t[3], middle[3], r[3];
  begin(out, edge->point, 3, 1);
  vb_subtract(b, a, t);
  for (int k = 0; k < 3; k++)
    middle[k] = 0.5 * (a[k] + b[k]);
  vb_subtract(g, middle, r);
  double l = sqrt(vb_dot(t, t)), d = sqrt(vb_dot(r, r));
  double(*gradient)[3] = out->gradient[0];
  if (kind == UMETANI_BISECTOR) {
    out->c[0] = vb_dot(r, t);
    vb_subtract(a, g, gradient[0]);
    vb_subtract(g, b, gradient[1]);
    memcpy(gradient[2], t, sizeof t);
    return l > NOTHING * length;
  }
  if (kind == UMETANI_DISTANCE) {
    out->c[0] = d - edge->ghost;
    for (int k = 0; k < 3; k++) {
      gradient[2][k] = r[k] / d;
      gradient[0][k] = gradient[1][k] = -0.5 * gradient[2][k];
    }
    return d > NOTHING * length;
  }
  out->c[0] = l - length;
  out->alpha[0] = law->stretch;
  out->compliance[0] = law->inextensible ? 0 : edge->length / edge->stiffness;
  out->rows = law->inextensible || !law->xpbd || edge->stiffness > 0;
  for (int k = 0; k < 3; k++) {
    gradient[1][k] = t[k] / l;
    gradient[0][k] = -gradient[1][k];
  }
  return l > NOTHING * length;
}

/// A frame's share in the gradient of a rotation: the points' places, and the sign.
typedef struct share {
  const umetani_frame *frame;
  int at[3];
  double sign;
} share;

/// The Darboux vector of the rotation from the axes `from` (one a row) to the frame `to`, over lb,
/// less `rest`, with its gradient (1/lb) G from^T (sum of signed Jacobians), G = I - [c]x + c c^T.
static bool turn_element(umetani_element *e, const double from[3][3], const umetani_frame *to,
                         double lb, const double rest[3], const share *shares, int n_shares) {
  double q[3][3], c[3];
  umetani_relative(from, to->d, q);
  if (!(1 + q[0][0] + q[1][1] + q[2][2] > NOTHING))
    return false;
  umetani_tangent(q, c);
  const double g[3][3] = {{1 + c[0] * c[0], c[0] * c[1] + c[2], c[0] * c[2] - c[1]},
                          {c[0] * c[1] - c[2], 1 + c[1] * c[1], c[1] * c[2] + c[0]},
                          {c[0] * c[2] + c[1], c[1] * c[2] - c[0], 1 + c[2] * c[2]}};
  double h[3][3];
  for (int i = 0; i < 3; i++) {
    e->c[i] = 2 / lb * c[i] - rest[i];
    for (int k = 0; k < 3; k++)
      h[i][k] = (g[i][0] * from[0][k] + g[i][1] * from[1][k] + g[i][2] * from[2][k]) / lb;
  }
  for (int s = 0; s < n_shares; s++) {
    double jacobian[3][3][3];
    umetani_frame_jacobians(shares[s].frame, jacobian);
    for (int p = 0; p < 3; p++)
      for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
          for (int m = 0; m < 3; m++)
            e->gradient[i][shares[s].at[p]][k] += shares[s].sign * h[i][m] * jacobian[p][m][k];
  }
  return true;
}

/// Compliances 1/(K lb) and stiffnesses of a rotation; components without stiffness are free.
static void set_stiffness(umetani_element *e, const double k[3], double lb, const double alpha[3],
                          const umetani_law *law) {
  for (int i = 0; i < 3; i++) {
    e->alpha[i] = alpha[i];
    e->compliance[i] = k[i] > 0 ? 1 / (k[i] * lb) : 0;
    if (law->xpbd && !(k[i] > 0))
      e->rows &= ~(UINT32_C(1) << i);
  }
}

bool umetani_joint_element(const umetani_joint *joint, const double alpha[3],
                           const umetani_law *law, double (*x)[3], umetani_element *out) {
  const int32_t *at = joint->point;
  umetani_frame e, f;
  begin(out, at, 5, 3);
  set_stiffness(out, joint->k, joint->lb, alpha, law);
  double least = NOTHING * joint->lb;
  if (!umetani_frame_of(x[at[0]], x[at[1]], x[at[3]], least, &e) ||
      !umetani_frame_of(x[at[1]], x[at[2]], x[at[4]], least, &f))
    return false;
  const share shares[2] = {{&e, {0, 1, 3}, -1}, {&f, {1, 2, 4}, 1}};
  return turn_element(out, e.d, &f, joint->lb, joint->rest, shares, 2);
}

bool umetani_hub_element(const umetani_hub *hub, int kind, double (*x)[3], umetani_element *out) {
  const int32_t *at = hub->point;
  double arm[2][3];
  begin(out, at, 3, 1);
  for (int i = 0; i < 2; i++)
    vb_subtract(x[at[1 + i]], x[at[0]], arm[i]);
  double(*gradient)[3] = out->gradient[0];
  if (kind == 2) {
    out->c[0] = vb_dot(arm[0], arm[1]);
    for (int k = 0; k < 3; k++) {
      gradient[1][k] = arm[1][k];
      gradient[2][k] = arm[0][k];
      gradient[0][k] = -arm[0][k] - arm[1][k];
    }
    return true;
  }
  double l = sqrt(vb_dot(arm[kind], arm[kind]));
  out->c[0] = l - hub->length;
  for (int k = 0; k < 3; k++) {
    gradient[1 + kind][k] = arm[kind][k] / l;
    gradient[0][k] = -gradient[1 + kind][k];
  }
  return l > NOTHING * hub->length;
}

/// The turn of an edge against the body or triangle of the points 0, 1 and 2: the edge is from
/// point number `end` to 3, with ghost 4.
static bool fastened_element(const double turn[3][3], double lb, int end, double (*x)[3],
                             umetani_element *out) {
  static const double straight[3] = {0, 0, 0};
  const int32_t *at = out->point;
  umetani_frame body, edge;
  double goal[3][3], least = NOTHING * lb;
  if (!umetani_frame_of(x[at[0]], x[at[1]], x[at[2]], least, &body) ||
      !umetani_frame_of(x[at[end]], x[at[3]], x[at[4]], least, &edge))
    return false;
  for (int i = 0; i < 3; i++) // D* = E Eb^T Db, by columns
    for (int k = 0; k < 3; k++)
      goal[i][k] =
          body.d[0][k] * turn[0][i] + body.d[1][k] * turn[1][i] + body.d[2][k] * turn[2][i];
  const share shares[2] = {{&body, {0, 1, 2}, -1}, {&edge, {end, 3, 4}, 1}};
  return turn_element(out, goal, &edge, lb, straight, shares, 2);
}

bool umetani_attachment_element(const umetani_attachment *attachment, const umetani_law *law,
                                double (*x)[3], umetani_element *out) {
  begin(out, attachment->point, 5, 3);
  set_stiffness(out, attachment->k, attachment->lb, law->alpha, law);
  return fastened_element(attachment->turn, attachment->lb, 0, x, out);
}

bool umetani_anchor_turn(const umetani_anchor *anchor, const umetani_law *law, double (*x)[3],
                         umetani_element *out) {
  begin(out, anchor->point, 6, 3);
  set_stiffness(out, anchor->k, anchor->lb, law->alpha, law);
  return fastened_element(anchor->turn, anchor->lb, 5, x, out);
}

bool umetani_hold_element(const umetani_hold *hold, const double target[3][3], double (*x)[3],
                          umetani_element *out) {
  static const double straight[3] = {0, 0, 0};
  umetani_frame frame;
  begin(out, hold->point, 3, 3);
  out->rows = hold->rows;
  if (!umetani_frame_of(x[hold->point[0]], x[hold->point[1]], x[hold->point[2]], NOTHING * hold->lb,
                        &frame))
    return false;
  const share own = {&frame, {0, 1, 2}, 1};
  return turn_element(out, target, &frame, hold->lb, straight, &own, 1);
}

void umetani_matrix(const umetani_element *e, double (*weights)[3], const umetani_law *law,
                    double a[3][3]) {
  memset(a, 0, 9 * sizeof **a);
  for (int i = 0; i < e->n_rows; i++) {
    for (int j = 0; j < e->n_rows; j++)
      for (int p = 0; p < e->n_points; p++)
        for (int k = 0; k < 3; k++)
          a[i][j] += weights[e->point[p]][k] * e->gradient[i][p][k] * e->gradient[j][p][k];
    if (law->xpbd)
      a[i][i] += e->compliance[i] * law->inv_h2;
  }
}

/// The row that is not yet done with the greatest diagonal entry; -1 where that is not above
/// `least`.
static int find_pivot(double a[3][3], uint32_t rows, double least) {
  int pivot = -1;
  for (int i = 0; i < 3; i++)
    if (rows >> i & 1 && a[i][i] > least && (pivot < 0 || a[i][i] > a[pivot][pivot]))
      pivot = i;
  return pivot;
}

bool umetani_solve(const double a[3][3], uint32_t rows, const double r[3], double y[3]) {
  double m[3][3], right[3] = {-r[0], -r[1], -r[2]}, trace = 0;
  int order[3], n = 0;
  memcpy(m, a, sizeof m);
  for (int i = 0; i < 3; i++)
    trace += rows >> i & 1 ? m[i][i] : 0;
  for (int p; (p = find_pivot(m, rows, DEPENDENT * trace)) >= 0;) {
    order[n++] = p;
    rows &= ~(UINT32_C(1) << p);
    for (int i = 0; i < 3; i++)
      if (rows >> i & 1) {
        double factor = m[i][p] / m[p][p];
        for (int k = 0; k < 3; k++)
          m[i][k] -= factor * m[p][k];
        right[i] -= factor * right[p];
      }
  }
  y[0] = y[1] = y[2] = 0;
  for (int at = n; at-- > 0;) {
    int p = order[at];
    double sum = right[p];
    for (int k = at + 1; k < n; k++)
      sum -= m[p][order[k]] * y[order[k]];
    y[p] = sum / m[p][p];
  }
  return n > 0;
}

/// The direction in which the norm of a constraint grows, and that norm: of alpha C, or with XPBD
/// of C over the roots of its compliances, half the square of which is its energy.
static double norm_of(const umetani_element *e, const umetani_law *law, double n[3]) {
  double square = 0;
  for (int i = 0; i < 3; i++) {
    bool on = e->rows >> i & 1;
    n[i] = !on ? 0 : law->xpbd ? e->c[i] / e->compliance[i] : e->alpha[i] * e->c[i];
    square += law->xpbd ? n[i] * e->c[i] : n[i] * n[i];
  }
  double norm = sqrt(square);
  for (int i = 0; i < 3; i++)
    n[i] = norm > 0 ? n[i] / norm : 0;
  return norm;
}

void umetani_multipliers(const umetani_element *e, const umetani_law *law,
                         umetani_grouping grouping, const double *lambda, double out[3]) {
  double n[3];
  memcpy(out, lambda, (size_t)e->n_rows * sizeof *out);
  if (!law->xpbd || grouping != UMETANI_SQUARED || e->n_rows == 1)
    return;
  norm_of(e, law, n);
  for (int i = 0; i < 3; i++)
    out[i] = lambda[0] * n[i];
}

/// The change of a squared joint's multiplier, as the change of each component.
static bool squared_change(const umetani_element *e, double (*weights)[3], const umetani_law *law,
                           double *lambda, double change[3]) {
  double n[3], a[3][3], sum = 0, own = law->xpbd ? law->inv_h2 : 0;
  umetani_law soft = *law;
  soft.xpbd = false; // the compliance of the norm is 1
  double norm = norm_of(e, law, n);
  umetani_matrix(e, weights, &soft, a);
  for (int i = 0; i < 3; i++)
    sum += n[i] * vb_dot(a[i], n);
  if (!(norm > 0 && sum > 0))
    return false;
  double step = -(norm + own * (law->xpbd ? lambda[0] : 0)) / (sum + own);
  for (int i = 0; i < 3; i++) {
    change[i] = step * n[i];
    lambda[i] += law->xpbd ? (i == 0) * step : change[i];
  }
  return true;
}

/// The change of the multipliers of all enforced components at once.
static bool block_change(const umetani_element *e, double (*weights)[3], const umetani_law *law,
                         double *lambda, double change[3]) {
  double a[3][3], r[3] = {0};
  umetani_matrix(e, weights, law, a);
  for (int i = 0; i < e->n_rows; i++)
    r[i] = law->xpbd ? e->c[i] + e->compliance[i] * law->inv_h2 * lambda[i] : e->alpha[i] * e->c[i];
  if (!umetani_solve(a, e->rows, r, change))
    return false;
  for (int i = 0; i < e->n_rows; i++)
    lambda[i] += change[i];
  return true;
}

void umetani_enforce(const umetani_element *e, double (*weights)[3], const double *weight,
                     const umetani_law *law, umetani_grouping grouping, double (*x)[3],
                     double *lambda, double (*impulse)[3], double step[3]) {
  double change[3];
  bool squared = grouping == UMETANI_SQUARED && e->n_rows == 3;
  bool done = squared ? squared_change(e, weights, law, lambda, change)
                      : block_change(e, weights, law, lambda, change);
  if (!done)
    return;
  for (int p = 0; p < e->n_points; p++) {
    int32_t at = e->point[p];
    double push[3];
    umetani_push(e, change, p, push);
    for (int k = 0; k < 3; k++) {
      x[at][k] += weights[at][k] * push[k];
      if (weight[at] == 0)
        impulse[at][k] += push[k];
    }
  }
  if (step)
    memcpy(step, change, sizeof change);
}

void umetani_torque(const umetani_element *e, const double lambda[3], double (*x)[3],
                    double out[3]) {
  out[0] = out[1] = out[2] = 0;
  for (int p = 0; p < e->n_points; p++) {
    double push[3], moment[3];
    umetani_push(e, lambda, p, push);
    vb_cross(x[p], push, moment);
    vb_add_scaled(out, 1, moment, out);
  }
}
