// SPDX-License-Identifier: GPL-3.0-or-later
// The table of the references of all problems.
#include "base/clock.h"
#include "base/file.h"
#include "base/output_policy.h"
#include "base/report_text.h"
#include "cli/problem_report.h"

#include <math.h>
#include <stdlib.h>

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

/// Writes the row of a question; VB_FAILED where its answers do not agree.
static vb_status certify(const vb_problem *problem, const vb_problem_case *of,
                         const vb_question *question, const cosserat_value answer[2], FILE *stream,
                         vb_error *error) {
  cosserat_value reference = question->seeds
                                 ? vb_question_pool(answer[0], answer[1])
                                 : vb_question_choose(question->exact, answer[0], answer[1]);
  cosserat_value exact = {question->exact, isnan(question->exact) ? NAN : reference.error};
  printf("%-20s %-16s %-8s %20.13g %20.13g %20.13g  %.1e %.1e\n", problem->name, of->name,
         question->name, question->exact, answer[0].value, answer[1].value, answer[0].error,
         answer[1].error);
  for (int k = 0; k < 2 && !of->has_rod; k++)
    if (question->method[k] && isnan(answer[k].value))
      return vb_error_set(error, VB_FAILED, "%s, case %s, %s: %s has no value", problem->name,
                          of->name, question->name, question->method[k]);
  if (!agree(exact, answer[0]) || !agree(exact, answer[1]) || !agree(answer[0], answer[1]))
    return vb_error_set(error, VB_FAILED, "%s, case %s, %s: two computations do not agree",
                        problem->name, of->name, question->name);
  fprintf(stream, "  [\"%s/%s/%s\"] = {", problem->name, of->name, question->name);
  put_value(stream, "reference", reference);
  for (int k = 0; k < 2; k++)
    put_value(stream, question->method[k], answer[k]);
  fputs(" },\n", stream);
  return VB_OK;
}

/// Computes the answers of a case and writes their rows.
static vb_status certify_case(const vb_problem *problem, const vb_problem_case *of, FILE *stream,
                              vb_error *error) {
  cosserat_value *found = calloc(of->n_questions + 1, 2 * sizeof *found);
  double begun = vb_clock();
  vb_status status = found ? VB_OK : vb_error_memory(error);
  if (!status) {
    status = vb_problem_case_compute(of, found, found + of->n_questions, error);
    if (status)
      vb_error_prefix(error, "%s, case %s", problem->name, of->name);
  }
  for (size_t q = 0; !status && q < of->n_questions; q++)
    status = certify(problem, of, &of->questions[q],
                     (cosserat_value[2]){found[q], found[of->n_questions + q]}, stream, error);
  if (!status)
    printf("%-20s %-16s %.2f s\n", problem->name, of->name, vb_clock() - begun);
  free(found);
  return status;
}

static vb_status write_table(const vb_problems *problems, FILE *stream, vb_error *error) {
  vb_status status = VB_OK;
  fputs("-- Made" VB_MARK_LUA "problem --certify from the problems beside it: value and error of "
        "each reference, and of two computations.\n",
        stream);
  fputs("return {\n", stream);
  for (size_t i = 0; i < problems->n; i++) {
    const vb_problem *p = &problems->list[i];
    for (size_t c = 0; !status && c < p->n_cases; c++)
      status = certify_case(p, &p->cases[c], stream, error);
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
