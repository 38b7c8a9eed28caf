// SPDX-License-Identifier: GPL-3.0-or-later
/// The counts of viper/backend/cost.h, from the very headers that the solver is made of: they are
/// the common subset of C11 and C++17, so they compile with numbers that note what is done to them.
/// Covers: src/viper/backend/cost.*
#include "cuda/counting.hpp"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define VIPER_PRECISION 64
#define double counted
#include "viper/energy/second.h"
#include "viper/method/constraint.h"
#include "viper/method/descent_limit.h"
#include "viper/method/motion.h"
#include "viper/method/newton.h"
#include "viper/method/spin.h"
#undef double

extern "C" {
#include "scene/builder.h"
#include "solver/table.h"
#include "viper/backend/cost.h"
}

#include <check.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>

/// Some number near 1 that is no other.
static counted some() {
  static double last = 1;
  last = last < 1.5 ? last + 0.0137 : 1.0021;
  return unknown(last);
}

static viper_vec3 some_vector() {
  return viper_vec3_make(some(), some(), some());
}

static viper_quat some_turn() {
  return viper_quat_make(some(), some(), some(), some());
}

static viper_node_x some_node() {
  viper_node_x x;
  x.c = some_vector();
  x.s = some();
  return x;
}

static viper_segment_rest some_segment_rest() {
  viper_segment_rest r;
  r.inv_l = some();
  r.k_stretch = some();
  r.k_section = some();
  r.k_taper = some();
  r.k_volume = some();
  return r;
}

static viper_segment_state some_segment() {
  viper_segment_state x;
  x.c_a = some_vector();
  x.c_b = some_vector();
  x.s_a = some();
  x.s_b = some();
  x.q = some_turn();
  x.active = viper_passive();
  return x;
}

/// Whether what is counted is of the material model solid, whose joints have no bend.
static bool is_solid = false;

static viper_joint_rest some_joint_rest(bool outer) {
  viper_joint_rest r;
  r.half = some_turn();
  r.flip_j = r.flip_k = 1;
  r.omega_rest = some_vector();
  r.inv_lm = some();
  r.inv_l_j = some();
  r.inv_l_k = some();
  r.k_bend = is_solid ? counted(0) : some();
  r.k_twist = some();
  r.k_surface_bend = outer ? some() : counted(0);
  r.k_volume_bend = some();
  return r;
}

static viper_joint_state some_joint() {
  viper_joint_state x;
  x.s_prev = some();
  x.s = some();
  x.s_next = some();
  x.q_j = some_turn();
  x.q_k = some_turn();
  x.bending = viper_isotropic();
  x.is_fused = false;
  x.fused = viper_apart();
  return x;
}

/// What is counted: results, gathered.
static std::vector<int> results;

static void use(counted x) {
  results.push_back(x.id);
}
static void use(viper_vec3 v) {
  use(v.x), use(v.y), use(v.z);
}
static void use(viper_quat q) {
  use(q.w), use(q.x), use(q.y), use(q.z);
}
static void use(viper_node_x x) {
  use(x.c), use(x.s);
}
static void use(const counted *list, int n) {
  for (int i = 0; i < n; i++)
    use(list[i]);
}

static void some_list(counted *list, int n) {
  for (int i = 0; i < n; i++)
    list[i] = some();
}

/// h^2 times the inverse inertias of a stencil: equal for the three components of a center, and for
/// two axes of a frame.
static void some_node_h2a(counted h2a[4]) {
  h2a[0] = h2a[1] = h2a[2] = some();
  h2a[3] = some();
}

static void some_frame_h2a(counted h2a[3]) {
  h2a[0] = h2a[1] = some();
  h2a[2] = some();
}

static void count_predict_node() {
  // Gravity alone: it moves centers, and h^2 g is the same for all of them.
  viper_node_x a;
  counted h = some();
  a.c = some_vector();
  a.s = 0;
  use(viper_node_predict(some_node(), some_node(), a, h));
}

static void count_predict_frame() {
  use(viper_frame_predict(some_turn(), some_vector(), some()));
}

static void count_rate_node() {
  counted rate = some();
  viper_node_x x = some_node(), old = some_node();
  use(viper_scale(rate, viper_sub(x.c, old.c)));
  use(rate * (x.s - old.s));
}

static void count_rate_frame() {
  use(viper_scale(some(), viper_turn_since(some_turn(), some_turn())));
}

static void count_frame_inertia() {
  use(viper_frame_inertia(some(), some(), some(), counted(0.05)));
}

static void count_xpbd_segment() {
  counted h2a[VIPER_SEGMENT_UNKNOWNS], lambda[VIPER_SEGMENT_ROWS];
  viper_segment_rest rest = some_segment_rest();
  viper_segment_state x = some_segment();
  some_node_h2a(h2a);
  some_node_h2a(h2a + 4);
  some_frame_h2a(h2a + 8);
  some_list(lambda, VIPER_SEGMENT_ROWS);
  viper_xpbd_segment(&rest, &x, h2a, lambda, counted(0.05));
  use(x.c_a), use(x.c_b), use(x.s_a), use(x.s_b), use(x.q);
  use(lambda, VIPER_SEGMENT_ROWS);
}

