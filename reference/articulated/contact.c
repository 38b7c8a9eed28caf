// SPDX-License-Identifier: GPL-3.0-or-later
#include "contact.h"

#include "scene/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Marks the nodes of the surface.
static vb_status mark_surface(const ar_body *body, uint8_t *marked, vb_error *error) {
  size_t n;
  ar_side *side = NULL;
  vb_status status = ar_surface_create(body->scene, &side, &n, error);
  for (size_t i = 0; !status && i < 3 * n; i++)
    marked[side[i / 3].node[i % 3]] = 1;
  free(side);
  return status;
}

static vb_status check_friction(const vb_scene *scene, vb_error *error) {
  size_t n_planes, n_colliders;
  const vb_half_plane *plane = vb_scene_half_planes(scene, &n_planes);
  const vb_collider *collider = vb_scene_colliders(scene, &n_colliders);
  for (size_t i = 0; i < n_planes; i++)
    if (plane[i].static_friction > 0)
      return vb_error_set(error, VB_UNAVAILABLE,
                          "half-plane %zu has friction; contact of articulated has none", i);
  for (size_t i = 0; i < n_colliders; i++)
    if (collider[i].static_friction > 0)
      return vb_error_set(error, VB_UNAVAILABLE,
                          "collider %zu (%s) has friction; contact of articulated has none", i,
                          collider[i].name);
  const vb_contact *contact = vb_scene_contact(scene);
  if (contact && contact->static_friction > 0)
    return vb_error_set(error, VB_UNAVAILABLE,
                        "the scene's contact has friction; contact of articulated has none");
  return VB_OK;
}

/// The least mass of a surface node; the nodes of a bone share its mass.
static double least_mass(const ar_contact *c, const uint8_t *held, double *share) {
  double least = INFINITY;
  for (size_t j = 0; j < c->n; j++)
    if (c->body->bone_of[c->node[j]] >= 0)
      share[c->body->bone_of[c->node[j]]]++;
  for (size_t j = 0; j < c->n; j++) {
    int32_t i = c->node[j], bone = c->body->bone_of[i];
    if (bone >= 0)
      least = fmin(least, c->body->bone[bone].mass / share[bone]);
    else if (held[i] != VB_PIN_CENTER)
      least = fmin(least, c->body->mass[i]);
  }
  return least;
}

vb_status ar_contact_create(const ar_body *body, const uint8_t *held, double stiffness, double h,
                            ar_contact *out, vb_error *error) {
  ar_contact c = {.body = body, .stiffness = stiffness};
  vb_status status = check_friction(body->scene, error);
  bool flesh = vb_scene_contact(body->scene) != NULL;
  if (!status && flesh)
    status = ar_overlap_create(body->scene, &c.overlap, error);
  if (!status && (flesh || vb_scene_count(body->scene, VB_SET_HALF_PLANE) +
                                   vb_scene_count(body->scene, VB_SET_COLLIDER) >
                               0)) {
    uint8_t *marked = calloc(body->n_nodes + 1, 1);
    double *share = calloc(body->n_bones + 1, sizeof *share);
    c.node = calloc(body->n_nodes + 1, sizeof *c.node);
    status = marked && share && c.node ? mark_surface(body, marked, error) : vb_error_memory(error);
    for (size_t i = 0; !status && i < body->n_nodes; i++)
      if (marked[i])
        c.node[c.n++] = (int32_t)i;
    if (!status)
      c.bound = least_mass(&c, held, share) / (h * h);
    if (!status && stiffness == 0)
      c.stiffness = isfinite(c.bound) ? 0.5 * c.bound : 0;
    free(share);
    free(marked);
  }
  if (status)
    ar_contact_clear(&c);
  else
    *out = c;
  return status;
}

void ar_contact_clear(ar_contact *c) {
  ar_overlap_clear(&c->overlap);
  free(c->node);
  *c = (ar_contact){0};
}

