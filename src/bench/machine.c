// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/machine.h"

#include "bench/rates.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef VIPER_CUDA
extern const vb_device_rates vb_device_rates_cuda; // device_rates.cu
#define DEVICE_RATES &vb_device_rates_cuda
#else
#define DEVICE_RATES NULL
#endif

/// How long the processors are watched, s.
static const double WATCHED_S = 0.2;

/// Ticks of all processors since the system began: all, and those spent at work.
static void read_ticks(double *all, double *busy) {
  unsigned long long t[8] = {0};
  FILE *file = fopen("/proc/stat", "r");
  *all = *busy = 0;
  if (!file)
    return;
  if (fscanf(file, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &t[0], &t[1], &t[2], &t[3], &t[4],
             &t[5], &t[6], &t[7]) == 8)
    for (int i = 0; i < 8; i++) {
      *all += (double)t[i];
      *busy += i == 3 || i == 4 ? 0 : (double)t[i]; // idle, and waiting for disks
    }
  fclose(file);
}

double vb_machine_busy(void) {
  double all[2], busy[2];
  struct timespec pause = {.tv_nsec = (long)(1e9 * WATCHED_S)};
  read_ticks(&all[0], &busy[0]);
  nanosleep(&pause, NULL);
  read_ticks(&all[1], &busy[1]);
  return all[1] > all[0] ? (busy[1] - busy[0]) / (all[1] - all[0]) : 0;
}

void vb_machine_open(vb_machine *out) {
  *out = (vb_machine){.device_rates = DEVICE_RATES};
  vb_provenance_collect(&out->origin);
  long cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
  if (cache <= 0)
    cache = sysconf(_SC_LEVEL2_CACHE_SIZE);
  out->last_cache = cache > 0 ? (double)cache : 0;
  out->busy = vb_machine_busy();
}

void vb_machine_close(vb_machine *machine) {
  vb_nvml_close(machine->nvml);
  machine->nvml = NULL;
}

const vb_nvml *vb_machine_nvml(vb_machine *machine, const char *uuid) {
  if (!machine->nvml && !machine->nvml_missing[0])
    machine->nvml = vb_nvml_open(uuid, machine->nvml_missing, sizeof machine->nvml_missing);
  machine->has_gpu = true;
  vb_nvml_describe(machine->nvml, &machine->gpu);
  return machine->nvml;
}

double vb_machine_beyond_cache(const vb_machine *machine) {
  // Some virtual machines tell of caches that they do not have.
  return fmin(fmax(4 * machine->last_cache, 64.0 * 1024 * 1024), 256.0 * 1024 * 1024);
}

/// The rate of that description, or the place for a new one; null where the list is full.
static vb_machine_rate *find(vb_machine *machine, const vb_machine_rate *wanted) {
  for (size_t i = 0; i < machine->n_rates; i++) {
    vb_machine_rate *r = &machine->rate[i];
    if (strcmp(r->what, wanted->what) == 0 && strcmp(r->precision, wanted->precision) == 0 &&
        strcmp(r->instructions, wanted->instructions) == 0 &&
        strcmp(r->arithmetic, wanted->arithmetic) == 0 && r->bytes == wanted->bytes &&
        r->threads == wanted->threads)
      return r;
  }
  if (machine->n_rates == VB_MAX_RATES)
    return NULL;
  vb_machine_rate *r = &machine->rate[machine->n_rates];
  *r = *wanted;
  return r;
}

/// Keeps a rate that `find` gave and that was measured, and tells it; NaN where there is no place.
static vb_status keep(vb_machine *machine, const vb_machine_rate *r, vb_status status,
                      double *out) {
  if (status)
    return status;
  machine->n_rates += r == &machine->rate[machine->n_rates];
  *out = r ? r->rate : NAN;
  return VB_OK;
}

/// Whether the rates of that device, or of the processors, can be measured.
static vb_status check_measurable(const vb_machine *machine, const char *uuid, vb_error *error) {
  return !uuid || machine->device_rates
             ? VB_OK
             : vb_error_set(error, VB_UNAVAILABLE, "this build cannot measure rates of devices");
}

vb_status vb_machine_copy_rate(vb_machine *machine, const char *uuid, double bytes, int threads,
                               double *out, vb_error *error) {
  double least = uuid ? 1 << 20 : 65536;
  double most = uuid ? 1 << 30 : exp2(ceil(log2(vb_machine_beyond_cache(machine))));
  vb_machine_rate wanted = {.what = "copy",
                            .bytes = fmin(exp2(ceil(log2(fmax(bytes, least)))), most),
                            .threads = uuid ? 0 : threads};
  vb_status status = check_measurable(machine, uuid, error);
  if (status)
    return status;
  snprintf(wanted.instructions, sizeof wanted.instructions, "%s", uuid ? "device" : "");
  vb_machine_rate *r = find(machine, &wanted);
  size_t size = (size_t)wanted.bytes; // half of which is copied to the other half
  if (r && r->rate == 0)
    status = uuid ? machine->device_rates->copies(uuid, size, &r->rate, error)
                  : vb_rate_of_copies(size / 2, threads, &r->rate, error);
  return keep(machine, r, status, out);
}

vb_status vb_machine_arithmetic_rate(vb_machine *machine, const char *uuid, const char *precision,
                                     const char *instructions, const char *arithmetic, int threads,
                                     double *out, vb_error *error) {
  vb_machine_rate wanted = {.what = "arithmetic", .threads = uuid ? 0 : threads};
  vb_status status = check_measurable(machine, uuid, error);
  if (status)
    return status;
  snprintf(wanted.precision, sizeof wanted.precision, "%s", precision);
  snprintf(wanted.instructions, sizeof wanted.instructions, "%s",
           uuid ? "device" : vb_rate_instructions(instructions));
  snprintf(wanted.arithmetic, sizeof wanted.arithmetic, "%s", arithmetic);
  vb_machine_rate *r = find(machine, &wanted);
  if (r && r->rate == 0 && uuid)
    status = machine->device_rates->arithmetic(uuid, strcmp(precision, "float") == 0,
                                               strcmp(arithmetic, "fast") == 0, &r->rate, error);
  else if (r && r->rate == 0)
    r->rate = vb_rate_of_arithmetic(r->precision, r->instructions, r->arithmetic, threads);
  return keep(machine, r, status, out);
}
