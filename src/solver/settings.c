// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/settings.h"
#include "solver/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// Which of the words "one|two|.." a value is; the last one where it is none of the others.
static int word_index(const char *choices, const char *value) {
  int index = 0;
  size_t length = strlen(value);
  for (const char *at = choices;; index++) {
    const char *end = strchr(at, '|');
    size_t n = end ? (size_t)(end - at) : strlen(at);
    if (!end || (n == length && !strncmp(at, value, n)))
      return index;
    at = end + 1;
  }
}

/// Writes word number `index` of "one|two|.." to `out`.
static void write_word(const char *choices, int index, char *out, size_t size) {
  for (; index > 0; index--)
    choices = strchr(choices, '|') + 1;
  snprintf(out, size, "%.*s", (int)strcspn(choices, "|"), choices);
}

/// Writes the shortest of the usual texts of a number that reads back as the same.
static void write_number(double number, char *out, size_t size) {
  snprintf(out, size, "%.10g", number);
  if (strtod(out, NULL) != number)
    snprintf(out, size, "%.17g", number);
}

static void keep(const vb_option_info *info, const vb_setting *setting, const char *value,
                 void *into) {
  char *at = (char *)into + setting->at;
  int whole = info->choices ? word_index(info->choices, value) : (int)strtod(value, NULL);
  double number = strtod(value, NULL);
  if (strcmp(info->name, "threads") == 0 && whole == 0)
    whole = (int)sysconf(_SC_NPROCESSORS_ONLN);
  if (setting->kind == VB_SETTING_NUMBER)
    memcpy(at, &number, sizeof number);
  else if (setting->kind == VB_SETTING_WHOLE)
    memcpy(at, &whole, sizeof whole);
  else
    *(bool *)at = whole == 1;
}

void vb_settings_begin(const vb_solver_description *about, const vb_setting *settings,
                       const vb_option *options, size_t n_options, void *into) {
  for (size_t i = 0; i < about->n_options; i++)
    keep(&about->options[i], &settings[i],
         vb_solver_option(about, options, n_options, about->options[i].name), into);
}

vb_status vb_settings_set(const vb_solver_description *about, const vb_setting *settings,
                          const char *name, const char *value, void *into, vb_error *error) {
  vb_option option = {name, value};
  vb_status status = vb_solver_check_options(about, &option, 1, error);
  if (status)
    return status;
  const vb_option_info *info = vb_description_option(about, name);
  if (!info->at_any_time)
    return vb_bad_input(error, "option %s cannot change once a run has begun", name);
  keep(info, &settings[info - about->options], value, into);
  return VB_OK;
}

vb_status vb_settings_print(const vb_solver_description *about, const vb_setting *settings,
                            const char *name, const void *from, char *out, size_t size,
                            vb_error *error) {
  const vb_option_info *info = vb_description_option(about, name);
  if (!info)
    return vb_bad_input(error, "the %s solver has no option \"%s\"", about->name, name);
  const vb_setting *setting = &settings[info - about->options];
  const char *at = (const char *)from + setting->at;
  double number;
  int whole;
  if (setting->kind == VB_SETTING_NUMBER) {
    memcpy(&number, at, sizeof number);
    write_number(number, out, size);
    return VB_OK;
  }
  if (setting->kind == VB_SETTING_SECOND)
    whole = *(const bool *)at;
  else
    memcpy(&whole, at, sizeof whole);
  if (info->choices)
    write_word(info->choices, whole, out, size);
  else
    snprintf(out, size, "%d", whole);
  return VB_OK;
}
