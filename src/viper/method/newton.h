// SPDX-License-Identifier: GPL-3.0-or-later
/// The method `block-descent`: one Newton step of Phi over the unknowns of one node (4), or of one
/// frame (3), with all others fixed. Point-wise phase functions: a backend adds the contributions
/// to the node or frame and then moves it. Before nodes move, each joint stores its rotation, and
/// after that its contribution to its frames: each joint is evaluated once for the three elements
/// that need it.
///
/// Gradients are exact: they determine the limit of the sweeps. Blocks only determine step lengths.
#ifndef VIPER_METHOD_NEWTON_H
#define VIPER_METHOD_NEWTON_H

#include "viper/energy/inertia.h"
#include "viper/energy/terms.h"

/// Gradient and Gauss-Newton block of Phi over at most four unknowns: center and scale of a node,
/// or the rotation of a frame in body axes. Only the lower triangle of `h` is used, and of a frame
/// its diagonal.
typedef struct viper_newton {
  viper_real g[4];
  viper_real h[4][4];
} viper_newton;

/// The inertial part over a node's unknowns; `inv_h2` is 1 / h^2.
VIPER_FN viper_newton viper_newton_node(viper_node_inertia a, viper_node_x x, viper_node_x hat,
                                        viper_real inv_h2) {
  viper_newton n;
  viper_real zero = VIPER_R(0);
  a.mass *= inv_h2;
  a.scale *= inv_h2;
  viper_real inertia[4] = {a.mass, a.mass, a.mass, a.scale};
  viper_node_inertial_gradient(a, x, hat, n.g);
  VIPER_UNROLL for (int i = 0; i < 4; i++) VIPER_UNROLL for (int k = 0; k < 4; k++) n.h[i][k] =
      i == k ? inertia[i] : zero;
  return n;
}

/// Gradient and block (lower triangle) of a frame in the place of those of four unknowns.
VIPER_FN viper_newton viper_newton_frame_of(const viper_real g[3], viper_real h[3][3]) {
  viper_newton n;
  viper_real zero = VIPER_R(0);
  VIPER_UNROLL for (int i = 0; i < 4; i++) {
    n.g[i] = i < 3 ? g[i < 3 ? i : 0] : zero;
    VIPER_UNROLL for (int k = 0; k < 4; k++) n.h[i][k] =
        k <= i && i < 3 ? h[i < 3 ? i : 0][k < 3 ? k : 0] : zero;
  }
  return n;
}

/// The inertial part over a frame's unknowns; `a` is its inertia about u and v.
VIPER_FN viper_newton viper_newton_frame(viper_real a, viper_quat q, viper_quat hat,
                                         viper_real inv_h2) {
  viper_real g[3], h[3][3];
  viper_frame_inertial_block(inv_h2 * a, q, hat, g, h);
  return viper_newton_frame_of(g, h);
}

/// The same where the moments are not a disc's, (1, m.v, m.w) times `a`.
VIPER_FN viper_newton viper_newton_moments(viper_real a, viper_moments m, viper_quat q,
                                           viper_quat hat, viper_real inv_h2) {
  viper_real g[3], h[3][3];
  viper_moments_block(inv_h2 * a, m, q, hat, g, h);
  return viper_newton_frame_of(g, h);
}

/// Products of a segment's rest data in its terms, computed once for all sweeps.
typedef struct viper_segment_spring {
#define PRODUCTS(name, NAME) viper_real name##_l, name##_l2; // K / l, N; K / l^2, N/m
  VIPER_DIRECTION_TERMS(PRODUCTS)
#undef PRODUCTS
  viper_real section, taper; ///< viper_section_spring, viper_taper_spring, J
  viper_real tilt;           ///< K of the direction terms, J
} viper_segment_spring;

VIPER_FN viper_segment_spring viper_segment_spring_of(const viper_segment_rest *rest) {
  viper_segment_spring out;
  out.section = viper_section_spring(rest);
  out.taper = viper_taper_spring(rest);
  out.tilt = VIPER_R(0);
#define MULTIPLY(name, NAME)                                                                       \
  out.name##_l = rest->k_##name * rest->inv_l;                                                     \
  out.name##_l2 = out.name##_l * rest->inv_l;                                                      \
  out.tilt += rest->k_##name;
  VIPER_DIRECTION_TERMS(MULTIPLY)
#undef MULTIPLY
  return out;
}

