// SPDX-License-Identifier: GPL-3.0-or-later
/// What bodies, surfaces and colliders look like in pictures.
#include "scene/schema.h"
#include "script/scene/lua_scene.h"

/// Reads what a look is of: exactly one of the keys below.
static void read_place(const vb_args *args, vb_lua_scene *scene, vb_look *look) {
  static const struct {
    const char *key;
    vb_location location;
  } where[] = {{"node", VB_AT_NODE}, {"vertex", VB_AT_VERTEX}, {"collider", VB_AT_COLLIDER}};
  int n = 0;
  for (size_t i = 0; i < sizeof where / sizeof *where; i++) {
    if (!vb_args_has(args, where[i].key))
      continue;
    n++;
    look->location = (int32_t)where[i].location;
    look->index = vb_lua_index(args, scene, vb_location_tag(look->location), where[i].key);
  }
  if (n != 1)
    vb_args_fail(args, "needs exactly one of \"node\", \"vertex\" and \"collider\"");
}

/// Reads the material, by the words of its member.
static int32_t read_material(const vb_args *args) {
  enum { MOST = 16 };
  const vb_member *member = vb_schema_member(VB_SET_LOOK, "material");
  const char *word = vb_args_string(args, "material", false), *known[MOST + 1] = {0};
  char words[MOST][24];
  for (int i = 0; i < MOST && vb_member_word(member, i, words[i]); i++)
    known[i] = words[i];
  return word ? vb_args_choice(args, "material", word, known) : VB_LOOK_DEFAULT;
}

int vb_lua_look(lua_State *L) {
  vb_lua_scene *scene = vb_lua_scene_self(L, "look");
  vb_args args = vb_args_open(L, 2, "look", "node vertex collider material color");
  vb_look look = {.color = {-1, -1, -1}};
  read_place(&args, scene, &look);
  look.material = read_material(&args);
  bool colored = vb_args_vector(&args, "color", 3, look.color);
  for (int k = 0; k < 3 && colored; k++)
    if (!(look.color[k] >= 0 && look.color[k] <= 1))
      vb_args_fail(&args, "\"color\" has the component %g; red, green and blue are from 0 to 1",
                   look.color[k]);
  if (!colored && !vb_args_has(&args, "material"))
    vb_args_fail(&args, "needs \"material\", \"color\" or both");
  lua_pushinteger(L, vb_lua_add(&args, scene, VB_SET_LOOK, &look, sizeof look));
  return 1;
}
