// SPDX-License-Identifier: GPL-3.0-or-later
/// Compares recorded runs: every quantity within its tolerance, every gate, and whether the scenes
/// and solvers are the same.
#ifndef VB_COMPARE_COMPARE_H
#define VB_COMPARE_COMPARE_H

#include "base/arena.h"
#include "compare/difference.h"
#include "compare/record.h"

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
  vb_arena memory; ///< the texts
} vb_sources;

/// Finds the runs of a run's file, of the index of a study, or of a folder: those of its indexes,
/// and files of runs whose study has no index there. Indexes of studies that are made of others
/// repeat their runs and are passed over, as are measured speeds. VB_BAD_INPUT where there is
/// nothing to compare. The caller frees with vb_sources_free.
vb_status vb_sources_find(const char *path, vb_sources *out, vb_error *error);
void vb_sources_free(vb_sources *sources);

/// Appends `source` to a list, with copies of its texts in `memory`. Fails only for want of memory.
vb_status vb_source_add(vb_arena *memory, vb_source **list, size_t *n, vb_source source,
                        vb_error *error);

/// The one among `n` `sources` that stands for `source`: of the same run and, where `by_study`, of
/// the same study. Null where there is none.
const vb_source *vb_source_match(const vb_source *sources, size_t n, const vb_source *source,
                                 bool by_study);

/// What two runs that are compared should have in common. Words of --allow are in compare_runs.c.
typedef enum vb_run_property {
  VB_PROPERTY_SCENE,      ///< the frozen scene
  VB_PROPERTY_SOLVER,     ///< its name
  VB_PROPERTY_OPTIONS,    ///< its options, but for threads and instruction set
  VB_PROPERTY_ARITHMETIC, ///< floating-point mode of the program
  VB_PROPERTY_HARDWARE,   ///< processor: matters to times alone
  VB_PROPERTY_COUNT
} vb_run_property;

/// How to compare.
typedef struct vb_compare_request {
  bool allow[VB_PROPERTY_COUNT]; ///< what may be unlike
  bool has_nan;                  ///< whether `nan` replaces the policy that the study declares
  vb_nan_policy nan;
} vb_compare_request;

/// What became of one quantity.
typedef enum vb_outcome {
  VB_AGREES,
  VB_DIFFERS,
  VB_MISSING_A, ///< only B has it
  VB_MISSING_B,
  VB_OTHER_SHAPE ///< of another shape or unit
} vb_outcome;

typedef struct vb_quantity_result {
  char *name; ///< as in gates
  char unit[32];
  vb_outcome outcome;
  vb_difference difference; ///< meaningful where it agrees or differs
  char first[128];          ///< "step 4 (0.4 s), node 3, z": where the first bad number is
  size_t worst_place[VB_RECORD_RANK]; ///< indexes of the greatest difference
  char note[128];                     ///< the shapes, where these are the trouble
} vb_quantity_result;

/// Two runs, compared. Texts and lists are owned.
typedef struct vb_run_comparison {
  char *study;
  char *run;
  char *other;                                  ///< name of B's run
  char *path[2];                                ///< of the files
  bool inside[2];                               ///< as in vb_source
  bool differs[VB_PROPERTY_COUNT];              ///< what they do not have in common
  char difference_text[VB_PROPERTY_COUNT][160]; ///< "direct, not xpbd"
  bool refused;                                 ///< unlike in what is not allowed: not compared
  char status[2][16];                           ///< "complete" and so on
  double step_time[2]; ///< median wall time of a step [s], NaN where not recorded
  vb_quantity_result *quantities;
  size_t n_quantities;
  size_t n_bad;    ///< those that do not agree
  vb_arena memory; ///< the texts
} vb_run_comparison;

/// A gate that changed side, or that one of the two does not have.
typedef struct vb_gate_change {
  char *study;
  char *name;
  char *runs;
  bool has[2];
  bool passed[2];
  double value[2];
} vb_gate_change;

typedef struct vb_compare_result {
  vb_run_comparison *runs; ///< pairs that both sides have
  size_t n_runs;
  vb_source *missing; ///< runs that one side lacks; `inside`: B lacks it, not A
  size_t n_missing;
  vb_gate_change *gates;
  size_t n_gates; ///< changed
  size_t n_compared_gates;
  vb_arena memory; ///< the texts of `missing` and `gates`
} vb_compare_result;

/// The word of a likeness, as --allow takes it.
const char *vb_run_property_word(vb_run_property likeness);

/// Compares two runs. Failures to read are VB_BAD_INPUT; differences are a result. Freed by
/// vb_run_comparison_free.
vb_status vb_compare_runs(const vb_source *a, const vb_source *b, const vb_compare_request *request,
                          vb_run_comparison *out, vb_error *error);
void vb_run_comparison_free(vb_run_comparison *result);

/// Compares all runs and gates of two paths. VB_BAD_INPUT where something cannot be read, or one is
/// the file of a run and the other is not. Freed by vb_compare_result_free.
vb_status vb_compare_paths(const char *a, const char *b, const vb_compare_request *request,
                           vb_compare_result *out, vb_error *error);
void vb_compare_result_free(vb_compare_result *result);

/// Exit code of a comparison: VB_BAD_INPUT where runs were refused, VB_FAILED where anything is
/// missing, differs, or changed side, otherwise VB_OK.
vb_status vb_compare_verdict(const vb_compare_result *result);

#endif