/// The sums of a segment's direction terms at the mean scale `sm`; without `volume` the term of
/// that name has no K.
VIPER_FN viper_direction_sums viper_segment_direction(const viper_segment_spring *spring,
                                                      viper_real sm, viper_contraction active,
                                                      bool volume) {
  viper_real zero = VIPER_R(0);
  viper_direction_sums sums = {zero, zero, zero, zero, zero};
#define ADD(name, NAME)                                                                            \
  if (VIPER_TERM_##NAME != VIPER_TERM_VOLUME || volume)                                            \
    viper_direction_add(&sums, viper_##name##_weight(sm), spring->name##_l, spring->name##_l2,     \
                        viper_##name##_rest(active));
  VIPER_DIRECTION_TERMS(ADD)
#undef ADD
  return sums;
}

/// Adds a segment's terms over the unknowns of its node 0 or 1, which is `x`; `w` is the axis of
/// its frame, `volume` as of viper_segment_direction.
VIPER_FN void viper_newton_segment_node(viper_newton *n, const viper_segment_spring *spring,
                                        viper_node_x x, viper_node_x other, viper_vec3 w,
                                        viper_contraction active, bool volume, int side) {
  viper_real scales = x.s + other.s;
  viper_direction_sums sums =
      viper_segment_direction(spring, VIPER_R(0.5) * scales, active, volume);
  viper_vec3 out = viper_sub(x.c, other.c); // d of node 1, -d of node 0
  viper_real d2 = viper_dot(out, out), along = viper_dot(out, w);
  viper_real frame = side == 0 ? -sums.frame : sums.frame;
  viper_real scale = side == 0 ? -sums.scale : sums.scale;
  viper_real o[3] = {out.x, out.y, out.z}, axis[3] = {w.x, w.y, w.z};
  VIPER_UNROLL for (int i = 0; i < 3; i++) {
    n->g[i] = (n->g[i] + sums.center * o[i]) - frame * axis[i];
    n->h[i][i] += sums.center;
    if (volume)
      n->h[3][i] += sums.cross * o[i];
  }
  viper_real springs = spring->section + spring->taper;
  if (volume)
    n->g[3] = (n->g[3] + sums.cross * d2) - scale * along;
  n->g[3] +=
      spring->section * (scales - VIPER_R(2) * active.scale) + spring->taper * (x.s - other.s);
  n->h[3][3] += volume ? sums.square * d2 + springs : springs;
}

/// Adds a segment's terms over the rotation of its frame: their torque is frame d x w. Twist about
/// w changes none of them. Both tilts have the sum of K or, if larger, the geometric stiffness of
/// tension (energy/second.h), with d.w in place of the factor 1 of K. If the segment rests at
/// another stretch a, the factor is max(1, a^2): blocks may be too large.
VIPER_FN void viper_newton_segment_frame(viper_newton *n, const viper_segment_spring *spring,
                                         const viper_segment_state *x, bool volume) {
  viper_vec3 d = viper_quat_unrotate(x->q, viper_sub(x->c_b, x->c_a));
  viper_real frame = viper_segment_direction(spring, viper_segment_sm(x), x->active, volume).frame;
  viper_real along = frame * d.z;
  n->g[0] += frame * d.y;
  n->g[1] -= frame * d.x;
  viper_real a2 = x->active.stretch * x->active.stretch;
  viper_real tilt = spring->tilt * VIPER_SELECT(a2 > VIPER_R(1), a2, VIPER_R(1));
  tilt = VIPER_SELECT(along > tilt, along, tilt);
  n->h[0][0] += tilt;
  n->h[1][1] += tilt;
}

/// Products of a joint's rest data in its terms. Turn terms are written in D and `rest`: W = (2/lm)
/// (p(s) (Im D + rest Re D) - rest Re D).
typedef struct viper_joint_spring {
  viper_vec3 rest;                           ///< lm/2 Omega_rest
#define PRODUCT(name, NAME) viper_real name; // 2 K / lm^2, J
  VIPER_TURN_TERMS(PRODUCT)
#undef PRODUCT
  viper_real slope_j, slope_k; ///< of the Laplacian over the outer scales, 1/m^2
  viper_real surface[3];       ///< K times its derivative over each scale, J m^2
  viper_real surface_block[3]; ///< the same times that derivative, J
} viper_joint_spring;

VIPER_FN viper_joint_spring viper_joint_spring_of(const viper_joint_rest *rest) {
  viper_joint_spring out;
  viper_real lap[VIPER_SURFACE_BEND_ROWS], d[VIPER_SURFACE_BEND_ROWS][VIPER_SURFACE_BEND_COLUMNS];
  viper_real zero = VIPER_R(0), two = (rest->inv_lm + rest->inv_lm) * rest->inv_lm;
  viper_quat none = viper_quat_make(zero, zero, zero, zero);
  viper_joint_state flat = {zero, zero, zero, none, none, viper_isotropic(), false, viper_apart()};
  out.rest = viper_scale(VIPER_R(0.5) * VIPER_RECIPROCAL(rest->inv_lm), rest->omega_rest);
#define MULTIPLY(name, NAME) out.name = two * rest->k_##name;
  VIPER_TURN_TERMS(MULTIPLY)
#undef MULTIPLY
  viper_surface_bend(rest, &flat, lap, d);
  out.slope_j = d[0][0];
  out.slope_k = d[0][2];
  VIPER_UNROLL for (int role = 0; role < 3; role++) {
    out.surface[role] = rest->k_surface_bend * d[0][role];
    out.surface_block[role] = out.surface[role] * d[0][role];
  }
  return out;
}

/// Adds surface_bend over the scale of a joint's node before (0), at (1) or after it (2).
VIPER_FN void viper_newton_joint_scale(viper_newton *n, const viper_joint_spring *spring,
                                       viper_real before, viper_real at, viper_real after,
                                       int role) {
  viper_real lap = spring->slope_k * (after - at) - spring->slope_j * (at - before);
  n->g[3] += spring->surface[role] * lap;
  n->h[3][3] += spring->surface_block[role];
}

/// The contribution of the turn terms of a joint to the scale `s` of its node; without `bends` the
/// term bend has no K.
VIPER_FN viper_pull viper_joint_pull(const viper_joint_spring *spring, const viper_turn *turn,
                                     viper_real s, bool bends) {
  viper_vec3 rest = viper_scale(turn->d.w, spring->rest);
  viper_vec3 slope = viper_add(rest, viper_quat_im(turn->d));
  viper_pull sums = {VIPER_R(0), VIPER_R(0)};
#define ADD(name, NAME)                                                                            \
  if (VIPER_TERM_##NAME != VIPER_TERM_BEND || bends)                                               \
    viper_pull_add(&sums, viper_##name##_power(s), VIPER_##NAME##_FIRST, VIPER_##NAME##_ROWS,      \
                   spring->name, slope, rest);
  VIPER_TURN_TERMS(ADD)
#undef ADD
  sums.g += sums.g;
  sums.h += sums.h;
  return sums;
}

/// Their contribution to the frames at a fixed scale. Twice their gradient over D is (force . Im D,
/// stiffness Im D + force Re D) plus a multiple of D, which has no effect on turns of a frame. It
/// is chosen so that stiffness is the sum of K p^2 minus `rest`, the sum of K (p - 1)^2 |lm/2
/// Omega_rest|^2.
typedef struct viper_hold {
  viper_real bend, twist; ///< stiffness in u and v, and in w, J
  viper_real rest;        ///< J
  viper_vec3 force;       ///< J
} viper_hold;

VIPER_FN viper_hold viper_joint_hold(const viper_joint_spring *spring, viper_real s, bool bends) {
  viper_real zero = VIPER_R(0);
  viper_stiffness sums = {zero, zero, zero, zero, zero, zero};
  viper_vec3 r = spring->rest;
  viper_hold out;
#define ADD(name, NAME)                                                                            \
  if (VIPER_TERM_##NAME != VIPER_TERM_BEND || bends)                                               \
    viper_stiffness_add(&sums, viper_##name##_power(s).p, VIPER_##NAME##_FIRST, spring->name);
  VIPER_TURN_TERMS(ADD)
#undef ADD
  out.rest = sums.bend_rest * (r.x * r.x + r.y * r.y) + sums.twist_rest * (r.z * r.z);
  out.bend = sums.bend - out.rest;
  out.twist = sums.twist - out.rest;
  out.force = viper_vec3_make(sums.bend_pull * r.x, sums.bend_pull * r.y, sums.twist_pull * r.z);
  return out;
}

/// Adds the gradient of a joint's turn terms over the rotation of its frame 0 or 1.
VIPER_FN void viper_newton_turn_gradient(viper_newton *n, const viper_joint_rest *rest,
                                         const viper_turn *turn, const viper_hold *hold, int side) {
  viper_quat d = turn->d;
  viper_quat f = viper_quat_make(
      viper_dot(hold->force, viper_quat_im(d)), hold->force.x * d.w + hold->bend * d.x,
      hold->force.y * d.w + hold->bend * d.y, hold->force.z * d.w + hold->twist * d.z);
  viper_vec3 g = viper_turn_gradient(rest, turn, viper_turn_linear(rest, f), side);
  n->g[0] += g.x;
  n->g[1] += g.y;
  n->g[2] += g.z;
}

/// Adds a diagonal that bounds their block. With the rows d_r of (2/lm) d Im D and e of d Re D, the
/// rows of dW are p d_r + (p - 1) Omega_rest e; d_r and lm/2 e add up to 1/lm^2 times the unit
/// matrix, sum d_r d_r^T + (2/lm)^2 e e^T. So K sum |dW|^2 is at most K (p^2/lm^2 + (p - 1)^2
/// |Omega_rest|^2/4), and with both stiffnesses h_u and h_w, twice the diagonal of (h_u +
/// rest)/lm^2 + (h_w - h_u) d_w d_w^T exceeds the block: this needs fewer products, and no step is
/// longer. If twist is stiffer than bending, d_w d_w^T is bounded by the sums of its rows'
/// magnitudes.
VIPER_FN void viper_newton_turn_block(viper_newton *n, const viper_joint_rest *rest,
                                      const viper_turn *turn, const viper_hold *hold, int side) {
  viper_real zero = VIPER_R(0), half = VIPER_R(0.5);
  viper_quat y = viper_turn_linear_row(rest, zero, 2, VIPER_R(1));
  viper_vec3 w = viper_turn_gradient(rest, turn, y, side);
  viper_real all = half * (hold->bend + (hold->rest + hold->rest));
  viper_real d[3] = {viper_signed(w.x, w.x), viper_signed(w.y, w.y), viper_signed(w.z, w.z)};
  viper_real more = half * (hold->twist - hold->bend), sum = (d[0] + d[1]) + d[2];
  VIPER_UNROLL for (int i = 0; i < 3; i++) {
    viper_real bound = VIPER_SELECT(more > zero, sum, d[i]);
    n->h[i][i] += all + more * (d[i] * bound);
  }
}

/// Adds the part of an element's gradient and block (lower triangle, `size` unknowns) from unknown
/// `first` on to those of a frame. The block is bounded by a diagonal, the sums of its rows'
/// magnitudes.
VIPER_FN void viper_newton_bound_frame(viper_newton *n, int size, const viper_real *g,
                                       const viper_real *h, int first) {
  VIPER_UNROLL for (int i = 0; i < 3; i++) {
    n->g[i] += g[first + i];
    VIPER_UNROLL for (int k = 0; k < 3; k++) {
      int row = first + (k < i ? i : k), column = first + (k < i ? k : i);
      n->h[i][i] += viper_signed(h[row * size + column], h[row * size + column]);
    }
  }
}

/// Adds a segment's other terms over the unknowns of its node 0 or 1, or of its frame (`part` 2).
/// The trace bounds the block of a center; doubling both parts bounds their coupling with the
/// scale.
VIPER_FN void viper_newton_other_segment(viper_newton *n, const viper_segment_rest *rest,
                                         const viper_segment_state *x, int part) {
  enum { N = VIPER_SEGMENT_UNKNOWNS };
  viper_real g[N], h[N][N];
  viper_clear(N, g, &h[0][0]);
#define ADD(name, NAME) viper_##name##_add_block(rest, x, g, h);
  VIPER_OTHER_SEGMENT_TERMS(ADD)
#undef ADD
  (void)rest;
  (void)x;
  if (part == 2) {
    viper_newton_bound_frame(n, N, g, &h[0][0], 8);
    return;
  }
  int at = 4 * part;
  viper_real trace = h[at][at] + h[at + 1][at + 1] + h[at + 2][at + 2], s = h[at + 3][at + 3];
  VIPER_UNROLL for (int i = 0; i < 4; i++) {
    n->g[i] += g[at + i];
    n->h[i][i] += i < 3 ? trace + trace : s + s;
  }
}

/// The stretch q of a segment along its frame's axis (viper_solid_measure), from p = dc.w, m =
/// |dc|^2 and |dc x w|^2.
typedef struct viper_newton_stretch {
  viper_real q, q_p;  ///< q and dq/dp
  viper_real q_dc;    ///< 2 dq/dm
  viper_real c;       ///< of viper_solid_measure
  viper_real axial;   ///< W of axial
  viper_real section; ///< sm^2 q - 1, W of dilation
} viper_newton_stretch;

VIPER_FN viper_newton_stretch viper_newton_stretch_of(const viper_solid_rest *rest, viper_real p,
                                                      viper_real m, viper_real across,
                                                      viper_real sm2, viper_contraction active) {
  viper_newton_stretch out;
  viper_real c = viper_solid_slant(rest, active), cm = c * m;
  out.c = c;
  out.q = p + cm * across;
  out.q_p = VIPER_R(1) - (cm + cm) * p;
  out.q_dc = (c + c) * (m + across);
  out.axial = out.q - active.stretch;
  out.section = sm2 * out.q - VIPER_R(1);
  return out;
}

/// The terms of the material model solid of a segment over the unknowns of its node 0 or 1, which
/// is `x`: gradient and block, which is full (viper_newton_solve_full_node). `w` is the axis of its
/// frame.
VIPER_FN void viper_newton_solid_node(viper_newton *n, const viper_solid_rest *rest, viper_node_x x,
                                      viper_node_x other, viper_vec3 w, viper_contraction active,
                                      int side) {
  viper_vec3 out = viper_scale(rest->inv_l, viper_sub(x.c, other.c)); // dc of node 1, -dc of node 0
  viper_vec3 across = viper_cross(out, w);
  viper_real along = viper_dot(out, w), sm = VIPER_R(0.5) * (x.s + other.s), sm2 = sm * sm;
  viper_newton_stretch q =
      viper_newton_stretch_of(rest, side == 0 ? -along : along, viper_dot(out, out),
                              viper_dot(across, across), sm2, active);
  viper_real k_section = rest->k_dilation * sm2, slope = sm * q.q,
             k_slope = rest->k_dilation * slope;
  viper_real force = rest->k_axial * q.axial + k_section * q.section;
  viper_real k = rest->k_axial + k_section * sm2, shared = k_slope * sm2;
  viper_real of_w = rest->inv_l * q.q_p, of_dc = rest->inv_l * q.q_dc;
  of_w = side == 0 ? -of_w : of_w;
  viper_real d[3] = {of_dc * out.x + of_w * w.x, of_dc * out.y + of_w * w.y,
                     of_dc * out.z + of_w * w.z};
  VIPER_UNROLL for (int i = 0; i < 3; i++) {
    viper_real kd = k * d[i];
    n->g[i] += force * d[i];
    n->h[3][i] += shared * d[i];
    VIPER_UNROLL for (int j = 0; j <= i; j++) n->h[i][j] += kd * d[j];
  }
  n->g[3] += k_slope * q.section;
  n->h[3][3] += k_slope * slope;
}

/// The same over the rotation of its frame: their gradient, and a diagonal that bounds their
/// Gauss-Newton block plus the positive part of the geometric stiffness.
VIPER_FN void viper_newton_solid_frame(viper_newton *n, const viper_solid_rest *rest,
                                       const viper_segment_state *x) {
  const viper_vec3 d = viper_quat_unrotate(x->q, viper_sub(x->c_b, x->c_a));
  const viper_vec3 dc = viper_scale(rest->inv_l, d);
  const viper_real sm = viper_segment_sm(x), sm2 = sm * sm, zero = VIPER_R(0);
  const viper_real across = dc.x * dc.x + dc.y * dc.y, k_section = rest->k_dilation * sm2;
  const viper_newton_stretch q =
      viper_newton_stretch_of(rest, dc.z, across + dc.z * dc.z, across, sm2, x->active);
  viper_real force = rest->k_axial * q.axial + k_section * q.section;
  viper_real k = rest->k_axial + k_section * sm2, tilt[2] = {-q.q_p * dc.y, q.q_p * dc.x};
  viper_real sum = viper_signed(tilt[0], tilt[0]) + viper_signed(tilt[1], tilt[1]);
  viper_real pressed = -(force * (q.q_p * dc.z));
  pressed = VIPER_SELECT(pressed > zero, pressed, zero);
  VIPER_UNROLL for (int i = 0; i < 2; i++) {
    n->g[i] += force * tilt[i];
    n->h[i][i] += k * (viper_signed(tilt[i], tilt[i]) * sum) + pressed;
  }
}

/// Adds a joint's other terms over the scale of its node before, at or after it (`part` 0 to 2), or
/// over the rotation of its frame 0 or 1 (`part` 3, 4).
VIPER_FN void viper_newton_other_joint(viper_newton *n, const viper_joint_rest *rest,
                                       const viper_joint_state *x, int part) {
  enum { N = VIPER_JOINT_UNKNOWNS };
  viper_real g[N], h[N][N];
  viper_clear(N, g, &h[0][0]);
#define ADD(name, NAME) viper_##name##_add_block(rest, x, g, h);
  VIPER_OTHER_JOINT_TERMS(ADD)
#undef ADD
  (void)rest;
  (void)x;
  if (part >= 3) {
    viper_newton_bound_frame(n, N, g, &h[0][0], 3 * part - 6);
    return;
  }
  n->g[3] += g[part];
  n->h[3][3] += h[part][part];
}

/// Adds the anisotropic rest of a joint with bending factors, beyond the stiffness common to both
/// rows of its bending terms (viper_isotropic_part), over the scale of its node (`part` 1) or the
/// rotation of its frame 0 or 1 (`part` 3, 4).
VIPER_FN void viper_newton_anisotropic_joint(viper_newton *n, const viper_joint_rest *rest,
                                             const viper_joint_state *x, int part) {
  enum { N = VIPER_JOINT_UNKNOWNS };
  viper_real g[N], h[N][N];
  viper_joint_state more = *x;
  const viper_bending same = viper_isotropic_part(x->bending);
  VIPER_UNROLL for (int row = 0; row < 2; row++) {
    more.bending.bend[row] -= same.bend[row];
    more.bending.volume_bend[row] -= same.volume_bend[row];
  }
  viper_clear(N, g, &h[0][0]);
  viper_bend_add_block(rest, &more, g, h);
  viper_volume_bend_add_block(rest, &more, g, h);
  if (part >= 3) {
    viper_newton_bound_frame(n, N, g, &h[0][0], 3 * part - 6);
    return;
  }
  n->g[3] += g[part];
  n->h[3][3] += h[part][part];
}

/// The spring of a joint, of fused rods without twist: viper_newton_fused_joint adds that.
VIPER_FN viper_joint_spring viper_joint_spring_apart(viper_joint_spring spring, viper_fused fused) {
  spring.twist = VIPER_SELECT(fused.part > VIPER_R(0), VIPER_R(0), spring.twist);
  return spring;
}

/// Adds twist of a joint of fused rods over the scale of its node (`part` 1) or the rotation of its
/// frame 0 or 1 (`part` 3, 4), whose block is bounded by a diagonal. W grows no faster than the
/// square of the turn, so its second derivative adds at most half of the block, which a step may
/// exceed by as much again.
VIPER_FN void viper_newton_fused_joint(viper_newton *n, const viper_joint_rest *rest,
                                       const viper_joint_state *x, int part) {
  viper_real w[VIPER_TWIST_ROWS], dw[VIPER_TWIST_ROWS][VIPER_TWIST_COLUMNS], d[3],
      zero = VIPER_R(0);
  const viper_real k = VIPER_SELECT(x->fused.part > zero, rest->k_twist, zero);
  viper_twist_fused(rest, x, w, dw);
  if (part < 3) {
    n->g[3] += k * dw[0][0] * w[0];
    n->h[3][3] += k * dw[0][0] * dw[0][0];
    return;
  }
  VIPER_UNROLL for (int i = 0; i < 3; i++) d[i] = part == 3 ? dw[0][1 + i] : dw[0][4 + i];
  viper_real sum = viper_signed(d[0], d[0]) + viper_signed(d[1], d[1]) + viper_signed(d[2], d[2]);
  VIPER_UNROLL for (int i = 0; i < 3; i++) {
    n->g[i] += k * d[i] * w[0];
    n->h[i][i] += k * (viper_signed(d[i], d[i]) * sum);
  }
}

/// Removes the pinned unknowns of a node: `free` is 1 or 0 for each.
VIPER_FN void viper_newton_pin(viper_newton *n, const viper_real free[4]) {
  VIPER_UNROLL for (int i = 0; i < 4; i++) {
    n->g[i] *= free[i];
    VIPER_UNROLL for (int k = 0; k < i; k++) n->h[i][k] *= free[i] * free[k];
  }
}

/// Solves h d = -g for a node. Its block is an arrow matrix: a times the unit matrix for the
/// center, the coupling b with the scale, and c for the scale.
VIPER_FN void viper_newton_solve_node(const viper_newton *n, viper_real d[4]) {
  viper_vec3 b = viper_vec3_make(n->h[3][0], n->h[3][1], n->h[3][2]);
  viper_vec3 g = viper_vec3_make(n->g[0], n->g[1], n->g[2]);
  viper_real a = n->h[0][0], inverse = VIPER_RECIPROCAL(a);
  viper_real ds =
      (viper_dot(b, g) - a * n->g[3]) * VIPER_RECIPROCAL(a * n->h[3][3] - viper_dot(b, b));
  d[0] = -inverse * (g.x + b.x * ds);
  d[1] = -inverse * (g.y + b.y * ds);
  d[2] = -inverse * (g.z + b.z * ds);
  d[3] = ds;
}

/// The same for a node with segments of the material model solid, whose block is full and positive
/// definite: by elimination, lower triangle.
VIPER_FN void viper_newton_solve_full_node(const viper_newton *n, viper_real d[4]) {
  viper_real a[4][4], inverse[4];
  VIPER_UNROLL for (int i = 0; i < 4; i++) {
    d[i] = -n->g[i];
    VIPER_UNROLL for (int k = 0; k <= i; k++) a[i][k] = n->h[i][k];
  }
  VIPER_UNROLL for (int k = 0; k < 4; k++) {
    inverse[k] = VIPER_RECIPROCAL(a[k][k]);
    VIPER_UNROLL for (int i = k + 1; i < 4; i++) {
      viper_real factor = a[i][k] * inverse[k];
      VIPER_UNROLL for (int j = k + 1; j <= i; j++) a[i][j] -= factor * a[j][k];
      d[i] -= factor * d[k];
    }
  }
  VIPER_UNROLL for (int k = 3; k >= 0; k--) {
    VIPER_UNROLL for (int i = k + 1; i < 4; i++) d[k] -= a[i][k] * d[i];
    d[k] *= inverse[k];
  }
}

/// The factors from the gradient of a frame to its move: minus half the inverse of its block's
/// diagonal, because moves are half of the rotation. The coupling of rotations is left out. Descent
/// requires that twice the diagonal minus the block is positive definite; this holds for joints
/// with any bending, and for the inertia of any moments up to a right angle from the prediction.
typedef struct viper_inverse {
  viper_real x, y, z;
} viper_inverse;

VIPER_FN viper_inverse viper_newton_invert(const viper_newton *n) {
  viper_real half = VIPER_R(-0.5);
  viper_inverse out = {half * VIPER_RECIPROCAL(n->h[0][0]), half * VIPER_RECIPROCAL(n->h[1][1]),
                       half * VIPER_RECIPROCAL(n->h[2][2])};
  return out;
}

/// Half the step from the gradient over three unknowns.
VIPER_FN viper_vec3 viper_newton_apply(const viper_inverse *i, viper_vec3 g) {
  return viper_vec3_make(i->x * g.x, i->y * g.y, i->z * g.z);
}

#endif
