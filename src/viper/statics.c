// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/statics.h"

#include "scene/rotation.h"
#include "viper/model/boundary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Rigid motions of a body: three translations, three rotations about its center.
enum { RIGID = 6 };

/// Part of a row below which it is taken for a sum of the rows before it.
#define LEAST_PART 1e-8

/// Orthonormal rows: rigid motions that pins of a body prevent.
typedef struct held_motions {
  int n;
  double row[RIGID][RIGID];
} held_motions;

static double dot(const double *a, const double *b) {
  double sum = 0;
  for (int k = 0; k < RIGID; k++)
    sum += a[k] * b[k];
  return sum;
}

/// Adds what of a row is not a sum of those before, by Gram and Schmidt, twice for its digits.
static void hold_motion(held_motions *held, const double motion[RIGID]) {
  double row[RIGID], size = sqrt(dot(motion, motion));
  memcpy(row, motion, sizeof row);
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < held->n; i++) {
      double part = dot(row, held->row[i]);
      for (int k = 0; k < RIGID; k++)
        row[k] -= part * held->row[i][k];
    }
  double left = sqrt(dot(row, row));
  if (held->n == RIGID || left <= LEAST_PART * size)
    return;
  for (int k = 0; k < RIGID; k++)
    held->row[held->n][k] = row[k] / left;
  held->n++;
}

/// A pinned component of a node at `arm` from the center, in units of the body's size, keeps
/// a + w x arm from having that component.
static void hold_component(held_motions *held, int c, const double arm[3]) {
  double row[RIGID] = {0};
  row[c] = 1;
  row[3 + (c + 1) % 3] = arm[(c + 2) % 3];
  row[3 + (c + 2) % 3] = -arm[(c + 1) % 3];
  hold_motion(held, row);
}

/// Mean of a body's centers, and their greatest distance from it, or 1 m.
static double measure_body(const viper *v, const viper_model_body *body, double center[3]) {
  const double *x = v->state.node + 4 * (size_t)body->first_node;
  double most = 0;
  center[0] = center[1] = center[2] = 0;
  for (int32_t i = 0; i < body->n_nodes; i++)
    for (int c = 0; c < 3; c++)
      center[c] += x[4 * i + c] / body->n_nodes;
  for (int32_t i = 0; i < body->n_nodes; i++) {
    double d2 = 0;
    for (int c = 0; c < 3; c++)
      d2 += (x[4 * i + c] - center[c]) * (x[4 * i + c] - center[c]);
    most = fmax(most, d2);
  }
  return most > 0 ? sqrt(most) : 1;
}

static void hold_node(held_motions *held, const viper *v, int32_t i, const double center[3],
                      double size) {
  double arm[3];
  for (int c = 0; c < 3; c++)
    arm[c] = (v->state.node[4 * (size_t)i + (size_t)c] - center[c]) / size;
  for (int c = 0; c < 3; c++)
    if (v->model->node[i].pinned >> c & 1)
      hold_component(held, c, arm);
}

/// Of a pinned frame no rotation is left; of one of which parts are held none about these axes.
static void hold_frame(held_motions *held, const viper *v, int32_t j) {
  const uint32_t pinned = v->model->segment[j].pinned;
  for (int part = 0; part < 3; part++) {
    double row[RIGID] = {0}, axis[3] = {part == 0, part == 1, part == 2};
    vb_quaternion_rotate(v->state.frame + 4 * (size_t)j, axis, row + 3);
    if (pinned & VB_PIN_FRAME || viper_holds(pinned, part))
      hold_motion(held, row);
  }
}

/// How many of the rigid motions of a body its pins prevent at time 0.
static int count_held(const viper *v, const viper_model_body *body) {
  held_motions held = {0};
  double center[3], size = measure_body(v, body, center);
  for (int32_t i = body->first_node; i < body->first_node + body->n_nodes; i++)
    hold_node(&held, v, i, center, size);
  for (int32_t j = body->first_segment; j < body->first_segment + body->n_segments; j++)
    hold_frame(&held, v, j);
  return held.n;
}

vb_status viper_check_static(const viper *v, vb_error *error) {
  size_t n;
  const vb_body *name = vb_scene_bodies(v->scene, &n);
  const vb_node *node = vb_scene_nodes(v->scene, &n);
  if (viper_has_contact(v->model) || viper_has_bundles(v->model))
    return vb_error_set(error, VB_UNAVAILABLE,
                        "dynamics static does not support contact, half-planes or bundles; use "
                        "transient with damping, and run it to rest");
  for (size_t k = 0; k < v->model->n_activations; k++)
    if (v->model->activation[k].hill)
      return vb_error_set(error, VB_UNAVAILABLE,
                          "dynamics static has no velocities, on which the force of an activation "
                          "of the kind hill depends; use transient");
  for (size_t k = 0; k < v->model->n_bodies; k++) {
    const viper_model_body *body = &v->model->body[k];
    const int held = count_held(v, body);
    if (held == RIGID)
      continue;
    const int32_t first = v->model->node[body->first_node].scene_index;
    return vb_bad_input(error,
                        "dynamics static: pins prevent %d of the 6 rigid motions of body \"%s\", "
                        "so its equilibrium is not unique; pin nodes, or frames (frame = \"w\" "
                        "holds the rotation about a segment)",
                        held, name[node[first].body].name);
  }
  return VB_OK;
}

