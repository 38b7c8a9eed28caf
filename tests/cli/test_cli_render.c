// SPDX-License-Identifier: GPL-3.0-or-later
/// Pictures of recorded runs: what the command draws, refuses and says; what is read from files.
/// Covers: src/cli/movie.* src/render/*.[ch]
#include "cli_fixture.h"
#include "render/recording.h"

#include <math.h>
#include <png.h>

/// Two bars of one segment, the first with a scale of 1.2 at one end, and a solid where asked for.
static const char SCRIPT[] =
    "return { title = 'Bars', parameters = { frames = 1, solid = false, skin = false, bare = false "
    "},\n"
    "  build = function(p)\n"
    "    local s = vb.scene{ step = 0.01, steps = 2 }\n"
    "    if p.solid then\n"
    "      s:mesh{ mesh = vb.box{ to = {2, 1, 1}, cells = {2, 1, 1} }, density = 1000,\n"
    "              material = { E = 1e5, nu = 0.3 }, position = function(x, y, z) return x, y, 2 * "
    "z end }\n"
    "      s:record{ every = 1, frames = p.frames, fields = { 'position' } }\n"
    "      s:solver{ solver = 'neohookean' }\n"
    "      return s\n"
    "    end\n"
    "    for i = 0, 1 do\n"
    "      local a = s:node{ position = {0, 0, 2 * i}, radius = 0.1, scale = 1.2 - 0.2 * i }\n"
    "      local b = s:node{ position = {1, 0, 2 * i}, radius = 0.2 }\n"
    "      s:segment{ nodes = {a, b}, density = 1000, material = { E = 1e5, nu = 0.3 } }\n"
    "    end\n"
    "    s:halfplane{ normal = {0, 3, 4}, offset = -2, friction = 0 }\n"
    "    if p.skin then\n"
    "      s:surface{ vertices = {{0.25, 0, 0}, {0.75, 0, 0}, {0.5, 0.1, 0}}, triangles = {{0, 1, "
    "2}} }\n"
    "    end\n"
    "    local fields = { 'position', 'scale', p.skin and 'vertices' or nil }\n"
    "    s:record{ every = 1, frames = p.frames, fields = p.bare and {} or fields }\n"
    "    return s\n"
    "  end }\n";

static void set_up(void) {
  make_home();
  write_file("scenarios/bars.lua", SCRIPT);
}

static void run_bars(const char *settings) {
  char words[256];
  snprintf(words, sizeof words, "run bars --quiet --out @/o %s", settings);
  expect(words, 0, "");
}

static vb_shapes shapes_of(vb_coloring coloring, bool as_capsules) {
  static char path[128];
  vb_recording r;
  vb_shapes s, clear;
  vb_error error = {0};
  snprintf(path, sizeof path, "%s/o/bars.h5", folder);
  ck_assert_msg(!vb_recording_open((vb_run_location){path, "bars"}, as_capsules, &r, &error), "%s",
                error.message);
  ck_assert_uint_eq(r.time.n, 3);
  ck_assert_msg(!vb_recording_shapes(&r, 0, coloring, &s, &clear, &error), "%s", error.message);
  vb_shapes_clear(&clear); // nothing is
  vb_recording_close(&r);
  return s;
}

/// The last frame has numbers of order one in multiples of 2^-32; volumes have twice the error of
/// scales.
#define ROUNDED 0x1p-32

START_TEST(capsules_are_read_with_their_values) {
  run_bars("");
  vb_shapes s = shapes_of(VB_COLOR_SCALE, false);
  ck_assert_uint_eq(s.n_capsules, 2);
  ck_assert_uint_eq(s.n_grounds, 1);
  ck_assert_double_eq_tol(s.ground[0].normal[1], 0.6, 1e-15);
  ck_assert_double_eq_tol(s.ground[0].offset, -2, 1e-15);
  ck_assert_double_eq_tol(s.capsule[0].r_a, 0.12, ROUNDED);
  ck_assert_double_eq_tol(s.capsule[0].r_b, 0.2, ROUNDED);
  ck_assert_double_eq_tol(s.capsule[0].length, 1, ROUNDED);
  ck_assert_double_eq_tol(s.capsule_value[0][0], 1.2, ROUNDED);
  ck_assert_double_eq_tol(s.capsule_value[0][1], 1, ROUNDED);
  vb_shapes_clear(&s);
  s = shapes_of(VB_COLOR_VOLUME, false); // s^2 l / l_rest - 1 with the mean scale
  ck_assert_double_eq_tol(s.capsule_value[0][0], 0.21, ROUNDED);
  ck_assert_double_eq_tol(s.capsule_value[0][1], 0.21, ROUNDED);
  ck_assert_double_eq_tol(s.capsule_value[1][0], 0, ROUNDED);
  vb_shapes_clear(&s);
  s = shapes_of(VB_COLOR_BODY, false);
  ck_assert_double_eq(s.capsule_value[0][0], 0);
  ck_assert_double_eq(s.capsule_value[1][0], 1);
  vb_shapes_clear(&s);
}
END_TEST

