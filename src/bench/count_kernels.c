// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/count_kernels.h"

#include "bench/kernel_counts.h"
#include "bench/timed_solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Devices by their makers' data sheets: multiprocessors, clock [Hz], bandwidth [byte/s], and bytes
/// of shared memory that a block may ask for.
typedef struct device {
  const char *name;
  int multiprocessors, threads;
  size_t shared;
  double clock, bandwidth;
} device;

static const device devices[] = {{"H200", 132, 2048, 232448, 1.98e9, 4.8e12},
                                 {"H100", 132, 2048, 232448, 1.98e9, 3.35e12},
                                 {"RTX-4090", 128, 1536, 101376, 2.52e9, 1.008e12},
                                 {"GTX-1080", 20, 2048, 49152, 1.733e9, 3.2e11}};
enum { N_DEVICES = sizeof devices / sizeof *devices };

/// The model: a warp's instructions wait for each other, launches and barriers of the grid cost the
/// same each, a multiprocessor begins at most so many instructions in a cycle. No device has
/// confirmed these numbers.
static const double CYCLES_OF_INSTRUCTION = 3.3, LAUNCH_S = 1.5e-6, INSTRUCTIONS_OF_CYCLE = 4;

/// Steps before those that are counted, and steps counted.
enum { FIRST_STEPS = 2, STEPS = 4, MOST_KERNELS = 256 };

const char *vb_bench_count_devices(void) {
  return "H200, H100, RTX-4090, GTX-1080";
}

static vb_status find_device(const char *name, const device **out, vb_error *error) {
  for (size_t i = 0; i < N_DEVICES; i++)
    if (strcmp(devices[i].name, name) == 0) {
      *out = &devices[i];
      return VB_OK;
    }
  return vb_bad_input(error, "--count \"%.40s\": the devices are %s", name,
                      vb_bench_count_devices());
}

/// Time of a kernel's launches [s]: the longest of its longest warp, all warps' instructions, and
/// its memory.
static double modeled_time(const vb_kernel_count *k, const device *d) {
  double warp = k->longest * CYCLES_OF_INSTRUCTION / d->clock;
  double all = k->instructions / (d->clock * INSTRUCTIONS_OF_CYCLE * d->multiprocessors);
  double memory = k->global_bytes / d->bandwidth;
  return (k->launches + k->grid_barriers) * LAUNCH_S + fmax(warp, fmax(all, memory));
}

static void divide(vb_kernel_count *k, double steps) {
  double *of_step[] = {&k->launches,      &k->longest,      &k->instructions, &k->barriers,
                       &k->grid_barriers, &k->global_bytes, &k->shared_bytes};
  for (size_t i = 0; i < sizeof of_step / sizeof *of_step; i++)
    *of_step[i] /= steps;
}

static void print_row(FILE *stream, const char *name, const vb_kernel_count *k, double seconds) {
  fprintf(stream, "  %-32.32s %7.4g %9.0f %10.0f %7.4g %7.4g %10.0f %10.0f", name, k->launches,
          k->longest, k->instructions, k->barriers, k->grid_barriers, k->global_bytes,
          k->shared_bytes);
  if (k->block > 0 && k->registers > 0)
    fprintf(stream, " %5d %8d x %-4d %3d", k->registers, k->grid, k->block, k->resident);
  else if (k->block > 0) // PTX alone
    fprintf(stream, " %5s %8d x %-4d %3s", "-", k->grid, k->block, "-");
  else
    fprintf(stream, " %5s %15s %3s", "", "", "");
  fprintf(stream, " %8.1f\n", 1e6 * seconds);
}

static void print_table(FILE *stream, vb_kernel_count *k, size_t n, const device *d) {
  vb_kernel_count sum = {0};
  double seconds = 0;
  fprintf(stream, "  %-32s %7s %9s %10s %7s %7s %10s %10s %5s %15s %3s %8s\n", "kernel", "launch",
          "longest", "all", "barrier", "grid", "global B", "shared B", "reg", "grid", "occ",
          "model us");
  for (size_t i = 0; i < n; i++) {
    divide(&k[i], STEPS);
    double time = modeled_time(&k[i], d);
    print_row(stream, k[i].name, &k[i], time);
    sum.launches += k[i].launches;
    sum.longest += k[i].longest;
    sum.instructions += k[i].instructions;
    sum.barriers += k[i].barriers;
    sum.grid_barriers += k[i].grid_barriers;
    sum.global_bytes += k[i].global_bytes;
    sum.shared_bytes += k[i].shared_bytes;
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
    status = vb_error_set(error, VB_FAILED, "the CPU's state does not fit the device's");
  if (!status)
    status = vb_timed_solver_save(&cpu, error);
  if (!status)
    status = timed->solver->restore(timed->instance, cpu.state, error);
  timed->divergence = cpu.divergence;
  vb_timed_solver_close(&cpu);
  return status;
}

/// Counts one case, whose solver is open.
static vb_status count(FILE *stream, vb_timed_solver *timed, const device *d, vb_error *error) {
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

static vb_status count_run(FILE *stream, const vb_run_plan *run, const device *d, vb_error *error) {
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
  const device *d;
  vb_status status = find_device(name, &d, error);
  if (!status && !vb_kernel_counts_read)
    status = vb_error_set(error, VB_UNAVAILABLE,
                          "only a program with an emulated device counts what kernels do: \"make "
                          "emulate\" builds bin/viperbench-emulated, where there is nvcc");
  if (status)
    return status;
  vb_kernel_counts_device(d->multiprocessors, d->threads, d->shared);
  fprintf(stream,
          "%s, in one step, emulated as %s: launches; instructions of the longest warp and of all; "
          "barriers of blocks and of the grid; bytes; registers, blocks x threads, blocks on a "
          "multiprocessor (- in builds without machine code for a device); time by a model that no "
          "device has confirmed\n",
          study->name, d->name);
  for (size_t i = 0; !status && i < study->n_runs; i++)
    status = count_run(stream, &study->runs[i], d, error);
  return status;
}
