// SPDX-License-Identifier: GPL-3.0-or-later
/// Bones, what they carry, and links between them.
#include "scene/rotation.h"
#include "script/scene/lua_scene.h"

#include <math.h>
#include <string.h>

/// Reads the bone at the top of the stack, which it pops: what s:bone returned, or an index.
static vb_lua_bone_side pop_bone(const vb_args *args, const vb_lua_scene *scene, const char *key) {
  lua_State *L = args->L;
  vb_lua_bone_side out = {-1, -1};
  int whole = 0;
  lua_Integer index = -1;
  if (lua_istable(L, -1)) {
    vb_args bone = vb_args_of(L, -1, args->who);
    if (vb_args_has(&bone, "driver")) {
      out.driver = vb_lua_index(&bone, scene, VB_SET_DRIVER, "driver");
      lua_pop(L, 1);
      return out;
    }
    lua_getfield(L, -1, "index");
    index = lua_tointegerx(L, -1, &whole);
    lua_pop(L, 1);
  } else {
    index = lua_tointegerx(L, -1, &whole);
  }
  if (!whole)
    vb_args_fail(args, "\"%s\" must be a bone that s:bone returned, not a %s", key,
                 luaL_typename(L, -1));
  if (index < 0 || index >= vb_lua_count(scene, VB_SET_BONE))
    vb_args_fail(args, "\"%s\": there is no bone %lld; the scene has %lld so far, counted from 0",
                 key, (long long)index, (long long)vb_lua_count(scene, VB_SET_BONE));
  out.bone = (int32_t)index;
  lua_pop(L, 1);
  return out;
}

vb_lua_bone_side vb_lua_bone_at(const vb_args *args, const vb_lua_scene *scene, const char *key) {
  if (vb_args_push(args, key) == LUA_TNIL)
    vb_args_fail(args, "needs \"%s\", as s:bone returned it", key);
  return pop_bone(args, scene, key);
}

vb_lua_bone_side vb_lua_bone_of_list(const vb_args *args, const vb_lua_scene *scene,
                                     const char *key, int64_t i) {
  vb_args_push(args, key);
  lua_rawgeti(args->L, -1, i + 1);
  vb_lua_bone_side bone = pop_bone(args, scene, key);
  lua_pop(args->L, 1);
  return bone;
}

/// Whether another bone has that name.
static void read_name(const vb_args *args, const vb_lua_scene *scene, char name[VB_NAME_SIZE]) {
  size_t count;
  const vb_bone *bones = vb_builder_elements(scene->builder, VB_SET_BONE, &count);
  vb_lua_read_name(args, scene, VB_SET_BONE, name);
  for (size_t i = 0; i < count; i++)
    if (strcmp(bones[i].name, name) == 0)
      vb_args_fail(args, "there is a bone \"%s\" already; give another \"name\"", name);
}

/// The unit quaternion of the rotation vector at key "turn".
static void read_turn(const vb_args *args, double out[4]) {
  double turn[3] = {0};
  vb_args_vector(args, "turn", 3, turn);
  double angle = sqrt(vb_dot(turn, turn));
  double factor = angle > 0 ? sin(angle / 2) / angle : 0.5;
  out[0] = cos(angle / 2);
  for (int c = 0; c < 3; c++)
    out[c + 1] = factor * turn[c];
}

