// SPDX-License-Identifier: GPL-3.0-or-later
/// Plug-in solvers: the template's examples, each fault of plugins/faulty.c by name, and what is
/// recorded. The program is run as its users run it.
/// Covers: src/solver/plugin/*.[ch] src/solver/template/*
#include "cli_fixture.h"

#include <hdf5.h>
#include <limits.h>

/// Where the plug-ins of tests were built.
static char plugins[PATH_MAX];

/// A chain of p.n nodes that hangs from its first and falls for 12 steps.
static const char SCENARIO[] =
    "local function build(p)\n"
    "  local s = vb.scene{ step = 1 / 60, steps = 12, gravity = { 0, 0, -9.81 } }\n"
    "  local rod = s:rod{ nodes = p.n, from = { 0, 0, 0 }, to = { 0, 0, -1 }, radius = 0.01,\n"
    "    density = 1000, material = { E = 1e5, nu = 0 } }\n"
    "  s:pin{ node = rod.first, components = 'xyz' }\n"
    "  s:load{ node = rod.last, force = { 0.01, 0, 0 }, name = 'wind' }\n"
    "  s:record{ every = 2, frames = 4 }\n"
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

static void set_up(void) {
  char link[128];
  make_home();
  write_file("scenarios/chain.lua", SCENARIO);
  unsetenv("VB_FAULT");
  ssize_t n = readlink("/proc/self/exe", plugins, sizeof plugins - 32);
  ck_assert_int_gt(n, 0);
  plugins[n] = '\0';
  strcpy(strrchr(plugins, '/'), "/plugins");
  // By a name without blanks, whatever folder the tests lie in.
  snprintf(link, sizeof link, "%s/plugins", folder);
  ck_assert_int_eq(symlink(plugins, link), 0);
  strcpy(plugins, link);
}

static void tear_down(void) {
  remove_home();
}

/// Whether the plug-ins are here: they are built where there is a compiler.
static bool have_plugins(void) {
  char path[PATH_MAX + 32];
  snprintf(path, sizeof path, "%s/faulty.so", plugins);
  if (access(path, R_OK) == 0)
    return true;
  vb_skip("plugins", "the plug-ins of the tests were not built");
  return false;
}

/// Runs the chain with the faulty plug-in; `how` stands before its path.
static void expect_fault(const char *how, const char *fault, int code, const char *complaint) {
  char words[PATH_MAX + 256];
  setenv("VB_FAULT", fault, 1);
  snprintf(words, sizeof words,
           "run chain --quiet --fresh --option time_limit=1 --out @/out %s%s/faulty.so", how,
           plugins);
  expect(words, code, complaint);
  unsetenv("VB_FAULT");
}

typedef struct fault_case {
  const char *fault;
  int code;
  const char *complaint;
} fault_case;

