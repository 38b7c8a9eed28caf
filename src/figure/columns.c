// SPDX-License-Identifier: GPL-3.0-or-later
#include "figure/columns.h"

#include "base/printable.h"
#include "base/report_text.h"
#include "gate/angular_momentum.h"
#include "gate/balance.h"
#include "gate/ribbon.h"
#include "results/results.h"
#include "results/results_attribute.h"
#include "results/results_locate.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/// What stands in the brackets of an argument.
typedef struct selection {
  char path[400];
  bool by_frame;
  int64_t frame;
  int64_t row;
  int component;
} selection;

/// Moves past `text` where it stands at `*at`.
static bool take_text(const char **at, const char *text) {
  size_t length = strlen(text);
  if (strncmp(*at, text, length) != 0)
    return false;
  *at += length;
  return true;
}

/// Reads the whole number at `*at` and moves past it.
static bool take_number(const char **at, int64_t *out) {
  char *end;
  *out = strtoll(*at, &end, 10);
  bool some = end != *at;
  *at = end;
  return some;
}

/// Reads what may follow a path: nothing, "[frame=k]", "[i]" or "[i,j]".
static bool parse_brackets(const char *at, selection *out) {
  int64_t second;
  if (!*at)
    return true;
  if (take_text(&at, "[frame=")) {
    out->by_frame = true;
    return take_number(&at, &out->frame) && strcmp(at, "]") == 0;
  }
  if (!take_text(&at, "[") || !take_number(&at, &out->row) || out->row < 0)
    return false;
  if (take_text(&at, ",")) {
    if (!take_number(&at, &second) || second < 0 || second > INT_MAX)
      return false;
    out->component = (int)second;
  }
  return strcmp(at, "]") == 0;
}

/// Copies a path of `length` letters as it is, or as h5ls prints it: with a slash before it, and
/// with "run/" before a series.
static void take_h5ls(const char *text, size_t length, char path[400]) {
  size_t skip = text[0] == '/';
  memcpy(path, text + skip, length - skip);
  path[length - skip] = '\0';
  size_t prefix = vb_results_prefix(path);
  if (strncmp(path + prefix, "run/", 4) == 0)
    memmove(path + prefix, path + prefix + 4, strlen(path + prefix + 4) + 1);
}

static vb_status parse_selection(const char *text, selection *out, vb_error *error) {
  selection s = {.row = -1, .component = -1};
  size_t length = strcspn(text, "[");
  if (length == 0 || length >= sizeof s.path || !parse_brackets(text + length, &s))
    return vb_bad_input(error,
                        "column \"%s\" is invalid; write path, path[row], "
                        "path[row,component] or path[frame=k]",
                        text);
  take_h5ls(text, length, s.path);
  *out = s;
  return VB_OK;
}

static vb_status read_series(const char *file, const selection *s, vb_column_block *out,
                             vb_error *error) {
  vb_column column;
  vb_status status = vb_is_ribbon(s->path) ? vb_ribbon_column(file, s->path, s->row, &column, error)
                     : vb_is_balance(s->path) ? vb_balance_column(file, s->path, &column, error)
                     : vb_is_angular_momentum(s->path)
                         ? vb_angular_momentum_column(file, s->path, s->component, &column, error)
                         : vb_results_column(file, s->path, s->row, s->component, &column, error);
  if (status)
    return status;
  out->n = column.n;
  out->width = 1;
  out->x = column.x;
  out->y = column.y;
  out->x_name = strstr(s->path, "convergence/") ? "iteration"
                : strstr(s->path, "timing/")    ? "step"
                                                : "time[s]";
  return VB_OK;
}

/// Numbers the rows of what has no time.
static vb_status number_rows(vb_column_block *out, vb_error *error) {
  out->x_name = "element";
  out->x = reallocarray(NULL, out->n + 1, sizeof *out->x);
  for (size_t i = 0; out->x && i < out->n; i++)
    out->x[i] = (double)i;
  return out->x ? VB_OK : vb_error_memory(error);
}

/// A frame, or a whole dataset by VB_NO_FRAME.
static vb_status read_elements(const char *file, int64_t frame, const char *dataset,
                               vb_column_block *out, vb_error *error) {
  vb_array array;
  vb_status status = vb_results_array(file, dataset, frame, &array, error);
  if (status)
    return status;
  out->n = array.n;
  out->width = array.width;
  out->y = array.values;
  return number_rows(out, error);
}

/// A whole dataset, of numbers or of texts.
static vb_status read_static(const char *file, const char *dataset, vb_column_block *out,
                             vb_error *error) {
  bool text;
  vb_status status = vb_results_is_text(file, dataset, &text, error);
  if (!status && !text)
    return read_elements(file, VB_NO_FRAME, dataset, out, error);
  if (!status)
    status = vb_results_texts(file, dataset, &out->texts, error);
  if (status)
    return status;
  for (size_t i = 0; i < out->texts.n; i++)
    vb_printable_text(out->texts.texts[i]);
  out->n = out->texts.n;
  out->width = 1;
  return number_rows(out, error);
}

