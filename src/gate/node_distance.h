// SPDX-License-Identifier: GPL-3.0-or-later
/// How far the nodes of one recorded run are from those of another.
#ifndef VB_GATE_NODE_DISTANCE_H
#define VB_GATE_NODE_DISTANCE_H

#include "results/results_array.h"

/// The greatest distance [m] of a node in the last frame of run `a` from the same node in that of
/// `b`. VB_BAD_INPUT where they have no frames/position, or not as many nodes.
vb_status vb_node_distance(vb_run_location a, vb_run_location b, double *out, vb_error *error);

#endif
