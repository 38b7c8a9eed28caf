// SPDX-License-Identifier: GPL-3.0-or-later
/// Tests of the terms at single segments and joints, for the precision VIPER_PRECISION: values and
/// derivatives against energy_reference.h, and what follows from them generically.
#ifndef VB_TESTS_SUPPORT_ENERGY_CASES_H
#define VB_TESTS_SUPPORT_ENERGY_CASES_H

#include "scenes/energy_reference.h"
#include "test.h"
#include "viper/energy/terms.h"

// All lengths, strains and stiffnesses below are of order one, and so are W and dW (up to about
// 30).
#if VIPER_PRECISION == 64
// The worst rounding is that of the differences, about 1e-16 * 30 / REF_STEP; the reference's own
// extraction of a rotation's angle near a half turn loses a further digit.
#define TOLERANCE 1e-10
#else
// A few dozen roundings of 6e-8 in terms of up to 30.
#define TOLERANCE 2e-5
#endif

#define N_SAMPLES 400

VIPER_ASSERT((int)VIPER_SEGMENT_ROWS == REF_SEGMENT_ROWS && (int)VIPER_JOINT_ROWS == REF_JOINT_ROWS,
             "energy_reference.h has each term, in the order of the table");

/// The most unknowns, and rows of one element.
#define MOST_UNKNOWNS REF_SEGMENT_UNKNOWNS
#define MOST_ROWS     REF_SEGMENT_ROWS

/// A random element with what the reference says of it.
typedef struct sample {
  viper_segment_rest segment_rest;
  viper_segment_state segment;
  viper_joint_rest joint_rest;
  viper_joint_state joint;
  double w[MOST_ROWS], dw[MOST_ROWS][MOST_UNKNOWNS];
  double d_twist[MOST_UNKNOWNS]; ///< d (2/lm Im D) in w: dW of twist at scale 1
  viper_real h2a[MOST_UNKNOWNS]; ///< some are 0, as for pinned unknowns
} sample;

static viper_quat to_quat(const double q[4]) {
  return viper_quat_make(VIPER_R(q[0]), VIPER_R(q[1]), VIPER_R(q[2]), VIPER_R(q[3]));
}

static viper_vec3 to_vec3(const double v[3]) {
  return viper_vec3_make(VIPER_R(v[0]), VIPER_R(v[1]), VIPER_R(v[2]));
}

/// A positive number of order one.
static double about_one(uint64_t *seed) {
  return 1 + 0.5 * ref_random(seed);
}

static void random_h2a(uint64_t *seed, viper_real h2a[MOST_UNKNOWNS]) {
  for (int k = 0; k < MOST_UNKNOWNS; k++)
    h2a[k] = ref_random(seed) < -0.6 ? VIPER_R(0) : VIPER_R(about_one(seed));
}

/// A segment with any frame, far from its direction, too, and with any stretch; half of them
/// active.
static sample random_segment(uint64_t *seed) {
  ref_segment ref = {.l = about_one(seed), .rest = {1, 1}};
  double axis[3];
  ref_random_direction(seed, axis);
  ref_turn(axis, 6.3 * ref_random(seed), ref.q);
  for (int end = 0; end < 2; end++) {
    ref.s[end] = about_one(seed);
    for (int i = 0; i < 3; i++)
      ref.c[end][i] = ref_random(seed);
  }
  for (int i = 0, active = ref_random(seed) < 0; i < 2; i++)
    ref.rest[i] = active ? about_one(seed) : 1;
  sample out = {.segment_rest = {.inv_l = VIPER_R(1 / ref.l),
                                 .k_stretch = VIPER_R(about_one(seed)),
                                 .k_section = VIPER_R(about_one(seed)),
                                 .k_taper = VIPER_R(about_one(seed)),
                                 .k_volume = VIPER_R(about_one(seed))},
                .segment = {to_vec3(ref.c[0]),
                            to_vec3(ref.c[1]),
                            VIPER_R(ref.s[0]),
                            VIPER_R(ref.s[1]),
                            to_quat(ref.q),
                            {VIPER_R(ref.rest[0]), VIPER_R(ref.rest[1])}}};
  double dw[REF_SEGMENT_ROWS][REF_SEGMENT_UNKNOWNS];
  ref_segment_w(&ref, out.w);
  ref_segment_dw(&ref, dw);
  memcpy(out.dw, dw, sizeof dw);
  random_h2a(seed, out.h2a);
  return out;
}

