// SPDX-License-Identifier: GPL-3.0-or-later
/// The numbers that are kept of each element while a body is worked on, besides its rest data. Each
/// backend derives from these lists how it stores them and the functions that get and set them,
/// viper_get_NAME(w, at) and viper_set_NAME(w, at, x).
///
/// X(name, type, place, set, spare): `type` is of viper_real alone; `place` is node, segment (and
/// its frame) or joint; methods that do not have the trait `set` keep none of it. `spare` is 1
/// where an element without stiffness, which stands for none, reads a row of zeros behind the last.
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

/// What else lasts from step to step: rates; angular velocities are in world axes.
#define VIPER_RATE_FIELDS(X)                                                                       \
  X(node_rate, viper_node_x, node, VIPER_ALWAYS, 0)                                                \
  X(frame_rate, viper_vec3, segment, VIPER_ALWAYS, 0)

/// What bdf2 keeps besides: the state, and its rates, before those above.
#define VIPER_HISTORY_FIELDS(X)                                                                    \
  X(node_before, viper_node_x, node, VIPER_ALWAYS, 0)                                              \
  X(node_rate_before, viper_node_x, node, VIPER_ALWAYS, 0)                                         \
  X(frame_before, viper_quat, segment, VIPER_ALWAYS, 0)                                            \
  X(frame_rate_before, viper_vec3, segment, VIPER_ALWAYS, 0)

/// What frames that keep their momentum have in a substep (spin.h): the momentum that they are
/// predicted to have, and their prediction, which neither contacts nor bundles move. Before nodes
/// are predicted, the latter has a viper_spin_notes in its place.
#define VIPER_SPIN_FIELDS(X)                                                                       \
  X(momentum, viper_vec3, segment, VIPER_ALWAYS, 0)                                                \
  X(frame_hat0, viper_quat, segment, VIPER_ALWAYS, 0)

/// The state before the substep.
#define VIPER_OLD_FIELDS(X)                                                                        \
  X(node_old, viper_node_x, node, VIPER_ALWAYS, 0)                                                 \
  X(frame_old, viper_quat, segment, VIPER_ALWAYS, 0)

/// What methods work with: the inertia of frames about u and v in this substep (kg m^2); h^2 over
/// the inertias, and multipliers; displacements to be averaged, or gradients over frames; what
/// joints note of themselves, and the inverses of the frames' blocks; where a step or a choice
/// starts.
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

/// Sets of what must last where a substep is done in parts, between which a body's memory serves
/// others.
#define VIPER_LASTING (VIPER_ALWAYS | VIPER_MULTIPLIERS)

#endif
