// SPDX-License-Identifier: GPL-3.0-or-later
#include "touch.h"

#include "obstacle.h"

#include "scene/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// By how much of the scene's size contacts may be missed.
static const double missed = 1e-9;
/// The depth, over a cell, from which a node that has been found in flesh is found once more: it
/// slid off the plane at which it is held.
static const double again = 1e-2;
/// Rounds in which contacts choose to stick or to slide, at most.
enum { MOST_ROUNDS = 20 };

static size_t kinds(const ar_touches *s) {
  return ar_obstacle_count(s->contact->body->scene) + 1;
}

static vb_status watch(ar_touches *s, ar_reduced *reduced, vb_error *error) {
  const ar_contact *c = s->contact;
  if (!c->overlap.side) // flesh is touched inside, too
    return ar_compliance_create(reduced, c->node, c->n, &s->compliance, error);
  int32_t *all = reallocarray(NULL, c->body->n_nodes + 1, sizeof *all);
  if (!all)
    return vb_error_memory(error);
  for (size_t i = 0; i < c->body->n_nodes; i++)
    all[i] = (int32_t)i;
  vb_status status = ar_compliance_create(reduced, all, c->body->n_nodes, &s->compliance, error);
  free(all);
  return status;
}

vb_status ar_touches_create(const ar_contact *contact, const uint8_t *held, ar_reduced *reduced,
                            ar_touches *out, vb_error *error) {
  ar_touches s = {.contact = contact, .held = held, .tolerance = missed * contact->body->size};
  size_t n = contact->body->n_nodes * kinds(&s);
  vb_status status = watch(&s, reduced, error);
  s.known = reallocarray(NULL, n + 1, sizeof *s.known);
  if (!status && !s.known)
    status = vb_error_memory(error);
  if (status) {
    ar_touches_clear(&s);
    return status;
  }
  for (size_t i = 0; i < n; i++)
    s.known[i] = -1;
  *out = s;
  return VB_OK;
}

void ar_touches_clear(ar_touches *s) {
  ar_compliance_clear(&s->compliance);
  free(s->touch);
  free(s->w);
  free(s->u);
  free(s->known);
  *s = (ar_touches){0};
}

static int32_t *known(const ar_touches *s, int32_t node, int32_t obstacle) {
  size_t k = obstacle < 0 ? kinds(s) - 1 : (size_t)obstacle;
  return &s->known[(size_t)node * kinds(s) + k];
}

void ar_touches_begin(ar_touches *s) {
  for (size_t i = 0; i < s->n; i++)
    *known(s, s->touch[i].node[0], s->touch[i].obstacle) = -1;
  s->n = s->n_filled = 0;
}

/// Makes room for one more.
static vb_status grow(ar_touches *s, vb_error *error) {
  if (s->n < s->most)
    return VB_OK;
  size_t most = 2 * s->most + 64;
  ar_touch *touch = reallocarray(s->touch, most, sizeof *touch);
  if (!touch)
    return vb_error_memory(error);
  s->touch = touch;
  double *w = reallocarray(NULL, most, 3 * most * sizeof *w);
  double *u = reallocarray(NULL, most, 9 * sizeof *u);
  if (!w || !u) {
    free(w);
    free(u);
    return vb_error_memory(error);
  }
  free(s->w);
  free(s->u);
  s->w = w;
  s->u = u;
  s->old = u + 3 * most;
  s->room = u + 6 * most;
  s->most = most;
  s->n_filled = 0;
  return VB_OK;
}

/// The weighed sum of the places of a contact's nodes.
static void place(const ar_touch *t, const double *x, double out[3]) {
  out[0] = out[1] = out[2] = 0;
  for (int k = 0; k < t->n_nodes; k++)
    vb_add_scaled(out, t->weight[k], x + 3 * (size_t)t->node[k], out);
}