/// Frames of a joint that is turned by `turn` from rest: Q'_k = Q'_j H D H with H half the rest
/// rotation; the half turn F about u where a segment is stored against the path.
static void place_joint(ref_joint *ref, const double turn[4], uint64_t *seed) {
  static const double undo_half_turn[4] = {0, -1, 0, 0};
  double axis[3], half[4];
  ref_random_direction(seed, axis);
  ref_turn(axis, 6.3 * ref_random(seed), ref->q[0]);
  ref_turn(ref->rest_axis, ref->rest_angle / 2, half);
  ref_quaternion_product(ref->q[0], half, ref->q[1]);
  ref_quaternion_product(ref->q[1], turn, ref->q[1]);
  ref_quaternion_product(ref->q[1], half, ref->q[1]);
  for (int k = 0; k < 2; k++) {
    if (ref->against[k])
      ref_quaternion_product(ref->q[k], undo_half_turn, ref->q[k]);
    if (ref_random(seed) < 0) // the same frame
      for (int i = 0; i < 4; i++)
        ref->q[k][i] *= -1;
  }
}

/// W and dW of a joint, with the sign that the solver's D has: both signs are as good, and the
/// reference, which has no quaternions, does not know of them.
static void joint_rows(const ref_joint *ref, sample *out) {
  double dw[REF_JOINT_ROWS][REF_JOINT_UNKNOWNS];
  ref_joint at_one = *ref;
  viper_real re = viper_joint_turn(&out->joint_rest, out->joint.q_j, out->joint.q_k).d.w;
  at_one.s[1] = 1;
  ref_joint_dw(&at_one, dw);
  memcpy(out->d_twist, dw[2], sizeof dw[2]);
  ref_joint_w(ref, out->w);
  ref_joint_dw(ref, dw);
  for (int row = 0; row < REF_JOINT_ROWS; row++) {
    double sign = re < 0 && row != 3 ? -1 : 1;
    out->w[row] *= sign;
    for (int k = 0; k < REF_JOINT_UNKNOWNS; k++)
      out->dw[row][k] = sign * dw[row][k];
  }
}

static sample joint_sample(const ref_joint *ref, uint64_t *seed) {
  double half[4], turn[4], omega_rest[3], lm = (ref->l[0] + ref->l[1]) / 2;
  ref_turn(ref->rest_axis, ref->rest_angle / 2, half);
  ref_joint_turn(ref, turn, omega_rest);
  viper_joint_rest rest = {.half = viper_quat_conj(to_quat(half)),
                           .flip_j = VIPER_R(ref->against[0] ? -1 : 1),
                           .flip_k = VIPER_R(ref->against[1] ? -1 : 1),
                           .omega_rest = to_vec3(omega_rest),
                           .inv_lm = VIPER_R(1 / lm),
                           .inv_l_j = VIPER_R(1 / ref->l[0]),
                           .inv_l_k = VIPER_R(1 / ref->l[1]),
                           .k_bend = VIPER_R(about_one(seed)),
                           .k_twist = VIPER_R(about_one(seed)),
                           .k_surface_bend = VIPER_R(about_one(seed)),
                           .k_volume_bend = VIPER_R(about_one(seed))};
  sample out = {.joint_rest = rest,
                .joint = {VIPER_R(ref->s[0]), VIPER_R(ref->s[1]), VIPER_R(ref->s[2]),
                          to_quat(ref->q[0]), to_quat(ref->q[1]), viper_isotropic(), false,
                          viper_apart()}};
  joint_rows(ref, &out);
  random_h2a(seed, out.h2a);
  return out;
}

/// Parts of K of both rows of the bending terms: one of each is 1, and some others 0.
static viper_bending random_bending(uint64_t *seed) {
  viper_bending out = viper_isotropic();
  const int softer[2] = {ref_random(seed) < 0, ref_random(seed) < 0};
  const double bend = ref_random(seed), volume_bend = ref_random(seed);
  out.bend[softer[0]] = VIPER_R(fmax(0, bend));
  out.volume_bend[softer[1]] = VIPER_R(fmax(0, volume_bend));
  return out;
}