/// What a single call shows, or the loading.
static const fault_case FAULTS[] = {
    {"version", 2, "is built for version 2 of the solver interface"},
    {"scene version", 2, "is built for version 99 of scenes"},
    {"missing functions", 2, "lacks the functions step, read"},
    {"no describe", 2, "lacks the function describe"},
    {"no solver", 2, "returns null from vb_plugin"},
    {"describe null", 2, "returns null from describe"},
    {"describe crashes", 2, "describe crashed (Segmentation fault at address 0x10)"},
    {"crash when opened", 2, "dlopen crashed (Segmentation fault at address 0x10)"},
    {"exit when opened", 2, "dlopen ended its process, with exit code 7"},
    {"option is the host's", 2, "option time_limit is the host's"},
    {"default is not allowed", 2, "its default: option word: \"c\" is none of a|b"},
    {"field twice", 2, "field position is in its description twice"},
    {"field without unit", 2, "field velocity has no unit"},
    {"field name with a slash", 2, "the name of field 1 of its description"},
    {"field nowhere", 2, "field velocity is at location 99"},
    {"create refuses", 3, "this rod is not for me"},
    {"create says nothing", 2, "create failed without a message"},
    {"create crashes", 1, "create crashed (Segmentation fault at address 0x10)"},
    {"create writes and fails", 1, "create failed, and yet wrote to its output"},
    {"create writes nothing", 1, "create succeeded, and yet wrote no instance"},
    {"get_option never ends", 1, "get_option wrote no terminated text for option substeps"},
    {"get_option writes too much", 1, "get_option touched memory beyond the end of the value"},
    {"step crashes", 1, "step crashed (Segmentation fault at address 0x10)"},
    {"step aborts", 1, "step crashed (Aborted)"},
    {"step exits", 1, "step ended its process, with exit code 3"},
    {"step overflows the stack", 1, "step crashed (Segmentation fault at address"},
    {"step is killed", 1, "its process was ended in step by signal 9 (Killed)"},
    {"step writes to the scene", 1, "step wrote to the scene, which is not its own"},
    {"step fails", 1, "step failed with status 1: the spring is broken"},
    {"step makes up a status", 1, "step returned 42, which is not a vb_status"},
    {"step truncates the shared memory", 0, ""},
    {"step sends a byte", 1, " sent the program an invalid answer (1 byte, the first is 0x21)"},
    {"step sends much", 1, " sent the program an invalid answer (1000 bytes, the first is 0x3f)"},
    {"step sends nothing", 1, " closed the socket between its process and the program"},
    {"step makes up an answer", 1,
     "its process answered with an invalid vb_status (77), and was ended"},
    {"step answers without a reason", 1, "its process failed without a message"},
    {"step answers without an end", 1, "xxxxxxxx"},
    {"step tells of less memory", 1, "with more or less shared memory than there is (4097)"},
    {"step tells of more memory", 1,
     "with more or less shared memory than there is (9223372036854775807)"},
    {"sync is unsure", 1, "sync wrote 77 for whether it diverged"},
    {"sync writes too much", 1, "beyond the end of the divergence"},
    {"read gives NaN", 1,
     "read gave nan for element 1, component 1 of field position (15 numbers) after step 6"},
    {"read is short", 1, "read did not write all of field position (15 numbers): number 14"},
    {"read writes beyond the end", 1, "read wrote beyond the end of field position"},
    {"read writes far beyond the end", 1, "read touched memory beyond the end of field position"},
    {"read writes before the begin", 1, "read wrote before the begin of field position"},
    {"read writes far before the begin", 1, "read touched memory before the begin of field posi"},
    {"read fails and writes", 1, "read failed, and yet wrote to field position"},
    {"energies give infinity", 1, "energies gave inf for kinetic after step 6"},
    {"work is not written", 1, "work did not write all of the works (2 numbers): number 0"},
    {"reactions write beyond the end", 1, "reactions touched memory beyond the end of the torque"},
    {"convergence misses more than there are", 1, "convergence wrote 1 steps that missed, of 0"},
    {"convergence is not finite", 1, "convergence wrote the residual nan and the tolerance 1"},
    {"convergence does not end", 1, "convergence wrote a text that does not end"},
    {"convergence writes too much", 1, "convergence touched memory beyond the end of the conver"},
    {"destroy crashes", 0, "destroy crashed (Segmentation fault at address 0x10)"},
};

START_TEST(reports_the_faulting_function) {
  const fault_case *c = &FAULTS[_i];
  if (have_plugins())
    expect_fault("--solver ", c->fault, c->code, c->complaint);
}
END_TEST

