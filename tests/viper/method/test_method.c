// SPDX-License-Identifier: GPL-3.0-or-later
/// The point-wise steps of the methods, on single segments and joints against the reference's W and
/// dW: Newton's step on a node or frame, constraints, prediction and rates.
/// Covers: src/viper/method/constraint.h src/viper/method/motion.h src/viper/method/newton.h
/// Covers: src/viper/method/elements.h
#define VIPER_PRECISION 64
#include "scenes/descent_cases.h"
#include "scenes/energy_cases.h"
#include "viper/method/constraint.h"
#include "viper/method/motion.h"
#include "viper/method/newton.h"

static const double least = 0.05;

/// The stiffness of each row of W.
static void segment_k(const viper_segment_rest *r, double k[MOST_ROWS]) {
  const double rows[] = {r->k_stretch, r->k_stretch, r->k_stretch, r->k_section,
                         r->k_taper,   r->k_volume,  r->k_volume,  r->k_volume};
  memcpy(k, rows, sizeof rows);
}

static void joint_k(const viper_joint_rest *r, double k[MOST_ROWS]) {
  const double rows[] = {r->k_bend,         r->k_bend,        r->k_twist,
                         r->k_surface_bend, r->k_volume_bend, r->k_volume_bend};
  memcpy(k, rows, sizeof rows);
}

/// The same with bending factors.
static void anisotropic_joint_k(const sample *s, double k[MOST_ROWS]) {
  joint_k(&s->joint_rest, k);
  for (int row = 0; row < 6; row++)
    k[row] *= joint_part_of_row(&s->joint, row);
}

/// Gradient K dW^T W over `count` unknowns from `first` on, in `n` from its unknown `at` on.
static void check_gradient(const sample *s, const double *k, int n_rows, int first, int count,
                           const viper_newton *n, int at) {
  for (int a = 0; a < count; a++) {
    double g = 0;
    for (int row = 0; row < n_rows; row++)
      g += k[row] * s->w[row] * s->dw[row][first + a];
    check_close("gradient", n->g[at + a], g);
  }
}

/// Likewise with the block K dW^T dW, to which `extra` is added where it is given.
static void check_newton(const sample *s, const double *k, int n_rows, int first, int count,
                         const viper_newton *n, int at, const double (*extra)[3]) {
  check_gradient(s, k, n_rows, first, count, n, at);
  for (int a = 0; a < count; a++)
    for (int b = 0; b <= a; b++) {
      double h = extra ? extra[a][b] : 0;
      for (int row = 0; row < n_rows; row++)
        h += k[row] * s->dw[row][first + a] * s->dw[row][first + b];
      check_close("block", n->h[at + a][at + b], h);
    }
}

/// What Gauss-Newton leaves out of a tilt under tension (viper/energy/second.h), and what the
/// block has too much where the segment rests at another stretch a: the larger of 1 and a^2 times
/// all K in place of K a^2 of stretch and K of volume.
static void tilt(const sample *s, double extra[3][3]) {
  viper_quat q = s->segment.q;
  const double w[3] = {2 * (q.x * q.z + q.w * q.y), 2 * (q.y * q.z - q.w * q.x),
                       1 - 2 * (q.x * q.x + q.y * q.y)};
  double a = s->segment.active.stretch,
         k[2] = {s->segment_rest.k_stretch, s->segment_rest.k_volume};
  double t = 0, block = (k[0] + k[1]) * fmax(1, a * a), gauss_newton = k[0] * a * a + k[1];
  for (int i = 0; i < 3; i++) // K a (W.w) = K a (b.w - a) for W = b - a w
    t += w[i] * (k[0] * a * s->w[i] + k[1] * s->w[5 + i]);
  memset(extra, 0, 9 * sizeof(double));
  extra[0][0] = extra[1][1] = fmax(t, block - gauss_newton);
}

