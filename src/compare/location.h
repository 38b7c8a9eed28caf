// SPDX-License-Identifier: GPL-3.0-or-later
/// Describes where a number of a record is: its step, element and component.
#ifndef VB_COMPARE_LOCATION_H
#define VB_COMPARE_LOCATION_H

#include "compare/record.h"

/// Splits the place of a number in the list of all numbers of a quantity into its indexes.
void vb_location_split(const vb_record_shape *shape, size_t place, size_t index[VB_RECORD_RANK]);

/// Writes where the number with these indexes is, as "step 4 (0.4 s), node 3, z"; at most `size`
/// bytes.
void vb_location_name(const vb_record *record, const char *quantity, const vb_record_shape *shape,
                      const size_t index[VB_RECORD_RANK], char *out, size_t size);

#endif