/// Reads a bone that moves freely. The builder completes what is missing from the tetrahedra
/// inside, and moves what the bone carries to where it is at time 0.
static vb_bone read_free(const vb_args *args, const vb_lua_scene *scene) {
  vb_bone bone = {0};
  read_name(args, scene, bone.name);
  bool complete = vb_args_has(args, "mass") && vb_args_has(args, "inertia");
  if (vb_args_has(args, "mass"))
    bone.mass = vb_args_positive(args, "mass", " kg");
  if (vb_args_has(args, "inertia") && vb_args_length(args, "inertia") != 6)
    vb_args_fail(args, "\"inertia\" must be a list of 6 numbers: xx, yy, zz, yz, xz, xy");
  for (int i = 0; i < 6 && vb_args_has(args, "inertia"); i++)
    bone.inertia[i] = vb_args_number_at(args, "inertia", i);
  if (!vb_args_vector(args, "center", 3, bone.center) && complete)
    vb_args_fail(args, "needs \"center\", the center of mass at rest, where \"mass\" and "
                       "\"inertia\" are given");
  memcpy(bone.position, bone.center, sizeof bone.position);
  vb_args_vector(args, "position", 3, bone.position);
  read_turn(args, bone.frame);
  vb_args_vector(args, "velocity", 3, bone.velocity);
  vb_args_vector(args, "angular_velocity", 3, bone.angular_velocity);
  return bone;
}

/// Ties the elements of the list at `key`, and that at `one` where it is given, to a bone. Returns
/// how many.
static int64_t add_ties(const vb_args *args, vb_lua_scene *scene, vb_location location,
                        const char *key, int32_t bone) {
  vb_tag tag = location == VB_AT_NODE ? VB_SET_NODE : VB_SET_SEGMENT;
  int64_t n = vb_args_length(args, key);
  for (int64_t i = 0; i < n; i++) {
    vb_tie tie = {.location = (int32_t)location,
                  .index = vb_lua_index_at(args, scene, tag, key, i),
                  .bone = bone};
    vb_lua_add(args, scene, VB_SET_TIE, &tie, sizeof tie);
  }
  return n;
}

/// Pins what a driven bone carries to its driver.
static void pin_to_driver(const vb_args *args, vb_lua_scene *scene, int32_t driver) {
  static const char *const free_only[] = {"mass", "center",   "inertia",         "position",
                                          "turn", "velocity", "angular_velocity"};
  for (size_t i = 0; i < sizeof free_only / sizeof *free_only; i++)
    if (vb_args_has(args, free_only[i]))
      vb_args_fail(args, "\"%s\" is of a bone that moves freely; this one follows its driver",
                   free_only[i]);
  for (int64_t i = 0; i < vb_args_length(args, "nodes"); i++)
    vb_lua_add_pin(args, scene, VB_AT_NODE, vb_lua_index_at(args, scene, VB_SET_NODE, "nodes", i),
                   VB_PIN_CENTER, driver);
  for (int64_t i = 0; i < vb_args_length(args, "segments"); i++)
    vb_lua_add_pin(args, scene, VB_AT_SEGMENT,
                   vb_lua_index_at(args, scene, VB_SET_SEGMENT, "segments", i), VB_PIN_FRAME,
                   driver);
}

int vb_lua_bone(lua_State *L) {
  vb_lua_scene *scene = vb_lua_scene_self(L, "bone");
  vb_args args = vb_args_open(L, 2, "bone",
                              "name nodes segments mass center inertia position turn "
                              "velocity angular_velocity driver");
  bool driven = vb_args_has(&args, "driver");
  int32_t index;
  if (driven) {
    index = vb_lua_index(&args, scene, VB_SET_DRIVER, "driver");
    pin_to_driver(&args, scene, index);
  } else {
    vb_bone bone = read_free(&args, scene);
    index = vb_lua_add(&args, scene, VB_SET_BONE, &bone, sizeof bone);
    add_ties(&args, scene, VB_AT_NODE, "nodes", index);
    add_ties(&args, scene, VB_AT_SEGMENT, "segments", index);
  }
  lua_createtable(L, 0, 1);
  vb_lua_set_integer(L, driven ? "driver" : "index", index);
  return 1;
}

int vb_lua_tie(lua_State *L) {
  vb_lua_scene *scene = vb_lua_scene_self(L, "tie");
  vb_args args = vb_args_open(L, 2, "tie", "bone nodes segments");
  vb_lua_bone_side bone = vb_lua_bone_at(&args, scene, "bone");
  if (bone.bone < 0)
    vb_args_fail(&args, "\"bone\" is driven; use s:pin{ driver = .. } for what it carries");
  if (add_ties(&args, scene, VB_AT_NODE, "nodes", bone.bone) +
          add_ties(&args, scene, VB_AT_SEGMENT, "segments", bone.bone) ==
      0)
    vb_args_fail(&args, "ties nothing: it needs \"nodes\" or \"segments\"");
  return 0;
}

