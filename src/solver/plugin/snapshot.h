// SPDX-License-Identifier: GPL-3.0-or-later
/// All outputs of a solver instance at one moment, for bitwise comparison.
#ifndef VB_SOLVER_PLUGIN_SNAPSHOT_H
#define VB_SOLVER_PLUGIN_SNAPSHOT_H

#include "solver/plugin/guarded.h"

/// Its saved state, then energies, works, residual, convergence and reactions, and fields.
typedef struct vb_snapshot {
  char *bytes;
  size_t size;
} vb_snapshot;

/// Takes it. To be freed by vb_snapshot_free, on failure too.
vb_status vb_snapshot_take(vb_guarded *g, vb_snapshot *out, vb_error *error);
void vb_snapshot_free(vb_snapshot *snapshot);

/// Whether two snapshots of instances with the same options are bitwise equal; otherwise writes the
/// first thing that differs to `what`: "number 5 of field position".
bool vb_snapshot_same(const vb_guarded *g, const vb_snapshot *a, const vb_snapshot *b,
                      char what[VB_OUTPUT_NAME]);

#endif
