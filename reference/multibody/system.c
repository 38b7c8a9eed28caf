// SPDX-License-Identifier: GPL-3.0-or-later
#include "system.h"

#include "solve.h"

#include "scene/rotation.h"

#include <stdlib.h>
#include <string.h>

static size_t rows_of(const vb_link *link) {
  return link->type == VB_LINK_HINGE ? 5 : link->type == VB_LINK_UNIVERSAL ? 4 : 3;
}

/// Two unit vectors that are orthogonal to each other and to the unit vector `axis`, right-handed.
static void find_across(const double axis[3], double out[2][3]) {
  double frame[4];
  vb_frame_begin(axis, frame);
  vb_frame_axis(frame, 0, out[0]);
  vb_frame_axis(frame, 1, out[1]);
}

/// A link that a driver carries needs a motion without jumps.
static vb_status check_curve(const vb_scene *scene, int32_t index, const vb_driver *driver,
                             vb_error *error) {
  size_t n;
  if (index < 0)
    return VB_OK;
  const vb_curve *curve = (const vb_curve *)vb_scene_set(scene, VB_SET_CURVE, &n) + index;
  const vb_key *key = (const vb_key *)vb_scene_set(scene, VB_SET_KEY, &n) + curve->first_key;
  for (int32_t k = 0; k + 1 < curve->n_keys; k++)
    if (key[k].interpolation == VB_HOLD && key[k].value != key[k + 1].value)
      return vb_bad_input(error,
                          "driver %s jumps at %g s, where its acceleration is undefined; use a "
                          "\"linear\" or \"cubic\" curve",
                          driver->name, key[k + 1].time);
  return VB_OK;
}

static vb_status check_drivers(const mb_system *s, vb_error *error) {
  vb_status status = VB_OK;
  for (size_t i = 0; !status && i < s->n_drivers; i++) {
    status = check_curve(s->scene, s->driver[i].angle, &s->driver[i], error);
    for (int c = 0; !status && c < 3; c++)
      status = check_curve(s->scene, s->driver[i].translation[c], &s->driver[i], error);
  }
  return status;
}

void mb_limit(mb_system *s, size_t i, int which) {
  s->at_limit[i] = which;
  if (which != 0) {
    // a . n = sin(angle - limit): n is the second direction, turned back with the limit
    double angle = s->link[i].limit[which > 0];
    for (int c = 0; c < 3; c++)
      s->across[i][2][c] = cos(angle) * s->across[i][1][c] - sin(angle) * s->across[i][0][c];
  }
  for (size_t k = 0; k < s->n_links; k++)
    s->first_row[k + 1] = s->first_row[k] + rows_of(&s->link[k]) + (s->at_limit[k] != 0);
}

/// The inverse of a symmetric, positive definite tensor, in the same order.
static void inverse_tensor(const double t[6], double out[6]) {
  double a = t[1] * t[2] - t[3] * t[3], b = t[4] * t[3] - t[5] * t[2];
  double c = t[5] * t[3] - t[4] * t[1], det = t[0] * a + t[5] * b + t[4] * c;
  out[0] = a / det;
  out[1] = (t[0] * t[2] - t[4] * t[4]) / det;
  out[2] = (t[0] * t[1] - t[5] * t[5]) / det;
  out[3] = (t[4] * t[5] - t[0] * t[3]) / det;
  out[4] = c / det;
  out[5] = b / det;
}