static void xpbd_joint(bool outer) {
  counted h2a[VIPER_JOINT_UNKNOWNS], lambda[VIPER_JOINT_ROWS];
  viper_joint_rest rest = some_joint_rest(outer);
  viper_joint_state x = some_joint();
  some_list(h2a, 3);
  some_frame_h2a(h2a + 3);
  some_frame_h2a(h2a + 6);
  some_list(lambda, VIPER_JOINT_ROWS);
  viper_xpbd_joint(&rest, &x, h2a, lambda, !is_solid, outer, counted(0.05));
  use(x.s), use(x.q_j), use(x.q_k);
  if (outer)
    use(x.s_prev), use(x.s_next);
  use(lambda, VIPER_JOINT_ROWS);
}

static void count_xpbd_joint() {
  xpbd_joint(true);
}
static void count_xpbd_plain_joint() {
  xpbd_joint(false);
}

/// The displacements, and their addition to the sums of the unknowns.
static void count_jacobi_segment() {
  counted h2a[VIPER_SEGMENT_UNKNOWNS], lambda[VIPER_SEGMENT_ROWS], d[VIPER_SEGMENT_UNKNOWNS];
  viper_segment_rest rest = some_segment_rest();
  viper_segment_state x = some_segment();
  some_node_h2a(h2a);
  some_node_h2a(h2a + 4);
  some_frame_h2a(h2a + 8);
  some_list(lambda, VIPER_SEGMENT_ROWS);
  viper_jacobi_segment(&rest, &x, h2a, lambda, d);
  use(lambda, VIPER_SEGMENT_ROWS);
  for (int k = 0; k < VIPER_SEGMENT_UNKNOWNS; k++)
    use(some() + d[k]);
}

static void jacobi_joint(bool outer) {
  counted h2a[VIPER_JOINT_UNKNOWNS], lambda[VIPER_JOINT_ROWS], d[VIPER_JOINT_UNKNOWNS];
  viper_joint_rest rest = some_joint_rest(outer);
  viper_joint_state x = some_joint();
  some_list(h2a, 3);
  some_frame_h2a(h2a + 3);
  some_frame_h2a(h2a + 6);
  some_list(lambda, VIPER_JOINT_ROWS);
  // The multiplier of a term that does not act is 0 and stays so.
  if (!outer)
    lambda[3] = 0;
  viper_jacobi_joint(&rest, &x, h2a, lambda, d);
  use(lambda, VIPER_JOINT_ROWS);
  for (int k = outer ? 0 : 1; k < VIPER_JOINT_UNKNOWNS; k++)
    if (outer || k != 2)
      use(some() + d[k]);
}

static void count_jacobi_joint() {
  jacobi_joint(true);
}
static void count_jacobi_plain_joint() {
  jacobi_joint(false);
}

static void count_jacobi_node() {
  viper_node_x x = some_node();
  counted part = some();
  use(viper_add(x.c, viper_scale(part, some_vector())));
  use(x.s + some() * some());
}

static void count_jacobi_frame() {
  use(viper_quat_turn(some_turn(), viper_scale(some(), some_vector())));
}

static void use_newton(const viper_newton &n, int count) {
  for (int i = 0; i < count; i++) {
    use(n.g[i]);
    for (int k = 0; k <= i; k++)
      use(n.h[i][k]);
  }
}

/// Of a frame.
static void use_diagonal(const viper_newton &n) {
  for (int i = 0; i < 3; i++)
    use(n.h[i][i]);
}

static viper_newton some_newton() {
  viper_newton n;
  for (int i = 0; i < 4; i++) {
    n.g[i] = some();
    for (int k = 0; k < 4; k++)
      n.h[i][k] = some();
  }
  return n;
}

static viper_node_inertia some_inertia() {
  viper_node_inertia a;
  a.mass = some();
  a.scale = some();
  return a;
}

static viper_segment_spring some_segment_spring() {
  viper_segment_spring k = {some(), some(), some(), some(), some(), some(), some()};
  return k;
}

static viper_joint_spring some_joint_spring() {
  viper_joint_spring k = {some_vector(), some(), some(), some(), some(), some(), {}, {}};
  if (is_solid)
    k.bend = 0;
  for (int role = 0; role < 3; role++) {
    k.surface[role] = some();
    k.surface_block[role] = some();
  }
  return k;
}

/// The inertial part, and apart from it the solution and the move.
static void count_descent_node() {
  viper_node_x x = some_node();
  counted d[4];
  viper_newton n = viper_newton_node(some_inertia(), x, some_node(), some()), full = some_newton();
  use_newton(n, 4);
  full.h[1][1] = full.h[2][2] = full.h[0][0];
  viper_newton_solve_node(&full, d);
  use(viper_add(x.c, viper_vec3_make(d[0], d[1], d[2])));
  use(x.s + d[3]);
}

static void count_descent_node_of_segment() {
  viper_newton n = some_newton();
  viper_segment_spring spring = some_segment_spring();
  n.h[1][1] = n.h[2][2] = n.h[0][0];
  viper_newton_segment_node(&n, &spring, some_node(), some_node(), some_vector(), viper_passive(),
                            true, 0);
  use_newton(n, 4);
}

static void scale_of_joint(int role) {
  viper_newton n = some_newton();
  viper_joint_spring spring = some_joint_spring();
  viper_newton_joint_scale(&n, &spring, some(), some(), some(), role);
  use_newton(n, 4);
}

static void count_descent_scale_before_joint() {
  scale_of_joint(0);
}
static void count_descent_scale_at_joint() {
  scale_of_joint(1);
}
static void count_descent_scale_after_joint() {
  scale_of_joint(2);
}

