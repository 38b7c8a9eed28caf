// SPDX-License-Identifier: GPL-3.0-or-later
/// The lanes that work on one body together: some of a warp, a block, or the whole grid. The
/// kernels' code is that of one lane; lanes meet at barriers. It compiles for the host, too, where
/// tests run the lanes of a team in any order between two barriers (tests/support/cuda_threads.hpp).
#ifndef VIPER_CUDA_CORE_COOP_H
#define VIPER_CUDA_CORE_COOP_H

#include "viper/cuda/core/coop_plan.h"
#include "viper/energy/real.h"

#ifdef __CUDACC__
#include <cooperative_groups.h>
#endif

/// How a team's lanes meet.
typedef enum viper_meeting_place {
  VIPER_MEET_WARP,  ///< lanes of one warp
  VIPER_MEET_BLOCK, ///< all threads of a block
  VIPER_MEET_GRID   ///< all threads of a cooperative grid
} viper_meeting_place;

/// A lane of a team.
typedef struct viper_lane {
  int32_t rank, size;
  viper_meeting_place meeting;
  uint32_t mask; ///< of the team's lanes in its warp
} viper_lane;

#ifndef __CUDA_ARCH__
/// On the host: waits until every lane of the team has come here. Defined by what runs the lanes.
#define viper_host_barrier VIPER_NAME(viper_host_barrier)
extern "C" void viper_host_barrier(void);
#endif

/// Waits for the team; what its lanes wrote before is seen by all of them after.
VIPER_FN void viper_lanes_meet(const viper_lane *lane) {
#ifndef __CUDA_ARCH__
  (void)lane;
  viper_host_barrier();
#else
  if (lane->meeting == VIPER_MEET_WARP)
    __syncwarp(lane->mask);
  else if (lane->meeting == VIPER_MEET_BLOCK)
    __syncthreads();
  else
    cooperative_groups::this_grid().sync();
#endif
}

#ifdef __CUDACC__
#define VIPER_WARP_MASK 0xffffffffu

/// This thread as a lane of its team of `lanes`: several of them are in a warp, or all are a block.
static __device__ inline viper_lane viper_lane_of_team(int32_t lanes) {
  viper_lane lane;
  lane.rank = (int32_t)threadIdx.x % lanes;
  lane.size = lanes;
  lane.meeting = lanes > VIPER_WARP ? VIPER_MEET_BLOCK : VIPER_MEET_WARP;
  lane.mask = lanes >= VIPER_WARP
                  ? VIPER_WARP_MASK
                  : ((1u << lanes) - 1) << (threadIdx.x % VIPER_WARP / lanes * lanes);
  return lane;
}

/// This thread as a lane of the whole grid, whose lanes meet as is said.
static __device__ inline viper_lane viper_lane_of_grid(viper_meeting_place meeting) {
  viper_lane lane;
  lane.rank = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
  lane.size = (int32_t)(gridDim.x * blockDim.x);
  lane.meeting = meeting;
  lane.mask = VIPER_WARP_MASK;
  return lane;
}
#endif

#endif
