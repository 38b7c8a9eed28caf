// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

vb_status vb_scratch_make(char path[VB_SCRATCH_PATH], vb_error *error) {
  static const char name[] = "viperbench-XXXXXX";
  const char *parent = getenv("TMPDIR");
  if (!parent || parent[0] != '/')
    parent = "/tmp";
  if (strlen(parent) + sizeof name + 1 > VB_SCRATCH_PATH)
    return vb_error_set(error, VB_CANNOT_WRITE, "the path in TMPDIR is longer than %zu bytes",
                        VB_SCRATCH_PATH - sizeof name - 1);
  snprintf(path, VB_SCRATCH_PATH, "%s/%s", parent, name);
  if (!mkdtemp(path))
    return vb_error_set(error, VB_CANNOT_WRITE, "cannot make a temporary folder in %s: %s", parent,
                        strerror(errno));
  return VB_OK;
}

void vb_scratch_remove(const char *path) {
  int here = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  DIR *folder = here < 0 ? NULL : fdopendir(here);
  for (struct dirent *e; folder && (e = readdir(folder));)
    unlinkat(here, e->d_name, 0);
  if (folder)
    closedir(folder);
  else if (here >= 0)
    close(here);
  rmdir(path);
}
