// SPDX-License-Identifier: GPL-3.0-or-later
/// Whether activations of a scene, all else being sound, are sound.
#include "scene/checks.h"
#include "scene/rotation.h"

#include <math.h>

static vb_status check_direction(size_t i, const vb_activation *a, vb_error *error) {
  double norm = sqrt(vb_dot(a->direction, a->direction));
  if (a->location == VB_AT_SEGMENT && norm != 0)
    return vb_bad_input(error,
                        "activation %zu (%s): it has a direction; that of a segment is its axis w",
                        i, a->name);
  if (a->location == VB_AT_TETRAHEDRON && !(fabs(norm - 1) <= VB_UNIT_TOLERANCE))
    return vb_bad_input(error, "activation %zu (%s): direction has the norm %.12g; it should be 1",
                        i, a->name, norm);
  return VB_OK;
}

/// A rest length is positive; a curve is within its keys.
static vb_status check_keys(const vb_sets *sets, size_t i, const vb_activation *a,
                            vb_error *error) {
  const vb_curve *curve = &sets->curves[a->curve];
  for (int32_t k = 0; k < curve->n_keys; k++) {
    const vb_key *key = &sets->keys[curve->first_key + k];
    if (!(key->value > 0))
      return vb_bad_input(error,
                          "activation %zu (%s): its value at %g s is %g; a ratio of lengths should "
                          "be positive",
                          i, a->name, key->time, key->value);
  }
  return VB_OK;
}

static vb_status check_activation(const vb_sets *sets, size_t i, vb_error *error) {
  const vb_activation *a = &sets->activations[i];
  if (a->active == VB_ACTIVE_FORCE && a->location != VB_AT_SEGMENT)
    return vb_bad_input(error,
                        "activation %zu (%s): a pair of forces acts on the two nodes of a segment; "
                        "a tetrahedron takes strain or fiber",
                        i, a->name);
  vb_status status = check_direction(i, a, error);
  return status == VB_OK && a->active != VB_ACTIVE_FORCE ? check_keys(sets, i, a, error) : status;
}

vb_status vb_check_activations(const vb_sets *sets, vb_error *error) {
  const vb_check_pass pass = {check_activation, sets->n_activations};
  return vb_check_passes(sets, &pass, 1, error);
}
