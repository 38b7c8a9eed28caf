// SPDX-License-Identifier: GPL-3.0-or-later
/// Whether every number of a scene is sound.
#include "scene/rotation.h"
#include "scene/sets.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// How far the norm of a unit vector or quaternion may be from 1: rounding many times over, no
/// more.
static const double unit_tolerance = 1e-9;
/// How far a rest length may be from the distance, relatively.
static const double length_tolerance = 1e-9;
/// Sine of the angle that a rest frame's w may be off its segment.
static const double along_tolerance = 1e-6;
/// Nodes nearer than this fraction of their distance from the origin are one: their difference is
/// rounding.
static const double coincidence = 1e-12;
/// The least scale of the model.
static const double least_scale = 0.05;

/// "node 3", and " of NAME" where its body was given a name, for messages.
typedef struct place {
  char text[96];
} place;

static place place_of(const vb_sets *sets, vb_tag tag, size_t index) {
  place p;
  if (tag == VB_SET_WORLD)
    return (place){"scene"};
  int n = snprintf(p.text, sizeof p.text, "%s %zu", vb_tag_name(tag), index);
  int32_t node = tag == VB_SET_NODE      ? (int32_t)index
                 : tag == VB_SET_SEGMENT ? sets->segments[index].node[0]
                                         : -1;
  if (node < 0)
    return p;
  char given_by_default[VB_NAME_SIZE];
  int32_t body = sets->nodes[node].body;
  snprintf(given_by_default, sizeof given_by_default, "body%d", body);
  const char *name = sets->bodies[body].name;
  if (strcmp(name, given_by_default) != 0)
    snprintf(p.text + n, sizeof p.text - (size_t)n, " of %s", name);
  return p;
}

/// Checks that the `n` values of `field` are finite.
static vb_status check_finite(const vb_sets *sets, vb_tag tag, size_t index, const char *field,
                              const double *value, size_t n, vb_error *error) {
  for (size_t i = 0; i < n; i++)
    if (!isfinite(value[i]))
      return vb_error_set(error, VB_BAD_INPUT, "%s: %s %g is not a finite number",
                          place_of(sets, tag, index).text, field, value[i]);
  return VB_OK;
}

/// Checks that `value` of `field` is finite and above 0, or where `zero` also 0.
static vb_status check_positive(const vb_sets *sets, vb_tag tag, size_t index, const char *field,
                                double value, bool zero, vb_error *error) {
  vb_status status = check_finite(sets, tag, index, field, &value, 1, error);
  if (status == VB_OK && !(value > 0 || (zero && value == 0)))
    status = vb_error_set(error, VB_BAD_INPUT, "%s: %s %g is %s", place_of(sets, tag, index).text,
                          field, value, zero ? "negative" : "not positive");
  return status;
}

/// Checks that a quaternion (n 4) or vector (n 3) has the norm 1.
static vb_status check_unit(const vb_sets *sets, vb_tag tag, size_t index, const char *field,
                            const double *value, size_t n, vb_error *error) {
  vb_status status = check_finite(sets, tag, index, field, value, n, error);
  if (status != VB_OK)
    return status;
  double square = 0;
  for (size_t i = 0; i < n; i++)
    square += value[i] * value[i];
  if (!(fabs(sqrt(square) - 1) <= unit_tolerance))
    return vb_error_set(error, VB_BAD_INPUT, "%s: %s has the norm %.12g; it should be 1",
                        place_of(sets, tag, index).text, field, sqrt(square));
  return VB_OK;
}

static vb_status check_world(const vb_sets *sets, vb_error *error) {
  const vb_world *world = sets->world;
  vb_status status = check_finite(sets, VB_SET_WORLD, 0, "gravity", world->gravity, 3, error);
  if (status == VB_OK)
    status = check_positive(sets, VB_SET_WORLD, 0, "step", world->step, false, error);
  if (status == VB_OK)
    status = check_positive(sets, VB_SET_WORLD, 0, "damping", world->damping, true, error);
  if (status == VB_OK && world->n_steps < 0)
    status = vb_error_set(error, VB_BAD_INPUT, "scene: number of steps %lld is negative",
                          (long long)world->n_steps);
  return status;
}

