// SPDX-License-Identifier: GPL-3.0-or-later
#include "gate/gate_used.h"

#include "gate/gate.h"

#include <math.h>
#include <string.h>

/// `part` / `whole`, both not negative; 1 where both are 0.
static double part_of(double part, double whole) {
  return part == 0 && whole == 0 ? 1 : part / whole;
}

/// The part of a limit that a value at most that great reaches.
static double part_of_limit(double value, double limit) {
  if (limit == 0)
    return value == 0 ? 1 : value > 0 ? INFINITY : NAN;
  if ((value > 0) != (limit > 0))
    return value > 0 ? INFINITY : 0;
  return limit > 0 ? value / limit : limit / value;
}

double vb_gate_used(const vb_gate_record *gate) {
  double value = gate->value, reference = gate->reference;
  if (isnan(value))
    return NAN;
  if (strcmp(gate->comparator, vb_comparator_words[VB_AT_MOST]) == 0)
    return part_of_limit(value, reference);
  if (strcmp(gate->comparator, vb_comparator_words[VB_AT_LEAST]) == 0)
    return part_of_limit(-value, -reference);
  return part_of(fabs(value - reference),
                 gate->relative ? gate->tolerance * fabs(reference) : gate->tolerance);
}
