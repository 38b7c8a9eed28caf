// SPDX-License-Identifier: GPL-3.0-or-later
/// A sandbox for scenario scripts: Lua 5.4 with limits of time and memory and without access to
/// files or programs.
///
/// A script sees the base functions, math, string, table and utf8, less whatever could read a file,
/// run for ever inside one call, or answer differently the next time (scenarios/writing.md).
#ifndef VB_SCRIPT_RUNTIME_LUA_SANDBOX_H
#define VB_SCRIPT_RUNTIME_LUA_SANDBOX_H

#include "base/status.h"

#include <lauxlib.h>
#include <lua.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What a script may use up. Scenes count as memory of the script.
typedef struct vb_lua_limits {
  size_t memory;        ///< bytes
  int64_t instructions; ///< of Lua's virtual machine
  double seconds;       ///< of processor time, 0: any; passed by one call of a function at most
  size_t printed;       ///< bytes, 0: any
} vb_lua_limits;

/// The limits of every study. Memory: a scene of ten million nodes fits, and a machine with little
/// memory survives a script that requests more. Instructions: ten to twenty seconds of Lua, far
/// more than building the largest scene takes. Time, which --script-time sets, is for what counts
/// as one instruction and is long: functions of the libraries and the program's own.
#define VB_LUA_LIMITS ((vb_lua_limits){(size_t)4 << 30, INT64_C(1000000000), 60, (size_t)1 << 20})

typedef struct vb_sandbox {
  lua_State *lua;
  vb_lua_limits limits;
  size_t memory;        ///< bytes in use
  size_t largest;       ///< about the largest block that was ever in use, bytes
  int every;            ///< instructions between two looks at the limits
  int64_t instructions; ///< run so far
  double begun;         ///< time at the beginning, s: of the processor, of the wall where it waits
  double last_check;    ///< when the clock of the thread was last looked at, s of the wall
  bool waiting;         ///< for another process: the time of the wall counts
  size_t printed;       ///< bytes so far
  size_t touch;         ///< since the latest look at the clock, about bytes
  const char *home;     ///< the folder that holds scenarios/lib; the caller's
  char path[512];       ///< of the running script, as messages show it
  char folder[4096];    ///< that it lies in, where its own files are looked for; empty: none
  vb_error thrown;      ///< the latest failure that vb_lua_throw raised
} vb_sandbox;

/// Opens a sandbox; `home` must outlive it. Freed by vb_sandbox_close.
vb_status vb_sandbox_open(const char *home, vb_lua_limits limits, vb_sandbox **out,
                          vb_error *error);
void vb_sandbox_close(vb_sandbox *sandbox);

/// The sandbox that a state belongs to.
vb_sandbox *vb_sandbox_of(lua_State *L);

/// Runs `callback` with `context` as its one argument, a light userdata. A Lua error in it is
/// VB_BAD_INPUT (or the status given to vb_lua_throw) with the file and line of the script in
/// front.
vb_status vb_sandbox_run(vb_sandbox *sandbox, lua_CFunction callback, void *context,
                         vb_error *error);

/// Names the script that a message without a line is about.
void vb_sandbox_name_script(vb_sandbox *sandbox, const char *path);

/// Says at which path the running script lies, beside which its own files are looked for.
void vb_sandbox_place_script(vb_sandbox *sandbox, const char *path);

/// Reads a script of at most 16 MiB, which messages call `shown`. Refuses binary chunks and
/// whatever is no text. The caller frees `*out`, which ends with a zero.
vb_status vb_script_read(const char *path, const char *shown, char **out, vb_error *error);

/// Reads a script and leaves its compiled function on the stack. Errors of its syntax are
/// VB_BAD_INPUT.
vb_status vb_script_load(lua_State *L, const char *path, const char *shown, vb_error *error);

/// Compiles the text of the script that messages call `path`, runs it, and leaves its one result on
/// the stack. Raises Lua errors.
void vb_sandbox_do(lua_State *L, const char *path, const char *text);

/// Counts `bytes` that a scene of the script holds; beyond the limit a Lua error. Give them back
/// with vb_sandbox_uncharge.
void vb_sandbox_charge(lua_State *L, size_t bytes);
void vb_sandbox_uncharge(lua_State *L, size_t bytes);

/// Raises a Lua error where the script's time is up, at most a millisecond later. To be called
/// before anything long.
void vb_sandbox_check(lua_State *L);

/// The same as a question, for what cannot be left by an error. What the program does for a script
/// asks it by base/time_limit.h.
bool vb_sandbox_is_late(const vb_sandbox *sandbox);

/// Counts about `bytes` that one call goes through, and does as vb_sandbox_check does every so
/// often: for loops over what a script made.
void vb_sandbox_touch(lua_State *L, size_t bytes);

/// Whether a script's memory can hold a list of `n` elements. Lua takes the length of a table with
/// holes for anything.
bool vb_sandbox_holds(lua_State *L, lua_Unsigned n);

/// Pushes an array of `n` elements of `size` bytes, not set, which lives as long as it is on the
/// stack. A Lua error where the script's memory does not hold it.
void *vb_lua_array(lua_State *L, size_t n, size_t size);

/// Raises a Lua error: the file and line of the script, and the formatted message.
_Noreturn void vb_lua_fail(lua_State *L, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/// Raises the failure `error` of a callee as a Lua error, or that the script's time is up where it
/// is. Its status is kept, with the script's file
/// and line and `who` (or neither, where `who` is null) in front.
_Noreturn void vb_lua_throw(lua_State *L, const char *who, const vb_error *error);

#endif
