// SPDX-License-Identifier: GPL-3.0-or-later
/// The narrow phase in vectors of 16 bytes, which every processor has.
#include "viper/cpu/contact_meet.h"

#define VIPER_LANE_BYTES 16
#define VIPER_VARIANT    base
#include "viper/contact/closest.h"

#include <string.h>

#if VIPER_PRECISION == 32
#define viper_pills_watch viper_pills_watch_f32
#else
#define viper_pills_watch viper_pills_watch_f64
#endif

static viper_real load(const viper_scalar *p) {
  viper_real x;
  memcpy(&x, p, sizeof x);
  return x;
}

void viper_pills_watch(const viper_scalar pair[VIPER_PAIR_NUMBERS][VIPER_MEETINGS],
                       const viper_scalar margin[VIPER_MEETINGS],
                       viper_scalar out[VIPER_WATCHED_NUMBERS][VIPER_MEETINGS]) {
  for (int first = 0; first < VIPER_MEETINGS; first += VIPER_LANES) {
    viper_pill pill[2];
    for (int k = 0; k < 4; k++) {
      const viper_scalar(*end)[VIPER_MEETINGS] = pair + (size_t)4 * (size_t)k;
      pill[k / 2].c[k % 2] =
          viper_vec3_make(load(end[0] + first), load(end[1] + first), load(end[2] + first));
      pill[k / 2].r[k % 2] = load(end[3] + first);
    }
    viper_watched m = viper_pill_watch(&pill[0], &pill[1], load(margin + first));
    const viper_real row[VIPER_WATCHED_NUMBERS] = {m.best.al,  m.best.be,   m.best.gap, m.other.al,
                                                   m.other.be, m.other.gap, m.apart};
    for (int k = 0; k < VIPER_WATCHED_NUMBERS; k++)
      memcpy(out[k] + first, &row[k], sizeof row[k]);
  }
}
