// SPDX-License-Identifier: GPL-3.0-or-later
/// s:rod{...}: a chain of nodes and segments along a curve.
#include "scene/rotation.h"
#include "script/scene/lua_scene.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/// A rod being made. Its arrays are Lua's, kept on the stack until the method returns.
typedef struct rod {
  vb_args args;
  vb_lua_scene *scene;
  size_t n;           ///< nodes
  double (*rest)[3];  ///< (n)
  double *radius;     ///< (n)
  double (*along)[3]; ///< unit vectors of the segments (n - 1)
  double (*frame)[4]; ///< rest frames (n - 1), or null where the builder finds them
  double (*start)[4]; ///< frames at time 0 (n - 1), or null likewise
  int32_t first_node;
  int32_t first_segment;
} rod;

/// An array that lives as long as the method's stack.
static void *scratch(const rod *r, size_t n, size_t size) {
  return vb_lua_array(r->args.L, n, size);
}

static vb_sample at_node(const rod *r, size_t i) {
  const double *x = r->rest[i];
  double t = (double)i / (double)(r->n - 1);
  return (vb_sample){
      .index = i, .count = r->n, .argument = {t, x[0], x[1], x[2]}, .n_arguments = 1};
}

static vb_sample at_segment(const rod *r, size_t j) {
  double t = ((double)j + 0.5) / (double)(r->n - 1);
  return (vb_sample){.index = j, .count = r->n - 1, .argument = {t}, .n_arguments = 1};
}

/// The number of nodes, from "nodes" or the length of "points".
static size_t read_count(const vb_args *args) {
  int n_shapes =
      vb_args_has(args, "from") + vb_args_has(args, "curve") + vb_args_has(args, "points");
  if (n_shapes != 1)
    vb_args_fail(args, "needs exactly one of \"from\" (with \"to\"), \"curve\" and \"points\"");
  if (vb_args_has(args, "from") != vb_args_has(args, "to"))
    vb_args_fail(args, "\"from\" and \"to\" go together");
  if (!vb_args_has(args, "points"))
    return (size_t)vb_args_integer(args, "nodes", 2, VB_LUA_MAX_ELEMENTS);
  int64_t points = vb_args_length(args, "points");
  if (points < 2)
    vb_args_fail(args, "\"points\" must be a list of at least 2 points");
  if (vb_args_integer_or(args, "nodes", 2, VB_LUA_MAX_ELEMENTS, points) != points)
    vb_args_fail(args, "\"nodes\" is not the number of \"points\", which is %lld; leave it out",
                 (long long)points);
  return (size_t)points;
}

static void read_line(rod *r) {
  double from[3], to[3];
  vb_args_vector(&r->args, "from", 3, from);
  vb_args_vector(&r->args, "to", 3, to);
  if (vb_distance(from, to) <= 0)
    vb_args_fail(&r->args, "has no length: \"from\" and \"to\" coincide");
  for (size_t i = 0; i < r->n; i++)
    for (int c = 0; c < 3; c++) {
      double t = (double)i / (double)(r->n - 1);
      r->rest[i][c] = (1 - t) * from[c] + t * to[c];
    }
}

static void read_curve(rod *r) {
  lua_State *L = r->args.L;
  if (vb_args_push(&r->args, "curve") != LUA_TFUNCTION)
    vb_args_fail(&r->args, "\"curve\" must be a function of t, not a %s", luaL_typename(L, -1));
  lua_pop(L, 1);
  for (size_t i = 0; i < r->n; i++) {
    r->rest[i][0] = r->rest[i][1] = r->rest[i][2] = 0;
    vb_sample at = at_node(r, i);
    vb_args_sample(&r->args, "curve", &at, 3, r->rest[i]);
  }
}

static void read_points(rod *r) {
  vb_args_push(&r->args, "points");
  for (size_t i = 0; i < r->n; i++)
    vb_args_row(&r->args, "points", "point", i, 3, r->rest[i]);
  lua_pop(r->args.L, 1);
}

static void read_shape(rod *r) {
  r->rest = scratch(r, r->n, sizeof *r->rest);
  r->radius = scratch(r, r->n, sizeof *r->radius);
  r->along = scratch(r, r->n - 1, sizeof *r->along);
  if (vb_args_has(&r->args, "points"))
    read_points(r);
  else if (vb_args_has(&r->args, "curve"))
    read_curve(r);
  else
    read_line(r);
  for (size_t j = 0; j + 1 < r->n; j++)
    if (vb_direction(r->rest[j], r->rest[j + 1], r->along[j]) <= 0)
      vb_args_fail(&r->args, "its nodes %zu and %zu coincide", j, j + 1);
  for (size_t i = 0; i < r->n; i++) {
    vb_sample at = at_node(r, i);
    if (!vb_args_sample(&r->args, "radius", &at, 1, &r->radius[i]))
      vb_args_fail(&r->args, "needs \"radius\"");
    if (r->radius[i] <= 0)
      vb_args_fail(&r->args, "\"radius\" of node %zu is %g m; it must be positive", i,
                   r->radius[i]);
  }
}

