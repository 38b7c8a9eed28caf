// SPDX-License-Identifier: GPL-3.0-or-later
/// Meshes of tetrahedra: boxes, their boundaries, and files of TetGen and Gmsh, good and bad.
/// Covers: src/mesh/box.c src/mesh/gmsh.c src/mesh/read.c src/mesh/tetgen.c
#include "mesh/mesh.h"
#include "test.h"

#include <math.h>
#include <unistd.h>

static vb_mesh make_box(int32_t x, int32_t y, int32_t z, int tetrahedra) {
  vb_box box = {{-1, 0, 2}, {1, 0.5, 2.7}, {x, y, z}, tetrahedra};
  vb_mesh mesh = {0};
  vb_error error = {0};
  ck_assert_msg(vb_mesh_box(&box, &mesh, &error) == VB_OK, "%s", error.message);
  return mesh;
}

static double volume(const vb_mesh *mesh) {
  double sum = 0;
  for (size_t k = 0; k < mesh->n_tetrahedra; k++) {
    ck_assert_double_gt(vb_mesh_volume(mesh, k), 0);
    sum += vb_mesh_volume(mesh, k);
  }
  return sum;
}

/// What the boundary encloses, by Gauss's theorem, and its area.
static double enclosed(const vb_mesh *mesh, double *area) {
  double sum = 0;
  *area = 0;
  for (size_t f = 0; f < mesh->n_triangles; f++) {
    const double *a = mesh->vertex[mesh->triangle[f][0]];
    const double *b = mesh->vertex[mesh->triangle[f][1]];
    const double *c = mesh->vertex[mesh->triangle[f][2]];
    double n[3], square = 0;
    for (int k = 0; k < 3; k++) {
      int i = (k + 1) % 3, j = (k + 2) % 3;
      n[k] = (b[i] - a[i]) * (c[j] - a[j]) - (b[j] - a[j]) * (c[i] - a[i]);
      square += n[k] * n[k];
      sum += n[k] * a[k] / 6;
    }
    *area += 0.5 * sqrt(square);
  }
  return sum;
}

START_TEST(boxes_are_filled_and_closed) {
  static const int32_t cells[4][3] = {{1, 1, 1}, {2, 1, 1}, {3, 4, 2}, {5, 1, 7}};
  for (int tetrahedra = 5; tetrahedra <= 6; tetrahedra++) {
    const int32_t *n = cells[_i];
    vb_mesh mesh = make_box(n[0], n[1], n[2], tetrahedra);
    ck_assert_uint_eq(mesh.n_vertices, (size_t)((n[0] + 1) * (n[1] + 1) * (n[2] + 1)));
    ck_assert_uint_eq(mesh.n_tetrahedra, (size_t)(n[0] * n[1] * n[2] * tetrahedra));
    // Two triangles to each outer face of a cell: neighbors fit, or there were more.
    ck_assert_uint_eq(mesh.n_triangles, (size_t)(4 * (n[0] * n[1] + n[1] * n[2] + n[2] * n[0])));
    double area, right = 2 * 0.5 * 0.7; // sums of less than a thousand rounded terms
    ck_assert_double_eq_tol(volume(&mesh), right, 1e-13);
    ck_assert_double_eq_tol(enclosed(&mesh, &area), right, 1e-13);
    ck_assert_double_eq_tol(area, 2 * (2 * 0.5 + 0.5 * 0.7 + 0.7 * 2), 1e-13);
    ck_assert_double_eq(mesh.vertex[mesh.n_vertices - 1][2],
                        2.7); // exact, so that planes are found
    vb_mesh_clear(&mesh);
  }
}
END_TEST

static const struct {
  vb_box box;
  const char *message;
} bad_boxes[] = {
    {{{0}, {1, 1, 1}, {1, 1, 1}, 4}, "box: 4 tetrahedra per cell; it should be 5 or 6"},
    {{{0}, {1, 0, 1}, {1, 1, 1}, 5}, "box: it goes from 0 to 0 m along y; the second should be"},
    {{{0}, {1, 1, NAN}, {1, 1, 1}, 5}, "box: it goes from 0 to nan m along z"},
    {{{0}, {1, 1, 1}, {1, 1, 0}, 5}, "box: 0 cells along z; at least 1 is needed"},
    {{{0}, {1, 1, 1}, {4000, 4000, 4000}, 5}, "box: 64048012001 vertices and 320000000000 tet"},
};

START_TEST(bad_boxes_are_refused) {
  vb_mesh mesh = {.n_vertices = 7};
  vb_error error = {0};
  ck_assert_int_eq(vb_mesh_box(&bad_boxes[_i].box, &mesh, &error), VB_BAD_INPUT);
  ck_assert_msg(strncmp(error.message, bad_boxes[_i].message, strlen(bad_boxes[_i].message)) == 0,
                "%s\nshould be\n%s", error.message, bad_boxes[_i].message);
  ck_assert_uint_eq(mesh.n_vertices, 7); // untouched
}
END_TEST

