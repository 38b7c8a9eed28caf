// SPDX-License-Identifier: GPL-3.0-or-later
/// The page of help of a verb.
#ifndef VB_CLI_PAGE_H
#define VB_CLI_PAGE_H

#include "cli/cli.h"

#include <stdio.h>

#define VB_EXIT_CODES                                                                              \
  "0 all gates passed, 1 a gate failed, a run diverged or crashed, 2 bad input, 3 not available "  \
  "here, 4 inconclusive, 5 output could not be written, 128 + n stopped by signal n."

/// Called for an option of a verb; `help` is what is said of it there.
typedef void vb_option_visit(const vb_cli_option *option, const char *help, void *context);

/// Tells of all options of a verb, with those of the tables that it shares.
void vb_page_options(const vb_verb *verb, vb_option_visit *visit, void *context);

/// Prints the page of the verb of that name to the standard output: usage, purpose, options,
/// examples. VB_BAD_INPUT with the nearest name where there is none.
vb_status vb_page_print(const char *name, vb_error *error);

/// Prints what each verb is for.
void vb_page_overview(FILE *stream);

/// Prints what exit codes mean.
void vb_page_exit_codes(FILE *stream);

#endif