/// What only an examination shows.
static const fault_case HIDDEN[] = {
    {"describe changes", 1, "describe does not give the same at any time"},
    {"create takes anything", 1, "create gave status 0, not 2 (VB_BAD_INPUT)"},
    {"instances differ", 1, "two instances with the same options differ: "},
    {"set_option takes anything", 1, "set_option of an unknown option gave status 0"},
    {"set_option needs an error", 1, "set_option crashed (Segmentation fault at address 0x0)"},
    {"set_option changes the state", 1, "options set to their own values change something"},
    {"get_option counts", 1, "get_option of an unknown option gave status 0"},
    {"step counts calls", 1, "three times step(1) is not step(3)"},
    {"state_size grows", 1, "state_size was 272 bytes and is 273"},
    {"save is short", 1, "save did not write all of the state (272 bytes)"},
    {"save forgets velocities", 1, "after step 1 it breaks"},
    {"restore writes", 1, "restore wrote to the state that it was given"},
    {"restore does nothing", 1, "restore does not bring back what was saved"},
    {"count of all", 1, "count is not 0 for field number 4"},
    {"read of anything", 1, "read of an unknown field gave status 0"},
    {"read changes the state", 1, "asking changes something"},
    {"residual begins above 0", 1, "residual is 0.5, not 0, before the first step"},
    {"convergence counts questions", 1, "asking changes something: number 0 of the convergence"},
    {"timings run back", 1, "timings of phase step go from"},
};

START_TEST(examination_finds_what_calls_hide) {
  const fault_case *c = &HIDDEN[_i];
  if (!have_plugins())
    return;
  expect_fault("--solver check:", c->fault, c->code, c->complaint);
}
END_TEST

START_TEST(hang_is_ended) {
  if (have_plugins())
    expect_fault("--solver ", "step hangs", 1,
                 "step did not return within 1 s (option time_limit)");
}
END_TEST

/// Runs the chain with a process of at most 1 GB of memory and 1 s of processor time.
static void expect_limited(const char *fault, const char *complaint) {
  char words[PATH_MAX + 256];
  setenv("VB_FAULT", fault, 1);
  snprintf(words, sizeof words,
           "run chain --quiet --fresh --option memory_limit=1 --option cpu_limit=1 --out @/out "
           "--solver %s/faulty.so",
           plugins);
  expect(words, 1, complaint);
  unsetenv("VB_FAULT");
}

START_TEST(a_process_has_limits) {
  if (!have_plugins())
    return;
  expect_limited("step computes for ever",
                 "step took more than the 1 s of processor time that its process may have (option "
                 "cpu_limit)");
#ifndef __SANITIZE_ADDRESS__ // whose own memory is beyond any limit
  expect_limited("step takes memory",
                 "step crashed (Segmentation fault at address 0x0) after it was refused memory; "
                 "its process may have 1 GB (option memory_limit)");
#endif
}
END_TEST

START_TEST(memory_corruption_ends_one_run) {
  char words[PATH_MAX + 256];
  if (!have_plugins())
    return;
  setenv("VB_FAULT", "step scribbles", 1);
  snprintf(words, sizeof words,
           "run chain --quiet --fresh --option time_limit=1 --out @/out --solver %s/faulty.so",
           plugins);
  // How it ends is chance; that it ends by itself is not.
  int code = finish(start(words));
  ck_assert_msg(code >= 0 && code <= 3, "exit code %d: %s", code, error_output);
}
END_TEST

START_TEST(other_runs_go_on) {
  if (!have_plugins())
    return;
  expect_fault("--set more=true --solver ", "step crashes in large scenes", 1,
               "chain, run large: solver ");
  ck_assert(exists("out/chain-small.h5") && exists("out/chain-last.h5"));
  ck_assert(!exists("out/chain-large.h5") && exists("out/chain-large.h5.part"));
}
END_TEST

START_TEST(recorded_data_are_kept) {
  if (!have_plugins())
    return;
  expect_fault("--solver ", "step crashes", 1, "step crashed");
  // Rows of steps 0, 2, 4 and 6, and then the crash.
  expect("table @/out/chain-small.h5.part time energy/kinetic", 0, "");
  ck_assert_msg(strstr(output, "\n0.1") != NULL, "the row of step 6 is missing: %s", output);
}
END_TEST

START_TEST(divergence_is_a_result) {
  if (!have_plugins())
    return;
  expect_fault("--solver ", "sync tells of divergence", 1,
               "chain, run small: diverged: the faulty rod was told to diverge");
  ck_assert(exists("out/chain-small.h5") && exists("out/chain.h5"));
}
END_TEST

