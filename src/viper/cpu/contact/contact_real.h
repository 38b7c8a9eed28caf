// SPDX-License-Identifier: GPL-3.0-or-later
/// Contact in the time step of the CPU backend (contact/README.md), in the working precision.
#ifndef VIPER_CPU_CONTACT_CONTACT_REAL_H
#define VIPER_CPU_CONTACT_CONTACT_REAL_H

#include "base/arena.h"
#include "viper/contact/candidate.h"
#include "viper/contact/filter.h"
#include "viper/contact/grid.h"
#include "viper/contact/smooth.h"
#include "viper/contact/truncation.h"
#include "viper/cpu/contact/data.h"
#include "viper/cpu/core/cpu_real.h"
#include "viper/cpu/evaluate/contact_newton.h"

#define viper_contact_create     VIPER_NAME(viper_contact_create)
#define viper_contact_destroy    VIPER_NAME(viper_contact_destroy)
#define viper_contact_detect     VIPER_NAME(viper_contact_detect)
#define viper_contact_pass       VIPER_NAME(viper_contact_pass)
#define viper_contact_finish     VIPER_NAME(viper_contact_finish)
#define viper_contact_push_hat   VIPER_NAME(viper_contact_push_hat)
#define viper_contact_frame_hat  VIPER_NAME(viper_contact_frame_hat)
#define viper_contact_weigh      VIPER_NAME(viper_contact_weigh)
#define viper_contact_still      VIPER_NAME(viper_contact_still)
#define viper_contact_reset      VIPER_NAME(viper_contact_reset)
#define viper_contact_measure    VIPER_NAME(viper_contact_measure)
#define viper_contact_distance   VIPER_NAME(viper_contact_distance)
#define viper_contact_forces     VIPER_NAME(viper_contact_forces)
#define viper_contact_gather     VIPER_NAME(viper_contact_gather)
#define viper_contact_begin      VIPER_NAME(viper_contact_begin)
#define viper_contact_keep       VIPER_NAME(viper_contact_keep)
#define viper_contact_forget     VIPER_NAME(viper_contact_forget)
#define viper_contact_carry      VIPER_NAME(viper_contact_carry)
#define viper_contact_work       VIPER_NAME(viper_contact_work)
#define viper_contact_pairs      VIPER_NAME(viper_contact_pairs)
#define viper_contact_finds      VIPER_NAME(viper_contact_finds)
#define viper_contact_find       VIPER_NAME(viper_contact_find)
#define viper_contact_sort       VIPER_NAME(viper_contact_sort)
#define viper_contact_frames     VIPER_NAME(viper_contact_frames)
#define viper_contact_nodes      VIPER_NAME(viper_contact_nodes)
#define viper_contact_truncation VIPER_NAME(viper_contact_truncation)
#define viper_contact_solve      VIPER_NAME(viper_contact_solve)
#define viper_bundle_newton_look VIPER_NAME(viper_bundle_newton_look)

/// Segments whose pairs a thread looks at at once.
enum { VIPER_CONTACT_RANGE = 64 };

/// Nodes, segments or contacts from which on a loop over them is worth waking up threads.
enum { VIPER_CONTACT_PARALLEL = 1024 };

typedef struct viper_touch_list {
  viper_touch *touch;
  size_t n, capacity;
} viper_touch_list;

/// Makes room for `n` contacts; false without memory.
static inline bool viper_touch_reserve(viper_touch_list *list, size_t n) {
  return VB_GROW(list->touch, list->capacity, n);
}

/// Whether two spheres make a pair, as in viper_grid_pairs.
static inline bool viper_spheres_pair(const viper_sphere *a, const viper_sphere *b) {
  float x = a->center[0] - b->center[0], y = a->center[1] - b->center[1];
  float z = a->center[2] - b->center[2], r = a->radius + b->radius;
  return x * x + y * y + z * z <= r * r && (a->body < 0 || a->body != b->body) &&
         a->groups & b->meets && b->groups & a->meets;
}

