// SPDX-License-Identifier: GPL-3.0-or-later
// The least time of a step: what it must move and do, at the rates of this machine.
#include "bench/measure_case.h"

#include <math.h>

/// The words in use, or those that hold where the solver has no such option.
static const char *or_else(const char *text, const char *otherwise) {
  return text[0] ? text : otherwise;
}

/// The rates of the processors that the case's threads had, or of the device that it ran on.
static vb_status find_rates(vb_machine *machine, const vb_bench_case *c, vb_bench_floor *f,
                            vb_error *error) {
  const vb_bench_settings *s = &c->settings;
  const char *uuid = c->device.there ? c->device.uuid : NULL;
  const char *arithmetic = or_else(s->arithmetic, uuid ? "strict" : machine->origin.floating_point);
  int threads = s->threads > 0 ? (int)s->threads : 1;
  double most = uuid ? INFINITY : vb_machine_beyond_cache(machine);
  vb_status status =
      vb_machine_arithmetic_rate(machine, uuid, or_else(s->precision, "double"),
                                 or_else(s->instructions, machine->origin.instruction_set),
                                 arithmetic, threads, &f->arithmetic_rate, error);
  // A state that fits in a cache is moved at the speed of that cache.
  if (!status)
    status = vb_machine_copy_rate(machine, uuid, f->known ? f->bytes : most, threads, &f->copy_rate,
                                  error);
  return status;
}

vb_status vb_bench_floor_measure(vb_machine *machine, vb_timed_solver *timed, vb_bench_case *c,
                                 vb_error *error) {
  vb_bench_floor f = {.known = timed->solver->cost != NULL};
  if (c->device.there && !machine->device_rates)
    return VB_OK; // the host's rates say nothing of it
  if (f.known)
    timed->solver->cost(timed->instance, &f.bytes, &f.operations);
  f.known = f.known && isfinite(f.bytes) && isfinite(f.operations);
  vb_status status = find_rates(machine, c, &f, error);
  if (status)
    return status;
  f.time_s = fmax(f.bytes / f.copy_rate, f.operations / f.arithmetic_rate);
  c->floor = f;
  return VB_OK;
}
