// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/names.h"

#include <stdlib.h>
#include <string.h>

static bool is_valid(const char *name, size_t most) {
  static const char allowed[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-";
  size_t n = strlen(name);
  return n >= 1 && n <= most && strspn(name, allowed) == n && name[0] != '.' && name[0] != '-';
}

bool vb_name_is_valid(const char *name) {
  return is_valid(name, VB_NAME_MAX);
}

bool vb_recorded_name_is_valid(const char *name) {
  return is_valid(name, VB_RECORDED_NAME_MAX);
}

static int by_number(const void *a, const void *b) {
  return strverscmp(*(char *const *)a, *(char *const *)b);
}

void vb_names_sort(char **names, size_t n) {
  if (n > 1)
    qsort(names, n, sizeof *names, by_number);
}
