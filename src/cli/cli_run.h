// SPDX-License-Identifier: GPL-3.0-or-later
/// What the verbs "run" and "join" do.
#ifndef VB_CLI_CLI_RUN_H
#define VB_CLI_CLI_RUN_H

#include "cli/cli.h"
#include "study/study_run.h"

/// Runs the studies that the arguments name as `plan` says, but for its folder and progress;
/// reports the verdicts and draws figures. Returns the worst that became of a study.
vb_status vb_cli_run_studies(vb_cli *cli, const vb_cli_results *asked, vb_study_run_plan plan,
                             vb_error *error);

#endif
