// SPDX-License-Identifier: GPL-3.0-or-later
// The verb "gates": which part of what each gate allows is used, from recorded results.
#include "base/report_text.h"
#include "base/text.h"
#include "cli/cli.h"
#include "gate/gate_used.h"
#include "report/report_results.h"
#include "table/listing.h"

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

static void collect(vb_listing *table, const entry *e) {
  const vb_gate_record *g = e->gate;
  vb_listing_row(table);
  vb_listing_text(table, "study", e->study);
  vb_listing_text(table, "name", g->name);
  vb_listing_text(table, "runs", g->runs);
  vb_listing_real(table, "used", e->used);
  vb_listing_real(table, "value", g->value);
  vb_listing_text(table, "quantity", g->quantity);
  vb_listing_text(table, "measure", g->measure);
  vb_listing_text(table, "comparator", g->comparator);
  vb_listing_real(table, "reference", g->reference);
  vb_listing_real(table, "tolerance", is_close(g) ? g->tolerance : NAN);
  vb_listing_flag(table, "relative", g->relative);
  vb_listing_flag(table, "finding", g->finding);
  vb_listing_text(table, "reason", g->reason);
}

/// Adds what stands in a text alone: what is asked, in a few words, and which gate it is.
static void collect_words(vb_listing *table, const entry *e) {
  const vb_gate_record *g = e->gate;
  char text[1024];
  snprintf(text, sizeof text, "%s %.4g", g->comparator, g->reference);
  if (is_close(g))
    vb_text_add(text, sizeof text, " +- %.2g%s", g->tolerance, g->relative ? " relative" : "");
  vb_listing_text(table, "asked", text);
  snprintf(text, sizeof text, "%s (%s)%s", g->name, g->runs, g->finding ? ", a finding" : "");
  vb_listing_text(table, "gate", text);
}

static vb_status print_text(vb_listing *table, vb_error *error) {
  const vb_text_column columns[] = {
      {.cell = "used", .head = "used", .format = "%.2g", .before = "", .width = 9},
      {.cell = "value", .head = "value", .format = "%.4g", .width = 12},
      {.cell = "asked", .head = "asked", .before = "  ", .width = -34},
      {.cell = "study", .before = "  ", .width = -vb_listing_longest(table, "study", 0)},
      {.cell = "gate", .before = "  "}};
  return vb_listing_write_text(stdout, table, columns, sizeof columns / sizeof *columns, error);
}

static vb_status print(const settings *s, const entry *list, size_t n, vb_error *error) {
  vb_listing table = {0};
  for (size_t i = 0; i < n; i++) {
    collect(&table, &list[i]);
    if (!s->json && !s->csv)
      collect_words(&table, &list[i]);
  }
  if (s->json)
    return vb_report_document(stdout, json_pack("{s:o}", "gates", vb_listing_take_json(&table)),
                              error);
  if (s->csv)
    return vb_listing_write_csv(stdout, &table,
                                "study,name,runs,used,value,quantity,measure,comparator,reference,"
                                "tolerance,relative,finding,reason",
                                error);
  return print_text(&table, error);
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
  else
    status = print(s, list, n, error);
  free(list);
  vb_report_results_free(&results);
  return status;
}

VB_VERB(gates, "[RESULTS...]", "list how much of its tolerance each passed gate uses",
        .options = options, VB_SETTINGS(.below = INFINITY),
        .examples = "viperbench gates results/helix.h5\n"
                    "viperbench gates results --below 0.01 --csv\n",
        .ends_in_order = true);
