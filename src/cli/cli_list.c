// SPDX-License-Identifier: GPL-3.0-or-later
// The verb "list": what is at hand.
#include "base/report_text.h"
#include "base/text.h"
#include "cli/cli.h"
#include "solver/table.h"

#include <stdio.h>

typedef struct settings {
  bool csv;
  bool json;
  bool names;
} settings;

static const vb_cli_option options[] = {
    {VB_OPTION_CSV, VB_AT(csv)},
    {VB_OPTION_JSON, VB_AT(json)},
    {"names", NULL, "list: the names of studies alone", 2, vb_take_switch, VB_AT(names)},
    {0}};

static int longer(int a, const char *name, int before) {
  int columns = before + vb_report_columns(name);
  return a > columns ? a : columns;
}

/// Columns of all names, and of the blanks before them.
static int name_width(const vb_study_info *list, size_t n) {
  int width = 0;
  for (size_t i = 0; i < n; i++)
    width = longer(width, list[i].name, 2);
  for (const vb_solver *const *s = vb_solver_table(); *s; s++) {
    const vb_solver_description *about = (*s)->describe(*s);
    width = longer(width, about->name, 2);
    for (size_t i = 0; i < about->n_options; i++)
      width = longer(width, about->options[i].name, 4);
  }
  return vb_report_name_width(stdout, width, 30);
}

/// Prints a name and what it is, which goes on below itself where a terminal is narrow.
static void print_named(const char *before, const char *name, int width, const char *what) {
  vb_report_name(stdout, before, name, width - vb_report_columns(before));
  vb_report_words(stdout, " ", what, width + 1, vb_terminal_width(stdout));
}

static void print_solver(const vb_solver_description *about, int width) {
  print_named("  ", about->name, width, about->long_name);
  for (size_t i = 0; i < about->n_options; i++) {
    const vb_option_info *option = &about->options[i];
    char what[1024];
    snprintf(what, sizeof what, "%s (%s)%s", option->long_name, option->default_value,
             option->choices ? ": " : "");
    for (const char *c = option->choices; c && *c; c++)
      vb_text_add(what, sizeof what, *c == '|' ? ", " : "%c", *c);
    print_named("    ", option->name, width, what);
  }
}

/// The title of a study, or why its script cannot be loaded.
static const char *what_of(const vb_study_info *study) {
  return study->title ? study->title : study->error;
}

static json_t *describe_solver(const vb_solver_description *about) {
  json_t *list = json_array();
  for (size_t i = 0; i < about->n_options; i++) {
    const vb_option_info *o = &about->options[i];
    json_array_append_new(list,
                          json_pack("{s:s, s:s, s:s, s:s?}", "name", o->name, "what", o->long_name,
                                    "default", o->default_value, "choices", o->choices));
  }
  return json_pack("{s:s, s:s, s:o}", "name", about->name, "what", about->long_name, "options",
                   list);
}

static vb_status print_json(const vb_study_info *list, size_t n, vb_error *error) {
  json_t *studies = json_array(), *solvers = json_array();
  for (size_t i = 0; i < n; i++)
    json_array_append_new(
        studies, json_pack("{s:s, s:s?, s:s, s:o?, s:s*}", "name", list[i].name, "title",
                           list[i].title, "path", list[i].path, "parameters",
                           list[i].parameters ? json_loads(list[i].parameters, 0, NULL) : NULL,
                           "error", list[i].error));
  for (const vb_solver *const *s = vb_solver_table(); *s; s++)
    json_array_append_new(solvers, describe_solver((*s)->describe(*s)));
  return vb_report_document(stdout, json_pack("{s:o, s:o}", "studies", studies, "solvers", solvers),
                            error);
}

static void print_csv_solver(vb_csv *csv, const vb_solver_description *about) {
  vb_csv_text(csv, "solver");
  vb_csv_text(csv, NULL);
  vb_csv_text(csv, about->name);
  vb_csv_text(csv, about->long_name);
  vb_csv_gap(csv, 3);
  vb_csv_end(csv);
  for (size_t i = 0; i < about->n_options; i++) {
    const vb_option_info *o = &about->options[i];
    const char *fields[] = {"option",         about->name, o->name, o->long_name,
                            o->default_value, o->choices,  NULL};
    for (size_t k = 0; k < sizeof fields / sizeof *fields; k++)
      vb_csv_text(csv, fields[k]);
    vb_csv_end(csv);
  }
}

static void print_csv(const vb_study_info *list, size_t n) {
  vb_csv csv = {stdout, false};
  puts("kind,solver,name,what,default,choices,path");
  for (size_t i = 0; i < n; i++) {
    vb_csv_text(&csv, "study");
    vb_csv_text(&csv, NULL);
    vb_csv_text(&csv, list[i].name);
    vb_csv_text(&csv, what_of(&list[i]));
    vb_csv_gap(&csv, 2);
    vb_csv_text(&csv, list[i].path);
    vb_csv_end(&csv);
  }
  for (const vb_solver *const *s = vb_solver_table(); *s; s++)
    print_csv_solver(&csv, (*s)->describe(*s));
}

static void print_tables(const vb_study_info *list, size_t n) {
  int width = name_width(list, n);
  printf("Studies:\n");
  for (size_t i = 0; i < n; i++)
    print_named("  ", list[i].name, width, what_of(&list[i]));
  printf("Solvers:\n");
  for (const vb_solver *const *p = vb_solver_table(); *p; p++)
    print_solver((*p)->describe(*p), width);
}

static vb_status run(vb_cli *cli, vb_error *error) {
  const settings *s = cli->settings;
  vb_study_info *list;
  size_t n;
  if (cli->n_arguments > 0)
    return vb_bad_input(error, "list takes no names; use info %s", cli->arguments[0]);
  if (s->names && (s->csv || s->json))
    return vb_bad_input(error, "list takes --names or --%s, not both", s->csv ? "csv" : "json");
  vb_status status = vb_study_list(!s->names, &list, &n, error);
  if (status)
    return status;
  if (s->json) {
    status = print_json(list, n, error);
  } else if (s->csv) {
    print_csv(list, n);
  } else if (s->names) {
    for (size_t i = 0; i < n; i++)
      puts(list[i].name);
  } else {
    print_tables(list, n);
  }
  vb_study_list_destroy(list, n);
  return status;
}

VB_VERB(list, "", "studies and solvers at hand", .least = 0, .options = options,
        VB_SETTINGS(.json = false),
        .examples = "viperbench list\n"
                    "viperbench list --csv\n");
