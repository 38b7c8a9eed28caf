// SPDX-License-Identifier: GPL-3.0-or-later
// The command "pack": studies as small files of their own, to be kept and compared with.
#include "cli/cli.h"
#include "compare/pack_study.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

vb_status vb_cli_pack(const vb_cli *cli, vb_error *error) {
  vb_status status = VB_OK;
  for (size_t i = 0; !status && i < cli->n_arguments; i++) {
    const char *index = cli->arguments[i], *name = strrchr(index, '/');
    char *path = NULL;
    if (asprintf(&path, "%s/%s", cli->folder, name ? name + 1 : index) < 0)
      return vb_error_memory(error);
    status = strcmp(path, index) ? vb_pack_study(index, path, error)
                                 : vb_error_set(error, VB_BAD_INPUT,
                                                "%s would be packed into itself; name another "
                                                "folder by --out",
                                                index);
    free(path);
  }
  return status;
}
