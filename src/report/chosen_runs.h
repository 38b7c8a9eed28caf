// SPDX-License-Identifier: GPL-3.0-or-later
/// Chooses the runs of a study that a player shows: where there are many, those for show, or those
/// that differ most.
#ifndef VB_REPORT_CHOSEN_RUNS_H
#define VB_REPORT_CHOSEN_RUNS_H

#include "report/report_results.h"

/// Sets `chosen` (study->n_runs): all runs, where no more than `most` have frames; else those that
/// the study names for show; where there are none of these, the first run with frames and, one
/// after the other, the run that is farthest from those chosen before. The distance of two runs is
/// that of the boxes and centers of their nodes, in the middle and at the end of what was recorded.
/// Runs without frames are chosen, too: there is nothing to show of them. Returns how many runs are
/// left out.
size_t vb_report_choose_runs(const vb_report_study *study, size_t most, bool *chosen);

#endif
