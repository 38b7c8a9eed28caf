// SPDX-License-Identifier: GPL-3.0-or-later
/// Cooperative groups: GPU threads that compute one body together, in a part of a warp, a block, or
/// the whole launch grid. The kernels' code is that of one thread; threads wait for each other at
/// barriers. It compiles for the host, too, where tests run the threads of a group in any order
/// between two barriers (tests/support/cuda_threads.hpp).
#ifndef VIPER_CUDA_CORE_COOP_H
#define VIPER_CUDA_CORE_COOP_H

#include "viper/cuda/core/host.h"
#include "viper/energy/real.h"

#ifdef __CUDACC__
#include <cooperative_groups.h>
#endif

/// How a team's lanes meet.
typedef enum viper_sync_scope {
  VIPER_SYNC_WARP,  ///< lanes of one warp
  VIPER_SYNC_BLOCK, ///< all threads of a block
  VIPER_SYNC_DEVICE ///< all threads of a cooperative grid
} viper_sync_scope;

/// A lane of a team.
typedef struct viper_coop_thread {
  int32_t rank, size;
  viper_sync_scope scope;
  uint32_t mask; ///< of the team's lanes in its warp
} viper_coop_thread;

#ifndef __CUDA_ARCH__
/// On the host: waits until every lane of the team has come here. Defined by what runs the lanes.
#define viper_host_barrier VIPER_NAME(viper_host_barrier)
extern "C" void viper_host_barrier(void);
#endif

/// Waits for the team; what its lanes wrote before is seen by all of them after.
VIPER_FN void viper_coop_sync(const viper_coop_thread *thread) {
#ifndef __CUDA_ARCH__
  (void)thread;
  viper_host_barrier();
#else
  if (thread->scope == VIPER_SYNC_WARP)
    __syncwarp(thread->mask);
  else if (thread->scope == VIPER_SYNC_BLOCK)
    __syncthreads();
  else
    cooperative_groups::this_grid().sync();
#endif
}

#ifdef __CUDACC__
#define VIPER_WARP_MASK 0xffffffffu

/// This thread as a lane of its team of `coop_size`: several of them are in a warp, or all are a
/// block.
static __device__ inline viper_coop_thread viper_coop_thread_of_group(int32_t coop_size) {
  viper_coop_thread thread;
  thread.rank = (int32_t)threadIdx.x % coop_size;
  thread.size = coop_size;
  thread.scope = coop_size > VIPER_WARP ? VIPER_SYNC_BLOCK : VIPER_SYNC_WARP;
  thread.mask = coop_size >= VIPER_WARP
                    ? VIPER_WARP_MASK
                    : ((1u << coop_size) - 1) << (threadIdx.x % VIPER_WARP / coop_size * coop_size);
  return thread;
}

/// This thread as a lane of the whole grid, whose lanes meet as is said.
static __device__ inline viper_coop_thread viper_coop_thread_of_launch(viper_sync_scope scope) {
  viper_coop_thread thread;
  thread.rank = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
  thread.size = (int32_t)(gridDim.x * blockDim.x);
  thread.scope = scope;
  thread.mask = VIPER_WARP_MASK;
  return thread;
}
#endif

#endif
