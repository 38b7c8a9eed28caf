// SPDX-License-Identifier: GPL-3.0-or-later
/// The kernels that move a surface. Compiled once per precision and arithmetic, for every
/// architecture.
#include "viper/cuda/skin/device.h"

#define BLOCK 128

namespace {

__device__ int32_t first_element() {
  return (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
}

template <viper_skin_phase PHASE>
__global__ void __launch_bounds__(BLOCK) move_surface(const __grid_constant__ viper_skin_device s) {
  int32_t i = first_element();
  if (i < viper_skin_elements(&s, PHASE))
    viper_skin_element(&s, PHASE, i);
}

/// Fits of bundles, in double.
__global__ void __launch_bounds__(BLOCK) fit_bundles(const __grid_constant__ viper_skin_device s) {
  int32_t i = first_element();
  if (i < s.n_bundles)
    viper_skin_place_bundle(&s, i);
}

/// Sums of the volume, in double.
template <viper_skin_phase PHASE>
__global__ void __launch_bounds__(BLOCK) add_volume(const __grid_constant__ viper_skin_device s) {
  int32_t i = first_element();
  if (i < viper_skin_elements(&s, PHASE))
    viper_skin_element(&s, PHASE, i);
}

typedef void kernel(const viper_skin_device);

/// In the order of viper_skin_phase.
kernel *const kernel_of[VIPER_SKIN_PHASES] = {
    move_surface<VIPER_SKIN_CARRIERS>, fit_bundles,
    move_surface<VIPER_SKIN_VERTICES>, add_volume<VIPER_SKIN_TRIANGLES>,
    add_volume<VIPER_SKIN_SUM_SUMS>,   add_volume<VIPER_SKIN_VOLUME>,
};

int run(const void *skin, viper_skin_phase phase, void *stream) {
  viper_skin_device s = *(const viper_skin_device *)skin;
  int32_t n = viper_skin_elements(&s, phase);
  if (n == 0)
    return cudaSuccess;
  void *arguments[] = {&s};
  return cudaLaunchKernel((const void *)kernel_of[phase], dim3((unsigned)(n + BLOCK - 1) / BLOCK),
                          dim3(BLOCK), arguments, 0, (cudaStream_t)stream);
}

} // namespace

extern "C" const viper_skin_kernels VIPER_KERNELS(viper_skin_kernels) = {run};
