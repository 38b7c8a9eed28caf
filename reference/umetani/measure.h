// SPDX-License-Identifier: GPL-3.0-or-later
/// What is read of a state: fields, energies, the residual.
#ifndef UMETANI_MEASURE_H
#define UMETANI_MEASURE_H

#include "reference/umetani/description.h"
#include "reference/umetani/state.h"

/// Values of a field: elements at its location (README.md), and how many there are.
size_t umetani_count(const umetani_rods *rods, umetani_field field);
void umetani_read(const umetani_rods *rods, const umetani_settings *settings,
                  const umetani_state *state, umetani_scratch *scratch, umetani_field field,
                  double *out);

/// Energies [J] in the description's order.
void umetani_energies(const umetani_rods *rods, const umetani_state *state, double *out);

/// The residual of the latest substep (README.md); 0 before the first.
vb_status umetani_residual(const umetani_rods *rods, const umetani_settings *settings,
                           const umetani_state *state, umetani_scratch *scratch, double *out,
                           vb_error *error);

#endif
