// SPDX-License-Identifier: GPL-3.0-or-later
#include "mesh/surface_file.h"

#include "base/file.h"
#include "base/time_limit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MOST_BYTES ((size_t)1 << 30)

void vb_surface_file_clear(vb_surface_file *file) {
  vb_mesh_clear(&file->mesh);
  free(file->group);
  free(file->name);
  *file = (vb_surface_file){0};
}

/// The list with room for one more of `n`, which it may double; null, and the text fails, where
/// there is no memory.
static void *grow(vb_mesh_text *text, void *list, size_t room, size_t width) {
  void *grown = reallocarray(list, room, width);
  if (!grown && !text->status)
    text->status = vb_error_memory(text->error);
  return grown;
}

void vb_surface_add_vertex(vb_mesh_text *text, vb_surface_lists *lists, const double x[3]) {
  vb_mesh *mesh = &lists->file.mesh;
  vb_mesh_text_check_place(text, x);
  if (text->status)
    return;
  if (mesh->n_vertices == lists->vertex_room) {
    size_t room = 2 * lists->vertex_room + 64;
    void *grown = grow(text, mesh->vertex, room, sizeof *mesh->vertex);
    if (!grown)
      return;
    mesh->vertex = grown;
    lists->vertex_room = room;
  }
  memcpy(mesh->vertex[mesh->n_vertices++], x, sizeof *mesh->vertex);
}

void vb_surface_add_triangle(vb_mesh_text *text, vb_surface_lists *lists, const int64_t v[3]) {
  vb_surface_file *file = &lists->file;
  vb_mesh *mesh = &file->mesh;
  for (int c = 0; !text->status && c < 3; c++)
    if (v[c] < 0 || v[c] >= (int64_t)mesh->n_vertices)
      vb_mesh_text_fail(text, "a face has vertex %lld, counted from 0; there are %zu so far",
                        (long long)v[c], mesh->n_vertices);
  if (text->status)
    return;
  if (mesh->n_triangles == lists->triangle_room) {
    size_t room = 2 * lists->triangle_room + 64;
    void *grown = grow(text, mesh->triangle, room, sizeof *mesh->triangle);
    if (!grown)
      return;
    mesh->triangle = grown;
    grown = grow(text, file->group, room, sizeof *file->group);
    if (!grown)
      return;
    file->group = grown;
    lists->triangle_room = room;
  }
  if (mesh->n_triangles % 1024 == 0 && vb_time_limit_over())
    vb_mesh_text_fail(text, "it takes too long");
  file->group[mesh->n_triangles] = lists->current;
  for (int c = 0; c < 3; c++)
    mesh->triangle[mesh->n_triangles][c] = (int32_t)v[c];
  mesh->n_triangles++;
}

static bool ends_in(const char *text, const char *ending) {
  size_t n = strlen(text), m = strlen(ending);
  return n >= m && strcasecmp(text + n - m, ending) == 0;
}

vb_status vb_surface_file_read(const char *path, const char *shown, vb_surface_file *out,
                               vb_error *error) {
  static const struct {
    const char *ending;
    char comment;
    void (*read)(vb_mesh_text *, vb_surface_lists *);
  } kinds[] = {{".obj", '#', vb_surface_read_obj},
               {".ply", 0, vb_surface_read_ply},
               {".stl", 0, vb_surface_read_stl}};
  size_t kind = 0, size = 0;
  while (kind < 3 && !ends_in(path, kinds[kind].ending))
    kind++;
  if (kind == 3)
    return vb_bad_input(error, "%s: it should end in .obj, .ply or .stl", shown);
  vb_mesh_text text = {.comment = kinds[kind].comment, .shown = shown, .error = error};
  vb_status status = vb_file_read(path, shown, MOST_BYTES, &text.all, &size, error);
  if (status)
    return status;
  text.line = text.at = text.next = text.all;
  text.end = text.all + size;
  vb_surface_lists lists = {.current = -1};
  kinds[kind].read(&text, &lists);
  if (!text.status && lists.file.mesh.n_triangles == 0)
    text.status = vb_bad_input(error, "%s: the file has no triangles", shown);
  status = text.status;
  vb_mesh_text_close(&text);
  free(lists.slot);
  if (status)
    vb_surface_file_clear(&lists.file);
  else
    *out = lists.file;
  return status;
}
