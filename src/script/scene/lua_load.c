// SPDX-License-Identifier: GPL-3.0-or-later
/// Loads and activations.
#include "scene/rotation.h"
#include "script/scene/lua_scene.h"

#include <string.h>

/// What a load does to a node, a segment or a bone.
static void read_load(const vb_args *args, vb_load *load) {
  bool force = vb_args_vector(args, "force", 3, load->force);
  bool scale_force = vb_args_has(args, "scale_force");
  bool torque = vb_args_vector(args, "torque", 3, load->torque);
  load->scale_force = vb_args_number_or(args, "scale_force", 0);
  if (load->location == VB_AT_NODE && torque)
    vb_args_fail(args, "\"torque\" is for a segment; a node takes \"force\" and \"scale_force\"");
  if (load->location == VB_AT_SEGMENT && (force || scale_force))
    vb_args_fail(args, "\"force\" and \"scale_force\" are for a node; a segment takes \"torque\"");
  if (load->location == VB_AT_BONE && scale_force)
    vb_args_fail(args, "\"scale_force\" is for a node; a bone takes \"force\" and \"torque\"");
  if (!force && !scale_force && !torque)
    vb_args_fail(args, "does nothing: it needs \"force\", \"scale_force\" or \"torque\"");
}

/// A torque about the axis of a hinge.
static void read_link_load(const vb_args *args, vb_load *load) {
  if (vb_args_has(args, "force") || vb_args_has(args, "scale_force"))
    vb_args_fail(args, "\"force\" and \"scale_force\" are for a node; a link takes \"torque\"");
  load->torque[0] = vb_args_number(args, "torque");
}

/// Reads what a load acts on: exactly one of the keys below.
static void read_place(const vb_args *args, vb_lua_scene *scene, vb_load *load) {
  static const struct {
    const char *key;
    vb_location location;
    vb_tag tag;
  } where[] = {{"node", VB_AT_NODE, VB_SET_NODE},
               {"segment", VB_AT_SEGMENT, VB_SET_SEGMENT},
               {"bone", VB_AT_BONE, VB_SET_BONE},
               {"link", VB_AT_LINK, VB_SET_LINK}};
  int n = 0;
  for (size_t i = 0; i < sizeof where / sizeof *where; i++)
    n += vb_args_has(args, where[i].key);
  if (n != 1)
    vb_args_fail(args, "needs exactly one of \"node\", \"segment\", \"bone\" and \"link\"");
  for (size_t i = 0; i < sizeof where / sizeof *where; i++) {
    if (!vb_args_has(args, where[i].key))
      continue;
    load->location = (int32_t)where[i].location;
    load->index = where[i].tag == VB_SET_BONE
                      ? vb_lua_bone_at(args, scene, "bone").bone
                      : vb_lua_index(args, scene, where[i].tag, where[i].key);
  }
  if (load->index < 0)
    vb_args_fail(args, "\"bone\" is driven; a load acts on one that moves freely");
}

int vb_lua_load(lua_State *L) {
  vb_lua_scene *scene = vb_lua_scene_self(L, "load");
  vb_args args = vb_args_open(L, 2, "load",
                              "node segment force scale_force torque amplitude name "
                              "turns_with bone link");
  vb_load load = {0};
  read_place(&args, scene, &load);
  if (load.location == VB_AT_LINK)
    read_link_load(&args, &load);
  else
    read_load(&args, &load);
  vb_lua_read_name(&args, scene, VB_SET_LOAD, load.name);
  vb_follower_load turning = {.segment = -1};
  if (vb_args_has(&args, "turns_with")) {
    turning.segment = vb_lua_index(&args, scene, VB_SET_SEGMENT, "turns_with");
    if (load.location != VB_AT_NODE && load.location != VB_AT_SEGMENT)
      vb_args_fail(&args, "\"turns_with\" is for a load on a node or a segment");
  }
  load.amplitude = vb_lua_curve(&args, scene, "amplitude");
  turning.load = vb_lua_add(&args, scene, VB_SET_LOAD, &load, sizeof load);
  if (turning.segment >= 0)
    vb_lua_add(&args, scene, VB_SET_FOLLOWER_LOAD, &turning, sizeof turning);
  lua_pushinteger(L, turning.load);
  return 1;
}

/// The centroid of a tetrahedron at rest, at which a function gives its direction.
static vb_sample at_tetrahedron(const vb_lua_scene *scene, int32_t tetrahedron, int64_t i,
                                int64_t n) {
  size_t count;
  const vb_node *nodes = vb_builder_elements(scene->builder, VB_SET_NODE, &count);
  const vb_tetrahedron *all = vb_builder_elements(scene->builder, VB_SET_TETRAHEDRON, &count);
  vb_sample at = {.index = (size_t)i, .count = (size_t)n, .n_arguments = 3};
  for (int k = 0; k < 4; k++)
    for (int c = 0; c < 3; c++)
      at.argument[c] += nodes[all[tetrahedron].node[k]].rest_position[c] / 4;
  return at;
}