static vb_status allocate(mb_system *s, vb_error *error) {
  s->inverse = calloc(s->n_bones + 1, sizeof *s->inverse);
  s->first_row = calloc(s->n_links + 1, sizeof *s->first_row);
  s->across = calloc(s->n_links + 1, sizeof *s->across);
  s->at_limit = calloc(2 * s->n_links + 1, sizeof *s->at_limit);
  if (!s->inverse || !s->first_row || !s->across || !s->at_limit)
    return vb_error_memory(error);
  for (size_t i = 0; i < s->n_bones; i++)
    inverse_tensor(s->bone[i].inertia, s->inverse[i]);
  s->next_limit = s->at_limit + s->n_links;
  for (size_t i = 0; i < s->n_links; i++) {
    mb_limit(s, i, 0);
    s->most_rows += rows_of(&s->link[i]) + (s->link[i].type == VB_LINK_HINGE);
    if (s->link[i].type == VB_LINK_HINGE)
      find_across(s->link[i].axis[0], s->across[i]);
    else
      memcpy(s->across[i][0], s->link[i].axis[1], sizeof s->across[i][0]);
  }
  size_t rows = s->most_rows, columns = 6 * s->n_bones;
  s->gradient = calloc(2 * rows * (rows + columns) + 5 * rows + 2 * columns + 1, sizeof(double));
  if (!s->gradient)
    return vb_error_memory(error);
  s->solved = s->gradient + rows * columns;
  s->matrix = s->solved + rows * columns;
  s->copy = s->matrix + rows * rows;
  s->known = s->copy + rows * rows;
  s->multiplier = s->known + rows;
  s->scratch = s->multiplier + rows;
  s->force = s->scratch + 3 * rows;
  s->change = s->force + columns;
  return VB_OK;
}

vb_status mb_system_create(const vb_scene *scene, mb_system *out, vb_error *error) {
  mb_system s = {.scene = scene};
  s.bone = vb_scene_bones(scene, &s.n_bones);
  s.link = vb_scene_links(scene, &s.n_links);
  s.driver = vb_scene_drivers(scene, &s.n_drivers);
  s.load = vb_scene_loads(scene, &s.n_loads);
  vb_status status = check_drivers(&s, error);
  if (!status)
    status = allocate(&s, error);
  if (status)
    mb_system_clear(&s);
  else
    *out = s;
  return status;
}

void mb_system_clear(mb_system *s) {
  free(s->inverse);
  free(s->first_row);
  free(s->across);
  free(s->at_limit);
  free(s->gradient);
  *s = (mb_system){0};
}

void mb_system_start(const mb_system *s, double *state) {
  for (size_t i = 0; i < s->n_bones; i++, state += MB_STATE) {
    memcpy(state, s->bone[i].position, 3 * sizeof *state);
    memcpy(state + 3, s->bone[i].frame, 4 * sizeof *state);
    memcpy(state + 7, s->bone[i].velocity, 3 * sizeof *state);
    memcpy(state + 10, s->bone[i].angular_velocity, 3 * sizeof *state);
  }
}

/// The side that a bone is.
static void bone_side(const mb_system *s, const vb_link *link, int32_t bone, const double *state,
                      mb_side *out) {
  const double *y = state + (size_t)bone * MB_STATE;
  double arm[3], turned[3];
  memcpy(out->frame, y + 3, sizeof out->frame);
  memcpy(out->spin, y + 10, sizeof out->spin);
  vb_subtract(link->at, s->bone[bone].center, arm);
  vb_quaternion_rotate(out->frame, arm, turned);
  vb_add_scaled(turned, 1, y, out->point);
  vb_cross(out->spin, turned, arm);
  vb_add_scaled(arm, 1, y + 7, out->velocity);
}

