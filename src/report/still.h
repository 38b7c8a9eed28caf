// SPDX-License-Identifier: GPL-3.0-or-later
/// A small picture of the last frame of a run, for where the player cannot run and for paper.
#ifndef VB_REPORT_STILL_H
#define VB_REPORT_STILL_H

#include "report/report_results.h"

#include <stdio.h>

/// Width and height of stills [pixel].
#define VB_STILL_WIDTH  480
#define VB_STILL_HEIGHT 360

/// Renders the run's last frame as a PNG file at `path`, from the player's first view. VB_BAD_INPUT
/// where it has none that can be shown.
vb_status vb_still_render(vb_run_location place, const char *path, vb_error *error);

/// Writes the still of a run as a figure of the page; `folder` is one for files of the moment.
/// Nothing where there is nothing to show. Fails only for want of memory or where `folder` cannot
/// be written.
vb_status vb_still_write(FILE *out, const vb_report_study *study, const vb_report_run *run,
                         const char *folder, vb_error *error);

#endif
