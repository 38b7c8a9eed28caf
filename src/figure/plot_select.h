// SPDX-License-Identifier: GPL-3.0-or-later
/// Resolves the selections in a data request of a figure script: runs, frames and rows.
#ifndef VB_FIGURE_PLOT_SELECT_H
#define VB_FIGURE_PLOT_SELECT_H

#include "results/results_array.h"

/// Length of a path in an index file, its zero included.
#define VB_PLOT_PATH 400

/// Sources of the requested data: of the file itself, its runs, cases or series of sizes.
typedef struct vb_plot_groups {
  const char *group; ///< "runs", "bench" or "scaling"; null for the file itself
  char **names;      ///< (n), sound (vb_recorded_name_is_valid)
  size_t n;
} vb_plot_groups;

/// Finds the subjects of index file `index` that `of` means: "." for the file itself, or "GROUP/"
/// and patterns (as of fnmatch) between commas, in the order of the index. "last:" before a pattern
/// takes the last it matches. VB_BAD_INPUT where a pattern without wildcards matches none, and
/// where the index holds a name that is none. The caller frees with vb_plot_groups_free.
vb_status vb_plot_groups_find(const char *index, const char *of, vb_plot_groups *out,
                              vb_error *error);
void vb_plot_groups_free(vb_plot_groups *subjects);

/// Numbers of frames.
typedef struct vb_plot_frames {
  size_t n_frames; ///< that the run has
  size_t *chosen;  ///< (n)
  size_t n;
} vb_plot_frames;

/// Chooses frames of run `run`: `text` is "all", or between commas numbers (from the end where
/// negative), "t=T" for the last up to time T [s], and "spread=N" for N from the first to the last.
/// VB_BAD_INPUT where it is wrong or there is no such frame. The caller frees `out->chosen`.
vb_status vb_plot_frames_choose(const char *index, const char *run, const char *text,
                                vb_plot_frames *out, vb_error *error);

/// Writes the path of `quantity` of a subject, "runs/NAME/QUANTITY". A row may be written as "P%",
/// the row that so many percent of all lie before; as "gate=I", that which gate I of the run is
/// about; as "X:Y:Z", the vertex that is there at rest [m].
vb_status vb_plot_path(const char *index, const char *group, const char *name, const char *quantity,
                       char out[VB_PLOT_PATH], vb_error *error);

#endif
