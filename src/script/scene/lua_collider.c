// SPDX-License-Identifier: GPL-3.0-or-later
/// Colliders, and the friction of bodies and of pairs of them.
#include "script/scene/lua_scene.h"

#include <string.h>

/// The two points of the list at `key`, which differ.
static void read_line(const vb_args *args, const char *key, double point[2][3]) {
  if (vb_args_length(args, key) != 2)
    vb_args_fail(args, "\"%s\" must be a list of 2 points of its axis", key);
  vb_args_push(args, key);
  for (size_t i = 0; i < 2; i++)
    vb_args_row(args, key, "point", i, 3, point[i]);
  lua_pop(args->L, 1);
  if (memcmp(point[0], point[1], sizeof *point) == 0)
    vb_args_fail(args, "the points of \"%s\" coincide; it needs an axis", key);
}

int vb_lua_collider(lua_State *L) {
  static const char *const shapes[] = {"sphere", "cylinder", "capsule"}; // of vb_collider_shape
  vb_lua_scene *scene = vb_lua_scene_self(L, "collider");
  vb_args args = vb_args_open(L, 2, "collider",
                              "name sphere cylinder capsule radius inside driver friction "
                              "static_friction kinetic_friction");
  vb_collider collider = {.driver = -1};
  int n = 0;
  for (int32_t i = 0; i < 3; i++)
    if (vb_args_has(&args, shapes[i])) {
      collider.shape = i;
      n++;
    }
  if (n != 1)
    vb_args_fail(&args, "needs exactly one of \"sphere\", \"cylinder\" and \"capsule\"");
  if (collider.shape == VB_COLLIDER_SPHERE)
    vb_args_vector(&args, "sphere", 3, collider.point[0]);
  else
    read_line(&args, shapes[collider.shape], collider.point);
  collider.radius = vb_args_positive(&args, "radius", " m");
  collider.inside = vb_args_boolean_or(&args, "inside", false);
  if (collider.inside && collider.shape != VB_COLLIDER_CYLINDER)
    vb_args_fail(&args, "\"inside\" is of a cylinder");
  if (vb_args_has(&args, "driver"))
    collider.driver = vb_lua_index(&args, scene, VB_SET_DRIVER, "driver");
  vb_lua_read_friction(&args, &collider.static_friction, &collider.kinetic_friction);
  vb_lua_read_name(&args, scene, VB_SET_COLLIDER, collider.name);
  lua_pushinteger(L, vb_lua_add(&args, scene, VB_SET_COLLIDER, &collider, sizeof collider));
  return 1;
}

void vb_lua_add_friction(const vb_args *args, vb_lua_scene *scene, int32_t node,
                         double static_friction, double kinetic_friction) {
  vb_error error;
  vb_lua_charge(args->L, scene, sizeof(vb_friction));
  if (vb_builder_friction(scene->builder, node, static_friction, kinetic_friction, &error))
    vb_lua_throw(args->L, args->who, &error);
}

int vb_lua_friction(lua_State *L) {
  vb_lua_scene *scene = vb_lua_scene_self(L, "friction");
  vb_args args = vb_args_open(L, 2, "friction", "node friction static_friction kinetic_friction");
  int32_t node = vb_lua_index(&args, scene, VB_SET_NODE, "node");
  double static_friction, kinetic_friction;
  vb_lua_read_friction(&args, &static_friction, &kinetic_friction);
  vb_lua_add_friction(&args, scene, node, static_friction, kinetic_friction);
  return 0;
}

int vb_lua_friction_pair(lua_State *L) {
  vb_lua_scene *scene = vb_lua_scene_self(L, "friction_pair");
  vb_args args =
      vb_args_open(L, 2, "friction_pair", "nodes friction static_friction kinetic_friction");
  int32_t node[2];
  double static_friction, kinetic_friction;
  vb_error error;
  if (vb_args_length(&args, "nodes") != 2)
    vb_args_fail(&args, "\"nodes\" must be a list of 2 nodes, one of each body");
  for (int i = 0; i < 2; i++)
    node[i] = vb_lua_index_at(&args, scene, VB_SET_NODE, "nodes", i);
  vb_lua_read_friction(&args, &static_friction, &kinetic_friction);
  vb_lua_charge(L, scene, sizeof(vb_friction_pair));
  if (vb_builder_friction_pair(scene->builder, node, static_friction, kinetic_friction, &error))
    vb_lua_throw(L, args.who, &error);
  return 0;
}
