// SPDX-License-Identifier: GPL-3.0-or-later
/// The angular momentum of a recorded run, from frames of its fields. For any solver of rods that
/// offers them.
#ifndef VB_GATE_ANGULAR_MOMENTUM_H
#define VB_GATE_ANGULAR_MOMENTUM_H

#include "results/results.h"

/// Whether a quantity is "momentum/angular", perhaps behind the prefix "runs/NAME/".
bool vb_is_angular_momentum(const char *quantity);

/// Reads its component, 0 to 2, from a run file, or from a run of an index file, at each frame, as
/// vb_results_column does; the caller frees with vb_column_free. About the origin [kg m^2/s] it is
///
///     L = sum m x cross v + sum s^2 R I R^T w
///
/// over nodes of the mass m, position x and velocity v, and over segments of the frame R, the
/// moments I about its axes, the angular velocity w in world axes, and s the mean scale of its
/// nodes. VB_BAD_INPUT where the run lacks one of the fields position, velocity, mass, scale, frame
/// and angular_velocity, or where the component is another.
vb_status vb_angular_momentum_column(const char *path, const char *quantity, int component,
                                     vb_column *out, vb_error *error);

#endif
