// SPDX-License-Identifier: GPL-3.0-or-later
/// Pictures: silhouettes against their areas, rays against marching along them, colors, threads,
/// files.
/// Covers: src/render/camera.* src/render/capsule_ray.c src/render/draw.* src/render/font.c
/// Covers: src/render/image.* src/render/legend.* src/render/palette.* src/render/shapes.*
/// Covers: src/render/ray_search.* src/render/ray_tree.* src/mesh/box_tree.*
#include "mesh/box_tree.h"
#include "render/draw.h"
#include "render/image.h"
#include "render/legend.h"
#include "render/ray_search.h"
#include "scene/rotation.h"
#include "scenes/scenes.h"

#include <omp.h>
#include <png.h>
#include <unistd.h>

static vb_shapes capsules(const vb_capsule *capsule, size_t n) {
  vb_shapes s = {.n_capsules = n};
  vb_error error = {0};
  VB_TAKE(&s.memory, s.capsule, n);
  VB_TAKE(&s.memory, s.capsule_value, n);
  ck_assert(!s.memory.failed);
  memcpy(s.capsule, capsule, n * sizeof *capsule);
  ck_assert_int_eq(vb_shapes_prepare(&s, &error), VB_OK);
  return s;
}

/// A camera that looks along y at a window of the given half sizes, of parallel rays where `far`.
static vb_camera camera(bool parallel, double distance, double half) {
  return (vb_camera){.eye = {0, -distance, 0},
                     .right = {1, 0, 0},
                     .up = {0, 0, 1},
                     .forward = {0, 1, 0},
                     .width = half,
                     .height = half,
                     .parallel = parallel};
}

/// The part of the window that is covered.
static double coverage(const vb_shapes *shapes, vb_camera view, int size) {
  vb_drawing d = {.shapes = shapes,
                  .camera = view,
                  .palette = {VB_SEQUENTIAL, 0, 1},
                  .radius = 10,
                  .line_spacing = 1,
                  .width = size,
                  .height = size,
                  .samples = 3};
  float *pixel = malloc(4 * (size_t)size * (size_t)size * sizeof *pixel);
  double sum = 0;
  vb_error error = {0};
  ck_assert_ptr_nonnull(pixel);
  ck_assert_int_eq(vb_draw(&d, pixel, &error), VB_OK);
  for (size_t i = 0; i < (size_t)size * (size_t)size; i++)
    sum += pixel[4 * i + 3];
  free(pixel);
  return sum / ((double)size * size);
}

/// Area of the hull of two discs at a distance.
static double hull(double r_a, double r_b, double distance) {
  double angle = acos((r_a - r_b) / distance);
  double wall = sqrt(distance * distance - (r_a - r_b) * (r_a - r_b));
  return wall * (r_a + r_b) + r_a * r_a * (M_PI - angle) + r_b * r_b * angle;
}

enum { BALL_FROM_AFAR, BALL_FROM_NEAR, CAPSULE_ACROSS, CAPSULE_INCLINED, CASES };

/// A shape moved aside by (x, z), and the area of its image: m^2, or at distance 1 from a near eye.
static vb_capsule make_case(int which, double x, double z, double *area) {
  double a[3] = {x, 0, z}, b[3] = {x, 0, z}, r_b = 0.8;
  *area = M_PI * 0.64;
  if (which == BALL_FROM_NEAR) // on the axis: a cone of rays touches it
    *area = M_PI * pow(tan(asin(0.8 / 3)), 2);
  if (which >= CAPSULE_ACROSS) {
    double along[3] = {0.6, which == CAPSULE_INCLINED ? 1.1 : 0, 0.5};
    r_b = 0.3;
    for (int k = 0; k < 3; k++)
      b[k] += along[k];
    *area = hull(0.8, 0.3, hypot(0.6, 0.5));
  }
  return vb_capsule_make(a, 0.8, b, r_b);
}

/// Root mean square error of the area over shapes moved by parts of a pixel in a window of 4 m. The
/// ball seen from near stays on the axis; the window changes in place of its position.
static double area_error(int which, int size) {
  double sum = 0;
  uint64_t seed = 3;
  enum { TRIES = 12 };
  for (int i = 0; i < TRIES; i++) {
    bool near = which == BALL_FROM_NEAR;
    double area, x = near ? 0 : 0.1 * scenes_random(&seed),
                 z = near ? 0 : 0.1 * scenes_random(&seed);
    double half = near ? 0.5 + 0.05 * scenes_random(&seed) : 2;
    vb_capsule capsule = make_case(which, x, z, &area);
    vb_shapes s = capsules(&capsule, 1);
    double window = 4 * half * half;
    double error = coverage(&s, camera(!near, 3, half), size) * window - area;
    sum += error * error;
    vb_shapes_clear(&s);
  }
  return sqrt(sum / TRIES);
}

