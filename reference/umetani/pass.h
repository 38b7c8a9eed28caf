// SPDX-License-Identifier: GPL-3.0-or-later
/// One iteration over a body, element by element, and over several bodies at once.
#ifndef UMETANI_PASS_H
#define UMETANI_PASS_H

#include "reference/umetani/state.h"

/// What iterations work on.
typedef struct umetani_pass {
  const umetani_rods *rods;
  const umetani_settings *settings;
  umetani_state *state;
  umetani_scratch *scratch;
} umetani_pass;

/// Each enforces the constraints of element `i`, that is held in part.
void umetani_enforce_edge(const umetani_pass *s, int32_t i);
void umetani_enforce_joint(const umetani_pass *s, int32_t i);
void umetani_enforce_hold(const umetani_pass *s, int32_t i);

/// Enforces each end of a rod in a triangle once: its frame, then its place, which the turn has
/// moved. These join bodies, and so follow the iteration of all of them.
void umetani_anchor_sweep(const umetani_pass *s);

/// The most lanes that this machine has instructions for: 2, 4 or 8.
int32_t umetani_count_lanes(void);

/// `visits` iterations over the `n` bodies from `first` on, which are connected alike
/// (umetani_rods.group), in the lanes of vectors, `lanes` of them at once. Each body's results are
/// those of umetani_sweep to the last bit. False, and nothing is done, where the settings ask for
/// what lanes do not do, or memory is short.
bool umetani_sweep_lanes(const umetani_pass *pass, int32_t first, int32_t n, int visits,
                         int32_t lanes);

/// Compliance of an edge's length over h^2; 0 of one without.
static inline double umetani_length_compliance(const umetani_edge *e, const umetani_law *law) {
  return law->xpbd && !law->inextensible ? e->length / e->stiffness * law->inv_h2 : 0;
}

/// Compliance over h^2 of component `k` of a joint; with PBD its alpha.
static inline double umetani_joint_compliance(const umetani_joint *j, const double alpha[3],
                                              const umetani_law *law, int k) {
  return law->xpbd ? law->inv_h2 / (j->k[k] * j->lb) : alpha[k];
}

#endif
