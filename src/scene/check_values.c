// SPDX-License-Identifier: GPL-3.0-or-later
/// Whether every number of a scene is sound.
#include "scene/checks.h"
#include "scene/rotation.h"

#include <math.h>
#include <stdlib.h>

/// How far a rest length may be from the distance, relatively.
static const double length_tolerance = 1e-9;
/// Sine of the angle that a rest frame's w may be off its segment.
static const double along_tolerance = 1e-6;
/// Nodes nearer than this fraction of their distance from the origin are one: their difference is
/// rounding.
static const double coincidence = 1e-12;
/// The least scale of the model.
static const double least_scale = 0.05;

/// How far a moment of inertia may be above the sum of the other two, relatively: rounding.
static const double moment_tolerance = 1e-12;
/// How far E may be above 3 G, relatively: rounding of Poisson's ratios just under 0.5.
static const double modulus_tolerance = 1e-12;

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
      status = vb_check_number(sets, VB_SET_NODE, i, "radius", VB_RULE_POSITIVE,
                               &sets->nodes[i].rest_radius, 1, error);
  free(solid);
  return status;
}

static vb_status check_scale(const vb_sets *sets, size_t i, vb_error *error) {
  if (sets->nodes[i].scale < least_scale)
    return vb_bad_input(error, "%s: scale %g is below the minimum %g",
                        vb_place_of(sets, VB_SET_NODE, i).text, sets->nodes[i].scale, least_scale);
  return VB_OK;
}

static vb_status check_length(const vb_sets *sets, size_t j, vb_error *error) {
  const vb_segment *segment = &sets->segments[j];
  const double *a = sets->nodes[segment->node[0]].rest_position;
  const double *b = sets->nodes[segment->node[1]].rest_position;
  double distance = vb_distance(a, b);
  if (!(distance > coincidence * sqrt(fmax(vb_dot(a, a), vb_dot(b, b)))))
    return vb_bad_input(
        error, "%s: its nodes %d and %d coincide at (%g, %g, %g); a segment needs a length",
        vb_place_of(sets, VB_SET_SEGMENT, j).text, segment->node[0], segment->node[1], a[0], a[1],
        a[2]);
  vb_status status = vb_check_number(sets, VB_SET_SEGMENT, j, "rest length", VB_RULE_POSITIVE,
                                     &segment->rest_length, 1, error);
  if (status == VB_OK && !(fabs(segment->rest_length - distance) <= length_tolerance * distance))
    status = vb_bad_input(
        error, "%s: rest length %.12g is not the distance %.12g of its nodes' rest positions",
        vb_place_of(sets, VB_SET_SEGMENT, j).text, segment->rest_length, distance);
  return status;
}

static vb_status check_along(const vb_sets *sets, size_t j, vb_error *error) {
  const vb_segment *segment = &sets->segments[j];
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
                        vb_place_of(sets, VB_SET_SEGMENT, j).text, w[0], w[1], w[2], direction[0],
                        direction[1], direction[2]);
  return VB_OK;
}

/// What is wrong with the material of a segment, or null. With -1 < nu < 0.5, E/3 < G.
static const char *material_misfit(const vb_segment *segment) {
  double e = segment->young, g = segment->shear;
  if ((e > 0) != (g > 0))
    return "Young's modulus and the shear modulus go together";
  if (3 * g < e * (1 - modulus_tolerance))
    return "its shear modulus is under a third of Young's modulus, so that Poisson's ratio is not "
           "between -1 and 0.5";
  if (segment->model == VB_MATERIAL_SOLID && !(e > 0))
    return "the material model solid needs Young's modulus and the shear modulus";
  return NULL;
}

static vb_status check_material(const vb_sets *sets, size_t j, vb_error *error) {
  const vb_segment *segment = &sets->segments[j];
  const double *i = segment->frame_inertia;
  const char *misfit = material_misfit(segment);
  if (misfit)
    return vb_bad_input(error, "%s: %s", vb_place_of(sets, VB_SET_SEGMENT, j).text, misfit);
  double half = (i[0] + i[1] + i[2]) / 2, greatest = fmax(i[0], fmax(i[1], i[2]));
  if (!(greatest <= half * (1 + moment_tolerance)))
    return vb_bad_input(error,
                        "%s: frame inertia (%g, %g, %g): one moment is greater than the other two "
                        "together, which no body has",
                        vb_place_of(sets, VB_SET_SEGMENT, j).text, i[0], i[1], i[2]);
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
  const char *misfit = load_misfit(sets, load);
  return misfit ? vb_bad_input(error, "load %zu (%s): %s", i, load->name, misfit) : VB_OK;
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
  const vb_check_pass lengths[] = {{check_scale, sets->n_nodes}, {check_length, sets->n_segments}};
  const vb_check_pass others[] = {{check_along, sets->n_segments},
                                  {check_material, sets->n_segments},
                                  {check_load, sets->n_loads},
                                  {check_curve, sets->n_curves}};
  vb_status status = vb_check_numbers(sets, VB_SET_WORLD, VB_SET_NODE, error);
  if (status == VB_OK)
    status = check_radii(sets, error);
  if (status == VB_OK)
    status = vb_check_numbers(sets, VB_SET_NODE, VB_SET_SEGMENT, error);
  if (status == VB_OK)
    status = vb_check_passes(sets, lengths, 2, error);
  if (status == VB_OK)
    status = vb_check_numbers(sets, VB_SET_SEGMENT, VB_SET_COUNT, error);
  return status == VB_OK ? vb_check_passes(sets, others, 4, error) : status;
}
