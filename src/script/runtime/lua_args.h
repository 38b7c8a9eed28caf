// SPDX-License-Identifier: GPL-3.0-or-later
/// Typed reading of the tables that scripts pass to functions. Every function here raises a Lua
/// error with the script's file and line if a value is invalid.
#ifndef VB_SCRIPT_RUNTIME_LUA_ARGS_H
#define VB_SCRIPT_RUNTIME_LUA_ARGS_H

#include "script/runtime/lua_sandbox.h"

/// A table being read.
typedef struct vb_args {
  lua_State *L;
  int table;    ///< its absolute place on the stack
  char who[96]; ///< what messages call it ("rod")
} vb_args;

/// A point of a rod at which functions of t are evaluated.
typedef struct vb_sample {
  size_t index;       ///< of the node or segment
  size_t count;       ///< of nodes or segments
  double argument[4]; ///< t, and for some functions x, y, z
  int n_arguments;
} vb_sample;

/// Begins to read the table at `index`. Its keys must be among the words of `keys`, with one blank
/// between two ("node name"); an unknown one is an error that names the nearest known.
vb_args vb_args_open(lua_State *L, int index, const char *who, const char *keys);

/// Whether `word` is one of the words of `keys`.
bool vb_args_lists(const char *keys, const char *word);

/// The table at `index`, whose keys are not checked.
vb_args vb_args_of(lua_State *L, int index, const char *who);

/// Raises an error about the table: its place, its name, the message.
_Noreturn void vb_args_fail(const vb_args *args, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/// Whether the table has `key`.
bool vb_args_has(const vb_args *args, const char *key);

/// Pushes the value of `key` and returns its Lua type.
int vb_args_push(const vb_args *args, const char *key);

/// A finite number; `otherwise` where the key is missing. The first is an error without it.
double vb_args_number(const vb_args *args, const char *key);
double vb_args_number_or(const vb_args *args, const char *key, double otherwise);

/// A whole number of [minimum, maximum].
int64_t vb_args_integer(const vb_args *args, const char *key, int64_t minimum, int64_t maximum);
int64_t vb_args_integer_or(const vb_args *args, const char *key, int64_t minimum, int64_t maximum,
                           int64_t otherwise);

bool vb_args_boolean_or(const vb_args *args, const char *key, bool otherwise);

/// A text of UTF-8 without zero bytes, not empty; it lives as long as the table has it. Null where
/// the key is missing and `required` is not set.
const char *vb_args_string(const vb_args *args, const char *key, bool required);

/// A text that fits `out` of `size` bytes, its zero included; whether the key is there.
bool vb_args_name(const vb_args *args, const char *key, char *out, size_t size);

/// Numbers of a list that are read at once, at most.
#define VB_ARGS_MOST_NUMBERS 6

/// A list of exactly `n` finite numbers; false, and `out` untouched, where the key is missing.
bool vb_args_vector(const vb_args *args, const char *key, int n, double *out);

/// `n` finite numbers at a point: a constant, a function of the point's arguments, or (n = 1) a
/// list of one number per point. False, and `out` untouched, where the key is missing.
bool vb_args_sample(const vb_args *args, const char *key, const vb_sample *at, int n, double *out);

/// The length of the list at `key`, 0 where it is missing.
int64_t vb_args_length(const vb_args *args, const char *key);

/// Element `i` (from 0) of the list at `key`: a finite number, or a whole one of [minimum,
/// maximum].
double vb_args_number_at(const vb_args *args, const char *key, int64_t i);
int64_t vb_args_integer_at(const vb_args *args, const char *key, int64_t i, int64_t minimum,
                           int64_t maximum);

/// Element `i`, from 0, of the list at `key`, a text that belongs to the list.
const char *vb_args_text_at(const vb_args *args, const char *key, int64_t i);

/// Checks that the value at `index`, called `key`, is a text of UTF-8, and returns it.
const char *vb_args_text(const vb_args *args, int index, const char *key);

/// List `i` (from 0), called `what`, of the list of lists at `key`, which is at the top of the
/// stack: `n` finite numbers.
void vb_args_row(const vb_args *args, const char *key, const char *what, size_t i, int n,
                 double *out);

/// A number that must be positive, or must not be negative (`otherwise` where the key is missing).
/// `unit` follows the number in messages: " m", or "".
double vb_args_positive(const vb_args *args, const char *key, const char *unit);
double vb_args_not_negative_or(const vb_args *args, const char *key, const char *unit,
                               double otherwise);

/// Says that `word` is not one of the `n` `known` ones, and which is nearest. `kind` as in "key".
_Noreturn void vb_args_unknown(const vb_args *args, const char *kind, const char *word,
                               const char *const *known, size_t n);

/// The place of `word` in `known`, ended by a null; otherwise as vb_args_unknown.
int vb_args_choice(const vb_args *args, const char *kind, const char *word,
                   const char *const *known);

#endif
