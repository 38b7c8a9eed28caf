// SPDX-License-Identifier: GPL-3.0-or-later
/// What can touch: half-planes, colliders and other flesh, and the nodes of the surface that do.
/// How deep nodes are; and explicit contact, as published: forces at the beginning of a step, kc
/// times the depth of each node of the surface, or of each node that is inside of other flesh (Li,
/// Liu, Kavan 2019, section 5), without friction. Implicit contact is in touch.h.
#ifndef AR_CONTACT_H
#define AR_CONTACT_H

#include "overlap.h"

typedef struct ar_contact {
  const ar_body *body;
  double stiffness;   ///< kc, N/m; 0 of implicit contact
  double bound;       ///< least mass of a surface node over h^2, which kc is to stay below, N/m
  double cell;        ///< mean edge of the surface at rest, m
  size_t n;           ///< 0 where there is nothing to touch
  int32_t *node;      ///< (n) on the surface of the tetrahedra, increasing
  ar_overlap overlap; ///< of flesh; all null where the scene has no contact
} ar_contact;

/// Finds the surface. Of explicit contact `stiffness` 0 stands for half of the bound, and anything
/// with friction is VB_UNAVAILABLE; `held` are bits of components. Freed by ar_contact_clear.
vb_status ar_contact_create(const ar_body *body, const uint8_t *held, bool is_explicit,
                            double stiffness, double h, ar_contact *out, vb_error *error);
void ar_contact_clear(ar_contact *contact);

/// Writes the force on each node [N] (n_nodes x 3) at positions `x`, obstacles being where they are
/// at `time`; and those of each driver's obstacles, with their torque about its moved origin
/// (n_drivers x 6) [N, N m].
void ar_contact_forces(const ar_contact *contact, double time, const double *x, int threads,
                       double *force, double *pushed);

/// Adds the work of driven obstacles [J] whose material moves from `before` to `time` while the
/// forces are those at positions `x` at `before`.
void ar_contact_work(const ar_contact *contact, double before, double time, const double *x,
                     double *work);

/// The greatest depth of a node [m], and the energy sum kc depth^2/2 [J].
void ar_contact_measure(const ar_contact *contact, double time, const double *x, int threads,
                        double *depth, double *energy);

#endif
