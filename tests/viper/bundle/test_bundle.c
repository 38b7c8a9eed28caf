// SPDX-License-Identifier: GPL-3.0-or-later
/// Bundles: the similarity that fits a cross-section, and steps of bundled rods.
/// Covers: src/viper/bundle/*.[ch] src/viper/cpu/bundle_real.c src/viper/model/section_torsion.*
/// Covers: src/viper/cpu/bundle_penalty_real.c src/viper/cpu/bundle_newton_real.c
/// Covers: src/viper/cpu/batch/gathered* src/viper/cpu/core/gathered.h
/// Covers: src/viper/backend/gathered_groups.h
#include "cuda/cuda_bundle_cases.h"
#include "handle.h"
#include "scene/rotation.h"
#include "scenes/scenes.h"
#include "viper/bundle/bundle_fit.h"
#include "viper/model/section_torsion.h"

#define RADIUS  0.05
#define MEMBERS 3

/// Parallel bars of `n` segments along x, `MEMBERS` of them at y = 0, 0.15, 0.3, the thicker the
/// farther; each cross-section a bundle.
static void add_band(vb_builder *b, int n, double z, const scenes_material *m) {
  size_t nodes, segments, bundled;
  vb_builder_elements(b, VB_SET_NODE, &nodes);
  vb_builder_elements(b, VB_SET_SEGMENT, &segments);
  const vb_bundled *before = vb_builder_elements(b, VB_SET_BUNDLE, &bundled);
  int32_t bundle = bundled ? before[bundled - 1].bundle + 1 : 0;
  for (int k = 0; k < MEMBERS; k++)
    for (int i = 0; i <= n; i++) {
      int32_t at = fixture_node(b, 1.0 * i / n, 0.15 * k, z, RADIUS * (1 + 0.1 * k));
      if (i > 0)
        scenes_segment(b, at - 1, at, m);
    }
  for (int j = 0; j < n; j++)
    for (int k = 0; k < MEMBERS; k++)
      fixture_add(b, VB_SET_BUNDLE, &(vb_bundled){bundle + j, (int32_t)segments + k * n + j});
}

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
  add_band(b, 2, 0, &scenes_rubber);
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

static const char *const methods[] = {"direct", "xpbd"};

/// Greatest difference of rotation and scale between members of a cross-section, relative to rest;
/// rest frames are all alike.
static double disunity(const handle *s, int n) {
  double *frame = handle_read(s, "frame"), *scale = handle_read(s, "scale"), most = 0;
  for (int j = 0; j < n; j++)
    for (int k = 1; k < MEMBERS; k++) {
      double a[3][3], b[3][3];
      viper_rotation_matrix(frame + 4 * j, a);
      viper_rotation_matrix(frame + 4 * (k * n + j), b);
      for (int i = 0; i < 9; i++)
        most = fmax(most, fabs(a[i / 3][i % 3] - b[i / 3][i % 3]));
      size_t at = (size_t)k * ((size_t)n + 1) + (size_t)j;
      double own = 0.5 * (scale[j] + scale[j + 1]), other = 0.5 * (scale[at] + scale[at + 1]);
      most = fmax(most, fabs(own - other));
    }
  free(frame);
  free(scale);
  return most;
}

START_TEST(a_free_band_keeps_its_momentum_and_moves_as_one) {
  enum { N = 6, STEPS = 50 };
  vb_builder *b = scenes_begin(0.005, 9.81);
  add_band(b, N, 0, &scenes_rubber);
  scenes_disturb(b, 0.01, 0.2, 5);
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open(scene, "method", methods[_i], "iterations", "10", NULL);
  double *mass = handle_read(&s, "mass"), sum = 0, before[3], after[3];
  for (size_t i = 0; i < vb_scene_count(scene, VB_SET_NODE); i++)
    sum += mass[i];
  for (size_t k = 0; k < 3; k++)
    before[k] = handle_value(&s, "momentum", k);
  double apart = disunity(&s, N);
  handle_step(&s, STEPS);
  for (size_t k = 0; k < 3; k++)
    after[k] = handle_value(&s, "momentum", k);
  before[2] -= sum * 9.81 * 0.005 * STEPS;
  // Every displacement of a bundle is balanced to rounding; there are some 1e5 of them.
  for (int k = 0; k < 3; k++)
    ck_assert_double_eq_tol(after[k], before[k], 1e-10 * sum);
  // Frames are exactly one; scales as far as the mean over two cross-sections lets them.
  ck_assert_double_gt(apart, 5e-3);
  ck_assert_double_lt(disunity(&s, N), 0.05 * apart);
  free(mass);
  handle_close(&s);
  free(scene);
}
END_TEST