/// The diagonal of a joint's block over a frame, from unknown `first` on: (h_u + rest) / lm^2 +
/// (h_w
/// - h_u) d_a^2 with the row d of twist in (2/lm) d Im D, h_u = K s^2 + K s^6 of both bendings, h_w
/// = K s^2 of twist, and rest the sum of K (p - 1)^2 |lm/2 Omega_rest|^2; where h_w is the larger,
/// d_a^2 is |d_a| times the sum of the magnitudes.
static void check_turn_block(const sample *s, int first, const viper_newton *n) {
  const viper_joint_rest *r = &s->joint_rest;
  const double *d = s->d_twist + first;
  double scale = s->joint.s, p = pow(scale, 3), sum = fabs(d[0]) + fabs(d[1]) + fabs(d[2]);
  double h = r->k_bend * scale * scale + r->k_volume_bend * p * p;
  double more = r->k_twist * scale * scale - h, one = pow(scale - 1, 2);
  double across = pow(r->omega_rest.x, 2) + pow(r->omega_rest.y, 2);
  double rest = ((r->k_bend * one + r->k_volume_bend * pow(p - 1, 2)) * across +
                 r->k_twist * one * pow(r->omega_rest.z, 2)) /
                4;
  for (int a = 0; a < 3; a++)
    check_close("block", n->h[a][a],
                h * pow(r->inv_lm, 2) + rest + more * fabs(d[a]) * (more > 0 ? sum : fabs(d[a])));
}

/// Rows of dW over a frame times a vector, squared and weighted by `k` of each row.
static double block_along(const sample *s, const double *k, int first, const double x[3]) {
  double sum = 0;
  for (int row = 0; row < 6; row++) {
    double along = 0;
    for (int a = 0; a < 3; a++)
      along += s->dw[row][first + a] * x[a];
    sum += k[row] * along * along;
  }
  return sum;
}

/// Twice that diagonal is more than the block K dW^T dW in any direction.
static void check_descent(const sample *s, const double *k, int first, const viper_newton *n,
                          uint64_t *seed) {
  double x[3], diagonal = 0;
  ref_random_direction(seed, x);
  double block = block_along(s, k, first, x);
  for (int a = 0; a < 3; a++)
    diagonal += n->h[a][a] * x[a] * x[a];
  ck_assert_double_ge(2 * diagonal, (1 - TOLERANCE) * block);
}

/// A joint's part of a frame: the turn terms, which are all of them here.
static void check_joint_frames(const sample *s, const double *k, uint64_t *seed) {
  viper_turn turn = viper_joint_turn(&s->joint_rest, s->joint.q_j, s->joint.q_k);
  viper_joint_spring spring = viper_joint_spring_of(&s->joint_rest);
  viper_hold hold = viper_joint_hold(&spring, s->joint.s, true);
  for (int side = 0; side < 2; side++) {
    viper_newton n = {{0}, {{0}}};
    viper_newton_turn_gradient(&n, &s->joint_rest, &turn, &hold, side);
    viper_newton_turn_block(&n, &s->joint_rest, &turn, &hold, side);
    check_gradient(s, k, 6, 3 + 3 * side, 3, &n, 0);
    check_turn_block(s, 3 + 3 * side, &n);
    check_descent(s, k, 3 + 3 * side, &n, seed);
  }
}

/// A joint's part of a scale: surface_bend, and at the joint the turn terms.
static void check_joint_scales(const sample *s, const double *k) {
  viper_turn turn = viper_joint_turn(&s->joint_rest, s->joint.q_j, s->joint.q_k);
  viper_joint_spring spring = viper_joint_spring_of(&s->joint_rest);
  viper_pull pull = viper_joint_pull(&spring, &turn, s->joint.s, true);
  for (int role = 0; role < 3; role++) {
    viper_newton n = {{0}, {{0}}};
    viper_newton_joint_scale(&n, &spring, s->joint.s_prev, s->joint.s, s->joint.s_next, role);
    n.g[3] += role == 1 ? pull.g : 0;
    n.h[3][3] += role == 1 ? pull.h : 0;
    check_newton(s, k, 6, role, 1, &n, 3, NULL);
  }
}

