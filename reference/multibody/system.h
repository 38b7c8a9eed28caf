// SPDX-License-Identifier: GPL-3.0-or-later
/// Rigid bodies and their joints in maximal coordinates, and their accelerations by Lagrange
/// multipliers: M u' = f + G^T lam, G u' = b. Each link has rows of two kinds only: the three
/// components of the distance of its points, and cosines a . n of a direction on its first side and
/// one on its second, which stay 0 (a hinge has two, a universal joint one, and a hinge
/// at its limit one more, which pushes only).
#ifndef MB_SYSTEM_H
#define MB_SYSTEM_H

#include "scene/scene.h"

#include <stddef.h>

/// Numbers of a bone's state: center, unit quaternion, velocity, angular velocity (world axes).
enum { MB_STATE = 13 };

/// Most rows of a link.
enum { MB_MOST_ROWS = 6 };

typedef struct mb_system {
  const vb_scene *scene;
  const vb_bone *bone;
  size_t n_bones;
  const vb_link *link;
  size_t n_links;
  const vb_driver *driver;
  size_t n_drivers;
  const vb_load *load;
  size_t n_loads;
  double (*inverse)[6];   ///< (n_bones) of inertia tensors at rest, in their order, 1/(kg m^2)
  size_t *first_row;      ///< (n_links + 1) rows of link i are first_row[i] to first_row[i + 1] - 1
  double (*across)[3][3]; ///< (n_links) directions at rest on the second side, n of the rows a . n
  int *at_limit;          ///< (n_links) -1 at the least angle, 1 at the greatest, else 0
  int *next_limit;        ///< (n_links) scratch
  size_t most_rows;       ///< with all limits
  double middle;          ///< a time within the pieces of curves that hold now, s
  double *gradient;       ///< (n_rows x 6 n_bones) G; the arrays below follow in one block
  double *solved;         ///< (n_rows x 6 n_bones) G M^-1
  double *matrix;         ///< (n_rows x n_rows) scratch of the solution
  double *copy;           ///< (n_rows x n_rows) scratch
  double *known;          ///< (n_rows) b
  double *multiplier;     ///< (n_rows) of the latest solution: N, N m
  double *scratch;        ///< (3 n_rows)
  double *force;          ///< (6 n_bones) f
  double *change;         ///< (6 n_bones) u'
} mb_system;

/// The second side of a link: its point and its motion. Of the world all is still.
typedef struct mb_side {
  double point[3], velocity[3], acceleration[3]; ///< of the material point
  double frame[4];                               ///< turn from rest
  double spin[3], spin_rate[3];                  ///< angular velocity, its rate
} mb_side;

/// VB_UNAVAILABLE where a scene has what the solver leaves out, beside sets that it does not know.
vb_status mb_check(const vb_scene *scene, vb_error *error);

/// Makes the system of a scene. VB_BAD_INPUT where a driver that carries a link jumps. Freed by
/// mb_system_clear.
vb_status mb_system_create(const vb_scene *scene, mb_system *out, vb_error *error);
void mb_system_clear(mb_system *system);

/// Lets the limit of hinge `i` hold (-1, 1) or none (0), and numbers all rows anew.
void mb_limit(mb_system *system, size_t i, int which);

/// Writes the state at time 0 (n_bones x MB_STATE).
void mb_system_start(const mb_system *system, double *state);

/// The value of curve `index` (-1 for none) at `time` and its two derivatives, of the piece that
/// holds at system->middle; zeros for no curve.
void mb_curve(const mb_system *system, int32_t index, double time, double out[3]);

/// Side `which` of link `i` at `time`. Accelerations are those of a driver, 0 for bones.
void mb_link_side(const mb_system *system, size_t i, int which, double time, const double *state,
                  mb_side *out);

/// Writes the values of all rows (n_rows) [m, 1], which are 0 where links hold.
void mb_gap_rows(const mb_system *system, double time, const double *state, double *out);

/// Writes the angle [rad] of a hinge, in (-pi, pi]; 0 of others.
double mb_angle(const mb_system *system, size_t i, double time, const double *state);

/// Writes the rate of the state (n_bones x MB_STATE), and behind it the power of each driver and
/// each load [W]. Leaves the multipliers. VB_UNAVAILABLE where LAPACK finds no solution.
vb_status mb_rates(mb_system *system, double time, const double *state, double *rate);

/// Moves the state to where links hold, and changes velocities by the impulses that make them so:
/// both by as little as possible, weighted by the inertia.
vb_status mb_project(mb_system *system, double time, double *state);

/// Adds the force [N] and the torque [N m] about its moved origin that each driver exerts through
/// links, their multipliers given; n_drivers x 3 each.
void mb_reactions(const mb_system *system, const double *multiplier, double time,
                  const double *state, double *force, double *torque);

#endif
