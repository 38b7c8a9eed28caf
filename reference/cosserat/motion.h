// SPDX-License-Identifier: GPL-3.0-or-later
/// Motions from rest of rods with shear and extension, by two computations that share neither the
/// discretization of space nor that of time. Each refines both together, at three levels, and
/// extrapolates; its error is twice the change by the last extrapolation.
#ifndef COSSERAT_MOTION_H
#define COSSERAT_MOTION_H

#include "base/status.h"
#include "reference/cosserat/rod.h"

#include <stddef.h>

/// The load factor at time `t`.
double cosserat_motion_factor(const cosserat_motion *motion, double t);

/// The frame (w, x, y, z) of the start at time `t`.
void cosserat_motion_start(const cosserat_rod *rod, const cosserat_motion *motion, double t,
                           double out[4]);

/// By the elements of elements.h, masses and inertias at their nodes (Simpson's rule), and the
/// midpoint rule: forces are those half way of a step, of each position and of the turn of each
/// frame. Momentum and, where nothing acts, angular momentum are exact; order 2 in time, 4 in
/// space. Writes positions at the `n` places and their times, by up to 4 `n_elements` elements.
/// VB_FAILED where Newton's method does not converge; VB_BAD_INPUT where a stiffness is infinite.
vb_status cosserat_move_elements(const cosserat_rod *rod, const cosserat_motion *motion,
                                 size_t n_elements, const cosserat_place *place, size_t n,
                                 cosserat_value *out, vb_error *error);

/// By differences on a staggered grid: forces and frames at the middles of cells, moments between
/// them, and the Runge-Kutta method of order 4 in steps that the fastest wave allows; order 2 in
/// space. Likewise, by up to 4 `n_cells` cells.
vb_status cosserat_move_staggered(const cosserat_rod *rod, const cosserat_motion *motion,
                                  size_t n_cells, const cosserat_place *place, size_t n,
                                  cosserat_value *out, vb_error *error);

/// Positions at the places, times rising, by one level of refinement: `n_cells`, and steps of at
/// most `step`.
typedef vb_status cosserat_motion_level(const cosserat_rod *rod, const cosserat_motion *motion,
                                        size_t n_cells, double step, const cosserat_place *place,
                                        size_t n, double *out, vb_error *error);

/// Three levels, each of twice as many cells and half the step, extrapolated by the orders 2 and 4.
vb_status cosserat_motion_refine(cosserat_motion_level *level, const cosserat_rod *rod,
                                 const cosserat_motion *motion, size_t n_cells, double step,
                                 const cosserat_place *place, size_t n, cosserat_value *out,
                                 vb_error *error);

#endif
