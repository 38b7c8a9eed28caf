// SPDX-License-Identifier: GPL-3.0-or-later
/// The function AR_LANES_FUNCTION for the instructions of AR_LANES_TARGET; for the files
/// lanes*.c alone. Formulas are those of material.c. Loops are written out: arrays of lanes with
/// indexes that a compiler does not know would stay in memory.
#include "lanes.h"

#include <math.h>

#define AR_LANES_PART static inline __attribute__((always_inline)) AR_LANES_TARGET

/// A step of Newton's method whose square is below this is the last: the next, of the order of its
/// square, would be rounding.
static const double last_square = 1e-16;
/// From the rotation of the iteration before two or three steps are enough.
enum { MOST_STEPS = 8 };

/// All bits of a lane where something holds, else none.
typedef long long ar_mask __attribute__((vector_size(8 * sizeof(long long))));

/// The product of three numbers each, `i` and `j` lanes apart.
AR_LANES_PART ar_lanes dot3(const ar_lanes *a, int i, const ar_lanes *b, int j) {
  return a[0] * b[0] + a[i] * b[j] + a[2 * i] * b[2 * j];
}

/// A bit for each lane.
AR_LANES_PART unsigned bits_of(ar_mask mask) {
  unsigned bits = 0;
  for (int l = 0; l < AR_LANES; l++)
    bits |= (unsigned)(mask[l] & 1) << l;
  return bits;
}

/// Component `c` of the positions of eight nodes.
AR_LANES_PART ar_lanes gather(const double *x, const int32_t *node, int c) {
  return (ar_lanes){x[3 * (size_t)node[0] + (size_t)c], x[3 * (size_t)node[1] + (size_t)c],
                    x[3 * (size_t)node[2] + (size_t)c], x[3 * (size_t)node[3] + (size_t)c],
                    x[3 * (size_t)node[4] + (size_t)c], x[3 * (size_t)node[5] + (size_t)c],
                    x[3 * (size_t)node[6] + (size_t)c], x[3 * (size_t)node[7] + (size_t)c]};
}

/// Row `c` of F, by the edges from corner 0.
AR_LANES_PART void deformation(const ar_block *b, const double *x, int c, ar_lanes f[3]) {
  ar_lanes from = gather(x, b->node[0], c);
  const ar_lanes d[3] = {gather(x, b->node[1], c) - from, gather(x, b->node[2], c) - from,
                         gather(x, b->node[3], c) - from};
  f[0] = dot3(d, 1, &b->gradient[0][0], 3);
  f[1] = dot3(d, 1, &b->gradient[0][1], 3);
  f[2] = dot3(d, 1, &b->gradient[0][2], 3);
}

/// The rotation of a quaternion of any length.
AR_LANES_PART void matrix_of(const ar_lanes q[4], ar_lanes r[9]) {
  ar_lanes w = q[0], x = q[1], y = q[2], z = q[3], s = 2 / (w * w + x * x + y * y + z * z);
  r[0] = 1 - s * (y * y + z * z);
  r[1] = s * (x * y - w * z);
  r[2] = s * (x * z + w * y);
  r[3] = s * (x * y + w * z);
  r[4] = 1 - s * (x * x + z * z);
  r[5] = s * (y * z - w * x);
  r[6] = s * (x * z - w * y);
  r[7] = s * (y * z + w * x);
  r[8] = 1 - s * (x * x + y * y);
}

AR_LANES_PART void normalize(ar_lanes q[4]) {
  ar_lanes norm = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  for (int l = 0; l < AR_LANES; l++)
    norm[l] = sqrt(norm[l]);
  q[0] /= norm;
  q[1] /= norm;
  q[2] /= norm;
  q[3] /= norm;
}

/// w of a step of Newton's method; where there is one.
AR_LANES_PART ar_mask newton_step(const ar_lanes f[9], const ar_lanes r[9], ar_lanes w[3]) {
  ar_lanes y1 = dot3(r, 3, f + 1, 3), y2 = dot3(r, 3, f + 2, 3), y3 = dot3(r + 1, 3, f, 3);
  ar_lanes y5 = dot3(r + 1, 3, f + 2, 3), y6 = dot3(r + 2, 3, f, 3), y7 = dot3(r + 2, 3, f + 1, 3);
  ar_lanes y0 = dot3(r, 3, f, 3), y4 = dot3(r + 1, 3, f + 1, 3), y8 = dot3(r + 2, 3, f + 2, 3);
  ar_lanes a = y4 + y8, b = y0 + y8, c = y0 + y4;
  ar_lanes d = -0.5 * (y1 + y3), e = -0.5 * (y2 + y6), g = -0.5 * (y5 + y7);
  ar_lanes u0 = y7 - y5, u1 = y2 - y6, u2 = y3 - y1;
  ar_lanes aa = b * c - g * g, ab = e * g - d * c, ac = d * g - e * b;
  ar_lanes two = a * b - d * d, det = a * aa + d * ab + e * ac, size = a + b + c;
  ar_lanes bb = a * c - e * e, bc = d * e - a * g, scale = 1 / det;
  w[0] = (aa * u0 + ab * u1 + ac * u2) * scale;
  w[1] = (ab * u0 + bb * u1 + bc * u2) * scale;
  w[2] = (ac * u0 + bc * u1 + two * u2) * scale;
  return (a > 0) & (two > 1e-6 * size * size) & (det > 1e-6 * size * size * size);
}

