// SPDX-License-Identifier: GPL-3.0-or-later
// The benchmark as comma-separated values: a row for each case.
#include "base/report_text.h"
#include "bench/bench_report.h"
#include "bench/case_values.h"

#include <string.h>

/// The columns: all single values that any case has, in the order in which they are met.
typedef struct columns {
  size_t n;
  struct column {
    const char *name, *unit; ///< constants of case_values.c; a text has no unit
  } column[VB_MAX_CASE_VALUES];
} columns;

static void add_columns(columns *c, const vb_case_values *values) {
  for (size_t i = 0; i < values->n; i++) {
    const vb_case_value *v = &values->fact[i];
    size_t k = 0;
    while (k < c->n && strcmp(c->column[k].name, v->name) != 0)
      k++;
    if (!v->list && k == c->n && k < VB_MAX_CASE_VALUES)
      c->column[c->n++] = (struct column){v->name, v->unit};
  }
}

static void put_head(vb_csv *csv, const columns *c) {
  vb_csv_text(csv, "study");
  vb_csv_text(csv, "case");
  for (size_t k = 0; k < c->n; k++) {
    char name[128];
    const char *unit = c->column[k].unit;
    snprintf(name, sizeof name, "%s%s%s%s", c->column[k].name, unit ? "[" : "", unit ? unit : "",
             unit ? "]" : "");
    vb_csv_text(csv, name);
  }
  vb_csv_end(csv);
}

static void put_value(vb_csv *csv, const vb_case_values *values, const char *name) {
  for (size_t i = 0; i < values->n; i++) {
    const vb_case_value *v = &values->fact[i];
    if (strcmp(v->name, name) != 0)
      continue;
    if (v->text)
      vb_csv_text(csv, v->text);
    else
      vb_csv_number(csv, v->number);
    return;
  }
  vb_csv_gap(csv, 1);
}

/// Calls for the values of each case: to add columns, or to write its row where `csv` is given.
static vb_status visit_cases(const vb_bench *benches, size_t n, columns *c, vb_csv *csv,
                             vb_error *error) {
  vb_status status = VB_OK;
  for (size_t b = 0; !status && b < n; b++)
    for (size_t i = 0; !status && i < benches[b].n_cases; i++) {
      vb_case_values values;
      status = vb_case_values_collect(&benches[b].cases[i], &values, error);
      if (!status && !csv)
        add_columns(c, &values);
      if (!status && csv) {
        vb_csv_text(csv, benches[b].study->name);
        vb_csv_text(csv, benches[b].cases[i].run->name);
        for (size_t k = 0; k < c->n; k++)
          put_value(csv, &values, c->column[k].name);
        vb_csv_end(csv);
      }
      vb_case_values_free(&values);
    }
  return status;
}

vb_status vb_bench_csv(FILE *stream, const vb_bench *benches, size_t n, vb_error *error) {
  columns c = {0};
  vb_csv csv = {stream, false};
  vb_status status = visit_cases(benches, n, &c, NULL, error);
  if (status)
    return status;
  put_head(&csv, &c);
  return visit_cases(benches, n, &c, &csv, error);
}
