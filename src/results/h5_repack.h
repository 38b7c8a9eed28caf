// SPDX-License-Identifier: GPL-3.0-or-later
/// A file written once more, in another of the two forms of HDF5 files.
///
/// While a long run is recorded, its series have chunks that can grow, and the file a form that a
/// kill leaves readable. Both cost more bytes than the data of a short run. The compact copy has
/// fixed extents, compresses what is worth it, and keeps small datasets in one piece.
#ifndef VB_RESULTS_H5_REPACK_H
#define VB_RESULTS_H5_REPACK_H

#include "results/h5.h"

/// What is changed on the way; a null changes nothing.
typedef struct vb_h5_copy_change {
  const void *context;
  /// Changes rows `first` to `first` + `n` - 1, of `width` numbers each, of the dataset at `path`.
  void (*rows)(const void *context, const char *path, size_t first, size_t n, size_t width,
               double *values);
  /// Adds attributes to the copy of the dataset at `path`.
  void (*attribute)(const void *context, vb_h5 *h5, const char *path, hid_t dataset);
} vb_h5_copy_change;

/// Closes `file`, which this process wrote to `h5->path`, and makes a copy, to be shown or ended in
/// its place (h5.h): all groups, datasets, attributes and dimension scales, with the same numbers
/// and texts, but for what `rewriting` changes in the numbers of datasets that could grow. Where
/// `compact` is false, the copy stays readable while it is written, and the file, which had its
/// early name, is shown. Room for `more` bytes that are then added is reserved, too. Returns the
/// copy, open for writing, or -1; where `h5->status` then tells of a failure, the file stays as it
/// is.
hid_t vb_h5_repack(vb_h5 *h5, hid_t file, bool compact, size_t more,
                   const vb_h5_copy_change *rewriting);

#endif
