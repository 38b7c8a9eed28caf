// SPDX-License-Identifier: GPL-3.0-or-later
/// Who evaluates the terms of cuda_terms.h. `in` are terms_inputs and `out` numbers of the
/// precision (32 or 64), both of `n` states.
#ifndef VB_TESTS_SUPPORT_CUDA_TERMS_SET_H
#define VB_TESTS_SUPPORT_CUDA_TERMS_SET_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct terms_set {
  int bytes_of_input, bytes_of_output; ///< of one state
  int n_numbers;
  /// Fills a random state: frames turned and nodes moved as a step may, all stiffnesses positive.
  void (*random)(void *in, unsigned long long *seed);
  /// By C code.
  void (*by_c)(const void *in, int n, void *out);
} terms_set;

extern const terms_set terms_f32, terms_f64;

/// On a device, strict. Returns a cudaError_t. Only in builds with nvcc.
int cuda_device_terms_f32(const void *in, int n, void *out) __attribute__((weak));
int cuda_device_terms_f64(const void *in, int n, void *out) __attribute__((weak));

#ifdef __cplusplus
}
#endif

#endif
