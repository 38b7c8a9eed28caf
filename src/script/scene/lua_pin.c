// SPDX-License-Identifier: GPL-3.0-or-later
/// Pins of nodes and frames.
#include "script/scene/lua_scene.h"

#include <string.h>

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

void vb_lua_add_pin(const vb_args *args, vb_lua_scene *scene, vb_location location, int32_t index,
                    uint32_t mask, int32_t driver) {
  int32_t *known = pin_of(args, scene, location, index);
  if (*known == VB_LUA_FRAME_PIN)
    vb_args_fail(args,
                 "components of the frame of segment %d are pinned already; name all of them "
                 "in one s:pin",
                 index);
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

/// Pins one or two components (vb_frame_mask) of the frame of a segment.
static void add_frame_pin(const vb_args *args, vb_lua_scene *scene, int32_t segment, uint32_t mask,
                          int32_t driver) {
  int32_t *known = pin_of(args, scene, VB_AT_SEGMENT, segment);
  if (*known != -1)
    vb_args_fail(args,
                 "the frame of segment %d is pinned already; name all of its components in "
                 "one s:pin",
                 segment);
  vb_frame_pin pin = {.segment = segment, .mask = mask, .driver = driver};
  vb_lua_add(args, scene, VB_SET_FRAME_PIN, &pin, sizeof pin);
  *known = VB_LUA_FRAME_PIN;
}

/// The bits of the letters of `key`, or `otherwise` where it is missing. `what` names the letters
/// in a message; bit i of the result is letter i.
static uint32_t read_letters(const vb_args *args, const char *key, const char *letters,
                             const char *what, uint32_t otherwise) {
  const char *text = vb_args_string(args, key, false);
  uint32_t mask = text ? 0 : otherwise;
  for (; text && *text; text++) {
    const char *letter = strchr(letters, *text);
    if (!letter)
      vb_args_fail(args, "\"%s\" has \"%c\"; it takes the letters %s", key, *text, what);
    mask |= UINT32_C(1) << (letter - letters);
  }
  return mask;
}

// Bit i of the masks of components of a node and of a frame is that of letter i.
_Static_assert(VB_PIN_X == 1 && VB_PIN_Y == 2 && VB_PIN_Z == 4 && VB_PIN_SCALE == 8,
               "letters of components");
_Static_assert(VB_FRAME_U == 1 && VB_FRAME_V == 2 && VB_FRAME_W == 4, "letters of frames");

#define WHOLE_FRAME (VB_FRAME_U | VB_FRAME_V | VB_FRAME_W)

/// What is to be pinned.
typedef struct pins {
  vb_lua_scene *scene;
  uint32_t components; ///< of nodes
  uint32_t frame;      ///< of segments
  int32_t driver;
  double ends; ///< s; 0 where it does not end
} pins;

static void add_one(const vb_args *args, const pins *p, vb_location location, int32_t index) {
  if (location == VB_AT_NODE)
    vb_lua_add_pin(args, p->scene, location, index, p->components, p->driver);
  else if (p->frame == WHOLE_FRAME)
    vb_lua_add_pin(args, p->scene, location, index, VB_PIN_FRAME, p->driver);
  else
    add_frame_pin(args, p->scene, index, p->frame, p->driver);
  if (p->ends > 0) {
    uint32_t mask = location == VB_AT_NODE ? p->components : VB_PIN_FRAME;
    vb_pin_end end = {(int32_t)location, index, mask, 0, p->ends};
    vb_lua_add(args, p->scene, VB_SET_PIN_END, &end, sizeof end);
  }
}

/// Pins the elements that the keys `one` (an index) and `many` (a list of them) give. Returns how
/// many.
static int64_t add_pins(const vb_args *args, const pins *p, vb_location location, const char *one,
                        const char *many) {
  vb_tag tag = location == VB_AT_NODE ? VB_SET_NODE : VB_SET_SEGMENT;
  int64_t n = vb_args_length(args, many);
  for (int64_t i = 0; i < n; i++)
    add_one(args, p, location, vb_lua_index_at(args, p->scene, tag, many, i));
  if (!vb_args_has(args, one))
    return n;
  add_one(args, p, location, vb_lua_index(args, p->scene, tag, one));
  return n + 1;
}

int vb_lua_pin(lua_State *L) {
  vb_lua_scene *scene = vb_lua_scene_self(L, "pin");
  vb_args args =
      vb_args_open(L, 2, "pin", "node nodes segment segments driver components frame ends");
  pins p = {.scene = scene};
  p.components = read_letters(&args, "components", "xyzs", "x, y, z and s (scale)", VB_PIN_CENTER);
  p.frame = read_letters(&args, "frame", "uvw", "u, v and w", WHOLE_FRAME);
  p.driver = vb_args_has(&args, "driver") ? vb_lua_index(&args, scene, VB_SET_DRIVER, "driver")
                                          : vb_lua_fixed_driver(&args, scene);
  p.ends = vb_args_has(&args, "ends") ? vb_args_positive(&args, "ends", " s") : 0;
  int64_t nodes = add_pins(&args, &p, VB_AT_NODE, "node", "nodes");
  int64_t segments = add_pins(&args, &p, VB_AT_SEGMENT, "segment", "segments");
  if (nodes + segments == 0)
    vb_args_fail(&args, "pins nothing: it needs \"node\", \"nodes\", \"segment\" or \"segments\"");
  if (nodes == 0 && vb_args_has(&args, "components"))
    vb_args_fail(&args, "\"components\" are of nodes; those of a segment are in \"frame\"");
  if (segments == 0 && vb_args_has(&args, "frame"))
    vb_args_fail(&args, "\"frame\" is of segments; a node takes \"components\"");
  return 0;
}