/// Puts the loads at time 0 in the place of predictions.
static void load(viper *v, const double *force) {
  const viper_model *m = v->model;
  const double *torque = force + 4 * m->n_nodes;
  memcpy(v->state.node_hat, force, 4 * m->n_nodes * sizeof *force);
  for (size_t j = 0; j < m->n_segments; j++) {
    v->state.frame_hat[4 * j] = 0;
    memcpy(v->state.frame_hat + 4 * j + 1, torque + 3 * j, 3 * sizeof *torque);
  }
}

/// What holds the pins, as viper_state has it.
static void note_pins(viper *v, const double *node, const double *frame) {
  for (size_t k = 0; k < v->model->n_pins; k++) {
    const viper_model_pin *pin = &v->model->pin[k];
    const size_t i = (size_t)pin->index;
    double *out = v->state.pin_force + 4 * k, body[3];
    if (pin->location != VB_AT_SEGMENT) {
      memcpy(out, node + 4 * i, 4 * sizeof *out);
      continue;
    }
    memcpy(body, frame + 3 * i, sizeof body);
    if (!(pin->mask & VB_PIN_FRAME))
      viper_evaluation_held(v->evaluation, pin->index, body);
    vb_quaternion_rotate(v->state.frame + 4 * i, body, out);
    out[3] = 0;
  }
}

vb_status viper_start_static(viper *v, vb_error *error) {
  const viper_model *m = v->model;
  const size_t n = 4 * m->n_nodes + 3 * m->n_segments;
  double *gradient = reallocarray(NULL, n + 1, sizeof *gradient);
  if (!gradient)
    return vb_error_memory(error);
  memset(v->state.node_rate, 0, 4 * m->n_nodes * sizeof *v->state.node_rate);
  memset(v->state.frame_rate, 0, 3 * m->n_segments * sizeof *v->state.frame_rate);
  // Loads that turn have turned by what the frames have.
  memcpy(v->state.frame_hat, v->state.frame, 4 * m->n_segments * sizeof *v->state.frame);
  load(v, viper_evaluation_loads(v->evaluation, 0));
  viper_evaluation_gradient(v->evaluation, 1, gradient, gradient + 4 * m->n_nodes);
  note_pins(v, gradient, gradient + 4 * m->n_nodes);
  free(gradient);
  return VB_OK;
}

bool viper_has_evaluated_steps(const viper *v) {
  return v->settings.dynamics == VIPER_STATIC && v->settings.tolerance > 0 &&
         viper_method_has(v->settings.method, VIPER_FACTORS) &&
         v->variant.precision == VIPER_DOUBLE;
}

/// The residual of the state, and where loads turn the one with the direction that they have at the
/// end, where that is more. Not a number where the state is none.
static vb_status measure(viper *v, double time, double *out, vb_error *error) {
  double turned = 0;
  vb_status status = viper_evaluation_residual(v->evaluation, 1, time, out, error);
  if (!status && v->model->n_follower_loads > 0)
    status = viper_evaluation_turned_residual(v->evaluation, time, &turned, error);
  if (!status)
    *out = *out <= turned || isnan(turned) ? turned : *out;
  return status;
}

/// Takes the substeps again from the state `before`. `found` is false where one of them has no
/// equilibrium; then the state is of no use.
static vb_status repeat(viper *v, double time, double h, viper_equilibrium *out, vb_error *error) {
  const double part = h / v->settings.substeps;
  viper_equilibrium one = {.found = true};
  vb_status status = VB_OK;
  *out = (viper_equilibrium){0};
  for (int k = 0; k < v->settings.substeps && one.found && !status; k++) {
    status = viper_evaluation_load_step(v->evaluation, &v->state, &v->settings, time + k * part,
                                        part, &one, error);
    out->n_increments += one.n_increments;
    out->residual = one.residual;
  }
  out->found = one.found;
  return status;
}

/// Notes how a load step ended.
static void note_end(viper *v, double residual) {
  vb_convergence *c = &v->steps;
  c->evaluated++;
  c->worst = fmax(c->worst, residual);
  if (residual <= v->settings.tolerance)
    return;
  if (c->missed++ == 0)
    snprintf(c->what, sizeof c->what, "load step %lld found no equilibrium: residual %.2g",
             (long long)v->n_steps, residual);
}

vb_status viper_load_step(viper *v, double time, double h, vb_error *error) {
  const vb_divergence sound = v->divergence;
  double residual = NAN, *both = NULL;
  viper_equilibrium found = {0};
  vb_status status = viper_fetch(v, error);
  if (!status && !(both = reallocarray(NULL, 2 * v->n_state + 1, sizeof *both)))
    status = vb_error_memory(error);
  if (!status) {
    memcpy(both, v->state.node, v->n_state * sizeof *both);
    status = v->backend->step(v->instance, &v->settings, time, h, error);
    v->n_steps++;
    v->fetched = v->contact_known = false;
  }
  if (!status)
    status = viper_fetch(v, error);
  if (!status)
    status = measure(v, time + h, &residual, error);
  if (!status && !(residual <= v->settings.tolerance)) {
    memcpy(both + v->n_state, v->state.node, v->n_state * sizeof *both);
    memcpy(v->state.node, both, v->n_state * sizeof *both);
    status = repeat(v, time, h, &found, error);
    if (found.found) {
      residual = found.residual;
      v->divergence = sound;
      v->n_increments += found.n_increments - v->settings.substeps;
    } else
      memcpy(v->state.node, both + v->n_state, v->n_state * sizeof *both);
    if (!status)
      status = v->backend->put(v->instance, &v->state, error);
  }
  if (!status)
    note_end(v, residual);
  free(both);
  return status;
}
