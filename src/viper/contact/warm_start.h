// SPDX-License-Identifier: GPL-3.0-or-later
/// Warm start (README.md): the multipliers that contacts of a substep pass to those of the next.
/// Point-wise, on scalars.
#ifndef VIPER_CONTACT_WARM_START_H
#define VIPER_CONTACT_WARM_START_H

#include "viper/contact/constraint.h"
#include "viper/contact/warm_start_size.h"

/// The push and friction of a contact. Integers are as wide as numbers.
typedef struct viper_kept {
  viper_bits pair;             ///< viper_kept_pair of a contact between capsules
  viper_scalar push, slide[3]; ///< kg m; of a half-plane 0 if there was no contact
} viper_kept;

/// The kept contacts of a segment, in ascending order of pairs.
typedef struct viper_kept_row {
  viper_bits n;
  viper_kept touch[VIPER_KEPT];
} viper_kept_row;

/// The place, 0 or 1, of contact `number` (0 or 1) among the two of a pair: that along the second
/// segment, where they touch one end of it that along the first, else the number.
VIPER_FN viper_bits viper_touch_place(const viper_touch *t, const viper_touch *other, int number) {
  const viper_scalar first = t->weight[0] - other->weight[0],
                     second = t->weight[1] - other->weight[1];
  return second != 0 ? second > 0 : first != 0 ? first > 0 : number;
}

/// The number of a contact among those of its first segment.
VIPER_FN viper_bits viper_kept_pair(const viper_touch *t) {
  return 2 * t->roller[1].segment + t->place;
}

VIPER_FN viper_kept viper_kept_of(const viper_touch *t, viper_bits pair) {
  viper_kept k = {pair, t->lambda, {t->slide[0], t->slide[1], t->slide[2]}};
  return k;
}

/// Stores a contact between capsules that pushes, in the row of its first segment. If there are too
/// many, the least pairs are kept, independent of the order of calls.
VIPER_FN void viper_touch_keep(const viper_touch *t, viper_kept_row *row) {
  const viper_bits pair = viper_kept_pair(t);
  if (!(t->lambda > 0) || (row->n == VIPER_KEPT && pair > row->touch[VIPER_KEPT - 1].pair))
    return;
  viper_bits k = row->n < VIPER_KEPT ? row->n++ : VIPER_KEPT - 1;
  for (; k > 0 && row->touch[k - 1].pair > pair; k--)
    row->touch[k] = row->touch[k - 1];
  row->touch[k] = viper_kept_of(t, pair);
}

/// Sets the initial multipliers of a contact: the fraction `warm` of the kept push, and the
/// tangential part of the kept friction. viper_touch_begin moves the nodes.
VIPER_FN void viper_touch_recall(viper_touch *t, const viper_kept *kept, viper_scalar warm) {
  t->lambda = warm * kept->push;
  t->slide =
      viper_touch_tangent(t, viper_vec4_make(kept->slide[0], kept->slide[1], kept->slide[2], 0));
}

/// The same for a contact between capsules, if the row of its first segment has it.
VIPER_FN void viper_touch_recall_between(viper_touch *t, const viper_kept_row *row,
                                         viper_scalar warm) {
  const viper_bits pair = viper_kept_pair(t);
  for (viper_bits k = 0; k < row->n; k++)
    if (row->touch[k].pair == pair)
      viper_touch_recall(t, &row->touch[k], warm);
}

#endif
