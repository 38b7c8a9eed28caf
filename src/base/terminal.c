// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/terminal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

int vb_terminal_columns(int descriptor) {
  struct winsize size = {0};
  if (!isatty(descriptor))
    return 0;
  int columns = ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : 80;
  return columns < VB_TERMINAL_LEAST ? VB_TERMINAL_LEAST : columns;
}

int vb_terminal_width(FILE *stream) {
  // The standard output may be a stream without a descriptor (base/printable.h).
  int descriptor = stream == stdout ? STDOUT_FILENO : fileno(stream);
  int columns = descriptor < 0 ? 0 : vb_terminal_columns(descriptor);
  return columns ? columns - 1 : INT_MAX;
}

bool vb_terminal_redraws(int descriptor) {
  const char *terminal = getenv("TERM");
  return isatty(descriptor) && terminal && strcmp(terminal, "dumb") != 0;
}

void vb_terminal_print_word(const char *word, vb_color color) {
  static const char *const CODE[] = {
      [VB_GREEN] = "\x1b[32m", [VB_YELLOW] = "\x1b[33m", [VB_RED] = "\x1b[31m"};
  const char *no_color = getenv("NO_COLOR");
  bool colored =
      color && !(no_color && *no_color) && vb_terminal_redraws(STDOUT_FILENO) && !fflush(stdout);
  // Past the stream, which lets no control character through (base/printable.h).
  if (colored && write(STDOUT_FILENO, CODE[color], strlen(CODE[color])) < 0)
    colored = false;
  fputs(word, stdout);
  if (colored && fflush(stdout) == 0) {
    ssize_t wrote = write(STDOUT_FILENO, "\x1b[0m", 4);
    (void)wrote; // a terminal that is gone is reported by the stream
  }
}
