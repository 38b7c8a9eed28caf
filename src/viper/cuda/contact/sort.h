// SPDX-License-Identifier: GPL-3.0-or-later
/// Stable sorts of keys with values on a device. Functions return a cudaError_t as a number.
#ifndef VIPER_CUDA_CONTACT_SORT_H
#define VIPER_CUDA_CONTACT_SORT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Sorts `n` keys of `bits` bits. All pointers are the device's; `scratch` has `bytes` bytes, at
/// least those that viper_sort_bytes tells.
int viper_sort_32(void *scratch, size_t bytes, const uint32_t *key, uint32_t *key_out,
                  const int32_t *value, int32_t *value_out, int32_t n, int bits, void *stream);
int viper_sort_64(void *scratch, size_t bytes, const uint64_t *key, uint64_t *key_out,
                  const int32_t *value, int32_t *value_out, int32_t n, int bits, void *stream);

/// Scratch that either takes for `n` keys.
size_t viper_sort_bytes(int32_t n);

#ifdef __cplusplus
}
#endif

#endif
