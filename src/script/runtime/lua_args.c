// SPDX-License-Identifier: GPL-3.0-or-later
#include "script/runtime/lua_args.h"

#include "base/nearest_word.h"
#include "base/text.h"

#include <jansson.h>

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/// What reading an element of a list counts in bytes.
enum { ELEMENT = 64 };

void vb_args_fail(const vb_args *args, const char *format, ...) {
  char message[800];
  va_list list;
  va_start(list, format);
  vsnprintf(message, sizeof message, format, list);
  va_end(list);
  vb_lua_fail(args->L, "%s: %s", args->who, message);
}

void vb_args_unknown(const vb_args *args, const char *kind, const char *word,
                     const char *const *known, size_t n) {
  const char *nearest = vb_nearest_word(word, known, n);
  if (nearest)
    vb_args_fail(args, "unknown %s \"%.100s\"; did you mean \"%s\"?", kind, word, nearest);
  char list[400] = "";
  bool all = true;
  for (size_t i = 0; i < n && all; i++)
    all = vb_text_add(list, sizeof list, "%s%s", i ? ", " : "", known[i]);
  if (!all)
    memcpy(list + sizeof list - 4, "...", 4);
  vb_args_fail(args, "unknown %s \"%.100s\"; known: %s", kind, word, n ? list : "none");
}

int vb_args_choice(const vb_args *args, const char *kind, const char *word,
                   const char *const *known) {
  size_t n = 0;
  for (; known[n]; n++)
    if (strcmp(word, known[n]) == 0)
      return (int)n;
  vb_args_unknown(args, kind, word, known, n);
}

bool vb_args_lists(const char *keys, const char *word) {
  size_t n = strlen(word);
  for (size_t length; *keys; keys += length + (keys[length] == ' ')) {
    length = strcspn(keys, " ");
    if (length == n && memcmp(word, keys, n) == 0)
      return true;
  }
  return false;
}

/// As vb_args_unknown, of the words of `keys`.
static _Noreturn void unknown_key(const vb_args *args, const char *key, const char *keys) {
  size_t size = strlen(keys) + 1, n = 0;
  char *words = lua_newuserdatauv(args->L, size, 0), *rest = NULL;
  const char **known = vb_lua_array(args->L, size, sizeof *known);
  memcpy(words, keys, size);
  for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
    known[n++] = word;
  vb_args_unknown(args, "key", key, known, n);
}

vb_args vb_args_of(lua_State *L, int index, const char *who) {
  vb_args args = {.L = L, .table = lua_absindex(L, index)};
  snprintf(args.who, sizeof args.who, "%s", who);
  return args;
}

vb_args vb_args_open(lua_State *L, int index, const char *who, const char *keys) {
  vb_args args = vb_args_of(L, index, who);
  luaL_checkstack(L, 10, "too many nested calls");
  vb_sandbox_check(L); // all of the program's own functions begin here
  if (!lua_istable(L, index))
    vb_args_fail(&args, "takes one table of named values, not a %s", luaL_typename(L, index));
  for (lua_pushnil(L); lua_next(L, args.table); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING)
      vb_args_fail(&args, "takes named values only (key = value), not a list");
    if (!vb_args_lists(keys, lua_tostring(L, -2)))
      unknown_key(&args, lua_tostring(L, -2), keys);
  }
  return args;
}

int vb_args_push(const vb_args *args, const char *key) {
  return lua_getfield(args->L, args->table, key);
}

bool vb_args_has(const vb_args *args, const char *key) {
  bool has = vb_args_push(args, key) != LUA_TNIL;
  lua_pop(args->L, 1);
  return has;
}

/// The finite number on top of the stack, which it pops.
static double pop_number(const vb_args *args, const char *key) {
  lua_State *L = args->L;
  if (lua_type(L, -1) != LUA_TNUMBER)
    vb_args_fail(args, "\"%s\" must be a number, not a %s", key, luaL_typename(L, -1));
  double value = lua_tonumber(L, -1);
  if (!isfinite(value))
    vb_args_fail(args, "\"%s\" is %s; it must be finite", key, isnan(value) ? "NaN" : "infinite");
  lua_pop(L, 1);
  return value;
}

static int64_t pop_integer(const vb_args *args, const char *key, int64_t minimum, int64_t maximum) {
  lua_State *L = args->L;
  if (lua_type(L, -1) != LUA_TNUMBER)
    vb_args_fail(args, "\"%s\" must be a whole number, not a %s", key, luaL_typename(L, -1));
  int whole;
  lua_Integer value = lua_tointegerx(L, -1, &whole);
  if (!whole)
    vb_args_fail(args, "\"%s\" must be a whole number, not %g", key, lua_tonumber(L, -1));
  if (value < minimum)
    vb_args_fail(args, "\"%s\" is %lld; it must be at least %lld", key, (long long)value,
                 (long long)minimum);
  if (value > maximum)
    vb_args_fail(args, "\"%s\" is %lld; it must be at most %lld", key, (long long)value,
                 (long long)maximum);
  lua_pop(L, 1);
  return value;
}