START_TEST(reports_bad_names) {
  static const fault_case CASES[] = {
      {"./nowhere.so", 2, "solver ./nowhere.so: No such file or directory"},
      {"/tmp/", 2, "is not a file"},
      {"scenarios/rods/vibration.lua", 2, "cannot be opened: "},
      {"check:vyper", 2, "did you mean \"viper\"?"},
      {"check:", 2, "unknown solver \"\""},
      {"check:check:viper", 2, "one \"check:\" is enough"},
  };
  char words[256];
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    snprintf(words, sizeof words, "run chain --quiet --out @/out --solver %s", CASES[i].fault);
    expect(words, CASES[i].code, CASES[i].complaint);
  }
  if (!have_plugins())
    return;
  snprintf(words, sizeof words, "run chain --quiet --out @/out --solver %.200s/empty.so", plugins);
  expect(words, 2, "does not define the function vb_plugin");
  ck_assert(!exists("out/chain.h5"));
}
END_TEST

START_TEST(scripts_cannot_name_shared_objects) {
  static const char *const SCRIPTS[] = {
      "return { title = 'x', build = function()\n"
      "  local s = vb.scene{ step = 1, steps = 1 }\n"
      "  s:solver{ solver = './mine.so' }\n"
      "  return s\nend }\n",
      "return { title = 'x', runs = function()\n"
      "  return { { name = 'a', scenario = 'chain', solver = 'check:./mine.so' } }\nend }\n"};
  for (size_t i = 0; i < 2; i++) {
    write_file("scenarios/named.lua", SCRIPTS[i]);
    expect("run named --out @/out", 2, "a script cannot name a shared object or a Python file; ");
  }
}
END_TEST

/// Solvers of the program under examination, which must find nothing.
static const char *const EXAMINED[] = {
    "run chain --solver check:viper --threads 2",
    "run chain --solver check:viper --precision float --option arithmetic=fast",
    "run chain --solver check:viper --method xpbd --iterations 3",
    "run chain --solver check:viper --method block-descent --precision float",
    "run chain --solver check:viper --method jacobi-published",
    "run chain --solver check:bergou --option stiffness=matched",
    "run chain --solver check:umetani --method xpbd --option ghosts=matched",
    "run chain --solver check:umetani --option joint=scalar --option order=random",
    "run solid --solver check:neohookean --option elements=quadratic",
    "run solid --solver check:neohookean --option dynamics=static",
    "run solid --solver check:articulated",
    "run bones --solver check:articulated --option projection=published",
    "run bones --solver check:articulated --option bones=shape",
    "run bars --solver check:articulated",
    "run bars --solver check:multibody",
};

START_TEST(solvers_of_the_program_keep_their_promises) {
  char words[256];
  write_file("scenarios/solid.lua",
             "return { title = 'x', build = function()\n"
             "  local s = vb.scene{ step = 1 / 60, steps = 5, gravity = { 0, 0, -9.81 } }\n"
             "  local box = s:mesh{ mesh = vb.box{ to = { 1, 1, 2 }, cells = { 1, 1, 2 } },\n"
             "    density = 1000, material = { E = 1e5, nu = 0.3 } }\n"
             "  s:pin{ nodes = box.faces.z0, components = 'xyz' }\n"
             "  return s\nend }\n");
  write_file(
      "scenarios/bones.lua",
      "return { title = 'x', build = function()\n"
      "  local s = vb.scene{ step = 1 / 60, steps = 5, gravity = { 0, 0, -9.81 } }\n"
      "  local mesh = vb.box{ to = { 1, 1, 5 }, cells = { 1, 1, 5 } }\n"
      "  local box = s:mesh{ mesh = mesh, density = 1000, material = { E = 1e5, nu = 0.3 } }\n"
      "  s:pin{ nodes = box.faces.z0, components = 'xyz' }\n"
      "  local function part(low)\n"
      "    local list = {}\n"
      "    for i, x in ipairs(mesh.vertices) do\n"
      "      if x[3] > low - 0.5 and x[3] < low + 1.5 then list[#list + 1] = i - 1 end\n"
      "    end\n"
      "    return s:bone{ nodes = list, name = 'at ' .. low }\n"
      "  end\n"
      "  s:link{ kind = 'ball', bones = { part(1), part(3) }, at = { 0.5, 0.5, 2.5 } }\n"
      "  return s\nend }\n");
  write_file("scenarios/bars.lua",
             "return { title = 'x', build = function()\n"
             "  local s = vb.scene{ step = 1 / 60, steps = 5, gravity = { 0, 0, -9.81 } }\n"
             "  local inertia = { 1, 2, 2, 0, 0, 0 }\n"
             "  local a = s:bone{ name = 'a', mass = 1, inertia = inertia, center = { 1, 0, 0 } }\n"
             "  local b = s:bone{ name = 'b', mass = 1, inertia = inertia, center = { 3, 0, 0 } }\n"
             "  s:link{ kind = 'hinge', bones = { a }, at = { 0, 0, 0 }, axis = { 0, 1, 0 } }\n"
             "  s:link{ kind = 'ball', bones = { a, b }, at = { 2, 0, 0 } }\n"
             "  return s\nend }\n");
  snprintf(words, sizeof words, "%s --quiet --out @/out", EXAMINED[_i]);
  expect(words, 0, "");
}
END_TEST

