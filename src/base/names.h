// SPDX-License-Identifier: GPL-3.0-or-later
/// Checks names that become parts of file names, such as names of runs and studies.
#ifndef VB_BASE_NAMES_H
#define VB_BASE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/// Most letters of a name that a script gives, and of one that is recorded: that of a run in a
/// study made of others is "STUDY-RUN".
#define VB_NAME_MAX          100
#define VB_RECORDED_NAME_MAX 201

/// What such a name must be, for messages.
#define VB_NAME_RULE "letters, digits and . _ + -, not first a dot or a minus"

/// Whether `name` may name a study, a run, a figure, and so a file: VB_NAME_RULE, at least one and
/// at most VB_NAME_MAX letters.
bool vb_name_is_valid(const char *name);

/// The same of a name that was read from a file, at most VB_RECORDED_NAME_MAX letters.
bool vb_recorded_name_is_valid(const char *name);

/// Sorts `n` names or paths so that "n8" comes before "n16".
void vb_names_sort(char **names, size_t n);

#endif
