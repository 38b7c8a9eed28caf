// SPDX-License-Identifier: GPL-3.0-or-later
// The benchmark for other programs: one JSON document, or in CSV a row for each case.
#include "base/report_text.h"
#include "base/version.h"
#include "bench/bench_report.h"
#include "bench/case_values.h"
#include "gate/gate.h"

#include <math.h>
#include <string.h>

static json_t *describe_gates(const vb_study *study, const vb_bench_case *c) {
  vb_listing gates = {0};
  for (size_t g = 0; c->evaluated && g < study->n_gates; g++) {
    const vb_gate *gate = &study->gates[g];
    const vb_verdict *v = &c->verdicts[g];
    if (!c->evaluated[g])
      continue;
    vb_listing_row(&gates);
    vb_listing_text(&gates, "name", gate->name);
    vb_listing_text(&gates, "quantity", gate->quantity);
    vb_listing_real(&gates, "value", v->value);
    vb_listing_text(&gates, "comparator", vb_comparator_words[gate->comparator]);
    vb_listing_real(&gates, "reference", gate->reference);
    vb_listing_flag(&gates, "passed", v->passed);
    vb_listing_flag(&gates, "finding", gate->finding);
    vb_listing_text(&gates, "reason", gate->reason);
    vb_listing_text(&gates, "note", v->note);
  }
  return vb_listing_take_json(&gates);
}

vb_status vb_bench_add_case(vb_listing *table, const vb_bench_case *c, vb_error *error) {
  vb_case_values facts;
  vb_status status = vb_case_values_collect(c, &facts, error);
  for (size_t i = 0; !status && i < facts.n; i++) {
    const vb_case_value *f = &facts.fact[i];
    if (f->text)
      vb_listing_text(table, f->name, f->text);
    else if (f->list)
      vb_listing_json(table, f->name, vb_report_numbers(f->list, f->n));
    else
      vb_listing_real(table, f->name, f->number);
    vb_listing_unit(table, f->text ? NULL : f->unit);
  }
  vb_case_values_free(&facts);
  return status;
}

static json_t *describe_scaling(const vb_bench_scaling *s) {
  return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "name", s->name, "over",
                   s->over_bodies ? "bodies" : "nodes", "fixed", vb_report_number(s->fixed), "size",
                   vb_report_numbers(s->size, s->n), "dofs", vb_report_numbers(s->dofs, s->n),
                   "step_time", vb_report_numbers(s->step_s, s->n), "offset",
                   vb_report_number(s->fitted ? s->cost.offset : NAN), "rate",
                   vb_report_number(s->fitted ? s->cost.rate : NAN), "deviation",
                   vb_report_number(s->fitted ? s->cost.deviation : NAN));
}

static json_t *describe_gpu(const vb_gpu *gpu) {
  return json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:o}", "name", gpu->name, "uuid", gpu->uuid,
                   "driver", gpu->driver, "ecc", gpu->ecc, "power_limit",
                   vb_report_number(gpu->power_limit_w), "most_sm_clock",
                   vb_report_number(gpu->most_sm_clock), "most_memory_clock",
                   vb_report_number(gpu->most_mem_clock));
}

static json_t *describe_machine(const vb_machine *m) {
  json_t *rates = json_array();
  for (size_t i = 0; i < m->n_rates; i++) {
    const vb_machine_rate *r = &m->rate[i];
    json_array_append_new(rates, json_pack("{s:s, s:s, s:s, s:s, s:o, s:i, s:o}", "what", r->what,
                                           "precision", r->precision, "instructions",
                                           r->instructions, "arithmetic", r->arithmetic, "bytes",
                                           vb_report_number(r->bytes), "threads", r->threads,
                                           "rate", vb_report_number(r->rate)));
  }
  const vb_provenance *p = &m->origin;
  return json_pack("{s:s, s:s, s:s, s:i, s:i, s:o, s:o, s:o, s:o*}", "host", p->host, "system",
                   p->system, "cpu", p->cpu, "cores", p->cores, "processors", p->threads, "busy",
                   vb_report_number(m->busy), "last_cache", vb_report_number(m->last_cache),
                   "rates", rates, "gpu", m->has_gpu ? describe_gpu(&m->gpu) : NULL);
}

static json_t *describe_study(const vb_bench *bench, vb_status *status, vb_error *error) {
  vb_listing cases = {0};
  json_t *series = json_array();
  for (size_t i = 0; !*status && i < bench->n_cases; i++) {
    vb_listing_row(&cases);
    vb_listing_text(&cases, "name", bench->cases[i].run->name);
    *status = vb_bench_add_case(&cases, &bench->cases[i], error);
    vb_listing_json(&cases, "gates", describe_gates(bench->study, &bench->cases[i]));
  }
  for (size_t i = 0; i < bench->n_scaling; i++)
    json_array_append_new(series, describe_scaling(&bench->scaling[i]));
  return json_pack("{s:s, s:s, s:s, s:o, s:o}", "name", bench->study->name, "title",
                   bench->study->title, "tier", bench->study->tier, "cases",
                   vb_listing_take_json(&cases), "scaling", series);
}

vb_status vb_bench_json(FILE *stream, const vb_bench *benches, size_t n, const vb_machine *machine,
                        int exit_code, vb_error *error) {
  const vb_provenance *p = &machine->origin;
  vb_status status = VB_OK;
  json_t *studies = json_array();
  for (size_t i = 0; i < n; i++)
    json_array_append_new(studies, describe_study(&benches[i], &status, error));
  json_t *document =
      json_pack("{s:s, s:s, s:s, s:b, s:s, s:s, s:s, s:i, s:o, s:o}", "program", "viperbench",
                "version", VB_VERSION, "commit", p->commit, "dirty", p->dirty, "date", p->date,
                "compiler", p->compiler, "flags", p->flags, "exit_code", exit_code, "machine",
                describe_machine(machine), "studies", studies);
  if (!status)
    return vb_report_document(stream, document, error);
  json_decref(document);
  return status;
}

vb_status vb_bench_csv(FILE *stream, const vb_bench *benches, size_t n, vb_error *error) {
  vb_listing cases = {0};
  vb_status status = VB_OK;
  for (size_t b = 0; b < n; b++)
    for (size_t i = 0; !status && i < benches[b].n_cases; i++) {
      vb_listing_row(&cases);
      vb_listing_text(&cases, "study", benches[b].study->name);
      vb_listing_text(&cases, "case", benches[b].cases[i].run->name);
      status = vb_bench_add_case(&cases, &benches[b].cases[i], error);
    }
  if (!status)
    return vb_listing_write_csv(stream, &cases, NULL, error);
  vb_listing_free(&cases);
  return status;
}
