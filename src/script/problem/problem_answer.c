// SPDX-License-Identifier: GPL-3.0-or-later
// The answers of problems by two computations, and which of them is the reference.
#include "base/blas.h"
#include "reference/cosserat/collocation.h"
#include "reference/cosserat/elements.h"
#include "script/problem/problem.h"

#include <math.h>

/// Closed forms are evaluated to rounding, over some tens of operations.
static const double rounding = 1e-13;

vb_status vb_question_compute(const vb_problem_case *of, const vb_question *question,
                              cosserat_value *collocation, cosserat_value *elements,
                              vb_error *error) {
  const cosserat_rod *rod = &of->rod;
  double low = question->range[0], high = question->range[1];
  cosserat_value found[2] = {{NAN, NAN}, {NAN, NAN}};
  vb_status status = VB_OK;
  vb_blas_use_one_thread();
  if (of->collocated)
    status = question->critical ? cosserat_collocate_critical(rod, low, high, &found[0], error)
                                : cosserat_collocate(rod, &question->place, 1, &found[0], error);
  if (!status && !rod->string)
    status =
        question->critical
            ? cosserat_elements_critical(rod, of->n_elements, low, high, &found[1], error)
            : cosserat_elements_solve(rod, of->n_elements, &question->place, 1, &found[1], error);
  if (status)
    return status;
  *collocation = found[0];
  *elements = found[1];
  return VB_OK;
}

cosserat_value vb_question_choose(double exact, cosserat_value collocation,
                                  cosserat_value elements) {
  if (!isnan(exact))
    return (cosserat_value){exact, rounding * (1 + fabs(exact))};
  return isnan(collocation.value) || elements.error < collocation.error ? elements : collocation;
}
