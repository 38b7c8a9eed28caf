// SPDX-License-Identifier: GPL-3.0-or-later
// The verb "pack": studies as small files of their own, to be kept and compared with.
#include "base/output_policy.h"
#include "cli/cli.h"
#include "compare/pack_study.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct settings {
  const char *out;
  bool force;
} settings;

static const vb_cli_option options[] = {
    {VB_OPTION_OUT, VB_AT(out)}, {VB_OPTION_FORCE, VB_AT(force)}, {0}};

/// Packs a study to a file, which is not that of the study, nor, unasked, another that is there.
static vb_status pack(const char *index, const char *path, bool force, vb_error *error) {
  if (vb_is_same_file(path, index))
    return vb_bad_input(error, "%s would be packed into itself; name another folder by --out",
                        index);
  if (!force && access(path, F_OK) == 0)
    return vb_bad_input(error, "%s exists; name another folder by --out, or --force to replace it",
                        path);
  return vb_pack_study(index, path, error);
}

static vb_status run(vb_cli *cli, vb_error *error) {
  const settings *s = cli->settings;
  vb_status status = VB_OK;
  for (size_t i = 0; !status && i < cli->n_arguments; i++) {
    const char *index = cli->arguments[i], *name = strrchr(index, '/');
    char *path = NULL;
    if (asprintf(&path, "%s/%s", s->out, name ? name + 1 : index) < 0)
      return vb_error_memory(error);
    status = pack(index, path, s->force, error);
    free(path);
  }
  return status;
}

VB_VERB(pack, "FILE...", "pack the data that compare needs of a study into one small file",
        .least = 1, .wants = "the index file of a study", .options = options,
        VB_SETTINGS(.out = "results"));
