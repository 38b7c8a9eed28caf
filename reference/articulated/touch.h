// SPDX-License-Identifier: GPL-3.0-or-later
/// Implicit contact: nodes of the surface stay out of obstacles, and of other flesh, at the end of
/// a step, with Coulomb friction over it. Contacts are found at the places that a global step
/// leads to, and added to those that the step has; their forces then solve the step's quadratic.
#ifndef AR_TOUCH_H
#define AR_TOUCH_H

#include "compliance.h"
#include "cone.h"
#include "contact.h"

typedef struct ar_touches {
  const ar_contact *contact;
  const uint8_t *held; ///< (n_nodes) bits of components
  ar_compliance compliance;
  double tolerance; ///< by which contacts may be missed in the end, m
  size_t n, most;
  size_t n_filled; ///< contacts whose rows w has
  ar_touch *touch; ///< (most)
  double *w;       ///< (3 x most x most) m/N
  double *u;       ///< (most x 3) m; old and room follow
  double *old;     ///< (most x 3) forces before, N
  double *room;    ///< (3 x most)
  int32_t *known;  ///< (n_nodes x (obstacles + 1)) the contact of a node, or -1; flesh is last
} ar_touches;

/// The ends of a step, and the places at its beginning.
typedef struct ar_span {
  double before, time; ///< s
  const double *old_x; ///< (n_nodes x 3) m
  int threads;
} ar_span;

/// For a contact and a matrix that outlive it. Freed by ar_touches_clear.
vb_status ar_touches_create(const ar_contact *contact, const uint8_t *held, ar_reduced *reduced,
                            ar_touches *out, vb_error *error);
void ar_touches_clear(ar_touches *touches);

/// Forgets the contacts of the step before.
void ar_touches_begin(ar_touches *touches);

/// Adds contacts at the places `x` (n_nodes x 3), looking for flesh in flesh if `flesh`; solves
/// for all forces until they miss by no more than `tolerance` [m]; writes by how much those on
/// nodes grow, `more` (n_nodes x 3) [N]. Returns, in `off`, how far the contacts were from being
/// solved [m].
vb_status ar_touches_solve(ar_touches *touches, const ar_span *span, const double *x, bool flesh,
                           double tolerance, double *more, double *off, vb_error *error);

/// Writes each driver's share of the forces on nodes at `x`, and their torque about its moved
/// origin (n_drivers x 6) [N, N m]; adds the work of driven obstacles [J].
void ar_touches_drive(const ar_touches *touches, const ar_span *span, const double *x,
                      double *pushed, double *work);

#endif