static _Noreturn void missing(const vb_args *args, const char *key) {
  vb_args_fail(args, "needs \"%s\"", key);
}

double vb_args_number(const vb_args *args, const char *key) {
  if (vb_args_push(args, key) == LUA_TNIL)
    missing(args, key);
  return pop_number(args, key);
}

double vb_args_number_or(const vb_args *args, const char *key, double otherwise) {
  return vb_args_has(args, key) ? vb_args_number(args, key) : otherwise;
}

double vb_args_positive(const vb_args *args, const char *key, const char *unit) {
  double value = vb_args_number(args, key);
  if (value <= 0)
    vb_args_fail(args, "\"%s\" is %g%s; it must be positive", key, value, unit);
  return value;
}

double vb_args_not_negative_or(const vb_args *args, const char *key, const char *unit,
                               double otherwise) {
  double value = vb_args_number_or(args, key, otherwise);
  if (value < 0)
    vb_args_fail(args, "\"%s\" is %g%s; it must not be negative", key, value, unit);
  return value;
}

int64_t vb_args_integer(const vb_args *args, const char *key, int64_t minimum, int64_t maximum) {
  if (vb_args_push(args, key) == LUA_TNIL)
    missing(args, key);
  return pop_integer(args, key, minimum, maximum);
}

int64_t vb_args_integer_or(const vb_args *args, const char *key, int64_t minimum, int64_t maximum,
                           int64_t otherwise) {
  return vb_args_has(args, key) ? vb_args_integer(args, key, minimum, maximum) : otherwise;
}

bool vb_args_boolean_or(const vb_args *args, const char *key, bool otherwise) {
  int type = vb_args_push(args, key);
  if (type != LUA_TNIL && type != LUA_TBOOLEAN)
    vb_args_fail(args, "\"%s\" must be true or false, not a %s", key, luaL_typename(args->L, -1));
  bool value = type == LUA_TNIL ? otherwise : lua_toboolean(args->L, -1);
  lua_pop(args->L, 1);
  return value;
}

const char *vb_args_text(const vb_args *args, int index, const char *key) {
  if (lua_type(args->L, index) != LUA_TSTRING)
    vb_args_fail(args, "\"%s\" must be a text, not a %s", key, luaL_typename(args->L, index));
  size_t size;
  const char *text = lua_tolstring(args->L, index, &size);
  json_t *valid = strlen(text) == size ? json_stringn(text, size) : NULL;
  if (!valid)
    vb_args_fail(args, "\"%s\" must be a text of UTF-8", key);
  json_decref(valid);
  return text;
}

const char *vb_args_string(const vb_args *args, const char *key, bool required) {
  const char *text = NULL;
  if (vb_args_push(args, key) != LUA_TNIL) {
    text = vb_args_text(args, -1, key);
    if (!*text)
      vb_args_fail(args, "\"%s\" is empty", key);
  } else if (required) {
    missing(args, key);
  }
  lua_pop(args->L, 1);
  return text;
}

bool vb_args_name(const vb_args *args, const char *key, char *out, size_t size) {
  const char *text = vb_args_string(args, key, false);
  if (!text)
    return false;
  if (strlen(text) >= size)
    vb_args_fail(args, "\"%s\" is longer than %zu bytes", key, size - 1);
  strcpy(out, text);
  return true;
}

/// The `n` numbers of the list on top of the stack, which it pops.
static void pop_vector(const vb_args *args, const char *key, int n, double *out) {
  lua_State *L = args->L;
  if (!lua_istable(L, -1))
    vb_args_fail(args, "\"%s\" must be a list of %d numbers, not a %s", key, n,
                 luaL_typename(L, -1));
  if ((int64_t)lua_rawlen(L, -1) != n)
    vb_args_fail(args, "\"%s\" must be a list of %d numbers; it has %lld", key, n,
                 (long long)lua_rawlen(L, -1));
  double value[VB_ARGS_MOST_NUMBERS];
  assert(n <= VB_ARGS_MOST_NUMBERS);
  for (int i = 0; i < n; i++) {
    lua_rawgeti(L, -1, i + 1);
    value[i] = pop_number(args, key);
  }
  memcpy(out, value, (size_t)n * sizeof *out);
  lua_pop(L, 1);
}

bool vb_args_vector(const vb_args *args, const char *key, int n, double *out) {
  if (vb_args_push(args, key) == LUA_TNIL) {
    lua_pop(args->L, 1);
    return false;
  }
  pop_vector(args, key, n, out);
  return true;
}

