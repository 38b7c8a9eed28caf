// SPDX-License-Identifier: GPL-3.0-or-later
// The verb "run".
#include "cli/cli.h"

#include <stddef.h>

typedef struct settings {
  vb_cli_results results;
  int jobs;
  vb_shard shard;
  bool fresh;
  bool list;
  const char *only; ///< pattern, or null
} settings;

static vb_status take_shard(const vb_cli_given *given, void *place, vb_error *error) {
  return vb_shard_parse(given->text, place, error);
}

static const vb_cli_option options[] = {
    {.shared = vb_study_options, VB_AT(results.study)},
    {.shared = vb_results_options, VB_AT(results)},
    {VB_OPTION_JOBS, VB_AT(jobs)},
    {"shard", "K/N", "run: execute only the K-th of N parts of each study", 2, take_shard,
     VB_AT(shard)},
    {"only", "PATTERN",
     "run: only runs that contain this in \"STUDY RUN\", or whose study has this keyword", 2,
     vb_take_text, VB_AT(only), .letter = 'k'},
    {"list", NULL, "run: list the runs without executing them", 2, vb_take_switch, VB_AT(list)},
    {"write-bands", NULL,
     "run: write the measured values of findings to STUDY.findings, as their bands", 2,
     vb_take_switch, VB_AT(results.write_bands)},
    {"live", "PAGE.html", "run: show the motion of the runs on this page while they are executed",
     2, vb_take_text, VB_AT(results.live)},
    {"fresh", NULL, "repeat runs that are already recorded", 2, vb_take_switch, VB_AT(fresh)},
    {0}};

static vb_status run(vb_cli *cli, vb_error *error) {
  const settings *s = cli->settings;
  vb_study_run_plan plan = {.fresh = s->fresh, .jobs = s->jobs, .shard = s->shard, .only = s->only};
  const vb_study_request *study = &s->results.study;
  if (s->results.write_bands && (study->n_parameters || study->n_options || study->solver))
    return vb_bad_input(error, "--write-bands needs unmodified studies; leave out --set, --solver "
                               "and options of the solver");
  vb_status status = s->list ? VB_OK : vb_cli_check_new(cli, s->results.live, error);
  if (status)
    return status;
  if (s->list)
    return vb_cli_list_runs(cli, &s->results, &plan, error);
  return vb_cli_run_studies(cli, &s->results, plan, error);
}

VB_VERB(run, "[all | NAME...]", "run studies (by default all of scenarios/)", .options = options,
        VB_SETTINGS(.results = {VB_RESULTS_DEFAULTS}), .ends_in_order = true,
        .examples = "viperbench run                              # all studies, quick\n"
                    "viperbench run cantilever --set length=2\n"
                    "viperbench run ./mine.lua --solver ./mine.so\n"
                    "viperbench run -k contact --list\n"
                    "viperbench run float_or_double --jobs 4\n"
                    "viperbench run octopus_crowd --fresh --live live.html\n"
                    "viperbench run vibration --method direct --arithmetic fast\n"
                    "viperbench run bone_lock --write-bands\n");
