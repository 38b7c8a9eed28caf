// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/surface.h"

#include "scene/rotation.h"

#define SUN          0.74
#define HEAD         0.08 ///< light on what faces the eye
#define INTERIOR     0.45 ///< of the sky's light that comes from other shapes where these hide it
#define GROUND       0.86 ///< its color
#define LINES        0.66
#define LINE_WIDTH   0.016 ///< of their distance
#define GROUND_SKY   0.45  ///< share of its light that the sky gives
#define CLEAR_SHADOW 0.75  ///< sunlight that comes to the ground through what is seen through
#define OPACITY      0.35  ///< of a surface that is seen through
#define GLASS        0.10  ///< the same of glass, without its reflection
#define KNEE         0.80  ///< brightness from which on colors are compressed below 1
#define EDGE         0.30  ///< width of the reddish edge of shadow on skin, as a cosine

/// Surfaces that a ray is followed through, of which the last hides all but 0.65^16 = 0.1 %.
enum { LAYERS = 16 };

/// Color of the scattered light at the edge of shadow.
static const double SCATTERED[3] = {0.20, 0.045, 0.03};

/// Two directions in a plane, along which its lines run.
static void find_lines(const vb_ground *g, double along[2][3]) {
  memcpy(along, (double[2][3]){{1, 0, 0}, {0, 1, 0}}, 2 * sizeof *along);
  if (fabs(g->normal[2]) >= 1 - 1e-9)
    return;
  vb_cross((double[3]){0, 0, 1}, g->normal, along[0]); // not level: one direction is level
  double size = sqrt(vb_dot(along[0], along[0]));
  for (int k = 0; k < 3; k++)
    along[0][k] /= size;
  vb_cross(g->normal, along[0], along[1]);
}

/// The share of an interval about `place` that lines at whole numbers cover.
static double cover_by_lines(double place, double width) {
  double from = place - 0.5 * width + 0.5 * LINE_WIDTH, to = from + width, sum[2];
  const double end[2] = {from, to};
  for (int i = 0; i < 2; i++) // the length of lines before it
    sum[i] = floor(end[i]) * LINE_WIDTH + fmin(end[i] - floor(end[i]), LINE_WIDTH);
  return (sum[1] - sum[0]) / width;
}

/// The share of a pixel that lines of the ground cover.
static double find_lines_share(const vb_drawing *d, const vb_ground *g, const vb_ray *ray,
                               const double x[3], double pixel) {
  double along[2][3], clear = 1, slope = vb_dot(g->normal, ray->direction);
  find_lines(g, along);
  for (int i = 0; i < 2; i++) {
    double width = 1e-6;
    for (int j = 0; j < 2; j++) { // steps of a pixel across and up, on the plane
      const double *step = j ? d->camera.up : d->camera.right;
      width += pixel * fabs(vb_dot(along[i], step) -
                            vb_dot(along[i], ray->direction) * vb_dot(g->normal, step) / slope);
    }
    clear *= 1 - cover_by_lines(vb_dot(x, along[i]) / d->line_spacing, width / d->line_spacing);
  }
  return 1 - clear;
}

/// Replaces the surface by the ground if that is nearer and has not faded out.
static void find_ground(const vb_drawing *d, const vb_ray *ray, double spread, vb_surface *s) {
  const vb_ground *nearest = NULL;
  double best = s->distance, x[3];
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
    return;
  vb_add_scaled(ray->origin, best, ray->direction, x);
  double fade = 1.5 - 0.5 * vb_distance(x, d->middle) / d->radius;
  if (fade <= 0)
    return;
  double lines = find_lines_share(d, nearest, ray, x, d->camera.parallel ? spread : spread * best);
  *s = (vb_surface){.distance = best, .is_ground = true};
  s->opacity = fade < 1 ? fade * fade * (3 - 2 * fade) : 1;
  memcpy(s->point.x, x, sizeof x);
  memcpy(s->point.normal, nearest->normal, sizeof s->point.normal);
  memcpy(s->point.face, nearest->normal, sizeof s->point.face);
  for (int k = 0; k < 3; k++)
    s->color[k] = GROUND + lines * (LINES - GROUND);
}

