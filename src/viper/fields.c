// SPDX-License-Identifier: GPL-3.0-or-later
/// What can be read of an instance: fields, energies, residual and reactions.
#include "viper/viper_internal.h"

#include "scene/rotation.h"
#include "viper/description.h"
#include "viper/distance.h"
#include "viper/fields.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Copies `n` components from `from` on of each node's row of four, in the scene's order.
static void read_node(const viper *v, const double *row, int from, int n, double *out) {
  for (size_t i = 0; i < v->model->n_nodes; i++)
    memcpy(out + (size_t)n * (size_t)v->model->node[i].scene_index, row + 4 * i + from,
           (size_t)n * sizeof *out);
}

static void read_segment(const viper *v, const double *row, int n, double *out) {
  for (size_t j = 0; j < v->model->n_segments; j++)
    memcpy(out + (size_t)n * (size_t)v->model->segment[j].scene_index, row + (size_t)n * j,
           (size_t)n * sizeof *out);
}

static void read_position(void *self, double *out) {
  read_node(self, ((viper *)self)->state.node, 0, 3, out);
}

static void read_scale(void *self, double *out) {
  read_node(self, ((viper *)self)->state.node, 3, 1, out);
}

static void read_velocity(void *self, double *out) {
  read_node(self, ((viper *)self)->state.node_rate, 0, 3, out);
}

static void read_scale_rate(void *self, double *out) {
  read_node(self, ((viper *)self)->state.node_rate, 3, 1, out);
}

static void read_frame(void *self, double *out) {
  read_segment(self, ((viper *)self)->state.frame, 4, out);
}

static void read_angular_velocity(void *self, double *out) {
  read_segment(self, ((viper *)self)->state.frame_rate, 3, out);
}

static void read_momentum(void *self, double *out) {
  const viper *v = self;
  out[0] = out[1] = out[2] = 0;
  for (size_t i = 0; i < v->model->n_nodes; i++)
    for (int k = 0; k < 3; k++)
      out[k] += v->model->node[i].mass * v->state.node_rate[4 * i + k];
}

static void read_mass(void *self, double *out) {
  const viper *v = self;
  for (size_t i = 0; i < v->model->n_nodes; i++)
    out[v->model->node[i].scene_index] = v->model->node[i].mass;
}

static vb_status read_vertices(void *self, double *out, vb_error *error) {
  const viper *v = self;
  vb_status status = VB_OK;
  if (v->backend->skin)
    status = v->backend->skin(v->instance, out, NULL, error);
  else
    viper_skin_vertices(&v->skin, v->model, v->state.node, v->state.frame, out);
  return status ? status
                : viper_skin_fit(&v->skin, v->model, v->state.node, v->state.frame, out, error);
}

static vb_status read_volume(void *self, double *out, vb_error *error) {
  const viper *v = self;
  if (v->backend->skin)
    return v->backend->skin(v->instance, NULL, out, error);
  double *vertices = reallocarray(NULL, 3 * v->skin.n_vertices, sizeof *vertices);
  if (!vertices)
    return vb_error_memory(error);
  viper_skin_vertices(&v->skin, v->model, v->state.node, v->state.frame, vertices);
  *out = viper_skin_volume(&v->skin, vertices);
  free(vertices);
  return VB_OK;
}

/// Writes of each vertex the segments that it follows, in the scene's order, or their weights.
static void read_followed(const viper *v, bool weights, double *out) {
  for (size_t i = 0; i < v->skin.n_vertices; i++)
    for (int k = 0; k < VIPER_SKIN_MOST; k++) {
      const viper_skin_weight *w = &v->skin.weight[i * VIPER_SKIN_MOST + (size_t)k];
      bool there = k < v->skin.n_weights[i];
      *out++ = weights ? there ? w->weight : 0
               : there ? (double)v->model->segment[w->segment].scene_index
                       : -1;
    }
}

static void read_skin_segments(void *self, double *out) {
  read_followed(self, false, out);
}

