// SPDX-License-Identifier: GPL-3.0-or-later
// Scripts, meshes, link files, figures and replies of plug-ins that nobody should write: each is
// refused with one sentence, soon, and nothing of it gets through.
// Covers: src/mesh/obj.c src/mesh/ply.c src/mesh/stl.c src/mesh/link_file.c src/mesh/mesh_text.*
#include "python_fixture.h"

#include <time.h>

/// A file, and what a command says of it.
typedef struct hostile {
  const char *name, *content, *words;
  int code;
  const char *complaint;
} hostile;

#define SCRIPT(body) "return { title = 't', build = function(p)\n" body "\nend }\n"
#define ROD                                                                                        \
  "local s = vb.scene{ step = 0.01, steps = 2 }\n"                                                 \
  "local r = s:rod{ nodes = 3, from = {0, 0, 0}, to = {0, 0, 1}, radius = 0.1, density = 1000, "   \
  "material = {E = 1e5,"                                                                           \
  " nu = 0.3} }\n"
#define LINKS(line) "elbow hinge second first 0.6 0.2 0.2  0 1 0\n" line "\n"
#define READ_LINKS  SCRIPT("vb.read_links{ file = 'a.joint', bones = {} }")
#define SOLVER(body)                                                                               \
  "import numpy as np, viperbench\nclass Mine(viperbench.Solver):\n"                               \
  "    'a solver'\n" body
#define RUN      "run a --out @/o --quiet"
#define PILLS(x) "pills @/a." x
#define PLY(format, count, rest)                                                                   \
  "ply\nformat " format " 1.0\nelement vertex " count                                              \
  "\nproperty float x\nproperty float y\nproperty float z\n" rest

