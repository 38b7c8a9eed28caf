// SPDX-License-Identifier: GPL-3.0-or-later
/// Curves of time: a number, or a list of keys {t, value, interpolation}.
#include "script/scene/lua_scene.h"

#include <math.h>

/// Number `i` (1 or 2) of the key on top of the stack.
static double key_number(const vb_args *args, const char *name, int64_t key, int i) {
  lua_rawgeti(args->L, -1, i);
  double value = lua_tonumber(args->L, -1);
  if (lua_type(args->L, -1) != LUA_TNUMBER || !isfinite(value))
    vb_args_fail(args, "\"%s\": the %s of key %lld must be a finite number", name,
                 i == 1 ? "time" : "value", (long long)key);
  lua_pop(args->L, 1);
  return value;
}

/// Reads key `i` (from 1) of the list on top of the stack.
static vb_key read_key(const vb_args *args, const char *name, int64_t i) {
  lua_State *L = args->L;
  lua_rawgeti(L, -1, i);
  lua_Unsigned length = lua_istable(L, -1) ? lua_rawlen(L, -1) : 0;
  if (length < 2 || length > 3)
    vb_args_fail(args,
                 "\"%s\": key %lld must be {time, value}, perhaps with \"hold\", \"linear\" or "
                 "\"cubic\"",
                 name, (long long)i);
  vb_key key = {.time = key_number(args, name, i, 1),
                .value = key_number(args, name, i, 2),
                .interpolation = VB_LINEAR};
  if (lua_rawgeti(L, -1, 3) != LUA_TNIL)
    key.interpolation = vb_lua_choice(args, "interpolation", VB_SET_KEY, "interpolation",
                                      vb_args_text(args, -1, name));
  lua_pop(L, 2);
  return key;
}

/// Adds the keys of the list on top of the stack; returns how many.
static int32_t add_keys(const vb_args *args, vb_lua_scene *scene, const char *name) {
  int64_t n = (int64_t)lua_rawlen(args->L, -1);
  double last = -INFINITY;
  if (n < 1)
    vb_args_fail(args, "\"%s\" must have at least one key {time, value}", name);
  for (int64_t i = 1; i <= n; i++) {
    vb_key key = read_key(args, name, i);
    if (key.time <= last)
      vb_args_fail(args, "\"%s\": key %lld is at %g s, not after the one before it, at %g s", name,
                   (long long)i, key.time, last);
    last = key.time;
    vb_lua_add(args, scene, VB_SET_KEY, &key, sizeof key);
  }
  return (int32_t)n;
}

int32_t vb_lua_curve(const vb_args *args, vb_lua_scene *scene, const char *name) {
  lua_State *L = args->L;
  vb_curve curve = {.first_key = (int32_t)vb_lua_count(scene, VB_SET_KEY), .n_keys = 1};
  int type = vb_args_push(args, name);
  if (type == LUA_TTABLE) {
    curve.n_keys = add_keys(args, scene, name);
  } else if (type == LUA_TNUMBER) {
    vb_key key = {.value = vb_args_number(args, name), .interpolation = VB_LINEAR};
    vb_lua_add(args, scene, VB_SET_KEY, &key, sizeof key);
  } else if (type != LUA_TNIL) {
    vb_args_fail(args, "\"%s\" must be a number or a list of keys {time, value}, not a %s", name,
                 luaL_typename(L, -1));
  }
  lua_pop(L, 1);
  return type == LUA_TNIL ? -1 : vb_lua_add(args, scene, VB_SET_CURVE, &curve, sizeof curve);
}
