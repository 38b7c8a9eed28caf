// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/bench_report.h"

#include "base/figure_files.h"
#include "base/file.h"
#include "base/home.h"
#include "base/names.h"
#include "bench/case_values.h"
#include "gate/gate_record.h"
#include "results/results_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void write_fact(vb_h5 *h5, hid_t group, const vb_case_value *fact) {
  if (fact->text)
    vb_h5_text(h5, group, fact->name, fact->text, fact->long_name);
  else if (fact->list)
    vb_h5_numbers(h5, group, fact->name, fact->n, fact->list, fact->unit, fact->long_name);
  else
    vb_h5_number(h5, group, fact->name, fact->number, fact->unit, fact->long_name);
}

/// What figures ask of a run.
static void write_run(vb_h5 *h5, hid_t runs, const vb_bench_case *c, const vb_provenance *origin) {
  hid_t run = vb_h5_group(h5, runs, c->run->name);
  vb_h5_text(h5, run, "scenario/label", c->run->label, "name of the run in plots");
  vb_h5_text(h5, run, "scenario/scene_sha256", c->scene_sha256, "SHA-256 of the frozen scene");
  vb_h5_text(h5, run, "provenance/commit", origin->commit, "commit of the program");
  vb_h5_integer(h5, run, "provenance/dirty", origin->dirty, "1 where its source had changes");
  vb_h5_release(run);
}

static void write_cases(vb_h5 *h5, hid_t file, const vb_bench *bench, const vb_provenance *origin) {
  hid_t group = vb_h5_group(h5, file, "bench"), runs = vb_h5_group(h5, file, "runs");
  for (size_t i = 0; i < bench->n_cases && !h5->status; i++) {
    const vb_bench_case *c = &bench->cases[i];
    vb_case_values facts;
    vb_status status = vb_case_values_collect(c, &facts, h5->error);
    if (status)
      h5->status = status;
    hid_t one = vb_h5_group(h5, group, c->run->name);
    for (size_t k = 0; k < facts.n; k++)
      write_fact(h5, one, &facts.fact[k]);
    vb_h5_release(one);
    vb_case_values_free(&facts);
    write_run(h5, runs, c, origin);
  }
  vb_h5_release(runs);
  vb_h5_release(group);
}

/// The gates of all cases that were evaluated.
static void write_gates(vb_h5 *h5, hid_t file, const vb_bench *bench) {
  const vb_study *study = bench->study;
  vb_gate_record *gates = calloc(study->n_gates + 1, sizeof *gates);
  size_t n = 0;
  if (!gates)
    vb_h5_out_of_memory(h5);
  for (size_t i = 0; gates && i < bench->n_cases; i++)
    for (size_t g = 0; g < study->n_gates && bench->cases[i].evaluated; g++)
      if (bench->cases[i].evaluated[g] && !h5->status)
        h5->status = vb_gate_record_make(&study->gates[g], &bench->cases[i].verdicts[g], NULL,
                                         &gates[n++], h5->error);
  if (!h5->status)
    vb_results_write_gate_group(h5, file, gates, n);
  vb_gate_records_destroy(gates, n);
}

#define AT(member) offsetof(vb_machine_rate, member)

static void write_machine(vb_h5 *h5, hid_t file, const vb_machine *machine) {
  static const vb_h5_column rates[] = {
      {"rate/what", VB_H5_NAME, AT(what), "1", "copy (bytes) or arithmetic (operations)", 1},
      {"rate/precision", VB_H5_NAME, AT(precision), "1", "precision of the operations", 1},
      {"rate/instructions", VB_H5_NAME, AT(instructions), "1", "instruction set, or device", 1},
      {"rate/arithmetic", VB_H5_NAME, AT(arithmetic), "1", "strict: not fused; fast: fused", 1},
      {"rate/bytes", VB_H5_REAL, AT(bytes), "byte", "of the arrays that are copied", 1},
      {"rate/threads", VB_H5_COUNT, AT(threads), "1", "threads", 1},
      {"rate/rate", VB_H5_REAL, AT(rate), "s-1", "measured, per second", 1}};
  hid_t group = vb_h5_group(h5, file, "machine");
  vb_h5_number(h5, group, "busy", machine->busy, "1",
               "fraction of the processors in use by other processes at the beginning");
  vb_h5_number(h5, group, "last_cache", machine->last_cache, "byte", "size of the last cache");
  for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
    vb_h5_column_write(h5, group, &rates[i], machine->rate, sizeof *machine->rate,
                       machine->n_rates);
  if (machine->has_gpu) {
    hid_t gpu = vb_h5_group(h5, group, "gpu");
    vb_results_write_gpu(h5, gpu, &machine->gpu);
    vb_h5_release(gpu);
  }
  vb_h5_release(group);
}