START_TEST(newton_sums_acting_terms) {
  uint64_t seed = 3;
  for (int i = 0; i < N_SAMPLES; i++) {
    double k[MOST_ROWS], extra[3][3];
    sample s = random_segment(&seed);
    segment_k(&s.segment_rest, k);
    viper_segment_spring spring = viper_segment_spring_of(&s.segment_rest);
    const viper_node_x end[2] = {{s.segment.c_a, s.segment.s_a}, {s.segment.c_b, s.segment.s_b}};
    for (int side = 0; side < 2; side++) {
      viper_newton n = {{0}, {{0}}};
      viper_newton_segment_node(&n, &spring, end[side], end[1 - side], viper_quat_w(s.segment.q),
                                s.segment.active, true, side);
      check_newton(&s, k, 8, 4 * side, 4, &n, 0, NULL);
    }
    viper_newton frame = {{0}, {{0}}};
    viper_newton_segment_frame(&frame, &spring, &s.segment, true);
    tilt(&s, extra);
    check_newton(&s, k, 8, 8, 3, &frame, 0, (const double(*)[3])extra);
    s = random_joint(&seed);
    joint_k(&s.joint_rest, k);
    check_joint_scales(&s, k);
    check_joint_frames(&s, k, &seed);
  }
}
END_TEST

/// The most it is for a unit vector: by power iteration on the block.
static double block_norm(const sample *s, const double *k, int first) {
  double x[3] = {0.48, 0.6, 0.64}, norm = 0;
  for (int i = 0; i < 60; i++) {
    double y[3] = {0};
    for (int row = 0; row < 6; row++)
      for (int a = 0; a < 9; a++)
        y[a / 3] += k[row] * s->dw[row][first + a / 3] * s->dw[row][first + a % 3] * x[a % 3];
    norm = sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2]);
    for (int a = 0; a < 3; a++)
      x[a] = y[a] / norm;
  }
  return block_along(s, k, first, x);
}

START_TEST(no_turn_exceeds_its_majorant) {
  // Rows u, v, w of one power p over a frame: sum |dW|^2 <= p^2/lm^2 + (p - 1)^2 |Omega_rest|^2/4.
  // bend and twist have p = s; far from s = 1, too, and with any rest rotation.
  static const double one[MOST_ROWS] = {1, 1, 1};
  uint64_t seed = 8;
  double most = 0;
  for (int i = 0; i < N_SAMPLES; i++) {
    sample s = random_joint_of_scale(0.05 + 1.5 * (1 + ref_random(&seed)), &seed);
    const viper_joint_rest *r = &s.joint_rest;
    double p = s.joint.s, rest = viper_dot(r->omega_rest, r->omega_rest);
    double bound = pow(p * r->inv_lm, 2) + pow(p - 1, 2) * rest / 4;
    for (int side = 0; side < 2; side++) {
      double norm = block_norm(&s, one, 3 + 3 * side);
      // Power iteration comes from below; the reference's differences err by 1e-10.
      ck_assert_double_le(norm, (1 + TOLERANCE) * bound);
      most = fmax(most, norm / bound);
    }
  }
  ck_assert_double_gt(most, 0.99); // it is no larger than it must be
}
END_TEST

START_TEST(newton_bounds_the_turns_of_a_frame) {
  // Twice its diagonal less the block of all turn terms stays positive definite, with stiffnesses
  // that differ by up to 1e4.
  uint64_t seed = 9;
  for (int i = 0; i < N_SAMPLES; i++) {
    double k[MOST_ROWS];
    sample s = random_joint_of_scale(0.05 + 1.5 * (1 + ref_random(&seed)), &seed);
    s.joint_rest.k_bend *= pow(10, 2 * ref_random(&seed));
    s.joint_rest.k_twist *= pow(10, 2 * ref_random(&seed));
    s.joint_rest.k_volume_bend *= pow(10, 2 * ref_random(&seed));
    joint_k(&s.joint_rest, k);
    k[3] = 0;
    viper_turn turn = viper_joint_turn(&s.joint_rest, s.joint.q_j, s.joint.q_k);
    viper_joint_spring spring = viper_joint_spring_of(&s.joint_rest);
    viper_hold hold = viper_joint_hold(&spring, s.joint.s, true);
    for (int side = 0; side < 2; side++) {
      viper_newton n = {{0}, {{0}}};
      sample scaled = s;
      viper_newton_turn_block(&n, &s.joint_rest, &turn, &hold, side);
      for (int row = 0; row < 6; row++)
        for (int a = 0; a < 3; a++)
          scaled.dw[row][3 + 3 * side + a] /= sqrt(2 * n.h[a][a]);
      ck_assert_double_le(block_norm(&scaled, k, 3 + 3 * side), 1 + TOLERANCE);
    }
  }
}
END_TEST