/// Checks that all nodes have a radius; those of tetrahedra that no segment touches need none.
static vb_status check_radii(const vb_sets *sets, vb_error *error) {
  char *solid = calloc(sets->n_nodes + 1, 1);
  if (!solid)
    return vb_error_memory(error);
  for (size_t k = 0; k < sets->n_tetrahedra; k++)
    for (int i = 0; i < 4; i++)
      solid[sets->tetrahedra[k].node[i]] = 1;
  for (size_t j = 0; j < sets->n_segments; j++)
    solid[sets->segments[j].node[0]] = solid[sets->segments[j].node[1]] = 0;
  vb_status status = VB_OK;
  for (size_t i = 0; status == VB_OK && i < sets->n_nodes; i++)
    if (!(solid[i] && sets->nodes[i].rest_radius == 0))
      status =
          check_positive(sets, VB_SET_NODE, i, "radius", sets->nodes[i].rest_radius, false, error);
  free(solid);
  return status;
}

static vb_status check_node(const vb_sets *sets, size_t i, vb_error *error) {
  const vb_node *node = &sets->nodes[i];
  const struct {
    const char *name;
    const double *value;
    size_t n;
  } fields[] = {{"rest position", node->rest_position, 3},
                {"position", node->position, 3},
                {"scale", &node->scale, 1},
                {"velocity", node->velocity, 3},
                {"scale rate", &node->scale_rate, 1}};
  vb_status status = VB_OK;
  for (size_t k = 0; status == VB_OK && k < sizeof fields / sizeof *fields; k++)
    status =
        check_finite(sets, VB_SET_NODE, i, fields[k].name, fields[k].value, fields[k].n, error);
  if (status == VB_OK && node->scale < least_scale)
    status = vb_error_set(error, VB_BAD_INPUT, "%s: scale %g is under %g, the least there is",
                          place_of(sets, VB_SET_NODE, i).text, node->scale, least_scale);
  return status;
}

static vb_status check_length(const vb_sets *sets, size_t j, vb_error *error) {
  const vb_segment *segment = &sets->segments[j];
  const double *a = sets->nodes[segment->node[0]].rest_position;
  const double *b = sets->nodes[segment->node[1]].rest_position;
  double distance = vb_distance(a, b);
  if (!(distance > coincidence * sqrt(fmax(vb_dot(a, a), vb_dot(b, b)))))
    return vb_error_set(
        error, VB_BAD_INPUT,
        "%s: its nodes %d and %d coincide at (%g, %g, %g); a segment needs a length",
        place_of(sets, VB_SET_SEGMENT, j).text, segment->node[0], segment->node[1], a[0], a[1],
        a[2]);
  vb_status status =
      check_positive(sets, VB_SET_SEGMENT, j, "rest length", segment->rest_length, false, error);
  if (status == VB_OK && !(fabs(segment->rest_length - distance) <= length_tolerance * distance))
    status =
        vb_error_set(error, VB_BAD_INPUT,
                     "%s: rest length %.12g is not the distance %.12g of its nodes' rest positions",
                     place_of(sets, VB_SET_SEGMENT, j).text, segment->rest_length, distance);
  return status;
}

static vb_status check_material(const vb_sets *sets, size_t j, vb_error *error) {
  static const char *const names[] = {"kx", "ky", "kz", "kbx", "kby", "kv"};
  const vb_segment *segment = &sets->segments[j];
  vb_status status =
      check_positive(sets, VB_SET_SEGMENT, j, "density", segment->density, false, error);
  for (int k = 0; status == VB_OK && k < 6; k++)
    status = check_positive(sets, VB_SET_SEGMENT, j, names[k], segment->stiffness[k], true, error);
  return status;
}

static vb_status check_frames(const vb_sets *sets, size_t j, vb_error *error) {
  const vb_segment *segment = &sets->segments[j];
  vb_status status =
      check_unit(sets, VB_SET_SEGMENT, j, "rest frame", segment->rest_frame, 4, error);
  if (status == VB_OK)
    status = check_unit(sets, VB_SET_SEGMENT, j, "frame", segment->frame, 4, error);
  if (status == VB_OK)
    status = check_finite(sets, VB_SET_SEGMENT, j, "angular velocity", segment->angular_velocity, 3,
                          error);
  if (status != VB_OK)
    return status;
  double direction[3], w[3], off[3];
  vb_direction(sets->nodes[segment->node[0]].rest_position,
               sets->nodes[segment->node[1]].rest_position, direction);
  vb_frame_axis(segment->rest_frame, 2, w);
  vb_cross(w, direction, off);
  double sine = sqrt(vb_dot(off, off));
  if (!(sine <= along_tolerance && vb_dot(w, direction) > 0))
    return vb_error_set(error, VB_BAD_INPUT,
                        "%s: w of its rest frame is (%g, %g, %g); it should be along the segment, "
                        "(%g, %g, %g)",
                        place_of(sets, VB_SET_SEGMENT, j).text, w[0], w[1], w[2], direction[0],
                        direction[1], direction[2]);
  return VB_OK;
}

