// SPDX-License-Identifier: GPL-3.0-or-later
/// Shared by the sources of phases_*_lanes.c, in one precision.
#ifndef VB_TESTS_SUPPORT_PHASES_LANES_H
#define VB_TESTS_SUPPORT_PHASES_LANES_H

#include "cuda/phases.h"
#include "viper/cpu/core/lanes.h"
#include "viper/energy/real.h"

#include <stdlib.h>

#define PHASES_NAME_OF(name, bits) name##_f##bits
#define PHASES_NAME_IN(name, bits) PHASES_NAME_OF(name, bits)
#define PHASES_NAME(name)          PHASES_NAME_IN(name, VIPER_PRECISION)
#define phases_lanes               PHASES_NAME(phases_lanes)
#define phases_single_sweeps       PHASES_NAME(phases_single_sweeps)
#define phases_single_direct       PHASES_NAME(phases_single_direct)

/// The variant's functions, but that they take notes.
const viper_lanes_api *phases_lanes(void);

void phases_single_sweeps(const viper_arrays *arrays, const viper_model_body *body,
                          const viper_settings *settings, double h,
                          viper_thread_group thread_group);
void phases_single_direct(const viper_arrays *arrays, const viper_model_body *body,
                          const viper_settings *settings, double h,
                          viper_thread_group thread_group);

/// Where the next note of a body has `n` numbers from number `from` on; ends the test where there
/// is no room.
static inline double *phases_room(const phases *p, int32_t body, size_t from, size_t n) {
  if (p->n[body] + 2 + from + n > p->capacity)
    abort();
  return p->value + (size_t)body * p->capacity + p->n[body] + 2 + from;
}

/// Ends that note.
static inline void phases_close(phases *p, int32_t body, phases_note_type type, size_t n) {
  double *head = phases_room(p, body, 0, n) - 2;
  head[0] = (double)type;
  head[1] = (double)n;
  p->n[body] += n + 2;
}

#endif
