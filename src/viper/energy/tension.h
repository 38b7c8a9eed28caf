// SPDX-License-Identifier: GPL-3.0-or-later
/// The stiffness of a frame's tilt under tension, which Gauss-Newton leaves out and `direct` adds.
///
/// For W = a - t w(Q) the second derivative of K |W|^2 / 2 over a tilt of w is K t a.w, of which
/// K dW^T dW holds K t^2. The rest, K t (a.w - t), is the string's stiffness of a stretched
/// segment. It pays: after a few iterations the residual of an octopus at twice its width falls to
/// 0.06 of itself in each, without it to 0.35. Under compression it is negative (buckling) and left
/// out, so the block stays positive definite.
#ifndef VIPER_ENERGY_TENSION_H
#define VIPER_ENERGY_TENSION_H

#include "viper/energy/terms.h"

/// To be added to the diagonal of both tilts (unknowns 8 and 9) of a segment's block, J.
VIPER_FN viper_real viper_segment_tension(const viper_segment_rest *rest,
                                          const viper_segment_state *x) {
  viper_real along = viper_dot(viper_segment_dc(rest, x), viper_quat_w(x->q));
  viper_real sm = viper_segment_sm(x);
  viper_real t = VIPER_R(0);
#define ADD(name, NAME)                                                                            \
  t += rest->k_##name * viper_##name##_rest(x->active) *                                           \
       (viper_##name##_weight(sm).p * along - viper_##name##_rest(x->active));
  VIPER_DIRECTION_TERMS(ADD)
#undef ADD
  return VIPER_SELECT(t > VIPER_R(0), t, VIPER_R(0));
}

#endif
