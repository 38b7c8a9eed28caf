// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/study.h"

#include "study/study_free.h"

#include <stdlib.h>
#include <string.h>

bool vb_is_tier(const char *word) {
  return !strcmp(word, "quick") || !strcmp(word, "full") || !strcmp(word, "gold");
}

void vb_study_destroy(vb_study *study) {
  if (!study)
    return;
  free(study->name);
  free(study->title);
  free(study->tier);
  free(study->compare);
  free(study->script);
  free(study->figure);
  for (size_t i = 0; i < study->n_includes; i++)
    free(study->includes[i]);
  free(study->includes);
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
  free(study);
}
