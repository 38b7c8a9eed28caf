// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/settings.h"
#include "solver/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const vb_setting *find(const vb_setting_table *table, const char *name) {
  for (size_t i = 0; i < table->n_settings; i++)
    if (strcmp(table->settings[i].name, name) == 0)
      return &table->settings[i];
  return NULL;
}

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

void vb_setting_apply(const vb_solver_description *description, const vb_setting_table *table,
                      const char *name, const char *value, void *into) {
  const vb_setting *setting = find(table, name);
  const vb_option_info *info = vb_description_option(description, name);
  if (!setting || !info)
    return;
  char *at = (char *)into + setting->offset;
  if (setting->kind == VB_SETTING_NUMBER) {
    double number = strtod(value, NULL);
    memcpy(at, &number, sizeof number);
  } else if (setting->kind == VB_SETTING_SECOND) {
    *(bool *)at = word_index(info->choices, value) == 1;
  } else {
    int whole = info->choices ? word_index(info->choices, value) : (int)strtod(value, NULL);
    if (setting->kind == VB_SETTING_THREADS && whole == 0)
      whole = (int)sysconf(_SC_NPROCESSORS_ONLN);
    memcpy(at, &whole, sizeof whole);
  }
}

vb_status vb_setting_print(const vb_solver_description *description, const vb_setting_table *table,
                           const char *name, const void *from, char *out, size_t size,
                           vb_error *error) {
  const vb_setting *setting = find(table, name);
  const vb_option_info *info = vb_description_option(description, name);
  if (!setting || !info)
    return vb_bad_input(error, "the %s solver has no option \"%s\"", description->name, name);
  const char *at = (const char *)from + setting->offset;
  double number;
  int whole;
  if (setting->kind == VB_SETTING_SECOND) {
    write_word(info->choices, *(const bool *)at, out, size);
  } else if (setting->kind == VB_SETTING_NUMBER) {
    memcpy(&number, at, sizeof number);
    write_number(number, out, size);
  } else {
    memcpy(&whole, at, sizeof whole);
    if (info->choices)
      write_word(info->choices, whole, out, size);
    else
      snprintf(out, size, "%d", whole);
  }
  return VB_OK;
}

vb_status vb_setting_check(const vb_solver_description *description, const char *name,
                           const char *value, vb_error *error) {
  vb_option option = {name, value};
  vb_status status = vb_solver_check_options(description, &option, 1, error);
  if (status == VB_OK && !vb_description_option(description, name)->at_any_time)
    return vb_bad_input(error, "option %s cannot change once a run has begun", name);
  return status;
}
