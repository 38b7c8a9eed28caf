// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/study.h"

#include "base/nearest_word.h"

#include <stdlib.h>
#include <string.h>

bool vb_is_tier(const char *word) {
  return !strcmp(word, "quick") || !strcmp(word, "full") || !strcmp(word, "gold") ||
         !strcmp(word, "show");
}

void vb_options_destroy(vb_option *options, size_t n) {
  for (size_t i = 0; i < n; i++) {
    free((char *)options[i].name);
    free((char *)options[i].value);
  }
  free(options);
}

void vb_record_plan_clear(vb_record_plan *plan) {
  vb_texts_destroy(plan->fields, plan->n_fields);
  free(plan->reference);
  for (size_t i = 0; i < plan->n_kept; i++)
    free(plan->kept[i].field);
  free(plan->kept);
  *plan = (vb_record_plan){0};
}

void vb_convergence_plan_clear(vb_convergence_plan *plan) {
  free(plan->iterations);
  *plan = (vb_convergence_plan){0};
}

void vb_run_plan_clear(vb_run_plan *run) {
  free(run->name);
  free(run->label);
  free(run->scenario);
  free(run->script);
  free(run->parameters);
  free(run->scene);
  free(run->solver);
  vb_options_destroy(run->options, run->n_options);
  vb_record_plan_clear(&run->record);
  vb_convergence_plan_clear(&run->convergence);
  for (size_t i = 0; i < run->n_sweep; i++) {
    free(run->sweep[i].axis);
    free(run->sweep[i].text);
  }
  free(run->sweep);
  *run = (vb_run_plan){0};
}

static bool same_run(const vb_run_plan *a, const vb_run_plan *b) {
  bool same = strcmp(a->name, b->name) == 0 && strcmp(a->parameters, b->parameters) == 0 &&
              strcmp(a->solver, b->solver) == 0 && a->n_options == b->n_options;
  for (size_t i = 0; same && i < a->n_options; i++)
    same = strcmp(a->options[i].name, b->options[i].name) == 0 &&
           strcmp(a->options[i].value, b->options[i].value) == 0;
  return same && a->record.every == b->record.every && a->record.converged == b->record.converged &&
         a->record.frames_every == b->record.frames_every &&
         a->convergence.after == b->convergence.after && a->bench.after == b->bench.after &&
         a->bench.moves_skin == b->bench.moves_skin;
}

bool vb_study_same(const vb_study *a, const vb_study *b) {
  bool same = a->n_runs == b->n_runs && a->n_gates == b->n_gates;
  for (size_t i = 0; same && i < a->n_runs; i++)
    same = same_run(&a->runs[i], &b->runs[i]);
  for (size_t i = 0; same && i < a->n_gates; i++)
    same = strcmp(a->gates[i].name, b->gates[i].name) == 0 &&
           a->gates[i].reference == b->gates[i].reference &&
           a->gates[i].tolerance == b->gates[i].tolerance;
  return same;
}

void vb_study_destroy(vb_study *study) {
  if (!study)
    return;
  free(study->name);
  free(study->title);
  free(study->settings);
  free(study->tier);
  free(study->compare);
  free(study->script);
  free(study->folder);
  free(study->figure);
  free(study->bands);
  vb_texts_destroy(study->includes, study->n_includes);
  vb_texts_destroy(study->missing, study->n_missing);
  vb_texts_destroy(study->keywords, study->n_keywords);
  vb_texts_destroy(study->shown, study->n_shown);
  for (size_t i = 0; i < study->n_runs; i++) {
    for (size_t k = i + 1; k < study->n_runs; k++)
      if (study->runs[k].scene == study->runs[i].scene)
        study->runs[k].scene = NULL;
    vb_run_plan_clear(&study->runs[i]);
  }
  free(study->runs);
  for (size_t i = 0; i < study->n_gates; i++)
    vb_gate_clear(&study->gates[i]);
  free(study->gates);
  vb_planted_clear(&study->planted);
  free(study);
}