static vb_status add(ar_touches *s, const ar_touch *touch, vb_error *error) {
  vb_status status = grow(s, error);
  if (status)
    return status;
  *known(s, touch->node[0], touch->obstacle) = (int32_t)s->n;
  s->touch[s->n++] = *touch;
  return ar_compliance_find(&s->compliance, touch->node, (size_t)touch->n_nodes, error);
}

/// Finds nodes in obstacle `k`, and the planes at which those it has are held.
static vb_status find_obstacle(ar_touches *s, const ar_span *span, const double *x, int32_t k,
                               vb_error *error) {
  const vb_scene *scene = s->contact->body->scene;
  ar_obstacle o = ar_obstacle_at(scene, (size_t)k, span->time);
  vb_status status = VB_OK;
  for (size_t j = 0; j < s->contact->n && !status; j++) {
    int32_t i = s->contact->node[j], at = *known(s, i, k);
    const double *here = x + 3 * (size_t)i;
    double normal[3], depth = ar_obstacle_depth(&o, here, normal);
    if (at < 0 && (!(depth > 0) || s->held[i] == VB_PIN_CENTER))
      continue;
    if (at < 0) {
      ar_touch t = {.n_nodes = 1, .node = {i}, .weight = {1}, .obstacle = k};
      memcpy(t.friction, o.friction, sizeof t.friction);
      memcpy(t.still, span->old_x + 3 * (size_t)i, sizeof t.still);
      if (o.driver >= 0)
        ar_obstacle_carry(scene, o.driver, span->before, span->time, t.still, t.still);
      status = add(s, &t, error);
      at = (int32_t)s->n - 1;
    }
    if (status)
      break;
    memcpy(s->touch[at].normal, normal, sizeof normal);
    s->touch[at].level = vb_dot(normal, here) + depth;
  }
  return status;
}

/// Finds nodes in other flesh, and the sides in front of which they are held for the rest of the
/// step.
static vb_status find_flesh(ar_touches *s, const ar_span *span, const double *x, vb_error *error) {
  const ar_overlap *o = &s->contact->overlap;
  const vb_contact *contact = vb_scene_contact(s->contact->body->scene);
  vb_status status = VB_OK;
  ar_overlap_locate(o, x, span->threads);
  for (int32_t i = 0; i < (int32_t)o->n_nodes && !status; i++) {
    ar_touch touch = {.n_nodes = AR_TOUCH_NODES,
                      .node = {i},
                      .weight = {1},
                      .obstacle = -1,
                      .friction = {contact->static_friction, contact->kinetic_friction}};
    double weight[3], depth;
    int32_t side = o->inside[i] < 0
                       ? -1
                       : ar_overlap_nearest(o, x, span->old_x, again * s->contact->cell, i, weight,
                                            touch.normal, &depth);
    if (side < 0 || depth <= (*known(s, i, -1) < 0 ? 0 : again * s->contact->cell))
      continue;
    for (int k = 0; k < 3; k++) {
      touch.node[k + 1] = o->side[side].node[k];
      touch.weight[k + 1] = -weight[k];
    }
    place(&touch, span->old_x, touch.still);
    status = add(s, &touch, error);
  }
  return status;
}

/// Component c of how a contact's place moves for a unit force of another.
static double entry(const ar_touches *s, int c, const ar_touch *a, const ar_touch *b) {
  double sum = 0;
  for (int i = 0; i < a->n_nodes; i++)
    for (int j = 0; j < b->n_nodes; j++)
      sum += a->weight[i] * b->weight[j] *
             ar_compliance_entry(&s->compliance, c, a->node[i], b->node[j]);
  return sum;
}

/// The rows of contacts that are new.
static void fill(ar_touches *s) {
  for (size_t i = s->n_filled; i < s->n; i++)
    for (size_t j = 0; j <= i; j++)
      for (int c = 0; c < 3; c++) {
        double *w = s->w + (size_t)c * s->most * s->most;
        w[i * s->most + j] = w[j * s->most + i] = entry(s, c, &s->touch[i], &s->touch[j]);
      }
  s->n_filled = s->n;
}