/// Calls the function on top of the stack, which it pops, at a point.
static void pop_call(const vb_args *args, const char *key, const vb_sample *at, int n,
                     double *out) {
  lua_State *L = args->L;
  for (int i = 0; i < at->n_arguments; i++)
    lua_pushnumber(L, at->argument[i]);
  lua_call(L, at->n_arguments, n);
  for (int i = n - 1; i >= 0; i--) {
    if (lua_type(L, -1) != LUA_TNUMBER)
      vb_args_fail(args, "\"%s\" at t = %g must return %d number%s; value %d is a %s", key,
                   at->argument[0], n, n > 1 ? "s" : "", i + 1, luaL_typename(L, -1));
    out[i] = lua_tonumber(L, -1);
    if (!isfinite(out[i]))
      vb_args_fail(args, "\"%s\" at t = %g returned %s; it must be finite", key, at->argument[0],
                   isnan(out[i]) ? "NaN" : "infinity");
    lua_pop(L, 1);
  }
}

bool vb_args_sample(const vb_args *args, const char *key, const vb_sample *at, int n, double *out) {
  lua_State *L = args->L;
  int type = vb_args_push(args, key);
  if (type == LUA_TNIL) {
    lua_pop(L, 1);
    return false;
  }
  if (type == LUA_TFUNCTION) {
    pop_call(args, key, at, n, out);
  } else if (type == LUA_TTABLE && n == 1) {
    if ((uint64_t)lua_rawlen(L, -1) != at->count)
      vb_args_fail(args, "\"%s\" lists %lld values where %zu are needed", key,
                   (long long)lua_rawlen(L, -1), at->count);
    lua_rawgeti(L, -1, (lua_Integer)at->index + 1);
    out[0] = pop_number(args, key);
    lua_pop(L, 1);
  } else if (n == 1) {
    if (type != LUA_TNUMBER)
      vb_args_fail(args, "\"%s\" must be a number, a list or a function of t, not a %s", key,
                   luaL_typename(L, -1));
    out[0] = pop_number(args, key);
  } else {
    pop_vector(args, key, n, out);
  }
  return true;
}

/// Checks that the list on top has no number as a key but 1 to `n`: what lies behind a hole would
/// be left out unsaid.
static void check_holes(const vb_args *args, const char *key, lua_Unsigned n) {
  lua_State *L = args->L;
  vb_sandbox_touch(L, n * ELEMENT);
  for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
    bool whole = lua_isinteger(L, -2) && (lua_Unsigned)lua_tointeger(L, -2) - 1 < n;
    if (lua_type(L, -2) == LUA_TNUMBER && !whole)
      vb_args_fail(args, "\"%s\" lists %llu elements, and has one at %.14g behind a hole", key,
                   (unsigned long long)n, lua_tonumber(L, -2));
  }
}

int64_t vb_args_length(const vb_args *args, const char *key) {
  int type = vb_args_push(args, key);
  if (type != LUA_TNIL && type != LUA_TTABLE)
    vb_args_fail(args, "\"%s\" must be a list, not a %s", key, luaL_typename(args->L, -1));
  lua_Unsigned n = type == LUA_TNIL ? 0 : lua_rawlen(args->L, -1);
  if (!vb_sandbox_holds(args->L, n))
    vb_args_fail(args, "\"%s\" lists %llu elements, more than the script holds; has it holes?", key,
                 (unsigned long long)n);
  if (type == LUA_TTABLE)
    check_holes(args, key, n);
  lua_pop(args->L, 1);
  return (int64_t)n;
}

double vb_args_number_at(const vb_args *args, const char *key, int64_t i) {
  vb_sandbox_touch(args->L, ELEMENT);
  vb_args_push(args, key);
  lua_rawgeti(args->L, -1, i + 1);
  double value = pop_number(args, key);
  lua_pop(args->L, 1);
  return value;
}

const char *vb_args_text_at(const vb_args *args, const char *key, int64_t i) {
  vb_args_push(args, key);
  lua_rawgeti(args->L, -1, i + 1);
  const char *text = vb_args_text(args, -1, key);
  lua_pop(args->L, 2);
  return text;
}

int64_t vb_args_integer_at(const vb_args *args, const char *key, int64_t i, int64_t minimum,
                           int64_t maximum) {
  vb_sandbox_touch(args->L, ELEMENT);
  vb_args_push(args, key);
  lua_rawgeti(args->L, -1, i + 1);
  int64_t value = pop_integer(args, key, minimum, maximum);
  lua_pop(args->L, 1);
  return value;
}

void vb_args_row(const vb_args *args, const char *key, const char *what, size_t i, int n,
                 double *out) {
  lua_State *L = args->L;
  vb_sandbox_touch(L, (size_t)n * ELEMENT);
  lua_rawgeti(L, -1, (lua_Integer)i + 1);
  if (!lua_istable(L, -1) || lua_rawlen(L, -1) != (size_t)n)
    vb_args_fail(args, "\"%s\": %s %zu must be a list of %d numbers", key, what, i, n);
  for (int c = 0; c < n; c++) {
    lua_rawgeti(L, -1, c + 1);
    if (lua_type(L, -1) != LUA_TNUMBER || !isfinite(lua_tonumber(L, -1)))
      vb_args_fail(args, "\"%s\": %s %zu must hold finite numbers", key, what, i);
    out[c] = lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}