START_TEST(studies_pass_under_examination) {
  char root[PATH_MAX];
  ck_assert_ptr_nonnull(getcwd(root, sizeof root));
  if (access("scenarios/rods/cantilever.lua", R_OK)) {
    vb_skip("scenarios", "scenarios/ is not here");
    return;
  }
  setenv("VIPERBENCH_HOME", root, 1);
  expect("run cantilever free_flight --solver check:viper --quiet --out @/out", 0, "");
  ck_assert(exists("out/cantilever.h5") && exists("out/free_flight.h5"));
}
END_TEST

/// Copies the template and the three headers that are installed, and builds it with its own
/// Makefile; false, and told, where that cannot be.
static bool build_template(void) {
  static const char COMMAND[] =
      "cd src && for h in base/status.h scene/scene.h solver/solver.h; do "
      "install -D -m 644 $h $FOLDER/include/$h || exit 1; done && "
      "cp -r solver/template $FOLDER/mine && env -u MAKEFLAGS make -s -C $FOLDER/mine "
      "INCLUDE=$FOLDER/include CC=cc CXX=c++ CFLAGS='-O1 -Werror' CXXFLAGS='-O1 -Werror'";
  if (system("command -v make cc c++ >/dev/null")) {
    vb_skip("compilers", "make, cc and c++ build the template");
    return false;
  }
  if (access("src/solver/template/Makefile", R_OK)) {
    vb_skip("template", "src/solver/template is not here");
    return false;
  }
  setenv("FOLDER", folder, 1);
  ck_assert_int_eq(system(COMMAND), 0);
  return true;
}

START_TEST(examples_pass_their_gates) {
  static const char *const SOLVERS[] = {"@/mine/mass_spring.so", "@/mine/mass_spring_cpp.so"};
  char words[256];
  if (!build_template())
    return;
  for (size_t i = 0; i < 2; i++) {
    snprintf(words, sizeof words, "run @/mine/hanging_chain.lua --out @/%zu --solver check:%s", i,
             SOLVERS[i]);
    expect(words, 0, "");
    ck_assert_msg(strstr(output, "2 of 2 gates passed") != NULL, "%s", output);
    snprintf(words, sizeof words,
             "bench @/mine/hanging_chain.lua --json --out @/bench%zu --solver %s", i, SOLVERS[i]);
    int code = finish(start(words));
    // A machine that is busy, or as noisy as a test's, may leave the speed open.
    ck_assert_msg(code == 0 || code == 4, "exit code %d: %s", code, error_output);
    ck_assert(strstr(output, "\"plugin_sha256\"") != NULL);
  }
  expect("run chain --set more=true --jobs 2 --out @/jobs --solver @/mine/mass_spring.so", 0, "");
  ck_assert(strstr(output, "3 of 3 gates passed") != NULL);
}
END_TEST

