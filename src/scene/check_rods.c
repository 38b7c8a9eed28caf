// SPDX-License-Identifier: GPL-3.0-or-later
/// Whether rest curvatures, frame pins and follower loads of a scene, all else being sound, are
/// sound.
#include "scene/checks.h"
#include "scene/rotation.h"

#include <math.h>

static vb_status check_rest_curvature(const vb_sets *sets, size_t i, vb_error *error) {
  const vb_rest_curvature *rest = &sets->rest_curvatures[i];
  const int32_t *segment = sets->joints[rest->joint].segment;
  double length =
      0.5 * (sets->segments[segment[0]].rest_length + sets->segments[segment[1]].rest_length);
  double size = sqrt(vb_dot(rest->darboux, rest->darboux));
  if (!(0.5 * length * size < 1))
    return vb_bad_input(error,
                        "rest curvature %zu: %g 1/m over the joint's length %g m is half a turn or "
                        "more; it should be under %g 1/m",
                        i, size, length, 2 / length);
  return VB_OK;
}

static vb_status check_frame_pin(const vb_sets *sets, size_t i, vb_error *error) {
  const vb_frame_pin *pin = &sets->frame_pins[i];
  const uint32_t all = VB_FRAME_U | VB_FRAME_V | VB_FRAME_W;
  if (pin->mask == all)
    return vb_bad_input(error,
                        "frame pin %zu: it holds all three components of segment %d; that is a pin",
                        i, pin->segment);
  if (pin->mask == 0 || pin->mask > all)
    return vb_bad_input(
        error, "frame pin %zu: mask %u does not fit; it should be one or two of the bits of %u", i,
        pin->mask, all);
  return VB_OK;
}

static vb_status check_turning_load(const vb_sets *sets, size_t i, vb_error *error) {
  const vb_load *load = &sets->loads[sets->follower_loads[i].load];
  if (load->location != VB_AT_NODE && load->location != VB_AT_SEGMENT)
    return vb_bad_input(error,
                        "follower load %zu: its load %d (%s) is on a %s; it should be on a node or "
                        "segment",
                        i, sets->follower_loads[i].load, load->name, vb_place_name(load->location));
  return VB_OK;
}

vb_status vb_check_rods(const vb_sets *sets, vb_error *error) {
  const vb_check_pass passes[] = {{check_rest_curvature, sets->n_rest_curvatures},
                                  {check_frame_pin, sets->n_frame_pins},
                                  {check_turning_load, sets->n_follower_loads}};
  return vb_check_passes(sets, passes, 3, error);
}
