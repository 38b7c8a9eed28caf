// SPDX-License-Identifier: GPL-3.0-or-later
/// The terminal that the program prints to, if it does: its width, and colors.
#ifndef VB_BASE_TERMINAL_H
#define VB_BASE_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

/// Least columns that tables and progress bars are laid out for.
#define VB_TERMINAL_LEAST 60

/// Columns of the terminal that the file descriptor is, at least VB_TERMINAL_LEAST and 80 where it
/// does not tell; 0 where it is none.
int vb_terminal_columns(int descriptor);

/// Columns that lines of that stream may have: one less than its terminal has; INT_MAX where it is
/// none, so that nothing is cut.
int vb_terminal_width(FILE *stream);

/// Whether a line may be redrawn and colors be shown there: a terminal, whose TERM is not "dumb".
bool vb_terminal_redraws(int descriptor);

typedef enum vb_color { VB_PLAIN, VB_GREEN, VB_YELLOW, VB_RED } vb_color;

/// Prints a word to the standard output, in a color where that is a capable terminal and the
/// environment variable NO_COLOR is unset or empty (https://no-color.org).
void vb_terminal_print_word(const char *word, vb_color color);

#endif