/// A surface hides the capsules of the body that carries it and takes on their values.
START_TEST(surfaces_are_read_with_values_of_their_capsules) {
  run_bars("--set skin=true");
  vb_shapes s = shapes_of(VB_COLOR_SCALE, false);
  ck_assert_uint_eq(s.n_capsules, 1);
  ck_assert_uint_eq(s.n_triangles, 1);
  for (int i = 0; i < 3;
       i++) { // within the capsule; its wall widens, so that balls lie ahead of points
    ck_assert_double_lt(s.value[i], 1.2);
    ck_assert_double_gt(s.value[i], 1);
  }
  ck_assert_double_gt(s.value[0], s.value[2]);
  ck_assert_double_gt(s.value[2], s.value[1]);
  vb_shapes_clear(&s);
  s = shapes_of(VB_COLOR_SCALE, true);
  ck_assert_uint_eq(s.n_capsules, 2);
  ck_assert_uint_eq(s.n_triangles, 0);
  vb_shapes_clear(&s);
}
END_TEST

/// Flesh in a box, and a bone so close to a side of it that corners are nearer to the bone; with
/// `around` the box holds both.
static const char FLESH[] =
    "return { title = 'Flesh', parameters = { around = false }, build = function(p)\n"
    "  local s, v = vb.scene{ step = 0.01, steps = 1 }, {}\n"
    "  for i, r in ipairs{ 0.02, 0.02 } do\n"
    "    local y = i == 1 and 0 or 0.121\n"
    "    local rod = s:rod{ from = {0, y, 0}, to = {0.5, y, 0}, nodes = 4, radius = r,\n"
    "      density = 1000, material = { E = 1e5, nu = 0.3 } }\n"
    "    if i == 2 then s:pin{ nodes = rod.nodes, driver = s:driver{ name = 'bone' } } end\n"
    "  end\n"
    "  for k = 0, 7 do\n"
    "    v[k + 1] = { k % 2 * 0.6 - 0.05, (k // 2 % 2 * 2 - 1) * (p.around and 0.2 or 0.1),\n"
    "      (k // 4 * 2 - 1) * 0.1 }\n"
    "  end\n"
    "  s:surface{ vertices = v, triangles = { {0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},\n"
    "    {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5} } "
    "}\n"
    "  s:record{ every = 1, frames = 1, fields = { 'position', 'scale', 'vertices' } }\n"
    "  return s end }\n";

/// A bone is drawn beside a surface, which no vertex follows it, and inside one.
START_TEST(bones_are_drawn_whatever_surface_is_near) {
  static char path[128];
  write_file("scenarios/flesh.lua", FLESH);
  for (int around = 0; around < 2; around++) {
    vb_recording r;
    vb_shapes s, clear;
    vb_error error = {0};
    expect(around ? "run flesh --quiet --out @/o --set around=true" : "run flesh --quiet --out @/o",
           0, "");
    snprintf(path, sizeof path, "%s/o/%sflesh.h5", folder, around ? "around=true/" : "");
    ck_assert_msg(!vb_recording_open((vb_run_location){path, "flesh"}, false, &r, &error), "%s",
                  error.message);
    ck_assert_msg(!vb_recording_shapes(&r, 0, VB_COLOR_BODY, &s, &clear, &error), "%s",
                  error.message);
    ck_assert_uint_eq(s.n_capsules, 3);
    for (size_t j = 0; j < 3; j++)
      ck_assert_double_eq_tol(s.capsule[j].a[1], 0.121, ROUNDED);
    for (size_t i = 0; !around && i < r.rest_vertex.n; i++)
      ck_assert_int_lt(r.carrier[i], 3); // the flesh's, which come first
    vb_shapes_clear(&s);
    vb_shapes_clear(&clear);
    vb_recording_close(&r);
  }
}
END_TEST

