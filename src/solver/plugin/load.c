// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/plugin/load.h"

#include "solver/plugin/interpreter.h"
#include "solver/table.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/// Finds the entry of a shared object.
static vb_status find_entry(const char *path, vb_channel *channel, void **out, vb_error *error) {
  channel->head->function = VB_IN_OPEN;
  vb_channel_lock_head(channel, true);
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  vb_channel_lock_head(channel, false);
  if (!library)
    return vb_bad_input(error, "cannot be opened: %s", dlerror());
  *out = dlsym(library, "vb_plugin");
  if (!*out)
    return vb_bad_input(error, "does not define the function vb_plugin");
  return VB_OK;
}

static vb_status check_versions(const vb_solver *solver, vb_error *error) {
  if (solver->version != VB_SOLVER_VERSION)
    return vb_bad_input(error,
                        "is built for version %u of the solver interface, and this is version %u; "
                        "build it again with the headers of this program",
                        solver->version, VB_SOLVER_VERSION);
  if (solver->scene_version != VB_SCENE_VERSION)
    return vb_bad_input(error,
                        "is built for version %u of scenes, and this is version %u; build it again "
                        "with the headers of this program",
                        solver->scene_version, VB_SCENE_VERSION);
  if (!solver->describe)
    return vb_bad_input(error, "lacks the function describe");
  return VB_OK;
}

/// Lists the functions that are not there, though the description or everybody needs them.
static vb_status check_functions(const vb_solver *s, const vb_solver_description *about,
                                 vb_error *error) {
  const struct {
    const char *name;
    bool missing;
  } FUNCTIONS[] = {{"create", !s->create},
                   {"set_option", !s->set_option && about->n_options > 0},
                   {"get_option", !s->get_option && about->n_options > 0},
                   {"step", !s->step},
                   {"sync", !s->sync},
                   {"state_size", !s->state_size},
                   {"save", !s->save},
                   {"restore", !s->restore},
                   {"count", !s->count},
                   {"read", !s->read},
                   {"energies", !s->energies},
                   {"work", !s->work},
                   {"residual", !s->residual && about->has_residual},
                   {"reactions", !s->reactions && about->has_reactions},
                   {"timings", !s->timings && about->n_phases > 0},
                   {"destroy", !s->destroy}};
  char list[256] = "";
  size_t n = 0;
  for (size_t i = 0; i < sizeof FUNCTIONS / sizeof *FUNCTIONS; i++)
    if (FUNCTIONS[i].missing) {
      size_t used = strlen(list);
      snprintf(list + used, sizeof list - used, "%s%s", n++ ? ", " : "", FUNCTIONS[i].name);
    }
  return n ? vb_bad_input(error, "lacks the function%s %s", n > 1 ? "s" : "", list) : VB_OK;
}

vb_status vb_load_plugin(const char *path, vb_channel *channel, const vb_solver **out,
                         vb_error *error) {
  void *entry = NULL;
  const vb_solver *(*plugin)(void);
  vb_status status = find_entry(path, channel, &entry, error);
  if (status)
    return status;
  memcpy(&plugin, &entry, sizeof plugin); // ISO C has no cast for it
  channel->head->function = VB_IN_PLUGIN;
  const vb_solver *solver = plugin();
  if (!solver)
    return vb_bad_input(error, "returns null from vb_plugin");
  status = check_versions(solver, error);
  if (status)
    return status;
  channel->head->function = VB_IN_DESCRIBE;
  const vb_solver_description *about = solver->describe(solver);
  if (!about)
    return vb_bad_input(error, "returns null from describe");
  status = check_functions(solver, about, error);
  if (!status)
    *out = solver;
  return status;
}

vb_status vb_load_solver(const char *name, vb_channel *channel, const vb_solver **out,
                         vb_error *error) {
  if (vb_plugin_is_python(name))
    return vb_interpreter_start(name, channel, error);
  const char *inner = vb_plugin_checked(name);
  name = inner ? inner : name;
  return vb_plugin_named(name) ? vb_load_plugin(name, channel, out, error)
                               : vb_solver_find(name, out, error);
}
