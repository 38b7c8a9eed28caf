// SPDX-License-Identifier: GPL-3.0-or-later
/// Nodes, segments, joints and names, one by one.
#include "scene/material.h"
#include "scene/rotation.h"
#include "script/scene/lua_scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/// A tangent and a chord may differ by this much, rad.
#define MOST_TILT 0.25

static const char *const STIFFNESS[] = {"kx", "ky", "kz", "kbx", "kby", "kv"};

static void read_isotropic(const vb_args *args, vb_lua_material *out) {
  out->young = vb_args_positive(args, "E", " Pa");
  out->poisson = vb_args_number(args, "nu");
  if (out->poisson < 0 || out->poisson >= 0.5)
    vb_args_fail(args, "\"nu\" is %g; it must be at least 0 and less than 0.5", out->poisson);
}

vb_args vb_lua_open_material(const vb_args *outer, const char *keys) {
  char who[96];
  snprintf(who, sizeof who, "%.60s: material", outer->who);
  if (vb_args_push(outer, "material") == LUA_TNIL)
    vb_args_fail(outer, "needs \"material\", as in material = {E = 1e6, nu = 0.45}");
  return vb_args_open(outer->L, -1, who, keys);
}

vb_lua_material vb_lua_read_material(const vb_args *outer) {
  vb_args args = vb_lua_open_material(outer, "E nu kx ky kz kbx kby kv model");
  vb_lua_material out = {.isotropic = vb_args_has(&args, "E") || vb_args_has(&args, "nu")};
  bool any = out.isotropic;
  if (out.isotropic)
    read_isotropic(&args, &out);
  for (int i = 0; i < 6; i++) {
    out.given[i] = vb_args_has(&args, STIFFNESS[i]);
    out.stiffness[i] = vb_args_not_negative_or(&args, STIFFNESS[i], "", 0);
    any = any || out.given[i];
  }
  if (!any)
    vb_args_fail(&args, "needs \"E\" and \"nu\", or stiffnesses (kx, ky, kz, kbx, kby, kv)");
  const char *model = vb_args_string(&args, "model", false);
  if (model)
    out.model = vb_lua_choice(&args, "model", VB_SET_SEGMENT, "model", model);
  if (out.model == VB_MATERIAL_SOLID && !out.isotropic)
    vb_args_fail(&args, "the model \"solid\" needs \"E\" and \"nu\"");
  lua_pop(args.L, 1);
  return out;
}

void vb_lua_set_material(const vb_lua_material *material, double radius, vb_segment *segment) {
  if (material->isotropic) {
    vb_stiffness_of_material(material->young, material->poisson, radius, segment->stiffness);
    segment->young = material->young;
    segment->shear = vb_shear_of_material(material->young, material->poisson);
  }
  segment->model = material->model;
  for (int i = 0; i < 6; i++)
    if (material->given[i])
      segment->stiffness[i] = material->stiffness[i];
}

/// Makes `q` a unit quaternion.
static void normalize(const vb_args *args, const char *key, double q[4]) {
  double norm = vb_quaternion_norm(q);
  // Scripts give rounded numbers; more than that is a mistake.
  if (!(fabs(norm - 1) < 1e-3))
    vb_args_fail(args, "\"%s\" must be a unit quaternion w, x, y, z; its norm is %g", key, norm);
  for (int i = 0; i < 4; i++)
    q[i] /= norm;
}

void vb_lua_align_frame(const vb_args *args, const char *key, const double w[3], double q[4]) {
  double along[3], turn[4];
  normalize(args, key, q);
  vb_frame_axis(q, 2, along);
  if (vb_dot(along, w) < cos(MOST_TILT))
    vb_args_fail(
        args,
        "\"%s\" has its third axis along (%.3g, %.3g, %.3g); it must be along the segment, "
        "(%.3g, %.3g, %.3g)",
        key, along[0], along[1], along[2], w[0], w[1], w[2]);
  vb_least_rotation(along, w, w, turn);
  vb_quaternion_multiply(turn, q, q);
}

int vb_lua_node(lua_State *L) {
  vb_lua_scene *scene = vb_lua_scene_self(L, "node");
  vb_args args = vb_args_open(L, 2, "node", "position radius start scale velocity scale_rate");
  vb_node node = {0};
  if (!vb_args_vector(&args, "position", 3, node.rest_position))
    vb_args_fail(&args, "needs \"position\"");
  node.rest_radius = vb_args_positive(&args, "radius", " m");
  if (!vb_args_vector(&args, "start", 3, node.position))
    memcpy(node.position, node.rest_position, sizeof node.position);
  node.scale = vb_args_number_or(&args, "scale", 1);
  if (node.scale <= 0)
    vb_args_fail(&args, "\"scale\" is %g; it must be positive", node.scale);
  vb_args_vector(&args, "velocity", 3, node.velocity);
  node.scale_rate = vb_args_number_or(&args, "scale_rate", 0);
  lua_pushinteger(L, vb_lua_add(&args, scene, VB_SET_NODE, &node, sizeof node));
  return 1;
}

static void read_ends(const vb_args *args, vb_lua_scene *scene, vb_segment *segment) {
  if (vb_args_length(args, "nodes") != 2)
    vb_args_fail(args, "\"nodes\" must be a list of 2 nodes");
  for (int i = 0; i < 2; i++)
    segment->node[i] = vb_lua_index_at(args, scene, VB_SET_NODE, "nodes", i);
  if (segment->node[0] == segment->node[1])
    vb_args_fail(args, "goes from node %d to itself", segment->node[0]);
}

