// SPDX-License-Identifier: GPL-3.0-or-later
/// Half-planes, contact between capsules, and which of them touch.
#include "scene/rotation.h"
#include "script/scene/lua_scene.h"

#include <math.h>
#include <stdlib.h>

void vb_lua_read_friction(const vb_args *args, double *static_friction, double *kinetic_friction) {
  bool separate = vb_args_has(args, "static_friction") || vb_args_has(args, "kinetic_friction");
  if (separate && vb_args_has(args, "friction"))
    vb_args_fail(args, "takes \"friction\" or the two of \"static_friction\" and "
                       "\"kinetic_friction\", not both");
  *static_friction = vb_args_number_or(args, separate ? "static_friction" : "friction", 0);
  *kinetic_friction =
      separate ? vb_args_number_or(args, "kinetic_friction", *static_friction) : *static_friction;
  if (*static_friction < 0)
    vb_args_fail(args, "its friction %g is negative; it must be from 0 on", *static_friction);
  if (*kinetic_friction < 0 || *kinetic_friction > *static_friction)
    vb_args_fail(args, "\"kinetic_friction\" %g must be between 0 and the static friction %g",
                 *kinetic_friction, *static_friction);
}

int vb_lua_halfplane(lua_State *L) {
  static const double zero[3] = {0};
  vb_lua_scene *scene = vb_lua_scene_self(L, "halfplane");
  vb_args args = vb_args_open(
      L, 2, "halfplane", "normal offset point driver friction static_friction kinetic_friction");
  vb_half_plane plane = {.normal = {0, 0, 1}};
  double point[3] = {0};
  vb_args_vector(&args, "normal", 3, plane.normal);
  if (vb_direction(zero, plane.normal, plane.normal) <= 0)
    vb_args_fail(&args, "\"normal\" is zero; it must have a direction");
  if (vb_args_vector(&args, "point", 3, point)) {
    if (vb_args_has(&args, "offset"))
      vb_args_fail(&args, "takes \"point\" or \"offset\", not both");
    plane.offset = vb_dot(plane.normal, point);
  } else {
    plane.offset = vb_args_number_or(&args, "offset", 0);
  }
  vb_lua_read_friction(&args, &plane.static_friction, &plane.kinetic_friction);
  vb_plane_driver moved = {.driver = vb_args_has(&args, "driver")
                                         ? vb_lua_index(&args, scene, VB_SET_DRIVER, "driver")
                                         : -1};
  moved.half_plane = vb_lua_add(&args, scene, VB_SET_HALF_PLANE, &plane, sizeof plane);
  if (moved.driver >= 0)
    vb_lua_add(&args, scene, VB_SET_PLANE_DRIVER, &moved, sizeof moved);
  lua_pushinteger(L, moved.half_plane);
  return 1;
}

/// A tenth of the least rest radius so far.
static double default_margin(const vb_args *args, const vb_lua_scene *scene) {
  size_t n;
  const vb_node *nodes = vb_builder_elements(scene->builder, VB_SET_NODE, &n);
  double least = INFINITY;
  for (size_t i = 0; i < n; i++)
    if (nodes[i].rest_radius > 0 && nodes[i].rest_radius < least)
      least = nodes[i].rest_radius;
  if (!isfinite(least))
    vb_args_fail(args, "needs a \"margin\" where it comes before all rods");
  return 0.1 * least;
}

int vb_lua_contact(lua_State *L) {
  vb_lua_scene *scene = vb_lua_scene_self(L, "contact");
  vb_args args =
      vb_args_open(L, 2, "contact", "margin friction static_friction kinetic_friction self");
  if (vb_lua_count(scene, VB_SET_CONTACT) > 0)
    vb_args_fail(&args, "is already set; it can be set only once");
  vb_contact contact = {.self = vb_args_boolean_or(&args, "self", false)};
  double margin = vb_args_has(&args, "margin") ? 0 : default_margin(&args, scene);
  contact.margin = vb_args_not_negative_or(&args, "margin", " m", margin);
  vb_lua_read_friction(&args, &contact.static_friction, &contact.kinetic_friction);
  vb_lua_add(&args, scene, VB_SET_CONTACT, &contact, sizeof contact);
  return 0;
}

/// The list of groups at `key` as bits, `otherwise` where it is missing.
static uint32_t read_groups(const vb_args *args, const char *key, uint32_t otherwise) {
  if (!vb_args_has(args, key))
    return otherwise;
  uint32_t bits = 0;
  for (int64_t i = 0; i < vb_args_length(args, key); i++)
    bits |= UINT32_C(1) << vb_args_integer_at(args, key, i, 0, 31);
  return bits;
}

int vb_lua_filter(lua_State *L) {
  vb_lua_scene *scene = vb_lua_scene_self(L, "filter");
  vb_args args = vb_args_open(L, 2, "filter", "segments groups meets");
  vb_filter filter = {.groups = read_groups(&args, "groups", 1),
                      .meets = read_groups(&args, "meets", UINT32_MAX)};
  int64_t n = vb_args_length(&args, "segments");
  if (n < 1)
    vb_args_fail(&args, "needs \"segments\", a list of them in increasing order");
  for (int64_t i = 0; i < n; i++) {
    size_t count;
    const vb_filter *before = vb_builder_elements(scene->builder, VB_SET_FILTER, &count);
    filter.segment = vb_lua_index_at(&args, scene, VB_SET_SEGMENT, "segments", i);
    if (count > 0 && before[count - 1].segment >= filter.segment)
      vb_args_fail(&args,
                   "segment %d comes after segment %d; filters take segments in increasing "
                   "order, each once",
                   filter.segment, before[count - 1].segment);
    vb_lua_add(&args, scene, VB_SET_FILTER, &filter, sizeof filter);
  }
  return 0;
}
