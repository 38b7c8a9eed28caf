// SPDX-License-Identifier: GPL-3.0-or-later
/// Sorts by CUB. Its headers take long to compile: they are here alone, once for all precisions.
#include "viper/cuda/contact/host.h"

// CUB includes <iostream> for an operator that is not called here. Its static initialization would
// be all that is asked of the standard library of C++, which programs are linked without: so its
// bound is set.
#include <ostream>
#define _GLIBCXX_IOSTREAM 1
#include <cub/device/device_radix_sort.cuh>

extern "C" int viper_sort_32(void *scratch, size_t bytes, const uint32_t *key, uint32_t *key_out,
                             const int32_t *value, int32_t *value_out, int32_t n, int bits,
                             void *stream) {
  return cub::DeviceRadixSort::SortPairs(scratch, bytes, key, key_out, value, value_out, n, 0, bits,
                                         (cudaStream_t)stream);
}

extern "C" int viper_sort_64(void *scratch, size_t bytes, const uint64_t *key, uint64_t *key_out,
                             const int32_t *value, int32_t *value_out, int32_t n, int bits,
                             void *stream) {
  return cub::DeviceRadixSort::SortPairs(scratch, bytes, key, key_out, value, value_out, n, 0, bits,
                                         (cudaStream_t)stream);
}

extern "C" int viper_sort_bytes(int32_t n, size_t *bytes) {
  size_t narrow = 0, wide = 0;
  const int32_t *value = nullptr;
  const uint32_t *key_32 = nullptr;
  const uint64_t *key_64 = nullptr;
  // Without scratch they only tell what they need.
  cudaError_t code = cub::DeviceRadixSort::SortPairs(nullptr, narrow, key_32, (uint32_t *)nullptr,
                                                     value, (int32_t *)nullptr, n);
  if (!code)
    code = cub::DeviceRadixSort::SortPairs(nullptr, wide, key_64, (uint64_t *)nullptr, value,
                                           (int32_t *)nullptr, n);
  *bytes = narrow > wide ? narrow : wide;
  return code;
}