static void write_scaling(vb_h5 *h5, hid_t file, const vb_bench *bench) {
  static const vb_h5_column names = {
      "names", VB_H5_NAME, offsetof(vb_bench_scaling, name), "1", "names of the series", 1};
  hid_t group = vb_h5_group(h5, file, "scaling");
  for (size_t i = 0; i < bench->n_scaling; i++) {
    const vb_bench_scaling *s = &bench->scaling[i];
    hid_t one = vb_h5_group(h5, group, s->name);
    vb_h5_numbers(h5, one, "size", s->n, s->size, "1",
                  s->over_bodies ? "bodies" : "nodes in each body");
    vb_h5_numbers(h5, one, "dofs", s->n, s->dofs, "1", "degrees of freedom");
    vb_h5_numbers(h5, one, "step_time", s->n, s->step_s, "s", "median time of a step");
    vb_h5_number(h5, one, "fixed", s->fixed, "1", s->over_bodies ? "nodes in each body" : "bodies");
    vb_h5_number(h5, one, "offset", s->fitted ? s->cost.offset : NAN, "s",
                 "t0 of the fitted t0 + dofs / r");
    vb_h5_number(h5, one, "rate", s->fitted ? s->cost.rate : NAN, "s-1", "r of it");
    vb_h5_number(h5, one, "deviation", s->fitted ? s->cost.deviation : NAN, "1",
                 "greatest relative deviation");
    vb_h5_release(one);
  }
  vb_h5_column_write(h5, group, &names, bench->scaling, sizeof *bench->scaling, bench->n_scaling);
  vb_h5_release(group);
}

static void write_scenario(vb_h5 *h5, hid_t file, const vb_bench *bench) {
  const vb_study *study = bench->study;
  const char **names = calloc(bench->n_cases + 1, sizeof *names);
  hid_t group = vb_h5_group(h5, file, "scenario");
  vb_h5_text(h5, group, "study", study->name, "name of the study");
  vb_h5_text(h5, group, "title", study->title, "what the study asks");
  vb_h5_text(h5, group, "tier", study->tier, "size of the study: quick or full");
  vb_h5_text(h5, group, "script", study->script, "Lua text of the study");
  for (size_t i = 0; names && i < bench->n_cases; i++)
    names[i] = bench->cases[i].run->name;
  if (names)
    vb_h5_texts(h5, group, "runs", bench->n_cases, names, "names of the cases, in their order");
  else
    vb_h5_out_of_memory(h5);
  vb_h5_release(group);
  free(names);
}

/// The study's figure where there is one.
static void write_figure(vb_h5 *h5, hid_t file, const char *study) {
  char home[4096], path[VB_FIGURE_PATH], figure[VB_RECORDED_NAME_MAX + 1];
  snprintf(figure, sizeof figure, "bench_%.190s", study);
  bool there = vb_home(home, sizeof home, NULL) == VB_OK &&
               vb_figure_find(home, NULL, figure, path, NULL) == VB_OK;
  vb_h5_attribute_text(h5, file, "figure", there ? figure : "");
}

/// More bytes than the file takes.
static size_t most_bytes(const vb_bench *bench) {
  size_t bytes = ((size_t)1 << 21) + 2 * strlen(bench->study->script) +
                 16384 * (bench->study->n_gates + 1) + 65536 * (bench->n_cases + 1);
  for (size_t i = 0; i < bench->n_cases; i++)
    bytes += 64 * (bench->cases[i].n_windows + bench->cases[i].n_single) +
             2 * strlen(bench->cases[i].run->parameters);
  return bytes;
}

vb_status vb_bench_write(const char *path, const vb_bench *bench, const vb_machine *machine,
                         const char *status, vb_error *error) {
  char *partial_path = vb_results_path(path, ".part", false);
  if (!partial_path)
    return vb_error_memory(error);
  vb_h5 h5 = {partial_path, VB_CANNOT_WRITE, error, VB_OK};
  hid_t file = vb_h5_create_file(&h5);
  vb_h5_reserve(&h5, file, most_bytes(bench));
  vb_results_write_schema(&h5, file, VB_INDEX_SCHEMA);
  vb_h5_attribute_text(&h5, file, "status", status);
  write_figure(&h5, file, bench->study->name);
  vb_results_write_provenance(&h5, file, NULL, NULL);
  write_scenario(&h5, file, bench);
  write_machine(&h5, file, machine);
  write_cases(&h5, file, bench, &machine->origin);
  write_scaling(&h5, file, bench);
  write_gates(&h5, file, bench);
  vb_h5_end_file(&h5, file);
  if (!h5.status && strcmp(status, "complete") == 0)
    h5.status = vb_file_publish(partial_path, path, error);
  free(partial_path);
  return h5.status;
}
