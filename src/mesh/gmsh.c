// SPDX-License-Identifier: GPL-3.0-or-later
/// Gmsh's MSH files, version 4.1, ASCII (C. Geuzaine, J.-F. Remacle 2009; Gmsh reference manual,
/// "MSH file format").
#include "mesh/mesh_text.h"

#include <stdlib.h>
#include <string.h>

/// Gmsh's types of elements.
enum { TETRAHEDRON_4 = 4, TETRAHEDRON_10 = 11 };

/// Whether the current line is the word `name` alone.
static bool is_line(const vb_mesh_text *text, const char *name) {
  size_t n = strlen(name);
  return strncmp(text->at, name, n) == 0 && text->at[n + strspn(text->at + n, " \t\r")] == '\0';
}

static void expect(vb_mesh_text *text, const char *name) {
  vb_mesh_text_need_line(text, name);
  if (!is_line(text, name))
    vb_mesh_text_fail(text, "\"%.40s\" should be %s", text->line, name);
}

static void read_format(vb_mesh_text *text) {
  vb_mesh_text_need_line(text, "the version of the format");
  double version = vb_mesh_text_number(text, "version");
  if (version != 4.1)
    vb_mesh_text_fail(
        text, "version of the format is %g; only 4.1 is read here (gmsh -format msh41)", version);
  if (vb_mesh_text_integer(text, "file type", 0, 1))
    vb_mesh_text_fail(text, "the file is binary; only ASCII is read here");
  expect(text, "$EndMeshFormat");
}

/// Reads the counts of a section: of its blocks, and of what they hold.
static int64_t read_counts(vb_mesh_text *text, const char *what, int64_t *blocks) {
  vb_mesh_text_need_line(text, "a line with the counts");
  *blocks = vb_mesh_text_integer(text, "number of blocks", 0, INT32_MAX);
  int64_t total = vb_mesh_text_integer(text, what, 0, INT32_MAX);
  if (total > vb_mesh_text_left(text) || *blocks > vb_mesh_text_left(text))
    vb_mesh_text_fail(text, "%s is %lld in %lld blocks; the file is too short for so many", what,
                      (long long)total, (long long)*blocks);
  return total;
}

/// Reads the head of a block: its dimension, tag, kind, and count of `left` at most.
static int64_t read_block_head(vb_mesh_text *text, const char *kind_name, int64_t left,
                               int64_t *kind) {
  vb_mesh_text_need_line(text, "another block");
  vb_mesh_text_integer(text, "dimension of the block", 0, 3);
  vb_mesh_text_integer(text, "tag of the block", INT32_MIN, INT32_MAX);
  *kind = vb_mesh_text_integer(text, kind_name, 0, 1000);
  return vb_mesh_text_integer(text, "number in the block", 0, left);
}

static void read_node_block(vb_mesh_text *text, int64_t count, vb_raw_mesh *out) {
  static const char *const axes[] = {"x", "y", "z"};
  size_t first = out->n_vertices;
  for (size_t i = 0; !text->status && i < (size_t)count; i++) {
    vb_mesh_text_need_line(text, "tag of another node");
    out->name[first + i] = vb_mesh_text_integer(text, "tag of the node", 1, INT64_MAX);
  }
  for (size_t i = 0; !text->status && i < (size_t)count; i++) {
    vb_mesh_text_need_line(text, "another node");
    for (int c = 0; c < 3; c++)
      out->vertex[first + i][c] = vb_mesh_text_number(text, axes[c]);
    vb_mesh_text_check_place(text, out->vertex[first + i]);
  }
  out->n_vertices += (size_t)count;
}

/// Ends a section whose blocks hold `left` less than it says.
static void end_section(vb_mesh_text *text, const char *what, int64_t left, const char *end) {
  if (left > 0)
    vb_mesh_text_fail(text, "the blocks hold %lld %s less than the section says", (long long)left,
                      what);
  expect(text, end);
}

static void read_nodes(vb_mesh_text *text, vb_raw_mesh *out) {
  int64_t blocks, parametric;
  if (out->n_vertices)
    vb_mesh_text_fail(text, "there is a second section $Nodes; one is enough");
  int64_t left = read_counts(text, "number of nodes", &blocks);
  vb_raw_mesh_vertices(text, out, (size_t)left);
  for (int64_t b = 0; !text->status && b < blocks; b++) {
    int64_t count = read_block_head(text, "parametric", left, &parametric);
    read_node_block(text, count, out);
    left -= count;
  }
  end_section(text, "nodes", left, "$EndNodes");
}

static void read_elements(vb_mesh_text *text, vb_raw_mesh *out) {
  int64_t blocks, type;
  if (out->n_tetrahedra)
    vb_mesh_text_fail(text, "there is a second section $Elements; one is enough");
  int64_t left = read_counts(text, "number of elements", &blocks);
  vb_raw_mesh_tetrahedra(text, out, (size_t)left);
  for (int64_t b = 0; !text->status && b < blocks; b++) {
    int64_t count = read_block_head(text, "type of the elements", left, &type);
    for (int64_t i = 0; !text->status && i < count; i++) {
      vb_mesh_text_need_line(text, "another element");
      if (type == TETRAHEDRON_4 || type == TETRAHEDRON_10)
        vb_raw_mesh_read_tetrahedron(text, out, "tag of the element", "tag of a node", 1,
                                     INT64_MAX);
    }
    left -= count;
  }
  end_section(text, "elements", left, "$EndElements");
}

/// Passes over a section that is not looked at.
static void skip_section(vb_mesh_text *text) {
  char name[64], end[72] = "$End";
  size_t n = strcspn(text->at + 1, " \t\r");
  if (text->at[0] != '$' || n == 0 || n >= sizeof name) {
    vb_mesh_text_fail(text, "\"%.40s\" begins no section", text->line);
    return;
  }
  memcpy(name, text->at + 1, n);
  name[n] = '\0';
  memcpy(end + 4, name, n + 1);
  size_t begun = text->number;
  while (vb_mesh_text_line(text))
    if (is_line(text, end))
      return;
  vb_mesh_text_fail(text, "section $%s of line %zu has no end", name, begun);
}

void vb_mesh_read_gmsh(vb_mesh_text *text, vb_raw_mesh *out) {
  expect(text, "$MeshFormat");
  read_format(text);
  while (!text->status && vb_mesh_text_line(text)) {
    if (is_line(text, "$Nodes"))
      read_nodes(text, out);
    else if (is_line(text, "$Elements"))
      read_elements(text, out);
    else
      skip_section(text);
  }
  if (out->n_vertices == 0)
    vb_mesh_text_fail(text, "the file has no nodes");
}