START_TEST(solids_are_read_with_their_sides) {
  run_bars("--set solid=true");
  vb_shapes s = shapes_of(VB_COLOR_VOLUME, false);
  ck_assert_uint_eq(s.n_capsules, 0);
  ck_assert_uint_eq(s.n_triangles, 20); // two cells: ten squares
  for (size_t i = 0; i < s.n_vertices; i++)
    ck_assert_double_eq_tol(s.value[i], 1, 1e-14); // twice as high
  vb_shapes_clear(&s);
  expect("render @/o/bars.h5 --color scale", 2, "has no segments");
  expect("render @/o/bars.h5 --color volume_error --size 60x60 --out @/o/a.png", 0, "");
}
END_TEST

/// A block of two cells of bone in flesh of four, a bone without flesh, and colliders of each
/// shape, of which the sphere is turned about the origin by a quarter in 0.02 s.
static const char BONES[] =
    "return { title = 'Bones', build = function(p)\n"
    "  local s = vb.scene{ step = 0.01, steps = 2 }\n"
    "  local mesh = vb.box{ to = {4, 1, 1}, cells = {4, 1, 1} }\n"
    "  s:mesh{ mesh = mesh, density = 1000, material = { E = 1e5, nu = 0.3 } }\n"
    "  local list = {}\n"
    "  for i, x in ipairs(mesh.vertices) do if x[1] <= 2 then list[#list + 1] = i - 1 end end\n"
    "  s:bone{ name = 'inner', nodes = list }\n"
    "  s:bone{ name = 'bar', mass = 6, center = {0, 5, 0}, velocity = {0, 0, 10},\n"
    "          inertia = { 6 / 12 * (4 + 1), 6 / 12 * (9 + 1), 6 / 12 * (9 + 4), 0, 0, 0 } }\n"
    "  s:record{ every = 1, frames = 1, fields = { 'position', 'bone_position', 'bone_frame' } }\n"
    "  s:solver{ solver = 'articulated' }\n"
    "  return s\n"
    "end }\n";

/// The least and greatest coordinate `k` of vertices `first` to `last`.
static void expect_extent(const vb_shapes *s, size_t first, size_t last, int k, double low,
                          double high) {
  double least = INFINITY, most = -INFINITY;
  for (size_t i = first; i < last; i++) {
    least = fmin(least, s->vertex[i][k]);
    most = fmax(most, s->vertex[i][k]);
  }
  ck_assert_double_eq_tol(least, low, 1e-9);
  ck_assert_double_eq_tol(most, high, 1e-9);
}

START_TEST(bones_are_read) {
  char path[128];
  vb_recording r;
  vb_shapes s, clear;
  vb_error error = {0};
  write_file("scenarios/bones.lua", BONES);
  expect("run bones --quiet --out @/o", 0, "");
  snprintf(path, sizeof path, "%s/o/bones.h5", folder);
  ck_assert(!vb_recording_open((vb_run_location){path, "bones"}, false, &r, &error));
  ck_assert(!vb_recording_shapes(&r, 2, VB_COLOR_BODY, &s, &clear, &error));
  ck_assert_uint_eq(s.n_triangles, 20 + 12); // ten squares, and a box of 3 x 2 x 1
  expect_extent(&s, s.n_vertices - 8, s.n_vertices, 0, -1.5, 1.5);
  expect_extent(&s, s.n_vertices - 8, s.n_vertices, 1, 4, 6);
  expect_extent(&s, s.n_vertices - 8, s.n_vertices, 2, -0.3, 0.7);
  for (size_t t = 0; t < 20; t++)
    for (int c = 0; c < 3; c++)
      ck_assert_double_le(s.vertex[s.triangle[t][c]][0], 2 + 1e-9);
  ck_assert_uint_eq(clear.n_triangles, 36); // the flesh
  vb_shapes_clear(&clear);
  vb_shapes_clear(&s);
  vb_recording_close(&r);
  expect("render @/o/bones.h5 --size 60x60 --plain --out @/o/a.png", 0, "");
  char text[16384];
  vb_array bone;
  ck_assert(!vb_run_array((vb_run_location){path, "bones"}, "topology/tetrahedron_bone",
                          VB_NO_FRAME, &bone, &error));
  ck_assert_uint_eq(bone.n, 20);
  for (size_t i = 0; i < bone.n; i++) // cells in the order of x, five in each
    ck_assert_double_eq(bone.values[i], i < 10 ? 0 : -1);
  vb_array_free(&bone);
  read_file("o/bones-bones.xdmf", text, sizeof text);
  ck_assert_ptr_nonnull(strstr(text, "bones-bones.h5:/topology/tetrahedron_bone"));
}
END_TEST

