// SPDX-License-Identifier: GPL-3.0-or-later
#include "figure/plot_internal.h"

#include "results/results_locate.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Times that are sums of steps may be that much late [s].
static const double SLACK = 1e-9;

/// Reads the names of a group, which were found sound when the file was opened.
static vb_status read_names(const char *index, const char *group, vb_texts *out, vb_error *error) {
  const char *dataset = strcmp(group, "scaling") == 0 ? "/scaling/names" : "/scenario/runs";
  return vb_results_texts(index, dataset, out, error);
}

/// Marks those that one pattern means.
static vb_status mark(const char *index, const char *group, const char *pattern,
                      const vb_texts *names, bool *chosen, vb_error *error) {
  bool last = strncmp(pattern, "last:", 5) == 0, found = false;
  pattern += last ? 5 : 0;
  for (size_t k = 0; k < names->n && !(last && found); k++) {
    size_t i = last ? names->n - 1 - k : k;
    if (fnmatch(pattern, names->texts[i], 0) == 0)
      chosen[i] = found = true;
  }
  if (!found && !strpbrk(pattern, "*?["))
    return vb_bad_input(error, "%s has no %s/%s", index, group, pattern);
  return VB_OK;
}

/// Keeps the marked names in `out`.
static vb_status keep(vb_texts *names, const bool *chosen, vb_plot_groups *out, vb_error *error) {
  out->names = calloc(names->n + 1, sizeof *out->names);
  if (!out->names)
    return vb_error_memory(error);
  for (size_t i = 0; i < names->n; i++)
    if (chosen[i]) {
      out->names[out->n++] = names->texts[i];
      names->texts[i] = NULL;
    }
  return VB_OK;
}

/// The group's name in `of`, as a text that lasts; null where it is none.
static const char *group_of(const char *of) {
  static const char *const groups[] = {"runs", "bench", "scaling"};
  for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
    if (strncmp(of, groups[i], strlen(groups[i])) == 0 && of[strlen(groups[i])] == '/')
      return groups[i];
  return NULL;
}

vb_status vb_plot_groups_find(const char *index, const char *of, vb_plot_groups *out,
                              vb_error *error) {
  vb_plot_groups found = {.group = group_of(of)};
  vb_texts names = {0};
  char patterns[VB_PLOT_PATH];
  bool itself = strcmp(of, ".") == 0;
  if ((!found.group && !itself) || strlen(of) >= sizeof patterns)
    return vb_bad_input(error, "\"%.100s\" must be \".\" or begin with runs/, bench/ or scaling/",
                        of);
  vb_status status = itself ? VB_OK : read_names(index, found.group, &names, error);
  bool *chosen = calloc(names.n + 1, sizeof *chosen);
  if (!chosen && !status)
    status = vb_error_memory(error);
  snprintf(patterns, sizeof patterns, "%s", itself ? "" : of + strlen(found.group) + 1);
  for (char *rest, *p = strtok_r(patterns, ",", &rest); !status && p;
       p = strtok_r(NULL, ",", &rest))
    status = mark(index, found.group, p, &names, chosen, error);
  if (!status)
    status = keep(&names, chosen, &found, error);
  if (!status && itself && !(found.names[found.n++] = strdup(".")))
    status = vb_error_memory(error);
  free(chosen);
  vb_texts_free(&names);
  if (status)
    vb_plot_groups_free(&found);
  else
    *out = found;
  return status;
}

void vb_plot_groups_free(vb_plot_groups *subjects) {
  for (size_t i = 0; i < subjects->n; i++)
    free(subjects->names[i]);
  free(subjects->names);
  *subjects = (vb_plot_groups){0};
}

static vb_status choose_frame(vb_plot_frames *f, long long k, vb_error *error) {
  long long n = (long long)f->n_frames, frame = k < 0 ? k + n : k;
  if (frame < 0 || frame >= n)
    return vb_bad_input(error, "there is no frame %lld of %lld", k, n);
  size_t *chosen = VB_APPEND(f->chosen, f->n);
  if (!chosen)
    return vb_error_memory(error);
  *chosen = (size_t)frame;
  return VB_OK;
}

static vb_status choose_spread(vb_plot_frames *f, long long n, vb_error *error) {
  vb_status status = VB_OK;
  for (long long i = 0; !status && i < n; i++)
    status = choose_frame(f, n == 1 ? 0 : i * ((long long)f->n_frames - 1) / (n - 1), error);
  return status;
}

/// One word between commas.
static vb_status choose(const vb_array *times, const char *word, vb_plot_frames *f,
                        vb_error *error) {
  char *end;
  if (strcmp(word, "all") == 0)
    return choose_spread(f, (long long)f->n_frames, error);
  bool by_time = strncmp(word, "t=", 2) == 0, spread = strncmp(word, "spread=", 7) == 0;
  const char *number = word + (by_time ? 2 : spread ? 7 : 0);
  double t = strtod(number, &end);
  if (end == number || *end || (!by_time && t != (double)(long long)t) || (spread && t < 1))
    return vb_bad_input(error, "\"%s\" selects no frames; write all, a number, t=TIME or spread=N",
                        word);
  if (spread)
    return choose_spread(f, (long long)t, error);
  if (!by_time)
    return choose_frame(f, (long long)t, error);
  long long k = -1;
  while (k + 1 < (long long)times->n && times->values[k + 1] <= t + SLACK)
    k++;
  return k >= 0 ? choose_frame(f, k, error)
                : vb_bad_input(error, "there is no frame up to %g s", t);
}

