// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/results_locate.h"

#include <stdio.h>
#include <string.h>

size_t vb_results_prefix(const char *quantity) {
  const char *slash = strncmp(quantity, "runs/", 5) == 0 ? strchr(quantity + 5, '/') : NULL;
  return slash ? (size_t)(slash - quantity) + 1 : 0;
}

static bool lies_below(const char *quantity, const char *group) {
  return strncmp(quantity + vb_results_prefix(quantity), group, strlen(group)) == 0;
}

bool vb_results_is_static(const char *quantity) {
  static const char *const groups[] = {"topology/", "gates/",   "scenario/",   "solver/", "bench/",
                                       "scaling/",  "machine/", "provenance/", "scores/"};
  for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
    if (lies_below(quantity, groups[i]))
      return true;
  return false;
}

/// Writes "/", the prefix, and the two parts of a path below it.
static bool join(const char *quantity, const char *group, const char *rest, char *out,
                 size_t size) {
  int n = snprintf(out, size, "/%.*s%s%s", (int)vb_results_prefix(quantity), quantity, group, rest);
  return n >= 0 && (size_t)n < size;
}

bool vb_results_locate(const char *quantity, char *out, size_t size) {
  bool at_root = vb_results_is_static(quantity) || lies_below(quantity, "convergence/") ||
                 lies_below(quantity, "timing/");
  return join(quantity, at_root ? "" : "run/", quantity + vb_results_prefix(quantity), out, size);
}

bool vb_results_locate_x(const char *quantity, char *out, size_t size) {
  const char *x = lies_below(quantity, "convergence/") ? "convergence/iteration"
                  : lies_below(quantity, "timing/")    ? "timing/number"
                  : lies_below(quantity, "frames/")    ? "run/frames/time"
                                                       : "run/time";
  return join(quantity, x, "", out, size);
}
