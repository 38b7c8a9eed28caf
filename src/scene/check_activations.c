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

/// An excitation is from 0 to 1.
static vb_status check_excitation(const vb_sets *sets, size_t i, const vb_activation *a,
                                  vb_error *error) {
  const vb_curve *curve = &sets->curves[a->curve];
  for (int32_t k = 0; k < curve->n_keys; k++) {
    const vb_key *key = &sets->keys[curve->first_key + k];
    if (!(key->value >= 0 && key->value <= 1))
      return vb_bad_input(error,
                          "activation %zu (%s): its value at %g s is %g; an excitation is from 0 "
                          "to 1",
                          i, a->name, key->time, key->value);
  }
  return VB_OK;
}

/// Whether a row of Hill's law is of what `a` is of; both are in the same order.
static bool has_hill(const vb_sets *sets, const vb_activation *a) {
  size_t from = 0, to = sets->n_hills;
  while (from < to) {
    const size_t middle = (from + to) / 2;
    const vb_hill *hill = &sets->hills[middle];
    if (hill->location < a->location || (hill->location == a->location && hill->index < a->index))
      from = middle + 1;
    else
      to = middle;
  }
  return from < sets->n_hills && sets->hills[from].location == a->location &&
         sets->hills[from].index == a->index;
}

static vb_status check_law(const vb_sets *sets, size_t i, const vb_activation *a, vb_error *error) {
  const bool is_hill = a->active == VB_ACTIVE_HILL;
  if (is_hill != has_hill(sets, a))
    return vb_bad_input(error, "activation %zu (%s): %s", i, a->name,
                        is_hill ? "it is of the kind hill, and has no hill"
                                : "it has a hill, and is not of that kind");
  return is_hill ? check_excitation(sets, i, a, error) : VB_OK;
}

static vb_status check_hill(const vb_sets *sets, size_t i, vb_error *error) {
  const vb_hill *hill = &sets->hills[i];
  if (!(hill->eccentric > 1))
    return vb_bad_input(error, "hill %zu: its eccentric is %g; it should be greater than 1", i,
                        hill->eccentric);
  size_t from = 0, to = sets->n_activations;
  while (from < to) {
    const size_t middle = (from + to) / 2;
    const vb_activation *a = &sets->activations[middle];
    if (a->location == hill->location && a->index == hill->index)
      return VB_OK;
    if (a->location < hill->location || (a->location == hill->location && a->index < hill->index))
      from = middle + 1;
    else
      to = middle;
  }
  return vb_bad_input(error, "hill %zu: what it is of has no activation", i);
}

static vb_status check_activation(const vb_sets *sets, size_t i, vb_error *error) {
  const vb_activation *a = &sets->activations[i];
  if (a->active == VB_ACTIVE_FORCE && a->location != VB_AT_SEGMENT)
    return vb_bad_input(error,
                        "activation %zu (%s): a pair of forces acts on the two nodes of a segment; "
                        "a tetrahedron takes strain or fiber",
                        i, a->name);
  vb_status status = check_direction(i, a, error);
  if (status == VB_OK)
    status = check_law(sets, i, a, error);
  const bool is_stretch = a->active == VB_ACTIVE_STRAIN || a->active == VB_ACTIVE_FIBER;
  return status == VB_OK && is_stretch ? check_keys(sets, i, a, error) : status;
}

vb_status vb_check_activations(const vb_sets *sets, vb_error *error) {
  const vb_check_pass passes[] = {{check_hill, sets->n_hills},
                                  {check_activation, sets->n_activations}};
  return vb_check_passes(sets, passes, 2, error);
}
