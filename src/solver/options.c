// SPDX-License-Identifier: GPL-3.0-or-later
/// Options of solvers against their descriptions.
#include "base/nearest_word.h"
#include "solver/table.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 64 };

const vb_option_info *vb_description_option(const vb_solver_description *description,
                                            const char *name) {
  for (size_t i = 0; i < description->n_options; i++)
    if (strcmp(description->options[i].name, name) == 0)
      return &description->options[i];
  return NULL;
}

static vb_status unknown_option(const vb_solver_description *description, const char *name,
                                vb_error *error) {
  const char *names[MOST_WORDS];
  size_t n = 0;
  char list[512] = "";
  for (; n < description->n_options && n < MOST_WORDS; n++) {
    names[n] = description->options[n].name;
    size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s%s", n ? ", " : "", names[n]);
  }
  const char *near = vb_nearest_word(name, names, n);
  if (near)
    return vb_bad_input(error, "solver %s has no option \"%s\"; did you mean \"%s\"?",
                        description->name, name, near);
  return vb_bad_input(error, "solver %s has no option \"%s\"; it has: %s", description->name, name,
                      list);
}

/// Checks that `value` is one of the words of `info`.
static vb_status check_word(const vb_option_info *info, const char *value, vb_error *error) {
  char words[512];
  const char *known[MOST_WORDS];
  size_t n = 0;
  snprintf(words, sizeof words, "%s", info->choices);
  char *rest = NULL;
  for (char *word = strtok_r(words, "|", &rest); word && n < MOST_WORDS;
       word = strtok_r(NULL, "|", &rest)) {
    if (strcmp(word, value) == 0)
      return VB_OK;
    known[n++] = word;
  }
  const char *near = vb_nearest_word(value, known, n);
  if (near)
    return vb_bad_input(error, "option %s: \"%s\" is none of %s; did you mean \"%s\"?", info->name,
                        value, info->choices, near);
  return vb_bad_input(error, "option %s: \"%s\" is none of %s", info->name, value, info->choices);
}

/// Checks that `value` is a number as `info` wants it.
static vb_status check_number(const vb_option_info *info, const char *value, vb_error *error) {
  char *end = NULL;
  double number = strtod(value, &end);
  if (end != value && *end == '\0' && number >= info->minimum && number <= info->maximum &&
      isfinite(number) && (!info->integer || number == floor(number)))
    return VB_OK;
  return vb_bad_input(error, "option %s: \"%s\" is not a %snumber from %g to %g", info->name, value,
                      info->integer ? "whole " : "", info->minimum, info->maximum);
}

vb_status vb_solver_check_options(const vb_solver_description *description,
                                  const vb_option *options, size_t n_options, vb_error *error) {
  for (size_t i = 0; i < n_options; i++) {
    const vb_option_info *info = vb_description_option(description, options[i].name);
    if (!info)
      return unknown_option(description, options[i].name, error);
    vb_status status = info->choices ? check_word(info, options[i].value, error)
                                     : check_number(info, options[i].value, error);
    if (status != VB_OK)
      return status;
  }
  return VB_OK;
}

const char *vb_solver_option(const vb_solver_description *description, const vb_option *options,
                             size_t n_options, const char *name) {
  for (size_t i = n_options; i-- > 0;)
    if (strcmp(options[i].name, name) == 0)
      return options[i].value;
  const vb_option_info *info = vb_description_option(description, name);
  assert(info);
  return info->default_value;
}
