// SPDX-License-Identifier: GPL-3.0-or-later
#include "gate/finding.h"

#include <math.h>
#include <stdio.h>

const char *const vb_finding_words[] = {
    [VB_NO_FINDING] = "",
    [VB_FINDING_EXPECTED] = "as expected",
    [VB_FINDING_WORSE] = "worse",
    [VB_FINDING_BETTER] = "better",
    [VB_FINDING_UNMEASURED] = "unmeasured",
    [VB_FINDING_NO_BAND] = "no band",
    [VB_FINDING_FREE] = "not judged",
    [VB_FINDING_FREE + 1] = NULL,
};

/// How far a value is from what the gate asks.
static double distance(const vb_gate *gate, double value) {
  double beyond = value - gate->reference;
  return gate->comparator == VB_CLOSE_TO  ? fabs(beyond)
         : gate->comparator == VB_AT_MOST ? beyond
                                          : -beyond;
}

vb_finding vb_finding_evaluate(const vb_gate *gate, double value) {
  const vb_band *band = &gate->band;
  if (!gate->finding)
    return VB_NO_FINDING;
  if (!isfinite(value))
    return band->kind == VB_BAND_UNMEASURED ? VB_FINDING_EXPECTED : VB_FINDING_UNMEASURED;
  switch (band->kind) {
  case VB_BAND_NONE:
    return VB_FINDING_FREE;
  case VB_BAND_MISSING:
    return VB_FINDING_NO_BAND;
  case VB_BAND_UNMEASURED:
    return VB_FINDING_BETTER;
  case VB_BAND_RANGE:
    break;
  }
  if (value >= band->low && value <= band->high)
    return VB_FINDING_EXPECTED;
  double middle = band->low + (band->high - band->low) / 2;
  return distance(gate, value) < distance(gate, middle) ? VB_FINDING_BETTER : VB_FINDING_WORSE;
}

static bool has_moved(vb_finding finding) {
  return finding == VB_FINDING_WORSE || finding == VB_FINDING_BETTER ||
         finding == VB_FINDING_UNMEASURED;
}

bool vb_verdict_failed(const vb_gate *gate, const vb_verdict *verdict) {
  return gate->finding ? has_moved(verdict->finding) : !verdict->passed;
}

const char *vb_verdict_word(const vb_gate *gate, const vb_verdict *verdict) {
  if (!gate->finding)
    return verdict->passed ? "passed" : "FAILED";
  bool inside = verdict->finding == VB_FINDING_EXPECTED;
  return inside && verdict->passed ? "passed" : vb_finding_words[verdict->finding];
}

void vb_verdict_count(vb_verdict_counts *counts, const vb_gate *gate, const vb_verdict *verdict) {
  counts->gates++;
  counts->n_findings += gate->finding;
  if (gate->finding && verdict->finding != VB_FINDING_EXPECTED)
    counts->findings[verdict->finding]++;
  else if (verdict->passed)
    counts->passed++;
  else if (gate->finding)
    counts->expected++;
  else
    counts->failed++;
}

void vb_band_write(const vb_gate *gate, char *out, size_t size) {
  const vb_band *band = &gate->band;
  if (gate->finding && band->kind == VB_BAND_RANGE)
    snprintf(out, size, "%g to %g", band->low, band->high);
  else
    snprintf(out, size, "%s",
             gate->finding && band->kind == VB_BAND_UNMEASURED
                 ? vb_finding_words[VB_FINDING_UNMEASURED]
                 : "");
}
