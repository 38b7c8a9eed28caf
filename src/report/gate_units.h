// SPDX-License-Identifier: GPL-3.0-or-later
/// The units of what gates measure, from the records that they measured.
#ifndef VB_REPORT_GATE_UNITS_H
#define VB_REPORT_GATE_UNITS_H

#include "report/report_results.h"

#define VB_GATE_UNIT 64 ///< bytes of a unit, with its end

/// Writes the unit of each gate's value, reference and absolute tolerance to `units`
/// (study->n_gates), in the spelling of UDUNITS: "m s-1". It is empty for numbers without unit, as
/// ratios and orders are, and where it is not known.
void vb_report_gate_units(const vb_report_study *study, char (*units)[VB_GATE_UNIT]);

#endif
