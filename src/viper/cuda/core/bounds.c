// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/cuda/core/bounds.h"

#include <string.h>

static bool is_moving(const viper_bounds *bounds, int32_t body) {
  return bounds->model->body[body].driven;
}

int32_t viper_loaded_body(const viper_bounds *bounds, const vb_load *load) {
  const viper_model *m = bounds->model;
  if (load->location == VB_AT_NODE)
    return bounds->node_body[m->node_at[load->index]];
  return bounds->node_body[m->segment[m->segment_at[load->index]].node[0]];
}

int32_t viper_pinned_body(const viper_bounds *bounds, const viper_model_pin *pin) {
  const viper_model *m = bounds->model;
  return bounds
      ->node_body[pin->location == VB_AT_SEGMENT ? m->segment[pin->index].node[0] : pin->index];
}

/// Numbers the bounds of a body, loads first, from `*next` on.
static void number_bounds(viper_bounds *bounds, int32_t body, int32_t *next) {
  const viper_model *m = bounds->model;
  const viper_model_body *b = &m->body[body];
  bounds->first[body] = *next;
  for (int32_t i = b->first_node; i < b->first_node + b->n_nodes; i++)
    bounds->node_load[i] = bounds->node_load[i] ? (*next)++ : -1;
  for (int32_t j = b->first_segment; j < b->first_segment + b->n_segments; j++)
    bounds->frame_load[j] = bounds->frame_load[j] ? (*next)++ : -1;
  for (int32_t i = b->first_node; i < b->first_node + b->n_nodes; i++)
    bounds->node_pin[i] = m->node[i].pinned ? (*next)++ : -1;
  for (int32_t j = b->first_segment; j < b->first_segment + b->n_segments; j++)
    bounds->frame_pin[j] = m->segment[j].pinned ? (*next)++ : -1;
  size_t n_loads;
  const vb_load *load = vb_scene_loads(m->scene, &n_loads);
  for (size_t k = 0; b->driven && k < n_loads; k++)
    if (viper_loaded_body(bounds, &load[k]) == body)
      bounds->force[k] = (*next)++;
  for (size_t k = 0; k < m->n_activations; k++)
    if (m->activation[k].body == body)
      bounds->active[k] = (*next)++;
  for (size_t k = 0; k < m->n_follows; k++)
    if (m->follow[k].body == body) {
      bounds->follow[k] = *next;
      *next += 3;
    }
}

static void number_all_bounds(viper_bounds *bounds) {
  const viper_model *m = bounds->model;
  size_t n_loads;
  const vb_load *load = vb_scene_loads(m->scene, &n_loads);
  for (int32_t k = 0; k < (int32_t)m->n_bodies; k++)
    for (int32_t i = 0; i < m->body[k].n_nodes; i++)
      bounds->node_body[m->body[k].first_node + i] = k;
  for (size_t k = 0; k < n_loads; k++) { // noted here, numbered below
    if (load[k].location == VB_AT_SEGMENT)
      bounds->frame_load[m->segment_at[load[k].index]] = 1;
    else
      bounds->node_load[m->node_at[load[k].index]] = 1;
  }
  bounds->n = VIPER_PLANE_VALUES / 4 * (int32_t)vb_scene_count(m->scene, VB_SET_PLANE_DRIVER);
  for (int moving = 1; moving >= 0; moving--) {
    for (int32_t k = 0; k < (int32_t)m->n_bodies; k++)
      if (is_moving(bounds, k) == moving)
        number_bounds(bounds, k, &bounds->n);
    if (moving)
      bounds->n_moving = bounds->n;
  }
}

/// Numbers the parts of the work, driver by driver, pins as the model has them, then load by load,
/// then activation by activation.
static void number_work(viper_bounds *bounds) {
  const viper_model *m = bounds->model;
  size_t n_drivers = vb_scene_count(m->scene, VB_SET_DRIVER);
  int32_t next = 0;
  for (size_t d = 0; d < n_drivers; d++) {
    bounds->work_first[d] = next;
    for (size_t k = 0; k < m->n_pins; k++)
      if (m->pin[k].driver == (int32_t)d)
        bounds->summand[k] = is_moving(bounds, viper_pinned_body(bounds, &m->pin[k])) ? next++ : -1;
  }
  for (size_t k = 0; k < (size_t)bounds->n_slots - n_drivers; k++) {
    bounds->work_first[n_drivers + k] = next;
    bounds->summand[m->n_pins + k] = next++;
  }
  bounds->work_first[bounds->n_slots] = next;
}

/// Whether a load turns with a segment: its value here is the load itself, too.
static bool turns(const viper_model *m, int32_t load) {
  for (size_t k = 0; k < m->n_follower_loads; k++)
    if (m->follower_load[k].load == load)
      return true;
  return false;
}

/// Forces and torques of the loads: the mean of those at two times.
static void fill_forces(viper_bounds *bounds, double time, double from) {
  size_t n_loads;
  const vb_load *load = vb_scene_loads(bounds->model->scene, &n_loads);
  for (size_t k = 0; k < n_loads; k++) {
    bool frame = load[k].location == VB_AT_SEGMENT;
    double factor = vb_scene_curve(bounds->model->scene, load[k].amplitude, time, 1);
    if (from < time && !turns(bounds->model, (int32_t)k))
      factor = 0.5 * (vb_scene_curve(bounds->model->scene, load[k].amplitude, from, 1) + factor);
    const double *value = frame ? load[k].torque : load[k].force;
    double *at = bounds->value + 4 * bounds->force[k];
    for (int c = 0; c < 4; c++)
      at[c] = factor * (c < 3 ? value[c] : frame ? 0 : load[k].scale_force);
  }
}

