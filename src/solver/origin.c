// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/origin.h"

#include <string.h>

bool vb_plugin_named(const char *name) {
  size_t n = strlen(name);
  return strchr(name, '/') || (n > 3 && strcmp(name + n - 3, ".so") == 0);
}

const char *vb_plugin_checked(const char *name) {
  static const char prefix[] = "check:";
  size_t n = sizeof prefix - 1;
  return strncmp(name, prefix, n) == 0 ? name + n : NULL;
}
