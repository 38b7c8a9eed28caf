// SPDX-License-Identifier: GPL-3.0-or-later
#include "script/study/lua_show.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Frames in a second of a scene, as in movies.
#define FRAMES_PER_SECOND 30.0

/// The names listed at "runs", which must be texts; by default the study's own.
static void read_runs(vb_study *study, const vb_args *args) {
  int64_t n = vb_args_length(args, "runs");
  for (int64_t i = 0; i < n; i++)
    vb_lua_add_text(args->L, &study->shown, &study->n_shown, vb_args_text_at(args, "runs", i));
  if (n == 0)
    vb_lua_add_text(args->L, &study->shown, &study->n_shown, study->name);
}

static void read_view(vb_show_plan *show, const vb_args *args) {
  show->has_view = vb_args_vector(args, "view", 4, show->view);
  if (show->has_view && !(fabs(show->view[1]) <= 90 && show->view[2] > 0 && show->view[3] >= 0 &&
                          show->view[3] <= 150))
    vb_args_fail(args,
                 "\"view\" is { azimuth, elevation, zoom, lens }: degrees, elevation from -90 "
                 "to 90, zoom above 0, lens from 0 to 150");
}

void vb_loader_read_show(vb_loader *loader, int index) {
  lua_State *L = loader->L;
  vb_study *study = loader->study;
  loader->show.active = strcmp(study->tier, "show") == 0;
  if (lua_getfield(L, index, "show") != LUA_TNIL) {
    vb_args args = vb_args_open(L, -1, "show", "runs parameters view");
    read_runs(study, &args);
    read_view(&loader->show, &args);
  } else if (loader->show.active) {
    vb_lua_fail(L,
                "study: it names no runs for show; \"show\" in its table does, as show = { runs = "
                "{ .. } }");
  }
  lua_pop(L, 1);
}

bool vb_loader_is_shown(const vb_loader *loader, const char *run) {
  const vb_study *study = loader->study;
  for (size_t i = 0; i < study->n_shown; i++)
    if (strcmp(study->shown[i], run) == 0)
      return true;
  return false;
}

static bool has_field(const vb_solver_description *solver, const char *name) {
  for (size_t k = 0; k < solver->n_fields; k++)
    if (strcmp(solver->fields[k].name, name) == 0)
      return true;
  return false;
}

/// Whether vertices of the skin follow from the state of segments and weights: not where bundles
/// carry them, or they are fitted.
static bool follows_segments(const vb_run_plan *plan, const vb_solver_description *solver) {
  for (size_t i = 0; i < plan->n_options; i++)
    if ((strcmp(plan->options[i].name, "skin_frames") == 0 &&
         strcmp(plan->options[i].value, "segment") != 0) ||
        (strcmp(plan->options[i].name, "skin_shape") == 0 &&
         strcmp(plan->options[i].value, "blended") != 0))
      return false;
  return has_field(solver, "skin_weight");
}

/// Records weights once in place of vertices in each frame.
static void record_weights(vb_record_plan *record) {
  for (size_t i = 0; i < record->n_fields; i++) {
    if (strcmp(record->fields[i], "vertices") != 0)
      continue;
    free(record->fields[i]);
    memmove(&record->fields[i], &record->fields[i + 1],
            (record->n_fields - i - 1) * sizeof *record->fields);
    record->n_fields--;
    record->weights = true;
    return;
  }
}

void vb_loader_show(vb_loader *loader, vb_run_plan *plan, const vb_solver_description *solver) {
  vb_record_plan *record = &plan->record;
  if (!loader->show.active)
    return;
  double steps = 1 / (FRAMES_PER_SECOND * vb_scene_world(plan->scene)->step);
  record->frames_every = steps > 1.5 ? llround(steps) : 1;
  if (follows_segments(plan, solver))
    record_weights(record);
  if (loader->show.has_view) {
    memcpy(record->view, loader->show.view, sizeof record->view);
    record->has_view = true;
  }
}
