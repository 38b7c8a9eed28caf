// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/draw.h"

#include "scene/rotation.h"

#include <stdlib.h>

// The light: from above, to the left of who looks; where it does not reach, that of the sky.
#define SUN_TURN     (-40 * M_PI / 180)
#define SUN_HEIGHT   (52 * M_PI / 180)
#define SUN          0.72
#define SKY          0.34 ///< on what faces up
#define BOUNCE       0.20 ///< on what faces down
#define HEAD         0.12 ///< on what faces the eye
#define GROUND       0.86 ///< its albedo
#define LINES        0.66
#define LINE_WIDTH   0.016 ///< of their distance
#define DIFFERENCE   0.06  ///< of colors, from which on a pixel is looked at closer
#define SHADOW_SHIFT 1e-4  ///< of the radius: off the surface that the shadow falls on
#define OPACITY      0.35  ///< of a surface that is seen through
#define GLASS        0.15  ///< the same of one without a value: a collider
#define CLEAR_SHADOW 0.75  ///< light that comes to the ground through such surfaces

/// Surfaces that a ray is followed through, of which the last hides all but 0.65^16 = 0.1 %.
enum { LAYERS = 16 };

/// What one ray sees.
typedef struct seen {
  double color[3];
  double covered; ///< 1 where it meets a shape
} seen;

static void sun_of(const vb_camera *camera, double sun[3]) {
  double c = cos(SUN_TURN), s = sin(SUN_TURN), flat[3];
  const double *r = camera->right;
  double back[3] = {r[1], -r[0], 0}; // towards who looks, level
  for (int k = 0; k < 3; k++)
    flat[k] = c * back[k] + s * r[k];
  for (int k = 0; k < 3; k++)
    sun[k] = cos(SUN_HEIGHT) * flat[k] + (k == 2 ? sin(SUN_HEIGHT) : 0);
}

/// The share of the sun's light that comes to a point past all that hides it.
static double lit(const vb_drawing *d, const double sun[3], const double x[3],
                  const double normal[3]) {
  double slope = vb_dot(normal, sun);
  vb_ray ray;
  if (slope <= 0)
    return 0;
  vb_add_scaled(x, SHADOW_SHIFT * d->radius, normal, ray.origin);
  memcpy(ray.direction, sun, sizeof ray.direction);
  return vb_shapes_block(d->shapes, &ray) ? 0 : slope;
}

static void shade(const vb_drawing *d, const vb_palette *palette, const vb_ray *ray,
                  const vb_hit *hit, const double sun[3], double color[3]) {
  double x[3];
  vb_add_scaled(ray->origin, hit->distance, ray->direction, x);
  double up = 0.5 * (1 + hit->normal[2]), head = fmax(0, -vb_dot(hit->normal, ray->direction));
  double light =
      SUN * lit(d, sun, x, hit->normal) + SKY * up + BOUNCE * (1 - up) + HEAD * head * head;
  vb_palette_color(palette, hit->value, color);
  for (int k = 0; k < 3; k++)
    color[k] *= light;
}

/// 1 on a line of the ground's grid, which lies in the plane's two directions.
static bool on_line(const vb_drawing *d, const vb_ground *g, const double x[3]) {
  double along[2][3] = {{1, 0, 0}, {0, 1, 0}};
  if (fabs(g->normal[2]) < 1 - 1e-9) { // not level: one direction is level
    vb_cross((double[3]){0, 0, 1}, g->normal, along[0]);
    double size = sqrt(vb_dot(along[0], along[0]));
    for (int k = 0; k < 3; k++)
      along[0][k] /= size;
    vb_cross(g->normal, along[0], along[1]);
  }
  for (int i = 0; i < 2; i++) {
    double place = vb_dot(x, along[i]) / d->line_spacing;
    if (fabs(place - round(place)) < 0.5 * LINE_WIDTH)
      return true;
  }
  return false;
}

/// Whether what is seen through lies between a point of the ground and the sun.
static bool is_dimmed(const vb_drawing *d, const double sun[3], const double x[3]) {
  vb_ray ray;
  memcpy(ray.origin, x, sizeof ray.origin);
  memcpy(ray.direction, sun, sizeof ray.direction);
  return d->clear && vb_shapes_block(d->clear, &ray);
}

/// The color of the nearest ground nearer than `limit`, mixed over the background by its distance.
/// Returns the distance, or `limit`.
static double see_ground(const vb_drawing *d, const vb_ray *ray, const double sun[3], double limit,
                         double color[3]) {
  const vb_ground *nearest = NULL;
  double best = limit, x[3];
  for (size_t i = 0; i < d->shapes->n_grounds; i++) {
    const vb_ground *g = &d->shapes->ground[i];
    double slope = vb_dot(g->normal, ray->direction);
    double distance = (g->offset - vb_dot(g->normal, ray->origin)) / slope;
    if (slope < 0 && distance > 0 && distance < best) {
      best = distance;
      nearest = g;
    }
  }
  if (!nearest)
    return limit;
  vb_add_scaled(ray->origin, best, ray->direction, x);
  double fade = 1.5 - 0.5 * vb_distance(x, d->middle) / d->radius;
  if (fade <= 0)
    return limit;
  fade = fade < 1 ? fade * fade * (3 - 2 * fade) : 1;
  double light = 0.45 + 0.55 * lit(d, sun, x, nearest->normal) / fmax(sun[2], 1e-3);
  if (is_dimmed(d, sun, x))
    light *= CLEAR_SHADOW;
  double shown = (on_line(d, nearest, x) ? LINES : GROUND) * fmin(light, 1);
  for (int k = 0; k < 3; k++)
    color[k] = (1 - fade) * color[k] + fade * shown;
  return best;
}

