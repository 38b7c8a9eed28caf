// SPDX-License-Identifier: GPL-3.0-or-later
// The command "table": columns of a results file as text, for gnuplot and eyes.
#include "harness/cli.h"
#include "harness/results.h"
#include "harness/results_array.h"
#include "harness/results_place.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Columns that came from one argument.
typedef struct block {
  char name[400];
  char unit[32];
  const char *x_name; ///< "time [s]", "iteration" or "element"
  size_t n;
  size_t width;
  double *x;      ///< (n)
  double *y;      ///< (n x width), null where there are texts
  vb_texts texts; ///< (n)
} block;

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

static vb_status parse_selection(const char *text, selection *out, vb_error *error) {
  selection s = {.row = -1, .component = -1};
  size_t length = strcspn(text, "[");
  if (length == 0 || length >= sizeof s.path || !parse_brackets(text + length, &s))
    return vb_error_set(error, VB_BAD_INPUT,
                        "column \"%s\" cannot be understood; write path, path[row], "
                        "path[row,component] or path[frame=k]",
                        text);
  memcpy(s.path, text, length);
  *out = s;
  return VB_OK;
}

static vb_status read_series(const char *file, const selection *s, block *out, vb_error *error) {
  vb_column column;
  vb_status status = vb_results_column(file, s->path, s->row, s->component, &column, error);
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
static vb_status number_rows(block *out, vb_error *error) {
  out->x_name = "element";
  out->x = malloc((out->n + 1) * sizeof *out->x);
  for (size_t i = 0; out->x && i < out->n; i++)
    out->x[i] = (double)i;
  return out->x ? VB_OK : vb_error_memory(error);
}

/// A frame, or a whole dataset by VB_NO_FRAME.
static vb_status read_elements(const char *file, int64_t frame, const char *dataset, block *out,
                               vb_error *error) {
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
static vb_status read_still(const char *file, const char *dataset, block *out, vb_error *error) {
  bool text;
  vb_status status = vb_results_is_text(file, dataset, &text, error);
  if (!status && !text)
    return read_elements(file, VB_NO_FRAME, dataset, out, error);
  if (!status)
    status = vb_results_texts(file, dataset, &out->texts, error);
  if (status)
    return status;
  out->n = out->texts.n;
  out->width = 1;
  return number_rows(out, error);
}

static vb_status read_block(const char *file, const char *text, block *out, vb_error *error) {
  selection s;
  char dataset[512];
  vb_status status = parse_selection(text, &s, error);
  if (status)
    return status;
  snprintf(out->name, sizeof out->name, "%s", text);
  vb_results_locate(s.path, dataset, sizeof dataset);
  bool still = vb_results_is_still(s.path);
  if (still && (s.by_frame || s.row >= 0))
    return vb_error_set(error, VB_BAD_INPUT, "\"%s\" is printed whole; name it without brackets",
                        s.path);
  status = still        ? read_still(file, dataset, out, error)
           : s.by_frame ? read_elements(file, s.frame, dataset, out, error)
                        : read_series(file, &s, out, error);
  return status ? status : vb_results_unit(file, dataset, out->unit, sizeof out->unit, error);
}

/// Columns stand side by side, so they must have the same rows.
static vb_status check_same_rows(const block *first, const block *other, vb_error *error) {
  bool same = first->n == other->n && strcmp(first->x_name, other->x_name) == 0;
  for (size_t i = 0; same && i < first->n; i++)
    same = first->x[i] == other->x[i];
  return same ? VB_OK
              : vb_error_set(error, VB_BAD_INPUT,
                             "\"%s\" and \"%s\" do not have the same rows; print them one by one",
                             first->name, other->name);
}

/// Prints a text between quotes, as one column.
static void print_text(const char *text) {
  fputs(" \"", stdout);
  for (; *text; text++)
    putchar(*text == '"' ? '\'' : *text == '\n' ? ' ' : *text);
  putchar('"');
}

static void print_row(const block *b, size_t i) {
  if (b->texts.texts)
    print_text(b->texts.texts[i]);
  else
    for (size_t k = 0; k < b->width; k++)
      printf(" %.17g", b->y[i * b->width + k]);
}

static void print_blocks(const block *blocks, size_t n) {
  printf("# %s", blocks[0].x_name);
  for (size_t b = 0; b < n; b++)
    for (size_t k = 0; k < blocks[b].width; k++)
      if (blocks[b].width == 1)
        printf(" %s[%s]", blocks[b].name, blocks[b].unit);
      else
        printf(" %s.%zu[%s]", blocks[b].name, k, blocks[b].unit);
  putchar('\n');
  for (size_t i = 0; i < blocks[0].n; i++) {
    printf("%.17g", blocks[0].x[i]);
    for (size_t b = 0; b < n; b++)
      print_row(&blocks[b], i);
    putchar('\n');
  }
}

vb_status vb_cli_table(const vb_cli *cli, vb_error *error) {
  size_t n = cli->n_arguments - 1;
  vb_status status = VB_OK;
  block *blocks = calloc(n, sizeof *blocks);
  if (!blocks)
    return vb_error_memory(error);
  for (size_t i = 0; !status && i < n; i++) {
    status = read_block(cli->arguments[0], cli->arguments[1 + i], &blocks[i], error);
    if (!status)
      status = check_same_rows(&blocks[0], &blocks[i], error);
  }
  if (!status)
    print_blocks(blocks, n);
  for (size_t i = 0; i < n; i++) {
    free(blocks[i].x);
    free(blocks[i].y);
    vb_texts_free(&blocks[i].texts);
  }
  free(blocks);
  return status;
}
