// SPDX-License-Identifier: GPL-3.0-or-later
/// The kernels. Compiled once per precision and arithmetic, for every architecture.

// solid_real.cu compiles them with segments of the material model solid.
#ifndef VIPER_WITH_SOLID
#define viper_these viper_kernels
#endif

#include "viper/cuda/core/host.h"

#include "viper/cuda/core/substep.h"

/// Threads of a block at most, and blocks that a multiprocessor must have registers for.
#define BLOCK_MOST  128
#define BLOCK_LEAST (VIPER_PRECISION == 32 && !VIPER_WITH_SOLID ? 3 : 2)
/// Of the grid's kernels: what assembles submatrices takes more registers.
#define DEVICE_LEAST(method) ((method) == VIPER_DIRECT ? 2 : BLOCK_LEAST)

namespace {

/// A substep of a body. Kernels that are compiled with the material model solid call its beginning
/// and its end: compilers take minutes over them. In the others that would be 4 % of all
/// instructions.
template <viper_method METHOD, bool STATIC>
__device__ __forceinline__ void substep_of_body(viper_access *w, const viper_launch *launch) {
  if (VIPER_WITH_SOLID)
    viper_predict_called<STATIC>(viper_call_on(w));
  else
    viper_predict(w);
  viper_iterate<METHOD>(w, &launch->settings);
  if (VIPER_WITH_SOLID)
    viper_leave_called<STATIC>(viper_call_on(w), launch->rate);
  else
    viper_leave(w, launch->rate);
}

/// A body that fits: `coop_size` threads compute its whole substep in shared memory.
template <viper_method METHOD, bool STATIC>
__global__ void __launch_bounds__(BLOCK_MOST, BLOCK_LEAST)
    substep_of_coops(const __grid_constant__ viper_device device,
                     const __grid_constant__ viper_launch launch, const int32_t *bodies,
                     int32_t n_bodies, int32_t coop_size, int32_t n_workspace) {
  extern __shared__ double2 memory[];
  if (device.control->stopped)
    return;
  int32_t coops = (int32_t)blockDim.x / coop_size, coop = (int32_t)threadIdx.x / coop_size;
  viper_access w;
  w.device = &device;
  w.launch = &launch;
  w.h = launch.h;
  w.thread = viper_coop_thread_of_group(coop_size);
  w.submatrices = false;
  w.is_static = STATIC;
  w.second = w.frames_held = false;
  w.part = VIPER_R(1);
  viper_real *workspace = (viper_real *)memory + (size_t)coop * (size_t)n_workspace;
  for (int32_t k = (int32_t)blockIdx.x * coops + coop; k < n_bodies;
       k += (int32_t)gridDim.x * coops) {
    const viper_device_body body = device.body[bodies[k]];
    const viper_device_body_group group = device.group[body.group];
    w.body = VIPER_WITH_SOLID ? &device.body[bodies[k]] : &body;
    w.model = viper_traits(METHOD) & VIPER_FACTORS ? &device.group[w.body->group] : &group;
    w.adjacency = &w.model->adjacency;
    w.workspace = viper_workspace_at(METHOD, workspace, viper_workspace_size_of(w.model));
    substep_of_body<METHOD, STATIC>(&w, &launch);
  }
}

/// Larger bodies, one after the other: the whole grid works on each, in the device's memory.
template <viper_method METHOD, bool STATIC>
__global__ void __launch_bounds__(BLOCK_MOST, DEVICE_LEAST(METHOD))
    substep_of_device(const __grid_constant__ viper_device device,
                      const __grid_constant__ viper_launch launch, const int32_t *bodies,
                      int32_t n_bodies, viper_real *workspace) {
  if (device.control->stopped)
    return;
  viper_access w;
  w.device = &device;
  w.launch = &launch;
  w.h = launch.h;
  w.thread = viper_coop_thread_of_launch(VIPER_SYNC_DEVICE);
  w.submatrices = true;
  w.is_static = STATIC;
  w.second = w.frames_held = false;
  w.part = VIPER_R(1);
  for (int32_t k = 0; k < n_bodies; k++) {
    w.body = &device.body[bodies[k]];
    w.model = &device.group[w.body->group];
    w.adjacency = &w.model->adjacency;
    w.workspace = viper_workspace_at(METHOD, workspace, viper_workspace_size_of(w.model));
    substep_of_body<METHOD, STATIC>(&w, &launch);
  }
}

/// After all bodies: one block.
__global__ void __launch_bounds__(128)
    end_substep(const __grid_constant__ viper_device device, bool last) {
  bool stopped = device.control->stopped;
  for (int32_t k = (int32_t)threadIdx.x; !stopped && k < device.n_slots; k += (int32_t)blockDim.x)
    viper_add_work(&device, k);
  __syncthreads();
  if (threadIdx.x == 0 && !stopped)
    viper_end_substep(device.control, last);
}

typedef void coops_kernel(const viper_device, const viper_launch, const int32_t *, int32_t, int32_t,
                          int32_t);
typedef void device_kernel(const viper_device, const viper_launch, const int32_t *, int32_t,
                           viper_real *);

template <viper_method METHOD, bool STATIC> constexpr coops_kernel *coops_kernel_or_none() {
  if constexpr (viper_has_kernel(METHOD, STATIC))
    return substep_of_coops<METHOD, STATIC>;
  return nullptr;
}

template <viper_method METHOD, bool STATIC> constexpr device_kernel *device_kernel_or_none() {
  if constexpr (viper_has_kernel(METHOD, STATIC))
    return substep_of_device<METHOD, STATIC>;
  return nullptr;
}

coops_kernel *coops_kernel_of(viper_method method, bool is_static) {
#define KERNEL(name, NAME, word, traits, cost, text)                                               \
  {coops_kernel_or_none<VIPER_##NAME, false>(), coops_kernel_or_none<VIPER_##NAME, true>()},
  static coops_kernel *const kernels[][2] = {VIPER_METHODS(KERNEL)};
#undef KERNEL
  return kernels[method][is_static];
}

device_kernel *device_kernel_of(viper_method method, bool is_static) {
#define KERNEL(name, NAME, word, traits, cost, text)                                               \
  {device_kernel_or_none<VIPER_##NAME, false>(), device_kernel_or_none<VIPER_##NAME, true>()},
  static device_kernel *const kernels[][2] = {VIPER_METHODS(KERNEL)};
#undef KERNEL
  return kernels[method][is_static];
}

int prepare(viper_method method, bool is_static, size_t shared_of_block, int *threads,
            int *device_blocks) {
  coops_kernel *kernel = coops_kernel_of(method, is_static);
  cudaError_t status = cudaFuncSetAttribute(
      (const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared_of_block);
  int blocks = 0;
  if (!status)
    status =
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)kernel, VIPER_WARP, 0);
  *threads = blocks * VIPER_WARP;
  if (!status)
    status = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        device_blocks, (const void *)device_kernel_of(method, is_static), BLOCK_MOST, 0);
  return status;
}

int substep(const void *device, const viper_settings *settings, const viper_advance *advance,
            const viper_coop_class *coop, int n_blocks, const int32_t *bodies, void *workspace,
            void *stream) {
  viper_device d = *(const viper_device *)device;
  viper_launch launch = viper_launch_of(settings, advance);
  const bool is_static = settings->dynamics == VIPER_STATIC;
  int32_t n_bodies = coop->n_bodies, coop_size = coop->coop_size,
          n_workspace = (int32_t)coop->n_workspace;
  viper_real *device_workspace = (viper_real *)workspace;
  void *of_coops[] = {&d, &launch, &bodies, &n_bodies, &coop_size, &n_workspace};
  void *of_device[] = {&d, &launch, &bodies, &n_bodies, &device_workspace};
  dim3 launch_grid((unsigned)n_blocks), block((unsigned)coop->threads);
  if (coop_size == 0)
    return cudaLaunchCooperativeKernel((const void *)device_kernel_of(settings->method, is_static),
                                       launch_grid, block, of_device, 0, (cudaStream_t)stream);
  size_t shared = (size_t)(coop->threads / coop_size) * coop->n_workspace * sizeof(viper_real);
  return cudaLaunchKernel((const void *)coops_kernel_of(settings->method, is_static), launch_grid,
                          block, of_coops, shared, (cudaStream_t)stream);
}

int end(const void *device, bool last, void *stream) {
  viper_device d = *(const viper_device *)device;
  void *arguments[] = {&d, &last};
  return cudaLaunchKernel((const void *)end_substep, dim3(1), dim3(d.n_slots > 0 ? 128 : 1),
                          arguments, 0, (cudaStream_t)stream);
}

} // namespace

extern "C" const viper_kernels VIPER_KERNELS(viper_these) = {prepare, substep, end};
