// SPDX-License-Identifier: GPL-3.0-or-later
/// A scene in managed memory of a device, which the host lays out and reads: for phases_*_real.cu.
#ifndef VB_TESTS_SUPPORT_PHASES_MANAGED_HPP
#define VB_TESTS_SUPPORT_PHASES_MANAGED_HPP

#include "cuda/phases.h"
#include "viper/cuda/core/device.h"
#include "viper/cuda/core/host.h"

#include <cstring>
#include <cuda_runtime_api.h>

namespace {

/// Managed memory, freed together: a few blocks.
class phases_memory {
public:
  ~phases_memory() {
    for (int k = 0; k < n_; k++)
      cudaFree(block_[k]);
  }

  /// Room for `n` elements, all bits 0; null where there is none.
  template <typename T> T *take(size_t n) {
    void *block = nullptr;
    if (n_ == MOST)
      code = cudaErrorMemoryAllocation;
    if (!code)
      code = cudaMallocManaged(&block, n * sizeof(T) + 64);
    if (block) {
      memset(block, 0, n * sizeof(T) + 64);
      block_[n_++] = block;
    }
    return static_cast<T *>(block);
  }

  cudaError_t code = cudaSuccess;

private:
  enum { MOST = 16 };
  void *block_[MOST];
  int n_ = 0;
};

/// The scene of a job, in its state and with pins where they are held at the end of the substep.
/// Where there is no room, memory.code tells.
struct phases_scene {
  explicit phases_scene(const phases_job *of) : job(of) {
    double damping = vb_scene_world(job->model->scene)->damping;
    advance = viper_advance_of(&job->settings, 0, job->h, damping);
    if (api->create(job->model, job->body_groups, &job->settings, &device_model, nullptr)) {
      memory.code = cudaErrorMemoryAllocation;
      return;
    }
    viper_block_bytes bytes = viper_device_model_count(device_model);
    char *rest = memory.take<char>(bytes.rest);
    state = memory.take<char>(bytes.room);
    if (memory.code)
      return;
    device =
        static_cast<const viper_device *>(viper_device_model_lay(device_model, rest, rest, state));
    api->put(device_model, job->state, reinterpret_cast<char *>(device->control));
    if (api->moving(device_model) > 0)
      api->move(device_model, job->time, job->h,
                viper_advance_work_from(&advance, job->time, job->h),
                reinterpret_cast<char *>(const_cast<viper_real *>(device->bound_value)));
  }
  ~phases_scene() { viper_device_model_destroy(device_model); }

  /// Waits for the device, and reads the state.
  int get() const {
    int code = cudaDeviceSynchronize();
    if (!code)
      api->get(device_model, state, job->state);
    return code;
  }

  const phases_job *job;
  const viper_upload_api *api = &VIPER_NAME(viper_upload);
  phases_memory memory;
  viper_device_model *device_model = nullptr;
  char *state = nullptr;
  const viper_device *device = nullptr;
  viper_advance advance; ///< of the substep
};

} // namespace

#endif
