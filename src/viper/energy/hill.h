// SPDX-License-Identifier: GPL-3.0-or-later
/// Hill's muscle (A. V. Hill, The heat of shortening and the dynamic constants of muscle, 1938;
/// vb_hill has the law): the stretch a at which a segment rests is that of a contractile element,
/// in series with the elastic rod around it. What drives it is X = -dU/da. Within a substep a is
/// constant, so that every method minimizes the Phi of an active strain; before it, a follows
///
///   X(a, where the segment is going) = stress (e L(a_n) V(v) + P(a)) + damping v,
///
/// implicitly in v = (a - a_n)/h, with X and P linear about a_n. That is the minimum over a of U
/// plus h times a dissipation potential, and needs roots of quadratic equations alone. Segments go
/// on at their velocities, so that a muscle that shortens steadily has the force of its velocity
/// although a is updated first. Of first order in h.
#ifndef VIPER_ENERGY_HILL_H
#define VIPER_ENERGY_HILL_H

#include "viper/energy/terms.h"

/// The law of a segment, times its volume at rest.
typedef struct viper_hill {
  viper_real strength;      ///< stress, J
  viper_real fastest;       ///< velocity, 1/s
  viper_real inv_curvature; ///< of shortening
  viper_real eccentric;     ///< greatest over held
  viper_real steep;         ///< of lengthening: (1 + inv_curvature)/(eccentric - 1)
  viper_real optimum, inv_width;
  viper_real inv_passive; ///< 0 for none
  viper_real damping;     ///< J s
} viper_hill;

/// What a segment is like at the beginning of a substep, and how fast it moves.
typedef struct viper_hill_motion {
  viper_segment_state x;
  viper_vec3 rate_a, rate_b; ///< m/s
  viper_real scale_rate_a, scale_rate_b;
  viper_vec3 spin; ///< of its frame, world axes, rad/s
} viper_hill_motion;

/// The least stretch at which a contractile element rests.
#define VIPER_LEAST_HILL VIPER_R(0.25)

/// The positive root of a x^2 + b x = c, with a >= 0, c > 0, and b > 0 where a is 0.
VIPER_FN viper_real viper_hill_root(viper_real a, viper_real b, viper_real c) {
  return (c + c) / (b + VIPER_SCALAR_SQRT(b * b + VIPER_R(4) * (a * c)));
}

/// The rate v of a at which `drive` - `slope` v, what the rod exerts, is `force` V(v), 1/s.
VIPER_FN viper_real viper_hill_rate(const viper_hill *law, viper_real drive, viper_real slope,
                                    viper_real force) {
  const viper_real inv = VIPER_R(1) / law->fastest;
  if (drive > force) {
    const viper_real c = law->steep * inv;
    return viper_hill_root(slope * c, slope + c * (force * law->eccentric - drive), drive - force);
  }
  if (!(drive < force))
    return VIPER_R(0);
  if (drive + slope * law->fastest < VIPER_R(0)) // faster than it shortens by itself
    return drive / slope;
  const viper_real c = law->inv_curvature * inv;
  return -viper_hill_root(slope * c, slope + c * drive + force * inv, force - drive);
}

/// The stretch at which a segment rests in the substep of length `h` [s] that begins as `m` says,
/// with the excitation `e` at its end. `k_axial` is that of a segment of the material model solid,
/// else 0.
VIPER_FN viper_contraction viper_hill_next(const viper_hill *law, const viper_segment_rest *rest,
                                           viper_real k_axial, const viper_hill_motion *m,
                                           viper_real e, viper_real h) {
  const viper_real one = VIPER_R(1), half = VIPER_R(0.5), zero = VIPER_R(0);
  const viper_real a = m->x.active.stretch, scale = m->x.active.scale;
  const viper_real cube = scale * scale * scale; // a^(-3/2)
  const viper_vec3 w = viper_quat_w(m->x.q);
  const viper_vec3 d = viper_sub(viper_add(m->x.c_b, viper_scale(h, m->rate_b)),
                                 viper_add(m->x.c_a, viper_scale(h, m->rate_a)));
  const viper_vec3 ahead = viper_add(w, viper_scale(h, viper_cross(m->spin, w)));
  const viper_real along = rest->inv_l * viper_dot(d, ahead);
  const viper_real sm = viper_segment_sm(&m->x) + half * h * (m->scale_rate_a + m->scale_rate_b);
  const viper_real k = rest->k_stretch + k_axial, off = a - law->optimum;
  const viper_real x = off * law->inv_width, over = off > zero ? off * law->inv_passive : zero;
  const viper_real length = x * x < one ? one - x * x : zero;
  const viper_real drive = k * (along - a) - half * cube * rest->k_section * (sm - scale);
  const viper_real passive = law->strength * (over * over);
  const viper_real stiff = k + VIPER_R(0.25) * (cube * cube) * rest->k_section +
                           (law->strength + law->strength) * (over * law->inv_passive);
  const viper_real rate =
      viper_hill_rate(law, drive - passive, h * stiff + law->damping, law->strength * (e * length));
  const viper_real next = a + h * rate;
  viper_contraction out;
  out.stretch = next > VIPER_LEAST_HILL ? next : VIPER_LEAST_HILL;
  out.scale = one / VIPER_SCALAR_SQRT(out.stretch);
  return out;
}

#endif
