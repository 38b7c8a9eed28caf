// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/draw.h"

#include "render/surface.h"
#include "scene/rotation.h"

#include <stdlib.h>

#define DIFFERENCE 0.04 ///< of colors, from which on a pixel is sampled more closely
#define SAME_PLANE 2.5  ///< pixels that neighbors of one surface may be off each other's plane
#define SAME_SLOPE 0.80 ///< cosine of their normals' angle, at least

/// Rows of a picture that are drawn together.
enum { STRIP = 96 };

/// Pixels across and along a tile.
enum { TILE = 16 };

/// Light is sampled at every other pixel, as a chessboard has them, and averaged twice: over pixels
/// up to NEAR away, and over the means of pixels FAR away, as wide as a square that holds a group
/// of samples. With fewer than FEW sampled neighbors on its surface, of 8, a pixel takes samples of
/// its own.
enum { NEAR = 2, FAR = 4, FEW = 3 };

/// Rows around those of a strip: of what is averaged, and of its parts.
enum { MEAN_MARGIN = 1 + FAR, MARGIN = MEAN_MARGIN + NEAR };

/// What is known of the middle of a pixel.
typedef struct place {
  vb_surface surface;
  vb_visibility raw;  ///< by the pixel's own set of samples; where it has one
  vb_visibility mean; ///< over near pixels
} place;

/// Rows `first` to `end - 1` of a picture, with those around them that they depend on.
typedef struct strip {
  const vb_drawing *drawing;
  const vb_light *light;
  int first, end;
  int low[2], high[2]; ///< columns and rows (the high ones not) beyond which all is white
  place *place;        ///< (end - first + 2 MARGIN) x width, from row first - MARGIN on
  float *color;        ///< (end - first + 2) x width x 4, from row first - 1 on
  float *pixel;        ///< of the picture
} strip;

static double pixel_spread(const vb_drawing *d) {
  return 2 * d->camera.height / d->height;
}

static vb_ray ray_at(const vb_drawing *d, double x, double y) {
  return vb_camera_ray(&d->camera, 2 * x / d->width - 1, 1 - 2 * y / d->height);
}

/// Whether light is sampled at the middle of a pixel.
static bool is_sampled(int x, int y) {
  return ((x + y) & 1) == 0;
}

/// The set of samples of a pixel: sampled pixels of each square of 4 x 4 have a group, in which
/// sets of neighbors are far apart; those of each of 8 x 8 have all.
static int set_of(int x, int y) {
  static const int SET[4][4] = {{0, 0, 2, 2}, {4, 4, 6, 6}, {3, 3, 1, 1}, {7, 7, 5, 5}};
  return SET[y & 3][x & 3] + VB_LIGHT_GROUP * ((x >> 2 & 1) + 2 * (y >> 2 & 1));
}

static place *place_at(const strip *s, int x, int y) {
  return &s->place[(size_t)(y - s->first + MARGIN) * (size_t)s->drawing->width + (size_t)x];
}

/// Whether two points belong to one smooth surface, so that similar light reaches them.
static bool is_similar(const vb_drawing *d, const vb_surface *a, const vb_surface *b) {
  if (a->is_ground != b->is_ground || !(b->distance < INFINITY) ||
      vb_dot(a->point.normal, b->point.normal) < SAME_SLOPE)
    return false;
  double away[3], pixel = pixel_spread(d) * (d->camera.parallel ? 1 : a->distance);
  vb_subtract(b->point.x, a->point.x, away);
  return fabs(vb_dot(away, a->point.normal)) < SAME_PLANE * pixel;
}

/// A mean of visibilities, of the sun alone over those that know it.
typedef struct mean {
  double sun, sky, sun_weight, weight;
} mean;

static void add(mean *m, const vb_visibility *v, double weight) {
  m->sky += weight * v->sky;
  m->weight += weight;
  if (v->sun < 0)
    return;
  m->sun += weight * v->sun;
  m->sun_weight += weight;
}

/// Adds pixels around (x, y) on the surface of `own`: up to `reach` away in steps of `step`, those
/// at the end by half.
static void add_around(const strip *s, int x, int y, const vb_surface *own, int reach, int step,
                       mean *m) {
  const vb_drawing *d = s->drawing;
  for (int j = y - reach; j <= y + reach; j += step)
    for (int i = x - reach; i <= x + reach; i += step) {
      if (i < 0 || i >= d->width || j < 0 || j >= d->height)
        continue;
      bool raw = step == 1 && reach == NEAR;
      if (raw && !is_sampled(i, j))
        continue;
      const place *other = place_at(s, i, j);
      double weight = (abs(i - x) == reach ? 0.5 : 1) * (abs(j - y) == reach ? 0.5 : 1);
      if (is_similar(d, own, &other->surface))
        add(m, raw ? &other->raw : &other->mean, weight);
    }
}

