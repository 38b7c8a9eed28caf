// SPDX-License-Identifier: GPL-3.0-or-later
/// The methods that sweep, on a batch.
#include "viper/cpu/batch/access.h"
#include "viper/cpu/batch/sums.h"

#include "viper/method/sweeps.h"

// Only fast arithmetic takes a multiple of rest data for the rest data of a body.
#ifdef VIPER_FAST
#define IF_MULTIPLES(...) __VA_ARGS__
#else
#define IF_MULTIPLES(...)
#endif

// Functions for each, so that the compiler sees one at a time. Elements lie along a chain only
// where they are not sorted by color: for methods with phases of their own.
#define DEFINE_VARIANT(name, variant, uniform, chain_)                                             \
  static                                                                                           \
      __attribute__((noinline)) void name##_##variant(viper_access *w, const viper_settings *s) {  \
    viper_access mine = *w;                                                                        \
    mine.chain = chain_;                                                                           \
    viper_iterate_##name(&mine, s, uniform);                                                       \
  }
#define DEFINE_SWEEP(name, NAME, word, traits, cost, text)                                         \
  DEFINE_VARIANT(name, chain, VIPER_ALONG, true)                                                   \
  IF_MULTIPLES(DEFINE_VARIANT(name, multiples, VIPER_MULTIPLES, ((traits)&VIPER_OWN_PHASES) != 0)) \
  DEFINE_VARIANT(name, own_chains, VIPER_OWN_CHAINS, true)                                         \
  DEFINE_VARIANT(name, along, VIPER_ALONG, false)                                                  \
  DEFINE_VARIANT(name, uniform, VIPER_UNIFORM, false)                                              \
  DEFINE_VARIANT(name, general, 0, false)                                                          \
  static void name(viper_access *w, const viper_settings *s) {                                     \
    const int uniform = w->batch->group->uniform;                                                  \
    const bool own = ((traits)&VIPER_OWN_PHASES) != 0;                                             \
    if (own && uniform == VIPER_CHAIN)                                                             \
      name##_chain(w, s);                                                                          \
    IF_MULTIPLES(else if (uniform == VIPER_MULTIPLES) name##_multiples(w, s);)                     \
    else if (own && !uniform && (w->chain || w->batch->group->chain)) name##_own_chains(w, s);     \
    else if (uniform >= VIPER_ALONG) name##_along(w, s);                                           \
    else if (uniform) name##_uniform(w, s);                                                        \
    else name##_general(w, s);                                                                     \
  }
VIPER_SWEEPS(DEFINE_SWEEP)
#undef DEFINE_SWEEP
#undef DEFINE_VARIANT

void viper_batch_sweeps(viper_access *w, const viper_settings *settings) {
  switch (settings->method) {
#define SWEEP(name, NAME, word, traits, cost, text)                                                \
  case VIPER_##NAME:                                                                               \
    name(w, settings);                                                                             \
    break;
    VIPER_SWEEPS(SWEEP)
#undef SWEEP
  case VIPER_DIRECT: // viper_batch_direct
    break;
  }
}
