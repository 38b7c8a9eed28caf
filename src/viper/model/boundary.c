// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/model/boundary.h"

#include "scene/rotation.h"

#include <math.h>
#include <string.h>

vb_status viper_boundary_create(const viper_model *model, viper_boundary *out, vb_error *error) {
  viper_boundary b = {0};
  VB_TAKE(&b.memory, b.target, 4 * model->n_pins);
  if (vb_scene_count(model->scene, VB_SET_LOAD) > 0) {
    VB_TAKE(&b.memory, b.node_load, 4 * model->n_nodes);
    VB_TAKE(&b.memory, b.frame_load, 3 * model->n_segments);
  }
  *out = b;
  return vb_arena_status(&b.memory, error);
}

void viper_boundary_destroy(viper_boundary *b) {
  vb_arena_clear(&b->memory);
}

/// A driver's motion at a time.
typedef struct motion {
  double d[3]; ///< m
  double q[4]; ///< rotation (w, x, y, z)
} motion;

static motion motion_at(const vb_scene *scene, const vb_driver *driver, double time) {
  motion m;
  double angle;
  vb_driver_at(scene, driver, time, m.d, &angle);
  m.q[0] = cos(0.5 * angle);
  for (int k = 0; k < 3; k++)
    m.q[1 + k] = sin(0.5 * angle) * driver->axis[k];
  return m;
}

/// origin + R (x - origin) + d
static void move_point(const motion *m, const double origin[3], const double x[3], double out[3]) {
  double arm[3];
  for (int k = 0; k < 3; k++)
    arm[k] = x[k] - origin[k];
  vb_quaternion_rotate(m->q, arm, arm);
  for (int k = 0; k < 3; k++)
    out[k] = origin[k] + arm[k] + m->d[k];
}

static bool moves(const vb_driver *d) {
  return d->angle >= 0 || d->translation[0] >= 0 || d->translation[1] >= 0 ||
         d->translation[2] >= 0;
}

static void fill_targets(viper_boundary *b, const viper_model *model, double time) {
  size_t n;
  const vb_driver *driver = vb_scene_drivers(model->scene, &n);
  const vb_node *node = vb_scene_nodes(model->scene, &n);
  const vb_segment *segment = vb_scene_segments(model->scene, &n);
  for (size_t k = 0; k < model->n_pins; k++) {
    const viper_model_pin *pin = &model->pin[k];
    const vb_driver *d = &driver[pin->driver];
    if (b->filled && !moves(d))
      continue;
    motion m = motion_at(model->scene, d, time);
    double *target = b->target + 4 * k;
    if (pin->location == VB_AT_SEGMENT) {
      vb_quaternion_multiply(m.q, segment[model->segment[pin->index].scene_index].frame, target);
      continue;
    }
    const vb_node *start = &node[model->node[pin->index].scene_index];
    move_point(&m, d->origin, start->position, target);
    target[3] = start->scale;
  }
  b->filled = true;
}

static void fill_loads(viper_boundary *b, const viper_model *model, double time) {
  size_t n;
  const vb_load *load = vb_scene_loads(model->scene, &n);
  if (n == 0)
    return;
  memset(b->node_load, 0, 4 * model->n_nodes * sizeof *b->node_load);
  memset(b->frame_load, 0, 3 * model->n_segments * sizeof *b->frame_load);
  for (size_t k = 0; k < n; k++) {
    double factor = vb_scene_curve(model->scene, load[k].amplitude, time, 1);
    double *at = load[k].location == VB_AT_SEGMENT
                     ? b->frame_load + 3 * model->segment_at[load[k].index]
                     : b->node_load + 4 * model->node_at[load[k].index];
    const double *value = load[k].location == VB_AT_SEGMENT ? load[k].torque : load[k].force;
    for (int c = 0; c < 3; c++)
      at[c] += factor * value[c];
    if (load[k].location == VB_AT_NODE)
      at[3] += factor * load[k].scale_force;
  }
}

void viper_boundary_at(viper_boundary *b, const viper_model *model, double time) {
  fill_targets(b, model, time);
  fill_loads(b, model, time);
}
