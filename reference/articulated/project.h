// SPDX-License-Identifier: GPL-3.0-or-later
/// The projection onto articulated rigid motions (Li, Liu, Kavan 2019, sections 3.2, 3.3): of all T
/// that are rigid and satisfy the links, the one that is nearest to T0 in the norm of a weight W,
/// |T - T0|_W^2 / 2, by Newton's method on rotations and multipliers. The paper leaves the
/// curvature of rotations and links out (Gauss and Newton's method).
#ifndef AR_PROJECT_H
#define AR_PROJECT_H

#include "tree.h"

/// Iterations of a projection whose gaps are told.
enum { AR_GAPS = 12 };

typedef struct ar_projector {
  const ar_body *body;
  ar_links *links;
  bool apart;              ///< links alone couple bones
  const double *weight[3]; ///< for x, y, z [N/m]: (4 n_bones x 4 n_bones), or, of bones that are
                           ///< apart, n_bones times (4 x 4)
  ar_tree tree;            ///< of bones that are apart; without bones where links form none
  int most;                ///< iterations, at most
  bool curved;             ///< Newton's method; else Gauss and Newton's
  bool feasible;           ///< ends as soon as links hold
  const ar_pose *start;    ///< (n_bones) near which links hold, or null
  int iterations;          ///< of the latest projection
  double gap;              ///< the greatest value of a row at its end
  ar_pose *pose;           ///< (n_bones) the result
  double *gaps;            ///< (AR_GAPS) null, or where to write the gaps after 1, 2, .. iterations
  double *multiplier;      ///< (most_rows) of the result; the next follow in one block
  double *force;           ///< (n_bones x 4 x 3) W (T - T0)
  double *turn;            ///< (n_bones x 9)
  double *values;          ///< (most_rows)
  double *right;           ///< (6 n_bones + most_rows)
  double *unit;            ///< the same: scales of unknowns and rows
  double *rows;            ///< (most_rows x 6 n_bones) C; null until needed, and so what follows
  double *matrix;          ///< (6 n_bones + most_rows)^2
  double *copy;            ///< the same
  double *work;            ///< of LAPACK
  int *whole;              ///< (2 (6 n_bones + most_rows)) of LAPACK
  int length;              ///< of work
} ar_projector;

/// Allocates, for bones that only links couple if `apart`; freed by ar_projector_clear.
vb_status ar_projector_create(const ar_body *body, ar_links *links, bool apart, ar_projector *out,
                              vb_error *error);
void ar_projector_clear(ar_projector *projector);

/// Projects `target` (n_bones x 4 x 3): the poses, and T of them in `out`. Where Newton's method
/// does not converge, from `start` on by steps that are watched (reach.h). Rows of hinges at their
/// limits hold where they must. VB_UNAVAILABLE where LAPACK fails.
vb_status ar_project(ar_projector *projector, const double *target, double *out, vb_error *error);

/// Removes from a gradient by turns (over radii) and shifts (6 n_bones) of these poses what forces
/// of links can be. VB_UNAVAILABLE for want of memory.
vb_status ar_projector_remove(ar_projector *projector, const ar_pose *pose, double *gradient,
                              vb_error *error);

/// For reach.c. Allocates what dense systems need, once.
vb_status ar_projector_reserve(ar_projector *projector, vb_error *error);

/// For reach.c. Writes W (T - T0) of the present poses to `force` and T - T0 to `difference`, the
/// rows' values and the greatest of them.
void ar_projector_measure(ar_projector *projector, const double *target, double *difference);

/// For reach.c. Writes the system of an iteration, with curvature or without, by the present rows.
void ar_projector_write(ar_projector *projector, bool curved);

/// For reach.c. Moves the poses by `right`; returns the greatest turn or shift over the size.
double ar_projector_move(ar_projector *projector);

/// T of poses (n_bones x 4 x 3).
void ar_pose_matrix(const ar_pose *pose, size_t n_bones, double *out);

/// Writes the derivatives by turn and shift of each bone in its own axes, Gt^T g (6 n_bones), for a
/// gradient by T (n_bones x 4 x 3).
void ar_pose_gradient(const ar_pose *pose, size_t n_bones, const double *gradient, double *out);

#endif
