// SPDX-License-Identifier: GPL-3.0-or-later
/// The device model: a scene as it lies in a device's memory, in one precision (VIPER_PRECISION).
/// upload_real.c writes it and the kernels read it. Every pointer is a device pointer (a host
/// pointer where tests run the kernels there). And the per-body workspace of a cooperative group:
/// in shared memory if it fits, otherwise in global memory.
#ifndef VIPER_CUDA_CORE_DEVICE_H
#define VIPER_CUDA_CORE_DEVICE_H

#include "viper/backend/backend.h"
#include "viper/backend/body_groups.h"
#include "viper/energy/element.h"
#include "viper/energy/hill.h"
#include "viper/energy/inertia.h"
#include "viper/linear/schedule.h"
#include "viper/method/advance.h"
#include "viper/method/fields.h"
#include "viper/method/frame_pin.h"
#include "viper/model/adjacency.h"
#include "viper/settings/constants.h"

/// What a bound is of: a pinned node or frame is put to its value; a load is added to.
typedef enum viper_bound_type {
  VIPER_BOUND_NODE_PIN,
  VIPER_BOUND_FRAME_PIN,
  VIPER_BOUND_NODE_LOAD,  ///< acceleration [m/s^2] and that of the scale [1/s^2], gravity included
  VIPER_BOUND_FRAME_LOAD, ///< torque in world axes [N m], 0
  VIPER_BOUND_STRAIN,     ///< what an active segment rests at (viper_contraction), 0, 0
  VIPER_BOUND_PULL,       ///< the same of a segment whose nodes a pair of forces pulls
  VIPER_BOUND_HILL        ///< excitation, 1, length of the substep [s], 0
} viper_bound_type;

/// What of a frame is pinned: all of it, or parts.
enum { VIPER_FRAME_FIXED = 1, VIPER_FRAME_HELD };

/// A pin or a load of a body. Its value has four components: center and scale, or a frame.
typedef struct viper_bound {
  int32_t type;  ///< viper_bound_type
  int32_t index; ///< node or segment of the body
  uint32_t mask; ///< of a node's pin: the components (vb_pin_mask); of a frame's: viper_model_pin
} viper_bound;

/// What does work on a body: a pin that a driver moves, a load, or an activation.
typedef struct viper_work_item {
  int32_t type;    ///< viper_bound_type
  int32_t index;   ///< node or segment of the body
  uint32_t mask;   ///< of a pin: see viper_bound; of a load that turns, one more than its number;
                   ///< of Hill's law, its number
  int32_t summand; ///< where its work of a substep goes
  int32_t value;   ///< of a load: its force (and scale force) or torque among the bounds' values;
                   ///< likewise of an activation
} viper_work_item;

/// A load that turns with a segment of its body.
typedef struct viper_device_follower_load {
  int32_t at_node;    ///< a force on a node, or a torque on a frame
  int32_t index;      ///< of that
  int32_t segment;    ///< with which it turns
  int32_t value;      ///< the load before it turns, among the bounds' values
  viper_real back[4]; ///< conj(Q_0) of that segment
} viper_device_follower_load;

/// A node that follows drivers.
typedef struct viper_device_follow {
  int32_t node;
  int32_t value; ///< the three rows of its map, among the bounds' values
} viper_device_follow;

typedef struct __attribute__((aligned(8))) viper_device_segment { // read by two numbers at once
  int32_t node[2];
} viper_device_segment;

typedef struct __attribute__((aligned(8))) viper_device_joint {
  int32_t node[3], segment[2];
  int32_t outer; ///< whether a term looks at the outer scales
} viper_device_joint;