/// Reads a picture; its size into `width` and `height`. The caller frees.
static uint8_t *read_picture(const char *name, int *width, int *height) {
  char path[128];
  png_image png = {.version = PNG_IMAGE_VERSION};
  snprintf(path, sizeof path, "%s/%s", folder, name);
  ck_assert_msg(png_image_begin_read_from_file(&png, path), "%s: %s", path, png.message);
  png.format = PNG_FORMAT_RGB;
  uint8_t *pixel = malloc(PNG_IMAGE_SIZE(png));
  ck_assert(pixel && png_image_finish_read(&png, NULL, pixel, 0, NULL));
  *width = (int)png.width;
  *height = (int)png.height;
  return pixel;
}

static int colored(const uint8_t *pixel, int n) {
  int count = 0;
  for (int i = 0; i < n; i++)
    count += abs(pixel[3 * i] - pixel[3 * i + 2]) > 20;
  return count;
}

START_TEST(pictures_are_reproducible) {
  int width, height;
  char command[256];
  run_bars("");
  expect("render @/o/bars.h5 --frame last --color scale --size 120x90 --out @/o/a.png", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "/o/a.png\n"));
  setenv("OMP_NUM_THREADS", "3", 1);
  expect("render @/o/bars-bars.h5 --color scale --size 120x90 --quiet --out @/o/b.png", 0, "");
  ck_assert_str_eq(output, "");
  unsetenv("OMP_NUM_THREADS");
  uint8_t *a = read_picture("o/a.png", &width, &height);
  ck_assert_int_eq(width, 120);
  ck_assert_int_eq(height, 90);
  uint8_t *b = read_picture("o/b.png", &width, &height);
  ck_assert_int_eq(memcmp(a, b, 3 * 120 * 90), 0);
  ck_assert_int_gt(colored(a, 120 * 90), 500);
  free(a);
  free(b);
  expect("render @/o/bars-bars.h5 --color scale --size 120x90 --out @/o/c.png", 0, "");
  snprintf(command, sizeof command, "cmp %s/o/b.png %s/o/c.png", folder, folder);
  ck_assert_int_eq(system(command), 0);
}
END_TEST

START_TEST(sequences_are_numbered) {
  run_bars("");
  expect("render @/o/bars.h5 --frames 0:last:2 --size 30x30 --plain --out @/o/m%03d.png", 0, "");
  ck_assert(exists("o/m000.png") && exists("o/m002.png") && !exists("o/m001.png"));
  expect("render @/o/bars.h5 --frame 1 --size 30x30 --plain", 0, "");
  ck_assert(exists("o/bars-bars-0001.png"));
}
END_TEST

/// Stands for ffmpeg: notes its arguments, and how many pictures it finds.
static const char FAKE[] = "#!/bin/sh\n"
                           "for last; do :; done\n"
                           "for word; do case $word in *%06d.png) pictures=$word ;; esac; done\n"
                           "echo \"$@\" >\"$last\"\n"
                           "ls \"${pictures%/*}\" | tr '\\n' ' ' >>\"$last\"\n";

