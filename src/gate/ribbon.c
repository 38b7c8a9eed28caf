// SPDX-License-Identifier: GPL-3.0-or-later
#include "gate/ribbon.h"

#include <math.h>

static void subtract(const double a[3], const double b[3], double out[3]) {
  for (int c = 0; c < 3; c++)
    out[c] = a[c] - b[c];
}

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double triple(const double a[3], const double b[3], const double c[3]) {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
         a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/// The signed solid angle of a triangle, seen from the origin (van Oosterom and Strackee 1983).
static double solid_angle(const double a[3], const double b[3], const double c[3]) {
  double la = sqrt(dot(a, a)), lb = sqrt(dot(b, b)), lc = sqrt(dot(c, c));
  double below = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
  return 2 * atan2(triple(a, b, c), below);
}

/// The part of two edges in the writhe: Gauss' integral over both, in either order. Their
/// differences p - q are a parallelogram, whose solid angle, seen from the origin, it is.
static double pair(const double p[3], const double p_end[3], const double q[3],
                   const double q_end[3]) {
  double a[3], b[3], c[3], d[3];
  subtract(p, q, a);
  subtract(p_end, q, b);
  subtract(p_end, q_end, c);
  subtract(p, q_end, d);
  return -(solid_angle(a, b, c) + solid_angle(a, c, d)) / (2 * M_PI);
}

double vb_writhe(const double (*point)[3], size_t n, bool closed) {
  size_t n_edges = n == 0 ? 0 : closed ? n : n - 1;
  double sum = 0;
  // Edges that share a point are in a plane, and have no part.
  for (size_t i = 0; i < n_edges; i++)
    for (size_t j = i + 2; j < n_edges; j++)
      if (!(closed && i == 0 && j == n_edges - 1))
        sum += pair(point[i], point[i + 1], point[j], point[(j + 1) % n]);
  return sum;
}

/// The unit vector along edge `i`, and the part of `u` perpendicular to it.
static void edge_frame(const double (*point)[3], size_t n, size_t i, const double u[3],
                       double along[3], double across[3]) {
  subtract(point[(i + 1) % n], point[i], along);
  double length = sqrt(dot(along, along));
  for (int c = 0; c < 3; c++)
    along[c] /= length;
  double part = dot(u, along);
  for (int c = 0; c < 3; c++)
    across[c] = u[c] - part * along[c];
}

/// Carries `x`, perpendicular to the unit vector `from`, by the least rotation that takes it to
/// `to`.
static void carry(const double from[3], const double to[3], double x[3]) {
  double factor = dot(x, to) / (1 + dot(from, to));
  for (int c = 0; c < 3; c++)
    x[c] -= factor * (from[c] + to[c]);
}

double vb_twist(const double (*point)[3], const double (*u)[3], size_t n, bool closed) {
  size_t n_edges = n == 0 ? 0 : closed ? n : n - 1, n_turns = closed ? n_edges : n_edges - 1;
  double sum = 0;
  for (size_t i = 0; n_edges > 0 && i < n_turns; i++) {
    double from[3], to[3], before[3], behind[3];
    size_t next = (i + 1) % n_edges;
    edge_frame(point, n, i, u[i], from, before);
    edge_frame(point, n, next, u[next], to, behind);
    carry(from, to, before);
    sum += atan2(triple(to, before, behind), dot(before, behind));
  }
  return sum / (2 * M_PI);
}
