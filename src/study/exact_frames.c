// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/exact_frames.h"

#include "base/arena.h"
#include "gate/angular_momentum.h"
#include "gate/ribbon.h"
#include "gate/surface_column.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Of a gate's tolerance: an error of the frames that changes no verdict, and no digit that is
/// printed of a value.
#define NEGLIGIBLE 0x1p-12

static char VERTICES[] = "vertices", POSITION[] = "position";

/// Whether a gate measures a distance between surfaces, whose vertices are in frames.
static bool is_of_surfaces(const vb_gate *gate) {
  return gate->combination == VB_SURFACE_RMS || gate->combination == VB_SURFACE_HAUSDORFF;
}

/// Fields whose first and last frames are rounded, too (vb_field_reach).
static bool is_derived(const char *field) {
  return field && (strcmp(field, VERTICES) == 0 || strcmp(field, "radius") == 0);
}

/// The error that numbers may have of which a gate measures one, or the greatest, least or mean; 0
/// where it makes other things of them.
static double allowed_by(const vb_gate *gate) {
  bool close = gate->comparator == VB_CLOSE_TO;
  double margin = close && !gate->relative ? gate->tolerance : fabs(gate->reference);
  if (close && gate->relative)
    margin *= gate->tolerance;
  bool simple = (gate->combination == VB_SINGLE || gate->combination == VB_DIFFERENCE) &&
                gate->measure <= VB_MEASURE_DRIFT && !gate->finding; // a band may be narrower
  return simple && margin > 0 && isfinite(margin) ? NEGLIGIBLE * margin : 0;
}

/// Whether a gate reads frames, and which; the field is borrowed.
static bool reads_frames(const vb_gate *gate, vb_exact_frames *out) {
  static const char FRAMES[] = "frames/";
  *out = (vb_exact_frames){.field = NULL};
  if (gate->found || !gate->quantity)
    return false;
  if (is_of_surfaces(gate) || vb_is_surface_column(gate->quantity)) {
    out->field = VERTICES;
  } else if (strncmp(gate->quantity, FRAMES, strlen(FRAMES)) == 0) {
    out->field = gate->quantity + strlen(FRAMES);
    out->allowed = allowed_by(gate);
  } else if (!vb_is_ribbon(gate->quantity) && !vb_is_angular_momentum(gate->quantity)) {
    return false;
  }
  bool at_one_time = gate->measure == VB_MEASURE_VALUE;
  bool at_an_end = gate->measure == VB_MEASURE_FIRST || gate->measure == VB_MEASURE_FINAL;
  out->ends = at_an_end && !is_derived(out->field);
  out->from = at_an_end ? -INFINITY : gate->from;
  out->to = at_an_end ? INFINITY : at_one_time ? gate->from : gate->to;
  return true;
}

static bool is_of_run(const vb_gate *gate, const char *run) {
  for (size_t i = 0; i < gate->n_runs; i++)
    if (strcmp(gate->runs[i], run) == 0)
      return true;
  return false;
}

static vb_status keep(vb_record_plan *plan, const vb_exact_frames *r, vb_error *error) {
  for (size_t i = 0; i < plan->n_kept; i++) {
    vb_exact_frames *e = &plan->kept[i];
    bool same_field = r->field && e->field ? strcmp(r->field, e->field) == 0 : r->field == e->field;
    if (same_field && e->ends == r->ends && e->from == r->from && e->to == r->to) {
      e->allowed = fmin(e->allowed, r->allowed);
      return VB_OK;
    }
  }
  char *field = r->field ? strdup(r->field) : NULL;
  vb_exact_frames *added = r->field && !field ? NULL : VB_APPEND(plan->kept, plan->n_kept);
  if (added) {
    *added = *r;
    added->field = field;
  } else {
    free(field);
  }
  return added ? VB_OK : vb_error_memory(error);
}

/// Keeps what a gate reads of frames of one of its runs.
static vb_status keep_for(const vb_gate *gate, vb_record_plan *plan, vb_error *error) {
  vb_exact_frames r, positions = {.field = POSITION, .ends = true};
  vb_status status = reads_frames(gate, &r) ? keep(plan, &r, error) : VB_OK;
  if (!status && gate->combination == VB_OVER_DISTANCE)
    status = keep(plan, &positions, error);
  return status;
}

vb_status vb_study_keep_frames(vb_study *study, vb_error *error) {
  bool rounds = strcmp(study->tier, "quick") == 0 || strcmp(study->tier, "show") == 0;
  vb_status status = VB_OK;
  for (size_t i = 0; !status && i < study->n_runs; i++) {
    vb_run_plan *run = &study->runs[i];
    run->record.exact = run->record.exact || !rounds;
    for (size_t g = 0; !status && !run->record.exact && g < study->n_gates; g++)
      if (is_of_run(&study->gates[g], run->name))
        status = keep_for(&study->gates[g], &run->record, error);
  }
  return status;
}
