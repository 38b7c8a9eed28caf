// SPDX-License-Identifier: GPL-3.0-or-later
// The verb "list": what is at hand.
#include "base/report_text.h"
#include "cli/cli.h"
#include "solver/table.h"

#include <stdio.h>

static vb_status run(vb_cli *cli, vb_error *error) {
  vb_study_info *list;
  size_t n;
  if (cli->n_arguments > 0)
    return vb_bad_input(error, "list takes no names; use info %s", cli->arguments[0]);
  vb_status status = vb_study_list(&list, &n, error);
  if (status)
    return status;
  printf("Studies:\n");
  for (size_t i = 0; i < n; i++) {
    vb_report_cell(stdout, "  ", list[i].name, 24);
    printf(" %s\n", list[i].title);
  }
  printf("Solvers:\n");
  for (const vb_solver *const *s = vb_solver_table(); *s; s++) {
    const vb_solver_description *about = (*s)->describe(*s);
    vb_report_cell(stdout, "  ", about->name, 24);
    printf(" %s\n", about->long_name);
    for (size_t i = 0; i < about->n_options; i++) {
      const vb_option_info *option = &about->options[i];
      vb_report_cell(stdout, "    ", option->name, 22);
      printf(" %s (%s)", option->long_name, option->default_value);
      printf(option->choices ? ": %s\n" : "\n", option->choices);
    }
  }
  vb_study_list_destroy(list, n);
  return VB_OK;
}

VB_VERB(list, "", "studies and solvers at hand", .least = 0);
