// SPDX-License-Identifier: GPL-3.0-or-later
// Files of meshes. The first byte of an input says which kind: 'm' Gmsh, 'j' joints between bones,
// otherwise TetGen, whose two files stand one behind the other with a line "%%" between.
#include "fuzz.h"

#include "mesh/link_file.h"
#include "mesh/mesh.h"

#include <string.h>

/// Reads the mesh, which must then be one: every index in range.
static void read_mesh(const char *path, const char *shown) {
  vb_mesh mesh = {0};
  vb_error error = {0};
  vb_status status = vb_mesh_read(path, shown, &mesh, &error);
  fuzz_expect(status, &error);
  for (size_t k = 0; !status && k < mesh.n_tetrahedra; k++)
    for (int c = 0; c < 4; c++)
      if (mesh.tetrahedron[k][c] < 0 || (size_t)mesh.tetrahedron[k][c] >= mesh.n_vertices)
        __builtin_trap();
  for (size_t k = 0; !status && k < mesh.n_tetrahedra; k++)
    if (!(vb_mesh_volume(&mesh, k) > 0))
      __builtin_trap();
  vb_mesh_clear(&mesh);
}

/// Reads joints, which must then have a second bone that is not the first.
static void read_links(const char *path) {
  static vb_link_row rows[VB_LINK_ROWS];
  size_t n = 0;
  vb_error error = {0};
  vb_status status = vb_link_file_read(path, "arm.joint", rows, &n, &error);
  fuzz_expect(status, &error);
  for (size_t i = 0; !status && i < n; i++)
    if (strcmp(rows[i].bone[0], rows[i].bone[1]) == 0 || rows[i].link.type > VB_LINK_UNIVERSAL)
      __builtin_trap();
}

static void run(const uint8_t *data, size_t size) {
  static const char between[] = "\n%%\n";
  char path[FUZZ_PATH], ele[FUZZ_PATH];
  if (size == 0)
    return;
  const uint8_t *text = data + 1;
  size_t n = size - 1;
  if (data[0] == 'm') {
    fuzz_write("mesh.msh", text, n, path);
    read_mesh(path, "mesh.msh");
    return;
  }
  if (data[0] == 'j') {
    fuzz_write("arm.joint", text, n, path);
    read_links(path);
    return;
  }
  const uint8_t *cut = n ? memmem(text, n, between, sizeof between - 1) : NULL;
  size_t first = cut ? (size_t)(cut - text) + 1 : n, skip = cut ? sizeof between - 2 : 0;
  fuzz_write("mesh.node", text, first, path);
  fuzz_write("mesh.ele", text + first + skip, n - first - skip, ele);
  read_mesh(path, "mesh.node");
}

const fuzz_target fuzz_meshes = {"meshes", run, NULL};