/// Samples in a square grid miss the area of a smooth shape by the power 3/2 of their distance in
/// the mean; that their least distance is a third of a pixel gives the size.
START_TEST(silhouettes_have_the_area_of_what_is_seen) {
  double coarse = area_error(_i, 24), fine = area_error(_i, 192);
  double order = log(coarse / fine) / log(8);
  ck_assert_msg(order > 1.2, "errors %g and %g: order %g", coarse, fine, order);
  // A bound for any shape: those samples that the outline passes, 2 pi 0.8 m at most 6.5 m long.
  ck_assert_double_lt(fine, 6.5 * 4.0 / 192 / 3);
}
END_TEST

/// Rays are made within the bounds of the shapes alone, but everywhere where there is a ground: one
/// that is too far below to be seen does not change what is covered.
START_TEST(bounds_cut_nothing_off) {
  vb_ground ground = {{0, 0, 1}, -1e4};
  double area;
  for (int i = 0; i < 4; i++) {
    vb_capsule capsule = make_case(_i, i % 2 ? 0.9 : -0.7, i / 2 ? 0.8 : -0.6, &area);
    vb_shapes s = capsules(&capsule, 1);
    vb_camera view = camera(_i != BALL_FROM_NEAR, 4, _i == BALL_FROM_NEAR ? 0.6 : 2);
    double seen = coverage(&s, view, 48);
    s.ground = &ground;
    s.n_grounds = 1;
    ck_assert_double_eq(coverage(&s, view, 48), seen);
    ck_assert_double_gt(seen, 0.01);
    vb_shapes_clear(&s);
  }
}
END_TEST

/// Marches from the ray's origin by the distance to the capsule, which is never too far.
static double march(const vb_capsule *capsule, const vb_ray *ray) {
  double t = 0, normal[3], place;
  for (int i = 0; i < 4000 && t < 50; i++) {
    double x[3];
    for (int k = 0; k < 3; k++)
      x[k] = ray->origin[k] + t * ray->direction[k];
    double d = vb_capsule_distance(capsule, x, normal, &place);
    if (d < 1e-13)
      return t;
    t += d;
  }
  return INFINITY;
}

static vb_capsule random_capsule(uint64_t *seed, int kind) {
  double a[3], b[3], r_a = 0.6 + 0.4 * scenes_random(seed), r_b = 0.6 + 0.4 * scenes_random(seed);
  for (int k = 0; k < 3; k++) {
    a[k] = 2 * scenes_random(seed);
    b[k] = kind == 1 ? a[k] + 0.1 * (r_a - r_b) : a[k] + 1.5 * scenes_random(seed);
  }
  return vb_capsule_make(a, r_a, b,
                         kind == 2 ? r_a : r_b); // 1: one ball in the other; 2: cylinders
}

static vb_ray random_ray(uint64_t *seed) {
  vb_ray ray;
  double to[3];
  for (int k = 0; k < 3; k++) {
    ray.origin[k] = 12 * scenes_random(seed);
    to[k] = 1.2 * scenes_random(seed);
  }
  ray.origin[0] += ray.origin[0] < 0 ? -8 : 8; // outside of all
  vb_direction(ray.origin, to, ray.direction);
  return ray;
}

START_TEST(ray_hits_match_marching) {
  uint64_t seed = 11;
  int met = 0;
  for (int n = 0; n < 3000; n++) {
    vb_capsule capsule = random_capsule(&seed, n % 3);
    vb_ray ray = random_ray(&seed);
    double d = vb_capsule_intersect(&capsule, &ray, 0), found = march(&capsule, &ray);
    if (found == INFINITY || d == INFINITY) { // a grazing ray may be lost to rounding: none is here
      ck_assert_double_eq(d, found);
      continue;
    }
    met++;
    // Marching stops 1e-13 m before the surface, along a grazing ray further.
    ck_assert_double_eq_tol(d, found, 1e-6);
  }
  ck_assert_int_gt(met, 300);
}
END_TEST

