// SPDX-License-Identifier: GPL-3.0-or-later
/// What entries score on problems: errors over wall time, from the kept results of their studies.
#ifndef VB_REPORT_SCORE_H
#define VB_REPORT_SCORE_H

#include "report/report_results.h"

/// Errors over the length for which the time is told.
enum { VB_SCORE_LEVELS = 4 };
extern const double vb_score_level[VB_SCORE_LEVELS]; ///< 10 %, 1 %, 1e-3, 1e-4

/// An entry's runs of one case of a problem, which differ in their number of segments: run
/// "PROBLEM-CASE-nN" has N. An error is the greatest of a run's answers, over the length, of which
/// the gates allow a millionth.
typedef struct vb_score {
  const char *entry;            ///< of the results
  char problem[128];            ///< "PROBLEM-CASE"
  size_t n_runs;                ///< that came to an end with all answers
  size_t n_failed;              ///< that did not
  double best;                  ///< least error; NaN where no run came to an end
  double best_time;             ///< wall time of the steps of that run [s]
  double order;                 ///< from the two runs of the most segments; NaN for less than two
  double time[VB_SCORE_LEVELS]; ///< least wall time [s] with an error of at most each level; NaN:
                                ///< no run comes there
} vb_score;

/// Finds the scores of all studies of the results, in their order. The caller frees `*out`.
vb_status vb_scores_find(const vb_report_results *results, vb_score **out, size_t *n,
                         vb_error *error);

#endif
