// SPDX-License-Identifier: GPL-3.0-or-later
/// Drivers, what rides on them, and nodes that follow them.
#include "scene/rotation.h"
#include "script/scene/lua_scene.h"

#include <math.h>
#include <string.h>

/// Whether another driver has that name: their records would be one.
static void check_driver_name(const vb_args *args, const vb_lua_scene *scene, const char *name) {
  size_t count;
  const vb_driver *drivers = vb_builder_elements(scene->builder, VB_SET_DRIVER, &count);
  for (size_t i = 0; i < count; i++)
    if (strcmp(drivers[i].name, name) == 0)
      vb_args_fail(args, "there is a driver \"%s\" already; give another \"name\"", name);
}

int vb_lua_driver(lua_State *L) {
  static const char *const axes[] = {"x", "y", "z"};
  vb_lua_scene *scene = vb_lua_scene_self(L, "driver");
  vb_args args = vb_args_open(L, 2, "driver", "name origin axis x y z angle parent");
  vb_driver driver = {.axis = {0, 0, 1}};
  vb_lua_read_name(&args, scene, VB_SET_DRIVER, driver.name);
  check_driver_name(&args, scene, driver.name);
  vb_args_vector(&args, "origin", 3, driver.origin);
  vb_args_vector(&args, "axis", 3, driver.axis);
  static const double zero[3] = {0};
  if (vb_direction(zero, driver.axis, driver.axis) <= 0)
    vb_args_fail(&args, "\"axis\" is zero; it must have a direction");
  for (int i = 0; i < 3; i++)
    driver.translation[i] = vb_lua_curve(&args, scene, axes[i]);
  driver.angle = vb_lua_curve(&args, scene, "angle");
  vb_parent ride = {.parent = vb_args_has(&args, "parent")
                                  ? vb_lua_index(&args, scene, VB_SET_DRIVER, "parent")
                                  : -1};
  ride.driver = vb_lua_add(&args, scene, VB_SET_DRIVER, &driver, sizeof driver);
  if (ride.parent >= 0)
    vb_lua_add(&args, scene, VB_SET_PARENT, &ride, sizeof ride);
  lua_pushinteger(L, ride.driver);
  return 1;
}

int32_t vb_lua_fixed_driver(const vb_args *args, vb_lua_scene *scene) {
  if (scene->fixed_driver < 0) {
    vb_driver driver = {
        .name = "fixed", .axis = {0, 0, 1}, .translation = {-1, -1, -1}, .angle = -1};
    check_driver_name(args, scene, driver.name);
    scene->fixed_driver = vb_lua_add(args, scene, VB_SET_DRIVER, &driver, sizeof driver);
  }
  return scene->fixed_driver;
}

/// Reads the weights of the drivers at a node: a list of one per driver, or a function that returns
/// as many.
static void read_weights(const vb_args *args, const vb_sample *at, int n_drivers, double out[2]) {
  out[0] = 1;
  out[1] = 0;
  if (n_drivers == 1) {
    if (vb_args_has(args, "weights"))
      vb_args_fail(args, "\"weights\" are of two drivers; one alone has the weight 1");
    return;
  }
  if (!vb_args_sample(args, "weights", at, 2, out))
    vb_args_fail(args, "needs \"weights\", one per driver, or a function of t");
  // The sum of rounded numbers is not quite 1.
  double sum = out[0] + out[1];
  if (out[0] < 0 || out[1] < 0 || !(fabs(sum - 1) < 1e-6))
    vb_args_fail(args,
                 "\"weights\" of node %zu of the list are %g and %g; they must not be negative, "
                 "and their sum must be 1",
                 at->index, out[0], out[1]);
  out[0] /= sum;
  out[1] = 1 - out[0];
}

int vb_lua_follow(lua_State *L) {
  vb_lua_scene *scene = vb_lua_scene_self(L, "follow");
  vb_args args = vb_args_open(L, 2, "follow", "nodes drivers weights");
  int64_t n = vb_args_length(&args, "nodes"), n_drivers = vb_args_length(&args, "drivers");
  if (n < 1)
    vb_args_fail(&args, "needs \"nodes\", a list of them");
  if (n_drivers < 1 || n_drivers > 2)
    vb_args_fail(&args, "\"drivers\" must be a list of one or two drivers");
  vb_follow follow = {.driver = {-1, -1}};
  for (int64_t k = 0; k < n_drivers; k++)
    follow.driver[k] = vb_lua_index_at(&args, scene, VB_SET_DRIVER, "drivers", k);
  for (int64_t i = 0; i < n; i++) {
    vb_sample at = {.index = (size_t)i,
                    .count = (size_t)n,
                    .argument = {n > 1 ? (double)i / (double)(n - 1) : 0},
                    .n_arguments = 1};
    follow.node = vb_lua_index_at(&args, scene, VB_SET_NODE, "nodes", i);
    read_weights(&args, &at, (int)n_drivers, follow.weight);
    vb_lua_add(&args, scene, VB_SET_FOLLOW, &follow, sizeof follow);
  }
  return 0;
}
