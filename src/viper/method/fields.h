// SPDX-License-Identifier: GPL-3.0-or-later
/// The data of each element during the solve of a body, besides its rest data. From these lists
/// each backend derives its storage and the functions viper_get_NAME(w, at) and viper_set_NAME(w,
/// at, x).
///
/// X(name, type, place, set, spare): `type` is of viper_real alone; `place` is node, segment (and
/// its frame) or joint; methods without the trait `set` do not store it. `spare` is 1 if there is a
/// row of zeros behind the last, for absent elements, which have no stiffness.
#ifndef VIPER_METHOD_FIELDS_H
#define VIPER_METHOD_FIELDS_H

#include "viper/energy/inertia.h"
#include "viper/energy/terms.h"
#include "viper/method/newton.h"
#include "viper/settings/methods.h"

/// The multipliers of all terms of an element.
typedef struct viper_segment_lambda {
  viper_real row[VIPER_SEGMENT_ROWS];
} viper_segment_lambda;

typedef struct viper_joint_lambda {
  viper_real row[VIPER_JOINT_ROWS];
} viper_joint_lambda;

/// The state, and its prediction as if nothing were pinned.
#define VIPER_STATE_FIELDS(X)                                                                      \
  X(node, viper_node_x, node, VIPER_ALWAYS, 0)                                                     \
  X(node_hat, viper_node_x, node, VIPER_ALWAYS, 0)                                                 \
  X(frame, viper_quat, segment, VIPER_ALWAYS, 1)                                                   \
  X(frame_hat, viper_quat, segment, VIPER_ALWAYS, 0)

/// Other data that last from step to step: rates; angular velocities are in world axes.
#define VIPER_RATE_FIELDS(X)                                                                       \
  X(node_rate, viper_node_x, node, VIPER_ALWAYS, 0)                                                \
  X(frame_rate, viper_vec3, segment, VIPER_ALWAYS, 0)

/// Additional data of bdf2 and midpoint: the previous state and its rates.
#define VIPER_HISTORY_FIELDS(X)                                                                    \
  X(node_before, viper_node_x, node, VIPER_ALWAYS, 0)                                              \
  X(node_rate_before, viper_node_x, node, VIPER_ALWAYS, 0)                                         \
  X(frame_before, viper_quat, segment, VIPER_ALWAYS, 0)                                            \
  X(frame_rate_before, viper_vec3, segment, VIPER_ALWAYS, 0)

/// Data of frames with the gyroscope in a substep (spin.h): their predicted momentum, and their
/// prediction without the moves of contacts and bundles. Before nodes are predicted, the latter
/// holds a viper_spin_notes.
#define VIPER_SPIN_FIELDS(X)                                                                       \
  X(momentum, viper_vec3, segment, VIPER_ALWAYS, 0)                                                \
  X(frame_hat0, viper_quat, segment, VIPER_ALWAYS, 0)

/// The state before the substep.
#define VIPER_OLD_FIELDS(X)                                                                        \
  X(node_old, viper_node_x, node, VIPER_ALWAYS, 0)                                                 \
  X(frame_old, viper_quat, segment, VIPER_ALWAYS, 0)

/// Working data of methods: the inertia of frames about u and v in this substep (kg m^2); h^2 over
/// the inertias, and multipliers; displacements to be averaged, or gradients over frames; stored
/// results of joints, and the inverses of the frames' blocks; the start of a step or of a choice.
#define VIPER_METHOD_FIELDS(X)                                                                     \
  X(inertia, viper_real, segment, VIPER_ALWAYS, 0)                                                 \
  X(h2a, viper_node_inertia, node, VIPER_MULTIPLIERS, 0)                                           \
  X(frame_h2a, viper_real, segment, VIPER_MULTIPLIERS, 0)                                          \
  X(segment_lambda, viper_segment_lambda, segment, VIPER_MULTIPLIERS, 0)                           \
  X(joint_lambda, viper_joint_lambda, joint, VIPER_MULTIPLIERS, 0)                                 \
  X(node_sum, viper_node_x, node, VIPER_NODE_SUMS, 0)                                              \
  X(frame_sum, viper_vec3, segment, VIPER_FRAME_SUMS, 0)                                           \
  X(turn, viper_turn, joint, VIPER_NOTES, 1)                                                       \
  X(hold, viper_hold, joint, VIPER_NOTES, 1)                                                       \
  X(pull, viper_pull, joint, VIPER_NOTES, 1)                                                       \
  X(inverse, viper_inverse, segment, VIPER_NOTES, 0)                                               \
  X(node_start, viper_node_x, node, VIPER_STARTS, 0)                                               \
  X(frame_start, viper_quat, segment, VIPER_STARTS, 0)

/// Sets of the data that must last if a substep is done in parts, between which the memory of a
/// body is used for others.
#define VIPER_LASTING (VIPER_ALWAYS | VIPER_MULTIPLIERS)

#endif
