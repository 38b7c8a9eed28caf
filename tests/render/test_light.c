// SPDX-License-Identifier: GPL-3.0-or-later
/// Light: penumbras and ambient occlusion against areas and integrals, thin rods, colors of
/// materials, several strips of rows.
/// Covers: src/render/light.* src/render/surface.* src/render/appearance.* src/render/draw.*
/// Covers: src/render/camera.*
#include "render/appearance.h"
#include "render/draw.h"
#include "scene/rotation.h"
#include "scenes/scenes.h"

#include <omp.h>

static const vb_camera CAMERA = {.eye = {0, -5, 0},
                                 .right = {1, 0, 0},
                                 .up = {0, 0, 1},
                                 .forward = {0, 1, 0},
                                 .width = 1,
                                 .height = 1,
                                 .parallel = true};

static void prepare(vb_shapes *s) {
  vb_error error = {0};
  ck_assert(!s->memory.failed);
  ck_assert_int_eq(vb_shapes_prepare(s, &error), VB_OK);
}

static vb_shapes capsules(const vb_capsule *capsule, size_t n) {
  vb_shapes s = {.n_capsules = n};
  VB_TAKE(&s.memory, s.capsule, n);
  VB_TAKE(&s.memory, s.capsule_value, n);
  memcpy(s.capsule, capsule, n * sizeof *capsule);
  prepare(&s);
  return s;
}

/// A rectangle with these corners.
static vb_shapes rectangle(const double corner[4][3]) {
  vb_shapes s = {.n_vertices = 4, .n_triangles = 2};
  VB_TAKE(&s.memory, s.vertex, 4);
  VB_TAKE(&s.memory, s.value, 4);
  VB_TAKE(&s.memory, s.triangle, 2);
  ck_assert(!s.memory.failed);
  memcpy(s.vertex, corner, 4 * sizeof *corner);
  for (int t = 0; t < 2; t++)
    memcpy(s.triangle[t], (int32_t[3]){0, t + 1, t + 2}, sizeof *s.triangle);
  prepare(&s);
  return s;
}

static vb_lit_point point_at(const double x[3], const double normal[3]) {
  vb_lit_point p;
  memcpy(p.x, x, sizeof p.x);
  memcpy(p.normal, normal, sizeof p.normal);
  memcpy(p.face, normal, sizeof p.face);
  return p;
}

/// Area that two discs at a distance share.
static double shared_area(double a, double b, double distance) {
  if (distance >= a + b)
    return 0;
  if (distance <= fabs(a - b))
    return M_PI * fmin(a, b) * fmin(a, b);
  double u = (distance * distance + a * a - b * b) / (2 * distance * a);
  double v = (distance * distance + b * b - a * a) / (2 * distance * b);
  double w = (a + b - distance) * (distance + a - b) * (distance - a + b) * (distance + a + b);
  return a * a * acos(u) + b * b * acos(v) - 0.5 * sqrt(w);
}

/// Below a ball, on a plane normal to the sun's direction, the ball hides of the sun's disc what
/// two discs share. All 64 samples see the share to 5 %: an area of n samples with a smooth
/// boundary is known to n^(-3/4) or better, 4.4 %. The outline is that of a disc to the square of
/// its tangent, 0.4 %.
START_TEST(a_ball_has_the_penumbra_of_two_discs) {
  vb_light light = vb_light_make(VB_LIGHT_SOFT, &CAMERA, 1);
  vb_light hard = vb_light_make(VB_LIGHT_HARD, &CAMERA, 1);
  const double tangent[] = {0.03, 0.06, 0.09}, *sun = light.sun;
  double across[3], level[3] = {0, 0, 1};
  vb_cross(sun, level, across);
  double size = sqrt(vb_dot(across, across));
  for (int i = 0; i < 3; i++) {
    int partly = 0;
    vb_capsule ball =
        vb_capsule_make((double[3]){0, 0, 0}, tangent[i], (double[3]){0, 0, 0}, tangent[i]);
    vb_shapes s = capsules(&ball, 1);
    for (int j = 0; j <= 20; j++) {
      double x[3], aside = 0.01 * j;
      for (int k = 0; k < 3; k++)
        x[k] = -sun[k] + aside * across[k] / size;
      vb_lit_point p = point_at(x, sun);
      double hidden =
          shared_area(VB_SUN_TANGENT, tangent[i], aside) / (M_PI * VB_SUN_TANGENT * VB_SUN_TANGENT);
      vb_visibility v = vb_light_visibility(&light, &s, &p, 0, VB_LIGHT_SETS);
      ck_assert_double_eq_tol(v.sun, 1 - hidden, 0.05);
      partly += v.sun > 0.05 && v.sun < 0.95;
      if (fabs(aside - tangent[i]) > 1e-3)
        ck_assert_double_eq(vb_light_visibility(&hard, &s, &p, 0, 1).sun, aside > tangent[i]);
    }
    ck_assert_int_gt(partly, 3);
    vb_shapes_clear(&s);
  }
}
END_TEST

