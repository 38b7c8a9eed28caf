// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/results_internal.h"

void vb_results_write_gpu(vb_h5 *h5, hid_t group, const vb_gpu *gpu) {
  vb_h5_text(h5, group, "name", gpu->name, "name of the GPU");
  vb_h5_text(h5, group, "uuid", gpu->uuid, "its UUID");
  vb_h5_text(h5, group, "driver", gpu->driver, "version of its driver; empty: not available");
  vb_h5_text(h5, group, "ecc", gpu->ecc, "correction of memory errors: on, off; empty: none");
  vb_h5_number(h5, group, "power_limit", gpu->power_limit_w, "W", "power limit in force");
  vb_h5_number(h5, group, "most_sm_clock", gpu->most_sm_clock, "Hz",
               "highest clock of the multiprocessors");
  vb_h5_number(h5, group, "most_memory_clock", gpu->most_mem_clock, "Hz",
               "highest clock of the memory");
}

void vb_results_write_device(vb_h5 *h5, hid_t file, const vb_gpu_record *gpu) {
  hid_t group = vb_h5_group(h5, file, "provenance/gpu");
  vb_results_write_gpu(h5, group, &gpu->gpu);
  vb_h5_number(h5, group, "sm_clock", gpu->sm_clock, "Hz",
               "clock of the multiprocessors when the file was begun");
  vb_h5_number(h5, group, "memory_clock", gpu->mem_clock, "Hz", "clock of the memory then");
  vb_h5_release(group);
}
