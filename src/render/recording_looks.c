// SPDX-License-Identifier: GPL-3.0-or-later
// What a recorded scene says that its bodies, surfaces and colliders look like.
#include "base/components.h"
#include "render/recording.h"
#include "scene/scene.h"

#include <stdlib.h>
#include <string.h>

static vb_status check_looks(const vb_recording *r, size_t n_colliders, vb_error *error) {
  bool valid = r->look_color.n == r->look.n && r->look.n < UINT16_MAX;
  for (size_t i = 0; valid && i < r->look.n; i++) {
    const double *row = r->look.values + 3 * i, *color = r->look_color.values + 3 * i;
    size_t n = row[0] == VB_AT_NODE       ? r->body.n
               : row[0] == VB_AT_VERTEX   ? r->rest_vertex.n
               : row[0] == VB_AT_COLLIDER ? n_colliders
                                          : 0;
    valid = row[1] >= 0 && row[1] < (double)n && row[2] >= VB_LOOK_DEFAULT &&
            row[2] <= VB_LOOK_GLASS && row[1] == (double)(size_t)row[1];
    for (int k = 0; k < 3; k++)
      valid = valid && (color[k] == -1 || (color[k] >= 0 && color[k] <= 1));
  }
  return valid ? VB_OK : vb_bad_input(error, "%s: its looks are invalid", r->place.path);
}

/// Gives a look to all vertices of the connected part of the surface that vertex `of` is of.
static vb_status spread(const vb_recording *r, vb_error *error) {
  size_t n = r->triangle.n > 0 ? r->rest_vertex.n : 0;
  int32_t *first = reallocarray(NULL, n + 1, sizeof *first);
  int32_t *look = reallocarray(NULL, n + 1, sizeof *look);
  bool enough = first && look;
  for (size_t i = 0; enough && i < n; i++) {
    first[i] = (int32_t)i;
    look[i] = -1;
  }
  for (size_t i = 0; enough && n > 0 && i < 3 * r->triangle.n; i++)
    vb_component_join(first, (int32_t)r->triangle.values[i],
                      (int32_t)r->triangle.values[i - i % 3]);
  for (size_t i = 0; enough && n > 0 && i < r->look.n; i++)
    if (r->look.values[3 * i] == VB_AT_VERTEX)
      look[vb_component_of(first, (int32_t)r->look.values[3 * i + 1])] = (int32_t)i;
  for (size_t i = 0; enough && i < n; i++)
    r->vertex_look[i] = look[vb_component_of(first, (int32_t)i)];
  free(look);
  free(first);
  return enough ? VB_OK : vb_error_memory(error);
}

vb_status vb_recording_find_looks(vb_recording *r, vb_error *error) {
  size_t n = r->rest_position.n + 1, n_colliders = vb_scene_count(r->driven.scene, VB_SET_COLLIDER);
  VB_TAKE(&r->memory, r->body_look, n);
  VB_TAKE(&r->memory, r->vertex_look, r->rest_vertex.n + 1);
  VB_TAKE(&r->memory, r->collider_look, n_colliders + 1);
  vb_status status = vb_arena_status(&r->memory, error);
  if (!status)
    status = check_looks(r, n_colliders, error);
  if (status)
    return status;
  memset(r->body_look, -1, n * sizeof *r->body_look);
  memset(r->vertex_look, -1, (r->rest_vertex.n + 1) * sizeof *r->vertex_look);
  memset(r->collider_look, -1, (n_colliders + 1) * sizeof *r->collider_look);
  bool surface = false;
  for (size_t i = 0; i < r->look.n; i++) {
    size_t index = (size_t)r->look.values[3 * i + 1];
    if (r->look.values[3 * i] == VB_AT_NODE)
      r->body_look[(size_t)r->body.values[index]] = (int32_t)i;
    else if (r->look.values[3 * i] == VB_AT_COLLIDER)
      r->collider_look[index] = (int32_t)i;
    else
      surface = true;
  }
  return surface ? spread(r, error) : VB_OK;
}

uint16_t vb_recording_take_look(const vb_recording *r, int32_t look, vb_appearance_kind *material) {
  static const vb_appearance_kind KIND[] = {
      [VB_LOOK_SOLID] = VB_APPEARANCE_SOLID,   [VB_LOOK_BONE] = VB_APPEARANCE_BONE,
      [VB_LOOK_MUSCLE] = VB_APPEARANCE_MUSCLE, [VB_LOOK_SKIN] = VB_APPEARANCE_SKIN,
      [VB_LOOK_ROPE] = VB_APPEARANCE_ROPE,     [VB_LOOK_GLASS] = VB_APPEARANCE_GLASS};
  if (look < 0)
    return 0;
  size_t named = (size_t)r->look.values[3 * look + 2];
  if (named != VB_LOOK_DEFAULT)
    *material = KIND[named];
  return r->look_color.values[3 * look] >= 0 ? (uint16_t)(look + 1) : 0;
}

static void move_capsules(vb_shapes *s, vb_shapes *clear) {
  size_t kept = 0;
  for (size_t i = 0; i < s->n_capsules; i++) {
    bool glass = s->capsule_appearance[i] == VB_APPEARANCE_GLASS;
    vb_shapes *to = glass ? clear : s;
    size_t at = glass ? clear->n_capsules++ : kept++;
    to->capsule[at] = s->capsule[i];
    memcpy(to->capsule_value[at], s->capsule_value[i], sizeof *s->capsule_value);
    to->capsule_appearance[at] = s->capsule_appearance[i];
    to->capsule_color[at] = s->capsule_color[i];
  }
  s->n_capsules = kept;
}

/// All vertices go along, so that normals are the same.
static void move_triangles(vb_shapes *s, vb_shapes *clear) {
  size_t kept = 0, first = clear->n_vertices;
  for (size_t t = 0; t < s->n_triangles; t++) {
    bool glass = s->triangle_appearance[t] == VB_APPEARANCE_GLASS;
    vb_shapes *to = glass ? clear : s;
    size_t at = glass ? clear->n_triangles++ : kept++;
    for (int c = 0; c < 3; c++)
      to->triangle[at][c] = s->triangle[t][c] + (glass ? (int32_t)first : 0);
    to->triangle_appearance[at] = s->triangle_appearance[t];
    to->triangle_color[at] = s->triangle_color[t];
  }
  if (kept < s->n_triangles) {
    memcpy(clear->vertex + first, s->vertex, s->n_vertices * sizeof *s->vertex);
    memcpy(clear->value + first, s->value, s->n_vertices * sizeof *s->value);
    clear->n_vertices += s->n_vertices;
  }
  s->n_triangles = kept;
}

void vb_recording_move_glass(vb_shapes *s, vb_shapes *clear) {
  move_capsules(s, clear);
  move_triangles(s, clear);
}
