// SPDX-License-Identifier: GPL-3.0-or-later
/// The interface between the CPU backend and its sources in SIMD lanes, which end in _lanes.c.
/// These are compiled once per precision, instruction set and floating-point mode; one variant is
/// selected when an instance is made.
#ifndef VIPER_CPU_CORE_LANES_H
#define VIPER_CPU_CORE_LANES_H

#include "viper/backend/body_groups.h"
#include "viper/backend/tiles.h"
#include "viper/cpu/core/cpu.h"
#include "viper/method/advance.h"
#include "viper/model/boundary.h"

typedef struct viper_arrays viper_arrays;
typedef struct viper_contact_set viper_contact_set; ///< cpu/contact/data.h
typedef struct viper_contact_candidates viper_contact_candidates;
typedef struct viper_watches viper_watches;

/// A thread of those that work on one body together.
typedef struct viper_thread_group {
  int rank, size;
} viper_thread_group;

/// What moves nodes and frames besides their neighbors, over a substep.
typedef struct viper_motion {
  const double *node_load; ///< as viper_boundary has them
  const double *frame_load;
  double gravity[3]; ///< [m/s^2]
  viper_advance advance;
} viper_motion;

/// Where the four components of a node (center, scale) or of a frame lie: scalars of the variant's
/// precision, `stride` of them apart.
typedef struct viper_place {
  void *node, *node_hat;
  const void *node_old; ///< before the substep
  size_t stride;
  void *rate; ///< velocity of a node; of frames null
} viper_place;

struct viper_lanes_api {
  int lanes; ///< bodies side by side
  /// Memory for all bodies of the body groups, for no more threads than `settings` have. Pins are
  /// held where the boundary has them. With `split_substep` a substep may be done in parts. Freed
  /// by destroy.
  vb_status (*create)(const viper_model *model, const viper_body_groups *body_groups,
                      const viper_boundary *boundary, const viper_settings *settings,
                      bool split_substep, void **out, vb_error *error);
  void (*destroy)(void *self);
  /// Into and out of the rows of `state` that belong to these bodies.
  void (*put)(void *self, const viper_state *state);
  void (*get)(const void *self, viper_state *state);
  /// Advances all bodies by a substep. Returns whether one is in trouble: a value that is not
  /// finite, or a scale at its lower bound.
  bool (*substep)(void *self, const viper_settings *settings, const viper_advance *advance);
  /// The parts of a substep: predict; iterate, any number of times; take velocities, as substep
  /// does in the end.
  void (*begin)(void *self, const viper_settings *settings, const viper_advance *advance);
  void (*iterate)(void *self, const viper_settings *settings, const viper_advance *advance);
  bool (*end)(void *self, const viper_settings *settings, const viper_advance *advance);
  /// Writes the places of these bodies' nodes and frames into their elements of `place` [n_nodes of
  /// the model] and `frame` [n_segments]; good as long as the instance. Only where a substep may be
  /// done in parts.
  void (*places)(void *self, viper_place *place, viper_place *frame);

  /// Single bodies: predicts all nodes and frames of `arrays` (in the variant's precision), notes
  /// the old ones, and holds pins. Called by every thread of the group.
  void (*predict)(const viper_arrays *arrays, const viper_motion *motion,
                  viper_thread_group thread_group);
  /// Takes their velocities. Returns whether this thread found one in trouble, as by substep.
  bool (*rate)(const viper_arrays *arrays, const viper_motion *motion,
               viper_thread_group thread_group);
  /// Moves one of their bodies by sweeps over its elements, several at a time; likewise called by
  /// every thread of the group.
  void (*sweep)(const viper_arrays *arrays, const viper_model_body *body,
                const viper_settings *settings, double h, viper_thread_group thread_group);
  /// Likewise by `direct`.
  void (*direct)(const viper_arrays *arrays, const viper_model_body *body,
                 const viper_settings *settings, double h, viper_thread_group thread_group);

  /// Memory to sweep long chains in tiles: the `n` tilings of a model, which must outlive it, for
  /// at most `threads` threads. Freed by tiles_destroy.
  vb_status (*tiles_create)(const viper_model *model, const viper_tiling *tiling, size_t n,
                            viper_method method, int threads, void **out, vb_error *error);
  void (*tiles_destroy)(void *self);
  /// Makes room for as many sweeps as are set, where that is needed.
  vb_status (*tiles_reserve)(void *self, const viper_settings *settings, vb_error *error);
  /// Moves the chain of a tiling by all sweeps of a substep, from its prediction; called by every
  /// thread of a parallel region.
  void (*tiles_sweep)(void *self, const viper_tiling *tiling, const viper_arrays *arrays,
                      const viper_settings *settings, double h);

  /// Moves bodies by what contacts begin with. Called by every thread of the group.
  void (*contact_begin)(const viper_contact_set *contacts, viper_thread_group thread_group);
  /// A pass over all contacts, in the variant's precision. Called by every thread of the group.
  void (*contact_pass)(const viper_contact_set *contacts, viper_thread_group thread_group);
  /// Likewise, after the last pass: takes back friction that does work, finds what velocities do
  /// not count, and keeps what contacts leave to the next substep.
  void (*contact_settle)(const viper_contact_set *contacts, viper_thread_group thread_group);
  /// Where pairs of capsules are watched (viper_capsule_watch).
  void (*contact_watch)(const viper_contact_candidates *candidates, viper_watches *out);
};

/// The variant of a name in a precision (32 or 64), or null if the build has none.
const viper_lanes_api *viper_lanes_find(int precision, const char *instructions, bool fast);
/// The widest instruction set of this build that this machine has, or null.
const char *viper_lanes_best(void);
/// An instruction set's name as a text that lives as long as the program; null for none of these.
const char *viper_lanes_name(const char *instructions);
/// Whether this machine has an instruction set.
bool viper_lanes_has(const char *instructions);

/// The compiled instruction sets: X(set, name). Each has two arithmetics, strict and fast; in
/// double the fast one is there if the build has VIPER_FAST_DOUBLE.
#ifdef VIPER_ONLY // some of them: those of "make INSTRUCTIONS=", by default this machine's widest
#define VIPER_INSTRUCTIONS(X) VIPER_ONLY(X)
#elif defined __x86_64__
#define VIPER_INSTRUCTIONS(X) X(v2, "x86-64-v2") X(v3, "x86-64-v3") X(v4, "x86-64-v4")
#else
#define VIPER_INSTRUCTIONS(X) X(base, "base")
#endif

#define VIPER_DECLARE_LANES(set, name)                                                             \
  extern const viper_lanes_api viper_lanes_f32_##set##_strict, viper_lanes_f64_##set##_strict;     \
  extern const viper_lanes_api viper_lanes_f32_##set##_fast, viper_lanes_f64_##set##_fast;
VIPER_INSTRUCTIONS(VIPER_DECLARE_LANES)
#undef VIPER_DECLARE_LANES

#endif
