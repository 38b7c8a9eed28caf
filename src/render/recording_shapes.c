// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/recording.h"

#include "render/colliders.h"
#include "scene/rotation.h"

#include <stdlib.h>

/// A frame's fields, and the values of nodes or segments that color it.
typedef struct fields {
  vb_array position;
  vb_array scale;
  vb_array vertices;
  double *of_node;         ///< (nodes)
  double (*of_capsule)[2]; ///< (segments) at either end
} fields;

static void free_fields(fields *f) {
  vb_array_free(&f->position);
  vb_array_free(&f->scale);
  vb_array_free(&f->vertices);
  free(f->of_node);
  free(f->of_capsule);
}

static vb_status check_fields(const vb_recording *r, const fields *f, vb_error *error) {
  size_t n = r->rest_position.n;
  bool valid =
      (r->surface_alone || n == 0 || (f->position.n == n && f->position.width == 3)) &&
      (r->surface_alone || r->segment.n == 0 || (f->scale.n == n && f->scale.width == 1)) &&
      (r->triangle.n == 0 || (f->vertices.n == r->rest_vertex.n && f->vertices.width == 3));
  return valid ? VB_OK
               : vb_bad_input(error, "%s: its frames do not fit its topology", r->place.path);
}

static vb_status read_fields(const vb_recording *r, size_t k, fields *f, vb_error *error) {
  int64_t frame = (int64_t)k;
  vb_status status = VB_OK;
  if (!r->surface_alone && r->rest_position.n > 0)
    status = vb_run_array(r->place, "run/frames/position", frame, &f->position, error);
  if (!status && !r->surface_alone && r->segment.n > 0)
    status = vb_run_scale(r->place, r->rest_position.n, frame, &f->scale, error);
  if (!status && r->triangle.n > 0)
    status = vb_run_array(r->place, "run/frames/vertices", frame, &f->vertices, error);
  if (!status)
    status = check_fields(r, f, error);
  if (status)
    return status;
  f->of_node = calloc(r->rest_position.n + 1, sizeof *f->of_node);
  f->of_capsule = calloc(r->segment.n + 1, sizeof *f->of_capsule);
  return f->of_node && f->of_capsule ? VB_OK : vb_error_memory(error);
}

/// Six times the volume of tetrahedron `t`.
static double volume6(const vb_array *tetrahedron, size_t t, const double *position) {
  const double *v = tetrahedron->values + 4 * t, *x[4];
  for (int i = 0; i < 4; i++)
    x[i] = position + 3 * (size_t)v[i];
  return vb_volume6(x[0], x[1], x[2], x[3]);
}

/// The error of each node's tetrahedra, in the mean.
static vb_status value_solids(const vb_recording *r, const fields *f, vb_error *error) {
  size_t n = r->rest_position.n;
  double *count = calloc(n + 1, sizeof *count);
  if (!count)
    return vb_error_memory(error);
  for (size_t t = 0; t < r->tetrahedron.n; t++) {
    double before = volume6(&r->tetrahedron, t, r->rest_position.values);
    double dilation = volume6(&r->tetrahedron, t, f->position.values) / before - 1;
    for (size_t c = 0; c < 4; c++) {
      size_t node = (size_t)r->tetrahedron.values[4 * t + c];
      f->of_node[node] += dilation;
      count[node]++;
    }
  }
  for (size_t i = 0; i < n; i++)
    f->of_node[i] /= count[i] > 0 ? count[i] : 1;
  free(count);
  return VB_OK;
}

static void value_segments(const vb_recording *r, const fields *f, vb_coloring coloring) {
  for (size_t j = 0; j < r->segment.n; j++) {
    size_t a = (size_t)r->segment.values[2 * j], b = (size_t)r->segment.values[2 * j + 1];
    f->of_capsule[j][0] = f->of_node[a];
    f->of_capsule[j][1] = f->of_node[b];
    if (coloring != VB_COLOR_VOLUME)
      continue;
    double s = 0.5 * (f->scale.values[a] + f->scale.values[b]);
    double length = vb_distance(f->position.values + 3 * a, f->position.values + 3 * b);
    f->of_capsule[j][0] = f->of_capsule[j][1] = s * s * length / r->rest_length.values[j] - 1;
  }
}

static vb_status value_all(const vb_recording *r, const fields *f, vb_coloring coloring,
                           vb_error *error) {
  if (r->surface_alone && coloring != VB_COLOR_BODY && coloring != VB_COLOR_MATERIAL)
    return vb_bad_input(error,
                        "%s records only a surface, without positions and scales; use --color "
                        "body",
                        r->place.path);
  if (coloring == VB_COLOR_SCALE && r->segment.n == 0)
    return vb_bad_input(error,
                        "%s has no segments, whose scales could be shown; use --color "
                        "volume_error or body",
                        r->place.path);
  if (coloring == VB_COLOR_SCALE)
    memcpy(f->of_node, f->scale.values, f->scale.n * sizeof(double));
  bool by_body = coloring == VB_COLOR_BODY || coloring == VB_COLOR_MATERIAL;
  for (size_t i = 0; by_body && i < r->body.n; i++)
    f->of_node[i] = r->is_bone[(size_t)r->body.values[i]] ? NAN : r->body.values[i];
  value_segments(r, f, coloring);
  return coloring == VB_COLOR_VOLUME && r->tetrahedron.n > 0 ? value_solids(r, f, error) : VB_OK;
}

