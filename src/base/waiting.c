// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/waiting.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

/// Looks of a thread before it sleeps, of 10 to 50 ns each: about as long as it takes to wake one
/// that sleeps. Measured on two processors (contact_crowd of 100 octopuses, ms a step): 2.4 with
/// 300 000 looks and with 3000, 2.5 with 1000, 3.3 with 300; beside busy processes 1000 and less
/// are best.
static const char LOOKS[] = "1000";

void vb_waiting_limit(char **arguments) {
  char program[PATH_MAX];
  // A program that the loader was asked to run has no base of one, and is not /proc/self/exe.
  if (getenv("GOMP_SPINCOUNT") || getauxval(AT_BASE) == 0)
    return;
  ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
  if (n <= 0 || setenv("GOMP_SPINCOUNT", LOOKS, 1))
    return;
  program[n] = '\0';
  setenv("KMP_BLOCKTIME", "0", 0); // LLVM's library: ms until threads sleep
  execv(program, arguments);
}
