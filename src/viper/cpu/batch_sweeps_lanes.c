// SPDX-License-Identifier: GPL-3.0-or-later
/// The methods that sweep, on a batch.
#include "viper/cpu/access_batch.h"

#include "viper/cpu/sweeps.h"

// A function for each, so that the compiler sees one at a time.
#define VIPER_DEFINE_SWEEP(name)                                                                   \
  static __attribute__((noinline)) void name##_along(viper_work *w, const viper_settings *s) {     \
    viper_sweep_##name(w, s, VIPER_ALONG);                                                         \
  }                                                                                                \
  static __attribute__((noinline)) void name##_uniform(viper_work *w, const viper_settings *s) {   \
    viper_sweep_##name(w, s, VIPER_UNIFORM);                                                       \
  }                                                                                                \
  static __attribute__((noinline)) void name##_general(viper_work *w, const viper_settings *s) {   \
    viper_sweep_##name(w, s, 0);                                                                   \
  }                                                                                                \
  static void name(viper_work *w, const viper_settings *s) {                                       \
    int uniform = w->batch->kind->uniform;                                                         \
    if (uniform == VIPER_ALONG)                                                                    \
      name##_along(w, s);                                                                          \
    else if (uniform)                                                                              \
      name##_uniform(w, s);                                                                        \
    else                                                                                           \
      name##_general(w, s);                                                                        \
  }
VIPER_DEFINE_SWEEP(xpbd)
VIPER_DEFINE_SWEEP(jacobi)
VIPER_DEFINE_SWEEP(block_descent)
#undef VIPER_DEFINE_SWEEP

void viper_batch_sweeps(viper_work *w, const viper_settings *settings) {
  if (settings->method == VIPER_XPBD)
    xpbd(w, settings);
  else if (settings->method == VIPER_BLOCK_DESCENT)
    block_descent(w, settings);
  else
    jacobi(w, settings);
}
