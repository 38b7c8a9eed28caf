// SPDX-License-Identifier: GPL-3.0-or-later
#define VIPER_PRECISION 64
#include "viper/skin/skin.h"

#include "base/arena.h"
#include "base/rows.h"
#include "scene/rotation.h"
#include "viper/skin/skin_fit.h"
#include "viper/skin/skin_nearest.h"
#include "viper/skin/skin_transform.h"

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

/// Fills the weights by distance. Fails only for want of memory, or where places are not finite.
static vb_status begin(viper_skin *skin, const viper_model *model, vb_error *error) {
  viper_skin_capsules *capsules = NULL;
  int32_t n = (int32_t)skin->n_vertices,
          *body = reallocarray(NULL, skin->n_vertices + 1, sizeof *body);
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

/// Sorts the neighbors of each vertex and leaves each once. `first[i + 1]` is the end of vertex i's
/// neighbors before.
static void unite(const viper_skin *skin, viper_skin_mesh *m) {
  size_t begin = 0, kept = 0;
  double sum = 0;
  for (size_t i = 0; i < skin->n_vertices; i++) {
    size_t end = m->first[i + 1];
    qsort(m->neighbor + begin, end - begin, sizeof *m->neighbor, vb_compare_int32);
    for (size_t e = begin, own = kept; e < end; e++)
      if (kept == own || m->neighbor[kept - 1] != m->neighbor[e]) {
        m->neighbor[kept++] = m->neighbor[e];
        sum +=
            vb_distance(skin->vertex[i].rest_position, skin->vertex[m->neighbor[e]].rest_position);
      }
    m->first[i + 1] = kept;
    begin = end;
  }
  m->edge = kept ? sum / (double)kept : 0;
}

static void connect(const viper_skin *skin, viper_skin_mesh *m) {
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
}

static int count_passes(const viper_model *model, const viper_skin_mesh *m) {
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
static void fair_vertex(const viper_skin *skin, const viper_skin_mesh *m, size_t i, sums *s,
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
static void pass(viper_skin *skin, const viper_skin_mesh *m, const all_sums *all,
                 viper_skin_weight **weight, int **n_weights) {
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

/// Fairs them over the mesh. Fails only for want of memory.
static vb_status fair(viper_skin *skin, const viper_model *model, vb_error *error) {
  vb_arena memory = {0};
  viper_skin_mesh *m = &skin->mesh;
  all_sums all = {.stride = model->n_segments + 1, .threads = omp_get_max_threads()};
  viper_skin_weight *weight = calloc(skin->n_vertices * VIPER_SKIN_MOST + 1, sizeof *weight);
  int *n_weights = calloc(skin->n_vertices + 1, sizeof *n_weights);
  VB_TAKE(&m->memory, m->first, skin->n_vertices + 2);
  VB_TAKE(&m->memory, m->neighbor, 6 * skin->n_triangles);
  VB_TAKE(&memory, all.by_segment, (size_t)all.threads * all.stride);
  VB_TAKE(&memory, all.touched, (size_t)all.threads * all.stride);
  vb_status status = weight && n_weights ? vb_arena_status(&memory, error) : vb_error_memory(error);
  if (!status)
    status = vb_arena_status(&m->memory, error);
  if (!status) {
    connect(skin, m);
    for (int k = count_passes(model, m); k > 0; k--)
      pass(skin, m, &all, &weight, &n_weights);
  }
  vb_arena_clear(&memory);
  free(weight);
  free(n_weights);
  return status;
}

static vb_status allocate(viper_skin *s, size_t n_segments, vb_error *error) {
  s->rest = calloc(n_segments + 1, sizeof *s->rest);
  s->carrier = calloc(n_segments + 1, sizeof *s->carrier);
  s->weight = calloc(s->n_vertices * VIPER_SKIN_MOST + 1, sizeof *s->weight);
  s->n_weights = calloc(s->n_vertices + 1, sizeof *s->n_weights);
  return s->rest && s->carrier && s->weight && s->n_weights ? VB_OK : vb_error_memory(error);
}

static void fill_rest(viper_skin *s, const viper_model *model) {
  size_t n;
  const vb_node *nodes = vb_scene_nodes(model->scene, &n);
  const vb_segment *segments = vb_scene_segments(model->scene, &n);
  for (size_t j = 0; j < model->n_segments; j++) {
    const vb_segment *from = &segments[model->segment[j].scene_index];
    for (int k = 0; k < 3; k++)
      s->rest[j].middle[k] =
          0.5 * (nodes[from->node[0]].rest_position[k] + nodes[from->node[1]].rest_position[k]);
    memcpy(s->rest[j].frame, from->rest_frame, sizeof from->rest_frame);
  }
}

/// Lists the bundles where these carry the surface.
static vb_status take_bundles(viper_skin *s, const viper_model *model,
                              const viper_settings *settings, vb_error *error) {
  if (settings->skin_frames != VIPER_BUNDLE_FRAMES)
    return VB_OK;
  vb_status status = viper_bundles_create(model, settings->bundle_scale, &s->bundles, error);
  if (status)
    return status;
  s->place = calloc(s->bundles.n_members + 1, sizeof *s->place);
  return s->place ? VB_OK : vb_error_memory(error);
}

vb_status viper_skin_create(const viper_model *model, const viper_settings *settings,
                            viper_skin *out, vb_error *error) {
  viper_skin s = {0};
  s.vertex = vb_scene_surface_vertices(model->scene, &s.n_vertices);
  s.triangle = vb_scene_triangles(model->scene, &s.n_triangles);
  vb_status status = allocate(&s, s.n_vertices > 0 ? model->n_segments : 0, error);
  if (!status && s.n_vertices > 0) {
    fill_rest(&s, model);
    status = begin(&s, model, error);
    if (!status)
      status = take_bundles(&s, model, settings, error);
    if (!status)
      status = fair(&s, model, error);
    if (!status && settings->skin_shape == VIPER_FITTED_SKIN)
      status = viper_skin_take_own(&s, model, error);
    else {
      vb_arena_clear(&s.mesh.memory);
      s.mesh = (viper_skin_mesh){0};
    }
  }
  if (status)
    viper_skin_destroy(&s);
  else
    *out = s;
  return status;
}

void viper_skin_destroy(viper_skin *s) {
  free(s->rest);
  free(s->carrier);
  free(s->place);
  viper_bundles_destroy(&s->bundles);
  free(s->weight);
  free(s->n_weights);
  free(s->own);
  vb_arena_clear(&s->mesh.memory);
  *s = (viper_skin){0};
}

static viper_vec3 vec3_from(const double v[3]) {
  return viper_vec3_make(v[0], v[1], v[2]);
}

static viper_node_x node_from(const double v[4]) {
  return (viper_node_x){vec3_from(v), v[3]};
}

static viper_quat quat_from(const double v[4]) {
  return viper_quat_make(v[0], v[1], v[2], v[3]);
}

static void place_carriers(const viper_skin *skin, const viper_model *model, const double *node,
                           const double *frame) {
  for (size_t j = 0; j < model->n_segments; j++) {
    const int32_t *at = model->segment[j].node;
    viper_carrier_rest rest = {vec3_from(skin->rest[j].middle), quat_from(skin->rest[j].frame)};
    skin->carrier[j] = viper_carrier_at(node_from(node + (size_t)4 * (size_t)at[0]),
                                        node_from(node + (size_t)4 * (size_t)at[1]),
                                        quat_from(frame + 4 * j), rest);
  }
}

/// Puts the transforms of bundles in place of their segments'.
static void place_bundles(const viper_skin *skin, const viper_model *model, const double *node,
                          const double *frame) {
  for (size_t k = 0; k < skin->bundles.n; k++) {
    const viper_bundle *bundle = &skin->bundles.bundle[k];
    const viper_bundle_member *member = skin->bundles.member + bundle->first;
    viper_bundle_place *place = skin->place + bundle->first;
    for (int32_t i = 0; i < bundle->n; i++) {
      const int32_t *at = model->segment[member[i].segment].node;
      place[i] = viper_bundle_place_of(node_from(node + (size_t)4 * (size_t)at[0]),
                                       node_from(node + (size_t)4 * (size_t)at[1]),
                                       quat_from(frame + (size_t)4 * (size_t)member[i].segment));
    }
    viper_bundle_transform t = viper_bundle_fit(bundle, member, place);
    for (int32_t i = 0; i < bundle->n; i++)
      skin->carrier[member[i].segment] = viper_carrier_of_bundle(&t, bundle->rest_mean);
  }
}

void viper_skin_vertices(const viper_skin *skin, const viper_model *model, const double *node,
                         const double *frame, double *out) {
  if (skin->n_vertices == 0)
    return;
  place_carriers(skin, model, node, frame);
  place_bundles(skin, model, node, frame);
  for (size_t i = 0; i < skin->n_vertices; i++) {
    viper_vec3 sum = {0}, x = vec3_from(skin->vertex[i].rest_position);
    for (int e = 0; e < skin->n_weights[i]; e++) {
      const viper_skin_weight *w = &skin->weight[i * VIPER_SKIN_MOST + (size_t)e];
      sum = viper_add(sum, viper_scale(w->weight, viper_carry(&skin->carrier[w->segment], x)));
    }
    out[3 * i] = sum.x;
    out[3 * i + 1] = sum.y;
    out[3 * i + 2] = sum.z;
  }
}

double viper_skin_volume(const viper_skin *skin, const double *vertices) {
  double sum = 0;
  for (size_t i = 0; i < skin->n_triangles; i++) {
    double corner[3][3], normal[3];
    for (int c = 0; c < 3; c++)
      for (int k = 0; k < 3; k++) // from the first vertex: far from the origin less is lost
        corner[c][k] = vertices[3 * skin->triangle[i].vertex[c] + k] - vertices[k];
    vb_cross(corner[1], corner[2], normal);
    sum += vb_dot(corner[0], normal) / 6;
  }
  return sum;
}
