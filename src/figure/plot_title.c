// SPDX-License-Identifier: GPL-3.0-or-later
/// The lines at the head of each figure of a study: its title, what its runs differ in, and what
/// they share.
#include "base/nearest_word.h"
#include "base/text.h"
#include "figure/plot_internal.h"
#include "results/results_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_SIZE    512 ///< bytes of a line
#define LONGEST_LIST 60  ///< bytes of a list that are followed by "..."
#define LONGEST_LINE 100 ///< likewise of a line

/// A setting of runs that a figure tells.
typedef struct setting {
  const char *dataset;
  const char *name;
  const char *unit; ///< behind the values, with its blank
} setting;

static const setting SETTINGS[] = {
    {"solver/name", "solver", ""},         {"solver/method", "method", ""},
    {"solver/precision", "precision", ""}, {"solver/iterations", "iterations", ""},
    {"solver/substeps", "substeps", ""},   {"scenario/step", "time step", " s"},
};
enum { N_SETTINGS = sizeof SETTINGS / sizeof *SETTINGS };

/// Different values, in the order in which they were found.
typedef struct values {
  char **texts; ///< (n)
  size_t n;
} values;

static void free_values(values *list) {
  for (size_t i = 0; i < list->n; i++)
    free(list->texts[i]);
  free(list->texts);
  *list = (values){0};
}

/// Appends a copy of a text; false for want of memory.
static bool append(values *list, const char *text) {
  char *copy = strdup(text), **added = copy ? VB_APPEND(list->texts, list->n) : NULL;
  if (added)
    *added = copy;
  else
    free(copy);
  return added != NULL;
}

/// Adds a text, unless it is empty or in the list.
static void add(vb_h5 *h5, values *list, const char *text) {
  bool known = !text[0];
  for (size_t i = 0; i < list->n; i++)
    known |= strcmp(list->texts[i], text) == 0;
  if (!known && !h5->status && !append(list, text))
    vb_h5_out_of_memory(h5);
}

static void add_numbers(vb_h5 *h5, values *list, const vb_h5_dataset *d) {
  vb_h5_block all = {.count = {d->extent[0], 1, 1}};
  vb_h5_expect(h5, d, VB_H5_NUMBERS, 0, 1);
  double *numbers = h5->status ? NULL : vb_h5_new_numbers(h5, d, &all);
  for (hsize_t i = 0; numbers && i < d->extent[0]; i++) {
    char text[32] = "";
    if (!isnan(numbers[i]))
      snprintf(text, sizeof text, "%.4g", numbers[i]);
    add(h5, list, text);
  }
  free(numbers);
}

/// Adds all numbers or texts of a dataset, where there is one.
static void add_dataset(vb_h5 *h5, values *list, hid_t from, const char *path) {
  vb_h5_dataset d;
  size_t n = 0;
  if (h5->status || !vb_h5_open_dataset(h5, from, path, &d))
    return;
  char **texts = d.kind == VB_H5_TEXTS ? vb_h5_new_texts(h5, &d, &n) : NULL;
  for (size_t i = 0; i < n; i++)
    add(h5, list, texts[i]);
  vb_texts_destroy(texts, n);
  if (d.kind == VB_H5_NUMBERS)
    add_numbers(h5, list, &d);
  vb_h5_release(d.id);
}

/// Appends "A, B, ..." to a line, with `separator` in place of the comma.
static void print_values(char *line, const values *list, const char *separator) {
  size_t begin = strlen(line);
  for (size_t i = 0; i < list->n; i++) {
    bool full = strlen(line) - begin + strlen(list->texts[i]) > LONGEST_LIST;
    vb_text_add(line, LINE_SIZE, "%s%s", i ? separator : "", full ? "..." : list->texts[i]);
    if (full)
      return;
  }
}

/// Appends "NAME: A, B UNIT" as the next part of a line, or "..." where the line is long.
static void print_part(char *line, const char *name, const values *list, const char *unit) {
  size_t n = strlen(line);
  if (n > LONGEST_LINE) {
    if (line[n - 1] != '.')
      vb_text_add(line, LINE_SIZE, "; ...");
    return;
  }
  vb_text_add(line, LINE_SIZE, "%s%s: ", line[0] ? "; " : "", name);
  print_values(line, list, ", ");
  vb_text_add(line, LINE_SIZE, "%s", unit);
}

static bool add_axis(const char *name, H5L_type_t link, void *data) {
  return link != H5L_TYPE_HARD || append(data, name);
}