/// Lays the surfaces nearer than `limit` that are seen through over a color; whether there are any.
/// One on a surface that hides it is left out.
static bool see_through(const vb_drawing *d, const vb_ray *ray, const double sun[3], double limit,
                        double color[3]) {
  double shift = SHADOW_SHIFT * d->radius, share = 1, sum[3] = {0}, passed = 0;
  const vb_palette gray = {.kind = VB_SEQUENTIAL}; // of colliders, which are no bones
  vb_ray rest = *ray;
  vb_hit hit;
  for (int i = 0; i < LAYERS && vb_shapes_first(d->clear, &rest, &hit); i++) {
    double own[3], opacity = isnan(hit.value) ? GLASS : OPACITY;
    if (passed + hit.distance >= limit - shift)
      break;
    shade(d, isnan(hit.value) ? &gray : &d->palette, &rest, &hit, sun, own);
    for (int k = 0; k < 3; k++)
      sum[k] += share * opacity * fmin(own[k], 1);
    share *= 1 - opacity;
    passed += hit.distance + shift;
    vb_add_scaled(ray->origin, passed, ray->direction, rest.origin);
  }
  for (int k = 0; k < 3; k++)
    color[k] = sum[k] + share * fmin(color[k], 1);
  return share < 1;
}

static seen trace(const vb_drawing *d, const double sun[3], double u, double v) {
  seen s = {{1, 1, 1}, 0};
  vb_hit hit;
  vb_ray ray = vb_camera_ray(&d->camera, u, v);
  double limit = INFINITY;
  if (vb_shapes_first(d->shapes, &ray, &hit)) {
    shade(d, &d->palette, &ray, &hit, sun, s.color);
    s.covered = 1;
    limit = hit.distance;
  }
  limit = see_ground(d, &ray, sun, limit, s.color);
  if (d->clear && see_through(d, &ray, sun, limit, s.color))
    s.covered = 1;
  return s;
}

/// The mean of n x n rays through pixel (x, y).
static void sample(const vb_drawing *d, const double sun[3], int x, int y, int n, float *out) {
  double sum[4] = {0};
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      double u = 2 * (x + (i + 0.5) / n) / d->width - 1;
      double v = 1 - 2 * (y + (j + 0.5) / n) / d->height;
      seen s = trace(d, sun, u, v);
      for (int k = 0; k < 3; k++)
        sum[k] += fmin(s.color[k], 1);
      sum[3] += s.covered;
    }
  for (int k = 0; k < 4; k++)
    out[k] = (float)(sum[k] / (n * n));
}

/// Whether a pixel differs from one of the eight around it.
static bool differs(const vb_drawing *d, const float *pixel, int x, int y) {
  const float *own = pixel + 4 * ((size_t)y * (size_t)d->width + (size_t)x);
  for (int j = y > 0 ? y - 1 : 0; j <= y + 1 && j < d->height; j++)
    for (int i = x > 0 ? x - 1 : 0; i <= x + 1 && i < d->width; i++) {
      const float *other = pixel + 4 * ((size_t)j * (size_t)d->width + (size_t)i);
      for (int k = 0; k < 4; k++)
        if (fabsf(own[k] - other[k]) > (float)DIFFERENCE)
          return true;
    }
  return false;
}

vb_status vb_draw(const vb_drawing *d, float *pixel, vb_error *error) {
  size_t n = (size_t)d->width * (size_t)d->height;
  float *first = reallocarray(NULL, n * 4, sizeof *first);
  double sun[3];
  if (!first)
    return vb_error_memory(error);
  sun_of(&d->camera, sun);
#pragma omp parallel for schedule(dynamic, 4)
  for (int y = 0; y < d->height; y++)
    for (int x = 0; x < d->width; x++)
      sample(d, sun, x, y, 1, first + 4 * ((size_t)y * (size_t)d->width + (size_t)x));
  memcpy(pixel, first, n * 4 * sizeof *first);
#pragma omp parallel for schedule(dynamic, 4)
  for (int y = 0; y < d->height; y++)
    for (int x = 0; x < d->width; x++)
      if (d->samples > 1 && differs(d, first, x, y))
        sample(d, sun, x, y, d->samples, pixel + 4 * ((size_t)y * (size_t)d->width + (size_t)x));
  free(first);
  return VB_OK;
}
