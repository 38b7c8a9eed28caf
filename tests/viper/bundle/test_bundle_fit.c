// SPDX-License-Identifier: GPL-3.0-or-later
/// Bundles: the similarity that fits a cross-section, and the torsion of fused ones.
/// Covers: src/viper/bundle/*.[ch] src/viper/model/section_torsion.*
#include "cuda/cuda_bundle_cases.h"
#include "scene/rotation.h"
#include "viper/bundle/bundle_fit.h"
#include "viper/model/section_torsion.h"

#define RADIUS  0.05
#define MEMBERS 3

/// Random places about those of bundle 0 of `b` at rest, moved by the similarity (`rotation`,
/// `scale`, `shift`).
static void make_places(const viper_bundles *b, const double rotation[4], double scale,
                        const double shift[3], double noise, uint64_t *seed,
                        viper_bundle_place *place) {
  viper_bundle_transform t = {.scale = scale};
  memcpy(t.mean, shift, sizeof t.mean);
  memcpy(t.rotation, rotation, sizeof t.rotation);
  for (int i = 0; i < MEMBERS; i++) {
    place[i] = viper_bundle_goal(&b->member[i], &t);
    place[i].scale += noise * scenes_random(seed);
    for (int k = 0; k < 3; k++)
      place[i].middle[k] += 0.1 * noise * scenes_random(seed);
    for (int k = 0; k < 4; k++)
      place[i].frame[k] += noise * scenes_random(seed);
    double norm = vb_quaternion_norm(place[i].frame);
    for (int k = 0; k < 4; k++)
      place[i].frame[k] /= norm;
  }
}

/// The columns (r/2) s u, (r/2) s v, c - mean of a place, without the radius of its member.
static void columns(const viper_bundle_place *p, const double mean[3], double half_r,
                    double out[3][3]) {
  for (int axis = 0; axis < 2; axis++) {
    vb_frame_axis(p->frame, axis, out[axis]);
    for (int k = 0; k < 3; k++)
      out[axis][k] *= half_r * p->scale;
  }
  for (int k = 0; k < 3; k++)
    out[2][k] = p->middle[k] - mean[k];
}

/// Eq. 33 with the columns of the disc: what the fit minimizes.
static double misfit(const viper_bundles *b, const viper_bundle_place *place,
                     const viper_bundle_transform *t) {
  double sum = 0;
  for (int i = 0; i < MEMBERS; i++) {
    const viper_bundle_member *m = &b->member[i];
    viper_bundle_place goal = viper_bundle_goal(m, t);
    double now[3][3], then[3][3], half_r = sqrt(m->disc);
    columns(&place[i], t->mean, half_r, now);
    columns(&goal, t->mean, half_r, then);
    for (int c = 0; c < 3; c++)
      for (int k = 0; k < 3; k++)
        sum += m->mass * (now[c][k] - then[c][k]) * (now[c][k] - then[c][k]);
  }
  return sum;
}

typedef struct band {
  vb_scene *scene;
  viper_model *model;
  viper_bundles bundles;
} band;

static band band_open(void) {
  vb_builder *b = fixture_builder();
  bundle_band(b, MEMBERS, 2, 0, &scenes_rubber);
  band out = {.scene = fixture_freeze(b)};
  ck_assert_int_eq(viper_model_create(out.scene, true, &out.model, NULL), VB_OK);
  ck_assert_int_eq(viper_bundles_create(out.model, VIPER_SCALED_BUNDLES, &out.bundles, NULL),
                   VB_OK);
  ck_assert_uint_eq(out.bundles.n, 2);
  return out;
}

static void band_close(band *b) {
  viper_bundles_destroy(&b->bundles);
  viper_model_destroy(b->model);
  free(b->scene);
}

static void random_rotation(uint64_t *seed, double q[4]) {
  double norm;
  do {
    for (int k = 0; k < 4; k++)
      q[k] = scenes_random(seed);
    norm = vb_quaternion_norm(q);
  } while (!(norm > 0.1));
  for (int k = 0; k < 4; k++)
    q[k] /= norm;
}

START_TEST(a_known_similarity_is_recovered) {
  band b = band_open();
  uint64_t seed = 3;
  for (int n = 0; n < 100; n++) {
    double q[4], shift[3] = {n, -2.0 * n, 0.5}, r[3][3], found[3][3];
    double scale = 1.5 + scenes_random(&seed);
    viper_bundle_place place[MEMBERS];
    random_rotation(&seed, q);
    make_places(&b.bundles, q, scale, shift, 0, &seed, place);
    viper_bundle_transform t = viper_bundle_fit(&b.bundles.bundle[0], b.bundles.member, place);
    viper_rotation_matrix(q, r);
    viper_rotation_matrix(t.rotation, found);
    // The shift, up to 220 m, leaves errors of 1e-14 m in middles some 0.1 m apart.
    ck_assert_double_eq_tol(t.scale, scale, 1e-12);
    for (int i = 0; i < 9; i++)
      ck_assert_double_eq_tol(found[i / 3][i % 3], r[i / 3][i % 3], 1e-12);
    for (int k = 0; k < 3; k++)
      ck_assert_double_eq_tol(t.mean[k], shift[k], 1e-12);
  }
  band_close(&b);
}
END_TEST

