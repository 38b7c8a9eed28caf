// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/live_view.h"

#include "base/arena.h"

#include <stdlib.h>

static void begin_run(void *context, const vb_study *study, const vb_run_plan *run,
                      const vb_solver *solver, void *instance, int64_t n_frames) {
  vb_live_begin_run(context, &(vb_live_name){study->name, run->name}, solver, instance, run->scene,
                    n_frames);
}

/// The names of the chosen runs.
static vb_status list_names(vb_study *const *studies, size_t n_studies,
                            const vb_study_run_plan *plan, vb_live_name **out, size_t *n_out,
                            vb_error *error) {
  size_t n = 0;
  for (size_t i = 0; i < n_studies; i++)
    for (size_t r = 0; r < studies[i]->n_runs; r++) {
      if (!vb_study_is_chosen(studies[i], r, plan->only))
        continue;
      vb_live_name *name = VB_APPEND(*out, n);
      if (!name)
        return vb_error_memory(error);
      *name = (vb_live_name){studies[i]->name, studies[i]->runs[r].name};
    }
  *n_out = n;
  return VB_OK;
}

vb_status vb_live_view_begin(const char *path, vb_study *const *studies, size_t n_studies,
                             vb_study_run_plan *plan, vb_live_view *out, vb_error *error) {
  size_t n = 0;
  *out = (vb_live_view){.live = NULL};
  vb_status status = list_names(studies, n_studies, plan, &out->names, &n, error);
  if (!status)
    status = vb_live_create(path, out->names, n, &out->live, error);
  if (status) {
    free(out->names);
    out->names = NULL;
    return status;
  }
  out->viewer =
      (vb_run_viewer){out->live, begin_run, vb_live_show_frame, vb_live_advance, vb_live_end_run};
  plan->viewer = &out->viewer;
  return VB_OK;
}

vb_status vb_live_view_end(vb_live_view *view, bool interrupted, vb_error *error) {
  vb_status status = vb_live_end(view->live, interrupted, error);
  free(view->names);
  *view = (vb_live_view){.live = NULL};
  return status;
}
