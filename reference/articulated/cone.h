// SPDX-License-Identifier: GPL-3.0-or-later
/// Contact with Coulomb friction, for moves that are linear in its forces: u = u0 + W r, by the
/// sweeps of Gauss and Seidel over contacts that project each force onto its cone (Jean 1999; with
/// the matrix of projective dynamics Ly, Jouve, Boissieux, Bertails-Descoubes 2020).
#ifndef AR_CONE_H
#define AR_CONE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { AR_TOUCH_NODES = 4 };

/// A contact: of a node with an obstacle, or with the three nodes of a side. Its place is the
/// weighed sum of the places of its nodes.
typedef struct ar_touch {
  int n_nodes;
  int32_t node[AR_TOUCH_NODES];
  double weight[AR_TOUCH_NODES];
  int32_t obstacle;   ///< -1 for flesh
  double normal[3];   ///< the way out
  double level;       ///< least product of its place and the normal, m
  double still[3];    ///< its place, as far as it is tangential, where nothing slips, m
  double friction[2]; ///< coefficients of one that sticks and of one that slides
  bool slides;
  double force[3]; ///< on the node, N
} ar_touch;

/// Solves for the forces of `n` contacts whose places are `u` (n x 3) [m], both of which are
/// changed; W (3 x lead x lead) [m/N] by component and contacts. Ends when no force changes by what
/// moves its contact by `tolerance` [m], or by a thousandth of that in the first sweep. `room` is
/// for 3 n numbers.
void ar_cone_solve(ar_touch *touch, size_t n, const double *w, size_t lead, double *u,
                   double tolerance, double *room);

/// Lets contacts slide whose friction is all that a contact has that sticks, and stick that are
/// still. Whether any changed. A slip below `tolerance` [m] is none.
bool ar_cone_choose(ar_touch *touch, size_t n, const double *u, double tolerance);

#endif
