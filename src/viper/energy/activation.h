// SPDX-License-Identifier: GPL-3.0-or-later
/// Activation: segments whose rest shape changes with time, and the work that does. An active
/// strain of a rests at the stretch a and the scale a^(-1/2), a fiber at the stretch a and the
/// scale 1. A pair of forces f along w on the two nodes has the potential f (c_b - c_a).w, which
/// turns the frame, too, and so keeps both momenta; together with the term stretch it is that term
/// at the stretch 1 - f / (pi r^2 kz), but for a constant.
#ifndef VIPER_ENERGY_ACTIVATION_H
#define VIPER_ENERGY_ACTIVATION_H

#include "viper/energy/terms.h"

/// What U changes as the rest shape changes from that of `x` to `now`, with `x` where it is [J].
VIPER_FN viper_real viper_strain_work(const viper_segment_rest *rest, const viper_segment_state *x,
                                      viper_contraction now) {
  const viper_real half = VIPER_R(0.5);
  viper_real along = viper_dot(viper_segment_dc(rest, x), viper_quat_w(x->q));
  viper_real stretch = half * (x->active.stretch + now.stretch);
  viper_real scale = half * (x->active.scale + now.scale);
  return rest->k_stretch * (x->active.stretch - now.stretch) * (along - stretch) +
         rest->k_section * (x->active.scale - now.scale) * (viper_segment_sm(x) - scale);
}

/// The work of a pair of forces, which makes a segment rest at the stretch of `now`, as that moves
/// from `x` to `now` [J].
VIPER_FN viper_real viper_force_work(const viper_segment_rest *rest, const viper_segment_state *x,
                                     const viper_segment_state *now) {
  viper_real before = viper_dot(viper_segment_dc(rest, x), viper_quat_w(x->q));
  viper_real after = viper_dot(viper_segment_dc(rest, now), viper_quat_w(now->q));
  return rest->k_stretch * (VIPER_R(1) - now->active.stretch) * (before - after);
}

/// What `active` adds to the energy of the terms of the material model solid, which is 0 with what
/// is passive [J].
VIPER_FN viper_real viper_solid_potential(const viper_solid_rest *rest,
                                          const viper_segment_state *x, viper_contraction active) {
  viper_segment_state rests = *x, passive = *x;
  rests.active = active;
  passive.active = viper_passive();
  return (viper_axial_energy(rest, &rests) - viper_axial_energy(rest, &passive)) +
         (viper_dilation_energy(rest, &rests) - viper_dilation_energy(rest, &passive));
}

/// What a segment of the model solid adds to viper_strain_work [J].
VIPER_FN viper_real viper_solid_strain_work(const viper_solid_rest *rest,
                                            const viper_segment_state *x, viper_contraction now) {
  return viper_solid_potential(rest, x, now) - viper_solid_potential(rest, x, x->active);
}

/// Likewise to viper_force_work.
VIPER_FN viper_real viper_solid_force_work(const viper_solid_rest *rest,
                                           const viper_segment_state *x,
                                           const viper_segment_state *now) {
  return viper_solid_potential(rest, x, now->active) -
         viper_solid_potential(rest, now, now->active);
}

#endif
