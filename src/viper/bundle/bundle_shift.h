// SPDX-License-Identifier: GPL-3.0-or-later
/// Moves the nodes and frames of a bundle to its similarity transform (README.md). Point-wise phase
/// functions; the state is in the working precision, intermediate values are in double.
#ifndef VIPER_BUNDLE_BUNDLE_SHIFT_H
#define VIPER_BUNDLE_BUNDLE_SHIFT_H

#include "viper/bundle/bundle_fit.h"
#include "viper/energy/inertia.h"

/// Where a segment between nodes a and b is.
VIPER_FN viper_bundle_place viper_bundle_place_of(viper_node_x a, viper_node_x b, viper_quat q) {
  viper_bundle_place place = {{0.5 * ((double)a.c.x + (double)b.c.x),
                               0.5 * ((double)a.c.y + (double)b.c.y),
                               0.5 * ((double)a.c.z + (double)b.c.z)},
                              0.5 * ((double)a.s + (double)b.s),
                              {(double)q.w, (double)q.x, (double)q.y, (double)q.z}};
  return place;
}

/// How far a node moves, in its center [m] and scale: the mean over its segments, weighted by their
/// inertia, as much to one side as to the other, so that momentum is kept. A segment outside of
/// bundles wants to stay. `share` are the node's, `now` and `goal` by member.
VIPER_FN void viper_bundle_shift(const viper_bundle_share *share, int32_t n,
                                 const viper_bundle_place *now, const viper_bundle_place *goal,
                                 double out[4]) {
  for (int c = 0; c < 4; c++)
    out[c] = 0;
  for (int32_t e = 0; e < n; e++) {
    const viper_bundle_place *from = &now[share[e].member], *to = &goal[share[e].member];
    for (int c = 0; c < 3; c++)
      out[c] += share[e].center * (to->middle[c] - from->middle[c]);
    out[3] += share[e].scale * (to->scale - from->scale);
  }
}

VIPER_FN viper_real viper_shifted(viper_real x, double d) {
  return (viper_real)((double)x + d);
}

/// A node's prediction, moved.
VIPER_FN viper_node_x viper_bundle_push_node(viper_node_x hat, const double d[4]) {
  viper_node_x out = {
      {viper_shifted(hat.c.x, d[0]), viper_shifted(hat.c.y, d[1]), viper_shifted(hat.c.z, d[2])},
      viper_shifted(hat.s, d[3])};
  return out;
}

/// A node, moved: what is pinned (`pinned`, a vb_pin_mask) stays, and no scale falls below `least`.
VIPER_FN viper_node_x viper_bundle_move_node(viper_node_x x, const double d[4], uint32_t pinned,
                                             viper_scalar least) {
  viper_node_x out = viper_bundle_push_node(x, d);
  out.c.x = pinned & VB_PIN_X ? x.c.x : out.c.x;
  out.c.y = pinned & VB_PIN_Y ? x.c.y : out.c.y;
  out.c.z = pinned & VB_PIN_Z ? x.c.z : out.c.z;
  out.s = pinned & VB_PIN_SCALE ? x.s : out.s;
  out.s = out.s < least ? least : out.s;
  return out;
}

/// The turn, in world axes, that brings frame `q` to where its bundle wants it.
VIPER_FN viper_quat viper_bundle_turn(const viper_bundle_place *goal, viper_quat q) {
  viper_quat to = viper_quat_make((viper_real)goal->frame[0], (viper_real)goal->frame[1],
                                  (viper_real)goal->frame[2], (viper_real)goal->frame[3]);
  return viper_quat_positive(viper_quat_mul(to, viper_quat_conj(q)));
}

/// A frame or its prediction, turned.
VIPER_FN viper_quat viper_bundle_turned(viper_quat turn, viper_quat q) {
  return viper_quat_turn(viper_quat_mul(turn, q), viper_vec3_make(0, 0, 0));
}

#endif
