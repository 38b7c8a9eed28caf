// SPDX-License-Identifier: GPL-3.0-or-later
/// Reading the text of a script.
#include "harness/lua_sandbox.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// No script is longer; whatever is, is no script.
enum { SCRIPT_SIZE = 16 << 20 };

/// Reads to the end of `file` or SCRIPT_SIZE + 1 bytes, the latter to tell that there are more.
static vb_status read_all(FILE *file, const char *shown, char **out, size_t *size,
                          vb_error *error) {
  size_t room = 1 << 16, n = 0;
  char *text = malloc(room + 1);
  vb_status status = VB_OK;
  while (text) {
    n += fread(text + n, 1, room - n, file);
    if (n < room || n > SCRIPT_SIZE)
      break;
    char *more = realloc(text, 2 * room + 1);
    if (!more)
      free(text);
    text = more;
    room *= 2;
  }
  if (!text)
    return vb_error_memory(error);
  if (ferror(file))
    status = vb_error_set(error, VB_BAD_INPUT, "%s: cannot be read: %s", shown, strerror(errno));
  else if (n > SCRIPT_SIZE)
    status = vb_error_set(error, VB_BAD_INPUT, "%s: is longer than %d bytes; is it a script?",
                          shown, (int)SCRIPT_SIZE);
  if (status) {
    free(text);
    return status;
  }
  text[n] = '\0';
  *out = text;
  *size = n;
  return VB_OK;
}

vb_status vb_script_read(const char *path, const char *shown, char **out, vb_error *error) {
  FILE *file = fopen(path, "rb");
  if (!file)
    return vb_error_set(error, VB_BAD_INPUT, "%s: cannot be opened: %s", shown, strerror(errno));
  char *text = NULL;
  size_t size = 0;
  vb_status status = read_all(file, shown, &text, &size, error);
  fclose(file);
  if (status)
    return status;
  if (text[0] == LUA_SIGNATURE[0])
    status = vb_error_set(error, VB_BAD_INPUT,
                          "%s: is a binary chunk; only the source text of a script is run", shown);
  else if (strlen(text) != size)
    status = vb_error_set(error, VB_BAD_INPUT, "%s: is no text: it holds a zero byte", shown);
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
    return vb_error_set(error, VB_BAD_INPUT, "%s", lua_tostring(L, -1));
  lua_remove(L, -2);
  return VB_OK;
}