static vb_status check_load(const vb_sets *sets, size_t i, vb_error *error) {
  const vb_load *load = &sets->loads[i];
  vb_status status = check_finite(sets, VB_SET_LOAD, i, "force", load->force, 3, error);
  if (status == VB_OK)
    status = check_finite(sets, VB_SET_LOAD, i, "scale force", &load->scale_force, 1, error);
  if (status == VB_OK)
    status = check_finite(sets, VB_SET_LOAD, i, "torque", load->torque, 3, error);
  if (status != VB_OK)
    return status;
  bool has_torque = load->torque[0] != 0 || load->torque[1] != 0 || load->torque[2] != 0;
  bool has_force =
      load->force[0] != 0 || load->force[1] != 0 || load->force[2] != 0 || load->scale_force != 0;
  if (load->location == VB_AT_NODE && has_torque)
    return vb_error_set(error, VB_BAD_INPUT,
                        "load %zu (%s): a node takes no torque; put it on a segment", i,
                        load->name);
  if (load->location == VB_AT_SEGMENT && has_force)
    return vb_error_set(error, VB_BAD_INPUT,
                        "load %zu (%s): a segment takes no force; put it on a node", i, load->name);
  return VB_OK;
}

static vb_status check_driver(const vb_sets *sets, size_t i, vb_error *error) {
  const vb_driver *driver = &sets->drivers[i];
  vb_status status = check_finite(sets, VB_SET_DRIVER, i, "origin", driver->origin, 3, error);
  return status == VB_OK ? check_unit(sets, VB_SET_DRIVER, i, "axis", driver->axis, 3, error)
                         : status;
}

static vb_status check_key(const vb_sets *sets, size_t i, vb_error *error) {
  const vb_key *key = &sets->keys[i];
  vb_status status = check_finite(sets, VB_SET_KEY, i, "time", &key->time, 1, error);
  if (status == VB_OK)
    status = check_finite(sets, VB_SET_KEY, i, "value", &key->value, 1, error);
  if (status == VB_OK && (key->interpolation < VB_HOLD || key->interpolation > VB_CUBIC))
    status = vb_error_set(error, VB_BAD_INPUT,
                          "key %zu: interpolation %d is none of hold, linear and cubic (%d to %d)",
                          i, key->interpolation, VB_HOLD, VB_CUBIC);
  return status;
}

static vb_status check_curve(const vb_sets *sets, size_t i, vb_error *error) {
  const vb_key *key = sets->keys + sets->curves[i].first_key;
  for (int32_t k = 1; k < sets->curves[i].n_keys; k++)
    if (!(key[k].time > key[k - 1].time))
      return vb_error_set(error, VB_BAD_INPUT,
                          "curve %zu: its key at %g s does not come after the one at %g s", i,
                          key[k].time, key[k - 1].time);
  return VB_OK;
}

vb_status vb_check_values(const vb_sets *sets, vb_error *error) {
  // Lengths of all segments come before frames: transport spreads a frame that a zero length
  // spoiled.
  const struct {
    vb_status (*check)(const vb_sets *, size_t, vb_error *);
    size_t n;
  } passes[] = {{check_node, sets->n_nodes},        {check_length, sets->n_segments},
                {check_material, sets->n_segments}, {check_frames, sets->n_segments},
                {check_load, sets->n_loads},        {check_driver, sets->n_drivers},
                {check_key, sets->n_keys},          {check_curve, sets->n_curves}};
  vb_status status = check_world(sets, error);
  if (status == VB_OK)
    status = check_radii(sets, error);
  for (size_t pass = 0; pass < sizeof passes / sizeof *passes; pass++)
    for (size_t i = 0; status == VB_OK && i < passes[pass].n; i++)
      status = passes[pass].check(sets, i, error);
  return status;
}
