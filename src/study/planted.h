// SPDX-License-Identifier: GPL-3.0-or-later
/// Planted solvers: solvers with a known fault. A study that checks anything fails with them, and
/// says which of them its gates must tell from a sound one. The solvers themselves are in
/// tests/planted/.
#ifndef VB_STUDY_PLANTED_H
#define VB_STUDY_PLANTED_H

#include <stdbool.h>

/// Every kind: its name, the word for it, whether every study must see it, and what its solver
/// does.
#define VB_PLANTED_SOLVERS(X)                                                                      \
  X(STILL, "still", true, "never moves, and reports zero energies, work and residual")             \
  X(FREE_FALL, "free-fall", true, "nothing but gravity acts on what is not pinned")                \
  X(HALF_STEP, "half-step", true, "takes steps of half the length")                                \
  X(STALE, "stale", true, "fields are those of one step before")                                   \
  X(ZERO_ENERGIES, "zero-energies", true, "energies are reported as zero")                         \
  X(TERM_MISSING, "term-missing", false, "rods do not resist bending")                             \
  X(NO_CONTACT, "no-contact", false, "nothing touches anything")                                   \
  X(DOUBLE_DAMPING, "double-damping", false, "velocities are damped at twice the rate")            \
  X(SLOW_TIME, "slow-time", false, "steps are 2 % too short")                                      \
  X(NOISE, "noise", false, "positions are off by up to a thousandth of a radius")                  \
  X(FRICTION, "friction", false, "coefficients of friction are 5 % too high")                      \
  X(BENDING, "bending", false, "rods resist bending 2 % too much")

typedef enum vb_planted_kind {
#define VB_PLANTED(name, word, always, text) VB_PLANTED_##name,
  VB_PLANTED_SOLVERS(VB_PLANTED) VB_PLANTED_COUNT
#undef VB_PLANTED
} vb_planted_kind;

/// Which kinds the gates of a study must see.
typedef struct vb_planted_plan {
  bool must[VB_PLANTED_COUNT];    ///< whether some gate must fail with it
  char *exempt[VB_PLANTED_COUNT]; ///< where it need not, though every study must: why; else null
} vb_planted_plan;

/// The words for the kinds, in their order, ended by a null.
extern const char *const vb_planted_words[VB_PLANTED_COUNT + 1];

/// The plan of a study that says nothing of it.
vb_planted_plan vb_planted_default(void);

/// Frees what a plan holds and zeroes it, not the plan itself; a zeroed plan is fine.
void vb_planted_clear(vb_planted_plan *plan);

#endif