/// Segments i and j that are near each other, and the gap between them where they are predicted, m.
typedef struct viper_close_pair {
  int32_t i, j;
  viper_scalar gap;
} viper_close_pair;

/// What a thread found.
typedef struct viper_finds {
  viper_touch_list touch;
  viper_close_pair *close; ///< [n_close]
  size_t n_close, close_capacity;
  viper_scalar speed; ///< greatest motion of two capsules against each other, over their radii
  bool failed;        ///< out of memory
} viper_finds;

/// Where the contacts of a range of segments lie.
typedef struct viper_touch_range {
  int thread;
  size_t first; ///< in its finds
  size_t n;
  size_t before; ///< contacts of earlier ranges
} viper_touch_range;

/// The pairs of capsules that are looked at: listed for as long as they are good, and mended where
/// a few capsules have moved through their skins. A pair whose gap was seen need not be looked at
/// again before both capsules have moved so far that they may be near each other. What comes of it
/// is the same as if all pairs were listed and looked at in every substep.
typedef struct viper_neighbor_list {
  bool listed;
  int32_t *first;              ///< [n_segments + 1] as in viper_sphere_pairs
  int32_t *other;              ///< [capacity]
  viper_scalar *limit, *spare; ///< [capacity] of the sum of two reaches, up to which the pair is
                               ///< not near; and room for others
  size_t other_capacity, limit_capacity, spare_capacity;
  viper_scalar *displacement; ///< [n_segments] of each capsule since all were listed, all
                              ///< displacements added up, m
  viper_scalar *pace;         ///< [n_segments] that it goes lately, m a substep
  viper_scalar *reach;        ///< [n_segments] its displacement, and what it moves in this substep
  viper_scalar *skin;         ///< [n_segments] reach for which its sphere is good
  int32_t *moved;             ///< [n_moved] capsules whose spheres are not those that the grid has
  int32_t n_moved;
  viper_sphere_list around; ///< scratch
  int32_t (*added)[2];      ///< [n_added] pairs that are to be listed, too
  size_t n_added, most_added;
} viper_neighbor_list;

/// Contacts that share no node with any of another island (sort_real.c).
typedef struct viper_islands {
  int32_t *leader; ///< [n_nodes] scratch: a node of the same island
  int32_t *number; ///< [n_nodes] scratch: of the island that a leader leads
  int32_t n;
  int32_t *touch; ///< [first[n]] contacts, those of an island in the order of colors
  int32_t *first; ///< [n + 1] of each island, in `touch`
  size_t touch_capacity, first_capacity;
} viper_islands;

/// Segments i and j that would pass through each other, and the part of their motion that is left
/// to them.
typedef struct viper_unsafe_pair {
  int32_t i, j;
  viper_scalar part;
} viper_unsafe_pair;

/// What keeps capsules from passing through each other after the iterations
/// (contact/truncation_real.c).
typedef struct viper_truncation {
  viper_grid *grid;          ///< of its own: that of the neighbor list stays as it is
  viper_sphere *sphere;      ///< [n_segments] scratch
  uint8_t *suspect;          ///< [n_segments] whether its pairs are to be looked at; zeros
  uint8_t *truncated;        ///< [n_nodes] whether the motion of a node was truncated; zeros
  uint64_t *bid;             ///< [n_nodes] scratch
  viper_unsafe_pair *unsafe; ///< [n_unsafe]
  size_t n_unsafe, unsafe_capacity;
} viper_truncation;

