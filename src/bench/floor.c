// SPDX-License-Identifier: GPL-3.0-or-later
// The least time of a step: what it must move and do, at the rates of this machine.
#include "bench/measure_case.h"

#include <math.h>

/// The words in use, or those that hold where the solver has no such option.
static const char *or_else(const char *text, const char *otherwise) {
  return text[0] ? text : otherwise;
}

vb_status vb_bench_floor_measure(vb_machine *machine, vb_subject *subject, vb_bench_case *c,
                                 vb_error *error) {
  const vb_bench_settings *s = &c->settings;
  vb_bench_floor f = {.known = subject->solver->cost != NULL};
  int threads = s->threads > 0 ? (int)s->threads : 1;
  if (f.known)
    subject->solver->cost(subject->instance, &f.bytes, &f.operations);
  f.known = f.known && isfinite(f.bytes) && isfinite(f.operations);
  f.arithmetic_rate =
      vb_machine_arithmetic_rate(machine, or_else(s->precision, "double"),
                                 or_else(s->instructions, machine->origin.instruction_set),
                                 or_else(s->arithmetic, machine->origin.floating_point), threads);
  // A state that fits in a cache is moved at the speed of that cache.
  vb_status status = vb_machine_copy_rate(
      machine, f.known ? f.bytes : vb_machine_beyond_cache(machine), threads, &f.copy_rate, error);
  if (status)
    return status;
  f.time_s = fmax(f.bytes / f.copy_rate, f.operations / f.arithmetic_rate);
  c->floor = f;
  return VB_OK;
}
