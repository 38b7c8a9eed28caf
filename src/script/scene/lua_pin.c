// SPDX-License-Identifier: GPL-3.0-or-later
/// Pins, the drivers that move them, and loads.
#include "scene/rotation.h"
#include "script/scene/lua_scene.h"

#include <stdio.h>
#include <stdlib.h>
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
  vb_args args = vb_args_open(L, 2, "driver", "name origin axis x y z angle");
  vb_driver driver = {.axis = {0, 0, 1}};
  if (!vb_args_name(&args, "name", driver.name, sizeof driver.name))
    snprintf(driver.name, sizeof driver.name, "driver%lld",
             (long long)vb_lua_count(scene, VB_SET_DRIVER));
  check_driver_name(&args, scene, driver.name);
  vb_args_vector(&args, "origin", 3, driver.origin);
  vb_args_vector(&args, "axis", 3, driver.axis);
  static const double zero[3] = {0};
  if (vb_direction(zero, driver.axis, driver.axis) <= 0)
    vb_args_fail(&args, "\"axis\" is zero; it must have a direction");
  for (int i = 0; i < 3; i++)
    driver.translation[i] = vb_lua_curve(&args, scene, axes[i]);
  driver.angle = vb_lua_curve(&args, scene, "angle");
  lua_pushinteger(L, vb_lua_add(&args, scene, VB_SET_DRIVER, &driver, sizeof driver));
  return 1;
}

/// The driver of pins that name none: it does not move, and is made once.
static int32_t fixed_driver(const vb_args *args, vb_lua_scene *scene) {
  if (scene->fixed_driver < 0) {
    vb_driver driver = {
        .name = "fixed", .axis = {0, 0, 1}, .translation = {-1, -1, -1}, .angle = -1};
    check_driver_name(args, scene, driver.name);
    scene->fixed_driver = vb_lua_add(args, scene, VB_SET_DRIVER, &driver, sizeof driver);
  }
  return scene->fixed_driver;
}

/// The list of pins by element, with room for element `index`.
static int32_t *pin_of(const vb_args *args, vb_lua_scene *scene, vb_location location,
                       int32_t index) {
  bool node = location == VB_AT_NODE;
  int32_t **list = node ? &scene->node_pin : &scene->segment_pin;
  size_t *n = node ? &scene->n_node_pin : &scene->n_segment_pin;
  size_t count = (size_t)vb_lua_count(scene, node ? VB_SET_NODE : VB_SET_SEGMENT);
  if (*n < count) {
    vb_lua_charge(args->L, scene, (count - *n) * sizeof **list);
    *list = vb_lua_grow(args->L, *list, count - 1, sizeof **list);
    for (; *n < count; (*n)++)
      (*list)[*n] = -1;
  }
  return *list + index;
}

/// Adds a pin, or adds to the one that the element has.
static void add_pin(const vb_args *args, vb_lua_scene *scene, vb_location location, int32_t index,
                    uint32_t mask, int32_t driver) {
  int32_t *known = pin_of(args, scene, location, index);
  if (*known < 0) {
    vb_pin pin = {.location = (int32_t)location, .index = index, .mask = mask, .driver = driver};
    *known = vb_lua_add(args, scene, VB_SET_PIN, &pin, sizeof pin);
    return;
  }
  size_t count;
  vb_pin *pin = (vb_pin *)vb_builder_elements(scene->builder, VB_SET_PIN, &count) + *known;
  if (pin->driver != driver)
    vb_args_fail(args, "%s %d is pinned to another driver already; one driver moves all of it",
                 location == VB_AT_NODE ? "node" : "segment", index);
  pin->mask |= mask;
}

/// The mask of the letters of "components", by default the center.
static uint32_t read_components(const vb_args *args) {
  static const char letters[] = "xyzs";
  static const uint32_t bits[] = {VB_PIN_X, VB_PIN_Y, VB_PIN_Z, VB_PIN_SCALE};
  const char *text = vb_args_string(args, "components", false);
  uint32_t mask = text ? 0 : VB_PIN_CENTER;
  for (; text && *text; text++) {
    const char *letter = strchr(letters, *text);
    if (!letter)
      vb_args_fail(args, "\"components\" has \"%c\"; it takes the letters x, y, z and s (scale)",
                   *text);
    mask |= bits[letter - letters];
  }
  return mask;
}