/// What contact needs. Lists grow where a substep has more than any before it.
struct viper_contacts {
  const vb_contact *settings; ///< of the scene; null where capsules do not touch each other
  double margin;              ///< viper_contact_margin, m
  viper_plane *plane;         ///< [n_planes]
  size_t n_planes;
  viper_filter filter;
  viper_rod_neighbors *beyond; ///< [n_segments] where normals are those of smooth rods, else null
  viper_grid *grid;
  viper_neighbor_list neighbors;
  viper_truncation truncation;
  viper_moving_capsule *capsule; ///< [n_segments]
  viper_sphere *sphere;          ///< [n_segments]
  viper_place *place;            ///< [n_nodes]
  viper_contact_node *node;      ///< [n_nodes]
  viper_vec4 *still;        ///< [n_nodes] of their motion in the substep velocities do not count
  viper_friction *friction; ///< [n_nodes] of bodies; null where none has its own
  viper_average *average;   ///< [n_nodes] null unless the method averages
  // The substep before, for a warm start; null without one:
  viper_kept_row *kept;    ///< [n_segments]
  viper_kept *kept_rest;   ///< [n_nodes x n_planes]
  viper_scalar warm_start; ///< part of the pushes that contacts begin with
  // Null without driven half-planes:
  double *push;      ///< [n_nodes x n_planes x VIPER_PUSH_DOUBLES] what they did before
  double *push_room; ///< likewise, room
  // Friction that rolls frames; all null where nothing has friction:
  viper_contact_frame *frame; ///< [n_segments]
  viper_place *frame_place;   ///< [n_segments]
  int32_t *rolling;           ///< [n_rolling] frames that contacts roll, rising
  int32_t n_rolling;
  uint8_t *marked;      ///< [n_segments] scratch, zeros
  viper_roller *roller; ///< as in viper_contact_set, like the next
  int32_t *roller_first, *turn;
  int32_t n_turns;
  int32_t working[VIPER_EASE_ROUNDS];
  int32_t *eased;       ///< [n_nodes] likewise
  int32_t *eased_frame; ///< [n_segments] likewise
  viper_ease_sums ease_sums;
  uint64_t *colors; ///< [n_nodes] colors of the contacts at a node, while these are sorted
  int32_t *active;  ///< [n_active] nodes with contacts, rising
  int32_t n_active;
  viper_finds *finds; ///< [n_finds], one for each thread
  int n_finds;
  size_t finds_capacity;
  viper_touch_range *range; ///< [n_ranges] of ranges of segments, in their order
  int32_t n_ranges;
  int32_t *rank; ///< [ranks] of contacts in their order: how many of its color are before it
  viper_touch **to_color; ///< [most_to_color] contacts in their order, before they are sorted
  size_t ranks, most_to_color;
  viper_touch_list touch; ///< between capsules, color by color
  int32_t color_first[VIPER_CONTACT_COLORS + 2];
  int32_t shared_colors; ///< the first ones, large enough for all threads to share
  viper_islands islands; ///< of the contacts of all other colors
  viper_touch_list rest; ///< on half-planes, node by node
  viper_limit *limit;    ///< [n_limits] of n_nodes: scales at or near their limit
  int32_t n_limits;
  viper_contact_newton *newton; ///< null until it is asked for
  double *frame_push;           ///< [n_segments] with it: as viper_state has it; else null
  double *mass_ratio; ///< [n_nodes] with it: mass of the heaviest body over that of the node's;
                      ///< else null
  bool solved;        ///< contacts are those of the substep that ended in the state
  double speed;       ///< greatest motion of two capsules in this substep, over their radii
  bool any_truncated; ///< whether motions were truncated in this substep: also of nodes without
                      ///< contacts
  int64_t truncated;  ///< nodes whose motion was truncated in this step
  int64_t truncated_since; ///< the same since the state was put
  int64_t truncated_steps; ///< steps since then in which any was
  vb_arena memory;         ///< what does not grow
};

/// For a model whose scene has contact or half-planes. Freed by viper_contact_destroy, on failure,
/// too.
vb_status viper_contact_create(viper_cpu *cpu, const viper_settings *settings, viper_contacts **out,
                               vb_error *error);
void viper_contact_destroy(viper_contacts *contacts);

/// See viper_backend, contact_step.
vb_status viper_contact_distance(void *self, double h, double *out, vb_error *error);

