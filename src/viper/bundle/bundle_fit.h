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

/// What the discs of a solid bundle lack in the trace of the fit for leaning: with it, the scale is
/// the mean of that of the middles and of the discs, as these are.
VB_FN double viper_bundle_trace_lost(const viper_bundle *bundle, const viper_bundle_member *m,
                                     const viper_bundle_place *place, const double rotation[4]) {
  double sum = 0, now[3], rest[3];
  for (int32_t i = 0; i < bundle->n; i++)
    for (int axis = 0; axis < 2; axis++) {
      vb_frame_axis(place[i].frame, axis, now);
      vb_frame_axis(m[i].rest_frame, axis, rest);
      vb_quaternion_rotate(rotation, rest, rest);
      sum += m[i].mass * m[i].disc * place[i].scale * (1 - vb_dot(now, rest));
    }
  return sum;
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
  double trace = viper_rotation_fit(covariance, t.rotation);
  if (bundle->solid)
    trace += viper_bundle_trace_lost(bundle, m, place, t.rotation);
  t.scale = bundle->rigid ? 1 : trace / bundle->rest_norm;
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

/// How a member leans in its section, which is turned by `rotation`: the least turn that takes its
/// axis from where the section has it to where it is, in the section's own axes; its length is the
/// sine of the angle. It is across the member's axis, about which a member does not turn.
VB_FN void viper_bundle_tilt(const viper_bundle_member *m, const double rotation[4],
                             const viper_bundle_place *place, double out[3]) {
  double back[4] = {rotation[0], -rotation[1], -rotation[2], -rotation[3]};
  double rest[3], now[3];
  vb_frame_axis(m->rest_frame, 2, rest);
  vb_frame_axis(place->frame, 2, now);
  vb_quaternion_rotate(back, now, now);
  vb_cross(rest, now, out);
}

/// The frame of a member that leans by `tilt`, of which the part about its axis is left out.
VB_FN void viper_bundle_turn_to(const viper_bundle_member *m, const double rotation[4],
                                const double tilt[3], double frame[4]) {
  double rest[3], turn[4];
  vb_frame_axis(m->rest_frame, 2, rest);
  const double about = vb_dot(tilt, rest);
  for (int k = 0; k < 3; k++)
    turn[k + 1] = tilt[k] - about * rest[k];
  const double square = vb_dot(turn + 1, turn + 1);
  turn[0] = 1 + sqrt(square < 1 ? 1 - square : 0);
  const double norm = vb_quaternion_norm(turn);
  for (int k = 0; k < 4; k++)
    turn[k] /= norm;
  vb_quaternion_multiply(turn, m->rest_frame, turn);
  vb_quaternion_multiply(rotation, turn, frame);
}

/// Gives members of a solid bundle, whose goals are those of the transform `t`, their own scales
/// and tilts back, but for the means of these, which are the section's.
///
/// The rods of a twisted section slant, and those outside more: their frames lean along them, as
/// the section warps. One frame for all would shear them, and one scale change the volume of those
/// that are stretched more.
VB_FN void viper_bundle_free_members(const viper_bundle *bundle, const viper_bundle_member *m,
                                     const viper_bundle_transform *t,
                                     const viper_bundle_place *place, viper_bundle_place *goal) {
  double weight = 0, scale = 0, mean[3] = {0, 0, 0}, tilt[3];
  for (int32_t i = 0; i < bundle->n; i++) {
    weight += m[i].mass * m[i].disc;
    scale += m[i].mass * m[i].disc * place[i].scale;
  }
  const double change = t->scale - scale / weight;
  double sum = 0;
  for (int32_t i = 0; i < bundle->n; i++) {
    goal[i].scale = place[i].scale + change;
    viper_bundle_tilt(&m[i], t->rotation, &place[i], tilt);
    sum += m[i].mass * m[i].disc * goal[i].scale;
    for (int k = 0; k < 3; k++)
      mean[k] += m[i].mass * m[i].disc * goal[i].scale * tilt[k];
  }
  for (int32_t i = 0; i < bundle->n; i++) {
    viper_bundle_tilt(&m[i], t->rotation, &place[i], tilt);
    for (int k = 0; k < 3; k++)
      tilt[k] -= mean[k] / sum;
    viper_bundle_turn_to(&m[i], t->rotation, tilt, goal[i].frame);
  }
}

/// Where a bundle wants its members `m`, which are at `place`.
VB_FN void viper_bundle_goals(const viper_bundle *bundle, const viper_bundle_member *m,
                              const viper_bundle_place *place, viper_bundle_place *goal) {
  const viper_bundle_transform t = viper_bundle_fit(bundle, m, place);
  for (int32_t i = 0; i < bundle->n; i++)
    goal[i] = viper_bundle_goal(&m[i], &t);
  if (bundle->solid)
    viper_bundle_free_members(bundle, m, &t, place, goal);
}

#endif