static vb_visibility end_mean(const mean *m) {
  return (vb_visibility){m->sun_weight > 0 ? m->sun / m->sun_weight : -1, m->sky / m->weight};
}

/// Averages the light of a pixel over near ones: each window holds 16 sets of samples.
static void average_near(const strip *s, int x, int y) {
  mean m = {0};
  place *p = place_at(s, x, y);
  if (!(p->surface.distance < INFINITY) || s->light->kind != VB_LIGHT_SOFT)
    return;
  add_around(s, x, y, &p->surface, NEAR, 1, &m);
  if (m.weight < FEW) {
    int n = VB_LIGHT_GROUP;
    vb_visibility v = vb_surface_visibility(s->drawing, s->light, &p->surface,
                                            set_of(x, y) + is_sampled(x, y), n);
    add(&m, &v, n);
  }
  p->mean = end_mean(&m);
}

/// The light of a point in pixel (x, y), by means of pixels on its surface, otherwise by samples of
/// its own.
static vb_visibility light_of(const strip *s, int x, int y, const vb_surface *own, int set) {
  mean m = {0};
  add_around(s, x, y, own, FAR, FAR, &m);
  if (m.weight < 1)
    add_around(s, x, y, own, 1, 1, &m);
  if (m.weight > 0)
    return end_mean(&m);
  return vb_surface_visibility(s->drawing, s->light, own, set, 2);
}

static void find_place(const strip *s, int x, int y) {
  const vb_drawing *d = s->drawing;
  place *p = place_at(s, x, y);
  if (x < s->low[0] || x >= s->high[0] || y < s->low[1] || y >= s->high[1]) {
    p->surface.distance = INFINITY;
    return;
  }
  vb_ray ray = ray_at(d, x + 0.5, y + 0.5);
  p->surface = vb_surface_find(d, &ray, pixel_spread(d));
  if (p->surface.distance < INFINITY && s->light->kind == VB_LIGHT_SOFT && is_sampled(x, y))
    p->raw = vb_surface_visibility(d, s->light, &p->surface, set_of(x, y), 1);
}

/// Adds the color along a ray through pixel (x, y) to `sum`.
static void add_color(const strip *s, int x, int y, const vb_ray *ray, const vb_surface *surface,
                      int set, double sum[4]) {
  double color[3];
  vb_visibility v = {1, 1};
  if (surface->distance < INFINITY && s->light->kind == VB_LIGHT_SOFT)
    v = light_of(s, x, y, surface, set);
  else if (surface->distance < INFINITY)
    v = vb_surface_visibility(s->drawing, s->light, surface, 0, 1);
  sum[3] += vb_surface_shade(s->drawing, s->light, ray, surface, &v, color);
  for (int k = 0; k < 3; k++)
    sum[k] += fmin(color[k], 1);
}

/// The color of a pixel by its middle alone.
static void draw_middle(const strip *s, int x, int y) {
  const vb_drawing *d = s->drawing;
  double sum[4] = {1, 1, 1, 0};
  const vb_surface *surface = &place_at(s, x, y)->surface;
  if (d->clear || surface->distance < INFINITY) {
    vb_ray ray = ray_at(d, x + 0.5, y + 0.5);
    memset(sum, 0, sizeof sum);
    add_color(s, x, y, &ray, surface, set_of(x, y), sum);
  }
  float *out = s->color + 4 * ((size_t)(y - s->first + 1) * (size_t)d->width + (size_t)x);
  for (int k = 0; k < 4; k++)
    out[k] = (float)sum[k];
}

/// The mean of n x n rays through pixel (x, y).
static void sample(const strip *s, int x, int y, float out[4]) {
  const vb_drawing *d = s->drawing;
  int n = d->samples;
  double sum[4] = {0};
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      vb_ray ray = ray_at(d, x + (i + 0.5) / n, y + (j + 0.5) / n);
      bool middle = 2 * i + 1 == n && 2 * j + 1 == n; // its surface is known
      vb_surface surface =
          middle ? place_at(s, x, y)->surface : vb_surface_find(d, &ray, pixel_spread(d));
      add_color(s, x, y, &ray, &surface, set_of(i, j), sum);
    }
  for (int k = 0; k < 4; k++)
    out[k] = (float)(sum[k] / (n * n));
}

