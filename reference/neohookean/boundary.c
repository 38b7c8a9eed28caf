// SPDX-License-Identifier: GPL-3.0-or-later
#include "boundary.h"

#include "scene/rotation.h"

#include <stdlib.h>
#include <string.h>

static vb_status check_loads(const vb_scene *scene, vb_error *error) {
  size_t n;
  const vb_load *load = vb_scene_loads(scene, &n);
  for (size_t k = 0; k < n; k++)
    if (load[k].scale_force != 0)
      return vb_error_set(error, VB_UNAVAILABLE,
                          "load %zu (%s) acts on a scale; nodes of tetrahedra have none", k,
                          load[k].name);
  return VB_OK;
}

vb_status nh_boundary_create(const nh_solid *solid, nh_boundary *out, vb_error *error) {
  size_t n_pins;
  const vb_pin *pin = vb_scene_pins(solid->scene, &n_pins);
  vb_status status = check_loads(solid->scene, error);
  if (status)
    return status;
  nh_boundary b = {.held = calloc(solid->n_nodes, 1),
                   .driver = reallocarray(NULL, solid->n_nodes, sizeof *b.driver)};
  if (!b.held || !b.driver) {
    nh_boundary_clear(&b);
    return vb_error_memory(error);
  }
  for (size_t i = 0; i < solid->n_nodes; i++)
    b.driver[i] = -1;
  for (size_t k = 0; k < n_pins; k++) {
    b.held[pin[k].index] = pin[k].mask & VB_PIN_CENTER;
    b.driver[pin[k].index] = pin[k].driver;
  }
  for (size_t i = solid->n_corners; i < solid->n_nodes; i++) {
    const int32_t *end = solid->edge[i - solid->n_corners];
    if (b.driver[end[0]] != b.driver[end[1]])
      continue;
    b.held[i] = b.held[end[0]] & b.held[end[1]];
    b.driver[i] = b.driver[end[0]];
  }
  *out = b;
  return VB_OK;
}

void nh_boundary_clear(nh_boundary *boundary) {
  free(boundary->held);
  free(boundary->driver);
  *boundary = (nh_boundary){0};
}

void nh_boundary_start(const nh_solid *solid, double *position, double *velocity) {
  size_t n;
  const vb_node *node = vb_scene_nodes(solid->scene, &n);
  for (size_t i = 0; i < n; i++) {
    memcpy(position + 3 * i, node[i].position, sizeof node[i].position);
    memcpy(velocity + 3 * i, node[i].velocity, sizeof node[i].velocity);
  }
  for (size_t i = solid->n_corners; i < solid->n_nodes; i++) {
    const int32_t *end = solid->edge[i - solid->n_corners];
    for (size_t c = 0; c < 3; c++) {
      size_t a = 3 * (size_t)end[0] + c, b = 3 * (size_t)end[1] + c;
      position[3 * i + c] = 0.5 * (position[a] + position[b]);
      velocity[3 * i + c] = 0.5 * (velocity[a] + velocity[b]);
    }
  }
}

void nh_boundary_moves(const nh_boundary *boundary, const nh_solid *solid, const double *start,
                       double time, const double *x, double *moved) {
  double q[4] = {1}, b[3] = {0}, target[3];
  int32_t driver = -1; // whose motion q and b are
  for (size_t i = 0; i < solid->n_nodes; i++) {
    double *out = moved + 3 * i;
    memset(out, 0, 3 * sizeof *out);
    if (!boundary->held[i])
      continue;
    if (boundary->driver[i] != driver)
      vb_driver_motion(solid->scene, driver = boundary->driver[i], time, q, b);
    vb_rigid_move(q, b, start + 3 * i, target);
    for (int c = 0; c < 3; c++)
      if (boundary->held[i] >> c & 1)
        out[c] = target[c] - x[3 * i + (size_t)c];
  }
}

void nh_boundary_loads(const nh_solid *solid, double time, double *force) {
  size_t n;
  const vb_load *load = vb_scene_loads(solid->scene, &n);
  for (size_t k = 0; k < n; k++) {
    double factor = vb_scene_curve(solid->scene, load[k].amplitude, time, 1);
    for (size_t c = 0; c < 3; c++)
      force[3 * (size_t)load[k].index + c] += factor * load[k].force[c];
  }
}
