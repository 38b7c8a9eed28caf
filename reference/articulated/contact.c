// SPDX-License-Identifier: GPL-3.0-or-later
#include "contact.h"

#include "obstacle.h"

#include "scene/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Marks the nodes of the surface, and measures its edges.
static vb_status mark_surface(ar_contact *c, uint8_t *marked, vb_error *error) {
  size_t n, n_nodes;
  ar_side *side = NULL;
  const vb_node *node = vb_scene_nodes(c->body->scene, &n_nodes);
  vb_status status = ar_surface_create(c->body->scene, &side, &n, error);
  for (size_t i = 0; !status && i < 3 * n; i++) {
    const int32_t *corner = side[i / 3].node;
    marked[corner[i % 3]] = 1;
    c->cell +=
        vb_distance(node[corner[i % 3]].rest_position, node[corner[(i + 1) % 3]].rest_position) /
        (double)(3 * n);
  }
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
                          "half-plane %zu has friction; explicit contact of articulated has none",
                          i);
  for (size_t i = 0; i < n_colliders; i++)
    if (collider[i].static_friction > 0)
      return vb_error_set(
          error, VB_UNAVAILABLE,
          "collider %zu (%s) has friction; explicit contact of articulated has none", i,
          collider[i].name);
  const vb_contact *contact = vb_scene_contact(scene);
  if (contact && contact->static_friction > 0)
    return vb_error_set(
        error, VB_UNAVAILABLE,
        "the scene's contact has friction; explicit contact of articulated has none");
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

vb_status ar_contact_create(const ar_body *body, const uint8_t *held, bool is_explicit,
                            double stiffness, double h, ar_contact *out, vb_error *error) {
  ar_contact c = {.body = body, .stiffness = is_explicit ? stiffness : 0, .bound = INFINITY};
  vb_status status = is_explicit ? check_friction(body->scene, error) : VB_OK;
  bool flesh = vb_scene_contact(body->scene) != NULL;
  if (!status && flesh)
    status = ar_overlap_create(body->scene, &c.overlap, error);
  if (!status && (flesh || vb_scene_count(body->scene, VB_SET_HALF_PLANE) +
                                   vb_scene_count(body->scene, VB_SET_COLLIDER) >
                               0)) {
    uint8_t *marked = calloc(body->n_nodes + 1, 1);
    double *share = calloc(body->n_bones + 1, sizeof *share);
    c.node = calloc(body->n_nodes + 1, sizeof *c.node);
    status = marked && share && c.node ? mark_surface(&c, marked, error) : vb_error_memory(error);
    for (size_t i = 0; !status && i < body->n_nodes; i++)
      if (marked[i])
        c.node[c.n++] = (int32_t)i;
    if (!status && is_explicit)
      c.bound = least_mass(&c, held, share) / (h * h);
    if (!status && is_explicit && stiffness == 0)
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
  for (size_t k = 0; c->n > 0 && k < ar_obstacle_count(c->body->scene); k++) {
    ar_obstacle o = ar_obstacle_at(c->body->scene, k, time);
    double center[3] = {0}, q[4], shift[3];
    if (o.driver >= 0) {
      vb_driver_motion(c->body->scene, o.driver, time, q, shift);
      vb_rigid_move(q, shift, driver[o.driver].origin, center);
    }
    for (size_t j = 0; j < c->n; j++) {
      size_t i = (size_t)c->node[j];
      double normal[3], arm[3], turn[3], depth = ar_obstacle_depth(&o, x + 3 * i, normal);
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
  for (size_t k = 0; c->n > 0 && k < ar_obstacle_count(c->body->scene); k++) {
    ar_obstacle o = ar_obstacle_at(c->body->scene, k, before);
    if (o.driver < 0)
      continue;
    for (size_t j = 0; j < c->n; j++) {
      const double *at = x + 3 * (size_t)c->node[j];
      double normal[3], way[3], depth = ar_obstacle_depth(&o, at, normal);
      if (!(depth > 0))
        continue;
      ar_obstacle_carry(c->body->scene, o.driver, before, time, at, way);
      vb_subtract(way, at, way);
      work[o.driver] += c->stiffness * depth * vb_dot(normal, way);
    }
  }
}

/// The greatest depth of a node in other flesh below the side nearest to it.
static double deepest_in_flesh(const ar_overlap *o, const double *x, int threads) {
  double most = 0, weight[3], normal[3], depth;
  ar_overlap_locate(o, x, threads);
  for (int32_t i = 0; i < (int32_t)o->n_nodes; i++)
    if (o->inside[i] >= 0 && ar_overlap_nearest(o, x, NULL, 0, i, weight, normal, &depth) >= 0)
      most = fmax(most, depth);
  return most;
}

void ar_contact_measure(const ar_contact *c, double time, const double *x, int threads,
                        double *depth, double *energy) {
  const ar_overlap *flesh = &c->overlap;
  bool pushes = flesh->side && c->stiffness > 0;
  *depth = *energy = 0;
  if (pushes)
    ar_overlap_find(flesh, x, threads);
  else if (flesh->side)
    *depth = deepest_in_flesh(flesh, x, threads);
  for (size_t i = 0; pushes && i < flesh->n_nodes; i++)
    if (flesh->round[i] > 0 && flesh->depth[i] > 0) {
      *depth = fmax(*depth, flesh->depth[i]);
      *energy += 0.5 * c->stiffness * flesh->depth[i] * flesh->depth[i];
    }
  for (size_t k = 0; c->n > 0 && k < ar_obstacle_count(c->body->scene); k++) {
    ar_obstacle o = ar_obstacle_at(c->body->scene, k, time);
    for (size_t j = 0; j < c->n; j++) {
      double normal[3], d = ar_obstacle_depth(&o, x + 3 * (size_t)c->node[j], normal);
      *depth = fmax(*depth, d);
      *energy += d > 0 ? 0.5 * c->stiffness * d * d : 0;
    }
  }
}
