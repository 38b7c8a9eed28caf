// SPDX-License-Identifier: GPL-3.0-or-later
/// Fits the similarity transform of a bundle to its segments (README.md), in double precision. One
/// source for C11 and CUDA C++.
#ifndef VIPER_BUNDLE_BUNDLE_FIT_H
#define VIPER_BUNDLE_BUNDLE_FIT_H

#include "viper/bundle/bundle.h"
#include "viper/bundle/similarity.h"

/// A similarity transform of a bundle: x -> mean + scale R x, x from the mean at rest.
typedef struct viper_bundle_transform {
  double mean[3];     ///< of the middles now, m
  double rotation[4]; ///< unit quaternion (w, x, y, z)
  double scale;
} viper_bundle_transform;

/// Where a segment is: its middle [m], mean scale and frame.
typedef struct viper_bundle_place {
  double middle[3];
  double scale;
  double frame[4];
} viper_bundle_place;

/// out += factor a b^T
VB_FN void viper_add_product(double out[3][3], double factor, const double a[3],
                             const double b[3]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      out[i][j] += factor * a[i] * b[j];
}

/// Adds member `m`, which is at `place`, to the sum of places times places at rest.
VB_FN void viper_add_member(const viper_bundle_member *m, const viper_bundle_place *place,
                            const double mean[3], double covariance[3][3]) {
  double middle[3], now[3], rest[3];
  for (int k = 0; k < 3; k++)
    middle[k] = place->middle[k] - mean[k];
  viper_add_product(covariance, m->mass, middle, m->rest_middle);
  for (int axis = 0; axis < 2; axis++) {
    vb_frame_axis(place->frame, axis, now);
    vb_frame_axis(m->rest_frame, axis, rest);
    viper_add_product(covariance, m->mass * m->disc * place->scale, now, rest);
  }
}

/// The similarity transform that brings the rest discs of a bundle, whose members are `m`, nearest
/// to where these are (`place`, by member): minimizes sum mass |(r/2) (s u - S R u_rest)|^2 + ..
/// over the columns (r/2) s u, (r/2) s v and c - mean of eq. 33; with S = 1 for a rigid bundle,
/// which leaves the rotation as it is. The rotation is sought from where the first member is.
VB_FN viper_bundle_transform viper_bundle_fit(const viper_bundle *bundle,
                                              const viper_bundle_member *m,
                                              const viper_bundle_place *place) {
  viper_bundle_transform t = {{0, 0, 0}, {1, 0, 0, 0}, 1};
  double covariance[3][3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  for (int32_t i = 0; i < bundle->n; i++)
    for (int k = 0; k < 3; k++)
      t.mean[k] += m[i].mass / bundle->mass * place[i].middle[k];
  for (int32_t i = 0; i < bundle->n; i++)
    viper_add_member(&m[i], &place[i], t.mean, covariance);
  double back[4] = {m->rest_frame[0], -m->rest_frame[1], -m->rest_frame[2], -m->rest_frame[3]};
  vb_quaternion_multiply(place->frame, back, t.rotation);
  double norm = vb_quaternion_norm(t.rotation);
  for (int k = 0; k < 4; k++)
    t.rotation[k] /= norm;
  double scale = viper_rotation_fit(covariance, t.rotation) / bundle->rest_norm;
  t.scale = bundle->rigid ? 1 : scale;
  return t;
}

/// Where a transform puts member `m`.
VB_FN viper_bundle_place viper_bundle_goal(const viper_bundle_member *m,
                                           const viper_bundle_transform *t) {
  viper_bundle_place goal;
  goal.scale = t->scale;
  vb_quaternion_rotate(t->rotation, m->rest_middle, goal.middle);
  for (int k = 0; k < 3; k++)
    goal.middle[k] = t->mean[k] + t->scale * goal.middle[k];
  vb_quaternion_multiply(t->rotation, m->rest_frame, goal.frame);
  return goal;
}

#endif