/// The spring of a joint that bends about u as about v, and what bending factors add to it: exact
/// gradients, the exact block of a scale, and a diagonal that bounds that of a frame.
START_TEST(newton_sums_joints_with_bending_factors) {
  uint64_t seed = 15;
  for (int i = 0; i < N_SAMPLES; i++) {
    double k[MOST_ROWS];
    sample s = random_anisotropic_joint(&seed);
    anisotropic_joint_k(&s, k);
    const viper_bending same = viper_isotropic_part(s.joint.bending);
    viper_turn turn = viper_joint_turn(&s.joint_rest, s.joint.q_j, s.joint.q_k);
    viper_joint_spring spring = viper_joint_spring_of(&s.joint_rest);
    spring.bend *= same.bend[0];
    spring.volume_bend *= same.volume_bend[0];
    viper_hold hold = viper_joint_hold(&spring, s.joint.s, true);
    viper_pull pull = viper_joint_pull(&spring, &turn, s.joint.s, true);
    viper_newton n = {{0}, {{0}}};
    viper_newton_joint_scale(&n, &spring, s.joint.s_prev, s.joint.s, s.joint.s_next, 1);
    n.g[3] += pull.g;
    n.h[3][3] += pull.h;
    viper_newton_anisotropic_joint(&n, &s.joint_rest, &s.joint, 1);
    check_newton(&s, k, 6, 1, 1, &n, 3, NULL);
    for (int side = 0; side < 2; side++) {
      n = (viper_newton){{0}, {{0}}};
      viper_newton_turn_gradient(&n, &s.joint_rest, &turn, &hold, side);
      viper_newton_turn_block(&n, &s.joint_rest, &turn, &hold, side);
      viper_newton_anisotropic_joint(&n, &s.joint_rest, &s.joint, 3 + side);
      check_gradient(&s, k, 6, 3 + 3 * side, 3, &n, 0);
      check_descent(&s, k, 3 + 3 * side, &n, &seed);
    }
  }
}
END_TEST

START_TEST(newton_sees_every_term) {
  check_descent_terms(N_SAMPLES);
}
END_TEST

/// The inertial part by differences of its energy; the block of a node is exact, that of a frame at
/// its prediction.
START_TEST(newton_begins_with_the_inertia) {
  const double inv_h2 = 7, step = 1e-5;
  viper_node_inertia a = {3, 0.5};
  viper_node_x x = {{1, 2, 3}, 1.1}, hat = {{1.2, 1.7, 3.1}, 0.9};
  viper_newton n = viper_newton_node(a, x, hat, inv_h2);
  double *const part[4] = {&x.c.x, &x.c.y, &x.c.z, &x.s};
  for (int i = 0; i < 4; i++) {
    double at = *part[i], e[2];
    for (int side = 0; side < 2; side++) {
      *part[i] = at + (side ? step : -step);
      e[side] = viper_node_inertial(a, x, hat);
    }
    *part[i] = at;
    // A quadratic's difference is exact but for rounding, 1e-16 / step.
    ck_assert_double_eq_tol(n.g[i], inv_h2 * (e[1] - e[0]) / (2 * step), 1e-8);
    for (int k = 0; k <= i; k++)
      ck_assert_double_eq(n.h[i][k], i == k ? inv_h2 * (i < 3 ? a.mass : a.scale) : 0);
  }
  viper_quat q = viper_quat_exp(viper_vec3_make(0.3, -0.5, 0.8));
  n = viper_newton_frame(2, q, viper_quat_exp(viper_vec3_make(0.1, 0.2, 0.3)), inv_h2);
  for (int i = 0; i < 3; i++) {
    double e[2];
    for (int side = 0; side < 2; side++) {
      viper_vec3 turn = {i == 0, i == 1, i == 2};
      turn = viper_scale(side ? step : -step, turn);
      e[side] = viper_frame_inertial(2, viper_quat_turn(q, turn),
                                     viper_quat_exp(viper_vec3_make(0.1, 0.2, 0.3)));
    }
    ck_assert_double_eq_tol(n.g[i], inv_h2 * (e[1] - e[0]) / (2 * step), 1e-7);
  }
  n = viper_newton_frame(2, q, q, inv_h2);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k <= i; k++) // about w twice as much
      ck_assert_double_eq_tol(n.h[i][k], i == k ? inv_h2 * (i < 2 ? 2 : 4) : 0, 1e-13);
}
END_TEST

