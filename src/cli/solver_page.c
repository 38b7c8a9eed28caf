// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/solver_page.h"

#include "base/report_text.h"
#include "base/text.h"
#include "solver/table.h"

#include <string.h>

/// Room for the choices of an option.
enum { CHOICES = 1024 };

void vb_cli_print_named(const char *before, const char *name, int width, const char *what) {
  vb_report_name(stdout, before, name, width - vb_report_columns(before));
  vb_report_words(stdout, " ", what, width + 1, vb_terminal_width(stdout));
}

void vb_cli_print_solver(const vb_solver_description *about) {
  int width = 0;
  for (size_t i = 0; i < about->n_options; i++) {
    int columns = 2 + vb_report_columns(about->options[i].name);
    width = columns > width ? columns : width;
  }
  width = vb_report_name_width(stdout, width, 30);
  printf("solver %s: %s\n", about->name, about->long_name);
  for (size_t i = 0; i < about->n_options; i++) {
    const vb_option_info *option = &about->options[i];
    char what[1024];
    snprintf(what, sizeof what, "%s (%s)%s", option->long_name, option->default_value,
             option->choices ? ": " : "");
    for (const char *c = option->choices; c && *c; c++)
      vb_text_add(what, sizeof what, *c == '|' ? ", " : "%c", *c);
    vb_cli_print_named("  ", option->name, width, what);
  }
}

void vb_cli_add_option(vb_listing *table, const vb_option_info *option) {
  vb_listing_row(table);
  vb_listing_text(table, "name", option->name);
  vb_listing_text(table, "what", option->long_name);
  vb_listing_text(table, "default", option->default_value);
  vb_listing_text(table, "choices", option->choices);
}

json_t *vb_cli_describe_solver(const vb_solver_description *about) {
  vb_listing options = {0};
  for (size_t i = 0; i < about->n_options; i++)
    vb_cli_add_option(&options, &about->options[i]);
  return json_pack("{s:s, s:s, s:o}", "name", about->name, "what", about->long_name, "options",
                   vb_listing_take_json(&options));
}

/// Whether a list of words between blanks has that one.
static bool has_word(const char *list, const char *word, size_t length) {
  for (const char *at = list; *at;) {
    size_t n = strcspn(at, " ");
    if (n == length && strncmp(at, word, n) == 0)
      return true;
    at += n + (at[n] == ' ');
  }
  return false;
}

static void add_words(char *list, const char *words, const char *between) {
  for (const char *at = words; at && *at;) {
    size_t n = strcspn(at, between);
    if (n > 0 && !has_word(list, at, n))
      vb_text_add(list, CHOICES, "%s%.*s", *list ? " " : "", (int)n, at);
    at += n + (at[n] != '\0');
  }
}

void vb_cli_print_choices(FILE *out, const char *option) {
  char list[CHOICES] = "";
  for (const vb_solver *const *s = vb_solver_table(); *s; s++) {
    const vb_solver_description *about = (*s)->describe(*s);
    if (strcmp(option, "solver") == 0)
      add_words(list, about->name, " ");
    for (size_t i = 0; i < about->n_options; i++) {
      if (strcmp(option, "option") == 0)
        add_words(list, about->options[i].name, " ");
      if (strcmp(about->options[i].name, option) == 0)
        add_words(list, about->options[i].choices, "|");
    }
  }
  fputs(list, out);
}