/// A text of the results file of the small run, one of any length or with room of its own.
static void read_text(const char *name, char *out, size_t size) {
  char path[PATH_MAX], *text = NULL;
  snprintf(path, sizeof path, "%s/out/chain-small.h5", folder);
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  hid_t set = H5Dopen2(file, name, H5P_DEFAULT), type = H5Dget_type(set);
  bool own = H5Tis_variable_str(type) <= 0;
  text = own ? calloc(H5Tget_size(type) + 1, 1) : NULL;
  ck_assert_int_ge(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, own ? text : (void *)&text),
                   0);
  snprintf(out, size, "%s", text);
  if (own)
    free(text);
  else
    H5free_memory(text);
  H5Tclose(type);
  H5Dclose(set);
  H5Fclose(file);
}

START_TEST(file_and_hash_are_recorded_and_count) {
  char command[PATH_MAX + 128], text[PATH_MAX], wanted[PATH_MAX];
  const char *run = "run chain --json --out @/out --solver @/mine.so";
  if (!have_plugins())
    return;
  snprintf(command, sizeof command, "cp %s/faulty.so %s/mine.so", plugins, folder);
  ck_assert_int_eq(system(command), 0);
  expect(run, 0, "");
  ck_assert(strstr(output, "\"kept\": false") != NULL);
  snprintf(wanted, sizeof wanted, "%s/mine.so", folder);
  read_text("/solver/plugin", text, sizeof text);
  ck_assert_str_eq(text, wanted);
  snprintf(command, sizeof command, "test \"$(sha256sum <%s/mine.so)\" = ", folder);
  read_text("/solver/plugin_sha256", text, sizeof text);
  snprintf(command + strlen(command), 128, "'%.64s  -'", text);
  ck_assert_int_eq(system(command), 0);
  read_text("/solver/description", text, sizeof text);
  ck_assert(strstr(text, "\"folding\"") != NULL);
  expect(run, 0, "");
  ck_assert(strstr(output, "\"kept\": true") != NULL);
  // Another file, though it does the same.
  snprintf(command, sizeof command, "echo >>%s/mine.so", folder);
  ck_assert_int_eq(system(command), 0);
  expect(run, 0, "");
  ck_assert(strstr(output, "\"kept\": false") != NULL);
}
END_TEST

/// Whether a process serves a solver of the test's folder.
static bool is_served(void) {
  char command[256];
  snprintf(command, sizeof command,
           "grep -aqs -e '[-]-serve-solver.%s/mine.so' /proc/[0-9]*/cmdline", folder);
  return system(command) == 0;
}

/// A plug-in whose processes are known by its name; false where there is none.
static bool have_own_plugin(void) {
  char command[PATH_MAX + 128];
  if (!have_plugins())
    return false;
  snprintf(command, sizeof command, "cp %s/faulty.so %s/mine.so", plugins, folder);
  ck_assert_int_eq(system(command), 0);
  return true;
}

/// Starts the program with a plug-in that hangs, and gives it time to do so.
static pid_t start_hanging(const char *fault, unsigned microseconds) {
  setenv("VB_FAULT", fault, 1);
  pid_t host =
      start("run chain --fresh --quiet --option time_limit=0 --out @/out --solver @/mine.so");
  for (int i = 0; i < 600 && !exists("out/chain-small.h5.part.new"); i++)
    usleep(50000);
  usleep(microseconds);
  ck_assert(exists("out/chain-small.h5.part.new") && is_served());
  return host;
}

/// Ends the host by signals, of which the first SIGINT waits for the step. Returns how it ended.
static int end_host(pid_t host, int signal) {
  int ended = 0;
  do {
    kill(host, signal);
    usleep(100000);
  } while (waitpid(host, &ended, WNOHANG) == 0);
  return ended;
}

static void expect_no_process(void) {
  for (int i = 0; i < 600 && is_served(); i++)
    usleep(50000);
  ck_assert(!is_served());
}

