// SPDX-License-Identifier: GPL-3.0-or-later
#include "mesh/mesh_text.h"

#include "base/file.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// No mesh that indexes can count is longer.
#define MOST_BYTES ((size_t)1 << 30)

vb_status vb_mesh_text_open(const char *path, const char *shown, char comment, vb_mesh_text *out,
                            vb_error *error) {
  vb_mesh_text text = {.comment = comment, .shown = shown, .error = error};
  size_t size = 0;
  vb_status status = vb_file_read(path, shown, MOST_BYTES, &text.all, &size, error);
  if (status)
    return status;
  if (memchr(text.all, '\0', size)) {
    free(text.all);
    return vb_error_set(error, VB_BAD_INPUT,
                        "%s: is no text: it holds a zero byte (a binary mesh?)", shown);
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

vb_status vb_mesh_text_fail(vb_mesh_text *text, const char *format, ...) {
  char message[400];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  return vb_error_set(text->error, VB_BAD_INPUT, "%s:%zu: %s", text->shown, text->number, message);
}

int64_t vb_mesh_text_left(const vb_mesh_text *text) {
  return text->end - text->next;
}

static void skip_blanks(vb_mesh_text *text) {
  text->at += strspn(text->at, " \t\r");
}

bool vb_mesh_text_line(vb_mesh_text *text) {
  while (text->next < text->end) {
    text->line = text->at = text->next;
    text->number++;
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

vb_status vb_mesh_text_need_line(vb_mesh_text *text, const char *what) {
  if (vb_mesh_text_line(text))
    return VB_OK;
  return vb_mesh_text_fail(text, "the file ends here; %s should follow", what);
}

/// Checks that a number that began at text->at ends at `end`, and goes behind it.
static bool take_word(vb_mesh_text *text, char *end) {
  if (end == text->at || (*end && !strchr(" \t\r", *end)))
    return false;
  text->at = end;
  skip_blanks(text);
  return true;
}

vb_status vb_mesh_text_integer(vb_mesh_text *text, const char *what, int64_t minimum,
                               int64_t maximum, int64_t *out) {
  char *end, *begin = text->at;
  errno = 0;
  long long value = strtoll(text->at, &end, 10);
  if (!take_word(text, end) || errno == ERANGE)
    return *begin
               ? vb_mesh_text_fail(text, "%s: \"%.40s\" begins with no whole number", what, begin)
               : vb_mesh_text_fail(text, "%s is missing", what);
  if (value < minimum || value > maximum)
    return vb_mesh_text_fail(text, "%s is %lld; it should be from %lld to %lld", what, value,
                             (long long)minimum, (long long)maximum);
  *out = value;
  return VB_OK;
}

vb_status vb_mesh_text_number(vb_mesh_text *text, const char *what, double *out) {
  char *end, *begin = text->at;
  double value = strtod(text->at, &end);
  if (!take_word(text, end))
    return *begin ? vb_mesh_text_fail(text, "%s: \"%.40s\" begins with no number", what, begin)
                  : vb_mesh_text_fail(text, "%s is missing", what);
  if (!isfinite(value))
    return vb_mesh_text_fail(text, "%s is %g; it should be finite", what, value);
  *out = value;
  return VB_OK;
}

void vb_raw_mesh_clear(vb_raw_mesh *mesh) {
  free(mesh->vertex);
  free(mesh->name);
  free(mesh->tetrahedron);
  free(mesh->line);
  *mesh = (vb_raw_mesh){0};
}

vb_status vb_raw_mesh_vertices(vb_raw_mesh *mesh, size_t n, vb_error *error) {
  size_t room = mesh->n_vertices + n + 1;
  double(*vertex)[3] = realloc(mesh->vertex, room * sizeof *vertex);
  if (vertex)
    mesh->vertex = vertex;
  int64_t *name = realloc(mesh->name, room * sizeof *name);
  if (name)
    mesh->name = name;
  return vertex && name ? VB_OK : vb_error_memory(error);
}

vb_status vb_raw_mesh_tetrahedra(vb_raw_mesh *mesh, size_t n, vb_error *error) {
  size_t room = mesh->n_tetrahedra + n + 1;
  int64_t(*tetrahedron)[4] = realloc(mesh->tetrahedron, room * sizeof *tetrahedron);
  if (tetrahedron)
    mesh->tetrahedron = tetrahedron;
  size_t *line = realloc(mesh->line, room * sizeof *line);
  if (line)
    mesh->line = line;
  return tetrahedron && line ? VB_OK : vb_error_memory(error);
}
