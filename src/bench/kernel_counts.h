// SPDX-License-Identifier: GPL-3.0-or-later
/// What kernels do on a device, counted: exact, and the same on every machine. Only an emulator of
/// devices counts; it defines these functions, which are null in other programs.
#ifndef VB_BENCH_KERNEL_COUNTS_H
#define VB_BENCH_KERNEL_COUNTS_H

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
  double global_bytes, shared_bytes; ///< loaded, stored and changed by all threads
  int registers;                     ///< of a thread; 0 where that is not known
  int grid, block;                   ///< blocks, and threads of a block, of the largest launch
  int resident;                      ///< such blocks that find room on a multiprocessor
} vb_kernel_count;

/// The device to emulate from now on: multiprocessors, threads that each holds, and bytes of shared
/// memory that a block may ask for.
__attribute__((weak)) void vb_kernel_counts_device(int multiprocessors, int threads, size_t shared);
__attribute__((weak)) void vb_kernel_counts_reset(void);
/// Writes at most `capacity` kernels, by name; returns how many there are.
__attribute__((weak)) size_t vb_kernel_counts_read(vb_kernel_count *out, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
