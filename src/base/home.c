// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/home.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// Where the program was installed, its studies are in the folder share/viperbench beside its own:
/// appends that to `path` where it is there.
static void find_share(char *path, size_t size) {
  static const char share[] = "/share/viperbench";
  size_t n = strlen(path);
  if (n + sizeof share + sizeof "/scenarios" > size)
    return;
  strcpy(path + n, "/share/viperbench/scenarios");
  bool there = access(path, F_OK) == 0;
  path[n + (there ? sizeof share - 1 : 0)] = '\0';
}

vb_status vb_home(char *out, size_t size, vb_error *error) {
  const char *home = getenv("VIPERBENCH_HOME");
  char path[4096];
  if (!home || !*home) {
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    if (n < 0)
      return vb_error_set(
          error, VB_UNAVAILABLE,
          "cannot find the path of the program; set VIPERBENCH_HOME to the folder that "
          "holds scenarios");
    path[n] = '\0';
    for (int up = 0; up < 2; up++) { // from the program to its folder, and to that one's parent
      char *slash = strrchr(path, '/');
      if (slash)
        *slash = '\0';
    }
    find_share(path, sizeof path);
    home = *path ? path : "/";
  }
  if (strlen(home) >= size)
    return vb_bad_input(error, "the path of the home folder is longer than %zu bytes", size - 1);
  strcpy(out, home);
  return VB_OK;
}
