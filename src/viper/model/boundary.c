// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/model/boundary.h"

#include "scene/rotation.h"

#include <math.h>
#include <string.h>

vb_status viper_boundary_create(const viper_model *model, viper_boundary *out, vb_error *error) {
  viper_boundary b = {0};
  size_t n_drivers = vb_scene_count(model->scene, VB_SET_DRIVER);
  VB_TAKE(&b.memory, b.target, 4 * model->n_pins);
  VB_TAKE(&b.memory, b.moves, n_drivers);
  for (size_t d = 0; b.moves && d < n_drivers; d++)
    b.moves[d] = vb_driver_moves(model->scene, (int32_t)d);
  if (vb_scene_count(model->scene, VB_SET_LOAD) > 0) {
    VB_TAKE(&b.memory, b.node_load, 4 * model->n_nodes);
    VB_TAKE(&b.memory, b.frame_load, 3 * model->n_segments);
  }
  VB_TAKE(&b.memory, b.active, 2 * model->n_activations);
  VB_TAKE(&b.memory, b.follower_load, 4 * model->n_follower_loads);
  VB_TAKE(&b.memory, b.follow, 12 * model->n_follows);
  VB_TAKE(&b.memory, b.plane,
          VIPER_PLANE_VALUES * vb_scene_count(model->scene, VB_SET_PLANE_DRIVER));
  *out = b;
  return vb_arena_status(&b.memory, error);
}

void viper_boundary_destroy(viper_boundary *b) {
  vb_arena_clear(&b->memory);
}

static void fill_targets(viper_boundary *b, const viper_model *model, double time) {
  size_t n;
  const vb_node *node = vb_scene_nodes(model->scene, &n);
  const vb_segment *segment = vb_scene_segments(model->scene, &n);
  double q[4] = {1}, shift[3] = {0};
  int32_t driver = -1; // whose motion q and shift are
  for (size_t k = 0; k < model->n_pins; k++) {
    const viper_model_pin *pin = &model->pin[k];
    if (b->filled && !b->moves[pin->driver])
      continue;
    if (pin->driver != driver)
      vb_driver_motion(model->scene, driver = pin->driver, time, q, shift);
    double *target = b->target + 4 * k;
    if (pin->location == VB_AT_SEGMENT) {
      vb_quaternion_multiply(q, segment[model->segment[pin->index].scene_index].frame, target);
      continue;
    }
    const vb_node *start = &node[model->node[pin->index].scene_index];
    vb_rigid_move(q, shift, start->position, target);
    target[3] = start->scale;
  }
  b->filled = true;
}

static void fill_loads(viper_boundary *b, const viper_model *model, double time) {
  size_t n, turning = 0;
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
    if (turning < model->n_follower_loads && model->follower_load[turning].load == (int32_t)k) {
      at = b->follower_load + 4 * turning++;
      memset(at, 0, 4 * sizeof *at);
    }
    for (int c = 0; c < 3; c++)
      at[c] += factor * value[c];
    if (load[k].location == VB_AT_NODE)
      at[3] += factor * load[k].scale_force;
  }
}

void viper_hill_start(const viper_model *model, const viper_model_activation *activation,
                      double out[2]) {
  const int32_t at = model->segment[activation->segment].scene_index;
  size_t n;
  const vb_segment *segment = vb_scene_segments(model->scene, &n) + at;
  const vb_node *node = vb_scene_nodes(model->scene, &n);
  double w[3], along = 0;
  vb_frame_axis(segment->frame, 2, w);
  for (int c = 0; c < 3; c++)
    along += w[c] * (node[segment->node[1]].position[c] - node[segment->node[0]].position[c]);
  out[0] = fmax(along / segment->rest_length, 0.25);
  out[1] = 1 / sqrt(out[0]);
}

void viper_activation_at(const viper_model *model, const viper_model_activation *activation,
                         double time, double out[2]) {
  const viper_model_segment *s = &model->segment[activation->segment];
  double value = vb_scene_curve(model->scene, activation->curve, time, 1);
  out[0] = value;
  out[1] = activation->active == VB_ACTIVE_STRAIN ? 1 / sqrt(value) : 1;
  if (activation->active == VB_ACTIVE_FORCE) // K inv_l is pi r^2 kz, of both terms of a solid
    out[0] = 1 - value / ((s->k[VIPER_TERM_STRETCH] + s->k_solid[VIPER_TERM_AXIAL]) * s->inv_l);
}

