// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/camera.h"

#include "scene/rotation.h"

/// Share of the picture's width and height that is filled.
#define FILL 0.94

vb_camera_fit vb_camera_fit_begin(const vb_view *view, double aspect) {
  vb_camera_fit fit = {.view = *view, .front = INFINITY};
  double a = view->azimuth * M_PI / 180, e = view->elevation * M_PI / 180;
  vb_camera *c = &fit.camera;
  memcpy(c->right, (double[3]){cos(a), sin(a), 0}, sizeof c->right);
  memcpy(c->forward, (double[3]){-sin(a) * cos(e), cos(a) * cos(e), -sin(e)}, sizeof c->forward);
  vb_cross(c->right, c->forward, c->up);
  c->parallel = view->lens <= 0;
  c->height = c->parallel ? 1 : tan(view->lens * M_PI / 360);
  c->width = aspect * c->height;
  for (int i = 0; i < 4; i++)
    fit.reach[i] = INFINITY;
  fit.slope[0] = FILL * c->width;
  fit.slope[1] = FILL * c->height;
  return fit;
}

/// Each bound of the view is a plane through the eye; a ball is in view where it is inside all.
/// For parallel rays the planes are those of left, right, below and above, through the origin.
void vb_camera_fit_ball(vb_camera_fit *fit, const double center[3], double radius) {
  const vb_camera *c = &fit->camera;
  double depth = vb_dot(center, c->forward);
  for (int i = 0; i < 2; i++) {
    double x = vb_dot(center, i ? c->up : c->right), slope = fit->slope[i];
    double cosine = c->parallel ? 1 : 1 / sqrt(1 + slope * slope);
    double sine = c->parallel ? 0 : slope * cosine;
    fit->reach[2 * i] = fmin(fit->reach[2 * i], cosine * x + sine * depth - radius);
    fit->reach[2 * i + 1] = fmin(fit->reach[2 * i + 1], -cosine * x + sine * depth - radius);
  }
  fit->front = fmin(fit->front, depth - radius);
}

void vb_camera_fit_shapes(vb_camera_fit *fit, const vb_shapes *s) {
  for (size_t i = 0; i < s->n_capsules; i++) {
    const vb_capsule *p = &s->capsule[i];
    double b[3];
    vb_add_scaled(p->a, p->length, p->axis, b);
    vb_camera_fit_ball(fit, p->a, p->r_a);
    vb_camera_fit_ball(fit, b, p->r_b);
  }
  for (size_t t = 0; t < s->n_triangles; t++)
    for (int c = 0; c < 3; c++)
      vb_camera_fit_ball(fit, s->vertex[s->triangle[t][c]], 0);
}

/// Puts the eye where all is just in view, or behind all and in their middle for parallel rays.
static void place_eye(const vb_camera_fit *fit, vb_camera *c, double at[3]) {
  double need[2];
  for (int i = 0; i < 2; i++) {
    const double *reach = fit->reach + 2 * i;
    double slope = fit->slope[i], cosine = c->parallel ? 1 : 1 / sqrt(1 + slope * slope);
    at[i] = (reach[0] - reach[1]) / (2 * cosine);
    // The eye's depth for which the two reaches just suffice; half the size for parallel rays.
    need[i] = c->parallel ? -(reach[0] + reach[1]) / (2 * slope)
                          : (reach[0] + reach[1]) / (2 * slope * cosine);
  }
  if (c->parallel) {
    double size = fmax(need[0], need[1]);
    c->width *= size;
    c->height *= size;
    at[2] = fit->front - size;
  } else {
    at[2] = fmin(need[0], need[1]);
  }
}

vb_camera vb_camera_fit_end(const vb_camera_fit *fit) {
  vb_camera c = fit->camera;
  double at[3] = {0, 0, 0};
  if (isfinite(fit->front))
    place_eye(fit, &c, at);
  if (fit->view.aimed) {
    at[0] = vb_dot(fit->view.look_at, c.right);
    at[1] = vb_dot(fit->view.look_at, c.up);
  }
  for (int k = 0; k < 3; k++)
    c.eye[k] = at[0] * c.right[k] + at[1] * c.up[k] + at[2] * c.forward[k];
  c.width /= fit->view.zoom;
  c.height /= fit->view.zoom;
  return c;
}

vb_ray vb_camera_ray(const vb_camera *c, double u, double v) {
  vb_ray ray;
  double x = u * c->width, y = v * c->height, size = c->parallel ? 1 : sqrt(1 + x * x + y * y);
  for (int k = 0; k < 3; k++) {
    double aside = x * c->right[k] + y * c->up[k];
    ray.origin[k] = c->eye[k] + (c->parallel ? aside : 0);
    ray.direction[k] = (c->forward[k] + (c->parallel ? 0 : aside)) / size;
  }
  return ray;
}

void vb_camera_bounds(const vb_camera *c, const vb_bounds *b, double low[2], double high[2]) {
  for (int corner = 0; corner < 8; corner++) {
    double x[3];
    for (int k = 0; k < 3; k++)
      x[k] = (corner >> k & 1 ? b->high[k] : b->low[k]) - c->eye[k];
    double depth = c->parallel ? 1 : vb_dot(x, c->forward);
    const double at[2] = {vb_dot(x, c->right) / (depth * c->width),
                          vb_dot(x, c->up) / (depth * c->height)};
    for (int i = 0; i < 2; i++) {
      low[i] = depth > 0 ? fmin(low[i], at[i]) : -INFINITY;
      high[i] = depth > 0 ? fmax(high[i], at[i]) : INFINITY;
    }
  }
}

void vb_camera_thicken(const vb_camera *c, int height, vb_shapes *s) {
  double half = c->height / height; // of a pixel; over its distance, where rays are not parallel
  for (size_t i = 0; i < s->n_capsules; i++) {
    vb_capsule *p = &s->capsule[i];
    double end[2][3], radius[2] = {p->r_a, p->r_b};
    memcpy(end[0], p->a, sizeof end[0]);
    vb_add_scaled(p->a, p->length, p->axis, end[1]);
    for (int k = 0; k < 2; k++)
      radius[k] = fmax(radius[k], half * (c->parallel ? 1 : vb_distance(end[k], c->eye)));
    if (radius[0] > p->r_a || radius[1] > p->r_b)
      *p = vb_capsule_make(end[0], radius[0], end[1], radius[1]);
  }
}