START_TEST(frames_are_joined_to_a_movie) {
  char text[4096], path[256];
  run_bars("");
  setenv("PATH", "/nowhere", 1);
  expect("render @/o/bars.h5 --movie @/m.mp4 --speed 0.1", 3, "ffmpeg is not installed");
  ck_assert_str_eq(output, ""); // told before anything is drawn
  write_file("ffmpeg", FAKE);
  snprintf(path, sizeof path, "%s/ffmpeg", folder);
  ck_assert_int_eq(chmod(path, 0755), 0);
  snprintf(path, sizeof path, "%s:/usr/bin:/bin", folder);
  setenv("PATH", path, 1);
  // 0.02 s of three frames: in a tenth of real time 0.2 s, by 10 pictures a second each frame once.
  expect("render @/o/bars.h5 --movie @/m.mp4 --rate 10 --speed 0.1 --size 60x50", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "m.mp4: 0.3 s at 0.1 times real time; 3 pictures, 10 a "
                                       "second, of 3 frames"));
  read_file("m.mp4", text, sizeof text);
  ck_assert_ptr_nonnull(strstr(text, "-framerate 10 -i /"));
  ck_assert_ptr_nonnull(strstr(text, "\nframe-000000.png frame-000001.png frame-000002.png "));
  // Two frames, 0.2 s apart: the first stays until the last picture.
  expect("render @/o/bars.h5 --movie @/m.mp4 --frames 0:2:2 --speed 0.1 --size 60x50", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "7 pictures, 30 a second, of 2 frames"));
  read_file("m.mp4", text, sizeof text);
  ck_assert_ptr_nonnull(strstr(text, "-framerate 30 -i /"));
  ck_assert_ptr_nonnull(strstr(text, "frame-000006.png "));
  ck_assert_ptr_null(strstr(text, "frame-000007.png "));
  expect("render @/o/bars.h5 --movie @/m.mp4 --size 60x50", 2,
         "the frames cover 0.02 s, too short for two pictures; --speed 0.004 makes the movie 5 s");
  expect("render @/o/bars.h5 --movie @/m.mp4 --speed 1e-9 --size 60x50", 2,
         "more than 100000; --speed 0.00033 makes it a minute long");
  expect("render @/o/bars.h5 --movie @/m.mp4 --speed -1", 2, "a number above 0");
  expect("render @/o/bars.h5 --movie @/m.mp4 --out x.png", 2, "not both");
  expect("render @/o/bars.h5 --movie @/m.mp4 --rate 0", 2, "pictures per second");
}
END_TEST

START_TEST(frames_drawn_side_by_side_are_reproducible) {
  char again[1 << 16], many[1 << 16];
  run_bars("");
  expect("render @/o/bars.h5 --frames 0:2 --out @/many-%d.png --size 60x50", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "many-0.png\n"));
  expect("render @/o/bars.h5 --frames 0:2 --out @/again-%d.png --size 60x50", 0, "");
  memset(again, 0, sizeof again);
  memset(many, 0, sizeof many);
  read_file("again-2.png", again, sizeof again);
  read_file("many-2.png", many, sizeof many);
  ck_assert_mem_eq(again, many, sizeof again);
  expect("render @/o/bars.h5 --frames 0:2 --out /nowhere/%d.png --size 60x50", 5, "/nowhere/");
  // A signal: those that are begun are finished.
  pid_t child = start("render @/o/bars.h5 --frames 0:2 --out @/big-%d.png --size 1500x1500");
  for (int i = 0; i < 30000 && !exists("big-0.png") && !exists("big-1.png"); i++)
    usleep(1000);
  ck_assert_int_eq(kill(child, SIGINT), 0);
  ck_assert_int_eq(finish(child), 128 + SIGINT);
  ck_assert_ptr_nonnull(strstr(error_output, " of 3 pictures are written\n"));
}
END_TEST

START_TEST(wrong_usage_is_reported_in_one_sentence) {
  static const struct {
    const char *words, *complaint;
  } cases[] = {
      {"--frame 3", "has no frame 3; it has 3, counted from 0"},
      {"--frame -4", "has no frame -4"},
      {"--frame x", "--frame needs numbers of frames or last"},
      {"--frames 0", "--frames needs FIRST:LAST"},
      {"--frames 0:2:0 --out a%d.png", "--frames needs FIRST:LAST"},
      {"--frames 2:0 --out a%d.png", "the last comes before the first"},
      {"--frames 0:1 --out a.png", "--frames needs a number in the name of --out"},
      {"--out a%s.png", "--out needs one number in its name"},
      {"--size 100", "--size needs WIDTHxHEIGHT"},
      {"--size 0x100", "--size needs WIDTHxHEIGHT"},
      {"--size 99999x99999", "--size needs WIDTHxHEIGHT"},
      {"--size 20x20", "no room for its legend"},
      {"--color red", "--color needs scale, volume_error, body or material"},
      {"--limits 2,1", "--limits needs two numbers"},
      {"--limits 1,nan", "--limits needs two numbers"},
      {"--view 0,91", "--view needs AZIMUTH,ELEVATION"},
      {"--view 0,0,0", "--view needs AZIMUTH,ELEVATION"},
      {"--look-at 1,2", "--look-at needs a point"},
      {"--show bones", "--show needs surface or pills"},
      {"--ground low", "--ground needs a height"},
      {"--run rods", "none of them rods; choose one by --run NAME"},
      {"--threads 3", "render does not take --threads"},
  };
  run_bars("");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char words[256];
    snprintf(words, sizeof words, "render @/o/bars.h5 %s", cases[i].words);
    expect(words, 2, cases[i].complaint);
    ck_assert_str_eq(output, "");
    ck_assert_ptr_eq(strchr(error_output, '\n'), error_output + strlen(error_output) - 1);
  }
  expect("render @/o/bars-bars.h5 --run bars", 2, "is the file of one run");
  expect("render @/o/none.h5", 2, "none.h5");
  expect("render @/o/bars.h5 --size 30x30 --plain --out /nonexistent/a.png", 5,
         "/nonexistent/a.png");
  run_bars("--set bare=true");
  expect("render @/o/bare=true/bars.h5", 2, "has no frames");
}
END_TEST

