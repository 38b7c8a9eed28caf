// SPDX-License-Identifier: GPL-3.0-or-later
// The verb "info": what a study is made of, and how a recorded run ended.
#include "base/confine.h"
#include "base/report_text.h"
#include "cli/cli.h"
#include "cli/solver_page.h"
#include "cli/summary.h"
#include "gate/finding.h"
#include "results/run_summary.h"
#include "scene/material.h"
#include "solver/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct settings {
  vb_study_request study;
  bool csv;
  bool json;
} settings;

static const vb_cli_option options[] = {{.shared = vb_study_options, VB_AT(study)},
                                        {VB_OPTION_CSV, VB_AT(csv)},
                                        {VB_OPTION_JSON, VB_AT(json)},
                                        {0}};

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
  if (vb_scene_count(run->scene, VB_SET_SEGMENT) > 0)
    printf("    material model of segments: %s\n", vb_material_models_of(run->scene));
}

static void print_gate(const vb_gate *gate) {
  static const char *const SIGN[] = {
      [VB_CLOSE_TO] = "=", [VB_AT_MOST] = "<=", [VB_AT_LEAST] = ">="};
  char band[64];
  printf("  gate %s (", gate->name);
  for (size_t i = 0; i < gate->n_runs; i++)
    printf("%s%s", i ? ", " : "", gate->runs[i]);
  printf("): %s %s %.9g", gate->quantity, SIGN[gate->comparator], gate->reference);
  if (gate->comparator == VB_CLOSE_TO)
    printf(" within %.3g%s", gate->tolerance, gate->relative ? " relative" : "");
  vb_band_write(gate, band, sizeof band);
  if (gate->finding)
    printf("; finding%s%s%s", gate->timed ? ", depends on wall time" : "", *band ? ", band " : "",
           band);
  printf("\n    %s\n", gate->reason);
}

static void print_study(const vb_study *study) {
  printf("%s: %s (tier %s)\n", study->name, study->title, study->tier);
  for (size_t r = 0; r < study->n_runs; r++)
    print_run(&study->runs[r]);
  for (size_t g = 0; g < study->n_gates; g++)
    print_gate(&study->gates[g]);
  for (size_t k = 0; k < study->n_includes; k++)
    printf("  study %s\n", study->includes[k]);
  if (study->figure)
    printf("  figure %s\n", study->figure);
}

static void add_run(vb_listing *table, const vb_run_plan *run) {
  const vb_world *world = vb_scene_world(run->scene);
  vb_listing_text(table, "name", run->name);
  vb_listing_text(table, "label", run->label);
  vb_listing_text(table, "scenario", run->scenario);
  vb_listing_json(table, "parameters", json_loads(run->parameters, 0, NULL));
  vb_listing_text(table, "solver", run->solver);
  vb_report_add_options(table, run);
  vb_listing_integer(table, "nodes", (int64_t)vb_scene_count(run->scene, VB_SET_NODE));
  vb_listing_integer(table, "segments", (int64_t)vb_scene_count(run->scene, VB_SET_SEGMENT));
  vb_listing_integer(table, "joints", (int64_t)vb_scene_count(run->scene, VB_SET_JOINT));
  vb_listing_integer(table, "dofs", vb_scene_dofs(run->scene));
  vb_listing_integer(table, "steps", world->n_steps);
  vb_listing_real(table, "step", world->step);
  vb_listing_text(table, "material_model", vb_material_models_of(run->scene));
}

/// Adds rows of the runs and the gates of a study.
static void add_rows(vb_listing *table, const vb_study *study) {
  for (size_t r = 0; r < study->n_runs; r++) {
    vb_report_begin_row(table, "run", study->name);
    vb_listing_text(table, "runs", study->runs[r].name);
    vb_listing_text(table, "parameters", study->runs[r].parameters);
    add_run(table, &study->runs[r]);
  }
  for (size_t g = 0; g < study->n_gates; g++) {
    vb_report_begin_row(table, "gate", study->name);
    vb_report_add_gate(table, &study->gates[g]);
  }
}

static json_t *describe_study(const vb_study *study) {
  vb_listing runs = {0}, gates = {0};
  for (size_t r = 0; r < study->n_runs; r++) {
    vb_listing_row(&runs);
    add_run(&runs, &study->runs[r]);
  }
  for (size_t g = 0; g < study->n_gates; g++) {
    vb_listing_row(&gates);
    vb_report_add_gate(&gates, &study->gates[g]);
  }
  return json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:s?}", "name", study->name, "title",
                   study->title, "tier", study->tier, "runs", vb_listing_take_json(&runs), "gates",
                   vb_listing_take_json(&gates), "studies",
                   vb_report_texts(study->includes, study->n_includes), "figure", study->figure);
}

static bool ends_in(const char *name, const char *end) {
  size_t n = strlen(name), m = strlen(end);
  return n > m && strcmp(name + n - m, end) == 0;
}