START_TEST(rigid_motion_causes_no_bundle_forces) {
  enum { N = 4 };
  double *end[2];
  for (int bundles = 0; bundles < 2; bundles++) {
    vb_builder *b = scenes_begin(0.005, 9.81);
    add_band(b, N, 0, &scenes_rubber);
    size_t n;
    vb_node *node = vb_builder_elements(b, VB_SET_NODE, &n);
    for (size_t i = 0; i < n; i++)
      node[i].velocity[1] = 3;
    if (!bundles) { // the same scene, each segment in no bundle
      vb_builder *plain = scenes_begin(0.005, 9.81);
      for (size_t i = 0; i < n; i++)
        fixture_add(plain, VB_SET_NODE, &node[i]);
      const vb_segment *segment = vb_builder_elements(b, VB_SET_SEGMENT, &n);
      for (size_t j = 0; j < n; j++)
        fixture_add(plain, VB_SET_SEGMENT, &segment[j]);
      vb_builder_destroy(b);
      b = plain;
    }
    vb_scene *scene = fixture_freeze(b);
    handle s = handle_open(scene, "method", methods[_i], NULL);
    handle_step(&s, 40);
    end[bundles] = handle_read(&s, "position");
    handle_close(&s);
    free(scene);
  }
  for (int i = 0; i < 3 * MEMBERS * (N + 1); i++)
    ck_assert_double_eq_tol(end[0][i], end[1][i], 1e-12); // rounding of 400 fits at a meter
  free(end[0]);
  free(end[1]);
}
END_TEST

/// Two bars at y = 0.15 and -0.15 along x, held by the centers of their ends, one end turned about
/// x by `angle`.
static vb_scene *twisted(int n, double angle) {
  const double keys[][2] = {{0, 0}, {1, angle}};
  vb_builder *b = scenes_begin(0.01, 0);
  vb_builder_world(b)->damping = 4;
  int32_t wall = scenes_wall(b, "wall");
  vb_driver hand = {.name = "hand", .axis = {1, 0, 0}, .translation = {-1, -1, -1}};
  hand.angle = scenes_curve(b, VB_CUBIC, 2, keys);
  int32_t turned = fixture_add(b, VB_SET_DRIVER, &hand);
  for (int k = 0; k < 2; k++)
    for (int i = 0; i <= n; i++) {
      int32_t at = fixture_node(b, 1.0 * i / n, k ? 0.15 : -0.15, 0, RADIUS);
      if (i > 0)
        scenes_segment(b, at - 1, at, &scenes_no_surface);
      if (i == 0 || i == n)
        scenes_pin_node(b, at, VB_PIN_CENTER | VB_PIN_SCALE, i ? turned : wall);
    }
  for (int j = 0; j < n; j++)
    for (int k = 0; k < 2; k++)
      fixture_add(b, VB_SET_BUNDLE, &(vb_bundled){j, k * n + j});
  return fixture_freeze(b);
}

/// Cross-sections that stay whole shear the rods against each other: each resists with
/// pi r^2 (kz + kv) d^2 per unit of twist, and with little torsion of its own, (kx + ky) pi r^4/4.
START_TEST(twisting_a_bundle_shears_its_rods) {
  enum { N = 8 };
  const double angle = 0.05, d = 0.15, *k = scenes_no_surface.stiffness;
  double area = M_PI * RADIUS * RADIUS, own = area * RADIUS * RADIUS / 4;
  const bool newton = _i == 2;
  double shear = 2 * area * (k[VB_KZ] + k[VB_KV]) * d * d * angle;
  double torsion = 2 * own * (k[VB_KX] + k[VB_KY]) * angle;
  vb_scene *scene = twisted(N, angle);
  handle s = handle_open(scene, "method", newton ? "direct" : methods[_i], "substeps", "4",
                         "tolerance", newton ? "1e-8" : "0", "iterations", "20", "bundle_solve",
                         newton ? "newton" : "impulses", NULL);
  double force[6], torque[6];
  handle_step(&s, 200);
  ck_assert_int_eq(s.solver->reactions(s.self, force, torque, NULL), VB_OK);
  printf("%s: torque %.6g and %.6g, shear %.6g, torsion %.6g, residual %.2g\n",
         newton ? "newton" : methods[_i], torque[0], torque[3], shear, torsion,
         handle_residual(&s));
  // Between shear alone and shear with all of the torsion, of which the ends give up a part; with
  // what twenty iterations leave open, which is the difference between the two ends at most; by
  // Newton's method what still sways after 2 s, 1.3e-5.
  double open = (newton ? 1e-4 : 0.005) * shear;
  ck_assert_double_gt(torque[3], shear - open);
  ck_assert_double_lt(torque[3], shear + torsion + open);
  ck_assert_double_eq_tol(torque[0], -torque[3], open);
  handle_close(&s);
  free(scene);
}
END_TEST

