// SPDX-License-Identifier: GPL-3.0-or-later
/// The command line: its options and its commands.
///
/// A verb is one file: it defines a vb_verb, which holds its name, its lines of help, its options
/// and its function, and is listed by name in verbs.c. Nothing else knows of it.
#ifndef VB_CLI_CLI_H
#define VB_CLI_CLI_H

#include "base/arena.h"
#include "script/study/study_script.h"
#include "study/study_run.h"

#include <stdbool.h>
#include <stddef.h>

/// An option as it was given.
typedef struct vb_cli_given {
  const char *name;   ///< without its dashes
  const char *value;  ///< as in vb_cli_option
  char *text;         ///< its value, or null where it takes none
  struct vb_cli *cli; ///< the line that it is of
} vb_cli_given;

/// Reads an option into `place`, a member of the verb's settings. VB_BAD_INPUT, and what would be
/// right, where its text is wrong.
typedef vb_status vb_take(const vb_cli_given *given, void *place, vb_error *error);

/// An option of a verb, or a table of such that it shares with others. Verbs that have an option of
/// the same name agree on its group, and on whether it has a value.
typedef struct vb_cli_option {
  const char *name;  ///< without its dashes
  const char *value; ///< what stands for its value in --help, or null for an option without one
  const char *help;  ///< --help joins the different texts of several verbs by "; "
  int group;         ///< options of a group stand together in --help
  vb_take *take;
  size_t place; ///< offset in the settings [byte]; where shared, of all options of that table
  const struct vb_cli_option *shared; ///< the table, or null
  char letter;                        ///< that stands for the name: -k; or 0
} vb_cli_option;

typedef struct vb_verb {
  const char *name;             ///< "--NAME" is no word, but that option where it stands alone
  const char *help[2][2];       ///< up to two lines of --help, each of usage and purpose
  size_t least;                 ///< number of arguments that it needs
  const char *wants;            ///< what these are
  const vb_cli_option *options; ///< ended by {0}; null for none
  const void *defaults;         ///< its settings before options are read
  size_t size;                  ///< of its settings [byte]
  const char *examples;         ///< lines, each with its newline, or null
  bool ends_in_order;           ///< at a signal, keeping what is recorded
  /// Does what is asked. Returns VB_FAILED without a message where the outcome speaks for itself.
  vb_status (*run)(struct vb_cli *cli, vb_error *error);
} vb_verb;

/// The defaults of a verb, and their size; it calls the type of its settings `settings`.
#define VB_SETTINGS(...) .defaults = &(const settings){__VA_ARGS__}, .size = sizeof(settings)

/// Defines a verb whose function is called `run`; what it takes and what it does are for --help.
#define VB_VERB(word, takes, does, ...)                                                            \
  const vb_verb vb_verb_##word = {                                                                 \
      .name = #word, .help[0] = {#word " " takes, does}, .run = run, __VA_ARGS__}

/// The place of an option: a member of the verb's settings.
#define VB_AT(member) .place = offsetof(settings, member)

/// All verbs in the order of --help, ended by a null (verbs.c).
extern const vb_verb *const vb_verbs[];

/// A command line that was read. Texts belong to argv.
typedef struct vb_cli {
  const vb_verb *verb;
  void *settings;   ///< of the verb
  char **arguments; ///< after the verb
  size_t n_arguments;
  vb_cli_given *given; ///< in their order
  size_t n_given;
  vb_setting *parameters; ///< what settings hold of --set; room for all
  vb_option *options;     ///< what they hold of --method and so on, and of --option
  vb_study_info *studies; ///< (n_studies) whose names the arguments are; see vb_cli_name_studies
  size_t n_studies;
  vb_arena memory; ///< all of it, but the studies
} vb_cli;

/// Reads a command line. VB_BAD_INPUT with the nearest known word for an unknown verb or option,
/// and where the verb does not take an option, its value, or so few arguments. Prints help or
/// version, and ends the program, where these are asked for. `*out` is freed by vb_cli_free, on
/// failure too.
vb_status vb_cli_parse(int argc, char **argv, vb_cli *out, vb_error *error);
void vb_cli_free(vb_cli *cli);

