// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/energy_gain.h"

#include <math.h>

/// Part of the energy of gravity that is added to the scale: a thousandfold its rounding in float.
#define ROUNDING 1e-4

void vb_energy_gain_add(vb_energy_gain *gain, double total, double gravity, double work) {
  const double free = total - work, held = total - gravity;
  if (gain->n_rows++ == 0)
    *gain = (vb_energy_gain){
        .n_rows = 1, .least = free, .start = held, .gravity = gravity, .held = held};
  gain->least = fmin(gain->least, free);
  gain->given = fmax(gain->given, work + gain->gravity - gravity);
  gain->held = fmax(gain->held, held);
  double scale = gain->start + gain->given + ROUNDING * fabs(gain->gravity);
  if (!(scale > 0))
    scale = gain->held;
  gain->now = free > gain->least ? (free - gain->least) / scale : 0;
  gain->greatest = fmax(gain->greatest, gain->now);
  gain->n_missed += gain->now > VB_GREATEST_GAIN;
}