static void add_nodes(rod *r) {
  for (size_t i = 0; i < r->n; i++) {
    vb_node node = {.rest_radius = r->radius[i], .scale = 1};
    memcpy(node.rest_position, r->rest[i], sizeof node.rest_position);
    memcpy(node.position, r->rest[i], sizeof node.position);
    vb_sample at = at_node(r, i);
    vb_args_sample(&r->args, "scale", &at, 1, &node.scale);
    if (node.scale <= 0)
      vb_args_fail(&r->args, "\"scale\" of node %zu is %g; it must be positive", i, node.scale);
    vb_args_sample(&r->args, "velocity", &at, 3, node.velocity);
    vb_args_sample(&r->args, "scale_rate", &at, 1, &node.scale_rate);
    at.n_arguments = 4;
    vb_args_sample(&r->args, "position", &at, 3, node.position);
    int32_t index = vb_lua_add(&r->args, r->scene, VB_SET_NODE, &node, sizeof node);
    if (i == 0)
      r->first_node = index;
  }
}

/// Frames by parallel transport along the rod, as the builder finds them.
static void transport(rod *r) {
  vb_frame_begin(r->along[0], r->frame[0]);
  for (size_t j = 1; j + 1 < r->n; j++)
    vb_frame_carry(r->frame[j - 1], r->along[j - 1], r->along[j], r->along[j], r->frame[j]);
}

static void twist(rod *r) {
  for (size_t j = 0; j + 1 < r->n; j++) {
    double angle = 0;
    vb_sample at = at_segment(r, j);
    vb_args_sample(&r->args, "twist", &at, 1, &angle);
    double spin[4] = {cos(angle / 2), 0, 0, sin(angle / 2)};
    vb_quaternion_multiply(r->frame[j], spin, r->frame[j]);
  }
}

static void read_frames(rod *r) {
  bool given = vb_args_has(&r->args, "frame"), twisted = vb_args_has(&r->args, "twist");
  if (given && twisted)
    vb_args_fail(&r->args, "takes either \"frame\" or \"twist\"");
  if (!given && !twisted && !vb_args_has(&r->args, "turn"))
    return;
  r->frame = scratch(r, r->n - 1, sizeof *r->frame);
  if (!given) {
    transport(r);
    twist(r);
    return;
  }
  if (vb_args_push(&r->args, "frame") != LUA_TFUNCTION)
    vb_args_fail(&r->args, "\"frame\" must be a function of t, not a %s",
                 luaL_typename(r->args.L, -1));
  lua_pop(r->args.L, 1);
  for (size_t j = 0; j + 1 < r->n; j++) {
    vb_sample at = at_segment(r, j);
    vb_args_sample(&r->args, "frame", &at, 4, r->frame[j]);
    vb_lua_align_frame(&r->args, "frame", r->along[j], r->frame[j]);
  }
}

/// The frames at time 0: the rest frames turned by the rotation vector "turn".
static void read_start(rod *r) {
  if (!vb_args_has(&r->args, "turn"))
    return;
  r->start = scratch(r, r->n - 1, sizeof *r->start);
  assert(r->frame); // rest frames come first
  for (size_t j = 0; j + 1 < r->n; j++) {
    double turn[3] = {0}, rotation[4];
    vb_sample at = at_segment(r, j);
    vb_args_sample(&r->args, "turn", &at, 3, turn);
    double angle = sqrt(vb_dot(turn, turn));
    double factor = angle > 0 ? sin(angle / 2) / angle : 0.5;
    rotation[0] = cos(angle / 2);
    for (int c = 0; c < 3; c++)
      rotation[c + 1] = factor * turn[c];
    vb_quaternion_multiply(rotation, r->frame[j], r->start[j]);
  }
}

/// Whether segment j is stored from its far node to its near one.
static bool is_reversed(const rod *r, size_t j) {
  lua_State *L = r->args.L;
  int type = vb_args_push(&r->args, "reverse");
  if (type == LUA_TFUNCTION) {
    lua_pushinteger(L, (lua_Integer)j);
    lua_call(L, 1, 1);
  } else if (type != LUA_TNIL && type != LUA_TBOOLEAN) {
    vb_args_fail(&r->args, "\"reverse\" must be true, false or a function of the segment, not a %s",
                 luaL_typename(L, -1));
  }
  bool reversed = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return reversed;
}

