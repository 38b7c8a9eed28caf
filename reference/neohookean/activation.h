// SPDX-License-Identifier: GPL-3.0-or-later
/// Active strain: F = Fe Fa with Fa = a d d^T + a^(-1/2) (I - d d^T), det Fa = 1. The energy is
/// that of Fe, so that an element rests a times as long along its fibers d, with its volume kept.
/// (D. Ambrosi, S. Pezzuto, Active Stress vs. Active Strain in Mechanobiology, J. Elasticity 107,
/// 2012.)
#ifndef NH_ACTIVATION_H
#define NH_ACTIVATION_H

#include "solid.h"

/// The active strain of an element.
typedef struct nh_active {
  double direction[3]; ///< d, a unit vector at rest
  double stretch;      ///< a > 0, that of the active rest shape along d; 1 where it is passive
  double before;       ///< of the kind hill: a before the latest step
} nh_active;

/// Fills `solid->active` at time 0; leaves it null where the scene activates nothing.
/// VB_UNAVAILABLE where an activation is neither an active strain nor of the kind hill.
vb_status nh_active_create(nh_solid *solid, vb_error *error);

/// Sets the stretches of active strains to those at `time`.
void nh_active_at(nh_solid *solid, double time);

/// Whether an activation is of the kind hill.
bool nh_active_has_hill(const nh_solid *solid);

/// Sets the stretches of activations of the kind hill to those at which nodes at `x` have none
/// along the fibers.
void nh_active_start(nh_solid *solid, const double *x);

/// Lets these stretches go on to `time`, `h` later, by Hill's law (vb_hill), with what drives them
/// at the positions `ahead` where nodes are going: X = -dU/da, per volume.
void nh_active_advance(nh_solid *solid, double time, double h, const double *ahead);

/// Multiplies `n` rows of 3 numbers by Fa^-1 of element `e`, from the right: F becomes Fe, the
/// stress dPsi/dFe becomes P = dPsi/dF, gradients of shape functions become those of the active
/// rest shape.
void nh_active_divide(const nh_solid *solid, size_t e, double *row, int n);

/// Adds to `work` (activations of the scene), times `share`, what the energy changes as stretches
/// go from those at time `from` to those at time `to`, with nodes at `x` [J].
void nh_active_work(const nh_solid *solid, double from, double to, const double *x, double share,
                    double *work);

#endif
