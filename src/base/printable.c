// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/printable.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// Bytes of the character that begins with `first`; 0 where none does.
static size_t bytes_of(unsigned char first) {
  if (first < 0x80)
    return 1;
  if (first < 0xC2 || first > 0xF4)
    return 0;
  return first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

/// Whether the first `n` bytes of a character, which has them, are right. (RFC 3629, section 4.)
static bool is_right(const unsigned char *c, size_t n) {
  if (n > 1) {
    unsigned char low = c[0] == 0xE0 ? 0xA0 : c[0] == 0xF0 ? 0x90 : 0x80;
    unsigned char high = c[0] == 0xED ? 0x9F : c[0] == 0xF4 ? 0x8F : 0xBF;
    if (c[1] < low || c[1] > high)
      return false;
  }
  for (size_t i = 2; i < n; i++)
    if ((c[i] & 0xC0) != 0x80)
      return false;
  return true;
}

static bool is_control(const unsigned char *c, size_t n) {
  if (n == 1)
    return (c[0] < 0x20 && c[0] != '\t' && c[0] != '\n') || c[0] == 0x7F;
  return n == 2 && c[0] == 0xC2 && c[1] < 0xA0;
}

size_t vb_printable_bytes(char *bytes, size_t n) {
  unsigned char *at = (unsigned char *)bytes;
  size_t done = 0;
  while (done < n) {
    size_t length = bytes_of(at[done]), here = length < n - done ? length : n - done;
    bool right = here > 0 && is_right(at + done, here);
    if (right && here < length)
      return done;
    if (right && !is_control(at + done, length)) {
      done += length;
      continue;
    }
    for (size_t i = 0; i < (right ? length : 1); i++)
      at[done++] = '?';
  }
  return done;
}

void vb_printable_text(char *text) {
  size_t n = strlen(text), done = vb_printable_bytes(text, n);
  memset(text + done, '?', n - done);
}

void vb_printable_put(FILE *stream, const char *text) {
  char chunk[256];
  for (size_t left = strlen(text); left > 0;) {
    size_t n = left < sizeof chunk ? left : sizeof chunk;
    memcpy(chunk, text, n);
    size_t done = vb_printable_bytes(chunk, n);
    if (n == left && done < n) { // no more follows
      memset(chunk + done, '?', n - done);
      done = n;
    }
    fwrite(chunk, 1, done, stream);
    text += done;
    left -= done;
  }
}

void vb_printable_print(FILE *stream, const char *format, ...) {
  char *text = NULL;
  va_list args;
  va_start(args, format);
  if (vasprintf(&text, format, args) >= 0) {
    vb_printable_put(stream, text);
    free(text);
  }
  va_end(args);
}

/// What of the output waits for the rest of a character.
typedef struct waiting {
  char bytes[4];
  size_t n;
} waiting;

/// A stream that cannot be written to says so as any other: by fewer bytes than it was given.
static ssize_t write_plain(void *cookie, const char *text, size_t size) {
  waiting *w = cookie;
  char chunk[4096];
  for (size_t taken = 0; taken < size;) {
    size_t room = sizeof chunk - w->n, n = size - taken < room ? size - taken : room;
    memcpy(chunk, w->bytes, w->n);
    memcpy(chunk + w->n, text + taken, n);
    taken += n;
    n += w->n;
    size_t done = vb_printable_bytes(chunk, n);
    w->n = n - done;
    memcpy(w->bytes, chunk + done, w->n);
    for (size_t sent = 0; sent < done;) {
      ssize_t wrote = write(STDOUT_FILENO, chunk + sent, done - sent);
      if (wrote < 0)
        return 0;
      sent += (size_t)wrote;
    }
  }
  return (ssize_t)size;
}

bool vb_printable_stdout(void) {
  static waiting none;
  FILE *plain = fopencookie(&none, "w", (cookie_io_functions_t){.write = write_plain});
  if (!plain)
    return false;
  if (isatty(STDOUT_FILENO))
    setvbuf(plain, NULL, _IOLBF, 0);
  stdout = plain;
  return true;
}
