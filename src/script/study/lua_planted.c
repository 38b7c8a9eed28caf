// SPDX-License-Identifier: GPL-3.0-or-later
#include "script/study/lua_planted.h"

/// Adds the kinds that "must" lists.
static void read_must(const vb_args *args, vb_planted_plan *plan) {
  int64_t n = vb_args_length(args, "must");
  for (int64_t i = 0; i < n; i++) {
    const char *word = vb_args_text_at(args, "must", i);
    int kind = vb_args_choice(args, "planted solver", word, vb_planted_words);
    if (plan->must[kind])
      vb_args_fail(args, "\"%s\" need not stand in \"must\": %s", word,
                   vb_planted_default().must[kind] ? "every study must see it"
                                                   : "it stands there already");
    plan->must[kind] = true;
  }
}

/// Takes out the kind whose name and reason are on top of the stack.
static void exempt(vb_loader *loader, const vb_args *args) {
  lua_State *L = loader->L;
  vb_planted_plan *plan = &loader->study->planted;
  if (lua_type(L, -2) != LUA_TSTRING)
    vb_args_fail(args, "\"exempt\" takes a reason for each kind (still = \"why\")");
  const char *word = lua_tostring(L, -2);
  int kind = vb_args_choice(args, "planted solver", word, vb_planted_words);
  if (lua_type(L, -1) != LUA_TSTRING || lua_rawlen(L, -1) == 0)
    vb_args_fail(args, "\"exempt\" needs the reason why no gate can see \"%s\"", word);
  if (!plan->must[kind] || !vb_planted_default().must[kind])
    vb_args_fail(args, "\"%s\" need not be exempt: it is not among what every study must see",
                 word);
  plan->exempt[kind] = vb_lua_copy(L, vb_args_text(args, -1, word));
  plan->must[kind] = false;
}

void vb_loader_read_planted(vb_loader *loader, int index) {
  lua_State *L = loader->L;
  loader->study->planted = vb_planted_default();
  if (lua_getfield(L, index, "planted") != LUA_TNIL) {
    vb_args args = vb_args_open(L, -1, "planted", "must exempt");
    read_must(&args, &loader->study->planted);
    int type = vb_args_push(&args, "exempt");
    if (type != LUA_TNIL && type != LUA_TTABLE)
      vb_args_fail(&args, "\"exempt\" must be a table from kinds to reasons, not a %s",
                   luaL_typename(L, -1));
    for (lua_pushnil(L); type == LUA_TTABLE && lua_next(L, -2); lua_pop(L, 1))
      exempt(loader, &args);
    lua_settop(L, args.table);
  }
  lua_pop(L, 1);
}
