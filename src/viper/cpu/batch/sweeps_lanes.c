// SPDX-License-Identifier: GPL-3.0-or-later
/// The methods that sweep, on a batch.
#include "viper/cpu/batch/access.h"
#include "viper/cpu/batch/sums.h"

#include "viper/method/sweeps.h"

#ifdef VIPER_FAST
#include "viper/cpu/batch/chain_descent.h"
#endif

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

#ifdef VIPER_FAST
#define DEFINE_DESCENT(name, uniform)                                                              \
  static __attribute__((noinline)) void name(viper_access *w, const viper_settings *s) {           \
    viper_access mine = *w;                                                                        \
    mine.chain = true;                                                                             \
    viper_chain_descend(&mine, s, uniform);                                                        \
  }
DEFINE_DESCENT(descend_chain, VIPER_ALONG)
DEFINE_DESCENT(descend_multiples, VIPER_MULTIPLES)
DEFINE_DESCENT(descend_own_chains, VIPER_OWN_CHAINS)
#undef DEFINE_DESCENT

/// Whether a batch is one of plain chains that viper_chain_descend is for, and is done.
static bool descends_along(viper_access *w, const viper_settings *settings) {
  const int uniform = w->batch->group->uniform;
  if (settings->method != VIPER_BLOCK_DESCENT || viper_solid_of(w) != VIPER_NONE_SOLID ||
      viper_has_moments(w))
    return false;
  if (uniform == VIPER_CHAIN)
    descend_chain(w, settings);
  else if (uniform == VIPER_MULTIPLES)
    descend_multiples(w, settings);
  else if (!uniform && (w->chain || w->batch->group->chain))
    descend_own_chains(w, settings);
  else
    return false;
  return true;
}
#endif

void viper_batch_sweeps(viper_access *w, const viper_settings *settings) {
#ifdef VIPER_FAST
  if (descends_along(w, settings))
    return;
#endif
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
