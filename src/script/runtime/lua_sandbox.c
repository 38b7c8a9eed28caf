// SPDX-License-Identifier: GPL-3.0-or-later
#include "script/runtime/lua_sandbox.h"

#include "base/clock.h"
#include "base/printable.h"
#include "base/time_limit.h"

#include <lualib.h>

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Instructions between two looks at the limits, at most: rare enough to cost nothing.
enum { LOOK_EVERY = 10000 };

/// Bytes that instructions between two looks may touch: about a second's work. One instruction can
/// touch all of a string or list, such as a comparison or table.insert.
#define LOOK_BYTES ((size_t)1 << 30)

/// Bytes of a text, at most: functions of the libraries go through one in a single call.
#define LONGEST_TEXT ((size_t)1 << 28)

/// Bytes that one call may go through between two looks at the clock, and what one comparison of
/// table.sort counts.
enum { TOUCHED_BYTES = 1 << 22, COMPARISON = 64 };

vb_sandbox *vb_sandbox_of(lua_State *L) {
  return *(vb_sandbox **)lua_getextraspace(L);
}

static void count_instructions(lua_State *L, lua_Debug *at);

/// Makes the looks at the limits as frequent as `every` instructions, never rarer.
static void check_more_often(vb_sandbox *sandbox, int every) {
  if (!sandbox->lua || every >= sandbox->every)
    return;
  sandbox->every = every;
  lua_sethook(sandbox->lua, count_instructions, LUA_MASKCOUNT, every);
}

/// Where one instruction may touch a new largest block, fewer are run between two looks.
static void note_block(vb_sandbox *sandbox, size_t size) {
  if (size < 2 * sandbox->largest)
    return;
  sandbox->largest = size;
  size_t every = LOOK_BYTES / size;
  check_more_often(sandbox, every < 1 ? 1 : every > LOOK_EVERY ? LOOK_EVERY : (int)every);
}

static void *allocate(void *user, void *old, size_t old_size, size_t new_size) {
  vb_sandbox *sandbox = user;
  bool long_text = !old && old_size == LUA_TSTRING && new_size > LONGEST_TEXT + 64;
  if (!old)
    old_size = 0; // Lua puts the kind of the object here
  if (new_size == 0) {
    free(old);
    sandbox->memory -= old_size;
    return NULL;
  }
  bool fits = !long_text && (new_size <= old_size ||
                             new_size - old_size <= sandbox->limits.memory - sandbox->memory);
  void *block = fits ? realloc(old, new_size) : NULL;
  if (block) {
    sandbox->memory = sandbox->memory - old_size + new_size;
    note_block(sandbox, new_size);
  } else {
    check_more_often(sandbox, 1); // Lua looks for garbage in all there is, each time
  }
  return block;
}

void vb_sandbox_charge(lua_State *L, size_t bytes) {
  vb_sandbox *sandbox = vb_sandbox_of(L);
  vb_sandbox_check(L);
  if (bytes > sandbox->limits.memory - sandbox->memory)
    lua_gc(L, LUA_GCCOLLECT); // scenes that the script let go of
  if (bytes > sandbox->limits.memory - sandbox->memory)
    vb_lua_fail(L, "the script needs more than %zu bytes of memory", sandbox->limits.memory);
  sandbox->memory += bytes;
}

void vb_sandbox_uncharge(lua_State *L, size_t bytes) {
  vb_sandbox_of(L)->memory -= bytes;
}

/// Pushes "file:line: " of the innermost Lua function at work, or "file: " where there is none.
static void push_place(lua_State *L) {
  lua_Debug at;
  for (int level = 0; lua_getstack(L, level, &at); level++) {
    lua_getinfo(L, "Sl", &at);
    if (at.currentline > 0 && at.source[0] == '@') {
      lua_pushfstring(L, "%s:%d: ", at.source + 1, at.currentline);
      return;
    }
  }
  lua_pushfstring(L, "%s: ", vb_sandbox_of(L)->path);
}

void vb_lua_fail(lua_State *L, const char *format, ...) {
  char message[900];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  push_place(L);
  lua_pushstring(L, message);
  lua_concat(L, 2);
  lua_error(L);
  __builtin_unreachable(); // lua_error does not return, which its declaration does not say
}

static double time_of(const vb_sandbox *sandbox) {
  return sandbox->waiting ? vb_clock() : vb_clock_thread();
}

bool vb_sandbox_is_late(const vb_sandbox *sandbox) {
  return sandbox->limits.seconds > 0 && time_of(sandbox) - sandbox->begun > sandbox->limits.seconds;
}

