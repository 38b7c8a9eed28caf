// SPDX-License-Identifier: GPL-3.0-or-later
/// Bodies of one kind: alike in topology, pins and the terms that act, so that one list of indexes
/// serves all and they can be worked on side by side.
#ifndef VIPER_MODEL_BODY_GROUPS_H
#define VIPER_MODEL_BODY_GROUPS_H

#include "viper/linear/elimination.h"
#include "viper/model/adjacency.h"
#include "viper/linear/schedule.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What is known of the rest data of bodies at work: nothing; that they share them; that every
/// segment is stored along the paths of its joints, too; that they are plain chains besides, stored
/// along: nodes 0, 1, .., segment j from node j to j + 1, joint t about node t + 1, and
/// surface_bend acts on all joints.
enum { VIPER_UNIFORM = 1, VIPER_ALONG = 2, VIPER_CHAIN = 3 };

typedef struct viper_kind {
  viper_model *model; ///< its first body alone, with indexes from 0
  viper_links *links;
  viper_elimination *elimination; ///< null unless asked for
  viper_schedule *schedule;       ///< of the elimination; null before the kinds are closed
  int32_t *body;                  ///< [n_bodies] of the whole model, rising
  int32_t n_bodies;
  int uniform; ///< whether all share rest data and inertias, too: 0, or one of the above
} viper_kind;

typedef struct viper_kinds {
  viper_kind *kind;
  size_t n_kinds;
  int32_t *loose; ///< [n_loose] bodies that are worked on one by one
  size_t n_loose;
} viper_kinds;

/// Fewest bodies of a kind, and most nodes of one, that are worked on side by side. Below, lanes
/// would idle; above, a body is better spread over lanes and threads itself.
#define VIPER_KIND_LEAST_BODIES 4
#define VIPER_KIND_MOST_NODES   4096

/// Sorts a model's bodies into kinds; driven and loaded bodies are loose, or all are where `none`.
/// `eliminate` prepares the exact factorization. Those of a kind share rest data that differ by no
/// more than `tolerance` (relative; of unit quaternions absolute): then those of the first are
/// meant for all. Copies of a rod in other places are that close, but not bitwise equal. The model
/// must outlive the kinds. Freed by viper_kinds_destroy.
vb_status viper_kinds_create(const viper_model *model, bool none, bool eliminate, double tolerance,
                             viper_kinds *out, vb_error *error);
/// Makes a kind of its own of every loose body, and the schedules of all kinds that have an
/// elimination. Whole or not, the kinds are to be destroyed.
vb_status viper_kinds_close(const viper_model *model, bool eliminate, viper_kinds *kinds,
                            vb_error *error);
void viper_kinds_destroy(viper_kinds *kinds);

#ifdef __cplusplus
}
#endif

#endif
