// SPDX-License-Identifier: GPL-3.0-or-later
/// Problems as text, as JSON, and the table of their references.
#ifndef VB_CLI_PROBLEM_REPORT_H
#define VB_CLI_PROBLEM_REPORT_H

#include "script/problem/problem.h"

#include <stdio.h>

/// Prints the statement of a problem.
void vb_problem_print(FILE *stream, const vb_problem *problem);

/// Prints problems as one JSON document: geometry, stiffness, loads, what is asked, references.
vb_status vb_problems_print_json(FILE *stream, const vb_problems *problems, vb_error *error);

/// Computes all answers, prints a row for each, and writes them as a script that returns a table to
/// `path`. VB_FAILED where two computations differ by more than both errors together.
vb_status vb_problems_certify(const vb_problems *problems, const char *path, vb_error *error);

#endif