static viper_turn some_joint_turn() {
  viper_turn turn;
  turn.p = some_turn();
  turn.d = some_turn();
  return turn;
}

static viper_hold some_hold() {
  viper_hold hold;
  hold.bend = some();
  hold.twist = some();
  hold.rest = some();
  hold.force = some_vector();
  return hold;
}

static void count_descent_turn() {
  viper_joint_rest rest = some_joint_rest(true);
  viper_turn turn = viper_joint_turn(&rest, some_turn(), some_turn());
  use(turn.p), use(turn.d);
}

/// With its addition to the node's gradient and block.
static void count_descent_pull() {
  viper_joint_spring spring = some_joint_spring();
  viper_turn turn = some_joint_turn();
  viper_pull pull = viper_joint_pull(&spring, &turn, some(), !is_solid);
  use(some() + pull.g), use(some() + pull.h);
}

static void count_descent_hold() {
  viper_joint_spring spring = some_joint_spring();
  viper_hold hold = viper_joint_hold(&spring, some(), !is_solid);
  use(hold.bend), use(hold.twist), use(hold.rest), use(hold.force);
}

/// The gradient of the inertia and the segment; where the block is made anew that, too, and half of
/// its inverse. Apart from them the move.
static void frame(bool block) {
  viper_segment_spring spring = some_segment_spring();
  spring.tilt = -some(); // tension is the stiffer
  viper_segment_state x = some_segment();
  viper_inverse inverse = {some(), some(), some()};
  viper_newton n = viper_newton_frame(some(), x.q, some_turn(), some()), full = some_newton();
  viper_newton_segment_frame(&n, &spring, &x, true);
  viper_quat moved = viper_quat_turn_twice(x.q, viper_newton_apply(&inverse, some_vector()));
  use(moved), use(viper_quat_w(moved));
  use(n.g, 3);
  if (!block)
    return;
  use_diagonal(n);
  inverse = viper_newton_invert(&full);
  use(inverse.x), use(inverse.y), use(inverse.z);
}

static void count_descent_frame() {
  frame(false);
}
static void count_descent_block() {
  frame(true);
}

static void frame_of_joint(bool block) {
  viper_newton n = some_newton();
  viper_joint_rest rest = some_joint_rest(true);
  viper_turn turn = some_joint_turn();
  viper_hold hold = some_hold();
  viper_newton_turn_gradient(&n, &rest, &turn, &hold, 0);
  if (block)
    viper_newton_turn_block(&n, &rest, &turn, &hold, 0);
  use(n.g, 3);
  if (block)
    use_diagonal(n);
}

static void count_descent_frame_of_joint() {
  frame_of_joint(false);
}
static void count_descent_block_of_joint() {
  frame_of_joint(true);
}

static void count_direct_node() {
  counted g[4], inv_h2 = some();
  viper_node_inertia a = some_inertia();
  viper_node_inertial_gradient(a, some_node(), some_node(), g);
  for (int k = 0; k < 4; k++)
    use(inv_h2 * g[k]);
  use(inv_h2 * a.mass);
  use(inv_h2 * a.scale);
}

/// The inertia of a frame; of its Hessian the part on the diagonal, too.
static void direct_frame(bool second) {
  counted a = some() * some(), g[3], h[3][3];
  viper_quat q = some_turn(), hat = some_turn();
  viper_frame_inertial_block(a, q, hat, g, h);
  for (int i = 0; i < 3; i++) {
    if (second)
      h[i][i] += viper_frame_inertial_second(a, q, hat);
    use(g[i]);
    for (int k = 0; k <= i; k++)
      use(h[i][k]);
  }
}

static void count_direct_frame() {
  direct_frame(false);
}
static void count_hessian_frame() {
  direct_frame(true);
}

/// The block of an element, and its addition to the matrix and the gradient.
template <int n> static void use_block(const counted g[n], const counted h[n][n]) {
  for (int i = 0; i < n; i++) {
    use(some() + g[i]);
    for (int k = 0; k <= i; k++)
      use(some() + h[i][k]);
  }
}

static void direct_segment(bool second) {
  counted g[VIPER_SEGMENT_UNKNOWNS], h[VIPER_SEGMENT_UNKNOWNS][VIPER_SEGMENT_UNKNOWNS];
  viper_segment_rest rest = some_segment_rest();
  viper_segment_state x = some_segment();
  viper_clear(VIPER_SEGMENT_UNKNOWNS, g, &h[0][0]);
#define ADD(name, NAME) viper_##name##_add_block(&rest, &x, g, h);
  VIPER_SEGMENT_TERMS(ADD)
#undef ADD
  if (second)
    viper_segment_add_second(&rest, &x, h);
  use_block<VIPER_SEGMENT_UNKNOWNS>(g, h);
}

static void count_direct_segment() {
  direct_segment(false);
}
static void count_hessian_segment() {
  direct_segment(true);
}

static void direct_joint(bool outer, bool second) {
  counted g[VIPER_JOINT_UNKNOWNS], h[VIPER_JOINT_UNKNOWNS][VIPER_JOINT_UNKNOWNS];
  viper_joint_rest rest = some_joint_rest(outer);
  viper_joint_state x = some_joint();
  viper_clear(VIPER_JOINT_UNKNOWNS, g, &h[0][0]);
#define ADD(name, NAME) viper_##name##_add_block(&rest, &x, g, h);
  VIPER_JOINT_TERMS(ADD)
#undef ADD
  if (second)
    viper_joint_add_second(&rest, &x, h);
  use_block<VIPER_JOINT_UNKNOWNS>(g, h);
}

