// SPDX-License-Identifier: GPL-3.0-or-later
/// What acts on the rods from outside: drivers on pins, loads, activations; and their work.
#ifndef UMETANI_BOUNDARY_H
#define UMETANI_BOUNDARY_H

#include "reference/umetani/state.h"

/// Writes the axes at which frames are held at `time`.
void umetani_aim_holds(const umetani_rods *rods, double time, double (*target)[3][3]);

/// Puts held components of points where their drivers have them at `time`.
void umetani_place_points(const umetani_rods *rods, double time, double (*x)[3]);

/// Writes the forces of loads at `time` and of activations to scratch->load, and their sums to
/// scratch->push. Directions that turn with a segment are those of the frame at state->drift.
void umetani_add_loads(const umetani_rods *rods, double time, const umetani_state *state,
                       umetani_scratch *scratch);

/// Sets the rest lengths of segments to what their activations say of `time`, and adds to the work
/// of these what the energy of stretch changes as they do.
void umetani_activate(const umetani_rods *rods, double time, umetani_state *state);

/// Force [N] that holds point `p`, in its held components, at the end of the latest substep: of
/// inertia and gravity, less that of the constraints.
void umetani_holding_force(const umetani_rods *rods, const umetani_state *state, int32_t p,
                           double out[3]);

/// Adds the work of drivers and loads in the substep that is done.
void umetani_add_work(const umetani_rods *rods, const umetani_scratch *scratch,
                      umetani_state *state);

/// Adds force [N] and torque about the moved origin [N m] of each driver's pins, as solver.h has
/// them.
void umetani_reactions(const umetani_rods *rods, const umetani_state *state, double (*force)[3],
                       double (*torque)[3]);

/// Energy of stretch of an edge of length `l` that rests at `rest` [m]: EA/(2 L) (l - rest)^2.
static inline double umetani_stretch_energy(const umetani_edge *e, double l, double rest) {
  return 0.5 * e->stiffness / e->length * (l - rest) * (l - rest);
}

#endif
