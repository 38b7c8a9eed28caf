// SPDX-License-Identifier: GPL-3.0-or-later
/// What an output may replace: files that this program made, by the mark that its pages, pictures,
/// movies and scripts carry; others where the user insists. Never what the command reads, nor an
/// HDF5 file, which may hold hours of work.
#ifndef VB_BASE_OUTPUT_POLICY_H
#define VB_BASE_OUTPUT_POLICY_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/// Marks, as they stand in files: of HTML, of the tEXt chunk Software of PNG, of Lua and of movies.
#define VB_MARK_HTML  "<meta name=\"generator\" content=\"viperbench"
#define VB_MARK_PNG   "viperbench " ///< the text behind the key
#define VB_MARK_LUA   " by viperbench "
#define VB_MARK_MOVIE "made by viperbench"
#define VB_MARK_PLOT  "<desc>Produced by GNUPLOT" ///< of figures in SVG, which gnuplot draws

/// What an output may replace.
typedef struct vb_output_policy {
  char *const *input; ///< (n) paths of what is read
  size_t n;
  bool force;    ///< whether files without a mark may be replaced
  bool no_force; ///< whether the command has no option by which they may
} vb_output_policy;

/// Whether two paths lead to one file.
bool vb_is_same_file(const char *a, const char *b);

/// VB_BAD_INPUT where there is a file of that name that an output must not replace. What is no
/// regular file, or is empty, is not checked (see vb_output_begin).
vb_status vb_output_check(const vb_output_policy *policy, const char *path, vb_error *error);

#endif