int vb_lua_segment(lua_State *L) {
  vb_lua_scene *scene = vb_lua_scene_self(L, "segment");
  vb_args args = vb_args_open(L, 2, "segment",
                              "nodes material density frame start_frame angular_velocity bending "
                              "frame_inertia");
  vb_segment segment = {0};
  read_ends(&args, scene, &segment);
  size_t count;
  const vb_node *nodes = vb_builder_elements(scene->builder, VB_SET_NODE, &count);
  const vb_node *a = &nodes[segment.node[0]], *b = &nodes[segment.node[1]];
  double w[3];
  if (vb_direction(a->rest_position, b->rest_position, w) <= 0)
    vb_args_fail(&args, "its nodes %d and %d coincide", segment.node[0], segment.node[1]);
  vb_lua_material material = vb_lua_read_material(&args);
  vb_lua_set_material(&material, (a->rest_radius + b->rest_radius) / 2, &segment);
  segment.density = vb_args_positive(&args, "density", " kg/m^3");
  if (vb_args_vector(&args, "frame", 4, segment.rest_frame))
    vb_lua_align_frame(&args, "frame", w, segment.rest_frame);
  if (vb_args_vector(&args, "start_frame", 4, segment.frame))
    normalize(&args, "start_frame", segment.frame);
  vb_args_vector(&args, "angular_velocity", 3, segment.angular_velocity);
  vb_args_vector(&args, "frame_inertia", 3, segment.frame_inertia);
  int32_t index = vb_lua_add(&args, scene, VB_SET_SEGMENT, &segment, sizeof segment);
  vb_lua_read_bending(&args, scene, &(vb_sample){.count = 1, .n_arguments = 1}, index);
  lua_pushinteger(L, index);
  return 1;
}

static void own_joints(const vb_args *args, vb_lua_scene *scene, int32_t node) {
  vb_error error;
  vb_lua_charge(args->L, scene, sizeof node);
  if (vb_builder_own_joints(scene->builder, node, &error))
    vb_lua_throw(args->L, args->who, &error);
}

/// The node that two segments share; raises an error where there is none or the choice.
static int32_t shared_node(const vb_args *args, const vb_lua_scene *scene, const int32_t pair[2]) {
  size_t count;
  const vb_segment *segments = vb_builder_elements(scene->builder, VB_SET_SEGMENT, &count);
  const int32_t *a = segments[pair[0]].node, *b = segments[pair[1]].node;
  int32_t shared = -1;
  for (int i = 0; i < 4; i++) {
    if (a[i / 2] != b[i % 2])
      continue;
    if (shared >= 0)
      vb_args_fail(args, "segments %d and %d share both nodes; no joint can be made of them",
                   pair[0], pair[1]);
    shared = a[i / 2];
  }
  if (shared < 0)
    vb_args_fail(args, "segments %d and %d do not touch: they share no node", pair[0], pair[1]);
  return shared;
}

int vb_lua_joint(lua_State *L) {
  vb_lua_scene *scene = vb_lua_scene_self(L, "joint");
  vb_args args = vb_args_open(L, 2, "joint", "segments rest_curvature");
  vb_joint joint = {0};
  if (vb_args_length(&args, "segments") != 2)
    vb_args_fail(&args, "\"segments\" must be a list of 2 segments");
  for (int i = 0; i < 2; i++)
    joint.segment[i] = vb_lua_index_at(&args, scene, VB_SET_SEGMENT, "segments", i);
  if (joint.segment[0] == joint.segment[1])
    vb_args_fail(&args, "joins segment %d with itself", joint.segment[0]);
  joint.node = shared_node(&args, scene, joint.segment);
  own_joints(&args, scene, joint.node);
  vb_lua_add(&args, scene, VB_SET_JOINT, &joint, sizeof joint);
  double darboux[3];
  if (vb_args_vector(&args, "rest_curvature", 3, darboux))
    vb_lua_add_rest_curvature(&args, scene, joint.segment, joint.node, darboux);
  return 0;
}

int vb_lua_hinge(lua_State *L) {
  vb_lua_scene *scene = vb_lua_scene_self(L, "hinge");
  vb_args args = vb_args_open(L, 2, "hinge", "node");
  own_joints(&args, scene, vb_lua_index(&args, scene, VB_SET_NODE, "node"));
  return 0;
}

bool vb_lua_name_body(const vb_args *args, vb_lua_scene *scene, int32_t node) {
  char name[VB_NAME_SIZE];
  vb_error error;
  if (!vb_args_name(args, "name", name, sizeof name))
    return false;
  vb_lua_charge(args->L, scene, sizeof name);
  if (vb_builder_name(scene->builder, node, name, &error))
    vb_lua_throw(args->L, args->who, &error);
  return true;
}

int vb_lua_name(lua_State *L) {
  vb_lua_scene *scene = vb_lua_scene_self(L, "name");
  vb_args args = vb_args_open(L, 2, "name", "node name");
  if (!vb_lua_name_body(&args, scene, vb_lua_index(&args, scene, VB_SET_NODE, "node")))
    vb_args_fail(&args, "needs \"name\"");
  return 0;
}