/// Whether a pixel differs from one of the eight around it, as the eye sees it.
static bool differs(const strip *s, int x, int y) {
  const vb_drawing *d = s->drawing;
  const float *own = s->color + 4 * ((size_t)(y - s->first + 1) * (size_t)d->width + (size_t)x);
  for (int j = y > 0 ? y - 1 : 0; j <= y + 1 && j < d->height; j++)
    for (int i = x > 0 ? x - 1 : 0; i <= x + 1 && i < d->width; i++) {
      const float *other =
          s->color + 4 * ((size_t)(j - s->first + 1) * (size_t)d->width + (size_t)i);
      for (int k = 0; k < 4; k++)
        if (fabsf(own[k] - other[k]) > (float)DIFFERENCE)
          return true;
    }
  return false;
}

static void draw_pixel(const strip *s, int x, int y) {
  const vb_drawing *d = s->drawing;
  float *out = s->pixel + 4 * ((size_t)y * (size_t)d->width + (size_t)x);
  memcpy(out, s->color + 4 * ((size_t)(y - s->first + 1) * (size_t)d->width + (size_t)x),
         4 * sizeof *out);
  if (d->samples > 1 && differs(s, x, y))
    sample(s, x, y, out);
}

static int limit_row(const vb_drawing *d, int y) {
  return y < 0 ? 0 : y > d->height ? d->height : y;
}

/// What is done at each pixel of some rows.
typedef void pixel_work(const strip *s, int x, int y);

/// Does it for rows `first` to `end - 1` (as far as the picture has them), in square tiles: rays of
/// near pixels meet the same shapes.
static void work(const strip *s, int first, int end, pixel_work *at_pixel) {
  const vb_drawing *d = s->drawing;
  first = limit_row(d, first);
  end = limit_row(d, end);
  int across = (d->width + TILE - 1) / TILE, down = (end - first + TILE - 1) / TILE;
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < across * down; i++) {
    int left = i % across * TILE, top = first + i / across * TILE;
    for (int y = top; y < top + TILE && y < end; y++)
      for (int x = left; x < left + TILE && x < d->width; x++)
        at_pixel(s, x, y);
  }
}

/// Draws a strip, whose upper places are known from the one before it.
static void draw_strip(const strip *s) {
  work(s, s->first ? s->first + MARGIN : 0, s->end + MARGIN, find_place);
  work(s, s->first ? s->first + MEAN_MARGIN : 0, s->end + MEAN_MARGIN, average_near);
  work(s, s->first - 1, s->end + 1, draw_middle);
  work(s, s->first, s->end, draw_pixel);
}

/// Finds the columns and rows in which anything but white may be seen: all where there is a ground.
static void find_limits(const vb_drawing *d, strip *s) {
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  const vb_shapes *shapes[2] = {d->shapes, d->clear};
  const int size[2] = {d->width, d->height};
  for (int i = 0; i < 2; i++)
    if (shapes[i] && shapes[i]->tree.n_items > 0)
      vb_camera_bounds(&d->camera, &shapes[i]->tree.bounds, low, high);
  for (int i = 0; i < 2; i++) {
    double from = i ? -high[1] : low[0], to = i ? -low[1] : high[0]; // rows are counted from above
    bool all = d->shapes->n_grounds > 0;
    s->low[i] = all ? 0 : (int)fmax(0, fmin(size[i], floor((from + 1) / 2 * size[i]) - 1));
    s->high[i] = all ? size[i] : (int)fmax(0, fmin(size[i], ceil((to + 1) / 2 * size[i]) + 1));
  }
}

vb_status vb_draw(const vb_drawing *d, float *pixel, vb_error *error) {
  vb_light light = vb_light_make(d->light, &d->camera, d->radius);
  size_t width = (size_t)d->width;
  strip s = {.drawing = d, .light = &light};
  s.pixel = pixel;
  find_limits(d, &s);
  s.place = reallocarray(NULL, width * (STRIP + 2 * MARGIN), sizeof *s.place);
  s.color = reallocarray(NULL, width * (STRIP + 2) * 4, sizeof *s.color);
  vb_status status = s.place && s.color ? VB_OK : vb_error_memory(error);
  for (int y = 0; !status && y < d->height; y += STRIP) {
    s.first = y;
    s.end = limit_row(d, y + STRIP);
    draw_strip(&s);
    memmove(s.place, s.place + width * STRIP, width * 2 * MARGIN * sizeof *s.place);
  }
  free(s.place);
  free(s.color);
  return status;
}