static vb_status read_block(const char *file, const char *text, vb_column_block *out,
                            vb_error *error) {
  selection s;
  char dataset[512];
  vb_status status = parse_selection(text, &s, error);
  if (status)
    return status;
  snprintf(out->name, sizeof out->name, "%s", text);
  vb_results_locate(s.path, dataset, sizeof dataset);
  bool is_static = vb_results_is_static(s.path);
  if (is_static && (s.by_frame || s.row >= 0))
    return vb_bad_input(error, "\"%s\" cannot be indexed; name it without brackets", s.path);
  status = is_static    ? read_static(file, dataset, out, error)
           : s.by_frame ? read_elements(file, s.frame, dataset, out, error)
                        : read_series(file, &s, out, error);
  if (!status && (vb_is_ribbon(s.path) || vb_is_balance(s.path))) // made of others, and no dataset
    snprintf(out->unit, sizeof out->unit, "1");
  else if (!status && vb_is_angular_momentum(s.path))
    snprintf(out->unit, sizeof out->unit, "kg m2 s-1");
  else if (!status)
    status = vb_results_unit(file, dataset, out->unit, sizeof out->unit, error);
  return status;
}

/// Whether a path is of wall times.
static bool is_time(const char *path) {
  return strncmp(path, "timing/", 7) == 0 || strcmp(path, "convergence/wall_time") == 0;
}

static vb_status refuse_shared(const char *file, const char *text, vb_error *error) {
  selection s;
  vb_attribute shared;
  char run[sizeof s.path] = "";
  vb_status status = parse_selection(text, &s, error);
  size_t prefix = status ? 0 : vb_results_prefix(s.path);
  if (status || !is_time(s.path + prefix))
    return status;
  if (prefix > 0)
    snprintf(run, sizeof run, "%.*s", (int)(prefix - strlen("runs//")), s.path + strlen("runs/"));
  // Files of before have no such attribute: their runs were alone.
  if (vb_run_attribute((vb_run_location){file, prefix ? run : NULL}, "timing", "shared", &shared,
                       NULL) ||
      !shared.is_text || strcmp(shared.text, "yes") != 0)
    return VB_OK;
  return vb_bad_input(error,
                      "%s: \"%s\" was timed in parallel with other runs and cannot be compared; "
                      "set timed = true in the study, and run it again with --fresh",
                      file, s.path);
}

vb_status vb_columns_refuse_shared(const char *file, char *const *texts, size_t n,
                                   vb_error *error) {
  vb_status status = VB_OK;
  for (size_t i = 0; !status && i < n; i++)
    status = refuse_shared(file, texts[i], error);
  return status;
}

/// Columns stand side by side, so they must have the same rows.
static vb_status check_same_rows(const vb_column_block *first, const vb_column_block *other,
                                 vb_error *error) {
  bool same = first->n == other->n && strcmp(first->x_name, other->x_name) == 0;
  for (size_t i = 0; same && i < first->n; i++)
    same = first->x[i] == other->x[i] || (isnan(first->x[i]) && isnan(other->x[i]));
  return same ? VB_OK
              : vb_bad_input(error,
                             "\"%s\" and \"%s\" do not have the same rows; print them separately",
                             first->name, other->name);
}

/// Prints a text between quotes, as one column of one row.
static void print_text(FILE *out, const char *text) {
  fputs(" \"", out);
  for (; *text; text++)
    putc(*text == '"' ? '\'' : *text == '\n' || *text == '\t' ? ' ' : *text, out);
  putc('"', out);
}

void vb_columns_print_row(FILE *out, const vb_column_block *block, size_t i) {
  if (block->texts.texts)
    print_text(out, block->texts.texts[i]);
  else
    for (size_t k = 0; k < block->width; k++) {
      char number[VB_SHORTEST_SIZE];
      vb_report_shortest(number, block->y[i * block->width + k]);
      fprintf(out, " %s", number);
    }
}

void vb_columns_print(FILE *out, const vb_columns *columns) {
  fprintf(out, "# %s", columns->blocks[0].x_name);
  for (size_t b = 0; b < columns->n; b++)
    for (size_t k = 0; k < columns->blocks[b].width; k++)
      if (columns->blocks[b].width == 1)
        fprintf(out, " %s[%s]", columns->blocks[b].name, columns->blocks[b].unit);
      else
        fprintf(out, " %s.%zu[%s]", columns->blocks[b].name, k, columns->blocks[b].unit);
  putc('\n', out);
  for (size_t i = 0; i < columns->blocks[0].n; i++) {
    char number[VB_SHORTEST_SIZE];
    vb_report_shortest(number, columns->blocks[0].x[i]);
    fputs(number, out);
    for (size_t b = 0; b < columns->n; b++)
      vb_columns_print_row(out, &columns->blocks[b], i);
    putc('\n', out);
  }
}

vb_status vb_columns_read(const char *file, char *const *texts, size_t n, vb_columns *out,
                          vb_error *error) {
  vb_columns c = {.n = n, .blocks = calloc(n + 1, sizeof *c.blocks)};
  vb_status status = c.blocks ? VB_OK : vb_error_memory(error);
  for (size_t i = 0; !status && i < n; i++) {
    status = read_block(file, texts[i], &c.blocks[i], error);
    if (!status)
      status = check_same_rows(&c.blocks[0], &c.blocks[i], error);
  }
  if (status)
    vb_columns_free(&c);
  else
    *out = c;
  return status;
}

void vb_columns_free(vb_columns *columns) {
  for (size_t i = 0; columns->blocks && i < columns->n; i++) {
    free(columns->blocks[i].x);
    free(columns->blocks[i].y);
    vb_texts_free(&columns->blocks[i].texts);
  }
  free(columns->blocks);
  *columns = (vb_columns){0};
}
