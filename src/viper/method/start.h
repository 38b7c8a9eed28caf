// SPDX-License-Identifier: GPL-3.0-or-later
/// The drift of a body without forces, from which iterations start. Included by sources that have
/// defined element access and the sums over a body of direct.h.
#ifndef VIPER_METHOD_START_H
#define VIPER_METHOD_START_H

#include "viper/method/elements.h"

#ifdef __CUDACC__
#define VIPER_ON_STATE VIPER_ON_BODY
#else
#define VIPER_ON_STATE static
#endif

/// A node's old state (`part` 0), or its state after the drift without forces (`part` is the
/// substep's length).
VIPER_FN viper_node_x viper_node_drift(const viper_access *w, viper_at at, viper_real part) {
  viper_node_x x = viper_get_node_old(w, at), rate = viper_get_node_rate(w, at);
  x.c = viper_add(x.c, viper_scale(part, rate.c));
  x.s = viper_bounded(x.s + part * rate.s);
  return x;
}

/// One component of the difference between the prediction of a node and that state (without `part`:
/// its present state), times its mass.
VIPER_FN viper_real viper_node_shift(const viper_access *w, viper_at at, const viper_real *part,
                                     int k, int uniform) {
  viper_node_x hat = viper_get_node_hat(w, at);
  viper_node_x x = part ? viper_node_drift(w, at, *part) : viper_get_node(w, at);
  viper_real d[3] = {hat.c.x - x.c.x, hat.c.y - x.c.y, hat.c.z - x.c.z};
  return viper_get_node_inertia(w, at, uniform).mass * d[k];
}

VIPER_FN viper_real viper_node_mass(const viper_access *w, viper_at at, int uniform) {
  return viper_get_node_inertia(w, at, uniform).mass;
}

/// The mean of this difference, weighted by mass. A body without pinned centers is shifted by it,
/// so that its momentum is exact at any starting point.
VIPER_ON_STATE viper_vec3 viper_mean_shift(viper_access *w, const viper_real *part, int uniform) {
  const viper_model_body *b = viper_access_body(w);
  VIPER_WIDE sum[3] = {VIPER_WIDE_ZERO, VIPER_WIDE_ZERO, VIPER_WIDE_ZERO}, mass = VIPER_WIDE_ZERO;
  if (!b->free_center)
    return viper_vec3_make(VIPER_R(0), VIPER_R(0), VIPER_R(0));
  VIPER_UNROLL_LARGE for (int k = 0; k < 3; k++)
      VIPER_TOTAL(w, sum[k], b->first_node, b->n_nodes, viper_node_shift(w, at, part, k, uniform));
  VIPER_TOTAL(w, mass, b->first_node, b->n_nodes, viper_node_mass(w, at, uniform));
  return viper_vec3_make(viper_narrow(sum[0] / mass), viper_narrow(sum[1] / mass),
                         viper_narrow(sum[2] / mass));
}

VIPER_FN void viper_place_node(viper_access *w, viper_at at, viper_real part, viper_vec3 shift) {
  viper_node_x x = viper_get_node(w, at), to = viper_node_drift(w, at, part);
  viper_real free[4];
  viper_get_free(w, at, free);
  to.c = viper_add(to.c, shift);
  x.c.x = VIPER_SELECT(free[0] > 0, to.c.x, x.c.x);
  x.c.y = VIPER_SELECT(free[1] > 0, to.c.y, x.c.y);
  x.c.z = VIPER_SELECT(free[2] > 0, to.c.z, x.c.z);
  x.s = VIPER_SELECT(free[3] > 0, to.s, x.s);
  viper_set_node(w, at, x);
}

#endif