START_TEST(rays_along_the_axis_hit_the_near_end) {
  const double a[3] = {0, 0, 0}, b[3] = {2, 0, 0};
  vb_capsule cylinder = vb_capsule_make(a, 0.5, b, 0.5), cone = vb_capsule_make(a, 0.5, b, 0.1);
  for (int i = 0; i < 5; i++) {
    double aside = 0.1 * i;
    vb_ray ray = {{-7, aside, 0}, {1, 0, 0}};
    ck_assert_double_eq_tol(vb_capsule_intersect(&cylinder, &ray, 0),
                            7 - sqrt(0.25 - aside * aside), 1e-14);
    ck_assert_double_eq_tol(vb_capsule_intersect(&cone, &ray, 0), 7 - sqrt(0.25 - aside * aside),
                            1e-14);
  }
}
END_TEST

/// Capsules and a mesh of triangles in one place.
static vb_shapes jumble(size_t n_capsules, size_t n_triangles, uint64_t seed) {
  vb_shapes s = {
      .n_capsules = n_capsules, .n_vertices = 3 * n_triangles, .n_triangles = n_triangles};
  vb_error error = {0};
  VB_TAKE(&s.memory, s.capsule, n_capsules);
  VB_TAKE(&s.memory, s.capsule_value, n_capsules);
  VB_TAKE(&s.memory, s.vertex, s.n_vertices);
  VB_TAKE(&s.memory, s.value, s.n_vertices);
  VB_TAKE(&s.memory, s.triangle, n_triangles);
  ck_assert(!s.memory.failed);
  for (size_t i = 0; i < n_capsules; i++) {
    s.capsule[i] = random_capsule(&seed, 0);
    s.capsule[i].r_a *= 0.2;
    s.capsule[i].r_b *= 0.2;
    s.capsule[i].sine *= 0.2;
    s.capsule_value[i][0] = s.capsule_value[i][1] = scenes_random(&seed);
  }
  for (size_t i = 0; i < s.n_vertices; i++) {
    for (int k = 0; k < 3; k++)
      s.vertex[i][k] =
          (i % 3 ? s.vertex[i - i % 3][k] : 0) + (i % 3 ? 0.3 : 2) * scenes_random(&seed);
    s.value[i] = scenes_random(&seed);
    s.triangle[i / 3][i % 3] = (int32_t)i;
  }
  ck_assert_int_eq(vb_shapes_prepare(&s, &error), VB_OK);
  return s;
}

/// Moves all far from the origin and makes some triangles and capsules equal, which no place parts.
static void make_hard(vb_shapes *s, double away) {
  vb_error error = {0};
  for (size_t i = 0; i < s->n_capsules; i++) {
    if (i % 4 == 1)
      s->capsule[i] = s->capsule[1];
    else
      s->capsule[i].a[1] += away;
  }
  s->capsule[1].a[1] += away;
  for (size_t i = 0; i < s->n_vertices; i++)
    s->vertex[i][1] += away;
  for (size_t t = 0; t < s->n_triangles; t += 3)
    memcpy(s->triangle[t], s->triangle[0], sizeof *s->triangle);
  ck_assert_int_eq(vb_shapes_prepare(s, &error), VB_OK);
}

/// One item alone, by the same code without a choice among several.
static double alone(const vb_shapes *s, size_t item, const vb_ray *ray) {
  if (item < s->n_capsules)
    return vb_capsule_intersect(&s->capsule[item], ray, 0);
  vb_shapes one = {.vertex = s->vertex,
                   .value = s->value,
                   .n_vertices = s->n_vertices,
                   .triangle = s->triangle + (item - s->n_capsules),
                   .n_triangles = 1};
  vb_error error = {0};
  vb_hit hit;
  ck_assert_int_eq(vb_shapes_prepare(&one, &error), VB_OK);
  bool met = vb_shapes_first(&one, ray, &hit);
  vb_shapes_clear(&one);
  return met ? hit.distance : INFINITY;
}