/// The share of the sky's light that a wall of a height at a distance along x leaves, by a sum over
/// the disc below the hemisphere.
static double sky_beside_wall(double distance, double height) {
  enum { N = 600 };
  double sum = 0, all = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      double x = 2 * (i + 0.5) / N - 1, y = 2 * (j + 0.5) / N - 1, z = 1 - x * x - y * y;
      if (z <= 0)
        continue;
      bool hidden = x > 0 && sqrt(z) / x * distance < height;
      all += vb_light_sky(sqrt(z));
      sum += hidden ? 0 : vb_light_sky(sqrt(z));
    }
  return sum / all;
}

/// A wall hides half of the sky in the corner, where it is much higher than the distance, and less
/// further away. Samples see it to 2 %, better than the ball's disc by their number in half a disc.
START_TEST(a_wall_occludes_half_of_the_sky_in_the_corner) {
  const double wall[4][3] = {{0, -1e3, 0}, {0, 1e3, 0}, {0, 1e3, 1}, {0, -1e3, 1}};
  const double up[3] = {0, 0, 1};
  vb_light light = vb_light_make(VB_LIGHT_SOFT, &CAMERA, 1);
  vb_shapes s = rectangle(wall);
  for (int i = 0; i < 8; i++) {
    double distance = i ? 0.25 * i : 0.002;
    vb_lit_point p = point_at((double[3]){-distance, 0, 0}, up);
    vb_visibility v = vb_light_visibility(&light, &s, &p, 0, VB_LIGHT_SETS);
    ck_assert_double_eq_tol(v.sky, sky_beside_wall(distance, 1), 0.02);
    if (i == 0)
      ck_assert_double_eq_tol(v.sky, 0.5, 0.02);
    vb_light other = light;
    other.kind = VB_LIGHT_HARD;
    ck_assert_double_eq(vb_light_visibility(&other, &s, &p, 0, 1).sky, 1);
  }
  vb_shapes_clear(&s);
}
END_TEST

/// What faces down loses half of its light from below at the height `reach` for a ray straight
/// down, and all on the ground; what faces up loses none.
START_TEST(a_ground_darkens_what_is_close_above_it) {
  vb_light light = vb_light_make(VB_LIGHT_SOFT, &CAMERA, 1);
  vb_ground ground = {{0, 0, 1}, 0};
  vb_shapes s = {.ground = &ground, .n_grounds = 1};
  double before = -1;
  for (int i = 0; i < 6; i++) {
    double height = i ? light.reach * pow(4, i - 3) : 1e-9;
    vb_lit_point down = point_at((double[3]){0, 0, height + light.shift}, (double[3]){0, 0, -1});
    vb_lit_point up = point_at((double[3]){0, 0, height}, (double[3]){0, 0, 1});
    double sky = vb_light_visibility(&light, &s, &down, 0, VB_LIGHT_SETS).sky;
    ck_assert_double_gt(sky, before);
    ck_assert_double_le(sky, 1);
    ck_assert_double_eq(vb_light_visibility(&light, &s, &up, 0, VB_LIGHT_SETS).sky, 1);
    before = sky;
  }
  ck_assert_double_gt(before, 0.9);
}
END_TEST

