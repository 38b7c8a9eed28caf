// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/driven.h"

#include "scene/rotation.h"

#include <stdlib.h>
#include <string.h>

/// What is read; of these a scene is made, with a world and one bone, since no scene is empty.
static const vb_tag READ[] = {VB_SET_DRIVER,     VB_SET_PARENT,       VB_SET_CURVE,   VB_SET_KEY,
                              VB_SET_HALF_PLANE, VB_SET_PLANE_DRIVER, VB_SET_COLLIDER};
enum { N_READ = sizeof READ / sizeof *READ };

static vb_status make_scene(const vb_run_location place, vb_scene **out, vb_error *error) {
  const vb_world world = {.step = 1};
  const vb_bone bone = {.name = "bone", .mass = 1, .inertia = {1, 1, 1}, .frame = {1}};
  const void *element[VB_SET_COUNT] = {[VB_SET_WORLD] = &world, [VB_SET_BONE] = &bone};
  size_t count[VB_SET_COUNT] = {[VB_SET_WORLD] = 1, [VB_SET_BONE] = 1};
  void *read[N_READ] = {NULL};
  vb_status status = VB_OK;
  for (int i = 0; !status && i < N_READ; i++) {
    status = vb_run_set(place, READ[i], &read[i], &count[READ[i]], error);
    element[READ[i]] = read[i];
  }
  if (!status)
    status = vb_scene_pack(element, count, out, error);
  for (int i = 0; i < N_READ; i++)
    free(read[i]);
  return status;
}

/// Where that which is at the point `x` at time 0, and moves with a driver, is at `time`; or, of a
/// `direction`, where to it points.
static void move(const vb_driven *d, int32_t driver, double time, bool direction, const double x[3],
                 double out[3]) {
  double from[4], to[4], start[3], end[3], own[3] = {x[0], x[1], x[2]};
  vb_driver_motion(d->scene, driver, 0, from, start);
  vb_driver_motion(d->scene, driver, time, to, end);
  const double back[4] = {from[0], -from[1], -from[2], -from[3]};
  if (!direction)
    vb_subtract(own, start, own);
  vb_quaternion_rotate(back, own, own);
  vb_quaternion_rotate(to, own, own);
  vb_add_scaled(own, direction ? 0 : 1, end, out);
}

static vb_status check(const vb_driven *d, vb_run_location place, vb_error *error) {
  size_t n_curves = vb_scene_count(d->scene, VB_SET_CURVE);
  vb_status status = vb_scene_check(d->scene, vb_scene_bytes(d->scene), error);
  for (size_t i = 0; !status && i < d->n_loads; i++) {
    int32_t curve = d->loads[i].amplitude;
    if (curve < -1 || curve >= (int64_t)n_curves)
      status = vb_bad_input(error, "load %zu: its curve %d does not exist", i, curve);
  }
  if (status)
    vb_error_prefix(error, "%s: its drivers, curves or colliders are invalid", place.path);
  return status;
}

vb_status vb_driven_open(vb_run_location place, vb_driven *out, vb_error *error) {
  vb_driven d = {.scene = NULL};
  void *loads = NULL;
  vb_status status = vb_run_set(place, VB_SET_LOAD, &loads, &d.n_loads, error);
  d.loads = loads;
  if (!status)
    status = make_scene(place, &d.scene, error);
  if (!status)
    status = check(&d, place, error);
  if (status)
    vb_driven_close(&d);
  else
    *out = d;
  return status;
}

void vb_driven_close(vb_driven *d) {
  free(d->loads);
  free(d->scene);
  *d = (vb_driven){.scene = NULL};
}

void vb_driven_grounds(const vb_driven *d, double time, vb_ground *ground) {
  size_t n;
  const vb_plane_driver *pair = vb_scene_plane_drivers(d->scene, &n);
  for (; n > 0; n--, pair++) {
    vb_ground *plane = &ground[pair->half_plane];
    double point[3] = {0};
    vb_add_scaled(point, plane->offset, plane->normal, point);
    move(d, pair->driver, time, false, point, point);
    move(d, pair->driver, time, true, plane->normal, plane->normal);
    plane->offset = vb_dot(plane->normal, point);
  }
}

void vb_driven_colliders(const vb_driven *d, double time, double (*point)[2][3]) {
  size_t n;
  const vb_collider *collider = vb_scene_colliders(d->scene, &n);
  for (size_t i = 0; i < n; i++)
    for (int k = 0; k < 2; k++) {
      memcpy(point[i][k], collider[i].point[k], sizeof point[i][k]);
      if (collider[i].driver >= 0)
        move(d, collider[i].driver, time, false, point[i][k], point[i][k]);
    }
}

bool vb_driven_moves_colliders(const vb_driven *d) {
  size_t n;
  const vb_collider *collider = vb_scene_colliders(d->scene, &n);
  bool moved = false;
  for (size_t i = 0; i < n; i++)
    moved = moved || collider[i].driver >= 0;
  return moved;
}