START_TEST(the_nearest_of_all_is_seen) {
  vb_shapes s = jumble(60, 60, 5);
  uint64_t seed = 77;
  int met = 0;
  for (int n = 0; n < 300; n++) {
    vb_ray ray = random_ray(&seed);
    vb_hit hit = {.item = -1};
    double best = INFINITY;
    int32_t nearest = -1;
    for (size_t i = 0; i < 120; i++) {
      double d = alone(&s, i, &ray);
      if (d < best) {
        best = d;
        nearest = (int32_t)i;
      }
    }
    ck_assert_int_eq(vb_shapes_first(&s, &ray, &hit), nearest >= 0);
    ck_assert_int_eq(vb_shapes_block(&s, &ray), nearest >= 0);
    ck_assert_int_eq(hit.item, nearest);
    if (nearest < 0)
      continue;
    met++;
    ck_assert_double_eq(hit.distance, best);
    ck_assert_double_le(vb_dot(hit.normal, ray.direction), 1e-9);
    ck_assert_double_eq_tol(vb_dot(hit.normal, hit.normal), 1, 1e-14);
  }
  ck_assert_int_gt(met, 100);
  vb_shapes_clear(&s);
}
END_TEST

/// The nearest item by trying all, as the tree's search has it.
static int32_t try_all(const vb_shapes *s, const vb_ray *ray, double *best) {
  int32_t nearest = -1;
  *best = INFINITY;
  for (size_t i = 0; i < s->n_capsules + s->n_triangles; i++) {
    double uv[2], d = i < s->n_capsules ? vb_capsule_intersect(&s->capsule[i], ray, 0)
                                        : vb_ray_intersect_triangle(s, i - s->n_capsules, ray, uv);
    if (d < *best) {
      *best = d;
      nearest = (int32_t)i;
    }
  }
  return nearest;
}

/// A ray to a vertex, where boxes end too: from afar, from near, or along an axis.
static vb_ray ray_to_vertex(const vb_shapes *s, uint64_t *seed, int n) {
  const double *to =
      s->vertex[(size_t)(0.5 * (1 + scenes_random(seed)) * (double)s->n_vertices) % s->n_vertices];
  double away = n % 3 == 0 ? 1e4 : 1;
  vb_ray ray = {{to[0], to[1], to[2]}, {0, 0, 0}};
  for (int k = 0; k < 3; k++)
    if (n % 3 < 2 || k == n / 3 % 3)
      ray.origin[k] += away * (scenes_random(seed) + (k == 0 ? 1.5 : 0));
  vb_direction(ray.origin, to, ray.direction);
  return ray;
}

START_TEST(boxes_lose_no_hit) {
  vb_shapes s = jumble(100, 1500, 9);
  uint64_t seed = 78;
  int met = 0;
  make_hard(&s, _i ? 300 : 0);
  for (int n = 0; n < 3000; n++) {
    vb_ray ray = ray_to_vertex(&s, &seed, n);
    double best, distance;
    int32_t nearest = try_all(&s, &ray, &best);
    met += nearest >= 0;
    ck_assert_int_eq(vb_ray_search(&s, &ray, false, &distance), nearest);
    ck_assert(distance == best);
    ck_assert_int_eq(vb_ray_search(&s, &ray, true, &distance) >= 0, nearest >= 0);
  }
  ck_assert_int_gt(met, 1500);
  vb_shapes_clear(&s);
}
END_TEST

static void draw_jumble(const vb_shapes *s, int threads, float *pixel) {
  vb_view view = {.azimuth = 30, .elevation = 20, .zoom = 1, .lens = 30};
  vb_camera_fit fit = vb_camera_fit_begin(&view, 1.5);
  vb_error error = {0};
  vb_camera_fit_shapes(&fit, s);
  vb_drawing d = {.shapes = s,
                  .camera = vb_camera_fit_end(&fit),
                  .palette = {VB_DIVERGING, -1, 1},
                  .radius = 4,
                  .line_spacing = 1,
                  .width = 120,
                  .height = 80,
                  .samples = 3};
  omp_set_num_threads(threads);
  ck_assert_int_eq(vb_draw(&d, pixel, &error), VB_OK);
}

START_TEST(threads_do_not_change_pictures) {
  vb_shapes s = jumble(200, 200, 8);
  vb_ground ground = {{0, 0, 1}, -3};
  size_t bytes = 120 * 80 * 4 * sizeof(float);
  float *first = malloc(bytes), *other = malloc(bytes);
  ck_assert(first && other);
  s.ground = &ground;
  s.n_grounds = 1;
  draw_jumble(&s, 1, first);
  for (int threads = 2; threads <= 7; threads += 5) {
    draw_jumble(&s, threads, other);
    ck_assert_int_eq(memcmp(first, other, bytes), 0);
  }
  free(first);
  free(other);
  vb_shapes_clear(&s);
}
END_TEST