static void read_skin_weights(void *self, double *out) {
  read_followed(self, true, out);
}

/// Where bundles carry the surface, or it is fitted, it does not follow from segments.
static size_t count_weighted(const void *self, size_t n) {
  const viper_skin *skin = &((const viper *)self)->skin;
  return skin->bundles.n > 0 || viper_skin_is_fitted(skin) ? 0 : n;
}

/// Not of a fitted skin: to fit it takes longer than a step, and each row of a record has it.
static size_t count_enclosed(const void *self, size_t n) {
  const viper_skin *skin = &((const viper *)self)->skin;
  return skin->n_triangles > 0 && !viper_skin_is_fitted(skin) ? n : 0;
}

static size_t count_in_contact(const void *self, size_t n) {
  return viper_has_contact(((const viper *)self)->model) ? n : 0;
}

static size_t count_in_contact_of_pills(const void *self, size_t n) {
  return vb_scene_contact(((const viper *)self)->scene) ? n : 0;
}

/// What is reported of contacts, number `which`.
static vb_status read_contact(viper *v, int which, double *out, vb_error *error) {
  vb_status status = viper_fetch_contact(v, error);
  *out = status || v->n_contact == 0 ? 0 : v->contact[which];
  return status;
}

static vb_status read_contacts(void *self, double *out, vb_error *error) {
  return read_contact(self, 0, out, error);
}

static vb_status read_complementarity(void *self, double *out, vb_error *error) {
  return read_contact(self, 1, out, error);
}

static vb_status read_contact_speed(void *self, double *out, vb_error *error) {
  return read_contact(self, 2, out, error);
}

static vb_status read_contact_truncated(void *self, double *out, vb_error *error) {
  return read_contact(self, 3, out, error);
}

const char *viper_warning(void *self) {
  viper *v = self;
  const size_t size = sizeof v->warning;
  vb_convergence end = {0};
  double truncated = 0;
  if (v->start_moved > 0)
    snprintf(v->warning, size,
             "pills overlapped by %.2g m; they were moved apart before time 0, by up to %.2g m",
             v->start_depth, v->start_moved);
  else if (v->start_depth > 0)
    snprintf(v->warning, size,
             "pills overlap each other or a half-plane by %.2g m at time 0, and the first steps "
             "push them apart; start without overlap",
             v->start_depth);
  else if (v->steps.missed > 0)
    snprintf(v->warning, size, "%s; %lld of %lld load steps found none", v->steps.what,
             (long long)v->steps.missed, (long long)v->steps.evaluated);
  else if (v->n_increments > 0)
    snprintf(v->warning, size,
             "load steps that did not converge were split into increments, %lld more than there "
             "are steps",
             (long long)v->n_increments);
  else if (!read_contact(v, 4, &truncated, NULL) && truncated > 0)
    snprintf(v->warning, size,
             "pills would have passed through each other: the motion of nodes was truncated %.0f "
             "times; use shorter substeps or more iterations",
             truncated);
  else if (v->settings.dynamics == VIPER_TRANSIENT && !viper_fetch(v, NULL) &&
           !viper_look_at_distance(v, &end, NULL) && end.missed > 0)
    snprintf(v->warning, size, "%s", end.what);
  else
    return v->passed_over[0] ? v->passed_over : NULL;
  return v->warning;
}

static vb_status read_penetration(void *self, double *out, vb_error *error) {
  viper *v = self;
  double time = (double)v->n_steps * vb_scene_world(v->scene)->step;
  return viper_overlap_depth(v->overlap, v->state.node, time, v->settings.threads, out, error);
}

static vb_status read_excluded(void *self, double *out, vb_error *error) {
  viper *v = self;
  return viper_overlap_excluded(v->overlap, v->state.node, v->settings.threads, out, error);
}