START_TEST(threads_do_not_change_bundles) {
  vb_builder *b = scenes_begin(0.01, 9.81);
  for (int k = 0; k < 12; k++)
    add_band(b, 8, k, &scenes_rubber); // 288 members: enough for threads
  scenes_disturb(b, 0.01, 0.2, 5);
  vb_scene *scene = fixture_freeze(b);
  static const char *const threads[] = {"1", "2", "5"};
  handle s[3];
  for (int k = 0; k < 3; k++) {
    s[k] = handle_open(scene, "method", _i < 4 ? methods[_i % 2] : "direct", "threads", threads[k],
                       "iterations", "3", "precision",
                       _i < 2 || _i == 4 || _i == 6 ? "double" : "float", "bundle_solve",
                       _i < 4   ? "impulses"
                       : _i < 6 ? "penalty"
                                : "newton",
                       NULL);
    handle_step(&s[k], 5);
    ck_assert(handle_same(&s[0], &s[k]));
  }
  void *state = handle_save(&s[1]);
  handle_step(&s[2], 1); // what is not restored is another one's
  ck_assert_int_eq(s[2].solver->restore(s[2].self, state, NULL), VB_OK);
  handle_step(&s[1], 3);
  handle_step(&s[2], 3);
  ck_assert(handle_same(&s[1], &s[2]));
  free(state);
  for (int k = 0; k < 3; k++)
    handle_close(&s[k]);
  free(scene);
}
END_TEST

/// More iterations bring the residual of a bundled step down, towards what the method can reach.
START_TEST(the_residual_falls_with_iterations) {
  static const char *const iterations[] = {"2", "8", "32"};
  double residual[3];
  vb_scene *scene = twisted(6, 0.5);
  for (int k = 0; k < 3; k++) {
    handle s = handle_open(scene, "method", _i < 2 ? methods[_i] : "direct", "iterations",
                           iterations[k], "tolerance", "0", "substeps", "4", "bundle_solve",
                           _i < 2 ? "impulses" : "penalty", NULL);
    handle_step(&s, 50);
    residual[k] = handle_residual(&s);
    handle_close(&s);
  }
  printf("%s: residuals %.2g %.2g %.2g\n", _i < 2 ? methods[_i] : "direct, penalty", residual[0],
         residual[1], residual[2]);
  ck_assert_double_lt(residual[1], residual[0]);
  ck_assert_double_lt(residual[2], residual[1]);
  if (_i == 2)
    ck_assert_double_lt(residual[2], 1e-3); // as asked of twenty iterations
  free(scene);
}
END_TEST

/// By a penalty both methods come to one state, on chains that block descent alone would sweep as
/// lines, with copies of the rest data.
START_TEST(methods_agree_on_long_chains_by_a_penalty) {
  static const char *const both[] = {"direct", "block-descent"};
  double *position[2];
  vb_builder *b = scenes_begin(0.01, 9.81);
  const int32_t wall = scenes_wall(b, "wall");
  add_band(b, 12, 0, &scenes_rubber);
  for (int k = 0; k < MEMBERS; k++)
    scenes_pin_node(b, k * 13, VB_PIN_CENTER, wall);
  vb_scene *scene = fixture_freeze(b);
  for (int k = 0; k < 2; k++) {
    handle s = handle_open(scene, "method", both[k], "iterations", "100", "tolerance", "0",
                           "substeps", "4", "bundle_solve", "penalty", NULL);
    handle_step(&s, 10);
    position[k] = handle_read(&s, "position");
    printf("%s: residual %.2g\n", both[k], handle_residual(&s));
    ck_assert_double_lt(handle_residual(&s), 1e-3); // as asked of twenty iterations
    handle_close(&s);
  }
  for (size_t i = 0; i < 3 * vb_scene_count(scene, VB_SET_NODE); i++)
    ck_assert_double_eq_tol(position[0][i], position[1][i], 1e-4); // of a band of 1 m
  free(position[0]);
  free(position[1]);
  free(scene);
}
END_TEST