/// Bodies of equal topology: that of one of them, with indexes from 0.
typedef struct viper_device_body_group {
  viper_model_body body;
  const viper_phase *phase; ///< colors of segments and joints, or rounds (viper/model/rounds.h)
  const int32_t *order;     ///< elements of the rounds; null of colors
  const viper_device_segment *segment;
  const viper_device_joint *joint;
  const uint8_t *node_pinned;  ///< vb_pin_mask
  const uint8_t *frame_pinned; ///< VIPER_FRAME_FIXED, VIPER_FRAME_HELD, or 0
  const viper_bound *bound;    ///< [n_bounds] loads, then pins
  int32_t n_bounds, n_loads;
  const viper_work_item *work; ///< [n_works], activations last
  int32_t n_works, n_activations, n_hills;
  const viper_hill *hill;                          ///< [n_hills] of activations of that kind
  const viper_device_follower_load *follower_load; ///< [n_follower_loads]
  const viper_device_follow *follow;               ///< [n_follows]
  int32_t n_follower_loads, n_follows;
  viper_adjacency adjacency;
  viper_elimination elimination; ///< of `direct`; else empty, and so is its schedule
  viper_schedule schedule;
} viper_device_body_group;

/// A body: where its elements begin in the arrays of the scene. Bodies with equal rest data share
/// them.
typedef struct viper_device_body {
  int32_t group;
  int32_t node, segment;                       ///< state
  int32_t rest_node, rest_segment, rest_joint; ///< rest data
  int32_t bound;
} viper_device_body;

/// How far a run has come.
typedef struct viper_control {
  int64_t n_steps; ///< done; one that ended in trouble counts
  int32_t trouble; ///< a free scale is at its lower bound, or a value is not finite
  int32_t stopped; ///< `trouble` at the end of a substep: nothing changes from then on
} viper_control;

/// How many columns of four numbers the rows of a type take: number c of row `at` of n is at
/// 4 (c / 4 n + at) + c % 4. So GPU threads with consecutive rows read consecutive memory, four
/// numbers at once.
#define VIPER_COLUMNS(type) ((VIPER_REALS(type) + 3) / 4)

/// The whole scene. Nodes and segments are in the order of the model.
typedef struct viper_device {
  const viper_device_body_group *group;
  const viper_device_body *body;
  // Rest data
  const viper_real *node_inertia;  ///< x 2: mass [kg], scale inertia [kg m^2]
  const viper_real *node_weight;   ///< x 2: one over the terms on the center, on the scale
  const viper_real *frame_inertia; ///< about u at scale 1, kg m^2
  const viper_real *frame_weight;  ///< one over the terms on the frame
  // In columns of four (VIPER_COLUMNS), of n_rest_segments and n_rest_joints rows:
  const viper_real *segment, *joint;               ///< viper_segment_rest, viper_joint_rest
  const viper_real *segment_spring, *joint_spring; ///< of block descent; else null
  int32_t n_rest_segments, n_rest_joints;
  const viper_solid_rest *solid; ///< of segments; null without any of the material model solid
  const viper_bending *bending;  ///< of joints; null without bending factors
  const viper_fused *fused;      ///< of joints; null without fused rods
  const viper_moments *moments;  ///< of segments; null where all frames are discs
  const viper_real *bound_value; ///< x 4
  viper_real
      *held; ///< [n_segments x 7] viper_held in this substep; null where no part of a frame is
  // State
  viper_real *node;       ///< [n_nodes x 4]: center [m], scale
  viper_real *node_rate;  ///< [n_nodes x 4]
  viper_real *node_hat;   ///< [n_nodes x 4] prediction of the latest substep
  viper_real *frame;      ///< [n_segments x 4]: w, x, y, z
  viper_real *frame_hat;  ///< [n_segments x 4]
  viper_real *frame_rate; ///< [n_segments x 3] world axes, rad/s
  // Of bdf2 (VIPER_HISTORY_FIELDS); else null:
  viper_real *node_before, *node_rate_before;   ///< [n_nodes x 4]
  viper_real *frame_before, *frame_rate_before; ///< [n_segments x 4], [n_segments x 3]
  // Of frames that keep their momentum (VIPER_SPIN_FIELDS); else null:
  viper_real *momentum, *frame_hat0; ///< [n_segments x 3], [n_segments x 4]
  viper_real *work_force;            ///< x 4: what held each item's pin, as viper_state's pin_force
  viper_real *node_hat0;             ///< [n_nodes x 4] that before contacts push; null without
  viper_real *active;        ///< [n_segments x 2] viper_contraction; null without activations
  viper_real *active_now;    ///< the same in the substep at work
  double *work;              ///< [n_slots] done by each driver, load and activation, J
  viper_real *work_summand;  ///< what each item did in the latest substep, slot by slot
  const int32_t *work_first; ///< [n_slots + 1] first part of each slot
  int32_t n_slots;
  viper_control *control;
  viper_real gravity[3]; ///< m/s^2
} viper_device;