static void count_direct_joint() {
  direct_joint(true, false);
}
static void count_direct_plain_joint() {
  direct_joint(false, false);
}
static void count_hessian_joint() {
  direct_joint(true, true);
}
static void count_hessian_plain_joint() {
  direct_joint(false, true);
}

static void count_phi_node() {
  use(some() + viper_node_inertial(some_inertia(), some_node(), some_node()));
}

static void count_phi_frame() {
  use(some() + viper_frame_inertial(some(), some_turn(), some_turn()));
}

static void count_phi_segment() {
  viper_segment_rest rest = some_segment_rest();
  viper_segment_state x = some_segment();
  counted sum = some();
#define ADD(name, NAME) sum += viper_##name##_energy(&rest, &x);
  VIPER_SEGMENT_TERMS(ADD)
#undef ADD
  use(sum);
}

static void phi_joint(bool outer) {
  viper_joint_rest rest = some_joint_rest(outer);
  viper_joint_state x = some_joint();
  counted sum = some();
#define ADD(name, NAME) sum += viper_##name##_energy(&rest, &x);
  VIPER_JOINT_TERMS(ADD)
#undef ADD
  use(sum);
}

static void count_phi_joint() {
  phi_joint(true);
}
static void count_phi_plain_joint() {
  phi_joint(false);
}

/// Counts `work` with joints of the material model solid.
static void of_solid(void (*work)()) {
  is_solid = true;
  work();
  is_solid = false;
}

#define OF_SOLID(name)                                                                             \
  static void count_solid_##name() {                                                               \
    of_solid(count_##name);                                                                        \
  }
OF_SOLID(descent_pull)
OF_SOLID(descent_hold)
OF_SOLID(xpbd_joint)
OF_SOLID(xpbd_plain_joint)
OF_SOLID(direct_joint)
OF_SOLID(direct_plain_joint)
OF_SOLID(hessian_joint)
OF_SOLID(hessian_plain_joint)
OF_SOLID(phi_joint)
OF_SOLID(phi_plain_joint)
#undef OF_SOLID

static viper_solid_rest some_solid_rest() {
  viper_solid_rest r;
  r.inv_l = some();
  r.k_axial = some();
  r.k_dilation = some();
  r.slant = some();
  return r;
}

static viper_segment_rest some_rest_beside_solid() {
  viper_segment_rest r = some_segment_rest();
  r.k_volume = 0;
  return r;
}

/// The momentum of a frame, its prediction, and half of the centrifugal force on either node.
static void count_solid_spin_frame() {
  counted rest = some(), h = some(), s_a = some(), s_b = some(), least = 0.05;
  counted s = viper_mean_scale(s_a, s_b, least);
  counted rate = counted(0.5) * (some() + some());
  viper_quat q = some_turn();
  viper_vec3 omega = some_vector();
  viper_spin spin = viper_spin_of(rest, s, q, omega);
  viper_quat axes = viper_frame_predict_bounded(q, omega, h);
  counted later = viper_scale_after(s, rate, h, least);
  viper_vec3 predicted = viper_frame_rate_of(axes, spin.momentum, later * later * rest);
  use(spin.momentum);
  use(viper_frame_predict_bounded(q, predicted, h));
  counted half = counted(0.5) * spin.centrifugal;
  use(some() + half), use(some() + half);
}

/// What the centrifugal force adds to the prediction of a node's scale.
static void count_solid_spin_node() {
  counted h = some();
  use(some() + h * (some() / some()));
}

static void count_solid_rate_frame() {
  viper_quat q = some_turn();
  counted s = viper_mean_scale(some(), some(), counted(0.05)), rate = some();
  viper_vec3 impulse = viper_frame_impulse(q, some_turn(), some());
  viper_vec3 momentum = viper_add(some_vector(), viper_scale(rate, impulse));
  use(viper_frame_rate_of(q, momentum, s * s * some()));
}

static void count_solid_xpbd_segment() {
  counted h2a[VIPER_SEGMENT_UNKNOWNS], lambda[VIPER_SEGMENT_ROWS];
  viper_segment_rest rest = some_rest_beside_solid();
  viper_solid_rest solid = some_solid_rest();
  viper_segment_state x = some_segment();
  rest.inv_l = solid.inv_l;
  some_node_h2a(h2a);
  some_node_h2a(h2a + 4);
  some_frame_h2a(h2a + 8);
  some_list(lambda, VIPER_SEGMENT_ROWS);
  viper_xpbd_solid_segment(&rest, &solid, true, &x, h2a, lambda, counted(0.05));
  use(x.c_a), use(x.c_b), use(x.s_a), use(x.s_b), use(x.q);
  use(lambda, VIPER_SEGMENT_ROWS);
}

