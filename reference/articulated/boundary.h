// SPDX-License-Identifier: GPL-3.0-or-later
/// What the outside asks: where nodes are held, and loads.
#ifndef AR_BOUNDARY_H
#define AR_BOUNDARY_H

#include "links.h"

typedef struct ar_boundary {
  const ar_body *body;
  uint8_t *held;   ///< (n_nodes) bits 1, 2, 4 for x, y, z
  int32_t *driver; ///< (n_nodes) or -1
} ar_boundary;

/// Reads pins. VB_UNAVAILABLE for a load on a scale, and for one on bones that are not exact. Freed
/// by ar_boundary_clear.
vb_status ar_boundary_create(const ar_body *body, ar_boundary *out, vb_error *error);
void ar_boundary_clear(ar_boundary *boundary);

/// Moves held components of `x` (n_nodes x 3) to where they are at `time`.
void ar_boundary_move(const ar_boundary *boundary, double time, double *x);

/// Writes the loads at `time`, without gravity: on nodes that no bone carries (n_nodes x 3) [N],
/// and on bones (n_bones x 4 x 3), whose poses and links are those of the beginning of the step.
void ar_boundary_loads(const ar_boundary *boundary, const ar_links *links, const ar_pose *bones,
                       double time, double *nodes, double *forces);

/// The rotation vector [rad] from one unit quaternion to another.
void ar_turn_between(const double from[4], const double to[4], double out[3]);

/// What is needed to tell the work of a step.
typedef struct ar_motion {
  double before, time;              ///< its beginning and end, s
  const ar_pose *old_bones, *bones; ///< poses at both
  const double *old_frame, *frame;  ///< (n_bones x 4) quaternions
  const double *old_x, *x;          ///< (n_nodes x 3)
  const double *pull;               ///< (n_nodes x 3) force on what is held, N
  const double *joint;              ///< (n_links x 6) force and torque of links on first sides
} ar_motion;

/// Adds the work of a step [J], of drivers, then of loads. `links` are at its end.
void ar_boundary_work(const ar_boundary *boundary, const ar_links *links, const ar_motion *motion,
                      double *work);

/// Adds force [N] and torque [N m] about the moved origin of each driver (n_drivers x 3 each).
void ar_boundary_reactions(const ar_boundary *boundary, const ar_links *links,
                           const ar_motion *motion, double *force, double *torque);

#endif
