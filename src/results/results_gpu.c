// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/results_gpu.h"

#include <stdio.h>

void vb_results_write_gpu(vb_h5 *h5, hid_t group, const vb_gpu *gpu) {
  vb_h5_text(h5, group, "name", gpu->name, "name of the GPU");
  vb_h5_text(h5, group, "uuid", gpu->uuid, "its UUID");
  vb_h5_text(h5, group, "driver", gpu->driver, "version of its driver; empty: not told");
  vb_h5_text(h5, group, "ecc", gpu->ecc, "correction of memory errors: on, off; empty: none");
  vb_h5_number(h5, group, "power_limit", gpu->power_limit_w, "W", "power limit in force");
  vb_h5_number(h5, group, "most_sm_clock", gpu->most_sm_clock, "Hz",
               "highest clock of the multiprocessors");
  vb_h5_number(h5, group, "most_memory_clock", gpu->most_mem_clock, "Hz",
               "highest clock of the memory");
}

void vb_results_write_device(vb_h5 *h5, hid_t file, const vb_solver *solver, void *instance) {
  vb_device device = {0};
  vb_gpu gpu;
  vb_gpu_state state;
  char why[200];
  if (h5->status || !solver->device)
    return;
  h5->status = solver->device(instance, &device, h5->error);
  if (h5->status || !device.name[0])
    return;
  vb_nvml *nvml = vb_nvml_open(device.uuid, why, sizeof why);
  vb_nvml_describe(nvml, &gpu);
  vb_nvml_read(nvml, &state);
  vb_nvml_close(nvml);
  // The solver knows these two without NVML, too.
  snprintf(gpu.name, sizeof gpu.name, "%s", device.name);
  snprintf(gpu.uuid, sizeof gpu.uuid, "%s", device.uuid);
  hid_t group = vb_h5_group(h5, file, "provenance/gpu");
  vb_results_write_gpu(h5, group, &gpu);
  vb_h5_number(h5, group, "sm_clock", state.sm_clock, "Hz",
               "clock of the multiprocessors when the file was begun");
  vb_h5_number(h5, group, "memory_clock", state.mem_clock, "Hz", "clock of the memory then");
  vb_h5_release(group);
}
