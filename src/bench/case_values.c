// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/case_values.h"

#include "bench/nvml.h"
#include "scene/material.h"
#include "solver/table.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/// A list under way; `full` is set once memory is out.
typedef struct gathering {
  vb_case_values *facts;
  bool out_of_memory;
} gathering;

static vb_case_value *add(gathering *g, const char *name, const char *unit, const char *long_name) {
  assert(g->facts->n < VB_MAX_CASE_VALUES);
  vb_case_value *fact = &g->facts->fact[g->facts->n++];
  *fact = (vb_case_value){.name = name, .unit = unit, .long_name = long_name};
  return fact;
}

static void text(gathering *g, const char *name, const char *value, const char *long_name) {
  add(g, name, NULL, long_name)->text = value;
}

static void number(gathering *g, const char *name, double value, const char *unit,
                   const char *long_name) {
  add(g, name, unit, long_name)->number = value;
}

/// A list of `n` numbers, which are to be filled in; null where memory is out.
static double *list(gathering *g, const char *name, size_t n, const char *unit,
                    const char *long_name) {
  vb_case_value *fact = add(g, name, unit, long_name);
  fact->n = n;
  fact->list = calloc(n + 1, sizeof *fact->list);
  if (!fact->list)
    g->out_of_memory = true;
  return fact->list;
}

static void copied(gathering *g, const char *name, const double *values, size_t n, const char *unit,
                   const char *long_name) {
  double *out = list(g, name, n, unit, long_name);
  if (out && n > 0)
    memcpy(out, values, n * sizeof *out);
}

static void add_identity(gathering *g, const vb_bench_case *c) {
  const vb_bench_settings *s = &c->settings;
  const vb_solver *solver;
  vb_solver_origin origin;
  text(g, "label", c->run->label, "name of the case in plots");
  text(g, "scene_sha256", c->scene_sha256, "SHA-256 of the frozen scene");
  text(g, "parameters", c->run->parameters, "resolved parameters, JSON");
  text(g, "solver", c->run->solver, "name of the solver");
  if (!vb_solver_find(c->run->solver, &solver, NULL) && vb_solver_find_origin(solver, &origin) &&
      origin.sha256)
    text(g, "plugin_sha256", origin.sha256, "SHA-256 of the solver's file");
  vb_moduli moduli = vb_moduli_of(c->run->scene);
  text(g, "material/model", vb_material_models_of(c->run->scene), "material model of the segments");
  number(g, "material/young", moduli.young[0], "Pa", "least Young's modulus of the segments");
  number(g, "material/young_greatest", moduli.young[1], "Pa", "greatest");
  number(g, "material/bending", moduli.bending[0], "Pa",
         "least modulus in bending: bending stiffness over second moment of area");
  number(g, "material/bending_greatest", moduli.bending[1], "Pa", "greatest");
  text(g, "method", s->method, "method in use");
  text(g, "backend", s->backend, "where the solver ran, or empty");
  text(g, "precision", s->precision, "precision in use");
  text(g, "arithmetic", s->arithmetic, "floating-point mode in use");
  text(g, "instructions", s->instructions, "instruction set in use");
  number(g, "iterations", (double)s->iterations, "1", "iterations in a substep");
  number(g, "substeps", (double)s->substeps, "1", "substeps in a step");
  number(g, "threads", (double)s->threads, "1", "threads of the solver");
  number(g, "dofs", (double)c->dofs, "1", "degrees of freedom, pinned ones left out");
  number(g, "nodes", (double)c->nodes, "1", "nodes");
  number(g, "bodies", (double)c->bodies, "1", "bodies");
  number(g, "memory", c->memory > 0 ? c->memory : NAN, "byte", "memory that the solver allocated");
}

