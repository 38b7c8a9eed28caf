// SPDX-License-Identifier: GPL-3.0-or-later
/// The narrow phase: pairs side by side, one in a lane.
#include "viper/contact/closest.h"
#include "viper/cpu/contact/contact_lanes.h"

#include <string.h>

static viper_real load(const viper_scalar *p) {
  viper_real x;
  memcpy(&x, p, sizeof x);
  return x;
}

void viper_contact_watch(const viper_contact_candidates *candidates, viper_watches *out) {
  for (int first = 0; first < VIPER_CONTACT_CANDIDATES; first += VIPER_LANES) {
    viper_capsule capsule[2];
    for (int k = 0; k < 4; k++) {
      const viper_scalar(*end)[VIPER_CONTACT_CANDIDATES] = candidates->end + (size_t)4 * (size_t)k;
      capsule[k / 2].c[k % 2] =
          viper_vec3_make(load(end[0] + first), load(end[1] + first), load(end[2] + first));
      capsule[k / 2].r[k % 2] = load(end[3] + first);
    }
    viper_watched m =
        viper_capsule_watch(&capsule[0], &capsule[1], load(candidates->margin + first));
    const viper_real row[] = {m.best.al,  m.best.be,   m.best.gap, m.other.al,
                              m.other.be, m.other.gap, m.apart};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++)
      memcpy(out->number[k] + first, &row[k], sizeof row[k]);
  }
}