static bool is_over(void *sandbox) {
  return vb_sandbox_is_late(sandbox);
}

static void set_waiting(void *context, bool waits) {
  vb_sandbox *sandbox = context;
  double used = time_of(sandbox) - sandbox->begun;
  sandbox->waiting = waits;
  sandbox->begun = time_of(sandbox) - used;
}

/// Whether it is time to look at the clock of the thread, which is a system call; that of the wall
/// is not, and no thread computes for longer than the wall tells.
static bool is_due(vb_sandbox *sandbox) {
  static const double UNSEEN_S = 1e-3;
  const double now = vb_clock();
  if (sandbox->every > 1 && now - sandbox->last_check < UNSEEN_S)
    return false;
  sandbox->last_check = now;
  return true;
}

/// Once a limit is passed the hook is called at every instruction, so that no pcall of the script
/// can go on for longer than it takes to leave it.
static void check_now(lua_State *L) {
  vb_sandbox *sandbox = vb_sandbox_of(L);
  if (!vb_sandbox_is_late(sandbox))
    return;
  check_more_often(sandbox, 1);
  vb_lua_fail(L,
              "the script took more than %g s of processor time; does it do too much? (option "
              "--script-time SECONDS)",
              sandbox->limits.seconds);
}

void vb_sandbox_check(lua_State *L) {
  if (is_due(vb_sandbox_of(L)))
    check_now(L);
}

void vb_lua_throw(lua_State *L, const char *who, const vb_error *error) {
  vb_sandbox *sandbox = vb_sandbox_of(L);
  check_now(L); // what failed may be late
  if (who) {
    push_place(L);
    lua_pushfstring(L, "%s%s%s", who, *who ? ": " : "", error->message);
    lua_concat(L, 2);
  } else {
    lua_pushstring(L, error->message);
  }
  vb_error_set(&sandbox->thrown, error->status, "%s", lua_tostring(L, -1));
  lua_error(L);
  __builtin_unreachable(); // lua_error does not return, which its declaration does not say
}

static void count_instructions(lua_State *L, lua_Debug *at) {
  (void)at;
  vb_sandbox *sandbox = vb_sandbox_of(L);
  sandbox->instructions += lua_gethookcount(L);
  vb_sandbox_check(L);
  if (sandbox->instructions < sandbox->limits.instructions)
    return;
  check_more_often(sandbox, 1);
  vb_lua_fail(L, "the script ran more than %lld instructions; is there an endless loop?",
              (long long)sandbox->limits.instructions);
}

/// All that scripts print comes here: one line, to stderr, as standard output belongs to the
/// program.
static void print_line(const char *text) {
  vb_printable_put(stderr, text);
  fputc('\n', stderr);
}

static bool is_plain(int type) {
  return type == LUA_TNIL || type == LUA_TBOOLEAN || type == LUA_TNUMBER || type == LUA_TSTRING;
}

/// tostring: of what Lua shows by its address, which differs from run to run and tells where the
/// program's code lies, the kind alone.
static int lua_to_string(lua_State *L) {
  luaL_checkany(L, 1);
  if (is_plain(lua_type(L, 1)))
    luaL_tolstring(L, 1, NULL);
  else
    lua_pushstring(L, luaL_typename(L, 1));
  return 1;
}

/// Calls the library's function in whose place this one stands, with all arguments.
static int call_wrapped(lua_State *L) {
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  if (lua_pcall(L, lua_gettop(L) - 1, LUA_MULTRET, 0) != LUA_OK) {
    // The library looks for the script's line in its caller, which is this function.
    const char *message = lua_tostring(L, -1);
    if (message && !strstr(message, ".lua:") && strcmp(message, "not enough memory") != 0) {
      push_place(L);
      lua_insert(L, -2);
      lua_concat(L, 2);
    }
    lua_error(L);
  }
  vb_sandbox_check(L);
  return lua_gettop(L);
}

/// string.format, which would show addresses, too.
static int lua_format(lua_State *L) {
  for (const char *at = luaL_checkstring(L, 1); (at = strchr(at, '%')); at++) {
    at += 1 + strspn(at + 1, "-+ #0123456789.");
    if (*at == 'p')
      vb_lua_fail(L, "string.format: there are no addresses (%%p) in a script");
    if (!*at)
      break;
  }
  for (int i = lua_gettop(L); i > 1; i--)
    if (!is_plain(lua_type(L, i))) {
      lua_pushstring(L, luaL_typename(L, i));
      lua_replace(L, i);
    }
  return call_wrapped(L);
}

