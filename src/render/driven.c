// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/driven.h"

#include "base/arena.h"
#include "scene/rotation.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// The lists, with the numbers in a row.
static const struct {
  const char *name;
  size_t list; ///< its place in vb_driven
  size_t width;
  bool whole; ///< whether it holds indexes, -1 for none
} LISTS[] = {{"driver_origin", offsetof(vb_driven, origin), 3, false},
             {"driver_axis", offsetof(vb_driven, axis), 3, false},
             {"driver_curve", offsetof(vb_driven, driver_curve), 4, true},
             {"driver_parent", offsetof(vb_driven, parent), 2, true},
             {"curve", offsetof(vb_driven, curve), 2, true},
             {"key_time", offsetof(vb_driven, key_time), 1, false},
             {"key_value", offsetof(vb_driven, key_value), 1, false},
             {"key_interpolation", offsetof(vb_driven, interpolation), 1, true},
             {"half_plane_driver", offsetof(vb_driven, plane_driver), 2, true},
             {"collider", offsetof(vb_driven, collider), 3, true},
             {"collider_point", offsetof(vb_driven, collider_point), 6, false},
             {"collider_radius", offsetof(vb_driven, collider_radius), 1, false},
             {"load_amplitude", offsetof(vb_driven, amplitude), 1, true}};

enum { N_LISTS = sizeof LISTS / sizeof *LISTS };

static vb_array *list_of(vb_driven *d, size_t i) {
  return (vb_array *)(void *)((char *)d + LISTS[i].list);
}

static vb_status read_lists(vb_run_location place, vb_driven *d, vb_error *error) {
  vb_status status = VB_OK;
  for (size_t i = 0; !status && i < N_LISTS; i++) {
    char path[64];
    bool there = false;
    snprintf(path, sizeof path, "topology/%s", LISTS[i].name);
    status = vb_run_has(place, path, &there, error);
    if (!status && there)
      status = vb_run_array(place, path, VB_NO_FRAME, list_of(d, i), error);
  }
  return status;
}

/// Whether a list names drivers at `column`, or none by -1.
static bool has_drivers(const vb_driven *d, const vb_array *list, size_t column) {
  bool good = true;
  for (size_t i = 0; i < list->n && good; i++)
    good = list->values[i * list->width + column] < (double)d->origin.n;
  return good;
}

/// Whether pairs of a half-plane and its driver name what is there.
static bool has_grounds(const vb_driven *d, size_t n_grounds) {
  const vb_array *pair = &d->plane_driver;
  bool good = has_drivers(d, pair, 1);
  for (size_t i = 0; i < pair->n && good; i++)
    good = pair->values[2 * i] >= 0 && pair->values[2 * i] < (double)n_grounds &&
           pair->values[2 * i + 1] >= 0;
  return good;
}

/// Whether the lists fit one another, and what are to be indexes are whole numbers: a file may hold
/// anything. The scene that is made of them is checked by itself.
static bool is_sound(vb_driven *d, size_t n_grounds) {
  bool good = true;
  for (size_t i = 0; i < N_LISTS && good; i++) {
    const vb_array *list = list_of(d, i);
    good = (list->n == 0 || list->width == LISTS[i].width) &&
           (!LISTS[i].whole || vb_array_holds_indexes(list, -1, INT32_MAX));
  }
  return good && d->axis.n == d->origin.n && d->driver_curve.n == d->origin.n &&
         d->key_value.n == d->key_time.n && d->interpolation.n == d->key_time.n &&
         d->collider_point.n == d->collider.n && d->collider_radius.n == d->collider.n &&
         vb_array_is_finite(&d->collider_point) && vb_array_is_finite(&d->collider_radius) &&
         vb_array_holds_indexes(&d->amplitude, -1, d->curve.n) && has_drivers(d, &d->collider, 2) &&
         has_grounds(d, n_grounds);
}

static int32_t whole(const vb_array *list, size_t i) {
  return (int32_t)list->values[i];
}

static void fill_drivers(const vb_driven *d, vb_driver *out) {
  for (size_t i = 0; i < d->origin.n; i++) {
    snprintf(out[i].name, sizeof out[i].name, "%zu", i);
    memcpy(out[i].origin, d->origin.values + 3 * i, sizeof out->origin);
    memcpy(out[i].axis, d->axis.values + 3 * i, sizeof out->axis);
    for (size_t k = 0; k < 3; k++)
      out[i].translation[k] = whole(&d->driver_curve, 4 * i + k);
    out[i].angle = whole(&d->driver_curve, 4 * i + 3);
  }
}

/// The sets that a scene is made of.
typedef struct set_lists {
  const void *element[VB_SET_COUNT];
  size_t count[VB_SET_COUNT];
  vb_arena memory;
} set_lists;

