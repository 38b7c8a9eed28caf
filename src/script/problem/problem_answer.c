// SPDX-License-Identifier: GPL-3.0-or-later
// The answers of problems by two computations, and which of them is the reference.
#include "base/blas.h"
#include "reference/cosserat/collocation.h"
#include "reference/cosserat/elements.h"
#include "reference/cosserat/motion.h"
#include "script/problem/problem.h"

#include <math.h>
#include <stdlib.h>

/// Closed forms are evaluated to rounding, over some tens of operations.
static const double rounding = 1e-13;

static vb_status compute(const vb_problem_case *of, const vb_question *question,
                         cosserat_value *collocation, cosserat_value *elements, vb_error *error) {
  const cosserat_rod *rod = &of->rod;
  double low = question->range[0], high = question->range[1];
  vb_status status = VB_OK;
  if (of->collocated)
    status = question->critical ? cosserat_collocate_critical(rod, low, high, collocation, error)
                                : cosserat_collocate(rod, &question->place, 1, collocation, error);
  if (!status && !rod->string)
    status =
        question->critical
            ? cosserat_elements_critical(rod, of->n_elements, low, high, elements, error)
            : cosserat_elements_solve(rod, of->n_elements, &question->place, 1, elements, error);
  return status;
}

/// Both computations of a motion, once for all questions.
static vb_status move(const vb_problem_case *of, cosserat_value *grid, cosserat_value *elements,
                      vb_error *error) {
  cosserat_place *place = calloc(of->n_questions + 1, sizeof *place);
  vb_status status = place ? VB_OK : vb_error_memory(error);
  for (size_t q = 0; place && q < of->n_questions; q++)
    place[q] = of->questions[q].place;
  if (!status)
    status = cosserat_move_staggered(&of->rod, &of->motion, of->n_cells, place, of->n_questions,
                                     grid, error);
  if (!status)
    status = cosserat_move_elements(&of->rod, &of->motion, of->n_elements, place, of->n_questions,
                                    elements, error);
  free(place);
  return status;
}

vb_status vb_problem_case_compute(const vb_problem_case *of, cosserat_value *first,
                                  cosserat_value *second, vb_error *error) {
  vb_status status = VB_OK;
  vb_blas_use_one_thread();
  for (size_t q = 0; q < of->n_questions; q++) {
    first[q] = of->has_rod ? (cosserat_value){NAN, NAN} : of->questions[q].answer[0];
    second[q] = of->has_rod ? (cosserat_value){NAN, NAN} : of->questions[q].answer[1];
  }
  if (of->moves)
    return move(of, first, second, error);
  for (size_t q = 0; of->has_rod && !status && q < of->n_questions; q++) {
    status = compute(of, &of->questions[q], &first[q], &second[q], error);
    if (status)
      vb_error_prefix(error, "%s", of->questions[q].name);
  }
  return status;
}

cosserat_value vb_question_choose(double exact, cosserat_value first, cosserat_value second) {
  if (!isnan(exact))
    return (cosserat_value){exact, rounding * (1 + fabs(exact))};
  return isnan(first.value) || second.error < first.error ? second : first;
}

cosserat_value vb_question_pool(cosserat_value first, cosserat_value second) {
  return (cosserat_value){(first.value + second.value) / 2,
                          fmax(first.error, second.error) + fabs(first.value - second.value) / 2};
}