/// print, of no more than the limit.
static int lua_print(lua_State *L) {
  vb_sandbox *sandbox = vb_sandbox_of(L);
  int n = lua_gettop(L);
  luaL_Buffer line;
  luaL_buffinit(L, &line);
  for (int i = 1; i <= n; i++) {
    lua_pushcfunction(L, lua_to_string);
    lua_pushvalue(L, i);
    lua_call(L, 1, 1);
    luaL_addvalue(&line);
    if (i < n)
      luaL_addchar(&line, '\t');
  }
  luaL_pushresult(&line);
  size_t length;
  const char *text = lua_tolstring(L, -1, &length);
  size_t limit = sandbox->limits.printed;
  if (limit > 0 && length + 1 > limit - sandbox->printed)
    vb_lua_fail(L, "print: the script printed more than %zu bytes", limit);
  sandbox->printed += length + 1;
  print_line(text);
  return 0;
}

void vb_sandbox_touch(lua_State *L, size_t bytes) {
  vb_sandbox *sandbox = vb_sandbox_of(L);
  sandbox->touch += bytes;
  if (sandbox->touch < TOUCHED_BYTES)
    return;
  sandbox->touch = 0;
  vb_sandbox_check(L);
}

bool vb_sandbox_holds(lua_State *L, lua_Unsigned n) {
  return n <= vb_sandbox_of(L)->memory / sizeof(lua_Number);
}

void *vb_lua_array(lua_State *L, size_t n, size_t size) {
  size_t limit = vb_sandbox_of(L)->limits.memory;
  if (n > limit / size)
    vb_lua_fail(L, "the script needs more than %zu bytes of memory", limit);
  return lua_newuserdatauv(L, n * size, 0); // cannot wrap
}

/// Raises an error where the script holds no list of so many elements.
static void expect_list(lua_State *L, const char *who, lua_Unsigned n) {
  if (!vb_sandbox_holds(L, n))
    vb_lua_fail(L, "%s: %llu elements are more than the script has; does the list have holes?", who,
                (unsigned long long)n);
}

/// table.insert and table.remove, which would move nothing for ever.
static int lua_insert_element(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  if (lua_gettop(L) > 2)
    expect_list(L, "table.insert", lua_rawlen(L, 1));
  return call_wrapped(L);
}

static int lua_remove_element(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  if (lua_gettop(L) > 1)
    expect_list(L, "table.remove", lua_rawlen(L, 1));
  return call_wrapped(L);
}

/// The order of <, with a look at the clock: a sort compares long strings any number of times.
static int is_less(lua_State *L) {
  vb_sandbox_touch(L, COMPARISON + (lua_type(L, 1) == LUA_TSTRING ? lua_rawlen(L, 1) : 0));
  lua_pushboolean(L, lua_compare(L, 1, 2, LUA_OPLT));
  return 1;
}

/// table.sort: no comparison goes on unseen.
static int lua_sort(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 2);
  if (lua_isnil(L, 2)) {
    lua_pushcfunction(L, is_less);
    lua_replace(L, 2);
  } else {
    luaL_checktype(L, 2, LUA_TFUNCTION);
  }
  if (lua_iscfunction(L, 2) && lua_tocfunction(L, 2) != is_less)
    vb_lua_fail(L, "table.sort: the order must be a Lua function, not a built-in one");
  return call_wrapped(L);
}

/// table.concat with looks at the clock.
static int lua_join(lua_State *L) {
  size_t length;
  luaL_Buffer all;
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_optlstring(L, 2, "", &length);
  lua_Integer first = luaL_optinteger(L, 3, 1);
  lua_Integer last = luaL_opt(L, luaL_checkinteger, 4, (lua_Integer)lua_rawlen(L, 1));
  lua_settop(L, 2);
  if (lua_isnil(L, 2)) {
    lua_pushliteral(L, "");
    lua_replace(L, 2);
  }
  luaL_buffinit(L, &all);
  for (lua_Integer i = first; i <= last; i++) {
    vb_sandbox_touch(L, COMPARISON + length);
    int type = lua_rawgeti(L, 1, i);
    if (type != LUA_TSTRING && type != LUA_TNUMBER)
      vb_lua_fail(L, "invalid value (at index %lld) in table for 'concat'", (long long)i);
    luaL_addvalue(&all);
    if (i == last)
      break; // the next number may not exist
    lua_pushvalue(L, 2);
    luaL_addvalue(&all);
  }
  luaL_pushresult(&all);
  return 1;
}

