// SPDX-License-Identifier: GPL-3.0-or-later
/// Solvers in Python: the template's, each fault of plugins/faulty.py by name, which interpreter is
/// taken, and what a step through the bridge costs.
/// Covers: src/python/template/*.py src/python/viperbench/*.py src/solver/plugin/interpreter.*
#include "python_fixture.h"

#include <ctype.h>

/// A chain of p.n nodes that hangs from its first and falls for 12 steps.
static const char SCENARIO[] =
    "local function build(p)\n"
    "  local s = vb.scene{ step = 1 / 60, steps = 12, gravity = { 0, 0, -9.81 } }\n"
    "  local rod = s:rod{ nodes = p.n, from = { 0, 0, 0 }, to = { 0, 0, -1 }, radius = 0.01,\n"
    "    density = 1000, material = { E = 1e5, nu = 0 } }\n"
    "  s:pin{ node = rod.first, components = 'xyz' }\n"
    "  s:pin{ segment = rod.first_segment }\n" // which points do not have
    "  s:gate{ name = 'holds', quantity = 'frames/position', node = rod.first, component = 'z',\n"
    "    measure = 'maximum_abs', at_most = 0, reason = 'pinned' }\n"
    "  s:record{ every = 2, frames = 4, fields = { 'position', 'velocity' } }\n"
    "  s:gate{ name = 'falls', quantity = 'frames/position', node = rod.last, component = 'z',\n"
    "    measure = 'final', at_most = -1, reason = 'its weight pulls it down' }\n"
    "  return s\n"
    "end\n"
    "return { title = 'A chain', parameters = { n = 5, more = false }, build = build,\n"
    "  runs = function(p)\n"
    "    local all = { { name = 'small' }, { name = 'large', parameters = { n = 9 } },\n"
    "      { name = 'last', parameters = { n = 3 } } }\n"
    "    return p.more and all or { all[1] }\n"
    "  end }\n";

static char root[PATH_MAX];

static void set_up(void) {
  char path[PATH_MAX + 32], link[128];
  make_home();
  write_file("scenarios/chain.lua", SCENARIO);
  unsetenv("VB_FAULT");
  unsetenv("VIRTUAL_ENV");
  ck_assert_ptr_nonnull(getcwd(root, sizeof root));
  snprintf(path, sizeof path, "%s/src/python/template", root);
  setenv("VB_TEMPLATE", path, 1);
  // By names without blanks, whatever folder the tests lie in.
  snprintf(link, sizeof link, "%s/mine", folder);
  ck_assert_int_eq(symlink(path, link), 0);
  snprintf(path, sizeof path, "%s/tests/plugins", root);
  snprintf(link, sizeof link, "%s/plugins", folder);
  ck_assert_int_eq(symlink(path, link), 0);
}

typedef struct fault_case {
  const char *fault;
  int code;
  const char *complaint;
} fault_case;

static void expect_fault(const char *solver, const fault_case *c) {
  char words[256];
  setenv("VB_FAULT", c->fault, 1);
  snprintf(words, sizeof words,
           "run chain --quiet --fresh --option time_limit=2 --out @/out --solver %s", solver);
  expect(words, c->code, c->complaint);
  unsetenv("VB_FAULT");
}

