// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/count_kernels.h"

#include "bench/kernel_counts.h"
#include "bench/timed_solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Steps before those that are counted, and steps counted.
enum { FIRST_STEPS = 2, STEPS = 4, MOST_KERNELS = 256 };

const char *vb_bench_count_devices(void) {
  return vb_device_model_names();
}

/// Time of a kernel's launches [s]: the longest of what its longest block takes, of all blocks on
/// the multiprocessors, of all instructions on the schedulers, of shared memory, and of global
/// memory, whose sectors come from the second-level cache where it holds all that a step accesses.
static double modeled_time(const vb_kernel_count *k, const vb_device_model *d, double footprint) {
  double rate = footprint > (double)d->second ? d->memory_rate : d->second_rate;
  double resident = k->resident > 0 ? k->resident : 1;
  double cycles = fmax(k->path, k->of_blocks / (resident * d->multiprocessors));
  cycles = fmax(cycles, k->busy / (VB_SCHEDULERS * d->multiprocessors));
  cycles = fmax(cycles, (k->lines + k->waves) / d->multiprocessors);
  return k->launches * d->launch + k->grid_barriers * d->grid_barrier +
         fmax(cycles / d->clock, k->sectors * VB_SECTOR / rate);
}

static void divide(vb_kernel_count *k, double steps) {
  double *of_step[] = {&k->launches,      &k->longest,   &k->instructions, &k->barriers,
                       &k->grid_barriers, &k->sectors,   &k->lines,        &k->waves,
                       &k->path,          &k->of_blocks, &k->busy};
  for (size_t i = 0; i < sizeof of_step / sizeof *of_step; i++)
    *of_step[i] /= steps;
}

static void print_row(FILE *stream, const char *name, const vb_kernel_count *k, double seconds) {
  fprintf(stream, "  %-32.32s %7.4g %9.0f %10.0f %7.4g %7.4g %10.0f %10.0f %10.0f %9.0f", name,
          k->launches, k->longest, k->instructions, k->barriers, k->grid_barriers, k->sectors,
          k->lines, k->waves, k->path);
  if (k->block > 0 && k->registers > 0)
    fprintf(stream, " %5d %8d x %-4d %3d", k->registers, k->grid, k->block, k->resident);
  else if (k->block > 0) // PTX alone
    fprintf(stream, " %5s %8d x %-4d %3s", "-", k->grid, k->block, "-");
  else
    fprintf(stream, " %5s %15s %3s", "", "", "");
  fprintf(stream, " %8.1f\n", 1e6 * seconds);
}

static void print_table(FILE *stream, vb_kernel_count *k, size_t n, const vb_device_model *d) {
  double footprint = vb_kernel_counts_bytes() / STEPS;
  vb_kernel_count sum = {0};
  double seconds = 0;
  fprintf(stream, "  %-32s %7s %9s %10s %7s %7s %10s %10s %10s %9s %5s %15s %3s %8s\n", "kernel",
          "launch", "longest", "all", "barrier", "grid", "sectors", "lines", "waves", "cycles",
          "reg", "grid", "occ", "model us");
  for (size_t i = 0; i < n; i++) {
    divide(&k[i], STEPS);
    double time = modeled_time(&k[i], d, footprint);
    print_row(stream, k[i].name, &k[i], time);
    sum.launches += k[i].launches;
    sum.longest += k[i].longest;
    sum.instructions += k[i].instructions;
    sum.barriers += k[i].barriers;
    sum.grid_barriers += k[i].grid_barriers;
    sum.sectors += k[i].sectors;
    sum.lines += k[i].lines;
    sum.waves += k[i].waves;
    sum.path += k[i].path;
    seconds += time;
  }
  print_row(stream, "step", &sum, seconds);
}

/// The run's solver on the CPU in strict arithmetic, which has the same bits on every machine.
static vb_status open_on_cpu(const vb_run_plan *run, vb_timed_solver *out, vb_error *error) {
  vb_option *options = reallocarray(NULL, run->n_options + 2, sizeof *options);
  vb_run_plan plan = *run;
  if (!options)
    return vb_error_memory(error);
  plan.n_options = 0;
  for (size_t i = 0; i < run->n_options; i++)
    if (strcmp(run->options[i].name, "backend") != 0 &&
        strcmp(run->options[i].name, "arithmetic") != 0)
      options[plan.n_options++] = run->options[i];
  options[plan.n_options++] = (vb_option){"backend", "cpu"};
  options[plan.n_options++] = (vb_option){"arithmetic", "strict"};
  plan.options = options;
  vb_status status = vb_timed_solver_open(&plan, run->scene, out, error);
  free(options);
  return status;
}

