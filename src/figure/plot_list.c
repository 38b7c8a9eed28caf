// SPDX-License-Identifier: GPL-3.0-or-later
#include "figure/plot_internal.h"

#include "base/nearest_word.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// What stands in a line behind the name of a helper.
typedef struct form {
  const char *helper;
  vb_plot_kind kind;
  bool frames;  ///< which frames
  size_t least; ///< further words at least
  size_t most;
  const char *written; ///< how, for messages
} form;

static const form FORMS[] = {
    {"series", VB_PLOT_SERIES, false, 1, VB_PLOT_WORDS, "series OF PATH.."},
    {"frame", VB_PLOT_FRAME, true, 1, VB_PLOT_WORDS, "frame OF FRAMES PATH.."},
    {"outline", VB_PLOT_OUTLINE, true, 1, 1, "outline OF FRAMES PLANE"},
    {"outline_of", VB_PLOT_OUTLINE_OF, true, 1, 1, "outline_of OF FRAMES PLANE"},
    {"box_edges", VB_PLOT_BOX_EDGES, true, 2, 2, "box_edges OF FRAMES WIDTH THICKNESS"},
    {"box_sections", VB_PLOT_BOX_SECTIONS, true, 2, 2, "box_sections OF FRAMES WIDTH THICKNESS"},
    {"rendered", VB_PLOT_RENDER, true, 2, VB_PLOT_WORDS,
     "rendered OF FRAMES WIDTHxHEIGHT VIEW WORD.."},
    {"distance", VB_PLOT_DISTANCE, false, 1, 1, "distance OF RUN"},
    {"values", VB_PLOT_VALUES, false, 1, VB_PLOT_WORDS, "values OF PATH.."},
};
static const size_t N_FORMS = sizeof FORMS / sizeof *FORMS;

static const form *find_form(const char *helper) {
  for (size_t i = 0; i < N_FORMS; i++)
    if (strcmp(FORMS[i].helper, helper) == 0)
      return &FORMS[i];
  return NULL;
}

static vb_status unknown(const char *path, size_t line, const char *helper, vb_error *error) {
  const char *known[sizeof FORMS / sizeof *FORMS];
  for (size_t i = 0; i < N_FORMS; i++)
    known[i] = FORMS[i].helper;
  const char *near = vb_nearest_word(helper, known, N_FORMS);
  return vb_bad_input(error, "%s:%zu: a figure cannot request \"%.60s\"; did you mean \"%s\"?",
                      path, line, helper, near ? near : "series");
}

/// Cuts a line (behind "#:") into words.
static vb_status cut(const char *path, const vb_plot_item *item, char *words[VB_PLOT_WORDS],
                     size_t *n, vb_error *error) {
  // What a list names becomes words of gnuplot.
  static const char allowed[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+-./,:=%[]*?";
  char *rest;
  *n = 0;
  for (char *w = strtok_r(item->text, " \t\n", &rest); w; w = strtok_r(NULL, " \t\n", &rest)) {
    if (*n == VB_PLOT_WORDS)
      return vb_bad_input(error, "%s:%zu: a line of a list has %d words at most", path, item->line,
                          VB_PLOT_WORDS);
    if (strspn(w, allowed) != strlen(w))
      return vb_bad_input(error, "%s:%zu: \"%.60s\" contains an invalid character", path,
                          item->line, w);
    words[(*n)++] = w;
  }
  return VB_OK;
}

/// Finds out what a line asks for.
static vb_status parse(const char *path, vb_plot_item *item, vb_error *error) {
  char *all[VB_PLOT_WORDS + 1] = {NULL}, **words = all;
  size_t n;
  vb_status status = cut(path, item, words, &n, error);
  if (status)
    return status;
  item->missing = n > 0 && strcmp(words[0], "maybe") == 0;
  words += item->missing;
  n -= item->missing;
  const form *f = n > 0 ? find_form(words[0]) : NULL;
  if (!f)
    return unknown(path, item->line, n > 0 ? words[0] : "", error);
  size_t before = 2u + f->frames;
  if (n < before + f->least || n > before + f->most)
    return vb_bad_input(error, "%s:%zu: this must be \"#: %s\"", path, item->line, f->written);
  item->kind = f->kind;
  item->helper = words[0];
  item->of = words[1];
  item->frames = f->frames ? words[2] : NULL;
  item->n_arguments = n - before;
  item->arguments = reallocarray(NULL, n - before + 1, sizeof *item->arguments);
  if (!item->arguments)
    return vb_error_memory(error);
  memcpy(item->arguments, words + before, (n - before) * sizeof *words);
  return VB_OK;
}

static vb_status append(const char *path, const char *text, size_t line, vb_plot_list *list,
                        vb_error *error) {
  vb_plot_item *item = VB_APPEND(list->items, list->n);
  if (!item || !(item->text = strdup(text)))
    return vb_error_memory(error);
  item->line = line;
  return parse(path, item, error);
}

vb_status vb_plot_list_read(const char *path, vb_plot_list *out, vb_error *error) {
  vb_plot_list list = {0};
  char *line = NULL;
  size_t room = 0;
  vb_status status = VB_OK;
  FILE *script = fopen(path, "re");
  if (!script)
    return vb_bad_input(error, "cannot read %s: %s", path, strerror(errno));
  for (size_t number = 1; !status && getline(&line, &room, script) >= 0; number++)
    if (strncmp(line, "#:", 2) == 0)
      status = append(path, line + 2, number, &list, error);
  free(line);
  fclose(script);
  if (status)
    vb_plot_list_free(&list);
  else
    *out = list;
  return status;
}

void vb_plot_list_free(vb_plot_list *list) {
  for (size_t i = 0; i < list->n; i++) {
    free(list->items[i].arguments);
    free(list->items[i].text);
  }
  free(list->items);
  *list = (vb_plot_list){0};
}
