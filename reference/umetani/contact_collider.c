// SPDX-License-Identifier: GPL-3.0-or-later
/// Contact with colliders. Edges touch spheres and capsules, at the place that is nearest to their
/// axis, so that none reaches through between its nodes; cylinders, which have no ends, and those
/// within which bodies stay are touched by nodes, which are the farthest of a rod from the axis.
#include "reference/umetani/contact.h"

void umetani_colliders_fill(const vb_scene *scene, umetani_collider *collider) {
  size_t n;
  const vb_collider *from = vb_scene_colliders(scene, &n);
  for (size_t i = 0; i < n; i++) {
    collider[i] =
        (umetani_collider){.shape = from[i].shape,
                           .inside = from[i].inside != 0,
                           .driver = from[i].driver,
                           .radius = from[i].radius,
                           .friction = {from[i].static_friction, from[i].kinetic_friction}};
    for (int k = 0; k < 2; k++)
      memcpy(collider[i].point[k], from[i].point[from[i].shape == VB_COLLIDER_SPHERE ? 0 : k],
             sizeof collider[i].point[k]);
  }
}

void umetani_colliders_move(const vb_scene *scene, umetani_contact *contact, double time,
                            double h) {
  size_t n;
  const vb_collider *from = vb_scene_colliders(scene, &n);
  for (size_t i = 0; i < n; i++) {
    umetani_collider *c = &contact->collider[i];
    if (c->driver < 0)
      continue;
    for (int end = 0; end < 2; end++)
      vb_driver_motion(scene, c->driver, time + end * h, c->turn[end], c->translation[end]);
    for (int k = 0; k < 2; k++)
      vb_rigid_move(c->turn[1], c->translation[1],
                    from[i].point[c->shape == VB_COLLIDER_SPHERE ? 0 : k], c->point[k]);
  }
}

/// Whether edges touch it, and not nodes.
static bool takes_edges(const umetani_collider *c) {
  return !c->inside && c->shape != VB_COLLIDER_CYLINDER;
}

/// The point of the axis that is nearest to x.
static void foot_of(const umetani_collider *c, const double x[3], double out[3]) {
  double along[3], arm[3];
  vb_subtract(c->point[1], c->point[0], along);
  vb_subtract(x, c->point[0], arm);
  double square = vb_dot(along, along), at = square > 0 ? vb_dot(arm, along) / square : 0;
  if (c->shape != VB_COLLIDER_CYLINDER)
    at = fmin(1, fmax(0, at));
  memcpy(out, c->point[0], 3 * sizeof *out);
  vb_add_scaled(out, at, along, out);
}

bool umetani_collider_place(const umetani_pass *pass, const umetani_touch *touch,
                            umetani_place *out) {
  const umetani_contact *contact = pass->scratch->contact;
  umetani_collider *c = &contact->collider[touch->collider];
  double(*x)[3] = pass->state->x, at[2], here[3] = {0}, foot[3], arm[3], radius = 0;
  *out = (umetani_place){1, {touch->point}, {1}, {0}, 0, {0}};
  if (touch->edge[0] >= 0) {
    const int32_t *p = pass->rods->edge[touch->edge[0]].point;
    umetani_nearest(x[p[0]], x[p[1]], c->point[0], c->point[1], at);
    *out = (umetani_place){2, {p[0], p[1]}, {1 - at[0], at[0]}, {0}, 0, {0}};
  }
  for (int p = 0; p < out->n; p++) {
    vb_add_scaled(here, out->share[p], x[out->point[p]], here);
    radius += out->share[p] * contact->radius[out->point[p]];
  }
  foot_of(c, here, foot);
  vb_subtract(here, foot, arm);
  double distance = sqrt(vb_dot(arm, arm)), sign = c->inside ? -1 : 1;
  out->gap = sign * (distance - c->radius) - radius;
  if (!(distance > 1e-12 * c->radius))
    return false;
  for (int k = 0; k < 3; k++)
    out->normal[k] = sign * arm[k] / distance;
  if (c->driver >= 0)
    umetani_motion(c->turn, c->translation, here, out->surface);
  return true;
}

/// Whether nothing of an edge or node can move, as of a strand's root, which lies in the head.
static bool is_held(const umetani_pass *pass, const umetani_place *at) {
  double sum = 0;
  for (int p = 0; p < at->n; p++)
    for (int k = 0; k < 3; k++)
      sum += pass->rods->weights[at->point[p]][k];
  return sum == 0;
}

/// Adds an edge or a node to the list where it may touch: it can move, and its gap is no more than
/// its way in the substep, its thickness and the margin.
static bool add(const umetani_pass *pass, umetani_touch *touch, int32_t body) {
  umetani_contact *contact = pass->scratch->contact;
  const umetani_collider *c = &contact->collider[touch->collider];
  umetani_place at;
  double reach = contact->margin, way = 0;
  if (umetani_collider_place(pass, touch, &at)) {
    for (int p = 0; p < at.n; p++) {
      double moved = vb_distance(pass->state->x[at.point[p]], pass->scratch->old[at.point[p]]);
      way = fmax(way, moved + 2 * contact->radius[at.point[p]]);
    }
    if (at.gap > reach + way || is_held(pass, &at))
      return true;
  }
  for (int k = 0; k < 2; k++)
    touch->friction[k] = fmax(c->friction[k], contact->friction[body][k]);
  return umetani_contact_add(contact, touch);
}

bool umetani_colliders_find(const umetani_pass *pass) {
  const umetani_rods *rods = pass->rods;
  umetani_contact *contact = pass->scratch->contact;
  size_t n_nodes;
  const vb_node *node = vb_scene_nodes(rods->scene, &n_nodes);
  bool well = true;
  for (int32_t k = 0; k < (int32_t)contact->n_colliders; k++) {
    bool edges = takes_edges(&contact->collider[k]);
    for (size_t e = 0; e < rods->n_segments && edges && well; e++) {
      umetani_touch touch = {.edge = {(int32_t)e, -1}, .point = -1, .plane = -1, .collider = k};
      well = add(pass, &touch, contact->body[e]);
    }
    for (size_t i = 0; i < n_nodes && !edges && well; i++) {
      umetani_touch touch = {
          .edge = {-1, -1}, .point = rods->point_of_node[i], .plane = -1, .collider = k};
      well = add(pass, &touch, node[i].body);
    }
  }
  return well;
}