static vb_drawing drawing_of(const vb_shapes *s, vb_palette_kind kind, int width, int height) {
  return (vb_drawing){.shapes = s,
                      .camera = CAMERA,
                      .palette = {kind, 0, 1},
                      .radius = 2,
                      .line_spacing = 1,
                      .width = width,
                      .height = height,
                      .samples = 3};
}

static float *draw(const vb_drawing *d) {
  vb_error error = {0};
  float *pixel = calloc(4 * (size_t)d->width * (size_t)d->height, sizeof *pixel);
  ck_assert_ptr_nonnull(pixel);
  ck_assert_int_eq(vb_draw(d, pixel, &error), VB_OK);
  return pixel;
}

/// Colors are those of the palette, as a legend has them.
START_TEST(flat_light_shows_the_palette) {
  vb_capsule ball = vb_capsule_make((double[3]){0, 0, 0}, 0.9, (double[3]){0, 0, 0}, 0.9);
  vb_shapes s = capsules(&ball, 1);
  vb_drawing d = drawing_of(&s, VB_SEQUENTIAL, 9, 9);
  double color[3];
  s.capsule_value[0][0] = s.capsule_value[0][1] = 0.3;
  vb_palette_color(&d.palette, 0.3, color);
  for (int kind = VB_LIGHT_SOFT; kind <= VB_LIGHT_FLAT; kind++) {
    d.light = (vb_light_kind)kind;
    float *pixel = draw(&d);
    bool same = true;
    for (int k = 0; k < 3; k++)
      same = same && pixel[4 * 40 + k] == (float)color[k];
    ck_assert_int_eq(same, kind == VB_LIGHT_FLAT);
    free(pixel);
  }
  vb_shapes_clear(&s);
}
END_TEST

/// A rod of a thousandth of a pixel, askew, has a part in each row it passes; one that is wider
/// stays as it is.
START_TEST(thin_rods_have_no_gaps) {
  enum { SIZE = 120 };
  vb_capsule rod[2] = {
      vb_capsule_make((double[3]){-0.3, 0, -0.9}, 1e-5, (double[3]){0.2, 0, 0.9}, 1e-5),
      vb_capsule_make((double[3]){0.8, 0, 0}, 0.1, (double[3]){0.8, 0, 0.1}, 0.1)};
  vb_shapes s = capsules(rod, 2);
  vb_camera_thicken(&CAMERA, SIZE, &s);
  ck_assert_mem_eq(&s.capsule[1], &rod[1], sizeof rod[1]);
  ck_assert_double_eq_tol(s.capsule[0].r_a, 1.0 / SIZE, 1e-12);
  prepare(&s);
  vb_drawing d = drawing_of(&s, VB_CATEGORICAL, SIZE, SIZE);
  float *pixel = draw(&d);
  for (int y = SIZE / 10; y < SIZE - SIZE / 10; y++) {
    float sum = 0;
    for (int x = 0; x < 3 * SIZE / 4; x++)
      sum += pixel[4 * (y * SIZE + x) + 3];
    ck_assert_float_gt(sum, 0.6F); // of a line one pixel wide
    ck_assert_float_lt(sum, 1.5F);
  }
  free(pixel);
  vb_shapes_clear(&s);
}
END_TEST

/// A hundred balls over a ground, in three strips of rows: the picture is the same for any number
/// of threads.
START_TEST(threads_do_not_change_soft_shadows) {
  enum { WIDTH = 60, HEIGHT = 250 };
  vb_capsule ball[100];
  uint64_t seed = 4;
  for (int i = 0; i < 100; i++) {
    double x[3];
    for (int k = 0; k < 3; k++)
      x[k] = 0.9 * scenes_random(&seed);
    ball[i] = vb_capsule_make(x, 0.1, x, 0.1);
  }
  vb_shapes s = capsules(ball, 100);
  vb_ground ground = {{0, -0.6, 0.8}, -0.9};
  s.ground = &ground;
  s.n_grounds = 1;
  vb_drawing d = drawing_of(&s, VB_NATURAL, WIDTH, HEIGHT);
  omp_set_num_threads(1);
  float *first = draw(&d);
  for (int threads = 2; threads <= 3; threads++) {
    omp_set_num_threads(threads);
    float *other = draw(&d);
    ck_assert_mem_eq(first, other, (size_t)4 * WIDTH * HEIGHT * sizeof *first);
    free(other);
  }
  free(first);
  vb_shapes_clear(&s);
}
END_TEST