/// A temporary folder with a mesh in one or two files.
typedef struct mesh_files {
  char folder[32];
  char path[2][64];
} mesh_files;

static void write_text(const char *path, const void *text, size_t size) {
  FILE *file = fopen(path, "wb");
  ck_assert_ptr_nonnull(file);
  ck_assert_uint_eq(fwrite(text, 1, size, file), size);
  ck_assert_int_eq(fclose(file), 0);
}

static mesh_files files_open(void) {
  mesh_files files;
  strcpy(files.folder, "/tmp/vb_mesh_XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(files.folder));
  return files;
}

static void files_close(mesh_files *files) {
  for (int i = 0; i < 2; i++)
    unlink(files->path[i]);
  rmdir(files->folder);
}

/// Reads a mesh from texts: TetGen's where there are two.
static vb_status read_texts(const char *first, size_t size, const char *second, vb_mesh *out,
                            vb_error *error) {
  mesh_files files = files_open();
  snprintf(files.path[0], 64, "%s/m.%s", files.folder, second ? "node" : "msh");
  snprintf(files.path[1], 64, "%s/m.ele", files.folder);
  write_text(files.path[0], first, size);
  if (second)
    write_text(files.path[1], second, strlen(second));
  vb_status status = vb_mesh_read(files.path[0], second ? "m.node" : "m.msh", out, error);
  files_close(&files);
  return status;
}

/// Two tetrahedra on five points, the second one of negative volume; point 9 is not used, and
/// numbers have gaps.
#define NODES                                                                                      \
  "# two tetrahedra\n6 3 0 1\n1 0 0 0 1\n2 1 0 0 1 # a comment\n\n3 0 1.0e0 0 1\n4 0 0 1 1\n"      \
  "9 7 7 7 0\n10 1 1 1 1\n"
#define ELES "2 4 0\n1 1 2 3 4\n2 2 3 4 10\n"
#define GMSH                                                                                       \
  "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"body "                           \
  "$End\"\n$EndPhysicalNames\n"                                                                    \
  "$Nodes\n2 6 1 10\n0 1 0 1\n9\n7 7 7\n3 1 0 5\n1\n2\n3\n4\n10\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n"     \
  "1 1 1\n$EndNodes\n$Elements\n2 3 1 3\n2 1 2 1\n1 1 2 3\n3 1 4 2\n2 1 2 3 4\n3 2 3 4 10\n"       \
  "$EndElements\n"

static void check_pair(const vb_mesh *mesh) {
  ck_assert_uint_eq(mesh->n_vertices, 5);
  ck_assert_uint_eq(mesh->n_tetrahedra, 2);
  ck_assert_uint_eq(mesh->n_triangles, 6);
  ck_assert_double_eq_tol(vb_mesh_volume(mesh, 0), 1.0 / 6, 1e-15);
  ck_assert_double_eq_tol(vb_mesh_volume(mesh, 1), 1.0 / 3, 1e-15);
  double area;
  ck_assert_double_eq_tol(enclosed(mesh, &area), 0.5, 1e-15);
}

START_TEST(both_file_formats_are_read) {
  vb_mesh mesh = {0};
  vb_error error = {0};
  vb_status status = read_texts(NODES, sizeof NODES - 1, ELES, &mesh, &error);
  ck_assert_msg(status == VB_OK, "%s", error.message);
  check_pair(&mesh);
  ck_assert_double_eq(mesh.vertex[4][2], 1); // the unused point is left out
  vb_mesh_clear(&mesh);
  status = read_texts(GMSH, sizeof GMSH - 1, NULL, &mesh, &error);
  ck_assert_msg(status == VB_OK, "%s", error.message);
  check_pair(&mesh);
  vb_mesh_clear(&mesh);
}
END_TEST

static const struct {
  const char *nodes;
  const char *eles; ///< or null for Gmsh
  const char *message;
} bad_files[] = {
    {"", ELES, "m.node:0: the file ends here; a line with the counts should follow"},
    {"x 3\n", ELES, "m.node:1: number of points: \"x 3\" begins with no whole number"},
    {"0 3\n", ELES, "m.node:1: number of points is 0; it should be from 1 to"},
    {"1000 3\n1 0 0 0\n", ELES, "m.node:1: number of points is 1000; the file is too short"},
    {"2 4 0 0 0 0 0\n1 0 0 0\n", ELES, "m.node:1: dimension is 4; it should be 3"},
    {"2 3\n1 0 0 0\n2 0 zero 0\n", ELES, "m.node:3: y: \"zero 0\" begins with no number"},
    {"2 3\n1 0 0 0\n2 0 0\n", ELES, "m.node:3: z is missing"},
    {"2 3\n1 0 0 0\n2 0 0 inf\n", ELES, "m.node:3: z is inf; it should be finite"},
    {"3 3\n1 0 0 0\n2 0 0 1\n", ELES, "m.node:3: the file ends here; another point should"},
    {"2 3\n1 0 0 0\n1 0 0 1\n", ELES, "m.ele: two points have the number 1"},
    {NODES, "2 5\n1 1 2 3 4\n", "m.ele:1: nodes per tetrahedron are 5; they should be 4 or 10"},
    {NODES, "1 4\n1 1 2 3 11\n", "m.ele:2: there is no point of number 11"},
    {NODES, "1 4\n1 1 2 3\n", "m.ele:2: number of a corner is missing"},
    {NODES, "1 4\n\n# flat\n1 1 2 3 3\n", "m.ele:4: the tetrahedron has no volume"},
    {NODES, "3 4\n1 1 2 3 4\n2 1 2 3 10\n3 3 2 1 10\n", "m.ele: more than two tetrahedra share"},
    {"$Nodes\n", NULL, "m.msh:1: \"$Nodes\" should be $MeshFormat"},
    {"$MeshFormat\n2.2 0 8\n", NULL, "m.msh:2: version of the format is 2.2; only 4.1 is read"},
    {"$MeshFormat\n4.1 1 8\n", NULL, "m.msh:2: the file is binary; only ASCII is read here"},
    {"$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Comments\n", NULL,
     "m.msh:4: section $Comments of line 4 has no end"},
    {"$MeshFormat\n4.1 0 8\n$EndMeshFormat\n", NULL, "m.msh:3: the file has no nodes"},
    {"$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 2 1 2\n3 1 0 3\n", NULL,
     "m.msh:6: number in the block is 3; it should be from 0 to 2"},
    {"$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 2 1 2\n3 1 0 1\n1\n0 0 0\n$EndNodes\n", NULL,
     "m.msh:8: the blocks hold 1 nodes less than the section says"},
    {"$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 1 1 1\n3 1 0 1\n1\n0 0 0\n$EndNodes\n", NULL,
     "m.msh: the file has no tetrahedra"},
};

START_TEST(reports_bad_files_with_line) {
  vb_mesh mesh = {.n_vertices = 7};
  vb_error error = {0};
  const char *nodes = bad_files[_i].nodes, *message = bad_files[_i].message;
  ck_assert_int_eq(read_texts(nodes, strlen(nodes), bad_files[_i].eles, &mesh, &error),
                   VB_BAD_INPUT);
  ck_assert_msg(strncmp(error.message, message, strlen(message)) == 0, "%s\nshould be\n%s",
                error.message, message);
  ck_assert_uint_eq(mesh.n_vertices, 7);
}
END_TEST

START_TEST(missing_files_are_named) {
  vb_mesh mesh = {0};
  vb_error error = {0};
  ck_assert_int_eq(vb_mesh_read("/nowhere/a.msh", "a.msh", &mesh, &error), VB_BAD_INPUT);
  ck_assert_str_eq(error.message, "a.msh: cannot be opened: No such file or directory");
  ck_assert_int_eq(vb_mesh_read("/nowhere/a.obj", "a.obj", &mesh, &error), VB_BAD_INPUT);
  ck_assert_str_eq(error.message, "a.obj: it should end in .msh (Gmsh), or .node or .ele (TetGen)");
}
END_TEST

/// Any text is read or refused, and what is read is sound; sanitizers see to the rest.
START_TEST(corrupted_files_are_harmless) {
  static const char letters[] = "0123456789 -.e\n$#x\xff";
  uint64_t seed = 12345;
  size_t n = _i ? sizeof GMSH - 1 : sizeof NODES - 1, valid = 0;
  for (int turn = 0; turn < 1000; turn++) {
    char text[1024];
    memcpy(text, _i ? GMSH : NODES, n);
    for (int k = 0; k < 1 + turn % 3; k++) {
      seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
      text[(seed >> 20) % n] = letters[(seed >> 50) % (sizeof letters - 1)];
    }
    vb_mesh mesh = {0};
    vb_error error = {0};
    // Now and then a file that ends too soon.
    size_t size = turn % 5 == 0 ? (seed >> 33) % n : n;
    if (read_texts(text, size, _i ? NULL : ELES, &mesh, &error)) {
      ck_assert_int_eq(error.status, VB_BAD_INPUT);
      continue;
    }
    ck_assert_double_gt(volume(&mesh), 0);
    vb_mesh_clear(&mesh);
    valid++;
  }
  ck_assert_uint_gt(valid, 50); // changed coordinates, comments, ..: the test reaches the end
}
END_TEST

#define N_OF(array) ((int)(sizeof(array) / sizeof *(array)))

static TCase *boxes(void) {
  TCase *c = tcase_create("boxes");
  tcase_add_loop_test(c, boxes_are_filled_and_closed, 0, 4);
  tcase_add_loop_test(c, bad_boxes_are_refused, 0, N_OF(bad_boxes));
  return c;
}

static TCase *mesh_readers(void) {
  TCase *c = tcase_create("files");
  tcase_add_test(c, both_file_formats_are_read);
  tcase_add_loop_test(c, reports_bad_files_with_line, 0, N_OF(bad_files));
  tcase_add_test(c, missing_files_are_named);
  tcase_add_loop_test(c, corrupted_files_are_harmless, 0, 2);
  return c;
}

VB_TEST_MAIN("meshes", boxes(), mesh_readers())
