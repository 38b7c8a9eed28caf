// SPDX-License-Identifier: GPL-3.0-or-later
/// s:set(NAME, {...}): an element of any set by its members, as the schema of scenes lists them.
#include "base/text.h"
#include "scene/schema.h"
#include "script/scene/lua_scene.h"

#include <stdio.h>
#include <string.h>

/// More words than any choice, mask or list of locations has.
enum { MOST_WORDS = 32 };

/// Words of a member, or of locations, and what they stand for.
typedef struct words {
  char text[MOST_WORDS][24];
  int32_t value[MOST_WORDS];
  int n;
} words;

static void add_word(words *to, const char *word, int32_t value) {
  snprintf(to->text[to->n], sizeof *to->text, "%s", word);
  to->value[to->n++] = value;
}

static words words_of(const vb_member *member) {
  words out = {.n = 0};
  char word[24];
  for (int32_t k = 0; k < MOST_WORDS && vb_member_word(member, k, word); k++)
    add_word(&out, word, k);
  for (int32_t k = 0; member->locations >> k; k++)
    if (member->locations >> k & 1)
      add_word(&out, vb_tag_name(vb_location_tag(k)), k);
  return out;
}

static int32_t choose(const vb_args *args, const char *key, const words *known, const char *word) {
  const char *list[MOST_WORDS + 1] = {0};
  for (int i = 0; i < known->n; i++)
    list[i] = known->text[i];
  return known->value[vb_args_choice(args, key, word, list)];
}

int32_t vb_lua_choice(const vb_args *args, const char *key, vb_tag tag, const char *member,
                      const char *word) {
  words known = words_of(vb_schema_member(tag, member));
  return choose(args, key, &known, word);
}

void vb_lua_read_name(const vb_args *args, const vb_lua_scene *scene, vb_tag tag, char *name) {
  if (!vb_args_name(args, "name", name, VB_NAME_SIZE))
    snprintf(name, VB_NAME_SIZE, "%s%lld", vb_tag_name(tag), (long long)vb_lua_count(scene, tag));
}

/// What a member is read with.
typedef struct reader {
  const vb_args *args;
  vb_lua_scene *scene;
  const vb_member *member;
  const char *key; ///< the member's name
} reader;

/// Checks an index, component `k` of a member. Bodies and joints are made when the scene is frozen.
static int32_t check_index(const reader *r, int64_t index, int k) {
  const vb_member *m = r->member;
  bool later = m->of == VB_SET_BODY || m->of == VB_SET_JOINT;
  int64_t n = later ? INT32_MAX : vb_lua_count(r->scene, m->of);
  if ((index >= 0 && index < n) || (index == -1 && m->optional >> k & 1))
    return (int32_t)index;
  vb_args_fail(r->args, "\"%s\": there is no %s %lld; the scene has %lld so far, counted from 0",
               r->key, vb_tag_name(m->of), (long long)index, (long long)n);
}

static void read_indexes(const reader *r, int32_t *out) {
  int n = r->member->n;
  if (!vb_args_has(r->args, r->key))
    return;
  bool list = vb_args_push(r->args, r->key) == LUA_TTABLE;
  lua_pop(r->args->L, 1);
  if (n == 1 && list && r->member->of == VB_SET_CURVE)
    *out = vb_lua_curve(r->args, r->scene, r->key);
  else if (n == 1)
    *out = check_index(r, vb_args_integer(r->args, r->key, INT64_MIN, INT64_MAX), 0);
  else if (vb_args_length(r->args, r->key) != n)
    vb_args_fail(r->args, "\"%s\" must be a list of %d indexes", r->key, n);
  for (int k = 0; n > 1 && k < n; k++)
    out[k] = check_index(r, vb_args_integer_at(r->args, r->key, k, INT64_MIN, INT64_MAX), k);
}

static void read_reals(const reader *r, double *out) {
  const vb_member *m = r->member;
  if (m->rows && vb_args_has(r->args, r->key)) {
    if (vb_args_length(r->args, r->key) != m->rows)
      vb_args_fail(r->args, "\"%s\" must be a list of %d lists", r->key, m->rows);
    vb_args_push(r->args, r->key);
    for (int i = 0; i < m->rows; i++)
      vb_args_row(r->args, r->key, "list", (size_t)i, m->n / m->rows, out + i * (m->n / m->rows));
    lua_pop(r->args->L, 1);
  } else if (m->n == 1) {
    *out = vb_args_number_or(r->args, r->key, *out);
  } else {
    vb_args_vector(r->args, r->key, m->n, out);
  }
}