/// Adds `weight` times what a driver does to points from `time` to `time` + `h`.
static void add_follow(const viper_model *model, int32_t driver, double weight, double time,
                       double h, double map[3][4]) {
  double from[4], to[4], start[3], end[3], turned[3];
  vb_driver_motion(model->scene, driver, time, from, start);
  vb_driver_motion(model->scene, driver, time + h, to, end);
  for (int k = 1; k < 4; k++)
    from[k] = -from[k];
  vb_quaternion_multiply(to, from, to);
  for (int k = 0; k < 3; k++) {
    double column[3] = {k == 0, k == 1, k == 2};
    vb_quaternion_rotate(to, column, column);
    for (int c = 0; c < 3; c++)
      map[c][k] += weight * column[c];
  }
  vb_quaternion_rotate(to, start, turned);
  for (int c = 0; c < 3; c++)
    map[c][3] += weight * (end[c] - turned[c]);
}

void viper_boundary_follow(viper_boundary *b, const viper_model *model, double time, double h) {
  memset(b->follow, 0, 12 * model->n_follows * sizeof *b->follow);
  for (size_t k = 0; k < model->n_follows; k++)
    for (int d = 0; d < 2; d++)
      if (model->follow[k].driver[d] >= 0)
        add_follow(model, model->follow[k].driver[d], model->follow[k].weight[d], time, h,
                   (double(*)[4])(b->follow + 12 * k));
}

void viper_driven_plane_at(const vb_scene *scene, const vb_plane_driver *driven, double time,
                           double normal[3], double *offset) {
  size_t n;
  const vb_half_plane *start = vb_scene_half_planes(scene, &n) + driven->half_plane;
  double q[4], shift[3];
  vb_driver_motion(scene, driven->driver, time, q, shift);
  vb_quaternion_rotate(q, start->normal, normal);
  *offset = start->offset + vb_dot(normal, shift);
}

/// The rows [D d] of viper_boundary_planes: x - R0 R1^-1 (x - b1) - b0 is how far a point moved
/// that was R0 x0 + b0 and is x = R1 x0 + b1.
static void fill_displacement(const vb_scene *scene, int32_t driver, double time, double h,
                              double map[3][4]) {
  double from[4], to[4], start[3], end[3], turned[3];
  vb_driver_motion(scene, driver, time, from, start);
  vb_driver_motion(scene, driver, time + h, to, end);
  for (int k = 1; k < 4; k++)
    to[k] = -to[k];
  vb_quaternion_multiply(from, to, to);
  vb_quaternion_rotate(to, end, turned);
  for (int k = 0; k < 3; k++) {
    double column[3] = {k == 0, k == 1, k == 2};
    vb_quaternion_rotate(to, column, column);
    for (int c = 0; c < 3; c++)
      map[c][k] = (c == k) - column[c];
    map[k][3] = turned[k] - start[k];
  }
}

void viper_boundary_planes(viper_boundary *b, const viper_model *model, double time, double h) {
  size_t n;
  const vb_plane_driver *driven = vb_scene_plane_drivers(model->scene, &n);
  for (size_t k = 0; k < n; k++) {
    double *row = b->plane + VIPER_PLANE_VALUES * k;
    viper_driven_plane_at(model->scene, &driven[k], time + h, row, row + 3);
    fill_displacement(model->scene, driven[k].driver, time, h, (double(*)[4])(row + 4));
    row[16] = 1 / (h * h);
    row[17] = row[18] = row[19] = 0;
  }
}

void viper_boundary_at(viper_boundary *b, const viper_model *model, double time) {
  fill_targets(b, model, time);
  fill_loads(b, model, time);
  for (size_t k = 0; k < model->n_activations; k++)
    viper_activation_at(model, &model->activation[k], time, b->active + 2 * k);
}

static void add_turned(const viper_boundary *b, const viper_model *model, const double *frame_hat,
                       double *out) {
  for (size_t k = 0; k < model->n_follower_loads; k++) {
    const viper_model_follower_load *t = &model->follower_load[k];
    double turn[4], f[4],
        *at = t->location == VB_AT_NODE ? out + 4 * (size_t)t->index
                                        : out + 4 * model->n_nodes + 3 * (size_t)t->index;
    memcpy(f, b->follower_load + 4 * k, sizeof f);
    vb_quaternion_multiply(frame_hat + 4 * (size_t)t->segment, t->back, turn);
    vb_quaternion_rotate(turn, f, f);
    for (int c = 0; c < (t->location == VB_AT_NODE ? 4 : 3); c++)
      at[c] += f[c];
  }
}

void viper_boundary_forces(const viper_boundary *b, const viper_model *model,
                           const double *frame_hat, double *out) {
  const double *g = vb_scene_world(model->scene)->gravity;
  double *torque = out + 4 * model->n_nodes;
  for (size_t i = 0; i < model->n_nodes; i++)
    for (size_t k = 0; k < 4; k++)
      out[4 * i + k] =
          (k < 3 ? model->node[i].mass * g[k] : 0) + (b->node_load ? b->node_load[4 * i + k] : 0);
  for (size_t k = 0; k < 3 * model->n_segments; k++)
    torque[k] = b->frame_load ? b->frame_load[k] : 0;
  add_turned(b, model, frame_hat, out);
}