/// Each with the line where there is one.
static const fault_case FAULTS[] = {
    {"import raises", 2, "faulty.py:18: KeyError: 'no key'"},
    {"two classes", 2, "has 2 classes of viperbench.Solver; name one, as in mine.py:Faulty"},
    {"no class", 2, "has no classes of viperbench.Solver; it must define one"},
    {"unknown term", 2, "energy 'strech' has no known meaning"},
    {"unknown feature", 2, "a scene has no feature 'magic'; there are solid, frame_inertia"},
    {"create refuses", 3, "faulty.py:34: this rod is not for me"},
    {"step raises", 1, "faulty.py:49: IndexError: list index out of range"},
    {"step raises below", 1, "faulty.py:51: LinAlgError: Singular matrix"},
    {"step exits", 1, "faulty.py:53: SystemExit: 7"},
    {"step leaves", 1, "step ended its process, with exit code 7"},
    {"step crashes", 1, "step crashed (Segmentation fault at address 0x10)"},
    {"step hangs", 1, "step did not return within 2 s (option time_limit)"},
    {"step recurses", 1, "RecursionError: maximum recursion depth exceeded"},
    {"step diverges", 1, "diverged: the springs broke"},
    {"step writes to the scene", 1,
     "faulty.py:72: ValueError: assignment destination is read-only"},
    {"step gives NaN", 1, "energies gave nan for stretch after step 6, though sync reported no"},
    {"read gives NaN", 1,
     "read gave nan for element 4, component 2 of field velocity (15 numbers) after"},
    {"read lacks", 1, "read gave no field velocity"},
    {"read is short", 1, "read gave field velocity of shape (4, 3), not (5, 3)"},
    {"read gives a list", 1, "read gave list, not a dict"},
    {"read gives words", 1, "ValueError: could not convert string to float: 'fast'"},
    {"read gives complex numbers", 1,
     "read gave field velocity of complex numbers (complex128); it should give real numbers"},
    {"read gives objects", 1, "read gave field velocity of objects (object); it should"},
    {"read gives half precision", 1, "velocity of numbers of half precision (float16); it should"},
    {"read gives single precision", 0, ""},
    {"work is complex", 1, "work gave an array of complex numbers (complex128); it should"},
    {"convergence is a word", 1, "faulty.py: TypeError: 'str' object cannot"},
    {"work is long", 1, "work gave 7 numbers, not 1"},
};

START_TEST(reports_the_line_or_the_fault) {
  if (has_python("numpy"))
    expect_fault("@/plugins/faulty.py", &FAULTS[_i]);
}
END_TEST

/// What a process of at most 1 GB of memory and 1 s of processor time says when it needs more.
static const fault_case LIMITS[] = {
    {"step computes for ever", 1,
     "step took more than the 1 s of processor time that its process may have (option cpu_limit)"},
    {"step opens files", 1,
     "OSError: [Errno 24] Too many open files: '/dev/null'; its process may "
     "have 1024 open"},
#ifndef __SANITIZE_ADDRESS__ // whose own memory is beyond any limit
    {"step takes memory", 1, "faulty.py:63: "},
    {"step takes memory", 1, "its process may have 1 GB (option memory_limit)"},
#endif
};

START_TEST(a_process_has_limits) {
  char words[256];
  if (!has_python("numpy"))
    return;
  setenv("VB_FAULT", LIMITS[_i].fault, 1);
  snprintf(words, sizeof words,
           "run chain --quiet --fresh --option memory_limit=1 --option cpu_limit=1 --out @/out "
           "--solver @/plugins/faulty.py");
  expect(words, LIMITS[_i].code, LIMITS[_i].complaint);
  unsetenv("VB_FAULT");
}
END_TEST

START_TEST(what_it_prints_is_cleaned) {
  static const fault_case PRINTS = {"step prints", 0, "a?[2Jb??c\nd?e?\n"};
  if (has_python("numpy"))
    expect_fault("@/plugins/faulty.py", &PRINTS);
}
END_TEST

/// What only an examination shows.
static const fault_case HIDDEN[] = {
    {"save forgets", 1, "restore does not bring back what was saved: number 1 of the energies"},
    {"read changes", 1, "asking changes something"},
    {"", 0, ""},
};

START_TEST(examination_finds_what_calls_hide) {
  if (has_python("numpy"))
    expect_fault("check:@/plugins/faulty.py:Faulty", &HIDDEN[_i]);
}
END_TEST

