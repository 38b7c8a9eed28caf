// SPDX-License-Identifier: GPL-3.0-or-later
/// The constraint step of the methods `xpbd` and `jacobi-published`: eq. 28 (corrected) on the
/// terms of a segment or a joint. Point-wise phase functions. `h2a` is h^2 times the inverse
/// inertias of the stencil's unknowns, 0 where pinned.
#ifndef VIPER_METHOD_CONSTRAINT_H
#define VIPER_METHOD_CONSTRAINT_H

#include "viper/energy/terms.h"

VIPER_FN viper_real viper_scale_moved(viper_real s, viper_real ds, viper_scalar least) {
  s = s + ds;
  return VIPER_SELECT(s < VIPER_R(least), VIPER_R(least), s);
}

VIPER_FN void viper_move_segment(viper_segment_state *x, const viper_real d[VIPER_SEGMENT_UNKNOWNS],
                                 viper_scalar least) {
  x->c_a = viper_add(x->c_a, viper_vec3_make(d[0], d[1], d[2]));
  x->s_a = viper_scale_moved(x->s_a, d[3], least);
  x->c_b = viper_add(x->c_b, viper_vec3_make(d[4], d[5], d[6]));
  x->s_b = viper_scale_moved(x->s_b, d[7], least);
}

/// `xpbd`: the terms of a segment, one after the other; `least` is the lower bound of scales.
VIPER_FN void viper_xpbd_segment(const viper_segment_rest *rest, viper_segment_state *x,
                                 const viper_real h2a[VIPER_SEGMENT_UNKNOWNS],
                                 viper_real lambda[VIPER_SEGMENT_ROWS], viper_scalar least) {
  viper_real d[VIPER_SEGMENT_UNKNOWNS];
  int row = 0;
#define SOLVE(name, NAME)                                                                          \
  viper_##name##_multiplier(rest, x, h2a, lambda + row, d);                                        \
  row += VIPER_##NAME##_ROWS;                                                                      \
  viper_move_segment(x, d, least);                                                                 \
  if (VIPER_##NAME##_UNKNOWNS & VIPER_SEGMENT_FRAME)                                               \
    x->q = viper_quat_turn(x->q, viper_vec3_make(d[8], d[9], d[10]));
  VIPER_SEGMENT_TERMS(SOLVE)
#undef SOLVE
}

/// `xpbd`: the same for a segment that may be of the material model solid; `all` if all segments of
/// the body are. axial and dilation use the multipliers of volume: a segment has either volume or
/// these.
VIPER_OUT_OF_LINE void
viper_xpbd_solid_segment(const viper_segment_rest *rest, const viper_solid_rest *solid, bool all,
                         viper_segment_state *x, const viper_real h2a[VIPER_SEGMENT_UNKNOWNS],
                         viper_real lambda[VIPER_SEGMENT_ROWS], viper_scalar least) {
  enum { SHARED = VIPER_SEGMENT_ROWS - VIPER_VOLUME_ROWS };
  viper_real d[VIPER_SEGMENT_UNKNOWNS], own[VIPER_N_SOLID_TERMS], zero = VIPER_R(0);
  viper_real volume[VIPER_VOLUME_ROWS];
  int row = 0;
#define SOLVE(name, NAME, rest, lambda)                                                            \
  viper_##name##_multiplier(rest, x, h2a, lambda, d);                                              \
  viper_move_segment(x, d, least);                                                                 \
  if (VIPER_##NAME##_UNKNOWNS & VIPER_SEGMENT_FRAME)                                               \
    x->q = viper_quat_turn(x->q, viper_vec3_make(d[8], d[9], d[10]));
  SOLVE(stretch, STRETCH, rest, lambda)
  row += VIPER_STRETCH_ROWS;
  SOLVE(section, SECTION, rest, lambda + row)
  row += VIPER_SECTION_ROWS;
  SOLVE(taper, TAPER, rest, lambda + row)
  VIPER_UNROLL for (int k = 0; k < VIPER_VOLUME_ROWS; k++) volume[k] =
      VIPER_SELECT(solid->k_axial > zero, zero, lambda[SHARED + k]);
  if (!all) {
    SOLVE(volume, VOLUME, rest, volume)
  }
  VIPER_UNROLL for (int k = 0; k < VIPER_N_SOLID_TERMS; k++) own[k] =
      VIPER_SELECT(solid->k_axial > zero, lambda[SHARED + k], zero);
  SOLVE(axial, AXIAL, solid, &own[VIPER_TERM_AXIAL])
  SOLVE(dilation, DILATION, solid, &own[VIPER_TERM_DILATION])
#undef SOLVE
  VIPER_UNROLL for (int k = 0; k < VIPER_VOLUME_ROWS; k++) lambda[SHARED + k] =
      k < VIPER_N_SOLID_TERMS
          ? VIPER_SELECT(solid->k_axial > zero, own[k < VIPER_N_SOLID_TERMS ? k : 0], volume[k])
          : volume[k];
}

/// `xpbd`: the terms of a joint, one after the other, without `bends` not bend. Its outer scales
/// are moved only if `outer`; without, they may alias the middle one.
VIPER_FN void viper_xpbd_joint(const viper_joint_rest *rest, viper_joint_state *x,
                               const viper_real h2a[VIPER_JOINT_UNKNOWNS],
                               viper_real lambda[VIPER_JOINT_ROWS], bool bends, bool outer,
                               viper_scalar least) {
  viper_real d[VIPER_JOINT_UNKNOWNS];
  int row = 0;
#define SOLVE(name, NAME)                                                                          \
  if ((!(VIPER_##NAME##_UNKNOWNS & VIPER_JOINT_OUTER) || outer) &&                                 \
      (VIPER_TERM_##NAME != VIPER_TERM_BEND || bends)) {                                           \
    viper_##name##_multiplier(rest, x, h2a, lambda + row, d);                                      \
    x->s = viper_scale_moved(x->s, d[1], least);                                                   \
    if (VIPER_##NAME##_UNKNOWNS & VIPER_JOINT_FRAMES) {                                            \
      x->q_j = viper_quat_turn(x->q_j, viper_vec3_make(d[3], d[4], d[5]));                         \
      x->q_k = viper_quat_turn(x->q_k, viper_vec3_make(d[6], d[7], d[8]));                         \
    }                                                                                              \
    if (VIPER_##NAME##_UNKNOWNS & VIPER_JOINT_OUTER) {                                             \
      x->s_prev = viper_scale_moved(x->s_prev, d[0], least);                                       \
      x->s_next = viper_scale_moved(x->s_next, d[2], least);                                       \
    }                                                                                              \
  }                                                                                                \
  row += VIPER_##NAME##_ROWS;
  VIPER_JOINT_TERMS(SOLVE)
#undef SOLVE
}

/// `jacobi-published`: the sum of the displacements by all terms of a segment, from one state.
VIPER_FN void viper_jacobi_segment(const viper_segment_rest *rest, const viper_segment_state *x,
                                   const viper_real h2a[VIPER_SEGMENT_UNKNOWNS],
                                   viper_real lambda[VIPER_SEGMENT_ROWS],
                                   viper_real sum[VIPER_SEGMENT_UNKNOWNS]) {
  viper_real d[VIPER_SEGMENT_UNKNOWNS];
  int row = 0;
  VIPER_UNROLL for (int k = 0; k < VIPER_SEGMENT_UNKNOWNS; k++) sum[k] = VIPER_R(0);
#define SOLVE(name, NAME)                                                                          \
  viper_##name##_multiplier(rest, x, h2a, lambda + row, d);                                        \
  row += VIPER_##NAME##_ROWS;                                                                      \
  VIPER_UNROLL for (int k = 0; k < VIPER_SEGMENT_UNKNOWNS; k++) sum[k] += d[k];
  VIPER_SEGMENT_TERMS(SOLVE)
#undef SOLVE
}

/// `jacobi-published`: the same for a joint.
VIPER_FN void viper_jacobi_joint(const viper_joint_rest *rest, const viper_joint_state *x,
                                 const viper_real h2a[VIPER_JOINT_UNKNOWNS],
                                 viper_real lambda[VIPER_JOINT_ROWS],
                                 viper_real sum[VIPER_JOINT_UNKNOWNS]) {
  viper_real d[VIPER_JOINT_UNKNOWNS];
  int row = 0;
  VIPER_UNROLL for (int k = 0; k < VIPER_JOINT_UNKNOWNS; k++) sum[k] = VIPER_R(0);
#define SOLVE(name, NAME)                                                                          \
  viper_##name##_multiplier(rest, x, h2a, lambda + row, d);                                        \
  row += VIPER_##NAME##_ROWS;                                                                      \
  VIPER_UNROLL for (int k = 0; k < VIPER_JOINT_UNKNOWNS; k++) sum[k] += d[k];
  VIPER_JOINT_TERMS(SOLVE)
#undef SOLVE
}

#endif
