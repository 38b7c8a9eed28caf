// SPDX-License-Identifier: GPL-3.0-or-later
/// The constraints with their gradients (sections 3 to 5 of the paper), and their projection (eq.
/// 17 with the minus sign that its print lacks).
#ifndef UMETANI_ELEMENT_H
#define UMETANI_ELEMENT_H

#include "reference/umetani/frame.h"
#include "reference/umetani/rods.h"

/// Constraints of an edge, and of a rigid body, in the order of their multipliers.
typedef enum umetani_edge_kind {
  UMETANI_LENGTH,   ///< eq. 18, m
  UMETANI_BISECTOR, ///< eq. 19, m^2
  UMETANI_DISTANCE, ///< eq. 20, m
} umetani_edge_kind;

/// How the three components of a joint are enforced.
typedef enum umetani_grouping {
  UMETANI_BLOCK,  ///< all at once
  UMETANI_SCALAR, ///< one after the other
  UMETANI_SQUARED ///< their norm alone
} umetani_grouping;

/// A constraint of up to three components over up to six points, in a state.
typedef struct umetani_element {
  int n_points;
  int n_rows;               ///< 1 or 3
  uint32_t rows;            ///< bit i: component i is enforced
  const int32_t *point;     ///< n_points
  double c[3];              ///< values; 0 where satisfied
  double compliance[3];     ///< of XPBD: of each component, 0 where hard
  double alpha[3];          ///< the paper's stiffness of each component, in [0, 1]
  double gradient[3][6][3]; ///< of each component at each point
} umetani_element;

/// Settings by which constraints are enforced.
typedef struct umetani_law {
  bool xpbd;
  umetani_grouping grouping;
  double inv_h2;   ///< of the substep, 1/s^2
  double alpha[3]; ///< of bending about d1, about d2, and of twist
  double stretch;  ///< alpha of lengths
  bool inextensible;
} umetani_law;

/// Each writes a constraint at positions `x` [m]. False where it has no gradient there: an edge or
/// a ghost's distance has shrunk to nothing, or a frame has turned by half a turn.
bool umetani_edge_element(const umetani_edge *edge, double length, umetani_edge_kind kind,
                          const umetani_law *law, double (*x)[3], umetani_element *out);
bool umetani_joint_element(const umetani_joint *joint, const double alpha[3],
                           const umetani_law *law, double (*x)[3], umetani_element *out);
/// Of a rigid body: distances of its two ghosts, right angle between them (kind 0, 1, 2).
bool umetani_hub_element(const umetani_hub *hub, int kind, double (*x)[3], umetani_element *out);
bool umetani_attachment_element(const umetani_attachment *attachment, const umetani_law *law,
                                double (*x)[3], umetani_element *out);
/// Of the end of an edge in a triangle: its place, as a vector [m], and its frame, as an
/// attachment's.
void umetani_anchor_place(const umetani_anchor *anchor, double (*x)[3], umetani_element *out);
bool umetani_anchor_turn(const umetani_anchor *anchor, const umetani_law *law, double (*x)[3],
                         umetani_element *out);
/// `target`: the axes that the frame is held at, one a row.
bool umetani_hold_element(const umetani_hold *hold, const double target[3][3], double (*x)[3],
                          umetani_element *out);

/// The matrix sum_a w_a g_a g_a^T + diag(compliance/h^2) of XPBD; without the compliance otherwise.
void umetani_matrix(const umetani_element *e, double (*weights)[3], const umetani_law *law,
                    double a[3][3]);

/// Solves A y = -r in the enforced rows; y is 0 in the others, and in those that depend on others:
/// of the frame of a segment both ends of which are held, only the turn about it is left. False
/// where nothing can be moved.
bool umetani_solve(const double a[3][3], uint32_t rows, const double r[3], double y[3]);

/// Enforces a constraint once: moves the points `x`, adds to the multipliers `lambda` (3), and to
/// `impulse` at points of which components are held. Writes what the multipliers were changed by to
/// `step`, null where it is not needed.
void umetani_enforce(const umetani_element *e, double (*weights)[3], const double *weight,
                     const umetani_law *law, umetani_grouping grouping, double (*x)[3],
                     double *lambda, double (*impulse)[3], double step[3]);

/// Writes what a constraint pushes its point number `p` by, with multipliers `lambda`: g_p^T
/// lambda.
static inline void umetani_push(const umetani_element *e, const double lambda[3], int p,
                                double out[3]) {
  out[0] = out[1] = out[2] = 0;
  for (int i = 0; i < e->n_rows; i++)
    vb_add_scaled(out, lambda[i], e->gradient[i][p], out);
}

/// Writes the torque about the origin of these pushes on points that are at `x` (n_points).
void umetani_torque(const umetani_element *e, const double lambda[3], double (*x)[3],
                    double out[3]);

/// The multipliers by component of a constraint in its state: `lambda`, but with XPBD and squared
/// joints the direction of the norm times the one multiplier.
void umetani_multipliers(const umetani_element *e, const umetani_law *law,
                         umetani_grouping grouping, const double *lambda, double out[3]);

#endif
