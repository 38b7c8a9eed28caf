// SPDX-License-Identifier: GPL-3.0-or-later
/// Contact with friction: capsules of edges against each other, nodes against half-planes, nodes or
/// edges against colliders. The paper names collisions and friction but not how they are done; this
/// is the usual one of position-based methods. Ghosts never touch anything, so that friction acts
/// on center lines: capsules do not roll.
#ifndef UMETANI_CONTACT_H
#define UMETANI_CONTACT_H

#include "reference/umetani/pass.h"

/// Two edges that may touch, a node and a half-plane, or an edge or a node and a collider.
typedef struct umetani_touch {
  int32_t edge[2];    ///< of a pair; the first that of one on a collider, -1 for a node
  int32_t point;      ///< of a node
  int32_t plane;      ///< -1 for none
  int32_t collider;   ///< -1 for none
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

/// A collider: its shape, and motions and points likewise.
typedef struct umetani_collider {
  int32_t shape; ///< of vb_collider_shape
  bool inside;
  int32_t driver; ///< -1 where it rests
  double turn[2][4], translation[2][3];
  double point[2][3]; ///< at the end; equal of a sphere
  double radius;
  double friction[2]; ///< static, kinetic
} umetani_collider;

/// Where two touch now: on up to four points, whose shares sum to 0 of a pair, else to 1.
typedef struct umetani_place {
  int n;
  int32_t point[4];
  double share[4];
  double normal[3];
  double gap;        ///< m, negative where they are in each other
  double surface[3]; ///< motion of a half-plane's or collider's surface since the substep began, m
} umetani_place;

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
  umetani_collider *collider;
  size_t n_colliders;
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

/// Reads the colliders of the scene into `collider`.
void umetani_colliders_fill(const vb_scene *scene, umetani_collider *collider);

/// Where colliders are from `time` to `time + h`.
void umetani_colliders_move(const vb_scene *scene, umetani_contact *contact, double time, double h);

/// Lists what colliders may touch, by the prediction and the way from the substep's beginning.
/// False where memory is short.
bool umetani_colliders_find(const umetani_pass *pass);

/// The place of an edge or node on a collider; false where it has no normal, on the axis.
bool umetani_collider_place(const umetani_pass *pass, const umetani_touch *touch,
                            umetani_place *out);

/// Adds a touch to the list; false where memory is short.
bool umetani_contact_add(umetani_contact *contact, const umetani_touch *touch);

/// The way of a point of a body that is at `x` at the end of a substep, for the body's motions at
/// its beginning and end.
void umetani_motion(double turn[2][4], double translation[2][3], const double x[3], double out[3]);

/// The nearest places of the lines from a to b and from c to d, as parts of their lengths; of
/// parallel ones in the middle of where they are side by side.
void umetani_nearest(const double a[3], const double b[3], const double c[3], const double d[3],
                     double at[2]);

#endif
