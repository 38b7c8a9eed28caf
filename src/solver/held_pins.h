// SPDX-License-Identifier: GPL-3.0-or-later
/// Pins that end (vb_pin_end), of any solver: a solver around another, which hands it the scene as
/// it is held in the steps to come. Where pins end it saves the state of the other's instance, and
/// goes on with a new instance, of the scene without these pins, that it gives this state. Such a
/// solver knows nothing of it; its state must not depend on which pins there are.
#ifndef VB_SOLVER_HELD_PINS_H
#define VB_SOLVER_HELD_PINS_H

#include "solver/solver.h"

/// The solver around another.
typedef struct vb_held_pins {
  vb_solver solver; ///< first
  const vb_solver *inner;
  vb_solver_description about; ///< the other's, and that it supports the set
} vb_held_pins;

/// The solver for `scene`: `inner` itself where no pin ends, else one around it, in `*room`, which
/// must outlive its instances. What an instance holds is as in vb_solver; options in use are
/// handed from instance to instance. Steps fail with VB_UNAVAILABLE where the inner solver takes no
/// state of a scene with other pins.
const vb_solver *vb_held_pins_of(const vb_solver *inner, const vb_scene *scene, vb_held_pins *room);

/// The solver that such a one is around; `solver` itself where it is none.
const vb_solver *vb_held_pins_inner(const vb_solver *solver);

#endif
