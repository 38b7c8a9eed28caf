// SPDX-License-Identifier: GPL-3.0-or-later
// The table of the references of all problems.
#include "base/clock.h"
#include "base/file.h"
#include "base/report_text.h"
#include "cli/problem_report.h"

#include <math.h>

/// Two values agree where they differ by no more than both errors together.
static bool agree(cosserat_value a, cosserat_value b) {
  return isnan(a.value) || isnan(b.value) || fabs(a.value - b.value) <= a.error + b.error;
}

/// Writes a pair of a table of Lua, with all digits.
static void put_value(FILE *stream, const char *name, cosserat_value v) {
  char number[VB_SHORTEST_SIZE];
  if (isnan(v.value))
    return;
  vb_report_shortest(number, v.value);
  fprintf(stream, " %s = { %s, %.1e },", name, number, v.error);
}

/// Computes the answers of a question and writes its row.
static vb_status certify(const vb_problem *problem, const vb_problem_case *of,
                         const vb_question *question, FILE *stream, vb_error *error) {
  cosserat_value collocation, elements, exact;
  double begun = vb_clock();
  vb_status status = vb_question_compute(of, question, &collocation, &elements, error);
  if (status) {
    vb_error_prefix(error, "%s, case %s, %s", problem->name, of->name, question->name);
    return status;
  }
  cosserat_value reference = vb_question_choose(question->exact, collocation, elements);
  exact = (cosserat_value){question->exact, isnan(question->exact) ? NAN : reference.error};
  printf("%-20s %-16s %-8s %20.13g %20.13g %20.13g  %.1e %.1e  %.2f s\n", problem->name, of->name,
         question->name, question->exact, collocation.value, elements.value, collocation.error,
         elements.error, vb_clock() - begun);
  if (!agree(exact, collocation) || !agree(exact, elements) || !agree(collocation, elements))
    return vb_error_set(error, VB_FAILED, "%s, case %s, %s: two computations do not agree",
                        problem->name, of->name, question->name);
  fprintf(stream, "  [\"%s/%s/%s\"] = {", problem->name, of->name, question->name);
  put_value(stream, "reference", reference);
  put_value(stream, "collocation", collocation);
  put_value(stream, "elements", elements);
  fputs(" },\n", stream);
  return VB_OK;
}

static vb_status write_table(const vb_problems *problems, FILE *stream, vb_error *error) {
  vb_status status = VB_OK;
  fputs("-- Made by \"make problems\" from the problems beside it: value and error of each "
        "reference, "
        "and of two computations.\n",
        stream);
  fputs("return {\n", stream);
  for (size_t i = 0; i < problems->n; i++) {
    const vb_problem *p = &problems->list[i];
    for (size_t c = 0; c < p->n_cases; c++)
      for (size_t q = 0; !status && q < p->cases[c].n_questions; q++)
        status = certify(p, &p->cases[c], &p->cases[c].questions[q], stream, error);
  }
  fputs("}\n", stream);
  return status;
}

vb_status vb_problems_certify(const vb_problems *problems, const char *path, vb_error *error) {
  vb_output output;
  vb_status status = vb_output_begin(path, true, &output, error);
  if (status)
    return status;
  FILE *stream = vb_output_stream(&output);
  status = stream ? write_table(problems, stream, error) : vb_error_memory(error);
  if (stream && fclose(stream) != 0 && !status)
    status = vb_error_set(error, VB_CANNOT_WRITE, "%s: cannot be written", path);
  return vb_output_end(&output, status, error);
}
