// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/skin/skin_nearest.h"

#include "base/arena.h"
#include "base/components.h"
#include "mesh/capsule.h"
#include "mesh/surface_owner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Least distance in the capsule's mean radius: on a surface the inverse square would be infinite.
#define LEAST_DISTANCE 0.01

struct viper_skin_capsules {
  vb_box_tree tree;
  vb_capsule *capsule; ///< [n_segments]
  double *least;       ///< [n_segments] distance that counts, m
  int32_t *body;       ///< [n_segments] the first of those that bundles join with the segment's
  vb_arena memory;     ///< all of it, but the tree
};

vb_capsule viper_skin_rest_capsule(const viper_model *model, int32_t j) {
  size_t n;
  const vb_node *nodes = vb_scene_nodes(model->scene, &n);
  const vb_segment *s = &vb_scene_segments(model->scene, &n)[model->segment[j].scene_index];
  const vb_node *a = &nodes[s->node[0]], *b = &nodes[s->node[1]];
  return vb_capsule_make(a->rest_position, a->rest_radius, b->rest_position, b->rest_radius);
}

static void fill_capsule(viper_skin_capsules *p, const viper_model *model, int32_t j) {
  p->capsule[j] = viper_skin_rest_capsule(model, j);
  p->least[j] = LEAST_DISTANCE * 0.5 * (p->capsule[j].r_a + p->capsule[j].r_b);
}

vb_status viper_skin_joined_bodies(const viper_model *model, int32_t *body, vb_error *error) {
  size_t n;
  const vb_bundled *member = vb_scene_bundled(model->scene, &n);
  int32_t *parent = reallocarray(NULL, model->n_bodies + 1, sizeof *parent);
  if (!parent)
    return vb_error_memory(error);
  for (size_t k = 0; k < model->n_bodies; k++) {
    parent[k] = (int32_t)k;
    for (int32_t j = 0; j < model->body[k].n_segments; j++)
      body[model->body[k].first_segment + j] = (int32_t)k;
  }
  for (size_t i = 1; i < n; i++) // members of a bundle come one after the other
    if (member[i].bundle == member[i - 1].bundle)
      vb_component_join(parent, body[model->segment_at[member[i - 1].segment]],
                        body[model->segment_at[member[i].segment]]);
  for (size_t j = 0; j < model->n_segments; j++)
    body[j] = vb_component_of(parent, body[j]);
  free(parent);
  return VB_OK;
}

vb_status viper_skin_capsules_create(const viper_model *model, viper_skin_capsules **out,
                                     vb_error *error) {
  size_t n = model->n_segments;
  viper_skin_capsules *p = calloc(1, sizeof *p);
  vb_bounds *bounds = reallocarray(NULL, n + 1, sizeof *bounds);
  vb_status status = p && bounds ? VB_OK : vb_error_memory(error);
  if (!status) {
    VB_TAKE(&p->memory, p->capsule, n);
    VB_TAKE(&p->memory, p->least, n);
    VB_TAKE(&p->memory, p->body, n);
    status = vb_arena_status(&p->memory, error);
  }
  if (!status)
    status = viper_skin_joined_bodies(model, p->body, error);
  for (size_t j = 0; !status && j < n; j++) {
    fill_capsule(p, model, (int32_t)j);
    bounds[j] = vb_capsule_bounds(&p->capsule[j]);
  }
  if (!status)
    status = vb_box_tree_build(bounds, n, &p->tree, error);
  free(bounds);
  if (status)
    viper_skin_capsules_destroy(p);
  else
    *out = p;
  return status;
}

void viper_skin_capsules_destroy(viper_skin_capsules *capsules) {
  if (!capsules)
    return;
  vb_box_tree_clear(&capsules->tree);
  vb_arena_clear(&capsules->memory);
  free(capsules);
}

void viper_skin_insert(viper_skin_weight *list, int *n, int most, int32_t segment, double weight) {
  int at = *n;
  while (at > 0 && (list[at - 1].weight < weight ||
                    (list[at - 1].weight == weight && list[at - 1].segment > segment)))
    at--;
  if (at == most)
    return;
  int last = *n < most ? (*n)++ : most - 1;
  memmove(list + at + 1, list + at, (size_t)(last - at) * sizeof *list);
  list[at] = (viper_skin_weight){.segment = segment, .weight = weight};
}