static void add_windows(gathering *g, const vb_bench_case *c) {
  size_t n = c->n_windows;
  double *wall = list(g, "windows/wall_time", n, "s", "wall time of each timed window");
  double *cpu = list(g, "windows/cpu_time", n, "s", "processor time of all threads in it");
  double *switches = list(g, "windows/switches", n, "1", "involuntary context switches");
  double *valid =
      list(g, "windows/valid", n, "1", "1 where it did not diverge and ended as the first");
  double *marked = list(g, "windows/marked", n, "1",
                        "1 where it took too long, or the device's clock was low or throttled");
  double *warm = list(g, "warm_up/wall_time", c->n_warm, "s", "wall time of the warm-up's windows");
  if (g->out_of_memory)
    return;
  for (size_t i = 0; i < n; i++) {
    wall[i] = c->windows[i].wall_s;
    cpu[i] = c->windows[i].cpu_s;
    switches[i] = (double)c->windows[i].switches;
    valid[i] = c->windows[i].valid;
    marked[i] = vb_bench_is_marked(c, i);
  }
  for (size_t i = 0; i < c->n_warm; i++)
    warm[i] = c->warm[i].wall_s;
  number(g, "warm_up/settled", c->settled, "1", "1 where its last three windows agree");
  number(g, "steps", (double)c->steps, "1", "steps in a window");
  number(g, "after", (double)c->run->bench.after, "1",
         "steps before the state where windows begin");
  number(g, "skins", c->run->bench.moves_skin, "1", "1 where steps moved the surfaces, too");
  text(g, "stop_reason", vb_stop_word(c->stop), "why sampling ended");
  text(g, "remark", vb_bench_remark(c), "remark on the case, or empty");
  text(g, "diverged_what", c->divergence.what, "what blew up, or empty");
}

static void add_speed(gathering *g, const vb_bench_case *c) {
  bool timed = vb_bench_has_time(c);
  double step = timed ? c->step_s.median : NAN, rate = vb_bench_dof_hz(c);
  double sweeps = (double)(c->settings.iterations * c->settings.substeps);
  number(g, "speed/step_time", step, "s", "median time of a step over the valid windows");
  number(g, "speed/step_time_low", timed ? c->step_s.low : NAN, "s",
         "low end of its 95 % interval");
  number(g, "speed/step_time_high", timed ? c->step_s.high : NAN, "s", "high end");
  number(g, "speed/autocorrelation", c->step_s.autocorrelation, "1", "of a window with the next");
  number(g, "speed/dof_hz", rate, "s-1", "degrees of freedom times steps per second");
  number(g, "speed/dof_iterations_hz", rate * sweeps, "s-1",
         "that times iterations and substeps of a step");
  number(g, "speed/real_time_factor", vb_bench_real_time(c), "1", "simulated over wall time");
  copied(g, "single/wall_time", c->single_s, c->n_single, "s", "single steps, each timed alone");
  number(g, "single/p50", vb_quantile(c->single_s, c->n_single, 0.5), "s", "their median");
  number(g, "single/p95", vb_quantile(c->single_s, c->n_single, 0.95), "s", "95th percentile");
  number(g, "single/p99", vb_quantile(c->single_s, c->n_single, 0.99), "s", "99th percentile");
}

static void add_accuracy(gathering *g, const vb_bench_case *c) {
  const vb_bench_accuracy *a = &c->accuracy;
  number(g, "residual/final", c->residual, "1", "residual at the end of the timed window");
  number(g, "residual/greatest", c->greatest_residual, "1", "greatest of its recorded steps");
  number(g, "residual/repeated", c->repeated, "1",
         "1 where going through the window again ended in the same state");
  number(g, "distance/final", c->distance, "m",
         "distance of the window's end from the minimizer of its last step");
  number(g, "distance/motion", c->motion, "m", "motion of the farthest node in that step");
  number(g, "distance/unsolved", vb_bench_unsolved(c), "1", "the former over the latter");
  number(g, "gates_passed", c->gates_passed, "1", "1 where the window passed all its gates");
  if (!c->run->bench.accuracy)
    return;
  text(g, "accuracy/start", a->start, "case whose state the step starts from; empty: the scene's");
  copied(g, "accuracy/iterations", a->iterations, a->n, "1", "iterations of the step");
  copied(g, "accuracy/wall_time", a->wall_s, a->n, "s", "median time of that step");
  copied(g, "accuracy/residual", a->residual, a->n, "1", "residual after it");
  copied(g, "accuracy/target", vb_bench_target, VB_BENCH_TARGETS, "1", "residuals asked for");
  copied(g, "accuracy/time", a->time_s, VB_BENCH_TARGETS, "s",
         "time of the quickest step below that residual");
}