/// Whether a word is the file of a solver. Only what is called one is loaded, since that executes
/// it.
static bool is_plugin(const char *name) {
  const char *inner = vb_plugin_checked(name);
  const char *file = inner ? inner : name;
  return ends_in(file, ".so") || vb_plugin_is_python(file);
}

/// Whether a word is a results file, also one that is not finished or was put aside.
static bool is_file(const char *name) {
  return ends_in(name, ".h5") || ends_in(name, ".h5.part") || ends_in(name, ".h5" VB_DAMAGED);
}

/// The solver that a word names: one of the program, a shared object or a Python file; null for any
/// other word. `*status` tells where such a file is no solver, and where a path is nothing that has
/// information.
static const vb_solver *find_solver(const char *name, vb_status *status, vb_error *error) {
  const vb_solver *found = NULL;
  for (const vb_solver *const *s = vb_solver_table(); *s; s++)
    if (strcmp((*s)->describe(*s)->name, name) == 0)
      return *s;
  if (is_plugin(name))
    *status = vb_solver_find(name, &found, error);
  else if (vb_plugin_named(name) && !ends_in(name, ".lua"))
    *status = vb_bad_input(error,
                           "%s is no file that info knows: it takes studies (.lua), results (.h5) "
                           "and solvers (.so, .py)",
                           name);
  return found;
}

/// Prints how the run in a results file ended, and which lock of the kernel was lacking.
static vb_status print_file(const char *path, vb_error *error) {
  vb_run_summary s;
  const char *lacks = vb_confine_lacks();
  vb_status status = vb_run_summary_read(path, &s, error);
  if (status)
    return status;
  printf("%s\n  status %s, %" PRId64 " steps, %.3g s%s%s\n", path, s.status, s.steps, s.wall_s,
         s.diverged ? "; " : "", s.diverged ? s.what : "");
  printf("  converged: %s", s.convergence[0] ? s.convergence : "not judged");
  if (strcmp(s.convergence, "no") == 0)
    printf("; steps that missed the tolerance: %" PRId64 ", greatest residual %.3g", s.missed,
           s.worst);
  if (!isnan(s.residual))
    printf("; residual of the last step %.3g", s.residual);
  printf("%s%s\n", s.warning[0] ? "\n  warning: " : "", s.warning);
  if (lacks)
    printf("  read without %s, which this system lacks; a hostile file may do harm\n", lacks);
  return VB_OK;
}

static vb_status run(vb_cli *cli, vb_error *error) {
  const settings *s = cli->settings;
  vb_study_request request = s->study;
  json_t *studies = json_array(), *solvers = json_array();
  vb_listing table = {0};
  vb_status status = VB_OK;
  for (size_t i = 0; !status && i < cli->n_arguments; i++) {
    vb_study *study = NULL;
    if (is_file(cli->arguments[i])) {
      status = s->csv || s->json
                   ? vb_bad_input(error, "info of a results file takes neither --csv nor --json")
                   : print_file(cli->arguments[i], error);
      continue;
    }
    const vb_solver *solver = find_solver(cli->arguments[i], &status, error);
    if (status)
      break;
    if (solver && s->csv)
      status = vb_bad_input(error, "info of a solver takes no --csv; use list --csv");
    else if (solver && s->json)
      json_array_append_new(solvers, vb_cli_describe_solver(solver->describe(solver)));
    else if (solver)
      vb_cli_print_solver(solver->describe(solver));
    if (solver)
      continue;
    request.name = cli->arguments[i];
    status = vb_study_load(&request, &study, error);
    if (status)
      break;
    if (s->json)
      json_array_append_new(studies, describe_study(study));
    else if (s->csv)
      add_rows(&table, study);
    else
      print_study(study);
    vb_study_destroy(study);
  }
  if (!status && s->json)
    return vb_report_document(
        stdout, json_pack("{s:o, s:o}", "studies", studies, "solvers", solvers), error);
  if (!status && s->csv)
    status = vb_listing_write_csv(stdout, &table,
                                  "kind,study,name,runs," VB_CSV_GATE_NAMES
                                  ",label,scenario,parameters,solver,options,nodes,segments,joints,"
                                  "dofs,steps,step",
                                  error);
  vb_listing_free(&table);
  json_decref(studies);
  json_decref(solvers);
  return status;
}

VB_VERB(info, "NAME...",
        "print a study's runs and gates, a solver's options, or the outcome of a recorded run",
        .least = 1, .wants = "the name of a study or a solver", .options = options,
        VB_SETTINGS(.study = {VB_STUDY_DEFAULTS}),
        .examples = "viperbench info stretch_bars\n"
                    "viperbench info viper\n"
                    "viperbench info results/cantilever-n8.h5\n"
                    "viperbench info cantilever --set length=2\n"
                    "viperbench info helix --csv\n");
