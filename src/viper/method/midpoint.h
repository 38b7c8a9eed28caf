// SPDX-License-Identifier: GPL-3.0-or-later
/// The end of a substep of the integrator midpoint (README.md, Integrators), whose Phi is that of
/// the middle. Point-wise.
#ifndef VIPER_METHOD_MIDPOINT_H
#define VIPER_METHOD_MIDPOINT_H

#include "viper/energy/inertia.h"

/// Extrapolates a node from the middle, `x` with the rates `v`, to the end, from its initial state
/// `old` with the rates `before`. `free` is 1 for components that are not pinned; rates of the
/// others stay.
VIPER_FN void viper_midpoint_advance(viper_node_x old, viper_node_x before,
                                     const viper_real free[4], viper_node_x *x, viper_node_x *v) {
  x->c = viper_add(x->c, viper_sub(x->c, old.c));
  x->s = x->s + (x->s - old.s);
  v->c.x += free[0] * (v->c.x - before.c.x);
  v->c.y += free[1] * (v->c.y - before.c.y);
  v->c.z += free[2] * (v->c.z - before.c.z);
  v->s += free[3] * (v->s - before.s);
}

#endif