/// Reads both sides of a link.
static void read_sides(const vb_args *args, const vb_lua_scene *scene, vb_link *link) {
  int64_t n = vb_args_length(args, "bones");
  if (n < 1 || n > 2)
    vb_args_fail(args, "\"bones\" must be a list of one or two bones");
  link->bone[0] = vb_lua_bone_of_list(args, scene, "bones", 0).bone;
  link->bone[1] = link->driver = -1;
  if (link->bone[0] < 0)
    vb_args_fail(args, "the first of \"bones\" is driven; it must be one that moves freely");
  if (n == 2) {
    vb_lua_bone_side second = vb_lua_bone_of_list(args, scene, "bones", 1);
    link->bone[1] = second.bone;
    link->driver = second.driver;
  }
  if (!vb_args_has(args, "driver"))
    return;
  if (n == 2)
    vb_args_fail(args, "takes two \"bones\", or one and \"driver\"");
  link->driver = vb_lua_index(args, scene, VB_SET_DRIVER, "driver");
}

/// Makes axis `i` of a link a unit vector.
static void make_unit(const vb_args *args, vb_link *link, int i) {
  static const double zero[3] = {0};
  if (vb_direction(zero, link->axis[i], link->axis[i]) <= 0)
    vb_args_fail(args, "an axis is zero; it must have a direction");
}

/// The axes: "axis" of a hinge, "axes" of a universal joint.
static void read_axes(const vb_args *args, vb_link *link) {
  bool hinge = link->type == VB_LINK_HINGE, universal = link->type == VB_LINK_UNIVERSAL;
  if (vb_args_has(args, "axis") != hinge)
    vb_args_fail(args, hinge ? "a hinge needs \"axis\"" : "\"axis\" is of a hinge");
  if (vb_args_has(args, "axes") != universal)
    vb_args_fail(args, universal ? "a universal joint needs \"axes\", one on each side"
                                 : "\"axes\" are of a universal joint");
  if (hinge) {
    vb_args_vector(args, "axis", 3, link->axis[0]);
    make_unit(args, link, 0);
  }
  if (!universal)
    return;
  if (vb_args_length(args, "axes") != 2)
    vb_args_fail(args, "\"axes\" must be a list of 2 axes");
  vb_args_push(args, "axes");
  for (int i = 0; i < 2; i++) {
    vb_args_row(args, "axes", "axis", (size_t)i, 3, link->axis[i]);
    make_unit(args, link, i);
  }
  lua_pop(args->L, 1);
}

int vb_lua_link(lua_State *L) {
  vb_lua_scene *scene = vb_lua_scene_self(L, "link");
  vb_args args = vb_args_open(L, 2, "link", "name kind bones driver at axis axes limit");
  vb_link link = {.limit = {-INFINITY, INFINITY}};
  vb_lua_read_name(&args, scene, VB_SET_LINK, link.name);
  link.type =
      vb_lua_choice(&args, "kind", VB_SET_LINK, "type", vb_args_string(&args, "kind", true));
  read_sides(&args, scene, &link);
  if (!vb_args_vector(&args, "at", 3, link.at))
    vb_args_fail(&args, "needs \"at\", the point at rest that both sides keep together");
  read_axes(&args, &link);
  if (vb_args_vector(&args, "limit", 2, link.limit)) {
    if (link.type != VB_LINK_HINGE)
      vb_args_fail(&args, "\"limit\" is of the angle of a hinge");
    if (link.limit[0] > link.limit[1])
      vb_args_fail(&args, "\"limit\" is {%g, %g}; the first must not be greater", link.limit[0],
                   link.limit[1]);
  }
  lua_pushinteger(L, vb_lua_add(&args, scene, VB_SET_LINK, &link, sizeof link));
  return 1;
}