/// h d = -g over a node's free unknowns, and no move of pinned ones. Entries and their condition
/// are of order one; the block is an arrow.
START_TEST(newton_solves_nodes) {
  uint64_t seed = 5;
  for (int i = 0; i < N_SAMPLES; i++) {
    double h[4][4] = {{0}}, d[4], free[4], a = 4 + ref_random(&seed);
    viper_newton n = {{0}, {{0}}};
    for (int k = 0; k < 4; k++) {
      n.g[k] = ref_random(&seed);
      free[k] = ref_random(&seed) < -0.5 ? 0 : 1;
      h[k][k] = n.h[k][k] = k < 3 ? a : 4 + ref_random(&seed);
      if (k < 3)
        h[3][k] = h[k][3] = n.h[3][k] = ref_random(&seed);
    }
    const viper_newton whole = n;
    viper_newton_pin(&n, free);
    viper_newton_solve_node(&n, d);
    for (int k = 0; k < 4; k++) {
      double sum = whole.g[k];
      for (int b = 0; b < 4; b++)
        sum += h[k][b] * d[b];
      if (free[k] == 0)
        ck_assert_double_eq(d[k], 0);
      else
        ck_assert_double_eq_tol(sum, 0, 1e-13);
    }
  }
}
END_TEST

/// h 2 d = -g over a frame's unknowns, of h the diagonal.
START_TEST(newton_solves_frames) {
  uint64_t seed = 6;
  for (int i = 0; i < N_SAMPLES; i++) {
    double g[3];
    viper_newton n = {{0}, {{0}}};
    for (int k = 0; k < 3; k++) {
      g[k] = ref_random(&seed);
      n.h[k][k] = 4 + ref_random(&seed);
    }
    viper_inverse inverse = viper_newton_invert(&n);
    viper_vec3 half = viper_newton_apply(&inverse, to_vec3(g));
    const double d[3] = {half.x, half.y, half.z};
    for (int k = 0; k < 3; k++)
      ck_assert_double_eq_tol(n.h[k][k] * 2 * d[k] + g[k], 0, 1e-14);
  }
}
END_TEST

/// A frame turned by a body rotation vector: normalize(q (1, d/2)).
static void check_turned(viper_quat q, const double *d, viper_quat got) {
  double a[4] = {q.w, q.x, q.y, q.z}, half[4] = {1, d[0] / 2, d[1] / 2, d[2] / 2}, norm = 0;
  ref_quaternion_product(a, half, a);
  for (int i = 0; i < 4; i++)
    norm += a[i] * a[i];
  const double right[4] = {got.w, got.x, got.y, got.z};
  for (int i = 0; i < 4; i++)
    check_close("frame", right[i], a[i] / sqrt(norm));
}

/// -h^2 A^-1 dW^T lambda.
static void move_of(const sample *s, int n_rows, int n, const double *lambda, double *d) {
  for (int k = 0; k < n; k++) {
    d[k] = 0;
    for (int row = 0; row < n_rows; row++)
      d[k] -= s->h2a[k] * s->dw[row][k] * lambda[row];
  }
}

