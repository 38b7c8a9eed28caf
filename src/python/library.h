// SPDX-License-Identifier: GPL-3.0-or-later
/// What the shared library of the Python package has beyond the functions of scene.h, builder.h and
/// solver.h.
#ifndef VB_PYTHON_LIBRARY_H
#define VB_PYTHON_LIBRARY_H

#include "scene/builder.h"
#include "solver/solver.h"

/// Gives a solver that is written in Python; called when the host first asks for it.
typedef vb_status vb_python_find(const vb_solver **out, vb_error *error);

/// Serves solver `name` in a process that vb_interpreter_start has made an interpreter, until the
/// host is gone.
vb_status vb_python_serve(const char *name, vb_python_find *find, vb_error *error);

/// Adds `n` elements of set `tag`, one after the other as in vb_builder_add; the index of the first
/// in `*first`. On failure those before the one refused stay.
vb_status vb_python_add(vb_builder *builder, vb_tag tag, const void *elements, size_t n,
                        int32_t *first, vb_error *error);

/// Gives `n` nodes at `rest` (n x 3) the frames of the segments between them (n - 1 x 4): by
/// parallel transport, and then turned about the segment by `twist` [rad], (n - 1) or null.
/// VB_BAD_INPUT where two nodes coincide.
vb_status vb_python_frames(size_t n, const double (*rest)[3], const double *twist,
                           double (*frame)[4], vb_error *error);

/// Turns `n` frames (n x 4) by rotation vectors (n x 3) in world axes [rad].
void vb_python_turn(size_t n, const double (*turn)[3], const double (*frame)[4], double (*out)[4]);

/// The sets of a scene and their members, line by line (see vb_schema_write_lines); null for want
/// of memory. It is made once, and stays.
const char *vb_python_schema(void);

/// Frees a scene that vb_builder_freeze made; null is none.
void vb_python_free(vb_scene *scene);

/// Writes the sizes in bytes of what the package has in ctypes: vb_solver, vb_solver_description,
/// vb_field, vb_energy, vb_option_info, vb_option, vb_divergence, vb_device, vb_convergence,
/// vb_error, vb_python_dataset; and VB_SOLVER_VERSION and VB_SCENE_VERSION behind them.
void vb_python_sizes(size_t out[13]);

#endif
