// SPDX-License-Identifier: GPL-3.0-or-later
/// Wavefront's OBJ files: vertices, faces and groups; normals, textures and lines are passed over.
#include "base/arena.h"
#include "base/text.h"
#include "mesh/surface_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Goes behind the word at text->at where it is `word`.
static bool take(vb_mesh_text *text, const char *word) {
  size_t n = strlen(word);
  if (strncmp(text->at, word, n) != 0 || !strchr(" \t\r", text->at[n]))
    return false;
  text->at += n;
  text->at += strspn(text->at, " \t\r");
  return true;
}

static void read_vertex(vb_mesh_text *text, vb_surface_lists *out) {
  double x[3];
  x[0] = vb_mesh_text_number(text, "x");
  x[1] = vb_mesh_text_number(text, "y");
  x[2] = vb_mesh_text_number(text, "z");
  vb_surface_add_vertex(text, out, x);
}

/// The next corner of a face, counted from 0: a number from 1 on, or from -1 back from the last
/// vertex, with the numbers of its texture and normal perhaps behind slashes.
static int64_t read_corner(vb_mesh_text *text, const vb_surface_lists *out) {
  char *end;
  errno = 0;
  long long value = strtoll(text->at, &end, 10);
  if (end == text->at || errno == ERANGE || !strchr("/ \t\r", *end) || value == 0) {
    vb_mesh_text_fail(text, "\"%.40s\" begins with no number of a vertex; they count from 1",
                      text->at);
    return 0;
  }
  text->at = end + strcspn(end, " \t\r");
  text->at += strspn(text->at, " \t\r");
  int64_t n = (int64_t)out->file.mesh.n_vertices;
  if (value > n || value < -n)
    vb_mesh_text_fail(text, "a face has vertex %lld; there are %lld so far", value, (long long)n);
  return value > 0 ? value - 1 : n + value;
}

static void read_face(vb_mesh_text *text, vb_surface_lists *out) {
  int64_t v[3];
  size_t n = 0;
  for (; !text->status && *text->at; n++) {
    int64_t corner = read_corner(text, out);
    if (n < 2) {
      v[n] = corner;
      continue;
    }
    v[2] = corner;
    vb_surface_add_triangle(text, out, v);
    v[1] = v[2];
  }
  if (n < 3)
    vb_mesh_text_fail(text, "a face of %zu corners; it should have three or more", n);
}

/// The slot of a group's name, or the empty one where it belongs.
static int32_t *find_slot(const vb_surface_lists *lists, const char *name) {
  size_t last = lists->n_slots - 1, at = vb_text_hash(name) & last;
  while (lists->slot[at] && strcmp(lists->file.name[lists->slot[at] - 1], name) != 0)
    at = (at + 1) & last;
  return &lists->slot[at];
}

/// Keeps at least half of the slots empty; false without memory.
static bool grow_slots(vb_surface_lists *lists) {
  if (lists->n_slots > 2 * lists->file.n_groups)
    return true;
  free(lists->slot);
  lists->n_slots = lists->n_slots ? 2 * lists->n_slots : 64;
  lists->slot = calloc(lists->n_slots, sizeof *lists->slot);
  for (size_t i = 0; lists->slot && i < lists->file.n_groups; i++)
    *find_slot(lists, lists->file.name[i]) = (int32_t)i + 1;
  return lists->slot;
}

/// Makes the group that the rest of the line names the current one.
static void read_group(vb_mesh_text *text, vb_surface_lists *out) {
  vb_surface_file *file = &out->file;
  char name[VB_GROUP_NAME];
  snprintf(name, sizeof name, "%.*s", (int)strcspn(text->at, "\r\n"), text->at);
  for (size_t n = strlen(name); n > 0 && strchr(" \t", name[n - 1]); n--)
    name[n - 1] = '\0';
  if (!VB_GROW(file->name, out->name_room, file->n_groups + 1) || !grow_slots(out)) {
    text->status = vb_error_memory(text->error);
    return;
  }
  int32_t *slot = find_slot(out, name);
  if (!*slot) {
    memcpy(file->name[file->n_groups++], name, sizeof name);
    *slot = (int32_t)file->n_groups;
  }
  out->current = *slot - 1;
}

void vb_surface_read_obj(vb_mesh_text *text, vb_surface_lists *out) {
  if (memchr(text->all, '\0', (size_t)(text->end - text->all)))
    vb_mesh_text_fail(text, "is not a text file: it contains a zero byte");
  while (!text->status && vb_mesh_text_line(text))
    if (take(text, "v"))
      read_vertex(text, out);
    else if (take(text, "f"))
      read_face(text, out);
    else if (take(text, "g") || take(text, "o"))
      read_group(text, out);
}
