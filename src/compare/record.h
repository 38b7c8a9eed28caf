// SPDX-License-Identifier: GPL-3.0-or-later
/// Opens the results file of one run for a comparison, reads its quantities, and describes where a
/// number of them is: its step, element and component (location.c).
#ifndef VB_COMPARE_RECORD_H
#define VB_COMPARE_RECORD_H

#include "results/h5_read.h"

#include <stdint.h>

/// Most axes of a quantity.
#define VB_RECORD_RANK VB_H5_RANK

typedef struct vb_record {
  char *path;   ///< of the file
  hid_t file;   ///< where the run was looked for
  hid_t root;   ///< the run's own group, perhaps in another file
  char **names; ///< (n) quantities, in the order of the alphabet, as in gates: "frames/position"
  size_t n;
} vb_record;

/// How a quantity is stored.
typedef struct vb_record_shape {
  int rank;
  hsize_t extent[VB_RECORD_RANK]; ///< 1 beyond the rank
  size_t width;                   ///< numbers in an element of the first axis
  size_t rows;                    ///< elements of the first axis; 1 where there is none
  char unit[32];
  double rounding; ///< greatest error by which its numbers were rounded when they were stored
} vb_record_shape;

/// Opens the run in file `path`, or run `run` of an index (null for the file of one run), and lists
/// its quantities: all numbers below run/ and convergence/ but wall times, and those below
/// topology/. VB_BAD_INPUT where it cannot be read. The caller closes with vb_record_close.
vb_status vb_record_open(const char *path, const char *run, vb_record *out, vb_error *error);
void vb_record_close(vb_record *record);

/// The shape of a quantity; false where the record does not have it, or it cannot be read.
bool vb_record_find(const vb_record *record, const char *quantity, vb_record_shape *out);

/// Reads rows `first` to `first` + `n` - 1 of a quantity into `out` (n x width).
vb_status vb_record_read(const vb_record *record, const char *quantity, size_t first, size_t n,
                         double *out, vb_error *error);

/// The text of a dataset ("solver/name") of the run; null where it has none that can be
/// read. The caller frees.
char *vb_record_text(const vb_record *record, const char *dataset);

/// The number of a dataset ("scenario/step"); `otherwise` where it has none that
/// can be read.
double vb_record_number(const vb_record *record, const char *dataset, double otherwise);

/// Splits the place of a number in the list of all numbers of a quantity into its indexes.
void vb_location_split(const vb_record_shape *shape, size_t place, size_t index[VB_RECORD_RANK]);

/// Writes where the number with these indexes is, as "step 4 (0.4 s), node 3, z"; at most `size`
/// bytes.
void vb_location_name(const vb_record *record, const char *quantity, const vb_record_shape *shape,
                      const size_t index[VB_RECORD_RANK], char *out, size_t size);

#endif