/// Every ball is in the picture, and the outermost reach 94 % of it in one direction.
START_TEST(the_camera_shows_all) {
  vb_view view = {
      .azimuth = 70 * _i, .elevation = 30 * _i - 60, .zoom = 1, .lens = _i % 2 ? 40 : 0};
  vb_camera_fit fit = vb_camera_fit_begin(&view, 1.25);
  double center[40][3], radius[40], most[2] = {0, 0};
  uint64_t seed = 21;
  for (int i = 0; i < 40; i++) {
    for (int k = 0; k < 3; k++)
      center[i][k] = 3 + 5 * scenes_random(&seed);
    radius[i] = 0.5 + 0.4 * scenes_random(&seed);
    vb_camera_fit_ball(&fit, center[i], radius[i]);
  }
  vb_camera c = vb_camera_fit_end(&fit);
  for (int i = 0; i < 40; i++) {
    double from[3];
    for (int k = 0; k < 3; k++)
      from[k] = center[i][k] - c.eye[k];
    double depth = vb_dot(from, c.forward);
    ck_assert_double_gt(depth, radius[i]);
    for (int axis = 0; axis < 2; axis++) {
      double half = axis ? c.height : c.width, x = fabs(vb_dot(from, axis ? c.up : c.right));
      // For parallel rays the ball's edge; else the tangent of the edge's angle from forward.
      double edge =
          c.parallel ? x + radius[i] : tan(atan2(x, depth) + asin(radius[i] / hypot(x, depth)));
      most[axis] = fmax(most[axis], edge / half);
    }
  }
  ck_assert_double_eq_tol(fmax(most[0], most[1]), 0.94, 1e-12);
}
END_TEST

static double luminance(const double color[3]) {
  return 0.2126 * color[0] + 0.7152 * color[1] + 0.0722 * color[2];
}

static uint32_t coded(vb_palette palette, double value) {
  double color[3];
  uint32_t code = 0;
  vb_palette_color(&palette, value, color);
  for (int k = 0; k < 3; k++)
    code = code << 8 | (uint32_t)(255 * vb_encode_srgb(color[k]) + 0.5);
  return code;
}

START_TEST(values_have_their_colors) {
  vb_palette scale = {VB_SEQUENTIAL, 0.5, 1.5}, error = {VB_DIVERGING, -0.2, 0.2};
  vb_palette body = {VB_CATEGORICAL, 0, 0};
  double before = -1, color[3];
  ck_assert_uint_eq(coded(scale, 0.5), 0x2B3990);
  ck_assert_uint_eq(coded(scale, 1), 0x2AA6A0);
  ck_assert_uint_eq(coded(scale, 7), 0xF5E663);
  ck_assert_uint_eq(coded(error, 0), 0xEDEDED);
  ck_assert_uint_eq(coded(error, -0.3), 0x0B4F94);
  ck_assert_uint_eq(coded(error, 0.1), 0xEB9E62);
  ck_assert_uint_eq(coded(error, NAN), 0x808080);
  ck_assert_uint_eq(coded(body, 0), 0x56B4E9);
  ck_assert_uint_eq(coded(body, 9), 0xE69F00);
  for (int i = 0; i <= 100; i++) { // lightness alone tells larger from smaller
    vb_palette_color(&scale, 0.5 + 0.01 * i, color);
    ck_assert_double_gt(luminance(color), before);
    before = luminance(color);
  }
  for (int i = 1; i <= 50; i++) { // and larger errors from smaller ones, of either sign
    double next[3];
    for (int sign = -1; sign <= 1; sign += 2) {
      vb_palette_color(&error, sign * 0.004 * i, color);
      vb_palette_color(&error, sign * 0.004 * (i - 1), next);
      ck_assert_double_lt(luminance(color), luminance(next));
    }
  }
  for (int i = 0; i <= 255; i++)
    ck_assert_double_eq_tol(vb_encode_srgb(vb_decode_srgb(i / 255.0)), i / 255.0, 1e-6);
}
END_TEST

