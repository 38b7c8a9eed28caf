// SPDX-License-Identifier: GPL-3.0-or-later
#include "mesh/ball_quadric.h"

#include "scene/rotation.h"

#include <math.h>
#include <string.h>

/// The share of the distance to the part's own points: it decides where the planes do not.
#define MIDDLE 1e-4
/// Of the least width of a part, the greatest radius.
#define WIDEST 0.75

static const double DIRECTION[VB_WIDTHS][3] = {
    {1, 0, 0}, {0, 1, 0},  {0, 0, 1}, {1, 1, 0},  {1, -1, 0}, {1, 0, 1}, {1, 0, -1},
    {0, 1, 1}, {0, 1, -1}, {1, 1, 1}, {1, 1, -1}, {1, -1, 1}, {-1, 1, 1}};

void vb_ball_quadric_clear(vb_ball_quadric *q) {
  *q = (vb_ball_quadric){0};
  for (int k = 0; k < VB_WIDTHS; k++) {
    q->low[k] = INFINITY;
    q->high[k] = -INFINITY;
  }
}

void vb_ball_quadric_add_triangle(vb_ball_quadric *q, const double *const corner[3], double share,
                                  const double p[3]) {
  double e[2][3], n[4] = {0, 0, 0, 1}, middle[3];
  for (int k = 0; k < 3; k++) {
    e[0][k] = corner[1][k] - corner[0][k];
    e[1][k] = corner[2][k] - corner[0][k];
    middle[k] = (corner[0][k] + corner[1][k] + corner[2][k]) / 3;
  }
  vb_cross(e[0], e[1], n);
  double size = sqrt(vb_dot(n, n)), weight = share * size / 2;
  for (int k = 0; k < VB_WIDTHS; k++) {
    double at = vb_dot(DIRECTION[k], p) / sqrt(vb_dot(DIRECTION[k], DIRECTION[k]));
    q->low[k] = fmin(q->low[k], at);
    q->high[k] = fmax(q->high[k], at);
  }
  if (!(size > 0))
    return;
  for (int k = 0; k < 3; k++)
    n[k] /= size;
  double height = vb_dot(n, middle);
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 4; k++)
      q->a[i][k] += weight * (n[i] * n[k] + (i == k && i < 3 ? MIDDLE : 0));
    q->b[i] += weight * (n[i] * height + (i < 3 ? MIDDLE * middle[i] : 0));
  }
  q->c += weight * (height * height + MIDDLE * vb_dot(middle, middle));
}

void vb_ball_quadric_add(vb_ball_quadric *q, const vb_ball_quadric *other) {
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 4; k++)
      q->a[i][k] += other->a[i][k];
    q->b[i] += other->b[i];
  }
  q->c += other->c;
  for (int k = 0; k < VB_WIDTHS; k++) {
    q->low[k] = fmin(q->low[k], other->low[k]);
    q->high[k] = fmax(q->high[k], other->high[k]);
  }
}

void vb_ball_quadric_solve(const vb_ball_quadric *q, int n, double s[4]) {
  double l[4][4], y[4];
  for (int i = 0; i < n; i++) {
    for (int k = 0; k <= i; k++) {
      double sum = q->a[i][k];
      for (int m = 0; m < k; m++)
        sum -= l[i][m] * l[k][m];
      l[i][k] = i == k ? sqrt(fmax(sum, 1e-30 * q->a[i][i])) : sum / l[k][k];
    }
    y[i] = q->b[i];
    for (int k = n; k < 4; k++)
      y[i] -= q->a[i][k] * s[k];
    for (int k = 0; k < i; k++)
      y[i] -= l[i][k] * y[k];
    y[i] /= l[i][i];
  }
  for (int i = n; i-- > 0;) {
    s[i] = y[i];
    for (int k = i + 1; k < n; k++)
      s[i] -= l[k][i] * s[k];
    s[i] /= l[i][i];
  }
}

static double value(const vb_ball_quadric *q, const double s[4]) {
  double sum = q->c;
  for (int i = 0; i < 4; i++) {
    sum -= 2 * q->b[i] * s[i];
    for (int k = 0; k < 4; k++)
      sum += s[i] * q->a[i][k] * s[k];
  }
  return sum > 0 ? sum : 0;
}

double vb_ball_quadric_minimize(const vb_ball_quadric *q, vb_ball *out) {
  double most = INFINITY, s[4] = {0};
  for (int k = 0; k < VB_WIDTHS; k++)
    most = fmin(most, WIDEST * (q->high[k] - q->low[k]));
  if (!(q->a[0][0] > 0)) { // of triangles without area: the middle of its extent
    for (int k = 0; k < 3; k++)
      s[k] = (q->low[k] + q->high[k]) / 2;
  } else {
    vb_ball_quadric_solve(q, 4, s);
    if (!(s[3] >= 0 && s[3] <= most)) { // a convex function: its least lies on that bound
      s[3] = s[3] > 0 ? most : 0;
      vb_ball_quadric_solve(q, 3, s);
    }
  }
  memcpy(out->x, s, sizeof out->x);
  out->r = s[3];
  return value(q, s);
}