START_TEST(processes_end_with_their_host) {
  static const int SIGNALS[] = {SIGKILL, SIGINT};
  int ended = 0;
  if (!have_own_plugin())
    return;
  // On a busy machine the plug-in may not hang yet: then the run ends in good order.
  for (unsigned wait = 200000; wait < 30000000 && !WIFSIGNALED(ended); wait *= 5)
    ended = end_host(start_hanging("step leaves processes and hangs", wait), SIGNALS[_i]);
  ck_assert(WIFSIGNALED(ended) && WTERMSIG(ended) == SIGNALS[_i]);
  expect_no_process();
}
END_TEST

START_TEST(processes_end_with_their_run) {
  static const fault_case CASES[] = {
      {"step leaves processes", 0, ""},
      {"step leaves processes and crashes", 1, "step crashed"},
      {"step leaves processes and hangs", 1, "step did not return within 1 s"},
  };
  if (!have_own_plugin())
    return;
  setenv("VB_FAULT", CASES[_i].fault, 1);
  expect("run chain --quiet --option time_limit=1 --out @/out --solver @/mine.so", CASES[_i].code,
         CASES[_i].complaint);
  expect_no_process();
}
END_TEST

/// A solver that never moves, though something could move it, is warned of where it is checked.
START_TEST(a_solver_that_never_moves_is_warned_of) {
  static const char warning[] =
      "warning: no field has changed in 12 steps, though there is gravity";
  static const struct {
    const char *fault, *how;
    bool warned;
  } CASES[] = {{"step never moves", "check:", true},
               {"step never moves", "", false},
               {"none", "check:", false}};
  char words[PATH_MAX + 256];
  if (!have_plugins())
    return;
  setenv("VB_FAULT", CASES[_i].fault, 1);
  snprintf(words, sizeof words, "run chain --fresh --out @/out --solver %s%s/faulty.so",
           CASES[_i].how, plugins);
  finish(start(words));
  ck_assert_msg((strstr(output, warning) != NULL) == CASES[_i].warned, "%s%s", output,
                error_output);
  unsetenv("VB_FAULT");
}
END_TEST

static TCase *motion(void) {
  TCase *t = tcase_create("motion");
  tcase_set_timeout(t, 60);
  tcase_add_checked_fixture(t, set_up, tear_down);
  tcase_add_loop_test(t, a_solver_that_never_moves_is_warned_of, 0, 3);
  return t;
}

static TCase *faults(void) {
  TCase *t = tcase_create("faults");
  tcase_set_timeout(t, 60);
  tcase_add_checked_fixture(t, set_up, tear_down);
  tcase_add_loop_test(t, reports_the_faulting_function, 0, sizeof FAULTS / sizeof *FAULTS);
  tcase_add_loop_test(t, examination_finds_what_calls_hide, 0, sizeof HIDDEN / sizeof *HIDDEN);
  tcase_add_test(t, hang_is_ended);
  tcase_add_test(t, a_process_has_limits);
  tcase_add_loop_test(t, memory_corruption_ends_one_run, 0, 3);
  tcase_add_test(t, other_runs_go_on);
  tcase_add_test(t, recorded_data_are_kept);
  tcase_add_test(t, divergence_is_a_result);
  return t;
}

static TCase *use(void) {
  TCase *t = tcase_create("use");
  tcase_set_timeout(t, 120);
  tcase_add_checked_fixture(t, set_up, tear_down);
  tcase_add_test(t, reports_bad_names);
  tcase_add_test(t, scripts_cannot_name_shared_objects);
  tcase_add_test(t, examples_pass_their_gates);
  tcase_add_loop_test(t, solvers_of_the_program_keep_their_promises, 0,
                      sizeof EXAMINED / sizeof *EXAMINED);
  tcase_add_test(t, studies_pass_under_examination);
  tcase_add_test(t, file_and_hash_are_recorded_and_count);
  tcase_add_loop_test(t, processes_end_with_their_host, 0, 2);
  tcase_add_loop_test(t, processes_end_with_their_run, 0, 3);
  return t;
}

VB_TEST_MAIN("plugin", faults(), use(), motion())
