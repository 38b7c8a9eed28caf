// SPDX-License-Identifier: GPL-3.0-or-later
/// What is told of a state: volumes, deformations, stresses, momentum, energies.
#ifndef NH_MEASURES_H
#define NH_MEASURES_H

#include "neohookean.h"

/// Energies, in the order of the description: a table as in solver/fields.h.
#define NH_ENERGIES(X)                                                                             \
  X(NH_ELASTIC, "elastic", "stable Neo-Hookean, 0 at rest, or at the active rest shape", true)     \
  X(NH_KINETIC, "kinetic", "of the nodes", false)                                                  \
  X(NH_GRAVITY, "gravity", "potential of gravity, 0 at the origin", true)

enum { NH_ENERGIES(VB_ENERGY_INDEX) NH_ENERGY_COUNT };

/// Write fields (README.md) of `self`, a neohookean. Those that return a status fail for want of
/// memory only.
void nh_read_volumes(void *self, double *out);
void nh_read_dilations(void *self, double *out);
void nh_read_deformations(void *self, double *out);
void nh_read_stresses(void *self, double *out);
void nh_read_volume(void *self, double *out);
void nh_read_dilation_range(void *self, double *out);
vb_status nh_read_momentum(void *self, double *out, vb_error *error);
vb_status nh_read_angular_momentum(void *self, double *out, vb_error *error);

/// Writes the energies [J]. Fails for want of memory only.
vb_status nh_read_energies(void *self, double *out, vb_error *error);

#endif