/// The state of two bands that were thrown at each other, by `solve` with the method and iterations
/// that are given: checks momentum, and that contact held.
static double *thrown(const vb_scene *scene, const char *method, const char *solve,
                      const char *iterations) {
  enum { STEPS = 8 };
  const bool newton = strcmp(solve, "newton") == 0;
  handle s = handle_open(scene, "method", method, "iterations", iterations, "substeps", "4",
                         "tolerance", newton ? "1e-8" : "0", "bundle_solve", solve, "contact_solve",
                         newton ? "newton" : "passes", NULL);
  double before[3], after[3], *mass = handle_read(&s, "mass"), sum = 0, deepest = 0;
  for (size_t i = 0; i < vb_scene_count(scene, VB_SET_NODE); i++)
    sum += mass[i];
  for (size_t k = 0; k < 3; k++)
    before[k] = handle_value(&s, "momentum", k);
  for (int step = 0; step < STEPS; step++) {
    handle_step(&s, 1);
    deepest = fmax(deepest, handle_value(&s, "penetration", 0));
  }
  for (size_t k = 0; k < 3; k++)
    after[k] = handle_value(&s, "momentum", k);
  printf("%s, %s: penetration %.2g, momentum %.2g %.2g %.2g, residual %.2g\n", method, solve,
         deepest, after[0] - before[0], after[1] - before[1], after[2] - before[2],
         handle_residual(&s));
  fflush(stdout);
  // Each of some 1e5 displacements is balanced to rounding, 1e-16 m; over a substep these are
  // velocities, which multipliers add up: 3e-10 m/s of all was seen. Block descent keeps momentum
  // as far as it has converged: 3e-7 m/s.
  const double most = strcmp(method, "direct") == 0 ? 3e-9 : 2e-6;
  for (int k = 0; k < 3; k++)
    ck_assert_double_eq_tol(after[k], before[k], most * sum);
  ck_assert_double_lt(deepest, 0.02 * RADIUS); // what iterations leave open
  // 2.5e-3 was seen; 0.06 where predictions have pushes by the inertia with the penalty.
  ck_assert_double_lt(handle_residual(&s), newton ? 1e-7 : 0.01);
  if (newton) // where the step ends, another one has nothing to do
    ck_assert_double_lt(handle_value(&s, "newton_step", 0), 1e-8);
  double *position = handle_read(&s, "position");
  free(mass);
  handle_close(&s);
  return position;
}

/// Bundles by a penalty or Newton's method in contact: momentum is kept, and the state is that by
/// impulses.
START_TEST(bands_in_contact_agree) {
  enum { RODS = 3, N = 6, WAYS = 3 };
  vb_builder *b = scenes_begin(0.005, 0);
  bundle_band(b, RODS, N, 0, &scenes_rubber);
  bundle_cross(b, RODS, N, 0.13, -2);
  contact_add(b, 0.3, false);
  vb_scene *scene = fixture_freeze(b);
  double *by[] = {
      thrown(scene, "direct", "impulses", "200"), thrown(scene, "direct", "penalty", "60"),
      thrown(scene, "block-descent", "penalty", "100"), thrown(scene, "direct", "newton", "40")};
  double most[WAYS] = {0};
  for (size_t i = 0; i < 3 * vb_scene_count(scene, VB_SET_NODE); i++)
    for (int k = 0; k < WAYS; k++)
      most[k] = fmax(most[k], fabs(by[k + 1][i] - by[0][i]));
  printf("farthest node from impulses: %.2g by direct, %.2g by block-descent, %.2g by newton\n",
         most[0], most[1], most[2]);
  for (int k = 0; k < WAYS; k++)
    ck_assert_double_lt(most[k], 0.01 * 0.08); // of the 0.08 m that the second band went: 0.4 %
  for (int k = 0; k <= WAYS; k++)
    free(by[k]);
  free(scene);
}
END_TEST

