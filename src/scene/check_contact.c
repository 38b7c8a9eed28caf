// SPDX-License-Identifier: GPL-3.0-or-later
/// Whether half-planes, contact and pairs of bodies with friction, all else being sound, are sound.
#include "scene/checks.h"
#include "scene/rotation.h"

#include <math.h>

static vb_status check_half_plane(const vb_sets *sets, size_t i, vb_error *error) {
  const vb_half_plane *plane = &sets->half_planes[i];
  double norm = sqrt(vb_dot(plane->normal, plane->normal));
  if (!(fabs(norm - 1) <= VB_UNIT_TOLERANCE))
    return vb_bad_input(error, "half-plane %zu: normal has the norm %.12g; it should be 1", i,
                        norm);
  return VB_OK;
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
  return VB_OK;
}

static vb_status check_pair(const vb_sets *sets, size_t i, vb_error *error) {
  const int32_t *body = sets->friction_pairs[i].body;
  if (!(body[0] < body[1]))
    return vb_bad_input(error,
                        "friction pair %zu: its bodies %d and %d should be two, the lower first", i,
                        body[0], body[1]);
  return VB_OK;
}

vb_status vb_check_contact(const vb_sets *sets, vb_error *error) {
  const vb_check_pass passes[] = {{check_settings, sets->n_contacts},
                                  {check_half_plane, sets->n_half_planes},
                                  {check_pair, sets->n_friction_pairs}};
  return vb_check_passes(sets, passes, 3, error);
}
