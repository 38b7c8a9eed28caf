// SPDX-License-Identifier: GPL-3.0-or-later
/// Runs the program on a terminal of any width.
#ifndef VB_TESTS_SUPPORT_CLI_TERMINAL_H
#define VB_TESTS_SUPPORT_CLI_TERMINAL_H

#include "cli_fixture.h"

#include <pty.h>

/// What the program prints on a terminal of so many columns; words as of start_as.
static inline void run_on_terminal(const char *words, unsigned short columns) {
  struct winsize size = {.ws_row = 40, .ws_col = columns};
  char command[1024];
  int terminal, ended;
  size_t used = 0;
  int at = snprintf(command, sizeof command, "exec %s ", program());
  ck_assert_int_lt(at, 400);
  for (char *to = command + at; to < command + sizeof command - sizeof folder; words++) {
    *to = *words;
    if (*words == '@')
      to = stpcpy(to, folder);
    else if (*to++ == '\0')
      break;
  }
  pid_t child = forkpty(&terminal, NULL, NULL, &size);
  ck_assert_int_ge(child, 0);
  if (child == 0) {
    setenv("TERM", "xterm", 1);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
  }
  for (ssize_t n; (n = read(terminal, output + used, sizeof output - 1 - used)) > 0;)
    used += (size_t)n;
  output[used] = '\0';
  close(terminal);
  ck_assert_int_eq(waitpid(child, &ended, 0), child);
}

/// Removes from `output` what a terminal does not show: escape sequences and, as the bar is
/// redrawn, what stands before a carriage return on its line.
static inline void keep_what_is_seen(void) {
  char *to = output, *line = output;
  for (const char *c = output; *c; c++) {
    if (*c == '\x1b') {
      while (c[1] && *c != 'm' && *c != 'K')
        c++;
    } else if (*c == '\r' && c[1] != '\n') {
      to = line;
    } else if (*c != '\r') {
      *to++ = *c;
      if (*c == '\n')
        line = to;
    }
  }
  *to = '\0';
}

#endif