/// How far the contact moves most that its own change of force moves.
static double moved(const ar_touches *s) {
  double most = 0;
  for (size_t i = 0; i < s->n; i++)
    for (size_t c = 0; c < 3; c++) {
      double own = s->w[(c * s->most + i) * s->most + i];
      most = fmax(most, own * fabs(s->touch[i].force[c] - s->old[3 * i + c]));
    }
  return most;
}

vb_status ar_touches_solve(ar_touches *s, const ar_span *span, const double *x, bool flesh,
                           double tolerance, double *more, double *off, vb_error *error) {
  vb_status status = VB_OK;
  for (size_t k = 0; k + 1 < kinds(s) && !status; k++)
    status = find_obstacle(s, span, x, (int32_t)k, error);
  if (!status && flesh && s->contact->overlap.side)
    status = find_flesh(s, span, x, error);
  *off = 0;
  if (status || s->n == 0)
    return status;
  fill(s);
  for (size_t i = 0; i < s->n; i++) {
    place(&s->touch[i], x, s->u + 3 * i);
    memcpy(s->old + 3 * i, s->touch[i].force, sizeof s->touch[i].force);
  }
  ar_cone_solve(s->touch, s->n, s->w, s->most, s->u, 0.1 * tolerance, s->room);
  *off = moved(s);
  // Only forces that are solved for tell which contact cannot stick.
  bool solved = *off <= tolerance;
  for (int round = 0; round < MOST_ROUNDS && solved; round++) {
    if (!ar_cone_choose(s->touch, s->n, s->u, tolerance))
      break;
    ar_cone_solve(s->touch, s->n, s->w, s->most, s->u, 0.1 * tolerance, s->room);
    *off = moved(s);
  }
  if (*off <= tolerance) { // forces stay those that places are answers to
    for (size_t i = 0; i < s->n; i++)
      memcpy(s->touch[i].force, s->old + 3 * i, sizeof s->touch[i].force);
    return VB_OK;
  }
  memset(more, 0, 3 * s->contact->body->n_nodes * sizeof *more);
  for (size_t i = 0; i < s->n; i++) {
    const ar_touch *t = &s->touch[i];
    double change[3];
    vb_subtract(t->force, s->old + 3 * i, change);
    for (int k = 0; k < t->n_nodes; k++)
      vb_add_scaled(more + 3 * (size_t)t->node[k], t->weight[k], change,
                    more + 3 * (size_t)t->node[k]);
  }
  return VB_OK;
}

void ar_touches_drive(const ar_touches *s, const ar_span *span, const double *x, double *pushed,
                      double *work) {
  const vb_scene *scene = s->contact->body->scene;
  size_t n_drivers;
  const vb_driver *driver = vb_scene_drivers(scene, &n_drivers);
  memset(pushed, 0, 6 * n_drivers * sizeof *pushed);
  for (size_t i = 0; i < s->n; i++) {
    const ar_touch *t = &s->touch[i];
    const double *here = x + 3 * (size_t)t->node[0];
    int32_t d = t->obstacle < 0 ? -1 : ar_obstacle_at(scene, (size_t)t->obstacle, 0).driver;
    double q[4], shift[3], center[3], arm[3], turn[3], way[3];
    if (d < 0)
      continue;
    vb_driver_motion(scene, d, span->time, q, shift);
    vb_rigid_move(q, shift, driver[d].origin, center);
    vb_subtract(here, center, arm);
    vb_cross(arm, t->force, turn);
    vb_add_scaled(pushed + 6 * d, 1, t->force, pushed + 6 * d);
    vb_add_scaled(pushed + 6 * d + 3, 1, turn, pushed + 6 * d + 3);
    ar_obstacle_carry(scene, d, span->time, span->before, here, way);
    vb_subtract(here, way, way);
    work[d] += vb_dot(t->force, way);
  }
}