/// What changes from launch to launch.
typedef struct viper_launch {
  viper_settings settings;
  viper_scalar h;         ///< of Phi, s
  viper_scalar rate;      ///< displacement to velocity: see viper_advance
  bool second_order;      ///< likewise, and all that follow
  viper_scalar predict_h; ///< s
  viper_scalar keep;
  viper_scalar kept, ahead, length; ///< of frames that keep their momentum
  bool follows;                     ///< viper_follows of the settings
  viper_constants constants;        ///< likewise
} viper_launch;

static inline viper_launch viper_launch_of(const viper_settings *settings,
                                           const viper_advance *advance) {
  viper_launch out = {*settings,
                      (viper_scalar)advance->inertia_h,
                      (viper_scalar)advance->rate,
                      advance->second_order,
                      (viper_scalar)advance->h,
                      (viper_scalar)advance->keep,
                      (viper_scalar)advance->kept,
                      (viper_scalar)advance->ahead,
                      (viper_scalar)viper_advance_length(advance),
                      viper_follows(settings),
                      viper_constants_of(settings)};
  return out;
}

/// The fields that are there; all numbers.
#define VIPER_WORKSPACE_FIELDS(X) VIPER_STATE_FIELDS(X) VIPER_METHOD_FIELDS(X)

/// Arrays that a method does not need have no room of their own.
typedef struct viper_workspace {
#define VIPER_ROWS(name, type, place, set, spare) viper_real *name;
  VIPER_WORKSPACE_FIELDS(VIPER_ROWS)
#undef VIPER_ROWS
  // Of `direct`; of other methods `value` and `partial`, if they sum over bodies:
  viper_real *gradient, *move; ///< [n_columns x 4] (viper/linear/elimination.h)
  viper_real *diagonal;        ///< [columns x 16] of the matrix that is held
  viper_real *block;           ///< [blocks x 16]
  viper_real *value;           ///< [viper_most_values] of elements that are summed
  viper_real *slope;           ///< [n_columns x 2] a pair each (viper/cuda/core/pair.h)
  viper_real *partial;         ///< [viper_partial_sums x 2] pairs
} viper_workspace;

/// How many there are of a body; columns and blocks are those that its elimination needs room for
/// (viper_submatrices).
typedef struct viper_workspace_size {
  size_t nodes, segments, joints, columns, blocks;
  bool sums; ///< block descent sums over such a body: it is of the material model solid
} viper_workspace_size;

/// Those of a kind's bodies.
static inline viper_workspace_size
viper_workspace_size_of_body_group(const viper_body_group *group) {
  const viper_model *m = group->model;
  viper_workspace_size size = {
      m->n_nodes, m->n_segments, m->n_joints, 0, 0, m->body->solid != VIPER_NONE_SOLID};
  if (group->elimination) {
    size.columns = group->elimination->submatrices.room_columns;
    size.blocks = group->elimination->submatrices.room_blocks;
  }
  return size;
}

/// So many values are summed one after the other; more of them in rows of VIPER_SUM_CHUNK. In
/// double the CPU's order gives the CPU's bits. Pairs of floats are exact enough in any order, and
/// adding one takes eight instructions.
#define VIPER_PAIRS_ROW   32
#define VIPER_PAIRS_CHUNK 16
#if VIPER_PRECISION == 64
#define VIPER_ROW       1024
#define VIPER_SUM_CHUNK 32
#else
#define VIPER_ROW       VIPER_PAIRS_ROW
#define VIPER_SUM_CHUNK VIPER_PAIRS_CHUNK
#endif

/// Sums on the way to that of `n` values: as many as either precision needs.
VIPER_FN size_t viper_partial_sums(size_t n) {
  size_t sums = 0;
  for (; n > VIPER_PAIRS_ROW; sums += n)
    n = (n + VIPER_PAIRS_CHUNK - 1) / VIPER_PAIRS_CHUNK;
  return sums;
}

