// SPDX-License-Identifier: GPL-3.0-or-later
/// Solvers with a known fault (study/planted.h), each around one of the program's. What a kind does
/// not change comes from the solver inside.
#ifndef VB_TESTS_PLANTED_PLANTED_H
#define VB_TESTS_PLANTED_PLANTED_H

#include "solver/table.h"
#include "study/planted.h"

/// No fault: the solver inside as it is.
#define PLANTED_NONE VB_PLANTED_COUNT

/// The kind of that name, PLANTED_NONE for "none", -1 for any other.
int planted_find(const char *word);

/// The name of a kind, or "none".
const char *planted_word(int kind);

/// A solver with the fault `kind` around `inner`, into `*out`, which must stay as long as it is
/// used.
typedef struct planted_solver {
  vb_solver solver; ///< first, so that the one is the other
  const vb_solver *inner;
  int kind;
} planted_solver;
void planted_wrap(planted_solver *out, const vb_solver *inner, int kind);

/// From now on the solvers of the program (vb_solver_table) have the fault `kind`; before, they
/// have the one that the environment variable VIPERBENCH_PLANTED names, if any.
void planted_choose(int kind);

/// An instance of a planted solver.
typedef struct planted {
  const vb_solver *inner;
  const vb_solver_description *about;
  int kind;
  const vb_scene *scene; ///< that the harness believes in
  vb_scene *changed;     ///< that the solver inside is given, or null where it is the same
  void *self;            ///< the instance inside
  int64_t n_steps;       ///< taken since time 0
  double **held;         ///< (n_fields) fields of one step before; or null
} planted;

/// The scene that the solver inside is given: a copy with the fault, to be freed; null where `kind`
/// changes no scene.
vb_status planted_change_scene(const vb_scene *scene, int kind, vb_scene **out, vb_error *error);

/// Puts where nodes and bones are, and how fast, when nothing but gravity has acted on them for
/// `time`, in place of what `out` has of the field at time 0. Pinned nodes follow their drivers.
vb_status planted_fall(const vb_scene *scene, const vb_field *field, double time, double *out,
                       vb_error *error);

/// The energies of this motion in place of those at time 0: kinetic energy and gravity; all others
/// are 0.
vb_status planted_fall_energies(const vb_scene *scene, const vb_solver_description *about,
                                double time, double *out, vb_error *error);

/// Adds noise to the positions of nodes that `out` has of a field after `step` steps, other noise
/// after each: up to a thousandth of a node's radius in each component.
void planted_add_noise(const vb_scene *scene, const vb_field *field, int64_t step, double *out);

#endif
