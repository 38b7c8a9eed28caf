// SPDX-License-Identifier: GPL-3.0-or-later
// The benchmark as one JSON document.
#include "base/report_text.h"
#include "base/version.h"
#include "bench/bench_report.h"
#include "bench/case_values.h"
#include "gate/gate.h"

#include <math.h>
#include <string.h>

/// Puts a value under its name, or one group further down: "windows/valid".
static void put(json_t *object, const char *path, json_t *value) {
  char group[64];
  const char *slash = strchr(path, '/');
  json_t *inner = object;
  if (slash) {
    snprintf(group, sizeof group, "%.*s", (int)(slash - path), path);
    inner = json_object_get(object, group);
    if (!inner) {
      inner = json_object();
      json_object_set_new(object, group, inner);
    }
  }
  json_object_set_new(inner, slash ? slash + 1 : path, value);
}

static json_t *describe_gates(const vb_study *study, const vb_bench_case *c) {
  json_t *out = json_array();
  for (size_t g = 0; c->evaluated && g < study->n_gates; g++) {
    const vb_gate *gate = &study->gates[g];
    const vb_verdict *v = &c->verdicts[g];
    if (!c->evaluated[g])
      continue;
    json_array_append_new(
        out, json_pack("{s:s, s:s, s:o, s:s, s:o, s:b, s:b, s:s, s:s}", "name", gate->name,
                       "quantity", gate->quantity, "value", vb_report_number(v->value),
                       "comparator", vb_comparator_words[gate->comparator], "reference",
                       vb_report_number(gate->reference), "passed", v->passed, "finding",
                       gate->finding, "reason", gate->reason, "note", v->note));
  }
  return out;
}

static json_t *describe_case(const vb_study *study, const vb_bench_case *c, vb_status *status,
                             vb_error *error) {
  vb_case_values facts;
  json_t *out = json_object();
  vb_status gathered = vb_case_values_collect(c, &facts, error);
  *status = *status ? *status : gathered;
  json_object_set_new(out, "name", json_string(c->run->name));
  for (size_t i = 0; i < facts.n; i++) {
    const vb_case_value *f = &facts.fact[i];
    put(out, f->name,
        f->text   ? json_string(f->text)
        : f->list ? vb_report_numbers(f->list, f->n)
                  : vb_report_number(f->number));
  }
  json_object_set_new(out, "gates", describe_gates(study, c));
  vb_case_values_free(&facts);
  return out;
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
  json_t *cases = json_array(), *series = json_array();
  for (size_t i = 0; i < bench->n_cases; i++)
    json_array_append_new(cases, describe_case(bench->study, &bench->cases[i], status, error));
  for (size_t i = 0; i < bench->n_scaling; i++)
    json_array_append_new(series, describe_scaling(&bench->scaling[i]));
  return json_pack("{s:s, s:s, s:s, s:o, s:o}", "name", bench->study->name, "title",
                   bench->study->title, "tier", bench->study->tier, "cases", cases, "scaling",
                   series);
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