/// One term alone: unknowns move by its multiplier step, which test_energy checks.
START_TEST(xpbd_moves_by_the_multipliers) {
  uint64_t seed = 7;
  for (int i = 0; i < N_SAMPLES; i++) {
    double d[MOST_UNKNOWNS], lambda[MOST_ROWS] = {0};
    sample s = random_segment(&seed);
    double *const k[4] = {&s.segment_rest.k_stretch, &s.segment_rest.k_section,
                          &s.segment_rest.k_taper, &s.segment_rest.k_volume};
    for (int t = 0; t < 4; t++)
      *k[t] *= t == i % 4;
    viper_segment_state x = s.segment;
    viper_xpbd_segment(&s.segment_rest, &x, s.h2a, lambda, -1e9);
    move_of(&s, 8, VIPER_SEGMENT_UNKNOWNS, lambda, d);
    check_close("x", x.c_a.x - s.segment.c_a.x, d[0]);
    check_close("z", x.c_a.z - s.segment.c_a.z, d[2]);
    check_close("y", x.c_b.y - s.segment.c_b.y, d[5]);
    check_close("s_a", x.s_a - s.segment.s_a, d[3]);
    check_close("s_b", x.s_b - s.segment.s_b, d[7]);
    check_turned(s.segment.q, d + 8, x.q);
    s = random_joint(&seed);
    double *const kj[4] = {&s.joint_rest.k_bend, &s.joint_rest.k_twist,
                           &s.joint_rest.k_surface_bend, &s.joint_rest.k_volume_bend};
    for (int t = 0; t < 4; t++)
      *kj[t] *= t == i % 4;
    memset(lambda, 0, sizeof lambda);
    viper_joint_state y = s.joint;
    viper_xpbd_joint(&s.joint_rest, &y, s.h2a, lambda, i % 4 == 0, true, -1e9);
    move_of(&s, 6, VIPER_JOINT_UNKNOWNS, lambda, d);
    check_close("s_prev", y.s_prev - s.joint.s_prev, d[0]);
    check_close("s", y.s - s.joint.s, d[1]);
    check_close("s_next", y.s_next - s.joint.s_next, d[2]);
    check_turned(s.joint.q_j, d + 3, y.q_j);
    check_turned(s.joint.q_k, d + 6, y.q_k);
  }
}
END_TEST

/// All terms from one state: the sum of what each asks for. Where nothing can move (inverse
/// inertias 0) lambda is K W, of all terms by either method.
START_TEST(constraints_of_all_terms) {
  uint64_t seed = 9;
  for (int i = 0; i < N_SAMPLES; i++) {
    double d[MOST_UNKNOWNS], sum[MOST_UNKNOWNS], k[MOST_ROWS], lambda[MOST_ROWS] = {0};
    double held[2][MOST_ROWS] = {{0}}, zero[MOST_UNKNOWNS] = {0};
    sample s = random_segment(&seed);
    viper_segment_state x = s.segment;
    viper_jacobi_segment(&s.segment_rest, &x, s.h2a, lambda, sum);
    move_of(&s, 8, VIPER_SEGMENT_UNKNOWNS, lambda, d);
    for (int u = 0; u < VIPER_SEGMENT_UNKNOWNS; u++)
      check_close("sum of a segment", sum[u], d[u]);
    viper_jacobi_segment(&s.segment_rest, &x, zero, held[0], sum);
    viper_xpbd_segment(&s.segment_rest, &x, zero, held[1], least);
    segment_k(&s.segment_rest, k);
    for (int row = 0; row < 16; row++)
      check_close("lambda of a segment", held[row / 8][row % 8], k[row % 8] * s.w[row % 8]);
    s = random_joint(&seed);
    viper_joint_state y = s.joint;
    memset(lambda, 0, sizeof lambda);
    memset(held, 0, sizeof held);
    viper_jacobi_joint(&s.joint_rest, &y, s.h2a, lambda, sum);
    move_of(&s, 6, VIPER_JOINT_UNKNOWNS, lambda, d);
    for (int u = 0; u < VIPER_JOINT_UNKNOWNS; u++)
      check_close("sum of a joint", sum[u], d[u]);
    bool outer = i % 2; // else surface_bend is left alone
    viper_jacobi_joint(&s.joint_rest, &y, zero, held[0], sum);
    viper_xpbd_joint(&s.joint_rest, &y, zero, held[1], true, outer, least);
    joint_k(&s.joint_rest, k);
    for (int row = 0; row < 12; row++)
      check_close("lambda of a joint", held[row / 6][row % 6],
                  row == 9 && !outer ? 0 : k[row % 6] * s.w[row % 6]);
  }
}
END_TEST