static void take_hit(const vb_drawing *d, const vb_shapes *shapes, const vb_ray *ray,
                     const vb_hit *hit, vb_surface *out) {
  out->distance = hit->distance;
  out->appearance = hit->appearance;
  out->is_ground = false;
  out->opacity = 1;
  vb_add_scaled(ray->origin, hit->distance, ray->direction, out->point.x);
  memcpy(out->point.normal, hit->normal, sizeof hit->normal);
  memcpy(out->point.face, hit->face, sizeof hit->face);
  vb_appearance_color(&d->palette, shapes, hit, out->color);
}

vb_surface vb_surface_find(const vb_drawing *d, const vb_ray *ray, double spread) {
  vb_surface s = {.distance = INFINITY};
  vb_hit hit;
  if (vb_shapes_first(d->shapes, ray, &hit))
    take_hit(d, d->shapes, ray, &hit, &s);
  find_ground(d, ray, spread, &s);
  return s;
}

/// The share of the sun's light that what is seen through leaves.
static double dim(const vb_drawing *d, const vb_light *light, const double x[3], int first, int n) {
  int blocked = 0, rays = light->kind == VB_LIGHT_HARD ? 1 : n * VB_LIGHT_RAYS;
  for (int i = 0; i < rays; i++) {
    const double *to = vb_light_sun(light, first * VB_LIGHT_RAYS + i);
    vb_ray ray = {{x[0], x[1], x[2]}, {to[0], to[1], to[2]}};
    blocked += vb_shapes_block(d->clear, &ray);
  }
  return 1 - (1 - CLEAR_SHADOW) * blocked / rays;
}

vb_visibility vb_surface_visibility(const vb_drawing *d, const vb_light *light, const vb_surface *s,
                                    int first, int n) {
  vb_visibility v = {1, 1};
  if (light->kind == VB_LIGHT_FLAT)
    return v;
  v = vb_light_visibility(light, d->shapes, &s->point, first, n);
  if (s->is_ground && d->clear && v.sun > 0)
    v.sun *= dim(d, light, s->point.x, first, n);
  return v;
}

/// Compresses brightness above the knee to less than 1.
static double compress(double x) {
  return x <= KNEE ? x : KNEE + (1 - KNEE) * (1 - exp((KNEE - x) / (1 - KNEE)));
}

/// The sun's light that a rough surface reflects to the eye: GGX, with an approximate shadowing
/// term.
static double reflect_sun(const vb_appearance_row *m, const vb_light *light, const double normal[3],
                          const double eye[3]) {
  double half[3], slope = vb_dot(normal, light->sun);
  for (int k = 0; k < 3; k++)
    half[k] = light->sun[k] + eye[k];
  double size = sqrt(vb_dot(half, half));
  if (slope <= 0 || size <= 0)
    return 0;
  double n_half = vb_dot(normal, half) / size, l_half = fmax(vb_dot(light->sun, half) / size, 0.1);
  double square = m->roughness * m->roughness * m->roughness * m->roughness;
  double lobe = n_half * n_half * (square - 1) + 1;
  return SUN * slope * square / (lobe * lobe) * vb_appearance_fresnel(m->reflectance, l_half) /
         (4 * l_half * l_half * (m->roughness + 0.5));
}

/// The sky's light that a surface reflects to the eye. A rough one reflects less at grazing angles.
static double reflect_sky(const vb_appearance_row *m, const double normal[3], const double eye[3]) {
  double facing = fmax(0, fmin(1, vb_dot(normal, eye)));
  double mirrored = 2 * facing * normal[2] - eye[2]; // z of the mirrored direction
  double gloss = (1 - m->roughness) * (1 - m->roughness) * (1 - m->roughness);
  return gloss * vb_appearance_fresnel(m->reflectance, facing) * vb_light_sky(mirrored);
}