/// A joint of any orientation, with any rest rotation and up to 170 degrees from rest (at 180 the
/// reference's sign jumps).
static sample random_joint_of_scale(double scale, uint64_t *seed) {
  ref_joint ref = {.l = {about_one(seed), about_one(seed)},
                   .against = {ref_random(seed) < 0, ref_random(seed) < 0},
                   .branch = ref_random(seed) < -0.5,
                   .rest_angle = M_PI / 2 * (1 + ref_random(seed)),
                   .s = {about_one(seed), scale, about_one(seed)}};
  double axis[3], turn[4];
  ref_random_direction(seed, ref.rest_axis);
  ref_random_direction(seed, axis);
  ref_turn(axis, 170 * M_PI / 180 * ref_random(seed), turn);
  place_joint(&ref, turn, seed);
  return joint_sample(&ref, seed);
}

static sample random_joint(uint64_t *seed) {
  return random_joint_of_scale(about_one(seed), seed);
}

/// The same with bending factors.
static sample random_anisotropic_joint(uint64_t *seed) {
  sample out = random_joint(seed);
  out.joint.bending = random_bending(seed);
  return out;
}

static void check_close(const char *what, double got, double want) {
  ck_assert_msg(fabs(got - want) <= TOLERANCE * fmax(1, fabs(want)), "%s is %.17g, not %.17g", what,
                got, want);
}

/// A term's rows within its element, with its columns spread over all unknowns.
typedef struct term_rows {
  const char *name;
  int first, n, n_unknowns;
  double k[3], w[3], dw[3][MOST_UNKNOWNS]; ///< K of each row
} term_rows;

static void check_rows(const sample *s, const term_rows *t) {
  for (int i = 0; i < t->n; i++) {
    check_close(t->name, t->w[i], s->w[t->first + i]);
    for (int k = 0; k < t->n_unknowns; k++)
      check_close(t->name, t->dw[i][k], s->dw[t->first + i][k]);
  }
}

/// Energy K |W|^2 / 2, gradient K dW^T W, twice, and the block K dW^T dW.
static void check_generic(const sample *s, const term_rows *t, double energy, const viper_real *g,
                          const viper_real *g_too, const viper_real *h) {
  double sum = 0;
  int n = t->n_unknowns;
  for (int i = 0; i < t->n; i++)
    sum += t->k[i] * s->w[t->first + i] * s->w[t->first + i];
  check_close(t->name, energy, sum / 2);
  for (int a = 0; a < n; a++) {
    double gradient = 0;
    for (int i = 0; i < t->n; i++)
      gradient += t->k[i] * s->w[t->first + i] * s->dw[t->first + i][a];
    check_close(t->name, (double)g[a], gradient);
    check_close(t->name, (double)g_too[a], gradient);
    for (int b = 0; b <= a; b++) {
      double block = 0;
      for (int i = 0; i < t->n; i++)
        block += t->k[i] * s->dw[t->first + i][a] * s->dw[t->first + i][b];
      check_close(t->name, (double)h[a * n + b], block);
    }
  }
}

/// The multiplier step: (K dW h^2 A^-1 dW^T + 1) dlambda = K W - lambda, and the unknowns move by
/// -h^2 A^-1 dW^T dlambda.
static void check_multiplier(const sample *s, const term_rows *t, const viper_real *before,
                             const viper_real *after, const viper_real *d) {
  double dlambda[3] = {0};
  for (int i = 0; i < t->n; i++)
    dlambda[i] = (double)after[i] - (double)before[i];
  for (int i = 0; i < t->n; i++) {
    const double *row = s->dw[t->first + i];
    double left = dlambda[i], right = t->k[i] * s->w[t->first + i] - (double)before[i];
    for (int j = 0; j < t->n; j++)
      for (int k = 0; k < t->n_unknowns; k++)
        left += t->k[i] * row[k] * (double)s->h2a[k] * s->dw[t->first + j][k] * dlambda[j];
    check_close(t->name, left, right);
  }
  for (int k = 0; k < t->n_unknowns; k++) {
    double move = 0;
    for (int i = 0; i < t->n; i++)
      move -= (double)s->h2a[k] * s->dw[t->first + i][k] * dlambda[i];
    check_close(t->name, (double)d[k], move);
  }
}

