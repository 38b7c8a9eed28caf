// SPDX-License-Identifier: GPL-3.0-or-later
// What is a muscle, and what a skin around several bodies.
#include "base/components.h"
#include "render/recording.h"
#include "scene/rotation.h"
#include "scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define FIBER  0.16 ///< size of fibers, of the mean radius of a muscle's rods
#define STIFF  4    ///< how many times as stiff as the softest segment of its rod a tendon is
#define PASSES 24   ///< of the mean over neighbors, of what is below a skin

/// Whether the run names a body "muscle".
static vb_status find_name(const vb_recording *r, bool *found, vb_error *error) {
  static const char MUSCLE[] = "muscle";
  char path[400], prefix[300] = "";
  vb_texts names = {0};
  bool there = false;
  vb_status status = vb_run_has(r->place, "topology/body_name", &there, error);
  if (r->place.run)
    snprintf(prefix, sizeof prefix, "/runs/%s", r->place.run);
  snprintf(path, sizeof path, "%s/topology/body_name", prefix);
  if (!status && there)
    status = vb_results_texts(r->place.path, path, &names, error);
  for (size_t i = 0; !status && i < names.n; i++)
    *found = *found || strncmp(names.texts[i], MUSCLE, sizeof MUSCLE - 1) == 0;
  vb_texts_free(&names);
  return status;
}

static size_t node_of(const vb_recording *r, size_t segment, int end) {
  return (size_t)r->segment.values[2 * segment + (size_t)end];
}

static size_t body_of(const vb_recording *r, size_t node) {
  return (size_t)r->body.values[node];
}

/// The nodes of what activation `i` contracts: how many, or 0 where the file is invalid.
static int find_active_nodes(const vb_recording *r, size_t i, size_t node[4]) {
  double location = r->activation.values[2 * i], index = r->activation.values[2 * i + 1];
  bool segment = location == VB_AT_SEGMENT;
  const vb_array *of = segment ? &r->segment : &r->tetrahedron;
  if (!(segment || location == VB_AT_TETRAHEDRON) || !(index >= 0 && index < (double)of->n))
    return 0;
  for (size_t c = 0; c < of->width; c++)
    node[c] = (size_t)of->values[of->width * (size_t)index + c];
  return (int)of->width;
}

/// Adds a direction to a sum whatever its sign.
static void add_axis(const double axis[3], double sum[3]) {
  vb_add_scaled(sum, vb_dot(sum, axis) < 0 ? -1 : 1, axis, sum);
}

/// Marks bodies with activated elements; notes fibers of tetrahedra. One body around bones has a
/// skin; several are told apart by their colors.
static void find_active(vb_recording *r) {
  bool several = false;
  for (size_t i = 1; i < r->body.n; i++)
    several = several || r->body.values[i] != r->body.values[0];
  if (!several && (r->skeleton.n_sides > 0 || r->skeleton.n_box > 0))
    r->flesh = VB_APPEARANCE_SKIN;
  bool directed = r->direction.n == r->activation.n;
  for (size_t i = 0; i < r->activation.n; i++) {
    size_t node[4];
    int n = find_active_nodes(r, i, node);
    if (n == 4)
      r->flesh = VB_APPEARANCE_MUSCLE;
    for (int c = 0; c < n; c++) {
      r->is_muscle[body_of(r, node[c])] = true;
      if (n == 4 && directed)
        add_axis(r->direction.values + 3 * i, r->along[node[c]]);
    }
  }
}

/// Writes for each body the least Young's modulus of its segments.
static void find_softest(const vb_recording *r, double *softest) {
  for (size_t i = 0; i < r->rest_position.n; i++)
    softest[body_of(r, i)] = INFINITY;
  for (size_t j = 0; j < r->young.n; j++) {
    double *body = &softest[body_of(r, node_of(r, j, 0))];
    *body = fmin(*body, r->young.values[j]);
  }
}

/// Of a muscle's bundled segment, whether it is a tendon's: its rod is much softer elsewhere.
static bool is_stiff(const vb_recording *r, const double *softest, size_t segment) {
  return r->young.n > 0 &&
         r->young.values[segment] > STIFF * softest[body_of(r, node_of(r, segment, 0))];
}

