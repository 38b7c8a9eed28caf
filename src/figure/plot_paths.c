// SPDX-License-Identifier: GPL-3.0-or-later
#include "figure/plot_internal.h"

#include "results/results_list.h"

#include <fnmatch.h>
#include <string.h>

/// A pattern, and the paths of one run that it matches.
typedef struct search {
  const char *pattern;
  char prefix[VB_PLOT_PATH]; ///< of the paths of the run
  vb_texts found;
  bool failed; ///< for want of memory
} search;

static void look_at(const vb_dataset_info *dataset, void *context) {
  search *s = context;
  size_t skip = strlen(s->prefix);
  if (strncmp(dataset->path, s->prefix, skip) != 0 ||
      fnmatch(s->pattern, dataset->path + skip, FNM_PATHNAME) != 0)
    return;
  char **added = VB_APPEND(s->found.texts, s->found.n);
  if (!added || !(*added = strdup(dataset->path + skip)))
    s->failed = true;
}

vb_status vb_plot_paths_find(const char *index, const char *run, const char *pattern, vb_texts *out,
                             vb_error *error) {
  search s = {.pattern = pattern};
  snprintf(s.prefix, sizeof s.prefix, "runs/%s/", run);
  vb_status status = vb_results_list(index, run, look_at, &s, error);
  if (!status && s.failed)
    status = vb_error_memory(error);
  if (!status && s.found.n == 0)
    status = vb_bad_input(error, "%s has no \"%s%s\"", index, s.prefix, pattern);
  if (status)
    vb_texts_free(&s.found);
  else
    *out = s.found;
  return status;
}