/// Adds set `tag` of `n` elements of `size` bytes, which are zero.
static void *add_set(set_lists *sets, vb_tag tag, size_t size, size_t n) {
  void *made = vb_arena_take(&sets->memory, n, size);
  sets->element[tag] = made;
  sets->count[tag] = n;
  return made;
}

/// Makes a scene of the drivers and curves, and of one bone, since no scene is empty.
static vb_status make_scene(vb_driven *d, vb_error *error) {
  set_lists sets = {.memory = {0}};
  vb_world *world = add_set(&sets, VB_SET_WORLD, sizeof *world, 1);
  vb_bone *bone = add_set(&sets, VB_SET_BONE, sizeof *bone, 1);
  vb_driver *drivers = add_set(&sets, VB_SET_DRIVER, sizeof *drivers, d->origin.n);
  vb_parent *parents = add_set(&sets, VB_SET_PARENT, sizeof *parents, d->parent.n);
  vb_curve *curves = add_set(&sets, VB_SET_CURVE, sizeof *curves, d->curve.n);
  vb_key *keys = add_set(&sets, VB_SET_KEY, sizeof *keys, d->key_time.n);
  vb_status status = vb_arena_status(&sets.memory, error);
  if (!status) {
    *world = (vb_world){.step = 1};
    *bone = (vb_bone){.name = "bone", .mass = 1, .inertia = {1, 1, 1}, .frame = {1}};
    fill_drivers(d, drivers);
    for (size_t i = 0; i < d->parent.n; i++)
      parents[i] = (vb_parent){whole(&d->parent, 2 * i), whole(&d->parent, 2 * i + 1)};
    for (size_t i = 0; i < d->curve.n; i++)
      curves[i] = (vb_curve){whole(&d->curve, 2 * i), whole(&d->curve, 2 * i + 1)};
    for (size_t i = 0; i < d->key_time.n; i++)
      keys[i] =
          (vb_key){d->key_time.values[i], d->key_value.values[i], whole(&d->interpolation, i), 0};
    status = vb_scene_pack(sets.element, sets.count, &d->scene, error);
  }
  vb_arena_clear(&sets.memory);
  return status ? status : vb_scene_check(d->scene, vb_scene_bytes(d->scene), error);
}

/// Where that which is at the point `x` at time 0, and moves with a driver, is at `time`; or, of a
/// `direction`, where to it points.
static void move(const vb_driven *d, double driver, double time, bool direction, const double x[3],
                 double out[3]) {
  double from[4], to[4], start[3], end[3], own[3] = {x[0], x[1], x[2]};
  vb_driver_motion(d->scene, (int32_t)driver, 0, from, start);
  vb_driver_motion(d->scene, (int32_t)driver, time, to, end);
  const double back[4] = {from[0], -from[1], -from[2], -from[3]};
  if (!direction)
    vb_subtract(own, start, own);
  vb_quaternion_rotate(back, own, own);
  vb_quaternion_rotate(to, own, own);
  vb_add_scaled(own, direction ? 0 : 1, end, out);
}

vb_status vb_driven_open(vb_run_location place, size_t n_grounds, vb_driven *out, vb_error *error) {
  vb_driven d = {.scene = NULL};
  vb_status status = read_lists(place, &d, error);
  if (!status && !is_sound(&d, n_grounds))
    status = vb_bad_input(error, "%s: its drivers, curves or colliders are invalid", place.path);
  if (!status)
    status = make_scene(&d, error);
  if (status)
    vb_driven_close(&d);
  else
    *out = d;
  return status;
}

void vb_driven_close(vb_driven *d) {
  for (size_t i = 0; i < N_LISTS; i++)
    vb_array_free(list_of(d, i));
  free(d->scene);
  *d = (vb_driven){.scene = NULL};
}

void vb_driven_grounds(const vb_driven *d, double time, vb_ground *ground) {
  const vb_array *pair = &d->plane_driver;
  for (size_t i = 0; i < pair->n; i++) {
    vb_ground *plane = &ground[(size_t)pair->values[2 * i]];
    double point[3] = {0};
    vb_add_scaled(point, plane->offset, plane->normal, point);
    move(d, pair->values[2 * i + 1], time, false, point, point);
    move(d, pair->values[2 * i + 1], time, true, plane->normal, plane->normal);
    plane->offset = vb_dot(plane->normal, point);
  }
}

void vb_driven_colliders(const vb_driven *d, double time, double (*point)[2][3]) {
  if (d->collider.n > 0)
    memcpy(point, d->collider_point.values, d->collider.n * sizeof *point);
  for (size_t i = 0; i < d->collider.n; i++)
    for (int k = 0; k < 2 && d->collider.values[3 * i + 2] >= 0; k++)
      move(d, d->collider.values[3 * i + 2], time, false, point[i][k], point[i][k]);
}

bool vb_driven_moves_colliders(const vb_driven *d) {
  bool moved = false;
  for (size_t i = 0; i < d->collider.n; i++)
    moved = moved || d->collider.values[3 * i + 2] >= 0;
  return moved;
}
