// SPDX-License-Identifier: GPL-3.0-or-later
#include "rows.h"

#include "scene/rotation.h"

#include <string.h>

void mb_row_axes(const mb_system *s, size_t i, int k, const mb_side side[2], double a[3],
                 double n[3]) {
  vb_quaternion_rotate(side[0].frame, k == 2 ? s->across[i][0] : s->link[i].axis[0], a);
  vb_quaternion_rotate(side[1].frame, s->across[i][k], n);
}

/// Writes three rows of the distance of two points: G on side `which`, with sign.
static void write_point_rows(mb_system *s, size_t row, const mb_side *side, const double *state,
                             int32_t bone, double sign) {
  size_t columns = 6 * s->n_bones;
  double arm[3];
  if (bone < 0)
    return;
  vb_subtract(side->point, state + (size_t)bone * MB_STATE, arm);
  for (size_t c = 0; c < 3; c++) {
    double *g = s->gradient + (row + c) * columns + 6 * (size_t)bone;
    size_t d = (c + 1) % 3, e = (c + 2) % 3;
    g[c] = sign;
    g[3 + d] = sign * arm[e]; // w x arm
    g[3 + e] = -sign * arm[d];
  }
}

/// The acceleration of a side's point without those of the bone's unknowns.
static void known_acceleration(const mb_side *side, const double *state, int32_t bone,
                               double out[3]) {
  memcpy(out, side->acceleration, 3 * sizeof *out);
  if (bone < 0)
    return;
  double arm[3];
  vb_subtract(side->point, state + (size_t)bone * MB_STATE, arm);
  vb_cross(side->spin, arm, arm);
  vb_cross(side->spin, arm, out);
}

/// The row (w0 - w1) . (a x n), and its b.
static void write_angle_row(mb_system *s, size_t row, const vb_link *link, const mb_side side[2],
                            const double a[3], const double n[3]) {
  double across[3], one[3], two[3], turn[3], rate[3], left[3];
  vb_cross(a, n, across);
  for (int which = 0; which < 2; which++)
    if (link->bone[which] >= 0)
      memcpy(s->gradient + row * 6 * s->n_bones + 6 * (size_t)link->bone[which] + 3,
             which == 0 ? across : (double[3]){-across[0], -across[1], -across[2]}, sizeof across);
  vb_cross(side[0].spin, a, turn);
  vb_cross(turn, n, one);
  vb_cross(side[1].spin, n, turn);
  vb_cross(a, turn, two);
  vb_add_scaled(one, 1, two, rate);
  vb_subtract(side[0].spin, side[1].spin, left);
  s->known[row] = vb_dot(side[1].spin_rate, across) - vb_dot(left, rate);
}

void mb_write_rows(mb_system *s, double time, const double *state) {
  memset(s->gradient, 0, 6 * s->n_bones * s->first_row[s->n_links] * sizeof *s->gradient);
  for (size_t i = 0; i < s->n_links; i++) {
    const vb_link *link = &s->link[i];
    mb_side side[2];
    double known[2][3];
    size_t row = s->first_row[i];
    for (int which = 0; which < 2; which++) {
      mb_link_side(s, i, which, time, state, &side[which]);
      write_point_rows(s, row, &side[which], state, link->bone[which], which == 0 ? 1 : -1);
      known_acceleration(&side[which], state, link->bone[which], known[which]);
    }
    for (int c = 0; c < 3; c++)
      s->known[row + (size_t)c] = known[1][c] - known[0][c];
    for (size_t k = row + 3; k < s->first_row[i + 1]; k++) {
      double a[3], n[3];
      mb_row_axes(s, i, (int)(k - row - 3), side, a, n);
      write_angle_row(s, k, link, side, a, n);
    }
  }
}

void mb_gap_rows(const mb_system *s, double time, const double *state, double *out) {
  for (size_t i = 0; i < s->n_links; i++) {
    mb_side side[2];
    double *gap = out + s->first_row[i], a[3], n[3];
    for (int which = 0; which < 2; which++)
      mb_link_side(s, i, which, time, state, &side[which]);
    vb_subtract(side[0].point, side[1].point, gap);
    for (size_t k = 3; k < s->first_row[i + 1] - s->first_row[i]; k++) {
      mb_row_axes(s, i, (int)k - 3, side, a, n);
      gap[k] = vb_dot(a, n);
    }
  }
}

double mb_angle(const mb_system *s, size_t i, double time, const double *state) {
  mb_side side[2];
  double turned[3], first[3], second[3];
  if (s->link[i].type != VB_LINK_HINGE)
    return 0;
  for (int which = 0; which < 2; which++)
    mb_link_side(s, i, which, time, state, &side[which]);
  vb_quaternion_rotate(side[0].frame, s->across[i][0], turned);
  vb_quaternion_rotate(side[1].frame, s->across[i][0], first);
  vb_quaternion_rotate(side[1].frame, s->across[i][1], second);
  return atan2(vb_dot(turned, second), vb_dot(turned, first));
}

void mb_hinge_axis(const mb_system *s, size_t i, double time, const double *state, double out[3]) {
  mb_side side;
  mb_link_side(s, i, 1, time, state, &side);
  vb_quaternion_rotate(side.frame, s->link[i].axis[0], out);
}
