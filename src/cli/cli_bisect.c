// SPDX-License-Identifier: GPL-3.0-or-later
// The verb "bisect": which commit changed a gate. tests/bisect.sh does the work.
#include "base/home.h"
#include "cli/cli.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct settings {
  const char *good, *bad;
  const char *gate; ///< part of its name; empty: counts of verdicts
} settings;

static const vb_cli_option options[] = {
    {"good", "COMMIT", "bisect: a commit before the change", 5, vb_take_text, VB_AT(good)},
    {"bad", "COMMIT", "bisect: a commit after the change (HEAD)", 5, vb_take_text, VB_AT(bad)},
    {"gate", "TEXT", "bisect: gates with this in their name, instead of the number that passed", 5,
     vb_take_text, VB_AT(gate)},
    {0}};

static vb_status run(vb_cli *cli, vb_error *error) {
  const settings *s = cli->settings;
  char home[4096], script[4200];
  if (cli->n_arguments != 1 || !s->good)
    return vb_bad_input(error, "bisect needs one study, and --good COMMIT");
  vb_status status = vb_home(home, sizeof home, error);
  if (status)
    return status;
  snprintf(script, sizeof script, "%s/tests/bisect.sh", home);
  if (access(script, R_OK) != 0)
    return vb_error_set(error, VB_UNAVAILABLE,
                        "bisect needs a clone of the repository: there is no %s", script);
  execlp("bash", "bash", script, cli->arguments[0], s->gate, s->good, s->bad, (char *)NULL);
  return vb_error_set(error, VB_UNAVAILABLE, "bash cannot be started: %s", strerror(errno));
}

VB_VERB(bisect, "STUDY", "find the commit that changed a study's gates", .least = 1,
        .wants = "the name of a study", .options = options,
        VB_SETTINGS(.good = NULL, .bad = "HEAD", .gate = ""),
        .examples = "viperbench bisect cantilever --good HEAD~20\n"
                    "viperbench bisect helix --good v1.0.0 --gate \"order of bend\"\n");
