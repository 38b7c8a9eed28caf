// SPDX-License-Identifier: GPL-3.0-or-later
/// The methods that sweep, on a batch.
#include "viper/cpu/access_batch.h"

#include "viper/cpu/sweeps.h"

// A function for each, so that the compiler sees one at a time.
#define VIPER_DEFINE_SWEEP(name)                                                                   \
  static __attribute__((noinline)) void name##_uniform(viper_work *w, const viper_settings *s) {   \
    viper_sweep_##name(w, s, true);                                                                \
  }                                                                                                \
  static __attribute__((noinline)) void name##_general(viper_work *w, const viper_settings *s) {   \
    viper_sweep_##name(w, s, false);                                                               \
  }
VIPER_DEFINE_SWEEP(xpbd)
VIPER_DEFINE_SWEEP(jacobi)
VIPER_DEFINE_SWEEP(block_descent)
#undef VIPER_DEFINE_SWEEP

void viper_batch_sweeps(viper_work *w, const viper_settings *settings) {
  bool uniform = w->batch->kind->uniform;
  if (settings->method == VIPER_XPBD)
    (uniform ? xpbd_uniform : xpbd_general)(w, settings);
  else if (settings->method == VIPER_BLOCK_DESCENT)
    (uniform ? block_descent_uniform : block_descent_general)(w, settings);
  else
    (uniform ? jacobi_uniform : jacobi_general)(w, settings);
}
