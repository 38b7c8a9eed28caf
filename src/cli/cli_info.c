// SPDX-License-Identifier: GPL-3.0-or-later
// The verb "info": what a study is made of.
#include "cli/cli.h"

#include <inttypes.h>
#include <stdio.h>

typedef vb_study_request settings;

static void print_run(const vb_run_plan *run) {
  const vb_world *world = vb_scene_world(run->scene);
  printf("  run %s", run->name);
  if (run->label && run->label[0])
    printf(": %s", run->label);
  printf("\n    scenario %s %s\n    solver %s", run->scenario, run->parameters, run->solver);
  for (size_t i = 0; i < run->n_options; i++)
    printf(" %s=%s", run->options[i].name, run->options[i].value);
  printf("\n    %zu nodes, %zu segments, %zu joints, %" PRId64 " DOFs, %" PRId64 " steps of %g s\n",
         vb_scene_count(run->scene, VB_SET_NODE), vb_scene_count(run->scene, VB_SET_SEGMENT),
         vb_scene_count(run->scene, VB_SET_JOINT), vb_scene_dofs(run->scene), world->n_steps,
         world->step);
}

static void print_gate(const vb_gate *gate) {
  static const char *const SIGN[] = {
      [VB_CLOSE_TO] = "=", [VB_AT_MOST] = "<=", [VB_AT_LEAST] = ">="};
  printf("  gate %s (", gate->name);
  for (size_t i = 0; i < gate->n_runs; i++)
    printf("%s%s", i ? ", " : "", gate->runs[i]);
  printf("): %s %s %.9g", gate->quantity, SIGN[gate->comparator], gate->reference);
  if (gate->comparator == VB_CLOSE_TO)
    printf(" within %.3g%s", gate->tolerance, gate->relative ? " relative" : "");
  printf("\n    %s\n", gate->reason);
}

static vb_status run(vb_cli *cli, vb_error *error) {
  vb_study_request request = *(const settings *)cli->settings;
  for (size_t i = 0; i < cli->n_arguments; i++) {
    vb_study *study;
    request.name = cli->arguments[i];
    vb_status status = vb_study_load(&request, &study, error);
    if (status)
      return status;
    printf("%s: %s (tier %s)\n", study->name, study->title, study->tier);
    for (size_t r = 0; r < study->n_runs; r++)
      print_run(&study->runs[r]);
    for (size_t g = 0; g < study->n_gates; g++)
      print_gate(&study->gates[g]);
    for (size_t k = 0; k < study->n_includes; k++)
      printf("  study %s\n", study->includes[k]);
    if (study->figure)
      printf("  figure %s\n", study->figure);
    vb_study_destroy(study);
  }
  return VB_OK;
}

VB_VERB(info, "NAME...", "what a study is made of", .least = 1, .wants = "the name of a study",
        .options = vb_study_options, VB_SETTINGS(VB_STUDY_DEFAULTS),
        .examples = "viperbench info stretch_bars\n"
                    "viperbench info cantilever --set length=2\n");
