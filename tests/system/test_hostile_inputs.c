// SPDX-License-Identifier: GPL-3.0-or-later
// Scripts, meshes, link files, figures and replies of plug-ins that nobody should write: each is
// refused with one sentence, soon, and nothing of it gets through. They are in hostile/*.txt, as
// support/bad_cases.h describes.
// Covers: src/mesh/obj.c src/mesh/ply.c src/mesh/stl.c src/mesh/link_file.c src/mesh/mesh_text.*
#include "bad_cases.h"
#include "python_fixture.h"

#include <time.h>

/// A scene and a rod, on two lines.
#define ROD                                                                                        \
  "local s = vb.scene{ step = 0.01, steps = 2 }\n"                                                 \
  "local r = s:rod{ nodes = 3, from = {0, 0, 0}, to = {0, 0, 1}, radius = 0.1, density = 1000, "   \
  "material = {E = 1e5, nu = 0.3} }\n"
#define SCRIPT(body) "return { title = 't', build = function(p)\n" body "\nend }\n"
#define RUN          "run a --out @/o --quiet"

static const case_word WORDS[] = {{"ROD", ROD},
                                  {"ESC", "\x1b"},
                                  {"BEL", "\x07"},
                                  {"CHUNK", "\x1bLua"},
                                  {"XYZ", "property float x\nproperty float y\nproperty float z"},
                                  {0}};

static const case_frame FRAMES[] = {
    {"obj", "@\n", "a.obj", "pills @/a.obj"},
    {"ply", "@\n", "a.ply", "pills @/a.ply"},
    {"stl", "@\n", "a.stl", "pills @/a.stl"},
    {"msh", "@\n", "a.msh", "viperize @/a.msh --source box:0,0,0,1,1,1 --sink box:0,0,0,1,1,1"},
    {"links", "elbow hinge second first 0.6 0.2 0.2  0 1 0\n@\n", "scenarios/meshes/a.joint", RUN},
    {"build", SCRIPT("@"), "scenarios/a.lua", RUN},
    {"script", "@\n", "scenarios/a.lua", RUN},
    {"plugin", "@\n", "a.py", RUN " --solver @/a.py"},
    {"solver",
     "import numpy as np, viperbench\nclass Mine(viperbench.Solver):\n    'a solver'\n@\n", "a.py",
     RUN " --solver @/a.py"},
    {0}};

static bad_cases inputs;

/// The script that reads the file of an input, where that is none.
static void write_script(const char *file) {
  if (strstr(file, ".joint"))
    write_file("scenarios/a.lua", SCRIPT("vb.read_links{ file = 'a.joint', bones = {} }"));
  if (strstr(file, ".py"))
    write_file("scenarios/a.lua", SCRIPT(ROD "s:record{ every = 1, frames = 1 } return s"));
}

static void set_up(void) {
  char path[128];
  make_home();
  snprintf(path, sizeof path, "%s/scenarios/meshes", folder);
  ck_assert_int_eq(mkdir(path, 0777), 0);
}

START_TEST(is_refused_in_one_sentence) {
  const bad_case *input = &inputs.list[_i];
  const case_frame *frame = input->frame;
  struct timespec begun, ended;
  if (strstr(frame->file, ".py") && !has_python("numpy"))
    return;
  write_script(frame->file);
  write_file(frame->file, input->text);
  clock_gettime(CLOCK_MONOTONIC, &begun);
  expect(frame->command, 2, input->message);
  clock_gettime(CLOCK_MONOTONIC, &ended);
  ck_assert_int_lt(ended.tv_sec - begun.tv_sec, 30); // a script may take its second; all is busy
  size_t length = strlen(error_output);
  ck_assert_msg(length > 20 && strchr(error_output, '\n') == error_output + length - 1, "%s",
                error_output);
  ck_assert_ptr_eq(strpbrk(error_output, "\x1b\x07\x08\r"), NULL);
  ck_assert(!exists("o/a.h5"));
}
END_TEST

static TCase *hostile_inputs(void) {
  TCase *tests = tcase_create("hostile inputs");
  tcase_set_timeout(tests, 60);
  tcase_add_checked_fixture(tests, set_up, remove_home);
  inputs = find_cases("tests/system/hostile/*.txt", FRAMES, WORDS);
  tcase_add_loop_test(tests, is_refused_in_one_sentence, 0, (int)inputs.n);
  return tests;
}

VB_TEST_MAIN("hostile inputs", hostile_inputs())
