// SPDX-License-Identifier: GPL-3.0-or-later
/// Whether half-planes and contact of a scene, all else being sound, are sound.
#include "scene/checks.h"
#include "scene/rotation.h"

#include <math.h>

/// How far the norm of a unit vector may be from 1: rounding many times over, no more.
static const double unit_tolerance = 1e-9;

vb_status vb_check_friction(vb_tag tag, size_t i, double at_rest, double sliding, vb_error *error) {
  if (!(isfinite(at_rest) && at_rest >= 0))
    return vb_bad_input(error, "%s %zu: static friction %g is not a number from 0 on",
                        vb_tag_name(tag), i, at_rest);
  if (!(sliding >= 0 && sliding <= at_rest))
    return vb_bad_input(error,
                        "%s %zu: kinetic friction %g is not between 0 and the static friction %g",
                        vb_tag_name(tag), i, sliding, at_rest);
  return VB_OK;
}

static vb_status check_half_plane(const vb_sets *sets, size_t i, vb_error *error) {
  const vb_half_plane *plane = &sets->half_planes[i];
  double norm = sqrt(vb_dot(plane->normal, plane->normal));
  if (!(fabs(norm - 1) <= unit_tolerance))
    return vb_bad_input(error, "half-plane %zu: normal has the norm %.12g; it should be 1", i,
                        norm);
  if (!isfinite(plane->offset))
    return vb_bad_input(error, "half-plane %zu: offset %g is not a finite number", i,
                        plane->offset);
  return vb_check_friction(VB_SET_HALF_PLANE, i, plane->static_friction, plane->kinetic_friction,
                           error);
}

static vb_status check_settings(const vb_sets *sets, size_t i, vb_error *error) {
  const vb_contact *contact = &sets->contacts[i];
  if (sets->n_contacts > 1)
    return vb_bad_input(error, "contact: there are %zu settings; one is possible",
                        sets->n_contacts);
  if (!(isfinite(contact->margin) && contact->margin >= 0))
    return vb_bad_input(error, "contact: margin %g is not a number from 0 on", contact->margin);
  if (contact->self != 0 && contact->self != 1)
    return vb_bad_input(error, "contact: self is %d; it should be 0 or 1", contact->self);
  return vb_check_friction(VB_SET_CONTACT, 0, contact->static_friction, contact->kinetic_friction,
                           error);
}

vb_status vb_check_contact(const vb_sets *sets, vb_error *error) {
  const vb_check_pass passes[] = {{check_settings, sets->n_contacts},
                                  {check_half_plane, sets->n_half_planes}};
  return vb_check_passes(sets, passes, 2, error);
}