/// Eq. 35 as printed divides by the products of places at rest with places now.
static double printed_scale(const viper_bundles *b, const viper_bundle_place *place,
                            const viper_bundle_transform *t) {
  static const double zero[3] = {0}, unit[4] = {1};
  viper_bundle_transform turned = *t, rest = {.scale = 1};
  memcpy(rest.rotation, unit, sizeof unit);
  memcpy(turned.mean, zero, sizeof zero);
  turned.scale = 1;
  double above = 0, below = 0;
  for (int i = 0; i < MEMBERS; i++) {
    const viper_bundle_member *m = &b->member[i];
    viper_bundle_place bar = viper_bundle_goal(m, &rest), goal = viper_bundle_goal(m, &turned);
    double now[3][3], then[3][3], start[3][3], half_r = sqrt(m->disc);
    columns(&place[i], t->mean, half_r, now);
    columns(&goal, zero, half_r, then);
    columns(&bar, zero, half_r, start);
    for (int c = 0; c < 3; c++) {
      above += m->mass * vb_dot(then[c], now[c]);
      below += m->mass * vb_dot(start[c], now[c]);
    }
  }
  return above / below;
}

START_TEST(eq_35_as_printed_loses_the_scale) {
  band b = band_open();
  const double q[4] = {0.8, 0.6, 0, 0}, shift[3] = {0};
  double found[2];
  for (int n = 0; n < 2; n++) {
    uint64_t seed = 1;
    viper_bundle_place place[MEMBERS];
    make_places(&b.bundles, q, n ? 2 : 0.7, shift, 0, &seed, place);
    viper_bundle_transform t = viper_bundle_fit(&b.bundles.bundle[0], b.bundles.member, place);
    ck_assert_double_eq_tol(t.scale, n ? 2 : 0.7, 1e-14); // rounding
    found[n] = printed_scale(&b.bundles, place, &t);
  }
  // The scale cancels: what is left tells of the rotation alone.
  ck_assert_double_eq_tol(found[0], found[1], 1e-13);
  ck_assert_double_gt(fabs(found[0] - 1), 0.1);
  band_close(&b);
}
END_TEST

START_TEST(the_fit_is_a_minimum) {
  band b = band_open();
  uint64_t seed = 7;
  for (int n = 0; n < 200; n++) {
    double q[4], shift[3] = {0.1, 0.2, 0.3};
    viper_bundle_place place[MEMBERS];
    random_rotation(&seed, q);
    make_places(&b.bundles, q, 1.2, shift, 0.5, &seed, place);
    viper_bundle_transform t = viper_bundle_fit(&b.bundles.bundle[0], b.bundles.member, place);
    double least = misfit(&b.bundles, place, &t);
    for (int trial = 0; trial < 20; trial++) {
      viper_bundle_transform other = t;
      double size = trial % 2 ? 1e-3 : 1, turn[4] = {1}, norm;
      other.scale += size * scenes_random(&seed);
      for (int k = 0; k < 3; k++)
        turn[k + 1] = size * scenes_random(&seed);
      vb_quaternion_multiply(turn, t.rotation, other.rotation);
      norm = vb_quaternion_norm(other.rotation);
      for (int k = 0; k < 4; k++)
        other.rotation[k] /= norm;
      ck_assert_double_gt(misfit(&b.bundles, place, &other), least);
    }
  }
  band_close(&b);
}
END_TEST

/// With S = 1 a section turned and scaled by S is missed by (S - 1)^2 times its norm.
START_TEST(a_rigid_fit_misses_the_scale_alone) {
  band b = band_open();
  uint64_t seed = 11;
  for (int n = 0; n < 50; n++) {
    double q[4], shift[3] = {0.1, 0.2, 0.3}, scale = 1.5 + scenes_random(&seed);
    viper_bundle_place place[MEMBERS];
    viper_bundle rigid = b.bundles.bundle[0];
    rigid.rigid = true;
    random_rotation(&seed, q);
    make_places(&b.bundles, q, scale, shift, 0, &seed, place);
    viper_bundle_transform t = viper_bundle_fit(&b.bundles.bundle[0], b.bundles.member, place);
    double with_scale = misfit(&b.bundles, place, &t);
    t = viper_bundle_fit(&rigid, b.bundles.member, place);
    double expected = (scale - 1) * (scale - 1) * rigid.rest_norm;
    ck_assert(t.scale == 1);
    // Rounding of the columns, squared and not.
    ck_assert_double_lt(with_scale, 1e-24 * rigid.rest_norm);
    ck_assert_double_eq_tol(misfit(&b.bundles, place, &t), expected, 1e-12 * rigid.rest_norm);
  }
  band_close(&b);
}
END_TEST