/// Keeps w where the mask has bits.
AR_LANES_PART ar_lanes keep(ar_lanes w, ar_mask mask) {
  return (ar_lanes)((ar_mask)w & mask);
}

/// The rotations nearest to F, from those of q.
AR_LANES_PART void rotate(const ar_lanes f[9], ar_lanes q[4], ar_lanes r[9]) {
  ar_mask open = (ar_mask){0} - 1, lost = {0};
  matrix_of(q, r);
  for (int k = 0; k < MOST_STEPS && bits_of(open); k++) {
    ar_lanes w[3], q0 = q[0], q1 = q[1], q2 = q[2], q3 = q[3];
    ar_mask good = newton_step(f, r, w);
    lost |= open & ~good;
    open &= good;
    // Where nothing is open, w = 0 leaves q as it is, to the last bit.
    ar_lanes x = keep(0.5 * w[0], open), y = keep(0.5 * w[1], open), z = keep(0.5 * w[2], open);
    q[0] = q0 - q1 * x - q2 * y - q3 * z;
    q[1] = q1 + q0 * x + q2 * z - q3 * y;
    q[2] = q2 + q0 * y - q1 * z + q3 * x;
    q[3] = q3 + q0 * z + q1 * y - q2 * x;
    matrix_of(q, r);
    open &= 4 * (x * x + y * y + z * z) >= last_square;
  }
  unsigned again = bits_of(open | lost);
  if (again) {
    ar_lanes matrix[9], turn[4] = {q[0], q[1], q[2], q[3]};
    for (int i = 0; i < 9; i++)
      matrix[i] = f[i];
    ar_lanes_fresh(again, matrix, turn);
    q[0] = turn[0], q[1] = turn[1], q[2] = turn[2], q[3] = turn[3];
    matrix_of(q, r);
  }
  normalize(q);
}

/// Row `c` of V P G for the four corners, V P overwritten; returns the square of their norms.
AR_LANES_PART ar_lanes spread(const ar_block *b, const ar_lanes p[3], ar_lanes out[4][3], int c) {
  ar_lanes f1 = dot3(p, 1, b->gradient[0], 1), f2 = dot3(p, 1, b->gradient[1], 1);
  ar_lanes f3 = dot3(p, 1, b->gradient[2], 1), f0 = -(f1 + f2 + f3);
  out[0][c] = f0;
  out[1][c] = f1;
  out[2][c] = f2;
  out[3][c] = f3;
  return f0 * f0 + f1 * f1 + f2 * f2 + f3 * f3;
}

AR_LANES_TARGET void AR_LANES_FUNCTION(const ar_block *b, const double *x, double *quaternion,
                                       ar_block_result *out) {
  ar_lanes f[9], r[9], q[4], square = {0}, d;
  deformation(b, x, 0, f);
  deformation(b, x, 1, f + 3);
  deformation(b, x, 2, f + 6);
  for (int l = 0; l < AR_LANES; l++)
    for (int c = 0; c < 4; c++)
      q[c][l] = quaternion[4 * l + c];
  rotate(f, q, r);
  for (int l = 0; l < AR_LANES; l++)
    for (int c = 0; c < 4; c++)
      quaternion[4 * l + c] = q[c][l];
  d = dot3(r, 1, f, 1) + dot3(r + 3, 1, f + 3, 1) + dot3(r + 6, 1, f + 6, 1) - 3;
  for (int i = 0; i < 9; i++) {
    ar_lanes left = f[i] - r[i];
    square += left * left;
    f[i] = b->mu * left + b->la * d * r[i];
  }
  out->energy = 0.5 * (b->mu * square + b->la * d * d);
  out->norm = spread(b, f, out->force, 0) + spread(b, f + 3, out->force, 1) +
              spread(b, f + 6, out->force, 2);
}
