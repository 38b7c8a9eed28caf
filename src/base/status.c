// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/status.h"

#include "base/printable.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void vb_error_write(vb_error *error, vb_status status, const char *format, ...) {
  if (!error)
    return;
  error->status = status;
  va_list args;
  va_start(args, format);
  vsnprintf(error->message, sizeof error->message, format, args);
  va_end(args);
  vb_printable_text(error->message); // it may quote a file or a script
}

vb_status vb_error_prefix(vb_error *error, const char *format, ...) {
  char old[sizeof error->message];
  memcpy(old, error->message, sizeof old);
  va_list args;
  va_start(args, format);
  vsnprintf(error->message, sizeof error->message, format, args);
  va_end(args);
  vb_text_add(error->message, sizeof error->message, ": %s", old);
  vb_printable_text(error->message);
  return error->status;
}
