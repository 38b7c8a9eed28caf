// SPDX-License-Identifier: GPL-3.0-or-later
// Meshes of muscles and bones to files of rods and capsules, and what is said of meshes that are
// none.
// Covers: src/cli/cli_pills.c src/cli/cli_viperize.c src/cli/viperize_picture.* src/muscle/*.[ch]
// Covers: src/script/scene/lua_muscle.c src/script/scene/lua_viperize.c
// Covers: src/script/scene/lua_pills.c src/mesh/surface_repair.* src/mesh/equal_rows.*
#include "cli_fixture.h"

#include <math.h>

static FILE *open_file(const char *name) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  return file;
}

enum { NX = 8, NY = 3, NZ = 2 };

/// Writes a bar of 0.8 x 0.3 x 0.2 m as TetGen's files; `forked` from the middle on.
static void write_tetrahedra(const char *name, bool forked) {
  static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                   {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  char path[64];
  snprintf(path, sizeof path, "%s.node", name);
  FILE *file = open_file(path);
  fprintf(file, "%d 3 0 0\n", (NX + 1) * (NY + 1) * (NZ + 1));
  for (int i = 0, n = 0; i <= NX; i++)
    for (int j = 0; j <= NY; j++)
      for (int k = 0; k <= NZ; k++)
        fprintf(file, "%d %g %g %g\n", n++, 0.1 * i, 0.1 * j, 0.1 * k);
  fclose(file);
  snprintf(path, sizeof path, "%s.ele", name);
  file = open_file(path);
  fprintf(file, "%d 4 0\n", 6 * (NX * NY - (forked ? NX / 2 : 0)) * NZ);
  for (int cell = 0, n = 0; cell < NX * NY * NZ; cell++) {
    int at[3] = {cell / (NY * NZ), cell / NZ % NY, cell % NZ};
    for (int o = 0; o < 6 && !(forked && at[0] >= NX / 2 && at[1] == 1); o++) {
      int x[3] = {at[0], at[1], at[2]};
      fprintf(file, "%d", n++);
      for (int c = 0; c < 4; c++) {
        fprintf(file, " %d", (x[0] * (NY + 1) + x[1]) * (NZ + 1) + x[2]);
        if (c < 3)
          x[orders[o][c]]++;
      }
      fputc('\n', file);
    }
  }
  fclose(file);
}

enum { AROUND = 12, ALONG = 8, N_VERTICES = AROUND * (ALONG + 1) + 2, SIDES = 2 * AROUND * ALONG };

/// A tube of 0.4 m along x with a radius of 0.1 m: its triangles, those of the ends last.
static int make_tube(double x[N_VERTICES][3], int triangle[][3]) {
  int n = 0, last = ALONG * AROUND;
  for (int i = 0; i <= ALONG; i++)
    for (int k = 0; k < AROUND; k++) {
      double *at = x[i * AROUND + k], a = 2 * acos(-1) * k / AROUND;
      at[0] = 0.4 * i / ALONG;
      at[1] = 0.1 * cos(a);
      at[2] = 0.1 * sin(a);
    }
  memcpy(x[N_VERTICES - 2], (double[3]){0, 0, 0}, sizeof *x);
  memcpy(x[N_VERTICES - 1], (double[3]){0.4, 0, 0}, sizeof *x);
  for (int i = 0; i < ALONG; i++)
    for (int k = 0; k < AROUND; k++) {
      int a = i * AROUND + k, b = i * AROUND + (k + 1) % AROUND;
      memcpy(triangle[n++], (int[3]){a, b, a + AROUND}, sizeof *triangle);
      memcpy(triangle[n++], (int[3]){b, b + AROUND, a + AROUND}, sizeof *triangle);
    }
  for (int k = 0; k < AROUND; k++)
    memcpy(triangle[n++], (int[3]){N_VERTICES - 2, (k + 1) % AROUND, k}, sizeof *triangle);
  for (int k = 0; k < AROUND; k++)
    memcpy(triangle[n++], (int[3]){N_VERTICES - 1, last + k, last + (k + 1) % AROUND},
           sizeof *triangle);
  return n;
}

/// DOUBLED: all of it once more, at the same places; SOUP: each triangle has corners of its own;
/// REPEATED: a triangle once more; DEGENERATE: a triangle more that has a corner twice.
typedef enum defect {
  SOUND,
  OPEN,
  EMPTY,
  CROSSING,
  DOUBLED,
  SOUP,
  REPEATED,
  DEGENERATE,
  FAR
} defect;

/// Writes triangles with corners of their own.
static void write_apart(FILE *file, double x[N_VERTICES][3], int triangle[][3], int n) {
  for (int t = 0; t < n; t++) {
    for (int c = 0; c < 3; c++)
      fprintf(file, "v %.9g %.9g %.9g\n", x[triangle[t][c]][0], x[triangle[t][c]][1],
              x[triangle[t][c]][2]);
    fprintf(file, "f -3 -2 -1\n");
  }
}

/// Writes all vertices and triangles with other numbers.
static void write_again(FILE *file, double x[N_VERTICES][3], int triangle[][3], int n) {
  for (int i = 0; i < N_VERTICES; i++)
    fprintf(file, "v %.9g %.9g %.9g\n", x[i][0], x[i][1], x[i][2]);
  for (int t = 0; t < n; t++)
    fprintf(file, "f %d %d %d\n", triangle[t][0] - N_VERTICES, triangle[t][1] - N_VERTICES,
            triangle[t][2] - N_VERTICES);
}

static void write_obj(const char *name, defect what) {
  double x[N_VERTICES][3];
  int triangle[SIDES + 2 * AROUND][3], n = make_tube(x, triangle);
  FILE *file = open_file(name);
  if (what == CROSSING)
    x[4 * AROUND][1] = -0.3;
  if (what == FAR)
    x[4 * AROUND][1] = 1e200;
  if (what == SOUP) {
    write_apart(file, x, triangle, n);
    fclose(file);
    return;
  }
  for (int i = 0; i < N_VERTICES; i++)
    fprintf(file, "v %.9g %.9g %.9g\n", x[i][0], x[i][1], x[i][2]);
  for (int t = what == OPEN; t < n && what != EMPTY; t++) {
    if (t == (what == OPEN) || t == SIDES || t == SIDES + AROUND)
      fprintf(file, "g %s\n", t < SIDES ? "belly" : t == SIDES ? "proximal" : "distal");
    fprintf(file, "f %d %d %d\n", triangle[t][0] + 1, triangle[t][1] + 1, triangle[t][2] + 1);
  }
  if (what == DOUBLED)
    write_again(file, x, triangle, n);
  if (what == REPEATED)
    fprintf(file, "f %d %d %d\n", triangle[7][0] + 1, triangle[7][1] + 1, triangle[7][2] + 1);
  if (what == DEGENERATE)
    fprintf(file, "f 5 5 6\n");
  fclose(file);
}

static void write_stl(const char *name) {
  double x[N_VERTICES][3];
  int triangle[SIDES + 2 * AROUND][3], n = make_tube(x, triangle);
  FILE *file = open_file(name);
  fprintf(file, "solid tube\n");
  for (int t = 0; t < n; t++) {
    fprintf(file, "facet normal 0 0 0\nouter loop\n");
    for (int c = 0; c < 3; c++)
      fprintf(file, "vertex %.9g %.9g %.9g\n", x[triangle[t][c]][0], x[triangle[t][c]][1],
              x[triangle[t][c]][2]);
    fprintf(file, "endloop\nendfacet\n");
  }
  fprintf(file, "endsolid tube\n");
  fclose(file);
}

static void write_ply(const char *name) {
  double x[N_VERTICES][3];
  int triangle[SIDES + 2 * AROUND][3], n = make_tube(x, triangle);
  FILE *file = open_file(name);
  fprintf(
      file,
      "ply\nformat ascii 1.0\nelement vertex %d\nproperty double x\nproperty double y\nproperty "
      "double z\nelement face %d\nproperty list uchar int vertex_indices\nend_header\n",
      N_VERTICES, n);
  for (int i = 0; i < N_VERTICES; i++)
    fprintf(file, "%.9g %.9g %.9g\n", x[i][0], x[i][1], x[i][2]);
  for (int t = 0; t < n; t++)
    fprintf(file, "3 %d %d %d\n", triangle[t][0], triangle[t][1], triangle[t][2]);
  fclose(file);
}

static void set_up(void) {
  char command[256];
  make_home();
  snprintf(command, sizeof command,
           "mkdir '%s/scenarios/meshes' && cp -r scenarios/lib '%s/scenarios'", folder, folder);
  ck_assert_int_eq(system(command), 0);
}

#define ENDS " --source box:0,0,0,0,1,1 --sink box:0.8,0,0,0.8,1,1 --rods 5 --slices 6"

static const char RODS[] = "scenarios/meshes/bar.lua";

/// The file of rods is the same for any number of threads, and a script makes a muscle of it.
START_TEST(tetrahedra_become_a_muscle) {
  static char first[65536], again[65536];
  write_tetrahedra("bar", false);
  for (int threads = 1; threads <= 3; threads++) {
    char count[8];
    snprintf(count, sizeof count, "%d", threads);
    setenv("OMP_NUM_THREADS", count, 1);
    expect("viperize @/bar.node" ENDS " --output @/scenarios/meshes/bar.lua", 0,
           "288 tetrahedra, 5 rods of 6 points");
    read_file(RODS, threads == 1 ? first : again, sizeof first);
    ck_assert(threads == 1 || strcmp(first, again) == 0);
  }
  unsetenv("OMP_NUM_THREADS");
  expect("viperize @/bar.node" ENDS " --output @/bar.lua --picture @/bar.png", 0, "6 points");
  char png[9];
  read_file("bar.png", png, sizeof png);
  ck_assert_mem_eq(png, "\x89PNG\r\n\x1a\n", 8);
  write_file(
      "scenarios/moved.lua",
      "return { title = 'Muscle', build = function(p)\n"
      "  local s = vb.scene{ step = 0.01, steps = 2 }\n"
      "  local m = vb.muscle{ scene = s, file = 'bar.lua', E = 1e4, nu = 0.4,\n"
      "    density = 1000, activation = { { 0, 1 }, { 0.02, 0.9 } }, from = 0.4, to = 0.6 }\n"
      "  assert(#m.rods == 5 and #m.sections == 5 and #m.active == 5)\n"
      "  s:pin{ nodes = m.first } s:pin{ nodes = m.last }\n"
      "  local function excited(area)\n"
      "    local other = vb.scene{ step = 0.01, steps = 2 }\n"
      "    return vb.muscle{ scene = other, file = 'bar.lua', E = 1e4, nu = 0.4, density = 1000,\n"
      "      model = 'solid', activation = { { 0, 1 }, { 0.02, 0.9 } }, area = area }.active\n"
      "  end\n"
      "  local part = excited{ 0.4, 0.15, 0.15, 0.1 }\n"
      "  assert(#excited() == 25 and #excited{ 0, 0, 0, 9 } == 25 and #excited{ 9, 0, 0, 1 } == "
      "0)\n"
      "  assert(#part > 0 and #part < 10, #part) -- a section is 0.15 m long\n"
      "  s:record{ fields = { 'position', 'scale', 'frame', 'vertices' } }\n"
      "  return s end }\n");
  expect("run moved --quiet --out @/o", 0, "");
}
END_TEST

/// Of two branches one is no sink: rods go to the other, and the volume of the first is told.
START_TEST(a_branch_without_rods_is_told) {
  write_tetrahedra("fork", true);
  expect("viperize @/fork.node --source box:0,0,0,0,1,1 --sink box:0.8,0,0,0.8,0.07,1 --rods 5 "
         "--slices 6 --output @/fork.lua",
         0, "warning: no rod fills");
}
END_TEST

/// Both branches are filled, whether one place names both ends or each has its own; parts are
/// written, and bundles hold the rods of one branch each.
START_TEST(branches_are_filled) {
  static char first[65536], again[65536];
  write_tetrahedra("fork", true);
  expect("viperize @/fork.node" ENDS " --rods 6 --slices 6 --output @/fork.lua", 0, "6 points");
  read_file("fork.lua", first, sizeof first);
  expect("viperize @/fork.node --source box:0,0,0,0,1,1 --rods 6 --slices 6 --output @/fork.lua "
         "--sink box:0.8,0,0,0.8,0.1,1;box:0.8,0.2,0,0.8,1,1",
         0, "6 points");
  read_file("fork.lua", again, sizeof again);
  ck_assert_str_eq(first, again);
  ck_assert_ptr_null(strstr(error_output, "warning"));
  ck_assert_ptr_nonnull(strstr(first, "parts = {\n    { 1, 1, 1, 1, 1, 1 },\n"));
  ck_assert_ptr_nonnull(strstr(first, "2"));
  expect("viperize @/fork.node --source box:0,0,0,0,1,1 --sink box:0.8,0,0,0.8,1,1;sphere:9,9,9,1",
         2, "the place \"sphere:9,9,9,1\" has no vertices of the mesh");
}
END_TEST

#define NEEDS_TETGEN                                                                               \
  if (system("command -v tetgen >/dev/null 2>&1") != 0) {                                          \
    vb_skip("tetgen", "surfaces are meshed by it");                                                \
    return;                                                                                        \
  }

/// A group and a box name the same end of the same tube: the rods are the same. A sphere names what
/// is inside the muscle, too.
START_TEST(surfaces_become_rods) {
  static char first[65536], again[65536];
  static const char *const lines[] = {
      "viperize @/tube.obj --source proximal --sink distal",
      "viperize @/tube.ply --source box:0,1,1,0,-1,-1 --sink box:0.4,-1,-1,0.4,1,1",
      "viperize @/tube.stl --source sphere:0,0,0,0.104 --sink sphere:0.4,0,0,0.104",
  };
  NEEDS_TETGEN
  write_obj("tube.obj", SOUND);
  write_ply("tube.ply");
  write_stl("tube.stl");
  char line[256];
  for (int i = 0; i < 3; i++) {
    snprintf(line, sizeof line, "%s --rods 3 --slices 4 --output @/rods.lua", lines[i]);
    expect(line, 0, "3 rods of 4 points");
    read_file("rods.lua", i ? again : first, sizeof first);
    // From the second line on.
    ck_assert(i != 1 || strcmp(strchr(first, '\n'), strchr(again, '\n')) == 0);
  }
}
END_TEST

START_TEST(meshes_that_are_none_are_refused) {
  static const struct {
    defect what;
    const char *rods, *capsules;
  } cases[] = {
      {OPEN, "has one triangle: the surface is open there", "the surface is open there"},
      {EMPTY, "the file has no triangles", "the file has no triangles"},
      {CROSSING, "the surface crosses itself near (", "the surface crosses itself near ("},
      {DOUBLED, "the surface is doubled: two tri", "the surface is doubled: two tri"},
      {SOUP, "the surface is open there", "the surface is open there"},
      {REPEATED, "has more than two triangles", "has more than two triangles"},
      {FAR, "the coordinate 1e+200 m; it", "the coordinate 1e+200 m; it should be within"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    write_obj("bad.obj", cases[i].what);
    expect("viperize @/bad.obj --source proximal --sink distal", 2, cases[i].rods);
    ck_assert_ptr_eq(strchr(error_output, '\n'), error_output + strlen(error_output) - 1);
    expect("pills @/bad.obj --count 3", 2, cases[i].capsules);
  }
}
END_TEST

START_TEST(places_and_numbers_are_checked) {
  write_tetrahedra("bar", false);
  static const char *const cases[][2] = {
      {"viperize @/bar.node", "needs --source and --sink"},
      {"viperize @/bar.node --source proximal --sink box:0.8,0,0,0.8,1,1",
       "has no group \"proximal\""},
      {"viperize @/bar.node --source sphere:0,0 --sink distal", "should be sphere:x,y,z,r"},
      {"viperize @/bar.node --source box:0,0 --sink distal", "should be box:x,y,z,x,y,z"},
      {"viperize @/bar.node --source sphere:9,9,9,1 --sink box:0.8,0,0,0.8,1,1",
       "the source has 0 vertices"},
      {"viperize @/bar.node --rods 0"
       " --source a --sink b",
       "1 to 2000 rods"},
      {"viperize @/bar.txt --source a --sink b", "bar.txt"},
      {"pills @/bar.node", "bar.node"},
      {"pills @/none.obj", "none.obj: cannot be opened"},
      {"pills @/none.obj --count 0", "--count is 0; pills makes 1 to 10000"},
      {"pills", "pills needs a mesh"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    expect(cases[i][0], 2, cases[i][1]);
    ck_assert_ptr_eq(strchr(error_output, '\n'), error_output + strlen(error_output) - 1);
  }
}
END_TEST

START_TEST(bones_become_capsules) {
  write_obj("tube.obj", SOUND);
  expect("pills @/tube.obj --count 2 --output @/scenarios/meshes/tube.lua", 0,
         "216 triangles, 2 pills of 3 balls: the Hausdorff distance is 0.0");
  write_file("scenarios/bone.lua",
             "return { title = 'Bone', build = function(p)\n"
             "  local s = vb.scene{ step = 0.01, steps = 2 }\n"
             "  local d = vb.pills{ file = 'tube.lua' }\n"
             "  assert(#d.pills == 2 and d.hausdorff > 0 and d.hausdorff < 0.1)\n"
             "  include('bone')(s, d, { driver = s:driver{ name = 'hand', z = 1 } })\n"
             "  return s end }\n");
  expect("run bone --quiet --out @/o", 0, "");
}
END_TEST

/// Whatever was to be mended, the same surface is left: the pills are the same.
START_TEST(surfaces_of_bones_are_repaired) {
  static char sound[4096], mended[4096];
  static const struct {
    defect what;
    const char *words, *told;
  } cases[] = {{DEGENERATE, "", "dropped 1 degenerate and 0 duplicate"},
               {DEGENERATE, "--repair", "dropped 1 degenerate and 0 duplicate"},
               {DOUBLED, "--repair", "degenerate and 216 duplicate"},
               {REPEATED, "--repair", "degenerate and 1 duplicate"},
               {SOUP, "--repair", "merged 538 vertices"}};
  write_obj("bad.obj", SOUND);
  expect("pills @/bad.obj --count 2 --output @/sound.lua --repair", 0, "216 triangles, 2 pills");
  ck_assert_ptr_null(strstr(error_output, "dropped"));
  read_file("sound.lua", sound, sizeof sound);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char line[256];
    write_obj("bad.obj", cases[i].what);
    snprintf(line, sizeof line, "pills @/bad.obj --count 2 --output @/mended.lua --force %s",
             cases[i].words);
    expect(line, 0, cases[i].told);
    ck_assert_ptr_nonnull(strstr(error_output, "216 triangles, 2 pills"));
    read_file("mended.lua", mended, sizeof mended);
    ck_assert_str_eq(mended, sound);
  }
  write_obj("bad.obj", CROSSING);
  expect("pills @/bad.obj --repair", 2, "the surface crosses itself near (");
}
END_TEST

START_TEST(fewer_capsules_than_asked_for_have_a_reason) {
  write_obj("tube.obj", SOUND);
  expect("pills @/tube.obj --count 1", 0, "216 triangles, 1 pills");
  ck_assert_ptr_null(strstr(error_output, "pills, not"));
  expect("pills @/tube.obj --count 40", 0, "pills, not 40: ");
}
END_TEST

static TCase *muscles(void) {
  TCase *tests = tcase_create("muscles");
  tcase_set_timeout(tests, 60);
  tcase_add_checked_fixture(tests, set_up, remove_home);
  tcase_add_test(tests, tetrahedra_become_a_muscle);
  tcase_add_test(tests, a_branch_without_rods_is_told);
  tcase_add_test(tests, branches_are_filled);
  tcase_add_test(tests, surfaces_become_rods);
  tcase_add_test(tests, meshes_that_are_none_are_refused);
  tcase_add_test(tests, places_and_numbers_are_checked);
  tcase_add_test(tests, bones_become_capsules);
  tcase_add_test(tests, surfaces_of_bones_are_repaired);
  tcase_add_test(tests, fewer_capsules_than_asked_for_have_a_reason);
  return tests;
}

VB_TEST_MAIN("muscles", muscles())