/// Greatest difference of two sets of places: middles, scales, frames up to their sign.
static double apart(const viper_bundle_place *a, const viper_bundle_place *b) {
  double most = 0;
  for (int i = 0; i < MEMBERS; i++) {
    most = fmax(most, fabs(a[i].scale - b[i].scale));
    for (int k = 0; k < 3; k++)
      most = fmax(most, fabs(a[i].middle[k] - b[i].middle[k]));
    double dot = 0;
    for (int k = 0; k < 4; k++)
      dot += a[i].frame[k] * b[i].frame[k];
    for (int k = 0; k < 4; k++)
      most = fmax(most, fabs(a[i].frame[k] - copysign(1, dot) * b[i].frame[k]));
  }
  return most;
}

/// Where a solid bundle wants its members, it leaves them: with their own tilts and scales.
START_TEST(a_solid_bundle_leaves_tilts_and_scales_apart) {
  band b = band_open();
  uint64_t seed = 13;
  viper_bundle solid = b.bundles.bundle[0];
  solid.solid = true;
  for (int n = 0; n < 100; n++) {
    double q[4], shift[3] = {0.1, 0.2, 0.3};
    viper_bundle_place place[MEMBERS], goal[MEMBERS], again[MEMBERS], one[MEMBERS];
    random_rotation(&seed, q);
    make_places(&b.bundles, q, 1.1, shift, 0.2, &seed, place);
    viper_bundle_goals(&solid, b.bundles.member, place, goal);
    viper_bundle_goals(&solid, b.bundles.member, goal, again);
    viper_bundle_goals(&b.bundles.bundle[0], b.bundles.member, goal, one);
    ck_assert_double_lt(apart(goal, again), 1e-12); // rounding of the fit
    ck_assert_double_gt(apart(goal, one), 1e-3);    // a published bundle has one frame, one scale
  }
  band_close(&b);
}
END_TEST

/// Adds the angular momentum of a displacement about the origin, in which the discs take part with
/// their inertia, m r^2/4 (1, 1, 2).
static void add_angular_momentum(const viper_bundle_member *m, const viper_bundle_place *from,
                                 const viper_bundle_place *to, double sum[3]) {
  double way[3], own[3], back[4], turn[4], axis[3];
  for (int k = 0; k < 3; k++)
    way[k] = to->middle[k] - from->middle[k];
  vb_cross(from->middle, way, own);
  for (int k = 0; k < 4; k++)
    back[k] = (k ? -1 : 1) * from->frame[k];
  vb_quaternion_multiply(to->frame, back, turn);
  vb_frame_axis(from->frame, 2, axis);
  const double sign = turn[0] < 0 ? -2 : 2, about = sign * vb_dot(turn + 1, axis);
  for (int k = 0; k < 3; k++)
    sum[k] += m->mass * (own[k] + m->disc * (sign * turn[k + 1] + about * axis[k]));
}

START_TEST(displacements_keep_angular_momentum) {
  band b = band_open();
  uint64_t seed = 17;
  viper_bundle bundle = b.bundles.bundle[0];
  bundle.solid = _i;
  for (int n = 0; n < 50; n++) {
    const double noise = 1e-4;
    double q[4], shift[3] = {0, 0, 0}, sum[3] = {0, 0, 0};
    viper_bundle_place place[MEMBERS], goal[MEMBERS];
    random_rotation(&seed, q);
    make_places(&b.bundles, q, 1, shift, noise, &seed, place);
    viper_bundle_goals(&bundle, b.bundles.member, place, goal);
    for (int i = 0; i < MEMBERS; i++)
      add_angular_momentum(&b.bundles.member[i], &place[i], &goal[i], sum);
    // To second order in the displacements; their parts are of the size of noise times this.
    for (int k = 0; k < 3; k++)
      ck_assert_double_lt(fabs(sum[k]), 10 * noise * noise * bundle.mass * RADIUS);
  }
  band_close(&b);
}
END_TEST