static vb_status read_newton_step(void *self, double *out, vb_error *error) {
  const viper *v = self;
  const bool touches = viper_has_contact(v->model), bundles = viper_has_bundles(v->model);
  *out = bundles && !viper_has_bundle_rows(&v->settings) ? NAN : 0;
  if (isnan(*out) || v->n_steps == 0)
    return VB_OK;
  if ((touches || bundles) && v->backend->contact_step && v->settings.integrator != VIPER_MIDPOINT)
    return v->backend->contact_step(v->instance, v->substep, out, error);
  if (touches) {
    *out = NAN;
    return VB_OK;
  }
  viper_evaluation_at(v->evaluation, (double)v->n_steps * vb_scene_world(v->scene)->step);
  return viper_evaluation_newton_step(v->evaluation, v->substep, out, error);
}

/// Writes `n` forces that are kept in rows of `row` numbers, from number `first` of `contact` on.
static vb_status read_forces(viper *v, size_t first, size_t row, size_t n, double *out,
                             vb_error *error) {
  const double *from = v->contact + VIPER_N_CONTACT + first;
  vb_status status = viper_fetch_contact(v, error);
  for (size_t i = 0; i < n && !status; i++)
    for (size_t c = 0; c < 3; c++)
      out[3 * i + c] = v->n_steps == 0 ? 0 : from[row * i + c] / (v->substep * v->substep);
  return status;
}

/// What contacts exert on each body.
static vb_status read_contact_force(void *self, double *out, vb_error *error) {
  return read_forces(self, 0, 3, vb_scene_count(((viper *)self)->scene, VB_SET_BODY), out, error);
}

/// What bodies exert on each half-plane.
static vb_status read_half_plane_force(void *self, double *out, vb_error *error) {
  const vb_scene *scene = ((viper *)self)->scene;
  return read_forces(self, 3 * vb_scene_count(scene, VB_SET_BODY), 6,
                     vb_scene_count(scene, VB_SET_HALF_PLANE), out, error);
}

/// Reads the work of pushes and of friction.
static vb_status read_contact_work(void *self, double *out, vb_error *error) {
  viper *v = self;
  vb_status status = viper_fetch_contact(v, error);
  for (size_t k = 0; k < 2 && !status; k++)
    out[k] = v->n_steps == 0 ? 0 : v->contact[v->n_contact - 2 + k] / (v->substep * v->substep);
  return status;
}

static const vb_reading readings[] = {VIPER_FIELDS(VB_FIELD_READING)};

size_t viper_count(const void *self, size_t field) {
  return vb_fields_count(viper_describe(), readings, ((const viper *)self)->scene, self, field);
}

vb_status viper_read(void *self, size_t field, double *out, vb_error *error) {
  vb_status status = viper_fetch(self, error);
  return status ? status
                : vb_fields_read(viper_describe(), readings, ((viper *)self)->scene, self, field,
                                 out, error);
}

vb_status viper_energies(void *self, double *out, vb_error *error) {
  viper *v = self;
  vb_status status = viper_fetch(v, error);
  if (!status)
    viper_evaluation_energies(v->evaluation, out);
  return status;
}

vb_status viper_read_work(void *self, double *out, vb_error *error) {
  viper *v = self;
  vb_status status = viper_fetch(v, error);
  if (!status)
    memcpy(out, v->state.work, viper_count_work(v->model) * sizeof *out);
  return status;
}

vb_status viper_residual(void *self, double *out, vb_error *error) {
  viper *v = self;
  vb_status status = viper_fetch(v, error);
  if (status)
    return status;
  *out = 0;
  double time = (double)v->n_steps * vb_scene_world(v->scene)->step;
  if (v->n_steps == 0)
    return VB_OK;
  if (viper_has_bundles(v->model) && !viper_has_bundle_rows(&v->settings)) {
    const double *load = viper_evaluation_loads(v->evaluation, time);
    return v->backend->bundled_residual(v->instance, v->substep, load, v->state.active, out, error);
  }
  return viper_evaluation_residual(v->evaluation, v->substep, time, out, error);
}

