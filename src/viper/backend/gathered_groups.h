// SPDX-License-Identifier: GPL-3.0-or-later
/// Body groups of single bodies, for lanes that gather them from arrays over the model.
#ifndef VIPER_BACKEND_GATHERED_GROUPS_H
#define VIPER_BACKEND_GATHERED_GROUPS_H

#include "viper/backend/body_groups.h"

/// Sorts a model's bodies into body groups as viper_body_groups_create does, with the exact
/// factorization, and those that drivers, loads or activations act on, too: what these change is
/// gathered. None are uniform. Where the model has bending factors, moments of inertia that are no
/// disc's, fused rods, parts of frames that are held, or nodes that follow drivers, of which lanes
/// know nothing, there are no groups, and no single bodies either. Their memory comes on top of
/// that of the single bodies. The model must outlive the body groups. Freed by
/// viper_body_groups_destroy.
vb_status viper_gathered_groups_create(const viper_model *model, viper_body_groups *out,
                                       vb_error *error);

#endif
