// SPDX-License-Identifier: GPL-3.0-or-later
/// Findings against their bands: a gate that tests the model may be missed, but what it measures
/// must stay what it is.
#ifndef VB_GATE_FINDING_H
#define VB_GATE_FINDING_H

#include "gate/gate.h"

/// The words of vb_finding, in its order; that of VB_NO_FINDING is empty.
extern const char *const vb_finding_words[];

/// Holds what a finding measured against its band; what is not finite is unmeasured. Outside of its
/// band a value is worse or better by its distance to what the gate asks, compared with that of the
/// band's middle: |value - reference|, or how far it is beyond the bound, which is negative for
/// values that pass. VB_NO_FINDING for any other gate.
vb_finding vb_finding_evaluate(const vb_gate *gate, double value);

/// Whether a verdict fails a study: a gate that was missed and is no finding, or a finding that is
/// worse, better or unmeasured.
bool vb_verdict_failed(const vb_gate *gate, const vb_verdict *verdict);

/// The verdict in a word: "passed", "FAILED", or that of the finding; a finding inside its band
/// that passes has "passed".
const char *vb_verdict_word(const vb_gate *gate, const vb_verdict *verdict);

/// How many gates have each verdict; their sum is that of all gates.
typedef struct vb_verdict_counts {
  size_t gates;
  size_t n_findings;                    ///< of them, findings
  size_t passed;                        ///< findings inside their bands, too
  size_t failed;                        ///< and no finding
  size_t expected;                      ///< findings that are missed, inside their bands
  size_t findings[VB_FINDING_FREE + 1]; ///< by vb_finding, but for those that are counted above
} vb_verdict_counts;

/// Counts one more gate.
void vb_verdict_count(vb_verdict_counts *counts, const vb_gate *gate, const vb_verdict *verdict);

/// Writes the band of a finding, "1.02 to 1.06" or "unmeasured"; empty where there is none.
void vb_band_write(const vb_gate *gate, char *out, size_t size);

#endif
