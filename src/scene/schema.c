// SPDX-License-Identifier: GPL-3.0-or-later
#include "scene/schema.h"

#include "scene/members.h"

#include <string.h>

// What the kinds are in C.
#define TYPE_REAL     double
#define TYPE_LONG     int64_t
#define TYPE_NUMBER   int32_t
#define TYPE_INDEX    int32_t
#define TYPE_LOCATION int32_t
#define TYPE_PLACE    int32_t
#define TYPE_CHOICE   int32_t
#define TYPE_FLAG     int32_t
#define TYPE_MASK     uint32_t
#define TYPE_NAME     char
#define TYPE_RESERVED int32_t

#define MEMBER(T, KIND, member, count, ...)                                                        \
  {.name = #member,                                                                                \
   .kind = VB_KIND_##KIND,                                                                         \
   .offset = offsetof(T, member),                                                                  \
   .n = (count),                                                                                   \
   __VA_ARGS__},
#define TABLE(tag, name, type, array, text)                                                        \
  static const vb_member array[] = {MEMBERS_##tag(MEMBER, type)};
VB_SCENE_SETS(TABLE)

#define SET(tag, name, type, array, text)                                                          \
  [VB_SET_##tag] = {name, #array, text, sizeof(type), array, sizeof array / sizeof *array},
const vb_schema_set vb_schema[VB_SET_COUNT] = {VB_SCENE_SETS(SET)};

// A member that is not listed, or listed otherwise than it is declared, does not compile. There is
// no padding, so that equal scenes are equal bytes.
#define BYTES(T, KIND, member, count, ...) +sizeof(((T *)0)->member)
#define COVERED(tag, name, type, array, text)                                                      \
  _Static_assert((0 MEMBERS_##tag(BYTES, type)) == sizeof(type) && sizeof(type) % 8 == 0,          \
                 "members.h lists all of " #type ", and nothing is padding");
VB_SCENE_SETS(COVERED)

#define FITS(T, KIND, member, count, ...)                                                          \
  _Static_assert(_Generic(((T *)0)->member, TYPE_##KIND : 1, TYPE_##KIND * : 1,                    \
                          TYPE_##KIND(*)[3] : 1, default : 0) &&                                   \
                     sizeof(((T *)0)->member) == (count) * sizeof(TYPE_##KIND),                    \
                 #T "." #member " is declared as members.h lists it");
#define FIT(tag, name, type, array, text) MEMBERS_##tag(FITS, type)
VB_SCENE_SETS(FIT)

// Two members of one name do not compile.
#define DECLARED(T, KIND, member, count, ...) TYPE_##KIND member;
#define ONCE(tag, name, type, array, text)                                                         \
  struct once_##array {                                                                            \
    MEMBERS_##tag(DECLARED, type)                                                                  \
  };
VB_SCENE_SETS(ONCE)

const vb_member *vb_schema_find(vb_tag tag, vb_kind kind) {
  for (int i = 0; i < vb_schema[tag].n_members; i++)
    if (vb_schema[tag].members[i].kind == kind)
      return &vb_schema[tag].members[i];
  return NULL;
}

const vb_member *vb_schema_member(vb_tag tag, const char *name) {
  for (int i = 0; i < vb_schema[tag].n_members; i++)
    if (strcmp(vb_schema[tag].members[i].name, name) == 0)
      return &vb_schema[tag].members[i];
  return NULL;
}

vb_title vb_member_title(const vb_member *member) {
  vb_title title;
  snprintf(title.text, sizeof title.text, "%s", member->title ? member->title : member->name);
  for (char *c = title.text; !member->title && *c; c++)
    *c = *c == '_' ? ' ' : *c;
  return title;
}

const char *vb_member_text(const vb_member *member) {
  return member->text ? member->text : member->datasets[0].long_name;
}

double vb_member_initial(const vb_member *member, int k) {
  if (member->optional)
    return -1;
  return k < (int)(sizeof member->initial / sizeof *member->initial) ? member->initial[k] : 0;
}

bool vb_member_word(const vb_member *member, int k, char word[24]) {
  const char *from = member->words;
  for (; from && k > 0; k--) {
    from = strchr(from, ' ');
    if (from)
      from++;
  }
  if (!from)
    return false;
  snprintf(word, 24, "%.*s", (int)strcspn(from, " "), from);
  return true;
}

/// Writes component `k` of a number.
static void set_component(const vb_member *member, char *element, int k, double value) {
  char *at = element + member->offset;
  switch (member->kind) {
  case VB_KIND_REAL:
    ((double *)(void *)at)[k] = value;
    break;
  case VB_KIND_MASK:
    ((uint32_t *)(void *)at)[k] = (uint32_t)value;
    break;
  case VB_KIND_LONG:
  case VB_KIND_NAME:
    break;
  default:
    ((int32_t *)(void *)at)[k] = (int32_t)value;
  }
}

void vb_schema_initialize(vb_tag tag, void *element) {
  const vb_schema_set *set = &vb_schema[tag];
  memset(element, 0, set->size);
  for (int i = 0; i < set->n_members; i++)
    for (int k = 0; k < set->members[i].n; k++)
      set_component(&set->members[i], element, k, vb_member_initial(&set->members[i], k));
}

vb_tag vb_location_tag(int32_t location) {
  static const vb_tag TAG[] = {
      [VB_AT_NODE] = VB_SET_NODE,
      [VB_AT_SEGMENT] = VB_SET_SEGMENT,
      [VB_AT_JOINT] = VB_SET_JOINT,
      [VB_AT_VERTEX] = VB_SET_SURFACE_VERTEX,
      [VB_AT_TETRAHEDRON] = VB_SET_TETRAHEDRON,
      [VB_AT_BODY] = VB_SET_BODY,
      [VB_AT_HALF_PLANE] = VB_SET_HALF_PLANE,
      [VB_AT_COLLIDER] = VB_SET_COLLIDER,
      [VB_AT_BONE] = VB_SET_BONE,
      [VB_AT_LINK] = VB_SET_LINK,
  };
  bool known = location >= 0 && (size_t)location < sizeof TAG / sizeof *TAG;
  return known ? TAG[location] : VB_SET_NONE;
}

vb_key_member vb_schema_key(vb_tag tag) {
  vb_key_member key = {0};
  for (int i = 0; i < vb_schema[tag].n_members; i++) {
    const vb_member *member = &vb_schema[tag].members[i];
    if (member->key) {
      key.first = key.first ? key.first : member;
      key.n += member->n;
    }
  }
  return key;
}
