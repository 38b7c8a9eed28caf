// SPDX-License-Identifier: GPL-3.0-or-later
/// What entries score on problems: errors over wall time, from the kept results of their studies.
#ifndef VB_REPORT_SCORE_H
#define VB_REPORT_SCORE_H

#include "report/report_results.h"

/// Errors over the length for which the time is told.
enum { VB_SCORE_LEVELS = 5 };
extern const double vb_score_level[VB_SCORE_LEVELS]; ///< 10 %, 1 %, 1e-3, 1e-4, 1e-6

/// A run of an entry: "PROBLEM-CASE-nN", "PROBLEM-CASE-nN-SETTINGS", and with "-all" behind it
/// where it may use all processors. Its error is the greatest of its answers over the length, of
/// which the gates allow a millionth.
typedef struct vb_score_trial {
  const char *entry; ///< of the results
  const char *run;
  char problem[128];  ///< "PROBLEM-CASE"
  char settings[64];  ///< "" where the entry has one alone
  double segments;    ///< N
  double error;       ///< NaN where it has failed
  double time;        ///< wall time of the steps [s]; NaN where others were executed beside it
  bool shared;        ///< whether others were: it is then on no front, and in no time of a score
  bool all;           ///< whether it may use all processors
  bool front;         ///< whether no quicker run on one thread is as good; false without a time
  int64_t score;      ///< index of its score
  const char *reason; ///< what is said of its failure, or ""
} vb_score_trial;

/// An entry's trials of one case of a problem.
typedef struct vb_score {
  const char *entry;    ///< of the results
  char problem[128];    ///< "PROBLEM-CASE"; "PROBLEM" where the entry does not take it
  const char *best_run; ///< of the least error, or ""
  size_t n_runs;        ///< that came to an end with all answers
  size_t n_failed;      ///< that did not
  size_t n_shared;      ///< of n_runs: beside which others were executed, without a time
  double best;          ///< least error; NaN where no run came to an end
  double best_time;     ///< wall time of the steps of that run, on one thread [s]; NaN where
                        ///< it is not known, as others were executed beside it
  double all_time;      ///< of the run that may use all processors; NaN: none
  double all_error;     ///< of that run
  double order;         ///< from the two greatest numbers of segments, each with its best
                        ///< settings; NaN for less than two
  double time[VB_SCORE_LEVELS]; ///< least wall time [s] with an error of at most each level; NaN:
                                ///< no run comes there
  double range[2];              ///< least and greatest number of segments below 10 %; NaN: none
  char range_settings[128];     ///< names of the settings with which some run is below 10 %
  const char *reason;           ///< what is said of the first failure, or of a problem that is not
                                ///< taken, or ""
} vb_score;

/// All scores and what they follow from.
typedef struct vb_scores {
  vb_score *scores; ///< (n)
  size_t n;
  vb_score_trial *trials; ///< (n_trials)
  size_t n_trials;
  vb_arena memory; ///< texts that the results do not have
} vb_scores;

/// Finds the scores of all studies of the results, in their order; only those of problems with
/// `only` in their names, where it is not null. Texts belong to the results, which must outlive
/// them. The caller frees with vb_scores_free, also on failure.
vb_status vb_scores_find(const vb_report_results *results, const char *only, vb_scores *out,
                         vb_error *error);
void vb_scores_free(vb_scores *scores);

/// Writes all of it to the file `path`, an index without runs that vb_plot_index draws by the
/// figure "scores": a dataset for each member, below scores/ and scores/trials/.
vb_status vb_scores_write(const vb_scores *scores, const char *path, vb_error *error);

#endif
