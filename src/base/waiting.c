// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/waiting.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

/// Looks of a thread before it sleeps, of 10 to 50 ns each: about as long as it takes to wake one
/// that sleeps. Measured on two processors (contact_crowd of 100 octopuses, ms a step): 2.4 with
/// 300 000 looks and with 3000, 2.5 with 1000, 3.3 with 300; beside busy processes 1000 and less
/// are best.
#define LOOKS "1000"

#define SETTING "GOMP_SPINCOUNT"

static char assignment[] = SETTING "=" LOOKS;
static char *replaced; ///< the variable in whose place it is

// Runs before sanitizers are ready.
#define EARLY __attribute__((no_sanitize("address", "thread", "undefined")))

EARLY static bool begins_with(const char *text, const char *start) {
  while (*start && *text == *start) {
    text++;
    start++;
  }
  return !*start;
}

EARLY void vb_waiting_prepare(int n, char **arguments, char **environment) {
  static const char *const UNREAD[] = {"_=", "OLDPWD=", "SHLVL=", "PWD="};
  (void)n, (void)arguments;
  for (char **e = environment; *e; e++)
    if (begins_with(*e, SETTING "="))
      return;
  for (size_t i = 0; i < sizeof UNREAD / sizeof *UNREAD; i++)
    for (char **e = environment; !replaced && *e; e++)
      if (begins_with(*e, UNREAD[i])) {
        replaced = *e;
        *e = assignment;
      }
}

/// Puts the variable back; whether there was one.
static bool restore_variable(void) {
  bool was_replaced = replaced != NULL;
  for (char **e = environ; was_replaced && *e; e++)
    if (*e == assignment)
      *e = replaced;
  replaced = NULL;
  return was_replaced;
}

void vb_waiting_limit(char **arguments) {
  char program[PATH_MAX];
  bool limited = restore_variable();
  // A program that the loader was asked to run has no base of one, and is not /proc/self/exe.
  if (getenv(SETTING) || (!limited && getauxval(AT_BASE) == 0) || setenv(SETTING, LOOKS, 1))
    return;
  setenv("KMP_BLOCKTIME", "0", 0); // LLVM's library: ms until threads sleep; read at the first use
  ssize_t n = limited ? 0 : readlink("/proc/self/exe", program, sizeof program - 1);
  if (n <= 0)
    return;
  program[n] = '\0';
  execv(program, arguments);
}