/// The color of a place of a muscle whose fibers run along x.
static void muscle_color(const vb_shapes *s, vb_palette_kind kind, double u, double v,
                         double color[3]) {
  vb_palette palette = {kind, 0, 1};
  vb_hit hit = {.item = 0, .share = {1 - u - v, u, v}, .appearance = VB_APPEARANCE_MUSCLE};
  vb_appearance_color(&palette, s, &hit, color);
}

/// Streaks vary across the fibers more than along them; tendons are pale; by bodies the palette's
/// colors are shown.
START_TEST(muscles_have_fibers_and_tendons) {
  const double corner[4][3] = {{0, 0, 0}, {40, 0, 0}, {0, 40, 0}, {0, 40, 0}};
  vb_shapes s = rectangle(corner);
  double color[3], other[3], change[2] = {0, 0};
  VB_TAKE(&s.memory, s.fiber, 4);
  ck_assert_ptr_nonnull(s.fiber);
  for (int i = 0; i < 4; i++) {
    memcpy(s.fiber[i].point, corner[i], sizeof corner[i]);
    s.fiber[i].direction[0] = 1;
  }
  for (int i = 0; i < 30; i++) {
    double u = 0.015 * i, v = 0.47 - 0.015 * i;
    muscle_color(&s, VB_NATURAL, u, v, color);
    ck_assert(color[0] > 2 * color[1] && color[0] > 2 * color[2]);
    muscle_color(&s, VB_NATURAL, u + 0.05, v, other);
    change[0] += fabs(color[0] - other[0]);
    muscle_color(&s, VB_NATURAL, u, v + 0.05, other);
    change[1] += fabs(color[0] - other[0]);
  }
  ck_assert_double_gt(change[1], 2 * change[0]);
  muscle_color(&s, VB_CATEGORICAL, 0.2, 0.2, color);
  vb_palette_color(&(vb_palette){VB_CATEGORICAL, 0, 1}, 0, other);
  ck_assert_mem_eq(color, other, sizeof color);
  for (int i = 0; i < 3; i++)
    s.fiber[i].tendon = 1;
  muscle_color(&s, VB_NATURAL, 0.2, 0.2, color);
  ck_assert_double_gt(color[1], 0.4);
  vb_shapes_clear(&s);
}
END_TEST

START_TEST(glass_reflects_more_at_grazing_angles) {
  ck_assert_double_eq_tol(vb_appearance_fresnel(0.04, 1), 0.04, 1e-15);
  ck_assert_double_eq_tol(vb_appearance_fresnel(0.04, 0), 1, 1e-15);
  ck_assert_double_eq_tol(vb_appearance_fresnel(0.04, 0.5), 0.04 + 0.96 / 32, 1e-15);
}
END_TEST

static TCase *make_tests(void) {
  TCase *test = tcase_create("light");
  tcase_set_timeout(test, 60);
  tcase_add_test(test, a_ball_has_the_penumbra_of_two_discs);
  tcase_add_test(test, a_wall_occludes_half_of_the_sky_in_the_corner);
  tcase_add_test(test, a_ground_darkens_what_is_close_above_it);
  tcase_add_test(test, flat_light_shows_the_palette);
  tcase_add_test(test, thin_rods_have_no_gaps);
  tcase_add_test(test, threads_do_not_change_soft_shadows);
  tcase_add_test(test, muscles_have_fibers_and_tendons);
  tcase_add_test(test, glass_reflects_more_at_grazing_angles);
  return test;
}

VB_TEST_MAIN("light", make_tests())
