// SPDX-License-Identifier: GPL-3.0-or-later
// Finds a solver by its name: in the program's table, in a shared object, or in a process that
// checks it.
#include "base/nearest_word.h"
#include "solver/plugin/plugin.h"
#include "solver/table.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/// The solver of the program of that name.
static vb_status find_own(const char *name, const vb_solver **out, vb_error *error) {
  const vb_solver *const *table = vb_solver_table();
  const char *names[VB_MOST_SOLVERS];
  char list[256] = "";
  size_t n = 0;
  for (; table[n]; n++) {
    names[n] = table[n]->describe(table[n])->name;
    if (strcmp(name, names[n]) == 0) {
      *out = table[n];
      return VB_OK;
    }
    size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s%s", n ? ", " : "", names[n]);
  }
  const char *near = vb_nearest_word(name, names, n);
  char object[300];
  if (snprintf(object, sizeof object, "./%s.so", name) < (int)sizeof object &&
      access(object, R_OK) == 0)
    return vb_bad_input(error, "unknown solver \"%s\"; did you mean the shared object %s?", name,
                        object);
  if (near)
    return vb_bad_input(error, "unknown solver \"%s\"; did you mean \"%s\"?", name, near);
  return vb_bad_input(error, "unknown solver \"%s\"; there is: %s", name, list);
}

vb_status vb_solver_find(const char *name, const vb_solver **out, vb_error *error) {
  const char *inner = vb_plugin_checked(name);
  const vb_solver *known;
  if (!inner && !vb_plugin_named(name))
    return find_own(name, out, error);
  if (inner && vb_plugin_checked(inner))
    return vb_bad_input(error, "solver %s: one \"check:\" is enough", name);
  if (inner && !vb_plugin_named(inner)) {
    vb_status status = find_own(inner, &known, error); // says what names there are
    if (status)
      return status;
  }
  return vb_plugin_open(name, NULL, out, error);
}
