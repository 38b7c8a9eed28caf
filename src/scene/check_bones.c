// SPDX-License-Identifier: GPL-3.0-or-later
/// Whether bones and ties of a scene, all else being sound, are sound.
#include "scene/checks.h"
#include "scene/rotation.h"

#include <math.h>
#include <stdlib.h>

/// How far moments may be from those of a body, relative to their trace: rounding.
static const double moment_tolerance = 1e-12;
/// How far what a bone carries may be from where the bone is, relative to the bone's size.
static const double tie_tolerance = 1e-9;
/// Rounding of a position, relative to its distance from the origin.
static const double rounding = 1e-14;

/// Whether a symmetric matrix, xx yy zz yz xz xy, is positive definite: by its Cholesky factor.
static bool is_positive_definite(const double m[6]) {
  double a = m[0];
  if (!(a > 0))
    return false;
  double b = m[1] - m[5] * m[5] / a;
  if (!(b > 0))
    return false;
  double e = m[3] - m[5] * m[4] / a;
  return m[2] - m[4] * m[4] / a - e * e / b > 0;
}

/// Inertia J belongs to a body if and only if its second moments, tr(J)/2 I - J, are not negative
/// (the triangle inequality of its principal moments).
static vb_status check_bone(const vb_sets *sets, size_t i, vb_error *error) {
  const vb_bone *bone = &sets->bones[i];
  const double *j = bone->inertia;
  double trace = j[0] + j[1] + j[2], least = moment_tolerance * trace, positive[6], moment[6];
  for (int k = 0; k < 6; k++) {
    positive[k] = k < 3 ? j[k] - least : j[k];
    moment[k] = k < 3 ? 0.5 * trace - j[k] + least : -j[k];
  }
  if (!(trace > 0) || !is_positive_definite(positive))
    return vb_bad_input(error, "bone %zu (%s): its inertia is not positive definite", i,
                        bone->name);
  if (!is_positive_definite(moment))
    return vb_bad_input(error,
                        "bone %zu (%s): one principal moment of its inertia is greater than the "
                        "other two together, which no body has",
                        i, bone->name);
  return VB_OK;
}

static vb_status check_pins(const vb_sets *sets, vb_error *error) {
  char *pinned = vb_pinned_places(sets);
  if (!pinned)
    return vb_error_memory(error);
  vb_status status = VB_OK;
  for (size_t i = 0; status == VB_OK && i < sets->n_ties; i++) {
    const vb_tie *tie = &sets->ties[i];
    if (pinned[(size_t)tie->index + (tie->location == VB_AT_NODE ? 0 : sets->n_nodes)])
      status = vb_bad_input(
          error, "tie %zu: %s %d is pinned; what bone %d (%s) carries cannot be pinned", i,
          vb_place_name(tie->location), tie->index, tie->bone, sets->bones[tie->bone].name);
  }
  free(pinned);
  return status;
}

double vb_bone_radius(const vb_bone *bone) {
  return sqrt((bone->inertia[0] + bone->inertia[1] + bone->inertia[2]) / bone->mass);
}

void vb_bone_point(const vb_bone *bone, const double x[3], double out[3]) {
  double arm[3];
  vb_subtract(x, bone->center, arm);
  vb_rigid_move(bone->frame, bone->position, arm, out);
}

static vb_status check_tied_node(const vb_sets *sets, size_t i, double size, vb_error *error) {
  const vb_tie *tie = &sets->ties[i];
  const vb_bone *bone = &sets->bones[tie->bone];
  const vb_node *node = &sets->nodes[tie->index];
  double at[3];
  vb_bone_point(bone, node->rest_position, at);
  double off = vb_distance(at, node->position);
  double far = sqrt(fmax(vb_dot(at, at), vb_dot(bone->center, bone->center)));
  if (!(off <= tie_tolerance * size + rounding * far))
    return vb_bad_input(
        error, "tie %zu: at time 0 node %d is %g m away from where bone %d (%s) carries it", i,
        tie->index, off, tie->bone, bone->name);
  return VB_OK;
}

static vb_status check_tied_segment(const vb_sets *sets, size_t i, vb_error *error) {
  const vb_tie *tie = &sets->ties[i];
  const vb_bone *bone = &sets->bones[tie->bone];
  const vb_segment *segment = &sets->segments[tie->index];
  double frame[4];
  vb_quaternion_multiply(bone->frame, segment->rest_frame, frame);
  const double back[4] = {frame[0], -frame[1], -frame[2], -frame[3]};
  vb_quaternion_multiply(back, segment->frame, frame);
  double off = 2 * sqrt(vb_dot(frame + 1, frame + 1));
  if (!(off <= tie_tolerance))
    return vb_bad_input(error,
                        "tie %zu: the frame of segment %d at time 0 is rotated by %g rad relative "
                        "to its rest frame as carried by bone %d (%s)",
                        i, tie->index, off, tie->bone, bone->name);
  return VB_OK;
}

/// Checks that what bones carry is with them at time 0. `size` holds the sizes of the bones.
static vb_status check_ties(const vb_sets *sets, double *size, vb_error *error) {
  for (size_t b = 0; b < sets->n_bones; b++)
    size[b] = vb_bone_radius(&sets->bones[b]);
  for (size_t i = 0; i < sets->n_ties; i++) {
    const vb_tie *tie = &sets->ties[i];
    if (tie->location == VB_AT_NODE)
      size[tie->bone] = fmax(size[tie->bone], vb_distance(sets->bones[tie->bone].center,
                                                          sets->nodes[tie->index].rest_position));
  }
  vb_status status = VB_OK;
  for (size_t i = 0; status == VB_OK && i < sets->n_ties; i++)
    status = sets->ties[i].location == VB_AT_NODE
                 ? check_tied_node(sets, i, size[sets->ties[i].bone], error)
                 : check_tied_segment(sets, i, error);
  return status;
}

vb_status vb_check_bones(const vb_sets *sets, vb_error *error) {
  const vb_check_pass pass = {check_bone, sets->n_bones};
  vb_status status = vb_check_passes(sets, &pass, 1, error);
  if (status == VB_OK)
    status = check_pins(sets, error);
  if (status != VB_OK)
    return status;
  double *size = reallocarray(NULL, sets->n_bones + 1, sizeof *size);
  if (!size)
    return vb_error_memory(error);
  status = check_ties(sets, size, error);
  free(size);
  return status;
}
