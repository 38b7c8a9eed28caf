// SPDX-License-Identifier: GPL-3.0-or-later
/// The narrow phase in vectors of 16 bytes, which every processor has: most pairs that the broad
/// phase finds are apart, and their gap is all that is asked.
#include "viper/cpu/contact_gaps.h"

#define VIPER_LANE_BYTES 16
#define VIPER_VARIANT    base
#include "viper/contact/closest.h"

#include <string.h>

#if VIPER_PRECISION == 32
#define viper_pill_gaps viper_pill_gaps_f32
#else
#define viper_pill_gaps viper_pill_gaps_f64
#endif

static viper_real load(const viper_scalar *p) {
  viper_real x;
  memcpy(&x, p, sizeof x);
  return x;
}

void viper_pill_gaps(const viper_scalar pair[VIPER_PAIR_NUMBERS][VIPER_GAPS],
                     viper_scalar gap[VIPER_GAPS]) {
  for (int first = 0; first < VIPER_GAPS; first += VIPER_LANES) {
    viper_pill pill[2];
    for (int k = 0; k < 4; k++) {
      const viper_scalar(*end)[VIPER_GAPS] = pair + (size_t)4 * (size_t)k;
      pill[k / 2].c[k % 2] =
          viper_vec3_make(load(end[0] + first), load(end[1] + first), load(end[2] + first));
      pill[k / 2].r[k % 2] = load(end[3] + first);
    }
    viper_real g = viper_pill_closest(&pill[0], &pill[1]).gap;
    memcpy(gap + first, &g, sizeof g);
  }
}