START_TEST(other_runs_go_on) {
  const fault_case crash = {"step crashes in large scenes", 1, "chain, run large: solver "};
  if (!has_python("numpy"))
    return;
  expect_fault("@/plugins/faulty.py --set more=true", &crash);
  ck_assert(exists("out/chain-small.h5") && exists("out/chain-last.h5"));
  ck_assert(!exists("out/chain-large.h5") && exists("out/chain-large.h5.part"));
}
END_TEST

START_TEST(convergence_is_recorded) {
  if (!has_python("numpy"))
    return;
  expect("run chain --quiet --fresh --out @/out --solver @/plugins/faulty.py:Faulty", 0, "");
  expect("info @/out/chain-small.h5", 0, "");
  ck_assert_msg(strstr(output, "status complete, 12 steps, ") != NULL, "%s", output);
  ck_assert_msg(strstr(output, "converged: no; steps that missed the tolerance: 6, greatest "
                               "residual 0.5\n") != NULL,
                "%s", output);
  expect("info @/out/chain-small.h5 --json", 2, "info of a results file takes neither --csv");
  expect("info @/out/chain.h5", 2, "chain.h5 is not the results file of a run");
  expect("info @/out/nothing.h5", 2, "nothing.h5");
}
END_TEST

START_TEST(interpreters_are_found_or_missed) {
  char bare[PATH_MAX];
  if (!has_python("numpy"))
    return;
  const char *run = "run chain --quiet --fresh --out @/out --solver @/mine/mass_spring.py";
  setenv("VIPERBENCH_PYTHON", "/nowhere/python3", 1);
  expect(run, 3, "VIPERBENCH_PYTHON names /nowhere/python3, which cannot be run: No such file");
  setenv("VIPERBENCH_PYTHON", "no-such-python", 1);
  expect(run, 3, "needs no-such-python, which cannot be started: No such file");
  // An interpreter without numpy: Debian's, with its own modules alone.
  write_file("bare", "#!/bin/sh\nexec " PYTHON " -I -S \"$@\"\n");
  snprintf(bare, sizeof bare, "%s/bare", folder);
  ck_assert_int_eq(chmod(bare, 0755), 0);
  setenv("VIPERBENCH_PYTHON", bare, 1);
  expect(run, 3, " has no numpy; install it there, or name another python3 in VIPERBENCH_PYTHON");
  // The virtual environment in use comes before PATH.
  snprintf(bare, sizeof bare, "mkdir -p %s/venv/bin && cp %s/bare %s/venv/bin/python3", folder,
           folder, folder);
  ck_assert_int_eq(system(bare), 0);
  snprintf(bare, sizeof bare, "%s/venv", folder);
  unsetenv("VIPERBENCH_PYTHON");
  setenv("VIRTUAL_ENV", bare, 1);
  expect(run, 3, " has no numpy");
  setenv("VIPERBENCH_PYTHON", PYTHON, 1);
  expect(run, 0, "");
}
END_TEST

START_TEST(bad_names_are_bad_input) {
  static const fault_case CASES[] = {
      {"./nowhere.py", 2, "solver ./nowhere.py: No such file or directory"},
      {"@/mine/mass_spring.py:Nobody", 2,
       "has no class Nobody of viperbench.Solver; it has MassSpring"},
      {"@/broken.py", 2, "broken.py:2: SyntaxError: "},
  };
  char words[256];
  if (!has_python("numpy"))
    return;
  write_file("broken.py", "import viperbench\nclass :\n");
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    snprintf(words, sizeof words, "run chain --quiet --out @/out --solver %s", CASES[i].fault);
    expect(words, CASES[i].code, CASES[i].complaint);
  }
}
END_TEST

/// Lines of the template's solver that are neither blank nor a comment.
static int count_lines(void) {
  char text[8192];
  int n = 0;
  read_file("mine/mass_spring.py", text, sizeof text);
  for (const char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
    while (isspace((unsigned char)*line))
      line++;
    n += *line && *line != '#';
  }
  return n;
}

