// SPDX-License-Identifier: GPL-3.0-or-later
/// Energy that comes from nothing: how far what bodies have rises above what they were given.
#ifndef VB_RESULTS_ENERGY_GAIN_H
#define VB_RESULTS_ENERGY_GAIN_H

#include <stdbool.h>
#include <stdint.h>

/// The greatest gain that passes for convergence: contacts that are solved to a tolerance of 1e-8
/// gain below 1e-6, sweeps that end early gain from a percent to a thousandfold.
#define VB_GREATEST_GAIN 0.01

/// Sums over the rows of a run; all zeros before the first.
typedef struct vb_energy_gain {
  int64_t n_rows;
  int64_t n_missed; ///< rows whose gain is above VB_GREATEST_GAIN
  double now;       ///< gain at the latest row, in parts of the scale
  double greatest;  ///< over the rows so far
  double least;     ///< of the energy less the work, J
  double start;     ///< energy at the first row without that of gravity, J
  double gravity;   ///< energy of gravity at the first row, J
  double given;     ///< the most that loads and gravity have given, J
  double held;      ///< the greatest energy without that of gravity, J
} vb_energy_gain;

/// Adds a row with the energy of all kinds `total`, that of gravity in it, and the `work` of
/// drivers, loads and activations since the start, all in J. The gain is
///
///     (F - min F so far) / scale,  F = total - work,
///
/// which no converged step of implicit Euler raises where the energy is convex. The scale is the
/// energy at the start, kinetic and elastic, plus the most that work and gravity have given so far:
/// what throws an object up is not made greater by its height. A ten-thousandth of the first energy
/// of gravity is added: of what lies at rest in single precision, energies go up and down by a
/// thousandth of that. Where all of these are 0, as of rods that begin deep in each other at rest,
/// it is the greatest energy so far.
void vb_energy_gain_add(vb_energy_gain *gain, double total, double gravity, double work);

#endif
