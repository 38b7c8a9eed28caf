// SPDX-License-Identifier: GPL-3.0-or-later
// The verb "join": evaluates and indexes what was recorded in shards.
#include "cli/cli.h"
#include "results/results_trial.h"

typedef vb_cli_results settings;

static const vb_cli_option options[] = {
    {.shared = vb_study_options, VB_AT(study)}, {.shared = vb_results_options, .place = 0}, {0}};

static vb_status run(vb_cli *cli, vb_error *error) {
  vb_results_begin_trials();
  return vb_cli_run_studies(cli, cli->settings, (vb_study_run_plan){.keep = true}, error);
}

VB_VERB(join, "[all | NAME...]", "evaluate and index the results of shards (run --shard)",
        .options = options, VB_SETTINGS(VB_RESULTS_DEFAULTS), .ends_in_order = true,
        .examples = "viperbench run float_or_double --shard 1/2\n"
                    "viperbench join float_or_double\n");
