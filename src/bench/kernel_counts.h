// SPDX-License-Identifier: GPL-3.0-or-later
/// What kernels do on a device, counted: exact, and the same on every machine. Only an emulator of
/// devices counts; it defines these functions, which are null in other programs.
#ifndef VB_BENCH_KERNEL_COUNTS_H
#define VB_BENCH_KERNEL_COUNTS_H

#include "bench/device_model.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The sums over all launches of a kernel since vb_kernel_counts_reset.
typedef struct vb_kernel_count {
  char name[128];
  double launches;
  double longest;      ///< instructions of the longest warp of each launch
  double instructions; ///< of all warps
  double barriers;     ///< of the block that meets at most
  double grid_barriers;
  double sectors; ///< of global memory, that multiprocessors load, store or change outside
  double lines;   ///< lines of global memory that multiprocessors look up, each for an instruction
  double waves;   ///< accesses of shared memory, in each of which a bank gives or takes one word
  double path;    ///< cycles of the longest block of each launch
  double of_blocks; ///< cycles of all blocks
  double busy;      ///< cycles for which schedulers are busy, of all warps
  int registers;    ///< of a thread; 0 where that is not known
  int grid, block;  ///< blocks, and threads of a block, of the largest launch
  int resident;     ///< such blocks that find room on a multiprocessor
} vb_kernel_count;

/// The device to emulate from now on; it must last.
__attribute__((weak)) void vb_kernel_counts_device(const vb_device_model *device);
__attribute__((weak)) void vb_kernel_counts_reset(void);
/// Bytes of global memory that were accessed since vb_kernel_counts_reset.
__attribute__((weak)) double vb_kernel_counts_bytes(void);
/// Writes at most `capacity` kernels, by name; returns how many there are.
__attribute__((weak)) size_t vb_kernel_counts_read(vb_kernel_count *out, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
