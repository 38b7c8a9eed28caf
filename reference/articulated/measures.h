// SPDX-License-Identifier: GPL-3.0-or-later
/// What is told of a state.
#ifndef AR_MEASURES_H
#define AR_MEASURES_H

#include "articulated.h"

/// Energies, in the order of the description: a table as in solver/fields.h.
#define AR_ENERGIES(X)                                                                             \
  X(AR_ELASTIC, "elastic", "corotated linear elasticity, 0 at rest", true)                         \
  X(AR_KINETIC, "kinetic", "of flesh and bones", false)                                            \
  X(AR_GRAVITY, "gravity", "potential of gravity, 0 at the origin", true)                          \
  X(AR_CONTACT, "contact",                                                                         \
    "of nodes in half-planes, colliders and other flesh, kc/2 depth^2 each", true)

enum { AR_ENERGIES(VB_ENERGY_INDEX) AR_ENERGY_COUNT };

/// Write fields (README.md) of `self`, an articulated. Where bones are flesh, positions are those
/// of the mean of their nodes' moves, frames those of the nearest rotation of their nodes, and
/// rates 0.
void ar_read_volumes(void *self, double *out);
void ar_read_dilations(void *self, double *out);
void ar_read_deformations(void *self, double *out);
void ar_read_stresses(void *self, double *out);
void ar_read_volume(void *self, double *out);
void ar_read_dilation_range(void *self, double *out);
void ar_read_bone_position(void *self, double *out);
void ar_read_bone_frame(void *self, double *out);
void ar_read_bone_velocity(void *self, double *out);
void ar_read_bone_spin(void *self, double *out);
void ar_read_bone_error(void *self, double *out);
void ar_read_joint_error(void *self, double *out);
void ar_read_joint_force(void *self, double *out);
void ar_read_joint_angle(void *self, double *out);
void ar_read_momentum(void *self, double *out);
void ar_read_angular_momentum(void *self, double *out);
void ar_read_penetration(void *self, double *out);

/// Writes the energies [J].
void ar_read_energies(void *self, double *out);

#endif
