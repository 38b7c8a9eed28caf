// SPDX-License-Identifier: GPL-3.0-or-later
/// Problems by which solvers of rods are judged: statements that need no program, and references
/// that two computations agree on. Each is a script of scenarios/problems/, which returns a table.
#ifndef VB_SCRIPT_PROBLEM_PROBLEM_H
#define VB_SCRIPT_PROBLEM_PROBLEM_H

#include "base/arena.h"
#include "base/status.h"
#include "reference/cosserat/rod.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The version of the statements and numbers.
#define VB_PROBLEMS_VERSION "1.0"

/// What is asked, and the answer.
typedef struct vb_question {
  const char *name;
  const char *what; ///< in words
  bool critical;    ///< whether it is the critical load factor; else a position
  double range[2];  ///< of load factors, between which the first critical one is
  cosserat_place place;
  double scale; ///< what an error is told over: the length of a rod where nothing else is said
  double exact; ///< by a closed form; NaN where there is none
  /// Of a mean over so many random starts, each computation of which has a statistical error, about
  /// twice the standard error of its mean; 0: of anything else.
  int64_t seeds;
  /// Names of the two computations; null: none. "collocation" (of motions "staggered") and
  /// "elements" are those of reference/cosserat, others those of the script.
  const char *method[2];
  // As they are kept in scenarios/problems/references.lua, NaN where they are not; `answer` of
  // scripts as it is found anew where that is asked for.
  cosserat_value reference, answer[2];
} vb_question;

/// A number that a statement gives.
typedef struct vb_given {
  const char *name, *what; ///< in words, with its unit
  double value;
} vb_given;

/// A rod of a problem, or what else there is: numbers that the statement explains.
typedef struct vb_problem_case {
  const char *name;
  vb_given *given; ///< where there is no rod
  size_t n_given;
  bool has_rod; ///< else its script makes both computations
  cosserat_rod rod;
  size_t n_elements; ///< with which elements come to their answer
  bool collocated;   ///< whether there is a boundary-value problem that collocation takes
  bool moves; ///< whether it is a motion from rest; then elements are the second computation,
              ///< and a staggered grid stands in the place of collocation
  cosserat_motion motion;
  size_t n_cells; ///< of the coarsest grid
  vb_question *questions;
  size_t n_questions;
} vb_problem_case;

typedef struct vb_problem {
  const char *name, *title, *text, *units, *made, *published; ///< the last may be null
  const char **formulas, **groups, **models, **sees;          ///< ended by a null
  vb_problem_case *cases;
  size_t n_cases;
} vb_problem;

typedef struct vb_problems {
  vb_problem *list; ///< by name
  size_t n;
  vb_arena memory;
} vb_problems;

/// Reads the problems `name` (n), all where n is 0, from the folder scenarios/problems of `home`.
/// With `compute` the computations that scripts make are called; without they are those that are
/// kept. VB_BAD_INPUT with file and line where one is not as it must be, and with the nearest name
/// where there is none. The caller frees with vb_problems_free, also on failure.
vb_status vb_problems_read(const char *home, char *const *name, size_t n, bool compute,
                           vb_problems *out, vb_error *error);
void vb_problems_free(vb_problems *problems);

/// Computes the answers of all questions of a case by both methods, NaN where one does not apply.
/// Both have room for an answer for each. Those of a case without a rod are what reading it has
/// computed.
vb_status vb_problem_case_compute(const vb_problem_case *of, cosserat_value *first,
                                  cosserat_value *second, vb_error *error);

/// The reference that follows from a closed form (NaN: none) and the two computations: the one
/// whose error is least, with that error.
cosserat_value vb_question_choose(double exact, cosserat_value first, cosserat_value second);

/// The reference of a mean over random starts: the mean of both computations, whose error is the
/// greater of theirs and half of their difference. (The mean of both is known better than each, but
/// a solver that is compared with it has starts of its own, and so an error of a single one.)
cosserat_value vb_question_pool(cosserat_value first, cosserat_value second);

#endif
