// SPDX-License-Identifier: GPL-3.0-or-later
#include "figure/plot_internal.h"

#include "base/home.h"
#include "results/results_array.h"
#include "results/results_file.h"
#include "results/results_locate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// Hexadecimal digits of a commit or scene that a footer shows.
#define SHORT_HASH 8

/// Hashes that a footer lists before it says "...".
#define MOST_HASHES 4

/// Appends to an owned text; false for want of memory.
static bool append(char **text, const char *separator, const char *more) {
  size_t length = *text ? strlen(*text) : 0;
  char *grown = realloc(*text, length + strlen(separator) + strlen(more) + 1);
  if (!grown)
    return false;
  grown[length] = '\0';
  if (length > 0)
    strcat(grown, separator);
  strcat(grown, more);
  *text = grown;
  return true;
}

/// Appends a hash to a list that does not hold it yet.
static bool append_hash(char **list, size_t *n, const char *hash) {
  if (*list && strstr(*list, hash))
    return true;
  if (++*n > MOST_HASHES)
    return *n > MOST_HASHES + 1 || append(list, ", ", "...");
  return append(list, ", ", hash);
}

/// The hashes of all runs.
typedef struct hashes {
  char *commits;
  size_t n_commits;
  char *scenes;
  size_t n_scenes;
} hashes;

static vb_status read_commit(vb_run_location place, hashes *out, vb_error *error) {
  char hash[SHORT_HASH + 8], *commit = NULL;
  vb_array dirty = {0};
  vb_status status = vb_run_text(place, "provenance/commit", &commit, error);
  if (!status)
    status = vb_run_array(place, "provenance/dirty", VB_NO_FRAME, &dirty, error);
  if (!status) {
    bool changed = dirty.n > 0 && dirty.values[0] != 0;
    snprintf(hash, sizeof hash, "%.*s%s", SHORT_HASH, commit, changed ? "+dirty" : "");
    if (!append_hash(&out->commits, &out->n_commits, hash))
      status = vb_error_memory(error);
  }
  vb_array_free(&dirty);
  free(commit);
  return status;
}

static vb_status read_run(const char *index, const char *run, vb_plot_facts *out, hashes *found,
                          vb_error *error) {
  char *label = NULL, *scene = NULL;
  vb_run_location place = {index, run};
  vb_status status = vb_run_text(place, "scenario/label", &label, error);
  if (!status)
    status = vb_run_text(place, "scenario/scene_sha256", &scene, error);
  if (!status)
    status = read_commit(place, found, error);
  if (!status) {
    if (strlen(scene) > SHORT_HASH)
      scene[SHORT_HASH] = '\0';
    const char *shown = label[0] ? label : run;
    for (char *bar = label; (bar = strchr(bar, '|'));) // which stands between two labels
      *bar = '/';
    if (!append(&out->runs, " ", run) || !append(&out->labels, "|", shown) ||
        !append_hash(&found->scenes, &found->n_scenes, scene))
      status = vb_error_memory(error);
  }
  free(scene);
  free(label);
  return status;
}

static vb_status read_runs(const char *index, vb_plot_facts *out, vb_error *error) {
  vb_texts runs = {0};
  hashes found = {0};
  char *date = NULL;
  vb_status status = vb_results_texts(index, "/scenario/runs", &runs, error);
  for (size_t i = 0; !status && i < runs.n; i++)
    status = read_run(index, runs.texts[i], out, &found, error);
  if (!status)
    status = vb_run_text((vb_run_location){index, NULL}, "provenance/date", &date, error);
  if (!status && asprintf(&out->footer, "viperbench %s, scene %s, %s",
                          found.commits ? found.commits : "unknown",
                          found.scenes ? found.scenes : "none", date) < 0) {
    out->footer = NULL;
    status = vb_error_memory(error);
  }
  free(date);
  free(found.commits);
  free(found.scenes);
  vb_texts_free(&runs);
  return status;
}

static vb_status read_figure(const char *index, char **out, vb_error *error) {
  vb_h5 h5 = {index, VB_BAD_INPUT, error, VB_OK};
  bool is_index = false;
  char figure[256] = "";
  hid_t file = vb_results_open(&h5, &is_index);
  if (!h5.status && !is_index)
    h5.status = vb_bad_input(
        error, "%s is the file of one run; figures are drawn from a study's index", index);
  if (!h5.status && !vb_h5_read_attribute(file, "figure", figure, sizeof figure))
    figure[0] = '\0';
  vb_h5_release(file);
  if (!h5.status && !(*out = strdup(figure)))
    return vb_error_memory(error);
  return h5.status;
}

/// A study of runs that names no figure has the default one, where that is installed.
static vb_status choose_default(const char *index, vb_plot_facts *facts, vb_error *error) {
  char home[4096], path[4200];
  bool runs = false, timed = false;
  vb_status status = vb_results_has(index, "/scenario/runs", &runs, error);
  if (!status)
    status = vb_results_has(index, "/bench", &timed, error);
  if (!status && runs && !timed)
    status = vb_home(home, sizeof home, error);
  if (status || !runs || timed)
    return status;
  snprintf(path, sizeof path, "%s/plots/" VB_PLOT_DEFAULT ".gp", home);
  if (access(path, R_OK))
    return VB_OK;
  free(facts->figure);
  facts->figure = strdup(VB_PLOT_DEFAULT);
  return facts->figure ? VB_OK : vb_error_memory(error);
}

vb_status vb_plot_facts_read(const char *index, vb_plot_facts *out, vb_error *error) {
  vb_plot_facts facts = {0};
  vb_status status = read_figure(index, &facts.figure, error);
  if (!status && !facts.figure[0])
    status = choose_default(index, &facts, error);
  if (!status && facts.figure[0])
    status = read_runs(index, &facts, error);
  if (!status && facts.figure[0])
    status = vb_plot_title_read(index, &facts, error);
  if (status)
    vb_plot_facts_free(&facts);
  else
    *out = facts;
  return status;
}

void vb_plot_facts_free(vb_plot_facts *facts) {
  free(facts->figure);
  free(facts->runs);
  free(facts->labels);
  free(facts->footer);
  free(facts->title);
  free(facts->changed);
  free(facts->shared);
  *facts = (vb_plot_facts){0};
}