/// Whether key "direction" is a list of lists, one for each of `n` tetrahedra; checks that it is as
/// long.
static bool lists_directions(const vb_args *args, int64_t n) {
  lua_State *L = args->L;
  int top = lua_gettop(L);
  bool lists = vb_args_push(args, "direction") == LUA_TTABLE && lua_rawgeti(L, -1, 1) == LUA_TTABLE;
  lua_settop(L, top);
  if (lists && vb_args_length(args, "direction") != n)
    vb_args_fail(
        args,
        "\"direction\" lists %lld directions; it must list one for each of the %lld tetrahedra",
        (long long)vb_args_length(args, "direction"), (long long)n);
  return lists;
}

static void read_direction(const vb_args *args, const vb_sample *at, double out[3]) {
  static const double zero[3] = {0};
  if (lists_directions(args, (int64_t)at->count)) {
    vb_args_push(args, "direction");
    vb_args_row(args, "direction", "direction", at->index, 3, out);
    lua_pop(args->L, 1);
  } else if (!vb_args_sample(args, "direction", at, 3, out))
    vb_args_fail(args, "needs \"direction\", that of the fibers of tetrahedra at rest");
  if (vb_direction(zero, out, out) <= 0)
    vb_args_fail(args, "\"direction\" is zero; it must have a direction");
}

/// Hill's law, from the table at key "law"; zeros where the activation is not of this kind.
static vb_hill read_hill(const vb_args *args, const vb_activation *activation) {
  const bool is_hill = activation->active == VB_ACTIVE_HILL;
  if (is_hill != vb_args_has(args, "law"))
    vb_args_fail(args, is_hill ? "needs \"law\", a table with \"stress\" and \"velocity\""
                               : "\"law\" is of the kind \"hill\"");
  if (!is_hill)
    return (vb_hill){0};
  vb_args_push(args, "law");
  vb_args law = vb_args_open(args->L, -1, "law",
                             "stress velocity curvature eccentric optimum width passive damping");
  vb_hill out = {.stress = vb_args_number(&law, "stress"),
                 .velocity = vb_args_number(&law, "velocity"),
                 .curvature = vb_args_number_or(&law, "curvature", 0.25),
                 .eccentric = vb_args_number_or(&law, "eccentric", 1.4),
                 .optimum = vb_args_number_or(&law, "optimum", 1),
                 .width = vb_args_number_or(&law, "width", 0.5),
                 .passive = vb_args_number_or(&law, "passive", 0.6),
                 .damping = vb_args_number_or(&law, "damping", 0)};
  lua_pop(args->L, 1);
  return out;
}

/// Adds the activation to each element of the list at `key`.
static int64_t activate(const vb_args *args, vb_lua_scene *scene, const char *key,
                        vb_activation activation) {
  vb_hill hill = read_hill(args, &activation);
  bool solid = activation.location == VB_AT_TETRAHEDRON;
  int64_t n = vb_args_length(args, key);
  for (int64_t i = 0; i < n; i++) {
    activation.index =
        vb_lua_index_at(args, scene, solid ? VB_SET_TETRAHEDRON : VB_SET_SEGMENT, key, i);
    if (solid) {
      vb_sample at = at_tetrahedron(scene, activation.index, i, n);
      read_direction(args, &at, activation.direction);
    }
    vb_lua_add(args, scene, VB_SET_ACTIVATION, &activation, sizeof activation);
    hill.location = activation.location;
    hill.index = activation.index;
    if (activation.active == VB_ACTIVE_HILL)
      vb_lua_add(args, scene, VB_SET_HILL, &hill, sizeof hill);
  }
  return n;
}

int vb_lua_activation(lua_State *L) {
  vb_lua_scene *scene = vb_lua_scene_self(L, "activation");
  vb_args args =
      vb_args_open(L, 2, "activation", "segments tetrahedra kind amount direction name law");
  bool solid = vb_args_has(&args, "tetrahedra");
  if (solid == vb_args_has(&args, "segments"))
    vb_args_fail(&args, "needs either \"segments\" or \"tetrahedra\", a list of them");
  if (!solid && vb_args_has(&args, "direction"))
    vb_args_fail(&args, "\"direction\" is for tetrahedra; that of a segment is its w");
  if (!vb_args_has(&args, "amount"))
    vb_args_fail(&args, "needs \"amount\", a number or a list of keys {time, value}");
  vb_activation activation = {.location = solid ? VB_AT_TETRAHEDRON : VB_AT_SEGMENT};
  const char *kind = vb_args_string(&args, "kind", false);
  if (kind)
    activation.active = vb_lua_choice(&args, "kind", VB_SET_ACTIVATION, "active", kind);
  vb_lua_read_name(&args, scene, VB_SET_ACTIVATION, activation.name);
  activation.curve = vb_lua_curve(&args, scene, "amount");
  if (activate(&args, scene, solid ? "tetrahedra" : "segments", activation) == 0)
    vb_args_fail(&args, "activates nothing: its list is empty");
  return 0;
}