static void shade_shape(const vb_light *light, const vb_ray *ray, const vb_surface *s,
                        const vb_visibility *v, double color[3]) {
  const vb_appearance_row *m = vb_appearance(s->appearance);
  const double *n = s->point.normal;
  double eye[3] = {-ray->direction[0], -ray->direction[1], -ray->direction[2]};
  double slope = vb_dot(n, light->sun), sun = SUN * fmax(0, slope) * fmax(0, v->sun);
  double sky = vb_light_sky(n[2]), head = fmax(0, vb_dot(n, eye));
  double edge = m->scattering * exp(-slope * slope / (EDGE * EDGE)) * v->sky;
  double soft = light->kind == VB_LIGHT_SOFT;
  double gloss = soft ? reflect_sun(m, light, n, eye) * fmax(0, v->sun) +
                            reflect_sky(m, n, eye) * v->sky * v->sky
                      : 0;
  for (int k = 0; k < 3; k++) {
    double own = s->color[k];
    double ambient = sky * (v->sky + (1 - v->sky) * INTERIOR * own);
    double lit = sun + ambient + HEAD * head * head * (0.4 + 0.6 * v->sky);
    color[k] = compress(own * (lit + soft * edge * SCATTERED[k]) + gloss);
  }
}

/// Color and opacity of one of the surfaces that are seen through.
static double shade_layer(const vb_drawing *d, const vb_light *light, const vb_ray *ray,
                          const vb_surface *s, double color[3]) {
  vb_visibility v = {1, 1};
  if (light->kind == VB_LIGHT_FLAT) {
    memcpy(color, s->color, sizeof s->color);
    return s->appearance == VB_APPEARANCE_GLASS ? GLASS : OPACITY;
  }
  if (s->appearance != VB_APPEARANCE_GLASS) {
    v.sun = vb_light_sample_sun(light, d->shapes, &s->point, 0, 4);
    shade_shape(light, ray, s, &v, color);
    return OPACITY;
  }
  shade_shape(light, ray, s, &v, color);
  double facing = fmax(0, -vb_dot(s->point.normal, ray->direction));
  return GLASS + (1 - GLASS) * (vb_appearance_fresnel(0.04, facing) - 0.04) * 0.7;
}

/// Lays the surfaces nearer than `limit` that are seen through over a color; whether there are any.
/// One on a surface that hides it is left out.
static bool see_through(const vb_drawing *d, const vb_light *light, const vb_ray *ray, double limit,
                        double color[3]) {
  double share = 1, sum[3] = {0}, passed = 0;
  vb_ray rest = *ray;
  vb_hit hit;
  for (int i = 0; i < LAYERS && vb_shapes_first(d->clear, &rest, &hit); i++) {
    double own[3];
    vb_surface layer;
    if (passed + hit.distance >= limit - light->shift)
      break;
    take_hit(d, d->clear, &rest, &hit, &layer);
    double opacity = shade_layer(d, light, &rest, &layer, own);
    for (int k = 0; k < 3; k++)
      sum[k] += share * opacity * own[k];
    share *= 1 - opacity;
    passed += hit.distance + light->shift;
    vb_add_scaled(ray->origin, passed, ray->direction, rest.origin);
  }
  for (int k = 0; k < 3; k++)
    color[k] = sum[k] + share * color[k];
  return share < 1;
}

bool vb_surface_shade(const vb_drawing *d, const vb_light *light, const vb_ray *ray,
                      const vb_surface *s, const vb_visibility *v, double color[3]) {
  bool covered = s->distance < INFINITY && !s->is_ground;
  color[0] = color[1] = color[2] = 1;
  if (s->is_ground) {
    double lit = GROUND_SKY * v->sky + (1 - GROUND_SKY) * fmax(0, v->sun) *
                                           fmax(0, vb_dot(s->point.normal, light->sun)) /
                                           fmax(light->sun[2], 1e-3);
    if (light->kind == VB_LIGHT_FLAT)
      lit = 1;
    for (int k = 0; k < 3; k++)
      color[k] += s->opacity * (s->color[k] * fmin(lit, 1) - color[k]);
  } else if (covered && light->kind == VB_LIGHT_FLAT) {
    memcpy(color, s->color, sizeof s->color);
  } else if (covered) {
    shade_shape(light, ray, s, v, color);
  }
  if (d->clear && see_through(d, light, ray, s->distance, color))
    covered = true;
  return covered;
}
