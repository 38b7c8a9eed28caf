// SPDX-License-Identifier: GPL-3.0-or-later
/// Surfaces from files, their checks, and the tetrahedra that fill them.
/// Covers: src/mesh/obj.c src/mesh/ply.c src/mesh/stl.c src/mesh/surface_checks.*
/// Covers: src/mesh/surface_file.* src/mesh/surface_union.* src/mesh/tetgen_run.*
#include "base/clock.h"
#include "mesh/surface_file.h"
#include "mesh/tetrahedralize.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// The twelve triangles of a box, counterclockwise from outside; corner i is at the bits x, y, z.
static const int faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                 {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};

/// Appends a box to the text of an OBJ file that has `before` vertices.
static void add_box(char *text, int before, const double low[3], const double high[3]) {
  for (int i = 0; i < 8; i++)
    sprintf(text + strlen(text), "v %.17g %.17g %.17g\n", (i & 1 ? high : low)[0],
            (i & 2 ? high : low)[1], (i & 4 ? high : low)[2]);
  for (int t = 0; t < 12; t++)
    sprintf(text + strlen(text), "f %d %d/1 %d/1/2\n", before + faces[t][0] + 1,
            before + faces[t][1] + 1, before + faces[t][2] + 1);
}

/// Reads what a file of that name and content holds.
static vb_status read_bytes(const char *name, const void *bytes, size_t size, vb_surface_file *out,
                            vb_error *error) {
  FILE *file = fopen(name, "wb");
  ck_assert_ptr_nonnull(file);
  ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
  ck_assert_int_eq(fclose(file), 0);
  vb_status status = vb_surface_file_read(name, name, out, error);
  unlink(name);
  return status;
}

static vb_surface_file read_text(const char *name, const char *text) {
  vb_surface_file out = {0};
  vb_error error = {0};
  vb_status status = read_bytes(name, text, strlen(text), &out, &error);
  ck_assert_msg(status == VB_OK, "%s", error.message);
  return out;
}

static const double outer[2][3] = {{0, 0, 0}, {1.2, 0.4, 0.4}};
static const double bones[2][2][3] = {{{0.1, 0.1, 0.1}, {0.5, 0.3, 0.3}},
                                      {{0.7, 0.1, 0.1}, {1.1, 0.3, 0.3}}};

/// The bar of the paper's figure 4: a file of the outside, a file of both bones.
static void read_bar(vb_surface_file *outside, vb_surface_file *inside) {
  char text[8192] = "";
  add_box(text, 0, outer[0], outer[1]);
  *outside = read_text("outside.obj", text);
  text[0] = '\0';
  add_box(text, 0, bones[0][0], bones[0][1]);
  add_box(text, 8, bones[1][0], bones[1][1]);
  *inside = read_text("bones.obj", text);
}

static bool have_tetgen(void) {
  return system("command -v tetgen >/dev/null 2>&1") == 0;
}

START_TEST(regions_have_the_volumes_of_their_surfaces) {
  vb_surface_file outside, inside;
  vb_mesh mesh = {0};
  vb_error error = {0};
  int32_t n_regions = 0;
  double volume[3] = {0}, size = 0.1;
  read_bar(&outside, &inside);
  vb_named_surface bones_in = {"bones.obj", &inside.mesh};
  vb_tetrahedralize asked = {{"outside.obj", &outside.mesh}, &bones_in, 1, size, 1.6, _i};
  vb_status status = vb_tetrahedralize_run(&asked, &mesh, &n_regions, &error);
  if (!have_tetgen()) {
    ck_assert_int_eq(status, VB_UNAVAILABLE);
    vb_skip("tetgen", "surfaces are meshed by it");
  } else {
    ck_assert_msg(status == VB_OK, "%s", error.message);
    ck_assert_int_eq(n_regions, 2);
    for (size_t k = 0; k < mesh.n_tetrahedra; k++) {
      ck_assert_double_gt(vb_mesh_volume(&mesh, k), 0);
      if (!_i) // else the surfaces' triangles are as large as they were
        ck_assert_double_le(vb_mesh_volume(&mesh, k), size * size * size / (6 * sqrt(2)) * 1.0001);
      volume[mesh.region[k]] += vb_mesh_volume(&mesh, k);
    }
    // Sums of some thousand rounded volumes; the first bone is the one listed first.
    ck_assert_double_eq_tol(volume[1], 0.016, 1e-13);
    ck_assert_double_eq_tol(volume[2], 0.016, 1e-13);
    ck_assert_double_eq_tol(volume[0], 0.192 - 0.032, 1e-13);
    for (size_t k = 0; k < mesh.n_tetrahedra; k++) // no tetrahedron is cut by a surface
      for (int c = 0; mesh.region[k] && c < 4; c++) {
        double x = mesh.vertex[mesh.tetrahedron[k][c]][0];
        ck_assert(x > bones[mesh.region[k] - 1][0][0] - 1e-12);
        ck_assert(x < bones[mesh.region[k] - 1][1][0] + 1e-12);
      }
    if (_i) // keep_surface: two triangles to each face of the box
      ck_assert_uint_eq(mesh.n_triangles, 12);
  }
  vb_mesh_clear(&mesh);
  vb_surface_file_clear(&outside);
  vb_surface_file_clear(&inside);
}
END_TEST