/// Whether the surface around bones is seen through.
static bool is_clear(const vb_recording *r) {
  return r->segment.n == 0 && (r->skeleton.n_sides > 0 || r->skeleton.n_box > 0);
}

/// Makes room for vertices and triangles, which are added later.
static void allocate_mesh(vb_shapes *s, size_t n_vertices, size_t n_triangles) {
  VB_TAKE(&s->memory, s->vertex, n_vertices);
  VB_TAKE(&s->memory, s->value, n_vertices);
  VB_TAKE(&s->memory, s->fiber, n_vertices);
  VB_TAKE(&s->memory, s->triangle, n_triangles);
  VB_TAKE(&s->memory, s->triangle_appearance, n_triangles);
  VB_TAKE(&s->memory, s->triangle_color, n_triangles);
}

static void allocate_capsules(const vb_recording *r, vb_shapes *s, size_t n) {
  VB_TAKE(&s->memory, s->capsule, n);
  VB_TAKE(&s->memory, s->capsule_value, n);
  VB_TAKE(&s->memory, s->capsule_appearance, n);
  VB_TAKE(&s->memory, s->capsule_color, n);
  s->own_color = (const double(*)[3])(const void *)r->look_color.values;
}

/// Whether the scene says that something looks like glass.
static bool has_glass(const vb_recording *r) {
  bool found = false;
  for (size_t i = 0; i < r->look.n; i++)
    found = found || r->look.values[3 * i + 2] == VB_LOOK_GLASS;
  return found;
}

static vb_status allocate(const vb_recording *r, vb_shapes *s, vb_shapes *clear, vb_error *error) {
  bool surface = r->triangle.n > 0;
  size_t vertices[2] = {0}, triangles[2] = {0}; // of what hides, of what is seen through
  vertices[is_clear(r)] = surface ? r->rest_vertex.n : r->n_sides ? r->rest_position.n : 0;
  triangles[is_clear(r)] = surface ? r->triangle.n : r->n_sides;
  vb_skeleton_count(&r->skeleton, &vertices[0], &triangles[0]);
  if (has_glass(r)) {
    vertices[1] += vertices[0];
    triangles[1] += triangles[0];
  }
  vb_colliders_count(&r->driven, &vertices[1], &triangles[1]);
  if (r->look.n > 0) // some may not be glass
    vb_colliders_count(&r->driven, &vertices[0], &triangles[0]);
  allocate_mesh(s, vertices[0], triangles[0]);
  allocate_mesh(clear, vertices[1], triangles[1]);
  // A capsule for each segment and, at most, one for each node.
  size_t n_capsules = r->segment.n + r->rest_position.n;
  allocate_capsules(r, s, n_capsules);
  allocate_capsules(r, clear, has_glass(r) ? n_capsules : 0);
  VB_TAKE(&s->memory, s->ground, r->n_grounds);
  vb_status status = vb_arena_status(&s->memory, error);
  return status ? status : vb_arena_status(&clear->memory, error);
}

static void add_capsule(const vb_recording *r, const fields *f, size_t a, size_t b,
                        const double value[2], vb_shapes *s) {
  const double *x = f->position.values, *radius = r->rest_radius.values;
  double r_a = f->scale.values[a] * radius[a], r_b = f->scale.values[b] * radius[b];
  size_t body = (size_t)r->body.values[a];
  vb_appearance_kind kind = r->is_bone[body]     ? VB_APPEARANCE_BONE
                            : r->is_muscle[body] ? VB_APPEARANCE_MUSCLE
                                                 : VB_APPEARANCE_ROPE;
  memcpy(s->capsule_value[s->n_capsules], value, sizeof *s->capsule_value);
  s->capsule_color[s->n_capsules] = vb_recording_take_look(r, r->body_look[body], &kind);
  s->capsule_appearance[s->n_capsules] = (uint8_t)kind;
  s->capsule[s->n_capsules++] = vb_capsule_make(x + 3 * a, r_a, x + 3 * b, r_b);
}

/// Capsules of segments, and balls of nodes that no segment touches.
static vb_status add_capsules(const vb_recording *r, const fields *f, vb_shapes *s,
                              vb_error *error) {
  bool *touched = calloc(r->rest_position.n + 1, sizeof *touched);
  if (!touched)
    return vb_error_memory(error);
  for (size_t j = 0; j < r->segment.n; j++) {
    size_t a = (size_t)r->segment.values[2 * j], b = (size_t)r->segment.values[2 * j + 1];
    touched[a] = touched[b] = true;
    if (f->scale.n > 0 && !r->skinned[(size_t)r->body.values[a]])
      add_capsule(r, f, a, b, f->of_capsule[j], s);
  }
  for (size_t i = 0; i < r->rest_position.n && f->scale.n > 0; i++)
    if (!touched[i] && r->rest_radius.values[i] > 0)
      add_capsule(r, f, i, i, (double[2]){f->of_node[i], f->of_node[i]}, s);
  free(touched);
  return VB_OK;
}