/// The force of each of two half-planes on a band that they press: they touch its thickest rod
/// alone, and the bundles shrink the others by the same scale s, at which rods are free to be as
/// long as they like. Half-planes do the work that the energy of all then takes: 2 F r ds = -dE.
/// By eqs. 11, 12 and 18, E is half of sum A l (kz (t - 1)^2 + (kx + ky) (s - 1)^2 + kv (s^2 t -
/// 1)^2), the least of all stretches t.
static double pressing(double scale, const scenes_material *m) {
  const double kz = m->stiffness[2], kv = m->stiffness[5],
               across = m->stiffness[0] + m->stiffness[1];
  const double s2 = scale * scale, stretch = (kz + kv * s2) / (kz + kv * s2 * s2);
  double volume = 0, thickest = 0;
  for (int k = 0; k < MEMBERS; k++) { // of bars of 1 m
    thickest = 0.05 * (1 + 0.1 * k);
    volume += acos(-1) * thickest * thickest;
  }
  return -volume * (across * (scale - 1) + 2 * kv * (s2 * stretch - 1) * scale * stretch) /
         (2 * thickest);
}

START_TEST(half_planes_press_bundles_as_their_energy_says) {
  const double scale = 0.97;
  const bool newton = _i == 4;
  vb_builder *b = scenes_begin(0.01, 0);
  vb_builder_world(b)->damping = 20;
  bundle_band(b, MEMBERS, 2, 0, &scenes_rubber);
  for (int side = -1; side <= 1; side += 2)
    fixture_add(b, VB_SET_HALF_PLANE,
                &(vb_half_plane){.normal = {0, 0, side}, .offset = -0.06 * scale});
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open(scene, "method", _i % 2 ? "block-descent" : "direct", "iterations", "60",
                         "substeps", "4", "tolerance", newton ? "1e-8" : "0", "bundle_solve",
                         newton   ? "newton"
                         : _i < 2 ? "penalty"
                                  : "impulses",
                         "contact_solve", newton ? "newton" : "passes", NULL);
  handle_step(&s, 100);
  const double expected = pressing(scale, &scenes_rubber);
  for (size_t k = 0; k < 2; k++) {
    const double force = handle_value(&s, "half_plane_force", 3 * k + 2);
    // What 60 iterations leave: 0.5 % by impulses, and 0.25 % by a penalty, by which the band turns
    // about its thickest rod meanwhile.
    ck_assert_double_eq_tol(fabs(force), expected, (newton ? 1e-3 : 0.01) * expected);
  }
  handle_close(&s);
  free(scene);
}
END_TEST

START_TEST(threads_do_not_change_bundles_in_contact) {
  vb_scene *scene = bundle_heap();
  static const char *const threads[] = {"1", "3"};
  handle s[2];
  for (int k = 0; k < 2; k++) {
    s[k] = handle_open(scene, "method", _i < 2 ? "direct" : "block-descent", "threads", threads[k],
                       "iterations", "3", "precision", _i % 2 ? "float" : "double", "bundle_solve",
                       "penalty", NULL);
    handle_step(&s[k], 8);
  }
  ck_assert(handle_same(&s[0], &s[1]));
  ck_assert_double_gt(handle_value(&s[0], "contacts", 0), 0);
  void *state = handle_save(&s[0]);
  ck_assert_int_eq(s[1].solver->restore(s[1].self, state, NULL), VB_OK);
  for (int k = 0; k < 2; k++)
    handle_step(&s[k], 3);
  ck_assert(handle_same(&s[0], &s[1]));
  free(state);
  for (int k = 0; k < 2; k++)
    handle_close(&s[k]);
  free(scene);
}
END_TEST

