// SPDX-License-Identifier: GPL-3.0-or-later
/// Reading the text of a script.
#include "base/file.h"
#include "script/runtime/lua_sandbox.h"

#include <stdlib.h>
#include <string.h>

/// No script is longer; whatever is, is no script.
enum { SCRIPT_SIZE = 16 << 20 };

vb_status vb_script_read(const char *path, const char *shown, char **out, vb_error *error) {
  char *text = NULL;
  size_t size = 0;
  vb_status status = vb_file_read(path, shown, SCRIPT_SIZE, &text, &size, error);
  if (status)
    return status;
  if (text[0] == LUA_SIGNATURE[0])
    status = vb_bad_input(error, "%s: is a binary chunk; only the source text of a script is run",
                          shown);
  else if (strlen(text) != size)
    status = vb_bad_input(error, "%s: is not a text file: it contains a zero byte", shown);
  if (status)
    free(text);
  else
    *out = text;
  return status;
}

vb_status vb_script_load(lua_State *L, const char *path, const char *shown, vb_error *error) {
  const char *chunk = lua_pushfstring(L, "@%s", shown);
  char *text = NULL;
  vb_status status = vb_script_read(path, shown, &text, error);
  if (status)
    return status;
  int code = luaL_loadbufferx(L, text, strlen(text), chunk, "t"); // raises nothing
  free(text);
  if (code != LUA_OK)
    return vb_bad_input(error, "%s", lua_tostring(L, -1));
  lua_remove(L, -2);
  return VB_OK;
}