static void add_surface(const vb_recording *r, const fields *f, vb_shapes *s) {
  s->n_vertices = r->rest_vertex.n;
  s->n_triangles = r->triangle.n;
  memcpy(s->vertex, f->vertices.values, s->n_vertices * sizeof *s->vertex);
  for (size_t i = 0; i < s->n_vertices && r->segment.n > 0; i++) {
    const double *value = f->of_capsule[r->carrier[i]];
    s->value[i] = (1 - r->carrier_at[i]) * value[0] + r->carrier_at[i] * value[1];
  }
  for (size_t i = 0; i < 3 * s->n_triangles; i++)
    s->triangle[i / 3][i % 3] = (int32_t)r->triangle.values[i];
}

static void add_solids(const vb_recording *r, const fields *f, vb_shapes *s) {
  if (!r->side || !f->position.values)
    return;
  s->n_vertices = r->rest_position.n;
  s->n_triangles = r->n_sides;
  memcpy(s->vertex, f->position.values, s->n_vertices * sizeof *s->vertex);
  memcpy(s->value, f->of_node, s->n_vertices * sizeof *s->value);
  memcpy(s->triangle, r->side, s->n_triangles * sizeof *s->triangle);
}

/// Adds the colliders: to `clear` those of glass, which all are that do not look otherwise.
static vb_status add_colliders(const vb_recording *r, size_t k, vb_shapes *s, vb_shapes *clear,
                               vb_error *error) {
  size_t n = vb_scene_count(r->driven.scene, VB_SET_COLLIDER);
  size_t done[2] = {s->n_triangles, clear->n_triangles};
  vb_shapes **to = reallocarray(NULL, n + 1, sizeof *to);
  if (!to)
    return vb_error_memory(error);
  for (size_t i = 0; i < n; i++) {
    vb_appearance_kind kind = VB_APPEARANCE_GLASS;
    vb_recording_take_look(r, r->collider_look[i], &kind);
    to[i] = kind == VB_APPEARANCE_GLASS ? clear : s;
  }
  vb_status status = vb_colliders_add(&r->driven, r->time.values[k], &r->reach, to, error);
  size_t each = 0, none = 0;
  vb_colliders_count(&r->driven, &none, &each);
  for (size_t i = 0; !status && i < n; i++) {
    vb_appearance_kind kind = VB_APPEARANCE_GLASS;
    uint16_t color = vb_recording_take_look(r, r->collider_look[i], &kind);
    for (size_t j = 0; j < each / n; j++) {
      size_t t = done[to[i] == clear]++;
      to[i]->triangle_appearance[t] = (uint8_t)kind;
      to[i]->triangle_color[t] = color;
    }
  }
  free(to);
  return status;
}

/// Adds what is not made of the fields: bones, half-planes and colliders where they are in frame
/// `k`.
static vb_status add_others(const vb_recording *r, const fields *f, size_t k, vb_shapes *s,
                            vb_shapes *clear, vb_error *error) {
  size_t n = s->n_triangles;
  vb_status status = vb_skeleton_add(&r->skeleton, k, f->position.values, s, error);
  if (!status && s->n_triangles > n)
    memset(s->triangle_appearance + n, VB_APPEARANCE_BONE, s->n_triangles - n);
  if (!status)
    status = add_colliders(r, k, s, clear, error);
  if (r->ground)
    memcpy(s->ground, r->ground, r->n_grounds * sizeof *s->ground);
  s->n_grounds = r->n_grounds;
  vb_driven_grounds(&r->driven, r->time.values[k], s->ground);
  return status;
}

vb_status vb_recording_shapes(const vb_recording *r, size_t k, vb_coloring coloring, vb_shapes *out,
                              vb_shapes *clear, vb_error *error) {
  fields f = {.of_node = NULL};
  vb_shapes s[2] = {{0}};
  vb_status status = read_fields(r, k, &f, error);
  if (!status)
    status = value_all(r, &f, coloring, error);
  if (!status)
    status = allocate(r, &s[0], &s[1], error);
  if (!status)
    status = add_capsules(r, &f, &s[0], error);
  if (!status) {
    if (r->triangle.n > 0)
      add_surface(r, &f, &s[is_clear(r)]);
    else
      add_solids(r, &f, &s[is_clear(r)]);
    vb_recording_add_appearance(r, &s[is_clear(r)]);
    status = add_others(r, &f, k, &s[0], &s[1], error);
  }
  if (!status && has_glass(r))
    vb_recording_move_glass(&s[0], &s[1]);
  free_fields(&f);
  if (status) {
    vb_shapes_clear(&s[0]);
    vb_shapes_clear(&s[1]);
    return status;
  }
  *out = s[0];
  *clear = s[1];
  return VB_OK;
}