/// Room for the longest list of values that is summed: of segments and nodes, or of segments and
/// joints. Even, so that rows of two stay aligned behind it.
VIPER_FN size_t viper_most_values(viper_workspace_size of) {
  size_t values = of.segments + (of.nodes > of.joints ? of.nodes : of.joints);
  return values + values % 2;
}

/// Numbers that `direct` needs besides those of the fields.
VIPER_FN size_t viper_direct_reals(viper_workspace_size of) {
  size_t columns = of.nodes + of.segments, values = viper_most_values(of);
  return 8 * columns + 16 * (of.columns + of.blocks) + values + 2 * columns +
         2 * viper_partial_sums(values);
}

/// Whether a method that factors nothing sums over such a body.
VIPER_FN bool viper_workspace_sums(viper_method method, viper_workspace_size of) {
  return of.sums && (viper_traits(method) & VIPER_OWN_PHASES) != 0;
}

/// Numbers that it then needs besides those of the fields.
VIPER_FN size_t viper_sums_reals(viper_workspace_size of) {
  size_t values = viper_most_values(of);
  return values + 2 * viper_partial_sums(values);
}

/// Lays these out from `at` on; returns where they end.
VIPER_FN viper_real *viper_workspace_sums_at(viper_workspace *workspace, viper_real *at,
                                             viper_workspace_size of) {
  size_t values = viper_most_values(of);
  workspace->partial = at;
  workspace->value = workspace->partial + 2 * viper_partial_sums(values);
  return workspace->value + values;
}

/// Numbers that a method needs near a body.
VIPER_FN size_t viper_workspace_reals(viper_method method, viper_workspace_size of) {
  const unsigned sets = viper_traits(method);
  size_t reals = sets & VIPER_FACTORS ? viper_direct_reals(of) : 0;
  if (viper_workspace_sums(method, of))
    reals += viper_sums_reals(of);
#define COUNT(name, type, place, set, spare)                                                       \
  reals += sets & (set) ? VIPER_REALS(type) * of.place##s : 0;
  VIPER_WORKSPACE_FIELDS(COUNT)
#undef COUNT
  return (reals + 3) / 4 * 4; // rows of four stay aligned for the next body
}

/// Lays out what `direct` needs from `at` on, rows of four first; returns where that ends.
VIPER_FN viper_real *viper_workspace_direct(viper_workspace *workspace, viper_real *at,
                                            viper_workspace_size of) {
  size_t columns = of.nodes + of.segments, values = viper_most_values(of);
  workspace->gradient = at;
  workspace->move = workspace->gradient + 4 * columns;
  workspace->diagonal = workspace->move + 4 * columns;
  workspace->block = workspace->diagonal + 16 * of.columns;
  workspace->slope = workspace->block + 16 * of.blocks;
  workspace->partial = workspace->slope + 2 * columns;
  workspace->value = workspace->partial + 2 * viper_partial_sums(values);
  return workspace->value + values;
}

/// Lays them out from `at` on: rows of four, then rows of an even number, which are read by two,
/// then others.
// NOLINTNEXTLINE(readability-function-size): a statement for each field of the list
VIPER_FN viper_workspace viper_workspace_at(viper_method method, viper_real *at,
                                            viper_workspace_size of) {
  const unsigned sets = viper_traits(method);
  viper_workspace workspace;
#define PLACE(name, type, place, set, spare)                                                       \
  if ((VIPER_REALS(type) == 4       ? 4                                                            \
       : VIPER_REALS(type) % 2 == 0 ? 2                                                            \
                                    : 1) == rows &&                                                \
      (sets & (set))) {                                                                            \
    workspace.name = at;                                                                           \
    at += VIPER_REALS(type) * of.place##s;                                                         \
  }
  int rows = 4;
  VIPER_WORKSPACE_FIELDS(PLACE)
  if (sets & VIPER_FACTORS)
    at = viper_workspace_direct(&workspace, at, of);
  if (viper_workspace_sums(method, of))
    at = viper_workspace_sums_at(&workspace, at, of);
  rows = 2;
  VIPER_WORKSPACE_FIELDS(PLACE)
  rows = 1;
  // cppcheck-suppress uselessAssignmentPtrArg ; the last field is followed by none
  VIPER_WORKSPACE_FIELDS(PLACE)
#undef PLACE
  return workspace;
}

#endif
