// SPDX-License-Identifier: GPL-3.0-or-later
/// The methods that sweep, on lines: the state of a chain is brought into lanes, swept, and brought
/// back.
#include "viper/cpu/line/access.h"
#include "viper/cpu/line/state.h"
#include "viper/cpu/line/sums.h"
#include "viper/method/sweeps.h"

// A function for each, so that the compiler sees one at a time.
#define DEFINE_SWEEP(name, NAME, word, traits, cost, text)                                         \
  static __attribute__((noinline)) void name(const viper_access *w,                                \
                                             const viper_settings *settings) {                     \
    viper_access mine = *w;                                                                        \
    mine.moves = VIPER_##NAME == VIPER_XPBD;                                                       \
    if ((traits)&VIPER_OWN_PHASES)                                                                 \
      mine.order = NULL;                                                                           \
    viper_iterate_##name(&mine, settings, false);                                                  \
  }
VIPER_SWEEPS(DEFINE_SWEEP)
#undef DEFINE_SWEEP

bool viper_lines_sweep(void *self, int32_t single, const viper_arrays *arrays,
                       const viper_settings *settings, double h) {
  viper_line *l = &((viper_all_lines *)self)->line[single];
  const bool seeks = viper_method_has(settings->method, VIPER_SEEKS_MINIMUM);
  if (!l->body)
    return false;
  if (settings->method == VIPER_DIRECT) {
    viper_line_direct(l, arrays, settings, h);
    return true;
  }
  viper_line_load(l, arrays, seeks);
  viper_access w = {.line = l,
                    .model = &l->model,
                    .adjacency = &l->adjacency,
                    .order = l->order,
                    .h = (viper_scalar)h,
                    .changed = VIPER_LINE_NODE | VIPER_LINE_FRAME};
  viper_barrier(&w);
  switch (settings->method) {
#define SWEEP(name, NAME, word, traits, cost, text)                                                \
  case VIPER_##NAME:                                                                               \
    name(&w, settings);                                                                            \
    break;
    VIPER_SWEEPS(SWEEP)
#undef SWEEP
  case VIPER_DIRECT: // viper_line_direct
    break;
  }
  viper_line_put(l, arrays);
  return true;
}
