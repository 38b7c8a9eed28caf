// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/light.h"

#include "scene/rotation.h"

#define SUN_TURN   (-40 * M_PI / 180)
#define SUN_HEIGHT (52 * M_PI / 180)
#define SKY        0.42 ///< radiance above
#define BOUNCE     0.20 ///< below: light that comes back from a ground
#define SHIFT      1e-4 ///< of the radius
#define REACH      0.04 ///< of the radius

/// Point `i` of 64 of Sobol's sequence in the unit square. Of these, aligned pairs, groups of 16
/// and all are nets: evenly spread.
static void find_sobol(unsigned i, double out[2]) {
  static const unsigned DIRECTION[2][6] = {{32, 16, 8, 4, 2, 1}, {32, 48, 40, 60, 34, 51}};
  for (int k = 0; k < 2; k++) {
    unsigned cell = 0;
    for (int bit = 0; bit < 6; bit++)
      cell ^= i >> bit & 1 ? DIRECTION[k][bit] : 0;
    out[k] = (cell + 0.5) / VB_LIGHT_SAMPLES;
  }
}

_Static_assert(VB_LIGHT_SAMPLES == 1 << 6, "the sequence has a direction for each bit");

/// Maps the unit square to the unit disc: squares about the middle to circles, areas in proportion.
static void map_to_disc(const double square[2], double disc[2]) {
  double a = 2 * square[0] - 1, b = 2 * square[1] - 1;
  bool wide = fabs(a) > fabs(b);
  double r = wide ? a : b, angle = wide ? M_PI / 4 * b / a : M_PI / 2 - M_PI / 4 * a / b;
  disc[0] = r * cos(angle);
  disc[1] = r * sin(angle);
}

static void find_disc_sample(unsigned i, double disc[2]) {
  double square[2];
  find_sobol(i, square);
  map_to_disc(square, disc);
}

/// Two unit vectors normal to `w` and to each other, which change little where `w` does (Duff et
/// al. 2017).
static void find_tangents(const double w[3], double u[3], double v[3]) {
  double sign = copysign(1, w[2]), a = -1 / (sign + w[2]), b = w[0] * w[1] * a;
  memcpy(u, (double[3]){1 + sign * w[0] * w[0] * a, sign * b, -sign * w[0]}, 3 * sizeof *u);
  memcpy(v, (double[3]){b, sign + w[1] * w[1] * a, -w[1]}, 3 * sizeof *v);
}

static void place_sun(const vb_camera *camera, double sun[3]) {
  double c = cos(SUN_TURN), s = sin(SUN_TURN);
  const double *r = camera->right;
  const double back[3] = {r[1], -r[0], 0}; // towards the viewer, level
  for (int k = 0; k < 3; k++)
    sun[k] = cos(SUN_HEIGHT) * (c * back[k] + s * r[k]) + (k == 2 ? sin(SUN_HEIGHT) : 0);
}

vb_light vb_light_make(vb_light_kind kind, const vb_camera *camera, double radius) {
  vb_light light = {.kind = kind, .shift = SHIFT * radius, .reach = REACH * radius};
  double u[3], v[3];
  place_sun(camera, light.sun);
  find_tangents(light.sun, u, v);
  for (unsigned i = 0; i < VB_LIGHT_SAMPLES; i++)
    find_disc_sample(i, light.disc_sample[i]);
  for (unsigned i = 0; i < VB_LIGHT_SAMPLES; i++) {
    double disc[2], size = 0, *to = light.sun_sample[i];
    find_disc_sample(i, disc);
    for (int k = 0; k < 3; k++) {
      to[k] = light.sun[k] + VB_SUN_TANGENT * (disc[0] * u[k] + disc[1] * v[k]);
      size += to[k] * to[k];
    }
    for (int k = 0; k < 3; k++)
      to[k] /= sqrt(size);
  }
  return light;
}

double vb_light_sky(double z) {
  double up = 0.5 * (1 + z);
  return SKY * up + BOUNCE * (1 - up);
}

const double *vb_light_sun(const vb_light *light, int i) {
  return light->kind == VB_LIGHT_HARD ? light->sun : light->sun_sample[i % VB_LIGHT_SAMPLES];
}

double vb_light_sample_sun(const vb_light *light, const vb_shapes *shapes, const vb_lit_point *p,
                           int first, int n) {
  double sum = 0, all = 0;
  bool hard = light->kind == VB_LIGHT_HARD;
  for (int i = first * VB_LIGHT_RAYS; i < (first + n) * VB_LIGHT_RAYS; i++) {
    const double *to = vb_light_sun(light, i);
    double slope = vb_dot(p->normal, to);
    vb_ray ray = {{0}, {to[0], to[1], to[2]}};
    if (slope <= 0)
      continue;
    all += slope;
    vb_add_scaled(p->x, light->shift, p->face, ray.origin);
    if (vb_dot(p->face, to) > 0)
      sum += vb_shapes_block(shapes, &ray) ? 0 : slope;
    if (hard)
      break;
  }
  return all > 0 ? sum / all : -1;
}

/// What grounds leave of the light along a ray that nothing else blocks: near them they are dark.
static double see_past_grounds(const vb_light *light, const vb_shapes *shapes, const vb_ray *ray) {
  double share = 1;
  for (size_t i = 0; i < shapes->n_grounds; i++) {
    const vb_ground *g = &shapes->ground[i];
    double slope = vb_dot(g->normal, ray->direction);
    double height = vb_dot(g->normal, ray->origin) - g->offset;
    if (slope < 0 && height > 0) {
      double distance = -height / slope;
      share = fmin(share, distance / (distance + light->reach));
    }
  }
  return share;
}

static double see_sky(const vb_light *light, const vb_shapes *shapes, const vb_lit_point *p,
                      int first, int n) {
  double sum = 0, all = 0, u[3], v[3], origin[3];
  vb_add_scaled(p->x, light->shift, p->face, origin);
  find_tangents(p->normal, u, v);
  for (int i = first * VB_LIGHT_RAYS; i < (first + n) * VB_LIGHT_RAYS; i++) {
    const double *disc = light->disc_sample[i % VB_LIGHT_SAMPLES];
    double up = sqrt(fmax(0, 1 - disc[0] * disc[0] - disc[1] * disc[1]));
    vb_ray ray = {{origin[0], origin[1], origin[2]}, {0}};
    for (int k = 0; k < 3; k++)
      ray.direction[k] = disc[0] * u[k] + disc[1] * v[k] + up * p->normal[k];
    if (vb_dot(ray.direction, p->face) <= 0) // into the surface: a smoothed normal's fault
      continue;
    double radiance = vb_light_sky(ray.direction[2]);
    all += radiance;
    if (!vb_shapes_block(shapes, &ray))
      sum += radiance * see_past_grounds(light, shapes, &ray);
  }
  return all > 0 ? sum / all : 1;
}

vb_visibility vb_light_visibility(const vb_light *light, const vb_shapes *shapes,
                                  const vb_lit_point *point, int first, int n) {
  vb_visibility v = {1, 1};
  if (light->kind == VB_LIGHT_FLAT)
    return v;
  v.sun = vb_light_sample_sun(light, shapes, point, first, n);
  if (light->kind == VB_LIGHT_SOFT)
    v.sky = see_sky(light, shapes, point, first, n);
  return v;
}