/// Marks bodies that bundles join, where the run has a muscle, and of their rods the ends outside
/// of the bundles and what is much stiffer than the rest.
static vb_status find_bundled(vb_recording *r, vb_error *error) {
  size_t n = r->rest_position.n;
  bool any = r->activation.n > 0, *bundled = calloc(n + 1, sizeof *bundled);
  double *softest = calloc(n + 1, sizeof *softest);
  vb_status status = bundled && softest ? VB_OK : vb_error_memory(error);
  if (!status)
    find_softest(r, softest);
  if (!status && !any)
    status = find_name(r, &any, error);
  for (size_t i = 0; !status && i < n; i++)
    bundled[body_of(r, i)] = false;
  for (size_t i = 0; !status && any && i < r->bundle.n; i++)
    bundled[body_of(r, node_of(r, (size_t)r->bundle.values[2 * i + 1], 0))] = true;
  for (size_t i = 0; !status && i < n; i++) {
    r->is_muscle[body_of(r, i)] |= bundled[body_of(r, i)];
    r->tendon[i] = bundled[body_of(r, i)];
  }
  for (size_t i = 0; !status && i < r->bundle.n; i++) {
    size_t segment = (size_t)r->bundle.values[2 * i + 1];
    for (int end = 0; end < 2 && !is_stiff(r, softest, segment); end++)
      r->tendon[node_of(r, segment, end)] = 0;
  }
  free(softest);
  free(bundled);
  return status;
}

/// The directions of rods at nodes, and the size of fibers.
static void find_fibers(vb_recording *r) {
  double sum = 0, count = 0;
  for (size_t j = 0; j < r->segment.n; j++) {
    size_t a = node_of(r, j, 0), b = node_of(r, j, 1);
    double axis[3];
    if (!r->is_muscle[body_of(r, a)] ||
        !(vb_direction(r->rest_position.values + 3 * a, r->rest_position.values + 3 * b, axis) > 0))
      continue;
    add_axis(axis, r->along[a]);
    add_axis(axis, r->along[b]);
    sum += r->rest_radius.values[a];
    count++;
  }
  r->fiber_size = count > 0 && sum > 0 ? FIBER * sum / count : 0;
  for (size_t i = 0; i < r->rest_position.n; i++) {
    double size = sqrt(vb_dot(r->along[i], r->along[i]));
    for (int k = 0; k < 3; k++)
      r->along[i][k] = size > 0 ? r->along[i][k] / size : 0;
  }
}

static size_t carrier_body(const vb_recording *r, size_t vertex) {
  return body_of(r, node_of(r, (size_t)r->carrier[vertex], 0));
}

static bool lives(const vb_recording *r, size_t body) {
  return r->is_bone[body] || r->is_muscle[body];
}

/// Marks vertices of parts of the surface, by the first vertex of each, that several bodies carry,
/// a bone or a muscle among them.
static void mark_skins(vb_recording *r, size_t n, int32_t *first, bool *living) {
  for (size_t i = 0; i < n; i++) {
    size_t part = (size_t)vb_component_of(first, (int32_t)i), body = carrier_body(r, i);
    r->under_skin[part] |= body != carrier_body(r, part);
    living[part] |= lives(r, body);
  }
  for (size_t i = n; i-- > 0;) { // the first of a part comes last
    size_t part = (size_t)vb_component_of(first, (int32_t)i);
    r->under_skin[i] = r->under_skin[part] && living[part];
  }
}

/// Finds the connected parts of the surface, and which of them are skins.
static vb_status find_skins(vb_recording *r, vb_error *error) {
  size_t n = r->segment.n > 0 && r->triangle.n > 0 ? r->rest_vertex.n : 0;
  int32_t *first = reallocarray(NULL, n + 1, sizeof *first);
  bool *living = calloc(n + 1, sizeof *living);
  for (size_t i = 0; first && i < n; i++)
    first[i] = (int32_t)i;
  for (size_t i = 0; first && n > 0 && i < 3 * r->triangle.n; i++)
    vb_component_join(first, (int32_t)r->triangle.values[i],
                      (int32_t)r->triangle.values[i - i % 3]);
  bool enough = first && living;
  if (enough)
    mark_skins(r, n, first, living);
  free(living);
  free(first);
  return enough ? VB_OK : vb_error_memory(error);
}

/// Sums `from` over the neighbors of each vertex, and counts these.
static void sum_neighbors(const vb_recording *r, const double *from, double (*sum)[2]) {
  for (size_t i = 0; i < r->rest_vertex.n; i++)
    sum[i][0] = sum[i][1] = 0;
  for (size_t i = 0; i < 3 * r->triangle.n; i++) {
    double *to = sum[(size_t)r->triangle.values[i]];
    to[0] += from[(size_t)r->triangle.values[i - i % 3 + (i + 1) % 3]];
    to[1]++;
  }
}

