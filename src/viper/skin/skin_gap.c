// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/skin/skin_gap.h"

#include "base/arena.h"
#include "mesh/capsule.h"
#include "scene/rotation.h"
#include "viper/skin/skin_nearest.h"

#include <math.h>
#include <stdlib.h>

/// Least weight of a segment whose pill is one of a vertex' own.
#define OWN_WEIGHT 0.01
/// Moves of a vertex: the nearest pill, and its normal, change on the way.
#define MOST_MOVES 8
/// How far short of the middle between two pills a vertex stays, in edges. A triangle with edges h
/// cuts a corner of radius r by h^2/(8 r), a quarter of h where h is 2 r.
#define STAND_OFF 0.25
/// How much farther than the nearest a pill is that still counts beside it, in its radius.
#define BESIDE 0.4
/// Least square of the mean of normals with which a vertex moves; with 1 it moves all the way.
#define LEAST_ALIKE 0.5
/// Least square of the difference of two normals: a vertex with both pills on the same side has no
/// way between them.
#define LEAST_TURN 0.01

/// Pills at rest and now.
typedef struct pills {
  const viper_skin *skin;
  const viper_model *model;
  vb_capsule *rest, *now; ///< by segment of the model
  double (*scale)[2];     ///< [n_segments] of both ends
  int32_t *body;          ///< [n_segments] one of those that bundles join
  double stand_off;       ///< m
  vb_box_tree tree;       ///< of those now
  vb_arena memory;        ///< but the tree
} pills;

/// A pill as seen from a point.
typedef struct sight {
  int32_t segment; ///< -1: none
  double distance; ///< to its surface, m
  double normal[3];
  double scale; ///< of the pill there
} sight;

/// The pill of segment `j` in the state `node`; its ends in the scene's order.
static void place_pill(pills *p, int32_t j, const double *node) {
  size_t n;
  const vb_node *nodes = vb_scene_nodes(p->model->scene, &n);
  const vb_segment *s = &vb_scene_segments(p->model->scene, &n)[p->model->segment[j].scene_index];
  const double *at[2];
  for (int end = 0; end < 2; end++) {
    const int32_t i = p->model->segment[j].node[end];
    const int place = p->model->node[i].scene_index == s->node[end] ? end : 1 - end;
    at[place] = node + (size_t)4 * (size_t)i;
    p->scale[j][place] = at[place][3];
  }
  p->now[j] = vb_capsule_make(at[0], at[0][3] * nodes[s->node[0]].rest_radius, at[1],
                              at[1][3] * nodes[s->node[1]].rest_radius);
}

static void pills_clear(pills *p) {
  vb_box_tree_clear(&p->tree);
  vb_arena_clear(&p->memory);
}

/// The pills of the state `node`.
static vb_status pills_create(const viper_skin *skin, const viper_model *model, const double *node,
                              pills *p, vb_error *error) {
  const size_t n = model->n_segments;
  *p = (pills){.skin = skin, .model = model, .stand_off = STAND_OFF * skin->edge};
  vb_bounds *bounds = NULL;
  VB_TAKE(&p->memory, p->rest, n);
  VB_TAKE(&p->memory, p->now, n);
  VB_TAKE(&p->memory, p->scale, n);
  VB_TAKE(&p->memory, p->body, n);
  VB_TAKE(&p->memory, bounds, n);
  vb_status status = vb_arena_status(&p->memory, error);
  if (status)
    return status;
  status = viper_skin_joined_bodies(model, p->body, error);
  for (int32_t j = 0; j < (int32_t)n && !status; j++) {
    p->rest[j] = viper_skin_rest_capsule(model, j);
    place_pill(p, j, node);
    bounds[j] = vb_capsule_bounds(&p->now[j]);
  }
  return status ? status : vb_box_tree_build(bounds, n, &p->tree, error);
}

/// Looks from `x` at a pill, and keeps it where it is nearer.
static void look(const vb_capsule *pill, const double x[3], int32_t j, sight *nearest,
                 double *place) {
  double normal[3], at, d = vb_capsule_distance(pill, x, normal, &at);
  if (nearest->segment >= 0 && d >= nearest->distance)
    return;
  nearest->segment = j;
  nearest->distance = d;
  memcpy(nearest->normal, normal, sizeof normal);
  *place = at;
}

/// The nearest of the pills that vertex `i` follows.
static sight own_pill(const viper_skin *skin, const vb_capsule *pill, size_t i, const double x[3],
                      double *place) {
  sight nearest = {.segment = -1};
  for (int e = 0; e < skin->n_weights[i]; e++) {
    const viper_skin_weight *w = &skin->weight[i * VIPER_SKIN_MOST + (size_t)e];
    if (w->weight >= OWN_WEIGHT)
      look(&pill[w->segment], x, w->segment, &nearest, place);
  }
  return nearest;
}

/// Whether segment `j` has a node of one that vertex `i` follows, or is one.
static bool is_joined(const pills *p, size_t i, int32_t j) {
  const int32_t *node = p->model->segment[j].node;
  for (int e = 0; e < p->skin->n_weights[i]; e++) {
    const viper_skin_weight *w = &p->skin->weight[i * VIPER_SKIN_MOST + (size_t)e];
    const int32_t *own = p->model->segment[w->segment].node;
    if (w->weight >= OWN_WEIGHT &&
        (own[0] == node[0] || own[0] == node[1] || own[1] == node[0] || own[1] == node[1]))
      return true;
  }
  return false;
}