/// The message that a bar is refused with, whose outside or inside was spoiled.
static void expect_refusal(const vb_surface_file *outside, const vb_surface_file *inside,
                           const char *words) {
  vb_named_surface in = {"in.obj", &inside->mesh};
  vb_tetrahedralize asked = {{"out.obj", &outside->mesh}, &in, 1, 0, 1.6, false};
  vb_error error = {0};
  ck_assert_int_eq(vb_tetrahedralize_check(&asked, &error), VB_BAD_INPUT);
  ck_assert_msg(strstr(error.message, words), "\"%s\" lacks \"%s\"", error.message, words);
}

START_TEST(bad_surfaces_are_refused_with_the_place) {
  vb_surface_file outside, inside;
  read_bar(&outside, &inside);
  outside.mesh.n_triangles--;
  expect_refusal(&outside, &inside,
                 "out.obj: the edge from (1.2, 0.4, 0) to (1.2, 0, 0.4) has one");
  outside.mesh.n_triangles = 0;
  expect_refusal(&outside, &inside, "out.obj: the surface is empty");
  outside.mesh.n_triangles = 12;
  int32_t *t = outside.mesh.triangle[0], last = t[2];
  t[2] = t[1];
  t[1] = last;
  expect_refusal(&outside, &inside, "turned over");
  t[1] = t[2];
  t[2] = last;
  for (int i = 0; i < 8; i++)
    for (int k = 0; k < 3; k++) // the first bone enters the second
      inside.mesh.vertex[i][k] += k ? 0.05 : 0.31;
  expect_refusal(&outside, &inside, "in.obj: the surface crosses itself near (0.");
  for (int i = 0; i < 8; i++)
    inside.mesh.vertex[i][0] -= 0.5; // and now the outside
  expect_refusal(&outside, &inside, "out.obj and in.obj cross near (0");
  vb_surface_file_clear(&outside);
  vb_surface_file_clear(&inside);
}
END_TEST

