// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/page.h"

#include "base/nearest_word.h"
#include "base/report_text.h"

#include <string.h>

/// Most verbs that a misspelled one is compared with.
enum { MOST_VERBS = 64, OPTION_WIDTH = 30 };

/// Columns of the list of commands: of their usage, and in all.
enum { USAGE_WIDTH = 26, PAGE_WIDTH = 78 };

/// What is said of an option, without "VERB, VERB: " before it where that has the verb.
static const char *help_of(const vb_cli_option *option, const vb_verb *verb) {
  const char *colon = strstr(option->help, ": ");
  const char *name = strstr(option->help, verb->name);
  return colon && name && name < colon ? colon + 2 : option->help;
}

void vb_page_options(const vb_verb *verb, vb_option_visit *visit, void *context) {
  for (const vb_cli_option *o = verb->options; o && (o->name || o->shared); o++)
    for (const vb_cli_option *k = o->shared ? o->shared : o; k->name; k++) {
      visit(k, help_of(k, verb), context);
      if (!o->shared)
        break;
    }
}

static void print_option(const vb_cli_option *option, const char *help, void *context) {
  const int *width = context;
  char letter[8] = "    ";
  if (option->letter)
    snprintf(letter, sizeof letter, "-%c, ", option->letter);
  int n = printf("  %s--%s%s%s", letter, option->name, option->value ? "=" : "",
                 option->value ? option->value : "");
  if (n < OPTION_WIDTH)
    printf("%*s", OPTION_WIDTH - n, "");
  else
    printf("\n%*s", OPTION_WIDTH, "");
  vb_report_words(stdout, "", help, OPTION_WIDTH, *width);
}

vb_status vb_page_print(const char *name, vb_error *error) {
  const char *known[MOST_VERBS];
  size_t n = 0;
  int columns = vb_terminal_columns(1), width = columns ? columns - 1 : 100;
  for (const vb_verb *const *v = vb_verbs; *v; v++) {
    if (n < MOST_VERBS)
      known[n++] = (*v)->name;
    if (strcmp((*v)->name, name) != 0)
      continue;
    for (int k = 0; k < 2 && (*v)->help[k][0]; k++) {
      const char *usage = (*v)->help[k][0];
      size_t length = strlen(usage);
      length -= length > 0 && usage[length - 1] == ' '; // of a verb that takes nothing
      printf("%sviperbench %.*s\n    %s\n", k ? "\n" : "", (int)length, usage, (*v)->help[k][1]);
    }
    if ((*v)->options)
      puts("\nOptions:");
    vb_page_options(*v, print_option, &width);
    if ((*v)->examples)
      puts("\nExamples:");
    for (const char *line = (*v)->examples; line && *line; line += strcspn(line, "\n") + 1)
      printf("  %.*s\n", (int)strcspn(line, "\n"), line);
    return VB_OK;
  }
  const char *near = vb_nearest_word(name, known, n);
  return vb_bad_input(error, "unknown command \"%s\"%s%s%s", name, near ? "; did you mean \"" : "",
                      near ? near : "; see --help", near ? "\"?" : "");
}

void vb_page_overview(FILE *stream) {
  fputs("Commands:\n", stream);
  for (const vb_verb *const *v = vb_verbs; *v; v++)
    for (size_t k = 0; k < 2 && (*v)->help[k][0]; k++) {
      int n = fprintf(stream, "  %s", (*v)->help[k][0]);
      if (n < USAGE_WIDTH)
        fprintf(stream, "%*s", USAGE_WIDTH - n, "");
      else
        fprintf(stream, "\n%*s", USAGE_WIDTH, "");
      vb_report_words(stream, "", (*v)->help[k][1], USAGE_WIDTH, PAGE_WIDTH);
    }
  fputs("\nhelp COMMAND prints the options of one command.\n", stream);
}

void vb_page_exit_codes(FILE *stream) {
  fputs("\nExit codes: " VB_EXIT_CODES "\n", stream);
}
