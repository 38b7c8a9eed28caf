// SPDX-License-Identifier: GPL-3.0-or-later
/// The methods that sweep, on a single body: several of its elements at a time, one in a lane.
#include "viper/cpu/single/access.h"
#include "viper/cpu/single/single.h"
#include "viper/cpu/single/sums.h"
#include "viper/method/sweeps.h"

// A function for each, so that the compiler sees one at a time.
#define DEFINE_SWEEP(name, NAME, word, traits, cost, text)                                         \
  static __attribute__((noinline)) void name(viper_access *w, const viper_settings *settings) {    \
    viper_iterate_##name(w, settings, false);                                                      \
  }
VIPER_SWEEPS(DEFINE_SWEEP)
#undef DEFINE_SWEEP

void viper_single_sweeps(const viper_arrays *a, const viper_model_body *body,
                         const viper_settings *settings, double h,
                         viper_thread_group thread_group) {
  viper_access w = {a,
                    a->model,
                    a->adjacency,
                    body,
                    thread_group,
                    (viper_scalar)h,
                    NULL,
                    false,
                    {0},
                    settings->dynamics == VIPER_STATIC,
                    false};
  switch (settings->method) {
#define SWEEP(name, NAME, word, traits, cost, text)                                                \
  case VIPER_##NAME:                                                                               \
    name(&w, settings);                                                                            \
    break;
    VIPER_SWEEPS(SWEEP)
#undef SWEEP
  case VIPER_DIRECT: // viper_single_direct
    break;
  }
}
