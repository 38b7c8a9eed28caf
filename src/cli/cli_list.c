// SPDX-License-Identifier: GPL-3.0-or-later
// The verb "list": what is at hand.
#include "base/report_text.h"
#include "cli/cli.h"
#include "solver/table.h"

#include <stdio.h>

typedef struct settings {
  bool json;
  bool names;
} settings;

static const vb_cli_option options[] = {
    {VB_OPTION_JSON, VB_AT(json)},
    {"names", NULL, "list: the names of studies alone", 2, vb_take_switch, VB_AT(names)},
    {0}};

static void print_solver(const vb_solver_description *about) {
  vb_report_cell(stdout, "  ", about->name, 24);
  printf(" %s\n", about->long_name);
  for (size_t i = 0; i < about->n_options; i++) {
    const vb_option_info *option = &about->options[i];
    vb_report_cell(stdout, "    ", option->name, 22);
    printf(" %s (%s)", option->long_name, option->default_value);
    printf(option->choices ? ": %s\n" : "\n", option->choices);
  }
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
    json_array_append_new(studies, json_pack("{s:s, s:s, s:s, s:o}", "name", list[i].name, "title",
                                             list[i].title, "path", list[i].path, "parameters",
                                             json_loads(list[i].parameters, 0, NULL)));
  for (const vb_solver *const *s = vb_solver_table(); *s; s++)
    json_array_append_new(solvers, describe_solver((*s)->describe(*s)));
  return vb_report_document(stdout, json_pack("{s:o, s:o}", "studies", studies, "solvers", solvers),
                            error);
}

static vb_status run(vb_cli *cli, vb_error *error) {
  const settings *s = cli->settings;
  vb_study_info *list;
  size_t n;
  if (cli->n_arguments > 0)
    return vb_bad_input(error, "list takes no names; use info %s", cli->arguments[0]);
  vb_status status = vb_study_list(&list, &n, error);
  if (status)
    return status;
  if (s->json) {
    status = print_json(list, n, error);
  } else if (s->names) {
    for (size_t i = 0; i < n; i++)
      puts(list[i].name);
  } else {
    printf("Studies:\n");
    for (size_t i = 0; i < n; i++) {
      vb_report_cell(stdout, "  ", list[i].name, 24);
      printf(" %s\n", list[i].title);
    }
    printf("Solvers:\n");
    for (const vb_solver *const *p = vb_solver_table(); *p; p++)
      print_solver((*p)->describe(*p));
  }
  vb_study_list_destroy(list, n);
  return status;
}

VB_VERB(list, "", "studies and solvers at hand", .least = 0, .options = options,
        VB_SETTINGS(.json = false), .examples = "viperbench list\n");
