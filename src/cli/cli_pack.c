// SPDX-License-Identifier: GPL-3.0-or-later
// The verb "pack": studies as small files of their own, to be kept and compared with.
#include "cli/cli.h"
#include "compare/pack_study.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef const char *settings; ///< --out

static const vb_cli_option options[] = {{VB_OPTION_OUT, .place = 0}, {0}};

static vb_status run(vb_cli *cli, vb_error *error) {
  const char *folder = *(const settings *)cli->settings;
  vb_status status = VB_OK;
  for (size_t i = 0; !status && i < cli->n_arguments; i++) {
    const char *index = cli->arguments[i], *name = strrchr(index, '/');
    char *path = NULL;
    if (asprintf(&path, "%s/%s", folder, name ? name + 1 : index) < 0)
      return vb_error_memory(error);
    status = strcmp(path, index) ? vb_pack_study(index, path, error)
                                 : vb_bad_input(error,
                                                "%s would be packed into itself; name another "
                                                "folder by --out",
                                                index);
    free(path);
  }
  return status;
}

VB_VERB(pack, "FILE...", "keep of a study's records what compare needs, in one small file each",
        .least = 1, .wants = "the index file of a study", .options = options,
        VB_SETTINGS("results"));
