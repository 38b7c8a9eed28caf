// SPDX-License-Identifier: GPL-3.0-or-later
/// The kernel that moves bundles. Compiled once per precision and arithmetic, for every
/// architecture.
#include "viper/cuda/bundle/phases.h"

/// Threads of a block: each may have 255 registers.
#define BLOCK 256

namespace {

/// One block, or a cooperative grid. In double in any precision, as on the CPU: a fit is a sum over
/// a cross-section, and what it moves may be less than a rounding error of where it is.
__global__ void __launch_bounds__(BLOCK, 1)
    bundles_in_double(const __grid_constant__ viper_device device,
                      const __grid_constant__ viper_bundle_device bundles, int pass) {
  viper_coop_thread thread =
      viper_coop_thread_of_launch(gridDim.x > 1 ? VIPER_SYNC_DEVICE : VIPER_SYNC_BLOCK);
  viper_bundle_pass_thread(&device, &bundles, pass, &thread);
}

int prepare(int *blocks) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)bundles_in_double,
                                                       BLOCK, 0);
}

int pass(const void *device, const void *bundles, const void *bodies, int pass, int blocks,
         void *stream) {
  viper_device d = *(const viper_device *)device;
  viper_bundle_device b = *(const viper_bundle_device *)bundles;
  b.bodies = *(const viper_contact_device *)bodies;
  void *arguments[] = {&d, &b, &pass};
  const void *kernel = (const void *)bundles_in_double;
  if (blocks == 1)
    return cudaLaunchKernel(kernel, dim3(1), dim3(BLOCK), arguments, 0, (cudaStream_t)stream);
  return cudaLaunchCooperativeKernel(kernel, dim3((unsigned)blocks), dim3(BLOCK), arguments, 0,
                                     (cudaStream_t)stream);
}

} // namespace

extern "C" const viper_bundle_kernels VIPER_KERNELS(viper_bundle_kernels) = {prepare, pass, BLOCK};
