// SPDX-License-Identifier: GPL-3.0-or-later
/// Contact with friction: capsules of edges against each other, nodes against half-planes. The
/// paper names collisions and friction but not how they are done; this is the usual one of
/// position-based methods. Ghosts never touch anything, so that friction acts on center lines:
/// capsules do not roll.
#ifndef UMETANI_CONTACT_H
#define UMETANI_CONTACT_H

#include "reference/umetani/pass.h"

/// Two edges that may touch, or a node and a half-plane.
typedef struct umetani_touch {
  int32_t edge[2];    ///< of a pair
  int32_t point;      ///< of a node on a half-plane
  int32_t plane;      ///< -1 of a pair
  double friction[2]; ///< static, kinetic
  double normal;      ///< sum of multipliers along the normal in this substep, kg m
  double tangent[3];  ///< of friction, world axes
} umetani_touch;

/// Where a driven half-plane is: motions since time 0 at the beginning and the end of a substep.
typedef struct umetani_plane {
  int32_t driver; ///< -1 where it rests
  double turn[2][4], translation[2][3];
  double normal[3], offset; ///< at the end
} umetani_plane;

/// What can touch, and what may do so in this substep.
typedef struct umetani_contact {
  bool capsules, self;
  double margin;         ///< m
  double (*friction)[2]; ///< bodies: static, kinetic; the scene's where that is greater
  uint32_t (*filter)[2]; ///< edges: groups, meets
  double *radius;        ///< points: of nodes, at rest, m
  int32_t *body;         ///< edges
  umetani_plane *plane;
  size_t n_planes;
  umetani_touch *touch;
  size_t n_touches, room;
  void *cells; ///< of the search
} umetani_contact;

/// Makes what contact needs; null in `*out` where nothing of the scene can touch. Freed by
/// umetani_contact_destroy.
vb_status umetani_contact_create(const umetani_rods *rods, umetani_contact **out, vb_error *error);
void umetani_contact_destroy(umetani_contact *contact);

/// Lists what may touch in the substep from `time` to `time + h`, from the positions at its
/// beginning and the prediction. False where memory is short.
bool umetani_contact_find(const umetani_pass *pass, double time, double h);

/// Enforces each contact once, in the order of the list.
void umetani_contact_sweep(const umetani_pass *pass);

/// Writes how many contacts pushed and how deep the deepest is [m], and adds the work of driven
/// half-planes, after the last iteration.
void umetani_contact_finish(const umetani_pass *pass, double h);

/// The nearest places of the lines from a to b and from c to d, as parts of their lengths; of
/// parallel ones in the middle of where they are side by side.
void umetani_nearest(const double a[3], const double b[3], const double c[3], const double d[3],
                     double at[2]);

#endif