/// Pins the elements that the keys `one` (an index) and `many` (a list of them) give. Returns how
/// many.
static int64_t add_pins(const vb_args *args, vb_lua_scene *scene, vb_location location,
                        const char *one, const char *many, uint32_t mask, int32_t driver) {
  vb_tag tag = location == VB_AT_NODE ? VB_SET_NODE : VB_SET_SEGMENT;
  int64_t n = vb_args_length(args, many);
  for (int64_t i = 0; i < n; i++)
    add_pin(args, scene, location, vb_lua_index_at(args, scene, tag, many, i), mask, driver);
  if (!vb_args_has(args, one))
    return n;
  add_pin(args, scene, location, vb_lua_index(args, scene, tag, one), mask, driver);
  return n + 1;
}

int vb_lua_pin(lua_State *L) {
  vb_lua_scene *scene = vb_lua_scene_self(L, "pin");
  vb_args args = vb_args_open(L, 2, "pin", "node nodes segment segments driver components");
  uint32_t mask = read_components(&args);
  int32_t driver = vb_args_has(&args, "driver")
                       ? vb_lua_index(&args, scene, VB_SET_DRIVER, "driver")
                       : fixed_driver(&args, scene);
  int64_t nodes = add_pins(&args, scene, VB_AT_NODE, "node", "nodes", mask, driver);
  int64_t segments =
      add_pins(&args, scene, VB_AT_SEGMENT, "segment", "segments", VB_PIN_FRAME, driver);
  if (nodes + segments == 0)
    vb_args_fail(&args, "pins nothing: it needs \"node\", \"nodes\", \"segment\" or \"segments\"");
  if (nodes == 0 && vb_args_has(&args, "components"))
    vb_args_fail(&args, "\"components\" are of nodes; the frame of a segment is pinned whole");
  return 0;
}

/// What a load does to a node, or to a segment.
static void read_load(const vb_args *args, vb_load *load) {
  bool force = vb_args_vector(args, "force", 3, load->force);
  bool scale_force = vb_args_has(args, "scale_force");
  bool torque = vb_args_vector(args, "torque", 3, load->torque);
  load->scale_force = vb_args_number_or(args, "scale_force", 0);
  if (load->location == VB_AT_NODE && torque)
    vb_args_fail(args, "\"torque\" is for a segment; a node takes \"force\" and \"scale_force\"");
  if (load->location == VB_AT_SEGMENT && (force || scale_force))
    vb_args_fail(args, "\"force\" and \"scale_force\" are for a node; a segment takes \"torque\"");
  if (!force && !scale_force && !torque)
    vb_args_fail(args, "does nothing: it needs \"force\", \"scale_force\" or \"torque\"");
}

int vb_lua_load(lua_State *L) {
  vb_lua_scene *scene = vb_lua_scene_self(L, "load");
  vb_args args = vb_args_open(L, 2, "load", "node segment force scale_force torque amplitude name");
  bool node = vb_args_has(&args, "node");
  if (node == vb_args_has(&args, "segment"))
    vb_args_fail(&args, "needs either \"node\" or \"segment\"");
  vb_load load = {.location = node ? VB_AT_NODE : VB_AT_SEGMENT};
  load.index = node ? vb_lua_index(&args, scene, VB_SET_NODE, "node")
                    : vb_lua_index(&args, scene, VB_SET_SEGMENT, "segment");
  read_load(&args, &load);
  if (!vb_args_name(&args, "name", load.name, sizeof load.name))
    snprintf(load.name, sizeof load.name, "load%lld", (long long)vb_lua_count(scene, VB_SET_LOAD));
  load.amplitude = vb_lua_curve(&args, scene, "amplitude");
  lua_pushinteger(L, vb_lua_add(&args, scene, VB_SET_LOAD, &load, sizeof load));
  return 1;
}
