// SPDX-License-Identifier: GPL-3.0-or-later
/// Whether every number of a scene is sound.
#include "scene/checks.h"
#include "scene/rotation.h"

#include <math.h>
#include <stddef.h>
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

/// What numbers must be, besides finite.
typedef enum rule {
  FINITE,
  POSITIVE,
  NOT_NEGATIVE,
  UNIT, ///< a vector or quaternion of the norm 1
} rule;

/// Checks the `n` values of `field`.
static vb_status check(const vb_sets *sets, vb_tag tag, size_t index, const char *field, rule must,
                       const double *value, size_t n, vb_error *error) {
  const char *wrong = NULL;
  double square = 0, worst = 0;
  for (size_t i = 0; !wrong && i < n; i++) {
    wrong = !isfinite(value[i])                    ? "not a finite number"
            : must == POSITIVE && value[i] <= 0    ? "not positive"
            : must == NOT_NEGATIVE && value[i] < 0 ? "negative"
                                                   : NULL;
    worst = value[i];
    square += value[i] * value[i];
  }
  if (wrong)
    return vb_bad_input(error, "%s: %s %g is %s", place_of(sets, tag, index).text, field, worst,
                        wrong);
  if (must == UNIT && !(fabs(sqrt(square) - 1) <= unit_tolerance))
    return vb_bad_input(error, "%s: %s has the norm %.12g; it should be 1",
                        place_of(sets, tag, index).text, field, sqrt(square));
  return VB_OK;
}

/// The numbers of an element of a set.
typedef struct numbers {
  vb_tag tag;
  const char *name; ///< in messages
  rule rule;
  size_t offset; ///< in the element
  size_t n;
} numbers;

