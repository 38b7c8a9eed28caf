// SPDX-License-Identifier: GPL-3.0-or-later
/// What the datasets hold that have no attribute `long_name`: those of the groups of a run's file
/// or an index that every file has alike (vb_h5_is_described), and the series of the tier quick.
#ifndef VB_RESULTS_RESULTS_MEANING_H
#define VB_RESULTS_RESULTS_MEANING_H

#include <stddef.h>
#include <stdint.h>

/// What the dataset at `path` ("topology/segment") holds; "" where that is not known, as of
/// energies and fields, of which the solver's description tells.
const char *vb_results_meaning(const char *path);

/// Reads the unit of an open dataset, which is 1 where a dataset at such a path has no attribute
/// `units`; "" for another one without.
void vb_results_unit_of(int64_t dataset, const char *path, char *out, size_t size);

#endif
