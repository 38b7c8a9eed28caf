// SPDX-License-Identifier: GPL-3.0-or-later
/// Body groups: bodies with the same topology, pins and acting terms, so that one list of indexes
/// serves all and they can be computed side by side.
#ifndef VIPER_BACKEND_BODY_GROUPS_H
#define VIPER_BACKEND_BODY_GROUPS_H

#include "viper/backend/chain_order.h"
#include "viper/linear/elimination.h"
#include "viper/linear/schedule.h"
#include "viper/model/adjacency.h"
#include "viper/model/rest_equal.h"
#include "viper/model/rounds.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What is known of the rest data of bodies at work: nothing; that they share them; that every
/// segment is stored along the paths of its joints, too; that they are plain chains besides, stored
/// along: nodes 0, 1, .., segment j from node j to j + 1, joint t about node t + 1, and all joints
/// act on their outer scales; that segments are stored along and rest data are multiples of those
/// of the first body.
enum { VIPER_UNIFORM = 1, VIPER_ALONG = 2, VIPER_CHAIN = 3, VIPER_MULTIPLES = 4 };

typedef struct viper_body_group {
  viper_model *model; ///< its first body alone, with indexes from 0
  viper_adjacency *adjacency;
  viper_elimination *elimination; ///< null unless asked for
  viper_schedule *schedule;       ///< of the elimination; null before the body groups are complete
  viper_rounds rounds;            ///< for the threads of a cooperative group; else empty
  int32_t *body;                  ///< [n_bodies] of the whole model, rising
  int32_t n_bodies;
  /// Of plain chains (viper_chain_find), uniform or not, that are eliminated from both ends: how
  /// elements lie, the node in the middle, and whether at each distance the node and the frame
  /// behind it, in the order of the chain, come before those of the other side. `root` is 0 of all
  /// others, and where a side has fewer than three nodes.
  viper_chain_order segments, joints;
  int32_t root;
  bool upper_first;
  int uniform; ///< whether all share rest data and inertias, too: 0, or one of the above
  bool chain;  ///< whether they are chains stored along, uniform or not
  double (*factor)[VIPER_N_FACTORS]; ///< [n_bodies] of multiples; else null
} viper_body_group;

typedef struct viper_body_groups {
  viper_body_group *group;
  size_t n_groups;
  int32_t *single; ///< [n_singles] bodies that are worked on one by one
  size_t n_singles;
} viper_body_groups;

/// Fewest bodies of a group, and most nodes of one, that are worked on side by side. Below, lanes
/// would idle; above, a body is better spread over lanes and threads itself.
#define VIPER_BODY_GROUP_MIN_BODIES 4
#define VIPER_BODY_GROUP_MAX_NODES  4096
/// Most nodes of a body that is in a group although it has fewer companions; longer chains may be
/// divided into tiles.
#define VIPER_BODY_GROUP_SINGLE_NODES 512

/// What to group. A body with fewer companions than VIPER_BODY_GROUP_MIN_BODIES is in a group, too,
/// if its elements, one by one, cost less than the vectors that they fill phase by phase.
typedef struct viper_grouping {
  bool none;   ///< all bodies are single
  bool direct; ///< prepare the exact factorization
  /// Bodies of a group whose rest data differ by no more (relative; of unit quaternions absolute)
  /// are uniform: those of the first hold for all.
  double tolerance;
  /// What bodies must be to have multiples of rest data within that tolerance: VIPER_ALONG,
  /// VIPER_CHAIN, or 0: none may.
  int multiples;
  int lanes; ///< of a vector
  /// Of a vector of several elements over that of one element; 0: as if less.
  double vector_cost;
} viper_grouping;

/// Sorts a model's bodies into body groups; driven and loaded bodies and those apart are single.
/// Copies of a rod in other places have rest data that are close, but not bitwise equal. The model
/// must outlive the body groups. Freed by viper_body_groups_destroy.
vb_status viper_body_groups_create(const viper_model *model, const viper_grouping *grouping,
                                   viper_body_groups *out, vb_error *error);
/// Makes a group of its own of every single body, and the schedules of all body groups that have an
/// elimination. Whole or not, the body groups are to be destroyed.
vb_status viper_body_groups_complete(const viper_model *model, bool eliminate,
                                     viper_body_groups *body_groups, vb_error *error);
void viper_body_groups_destroy(viper_body_groups *body_groups);

#ifdef __cplusplus
}
#endif

#endif