/// Which part of its term's K row number `row` of an element has.
static double segment_part_of_row(const viper_segment_state *x, int row) {
  (void)x;
  (void)row;
  return 1;
}

static double joint_part_of_row(const viper_joint_state *x, int row) {
  const viper_real part[REF_JOINT_ROWS] = {
      x->bending.bend[0], x->bending.bend[1],        VIPER_R(1),
      VIPER_R(1),         x->bending.volume_bend[0], x->bending.volume_bend[1]};
  return (double)part[row];
}

/// Everything about one term of one element `kind` with N unknowns; `first` is its first row.
#define CHECK_TERM(name_, NAME, kind, N)                                                           \
  {                                                                                                \
    viper_real w[VIPER_##NAME##_ROWS], dw[VIPER_##NAME##_ROWS][VIPER_##NAME##_COLUMNS];            \
    viper_real g[N] = {0}, g_too[N] = {0}, h[N][N] = {{0}}, d[N], before[3] = {0}, after[3] = {0}; \
    term_rows t = {#name_, first, VIPER_##NAME##_ROWS, N, {0}, {0}, {{0}}};                        \
    viper_##name_(&s->kind##_rest, &s->kind, w, dw);                                               \
    for (int i = 0; i < t.n; i++) {                                                                \
      t.k[i] = (double)s->kind##_rest.k_##name_ * kind##_part_of_row(&s->kind, first + i);         \
      t.w[i] = (double)w[i];                                                                       \
      for (int k = 0; k < VIPER_##NAME##_COLUMNS; k++)                                             \
        t.dw[i][VIPER_##NAME##_COLUMN(k)] = (double)dw[i][k];                                      \
      before[i] = after[i] = VIPER_R(ref_random(seed));                                            \
    }                                                                                              \
    check_rows(s, &t);                                                                             \
    viper_##name_##_add_gradient(&s->kind##_rest, &s->kind, g);                                    \
    viper_##name_##_add_block(&s->kind##_rest, &s->kind, g_too, h);                                \
    check_generic(s, &t, (double)viper_##name_##_energy(&s->kind##_rest, &s->kind), g, g_too,      \
                  &h[0][0]);                                                                       \
    viper_##name_##_multiplier(&s->kind##_rest, &s->kind, s->h2a, after, d);                       \
    check_multiplier(s, &t, before, after, d);                                                     \
    first += VIPER_##NAME##_ROWS;                                                                  \
  }
#define CHECK_SEGMENT_TERM(name, NAME) CHECK_TERM(name, NAME, segment, VIPER_SEGMENT_UNKNOWNS)
#define CHECK_JOINT_TERM(name, NAME)   CHECK_TERM(name, NAME, joint, VIPER_JOINT_UNKNOWNS)

static void check_segment(const sample *s, uint64_t *seed) {
  int first = 0;
  VIPER_SEGMENT_TERMS(CHECK_SEGMENT_TERM)
}

static void check_joint(const sample *s, uint64_t *seed) {
  int first = 0;
  VIPER_JOINT_TERMS(CHECK_JOINT_TERM)
}

START_TEST(segment_terms_match_the_reference) {
  uint64_t seed = 1;
  for (int i = 0; i < N_SAMPLES; i++) {
    sample s = random_segment(&seed);
    check_segment(&s, &seed);
  }
}
END_TEST

START_TEST(joint_terms_match_the_reference) {
  uint64_t seed = 2;
  for (int i = 0; i < N_SAMPLES; i++) {
    sample s = i % 2 ? random_anisotropic_joint(&seed) : random_joint(&seed);
    check_joint(&s, &seed);
  }
}
END_TEST

static inline TCase *energy_cases(void) {
  TCase *c = tcase_create("terms");
  tcase_add_test(c, segment_terms_match_the_reference);
  tcase_add_test(c, joint_terms_match_the_reference);
  return c;
}

#endif