/// Moves a side by what one driver does by itself: x -> R (x - origin) + origin + d.
static void drive_side(const mb_system *s, const vb_driver *driver, double time, mb_side *side) {
  double angle[3], turn[4], w[3], rate[3], arm[3], turned[3], first[3], second[3], cross[3];
  mb_curve(s, driver->angle, time, angle);
  turn[0] = cos(0.5 * angle[0]);
  for (int c = 0; c < 3; c++) {
    turn[1 + c] = sin(0.5 * angle[0]) * driver->axis[c];
    w[c] = angle[1] * driver->axis[c];
    rate[c] = angle[2] * driver->axis[c];
  }
  vb_subtract(side->point, driver->origin, arm);
  vb_quaternion_rotate(turn, arm, turned);
  vb_quaternion_rotate(turn, side->velocity, first);
  vb_quaternion_rotate(turn, side->acceleration, second);
  // a + w' x r + w x (w x r + 2 v), v and a being the turned ones
  double inner[3], whole[3];
  vb_cross(w, turned, inner);
  vb_add_scaled(inner, 2, first, whole);
  vb_cross(w, whole, cross);
  vb_add_scaled(second, 1, cross, second);
  vb_cross(rate, turned, cross);
  vb_add_scaled(second, 1, cross, side->acceleration);
  vb_add_scaled(first, 1, inner, side->velocity);
  for (int c = 0; c < 3; c++) {
    double d[3];
    mb_curve(s, driver->translation[c], time, d);
    side->point[c] = turned[c] + driver->origin[c] + d[0];
    side->velocity[c] += d[1];
    side->acceleration[c] += d[2];
  }
  vb_quaternion_rotate(turn, side->spin, side->spin);
  vb_quaternion_rotate(turn, side->spin_rate, side->spin_rate);
  vb_cross(w, side->spin, cross);
  for (int c = 0; c < 3; c++) {
    side->spin_rate[c] += rate[c] + cross[c];
    side->spin[c] += w[c];
  }
  vb_quaternion_multiply(turn, side->frame, side->frame);
}

static int32_t parent_of(const vb_scene *scene, int32_t driver) {
  size_t n;
  const vb_parent *parent = vb_scene_parents(scene, &n);
  for (size_t i = 0; i < n; i++)
    if (parent[i].driver == driver)
      return parent[i].parent;
  return -1;
}

void mb_link_side(const mb_system *s, size_t i, int which, double time, const double *state,
                  mb_side *out) {
  const vb_link *link = &s->link[i];
  *out = (mb_side){.frame = {1}};
  if (link->bone[which] >= 0) {
    bone_side(s, link, link->bone[which], state, out);
    return;
  }
  memcpy(out->point, link->at, sizeof out->point);
  for (int32_t k = link->driver; k >= 0; k = parent_of(s->scene, k))
    drive_side(s, &s->driver[k], time, out);
}

void mb_curve(const mb_system *s, int32_t index, double time, double out[3]) {
  size_t n;
  memset(out, 0, 3 * sizeof *out);
  if (index < 0)
    return;
  const vb_curve *curve = (const vb_curve *)vb_scene_set(s->scene, VB_SET_CURVE, &n) + index;
  const vb_key *key = (const vb_key *)vb_scene_set(s->scene, VB_SET_KEY, &n) + curve->first_key;
  int32_t k = 0, last = curve->n_keys - 1;
  while (k < last && key[k + 1].time <= s->middle)
    k++;
  if (k == last || s->middle < key[0].time || key[k].interpolation == VB_HOLD) {
    out[0] = vb_scene_curve(s->scene, index, s->middle, 0);
    return;
  }
  // A piece is a cubic, which four of its values determine.
  double f[4], t = key[k].time, h = key[k + 1].time - t, x = (time - t) / h;
  for (int i = 0; i < 4; i++)
    f[i] = i == 3 ? key[k + 1].value : vb_scene_curve(s->scene, index, t + i * h / 3, 0);
  double a = (-11 * f[0] + 18 * f[1] - 9 * f[2] + 2 * f[3]) / 2;
  double b = (18 * f[0] - 45 * f[1] + 36 * f[2] - 9 * f[3]) / 2;
  double c = 4.5 * (f[3] - f[0] - 3 * (f[2] - f[1]));
  out[0] = f[0] + x * (a + x * (b + x * c));
  out[1] = (a + x * (2 * b + x * 3 * c)) / h;
  out[2] = (2 * b + 6 * c * x) / (h * h);
}