static void direct_solid_segment(bool second) {
  counted g[VIPER_SEGMENT_UNKNOWNS], h[VIPER_SEGMENT_UNKNOWNS][VIPER_SEGMENT_UNKNOWNS];
  viper_segment_rest rest = some_rest_beside_solid();
  viper_solid_rest solid = some_solid_rest();
  viper_segment_state x = some_segment();
  rest.inv_l = solid.inv_l;
  viper_clear(VIPER_SEGMENT_UNKNOWNS, g, &h[0][0]);
#define ADD(name, NAME)                                                                            \
  if (VIPER_TERM_##NAME != VIPER_TERM_VOLUME)                                                      \
    viper_##name##_add_block(&rest, &x, g, h);
  VIPER_SEGMENT_TERMS(ADD)
#undef ADD
#define ADD(name, NAME, SHOWN) viper_##name##_add_block(&solid, &x, g, h);
  VIPER_SOLID_TERMS(ADD)
#undef ADD
  if (second) {
    viper_segment_add_second(&rest, &x, h);
    viper_solid_add_part(&solid, &x, counted(1), h);
  }
  use_block<VIPER_SEGMENT_UNKNOWNS>(g, h);
}

static void count_solid_direct_segment() {
  direct_solid_segment(false);
}
static void count_solid_hessian_segment() {
  direct_solid_segment(true);
}

static void count_solid_phi_segment() {
  viper_segment_rest rest = some_rest_beside_solid();
  viper_solid_rest solid = some_solid_rest();
  viper_segment_state x = some_segment();
  counted sum = some();
  rest.inv_l = solid.inv_l;
#define ADD(name, NAME) sum += viper_##name##_energy(&rest, &x);
  VIPER_SEGMENT_TERMS(ADD)
#undef ADD
#define ADD(name, NAME, SHOWN) sum += viper_##name##_energy(&solid, &x);
  VIPER_SOLID_TERMS(ADD)
#undef ADD
  use(sum);
}

static void count_solid_descent_node() {
  viper_node_x x = some_node();
  counted d[4];
  viper_newton n = viper_newton_node(some_inertia(), x, some_node(), some()), full = some_newton();
  use_newton(n, 4);
  viper_newton_solve_full_node(&full, d);
  use(viper_add(x.c, viper_vec3_make(d[0], d[1], d[2])));
  use(x.s + d[3]);
}

static void count_solid_descent_node_of_segment() {
  viper_newton n = some_newton();
  viper_segment_spring spring = some_segment_spring();
  viper_solid_rest rest = some_solid_rest();
  viper_node_x x = some_node(), other = some_node();
  viper_vec3 axis = some_vector();
  viper_newton_segment_node(&n, &spring, x, other, axis, viper_passive(), false, 0);
  viper_newton_solid_node(&n, &rest, x, other, axis, viper_passive(), 0);
  use_newton(n, 4);
}

/// As frame(), and where the block is made anew whether the whole step may be taken.
static void solid_frame(bool block) {
  viper_segment_spring spring = some_segment_spring();
  spring.tilt = -some(); // tension is the stiffer
  viper_solid_rest rest = some_solid_rest();
  viper_segment_state x = some_segment();
  viper_inverse inverse = {some(), some(), some()};
  viper_newton n = viper_newton_frame(some(), x.q, some_turn(), some()), full = some_newton(), own;
  viper_clear(4, own.g, &own.h[0][0]);
  viper_newton_segment_frame(&own, &spring, &x, false);
  viper_newton_solid_frame(&own, &rest, &x);
  viper_quat moved = viper_quat_turn_twice(x.q, viper_newton_apply(&inverse, some_vector()));
  use(moved), use(viper_quat_w(moved));
  for (int i = 0; i < 3; i++)
    use(n.g[i] + own.g[i]);
  if (!block)
    return;
  for (int i = 0; i < 3; i++)
    use(n.h[i][i] + own.h[i][i]);
  inverse = viper_newton_invert(&full);
  use(inverse.x), use(inverse.y), use(inverse.z);
  const viper_vec3 g = some_vector(), half = viper_newton_apply(&inverse, g);
  const counted slope = counted(2) * viper_dot(g, half);
  use(viper_dot(half, half));
  use(counted(0.5 - VIPER_SUFFICIENT_TURN) * slope +
      viper_segment_frame_remainder(&spring, &rest, &x, &own, half));
}

static void count_solid_descent_frame() {
  solid_frame(false);
}
static void count_solid_descent_block() {
  solid_frame(true);
}

/// Whether a node may take its whole step: by its block, and by what each segment and joint has
/// beyond.
static void count_solid_limit_node() {
  viper_newton n = some_newton();
  counted d[4];
  some_list(d, 4);
  use(viper_newton_change(&n, d));
}

static void count_solid_limit_node_of_segment() {
  viper_solid_rest rest = some_solid_rest();
  viper_segment_state x = some_segment();
  counted d[4];
  some_list(d, 4);
  use(some() + viper_solid_node_remainder(&rest, &x, d, 0));
}

static void count_solid_limit_joint() {
  is_solid = true;
  viper_joint_spring spring = some_joint_spring();
  is_solid = false;
  viper_turn turn = some_joint_turn();
  viper_bending bending = viper_isotropic();
  use(some() + viper_volume_bend_remainder(&spring, &turn, &bending, some(), some()));
}

/// A node's arm on the ray, what Euler's step loses by its change of rate, and its slope.
static void count_solid_ray_node() {
  viper_node_x x = some_node(), old = some_node(), rate = some_node(), arm, kept;
  viper_node_inertia a = some_inertia();
  counted h = some(), g[4];
  arm.c = viper_sub(x.c, old.c), arm.s = x.s - old.s;
  kept.c = viper_scale(h, rate.c), kept.s = h * rate.s;
  use(arm);
  use(some() + viper_node_inertial(a, arm, kept));
  viper_node_inertial_gradient(a, x, some_node(), g);
  use(some() + (viper_dot(arm.c, viper_vec3_make(g[0], g[1], g[2])) + arm.s * g[3]));
}

static void count_solid_ray_frame() {
  viper_quat q = some_turn(), old = some_turn();
  counted g[3], block[3][3];
  viper_vec3 half = viper_quat_im(viper_quat_positive(viper_quat_mul(viper_quat_conj(old), q)));
  viper_vec3 rate = viper_twice(half);
  viper_frame_inertial_block(some(), q, some_turn(), g, block);
  use(rate);
  use(some() + viper_dot(rate, viper_vec3_make(g[0], g[1], g[2])));
}

/// The sum of `n` components of a gradient times the arms.
static void use_slope(const counted *g, int n) {
  counted sum = some();
  for (int i = 0; i < n; i++)
    sum += g[i] * some();
  use(sum);
}

static void count_solid_ray_segment() {
  viper_segment_rest rest = some_rest_beside_solid();
  viper_solid_rest solid = some_solid_rest();
  viper_segment_state x = some_segment();
  counted g[VIPER_SEGMENT_UNKNOWNS];
  rest.inv_l = solid.inv_l;
  for (int i = 0; i < VIPER_SEGMENT_UNKNOWNS; i++)
    g[i] = 0;
#define ADD(name, NAME) viper_##name##_add_gradient(&rest, &x, g);
  VIPER_SEGMENT_TERMS(ADD)
#undef ADD
#define ADD(name, NAME, SHOWN) viper_##name##_add_gradient(&solid, &x, g);
  VIPER_SOLID_TERMS(ADD)
#undef ADD
  use_slope(g, VIPER_SEGMENT_UNKNOWNS - 1); // no term acts about the axis
}

static void ray_joint(bool outer) {
  viper_joint_rest rest = some_joint_rest(outer);
  viper_joint_state x = some_joint();
  counted g[VIPER_JOINT_UNKNOWNS];
  for (int i = 0; i < VIPER_JOINT_UNKNOWNS; i++)
    g[i] = 0;
#define ADD(name, NAME) viper_##name##_add_gradient(&rest, &x, g);
  VIPER_JOINT_TERMS(ADD)
#undef ADD
  counted sum = some();
  for (int i = 0; i < VIPER_JOINT_UNKNOWNS; i++)
    if (outer || i == 1 || i >= 3)
      sum += g[i] * some();
  use(sum);
}

static void outer_ray_joint() {
  ray_joint(true);
}
static void plain_ray_joint() {
  ray_joint(false);
}
static void count_solid_ray_joint() {
  of_solid(outer_ray_joint);
}
static void count_solid_ray_plain_joint() {
  of_solid(plain_ray_joint);
}

static void count_turn_frame() {
  use(viper_quat_turn(some_turn(), some_vector()));
}

/// Counts one phase function.
static int count(void (*work)()) {
  noted.clear();
  results.clear();
  work();
  return noted.count(results);
}

static const struct {
  const char *name;
  void (*work)();
} WORK[] = {
#define NAMED(name, operations) {#name, count_##name},
    VIPER_COUNTS(NAMED)
#undef NAMED
};

START_TEST(phase_functions_do_what_is_counted) {
  int wrong = 0;
  for (int i = 0; i < VIPER_N_COUNTS; i++) {
    int found = count(WORK[i].work);
    if (found == (int)viper_count_of((viper_count)i))
      continue;
    fprintf(stderr, "viper/backend/cost.h: X(%s, %d)\n", WORK[i].name, found);
    wrong++;
  }
  ck_assert_msg(wrong == 0, "%d counts are not those of the headers, which are above", wrong);
}
END_TEST

/// What the graph itself must leave out.
START_TEST(needless_operations_do_not_count) {
  noted.clear();
  counted a = some(), b = some(), zero = 0, one = 1;
  results = {(a * b + b * a).id};
  ck_assert_int_eq(noted.count(results), 2); // one product, one sum
  results = {(a * zero + b * one).id};
  ck_assert_int_eq(noted.count(results), 0);
  results = {(a - b).id, (b - a).id};
  ck_assert_int_eq(noted.count(results), 1);
  results = {(-a * b).id, (a * b).id};
  ck_assert_int_eq(noted.count(results), 1);
  results = {sqrt(a / b).id};
  ck_assert_int_eq(noted.count(results), 2);
  counted unused = a * a * a;
  (void)unused;
  results = {(counted(2) * counted(3)).id};
  ck_assert_int_eq(noted.count(results), 0);
}
END_TEST

/// A straight chain of `n` nodes; every third has a branch of one node where `branched`.
static vb_scene *make_scene(int n, bool branched, double kb) {
  vb_builder *b;
  vb_scene *scene;
  ck_assert_int_eq(vb_builder_create(&b, NULL), VB_OK);
  vb_builder_world(b)->step = 0.01;
  int32_t last = -1;
  for (int i = 0; i < n; i++) {
    int32_t index, twig;
    for (int k = 0; k <= (branched && i % 3 == 1); k++) {
      vb_node node = {};
      node.rest_position[0] = node.position[0] = 0.1 * i;
      node.rest_position[1] = node.position[1] = 0.1 * k;
      node.rest_radius = 0.02;
      ck_assert_int_eq(vb_builder_add(b, VB_SET_NODE, &node, k ? &twig : &index, NULL), VB_OK);
      vb_segment segment = {};
      segment.node[0] = k ? index : last;
      segment.node[1] = k ? twig : index;
      segment.density = 1000;
      for (int s = 0; s < 6; s++)
        segment.stiffness[s] = s == VB_KBX || s == VB_KBY ? kb : 1e6;
      if (k || last >= 0)
        ck_assert_int_eq(vb_builder_add(b, VB_SET_SEGMENT, &segment, NULL, NULL), VB_OK);
    }
    last = index;
  }
  vb_error error = {};
  ck_assert_msg(vb_builder_freeze(b, &scene, &error) == VB_OK, "%s", error.message);
  vb_builder_destroy(b);
  return scene;
}

/// A symmetric matrix with the blocks of an elimination, its entries unknown.
struct matrix {
  std::vector<std::vector<counted>> a;

  matrix(const viper_elimination *e, size_t n_nodes) {
    std::vector<int> unknowns(e->n_columns), begin(e->n_columns);
    int n = 0;
    for (size_t v = 0; v < e->n_columns; v++)
      unknowns[e->column_of[v]] = v < n_nodes ? 4 : 3;
    for (size_t p = 0; p < e->n_columns; p++) {
      begin[p] = n;
      n += unknowns[p];
    }
    a.assign(n, std::vector<counted>(n, counted(0)));
    for (size_t p = 0; p < e->n_columns; p++) {
      fill(begin[p], unknowns[p], begin[p], unknowns[p]);
      for (int32_t i = e->first_block[p]; i < e->first_block[p + 1]; i++)
        fill(begin[e->row[i]], unknowns[e->row[i]], begin[p], unknowns[p]);
    }
  }

  void fill(int row, int rows, int column, int columns) {
    for (int r = 0; r < rows; r++)
      for (int c = 0; c < columns; c++)
        a[row + r][column + c] = row == column && r == c ? unknown(100) : some();
  }

  /// Operations of a factorization L D L^T and a solution.
  int operations() {
    size_t n = a.size();
    std::vector<counted> x(n), inverse(n);
    for (size_t i = 0; i < n; i++)
      x[i] = some();
    for (size_t k = 0; k < n; k++) {
      inverse[k] = counted(1) / a[k][k];
      for (size_t i = k + 1; i < n; i++) {
        counted factor = a[i][k] * inverse[k];
        for (size_t j = k + 1; j <= i; j++)
          a[i][j] -= factor * a[j][k];
        x[i] -= factor * x[k];
        a[k][i] = factor; // kept above the diagonal, which is not needed any more
      }
    }
    for (size_t i = n; i-- > 0;) {
      x[i] *= inverse[i];
      for (size_t j = i + 1; j < n; j++)
        x[i] -= a[i][j] * x[j];
    }
    results.clear();
    for (counted value : x)
      use(value);
    return noted.count(results);
  }
};

/// Numbers of a factor, one by one.
static int count_entries(const viper_elimination *e, size_t n_nodes) {
  std::vector<int> unknowns(e->n_columns);
  for (size_t v = 0; v < e->n_columns; v++)
    unknowns[e->column_of[v]] = v < n_nodes ? 4 : 3;
  int entries = 0;
  for (size_t p = 0; p < e->n_columns; p++)
    for (int c = 0; c < unknowns[p]; c++) {
      for (int r = c; r < unknowns[p]; r++)
        entries++;
      for (int32_t i = e->first_block[p]; i < e->first_block[p + 1]; i++)
        for (int r = 0; r < unknowns[e->row[i]]; r++)
          entries++;
    }
  return entries;
}

START_TEST(factorizations_do_what_is_counted) {
  vb_scene *scene = make_scene(7, _i & 1, _i & 2 ? 1 : 0);
  viper_model *model;
  viper_elimination *e;
  ck_assert_int_eq(viper_model_create(scene, true, &model, NULL), VB_OK);
  ck_assert_int_eq(viper_elimination_create(model, &e, NULL), VB_OK);
  noted.clear();
  int found = matrix(e, model->n_nodes).operations();
  ck_assert_int_eq((int)viper_factor_operations(e, model->n_nodes, 0, (int32_t)e->n_columns),
                   found);
  ck_assert_double_eq(viper_factor_entries(e, model->n_nodes), count_entries(e, model->n_nodes));
  viper_elimination_destroy(e);
  viper_model_destroy(model);
  free(scene);
}
END_TEST

/// Cost of a step of a scene, by way of the solver.
static void cost_of(const vb_scene *scene, const char *method, const char *iterations,
                    const char *precision, double *bytes, double *operations) {
  const vb_solver *solver;
  void *self;
  vb_option options[] = {{"method", method}, {"iterations", iterations}, {"precision", precision}};
  ck_assert_int_eq(vb_solver_find("viper", &solver, NULL), VB_OK);
  ck_assert_int_eq(solver->create(solver, scene, options, 3, &self, NULL), VB_OK);
  solver->cost(self, bytes, operations);
  solver->destroy(self);
}

START_TEST(costs_add_up) {
  static const char *const methods[] = {"direct", "xpbd", "block-descent", "jacobi-published"};
  double bytes, one, two, three, five, six, other;
  vb_scene *scene = make_scene(7, false, 1), *longer = make_scene(8, false, 1);
  cost_of(scene, methods[_i], "1", "double", &bytes, &one);
  ck_assert_double_eq(bytes, 2 * 8 * (8 * 7 + 7 * 6));
  cost_of(scene, methods[_i], "2", "float", &bytes, &two);
  ck_assert_double_eq(bytes, 4 * 2 * (8 * 7 + 7 * 6));
  cost_of(scene, methods[_i], "3", "double", &bytes, &three);
  ck_assert_double_gt(one, 0);
  ck_assert_double_eq(three - two, two - one);
  cost_of(scene, methods[_i], "5", "double", &bytes, &five);
  cost_of(scene, methods[_i], "6", "double", &bytes, &six);
  // Where sweeps share blocks, the sixth makes them anew, as the first.
  if (!strcmp(methods[_i], "block-descent"))
    ck_assert_double_gt(six - five, two - one);
  else
    ck_assert_double_eq(six - five, two - one);
  cost_of(longer, methods[_i], "1", "double", &bytes, &other);
  ck_assert_double_gt(other, one);
  free(longer);
  free(scene);
}
END_TEST

/// Makes a segment of make_scene, whose moduli are kz = 2 G and kv = lambda, one of the model
/// solid.
static void make_solid(vb_segment *segment) {
  const double g = 0.5 * segment->stiffness[VB_KZ], lambda = segment->stiffness[VB_KV];
  segment->model = VB_MATERIAL_SOLID;
  segment->shear = g;
  segment->young = g * (3 * lambda + 2 * g) / (lambda + g);
}

/// Bodies of the material model solid take the counts of their own terms and of spin; steps of
/// block descent those of one trial, in sweeps that make blocks.
START_TEST(solid_bodies_are_counted) {
  double bytes, one, two, published, sweeps[7];
  vb_scene *scene = make_scene(7, false, 1), *plain = make_scene(7, false, 1);
  size_t n;
  vb_segment *segment = const_cast<vb_segment *>(vb_scene_segments(scene, &n));
  for (size_t j = 0; j < n; j++)
    make_solid(&segment[j]);
  cost_of(plain, "xpbd", "1", "double", &bytes, &published);
  cost_of(scene, "xpbd", "1", "double", &bytes, &one);
  cost_of(scene, "xpbd", "2", "double", &bytes, &two);
  // Six segments and five joints.
  ck_assert_double_eq(two - one, 6 * viper_count_of(VIPER_COUNT_solid_xpbd_segment) +
                                     5 * viper_count_of(VIPER_COUNT_solid_xpbd_joint));
  ck_assert_double_eq(one - published, two - one - 6 * viper_count_of(VIPER_COUNT_xpbd_segment) -
                                           5 * viper_count_of(VIPER_COUNT_xpbd_joint) +
                                           7 * viper_count_of(VIPER_COUNT_solid_spin_node) +
                                           6 * (viper_count_of(VIPER_COUNT_solid_spin_frame) +
                                                viper_count_of(VIPER_COUNT_solid_rate_frame) -
                                                viper_count_of(VIPER_COUNT_predict_frame) -
                                                viper_count_of(VIPER_COUNT_rate_frame)));
  cost_of(scene, "direct", "2", "double", &bytes, &two);
  ck_assert_double_gt(two, 0);
  for (int i = 1; i < 7; i++) {
    char text[2] = {(char)('0' + i), 0};
    cost_of(scene, "block-descent", text, "double", &bytes, &sweeps[i]);
  }
  // Six segments and five joints: the sixth sweep limits steps of seven nodes.
  const double more = sweeps[3] - sweeps[2];
  ck_assert_double_eq(sweeps[5] - sweeps[4], more);
  ck_assert_double_eq(sweeps[6] - sweeps[5] - more,
                      7 * viper_count_of(VIPER_COUNT_solid_limit_node) +
                          12 * viper_count_of(VIPER_COUNT_solid_limit_node_of_segment) +
                          5 * viper_count_of(VIPER_COUNT_solid_limit_joint) +
                          6 * (viper_count_of(VIPER_COUNT_solid_descent_block) -
                               viper_count_of(VIPER_COUNT_solid_descent_frame)) +
                          10 * (viper_count_of(VIPER_COUNT_descent_block_of_joint) -
                                viper_count_of(VIPER_COUNT_descent_frame_of_joint)));
  cost_of(plain, "block-descent", "1", "double", &bytes, &published);
  ck_assert_double_gt(sweeps[1], published);
  free(scene);
  free(plain);
}
END_TEST

START_TEST(what_is_not_counted_is_unknown) {
  double bytes, operations;
  vb_scene *scene = make_scene(4, false, 1);
  size_t n;
  const_cast<vb_segment *>(vb_scene_segments(scene, &n))[0].stiffness[VB_KV] = 0;
  cost_of(scene, "xpbd", "1", "double", &bytes, &operations);
  ck_assert(std::isnan(bytes) && std::isnan(operations));
  free(scene);
}
END_TEST

static TCase *costs(void) {
  TCase *tc = tcase_create("costs");
  tcase_add_test(tc, needless_operations_do_not_count);
  tcase_add_test(tc, phase_functions_do_what_is_counted);
  tcase_add_loop_test(tc, factorizations_do_what_is_counted, 0, 4);
  tcase_add_loop_test(tc, costs_add_up, 0, 4);
  tcase_add_test(tc, solid_bodies_are_counted);
  tcase_add_test(tc, what_is_not_counted_is_unknown);
  return tc;
}

int main() {
  Suite *suite = suite_create("cost");
  suite_add_tcase(suite, costs());
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
