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

static vb_status expect(vb_mesh_text *text, const char *name) {
  vb_status status = vb_mesh_text_need_line(text, name);
  if (!status && !is_line(text, name))
    status = vb_mesh_text_fail(text, "\"%.40s\" should be %s", text->line, name);
  return status;
}

static vb_status read_format(vb_mesh_text *text) {
  double version = 0;
  int64_t binary = 0;
  vb_status status = vb_mesh_text_need_line(text, "the version of the format");
  if (!status)
    status = vb_mesh_text_number(text, "version", &version);
  if (!status && version != 4.1)
    status = vb_mesh_text_fail(
        text, "version of the format is %g; only 4.1 is read here (gmsh -format msh41)", version);
  if (!status)
    status = vb_mesh_text_integer(text, "file type", 0, 1, &binary);
  if (!status && binary)
    status = vb_mesh_text_fail(text, "the file is binary; only ASCII is read here");
  return status ? status : expect(text, "$EndMeshFormat");
}

/// Reads the counts of a section: of its blocks, and of what they hold.
static vb_status read_counts(vb_mesh_text *text, const char *what, int64_t *blocks,
                             int64_t *total) {
  vb_status status = vb_mesh_text_need_line(text, "a line with the counts");
  if (!status)
    status = vb_mesh_text_integer(text, "number of blocks", 0, INT32_MAX, blocks);
  if (!status)
    status = vb_mesh_text_integer(text, what, 0, INT32_MAX, total);
  if (!status && (*total > vb_mesh_text_left(text) || *blocks > vb_mesh_text_left(text)))
    status = vb_mesh_text_fail(text, "%s is %lld in %lld blocks; the file is too short for so many",
                               what, (long long)*total, (long long)*blocks);
  return status;
}

/// Reads the head of a block: its dimension, tag, kind (of `kinds` at most), and count of `left` at
/// most.
static vb_status read_block_head(vb_mesh_text *text, const char *kind_name, int64_t left,
                                 int64_t *kind, int64_t *count) {
  int64_t skipped;
  vb_status status = vb_mesh_text_need_line(text, "another block");
  if (!status)
    status = vb_mesh_text_integer(text, "dimension of the block", 0, 3, &skipped);
  if (!status)
    status = vb_mesh_text_integer(text, "tag of the block", INT32_MIN, INT32_MAX, &skipped);
  if (!status)
    status = vb_mesh_text_integer(text, kind_name, 0, 1000, kind);
  return status ? status : vb_mesh_text_integer(text, "number in the block", 0, left, count);
}

static vb_status read_node_block(vb_mesh_text *text, int64_t count, vb_raw_mesh *out) {
  static const char *const axes[] = {"x", "y", "z"};
  size_t first = out->n_vertices;
  vb_status status = VB_OK;
  for (int64_t i = 0; !status && i < count; i++) {
    status = vb_mesh_text_need_line(text, "tag of another node");
    if (!status)
      status = vb_mesh_text_integer(text, "tag of the node", 1, INT64_MAX,
                                    &out->name[first + (size_t)i]);
  }
  for (int64_t i = 0; !status && i < count; i++) {
    status = vb_mesh_text_need_line(text, "another node");
    for (int c = 0; !status && c < 3; c++)
      status = vb_mesh_text_number(text, axes[c], &out->vertex[first + (size_t)i][c]);
  }
  if (!status)
    out->n_vertices += (size_t)count;
  return status;
}

static vb_status read_nodes(vb_mesh_text *text, vb_raw_mesh *out) {
  int64_t blocks = 0, left = 0;
  if (out->n_vertices)
    return vb_mesh_text_fail(text, "there is a second section $Nodes; one is enough");
  vb_status status = read_counts(text, "number of nodes", &blocks, &left);
  if (!status)
    status = vb_raw_mesh_vertices(out, (size_t)left, text->error);
  for (int64_t b = 0; !status && b < blocks; b++) {
    int64_t parametric, count = 0;
    status = read_block_head(text, "parametric", left, &parametric, &count);
    if (!status)
      status = read_node_block(text, count, out);
    left -= count;
  }
  if (!status && left > 0)
    status = vb_mesh_text_fail(text, "the blocks hold %lld nodes less than the section says",
                               (long long)left);
  return status ? status : expect(text, "$EndNodes");
}

static vb_status read_element(vb_mesh_text *text, bool solid, vb_raw_mesh *out) {
  size_t n = out->n_tetrahedra;
  int64_t tag;
  vb_status status = vb_mesh_text_need_line(text, "another element");
  if (status || !solid)
    return status;
  status = vb_mesh_text_integer(text, "tag of the element", 1, INT64_MAX, &tag);
  // Of ten nodes the first four are the corners.
  for (int c = 0; !status && c < 4; c++)
    status = vb_mesh_text_integer(text, "tag of a node", 1, INT64_MAX, &out->tetrahedron[n][c]);
  if (status)
    return status;
  out->line[n] = text->number;
  out->n_tetrahedra++;
  return VB_OK;
}

static vb_status read_elements(vb_mesh_text *text, vb_raw_mesh *out) {
  int64_t blocks = 0, left = 0;
  if (out->n_tetrahedra)
    return vb_mesh_text_fail(text, "there is a second section $Elements; one is enough");
  vb_status status = read_counts(text, "number of elements", &blocks, &left);
  if (!status)
    status = vb_raw_mesh_tetrahedra(out, (size_t)left, text->error);
  for (int64_t b = 0; !status && b < blocks; b++) {
    int64_t type = 0, count = 0;
    status = read_block_head(text, "type of the elements", left, &type, &count);
    bool solid = type == TETRAHEDRON_4 || type == TETRAHEDRON_10;
    for (int64_t i = 0; !status && i < count; i++)
      status = read_element(text, solid, out);
    left -= count;
  }
  if (!status && left > 0)
    status = vb_mesh_text_fail(text, "the blocks hold %lld elements less than the section says",
                               (long long)left);
  return status ? status : expect(text, "$EndElements");
}

/// Passes over a section that is not looked at.
static vb_status skip_section(vb_mesh_text *text) {
  char name[64], end[72] = "$End";
  size_t n = strcspn(text->at + 1, " \t\r");
  if (text->at[0] != '$' || n == 0 || n >= sizeof name)
    return vb_mesh_text_fail(text, "\"%.40s\" begins no section", text->line);
  memcpy(name, text->at + 1, n);
  name[n] = '\0';
  memcpy(end + 4, name, n + 1);
  size_t begun = text->number;
  while (vb_mesh_text_line(text))
    if (is_line(text, end))
      return VB_OK;
  return vb_mesh_text_fail(text, "section $%s of line %zu has no end", name, begun);
}

vb_status vb_mesh_read_gmsh(vb_mesh_text *text, vb_raw_mesh *out) {
  vb_status status = expect(text, "$MeshFormat");
  if (!status)
    status = read_format(text);
  while (!status && vb_mesh_text_line(text)) {
    if (is_line(text, "$Nodes"))
      status = read_nodes(text, out);
    else if (is_line(text, "$Elements"))
      status = read_elements(text, out);
    else
      status = skip_section(text);
  }
  if (!status && out->n_vertices == 0)
    status = vb_mesh_text_fail(text, "the file has no nodes");
  return status;
}
