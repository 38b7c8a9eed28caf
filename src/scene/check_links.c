// SPDX-License-Identifier: GPL-3.0-or-later
/// Whether links between bones, all else being sound, are sound, and hold at time 0.
#include "base/time_limit.h"
#include "scene/checks.h"
#include "scene/rotation.h"

#include <math.h>

/// How far the sides of a link may be apart at time 0, relative to the scene's size; also of unit
/// vectors.
static const double gap_tolerance = 1e-9;

static vb_status check_sides(const vb_sets *sets, size_t i, vb_error *error) {
  const vb_link *link = &sets->links[i];
  if (link->bone[0] == link->bone[1])
    return vb_bad_input(error, "link %zu (%s): both of its sides are bone %d; it needs two", i,
                        link->name, link->bone[0]);
  if (link->bone[1] >= 0 && link->driver >= 0)
    return vb_bad_input(error, "link %zu (%s): its second side is bone %d, and driver %d, too", i,
                        link->name, link->bone[1], link->driver);
  return VB_OK;
}

static vb_status check_axes(const vb_sets *sets, size_t i, vb_error *error) {
  const vb_link *link = &sets->links[i];
  int n = link->type == VB_LINK_HINGE ? 1 : link->type == VB_LINK_UNIVERSAL ? 2 : 0;
  for (int k = 0; k < 2; k++) {
    double norm = sqrt(vb_dot(link->axis[k], link->axis[k]));
    if (k < n && !(fabs(norm - 1) <= VB_UNIT_TOLERANCE))
      return vb_bad_input(error, "link %zu (%s): axis %d has the norm %.12g; it should be 1", i,
                          link->name, k, norm);
    if (k >= n && norm != 0)
      return vb_bad_input(error, "link %zu (%s): axis %d is unused here; it should be 0", i,
                          link->name, k);
  }
  return VB_OK;
}

static vb_status check_limits(const vb_sets *sets, size_t i, vb_error *error) {
  const vb_link *link = &sets->links[i];
  const double *limit = link->limit;
  if (link->type != VB_LINK_HINGE && !(limit[0] == -INFINITY && limit[1] == INFINITY))
    return vb_bad_input(error, "link %zu (%s): limits %g and %g; only a hinge has them", i,
                        link->name, limit[0], limit[1]);
  if (!(limit[0] < limit[1]))
    return vb_bad_input(error,
                        "link %zu (%s): its least angle %g is not below its greatest angle %g", i,
                        link->name, limit[0], limit[1]);
  return VB_OK;
}

/// A side of a link at time 0.
typedef struct side {
  double at[3];    ///< its material point
  double frame[4]; ///< turn from rest
} side;

static side side_of(const vb_sets *sets, const vb_link *link, int which) {
  side s = {{link->at[0], link->at[1], link->at[2]}, {1, 0, 0, 0}};
  if (link->bone[which] >= 0) {
    const vb_bone *bone = &sets->bones[link->bone[which]];
    vb_bone_point(bone, link->at, s.at);
    for (int k = 0; k < 4; k++)
      s.frame[k] = bone->frame[k];
  } else if (link->driver >= 0) {
    double b[3];
    vb_sets_motion(sets, link->driver, 0, s.frame, b);
    vb_rigid_move(s.frame, b, link->at, s.at);
  }
  return s;
}

/// Checks that the directions of a link's axes at time 0 are those that it keeps.
static vb_status check_turned_axes(size_t i, const vb_link *link, const side sides[2],
                                   vb_error *error) {
  double a[3], b[3];
  if (link->type == VB_LINK_BALL)
    return VB_OK;
  vb_quaternion_rotate(sides[0].frame, link->axis[0], a);
  vb_quaternion_rotate(sides[1].frame, link->axis[link->type == VB_LINK_UNIVERSAL], b);
  if (link->type == VB_LINK_HINGE && !(vb_distance(a, b) <= gap_tolerance))
    return vb_bad_input(error,
                        "link %zu (%s): at time 0 its axis on one side is %g rad off that on the "
                        "other",
                        i, link->name, vb_distance(a, b));
  if (link->type == VB_LINK_UNIVERSAL && !(fabs(vb_dot(a, b)) <= gap_tolerance))
    return vb_bad_input(error,
                        "link %zu (%s): at time 0 its two axes have the cosine %g; they should be "
                        "at right angles",
                        i, link->name, vb_dot(a, b));
  return VB_OK;
}

/// Widens the box from `low` to `high` by `x`.
static void widen(double low[3], double high[3], const double x[3]) {
  for (int k = 0; k < 3; k++) {
    low[k] = fmin(low[k], x[k]);
    high[k] = fmax(high[k], x[k]);
  }
}

/// The diagonal of the box around all nodes, bones and links, at rest and at time 0, and no less
/// than the greatest bone.
static double scene_size(const vb_sets *sets) {
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  double greatest = 0;
  for (size_t i = 0; i < sets->n_nodes; i++) {
    widen(low, high, sets->nodes[i].rest_position);
    widen(low, high, sets->nodes[i].position);
  }
  for (size_t i = 0; i < sets->n_bones; i++) {
    widen(low, high, sets->bones[i].center);
    widen(low, high, sets->bones[i].position);
    greatest = fmax(greatest, vb_bone_radius(&sets->bones[i]));
  }
  for (size_t i = 0; i < sets->n_links; i++)
    widen(low, high, sets->links[i].at);
  return fmax(greatest, vb_distance(low, high));
}

vb_status vb_check_links(const vb_sets *sets, vb_error *error) {
  const vb_check_pass passes[] = {
      {check_sides, sets->n_links}, {check_axes, sets->n_links}, {check_limits, sets->n_links}};
  vb_status status = vb_check_passes(sets, passes, 3, error);
  if (sets->n_links == 0)
    return status;
  double size = scene_size(sets);
  for (size_t i = 0; status == VB_OK && i < sets->n_links; i++) {
    const vb_link *link = &sets->links[i];
    const side sides[2] = {side_of(sets, link, 0), side_of(sets, link, 1)};
    double gap = vb_distance(sides[0].at, sides[1].at);
    if (!(gap <= gap_tolerance * size))
      status = vb_bad_input(error, "link %zu (%s): its two sides are %g m apart at time 0", i,
                            link->name, gap);
    else
      status = check_turned_axes(i, link, sides, error);
    if (status == VB_OK) // the drivers of a link may ride on as many others as there are
      status = vb_time_limit_check(error);
  }
  return status;
}
