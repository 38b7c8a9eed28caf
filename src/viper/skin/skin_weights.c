// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/skin/skin_weights.h"

#include "scene/rotation.h"
#include "viper/skin/skin_nearest.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

/// Bounds of the number of fairing passes: some smoothing in any case; no endless work for a mesh
/// much finer than the rods.
#define FEWEST_PASSES 4
#define MOST_PASSES   64

/// Makes the weights of a vertex sum to 1, and sorts them by segment.
static void finish(viper_skin_weight *list, int n) {
  double sum = 0;
  for (int e = 0; e < n; e++)
    sum += list[e].weight;
  for (int e = 0; e < n; e++) {
    viper_skin_weight moving = list[e];
    int at = e;
    for (; at > 0 && list[at - 1].segment > moving.segment; at--)
      list[at] = list[at - 1];
    list[at] = moving;
    list[at].weight /= sum;
  }
}

vb_status viper_skin_begin(viper_skin *skin, const viper_model *model, vb_error *error) {
  viper_skin_capsules *capsules = NULL;
  int32_t n = (int32_t)skin->n_vertices, *body = malloc((skin->n_vertices + 1) * sizeof *body);
  vb_status status =
      body ? viper_skin_capsules_create(model, &capsules, error) : vb_error_memory(error);
  if (!status)
    status = viper_skin_bodies(skin, model, capsules, body, error);
  if (!status) {
#pragma omp parallel for schedule(dynamic, 256)
    for (int32_t i = 0; i < n; i++) {
      const vb_surface_vertex *v = &skin->vertex[i];
      viper_skin_weight *list = skin->weight + (size_t)i * VIPER_SKIN_MOST;
      if (v->segment >= 0)
        viper_skin_insert(list, &skin->n_weights[i], VIPER_SKIN_MOST, model->segment_at[v->segment],
                          1);
      else
        skin->n_weights[i] =
            viper_skin_nearest(capsules, v->rest_position, body[i], VIPER_SKIN_MOST, list);
      finish(list, skin->n_weights[i]);
    }
  }
  viper_skin_capsules_destroy(capsules);
  free(body);
  return status;
}

/// The neighbors of each vertex in the mesh.
typedef struct mesh {
  size_t *first; ///< [n_vertices + 1]
  int32_t *neighbor;
  size_t n_edges; ///< each counted from both ends
  double edge;    ///< mean length, m
} mesh;

static int by_number(const void *left, const void *right) {
  const int32_t *a = left;
  const int32_t *b = right;
  return (*a > *b) - (*a < *b);
}

/// Sorts the neighbors of each vertex and leaves each once. `first[i + 1]` is the end of vertex i's
/// neighbors before.
static void unite(const viper_skin *skin, mesh *m) {
  size_t begin = 0, kept = 0;
  double sum = 0;
  for (size_t i = 0; i < skin->n_vertices; i++) {
    size_t end = m->first[i + 1];
    qsort(m->neighbor + begin, end - begin, sizeof *m->neighbor, by_number);
    for (size_t e = begin, own = kept; e < end; e++)
      if (kept == own || m->neighbor[kept - 1] != m->neighbor[e]) {
        m->neighbor[kept++] = m->neighbor[e];
        sum +=
            vb_distance(skin->vertex[i].rest_position, skin->vertex[m->neighbor[e]].rest_position);
      }
    m->first[i + 1] = kept;
    begin = end;
  }
  m->n_edges = kept;
  m->edge = kept ? sum / (double)kept : 0;
}

static vb_status connect(const viper_skin *skin, mesh *m, vb_error *error) {
  m->first = calloc(skin->n_vertices + 2, sizeof *m->first);
  m->neighbor = malloc((6 * skin->n_triangles + 1) * sizeof *m->neighbor);
  if (!m->first || !m->neighbor)
    return vb_error_memory(error);
  for (size_t t = 0; t < skin->n_triangles; t++)
    for (int c = 0; c < 3; c++)
      m->first[skin->triangle[t].vertex[c] + 2] += 2;
  for (size_t i = 2; i < skin->n_vertices + 2; i++)
    m->first[i] += m->first[i - 1];
  for (size_t t = 0; t < skin->n_triangles; t++)
    for (int c = 0; c < 3; c++) {
      const int32_t *v = skin->triangle[t].vertex;
      m->neighbor[m->first[v[c] + 1]++] = v[(c + 1) % 3];
      m->neighbor[m->first[v[c] + 1]++] = v[(c + 2) % 3];
    }
  unite(skin, m);
  return VB_OK;
}

