// SPDX-License-Identifier: GPL-3.0-or-later
/// Sets of bones that are coupled: by flesh, by links, or by either. Sets do not act on each other.
#ifndef AR_COUPLE_H
#define AR_COUPLE_H

#include "body.h"

typedef struct ar_sets {
  size_t n;
  size_t *first;        ///< (n + 1) bones of set k are bone[first[k]] to bone[first[k + 1] - 1]
  int32_t *bone;        ///< (n_bones) increasing in each set; sets by their first bones
  int32_t *set_of;      ///< (n_bones)
  int32_t *place;       ///< (n_bones) of a bone in its set
  int32_t *set_of_node; ///< (n_nodes) the set whose bones a node's flesh reaches, or -1
} ar_sets;

/// Finds the sets that flesh couples, if `flesh`, and links, if `links`. Freed by ar_sets_clear.
vb_status ar_sets_create(const ar_body *body, bool flesh, bool links, ar_sets *out,
                         vb_error *error);
void ar_sets_clear(ar_sets *sets);

#endif