/// A band's three rods are computed one by one, and beside those of another band gathered into
/// lanes, activations, pins and penalties with them: bit by bit the same.
START_TEST(gathered_rods_move_as_single_ones) {
  enum { N = 8, NODES = MEMBERS * (N + 1) };
  const double keys[][2] = {{0, 1}, {0.1, 0.7}};
  double *position[2];
  for (int bands = 1; bands <= 2; bands++) {
    vb_builder *b = scenes_begin(0.01, 9.81);
    const int32_t wall = scenes_wall(b, "wall");
    for (int k = 0; k < bands; k++)
      add_band(b, N, 10 * k, &scenes_rubber);
    for (int k = 0; k < MEMBERS * bands; k++)
      scenes_pin_node(b, k * (N + 1), VB_PIN_CENTER, wall);
    for (int32_t j = 1; j < 5; j++)
      scenes_activate(b, j, VB_ACTIVE_STRAIN, scenes_curve(b, VB_LINEAR, 2, keys));
    vb_scene *scene = fixture_freeze(b);
    handle s = handle_open(scene, "method", "direct", "precision", _i % 2 ? "float" : "double",
                           "bundle_solve", _i < 2 ? "impulses" : "penalty", "iterations", "3",
                           "substeps", "2", NULL);
    handle_step(&s, 5);
    position[bands - 1] = handle_read(&s, "position");
    handle_close(&s);
    free(scene);
  }
  ck_assert(memcmp(position[0], position[1], 3 * NODES * sizeof **position) == 0);
  free(position[0]);
  free(position[1]);
}
END_TEST

START_TEST(what_has_no_penalty_is_refused) {
  static const struct {
    const char *value, *says;
    vb_status status;
  } cases[] = {{"xpbd", "needs method direct or block-descent", VB_BAD_INPUT},
               {"cuda", "needs backend cpu or auto", VB_UNAVAILABLE}};
  vb_scene *scene = twisted(3, 0.1);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const vb_option options[] = {{"bundle_solve", "penalty"},
                                 {"method", k == 0 ? cases[k].value : "direct"},
                                 {"backend", k == 1 ? cases[k].value : "cpu"}};
    const vb_solver *solver;
    vb_error error = {0};
    void *self = NULL;
    ck_assert_int_eq(vb_solver_find("viper", &solver, NULL), VB_OK);
    ck_assert_int_eq(solver->create(solver, scene, options, 3, &self, &error), cases[k].status);
    ck_assert_msg(strstr(error.message, cases[k].says), "%s", error.message);
  }
  free(scene);
}
END_TEST

/// By Newton's method every step of a band that hangs and swings converges, also in short substeps
/// of few iterations, in which a penalty diverges; and its energy falls.
START_TEST(every_step_converges_by_newton) {
  vb_builder *b = scenes_begin(0.01, 9.81);
  const int32_t wall = scenes_wall(b, "wall");
  add_band(b, 6, 0, &scenes_rubber);
  scenes_disturb(b, 0.01, 0.5, 5);
  for (int k = 0; k < MEMBERS; k++)
    scenes_pin_node(b, k * 7, VB_PIN_CENTER, wall);
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open(scene, "method", "direct", "iterations", _i ? "4" : "20", "tolerance",
                         "1e-9", "substeps", _i ? "32" : "2", "bundle_solve", "newton", NULL);
  double residual = 0, missed = 0;
  for (int step = 0; step < 30; step++) {
    handle_step(&s, 1);
    residual = fmax(residual, handle_residual(&s));
    missed = fmax(missed, handle_value(&s, "newton_step", 0));
  }
  printf("%s: residual %.2g, Newton step %.2g m\n", _i ? "32 substeps of 4" : "2 of 20", residual,
         missed);
  // As asked of twenty iterations 1e-3; what rounding leaves is 1e-10 of the forces.
  ck_assert_double_lt(residual, 1e-8);
  ck_assert_double_lt(missed, 1e-6 * RADIUS); // 5e-9 m was seen, of steps of centimeters
  handle_close(&s);
  free(scene);
}
END_TEST