START_TEST(template_passes_its_gates) {
  if (!has_python("numpy"))
    return;
  ck_assert_int_le(count_lines(), 40);
  expect(
      "run src/solver/template/hanging_chain.lua --out @/out --solver check:@/mine/mass_spring.py",
      0, "");
  ck_assert_msg(strstr(output, "2 of 2 gates passed") != NULL, "%s", output);
  // It has no scales: rods are drawn with their radii at rest.
  expect("render @/out/hanging_chain.h5 --size 64x64 --out @/chain.png", 0, "");
  expect("outline @/out/hanging_chain-hanging_chain.h5", 0, "");
}
END_TEST

/// The median wall time of a step and its sync, s, of the bridge's scene of 1000 nodes.
static double time_step(const char *solver) {
  char words[256];
  snprintf(words, sizeof words, "run idle --fresh --quiet --out @/out --solver %s", solver);
  expect(words, 0, "");
  snprintf(words, sizeof words,
           PYTHON " -c \"import h5py; print(h5py.File('%s/out/idle-idle.h5')"
                  "['timing/summary/median'][()])\"",
           folder);
  FILE *told = popen(words, "r");
  double seconds = -1;
  ck_assert(told && fscanf(told, "%lf", &seconds) == 1);
  pclose(told);
  return seconds;
}

START_TEST(a_step_costs_little_more_than_in_c) {
  // Of a median of 2000: ten times what it takes on a quiet machine, and the study's limit.
  const double MOST_S = 0.2e-3;
  if (!has_python("numpy, h5py"))
    return;
  write_file("scenarios/idle.lua",
             "return { title = 'x', build = function()\n"
             "  local s = vb.scene{ step = 1 / 60, steps = 2000 }\n"
             "  local rod = s:rod{ nodes = 1000, from = { 0, 0, 0 }, to = { 0, 0, -1 },\n"
             "    radius = 0.01, density = 1000, material = { E = 1e5, nu = 0 } }\n"
             "  s:pin{ node = rod.first }\n"
             "  s:record{ every = 1, frames = 2000, fields = { 'position' } }\n"
             "  return s\nend }\n");
  write_file("idle.py", "import viperbench\n\n\nclass Idle(viperbench.Solver):\n"
                        "    \"\"\"does nothing\"\"\"\n    state = ('x',)\n\n"
                        "    def create(self):\n"
                        "        self.x = self.scene.nodes['position'].copy()\n\n"
                        "    def step(self):\n        pass\n\n"
                        "    def read(self):\n        return {'position': self.x}\n");
  double python = time_step("@/idle.py");
  ck_assert_msg(python > 0 && python < MOST_S, "a step through the bridge takes %g ms",
                1e3 * python);
}
END_TEST

static TCase *faults(void) {
  TCase *t = tcase_create("faults");
  tcase_set_timeout(t, 60);
  tcase_add_checked_fixture(t, set_up, remove_home);
  tcase_add_test(t, what_it_prints_is_cleaned);
  tcase_add_loop_test(t, a_process_has_limits, 0, sizeof LIMITS / sizeof *LIMITS);
  tcase_add_loop_test(t, reports_the_line_or_the_fault, 0, sizeof FAULTS / sizeof *FAULTS);
  tcase_add_loop_test(t, examination_finds_what_calls_hide, 0, sizeof HIDDEN / sizeof *HIDDEN);
  tcase_add_test(t, other_runs_go_on);
  return t;
}

static TCase *use(void) {
  TCase *t = tcase_create("use");
  tcase_set_timeout(t, 60);
  tcase_add_checked_fixture(t, set_up, remove_home);
  tcase_add_test(t, convergence_is_recorded);
  tcase_add_test(t, interpreters_are_found_or_missed);
  tcase_add_test(t, bad_names_are_bad_input);
  tcase_add_test(t, template_passes_its_gates);
  tcase_add_test(t, a_step_costs_little_more_than_in_c);
  return t;
}

VB_TEST_MAIN("python_solver", faults(), use())