static void add_floor(gathering *g, const vb_bench_case *c) {
  const vb_bench_floor *f = &c->floor;
  if (!f->known)
    return;
  number(g, "floor/bytes", f->bytes, "byte", "least bytes that a step must move");
  number(g, "floor/operations", f->operations, "1", "least operations that a step must do");
  number(g, "floor/copy_rate", f->copy_rate, "byte s-1", "bytes this machine reads and writes");
  number(g, "floor/arithmetic_rate", f->arithmetic_rate, "s-1", "operations this machine does");
  number(g, "floor/time", f->time_s, "s", "least time of a step: the longer of the two");
  number(g, "floor/multiple", vb_bench_has_speed(c) ? c->step_s.median / f->time_s : NAN, "1",
         "time of a step over the least one");
}

/// What the device says of each window.
static void add_device_windows(gathering *g, const vb_bench_case *c) {
  size_t n = c->n_windows;
  double *time = list(g, "windows/device_time", n, "s", "time of it by the device's clock");
  double *clock = list(g, "windows/sm_clock", n, "Hz", "clock of the multiprocessors at its end");
  double *throttle =
      list(g, "windows/throttle", n, "1", "NVML's bits of reasons why that clock is lowered");
  if (g->out_of_memory)
    return;
  for (size_t i = 0; i < n; i++) {
    time[i] = c->windows[i].device_s;
    clock[i] = c->windows[i].sm_clock;
    throttle[i] = (double)c->windows[i].throttle;
  }
}

static void add_device(gathering *g, const vb_bench_case *c) {
  const vb_bench_device *d = &c->device;
  if (!d->there)
    return;
  bool timed = vb_bench_has_time(c);
  double energy = timed && d->energy_by ? d->energy_j : NAN;
  add_device_windows(g, c);
  vb_throttle_words(d->throttle, g->facts->throttle, sizeof g->facts->throttle);
  text(g, "device/name", d->name, "device that the steps ran on");
  text(g, "device/uuid", d->uuid, "its UUID");
  text(g, "device/throttle", g->facts->throttle, "why its clock was lowered in any window");
  number(g, "device/sm_clock", d->sm_clock, "Hz", "median clock of its multiprocessors");
  number(g, "device/step_time", timed ? d->step_s.median : NAN, "s",
         "median time of a step by the device's clock");
  number(g, "device/step_time_low", timed ? d->step_s.low : NAN, "s",
         "low end of its 95 % interval");
  number(g, "device/step_time_high", timed ? d->step_s.high : NAN, "s", "high end");
  number(g, "device/energy", energy, "J", "energy of a step");
  number(g, "device/energy_per_dof", energy / (double)c->dofs, "J", "that over degrees of freedom");
  text(g, "device/energy_by", d->energy_by ? d->energy_by : "",
       "counter: by the device's counter of energy; power: by its power");
  text(g, "device/launch", d->launch, "how kernels start: graph or stream");
  text(g, "device/other_launch", d->other_launch, "the other launch mode, or empty");
  if (!d->other_launch[0])
    return;
  number(g, "device/other_wall_step_time", d->other_wall_s.median, "s",
         "median wall time of a step in the other launch mode");
  number(g, "device/other_step_time", d->other_step_s.median, "s",
         "the same by the device's clock");
  number(g, "device/other_repeated", d->other_repeated, "1", "1 where it ended in the same state");
}

vb_status vb_case_values_collect(const vb_bench_case *c, vb_case_values *out, vb_error *error) {
  gathering g = {.facts = out};
  out->n = 0;
  add_identity(&g, c);
  add_windows(&g, c);
  add_speed(&g, c);
  add_accuracy(&g, c);
  add_floor(&g, c);
  add_device(&g, c);
  return g.out_of_memory ? vb_error_memory(error) : VB_OK;
}

void vb_case_values_free(vb_case_values *facts) {
  for (size_t i = 0; i < facts->n; i++)
    free(facts->fact[i].list);
  facts->n = 0;
}
