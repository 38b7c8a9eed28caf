// SPDX-License-Identifier: GPL-3.0-or-later
/// Whether names can be names of datasets in a record.
#include "scene/checks.h"

#include <stdlib.h>
#include <string.h>

/// "/" and a single "." have a meaning in the paths of a results file.
static vb_status check_name(vb_tag what, size_t of, const char *name, vb_error *error) {
  size_t length = strnlen(name, VB_NAME_SIZE);
  if (length == VB_NAME_SIZE)
    return vb_bad_input(error, "%s %zu: its name has no end; %d letters at most", vb_tag_name(what),
                        of, VB_NAME_SIZE - 1);
  if (length == 0)
    return vb_bad_input(error, "%s %zu: its name is empty; it needs one", vb_tag_name(what), of);
  bool clean = strcmp(name, ".") != 0;
  for (size_t i = 0; i < length; i++)
    clean = clean && name[i] != '/' && (unsigned char)name[i] >= ' ' && name[i] != 127;
  if (!clean)
    return vb_bad_input(error,
                        "%s %zu: its name should hold no \"/\" and no control character, "
                        "and not be \".\"",
                        vb_tag_name(what), of);
  return VB_OK;
}

static int compare_names(const void *left, const void *right) {
  const char *const *a = left;
  const char *const *b = right;
  return strcmp(*a, *b);
}

/// Checks that no two of the `n` `names` of set `tag` are the same; sorts them.
static vb_status check_own(vb_tag tag, const char **names, size_t n, vb_error *error) {
  qsort(names, n, sizeof *names, compare_names);
  for (size_t i = 1; i < n; i++)
    if (strcmp(names[i - 1], names[i]) == 0)
      return vb_bad_input(error, "two %ss are called \"%s\"; each needs a name of its own",
                          vb_tag_name(tag), names[i]);
  return VB_OK;
}

/// Writes the names of set `tag`; returns how many there are.
static size_t list_names(const vb_sets *sets, vb_tag tag, const char **names) {
  size_t n, size = vb_element_size(tag);
  const char *element = vb_sets_get(sets, tag, &n);
  for (size_t i = 0; i < n; i++)
    names[i] = element + i * size;
  return n;
}

/// Checks that no element of set `tag` is called as one of the `n` sorted `names` of set `other`.
static vb_status check_apart(const vb_sets *sets, vb_tag tag, vb_tag other, const char **names,
                             size_t n, vb_error *error) {
  size_t count, size = vb_element_size(tag);
  const char *element = vb_sets_get(sets, tag, &count);
  for (size_t i = 0; i < count; i++, element += size)
    if (bsearch(&element, names, n, sizeof *names, compare_names))
      return vb_bad_input(error, "%s %zu: a %s is called \"%s\", too; their names should differ",
                          vb_tag_name(tag), i, vb_tag_name(other), element);
  return VB_OK;
}

/// The work of drivers, loads and activations is recorded side by side, so that names tell them
/// apart. Loads may share a name, and so may activations.
static vb_status check_distinct(const vb_sets *sets, const char **names, vb_error *error) {
  static const vb_tag OWN[] = {VB_SET_DRIVER, VB_SET_BONE, VB_SET_LINK, VB_SET_COLLIDER};
  static const vb_tag APART[][2] = {{VB_SET_LOAD, VB_SET_DRIVER},
                                    {VB_SET_ACTIVATION, VB_SET_DRIVER},
                                    {VB_SET_ACTIVATION, VB_SET_LOAD},
                                    {VB_SET_BONE, VB_SET_DRIVER},
                                    {VB_SET_BONE, VB_SET_LOAD}};
  vb_status status = VB_OK;
  for (size_t k = 0; status == VB_OK && k < sizeof OWN / sizeof *OWN; k++)
    status = check_own(OWN[k], names, list_names(sets, OWN[k], names), error);
  for (size_t k = 0; status == VB_OK && k < sizeof APART / sizeof *APART; k++) {
    size_t n = list_names(sets, APART[k][1], names);
    qsort(names, n, sizeof *names, compare_names);
    status = check_apart(sets, APART[k][0], APART[k][1], names, n, error);
  }
  return status;
}

vb_status vb_check_names(const vb_sets *sets, vb_error *error) {
  size_t most = 0;
  vb_status status = VB_OK;
  for (vb_tag tag = VB_SET_BODY; tag < VB_SET_COUNT; tag++) {
    size_t n, size = vb_element_size(tag);
    const char *element = vb_sets_get(sets, tag, &n);
    if (!vb_schema_find(tag, VB_KIND_NAME))
      continue;
    most = n > most ? n : most;
    for (size_t i = 0; status == VB_OK && i < n; i++, element += size)
      status = check_name(tag, i, element, error);
  }
  if (status != VB_OK)
    return status;
  const char **names = reallocarray(NULL, most + 1, sizeof *names);
  if (!names)
    return vb_error_memory(error);
  status = check_distinct(sets, names, error);
  free(names);
  return status;
}
