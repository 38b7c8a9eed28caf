// SPDX-License-Identifier: GPL-3.0-or-later
/// The command line: what was asked for, and the commands.
#ifndef VB_CLI_CLI_H
#define VB_CLI_CLI_H

#include "study/study.h"

/// What the command line says. Texts belong to argv.
typedef struct vb_cli {
  const char *command;
  char **arguments; ///< after the command
  size_t n_arguments;
  const char *tier;   ///< "quick" or "full"
  const char *solver; ///< or null
  const char *folder; ///< of the results
  const char *out;    ///< --out as it is given, or null: of a picture
  bool fresh;
  bool quiet;
  bool json;
  vb_setting *parameters; ///< --set
  size_t n_parameters;
  vb_option *options; ///< --method and so on, and --option
  size_t n_options;
  double script_time;   ///< --script-time, s, or 0
  const char *jobs;     ///< --jobs: a number, or null
  const char *shard;    ///< --shard: "K/N", or null
  const char *run;      ///< --run: of an index file
  const char *frame;    ///< --frame
  const char *plane;    ///< --plane
  const char *body;     ///< --body
  const char *measure;  ///< --measure
  const char *baseline; ///< --baseline, or null
  bool self_test;
  const char *launch;  ///< --launch: a case, or the command A of a comparison, or null
  const char *slow;    ///< --slow: percent, or null
  const char *allow;   ///< --allow: what may be unlike, words separated by commas, or null
  const char *nan;     ///< --nan: "equal" or "never", or null
  const char *time;    ///< --time: what of a launch is timed, "process" or "reported", or null
  const char *figure;  ///< --figure: path of a picture without its ending, or null
  const char *frames;  ///< --frames and below: of pictures, each or null
  const char *size;    ///< --size
  const char *color;   ///< --color
  const char *limits;  ///< --limits
  const char *view;    ///< --view
  const char *look_at; ///< --look-at
  const char *show;    ///< --show
  const char *ground;  ///< --ground
  bool plain;          ///< --plain
} vb_cli;

/// A command: does what `cli` asks. Returns VB_FAILED without a message where the outcome speaks
/// for itself.
typedef vb_status vb_command(const vb_cli *cli, vb_error *error);

vb_command vb_cli_list;     ///< cli_list.c: studies and solvers at hand
vb_command vb_cli_info;     ///< cli_list.c: what a study is made of
vb_command vb_cli_run;      ///< cli_run.c: runs studies, tells the verdicts, draws figures
vb_command vb_cli_join;     ///< cli_run.c: judges and indexes what was recorded in shares
vb_command vb_cli_bench;    ///< cli/cli_bench.c: measures speed
vb_command vb_cli_plot;     ///< cli_plot.c: draws the figures of index files
vb_command vb_cli_table;    ///< cli_table.c: columns of a results file as text
vb_command vb_cli_distance; ///< cli_distance.c: how far two runs' surfaces are apart
vb_command vb_cli_compare;  ///< cli/cli_compare.c: what changed between two records
vb_command vb_cli_pack;     ///< cli/cli_pack.c: studies as small files to compare with
vb_command vb_cli_outline;  ///< cli_outline.c: rods of a frame as polygons
vb_command vb_cli_surface;  ///< cli_surface.c: what recorded surfaces are like
vb_command vb_cli_render;   ///< cli/cli_render.c: pictures of frames

/// cli_self_test.c: --self-test without a command, which runs the tests of a portable folder. Does
/// not return where it can: the tests' runner takes the program's place, with its exit code.
vb_command vb_cli_self_test;

/// What the command line says of the study of that name.
vb_study_request vb_cli_request(const vb_cli *cli, const char *name);

/// Reads --jobs into `*out`, 0 where it was not given. VB_BAD_INPUT where it is no whole number
/// from 1 to 1024.
vb_status vb_cli_jobs(const vb_cli *cli, int *out, vb_error *error);

/// Parses the command line and finds its command. VB_BAD_INPUT with the nearest known word for an
/// unknown command or option. Prints help or version, and ends the program, where these are asked
/// for.
/// `*out` is freed by vb_cli_free, on failure too.
vb_status vb_cli_parse(int argc, char **argv, vb_cli *out, vb_command **command, vb_error *error);
void vb_cli_free(vb_cli *cli);

#endif