/// A half-plane, or a collider, where it is at some time.
typedef struct ar_obstacle {
  int32_t shape; ///< of vb_collider_shape, or -1 for a half-plane
  bool inside;
  int32_t driver;
  double point[2][3]; ///< of a half-plane: a point of it
  double axis[3];     ///< unit vector; of a half-plane its normal
  double length;      ///< of a capsule's axis, m
  double radius;
} ar_obstacle;

static size_t count_obstacles(const ar_contact *c) {
  return vb_scene_count(c->body->scene, VB_SET_HALF_PLANE) +
         vb_scene_count(c->body->scene, VB_SET_COLLIDER);
}

/// Moves a point that is at `x` at time 0 with a driver.
static void carry(const vb_scene *scene, int32_t driver, double time, const double x[3],
                  double out[3]) {
  double from[4], to[4], start[3], end[3], own[3];
  vb_driver_motion(scene, driver, 0, from, start);
  vb_driver_motion(scene, driver, time, to, end);
  const double back[4] = {from[0], -from[1], -from[2], -from[3]};
  vb_subtract(x, start, own);
  vb_quaternion_rotate(back, own, own);
  vb_rigid_move(to, end, own, out);
}

static ar_obstacle at_rest(const ar_contact *c, size_t i) {
  size_t n_planes, n_drivers, n;
  const vb_half_plane *plane = vb_scene_half_planes(c->body->scene, &n_planes);
  const vb_plane_driver *pair = vb_scene_plane_drivers(c->body->scene, &n_drivers);
  ar_obstacle o = {.shape = -1, .driver = -1};
  if (i >= n_planes) {
    const vb_collider *collider = vb_scene_colliders(c->body->scene, &n) + (i - n_planes);
    o.shape = collider->shape;
    o.inside = collider->inside != 0;
    o.driver = collider->driver;
    o.radius = collider->radius;
    memcpy(o.point, collider->point, sizeof o.point);
    return o;
  }
  for (size_t k = 0; k < n_drivers; k++)
    if (pair[k].half_plane == (int32_t)i)
      o.driver = pair[k].driver;
  for (int k = 0; k < 3; k++) { // two points along the normal move as it does
    o.point[0][k] = plane[i].offset * plane[i].normal[k];
    o.point[1][k] = o.point[0][k] + plane[i].normal[k];
  }
  return o;
}

static ar_obstacle obstacle_at(const ar_contact *c, size_t i, double time) {
  ar_obstacle o = at_rest(c, i);
  for (int k = 0; k < 2 && o.driver >= 0; k++)
    carry(c->body->scene, o.driver, time, o.point[k], o.point[k]);
  if (o.shape != VB_COLLIDER_SPHERE)
    o.length = vb_direction(o.point[0], o.point[1], o.axis);
  return o;
}

/// How deep a point is in an obstacle [m], and the unit vector out of it; 0 or less where it is
/// not.
static double depth_of(const ar_obstacle *o, const double x[3], double normal[3]) {
  double arm[3];
  vb_subtract(x, o->point[0], arm);
  if (o->shape < 0) {
    memcpy(normal, o->axis, sizeof o->axis);
    return -vb_dot(arm, normal);
  }
  double along = vb_dot(arm, o->axis); // 0 of a sphere
  if (o->shape == VB_COLLIDER_CAPSULE)
    along = fmin(fmax(along, 0), o->length);
  vb_add_scaled(arm, -along, o->axis, arm);
  double distance = sqrt(vb_dot(arm, arm));
  for (int k = 0; k < 3; k++)
    normal[k] = distance > 0 ? (o->inside ? -arm[k] : arm[k]) / distance : 0;
  return o->inside ? distance - o->radius : o->radius - distance;
}

/// Adds the forces of flesh on flesh: on each node inside, and against them on the corners of the
/// tetrahedron that it is in, by its barycentric coordinates there.
static void add_flesh(const ar_contact *c, const double *x, int threads, double *force) {
  size_t n;
  const ar_overlap *o = &c->overlap;
  const vb_tetrahedron *t = vb_scene_tetrahedra(c->body->scene, &n);
  if (!o->side)
    return;
  ar_overlap_find(o, x, threads);
  for (size_t i = 0; i < o->n_nodes; i++) {
    if (o->round[i] == 0 || !(o->depth[i] > 0))
      continue;
    double f = c->stiffness * o->depth[i];
    vb_add_scaled(force + 3 * i, f, o->direction[i], force + 3 * i);
    for (int k = 0; k < 4; k++) {
      double *at = force + 3 * (size_t)t[o->inside[i]].node[k];
      vb_add_scaled(at, -f * o->weight[i][k], o->direction[i], at);
    }
  }
}