/// Saint-Venant's estimate against the torsion constants of the squares that the rods stand for,
/// 0.1406 of the fourth power of a square's side, and 0.2633 W T^3 of one three times as wide.
START_TEST(sections_have_the_torsion_of_fused_rods) {
  const double area[4] = {1, 1, 1, 1}, rod = 1 / (2 * M_PI);
  const double row[3][3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  const double square[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  const viper_section one = viper_section_of(1, row, area), three = viper_section_of(3, row, area);
  const viper_section four = viper_section_of(4, square, area);
  ck_assert_double_eq(one.torsion, 1);
  ck_assert_double_eq(one.spread, 0);
  ck_assert_double_eq_tol(3 * rod * three.torsion, 0.2633 * 3, 0.05 * 0.79);
  ck_assert_double_eq_tol(three.spread, 2. / 3, 1e-15);
  ck_assert_double_eq_tol(4 * rod * four.torsion, 0.1406 * 16, 0.08 * 2.25);
  ck_assert_double_eq_tol(four.spread, 0.5, 1e-15);
}
END_TEST

/// Three bars of two segments that touch, each cross-section a bundle; the last slants.
static vb_scene *touching(bool solid, double slant, double *across) {
  vb_builder *b = fixture_builder();
  for (int k = 0; k < 3; k++)
    for (int i = 0; i <= 2; i++) {
      int32_t at = fixture_node(b, i, 2 * RADIUS * k + (k == 2 ? slant * i : 0), 0, RADIUS);
      if (i > 0)
        scenes_segment(b, at - 1, at, &scenes_rubber);
    }
  for (int j = 0; j < 6; j++)
    fixture_add(b, VB_SET_BUNDLE, &(vb_bundled){j / 3, 2 * (j % 3) + j / 3});
  if (solid)
    scenes_solidify(b, 1);
  size_t n;
  const vb_segment *segment = vb_builder_elements(b, VB_SET_SEGMENT, &n);
  *across = solid ? 2 * segment->shear : segment->stiffness[VB_KX] + segment->stiffness[VB_KY];
  return fixture_freeze(b);
}

START_TEST(joints_of_a_solid_bundle_twist_as_its_section) {
  const double area[3] = {1, 1, 1}, apart = 2 / sqrt(M_PI);
  const double middle[3][3] = {{0, 0, 0}, {apart, 0, 0}, {2 * apart, 0, 0}};
  const double factor = viper_section_of(3, middle, area).torsion;
  const double spread = 2. / 3 * pow(2 * RADIUS, 2);
  ck_assert_double_gt(factor, 1.3);
  for (int solid = 0; solid < 2; solid++) {
    double across;
    vb_scene *scene = touching(solid, 0, &across);
    viper_model *model;
    ck_assert_int_eq(viper_model_create(scene, true, &model, NULL), VB_OK);
    const double right = M_PI * pow(RADIUS, 4) / 4 * across * (solid ? factor : 1); // lm is 1
    for (int t = 0; t < 3; t++)
      ck_assert_double_eq_tol(model->joint[t].k[VIPER_TERM_TWIST], right, 1e-12 * right);
    ck_assert_int_eq(model->fused != NULL, solid);
    for (int t = 0; solid && t < 3; t++) {
      ck_assert_double_eq_tol(model->fused[t][0], 1 - 1 / factor, 1e-12);
      ck_assert_double_eq_tol(model->fused[t][1], 2.25 * spread, 1e-12 * spread);
    }
    viper_model_destroy(model);
    free(scene);
  }
}
END_TEST

START_TEST(rods_are_fused_where_solid_and_parallel) {
  const double slant[3] = {0, 0, 1e-3};
  for (int k = 0; k < 3; k++) {
    double across;
    size_t n;
    vb_scene *scene = touching(k > 0, slant[k], &across);
    const vb_bundled *member = vb_scene_bundled(scene, &n);
    ck_assert_int_eq(viper_is_fused(scene, member, 3), k == 1);
    free(scene);
  }
}
END_TEST

static TCase *fit_case(void) {
  TCase *test = tcase_create("fit");
  tcase_add_test(test, a_known_similarity_is_recovered);
  tcase_add_test(test, eq_35_as_printed_loses_the_scale);
  tcase_add_test(test, the_fit_is_a_minimum);
  tcase_add_test(test, a_rigid_fit_misses_the_scale_alone);
  tcase_add_test(test, a_solid_bundle_leaves_tilts_and_scales_apart);
  tcase_add_loop_test(test, displacements_keep_angular_momentum, 0, 2);
  tcase_add_test(test, sections_have_the_torsion_of_fused_rods);
  tcase_add_test(test, rods_are_fused_where_solid_and_parallel);
  tcase_add_test(test, joints_of_a_solid_bundle_twist_as_its_section);
  return test;
}

VB_TEST_MAIN("bundle fit", fit_case())
