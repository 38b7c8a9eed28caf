// SPDX-License-Identifier: GPL-3.0-or-later
/// What devices take for what they do, for times that are computed from counts. bench/README.md
/// compares these times with those measured on an H200; on the other devices nothing was measured.
#ifndef VB_BENCH_DEVICE_MODEL_H
#define VB_BENCH_DEVICE_MODEL_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Cycles are those of `clock`. A multiprocessor has four schedulers, each of which issues at most
/// one instruction of a warp in a cycle.
typedef struct vb_device_model {
  const char *name;
  int multiprocessors;
  int threads;   ///< that a multiprocessor holds
  size_t shared; ///< bytes of shared memory that a block may ask for
  size_t cache;  ///< bytes of first-level cache and shared memory of a multiprocessor
  /// Bytes of instructions that a multiprocessor keeps in its first-level cache of them, from which
  /// they come as fast as they are issued, and in all.
  size_t first_code, code;
  size_t second;                   ///< bytes of second-level cache
  double clock;                    ///< Hz
  double memory_rate, second_rate; ///< bytes/s of memory, and of the second-level cache
  /// Cycles until a result is there: of an instruction of 32 bits, of one in double precision, of
  /// the unit of special functions, of a shuffle or vote; of a load from shared memory, from the
  /// first-level and from the second-level cache.
  int plain, in_double, special, shuffle, from_shared, from_first, from_second;
  /// Cycles for which an instruction in double precision, or of special functions, keeps the
  /// scheduler's unit busy.
  int double_interval, special_interval;
  /// Cycles for which a warp waits for the next line of instructions, beyond those in which it
  /// issues the last: a line that the first-level cache lacks, and one that comes from the
  /// second-level cache.
  int kept_line, far_line;
  /// Cycles from the last warp's arrival at a barrier of its block, and as many more for each warp.
  int block_barrier, warp_barrier;
  double grid_barrier, launch; ///< s
} vb_device_model;

enum {
  VB_SCHEDULERS = 4,
  VB_SECTOR = 32
}; ///< of a multiprocessor; bytes that memory moves at once

/// The device of a name ("H200"), or a part of it ("H200/132"): a device with so many times fewer
/// multiprocessors, a number that divides theirs, and this share of the second-level cache and of
/// the rates of memory. It takes for so many times fewer bodies what all of it takes, but for
/// launches and barriers of the grid. False where there is none.
bool vb_device_model_find(const char *name, vb_device_model *out);
/// The names of all, separated by commas.
const char *vb_device_model_names(void);

#ifdef __cplusplus
}
#endif

#endif
