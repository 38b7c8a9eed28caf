// SPDX-License-Identifier: GPL-3.0-or-later
/// The bands of a study's findings, in a text file STUDY.findings beside its script: a line for
/// each tier and finding,
///
///     TIER <tab> LOW <tab> HIGH <tab> RUNS <tab> NAME <tab> REASON
///
/// RUNS being the names of the gate's runs with blanks between them, NAME that of the gate. A band
/// is at most a twentieth wide, as a share of its greater bound; REASON is empty, or says what was
/// measured that calls for a wider one. LOW and HIGH may both be the word `unmeasured`, with a
/// reason: it is known that there is no number. Lines that begin with # are comments; writing puts
/// one head in their place.
#ifndef VB_GATE_BAND_FILE_H
#define VB_GATE_BAND_FILE_H

#include "base/status.h"
#include "gate/gate.h"

/// How wide a band may be without a reason, as a share of its greater bound.
#define VB_BAND_WIDTH 0.05

/// Reads the bands of a tier into the findings among `n` gates, VB_BAND_MISSING where the file has
/// none, or where there is no such file. Those of timed findings and of other gates are off.
/// VB_BAD_INPUT with file and line.
vb_status vb_bands_read(const char *path, const char *tier, vb_gate *gates, size_t n,
                        vb_error *error);

/// What is written of a tier.
typedef struct vb_band_source {
  const char *tier;
  const vb_gate *gates;       ///< (n)
  const vb_verdict *verdicts; ///< (n)
  const bool *evaluated;      ///< (n) whether there is a verdict; lines of others stay
  size_t n;
} vb_band_source;

/// Rewrites the bands of a tier, those of others being kept. A finding inside its band keeps its
/// line; another gets a band of 2 % to both sides of its value, or as wide as the one with a reason
/// that it had, and that reason; one that was not measured keeps the line that it had. A file that
/// would be the same is not touched, and `*changed` (may be null) tells; one without lines is
/// removed. VB_BAD_INPUT where there is a file that cannot be read, VB_CANNOT_WRITE.
vb_status vb_bands_write(const char *path, const vb_band_source *source, bool *changed,
                         vb_error *error);

#endif
