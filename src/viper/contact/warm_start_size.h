// SPDX-License-Identifier: GPL-3.0-or-later
/// Sizes of the data that contacts keep from a substep to the next (warm_start.h), in any
/// precision.
#ifndef VIPER_CONTACT_WARM_START_SIZE_H
#define VIPER_CONTACT_WARM_START_SIZE_H

#include "viper/model/model.h"
#include "viper/settings/settings.h"

/// Kept contacts of a segment with segments of higher numbers: in a crowd one segment in 7000 has
/// more.
enum { VIPER_KEPT = 8 };

/// Doubles of a contact in a saved state; and of a segment: their number, then the contacts.
enum { VIPER_KEPT_DOUBLES = 5, VIPER_KEPT_ROW_DOUBLES = 1 + VIPER_KEPT * VIPER_KEPT_DOUBLES };

/// The number of segments whose contacts are kept.
static inline size_t viper_count_kept_rows(const viper_model *m, const viper_settings *settings) {
  return viper_has_warm_start(settings) && vb_scene_contact(m->scene) ? m->n_segments : 0;
}

/// The number of nodes times half-planes whose contacts are kept.
static inline size_t viper_count_kept_rests(const viper_model *m, const viper_settings *settings) {
  return viper_has_warm_start(settings) ? m->n_nodes * vb_scene_count(m->scene, VB_SET_HALF_PLANE)
                                        : 0;
}

/// Doubles of the force of a driven half-plane on a node (viper_plane_work).
enum { VIPER_PUSH_DOUBLES = 4 };

/// The number of nodes times half-planes whose forces are kept for the work of drivers.
static inline size_t viper_count_kept_forces(const viper_model *m) {
  return vb_scene_count(m->scene, VB_SET_PLANE_DRIVER) > 0
             ? m->n_nodes * vb_scene_count(m->scene, VB_SET_HALF_PLANE)
             : 0;
}

/// Doubles of all kept data: rows of segments, then of each node and half-plane, then forces.
static inline size_t viper_count_kept(const viper_model *m, const viper_settings *settings) {
  return viper_count_kept_rows(m, settings) * VIPER_KEPT_ROW_DOUBLES +
         viper_count_kept_rests(m, settings) * VIPER_KEPT_DOUBLES +
         VIPER_PUSH_DOUBLES * viper_count_kept_forces(m);
}

#endif
