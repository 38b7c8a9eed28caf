// SPDX-License-Identifier: GPL-3.0-or-later
/// Unknowns of frames of which parts are held (method/frame_pin.h), in double: turns about
/// orthonormal axes along which nothing is held. Held parts are linear in rotation vectors to
/// second order, so the Hessian over these turns has no share of what holds the others.
#ifndef VIPER_CPU_EVALUATE_HELD_AXES_H
#define VIPER_CPU_EVALUATE_HELD_AXES_H

#include "viper/cpu/core/cpu_real.h"

/// How many such axes frame `j` has: 3 where nothing holds it, 0 where it is pinned.
static inline int viper_free_axes(const viper_model *m, int32_t j) {
  uint32_t pinned = m->segment[j].pinned;
  if (pinned & VB_PIN_FRAME)
    return 0;
  return 3 - viper_holds(pinned, 0) - viper_holds(pinned, 1) - viper_holds(pinned, 2);
}

/// The block of an element, `n` x `n`, whose unknowns from `first` on are those of frame `j`, and
/// the gradient over that frame, about its axes; 0 behind the last of these.
void viper_held_block(const viper_cpu *cpu, int32_t j, int n, int first, double *h);
void viper_held_gradient(const viper_cpu *cpu, int32_t j, double g[3]);

/// The axes of frame `j`, in body axes, along which nothing is held: those of the frame itself
/// where nothing holds it; 0 behind the last.
void viper_held_axes(const viper_cpu *cpu, int32_t j, viper_vec3 axis[3]);

/// The turns of all frames [n_segments x 3, body axes, rad] in a move of their unknowns
/// [n_segments x 3, about free axes].
void viper_held_turns(const viper_cpu *cpu, const double *move, double *turn);

#endif
