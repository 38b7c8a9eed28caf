// SPDX-License-Identifier: GPL-3.0-or-later
// The least time of a step: what it must move and do, at the rates of this machine.
#include "bench/measure_case.h"

#include <math.h>

/// The words in use, or those that hold where the solver has no such option.
static const char *or_else(const char *text, const char *otherwise) {
  return text[0] ? text : otherwise;
}

/// The rates of the processors that the case's threads had.
static vb_status host_rates(vb_machine *machine, const vb_bench_settings *s, vb_bench_floor *f,
                            vb_error *error) {
  int threads = s->threads > 0 ? (int)s->threads : 1;
  f->arithmetic_rate =
      vb_machine_arithmetic_rate(machine, or_else(s->precision, "double"),
                                 or_else(s->instructions, machine->origin.instruction_set),
                                 or_else(s->arithmetic, machine->origin.floating_point), threads);
  // A state that fits in a cache is moved at the speed of that cache.
  return vb_machine_copy_rate(machine, f->known ? f->bytes : vb_machine_beyond_cache(machine),
                              threads, &f->copy_rate, error);
}

/// The rates of the device that the case ran on.
static vb_status device_rates(vb_machine *machine, const vb_bench_case *c, vb_bench_floor *f,
                              vb_error *error) {
  const vb_bench_settings *s = &c->settings;
  vb_status status = vb_machine_device_arithmetic_rate(
      machine, c->device.uuid, or_else(s->precision, "double"), or_else(s->arithmetic, "strict"),
      &f->arithmetic_rate, error);
  if (!status)
    status = vb_machine_device_copy_rate(machine, c->device.uuid, f->known ? f->bytes : INFINITY,
                                         &f->copy_rate, error);
  return status;
}

vb_status vb_bench_floor_measure(vb_machine *machine, vb_subject *subject, vb_bench_case *c,
                                 vb_error *error) {
  vb_bench_floor f = {.known = subject->solver->cost != NULL};
  if (c->device.there && !machine->device_rates)
    return VB_OK; // the host's rates say nothing of it
  if (f.known)
    subject->solver->cost(subject->instance, &f.bytes, &f.operations);
  f.known = f.known && isfinite(f.bytes) && isfinite(f.operations);
  vb_status status = c->device.there ? device_rates(machine, c, &f, error)
                                     : host_rates(machine, &c->settings, &f, error);
  if (status)
    return status;
  f.time_s = fmax(f.bytes / f.copy_rate, f.operations / f.arithmetic_rate);
  c->floor = f;
  return VB_OK;
}