/// A mask is a number, or, where its bits have names, a text of these with blanks between.
static void read_mask(const reader *r, uint32_t *out) {
  bool text = vb_args_push(r->args, r->key) == LUA_TSTRING && r->member->words;
  lua_pop(r->args->L, 1);
  if (!text) {
    *out = (uint32_t)vb_args_integer_or(r->args, r->key, 0, UINT32_MAX, *out);
    return;
  }
  words known = words_of(r->member);
  const char *at = vb_args_string(r->args, r->key, true);
  for (*out = 0; *at; at += strspn(at, " ")) {
    char word[24];
    size_t length = strcspn(at, " ");
    snprintf(word, sizeof word, "%.*s", (int)length, at);
    *out |= UINT32_C(1) << choose(r->args, r->key, &known, word);
    at += length;
  }
}

/// Reads an index at the location that was read before it.
static void read_place(const reader *r, int32_t *out) {
  *out = vb_lua_index(r->args, r->scene, vb_location_tag(out[-1]), r->key);
}

static void read_word(const reader *r, int32_t *out) {
  bool needed = r->member->kind == VB_KIND_LOCATION;
  const char *word = vb_args_string(r->args, r->key, needed);
  words known = words_of(r->member);
  if (word)
    *out = choose(r->args, r->key, &known, word);
}

static void read_member(const reader *r, vb_tag tag, char *element) {
  void *out = element + r->member->offset;
  switch (r->member->kind) {
  case VB_KIND_REAL:
    read_reals(r, out);
    break;
  case VB_KIND_LONG:
    *(int64_t *)out = vb_args_integer_or(r->args, r->key, INT64_MIN, INT64_MAX, *(int64_t *)out);
    break;
  case VB_KIND_NUMBER:
    *(int32_t *)out =
        (int32_t)vb_args_integer_or(r->args, r->key, INT32_MIN, INT32_MAX, *(int32_t *)out);
    break;
  case VB_KIND_INDEX:
    read_indexes(r, out);
    break;
  case VB_KIND_PLACE:
    read_place(r, out);
    break;
  case VB_KIND_LOCATION:
  case VB_KIND_CHOICE:
    read_word(r, out);
    break;
  case VB_KIND_FLAG:
    *(int32_t *)out = vb_args_boolean_or(r->args, r->key, *(int32_t *)out);
    break;
  case VB_KIND_MASK:
    read_mask(r, out);
    break;
  case VB_KIND_NAME:
    vb_lua_read_name(r->args, r->scene, tag, out);
    break;
  default:;
  }
}

/// The members of a set that scripts give, as vb_args_open takes them.
static void list_members(vb_tag tag, char keys[512]) {
  keys[0] = '\0';
  for (int i = 0; i < vb_schema[tag].n_members; i++)
    if (vb_schema[tag].members[i].kind != VB_KIND_RESERVED)
      vb_text_add(keys, 512, "%s%s", *keys ? " " : "", vb_schema[tag].members[i].name);
}

/// The set that the argument at index 2 names. The world and bodies are made otherwise.
static vb_tag read_tag(lua_State *L) {
  const char *known[VB_SET_COUNT] = {0};
  for (int tag = VB_SET_NODE; tag < VB_SET_COUNT; tag++)
    known[tag - VB_SET_NODE] = vb_schema[tag].name;
  if (lua_gettop(L) != 3 || lua_type(L, 2) != LUA_TSTRING)
    vb_lua_fail(L, "set: takes the name of a set and one table of its members, as in "
                   "s:set(\"bending\", {...})");
  vb_args args = {.L = L, .table = 3, .who = "set"};
  return VB_SET_NODE + (vb_tag)vb_args_choice(&args, "set", vb_args_text(&args, 2, "set"), known);
}

int vb_lua_set(lua_State *L) {
  vb_tag tag = read_tag(L);
  lua_remove(L, 2);
  vb_lua_scene *scene = vb_lua_scene_self(L, "set");
  char who[48], keys[512];
  snprintf(who, sizeof who, "set %s", vb_tag_name(tag));
  list_members(tag, keys);
  vb_args args = vb_args_open(L, 2, who, keys);
  char *element = lua_newuserdatauv(L, vb_schema[tag].size, 0);
  vb_schema_initialize(tag, element);
  for (int i = 0; i < vb_schema[tag].n_members; i++) {
    const vb_member *member = &vb_schema[tag].members[i];
    read_member(&(reader){&args, scene, member, member->name}, tag, element);
  }
  if (tag == VB_SET_NODE && !vb_args_has(&args, "position"))
    memcpy(((vb_node *)(void *)element)->position, ((vb_node *)(void *)element)->rest_position,
           sizeof(((vb_node *)0)->position));
  lua_pushinteger(L, vb_lua_add(&args, scene, tag, element, vb_schema[tag].size));
  return 1;
}
