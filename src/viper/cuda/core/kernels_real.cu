// SPDX-License-Identifier: GPL-3.0-or-later
/// The kernels. Compiled once per precision and arithmetic, for every architecture.
#include "viper/cuda/core/host.h"

#include "viper/cuda/core/substep.h"

#define VIPER_KERNELS_OF(bits, arithmetic) viper_kernels_f##bits##_##arithmetic
#define VIPER_KERNELS_IN(bits, arithmetic) VIPER_KERNELS_OF(bits, arithmetic)
#define VIPER_KERNELS                      VIPER_KERNELS_IN(VIPER_PRECISION, VIPER_ARITHMETIC)

/// Threads of a block at most, and blocks that a multiprocessor must have registers for.
#define BLOCK_MOST  128
#define BLOCK_LEAST (VIPER_PRECISION == 32 ? 3 : 2)
/// Of the grid's kernels: what assembles pieces takes more registers.
#define GRID_LEAST(method) ((method) == VIPER_DIRECT ? 2 : BLOCK_LEAST)

namespace {

/// A body that fits: a team of `team` lanes does its whole substep near to it, in shared memory.
template <viper_method METHOD>
__global__ void __launch_bounds__(BLOCK_MOST, BLOCK_LEAST)
    substep_of_teams(const __grid_constant__ viper_device device,
                     const __grid_constant__ viper_launch launch, const int32_t *bodies,
                     int32_t n_bodies, int32_t lanes, int32_t n_near) {
  extern __shared__ double2 memory[];
  if (device.control->stopped)
    return;
  int32_t teams = (int32_t)blockDim.x / lanes, team = (int32_t)threadIdx.x / lanes;
  viper_work w;
  w.device = &device;
  w.launch = &launch;
  w.h = launch.h;
  w.lane = viper_lane_of_team(lanes);
  w.pieces = false;
  viper_real *near = (viper_real *)memory + (size_t)team * (size_t)n_near;
  for (int32_t k = (int32_t)blockIdx.x * teams + team; k < n_bodies;
       k += (int32_t)gridDim.x * teams) {
    w.body = &device.body[bodies[k]];
    w.model = &device.kind[w.body->kind];
    w.links = &w.model->links;
    w.near = viper_near_at(METHOD, near, viper_near_size_of(w.model));
    viper_substep<METHOD>(&w, &launch);
  }
}

/// Larger bodies, one after the other: the whole grid works on each, in the device's memory.
template <viper_method METHOD>
__global__ void __launch_bounds__(BLOCK_MOST, GRID_LEAST(METHOD))
    substep_of_grid(const __grid_constant__ viper_device device,
                    const __grid_constant__ viper_launch launch, const int32_t *bodies,
                    int32_t n_bodies, viper_real *near) {
  if (device.control->stopped)
    return;
  viper_work w;
  w.device = &device;
  w.launch = &launch;
  w.h = launch.h;
  w.lane = viper_lane_of_grid(VIPER_MEET_GRID);
  w.pieces = true;
  for (int32_t k = 0; k < n_bodies; k++) {
    w.body = &device.body[bodies[k]];
    w.model = &device.kind[w.body->kind];
    w.links = &w.model->links;
    w.near = viper_near_at(METHOD, near, viper_near_size_of(w.model));
    viper_substep<METHOD>(&w, &launch);
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

typedef void teams_kernel(const viper_device, const viper_launch, const int32_t *, int32_t, int32_t,
                          int32_t);
typedef void grid_kernel(const viper_device, const viper_launch, const int32_t *, int32_t,
                         viper_real *);

teams_kernel *teams_of(viper_method method) {
  switch (method) {
  case VIPER_DIRECT:
    return substep_of_teams<VIPER_DIRECT>;
  case VIPER_XPBD:
    return substep_of_teams<VIPER_XPBD>;
  case VIPER_BLOCK_DESCENT:
    return substep_of_teams<VIPER_BLOCK_DESCENT>;
  default:
    return substep_of_teams<VIPER_JACOBI_PUBLISHED>;
  }
}

grid_kernel *grid_of(viper_method method) {
  switch (method) {
  case VIPER_DIRECT:
    return substep_of_grid<VIPER_DIRECT>;
  case VIPER_XPBD:
    return substep_of_grid<VIPER_XPBD>;
  case VIPER_BLOCK_DESCENT:
    return substep_of_grid<VIPER_BLOCK_DESCENT>;
  default:
    return substep_of_grid<VIPER_JACOBI_PUBLISHED>;
  }
}

int prepare(viper_method method, size_t shared_of_block, int *threads, int *grid_blocks) {
  teams_kernel *kernel = teams_of(method);
  cudaError_t status = cudaFuncSetAttribute(
      (const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared_of_block);
  int blocks = 0;
  if (!status)
    status =
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)kernel, VIPER_WARP, 0);
  *threads = blocks * VIPER_WARP;
  if (!status)
    status = cudaOccupancyMaxActiveBlocksPerMultiprocessor(grid_blocks,
                                                           (const void *)grid_of(method), BLOCK_MOST, 0);
  return status;
}

int substep(const void *device, const viper_settings *settings, double h, double rate,
            const viper_team_class *team, int n_blocks, const int32_t *bodies, void *near,
            void *stream) {
  viper_device d = *(const viper_device *)device;
  viper_launch launch = viper_launch_of(settings, h, rate);
  int32_t n_bodies = team->n_bodies, lanes = team->lanes, n_near = (int32_t)team->n_near;
  viper_real *grid_near = (viper_real *)near;
  void *of_teams[] = {&d, &launch, &bodies, &n_bodies, &lanes, &n_near};
  void *of_grid[] = {&d, &launch, &bodies, &n_bodies, &grid_near};
  dim3 grid((unsigned)n_blocks), block((unsigned)team->threads);
  if (lanes == 0)
    return cudaLaunchCooperativeKernel((const void *)grid_of(settings->method), grid, block,
                                       of_grid, 0, (cudaStream_t)stream);
  size_t shared = (size_t)(team->threads / lanes) * team->n_near * sizeof(viper_real);
  return cudaLaunchKernel((const void *)teams_of(settings->method), grid, block, of_teams, shared,
                          (cudaStream_t)stream);
}

int end(const void *device, bool last, void *stream) {
  viper_device d = *(const viper_device *)device;
  void *arguments[] = {&d, &last};
  return cudaLaunchKernel((const void *)end_substep, dim3(1), dim3(d.n_slots > 0 ? 128 : 1),
                          arguments, 0, (cudaStream_t)stream);
}

} // namespace

extern "C" const viper_kernels VIPER_KERNELS = {prepare, substep, end};
