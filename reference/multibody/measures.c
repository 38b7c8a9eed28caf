// SPDX-License-Identifier: GPL-3.0-or-later
#include "measures.h"

#include "scene/rotation.h"

#include <string.h>

void mb_measure_nodes(const mb_system *s, const double *state, bool velocities, double *out) {
  size_t n;
  const vb_node *node = vb_scene_nodes(s->scene, &n);
  const vb_tie *tie = vb_scene_ties(s->scene, &n);
  for (size_t i = 0; i < n; i++, out += 3) {
    const double *y = state + (size_t)tie[i].bone * MB_STATE;
    double arm[3], turned[3];
    vb_subtract(node[i].rest_position, s->bone[tie[i].bone].center, arm);
    vb_quaternion_rotate(y + 3, arm, turned);
    if (velocities)
      vb_cross(y + 10, turned, turned);
    vb_add_scaled(velocities ? y + 7 : y, 1, turned, out);
  }
}

void mb_measure(const mb_system *s, const double *state, double momentum[3], double turning[3],
                double energy[MB_ENERGY_COUNT]) {
  const double *g = vb_scene_world(s->scene)->gravity;
  memset(momentum, 0, 3 * sizeof *momentum);
  memset(turning, 0, 3 * sizeof *turning);
  memset(energy, 0, 2 * sizeof *energy);
  for (size_t i = 0; i < s->n_bones; i++) {
    const double *y = state + i * MB_STATE, *j = s->bone[i].inertia;
    const double back[4] = {y[3], -y[4], -y[5], -y[6]};
    double m = s->bone[i].mass, w[3], orbit[3];
    vb_quaternion_rotate(back, y + 10, w);
    double own[3] = {j[0] * w[0] + j[5] * w[1] + j[4] * w[2],
                     j[5] * w[0] + j[1] * w[1] + j[3] * w[2],
                     j[4] * w[0] + j[3] * w[1] + j[2] * w[2]};
    energy[MB_KINETIC] += 0.5 * (m * vb_dot(y + 7, y + 7) + vb_dot(own, w));
    energy[MB_GRAVITY] -= m * vb_dot(g, y);
    vb_quaternion_rotate(y + 3, own, own);
    vb_cross(y, y + 7, orbit);
    vb_add_scaled(momentum, m, y + 7, momentum);
    vb_add_scaled(own, m, orbit, own);
    vb_add_scaled(turning, 1, own, turning);
  }
}

void mb_measure_gap(const mb_system *s, double time, const double *state, double *out) {
  for (size_t i = 0; i < s->n_links; i++) {
    mb_side side[2];
    mb_link_side(s, i, 0, time, state, &side[0]);
    mb_link_side(s, i, 1, time, state, &side[1]);
    out[i] = vb_distance(side[0].point, side[1].point);
  }
}