/// string.rep, which would repeat nothing for ever.
static int lua_rep(lua_State *L) {
  size_t text, separator;
  luaL_checklstring(L, 1, &text);
  luaL_optlstring(L, 3, "", &separator);
  lua_Integer n = luaL_checkinteger(L, 2);
  if (text + separator == 0) {
    lua_pushliteral(L, "");
    return 1;
  }
  size_t limit = vb_sandbox_of(L)->limits.memory;
  limit = limit < LONGEST_TEXT ? limit : LONGEST_TEXT;
  if (n > 0 && (size_t)n > limit / (text + separator))
    vb_lua_fail(L, "string.rep: %lld copies need more than %zu bytes of memory", (long long)n,
                limit);
  return call_wrapped(L);
}

/// table.move, which would move nothing for ever.
static int lua_move(lua_State *L) {
  lua_Integer first = luaL_checkinteger(L, 2), last = luaL_checkinteger(L, 3);
  if (last >= first)
    expect_list(L, "table.move", (lua_Unsigned)last - (lua_Unsigned)first);
  return call_wrapped(L);
}

/// math.randomseed with a seed: without one it would take the time of day.
static int lua_seed(lua_State *L) {
  lua_Integer seed = luaL_checkinteger(L, 1);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_pushinteger(L, seed);
  lua_call(L, 1, 0);
  return 0;
}

/// Puts `function` in the place of a library's function, which it has as its upvalue.
static void wrap(lua_State *L, const char *library, const char *name, lua_CFunction function) {
  lua_getglobal(L, library);
  lua_getfield(L, -1, name);
  lua_pushcclosure(L, function, 1);
  lua_setfield(L, -2, name);
  lua_pop(L, 1);
}

static void remove_functions(lua_State *L, const char *library, const char *const *names) {
  lua_getglobal(L, library);
  for (; *names; names++) {
    lua_pushnil(L);
    lua_setfield(L, -2, *names);
  }
  lua_pop(L, 1);
}

/// pairs in a fixed order (numbers, then strings): Lua's own differs from one run to the next, and
/// a scene must not.
static const char SORTED_PAIRS[] = "local next, type, sort, error = next, type, table.sort, error\n"
                                   "local function before(a, b)\n"
                                   "  local ta, tb = type(a), type(b)\n"
                                   "  if ta == tb then return a < b end\n"
                                   "  return ta < tb\n"
                                   "end\n"
                                   "function pairs(t)\n"
                                   "  local keys, n, i = {}, 0, 0\n"
                                   "  for k in next, t do\n"
                                   "    if type(k) ~= 'number' and type(k) ~= 'string' then\n"
                                   "      error('pairs: only numbers and strings may be keys', 2)\n"
                                   "    end\n"
                                   "    n = n + 1\n"
                                   "    keys[n] = k\n"
                                   "  end\n"
                                   "  sort(keys, before)\n"
                                   "  return function()\n"
                                   "    i = i + 1\n"
                                   "    local k = keys[i]\n"
                                   "    if k ~= nil then return k, t[k] end\n"
                                   "  end\n"
                                   "end\n";

static void open_libraries(lua_State *L) {
  static const luaL_Reg libraries[] = {
      {LUA_GNAME, luaopen_base},        {LUA_MATHLIBNAME, luaopen_math},
      {LUA_STRLIBNAME, luaopen_string}, {LUA_TABLIBNAME, luaopen_table},
      {LUA_UTF8LIBNAME, luaopen_utf8},  {NULL, NULL}};
  for (const luaL_Reg *library = libraries; library->name; library++) {
    luaL_requiref(L, library->name, library->func, 1);
    lua_pop(L, 1);
  }
}

/// What is left out reads files (dofile, loadfile), runs what is no text (load), runs for ever in
/// one call, where no instruction is counted (patterns, __gc and __len of a metatable, the handler
/// of xpcall), or differs between runs (next).
static void remove_unsafe(lua_State *L) {
  static const char *const base[] = {
      "dofile",       "loadfile", "load", "collectgarbage", "setmetatable",
      "getmetatable", "warn",     "next", "xpcall",         NULL};
  static const char *const string[] = {"find", "match", "gmatch", "gsub", "dump", NULL};
  remove_functions(L, LUA_GNAME, base);
  remove_functions(L, LUA_STRLIBNAME, string);
  wrap(L, LUA_STRLIBNAME, "rep", lua_rep);
  wrap(L, LUA_STRLIBNAME, "format", lua_format);
  wrap(L, LUA_TABLIBNAME, "move", lua_move);
  wrap(L, LUA_TABLIBNAME, "insert", lua_insert_element);
  wrap(L, LUA_TABLIBNAME, "remove", lua_remove_element);
  wrap(L, LUA_TABLIBNAME, "sort", lua_sort);
  wrap(L, LUA_TABLIBNAME, "concat", lua_join);
  wrap(L, LUA_MATHLIBNAME, "randomseed", lua_seed);
  lua_pushcfunction(L, lua_print);
  lua_setglobal(L, "print");
  lua_pushcfunction(L, lua_to_string);
  lua_setglobal(L, "tostring");
}