void ar_contact_forces(const ar_contact *c, double time, const double *x, int threads,
                       double *force, double *pushed) {
  size_t n_drivers;
  const vb_driver *driver = vb_scene_drivers(c->body->scene, &n_drivers);
  memset(force, 0, 3 * c->body->n_nodes * sizeof *force);
  memset(pushed, 0, 6 * n_drivers * sizeof *pushed);
  for (size_t k = 0; c->n > 0 && k < count_obstacles(c); k++) {
    ar_obstacle o = obstacle_at(c, k, time);
    double center[3] = {0}, q[4], shift[3];
    if (o.driver >= 0) {
      vb_driver_motion(c->body->scene, o.driver, time, q, shift);
      vb_rigid_move(q, shift, driver[o.driver].origin, center);
    }
    for (size_t j = 0; j < c->n; j++) {
      size_t i = (size_t)c->node[j];
      double normal[3], arm[3], turn[3], depth = depth_of(&o, x + 3 * i, normal);
      if (!(depth > 0))
        continue;
      vb_add_scaled(force + 3 * i, c->stiffness * depth, normal, force + 3 * i);
      if (o.driver < 0)
        continue;
      double *out = pushed + 6 * o.driver;
      vb_subtract(x + 3 * i, center, arm);
      vb_cross(arm, normal, turn);
      vb_add_scaled(out, c->stiffness * depth, normal, out);
      vb_add_scaled(out + 3, c->stiffness * depth, turn, out + 3);
    }
  }
  add_flesh(c, x, threads, force);
}

void ar_contact_work(const ar_contact *c, double before, double time, const double *x,
                     double *work) {
  for (size_t k = 0; c->n > 0 && k < count_obstacles(c); k++) {
    ar_obstacle o = obstacle_at(c, k, before);
    double q[2][4], shift[2][3];
    if (o.driver < 0)
      continue;
    vb_driver_motion(c->body->scene, o.driver, before, q[0], shift[0]);
    vb_driver_motion(c->body->scene, o.driver, time, q[1], shift[1]);
    const double back[4] = {q[0][0], -q[0][1], -q[0][2], -q[0][3]};
    for (size_t j = 0; j < c->n; j++) {
      const double *at = x + 3 * (size_t)c->node[j];
      double normal[3], way[3], depth = depth_of(&o, at, normal);
      if (!(depth > 0))
        continue;
      vb_subtract(at, shift[0], way);
      vb_quaternion_rotate(back, way, way);
      vb_rigid_move(q[1], shift[1], way, way);
      vb_subtract(way, at, way);
      work[o.driver] += c->stiffness * depth * vb_dot(normal, way);
    }
  }
}

void ar_contact_measure(const ar_contact *c, double time, const double *x, int threads,
                        double *depth, double *energy) {
  const ar_overlap *flesh = &c->overlap;
  *depth = *energy = 0;
  if (flesh->side)
    ar_overlap_find(flesh, x, threads);
  for (size_t i = 0; flesh->side && i < flesh->n_nodes; i++)
    if (flesh->round[i] > 0 && flesh->depth[i] > 0) {
      *depth = fmax(*depth, flesh->depth[i]);
      *energy += 0.5 * c->stiffness * flesh->depth[i] * flesh->depth[i];
    }
  for (size_t k = 0; c->n > 0 && k < count_obstacles(c); k++) {
    ar_obstacle o = obstacle_at(c, k, time);
    for (size_t j = 0; j < c->n; j++) {
      double normal[3], d = depth_of(&o, x + 3 * (size_t)c->node[j], normal);
      *depth = fmax(*depth, d);
      *energy += d > 0 ? 0.5 * c->stiffness * d * d : 0;
    }
  }
}
