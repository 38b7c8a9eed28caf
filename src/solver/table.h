// SPDX-License-Identifier: GPL-3.0-or-later
/// The table of available solvers.
#ifndef VB_SOLVER_TABLE_H
#define VB_SOLVER_TABLE_H

#include "solver/solver.h"

/// The solver of that name: one of the program ("viper"), a shared object ("./mine.so"), a class of
/// a Python file ("mine.py:Class"), or one to be checked while it works ("check:viper",
/// "check:./mine.so"); see plugin/plugin.h for these.
/// VB_BAD_INPUT, and the names there are, for any other. Defined in plugin/find.c.
vb_status vb_solver_find(const char *name, const vb_solver **out, vb_error *error);

/// Most solvers that a program has.
#define VB_MOST_SOLVERS 32

/// All solvers of the program, ended by a null.
const vb_solver *const *vb_solver_table(void);

/// Whether a name is that of a file: a path with a slash, or one that ends in ".so", or one of a
/// Python file.
bool vb_plugin_named(const char *name);

/// Whether a name is that of a Python file: it ends in ".py", perhaps with ":" and a class behind.
bool vb_plugin_is_python(const char *name);

/// The length of the path at the beginning of such a name.
size_t vb_plugin_file_length(const char *name);

/// What follows "check:" in the name of a solver to be examined, or null.
const char *vb_plugin_checked(const char *name);

/// Where a solver comes from.
typedef struct vb_solver_origin {
  const char *name;   ///< as requested: "check:./mine.so"
  const char *path;   ///< of its file, absolute; or null where it is one of the program's
  const char *sha256; ///< of that file, 64 hexadecimal digits; or null
} vb_solver_origin;

/// Where `solver` comes from; false where it is one of the program that runs in this process.
/// Answered by solver/plugin/.
bool vb_solver_find_origin(const vb_solver *solver, vb_solver_origin *out);

/// The option of that name in a description, or null.
const vb_option_info *vb_description_option(const vb_solver_description *description,
                                            const char *name);

#endif
