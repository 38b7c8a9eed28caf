// SPDX-License-Identifier: GPL-3.0-or-later
/// Finds the runs and lists of gates below a path that is to be compared: a file, an index or a
/// folder.
#ifndef VB_COMPARE_SOURCES_H
#define VB_COMPARE_SOURCES_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/// A run, or the gates of a study.
typedef struct vb_source {
  char *study; ///< name of its study
  char *run;   ///< its name within the study; null for gates
  char *path;  ///< of the file
  bool inside; ///< whether the run is one of an index, by its name, and not the file itself
} vb_source;

typedef enum vb_source_kind { VB_SOURCE_RUN, VB_SOURCE_INDEX, VB_SOURCE_FOLDER } vb_source_kind;

typedef struct vb_sources {
  vb_source_kind kind;
  vb_source *runs;
  size_t n_runs;
  vb_source *gates; ///< files whose group gates is that of the study, or of the run itself
  size_t n_gates;
} vb_sources;

/// Finds the runs of a run's file, of the index of a study, or of a folder: those of its indexes,
/// and files of runs whose study has no index there. Indexes of studies that are made of others
/// repeat their runs and are passed over, as are measured speeds. VB_BAD_INPUT where there is
/// nothing to compare. The caller frees with vb_sources_free.
vb_status vb_sources_find(const char *path, vb_sources *out, vb_error *error);
void vb_sources_free(vb_sources *sources);

/// Appends a copy of `source` to a list. Fails only for want of memory.
vb_status vb_source_add(vb_source **list, size_t *n, vb_source source, vb_error *error);

/// Frees what a source holds.
void vb_source_clear(vb_source *source);

/// The one among `n` `sources` that stands for `source`: of the same run and, where `by_study`, of
/// the same study. Null where there is none.
const vb_source *vb_source_match(const vb_source *sources, size_t n, const vb_source *source,
                                 bool by_study);

#endif
