// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/skin/skin_pills.h"

#include "scene/rotation.h"
#include "viper/skin/skin_nearest.h"

#include <math.h>

/// Least weight of a segment that counts as followed.
#define FOLLOWED 0.01
/// Moves of a vertex: the nearest pill, and its normal, change on the way.
#define MOST_MOVES 8
/// Farthest move, in the radius of the vertex' own pill.
#define FARTHEST_MOVE 0.25
/// How far short of the middle between two pills a vertex stays, in edges. A triangle with edges h
/// cuts a corner of radius r by h^2/(8 r), a quarter of h where h is 2 r.
#define MARGIN 0.25
/// Of the margin, beyond which a vertex is on the wrong side: rounding is less.
#define LEAST_TRESPASS 1e-6
/// Least square of the difference of two normals: a vertex with both pills on the same side has no
/// way between them.
#define LEAST_TURN 0.01

/// A pill as seen from a point.
typedef struct sight {
  int32_t segment;
  double distance; ///< to its surface, m
  double normal[3];
  double scale, radius; ///< of the pill there
} sight;

/// The pill of segment `j` in the state `node`; its ends in the scene's order.
static void place_pill(viper_skin_pills *p, int32_t j, const double *node) {
  size_t n;
  const vb_node *nodes = vb_scene_nodes(p->model->scene, &n);
  const vb_segment *s = &vb_scene_segments(p->model->scene, &n)[p->model->segment[j].scene_index];
  const int32_t *own = p->model->segment[j].node;
  const int first = p->model->node[own[0]].scene_index == s->node[0] ? 0 : 1;
  const double *at[2] = {node + (size_t)4 * (size_t)own[first],
                         node + (size_t)4 * (size_t)own[1 - first]};
  for (int end = 0; end < 2; end++)
    p->scale[j][end] = at[end][3];
  p->now[j] = vb_capsule_make(at[0], at[0][3] * nodes[s->node[0]].rest_radius, at[1],
                              at[1][3] * nodes[s->node[1]].rest_radius);
}

vb_status viper_skin_pills_create(const viper_skin *skin, const viper_model *model,
                                  const double *node, viper_skin_pills *out, vb_error *error) {
  const size_t n = model->n_segments;
  *out = (viper_skin_pills){.skin = skin, .model = model, .margin = MARGIN * skin->mesh.edge};
  vb_bounds *bounds = NULL;
  VB_TAKE(&out->memory, out->rest, n);
  VB_TAKE(&out->memory, out->now, n);
  VB_TAKE(&out->memory, out->scale, n);
  VB_TAKE(&out->memory, bounds, n);
  vb_status status = vb_arena_status(&out->memory, error);
  if (status)
    return status;
  for (int32_t j = 0; j < (int32_t)n; j++) {
    out->rest[j] = viper_skin_rest_capsule(model, j);
    place_pill(out, j, node);
    bounds[j] = vb_capsule_bounds(&out->now[j]);
  }
  return vb_box_tree_build(bounds, n, &out->tree, error);
}

void viper_skin_pills_clear(viper_skin_pills *pills) {
  vb_box_tree_clear(&pills->tree);
  vb_arena_clear(&pills->memory);
}

int32_t viper_skin_nearest_pill(const viper_skin *skin, const vb_capsule *pill, size_t i,
                                const double x[3], double *axis) {
  int32_t nearest = -1;
  double least = INFINITY;
  for (int e = 0; e < skin->n_weights[i]; e++) {
    const viper_skin_weight *w = &skin->weight[i * VIPER_SKIN_MOST + (size_t)e];
    const vb_capsule *c = &pill[w->segment];
    double normal[3], place, d = vb_capsule_distance(c, x, normal, &place);
    if (d < least && (w->weight >= FOLLOWED || nearest < 0)) {
      least = d;
      nearest = w->segment;
      *axis = d + c->r_a + (c->r_b - c->r_a) * place;
    }
  }
  return nearest;
}

/// How far vertex `i` was from the pill of segment `j` at rest, m.
static double rest_distance(const viper_skin_pills *p, size_t i, int32_t j) {
  double normal[3], place;
  return vb_capsule_distance(&p->rest[j], p->skin->vertex[i].rest_position, normal, &place);
}

/// The pill that vertex `i` had at rest, as seen from `x`.
static sight look_at_own(const viper_skin_pills *p, size_t i, const double x[3]) {
  double place;
  sight own = {.segment = p->skin->own[i]};
  const vb_capsule *c = &p->now[own.segment];
  const double *scale = p->scale[own.segment];
  own.distance = vb_capsule_distance(c, x, own.normal, &place);
  own.scale = scale[0] + (scale[1] - scale[0]) * place;
  own.radius = c->r_a + (c->r_b - c->r_a) * place;
  return own;
}

/// Keeps in `worst` the pill of segment `j` if vertex `i` at `x` is farther beyond the middle to
/// it; the distance of `worst` is how far.
static void look_at_other(const viper_skin_pills *p, size_t i, int32_t j, const double x[3],
                          const sight *own, double own_rest, sight *worst) {
  double place, normal[3];
  double beyond = own->distance + p->margin - vb_capsule_distance(&p->now[j], x, normal, &place);
  if (beyond <= worst->distance)
    return;
  const double apart = own->scale * (rest_distance(p, i, j) - own_rest);
  beyond -= apart < p->margin ? p->margin - apart : 0;
  if (beyond <= worst->distance)
    return;
  worst->segment = j;
  worst->distance = beyond;
  memcpy(worst->normal, normal, sizeof normal);
}

/// The pill that vertex `i` at `x` is farthest beyond the middle to; none where it is on its own
/// side of all.
static sight look_for_others(const viper_skin_pills *p, size_t i, const double x[3],
                             const sight *own) {
  int32_t stack[VB_BOX_TREE_DEPTH];
  int depth = 0;
  sight worst = {.segment = -1, .distance = LEAST_TRESPASS * p->margin};
  const double own_rest = rest_distance(p, i, own->segment), most = own->distance + p->margin;
  const double reach = most > 0 ? most : 0;
  if (p->tree.n_nodes > 0)
    stack[depth++] = 0;
  while (depth > 0) {
    const vb_box_node *node = &p->tree.node[stack[--depth]];
    if (vb_bounds_distance2(&node->bounds, x) > reach * reach)
      continue;
    for (int32_t k = 0; k < node->count; k++)
      if (p->tree.item[node->first + k] != own->segment)
        look_at_other(p, i, p->tree.item[node->first + k], x, own, own_rest, &worst);
    for (int k = 0; node->count == 0 && k < 2; k++)
      stack[depth++] = node->first + k;
  }
  return worst;
}

void viper_skin_keep_apart(const viper_skin_pills *p, size_t i, double x[3]) {
  for (int k = 0; k < MOST_MOVES; k++) {
    double turn[3];
    const sight own = look_at_own(p, i, x), other = look_for_others(p, i, x, &own);
    if (other.segment < 0)
      return;
    vb_subtract(own.normal, other.normal, turn);
    const double square = vb_dot(turn, turn), size = sqrt(square);
    if (square < LEAST_TURN)
      return;
    const double length = fmin(other.distance / size, FARTHEST_MOVE * own.radius);
    vb_add_scaled(x, -length / size, turn, x);
  }
}
