// SPDX-License-Identifier: GPL-3.0-or-later
#include "reference/bergou/element.h"

#include "scene/rotation.h"

#include <string.h>

static const double basis[3][4] = {{0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};

static void conjugate(const double q[4], double out[4]) {
  out[0] = q[0];
  for (int k = 1; k < 4; k++)
    out[k] = -q[k];
}

/// dW of a stretch: W by W's three rows over the nine unknowns. A rotation delta moves the axis
/// w = Q e_z by Q (delta x e_z) = delta_y u - delta_x v.
static void stretch_slopes(double inv_l, double rest, const double u[3], const double v[3],
                           double dw[3][9]) {
  memset(dw, 0, 3 * sizeof *dw);
  for (int row = 0; row < 3; row++) {
    dw[row][row] = -inv_l;
    dw[row][6 + row] = inv_l;
    dw[row][3] = rest * v[row];
    dw[row][4] = -rest * u[row];
  }
}

void bergou_stretch(const bergou_segment *s, double rest, const double a[3], const double b[3],
                    const double frame[4], bergou_hessian hessian, bergou_element *out) {
  double axis[3][3], dc[3], w[3], dw[3][9];
  for (int k = 0; k < 3; k++)
    vb_frame_axis(frame, k, axis[k]);
  for (int k = 0; k < 3; k++) {
    dc[k] = (b[k] - a[k]) / s->length;
    w[k] = dc[k] - rest * axis[2][k];
  }
  stretch_slopes(1 / s->length, rest, axis[0], axis[1], dw);
  out->n = 9;
  out->energy[0] = 0.5 * s->k * vb_dot(w, w);
  out->energy[1] = 0;
  for (int i = 0; i < 9; i++) {
    out->g[i] = s->k * (w[0] * dw[0][i] + w[1] * dw[1][i] + w[2] * dw[2][i]);
    for (int j = 0; j < 9; j++)
      out->h[i][j] = s->k * (dw[0][i] * dw[0][j] + dw[1][i] * dw[1][j] + dw[2][i] * dw[2][j]);
  }
  // -k rest dc . ddw, with delta x (delta x e_z) = delta delta_z - e_z |delta|^2: seen from the
  // frame, the tilts' stiffness is k rest dc_w, of which k rest^2 is there already, and a tilt is
  // tied to the spin.
  double tension = s->k * rest * (vb_dot(dc, axis[2]) - rest);
  if (hessian == BERGOU_CONVEX && tension < 0)
    return;
  out->h[3][3] += tension;
  out->h[4][4] += tension;
  if (hessian == BERGOU_CONVEX)
    return;
  for (int k = 0; k < 2; k++) {
    double tie = -0.5 * s->k * rest * vb_dot(dc, axis[k]);
    out->h[3 + k][5] += tie;
    out->h[5][3 + k] += tie;
  }
}

/// The form sum_i k_i D_i^2 / 2 over the imaginary components of D: gradient and k dD dD^T from the
/// slopes of D, and k D ddD within one frame, where ddD = -D/4 on the diagonal.
static void add_form(const double k[3], const double d[4], double slope[][4],
                     bergou_hessian hessian, bergou_element *out) {
  double own = 0;
  for (int i = 0; i < 3; i++)
    own -= 0.25 * k[i] * d[1 + i] * d[1 + i];
  for (int a = 0; a < out->n; a++) {
    out->g[a] = 0;
    for (int i = 0; i < 3; i++)
      out->g[a] += k[i] * d[1 + i] * slope[a][1 + i];
    for (int b = 0; b < out->n; b++) {
      out->h[a][b] = hessian == BERGOU_EXACT && a == b ? own : 0;
      for (int i = 0; i < 3; i++)
        out->h[a][b] += k[i] * slope[a][1 + i] * slope[b][1 + i];
    }
  }
}

/// out = x e y / 2, times `sign`
static void half_product(const double x[4], const double e[4], const double y[4], double sign,
                         double out[4]) {
  vb_quaternion_multiply(x, e, out);
  vb_quaternion_multiply(out, y, out);
  for (int k = 0; k < 4; k++)
    out[k] *= 0.5 * sign;
}

void bergou_turn(const bergou_joint *joint, const double frame_j[4], const double frame_k[4],
                 bergou_hessian hessian, bergou_element *out) {
  double m[4], left[4], right[4], d[4], slope[6][4];
  conjugate(frame_j, m);
  vb_quaternion_multiply(m, frame_k, m);
  vb_quaternion_multiply(joint->left, m, left);
  vb_quaternion_multiply(m, joint->right, right);
  vb_quaternion_multiply(left, joint->right, d);
  for (int a = 0; a < 3; a++) {
    half_product(joint->left, basis[a], right, -1, slope[a]);
    half_product(left, basis[a], joint->right, 1, slope[3 + a]);
  }
  out->n = 6;
  out->energy[0] = 0.5 * (joint->k[0] * d[1] * d[1] + joint->k[1] * d[2] * d[2]);
  out->energy[1] = 0.5 * joint->k[2] * d[3] * d[3];
  add_form(joint->k, d, slope, hessian, out);
  if (hessian == BERGOU_CONVEX)
    return;
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      double cross[4], sum = 0;
      vb_quaternion_multiply(joint->left, basis[a], cross);
      vb_quaternion_multiply(cross, m, cross);
      half_product(cross, basis[b], joint->right, -0.5, cross);
      for (int i = 0; i < 3; i++)
        sum += joint->k[i] * d[1 + i] * cross[1 + i];
      out->h[a][3 + b] += sum;
      out->h[3 + b][a] += sum;
    }
}

void bergou_frame_inertia(double inertia, double h, const double hat[4], const double frame[4],
                          bergou_hessian hessian, bergou_element *out) {
  double d[4], slope[3][4], one = 4 * inertia / (h * h);
  double k[3] = {one, one, 2 * one};
  conjugate(hat, d);
  vb_quaternion_multiply(d, frame, d);
  for (int a = 0; a < 3; a++) {
    vb_quaternion_multiply(d, basis[a], slope[a]);
    for (int i = 0; i < 4; i++)
      slope[a][i] *= 0.5;
  }
  out->n = 3;
  out->energy[0] = 0.5 * (k[0] * d[1] * d[1] + k[1] * d[2] * d[2] + k[2] * d[3] * d[3]);
  out->energy[1] = 0;
  add_form(k, d, slope, hessian, out);
}