#define NUMBERS(tag, type, name, member, rule)                                                     \
  { VB_SET_##tag, name, rule, offsetof(type, member), sizeof(((type *)0)->member) / sizeof(double) }

// Radii and rest lengths have checks of their own.
static const numbers all_numbers[] = {
    NUMBERS(WORLD, vb_world, "gravity", gravity, FINITE),
    NUMBERS(WORLD, vb_world, "step", step, POSITIVE),
    NUMBERS(WORLD, vb_world, "damping", damping, NOT_NEGATIVE),
    NUMBERS(NODE, vb_node, "rest position", rest_position, FINITE),
    NUMBERS(NODE, vb_node, "position", position, FINITE),
    NUMBERS(NODE, vb_node, "scale", scale, FINITE),
    NUMBERS(NODE, vb_node, "velocity", velocity, FINITE),
    NUMBERS(NODE, vb_node, "scale rate", scale_rate, FINITE),
    NUMBERS(SEGMENT, vb_segment, "density", density, POSITIVE),
    NUMBERS(SEGMENT, vb_segment, "kx", stiffness[VB_KX], NOT_NEGATIVE),
    NUMBERS(SEGMENT, vb_segment, "ky", stiffness[VB_KY], NOT_NEGATIVE),
    NUMBERS(SEGMENT, vb_segment, "kz", stiffness[VB_KZ], NOT_NEGATIVE),
    NUMBERS(SEGMENT, vb_segment, "kbx", stiffness[VB_KBX], NOT_NEGATIVE),
    NUMBERS(SEGMENT, vb_segment, "kby", stiffness[VB_KBY], NOT_NEGATIVE),
    NUMBERS(SEGMENT, vb_segment, "kv", stiffness[VB_KV], NOT_NEGATIVE),
    NUMBERS(SEGMENT, vb_segment, "rest frame", rest_frame, UNIT),
    NUMBERS(SEGMENT, vb_segment, "frame", frame, UNIT),
    NUMBERS(SEGMENT, vb_segment, "angular velocity", angular_velocity, FINITE),
    NUMBERS(LOAD, vb_load, "force", force, FINITE),
    NUMBERS(LOAD, vb_load, "scale force", scale_force, FINITE),
    NUMBERS(LOAD, vb_load, "torque", torque, FINITE),
    NUMBERS(DRIVER, vb_driver, "origin", origin, FINITE),
    NUMBERS(DRIVER, vb_driver, "axis", axis, UNIT),
    NUMBERS(KEY, vb_key, "time", time, FINITE),
    NUMBERS(KEY, vb_key, "value", value, FINITE),
    NUMBERS(REST_CURVATURE, vb_rest_curvature, "Darboux vector", darboux, FINITE),
    NUMBERS(BENDING, vb_bending, "factor", factor, NOT_NEGATIVE),
    NUMBERS(FOLLOW, vb_follow, "weight", weight, NOT_NEGATIVE),
    NUMBERS(BONE, vb_bone, "mass", mass, POSITIVE),
    NUMBERS(BONE, vb_bone, "center", center, FINITE),
    NUMBERS(BONE, vb_bone, "inertia", inertia, FINITE),
    NUMBERS(BONE, vb_bone, "position", position, FINITE),
    NUMBERS(BONE, vb_bone, "frame", frame, UNIT),
    NUMBERS(BONE, vb_bone, "velocity", velocity, FINITE),
    NUMBERS(BONE, vb_bone, "angular velocity", angular_velocity, FINITE),
    NUMBERS(LINK, vb_link, "point", at, FINITE),
    NUMBERS(COLLIDER, vb_collider, "point", point, FINITE),
    NUMBERS(COLLIDER, vb_collider, "radius", radius, POSITIVE),
};

/// Checks the numbers of `element`, number `index` of its set.
static vb_status check_numbers(const vb_sets *sets, vb_tag tag, size_t index, const void *element,
                               vb_error *error) {
  vb_status status = VB_OK;
  for (size_t k = 0; status == VB_OK && k < sizeof all_numbers / sizeof *all_numbers; k++) {
    const numbers *row = &all_numbers[k];
    const double *value = (const double *)(const void *)((const char *)element + row->offset);
    if (row->tag == tag)
      status = check(sets, tag, index, row->name, row->rule, value, row->n, error);
  }
  return status;
}

/// Checks the numbers of all elements of the sets that have no check of their own below.
static vb_status check_other_sets(const vb_sets *sets, vb_error *error) {
  vb_status status = VB_OK;
  for (vb_tag tag = VB_SET_REST_CURVATURE; tag < VB_SET_COUNT; tag++) {
    size_t n, size = vb_element_size(tag);
    const char *element = vb_sets_get(sets, tag, &n);
    for (size_t i = 0; status == VB_OK && i < n; i++, element += size)
      status = check_numbers(sets, tag, i, element, error);
  }
  return status;
}

static vb_status check_world(const vb_sets *sets, vb_error *error) {
  const vb_world *world = sets->worlds;
  vb_status status = check_numbers(sets, VB_SET_WORLD, 0, world, error);
  if (status == VB_OK && world->n_steps < 0)
    status =
        vb_bad_input(error, "scene: number of steps %lld is negative", (long long)world->n_steps);
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
          check(sets, VB_SET_NODE, i, "radius", POSITIVE, &sets->nodes[i].rest_radius, 1, error);
  free(solid);
  return status;
}

static vb_status check_node(const vb_sets *sets, size_t i, vb_error *error) {
  const vb_node *node = &sets->nodes[i];
  vb_status status = check_numbers(sets, VB_SET_NODE, i, node, error);
  if (status == VB_OK && node->scale < least_scale)
    status = vb_bad_input(error, "%s: scale %g is under %g, the least there is",
                          place_of(sets, VB_SET_NODE, i).text, node->scale, least_scale);
  return status;
}

static vb_status check_length(const vb_sets *sets, size_t j, vb_error *error) {
  const vb_segment *segment = &sets->segments[j];
  const double *a = sets->nodes[segment->node[0]].rest_position;
  const double *b = sets->nodes[segment->node[1]].rest_position;
  double distance = vb_distance(a, b);
  if (!(distance > coincidence * sqrt(fmax(vb_dot(a, a), vb_dot(b, b)))))
    return vb_bad_input(
        error, "%s: its nodes %d and %d coincide at (%g, %g, %g); a segment needs a length",
        place_of(sets, VB_SET_SEGMENT, j).text, segment->node[0], segment->node[1], a[0], a[1],
        a[2]);
  vb_status status =
      check(sets, VB_SET_SEGMENT, j, "rest length", POSITIVE, &segment->rest_length, 1, error);
  if (status == VB_OK && !(fabs(segment->rest_length - distance) <= length_tolerance * distance))
    status = vb_bad_input(
        error, "%s: rest length %.12g is not the distance %.12g of its nodes' rest positions",
        place_of(sets, VB_SET_SEGMENT, j).text, segment->rest_length, distance);
  return status;
}

static vb_status check_segment(const vb_sets *sets, size_t j, vb_error *error) {
  const vb_segment *segment = &sets->segments[j];
  vb_status status = check_numbers(sets, VB_SET_SEGMENT, j, segment, error);
  if (status != VB_OK)
    return status;
  double direction[3], w[3], off[3];
  vb_direction(sets->nodes[segment->node[0]].rest_position,
               sets->nodes[segment->node[1]].rest_position, direction);
  vb_frame_axis(segment->rest_frame, 2, w);
  vb_cross(w, direction, off);
  double sine = sqrt(vb_dot(off, off));
  if (!(sine <= along_tolerance && vb_dot(w, direction) > 0))
    return vb_bad_input(error,
                        "%s: w of its rest frame is (%g, %g, %g); it should be along the segment, "
                        "(%g, %g, %g)",
                        place_of(sets, VB_SET_SEGMENT, j).text, w[0], w[1], w[2], direction[0],
                        direction[1], direction[2]);
  return VB_OK;
}

/// What is wrong with a load where it is, or null.
static const char *load_misfit(const vb_sets *sets, const vb_load *load) {
  bool across = load->torque[1] != 0 || load->torque[2] != 0;
  bool has_torque = load->torque[0] != 0 || across;
  bool has_force = load->force[0] != 0 || load->force[1] != 0 || load->force[2] != 0;
  if (load->location == VB_AT_NODE)
    return has_torque ? "a node takes no torque; put it on a segment" : NULL;
  if (load->location == VB_AT_SEGMENT)
    return has_force || load->scale_force != 0 ? "a segment takes no force; put it on a node"
                                               : NULL;
  if (load->scale_force != 0)
    return "a bone or link has no scale, and takes no scale force";
  if (load->location == VB_AT_BONE)
    return NULL;
  if (sets->links[load->index].type != VB_LINK_HINGE)
    return "its link is no hinge, and takes no load";
  return has_force || across ? "a hinge takes the first component of a torque alone" : NULL;
}

static vb_status check_load(const vb_sets *sets, size_t i, vb_error *error) {
  const vb_load *load = &sets->loads[i];
  vb_status status = check_numbers(sets, VB_SET_LOAD, i, load, error);
  const char *misfit = status == VB_OK ? load_misfit(sets, load) : NULL;
  if (misfit)
    return vb_bad_input(error, "load %zu (%s): %s", i, load->name, misfit);
  return status;
}

static vb_status check_driver(const vb_sets *sets, size_t i, vb_error *error) {
  return check_numbers(sets, VB_SET_DRIVER, i, &sets->drivers[i], error);
}

static vb_status check_key(const vb_sets *sets, size_t i, vb_error *error) {
  const vb_key *key = &sets->keys[i];
  vb_status status = check_numbers(sets, VB_SET_KEY, i, key, error);
  if (status == VB_OK && (key->interpolation < VB_HOLD || key->interpolation > VB_CUBIC))
    status = vb_bad_input(error,
                          "key %zu: interpolation %d is none of hold, linear and cubic (%d to %d)",
                          i, key->interpolation, VB_HOLD, VB_CUBIC);
  return status;
}

static vb_status check_curve(const vb_sets *sets, size_t i, vb_error *error) {
  const vb_key *key = sets->keys + sets->curves[i].first_key;
  for (int32_t k = 1; k < sets->curves[i].n_keys; k++)
    if (!(key[k].time > key[k - 1].time))
      return vb_bad_input(error, "curve %zu: its key at %g s does not come after the one at %g s",
                          i, key[k].time, key[k - 1].time);
  return VB_OK;
}

vb_status vb_check_values(const vb_sets *sets, vb_error *error) {
  // Lengths of all segments come before frames: transport spreads a frame that a zero length
  // spoiled.
  const vb_check_pass passes[] = {
      {check_node, sets->n_nodes},       {check_length, sets->n_segments},
      {check_segment, sets->n_segments}, {check_load, sets->n_loads},
      {check_driver, sets->n_drivers},   {check_key, sets->n_keys},
      {check_curve, sets->n_curves}};
  vb_status status = check_world(sets, error);
  if (status == VB_OK)
    status = check_radii(sets, error);
  if (status == VB_OK)
    status = vb_check_passes(sets, passes, sizeof passes / sizeof *passes, error);
  return status == VB_OK ? check_other_sets(sets, error) : status;
}