static double nearness(const viper_skin_capsules *p, int32_t j, const double x[3]) {
  double normal[3], place, d = fabs(vb_capsule_distance(&p->capsule[j], x, normal, &place));
  d = d > p->least[j] ? d : p->least[j];
  return 1 / (d * d);
}

/// vb_bounds_distance2, but never more than that to a surface in the box.
static double distance2(const vb_bounds *b, const double x[3]) {
  return vb_bounds_distance2(b, x) * (1 - 1e-12); // rounded towards the box
}

int viper_skin_nearest(const viper_skin_capsules *capsules, const double x[3], int32_t body,
                       int most, viper_skin_weight *list) {
  int32_t stack[VB_BOX_TREE_DEPTH];
  int depth = 0, n = 0;
  if (capsules->tree.n_nodes > 0)
    stack[depth++] = 0;
  while (depth > 0) {
    const vb_box_node *node = &capsules->tree.node[stack[--depth]];
    if (n == most && distance2(&node->bounds, x) * list[n - 1].weight > 1)
      continue;
    for (int32_t k = 0; k < node->count; k++) {
      int32_t j = capsules->tree.item[node->first + k];
      if (body < 0 || capsules->body[j] == body)
        viper_skin_insert(list, &n, most, j, nearness(capsules, j, x));
    }
    if (node->count > 0)
      continue;
    // The nearer of the two is looked at first: on top of the stack.
    int32_t closer = node->first, farther = closer + 1;
    if (distance2(&capsules->tree.node[farther].bounds, x) <
        distance2(&capsules->tree.node[closer].bounds, x)) {
      closer = farther;
      farther = node->first;
    }
    stack[depth++] = farther;
    stack[depth++] = closer;
  }
  return n;
}

/// The body that a vertex is fastened to, or nearest to.
static int32_t own_body(const viper_skin_capsules *p, int32_t fastened, const double x[3]) {
  viper_skin_weight nearest;
  if (fastened >= 0)
    return p->body[fastened];
  return viper_skin_nearest(p, x, -1, 1, &nearest) > 0 ? p->body[nearest.segment] : -1;
}

/// Copies of a skin's surface at rest, and of the middles of the segments.
typedef struct copy {
  double (*vertex)[3], (*middle)[3];
  int32_t (*triangle)[3], *nearest;
} copy;

static void fill_copy(const viper_skin *skin, const viper_model *model,
                      const viper_skin_capsules *capsules, copy *c) {
  int32_t n = (int32_t)skin->n_vertices;
  for (size_t t = 0; t < skin->n_triangles; t++)
    memcpy(c->triangle[t], skin->triangle[t].vertex, sizeof *c->triangle);
  for (size_t j = 0; j < model->n_segments; j++)
    memcpy(c->middle[j], skin->rest[j].middle, sizeof *c->middle);
#pragma omp parallel for schedule(dynamic, 256)
  for (int32_t i = 0; i < n; i++) {
    const vb_surface_vertex *v = &skin->vertex[i];
    memcpy(c->vertex[i], v->rest_position, sizeof *c->vertex);
    c->nearest[i] =
        own_body(capsules, v->segment >= 0 ? model->segment_at[v->segment] : -1, v->rest_position);
  }
}

vb_status viper_skin_bodies(const viper_skin *skin, const viper_model *model,
                            const viper_skin_capsules *capsules, int32_t *body, vb_error *error) {
  vb_arena memory = {0};
  copy c = {0};
  VB_TAKE(&memory, c.vertex, skin->n_vertices + 1);
  VB_TAKE(&memory, c.nearest, skin->n_vertices + 1);
  VB_TAKE(&memory, c.triangle, skin->n_triangles + 1);
  VB_TAKE(&memory, c.middle, model->n_segments + 1);
  vb_status status = vb_arena_status(&memory, error);
  if (!status) {
    fill_copy(skin, model, capsules, &c);
    vb_surface surface = {c.vertex[0], skin->n_vertices, c.triangle[0], skin->n_triangles};
    vb_body_points points = {(const double(*)[3])c.middle, capsules->body, model->n_segments};
    status = vb_surface_owner_find(&surface, c.nearest, &points, body, error);
  }
  vb_arena_clear(&memory);
  return status;
}