/// A square across the view, 6 m wide, `y` behind the eye's target, of value 0.
static vb_shapes square(double y) {
  static const double CORNER[4][2] = {{-3, -3}, {3, -3}, {3, 3}, {-3, 3}};
  vb_shapes s = {.n_vertices = 4, .n_triangles = 2};
  vb_error error = {0};
  VB_TAKE(&s.memory, s.vertex, 4);
  VB_TAKE(&s.memory, s.value, 4);
  VB_TAKE(&s.memory, s.triangle, 2);
  ck_assert(!s.memory.failed);
  for (int i = 0; i < 4; i++)
    memcpy(s.vertex[i], (double[3]){CORNER[i][0], y, CORNER[i][1]}, sizeof *s.vertex);
  for (int t = 0; t < 2; t++)
    memcpy(s.triangle[t], (int32_t[3]){0, t + 1, t + 2}, sizeof *s.triangle);
  ck_assert_int_eq(vb_shapes_prepare(&s, &error), VB_OK);
  return s;
}

/// Draws one pixel: the middle of what is seen along y.
static void draw_middle(const vb_shapes *shapes, const vb_shapes *clear, float pixel[4]) {
  vb_error error = {0};
  vb_drawing d = {.shapes = shapes,
                  .clear = clear,
                  .camera = camera(true, 8, 0.1),
                  .palette = {VB_CATEGORICAL, 0, 1},
                  .radius = 10,
                  .line_spacing = 1,
                  .width = 1,
                  .height = 1,
                  .samples = 1};
  ck_assert_int_eq(vb_draw(&d, pixel, &error), VB_OK);
}

/// 35 % of its own color, 65 % of what is behind; nothing where it lies on what hides it, or
/// behind.
START_TEST(a_clear_surface_is_laid_over_what_is_behind) {
  const double PLACE[] = {-1, 0, 1};
  vb_shapes none = {0}, solid = square(0), ball;
  vb_capsule capsule = vb_capsule_make((double[3]){0, 2, 0}, 1, (double[3]){0, 2, 0}, 1);
  float own[4], behind[4], pixel[4];
  ball = capsules(&capsule, 1);
  ball.capsule_value[0][0] = ball.capsule_value[0][1] = 1;
  draw_middle(&solid, NULL, own);
  draw_middle(&ball, NULL, behind);
  ck_assert_float_gt(fabsf(own[0] - behind[0]), 0.01F);
  for (int i = 0; i < 3; i++) {
    vb_shapes clear = square(PLACE[i]);
    draw_middle(&none, &clear, pixel); // before white
    ck_assert_float_eq(pixel[3], 1);
    for (int k = 0; k < 3; k++)
      ck_assert_float_eq_tol(pixel[k], 0.35F * own[k] + 0.65F, 1e-6F);
    draw_middle(&ball, &clear, pixel);
    for (int k = 0; k < 3; k++) // the ball begins at y = 1, on the last of them
      ck_assert_float_eq_tol(pixel[k], i == 2 ? behind[k] : 0.35F * own[k] + 0.65F * behind[k],
                             1e-6F);
    draw_middle(&solid, &clear, pixel);
    for (int k = 0; k < 3; k++)
      ck_assert_float_eq_tol(pixel[k], own[k], 1e-6F); // both have one color
    vb_shapes_clear(&clear);
  }
  vb_shapes_clear(&ball);
  vb_shapes_clear(&solid);
}
END_TEST

START_TEST(files_hold_the_picture) {
  char path[] = "/tmp/vb_png_XXXXXX";
  int made = mkstemp(path);
  vb_image image = {0};
  vb_error error = {0};
  ck_assert_int_ge(made, 0);
  close(made);
  ck_assert_int_eq(vb_image_create(37, 21, &image, &error), VB_OK);
  for (int y = 0; y < 21; y++)
    for (int x = 0; x < 37; x++)
      vb_image_blend(&image, x, y, (uint32_t)(x * 5 << 16 | y * 7 << 8 | 99), 1);
  ck_assert_int_eq(vb_image_write_png(&image, path, true, "a test \xC3\xA9", &error), VB_OK);
  png_image read = {.version = PNG_IMAGE_VERSION};
  ck_assert_int_ne(png_image_begin_read_from_file(&read, path), 0);
  read.format = PNG_FORMAT_RGB;
  ck_assert_uint_eq(read.width, 37);
  ck_assert_uint_eq(read.height, 21);
  uint8_t *pixel = malloc(PNG_IMAGE_SIZE(read));
  ck_assert_ptr_nonnull(pixel);
  ck_assert_int_ne(png_image_finish_read(&read, NULL, pixel, 0, NULL), 0);
  ck_assert_int_eq(memcmp(pixel, image.pixel, 3 * 37 * 21), 0);
  free(pixel);
  unlink(path);
  ck_assert_int_eq(vb_image_write_png(&image, "/nonexistent/a.png", true, "", &error),
                   VB_CANNOT_WRITE);
  ck_assert_ptr_nonnull(strstr(error.message, "/nonexistent/a.png: No such file"));
  ck_assert_int_eq(vb_image_write_png(&image, "/dev/full/a.png", true, "", &error),
                   VB_CANNOT_WRITE);
  vb_image_clear(&image);
  ck_assert_int_eq(vb_image_create(0, 21, &image, &error), VB_BAD_INPUT);
  ck_assert_int_eq(vb_image_create(21, VB_IMAGE_MAX_SIDE + 1, &image, &error), VB_BAD_INPUT);
}
END_TEST

