// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/results_place.h"

#include "base/file.h"
#include "base/text.h"
#include "results/results_array.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// Most letters of a folder's name before its hash.
enum { MOST_LETTERS = 120 };

static int compare_texts(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/// The last part of a path: a solver is called by its file.
static const char *last_part(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/// "NAME=VALUE" of each setting; the caller frees them and the list. Null for want of memory.
static char **list_settings(const vb_study_request *r, size_t *n) {
  char **list = calloc(r->n_parameters + r->n_options + 3, sizeof *list);
  bool good = list != NULL;
  *n = 0;
  if (good && strcmp(r->tier, "show") == 0)
    good = asprintf(&list[(*n)++], "show") >= 0;
  if (good && r->solver)
    good = asprintf(&list[(*n)++], "solver=%s", last_part(r->solver)) >= 0;
  for (size_t i = 0; good && i < r->n_parameters; i++)
    good = asprintf(&list[(*n)++], "%s=%s", r->parameters[i].name, r->parameters[i].value) >= 0;
  for (size_t i = 0; good && i < r->n_options; i++)
    if (vb_study_option_changes(r->options[i].name))
      good = asprintf(&list[(*n)++], "%s=%s", r->options[i].name, r->options[i].value) >= 0;
  if (good)
    return list;
  for (size_t i = 0; list && i + 1 < *n; i++) // the last one could not be written
    free(list[i]);
  free(list);
  return NULL;
}

/// Makes a text fit for a name; where that changes it, a hash tells it from others.
static char *make_fit(char *text) {
  static const char fit[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-=,";
  uint32_t hash = (uint32_t)vb_text_hash(text);
  bool changed = strlen(text) > MOST_LETTERS;
  if (changed)
    text[MOST_LETTERS] = '\0';
  for (char *c = text; *c; c++)
    if (!strchr(fit, *c)) {
      *c = '_';
      changed = true;
    }
  char *out = NULL;
  if (changed && asprintf(&out, "%s,%08" PRIx32, text, hash) < 0)
    out = NULL;
  if (changed)
    free(text);
  return changed ? out : text;
}

char *vb_cli_settings_name(const vb_study_request *request) {
  size_t n, size;
  char *text = NULL, **list = list_settings(request, &n);
  if (!list)
    return NULL;
  qsort(list, n, sizeof *list, compare_texts);
  FILE *out = open_memstream(&text, &size);
  for (size_t i = 0; i < n; i++) {
    if (out)
      fprintf(out, "%s%s", i ? "," : "", list[i]);
    free(list[i]);
  }
  free(list);
  return out && fclose(out) == 0 ? make_fit(text) : NULL;
}

/// Whether the index of a study is in the folder, and was made with other settings.
static bool holds_others(const char *folder, const char *study, const char *settings) {
  vb_error error = {0};
  char *path = vb_study_results_path(folder, study, NULL), *recorded = NULL;
  bool others = false;
  if (path && access(path, R_OK) == 0) {
    bool none =
        vb_run_text((vb_run_location){path, NULL}, "scenario/settings", &recorded, &error) != VB_OK;
    others = strcmp(none ? "" : recorded, settings) != 0;
  }
  free(recorded);
  free(path);
  return others;
}

/// The name of a study that is given by its name or by the path of its script.
static void name_study(const char *argument, char *out, size_t size) {
  const char *base = last_part(argument);
  size_t n = strlen(base);
  if (n > 4 && strcmp(base + n - 4, ".lua") == 0)
    n -= 4;
  snprintf(out, size, "%.*s", (int)n, base);
}

vb_status vb_cli_place_results(const vb_cli *cli, const vb_cli_results *asked, const char *settings,
                               char **out, vb_error *error) {
  bool beside = *settings && !vb_cli_find(cli, "out");
  char *folder = NULL;
  for (size_t i = 0; *settings && !beside && i < cli->n_arguments; i++) {
    char study[256];
    name_study(cli->arguments[i], study, sizeof study);
    beside = holds_others(asked->out, study, settings);
  }
  vb_status status = vb_folder_make(asked->out, error);
  if (status)
    return status;
  if (asprintf(&folder, "%s%s%s", asked->out, beside ? "/" : "", beside ? settings : "") < 0)
    return vb_error_memory(error);
  status = beside ? vb_folder_make(folder, error) : VB_OK;
  if (status)
    free(folder);
  else
    *out = folder;
  return status;
}