/// What both rows of a bending term have is the softer row's: what is left of a row is never
/// negative, which would make the block's matrix indefinite.
START_TEST(rows_have_the_softer_part_in_common) {
  const viper_bending b[2] = {{{0.25, 1}, {1, 0.5}}, {{1, 0.75}, {0.125, 1}}};
  for (int i = 0; i < 2; i++) {
    viper_bending same = viper_isotropic_part(b[i]);
    for (int row = 0; row < 2; row++) {
      ck_assert_double_eq(same.bend[row], fmin(b[i].bend[0], b[i].bend[1]));
      ck_assert_double_eq(same.volume_bend[row], fmin(b[i].volume_bend[0], b[i].volume_bend[1]));
    }
  }
}
END_TEST

START_TEST(scales_stay_above_their_bound) {
  ck_assert_double_eq(viper_scale_moved(1, -0.25, least), 0.75);
  ck_assert_double_eq(viper_scale_moved(1, -0.99, least), least);
  ck_assert_double_eq(viper_frame_inertia(3, 0.5, 1.5, least), 3);
  ck_assert_double_eq(viper_frame_inertia(3, 2, 4, least), 27);
  ck_assert_double_eq(viper_frame_inertia(1, -2, 1, least), least * least);
}
END_TEST

/// Half-angle exponentials against libm's sine, predictions against their formula, and rates of a
/// turn: 2 sin(angle / 2) along its axis.
START_TEST(motion_is_as_defined) {
  uint64_t seed = 11;
  for (int i = 0; i < N_SAMPLES; i++) {
    double axis[3], angle = 6 * ref_random(&seed), h = 0.3, old[4], q[4], turn[4];
    ref_random_direction(&seed, axis);
    ref_turn(axis, 5 * ref_random(&seed), old);
    ref_random_direction(&seed, axis);
    ref_turn(axis, angle, turn);
    ref_quaternion_product(turn, old, q); // world axes: from the left
    viper_vec3 omega = {angle / h * axis[0], angle / h * axis[1], angle / h * axis[2]};
    viper_quat predicted = viper_frame_predict(to_quat(old), omega, h);
    const double got[4] = {predicted.w, predicted.x, predicted.y, predicted.z};
    for (int k = 0; k < 4; k++)
      ck_assert_double_eq_tol(got[k], q[k], 1e-14);
    angle = 3 * ref_random(&seed); // within half a turn
    ref_turn(axis, angle, turn);
    ref_quaternion_product(turn, old, q);
    viper_vec3 since = viper_turn_since(to_quat(q), to_quat(old));
    ck_assert_double_eq_tol(since.x, 2 * sin(angle / 2) * axis[0], 1e-14);
    ck_assert_double_eq_tol(since.y, 2 * sin(angle / 2) * axis[1], 1e-14);
    ck_assert_double_eq_tol(since.z, 2 * sin(angle / 2) * axis[2], 1e-14);
  }
  viper_node_x x = {{1, 2, 3}, 4}, v = {{5, 6, 7}, 8}, a = {{9, 10, 11}, 12};
  viper_node_x hat = viper_node_predict(x, v, a, 0.5);
  ck_assert_double_eq(hat.c.x, 1 + 2.5 + 2.25);
  ck_assert_double_eq(hat.c.y, 2 + 3 + 2.5);
  ck_assert_double_eq(hat.c.z, 3 + 3.5 + 2.75);
  ck_assert_double_eq(hat.s, 4 + 4 + 3);
}
END_TEST