/// After viper_contact_newton_distance's state was read: gives it the multipliers of bundles, and
/// takes what they pushed out of its predictions.
void viper_bundle_newton_look(const viper_cpu *cpu, viper_contact_newton *newton, double h);

/// Moves driven half-planes to where they are at the end of a substep.
void viper_contact_carry(viper_cpu *cpu, const viper_cpu_substep *step);

/// Adds the work that driven half-planes did in a substep to that of their drivers.
void viper_contact_work(viper_cpu *cpu, double *work);

/// Finds the contacts of a substep, after the prediction.
vb_status viper_contact_detect(viper_cpu *cpu, const viper_settings *settings, vb_error *error);

/// Before the first iteration: moves bodies by what contacts begin with.
void viper_contact_begin(viper_cpu *cpu, const viper_settings *settings);

/// One pass over all contacts, after an iteration of all bodies.
void viper_contact_pass(viper_cpu *cpu, const viper_settings *settings);

/// After the last pass: predictions are moved by what contacts moved, whatever the method; and what
/// contacts leave to the next substep is kept.
void viper_contact_finish(viper_cpu *cpu, const viper_settings *settings);

/// In place of iterations and passes: solves bodies and contacts at once (README.md, Newton), from
/// the contacts at the prediction on.
vb_status viper_contact_solve(viper_cpu *cpu, const viper_settings *settings,
                              const viper_cpu_substep *step, vb_error *error);

/// In scenes with bundles: takes the predictions, which these moved, for those without contacts,
/// and adds what contacts have pushed so far.
void viper_contact_push_hat(viper_cpu *cpu);

/// The prediction `hat` of frame `j`, rolled by friction: for frames that this rolls.
viper_quat viper_contact_frame_hat(const viper_cpu *cpu, int32_t j, viper_quat hat);

/// In scenes with bundles by a penalty: contacts move nodes and frames of bundles by inertia with
/// the penalty, as bodies iterate with it, or by their own. Forces stay as they are.
void viper_contact_weigh(viper_cpu *cpu, bool with_penalty);

/// Truncates motions that would take capsules through each other: after all else that moves nodes.
vb_status viper_contact_truncation(viper_cpu *cpu, int threads, vb_error *error);

/// After velocities were taken, by `rate` [1/s] from displacements: takes out of them what takes
/// back penetrations (viper_touch_stabilize).
void viper_contact_still(viper_cpu *cpu, const viper_settings *settings, double rate);

/// After a new state was put: there are no contacts yet, but what is `kept` of viper_state.
void viper_contact_reset(const viper_model *model, viper_contacts *contacts, const double *kept);

/// See viper_backend.
void viper_contact_keep(const void *self, double *out);

/// Contacts of the next substep begin without what is kept.
void viper_contact_forget(const viper_model *model, viper_contacts *contacts);

/// See viper_cpu_api.
void viper_contact_measure(const void *self, double out[VIPER_N_CONTACT]);
void viper_contact_forces(const void *self, const double *node, double *on_body, double *on_plane,
                          double work[2]);

// The steps of viper_contact_detect.

/// Reads all nodes from where they are.
void viper_contact_gather(viper_cpu *cpu, int threads);

/// The broad phase on what was gathered: capsules, and the pairs that may be near.
vb_status viper_contact_pairs(viper_cpu *cpu, double margin, int threads, vb_error *error);

/// Makes room for the finds of so many threads.
bool viper_contact_finds(viper_contacts *contacts, int threads);

/// The narrow phase: each thread's finds, in ranges; false without memory.
bool viper_contact_find(viper_cpu *cpu, int threads);

/// Sorts the contacts between capsules into colors, and parts these; false without memory.
bool viper_contact_sort(viper_contacts *contacts, int threads);

/// What nodes need on their own: half-planes, limits of scales; and which are active. False without
/// memory.
bool viper_contact_nodes(viper_cpu *cpu, double margin, int threads);

/// Where there is friction: the frames that it may roll.
void viper_contact_frames(viper_cpu *cpu, int threads);

#endif
