// SPDX-License-Identifier: GPL-3.0-or-later
/// Numbers that are planted in sound scenes, and what the checks must say of them.
#ifndef VB_TESTS_SUPPORT_SCENE_DEFECTS_H
#define VB_TESTS_SUPPORT_SCENE_DEFECTS_H

#include "scene/sets.h"
#include "test.h"

#include <string.h>

/// A number planted in a sound scene, and what the check says of it.
typedef struct defect {
  vb_tag tag;
  size_t index;
  size_t offset;
  char kind; ///< 'd' double, 'i' int32_t, 'l' int64_t, 'c' char
  double value;
  const char *message;
} defect;

#define IN(type, field) offsetof(type, field)

/// The element of a set, to be changed.
static inline void *defect_element(vb_scene *scene, vb_tag tag, size_t index) {
  size_t n;
  char *set = (char *)(uintptr_t)vb_scene_set(scene, tag, &n);
  ck_assert_uint_lt(index, n);
  return set + index * vb_element_size(tag);
}

/// Plants a defect in a scene of sound layout.
static inline void defect_plant(vb_scene *scene, const defect *d) {
  char *at = (char *)defect_element(scene, d->tag, d->index) + d->offset;
  int32_t i = (int32_t)d->value;
  int64_t l = (int64_t)d->value;
  if (d->kind == 'd')
    memcpy(at, &d->value, sizeof d->value);
  else if (d->kind == 'i')
    memcpy(at, &i, sizeof i);
  else if (d->kind == 'l')
    memcpy(at, &l, sizeof l);
  else
    *at = (char)d->value;
}

/// Checks that a scene is refused with a message that begins so; frees it.
static inline void defect_expect(vb_scene *scene, size_t bytes, const char *message) {
  vb_error error = {0};
  ck_assert_msg(vb_scene_check(scene, bytes, &error) == VB_BAD_INPUT, "not seen: %s", message);
  ck_assert_int_eq(error.status, VB_BAD_INPUT);
  ck_assert_msg(strncmp(error.message, message, strlen(message)) == 0, "%s\nshould be\n%s",
                error.message, message);
  free(scene);
}

#endif
