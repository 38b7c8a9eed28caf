// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool vb_text_add(char *text, size_t size, const char *format, ...) {
  size_t used = strnlen(text, size);
  va_list args;
  va_start(args, format);
  int n = vsnprintf(text + used, size - used, format, args);
  va_end(args);
  return n >= 0 && (size_t)n < size - used;
}

uint64_t vb_text_hash(const char *text) {
  uint64_t hash = UINT64_C(14695981039346656037);
  for (; *text; text++)
    hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
  return hash;
}