static int count_passes(const viper_model *model, const mesh *m) {
  double sum = 0;
  for (size_t j = 0; j < model->n_segments; j++)
    sum += 1 / model->segment[j].inv_l;
  double ratio = m->edge > 0 ? sum / (double)model->n_segments / m->edge : 0;
  double passes = ratio * ratio;
  return passes < FEWEST_PASSES ? FEWEST_PASSES : passes > MOST_PASSES ? MOST_PASSES : (int)passes;
}

/// Sums of weights by segment, of few segments at a time.
typedef struct sums {
  double *by_segment; ///< zero between uses
  int32_t *touched;
  int n;
} sums;

static void add(sums *s, const viper_skin_weight *list, int n, double factor) {
  for (int e = 0; e < n; e++) {
    double *sum = &s->by_segment[list[e].segment];
    if (*sum == 0)
      s->touched[s->n++] = list[e].segment;
    *sum += factor * list[e].weight;
  }
}

/// The weights of vertex `i` after a pass, from those before.
static void fair_vertex(const viper_skin *skin, const mesh *m, size_t i, sums *s,
                        viper_skin_weight *list, int *n) {
  size_t degree = m->first[i + 1] - m->first[i];
  add(s, skin->weight + i * VIPER_SKIN_MOST, skin->n_weights[i], 0.5);
  for (size_t e = m->first[i]; e < m->first[i + 1]; e++) {
    size_t at = (size_t)m->neighbor[e];
    add(s, skin->weight + at * VIPER_SKIN_MOST, skin->n_weights[at], 0.5 / (double)degree);
  }
  *n = 0;
  for (int e = 0; e < s->n; e++) {
    viper_skin_insert(list, n, VIPER_SKIN_MOST, s->touched[e], s->by_segment[s->touched[e]]);
    s->by_segment[s->touched[e]] = 0;
  }
  s->n = 0;
  finish(list, *n);
}

/// Sums for several threads, `stride` apart.
typedef struct all_sums {
  double *by_segment;
  int32_t *touched;
  size_t stride;
  int threads;
} all_sums;

/// One pass from the skin's weights to `weight`, which change places then.
static void pass(viper_skin *skin, const mesh *m, const all_sums *all, viper_skin_weight **weight,
                 int **n_weights) {
  int64_t n = (int64_t)skin->n_vertices;
#pragma omp parallel for num_threads(all->threads) schedule(static)
  for (int64_t i = 0; i < n; i++) {
    viper_skin_weight *list = *weight + i * VIPER_SKIN_MOST;
    if (skin->vertex[i].segment < 0 && m->first[i + 1] > m->first[i]) {
      size_t at = (size_t)omp_get_thread_num() * all->stride;
      sums own = {all->by_segment + at, all->touched + at, 0};
      fair_vertex(skin, m, (size_t)i, &own, list, &(*n_weights)[i]);
      continue;
    }
    (*n_weights)[i] = skin->n_weights[i];
    memcpy(list, skin->weight + i * VIPER_SKIN_MOST, VIPER_SKIN_MOST * sizeof *list);
  }
  viper_skin_weight *old = skin->weight;
  int *old_n = skin->n_weights;
  skin->weight = *weight;
  skin->n_weights = *n_weights;
  *weight = old;
  *n_weights = old_n;
}

vb_status viper_skin_fair(viper_skin *skin, const viper_model *model, vb_error *error) {
  mesh m = {0};
  all_sums all = {.stride = model->n_segments + 1, .threads = omp_get_max_threads()};
  viper_skin_weight *weight = calloc(skin->n_vertices * VIPER_SKIN_MOST + 1, sizeof *weight);
  int *n_weights = calloc(skin->n_vertices + 1, sizeof *n_weights);
  all.by_segment = calloc((size_t)all.threads * all.stride, sizeof *all.by_segment);
  all.touched = calloc((size_t)all.threads * all.stride, sizeof *all.touched);
  vb_status status = weight && n_weights && all.by_segment && all.touched ? connect(skin, &m, error)
                                                                          : vb_error_memory(error);
  int passes = status ? 0 : count_passes(model, &m);
  for (int k = 0; k < passes; k++)
    pass(skin, &m, &all, &weight, &n_weights);
  free(m.first);
  free(m.neighbor);
  free(weight);
  free(n_weights);
  free(all.by_segment);
  free(all.touched);
  return status;
}
