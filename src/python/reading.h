// SPDX-License-Identifier: GPL-3.0-or-later
/// Results files for Python: what the package's `load` reads, by the rules of results/h5_read.h and
/// by the same confined readers. Nothing here may be called by two threads at once.
///
/// An object is an open file or group, as vb_results_open and vb_results_open_run give it. `path`
/// is that of its file, for messages; names of datasets are relative to the object.
#ifndef VB_PYTHON_READING_H
#define VB_PYTHON_READING_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Why something cannot be read.
typedef enum vb_python_fault {
  VB_PYTHON_WRONG,   ///< it is not there, or is no results file of this program
  VB_PYTHON_DAMAGED, ///< HDF5 cannot read it, or what it says cannot be
  VB_PYTHON_DENIED,  ///< the system or this program keeps it from readers
} vb_python_fault;

/// A dataset.
typedef struct vb_python_dataset {
  char letter;        ///< of its numbers as in vb_h5_dataset; 't' of texts; '?' where it is neither
  int32_t size;       ///< bytes of a number in the file
  int32_t rank;       ///< number of axes
  uint64_t extent[3]; ///< 1 beyond the rank
  uint64_t rows;      ///< of the first axis that count (see vb_results_whole_rows)
  char units[64];
  char long_name[256];
} vb_python_dataset;

/// Opens a results file; `*index` says whether it is one of a study, which has runs. On failure
/// `*fault` says why. Closed by vb_python_close.
vb_status vb_python_open(const char *path, int64_t *object, bool *index, vb_python_fault *fault,
                         vb_error *error);

/// Opens a run of the index, in its own file beside it or in the index; else as vb_python_open.
vb_status vb_python_open_run(const char *path, int64_t index, const char *name, int64_t *object,
                             vb_python_fault *fault, vb_error *error);
void vb_python_close(int64_t object);

/// Lists the members of a group or, where `below`, all datasets below it: their names one after the
/// other, each with its zero, `*size` bytes in all; null and 0 where there is no such group. The
/// caller frees by vb_python_drop.
vb_status vb_python_list(const char *path, int64_t object, const char *group, bool below,
                         char **names, size_t *size, vb_python_fault *fault, vb_error *error);
void vb_python_drop(void *memory);

/// Describes a dataset; `*found` is false where there is none.
vb_status vb_python_describe(const char *path, int64_t object, const char *name,
                             vb_python_dataset *out, bool *found, vb_python_fault *fault,
                             vb_error *error);

/// Reads numbers `start` to `start` + `count` - 1 of each of the three axes, 0 and 1 beyond the
/// rank, as double or, where `integer`, int64_t; `*n` of them. The caller frees by vb_python_drop.
vb_status vb_python_numbers(const char *path, int64_t object, const char *name,
                            const uint64_t start[3], const uint64_t count[3], bool integer,
                            void **numbers, size_t *n, vb_python_fault *fault, vb_error *error);

/// Reads texts, each with its zero as in vb_python_list.
vb_status vb_python_texts(const char *path, int64_t object, const char *name, char **texts,
                          size_t *size, vb_python_fault *fault, vb_error *error);

/// Reads a text attribute of a group into `size` bytes; false where there is none.
bool vb_python_attribute(const char *path, int64_t object, const char *group, const char *name,
                         char *out, size_t size);

/// Reads an integer attribute of a group; `otherwise` where there is none.
int64_t vb_python_integer(const char *path, int64_t object, const char *group, const char *name,
                          int64_t otherwise);

#endif