/// The first option of that name that was given, or null.
const vb_cli_given *vb_cli_find(const vb_cli *cli, const char *name);

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
#define VB_OPTION_JSON  "json", NULL, "print one JSON document instead of tables", 2, vb_take_switch
#define VB_OPTION_CSV                                                                              \
  "csv", NULL, "print comma-separated values instead of tables", 2, vb_take_switch
#define VB_OPTION_FORCE                                                                            \
  "force", NULL, "replace a file that this program did not make", 2, vb_take_switch
#define VB_OPTION_JOBS                                                                             \
  "jobs", "N", "run: execute N runs at a time, each in its own process", 2, vb_take_jobs
#define VB_OPTION_RUN                                                                              \
  "run", "NAME", "outline, surface, render: run of an index file", 3, vb_take_text
#define VB_OPTION_FRAME                                                                            \
  "frame", "K", "outline, render: frame; negative ones count from the last (-1)", 3

/// What is said of a study. Its place is a vb_study_request, whose name is left out.
extern const vb_cli_option vb_study_options[];
#define VB_STUDY_DEFAULTS .tier = "quick"

/// What verbs have in common that run studies.
typedef struct vb_cli_results {
  vb_study_request study;
  const char *out; ///< folder
  bool quiet;
  bool csv;
  bool json;
  bool verbose;
  bool write_bands; ///< rewrites the bands of findings by what is measured (gate/band_file.h)
  const char *live; ///< page that shows the runs while they are executed, or null
  bool problems;    ///< runs are answers to problems, and are called so in messages
} vb_cli_results;

/// Whether tables are asked for.
bool vb_cli_wants_tables(const vb_cli_results *asked);

/// Their options, at a vb_cli_results, but for those of its study.
extern const vb_cli_option vb_results_options[];
#define VB_RESULTS_DEFAULTS .study = {VB_STUDY_DEFAULTS}, .out = "results"

/// Where the arguments name no study, or "all", replaces them by the names of the studies in a
/// folder (see vb_study_in_folder), or in all folders where `folder` is null.
vb_status vb_cli_name_studies(vb_cli *cli, const char *folder, vb_error *error);

/// Likewise by the names of all studies that name runs for `show`, or else of those that do not say
/// that they have no gold result.
vb_status vb_cli_name_reduced(vb_cli *cli, bool show, vb_error *error);

/// Says on standard error, in a sentence for each option of the command line, how many runs of
/// these studies go without it, for their solver does not have it.
void vb_cli_note_options(const vb_study_request *request, vb_study *const *studies,
                         size_t n_studies);

/// Whether an output of that name may be made (see base/output_policy.h); null is none.
vb_status vb_cli_check_output(const vb_cli *cli, const char *path, bool force, vb_error *error);

/// The same of a command without --force.
vb_status vb_cli_check_new(const vb_cli *cli, const char *path, vb_error *error);

/// The same of the files of a figure, STEM.svg and STEM.png.
vb_status vb_cli_check_figure(const vb_cli *cli, const char *stem, vb_error *error);

/// Lists in a line of the standard error which settings of a study's scripts do not count with the
/// solver of the command line, if any.
void vb_cli_list_missing(const vb_study *study, const char *solver);

/// Prints a message to the standard error.
void vb_cli_complain(const vb_error *error);

/// The exit code of the program.
int vb_cli_exit_code(vb_status status);

/// Runs the studies that the arguments name as `plan` says, but for its folder and progress;
/// reports the verdicts and draws figures. Returns the worst that became of a study.
vb_status vb_cli_run_studies(vb_cli *cli, const vb_cli_results *asked, vb_study_run_plan plan,
                             vb_error *error);

/// Prints a line "STUDY RUN" for each run that vb_cli_run_studies would execute or keep.
vb_status vb_cli_list_runs(vb_cli *cli, const vb_cli_results *asked, const vb_study_run_plan *plan,
                           vb_error *error);

#endif
