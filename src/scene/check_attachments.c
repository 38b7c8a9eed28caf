// SPDX-License-Identifier: GPL-3.0-or-later
/// Whether triangles that rods are clamped in are triangles, with the rods' ends in their planes.
#include "scene/checks.h"
#include "scene/rotation.h"

#include <math.h>

/// How far an end may be from its triangle's plane at rest, over the triangle's size; and below
/// which part of its size squared a triangle has no area.
static const double FLAT = 1e-6;

static vb_status check_nodes(const vb_sets *sets, size_t i, vb_error *error) {
  const vb_attachment *a = &sets->attachments[i];
  const int32_t *end = sets->segments[a->segment].node;
  if (a->node != end[0] && a->node != end[1])
    return vb_bad_input(error, "attachment %zu: node %d is no end of segment %d", i, a->node,
                        a->segment);
  for (int k = 0; k < 3; k++) {
    if (a->corner[k] == end[0] || a->corner[k] == end[1])
      return vb_bad_input(error, "attachment %zu: corner %d of its triangle is of segment %d, too",
                          i, a->corner[k], a->segment);
    if (a->corner[k] == a->corner[(k + 1) % 3])
      return vb_bad_input(error, "attachment %zu: corner %d of its triangle is there twice", i,
                          a->corner[k]);
  }
  return VB_OK;
}

static vb_status check_plane(const vb_sets *sets, size_t i, vb_error *error) {
  const vb_attachment *a = &sets->attachments[i];
  const double *at[3];
  double first[3], second[3], out[3], normal[3];
  for (int k = 0; k < 3; k++)
    at[k] = sets->nodes[a->corner[k]].rest_position;
  vb_subtract(at[1], at[0], first);
  vb_subtract(at[2], at[0], second);
  vb_subtract(sets->nodes[a->node].rest_position, at[0], out);
  vb_cross(first, second, normal);
  double area = sqrt(vb_dot(normal, normal));
  double size = sqrt(vb_dot(first, first)) + sqrt(vb_dot(second, second));
  if (!(area > FLAT * size * size))
    return vb_bad_input(error, "attachment %zu: nodes %d, %d and %d are on a line at rest", i,
                        a->corner[0], a->corner[1], a->corner[2]);
  if (!(fabs(vb_dot(out, normal)) <= FLAT * size * area))
    return vb_bad_input(error,
                        "attachment %zu: at rest node %d is %g m off the plane of its triangle", i,
                        a->node, fabs(vb_dot(out, normal)) / area);
  return VB_OK;
}

vb_status vb_check_attachments(const vb_sets *sets, vb_error *error) {
  const vb_check_pass passes[] = {{check_nodes, sets->n_attachments},
                                  {check_plane, sets->n_attachments}};
  return vb_check_passes(sets, passes, 2, error);
}
