// SPDX-License-Identifier: GPL-3.0-or-later
#include "mesh/mesh_text.h"

#include "base/file.h"
#include "base/time_limit.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// No mesh that indexes can count is longer.
#define MOST_BYTES ((size_t)1 << 30)

#define FARTHEST 1e15 ///< m

vb_status vb_mesh_text_open(const char *path, const char *shown, char comment, vb_mesh_text *out,
                            vb_error *error) {
  vb_mesh_text text = {.comment = comment, .shown = shown, .error = error};
  size_t size = 0;
  vb_status status = vb_file_read(path, shown, MOST_BYTES, &text.all, &size, error);
  if (status)
    return status;
  if (memchr(text.all, '\0', size)) {
    free(text.all);
    return vb_bad_input(error, "%s: is not a text file: it contains a zero byte (a binary mesh?)",
                        shown);
  }
  text.line = text.at = text.next = text.all;
  text.end = text.all + size;
  *out = text;
  return VB_OK;
}

void vb_mesh_text_close(vb_mesh_text *text) {
  free(text->all);
  *text = (vb_mesh_text){0};
}

void vb_mesh_text_fail(vb_mesh_text *text, const char *format, ...) {
  char message[400];
  va_list args;
  if (text->status)
    return;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  text->status =
      vb_error_set(text->error, VB_BAD_INPUT, "%s:%zu: %s", text->shown, text->number, message);
}

int64_t vb_mesh_text_left(const vb_mesh_text *text) {
  return text->end - text->next;
}

static void skip_blanks(vb_mesh_text *text) {
  text->at += strspn(text->at, " \t\r");
}

bool vb_mesh_text_line(vb_mesh_text *text) {
  while (text->next < text->end && !text->status) {
    text->line = text->at = text->next;
    text->number++;
    if (text->number % 1024 == 0 && vb_time_limit_over())
      vb_mesh_text_fail(text, "it takes too long");
    char *stop = strchr(text->line, '\n');
    text->next = stop ? stop + 1 : text->end;
    if (stop)
      *stop = '\0';
    char *comment = text->comment ? strchr(text->line, text->comment) : NULL;
    if (comment)
      *comment = '\0';
    skip_blanks(text);
    if (*text->at)
      return true;
  }
  return false;
}

void vb_mesh_text_need_line(vb_mesh_text *text, const char *what) {
  if (!text->status && !vb_mesh_text_line(text))
    vb_mesh_text_fail(text, "the file ends here; %s should follow", what);
}

/// Checks that a number that began at text->at ends at `end`, and goes behind it.
static bool take_word(vb_mesh_text *text, char *end) {
  if (end == text->at || (*end && !strchr(" \t\r", *end)))
    return false;
  text->at = end;
  skip_blanks(text);
  return true;
}

/// Fails for want of a number: `kind` of it should have begun at text->at.
static void fail_number(vb_mesh_text *text, const char *what, const char *kind) {
  if (*text->at)
    vb_mesh_text_fail(text, "%s: \"%.40s\" begins with no %s", what, text->at, kind);
  else
    vb_mesh_text_fail(text, "%s is missing", what);
}

int64_t vb_mesh_text_integer(vb_mesh_text *text, const char *what, int64_t minimum,
                             int64_t maximum) {
  char *end;
  errno = 0;
  long long value = strtoll(text->at, &end, 10);
  if (errno == ERANGE || !take_word(text, end))
    fail_number(text, what, "whole number");
  else if (value < minimum || value > maximum)
    vb_mesh_text_fail(text, "%s is %lld; it should be from %lld to %lld", what, value,
                      (long long)minimum, (long long)maximum);
  return text->status ? 0 : value;
}

double vb_mesh_text_number(vb_mesh_text *text, const char *what) {
  char *end;
  double value = strtod(text->at, &end);
  if (!take_word(text, end))
    fail_number(text, what, "number");
  else if (!isfinite(value))
    vb_mesh_text_fail(text, "%s is %g; it should be finite", what, value);
  return text->status ? 0 : value;
}

void vb_mesh_text_check_place(vb_mesh_text *text, const double x[3]) {
  for (int k = 0; k < 3; k++)
    if (fabs(x[k]) > FARTHEST)
      vb_mesh_text_fail(text, "a vertex has the coordinate %g m; it should be within %g m", x[k],
                        FARTHEST);
}

void vb_mesh_text_word(vb_mesh_text *text, const char *what, char *out, size_t size) {
  size_t length = strcspn(text->at, " \t\r");
  out[0] = '\0';
  if (text->status)
    return;
  if (length == 0)
    vb_mesh_text_fail(text, "%s is missing", what);
  else if (length >= size)
    vb_mesh_text_fail(text, "%s has %zu letters; there is room for %zu", what, length, size - 1);
  else
    snprintf(out, size, "%.*s", (int)length, text->at);
  text->at += length;
  skip_blanks(text);
}

void vb_raw_mesh_clear(vb_raw_mesh *mesh) {
  free(mesh->vertex);
  free(mesh->name);
  free(mesh->tetrahedron);
  free(mesh->line);
  *mesh = (vb_raw_mesh){0};
}

/// The list with room for `n` elements of `size` bytes; as it was where that fails.
static void *grow(vb_mesh_text *text, void *list, size_t n, size_t size) {
  void *grown = text->status ? NULL : reallocarray(list, n, size);
  if (!grown && !text->status)
    text->status = vb_error_memory(text->error);
  return grown ? grown : list;
}

void vb_raw_mesh_vertices(vb_mesh_text *text, vb_raw_mesh *mesh, size_t n) {
  size_t room = mesh->n_vertices + n + 1;
  mesh->vertex = grow(text, mesh->vertex, room, sizeof *mesh->vertex);
  mesh->name = grow(text, mesh->name, room, sizeof *mesh->name);
}

void vb_raw_mesh_tetrahedra(vb_mesh_text *text, vb_raw_mesh *mesh, size_t n) {
  size_t room = mesh->n_tetrahedra + n + 1;
  mesh->tetrahedron = grow(text, mesh->tetrahedron, room, sizeof *mesh->tetrahedron);
  mesh->line = grow(text, mesh->line, room, sizeof *mesh->line);
}

void vb_raw_mesh_read_tetrahedron(vb_mesh_text *text, vb_raw_mesh *mesh, const char *tag_name,
                                  const char *corner_name, int64_t minimum, int64_t maximum) {
  size_t n = mesh->n_tetrahedra++;
  vb_mesh_text_integer(text, tag_name, minimum, maximum);
  // Of ten nodes the first four are the corners.
  for (int c = 0; c < 4; c++)
    mesh->tetrahedron[n][c] = vb_mesh_text_integer(text, corner_name, minimum, maximum);
  mesh->line[n] = text->number;
}
