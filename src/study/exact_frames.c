// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/exact_frames.h"

#include "base/arena.h"
#include "gate/angular_momentum.h"
#include "gate/ribbon.h"
#include "gate/surface_column.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// What a gate reads of frames.
typedef struct reading {
  const char *field; ///< null: all fields
  double from, to;
} reading;

/// Whether a gate measures a distance between surfaces, whose vertices are in frames.
static bool is_of_surfaces(const vb_gate *gate) {
  return gate->combination == VB_SURFACE_RMS || gate->combination == VB_SURFACE_HAUSDORFF;
}

/// Fields whose first and last frames are rounded, too (vb_field_reach).
static bool is_derived(const char *field) {
  return field && (strcmp(field, "vertices") == 0 || strcmp(field, "radius") == 0);
}

/// Whether a gate reads other frames than those that are stored as they are anyway.
static bool reads_frames(const vb_gate *gate, reading *out) {
  static const char FRAMES[] = "frames/";
  if (gate->found || !gate->quantity)
    return false;
  if (is_of_surfaces(gate) || vb_is_surface_column(gate->quantity))
    out->field = "vertices";
  else if (strncmp(gate->quantity, FRAMES, strlen(FRAMES)) == 0)
    out->field = gate->quantity + strlen(FRAMES);
  else if (vb_is_ribbon(gate->quantity) || vb_is_angular_momentum(gate->quantity))
    out->field = NULL;
  else
    return false;
  bool at_one_time = gate->measure == VB_MEASURE_VALUE;
  bool at_an_end = gate->measure == VB_MEASURE_FIRST || gate->measure == VB_MEASURE_FINAL;
  out->from = at_an_end ? -INFINITY : gate->from;
  out->to = at_an_end ? INFINITY : at_one_time ? gate->from : gate->to;
  return !at_an_end || is_derived(out->field);
}

static bool is_of_run(const vb_gate *gate, const char *run) {
  for (size_t i = 0; i < gate->n_runs; i++)
    if (strcmp(gate->runs[i], run) == 0)
      return true;
  return false;
}

static vb_status keep(vb_record_plan *plan, const reading *r, vb_error *error) {
  for (size_t i = 0; i < plan->n_kept; i++) {
    const vb_exact_frames *e = &plan->kept[i];
    bool same_field = r->field && e->field ? strcmp(r->field, e->field) == 0 : r->field == e->field;
    if (same_field && e->from == r->from && e->to == r->to)
      return VB_OK;
  }
  char *field = r->field ? strdup(r->field) : NULL;
  vb_exact_frames *added = r->field && !field ? NULL : VB_APPEND(plan->kept, plan->n_kept);
  if (added)
    *added = (vb_exact_frames){field, r->from, r->to};
  else
    free(field);
  return added ? VB_OK : vb_error_memory(error);
}

vb_status vb_study_keep_frames(vb_study *study, vb_error *error) {
  bool rounds = strcmp(study->tier, "quick") == 0 || strcmp(study->tier, "show") == 0;
  vb_status status = VB_OK;
  for (size_t i = 0; !status && i < study->n_runs; i++) {
    vb_run_plan *run = &study->runs[i];
    run->record.exact = run->record.exact || !rounds;
    for (size_t g = 0; !status && !run->record.exact && g < study->n_gates; g++) {
      reading r;
      if (is_of_run(&study->gates[g], run->name) && reads_frames(&study->gates[g], &r))
        status = keep(&run->record, &r, error);
    }
  }
  return status;
}