/// The same tetrahedron in all formats; bytes of this machine are little-endian.
START_TEST(formats_agree) {
  static const char ascii_ply[] =
      "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty "
      "float y\nproperty float z\nproperty uchar red\nelement face 4\n"
      "property list uchar int vertex_indices\nend_header\n0 0 0 9\n1 0 0 "
      "9\n0 1 0 9\n0 0 1 9\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n";
  static const char head[] =
      "ply\nformat binary_little_endian 1.0\nelement vertex 4\nproperty "
      "float x\nproperty float y\nproperty float z\nelement face 4\nproperty "
      "list uchar int vertex_indices\nend_header\n";
  static const float x[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  static const int32_t f[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  unsigned char ply[1024], stl[84 + 4 * 50] = {0};
  size_t n = sizeof head - 1;
  memcpy(ply, head, n);
  memcpy(ply + n, x, sizeof x);
  n += sizeof x;
  stl[80] = 4;
  for (int t = 0; t < 4; t++) {
    ply[n++] = 3;
    memcpy(ply + n, f[t], sizeof f[t]);
    n += sizeof f[t];
    for (int c = 0; c < 3; c++)
      memcpy(stl + 84 + 50 * t + 12 + 12 * c, x[f[t][c]], sizeof x[0]);
  }
  vb_error error = {0};
  vb_surface_file file[3] = {read_text("t.ply", ascii_ply)};
  ck_assert_int_eq(read_bytes("t.ply", ply, n, &file[1], &error), VB_OK);
  ck_assert_int_eq(read_bytes("t.stl", stl, sizeof stl, &file[2], &error), VB_OK);
  for (int i = 0; i < 3; i++) {
    ck_assert_uint_eq(file[i].mesh.n_vertices, 4);
    ck_assert_uint_eq(file[i].mesh.n_triangles, 4);
    for (int t = 0; t < 4; t++)
      for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++)
          ck_assert_double_eq(file[i].mesh.vertex[file[i].mesh.triangle[t][c]][k],
                              (double)x[f[t][c]][k]);
    vb_surface_file_clear(&file[i]);
  }
  for (size_t size = 0; size < n; size++) { // cut off anywhere, it is refused
    ck_assert_int_eq(read_bytes("t.ply", ply, size, &file[0], &error), VB_BAD_INPUT);
    if (size < sizeof stl)
      ck_assert_int_eq(read_bytes("t.stl", stl, size, &file[0], &error), VB_BAD_INPUT);
  }
}
END_TEST

START_TEST(groups_and_bad_files) {
  vb_surface_file file = read_text(
      "g.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\ng one\nf 1 2 3 4\no two \nf -1 -2 -3\n");
  ck_assert_uint_eq(file.mesh.n_triangles, 3);
  ck_assert_uint_eq(file.n_groups, 2);
  ck_assert_str_eq(file.name[1], "two");
  ck_assert_int_eq(file.group[2], 1);
  ck_assert_int_eq(file.mesh.triangle[2][0], 3);
  vb_surface_file_clear(&file);
  static const char *const bad[][3] = {
      {"a.obj", "v 0 0 0\nf 1 2 3\n", "a.obj:2: a face has vertex 2; there are 1"},
      {"a.obj", "v 0 0 0\nf 1 1\n", "a face of 2 corners"},
      {"a.obj", "v 0 0\n", "a.obj:1: z is missing"},
      {"a.obj", "v 0 0 nan\n", "it should be finite"},
      {"a.obj", "", "has no triangles"},
      {"a.off", "", "should end in .obj, .ply or .stl"},
      {"a.stl", "solid\nfacet\nvertex 0 0 0\nendfacet\n", "a facet of 1 vertices"},
      {"a.ply", "ply\nformat none\nend_header\n", "its format"},
      {"a.ply", "ply\nformat ascii 1.0\nelement vertex 99999\nend_header\n",
       "that the file can hold"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    vb_error error = {0};
    ck_assert_int_eq(read_bytes(bad[i][0], bad[i][1], strlen(bad[i][1]), &file, &error),
                     VB_BAD_INPUT);
    ck_assert_msg(strstr(error.message, bad[i][2]), "\"%s\" lacks \"%s\"", error.message,
                  bad[i][2]);
  }
}
END_TEST

/// Each group has two triangles, far from each other in the file; a group costs no more where there
/// are many.
START_TEST(many_groups_are_found_by_their_names) {
  enum { GROUPS = 300000 };
  char *text;
  size_t size;
  vb_surface_file file;
  vb_error error = {0};
  FILE *out = open_memstream(&text, &size);
  fputs("v 0 0 0\nv 1 0 0\nv 0 1 0\n", out);
  for (int i = 0; i < 2 * GROUPS; i++)
    fprintf(out, "g group %d \nf 1 2 3\n", i % GROUPS);
  ck_assert_int_eq(fclose(out), 0);
  double begun = vb_clock();
  ck_assert_msg(!read_bytes("groups.obj", text, size, &file, &error), "%s", error.message);
  ck_assert_double_lt(vb_clock() - begun, 20); // minutes where each was compared with all
  ck_assert_uint_eq(file.n_groups, GROUPS);
  ck_assert_uint_eq(file.mesh.n_triangles, 2 * GROUPS);
  ck_assert_str_eq(file.name[GROUPS - 1], "group 299999");
  for (int i = 0; i < 2 * GROUPS; i++)
    ck_assert_int_eq(file.group[i], i % GROUPS);
  vb_surface_file_clear(&file);
  free(text);
}
END_TEST

/// A quality and a size that allow anything are none, however many digits they have.
START_TEST(endless_limits_are_none) {
  char text[4096] = "";
  add_box(text, 0, outer[0], outer[1]);
  vb_surface_file box = read_text("box.obj", text);
  vb_tetrahedralize asked = {
      .outside = {"box.obj", &box.mesh}, .size = 1e300, .quality = 1e300, .keep_surface = true};
  vb_mesh mesh;
  int32_t n_regions;
  vb_error error = {0};
  vb_status status = vb_tetrahedralize_run(&asked, &mesh, &n_regions, &error);
  ck_assert_msg(status == VB_OK || status == VB_UNAVAILABLE, "%s", error.message);
  if (!status)
    vb_mesh_clear(&mesh);
  vb_surface_file_clear(&box);
}
END_TEST

static TCase *make_case(void) {
  TCase *test = tcase_create("tetrahedralize");
  tcase_add_loop_test(test, regions_have_the_volumes_of_their_surfaces, 0, 2);
  tcase_add_test(test, bad_surfaces_are_refused_with_the_place);
  tcase_add_test(test, formats_agree);
  tcase_add_test(test, groups_and_bad_files);
  tcase_add_test(test, many_groups_are_found_by_their_names);
  tcase_add_test(test, endless_limits_are_none);
  return test;
}

VB_TEST_MAIN("tetrahedralize", make_case())
