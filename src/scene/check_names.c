// SPDX-License-Identifier: GPL-3.0-or-later
/// Whether names can be names of datasets in a record.
#include "scene/sets.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/// "/" and a single "." have a meaning in the paths of a results file.
static vb_status check_name(vb_tag what, size_t of, const char name[VB_NAME_SIZE],
                            vb_error *error) {
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

/// The work of drivers and loads is recorded side by side, so that names tell them apart. Loads may
/// share a name.
static vb_status check_distinct(const vb_sets *sets, vb_error *error) {
  size_t n = sets->n_drivers;
  const char **names = malloc((n + 1) * sizeof *names);
  if (!names)
    return vb_error_memory(error);
  for (size_t i = 0; i < n; i++)
    names[i] = sets->drivers[i].name;
  qsort(names, n, sizeof *names, compare_names);
  vb_status status = VB_OK;
  for (size_t i = 1; status == VB_OK && i < n; i++)
    if (strcmp(names[i - 1], names[i]) == 0)
      status = vb_bad_input(error, "two drivers are called \"%s\"; each needs a name of its own",
                            names[i]);
  for (size_t i = 0; status == VB_OK && i < sets->n_loads; i++) {
    const char *name = sets->loads[i].name;
    if (bsearch(&name, names, n, sizeof *names, compare_names))
      status = vb_bad_input(
          error, "load %zu: a driver is called \"%s\", too; their names should differ", i, name);
  }
  free(names);
  return status;
}

vb_status vb_check_names(const vb_sets *sets, vb_error *error) {
  vb_status status = VB_OK;
  for (size_t i = 0; status == VB_OK && i < sets->n_bodies; i++)
    status = check_name(VB_SET_BODY, i, sets->bodies[i].name, error);
  for (size_t i = 0; status == VB_OK && i < sets->n_drivers; i++)
    status = check_name(VB_SET_DRIVER, i, sets->drivers[i].name, error);
  for (size_t i = 0; status == VB_OK && i < sets->n_loads; i++)
    status = check_name(VB_SET_LOAD, i, sets->loads[i].name, error);
  return status == VB_OK ? check_distinct(sets, error) : status;
}
