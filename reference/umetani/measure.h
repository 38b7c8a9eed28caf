// SPDX-License-Identifier: GPL-3.0-or-later
/// What is read of an instance: fields, energies, the residual.
#ifndef UMETANI_MEASURE_H
#define UMETANI_MEASURE_H

#include "reference/umetani/umetani.h"

/// Energies, in the order of the description: a table as in solver/fields.h.
#define UMETANI_ENERGIES(X)                                                                        \
  X(UMETANI_STRETCH, "stretch",                                                                    \
    "of segments: with method pbd what the scene's material would store in this shape", true)      \
  X(UMETANI_BEND, "bend",                                                                          \
    "of joints about u and v: with pbd what the scene's material would store", true)               \
  X(UMETANI_TWIST, "twist", "of joints about w: with pbd what the scene's material would store",   \
    true)                                                                                          \
  X(UMETANI_KINETIC, "kinetic", "of points and ghosts", false)                                     \
  X(UMETANI_GRAVITY, "gravity", "potential of gravity, 0 at the origin", true)

enum { UMETANI_ENERGIES(VB_ENERGY_INDEX) UMETANI_ENERGY_COUNT };

/// Write fields (README.md) of `self`, an umetani.
void umetani_read_position(void *self, double *out);
void umetani_read_scale(void *self, double *out);
void umetani_read_frame(void *self, double *out);
void umetani_read_velocity(void *self, double *out);
void umetani_read_angular_velocity(void *self, double *out);
void umetani_read_mass(void *self, double *out);
void umetani_read_momentum(void *self, double *out);
void umetani_read_ghost(void *self, double *out);
void umetani_read_darboux(void *self, double *out);
void umetani_read_gravity_ratio(void *self, double *out);
void umetani_read_constraint_error(void *self, double *out);
void umetani_read_attachment_error(void *self, double *out);

/// Writes the energies [J].
void umetani_read_energies(void *self, double *out);

/// Writes the residual of the latest substep (README.md); 0 before the first.
vb_status umetani_read_residual(void *self, double *out, vb_error *error);

#endif
