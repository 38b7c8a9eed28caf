// SPDX-License-Identifier: GPL-3.0-or-later
/// The schema of a scene: every set, and every member of its elements. From it follow the checks
/// of indexes, numbers and order, what a builder clears, the datasets of results files, what
/// scripts and Python call the members, and the page SETS.md.
#ifndef VB_SCENE_SCHEMA_H
#define VB_SCENE_SCHEMA_H

#include "scene/scene.h"

#include <stdio.h>

/// What a member is.
typedef enum vb_kind {
  VB_KIND_REAL,     ///< double
  VB_KIND_LONG,     ///< int64_t, a number
  VB_KIND_NUMBER,   ///< int32_t, a number
  VB_KIND_INDEX,    ///< int32_t, of an element of another set
  VB_KIND_LOCATION, ///< int32_t, vb_location
  VB_KIND_PLACE,    ///< int32_t, the index at the location before it
  VB_KIND_CHOICE,   ///< int32_t, one of some words
  VB_KIND_FLAG,     ///< int32_t, 0 or 1
  VB_KIND_MASK,     ///< uint32_t, bits
  VB_KIND_NAME,     ///< char[VB_NAME_SIZE], at the beginning of the element
  VB_KIND_RESERVED, ///< int32_t, 0
  VB_KIND_COUNT
} vb_kind;

/// What a number must be, besides finite.
typedef enum vb_rule {
  VB_RULE_FINITE,
  VB_RULE_POSITIVE,
  VB_RULE_NOT_NEGATIVE,
  VB_RULE_UNIT,     ///< a vector or quaternion of the norm 1
  VB_RULE_FRICTION, ///< static friction, followed by the kinetic one: 0 <= kinetic <= static
  VB_RULE_OWN       ///< a function of check_*.c checks the member, whatever its kind
} vb_rule;

/// A dataset of the group "topology" of a results file.
typedef struct vb_dataset {
  const char *name;
  int components; ///< numbers an element; those of the members that follow, too
  const char *long_name;
  const char *unit; ///< or null for that of the member
} vb_dataset;

/// At most so many datasets begin at a member.
enum { VB_MOST_DATASETS = 3 };

/// A member of an element. What is left out is 0.
typedef struct vb_member {
  const char *name;
  vb_kind kind;
  vb_rule rule;
  size_t offset;      ///< in the element [byte]
  int n;              ///< components
  int rows;           ///< the components are this many lists; 0 for one
  vb_tag of;          ///< index: of this set
  unsigned optional;  ///< index: bit k: component k may be -1 for none
  unsigned locations; ///< location: bit k: vb_location k is possible
  const char *words;  ///< choice: from 0; mask: of its bits; numbers: of their components
  bool key;           ///< elements are sorted by it, with one of each; a key may be two members
  double initial[3];  ///< components where none are given; of an optional index -1
  const char *title;  ///< in messages; null for its name
  const char *unit;   ///< null for 1
  const char *text;   ///< what it is; null for the long name of its first dataset
  vb_dataset datasets[VB_MOST_DATASETS]; ///< in the order of its components
} vb_member;

/// A set.
typedef struct vb_schema_set {
  const char *name;  ///< of one element
  const char *array; ///< of all of them
  const char *text;  ///< what they are
  size_t size;       ///< of an element [byte]
  const vb_member *members;
  int n_members;
} vb_schema_set;

/// All sets by tag; that of tag 0 is empty.
extern const vb_schema_set vb_schema[VB_SET_COUNT];

/// The first member of that kind of set `tag`, or null.
const vb_member *vb_schema_find(vb_tag tag, vb_kind kind);

/// The member of set `tag` with that name, or null.
const vb_member *vb_schema_member(vb_tag tag, const char *name);

/// What a member is called in messages.
typedef struct vb_title {
  char text[48];
} vb_title;
vb_title vb_member_title(const vb_member *member);

/// What a member is, in one line.
const char *vb_member_text(const vb_member *member);

/// Component `k` of a member before it is given.
double vb_member_initial(const vb_member *member, int k);

/// Word `k` of the words of a member; false where there are no more.
bool vb_member_word(const vb_member *member, int k, char word[24]);

/// Writes into the `size` bytes at `element` of set `tag` what it is before members are given.
void vb_schema_initialize(vb_tag tag, void *element);

/// The set at a location (vb_location), or VB_SET_NONE.
vb_tag vb_location_tag(int32_t location);

/// The key by which the elements of a set are sorted.
typedef struct vb_key_member {
  const vb_member *first; ///< null where the set is not sorted
  int n;                  ///< int32_t from there on, 1 or 2
} vb_key_member;
vb_key_member vb_schema_key(vb_tag tag);

/// Writes all sets and members: as the page SETS.md, and as lines for other languages: a line "set
/// NAME ARRAY SIZE" for each set, then one "NAME KIND OFFSET COMPONENTS ROWS INITIAL.. WORDS.." for
/// each of its members, parts separated by tabs, the lists by blanks.
void vb_schema_write_page(FILE *to);
void vb_schema_write_lines(FILE *to);

#endif