/// Dark pixels of a legend's lowest half, where its numbers are.
START_TEST(legends_show_numbers) {
  vb_image image = {0};
  vb_font *font = NULL;
  vb_error error = {0};
  int dark = 0;
  vb_legend legend = {"title", "scale", {VB_SEQUENTIAL, 0.5, 1.5}, 1};
  int letters = vb_legend_letters(600, 400), height = vb_legend_height(letters);
  if (vb_font_open(letters, &font, &error) == VB_UNAVAILABLE) {
    vb_skip("font", error.message);
    return;
  }
  ck_assert_int_gt(vb_font_width(font, "WW"), vb_font_width(font, "W"));
  ck_assert_int_eq(vb_image_create(600, height, &image, &error), VB_OK);
  vb_legend_draw(&legend, font, letters, &image);
  for (int i = 3 * 600 * (height / 2 + letters / 2); i < 3 * 600 * height; i += 3)
    dark += image.pixel[i] < 128;
  ck_assert_int_gt(dark, 3 * letters);
  // Three pixels from the right end of the bar, which is two fifths of 600 wide.
  const uint8_t *last =
      image.pixel + (ptrdiff_t)3 * (600 * (letters / 2 + 3) + 600 - 2 * letters - 3);
  uint32_t color = coded(legend.palette, 1.5 - 2.5 / 240);
  ck_assert_uint_eq((uint32_t)last[0] << 16 | (uint32_t)last[1] << 8 | last[2], color);
  vb_font_close(font);
  vb_image_clear(&image);
}
END_TEST

START_TEST(non_finite_values_are_refused) {
  vb_bounds bounds[2] = {{{0, 0, 0}, {1, 1, 1}}, {{0, 0, 0}, {1, NAN, 1}}};
  vb_box_tree tree = {.n_items = 7};
  vb_error error = {0};
  ck_assert_int_eq(vb_box_tree_build(bounds, 2, &tree, &error), VB_BAD_INPUT);
  ck_assert_uint_eq(tree.n_items, 7);
  ck_assert_int_eq(vb_box_tree_build(bounds, 0, &tree, &error), VB_OK);
  ck_assert_uint_eq(tree.n_nodes, 0);
  vb_box_tree_clear(&tree);
}
END_TEST

static TCase *make_tests(void) {
  TCase *test = tcase_create("render");
  tcase_set_timeout(test, 60);
  tcase_add_loop_test(test, silhouettes_have_the_area_of_what_is_seen, 0, CASES);
  tcase_add_test(test, ray_hits_match_marching);
  tcase_add_test(test, rays_along_the_axis_hit_the_near_end);
  tcase_add_test(test, the_nearest_of_all_is_seen);
  tcase_add_loop_test(test, boxes_lose_no_hit, 0, 2);
  tcase_add_loop_test(test, bounds_cut_nothing_off, 0, CASES);
  tcase_add_test(test, threads_do_not_change_pictures);
  tcase_add_loop_test(test, the_camera_shows_all, 0, 5);
  tcase_add_test(test, values_have_their_colors);
  tcase_add_test(test, a_clear_surface_is_laid_over_what_is_behind);
  tcase_add_test(test, files_hold_the_picture);
  tcase_add_test(test, legends_show_numbers);
  tcase_add_test(test, non_finite_values_are_refused);
  return test;
}

VB_TEST_MAIN("render", make_tests())