/// Brings the timed solver to where the run's timed steps begin: the CPU is faster than an
/// emulator.
static vb_status bring_to_start(const vb_run_plan *run, vb_timed_solver *timed, vb_error *error) {
  vb_timing_window window;
  vb_timed_solver cpu = {0};
  if (run->bench.after == 0)
    return VB_OK;
  vb_status status = open_on_cpu(run, &cpu, error);
  if (!status)
    status = vb_timed_solver_advance(&cpu, run->bench.after, &window, error);
  if (!status && cpu.state_size != timed->state_size)
    status = vb_error_set(error, VB_FAILED, "the states of CPU and device differ in size");
  if (!status)
    status = vb_timed_solver_save(&cpu, error);
  if (!status)
    status = timed->solver->restore(timed->instance, cpu.state, error);
  timed->divergence = cpu.divergence;
  vb_timed_solver_close(&cpu);
  return status;
}

/// Counts one case, whose solver is open.
static vb_status count(FILE *stream, vb_timed_solver *timed, const vb_device_model *d,
                       vb_error *error) {
  vb_timing_window window;
  vb_kernel_count *counts = calloc(MOST_KERNELS, sizeof *counts);
  if (!counts)
    return vb_error_memory(error);
  vb_status status = vb_timed_solver_advance(timed, FIRST_STEPS, &window, error);
  vb_kernel_counts_reset();
  if (!status)
    status = vb_timed_solver_advance(timed, STEPS, &window, error);
  if (!status) {
    size_t n = vb_kernel_counts_read(counts, MOST_KERNELS);
    print_table(stream, counts, n < MOST_KERNELS ? n : MOST_KERNELS, d);
  }
  free(counts);
  return status;
}

static vb_status count_run(FILE *stream, const vb_run_plan *run, const vb_device_model *d,
                           vb_error *error) {
  vb_timed_solver timed = {0};
  vb_bench_settings settings = {0};
  vb_status status = vb_timed_solver_open(run, run->scene, &timed, error);
  if (!status)
    status = vb_timed_solver_settings(&timed, &settings, error);
  if (!status && strcmp(settings.backend, "cuda") != 0) {
    fprintf(stream, "\n%s: does not run on a device\n", run->name);
  } else if (!status) {
    fprintf(stream, "\n%s: %s, %s, %s, %lld iterations\n", run->name, settings.method,
            settings.precision, settings.arithmetic, (long long)settings.iterations);
    status = bring_to_start(run, &timed, error);
    if (!status && !timed.divergence.diverged)
      status = count(stream, &timed, d, error);
  }
  if (!status && timed.divergence.diverged)
    status = vb_error_set(error, VB_FAILED, "diverged: %s", timed.divergence.what);
  vb_timed_solver_close(&timed);
  if (status)
    vb_error_prefix(error, "case %s", run->name);
  fflush(stream);
  return status;
}

vb_status vb_bench_count(FILE *stream, const vb_study *study, const char *name, vb_error *error) {
  static vb_device_model device; // it must last
  const vb_device_model *d = &device;
  vb_status status = VB_OK;
  if (!vb_device_model_find(name, &device))
    return vb_bad_input(error, "--count \"%.40s\": the devices are %s; or a part, as H200/132",
                        name, vb_bench_count_devices());
  if (!vb_kernel_counts_read)
    return vb_error_set(error, VB_UNAVAILABLE,
                        "--count needs a program with an emulated device: \"make emulate\" builds "
                        "bin/viperbench-emulated, if nvcc is installed");
  vb_kernel_counts_device(d);
  fprintf(
      stream,
      "%s, in one step, emulated as %s: launches; instructions of the longest warp and of all; "
      "barriers of blocks and of the grid; sectors of global memory; its lines that are looked up; "
      "accesses of shared memory; cycles of the longest block; registers, blocks x threads, blocks "
      "on a multiprocessor (- in builds without machine code for a device); modeled time, which "
      "bench/README.md compares with measured ones\n",
      study->name, name);
  for (size_t i = 0; !status && i < study->n_runs; i++)
    status = count_run(stream, &study->runs[i], d, error);
  return status;
}
