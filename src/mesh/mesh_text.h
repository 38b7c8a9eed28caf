// SPDX-License-Identifier: GPL-3.0-or-later
/// Internal to src/mesh: parses mesh files line by line and number by number.
#ifndef VB_MESH_MESH_TEXT_H
#define VB_MESH_MESH_TEXT_H

#include "mesh/mesh.h"

#include <stdbool.h>

/// A text being read. All failures name the file and the line. The first one stays: after it
/// nothing more is read, all numbers are 0.
typedef struct vb_mesh_text {
  char *all;         ///< the whole, with a zero behind it; owned
  char *line;        ///< the current line, a zero at its end
  char *at;          ///< the next word in it
  char *next;        ///< the next line
  char *end;         ///< of the whole
  size_t number;     ///< of the current line, from 1
  char comment;      ///< begins a comment, 0 for none
  const char *shown; ///< the file's name in messages
  vb_status status;  ///< of the first failure
  vb_error *error;
} vb_mesh_text;

/// Reads a whole file of at most 1 GiB; VB_BAD_INPUT where that cannot be. Freed by
/// vb_mesh_text_close.
vb_status vb_mesh_text_open(const char *path, const char *shown, char comment, vb_mesh_text *out,
                            vb_error *error);
void vb_mesh_text_close(vb_mesh_text *text);

/// Goes to the next line that holds more than blanks and comments; false at the end.
bool vb_mesh_text_line(vb_mesh_text *text);

/// The same; fails at the end, where `what` should be.
void vb_mesh_text_need_line(vb_mesh_text *text, const char *what);

/// The next word of the line: a whole number of [minimum, maximum], or a finite one; `what` is it
/// called.
int64_t vb_mesh_text_integer(vb_mesh_text *text, const char *what, int64_t minimum,
                             int64_t maximum);
double vb_mesh_text_number(vb_mesh_text *text, const char *what);

/// Checks that a vertex is within 1e15 m of the origin, so that no product of six coordinates, as
/// squares of volumes are, overflows.
void vb_mesh_text_check_place(vb_mesh_text *text, const double x[3]);

/// The next word of the line, which has room in `size` bytes with its zero.
void vb_mesh_text_word(vb_mesh_text *text, const char *what, char *out, size_t size);

/// Fails by VB_BAD_INPUT, with the file and the line in front.
void vb_mesh_text_fail(vb_mesh_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/// Bytes that are left: no count of lines can be larger.
int64_t vb_mesh_text_left(const vb_mesh_text *text);

/// A mesh as it stands in files: vertices have arbitrary numbers.
typedef struct vb_raw_mesh {
  double (*vertex)[3];
  int64_t *name; ///< (n_vertices) number of each vertex in the file
  size_t n_vertices;
  int64_t (*tetrahedron)[4]; ///< numbers of vertices
  size_t *line;              ///< (n_tetrahedra) of each in its file
  size_t n_tetrahedra;
} vb_raw_mesh;

void vb_raw_mesh_clear(vb_raw_mesh *mesh);

/// Room for `n` vertices or tetrahedra, behind those that are there.
void vb_raw_mesh_vertices(vb_mesh_text *text, vb_raw_mesh *mesh, size_t n);
void vb_raw_mesh_tetrahedra(vb_mesh_text *text, vb_raw_mesh *mesh, size_t n);

/// Reads the next tetrahedron: its own number, called `tag_name`, and those of its corners, called
/// `corner_name`, all of [minimum, maximum].
void vb_raw_mesh_read_tetrahedron(vb_mesh_text *text, vb_raw_mesh *mesh, const char *tag_name,
                                  const char *corner_name, int64_t minimum, int64_t maximum);

/// Reads Gmsh 4.1 ASCII, or TetGen's two files.
void vb_mesh_read_gmsh(vb_mesh_text *text, vb_raw_mesh *out);
void vb_mesh_read_nodes(vb_mesh_text *text, vb_raw_mesh *out);
void vb_mesh_read_elements(vb_mesh_text *text, vb_raw_mesh *out);

#endif
