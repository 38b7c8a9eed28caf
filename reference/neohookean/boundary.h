// SPDX-License-Identifier: GPL-3.0-or-later
/// What the outside asks of the nodes: where they are held, and loads.
#ifndef NH_BOUNDARY_H
#define NH_BOUNDARY_H

#include "solid.h"

/// Which components of the solver's nodes are held, and by which driver.
typedef struct nh_boundary {
  uint8_t *held;   ///< (n_nodes) bits 1, 2, 4 for x, y, z
  int32_t *driver; ///< (n_nodes) or -1
} nh_boundary;

/// Reads the pins: of the middle of an edge what both its ends share. VB_UNAVAILABLE for a load on
/// a scale. Freed by nh_boundary_clear.
vb_status nh_boundary_create(const nh_solid *solid, nh_boundary *out, vb_error *error);
void nh_boundary_clear(nh_boundary *boundary);

/// Positions at time 0 of all nodes (n_nodes x 3): from the scene's, the middles of edges between.
void nh_boundary_start(const nh_solid *solid, double *position, double *velocity);

/// Writes how far held components must move from `x` to where they are held at `time`, 0 elsewhere.
void nh_boundary_moves(const nh_boundary *boundary, const nh_solid *solid, const double *start,
                       double time, const double *x, double *moved);

/// Adds the loads at `time` to `force` (n_nodes x 3) [N].
void nh_boundary_loads(const nh_solid *solid, double time, double *force);

#endif