/// Accelerations of loaded nodes, gravity included, and torques on frames.
static void fill_loads(viper_bounds *bounds) {
  const viper_model *m = bounds->model;
  const double *g = vb_scene_world(m->scene)->gravity;
  for (size_t i = 0; i < m->n_nodes; i++) {
    const double *f = bounds->boundary.node_load + 4 * i;
    double *at = bounds->value + 4 * bounds->node_load[i];
    if (bounds->node_load[i] < 0)
      continue;
    for (int c = 0; c < 3; c++)
      at[c] = g[c] + f[c] / m->node[i].mass;
    at[3] = f[3] / m->node[i].scale_inertia;
  }
  for (size_t j = 0; j < m->n_segments; j++)
    if (bounds->frame_load[j] >= 0)
      memcpy(bounds->value + 4 * bounds->frame_load[j], bounds->boundary.frame_load + 3 * j,
             3 * sizeof(double));
}

/// Fills the values of bounds below number `end`.
static void fill(viper_bounds *bounds, double time, double h, double from, int32_t end) {
  const viper_model *m = bounds->model;
  viper_boundary_at(&bounds->boundary, m, time + h);
  viper_boundary_follow(&bounds->boundary, m, time, h);
  viper_boundary_planes(&bounds->boundary, m, time, h);
  memcpy(bounds->value, bounds->boundary.plane,
         VIPER_PLANE_VALUES * vb_scene_count(m->scene, VB_SET_PLANE_DRIVER) * sizeof(double));
  for (size_t k = 0; k < m->n_follows; k++)
    memcpy(bounds->value + 4 * bounds->follow[k], bounds->boundary.follow + 12 * k,
           12 * sizeof(double));
  for (size_t k = 0; k < m->n_pins; k++) {
    const viper_model_pin *pin = &m->pin[k];
    bool frame = pin->location == VB_AT_SEGMENT;
    int32_t at = frame ? bounds->frame_pin[pin->index] : bounds->node_pin[pin->index];
    for (int c = 0; at < end && c < 4; c++)
      if (frame || pin->mask >> c & 1)
        bounds->value[4 * at + c] = bounds->boundary.target[4 * k + (size_t)c];
  }
  fill_forces(bounds, time + h, from);
  for (size_t k = 0; k < m->n_activations; k++) {
    double *value = bounds->value + 4 * bounds->active[k];
    memcpy(value, bounds->boundary.active + 2 * k, 2 * sizeof(double));
    value[2] = m->activation[k].hill ? h : 0;
  }
  if (bounds->boundary.node_load)
    fill_loads(bounds);
}

void viper_bounds_at(viper_bounds *bounds, double time, double h, double from) {
  if (bounds->n_moving > 0)
    fill(bounds, time, h, from, bounds->n_moving);
}

static vb_status allocate(viper_bounds *bounds, vb_error *error) {
  const vb_scene *scene = bounds->model->scene;
  vb_arena *memory = &bounds->memory;
  size_t n = bounds->model->n_nodes, s = bounds->model->n_segments;
  size_t n_loads = vb_scene_count(scene, VB_SET_LOAD);
  size_t n_activations = bounds->model->n_activations;
  bounds->n_slots = (int32_t)viper_count_work(bounds->model);
  VB_TAKE(memory, bounds->first, bounds->model->n_bodies);
  VB_TAKE(memory, bounds->node_body, n);
  VB_TAKE(memory, bounds->node_pin, n);
  VB_TAKE(memory, bounds->frame_pin, s);
  VB_TAKE(memory, bounds->node_load, n);
  VB_TAKE(memory, bounds->frame_load, s);
  VB_TAKE(memory, bounds->force, n_loads);
  VB_TAKE(memory, bounds->active, n_activations);
  VB_TAKE(memory, bounds->follow, bounds->model->n_follows);
  VB_TAKE(memory, bounds->summand, bounds->model->n_pins + n_loads + n_activations);
  VB_TAKE(memory, bounds->work_first, (size_t)bounds->n_slots + 1);
  return vb_arena_status(memory, error);
}

vb_status viper_bounds_create(const viper_model *model, viper_bounds *out, vb_error *error) {
  viper_bounds bounds = {.model = model};
  vb_status status = allocate(&bounds, error);
  if (!status)
    status = viper_boundary_create(model, &bounds.boundary, error);
  if (!status) {
    number_all_bounds(&bounds);
    number_work(&bounds);
    VB_TAKE(&bounds.memory, bounds.value, 4 * (size_t)bounds.n);
    status = vb_arena_status(&bounds.memory, error);
  }
  if (status) {
    viper_bounds_destroy(&bounds);
    return status;
  }
  fill(&bounds, 0, 0, 0, bounds.n);
  *out = bounds;
  return VB_OK;
}

void viper_bounds_destroy(viper_bounds *bounds) {
  viper_boundary_destroy(&bounds->boundary);
  vb_arena_clear(&bounds->memory);
}