/// Prints the axes of a study's grid on which its runs have several values.
static void print_axes(vb_h5 *h5, hid_t index, char *varied) {
  values axes = {0};
  hid_t grid = vb_h5_open_group(h5, index, "scenario/grid");
  if (grid >= 0)
    vb_h5_list_members(h5, grid, add_axis, &axes);
  for (size_t i = 0; i < axes.n; i++) {
    values list = {0};
    add_dataset(h5, &list, grid, axes.texts[i]);
    if (list.n > 1)
      print_part(varied, axes.texts[i], &list, "");
    free_values(&list);
  }
  free_values(&axes);
  vb_h5_release(grid);
}

/// Adds the parts of a text between separators.
static void add_parts(vb_h5 *h5, values *list, const char *text, char separator) {
  char *copy = strdup(text), *rest = copy, ends[] = {separator, '\0'};
  if (!copy)
    vb_h5_out_of_memory(h5);
  for (char *part; rest && (part = strsep(&rest, ends));)
    add(h5, list, part);
  free(copy);
}

/// Adds the settings of one run.
static void add_run(vb_h5 *h5, hid_t index, const char *name, values *settings) {
  hid_t run = vb_results_open_run(h5, index, name);
  for (size_t i = 0; run >= 0 && i < N_SETTINGS; i++)
    add_dataset(h5, &settings[i], run, SETTINGS[i].dataset);
  vb_h5_release(run);
}

/// Prints settings that the runs share, and those that they differ in, but for axes of the grid.
static void print_settings(const values *settings, char *varied, char *shared) {
  for (size_t i = 0; i < N_SETTINGS; i++) {
    char begin[64];
    const setting *s = &SETTINGS[i];
    snprintf(begin, sizeof begin, "%s: ", s->name);
    if (settings[i].n == 1)
      print_part(shared, s->name, &settings[i], s->unit);
    else if (settings[i].n > 1 && !strstr(varied, begin))
      print_part(varied, s->name, &settings[i], s->unit);
  }
}

/// Prints both lines about the runs.
static void print_runs(vb_h5 *h5, hid_t index, const vb_plot_facts *facts, char *varied,
                       char *shared) {
  values names = {0}, labels = {0}, tier = {0}, changed = {0}, settings[N_SETTINGS] = {0};
  add_parts(h5, &names, facts->runs ? facts->runs : "", ' ');
  add_parts(h5, &labels, facts->labels ? facts->labels : "", '|');
  add_dataset(h5, &tier, index, "scenario/tier");
  add_dataset(h5, &changed, index, "scenario/settings");
  print_part(shared, "tier", &tier, "");
  if (changed.n > 0)
    print_part(shared, "settings", &changed, "");
  if (names.n > 1)
    vb_text_add(varied, LINE_SIZE, "%zu runs", names.n);
  size_t begin = strlen(varied);
  print_axes(h5, index, varied);
  if (begin > 0 && !varied[begin]) {
    vb_text_add(varied, LINE_SIZE, ": ");
    print_values(varied, &labels, " | ");
  }
  for (size_t i = 0; i < names.n; i++)
    add_run(h5, index, names.texts[i], settings);
  print_settings(settings, varied, shared);
  values *lists[] = {&names, &labels, &tier, &changed};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    free_values(lists[i]);
  for (size_t i = 0; i < N_SETTINGS; i++)
    free_values(&settings[i]);
}

vb_status vb_plot_title_read(const char *index, vb_plot_facts *facts, vb_error *error) {
  char title[LINE_SIZE] = "", varied[LINE_SIZE] = "", shared[LINE_SIZE] = "";
  vb_h5 h5 = {index, VB_BAD_INPUT, error, VB_OK};
  values study = {0};
  bool is_index;
  hid_t file = vb_results_open(&h5, &is_index);
  if (file >= 0) {
    add_dataset(&h5, &study, file, "scenario/study");
    add_dataset(&h5, &study, file, "scenario/title");
    for (size_t i = 0; i < study.n && i < 2; i++)
      vb_text_add(title, sizeof title, "%s%s", i ? ": " : "", study.texts[i]);
    print_runs(&h5, file, facts, varied, shared);
  }
  free_values(&study);
  vb_h5_release(file);
  if (h5.status)
    return h5.status;
  facts->title = strdup(title);
  facts->changed = strdup(varied);
  facts->shared = strdup(shared);
  return facts->title && facts->changed && facts->shared ? VB_OK : vb_error_memory(error);
}
