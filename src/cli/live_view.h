// SPDX-License-Identifier: GPL-3.0-or-later
/// Shows the runs of a command on a page while they are executed (report/live.h).
#ifndef VB_CLI_LIVE_VIEW_H
#define VB_CLI_LIVE_VIEW_H

#include "report/live.h"
#include "study/study_run.h"

/// A page, and the viewer that writes to it.
typedef struct vb_live_view {
  vb_live *live;
  vb_live_name *names; ///< of the runs
  vb_run_viewer viewer;
} vb_live_view;

/// Begins the page `path` for those runs of the studies that `only` means (vb_study_is_chosen), and
/// sets the viewer of `plan`. VB_CANNOT_WRITE. `out`, which `plan` refers to, is ended by
/// vb_live_view_end.
vb_status vb_live_view_begin(const char *path, vb_study *const *studies, size_t n_studies,
                             vb_study_run_plan *plan, vb_live_view *out, vb_error *error);

/// Tells the page that the runs are over. VB_CANNOT_WRITE where it could not be written.
vb_status vb_live_view_end(vb_live_view *view, bool interrupted, vb_error *error);

#endif
