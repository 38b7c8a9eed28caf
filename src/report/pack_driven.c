// SPDX-License-Identifier: GPL-3.0-or-later
// What curves move, frame by frame: half-planes, colliders, and factors on loads.
#include "report/pack_parts.h"

#include "base/arena.h"
#include "scene/rotation.h"
#include "scene/scene.h"

#include <stdlib.h>
#include <string.h>

/// The lists of a run that tell it, by place in LISTS.
enum {
  ORIGIN,
  AXIS,
  DRIVER_CURVE,
  PARENT,
  CURVE,
  KEY_TIME,
  KEY_VALUE,
  INTERPOLATION,
  PLANE_DRIVER,
  COLLIDER,
  POINT,
  AMPLITUDE,
  N_LISTS
};

static const struct {
  const char *name;
  size_t width;
} LISTS[N_LISTS] = {[ORIGIN] = {"driver_origin", 3},
                    [AXIS] = {"driver_axis", 3},
                    [DRIVER_CURVE] = {"driver_curve", 4},
                    [PARENT] = {"driver_parent", 2},
                    [CURVE] = {"curve", 2},
                    [KEY_TIME] = {"key_time", 1},
                    [KEY_VALUE] = {"key_value", 1},
                    [INTERPOLATION] = {"key_interpolation", 1},
                    [PLANE_DRIVER] = {"half_plane_driver", 2},
                    [COLLIDER] = {"collider", 3},
                    [POINT] = {"collider_point", 6},
                    [AMPLITUDE] = {"load_amplitude", 1}};

/// They, and a scene of their drivers and curves alone.
typedef struct driven {
  vb_array list[N_LISTS];
  vb_scene *scene;
} driven;

static void free_driven(driven *d) {
  for (int i = 0; i < N_LISTS; i++)
    vb_array_free(&d->list[i]);
  free(d->scene);
}

static vb_status read_lists(vb_run_location place, driven *d, vb_error *error) {
  vb_status status = VB_OK;
  for (int i = 0; !status && i < N_LISTS; i++) {
    char path[64];
    bool there = false;
    snprintf(path, sizeof path, "topology/%s", LISTS[i].name);
    status = vb_run_has(place, path, &there, error);
    if (!status && there)
      status = vb_run_array(place, path, VB_NO_FRAME, &d->list[i], error);
  }
  return status;
}

/// Whether a list names drivers at `column`, or none by -1.
static bool has_drivers(const driven *d, const vb_array *list, size_t column) {
  bool good = true;
  for (size_t i = 0; i < list->n && good; i++)
    good = list->values[i * list->width + column] < (double)d->list[ORIGIN].n;
  return good;
}

/// Whether pairs of a half-plane and its driver name what is there.
static bool has_planes(const driven *d, size_t n_planes) {
  const vb_array *pair = &d->list[PLANE_DRIVER];
  bool good = has_drivers(d, pair, 1);
  for (size_t i = 0; i < pair->n && good; i++)
    good = pair->values[2 * i] >= 0 && pair->values[2 * i] < (double)n_planes &&
           pair->values[2 * i + 1] >= 0;
  return good;
}

/// Whether the lists fit one another, and what are to be indexes are whole numbers: a file may hold
/// anything. The scene that is made of them is checked by itself.
static bool is_sound(const driven *d, size_t n_planes) {
  static const int WHOLE[] = {DRIVER_CURVE, PARENT,   CURVE,    INTERPOLATION,
                              PLANE_DRIVER, COLLIDER, AMPLITUDE};
  const vb_array *list = d->list;
  bool good = true;
  for (int i = 0; i < N_LISTS && good; i++)
    good = list[i].n == 0 || list[i].width == LISTS[i].width;
  for (size_t i = 0; i < sizeof WHOLE / sizeof *WHOLE && good; i++)
    good = vb_array_holds_indexes(&list[WHOLE[i]], -1, INT32_MAX);
  return good && list[AXIS].n == list[ORIGIN].n && list[DRIVER_CURVE].n == list[ORIGIN].n &&
         list[KEY_VALUE].n == list[KEY_TIME].n && list[INTERPOLATION].n == list[KEY_TIME].n &&
         list[POINT].n == list[COLLIDER].n && vb_array_is_finite(&list[POINT]) &&
         vb_array_holds_indexes(&list[AMPLITUDE], -1, list[CURVE].n) &&
         has_drivers(d, &list[COLLIDER], 2) && has_planes(d, n_planes);
}

static int32_t whole(const vb_array *list, size_t i) {
  return (int32_t)list->values[i];
}

