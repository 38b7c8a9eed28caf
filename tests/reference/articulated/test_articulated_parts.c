// SPDX-License-Identifier: GPL-3.0-or-later
/// The parts of the solver articulated: its material, rows of links, the projection.
/// Covers: reference/articulated/material.* reference/articulated/links.*
/// Covers: reference/articulated/project.* reference/articulated/lanes*
#include "reference/articulated/lanes.h"
#include "reference/articulated/material.h"
#include "reference/articulated/project.h"
#include "scenes/bones.h"

#include "scene/rotation.h"

static void random_numbers(uint64_t *seed, double *out, int n) {
  for (int i = 0; i < n; i++)
    out[i] = scenes_random(seed);
}

static double inner(const double *a, const double *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

/// P by differences of Psi, for any F, inverted ones among them; Psi as two squared distances of
/// constant weight; R the best of many rotations, and the same from another one.
START_TEST(corotated_material) {
  uint64_t seed = (uint64_t)_i + 5;
  ar_material m = ar_material_from(2, 0.3);
  double f[9], r[9], p[9], moved[9], other[9], q[4], fresh[4], stretch = -3, square = 0;
  random_numbers(&seed, f, 9);
  ar_rotation_fresh(f, fresh, r);
  double psi = ar_stress(&m, f, r, p);
  for (int i = 0; i < 9; i++) {
    double value[2], unused[9];
    for (int k = 0; k < 2; k++) {
      memcpy(moved, f, sizeof f);
      moved[i] += k ? 1e-5 : -1e-5;
      ar_rotation_fresh(moved, q, other);
      value[k] = ar_stress(&m, moved, other, unused);
    }
    // Turns of R go like one over the least sum of two stretches, which random F have small.
    ck_assert_double_eq_tol((value[1] - value[0]) / 2e-5, p[i], 1e-6);
    stretch += r[i] * f[i];
  }
  for (int i = 0; i < 9; i++) {
    double near = f[i] - r[i], volume = stretch / 3 * r[i]; // F - D, D = F - d/3 R
    square += m.mu * near * near + 1.5 * m.la * volume * volume;
  }
  ck_assert_double_eq_tol(psi, square, 1e-14);
  for (int k = 0; k < 200; k++) {
    random_numbers(&seed, q, 4);
    double norm = vb_quaternion_norm(q);
    for (int i = 0; i < 4; i++)
      q[i] /= norm;
    ar_matrix(q, other);
    ck_assert_double_le(inner(other, f, 9), inner(r, f, 9) + 1e-14);
    ar_rotation(f, q, other);
    for (int i = 0; i < 9; i++)
      ck_assert_double_eq_tol(other[i], r[i], 1e-9); // stretches whose sum is small again
  }
}
END_TEST

/// A block of eight elements with random gradients and corners, among them inverted ones, from
/// random rotations: each instruction set gives the same bits, and what one element gives alone,
/// whatever the others are.
START_TEST(lanes_are_elements) {
  uint64_t seed = (uint64_t)_i + 11;
  const ar_material m = ar_material_from(2, 0.3);
  ar_lanes_function *const all[] = {ar_lanes_base, ar_lanes_v3, ar_lanes_v4};
  double x[96], start[32], q[3][32];
  ar_block block = {.mu = (ar_lanes){0} + 2 * m.mu, .la = (ar_lanes){0} + m.la};
  ar_block_result out[3];
  random_numbers(&seed, x, 96);
  random_numbers(&seed, start, 32);
  for (int l = 0; l < AR_LANES; l++) {
    double norm = vb_quaternion_norm(start + 4 * l);
    for (int c = 0; c < 4; c++) {
      start[4 * l + c] /= norm;
      block.node[c][l] = 4 * l + c;
    }
    for (int i = 0; i < 9; i++)
      block.gradient[i / 3][i % 3][l] = 2 * scenes_random(&seed);
  }
  int sets = 1 + (ar_lanes_best() != ar_lanes_base) + (ar_lanes_best() == ar_lanes_v4);
  for (int k = 0; k < sets; k++) {
    memcpy(q[k], start, sizeof start);
    all[k](&block, x, q[k], &out[k]);
    ck_assert_mem_eq(q[k], q[0], sizeof start);
    ck_assert_mem_eq(&out[k], &out[0], sizeof *out);
  }
  for (int l = 0; l < AR_LANES; l++) {
    double f[9], g[9], r[9], p[9], other[9], turn[4], psi, total[3] = {0};
    for (int i = 0; i < 9; i++) {
      f[i] = 0;
      g[i] = block.gradient[i / 3][i % 3][l];
      for (int a = 0; a < 3; a++)
        f[i] += (x[12 * l + 3 * a + 3 + i / 3] - x[12 * l + i / 3]) * block.gradient[a][i % 3][l];
    }
    ar_rotation_fresh(f, turn, r);
    psi = ar_stress(&m, f, r, p);
    ar_matrix(q[0] + 4 * l, other);
    for (int i = 0; i < 9; i++)
      ck_assert_double_eq_tol(other[i], r[i], 1e-9); // as above
    ck_assert_double_eq_tol(out[0].energy[l], psi, 1e-12 * (1 + psi));
    for (int i = 0; i < 9; i++) {
      double force = p[3 * (i % 3)] * g[i - i % 3] + p[3 * (i % 3) + 1] * g[i - i % 3 + 1] +
                     p[3 * (i % 3) + 2] * g[i - i % 3 + 2];
      ck_assert_double_eq_tol(out[0].force[1 + i / 3][i % 3][l], force, 1e-8);
    }
    for (int i = 0; i < 12; i++)
      total[i % 3] += out[0].force[i / 3][i % 3][l];
    for (int c = 0; c < 3; c++)
      ck_assert_double_eq_tol(total[c], 0, 1e-12);
    ck_assert_double_eq_tol(vb_quaternion_norm(q[0] + 4 * l), 1, 1e-14);
  }
}
END_TEST

/// Small strains of a random symmetric e: stress by Hooke's law.
START_TEST(small_strains_are_hookes) {
  uint64_t seed = 3;
  const double tiny = 1e-7, mu = 1 / 2.6, la = 0.3 / (1.3 * 0.4);
  double e[9], f[9], r[9], p[9], q[4], trace;
  random_numbers(&seed, e, 9);
  trace = e[0] + e[4] + e[8];
  for (int i = 0; i < 9; i++)
    f[i] = (i % 4 == 0) + tiny * e[i];
  ar_material m = ar_material_from(1, 0.3);
  ar_rotation_fresh(f, q, r);
  ar_stress(&m, f, r, p);
  for (int i = 0; i < 9; i++) {
    double right = mu * (e[i] + e[3 * (i % 3) + i / 3]) + (i % 4 == 0 ? la * trace : 0);
    ck_assert_double_eq_tol(p[i] / tiny, right, 10 * tiny); // second order in the strain
  }
}
END_TEST

/// Three bones in a chain that hangs in the world: a ball, a hinge with a limit, a universal joint.
typedef struct skeleton {
  vb_scene *scene;
  ar_body body;
  ar_links links;
  ar_pose pose[3];
} skeleton;

static void set_up(skeleton *s, uint64_t *seed) {
  vb_builder *b = scenes_begin(0.01, 0);
  for (int k = 0; k < 3; k++)
    bones_bar(b, (const char *[]){"a", "b", "c"}[k], k, 0, 0, 1);
  vb_link links[3] = {bones_link("w", VB_LINK_BALL, 0, -1, -1, 0, 0, 0),
                      bones_link("h", VB_LINK_HINGE, 1, 0, -1, 1, 0, 0),
                      bones_link("u", VB_LINK_UNIVERSAL, 1, 2, -1, 2, 0, 0)};
  links[1].limit[1] = 0.3;
  for (int k = 0; k < 3; k++)
    fixture_add(b, VB_SET_LINK, &links[k]);
  s->scene = fixture_freeze(b);
  ar_choice choice = {.bones = AR_BONES_EXACT};
  ck_assert_int_eq(ar_body_create(s->scene, &choice, &s->body, NULL), VB_OK);
  ck_assert_int_eq(ar_links_create(&s->body, &s->links, NULL), VB_OK);
  for (int k = 0; k < 3; k++) {
    double q[4];
    random_numbers(seed, q, 4);
    double norm = vb_quaternion_norm(q);
    for (int i = 0; i < 4; i++)
      q[i] /= norm;
    ar_matrix(q, s->pose[k].r);
    random_numbers(seed, s->pose[k].t, 3);
  }
}

static void tear_down(skeleton *s) {
  ar_links_clear(&s->links);
  ar_body_clear(&s->body);
  free(s->scene);
}

/// Poses moved by `h` times s: turned by the exponential of h w, shifted by R h l.
static void move(const ar_pose *from, const double *s, double h, ar_pose *out) {
  for (int k = 0; k < 3; k++) {
    double w[3], l[3], turn[9], norm = sqrt(inner(s + 6 * k, s + 6 * k, 3)) * fabs(h);
    for (int c = 0; c < 3; c++) {
      w[c] = h * s[6 * k + c] * (norm > 0 ? sin(0.5 * norm) / norm : 0.5);
      l[c] = h * s[6 * k + 3 + c];
    }
    ar_matrix((double[4]){cos(0.5 * norm), w[0], w[1], w[2]}, turn);
    for (int i = 0; i < 9; i++) {
      out[k].r[i] = 0;
      for (int j = 0; j < 3; j++)
        out[k].r[i] += from[k].r[i / 3 * 3 + j] * turn[3 * j + i % 3];
    }
    ar_turn(from[k].r, l, out[k].t);
    vb_add_scaled(out[k].t, 1, from[k].t, out[k].t);
  }
}

/// C and the curvature of all rows against differences (eqs. 16, 17, and what they leave out).
START_TEST(rows_of_links) {
  uint64_t seed = (uint64_t)_i + 17;
  skeleton s;
  ar_pose moved[3];
  double way[18], value[3][24], rows[24 * 18], turn[27] = {0}, matrix[18 * 18] = {0}, lambda[24];
  set_up(&s, &seed);
  ar_links_limit(&s.links, 1, 1);
  ck_assert_uint_eq(s.links.n_rows, 3 + 6 + 4);
  random_numbers(&seed, way, 18);
  random_numbers(&seed, lambda, 24);
  ar_links_rows(&s.links, s.pose, rows);
  for (int k = 0; k < 3; k++) {
    move(s.pose, way, (k - 1) * 1e-4, moved);
    ar_links_gap(&s.links, moved, value[k]);
  }
  double second = 0, quadratic = 0;
  for (size_t i = 0; i < s.links.n_rows; i++) {
    double slope = (value[2][i] - value[0][i]) / 2e-4;
    ck_assert_double_eq_tol(slope, -inner(rows + 18 * i, way, 18), 1e-7); // 1e-8 of third order
    second -= lambda[i] * (value[2][i] - 2 * value[1][i] + value[0][i]) / 1e-8;
  }
  ar_links_curve(&s.links, s.pose, lambda, turn, matrix, 18);
  for (int k = 0; k < 3; k++) {
    const double *b = turn + 9 * k, *w = way + 6 * k;
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        quadratic += w[i] * (b[3 * i + j] - (i == j ? b[0] + b[4] + b[8] : 0)) * w[j];
  }
  for (int i = 0; i < 18; i++)
    quadratic += way[i] * inner(matrix + 18 * i, way, 18);
  ck_assert_double_eq_tol(second, quadratic, 1e-6); // rounding of second differences, 1e-16 / 1e-8
  tear_down(&s);
}
END_TEST

/// A weight of the size of masses over h^2, positive definite, the same for x, y, z or not.
static void random_weight(uint64_t *seed, double out[144]) {
  double root[144];
  random_numbers(seed, root, 144);
  for (int i = 0; i < 12; i++)
    for (int j = 0; j < 12; j++)
      out[12 * i + j] = (i == j ? 5 : 0) + inner(root + 12 * i, root + 12 * j, 12);
}

/// A projection satisfies links and is stationary: forces W (T - T0) are balanced by links alone,
/// in the motions that are left. Gauss and Newton's method ends there, too, later.
START_TEST(projection_is_stationary) {
  uint64_t seed = (uint64_t)_i + 40;
  skeleton s;
  ar_projector p;
  double weight[2][144], target[36], out[2][36], g[18];
  set_up(&s, &seed);
  ck_assert_int_eq(ar_projector_create(&s.body, &s.links, false, &p, NULL), VB_OK);
  random_weight(&seed, weight[0]);
  random_weight(&seed, weight[1]);
  p.weight[0] = p.weight[1] = weight[0];
  p.weight[2] = weight[1];
  p.most = 200;
  for (int k = 0; k < 3; k++) { // poses near rest, made affine
    for (int i = 0; i < 12; i++)
      target[12 * k + i] = (i < 9 && i % 4 == 0) + 0.15 * scenes_random(&seed);
    for (int c = 0; c < 3; c++)
      target[12 * k + 9 + c] += s.body.bone[k].center[c];
  }
  int count[2];
  for (int curved = 0; curved < 2; curved++) {
    p.curved = curved;
    ck_assert_int_eq(ar_project(&p, target, out[curved], NULL), VB_OK);
    count[curved] = p.iterations;
    printf("%s curvature: %d iterations, gap %.1e\n", curved ? "with" : "without", p.iterations,
           p.gap);
  }
  ck_assert_double_le(p.gap, 1e-13);
  ck_assert_int_le(count[1], 12);
  ck_assert_int_lt(count[1], count[0]);
  for (int i = 0; i < 36; i++)
    ck_assert_double_eq_tol(out[0][i], out[1][i], 1e-9); // linear convergence ends at its step
  ar_pose_gradient(p.pose, 3, p.force, g);
  ar_links_rows(&s.links, p.pose, p.rows);
  for (int j = 0; j < 18; j++) {
    for (size_t i = 0; i < s.links.n_rows; i++)
      g[j] += p.multiplier[i] * p.rows[18 * i + (size_t)j];
    ck_assert_double_eq_tol(g[j], 0, 1e-10); // forces of size ten, after a step of 1e-12
  }
  ck_assert_double_le(ar_links_angle(&s.links, 1, p.pose), 0.3 + 1e-11);
  ar_projector_clear(&p);
  tear_down(&s);
}
END_TEST

/// Wide turns of a bone alone: the same as the best of many rotations.
START_TEST(procrustes_is_by_mass) {
  vb_builder *b = scenes_begin(0.01, 0);
  bones_bar(b, "bar", 0, 0, 0, 1);
  vb_scene *scene = fixture_freeze(b);
  ar_choice choice = {.bones = AR_BONES_EXACT};
  ar_body body;
  ar_links links;
  ar_projector p;
  uint64_t seed = 9;
  double weight[16] = {0}, target[12], out[12];
  ck_assert_int_eq(ar_body_create(scene, &choice, &body, NULL), VB_OK);
  ck_assert_int_eq(ar_links_create(&body, &links, NULL), VB_OK);
  ck_assert_int_eq(ar_projector_create(&body, &links, false, &p, NULL), VB_OK);
  for (int i = 0; i < 9; i++)
    weight[i / 3 * 4 + i % 3] = body.bone[0].second[i];
  weight[15] = body.bone[0].mass;
  for (int c = 0; c < 3; c++)
    p.weight[c] = weight;
  random_numbers(&seed, target, 12);
  ck_assert_int_eq(ar_project(&p, target, out, NULL), VB_OK);
  // By mass alone the start is the answer: one iteration finds no step to make.
  ck_assert_int_eq(p.iterations, 1);
  ar_projector_clear(&p);
  ar_links_clear(&links);
  ar_body_clear(&body);
  free(scene);
}
END_TEST

static TCase *material(void) {
  TCase *c = tcase_create("material");
  tcase_add_loop_test(c, corotated_material, 0, 20);
  tcase_add_loop_test(c, lanes_are_elements, 0, 10);
  tcase_add_test(c, small_strains_are_hookes);
  return c;
}

static TCase *projection(void) {
  TCase *c = tcase_create("projection");
  tcase_add_loop_test(c, rows_of_links, 0, 5);
  tcase_add_loop_test(c, projection_is_stationary, 0, 5);
  tcase_add_test(c, procrustes_is_by_mass);
  return c;
}

VB_TEST_MAIN("articulated: parts", material(), projection())
