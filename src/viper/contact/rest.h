// SPDX-License-Identifier: GPL-3.0-or-later
/// What contact needs of a scene that does not change, in the working precision.
#ifndef VIPER_CONTACT_REST_H
#define VIPER_CONTACT_REST_H

#include "viper/contact/meeting.h"
#include "viper/model.h"

/// Inverse inertias and radius of a node.
static inline void viper_contact_node_fill(viper_contact_node *out, const viper_model_node *from) {
  out->inv_mass = (viper_scalar)(1 / from->mass);
  out->inv_scale = (viper_scalar)(1 / from->scale_inertia);
  out->radius = (viper_scalar)from->radius;
  for (int k = 0; k < 4; k++)
    out->inverse[k] = from->pinned >> k & 1 ? 0 : k < 3 ? out->inv_mass : out->inv_scale;
}

static inline void viper_plane_fill(viper_plane *out, const vb_half_plane *from) {
  for (int k = 0; k < 3; k++)
    out->normal[k] = (viper_scalar)from->normal[k];
  out->offset = (viper_scalar)from->offset;
  out->static_friction = (viper_scalar)from->static_friction;
  out->kinetic_friction = (viper_scalar)from->kinetic_friction;
}

#endif
