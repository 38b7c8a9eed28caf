// SPDX-License-Identifier: GPL-3.0-or-later
/// Objective, gradient and block of single elements, for the method `direct`: the Gauss-Newton
/// block, or the Hessian if the access has `second` set. Point-wise; included by sources that have
/// defined element access (access.h). Blocks are packed: lower triangles row by row.
#ifndef VIPER_METHOD_LINEARIZE_H
#define VIPER_METHOD_LINEARIZE_H

#include "viper/energy/second.h"
#include "viper/method/elements.h"
#include "viper/method/frame_chart.h"
#include "viper/method/moments.h"
#include "viper/method/statics.h"

/// Packs the lower triangle of the matrix `h` over `n` unknowns row by row: entry (i, j), i >= j,
/// becomes number i (i + 1) / 2 + j. An element has VIPER_SEGMENT_PACKED or VIPER_JOINT_PACKED of
/// these (viper/energy/element.h).
VIPER_FN void viper_pack(int n, const viper_real *h, viper_real *packed) {
  VIPER_UNROLL for (int i = 0; i < n; i++) VIPER_UNROLL for (int j = 0; j <= i; j++)
      packed[i * (i + 1) / 2 + j] = h[i * n + j];
}

/// Restricts the gradient and packed block of an element to the free components of its frame `at`,
/// whose unknowns begin at `first`; `free` is 1 for each of them, else 0. None is free while frames
/// are held.
VIPER_FN void viper_free_frame(const viper_access *w, viper_at at, int n, int first,
                               viper_real *free, viper_real *g, viper_real *packed) {
  free[first] = free[first + 1] = free[first + 2] =
      viper_holds_frames(w) ? VIPER_R(0) : viper_get_frame_free(w, at);
  if (!viper_has_held_frames(w))
    return;
  viper_held held = viper_get_held(w, at);
  viper_chart chart = viper_chart_of(&held, viper_get_frame(w, at));
  viper_chart_block(n, first, &chart, g, packed);
  VIPER_UNROLL for (int k = 0; k < 3; k++) free[first + k] *= chart.free[k];
}

/// Projects the gradient `g` over a frame to its free directions.
VIPER_FN void viper_project_frame(const viper_access *w, viper_at at, viper_real g[3]) {
  if (!viper_has_held_frames(w))
    return;
  viper_held held = viper_get_held(w, at);
  viper_vec3 free =
      viper_held_project(&held, viper_get_frame(w, at), viper_vec3_make(g[0], g[1], g[2]));
  g[0] = free.x;
  g[1] = free.y;
  g[2] = free.z;
}

/// Removes pinned unknowns (free 0) from gradient and block.
VIPER_FN void viper_leave_out(int n, const viper_real *free, viper_real *g, viper_real *packed) {
  VIPER_UNROLL_LARGE for (int i = 0; i < n; i++) {
    g[i] *= free[i];
    VIPER_UNROLL_LARGE for (int j = 0; j <= i; j++) packed[i * (i + 1) / 2 + j] *=
        free[i] * free[j];
  }
}