static void fill_drivers(const vb_array list[], vb_driver *out) {
  for (size_t i = 0; i < list[ORIGIN].n; i++) {
    snprintf(out[i].name, sizeof out[i].name, "%zu", i);
    memcpy(out[i].origin, list[ORIGIN].values + 3 * i, sizeof out->origin);
    memcpy(out[i].axis, list[AXIS].values + 3 * i, sizeof out->axis);
    for (size_t k = 0; k < 3; k++)
      out[i].translation[k] = whole(&list[DRIVER_CURVE], 4 * i + k);
    out[i].angle = whole(&list[DRIVER_CURVE], 4 * i + 3);
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
static vb_status make_scene(driven *d, vb_error *error) {
  const vb_array *list = d->list;
  set_lists sets = {.memory = {0}};
  vb_world *world = add_set(&sets, VB_SET_WORLD, sizeof *world, 1);
  vb_bone *bone = add_set(&sets, VB_SET_BONE, sizeof *bone, 1);
  vb_driver *drivers = add_set(&sets, VB_SET_DRIVER, sizeof *drivers, list[ORIGIN].n);
  vb_parent *parents = add_set(&sets, VB_SET_PARENT, sizeof *parents, list[PARENT].n);
  vb_curve *curves = add_set(&sets, VB_SET_CURVE, sizeof *curves, list[CURVE].n);
  vb_key *keys = add_set(&sets, VB_SET_KEY, sizeof *keys, list[KEY_TIME].n);
  vb_status status = vb_arena_status(&sets.memory, error);
  if (!status) {
    *world = (vb_world){.step = 1};
    *bone = (vb_bone){.name = "bone", .mass = 1, .inertia = {1, 1, 1}, .frame = {1}};
    fill_drivers(list, drivers);
    for (size_t i = 0; i < list[PARENT].n; i++)
      parents[i] = (vb_parent){whole(&list[PARENT], 2 * i), whole(&list[PARENT], 2 * i + 1)};
    for (size_t i = 0; i < list[CURVE].n; i++)
      curves[i] = (vb_curve){whole(&list[CURVE], 2 * i), whole(&list[CURVE], 2 * i + 1)};
    for (size_t i = 0; i < list[KEY_TIME].n; i++)
      keys[i] = (vb_key){list[KEY_TIME].values[i], list[KEY_VALUE].values[i],
                         whole(&list[INTERPOLATION], i), 0};
    status = vb_scene_pack(sets.element, sets.count, &d->scene, error);
  }
  vb_arena_clear(&sets.memory);
  return status ? status : vb_scene_check(d->scene, vb_scene_bytes(d->scene), error);
}

/// Where that which is at the point `x` at time 0, and moves with a driver, is at `time`; or, of a
/// `direction`, where to it points.
static void move(const driven *d, double driver, double time, bool direction, const double x[3],
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

/// What a list of `n` rows of `width` numbers becomes in each frame, by `fill` at that time: part
/// `name`.
typedef void fill_rows(const driven *d, const vb_recording *r, double time, double *out);

static vb_status pack_rows(vb_packing *p, const driven *d, const vb_recording *r, const char *name,
                           size_t n, size_t width, fill_rows *fill, vb_error *error) {
  double *out = malloc(p->n_frames * n * width * sizeof *out);
  if (!out)
    return vb_error_memory(error);
  for (size_t f = 0; f < p->n_frames; f++)
    fill(d, r, r->time.values[p->frame[f]], out + f * n * width);
  vb_status status = vb_pack_constant(p, name, out, p->n_frames * n, width, false, error);
  free(out);
  return status;
}

static void fill_planes(const driven *d, const vb_recording *r, double time, double *out) {
  const vb_array *pair = &d->list[PLANE_DRIVER];
  for (size_t i = 0; i < r->n_grounds; i++) {
    memcpy(out + 4 * i, r->ground[i].normal, sizeof r->ground[i].normal);
    out[4 * i + 3] = r->ground[i].offset;
  }
  for (size_t i = 0; i < pair->n; i++) {
    double *plane = out + 4 * (size_t)pair->values[2 * i], point[3] = {0};
    vb_add_scaled(point, plane[3], plane, point);
    move(d, pair->values[2 * i + 1], time, false, point, point);
    move(d, pair->values[2 * i + 1], time, true, plane, plane);
    plane[3] = vb_dot(plane, point);
  }
}

static void fill_colliders(const driven *d, const vb_recording *r, double time, double *out) {
  (void)r;
  const vb_array *point = &d->list[POINT];
  for (size_t i = 0; i < 2 * point->n; i++) {
    double driver = d->list[COLLIDER].values[3 * (i / 2) + 2];
    memcpy(out + 3 * i, point->values + 3 * i, 3 * sizeof *out);
    if (driver >= 0)
      move(d, driver, time, false, out + 3 * i, out + 3 * i);
  }
}

static void fill_factors(const driven *d, const vb_recording *r, double time, double *out) {
  (void)r;
  const vb_array *curve = &d->list[AMPLITUDE];
  for (size_t i = 0; i < curve->n; i++)
    out[i] = vb_scene_curve(d->scene, whole(curve, i), time, 1);
}

vb_status vb_pack_driven(vb_packing *p, const vb_recording *r, vb_error *error) {
  driven d = {.scene = NULL};
  bool moved = false, varies = false;
  vb_status status = read_lists(p->place, &d, error);
  if (!status && !is_sound(&d, r->n_grounds))
    status = vb_bad_input(error, "%s: its drivers or curves are invalid", p->place.path);
  if (!status)
    status = make_scene(&d, error);
  const vb_array *kind = &d.list[COLLIDER], *curve = &d.list[AMPLITUDE];
  for (size_t i = 0; !status && i < kind->n; i++)
    moved = moved || kind->values[3 * i + 2] >= 0;
  for (size_t i = 0; !status && i < curve->n; i++)
    varies = varies || curve->values[i] >= 0;
  if (!status && d.list[PLANE_DRIVER].n)
    status = pack_rows(p, &d, r, "plane_at", r->n_grounds, 4, fill_planes, error);
  if (!status && moved)
    status = pack_rows(p, &d, r, "collider_at", kind->n, 6, fill_colliders, error);
  if (!status && varies)
    status = pack_rows(p, &d, r, "load_factor", curve->n, 1, fill_factors, error);
  free_driven(&d);
  return status;
}
