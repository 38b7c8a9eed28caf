// SPDX-License-Identifier: GPL-3.0-or-later
/// How much is kept of contacts from a substep to the next (keep.h), in any precision.
#ifndef VIPER_CONTACT_WARM_START_SIZE_H
#define VIPER_CONTACT_WARM_START_SIZE_H

#include "viper/model/model.h"
#include "viper/settings/settings.h"

/// Contacts between capsules that are kept of a segment, with those of higher numbers: in a crowd
/// one segment in 7000 has more.
enum { VIPER_KEPT = 8 };

/// Doubles that a contact takes in a saved state, and those of a segment, after their number.
enum { VIPER_KEPT_DOUBLES = 5, VIPER_KEPT_ROW_DOUBLES = 1 + VIPER_KEPT * VIPER_KEPT_DOUBLES };

/// Segments whose contacts are kept.
static inline size_t viper_count_kept_rows(const viper_model *m, const viper_settings *settings) {
  return viper_has_warm_start(settings) && vb_scene_contact(m->scene) ? m->n_segments : 0;
}

/// Nodes times half-planes, of which contacts are kept.
static inline size_t viper_count_kept_rests(const viper_model *m, const viper_settings *settings) {
  return viper_has_warm_start(settings) ? m->n_nodes * vb_scene_count(m->scene, VB_SET_HALF_PLANE)
                                        : 0;
}

/// Doubles of all that is kept: rows of segments, then of each node and half-plane.
static inline size_t viper_count_kept(const viper_model *m, const viper_settings *settings) {
  return viper_count_kept_rows(m, settings) * VIPER_KEPT_ROW_DOUBLES +
         viper_count_kept_rests(m, settings) * VIPER_KEPT_DOUBLES;
}

#endif