/// Adds what one pin exerts to its driver's force and torque about `center`.
static void add_reaction(const viper *v, const viper_model_pin *pin, const double center[3],
                         const double *node, const double *frame, double force[3],
                         double torque[3]) {
  int32_t i = pin->index;
  if (pin->location == VB_AT_SEGMENT) {
    double g[3], world[3];
    memcpy(g, frame + 3 * i, sizeof g);
    if (!(pin->mask & VB_PIN_FRAME))
      viper_evaluation_held(v->evaluation, i, g);
    vb_quaternion_rotate(v->state.frame + 4 * i, g, world);
    for (int k = 0; k < 3; k++)
      torque[k] += world[k];
    return;
  }
  double f[3], arm[3], moment[3];
  for (int k = 0; k < 3; k++) {
    f[k] = pin->mask >> k & 1 ? node[4 * i + k] : 0;
    arm[k] = v->state.node[4 * i + k] - center[k];
    force[k] += f[k];
  }
  vb_cross(arm, f, moment);
  for (int k = 0; k < 3; k++)
    torque[k] += moment[k];
}

/// Where the point is now about which the torque of driver `d` is.
static void moved_origin(const viper *v, int32_t d, double time, double out[3]) {
  size_t n;
  const vb_driver *driver = vb_scene_drivers(v->scene, &n);
  double q[4], b[3];
  vb_driver_motion(v->scene, d, time, q, b);
  vb_rigid_move(q, b, driver[d].origin, out);
}

/// Adds what driven half-planes exert on bodies to their drivers' forces and torques.
static vb_status add_plane_reactions(viper *v, double time, double *force, double *torque,
                                     vb_error *error) {
  size_t n, n_bodies = vb_scene_count(v->scene, VB_SET_BODY);
  const vb_plane_driver *driven = vb_scene_plane_drivers(v->scene, &n);
  vb_status status = n > 0 && v->n_contact > 0 ? viper_fetch_contact(v, error) : VB_OK;
  for (size_t k = 0; k < n && v->n_contact > 0 && !status; k++) {
    const double *f = v->contact + VIPER_N_CONTACT + 3 * n_bodies + 6 * driven[k].half_plane;
    double center[3], moment[3];
    moved_origin(v, driven[k].driver, time, center);
    vb_cross(center, f, moment);
    for (int c = 0; c < 3; c++) {
      force[3 * driven[k].driver + c] -= f[c] / (v->substep * v->substep);
      torque[3 * driven[k].driver + c] -= (f[3 + c] - moment[c]) / (v->substep * v->substep);
    }
  }
  return status;
}

vb_status viper_reactions(void *self, double *force, double *torque, vb_error *error) {
  viper *v = self;
  size_t n_drivers = vb_scene_count(v->scene, VB_SET_DRIVER);
  double time = (double)v->n_steps * vb_scene_world(v->scene)->step;
  memset(force, 0, 3 * n_drivers * sizeof *force);
  memset(torque, 0, 3 * n_drivers * sizeof *torque);
  vb_status status = viper_fetch(v, error);
  if (!status && v->n_steps > 0)
    status = add_plane_reactions(v, time, force, torque, error);
  if (status || v->n_steps == 0 || v->model->n_pins == 0)
    return status;
  double *node =
      reallocarray(NULL, 4 * v->model->n_nodes + 3 * v->model->n_segments + 1, sizeof *node);
  if (!node)
    return vb_error_memory(error);
  double *frame = node + 4 * v->model->n_nodes;
  viper_evaluation_at(v->evaluation, time);
  viper_evaluation_gradient(v->evaluation, v->substep, node, frame);
  for (size_t k = 0; k < v->model->n_pins; k++) {
    const viper_model_pin *pin = &v->model->pin[k];
    double center[3];
    moved_origin(v, pin->driver, time, center);
    add_reaction(v, pin, center, node, frame, force + 3 * pin->driver, torque + 3 * pin->driver);
  }
  free(node);
  return VB_OK;
}
