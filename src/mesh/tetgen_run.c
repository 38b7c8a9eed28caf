// SPDX-License-Identifier: GPL-3.0-or-later
#include "mesh/tetgen_run.h"

#include "base/scratch.h"
#include "base/started_program.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#define LONGEST 120.0 ///< s

/// GiB of memory.
#define MOST_MEMORY 8

/// The code by which TetGen tells that it has too little memory.
#define WANT_OF_MEMORY 1

/// Says why there is no mesh, where that is so. TetGen may end with 0 without a result, `made`.
static vb_status check_end(vb_program_end end, int ended, const char *made, const char *name,
                           vb_error *error) {
  switch (end) {
  case VB_PROGRAM_MISSING:
    return vb_error_set(error, VB_UNAVAILABLE,
                        "tetgen is not installed; meshing surfaces needs it (package tetgen)");
  case VB_PROGRAM_INTERRUPTED:
    return vb_error_set(error, VB_INTERRUPTED, "interrupted: %s is not meshed", name);
  case VB_PROGRAM_LATE:
    return vb_error_set(error, VB_FAILED, "%s: TetGen was ended; it took too long", name);
  case VB_PROGRAM_DONE:
    break;
  }
  if (WIFSIGNALED(ended) || WEXITSTATUS(ended) == WANT_OF_MEMORY)
    return vb_bad_input(error,
                        "%s: TetGen cannot mesh it (it ended with %s %d): triangles touch or "
                        "overlap, or %d GiB of memory are too little",
                        name, WIFSIGNALED(ended) ? "signal" : "code",
                        WIFSIGNALED(ended) ? WTERMSIG(ended) : WEXITSTATUS(ended), MOST_MEMORY);
  return WEXITSTATUS(ended) || access(made, R_OK)
             ? vb_bad_input(error, "%s: TetGen cannot mesh it; triangles touch or overlap", name)
             : VB_OK;
}

vb_status vb_tetgen_run(const char *switches, const char *folder, const char *name,
                        vb_error *error) {
  char path[VB_SCRATCH_PATH + 16], made[VB_SCRATCH_PATH + 16], said[1];
  snprintf(path, sizeof path, "%s/m.smesh", folder);
  snprintf(made, sizeof made, "%s/m.1.ele", folder);
  char *arguments[] = {"tetgen", (char *)switches, path, NULL};
  const vb_program program = {.arguments = arguments,
                              .wall_s = LONGEST,
                              .cpu_s = LONGEST,
                              .memory = (uint64_t)MOST_MEMORY << 30,
                              .said = said,
                              .size = sizeof said};
  vb_program_end end;
  int ended;
  vb_status status = vb_program_run(&program, &end, &ended, error);
  return status ? status : check_end(end, ended, made, name, error);
}