/// bdf2: numbers by hand for nodes; a frame that turns steadily about one axis by 0.3 in a substep
/// of 0.1 (0.2 is two thirds of it, and a third of the chord 2 sin(0.15) goes on); a torque about
/// each axis of a frame.
START_TEST(motion_of_bdf2_is_as_defined) {
  viper_node_x now = {{1, 2, 3}, 4}, before = {{-2, 5, 0}, 1}, a = {{9, 10, 11}, 12};
  viper_node_x rate = viper_node_predict_rate(now, before, a, 0.5, 0.25);
  ck_assert_double_eq_tol(rate.c.x, 0.25 * (1 + 1 + 4.5), 1e-14);
  ck_assert_double_eq_tol(rate.c.y, 0.25 * (2 - 1 + 5), 1e-14);
  ck_assert_double_eq_tol(rate.s, 0.25 * (4 + 1 + 6), 1e-14);
  viper_node_x hat = viper_node_predict_after(now, before, a, 0.5);
  ck_assert_double_eq_tol(hat.c.x, 1 + 1 + 4.5, 1e-14);
  ck_assert_double_eq_tol(hat.c.z, 3 + 1 + 5.5, 1e-14);
  ck_assert_double_eq_tol(hat.s, 4 + 1 + 6, 1e-14);
  uint64_t seed = 13;
  double axis[3], old[4], turn[4], q[4], right[4];
  ref_random_direction(&seed, axis);
  ref_turn(axis, 1.2, old);
  ref_random_direction(&seed, axis);
  ref_turn(axis, 0.3, turn);
  ref_quaternion_product(turn, old, q);
  ref_turn(axis, 0.2 + 2 * sin(0.15) / 3, turn);
  ref_quaternion_product(turn, q, right);
  viper_vec3 omega = {2 * axis[0], 2 * axis[1], 2 * axis[2]};
  viper_quat got = viper_frame_predict_after(to_quat(q), to_quat(old), omega, 0.1);
  ck_assert_double_eq_tol(got.w, right[0], 1e-14);
  ck_assert_double_eq_tol(got.x, right[1], 1e-14);
  ck_assert_double_eq_tol(got.y, right[2], 1e-14);
  ck_assert_double_eq_tol(got.z, right[3], 1e-14);
  const viper_vec3 axes[3] = {viper_quat_u(got), viper_quat_v(got), viper_quat_w(got)};
  for (int k = 0; k < 3; k++) {
    viper_vec3 torque = viper_scale(5, axes[k]);
    viper_vec3 change = viper_sub(viper_frame_twisted(omega, torque, got, 4, 0.1), omega);
    for (int c = 0; c < 3; c++)
      ck_assert_double_eq_tol(viper_dot(change, axes[c]),
                              c != k  ? 0
                              : k < 2 ? 0.125
                                      : 0.0625,
                              1e-14);
  }
}
END_TEST

static TCase *methods(void) {
  TCase *c = tcase_create("point-wise");
  tcase_add_test(c, newton_sums_acting_terms);
  tcase_add_test(c, newton_sees_every_term);
  tcase_add_test(c, no_turn_exceeds_its_majorant);
  tcase_add_test(c, newton_bounds_the_turns_of_a_frame);
  tcase_add_test(c, newton_sums_joints_with_bending_factors);
  tcase_add_test(c, newton_begins_with_the_inertia);
  tcase_add_test(c, newton_solves_nodes);
  tcase_add_test(c, newton_solves_frames);
  tcase_add_test(c, xpbd_moves_by_the_multipliers);
  tcase_add_test(c, constraints_of_all_terms);
  tcase_add_test(c, rows_have_the_softer_part_in_common);
  tcase_add_test(c, scales_stay_above_their_bound);
  tcase_add_test(c, motion_is_as_defined);
  tcase_add_test(c, motion_of_bdf2_is_as_defined);
  return c;
}

VB_TEST_MAIN("method", methods())
