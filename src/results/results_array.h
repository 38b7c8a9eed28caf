// SPDX-License-Identifier: GPL-3.0-or-later
/// Reads whole arrays, frames and texts of results and index files, by the path of their dataset.
#ifndef VB_RESULTS_RESULTS_ARRAY_H
#define VB_RESULTS_RESULTS_ARRAY_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Asks for a whole dataset, not for one frame of it.
#define VB_NO_FRAME INT64_MIN

/// Numbers in rows.
typedef struct vb_array {
  size_t n;       ///< rows
  size_t width;   ///< numbers in a row
  double *values; ///< (n x width)
  char unit[32];
} vb_array;

/// Reads dataset `dataset` ("/topology/segment", or "/runs/NAME/topology/segment" in an index):
/// whole, or element `frame` of its first axis, counted from the end where negative. What is read
/// has up to two axes. The caller frees with vb_array_free. VB_BAD_INPUT where it cannot be read.
vb_status vb_results_array(const char *path, const char *dataset, int64_t frame, vb_array *out,
                           vb_error *error);
void vb_array_free(vb_array *array);

/// Where a run is recorded.
typedef struct vb_run_location {
  const char *path; ///< of its file, or of the index of its study
  const char *run;  ///< its name in an index, or null
} vb_run_location;

/// The same of dataset "topology/segment" of a run. Frames of "run/frames/vertices" are made of the
/// weights of the skin where these are stored in their place (skin_record.h).
vb_status vb_run_array(vb_run_location place, const char *dataset, int64_t frame, vb_array *out,
                       vb_error *error);

/// Tells in `out` whether the run has that dataset.
vb_status vb_run_has(vb_run_location place, const char *dataset, bool *out, vb_error *error);

/// The scales of the `n` nodes in a frame of a run; 1 where its solver records none, whose radii
/// are those at rest. Otherwise as vb_run_array.
vb_status vb_run_scale(vb_run_location place, size_t n, int64_t frame, vb_array *out,
                       vb_error *error);

/// The first text of a dataset of a run; the caller frees. VB_BAD_INPUT where it has none.
vb_status vb_run_text(vb_run_location place, const char *dataset, char **out, vb_error *error);

/// Whether all numbers are whole ones of [least, n), and so may choose among n elements.
bool vb_array_holds_indexes(const vb_array *array, double least, size_t n);

/// Whether all numbers are finite.
bool vb_array_is_finite(const vb_array *array);

/// Tells in `out` whether the file has dataset `dataset`. VB_BAD_INPUT where it is no file of ours.
vb_status vb_results_has(const char *path, const char *dataset, bool *out, vb_error *error);

/// Reads the unit of a dataset, "" where it has none, into at most `size` bytes.
vb_status vb_results_unit(const char *path, const char *dataset, char *out, size_t size,
                          vb_error *error);

/// Tells in `out` whether a dataset holds texts. VB_BAD_INPUT where it cannot be read.
vb_status vb_results_is_text(const char *path, const char *dataset, bool *out, vb_error *error);

/// Reads a dataset of texts; the caller frees with vb_texts_free.
typedef struct vb_texts {
  size_t n;
  char **texts;
} vb_texts;
vb_status vb_results_texts(const char *path, const char *dataset, vb_texts *out, vb_error *error);
void vb_texts_free(vb_texts *texts);

#endif
