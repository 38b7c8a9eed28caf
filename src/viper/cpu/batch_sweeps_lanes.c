// SPDX-License-Identifier: GPL-3.0-or-later
/// The methods that sweep, on a batch.
#include "viper/cpu/access_batch.h"

#include "viper/method/sweeps.h"

// A function for each, so that the compiler sees one at a time.
#define VIPER_DEFINE_SWEEP(name)                                                                   \
  VIPER_FN void name##_any(viper_access *w, const viper_settings *s, int uniform, bool chain) {    \
    viper_access mine = *w;                                                                        \
    mine.chain = chain;                                                                            \
    viper_sweep_##name(&mine, s, uniform);                                                         \
  }                                                                                                \
  static __attribute__((noinline)) void name##_along(viper_access *w, const viper_settings *s) {   \
    name##_any(w, s, VIPER_ALONG, false);                                                          \
  }                                                                                                \
  static __attribute__((noinline)) void name##_uniform(viper_access *w, const viper_settings *s) { \
    name##_any(w, s, VIPER_UNIFORM, false);                                                        \
  }                                                                                                \
  static __attribute__((noinline)) void name##_general(viper_access *w, const viper_settings *s) { \
    name##_any(w, s, 0, false);                                                                    \
  }                                                                                                \
  static void name(viper_access *w, const viper_settings *s) {                                     \
    int uniform = w->batch->group->uniform;                                                        \
    if (uniform >= VIPER_ALONG)                                                                    \
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

/// Elements lie along a chain only where they are not sorted by color: for block descent.
static __attribute__((noinline)) void block_descent_chain(viper_access *w,
                                                          const viper_settings *s) {
  block_descent_any(w, s, VIPER_ALONG, true);
}

static __attribute__((noinline)) void block_descent_tile(viper_access *w, const viper_settings *s) {
  block_descent_any(w, s, 0, true);
}

void viper_batch_sweeps(viper_access *w, const viper_settings *settings) {
  if (settings->method == VIPER_XPBD)
    xpbd(w, settings);
  else if (settings->method == VIPER_JACOBI_PUBLISHED)
    jacobi(w, settings);
  else if (w->batch->group->uniform == VIPER_CHAIN)
    block_descent_chain(w, settings);
  else if (w->chain)
    block_descent_tile(w, settings);
  else
    block_descent(w, settings);
}
