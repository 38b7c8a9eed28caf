// SPDX-License-Identifier: GPL-3.0-or-later
/// Removes control characters from text of files and scripts, so that printing it cannot control
/// the terminal.
///
/// Control characters are those below a blank but tab and newline, delete, U+0080 to U+009F, and
/// bytes that are no UTF-8. Each byte of them becomes a question mark.
#ifndef VB_BASE_PRINTABLE_H
#define VB_BASE_PRINTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/// Takes control characters out of a text.
void vb_printable_text(char *text);

/// The same of `n` bytes of a longer text. Returns how many are done: fewer than `n` where the last
/// ones begin a character whose rest may follow.
size_t vb_printable_bytes(char *bytes, size_t n);

/// Writes a text without control characters.
void vb_printable_put(FILE *stream, const char *text);

/// Prints as printf does, without control characters.
__attribute__((format(printf, 2, 3))) void vb_printable_print(FILE *stream, const char *format,
                                                              ...);

/// Takes control characters out of all that is printed to standard output from here on. False for
/// want of memory.
bool vb_printable_stdout(void);

#endif