/// Turns a segment round: its nodes change places, its frames turn half about their u.
static void reverse(vb_segment *segment) {
  static const double half_turn[4] = {0, 1, 0, 0};
  int32_t first = segment->node[0];
  segment->node[0] = segment->node[1];
  segment->node[1] = first;
  vb_quaternion_multiply(segment->rest_frame, half_turn, segment->rest_frame);
  vb_quaternion_multiply(segment->frame, half_turn, segment->frame);
}

static void add_segments(rod *r) {
  vb_lua_material material = vb_lua_read_material(&r->args);
  double density = vb_args_positive(&r->args, "density", " kg/m^3");
  for (size_t j = 0; j + 1 < r->n; j++) {
    int32_t near = r->first_node + (int32_t)j;
    vb_segment segment = {.node = {near, near + 1}, .density = density};
    vb_lua_set_material(&material, (r->radius[j] + r->radius[j + 1]) / 2, &segment);
    if (r->frame)
      memcpy(segment.rest_frame, r->frame[j], sizeof segment.rest_frame);
    if (r->start)
      memcpy(segment.frame, r->start[j], sizeof segment.frame);
    vb_sample at = at_segment(r, j);
    vb_args_sample(&r->args, "angular_velocity", &at, 3, segment.angular_velocity);
    vb_args_sample(&r->args, "frame_inertia", &at, 3, segment.frame_inertia);
    if (is_reversed(r, j))
      reverse(&segment);
    int32_t index = vb_lua_add(&r->args, r->scene, VB_SET_SEGMENT, &segment, sizeof segment);
    vb_lua_read_bending(&r->args, r->scene, &at, index);
    if (j == 0)
      r->first_segment = index;
  }
}

/// Lists the joints of the inner nodes, each from its far segment to its near one.
static void add_reversed_joints(const rod *r) {
  if (!vb_args_boolean_or(&r->args, "reverse_joints", false))
    return;
  for (int32_t i = 1; i + 1 < (int32_t)r->n; i++) {
    int32_t far = r->first_segment + i;
    vb_joint joint = {.segment = {far, far - 1}, .node = r->first_node + i};
    vb_error error;
    if (vb_builder_own_joints(r->scene->builder, joint.node, &error))
      vb_lua_throw(r->args.L, "rod", &error);
    vb_lua_add(&r->args, r->scene, VB_SET_JOINT, &joint, sizeof joint);
  }
}

/// The friction of its body.
static void add_friction(const rod *r) {
  const vb_args *args = &r->args;
  double static_friction, kinetic_friction;
  if (!vb_args_has(args, "friction") && !vb_args_has(args, "static_friction") &&
      !vb_args_has(args, "kinetic_friction"))
    return;
  vb_lua_read_friction(args, &static_friction, &kinetic_friction);
  vb_lua_add_friction(args, r->scene, r->first_node, static_friction, kinetic_friction);
}

static int push_result(const rod *r) {
  lua_State *L = r->args.L;
  int32_t n = (int32_t)r->n;
  lua_createtable(L, 0, 6);
  vb_lua_set_range(L, "nodes", r->first_node, n);
  vb_lua_set_range(L, "segments", r->first_segment, n - 1);
  vb_lua_set_integer(L, "first", r->first_node);
  vb_lua_set_integer(L, "last", r->first_node + n - 1);
  vb_lua_set_integer(L, "first_segment", r->first_segment);
  vb_lua_set_integer(L, "last_segment", r->first_segment + n - 2);
  return 1;
}

int vb_lua_rod(lua_State *L) {
  vb_lua_scene *scene = vb_lua_scene_self(L, "rod");
  rod r = {.args = vb_args_open(
               L, 2, "rod",
               "nodes from to curve points radius material density name frame twist position scale "
               "turn velocity scale_rate reverse reverse_joints angular_velocity bending friction "
               "static_friction kinetic_friction rest_curvature loop frame_inertia"),
           .scene = scene};
  r.n = read_count(&r.args);
  read_shape(&r);
  read_frames(&r);
  read_start(&r);
  add_nodes(&r);
  add_segments(&r);
  add_reversed_joints(&r);
  add_friction(&r);
  vb_lua_read_rod_shape(&r.args, scene, r.n, r.first_node, r.first_segment);
  vb_lua_name_body(&r.args, r.scene, r.first_node);
  return push_result(&r);
}