vb_status vb_plot_frames_choose(const char *index, const char *run, const char *text,
                                vb_plot_frames *out, vb_error *error) {
  char words[VB_PLOT_PATH];
  vb_array times = {0};
  vb_run_location place = {index, run};
  snprintf(words, sizeof words, "%s", text);
  vb_status status = vb_run_array(place, "run/frames/time", VB_NO_FRAME, &times, error);
  vb_plot_frames frames = {.n_frames = times.n};
  for (char *rest, *w = strtok_r(words, ",", &rest); !status && w; w = strtok_r(NULL, ",", &rest))
    status = choose(&times, w, &frames, error);
  vb_array_free(&times);
  if (status)
    free(frames.chosen);
  else
    *out = frames;
  return status;
}

/// The number of a row that is written as a share of all rows of a series.
static vb_status find_share(const char *index, const char *quantity, long percent, size_t *row,
                            vb_error *error) {
  char dataset[VB_PLOT_PATH];
  vb_array array = {0};
  vb_results_locate(quantity, dataset, sizeof dataset);
  vb_status status = vb_results_array(index, dataset, 0, &array, error);
  if (!status)
    *row = array.n > 0 ? (size_t)percent * (array.n - 1) / 100 : 0;
  vb_array_free(&array);
  return status;
}

static vb_status find_gate(const char *index, const char *subject, size_t gate, size_t *row,
                           vb_error *error) {
  char dataset[VB_PLOT_PATH];
  vb_array rows = {0};
  snprintf(dataset, sizeof dataset, "/%s/gates/row", subject);
  vb_status status = vb_results_array(index, dataset, VB_NO_FRAME, &rows, error);
  if (!status &&
      (gate >= rows.n || rows.width != 1 || !(rows.values[gate] >= 0 && rows.values[gate] < 1e15)))
    status = vb_bad_input(error, "%s: no gate %zu of a row is in \"%s\"", index, gate, dataset);
  if (!status)
    *row = (size_t)rows.values[gate];
  vb_array_free(&rows);
  return status;
}

static vb_status find_vertex(const char *index, const char *subject, const double at[3],
                             size_t *row, vb_error *error) {
  char dataset[VB_PLOT_PATH];
  vb_array rest = {0};
  bool found = false;
  snprintf(dataset, sizeof dataset, "/%s/topology/rest_vertex", subject);
  vb_status status = vb_results_array(index, dataset, VB_NO_FRAME, &rest, error);
  for (size_t i = 0; !status && rest.width == 3 && i < rest.n; i++) {
    double square = 0;
    for (size_t k = 0; k < 3; k++)
      square += (rest.values[3 * i + k] - at[k]) * (rest.values[3 * i + k] - at[k]);
    if (square < 1e-12) {
      *row = i;
      found = true;
    }
  }
  if (!status && !found)
    status = vb_bad_input(error, "%s: \"%s\" has no vertex at %g %g %g", index, dataset, at[0],
                          at[1], at[2]);
  vb_array_free(&rest);
  return status;
}

/// Reads how a row is written between `bracket` and what ends it; `*known` tells whether in one of
/// our ways.
static vb_status find_row(const char *index, const char *subject, const char *series,
                          const char *bracket, bool *known, size_t *row, vb_error *error) {
  long percent;
  size_t gate;
  double at[3];
  char end;
  *known = true;
  if (sscanf(bracket, "[%ld%%%c", &percent, &end) == 2 && percent >= 0 && percent <= 100)
    return find_share(index, series, percent, row, error);
  if (sscanf(bracket, "[gate=%zu%c", &gate, &end) == 2)
    return find_gate(index, subject, gate, row, error);
  if (sscanf(bracket, "[%lf:%lf:%lf%c", &at[0], &at[1], &at[2], &end) == 4)
    return find_vertex(index, subject, at, row, error);
  *known = false;
  return VB_OK;
}

vb_status vb_plot_path(const char *index, const char *group, const char *name, const char *quantity,
                       char out[VB_PLOT_PATH], vb_error *error) {
  char subject[VB_PLOT_PATH] = "", series[VB_PLOT_PATH];
  const char *bracket = strchr(quantity, '[');
  bool known = false;
  size_t row = 0;
  if (group)
    snprintf(subject, sizeof subject, "%s/%s", group, name);
  int n = snprintf(out, VB_PLOT_PATH, "%s%s%s", subject, group ? "/" : "", quantity);
  if (n < 0 || n >= VB_PLOT_PATH)
    return vb_bad_input(error, "the path \"%.100s\" is too long", quantity);
  if (!bracket)
    return VB_OK;
  snprintf(series, sizeof series, "%.*s", (int)(strchr(out, '[') - out), out);
  vb_status status = find_row(index, subject, series, bracket, &known, &row, error);
  if (!status && known) {
    n = snprintf(out, VB_PLOT_PATH, "%s[%zu%s", series, row, bracket + strcspn(bracket, ",]"));
    if (n < 0 || n >= VB_PLOT_PATH)
      status = vb_bad_input(error, "the path \"%.100s\" is too long", quantity);
  }
  return status;
}
