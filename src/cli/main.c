// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/printable.h"
#include "base/process_limits.h"
#include "base/signals.h"
#include "base/waiting.h"
#include "cli/cli.h"
#include "results/h5.h"
#include "solver/plugin/load.h"
#include "solver/plugin/serve.h"

#include <errno.h>
#include <gsl/gsl_errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

/// Makes sure that what was printed has arrived.
static vb_status flush(vb_error *error) {
  if (fflush(stdout) == 0 && !ferror(stdout))
    return VB_OK;
  return vb_error_set(error, VB_CANNOT_WRITE, "cannot write to standard output: %s",
                      strerror(errno));
}

/// This process is the child of another, and holds a solver for it.
static int serve(const char *solver) {
  vb_error error = {0};
  if (vb_serve(solver, vb_load_solver, &error))
    vb_cli_complain(&error);
  return (int)error.status;
}

__attribute__((section(".preinit_array"),
               used)) static void (*const before_libraries)(int, char **,
                                                            char **) = vb_waiting_prepare;

int main(int argc, char **argv) {
  vb_cli cli;
  vb_error error = {0};
  vb_waiting_limit(argv);
  // GSL would abort and HDF5 would print; both return errors, which are told in our words.
  gsl_set_error_handler_off();
  signal(SIGXFSZ, SIG_IGN); // a limit on the size of files fails the write, and that is told
  vb_h5_quiet();
  if (vb_limits_check(&error)) {
    vb_cli_complain(&error);
    return (int)error.status;
  }
  if (argc == 3 && strcmp(argv[1], VB_CHILD_COMMAND) == 0)
    return serve(argv[2]);
  vb_printable_stdout(); // what files and scripts say is printed in many places
  vb_status status = vb_cli_parse(argc, argv, &cli, &error);
  if (!status && cli.verb->ends_in_order)
    vb_signals_install();
  if (!status)
    status = cli.verb->run(&cli, &error);
  vb_cli_free(&cli);
  if (!error.message[0] && flush(&error))
    status = error.status;
  if (error.message[0])
    vb_cli_complain(&error);
  return vb_cli_exit_code(status);
}