/// Gradient and packed block of a segment of a body with some of the material model solid.
VIPER_OUT_OF_LINE void viper_linearize_solid(const viper_access *w, viper_at at, bool uniform,
                                             viper_real g[VIPER_SEGMENT_UNKNOWNS],
                                             viper_real packed[VIPER_SEGMENT_PACKED]) {
  enum { N = VIPER_SEGMENT_UNKNOWNS };
  viper_real h[N][N];
  viper_segment_rest rest = viper_get_segment_rest(w, at, uniform);
  viper_solid_rest solid = viper_get_solid(w, at, uniform);
  viper_segment_state x = viper_get_segment(w, at);
  // In a body of solid segments only, volume has no K, and its block is the largest.
  const bool volume = viper_solid_of(w) != VIPER_ALL_SOLID;
  viper_clear(N, g, &h[0][0]);
#define ADD(name, NAME)                                                                            \
  if (VIPER_TERM_##NAME != VIPER_TERM_VOLUME || volume)                                            \
    viper_##name##_add_block(&rest, &x, g, h);
  VIPER_SEGMENT_TERMS(ADD)
#undef ADD
#define ADD(name, NAME, SHOWN) viper_##name##_add_block(&solid, &x, g, h);
  VIPER_SOLID_TERMS(ADD)
#undef ADD
  if (w->second) {
    viper_segment_add_part(&rest, &x, w->part, volume, h);
    viper_solid_add_part(&solid, &x, w->part, h);
  }
  viper_pack(N, &h[0][0], packed);
}

/// The same for a segment of any other body.
VIPER_FN void viper_linearize_published(const viper_access *w, viper_at at, bool uniform,
                                        viper_real g[VIPER_SEGMENT_UNKNOWNS],
                                        viper_real packed[VIPER_SEGMENT_PACKED]) {
  enum { N = VIPER_SEGMENT_UNKNOWNS };
  viper_real h[N][N];
  viper_segment_rest rest = viper_get_segment_rest(w, at, uniform);
  viper_segment_state x = viper_get_segment(w, at);
  viper_clear(N, g, &h[0][0]);
#define ADD(name, NAME) viper_##name##_add_block(&rest, &x, g, h);
  VIPER_SEGMENT_TERMS(ADD)
#undef ADD
  if (w->second)
    viper_segment_add_part(&rest, &x, w->part, true, h);
  viper_pack(N, &h[0][0], packed);
}

VIPER_FN void viper_linearize_segment(const viper_access *w, viper_at at, bool uniform,
                                      viper_real g[VIPER_SEGMENT_UNKNOWNS],
                                      viper_real packed[VIPER_SEGMENT_PACKED]) {
  enum { N = VIPER_SEGMENT_UNKNOWNS };
  viper_real free[N];
  if (viper_solid_of(w) != VIPER_NONE_SOLID)
    viper_linearize_solid(w, at, uniform, g, packed);
  else
    viper_linearize_published(w, at, uniform, g, packed);
  if (!viper_segment_pinned(w, at) && !viper_holds_frames(w))
    return;
  viper_get_free(w, viper_segment_node(w, at, 0), free);
  viper_get_free(w, viper_segment_node(w, at, 1), free + 4);
  viper_free_frame(w, at, N, 8, free, g, packed);
  viper_leave_out(N, free, g, packed);
}

// Whether bend, which has no K, is left out. A device would have the code of both in each kernel;
// the zeros that it adds change no bit.
#ifdef __CUDACC__
#define VIPER_WITHOUT_BEND(w) false
#else
#define VIPER_WITHOUT_BEND(w) (!viper_bends(w))
#endif

/// Gradient and packed block of a joint in the state `x`; without `bends` it has no term bend.
VIPER_FN void viper_linearize_turn(const viper_access *w, const viper_joint_rest *rest,
                                   const viper_joint_state *x, bool bends,
                                   viper_real g[VIPER_JOINT_UNKNOWNS],
                                   viper_real packed[VIPER_JOINT_PACKED]) {
  enum { N = VIPER_JOINT_UNKNOWNS };
  viper_real h[N][N];
  viper_clear(N, g, &h[0][0]);
#define ADD(name, NAME)                                                                            \
  if (VIPER_TERM_##NAME != VIPER_TERM_BEND || bends)                                               \
    viper_##name##_add_block(rest, x, g, h);
  VIPER_JOINT_TERMS(ADD)
#undef ADD
  if (w->second)
    viper_joint_add_part(rest, x, w->part, bends, h);
  viper_pack(N, &h[0][0], packed);
}

/// The same in a scene with fused rods.
VIPER_OUT_OF_LINE void viper_linearize_fused(const viper_access *w, viper_at at, bool uniform,
                                             viper_real g[VIPER_JOINT_UNKNOWNS],
                                             viper_real packed[VIPER_JOINT_PACKED]) {
  viper_joint_rest rest = viper_get_joint_rest(w, at, uniform);
  viper_joint_state x = viper_get_fused_joint(w, at);
  viper_linearize_turn(w, &rest, &x, true, g, packed);
}

/// The same in a body without the term bend.
VIPER_OUT_OF_LINE void viper_linearize_without_bend(const viper_access *w, viper_at at,
                                                    bool uniform,
                                                    viper_real g[VIPER_JOINT_UNKNOWNS],
                                                    viper_real packed[VIPER_JOINT_PACKED]) {
  viper_joint_rest rest = viper_get_joint_rest(w, at, uniform);
  viper_joint_state x = viper_get_joint(w, at);
  viper_linearize_turn(w, &rest, &x, false, g, packed);
}

VIPER_FN void viper_linearize_apart(const viper_access *w, viper_at at, bool uniform,
                                    viper_real g[VIPER_JOINT_UNKNOWNS],
                                    viper_real packed[VIPER_JOINT_PACKED]) {
  viper_joint_rest rest = viper_get_joint_rest(w, at, uniform);
  viper_joint_state x = viper_get_joint(w, at);
  viper_linearize_turn(w, &rest, &x, true, g, packed);
}

VIPER_FN void viper_linearize_joint(const viper_access *w, viper_at at, bool uniform,
                                    viper_real g[VIPER_JOINT_UNKNOWNS],
                                    viper_real packed[VIPER_JOINT_PACKED]) {
  enum { N = VIPER_JOINT_UNKNOWNS };
  viper_real free[N], node_free[4];
  if (viper_has_fused(w))
    viper_linearize_fused(w, at, uniform, g, packed);
  else if (VIPER_WITHOUT_BEND(w))
    viper_linearize_without_bend(w, at, uniform, g, packed);
  else
    viper_linearize_apart(w, at, uniform, g, packed);
  if (!viper_joint_pinned(w, at) && !viper_holds_frames(w))
    return;
  for (int k = 0; k < 3; k++) {
    viper_get_free(w, viper_joint_node(w, at, k), node_free);
    free[k] = node_free[3];
  }
  viper_free_frame(w, viper_joint_segment(w, at, 0), N, 3, free, g, packed);
  viper_free_frame(w, viper_joint_segment(w, at, 1), N, 6, free, g, packed);
  viper_leave_out(N, free, g, packed);
}

/// The contribution of a segment to Phi, of a body with some of the material model solid.
VIPER_OUT_OF_LINE viper_real viper_solid_phi(const viper_access *w, viper_at at, bool uniform) {
  viper_real sum = VIPER_R(0), own = sum;
  viper_segment_rest rest = viper_get_segment_rest(w, at, uniform);
  viper_solid_rest solid = viper_get_solid(w, at, uniform);
  viper_segment_state x = viper_get_segment(w, at);
  const bool volume = viper_solid_of(w) != VIPER_ALL_SOLID;
#define ADD(name, NAME)                                                                            \
  if (VIPER_TERM_##NAME != VIPER_TERM_VOLUME || volume)                                            \
    sum += viper_##name##_energy(&rest, &x);
  VIPER_SEGMENT_TERMS(ADD)
#undef ADD
#define ADD(name, NAME, SHOWN) own += viper_##name##_energy(&solid, &x);
  VIPER_SOLID_TERMS(ADD)
#undef ADD
  return sum + own;
}

VIPER_FN viper_real viper_segment_phi(const viper_access *w, viper_at at, bool uniform) {
  if (viper_solid_of(w) != VIPER_NONE_SOLID)
    return viper_solid_phi(w, at, uniform);
  viper_real sum = VIPER_R(0);
  viper_segment_rest rest = viper_get_segment_rest(w, at, uniform);
  viper_segment_state x = viper_get_segment(w, at);
#define ADD(name, NAME) sum += viper_##name##_energy(&rest, &x);
  VIPER_SEGMENT_TERMS(ADD)
#undef ADD
  return sum;
}

VIPER_OUT_OF_LINE viper_real viper_fused_phi(const viper_access *w, viper_at at, bool uniform) {
  viper_real sum = VIPER_R(0);
  viper_joint_rest rest = viper_get_joint_rest(w, at, uniform);
  viper_joint_state x = viper_get_fused_joint(w, at);
#define ADD(name, NAME) sum += viper_##name##_energy(&rest, &x);
  VIPER_JOINT_TERMS(ADD)
#undef ADD
  return sum;
}

VIPER_OUT_OF_LINE viper_real viper_phi_without_bend(const viper_access *w, viper_at at,
                                                    bool uniform) {
  viper_real sum = VIPER_R(0);
  viper_joint_rest rest = viper_get_joint_rest(w, at, uniform);
  viper_joint_state x = viper_get_joint(w, at);
#define ADD(name, NAME)                                                                            \
  if (VIPER_TERM_##NAME != VIPER_TERM_BEND)                                                        \
    sum += viper_##name##_energy(&rest, &x);
  VIPER_JOINT_TERMS(ADD)
#undef ADD
  return sum;
}

VIPER_FN viper_real viper_joint_phi(const viper_access *w, viper_at at, bool uniform) {
  if (viper_has_fused(w))
    return viper_fused_phi(w, at, uniform);
  if (VIPER_WITHOUT_BEND(w))
    return viper_phi_without_bend(w, at, uniform);
  viper_real sum = VIPER_R(0);
  viper_joint_rest rest = viper_get_joint_rest(w, at, uniform);
  viper_joint_state x = viper_get_joint(w, at);
#define ADD(name, NAME) sum += viper_##name##_energy(&rest, &x);
  VIPER_JOINT_TERMS(ADD)
#undef ADD
  return sum;
}

/// h^2 times the inertial part of a node; in statics the energy of its load. Pinned unknowns are
/// left out: they would add a constant that may be large enough to hide changes in its rounding
/// error.
VIPER_FN viper_real viper_node_phi(const viper_access *w, viper_at at, bool uniform) {
  viper_node_x x = viper_get_node(w, at), hat = viper_get_node_hat(w, at);
  if (viper_node_pinned(w, at)) {
    viper_real free[4];
    viper_get_free(w, at, free);
    hat.c.x = VIPER_SELECT(free[0] > 0, hat.c.x, x.c.x);
    hat.c.y = VIPER_SELECT(free[1] > 0, hat.c.y, x.c.y);
    hat.c.z = VIPER_SELECT(free[2] > 0, hat.c.z, x.c.z);
    hat.s = VIPER_SELECT(free[3] > 0, hat.s, x.s);
  }
  if (viper_is_static(w))
    return viper_node_load_energy(x, viper_get_node_old(w, at), viper_get_node_hat(w, at));
  return viper_node_inertial(viper_get_node_inertia(w, at, uniform), x, hat);
}

/// h^2 times the inertial part of a frame. In statics 0: a torque has no energy, but does work.
VIPER_FN viper_real viper_frame_phi(const viper_access *w, viper_at at) {
  if (viper_is_static(w))
    return VIPER_R(0);
  return viper_get_frame_free(w, at) * viper_inertial_of(w, at, viper_get_inertia(w, at),
                                                         viper_get_frame(w, at),
                                                         viper_get_frame_hat(w, at));
}

/// The inertial part of a node's gradient and block; 0 and 1 where pinned. In statics the load's
/// gradient; `inv_h2` is 1.
VIPER_FN void viper_linearize_node(const viper_access *w, viper_at at, viper_real inv_h2,
                                   bool uniform, viper_real g[4], viper_real diagonal[4]) {
  viper_real free[4], one = VIPER_R(1);
  viper_node_inertia a = viper_get_node_inertia(w, at, uniform);
  viper_real inertia[4] = {a.mass, a.mass, a.mass, a.scale};
  viper_node_inertial_gradient(a, viper_get_node(w, at), viper_get_node_hat(w, at), g);
  if (viper_is_static(w)) {
    viper_node_load_gradient(viper_get_node_hat(w, at), g);
    VIPER_UNROLL for (int k = 0; k < 4; k++) inertia[k] = VIPER_R(0);
  }
  viper_get_free(w, at, free);
  VIPER_UNROLL for (int k = 0; k < 4; k++) {
    g[k] *= inv_h2 * free[k];
    diagonal[k] = VIPER_SELECT(free[k] > 0, inv_h2 * inertia[k], one);
  }
}

/// The same for a frame; lower triangle.
VIPER_FN void viper_linearize_frame(const viper_access *w, viper_at at, viper_real inv_h2,
                                    viper_real g[3], viper_real h[3][3]) {
  viper_real free[3], packed[6], one = VIPER_R(1), zero = VIPER_R(0);
  viper_real a = viper_is_static(w) ? zero : inv_h2 * viper_get_inertia(w, at);
  viper_quat q = viper_get_frame(w, at), hat = viper_get_frame_hat(w, at);
  viper_block_of(w, at, a, q, hat, g, h);
  if (viper_is_static(w))
    viper_frame_load_gradient(q, hat, g);
  viper_real second = w->second ? w->part * viper_second_of(w, at, a, q, hat) : zero;
  VIPER_UNROLL for (int i = 0; i < 3; i++) h[i][i] += second;
  viper_pack(3, &h[0][0], packed);
  viper_free_frame(w, at, 3, 0, free, g, packed);
  VIPER_UNROLL for (int i = 0; i < 3; i++) {
    g[i] *= free[i];
    VIPER_UNROLL for (int j = 0; j <= i; j++) h[i][j] =
        VIPER_SELECT(free[i] * free[j] > 0, packed[i * (i + 1) / 2 + j], i == j ? one : zero);
  }
}

#endif
