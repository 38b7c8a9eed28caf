// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/study_free.h"

#include "base/nearest_word.h"

#include <stdlib.h>

void vb_options_destroy(vb_option *options, size_t n) {
  for (size_t i = 0; i < n; i++) {
    free((char *)options[i].name);
    free((char *)options[i].value);
  }
  free(options);
}

void vb_record_plan_clear(vb_record_plan *plan) {
  vb_texts_destroy(plan->fields, plan->n_fields);
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
