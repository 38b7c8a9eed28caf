// SPDX-License-Identifier: GPL-3.0-or-later
/// Runs another program, which ends with this one and has limits.
#ifndef VB_BASE_STARTED_PROGRAM_H
#define VB_BASE_STARTED_PROGRAM_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/// A program to run, and what it may take.
typedef struct vb_program {
  char *const *arguments; ///< its name, which is looked for in PATH, its words, and a null
  double wall_s;          ///< longest time, s
  double cpu_s;           ///< longest processor time of one of its processes, s
  uint64_t memory;        ///< most bytes of data of one of its processes
  char *said;             ///< what it writes to its standard error; what does not fit is left out
  size_t size;            ///< of `said`, 1 or more
  const char *output;     ///< file that is made of what it writes to its standard output; or null
} vb_program;

/// How the run of a program ended.
typedef enum vb_program_end {
  VB_PROGRAM_DONE,        ///< by itself
  VB_PROGRAM_LATE,        ///< its time, or that of the caller (base/time_limit.h), was over
  VB_PROGRAM_INTERRUPTED, ///< a signal was noted (base/signals.h)
  VB_PROGRAM_MISSING,     ///< there is none of that name
} vb_program_end;

/// Runs a program and waits for its end. It reads nothing from the standard input, what it writes
/// to the standard output is lost without `output`, and it has no other file of this process.
/// `said` holds no control characters. When it ends, its time is over or this process ends in any
/// way, all processes that it started end, too (base/watchdog.h). `*wait_status` is what waitpid
/// tells of a program that is done. VB_UNAVAILABLE where it cannot be started.
vb_status vb_program_run(const vb_program *program, vb_program_end *end, int *wait_status,
                         vb_error *error);

#endif
