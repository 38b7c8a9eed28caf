// SPDX-License-Identifier: GPL-3.0-or-later
/// Small kernels that do right, or wrong in one way each: for test_emulator_defects.c.
#ifndef VB_TESTS_EMULATOR_PLANTED_H
#define VB_TESTS_EMULATOR_PLANTED_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Each queues a kernel on `stream`; `right` is without the defect. Arrays are the device's, of 64
/// numbers unless something else is said.

/// out[i] = in[63 - i] through shared memory; without the barrier where it is wrong.
cudaError_t planted_reverse(const int32_t *in, int32_t *out, bool right, cudaStream_t stream);
/// The same within each warp, by barriers of the warp; wrong: none.
cudaError_t planted_reverse_warp(const int32_t *in, int32_t *out, bool right, cudaStream_t stream);
/// Threads write a byte each: their own, or that of the next thread as well.
cudaError_t planted_bytes(uint8_t *out, bool right, cudaStream_t stream);
/// The sum of 32 numbers by shuffles; wrong: the mask lacks half of the lanes.
cudaError_t planted_sum(const int32_t *in, int32_t *out, bool right, cudaStream_t stream);
/// out[i] = in[i + 1]; wrong: of the last, too.
cudaError_t planted_shift(const int32_t *in, int32_t *out, bool right, cudaStream_t stream);
/// Reads a number of four bytes at byte 0 or 1.
cudaError_t planted_aligned(const int32_t *in, int32_t *out, bool right, cudaStream_t stream);
/// A barrier that all threads meet, or one that the threads of a warp meet at two places.
cudaError_t planted_barrier(int32_t *out, bool right, cudaStream_t stream);
/// Half of a warp waits for a vote of all, the other half at a barrier of the block.
cudaError_t planted_deadlock(int32_t *out, bool right, cudaStream_t stream);
/// Four blocks of 64, cooperatively: each thread takes what one of the next block wrote; wrong:
/// without waiting. 256 numbers.
cudaError_t planted_grid(int32_t *between, int32_t *out, bool right, cudaStream_t stream);
/// Adds 1 to each of 256 counters by four blocks, by atomics or without.
cudaError_t planted_count(int32_t *out, bool right, cudaStream_t stream);
/// Votes, shuffles of each kind, by a warp: 32 numbers for each of the seven.
cudaError_t planted_warp(int32_t *out, cudaStream_t stream);
/// Blocks of so many threads that a multiprocessor holds of a kernel whose launch bounds are 128
/// threads and one block (`few`) or four, and its registers; 0 where there is PTX alone.
cudaError_t planted_room(bool few, int threads, int *blocks, int *registers);
/// Asks for so many bytes of shared memory, after it was or was not allowed to.
cudaError_t planted_shared(int32_t *out, size_t bytes, bool right, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
