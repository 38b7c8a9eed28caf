// SPDX-License-Identifier: GPL-3.0-or-later
/// What several verbs have in common: kinds of options, tables of options, and the studies that
/// arguments name.
#ifndef VB_CLI_CLI_OPTIONS_H
#define VB_CLI_CLI_OPTIONS_H

#include "cli/cli.h"

/// VB_BAD_INPUT: "--NAME wants `what`, not "TEXT"".
vb_status vb_cli_refuse(const vb_cli_given *given, const char *what, vb_error *error);

/// Kinds of options, and what lies in their place.
vb_take vb_take_text;   ///< const char *
vb_take vb_take_switch; ///< bool, set to true
vb_take vb_take_word;   ///< int: which of the words of the option's value, "a|b|c"
vb_take vb_take_whole;  ///< int64_t: a whole number
vb_take vb_take_jobs;   ///< int: 1 to 1024

/// Options by themselves, but for their places.
#define VB_OPTION_OUT   "out", "DIR", "folder of the results (results)", 2, vb_take_text
#define VB_OPTION_QUIET "quiet", NULL, "no progress bar, no tables", 2, vb_take_switch
#define VB_OPTION_JSON                                                                             \
  "json", NULL, "print one JSON document in place of the tables", 2, vb_take_switch
#define VB_OPTION_JOBS                                                                             \
  "jobs", "N", "run: N runs at a time, each in a process of its own", 2, vb_take_jobs
#define VB_OPTION_RUN                                                                              \
  "run", "NAME", "outline, surface, render: run of an index file", 3, vb_take_text
#define VB_OPTION_FRAME "frame", "K", "outline, render: frame, negative from the last (-1)", 3

/// What is said of a study. Its place is a vb_study_request, whose name is left out.
extern const vb_cli_option vb_study_options[];
#define VB_STUDY_DEFAULTS .tier = "quick"

/// What verbs have in common that run studies.
typedef struct vb_cli_results {
  vb_study_request study;
  const char *out; ///< folder
  bool quiet;
  bool json;
} vb_cli_results;

/// Their options, at a vb_cli_results, but for those of its study.
extern const vb_cli_option vb_results_options[];
#define VB_RESULTS_DEFAULTS .study = {VB_STUDY_DEFAULTS}, .out = "results"

/// Where the arguments name no study, or "all", replaces them by the names of the studies in a
/// folder (see vb_study_in_folder), or in all folders where `folder` is null.
vb_status vb_cli_name_studies(vb_cli *cli, const char *folder, vb_error *error);

/// Prints a message to the standard error.
void vb_cli_complain(const vb_error *error);

/// The exit code of the program.
int vb_cli_exit_code(vb_status status);

#endif