static const hostile INPUTS[] = {
    // Meshes.
    {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9223372036854775808\n", PILLS("obj"), 2,
     "a.obj:4: "},
    {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 -9223372036854775808\n", PILLS("obj"), 2,
     "a.obj:4: "},
    {"a.obj", "v 0 0\n", PILLS("obj"), 2, "a.obj:1: z is missing"},
    {"a.obj", "v nan 0 0\n", PILLS("obj"), 2, "a.obj:1: "},
    {"a.obj", "v 0x1p9999 0 0\n", PILLS("obj"), 2, "a.obj:1: "},
    {"a.obj", "v \x1b[2J 0 0\n", PILLS("obj"), 2, "a.obj:1: x: \"?[2J"},
    {"a.obj", "v 0 0 0\nv 0 0 0\nv 0 0 0\nf 1 2 3\nf 3 2 1\n", PILLS("obj"), 2, "a.obj: "},
    {"a.obj", "v 1e15 0 0\nv -1e15 1 0\nv 0 1e15 0\nv 0 0 1.1e15\n", PILLS("obj"), 2, "a.obj:4: "},
    {"a.ply", PLY("ascii", "-1", "end_header\n"), PILLS("ply"), 2, "a.ply:3: "},
    {"a.ply", PLY("ascii", "18446744073709551616", "end_header\n"), PILLS("ply"), 2, "a.ply:3: "},
    {"a.ply", PLY("middle_endian", "1", "end_header\n0 0 0\n"), PILLS("ply"), 2, "a.ply:7: "},
    {"a.ply", PLY("binary_little_endian", "1000000000", "end_header\n"), PILLS("ply"), 2, "a.ply"},
    {"a.ply",
     PLY("ascii", "1",
         "element face 1\nproperty list double int vertex_indices\n"
         "end_header\n0 0 0\n1e300 0 0 0\n"),
     PILLS("ply"), 2, "a.ply:8: the length of a list is of type double; it should be whole"},
    {"a.ply",
     PLY("ascii", "1",
         "element face 1\nproperty list char int vertex_indices\n"
         "end_header\n0 0 0\n3 0 0 2147483647\n"),
     PILLS("ply"), 2, "a.ply:11: a face has vertex 2147483647"},
    {"a.stl", "solid a\nfacet\nvertex 0 0 0\nvertex 1 0 0\nendfacet\n", PILLS("stl"), 2,
     "a.stl:5: a facet of 2 vertices ends here"},
    {"a.stl", "solid a\nfacet\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n", PILLS("stl"), 2,
     "the file ends inside a facet"},
    {"a.msh", "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 9000000000000000000 1 2\n",
     "viperize @/a.msh --source box:0,0,0,1,1,1 --sink box:0,0,0,1,1,1", 2, "a.msh:5: "},
    // Link files.
    {"scenarios/meshes/a.joint", LINKS("elbow hinge second first 0 0 0  0 0 0"), RUN, 2,
     "a.joint:2"},
    {"scenarios/meshes/a.joint", LINKS("knee hinge first first 0 0 0  0 1 0"), RUN, 2, "a.joint:2"},
    {"scenarios/meshes/a.joint", LINKS("knee spring second first 0 0 0"), RUN, 2, "a.joint:2"},
    {"scenarios/meshes/a.joint", LINKS("knee ball second first 0 0 inf"), RUN, 2, "a.joint:2"},
    {"scenarios/meshes/a.joint", LINKS("knee ball \x1b]0;x\x07 first 0 0 0 0"), RUN, 2,
     "a.joint:2"},
    // Scripts.
    {"scenarios/a.lua", SCRIPT(ROD "s:pin{ nodes = { [1] = r.first, [2^53] = r.last } } return s"),
     RUN, 2, "a.lua:4: "},
    {"scenarios/a.lua", SCRIPT(ROD "s:load{ node = -1, force = {1, 0, 0} } return s"), RUN, 2,
     "a.lua:4: "},
    {"scenarios/a.lua", SCRIPT(ROD "s:load{ node = r.last, force = {1, nil, 0} } return s"), RUN, 2,
     "a.lua:4: "},
    {"scenarios/a.lua", SCRIPT(ROD "s:record{ every = -5, frames = 2 } return s"), RUN, 2, "a.lua"},
    {"scenarios/a.lua",
     SCRIPT("return setmetatable({}, { __index = function(t, k) return t[k] end })"), RUN, 2,
     "a.lua"},
    {"scenarios/a.lua",
     SCRIPT("local t = setmetatable({}, { __gc = function() while true do end end })"), RUN, 2,
     "a.lua"},
    {"scenarios/a.lua", SCRIPT("return vb.read_mesh{ file = '../../../etc/passwd' }"), RUN, 2,
     "a.lua:2: "},
    {"scenarios/a.lua",
     SCRIPT("error(setmetatable({}, { __tostring = function() error('\\27[2J') end }))"), RUN, 2,
     "a.lua"},
    {"scenarios/a.lua", "\x1bLua", RUN, 2, "a.lua"},
    // Figures.
    {"scenarios/a.lua",
     "return { title = 't', figure = '../../etc/passwd', build = function(p)\n" ROD
     "return s end }\n",
     RUN, 2, "a.lua"},
    {"scenarios/a.lua",
     "return { title = 't', figure = '`id`', build = function(p)\n" ROD "return s end }\n", RUN, 2,
     "a.lua"},
    // Replies of plug-ins.
    {"a.py",
     SOLVER("    name = '\\x1b[2J'\n    def create(self):\n        raise ValueError('\\x1b[2J')\n"),
     RUN " --solver @/a.py", 2, "its name is not one of 1 to 40 letters"},
    {"a.py", SOLVER("    fields = {'position': ('node', 2**70)}\n"), RUN " --solver @/a.py", 2,
     "field 'position' is ('node', 1180591620717411303424); it must be a viperbench.Field"},
    {"a.py", SOLVER("    terms = {'bend': 7}\n"), RUN " --solver @/a.py", 2,
     "energy 'bend' is 7; it must be a viperbench.Energy"},
    {"a.py", "raise SystemExit(0)\n", RUN " --solver @/a.py", 2, "a.py:1: SystemExit"},
};

/// The files that an input needs beside its own.
static void write_others(const hostile *input) {
  if (strstr(input->name, ".joint"))
    write_file("scenarios/a.lua", READ_LINKS);
  if (strstr(input->name, ".py"))
    write_file("scenarios/a.lua", SCRIPT(ROD "s:record{ every = 1, frames = 1 } return s"));
}

static void set_up(void) {
  char path[128];
  make_home();
  snprintf(path, sizeof path, "%s/scenarios/meshes", folder);
  ck_assert_int_eq(mkdir(path, 0777), 0);
}

START_TEST(is_refused_in_one_sentence) {
  const hostile *input = &INPUTS[_i];
  struct timespec begun, ended;
  if (strstr(input->name, ".py") && !has_python("numpy"))
    return;
  write_others(input);
  write_file(input->name, input->content);
  clock_gettime(CLOCK_MONOTONIC, &begun);
  expect(input->words, input->code, input->complaint);
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
  tcase_add_loop_test(tests, is_refused_in_one_sentence, 0, sizeof INPUTS / sizeof *INPUTS);
  return tests;
}

VB_TEST_MAIN("hostile inputs", hostile_inputs())
