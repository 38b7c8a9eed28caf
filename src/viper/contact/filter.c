// SPDX-License-Identifier: GPL-3.0-or-later
#define VIPER_PRECISION 64
#include "viper/contact/filter.h"

#include "viper/contact/closest.h"
#include "viper/contact/grid.h"

#include <stdlib.h>
#include <string.h>

/// Relative rounding of a double as a float, and then some.
#define ROUND_OUT 1e-6

static viper_capsule rest_capsule(const viper_model *m, const vb_node *node, int32_t j) {
  viper_capsule p;
  for (int k = 0; k < 2; k++) {
    const vb_node *n = &node[m->node[m->segment[j].node[k]].scene_index];
    p.c[k] = viper_vec3_make(n->rest_position[0], n->rest_position[1], n->rest_position[2]);
    p.r[k] = n->rest_radius;
  }
  return p;
}

/// A sphere about a segment at rest that overlaps all of its own body.
static viper_sphere rest_sphere(const viper_model *m, const vb_node *node, int32_t j) {
  viper_capsule p = rest_capsule(m, node, j);
  viper_vec3 u = viper_sub(p.c[1], p.c[0]), middle = viper_capsule_at(&p, 0.5);
  double size = fabs(middle.x) + fabs(middle.y) + fabs(middle.z);
  double radius = 0.5 * sqrt(viper_dot(u, u)) + (p.r[0] > p.r[1] ? p.r[0] : p.r[1]);
  return (viper_sphere){{(float)middle.x, (float)middle.y, (float)middle.z},
                        (float)(radius * (1 + ROUND_OUT) + size * ROUND_OUT),
                        -1,
                        1,
                        1};
}

static bool share_node(const viper_model *m, int32_t i, int32_t j) {
  const int32_t *a = m->segment[i].node, *b = m->segment[j].node;
  return a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1];
}

/// Lists the pairs that belong to one body and overlap.
static vb_status list_apart(viper_filter *f, const viper_sphere_pairs *pairs, const int32_t *body,
                            const vb_node *node, vb_error *error) {
  const viper_model *m = f->model;
  int32_t n = (int32_t)m->n_segments, count = 0;
  VB_TAKE(&f->memory, f->first_apart, m->n_segments + 1);
  VB_TAKE(&f->memory, f->apart, (size_t)pairs->first[n]);
  if (f->memory.failed)
    return vb_error_memory(error);
  for (int32_t i = 0; i < n; i++) {
    viper_capsule a = rest_capsule(m, node, i);
    for (int32_t k = pairs->first[i]; k < pairs->first[i + 1]; k++) {
      int32_t j = pairs->other[k];
      if (body[i] != body[j])
        continue;
      viper_capsule b = rest_capsule(m, node, j);
      if (viper_capsule_closest(&a, &b).gap < 0)
        f->apart[count++] = j;
    }
    f->first_apart[i + 1] = count;
  }
  return VB_OK;
}

/// Finds the pairs of one body that overlap at rest; `body` is the body of each segment.
static vb_status find_apart(viper_filter *f, const int32_t *body, vb_error *error) {
  const viper_model *m = f->model;
  size_t n_nodes;
  const vb_node *node = vb_scene_nodes(m->scene, &n_nodes);
  viper_sphere_pairs pairs;
  viper_grid *grid = NULL;
  viper_sphere *sphere = reallocarray(NULL, m->n_segments + 1, sizeof *sphere);
  vb_status status =
      sphere ? viper_grid_create(m->n_segments, &grid, error) : vb_error_memory(error);
  for (int32_t j = 0; !status && j < (int32_t)m->n_segments; j++)
    sphere[j] = rest_sphere(m, node, j);
  if (!status)
    status = viper_grid_pairs(grid, sphere, m->n_segments, 1, &pairs, error);
  if (!status)
    status = list_apart(f, &pairs, body, node, error);
  viper_grid_destroy(grid);
  free(sphere);
  return status;
}

static void fill_groups(viper_filter *f) {
  const viper_model *m = f->model;
  size_t n;
  const vb_filter *given = vb_scene_filters(m->scene, &n);
  for (size_t j = 0; j < m->n_segments; j++) {
    f->groups[j] = 1;
    f->meets[j] = UINT32_MAX;
  }
  for (size_t k = 0; k < n; k++) {
    f->groups[m->segment_at[given[k].segment]] = given[k].groups;
    f->meets[m->segment_at[given[k].segment]] = given[k].meets;
  }
}

vb_status viper_filter_create(const viper_model *model, viper_filter *out, vb_error *error) {
  size_t n = model->n_segments;
  viper_filter f = {.model = model};
  VB_TAKE(&f.memory, f.body, n);
  VB_TAKE(&f.memory, f.groups, n);
  VB_TAKE(&f.memory, f.meets, n);
  vb_status status = vb_arena_status(&f.memory, error);
  if (!status) {
    fill_groups(&f);
    for (size_t k = 0; k < model->n_bodies; k++)
      for (int32_t j = 0; j < model->body[k].n_segments; j++)
        f.body[model->body[k].first_segment + j] = (int32_t)k;
    if (vb_scene_contact(model->scene)->self)
      status = find_apart(&f, f.body, error);
  }
  if (status) {
    viper_filter_destroy(&f);
    return status;
  }
  for (size_t j = 0; f.first_apart && j < n; j++)
    f.body[j] = -1;
  *out = f;
  return VB_OK;
}

void viper_filter_destroy(viper_filter *f) {
  vb_arena_clear(&f->memory);
}

bool viper_filter_allows(const viper_filter *f, int32_t i, int32_t j) {
  if (!f->first_apart)
    return true; // those of different bodies share no node
  if (share_node(f->model, i, j))
    return false;
  for (int32_t k = f->first_apart[i]; k < f->first_apart[i + 1]; k++)
    if (f->apart[k] == j)
      return false;
  return true;
}

bool viper_filter_excludes(const viper_filter *f, int32_t i, int32_t j) {
  if (share_node(f->model, i, j))
    return false;
  bool one_body = f->body[i] >= 0 && f->body[i] == f->body[j];
  bool meet = (f->groups[i] & f->meets[j]) && (f->groups[j] & f->meets[i]);
  return one_body || !meet || !viper_filter_allows(f, i, j);
}