static int set_up(lua_State *L) {
  open_libraries(L);
  if (luaL_loadbufferx(L, SORTED_PAIRS, sizeof SORTED_PAIRS - 1, "=pairs", "t") != LUA_OK)
    lua_error(L);
  lua_call(L, 0, 0);
  remove_unsafe(L);
  lua_getglobal(L, LUA_MATHLIBNAME);
  lua_getfield(L, -1, "randomseed");
  lua_pushinteger(L, 1); // any fixed seed: Lua starts with one from the clock
  lua_call(L, 1, 0);
  return 0;
}

vb_status vb_sandbox_open(const char *home, vb_lua_limits limits, vb_sandbox **out,
                          vb_error *error) {
  vb_sandbox *sandbox = calloc(1, sizeof *sandbox);
  if (!sandbox)
    return vb_error_memory(error);
  sandbox->home = home;
  sandbox->limits = limits;
  sandbox->every = INT_MAX;
  sandbox->begun = vb_clock_thread();
  sandbox->lua = lua_newstate(allocate, sandbox);
  if (!sandbox->lua) {
    free(sandbox);
    return vb_error_memory(error);
  }
  *(vb_sandbox **)lua_getextraspace(sandbox->lua) = sandbox;
  vb_status status = vb_sandbox_run(sandbox, set_up, NULL, error);
  if (status) {
    vb_sandbox_close(sandbox);
    return status;
  }
  int every = limits.instructions < LOOK_EVERY ? (int)limits.instructions : LOOK_EVERY;
  check_more_often(sandbox, every > 0 ? every : 1);
  *out = sandbox;
  return VB_OK;
}

void vb_sandbox_name_script(vb_sandbox *sandbox, const char *path) {
  snprintf(sandbox->path, sizeof sandbox->path, "%s", path);
}

void vb_sandbox_place_script(vb_sandbox *sandbox, const char *path) {
  const char *slash = strrchr(path, '/');
  if (slash)
    snprintf(sandbox->folder, sizeof sandbox->folder, "%.*s", (int)(slash - path), path);
  else
    strcpy(sandbox->folder, ".");
}

void vb_sandbox_close(vb_sandbox *sandbox) {
  if (!sandbox)
    return;
  lua_close(sandbox->lua);
  free(sandbox);
}

/// The message of the Lua error on top of the stack.
static vb_status describe(vb_sandbox *sandbox, int code, vb_error *error) {
  const char *message = lua_tostring(sandbox->lua, -1);
  if (code == LUA_ERRMEM)
    return vb_bad_input(error, "%s: the script needs more than %zu bytes of memory", sandbox->path,
                        sandbox->limits.memory);
  if (!message)
    return vb_bad_input(error, "%s: the script raised an error that is not a string",
                        sandbox->path);
  if (strcmp(message, sandbox->thrown.message) == 0)
    return vb_error_set(error, sandbox->thrown.status, "%s", message);
  // Every script's name ends in .lua, so a message that has its place can be told.
  if (strstr(message, ".lua:"))
    return vb_bad_input(error, "%s", message);
  return vb_bad_input(error, "%s: %s", sandbox->path, message);
}

vb_status vb_sandbox_run(vb_sandbox *sandbox, lua_CFunction callback, void *context,
                         vb_error *error) {
  lua_State *L = sandbox->lua;
  lua_pushcfunction(L, callback);
  lua_pushlightuserdata(L, context);
  vb_time_limit before = vb_time_limit_set((vb_time_limit){is_over, set_waiting, sandbox});
  int code = lua_pcall(L, 1, 0, 0);
  vb_time_limit_set(before);
  vb_status status = code == LUA_OK ? VB_OK : describe(sandbox, code, error);
  if (!status && vb_sandbox_is_late(sandbox))
    status = vb_bad_input(error,
                          "%s: the script took more than %g s of processor time (option "
                          "--script-time SECONDS)",
                          sandbox->path, sandbox->limits.seconds);
  lua_settop(L, 0);
  return status;
}

void vb_sandbox_do(lua_State *L, const char *path, const char *text) {
  lua_pushfstring(L, "@%s", path);
  // An error of the syntax has its place in the message already.
  if (luaL_loadbufferx(L, text, strlen(text), lua_tostring(L, -1), "t") != LUA_OK)
    lua_error(L);
  lua_remove(L, -2);
  lua_call(L, 0, 1);
}