/// Whether segment `j` was as near to vertex `i` at rest as those that it follows; of its own body,
/// nearly so.
static bool was_near(const pills *p, size_t i, int32_t j, int32_t body) {
  double normal[3], place, most = p->skin->gap[i] + (p->body[j] == body ? 2 * p->stand_off : 0);
  return vb_capsule_distance(&p->rest[j], p->skin->vertex[i].rest_position, normal, &place) < most;
}

/// The nearest other pill that is no farther than `most` from `x`.
static sight other_pill(const pills *p, size_t i, int32_t body, const double x[3], double most) {
  int32_t stack[VB_BOX_TREE_DEPTH];
  int depth = 0;
  sight nearest = {.segment = -1, .distance = most};
  if (p->tree.n_nodes > 0)
    stack[depth++] = 0;
  while (depth > 0) {
    const vb_box_node *node = &p->tree.node[stack[--depth]];
    const double reach = nearest.distance > 0 ? nearest.distance : 0;
    if (vb_bounds_distance2(&node->bounds, x) > reach * reach)
      continue;
    for (int32_t k = 0; k < node->count; k++) {
      const int32_t j = p->tree.item[node->first + k];
      sight one = {.segment = -1};
      double place;
      look(&p->now[j], x, j, &one, &place);
      if (one.distance < nearest.distance && !is_joined(p, i, j) && !was_near(p, i, j, body))
        nearest = one;
    }
    for (int k = 0; node->count == 0 && k < 2; k++)
      stack[depth++] = node->first + k;
  }
  return nearest;
}

/// The mean of the normals of the pills that vertex `i` follows, the nearest most: shorter than 1
/// where these are of several directions, as inside a bend.
static void mean_normal(const pills *p, size_t i, const double x[3], const sight *own,
                        double out[3]) {
  double sum = 0, normal[3], place;
  memset(out, 0, 3 * sizeof *out);
  for (int e = 0; e < p->skin->n_weights[i]; e++) {
    const viper_skin_weight *w = &p->skin->weight[i * VIPER_SKIN_MOST + (size_t)e];
    const vb_capsule *pill = &p->now[w->segment];
    if (w->weight < OWN_WEIGHT)
      continue;
    const double d = vb_capsule_distance(pill, x, normal, &place) - own->distance;
    const double far = d / (BESIDE * (pill->r_a + pill->r_b) / 2), share = 1 / (1 + far * far);
    vb_add_scaled(out, share, normal, out);
    sum += share;
  }
  for (int k = 0; k < 3; k++)
    out[k] /= sum;
}

/// Moves vertex `i` to as far from its own pills as at rest, but inside of bends, where it could be
/// taken to either side.
static void keep_gap(const pills *p, size_t i, double x[3]) {
  for (int k = 0; k < 2; k++) {
    double place, normal[3];
    const sight own = own_pill(p->skin, p->now, i, x, &place);
    const double *s = p->scale[own.segment];
    const double scale = s[0] + (s[1] - s[0]) * place;
    mean_normal(p, i, x, &own, normal);
    double part = vb_dot(normal, normal) / LEAST_ALIKE - 1;
    part = part > 0 ? part / (1 / LEAST_ALIKE - 1) : 0;
    vb_add_scaled(x, part * (scale * p->skin->gap[i] - own.distance), normal, x);
  }
}

/// Moves vertex `i` back to its own side of the middle between its pills and others.
static void keep_apart(const pills *p, size_t i, double x[3]) {
  for (int k = 0; k < MOST_MOVES; k++) {
    double place, turn[3];
    const sight own = own_pill(p->skin, p->now, i, x, &place);
    const double most = own.distance + p->stand_off;
    const sight other = other_pill(p, i, p->body[own.segment], x, most);
    if (other.segment < 0)
      return;
    vb_subtract(own.normal, other.normal, turn);
    const double square = vb_dot(turn, turn);
    if (square < LEAST_TURN)
      return;
    vb_add_scaled(x, -(most - other.distance) / square, turn, x);
  }
}

vb_status viper_skin_gaps_create(viper_skin *skin, const viper_model *model, vb_error *error) {
  vb_capsule *pill = reallocarray(NULL, model->n_segments + 1, sizeof *pill);
  skin->gap = calloc(skin->n_vertices + 1, sizeof *skin->gap);
  if (!pill || !skin->gap) {
    free(pill);
    return vb_error_memory(error);
  }
  for (int32_t j = 0; j < (int32_t)model->n_segments; j++)
    pill[j] = viper_skin_rest_capsule(model, j);
  for (size_t i = 0; i < skin->n_vertices; i++) {
    double place;
    skin->gap[i] = own_pill(skin, pill, i, skin->vertex[i].rest_position, &place).distance;
  }
  free(pill);
  return VB_OK;
}

vb_status viper_skin_fit(const viper_skin *skin, const viper_model *model, const double *node,
                         double *vertices, vb_error *error) {
  pills p;
  if (!skin->gap || skin->n_vertices == 0)
    return VB_OK;
  vb_status status = pills_create(skin, model, node, &p, error);
  const int32_t n = status ? 0 : (int32_t)skin->n_vertices;
#pragma omp parallel for schedule(dynamic, 256)
  for (int32_t i = 0; i < n; i++)
    if (skin->vertex[i].segment < 0) {
      keep_gap(&p, (size_t)i, vertices + 3 * (size_t)i);
      keep_apart(&p, (size_t)i, vertices + 3 * (size_t)i);
    }
  pills_clear(&p);
  return status;
}
