// SPDX-License-Identifier: GPL-3.0-or-later
/// A stream to a terminal of 60 columns, and what was written to it.
#ifndef VB_TESTS_SUPPORT_NARROW_TERMINAL_H
#define VB_TESTS_SUPPORT_NARROW_TERMINAL_H

#include "test.h"

#include <fcntl.h>
#include <pty.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

typedef struct narrow_terminal {
  int reader;
  FILE *stream;
} narrow_terminal;

static inline narrow_terminal open_narrow(void) {
  struct winsize size = {.ws_row = 40, .ws_col = 60};
  struct termios raw;
  int writer;
  narrow_terminal out;
  ck_assert_int_eq(openpty(&out.reader, &writer, NULL, NULL, &size), 0);
  tcgetattr(writer, &raw);
  cfmakeraw(&raw);
  tcsetattr(writer, TCSANOW, &raw);
  fcntl(out.reader, F_SETFL, O_NONBLOCK);
  out.stream = fdopen(writer, "w");
  ck_assert_ptr_nonnull(out.stream);
  return out;
}

/// Closes it and leaves what was written, up to `size` bytes, in `text`. Its lines fit.
static inline void close_narrow(narrow_terminal *terminal, char *text, size_t size) {
  size_t used = 0;
  ck_assert_int_eq(fflush(terminal->stream), 0);
  for (ssize_t n; (n = read(terminal->reader, text + used, size - 1 - used)) > 0;)
    used += (size_t)n;
  text[used] = '\0';
  fclose(terminal->stream);
  close(terminal->reader);
  for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
    size_t length = strcspn(line, "\n");
    ck_assert_msg(length < 60 && (length == 0 || line[length - 1] != ' '), "%zu columns: \"%.*s\"",
                  length, (int)length, line);
  }
}

#endif
