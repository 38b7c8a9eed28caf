// SPDX-License-Identifier: GPL-3.0-or-later
/// Names of solvers that are files.
#include "solver/table.h"

#include <string.h>

const char *vb_plugin_checked(const char *name) {
  static const char prefix[] = "check:";
  size_t n = sizeof prefix - 1;
  return strncmp(name, prefix, n) == 0 ? name + n : NULL;
}

/// The colon before the class in the name of a Python file, or the name's end.
static const char *find_end(const char *name) {
  const char *slash = strrchr(name, '/'), *colon = strrchr(slash ? slash : name, ':');
  bool class = colon && colon - name > 3 && memcmp(colon - 3, ".py", 3) == 0;
  return class ? colon : name + strlen(name);
}

size_t vb_plugin_file_length(const char *name) {
  return (size_t)(find_end(name) - name);
}

bool vb_plugin_is_python(const char *name) {
  const char *end = find_end(name);
  return end - name > 3 && memcmp(end - 3, ".py", 3) == 0;
}

bool vb_plugin_named(const char *name) {
  size_t n = strlen(name);
  return strchr(name, '/') || (n > 3 && strcmp(name + n - 3, ".so") == 0) ||
         vb_plugin_is_python(name);
}
