// SPDX-License-Identifier: GPL-3.0-or-later
/// Tolerances of a comparison of two records, by kind of quantity.
///
/// The kind of a quantity is the first word of its path below run/, frames/ or convergence/:
/// "energy" of energy/stretch, "position" of frames/position, "residual" of convergence/residual. A
/// study declares tolerances in its table "compare" (scenarios/gates.md); they are stored in its
/// results files, so that no script is needed to compare these. Kinds that it leaves out have the
/// defaults of tolerances.c.
#ifndef VB_COMPARE_TOLERANCES_H
#define VB_COMPARE_TOLERANCES_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/// A difference of `absolute` + `relative` * M is allowed, where M is the greatest magnitude that
/// the quantities of this kind and unit reach in the run's record. So what is nothing but rounding
/// (a twist's energy in a rod that only stretches) is measured by what it is the rounding of.
typedef struct vb_tolerance {
  double absolute; ///< unit of the quantity
  double relative;
} vb_tolerance;

/// What two NaNs at the same place are. A NaN against a number always differs.
typedef enum vb_nan_policy {
  VB_NAN_EQUAL, ///< the same: neither run had a value there
  VB_NAN_NEVER  ///< a difference
} vb_nan_policy;

typedef struct vb_tolerance_entry {
  char name[96]; ///< a kind, or the whole path of a quantity, which wins over its kind
  vb_tolerance tolerance;
} vb_tolerance_entry;

typedef struct vb_tolerances {
  vb_nan_policy nan;
  vb_tolerance_entry *entries; ///< (n) those declared first, then the defaults
  size_t n;
} vb_tolerances;

/// Parses the tolerances that a study declared: a JSON object {kind: {"absolute": .., "relative":
/// ..}, "nan": "equal" or "never"}, or null for nothing. `single` says that the solver computed in
/// single precision, whose defaults are wider. VB_BAD_INPUT where the text is none of that. The
/// caller frees with vb_tolerances_free.
vb_status vb_tolerances_read(const char *declared, bool single, vb_tolerances *out,
                             vb_error *error);
void vb_tolerances_free(vb_tolerances *tolerances);

/// The kind of a quantity, whose path is as in gates ("frames/position"); writes at most `size`
/// bytes.
void vb_quantity_kind(const char *quantity, char *out, size_t size);

/// The tolerance of a quantity.
vb_tolerance vb_tolerance_of(const vb_tolerances *tolerances, const char *quantity);

#endif
