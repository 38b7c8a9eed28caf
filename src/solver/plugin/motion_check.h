// SPDX-License-Identifier: GPL-3.0-or-later
/// Whether a solver that is checked moves anything.
#ifndef VB_SOLVER_PLUGIN_MOTION_CHECK_H
#define VB_SOLVER_PLUGIN_MOTION_CHECK_H

#include "solver/plugin/guarded.h"

/// What the fields of an instance were at first. Zeroed, it holds nothing.
typedef struct vb_motion_check {
  char *first;  ///< all fields but those of the whole scene, one after the other
  size_t bytes; ///< of them
  bool moved;   ///< whether any of them has ever been otherwise
} vb_motion_check;

/// Reads the fields of an instance that was just made. To be freed by vb_motion_check_end, on
/// failure too.
vb_status vb_motion_check_begin(vb_motion_check *motion, vb_guarded *g, vb_error *error);

/// Looks whether a field has changed, until one has.
vb_status vb_motion_check_look(vb_motion_check *motion, vb_guarded *g, vb_error *error);
void vb_motion_check_end(vb_motion_check *motion);

/// What could move something in a scene, as a clause ("there is gravity"), or null where nothing is
/// found.
const char *vb_motion_reason(const vb_scene *scene);

#endif