/// What turns a bundle whose frames it holds does the work that its torques say: elastic energy,
/// where motion is slow.
START_TEST(work_on_held_bundles_is_kept_by_newton) {
  enum { N = 4 };
  const double keys[][2] = {{0, 0}, {1, 0.3}};
  vb_builder *b = scenes_begin(0.01, 0);
  vb_builder_world(b)->damping = 20;
  add_band(b, N, 0, &scenes_rubber);
  vb_driver hand = {.name = "hand", .axis = {1, 0, 0}, .translation = {-1, -1, -1}};
  hand.angle = scenes_curve(b, VB_CUBIC, 2, keys);
  const int32_t wall = scenes_wall(b, "wall");
  const int32_t turned = fixture_add(b, VB_SET_DRIVER, &hand);
  for (int k = 0; k < MEMBERS; k++)
    for (int end = 0; end < 2; end++) {
      scenes_pin_node(b, k * (N + 1) + end * N, VB_PIN_CENTER, end ? turned : wall);
      scenes_pin_frame(b, k * N + end * (N - 1), end ? turned : wall);
    }
  vb_scene *scene = fixture_freeze(b);
  handle s = handle_open(scene, "method", "direct", "iterations", "20", "tolerance", "1e-9",
                         "substeps", "4", "bundle_solve", "newton", NULL);
  double force[6], torque[6], work[2];
  handle_step(&s, 250);
  ck_assert_int_eq(s.solver->reactions(s.self, force, torque, NULL), VB_OK);
  ck_assert_int_eq(s.solver->work(s.self, work, NULL), VB_OK);
  const double energy = handle_elastic(&s);
  printf("torques %.6g and %.6g N m, work %.6g J, energy %.6g J\n", torque[0], torque[3], work[1],
         energy);
  ck_assert_double_eq_tol(torque[0], -torque[3], 1e-4 * fabs(torque[3])); // it still sways
  ck_assert_double_eq_tol(work[1], energy, 0.1 * energy);                 // what damping took
  ck_assert_double_eq_tol(energy, 0.15 * torque[3], 0.02 * energy);       // nearly linear
  handle_close(&s);
  free(scene);
}
END_TEST

START_TEST(what_newton_does_not_take_is_refused) {
  static const struct {
    const char *name, *value, *says;
    vb_status status;
  } cases[] = {
      {"method", "block-descent", "bundle_solve newton needs method direct", VB_BAD_INPUT},
      {"backend", "cuda", "bundle_solve newton needs backend cpu or auto", VB_BAD_INPUT},
      {"contact_solve", "passes", "bundle_solve newton needs contact_solve newton", VB_BAD_INPUT},
      {"bundle_solve", "penalty", "contact_solve newton needs bundle_solve newton", VB_BAD_INPUT},
      {"", "", "does not support bundles of parallel rods of the material model solid",
       VB_UNAVAILABLE}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    vb_builder *b = scenes_begin(0.01, 9.81);
    add_band(b, 3, 0, &scenes_rubber);
    if (k == 4)
      scenes_solidify(b, 1);
    if (k > 1)
      contact_add(b, 0.3, false);
    vb_scene *scene = fixture_freeze(b);
    vb_option options[4] = {{"bundle_solve", "newton"},
                            {"contact_solve", k > 1 ? "newton" : "passes"},
                            {"method", "direct"},
                            {"backend", "cpu"}};
    for (size_t i = 0; i < 4; i++)
      options[i].value =
          strcmp(options[i].name, cases[k].name) == 0 ? cases[k].value : options[i].value;
    const vb_solver *solver;
    vb_error error = {0};
    void *self = NULL;
    ck_assert_int_eq(vb_solver_find("viper", &solver, NULL), VB_OK);
    ck_assert_int_eq(solver->create(solver, scene, options, 4, &self, &error), cases[k].status);
    ck_assert_msg(strstr(error.message, cases[k].says), "%s", error.message);
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

static TCase *step_case(void) {
  TCase *test = tcase_create("steps");
  tcase_add_loop_test(test, a_free_band_keeps_its_momentum_and_moves_as_one, 0, 2);
  tcase_add_loop_test(test, rigid_motion_causes_no_bundle_forces, 0, 2);
  tcase_add_loop_test(test, twisting_a_bundle_shears_its_rods, 0, 3);
  tcase_add_loop_test(test, threads_do_not_change_bundles, 0, 8);
  tcase_add_loop_test(test, the_residual_falls_with_iterations, 0, 3);
  tcase_add_test(test, methods_agree_on_long_chains_by_a_penalty);
  tcase_add_test(test, bands_in_contact_agree);
  tcase_add_loop_test(test, half_planes_press_bundles_as_their_energy_says, 0, 5);
  tcase_add_loop_test(test, threads_do_not_change_bundles_in_contact, 0, 4);
  tcase_add_loop_test(test, gathered_rods_move_as_single_ones, 0, 4);
  tcase_add_test(test, what_has_no_penalty_is_refused);
  tcase_add_loop_test(test, every_step_converges_by_newton, 0, 2);
  tcase_add_test(test, work_on_held_bundles_is_kept_by_newton);
  tcase_add_test(test, what_newton_does_not_take_is_refused);
  return test;
}

VB_TEST_MAIN("bundle", fit_case(), step_case())