/// A ball on a bar's end, meshed by the suite, moves with the bar.
static const char SKIN[] =
    "return { title = 'Skin', parameters = { pills = true }, build = function(p)\n"
    "  local s = vb.scene{ step = 0.01, steps = 2 }\n"
    "  local bar = s:rod{ nodes = 2, from = {0, 0, 0}, to = {1, 0, 0}, radius = 0.2, density = "
    "1000,\n"
    "    material = { E = 1e5, nu = 0.3 }, velocity = {0, 0, 3} }\n"
    "  local pills = {{0, 0, 0, 0.2, 1, 0, 0, 0.2}}\n"
    "  if not p.pills then pills = {{0, 0, 0, 0.2, 1, 0, 0}} end\n"
    "  local m = vb.pill_surface{ pills = pills, faces = 2000, blend = 0.1 }\n"
    "  assert(#m.tetrahedra == 0 and math.abs(#m.triangles / 2000 - 1) < 0.03)\n"
    "  assert(s:surface{ vertices = m.vertices, triangles = m.triangles } == 0)\n"
    "  s:record{ every = 1, frames = 1, fields = { 'vertices', 'position', 'scale' } }\n"
    "  return s\n"
    "end }\n";

START_TEST(surfaces_are_made_and_described) {
  double time, volume;
  size_t within, between;
  write_file("scenarios/skin.lua", SKIN);
  expect("run skin --quiet --out @/o", 0, "");
  expect("surface @/o/skin.h5 --run skin", 0, "");
  ck_assert_ptr_nonnull(
      strstr(output, " 1 parts, Euler characteristic 2, 0 edges of one triangle, 0 of"));
  const char *line = strstr(output, "\n0.02 ");
  ck_assert_msg(line && sscanf(line, "%lf %lf %zu %zu", &time, &volume, &within, &between) == 4,
                "%s", output);
  // The capsule's, less what chords cut off: less than edge^2 / 8 / r deep, for equal triangles.
  double exact = M_PI * 0.04 + 4.0 / 3 * M_PI * 0.008, area = 0.4 * M_PI + 0.16 * M_PI;
  double edge2 = 4 / sqrt(3) * area / 2000;
  ck_assert_double_lt(volume, exact);
  ck_assert_double_gt(volume, exact - area * edge2 / 8 / 0.2);
  ck_assert_uint_eq(within + between, 0);
  expect("render @/o/skin.h5 --size 60x60 --plain --out @/o/a.png", 0, "");
  expect("run skin --quiet --out @/o --set pills=false", 2,
         "element 1 must be a list of 8 numbers");
  run_bars("");
  expect("surface @/o/bars.h5 --run bars", 2, "topology/triangle");
  expect("surface @/o/skin.h5", 2, "name one of its runs");
}
END_TEST

static TCase *make_tests(void) {
  TCase *tests = tcase_create("render");
  tcase_set_timeout(tests, 120);
  tcase_add_checked_fixture(tests, set_up, remove_home);
  tcase_add_test(tests, capsules_are_read_with_their_values);
  tcase_add_test(tests, surfaces_are_read_with_values_of_their_capsules);
  tcase_add_test(tests, bones_are_drawn_whatever_surface_is_near);
  tcase_add_test(tests, solids_are_read_with_their_sides);
  tcase_add_test(tests, bones_are_read);
  tcase_add_test(tests, pictures_are_reproducible);
  tcase_add_test(tests, sequences_are_numbered);
  tcase_add_test(tests, frames_are_joined_to_a_movie);
  tcase_add_test(tests, frames_drawn_side_by_side_are_reproducible);
  tcase_add_test(tests, surfaces_are_made_and_described);
  tcase_add_test(tests, wrong_usage_is_reported_in_one_sentence);
  return tests;
}

VB_TEST_MAIN("cli_render", make_tests())