/// Finds what of a muscle's color shows through skins: 1 at vertices that muscles carry, 0 at
/// others, with soft borders.
static vb_status find_below(vb_recording *r, vb_error *error) {
  size_t n = r->segment.n > 0 && r->triangle.n > 0 ? r->rest_vertex.n : 0;
  double(*sum)[2] = reallocarray(NULL, n + 1, sizeof *sum);
  if (!sum)
    return vb_error_memory(error);
  bool any = false;
  for (size_t i = 0; i < n; i++) {
    r->below_skin[i] = r->under_skin[i] && r->is_muscle[carrier_body(r, i)];
    any = any || r->below_skin[i] > 0;
  }
  for (int pass = 0; any && pass < PASSES; pass++) {
    sum_neighbors(r, r->below_skin, sum);
    for (size_t i = 0; i < n; i++)
      if (sum[i][1] > 0)
        r->below_skin[i] = 0.5 * r->below_skin[i] + 0.5 * sum[i][0] / sum[i][1];
  }
  free(sum);
  return VB_OK;
}

vb_status vb_recording_find_muscle(vb_recording *r, vb_error *error) {
  size_t n = r->rest_position.n;
  VB_TAKE(&r->memory, r->is_muscle, n + 1);
  VB_TAKE(&r->memory, r->tendon, n);
  VB_TAKE(&r->memory, r->along, n);
  VB_TAKE(&r->memory, r->under_skin, r->rest_vertex.n);
  VB_TAKE(&r->memory, r->below_skin, r->rest_vertex.n);
  vb_status status = vb_arena_status(&r->memory, error);
  if (status)
    return status;
  find_active(r);
  status = find_bundled(r, error);
  for (size_t i = 0; i < n; i++) { // what looks otherwise is none
    vb_appearance_kind kind = VB_APPEARANCE_SOLID;
    int32_t look = r->body_look[body_of(r, i)];
    if (look >= 0 && r->look.values[3 * look + 2] > VB_LOOK_DEFAULT) {
      vb_recording_take_look(r, look, &kind);
      r->is_muscle[body_of(r, i)] = kind == VB_APPEARANCE_MUSCLE;
    }
  }
  if (!status)
    status = find_skins(r, error);
  if (!status)
    status = find_below(r, error);
  if (!status)
    find_fibers(r);
  return status;
}

static vb_appearance_kind appearance_of(const vb_recording *r, size_t body,
                                        vb_appearance_kind other) {
  return r->is_bone[body] ? VB_APPEARANCE_BONE : r->is_muscle[body] ? VB_APPEARANCE_MUSCLE : other;
}

static void add_fiber(const vb_recording *r, size_t vertex, vb_fiber *out) {
  size_t segment = (size_t)r->carrier[vertex], a = node_of(r, segment, 0),
         b = node_of(r, segment, 1);
  double at = r->carrier_at[vertex];
  for (int k = 0; k < 3; k++) {
    out->point[k] = r->rest_vertex.values[3 * vertex + (size_t)k] / r->fiber_size;
    out->direction[k] = (1 - at) * r->along[a][k] + at * r->along[b][k];
  }
  out->tendon = r->under_skin[vertex] ? 1 - r->below_skin[vertex]
                                      : (1 - at) * r->tendon[a] + at * r->tendon[b];
}

void vb_recording_add_appearance(const vb_recording *r, vb_shapes *s) {
  bool rods = r->segment.n > 0;
  for (size_t i = 0; i < s->n_vertices && rods && r->triangle.n > 0 && r->fiber_size > 0; i++)
    add_fiber(r, i, &s->fiber[i]);
  for (size_t t = 0; t < s->n_triangles; t++) {
    size_t corner = (size_t)s->triangle[t][0];
    bool carried = rods && r->triangle.n > 0;
    vb_appearance_kind kind = r->flesh;
    if (carried)
      kind = r->under_skin[corner] ? VB_APPEARANCE_SKIN
                                   : appearance_of(r, carrier_body(r, corner), VB_APPEARANCE_SOLID);
    else if (r->triangle.n == 0)
      kind = appearance_of(r, body_of(r, corner), r->flesh);
    int32_t look = r->triangle.n > 0 ? r->vertex_look[corner] : -1;
    bool of_body = carried ? !r->under_skin[corner] : r->triangle.n == 0;
    if (look < 0 && of_body)
      look = r->body_look[carried ? carrier_body(r, corner) : body_of(r, corner)];
    s->triangle_color[t] = vb_recording_take_look(r, look, &kind);
    s->triangle_appearance[t] = (uint8_t)kind;
  }
}
