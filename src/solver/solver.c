// SPDX-License-Identifier: GPL-3.0-or-later
/// The table of solvers.
#include "solver/table.h"

#include "base/nearest_word.h"
#include "reference/bergou/bergou.h"
#include "reference/neohookean/neohookean.h"
#include "solver/plugin/plugin.h"
#include "viper/viper.h"

#include <stdio.h>
#include <string.h>

static const vb_solver *const table[] = {&viper_solver, &bergou_solver, &neohookean_solver, NULL};

enum { N_SOLVERS = sizeof table / sizeof *table - 1 };

const vb_solver *const *vb_solver_table(void) {
  return table;
}

/// The solver of the program of that name.
static vb_status find_own(const char *name, const vb_solver **out, vb_error *error) {
  const char *names[N_SOLVERS];
  char list[256] = "";
  for (size_t i = 0; i < N_SOLVERS; i++) {
    names[i] = table[i]->describe(table[i])->name;
    if (strcmp(name, names[i]) == 0) {
      *out = table[i];
      return VB_OK;
    }
    size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", names[i]);
  }
  const char *near = vb_nearest_word(name, names, N_SOLVERS);
  if (near)
    return vb_error_set(error, VB_BAD_INPUT, "unknown solver \"%s\"; did you mean \"%s\"?", name,
                        near);
  return vb_error_set(error, VB_BAD_INPUT, "unknown solver \"%s\"; there is: %s", name, list);
}

vb_status vb_solver_find(const char *name, const vb_solver **out, vb_error *error) {
  const char *inner = vb_plugin_checked(name);
  const vb_solver *known;
  if (!inner && !vb_plugin_named(name))
    return find_own(name, out, error);
  if (inner && vb_plugin_checked(inner))
    return vb_error_set(error, VB_BAD_INPUT, "solver %s: one \"check:\" is enough", name);
  if (inner && !vb_plugin_named(inner)) {
    vb_status status = find_own(inner, &known, error); // says what names there are
    if (status)
      return status;
  }
  return vb_plugin_open(name, NULL, out, error);
}

vb_status vb_solver_check_scene(const vb_solver_description *description, const vb_scene *scene,
                                vb_error *error) {
  for (int tag = 1; tag < 64; tag++) {
    if (description->sets >> tag & 1 || !vb_scene_count(scene, (vb_tag)tag))
      continue;
    const char *name = vb_tag_name((vb_tag)tag);
    if (name)
      return vb_error_set(error, VB_UNAVAILABLE,
                          "solver %s does not support the scene's set %s (%zu elements)",
                          description->name, name, vb_scene_count(scene, (vb_tag)tag));
    return vb_error_set(error, VB_UNAVAILABLE,
                        "solver %s does not support set %d of the scene, which is unknown here",
                        description->name, tag);
  }
  return VB_OK;
}
