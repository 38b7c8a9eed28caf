// SPDX-License-Identifier: GPL-3.0-or-later
// The verb "gates": which part of what each gate allows is used, from recorded results.
#include "base/report_text.h"
#include "base/text.h"
#include "cli/cli.h"
#include "gate/gate_used.h"
#include "report/report_results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
  double below; ///< part used, from which on gates are left out
  bool csv;
  bool json;
} settings;

/// A gate, as it is listed.
typedef struct entry {
  const char *study;
  const vb_gate_record *gate;
  double used;
  size_t place; ///< in the order of the files
} entry;

static vb_status take_part(const vb_cli_given *given, void *place, vb_error *error) {
  char *end;
  double part = strtod(given->text, &end);
  if (end == given->text || *end || !(part > 0))
    return vb_cli_refuse(given, "a positive number, the used part of a tolerance", error);
  *(double *)place = part;
  return VB_OK;
}

static const vb_cli_option options[] = {
    {"below", "X", "gates: only those that use less than this fraction of their tolerance", 5,
     take_part, VB_AT(below)},
    {VB_OPTION_CSV, VB_AT(csv)},
    {VB_OPTION_JSON, VB_AT(json)},
    {0}};

/// The loosest first; those of which no part can be said last.
static int compare_entries(const void *a, const void *b) {
  const entry *x = a, *y = b;
  bool unknown_x = isnan(x->used), unknown_y = isnan(y->used);
  if (unknown_x != unknown_y)
    return unknown_x - unknown_y;
  if (!unknown_x && x->used != y->used)
    return x->used < y->used ? -1 : 1;
  return (x->place > y->place) - (x->place < y->place);
}

/// The gates that passed, sorted; the caller frees. Null for want of memory.
static entry *list_passed(const vb_report_results *r, double below, size_t *n) {
  size_t room = 0;
  for (size_t i = 0; i < r->n_studies; i++)
    room += r->studies[i].n_gates;
  entry *list = calloc(room + 1, sizeof *list);
  *n = 0;
  for (size_t i = 0; list && i < r->n_studies; i++)
    for (size_t g = 0; g < r->studies[i].n_gates; g++) {
      const vb_gate_record *gate = &r->studies[i].gates[g];
      double used = vb_gate_used(gate);
      if (gate->passed && (isinf(below) || used < below)) {
        list[*n] = (entry){r->studies[i].name, gate, used, *n};
        (*n)++;
      }
    }
  if (list)
    qsort(list, *n, sizeof *list, compare_entries);
  return list;
}

static bool is_close(const vb_gate_record *gate) {
  return strcmp(gate->comparator, "near") == 0;
}

static void print_table(const entry *list, size_t n) {
  int longest = 0;
  for (size_t i = 0; i < n; i++) {
    int length = vb_report_columns(list[i].study);
    longest = length > longest ? length : longest;
  }
  printf("     used        value  asked\n");
  for (size_t i = 0; i < n; i++) {
    const vb_gate_record *g = list[i].gate;
    char text[1024];
    if (isnan(list[i].used))
      printf("        -");
    else
      printf("%9.2g", list[i].used);
    snprintf(text, sizeof text, "%s %.4g", g->comparator, g->reference);
    if (is_close(g))
      vb_text_add(text, sizeof text, " +- %.2g%s", g->tolerance, g->relative ? " relative" : "");
    printf(" %12.4g  %-34s  %-*s  %s (%s)%s\n", g->value, text, longest, list[i].study, g->name,
           g->runs, g->finding ? ", a finding" : "");
  }
}

static void print_csv(const entry *list, size_t n) {
  vb_csv csv = {stdout, false};
  puts("study,name,runs,used,value,quantity,measure,comparator,reference,tolerance,relative,"
       "finding,reason");
  for (size_t i = 0; i < n; i++) {
    const vb_gate_record *g = list[i].gate;
    vb_csv_text(&csv, list[i].study);
    vb_csv_text(&csv, g->name);
    vb_csv_text(&csv, g->runs);
    vb_csv_number(&csv, list[i].used);
    vb_csv_number(&csv, g->value);
    vb_csv_text(&csv, g->quantity);
    vb_csv_text(&csv, g->measure);
    vb_csv_text(&csv, g->comparator);
    vb_csv_number(&csv, g->reference);
    vb_csv_number(&csv, is_close(g) ? g->tolerance : NAN);
    vb_csv_text(&csv, g->relative ? "true" : "false");
    vb_csv_text(&csv, g->finding ? "true" : "false");
    vb_csv_text(&csv, g->reason);
    vb_csv_end(&csv);
  }
}

static vb_status print_json(const entry *list, size_t n, vb_error *error) {
  json_t *gates = json_array();
  for (size_t i = 0; i < n; i++) {
    const vb_gate_record *g = list[i].gate;
    json_array_append_new(
        gates, json_pack("{s:s, s:s, s:s, s:o, s:o, s:s, s:s, s:s, s:o, s:o, s:b, s:b, s:s}",
                         "study", list[i].study, "name", g->name, "runs", g->runs, "used",
                         vb_report_number(list[i].used), "value", vb_report_number(g->value),
                         "quantity", g->quantity, "measure", g->measure, "comparator",
                         g->comparator, "reference", vb_report_number(g->reference), "tolerance",
                         is_close(g) ? vb_report_number(g->tolerance) : json_null(), "relative",
                         g->relative, "finding", g->finding, "reason", g->reason));
  }
  return vb_report_document(stdout, json_pack("{s:o}", "gates", gates), error);
}

static vb_status run(vb_cli *cli, vb_error *error) {
  const settings *s = cli->settings;
  vb_report_results results;
  char folder[] = "results", *usual[] = {folder};
  vb_status status =
      vb_report_results_read(cli->n_arguments ? cli->arguments : usual,
                             cli->n_arguments ? cli->n_arguments : 1, &results, error);
  if (status)
    return status;
  vb_report_complain(stderr, &results);
  size_t n;
  entry *list = list_passed(&results, s->below, &n);
  if (!list)
    status = vb_error_memory(error);
  else if (s->json)
    status = print_json(list, n, error);
  else if (s->csv)
    print_csv(list, n);
  else
    print_table(list, n);
  free(list);
  vb_report_results_free(&results);
  return status;
}

VB_VERB(gates, "[RESULTS...]", "list how much of its tolerance each passed gate uses",
        .options = options, VB_SETTINGS(.below = INFINITY),
        .examples = "viperbench gates results/helix.h5\n"
                    "viperbench gates results --below 0.01 --csv\n",
        .ends_in_order = true);
