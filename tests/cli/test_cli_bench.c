// SPDX-License-Identifier: GPL-3.0-or-later
// The command bench as its users meet it: words, exit codes, files.
// Covers: src/bench/bench*.c src/bench/self_test.c src/bench/machine_report.c
#include "cli_fixture.h"

#include <jansson.h>
#include <math.h>
#include <sys/prctl.h>

/// Small bodies that swing; a name too long for its column.
static const char SCRIPT[] =
    "return {\n"
    "  title = 'Swinging bars',\n"
    "  parameters = { bodies = 1, stretch = 1, copies = 1, finding = false },\n"
    "  build = function(p)\n"
    "    local s = vb.scene{ step = 0.01, steps = 10, gravity = {0, 0, -9.81} }\n"
    "    for k = 1, p.bodies do\n"
    "      local r = s:rod{ nodes = 4, from = {0, k, 0}, to = {1, k, 0}, radius = 0.1,\n"
    "                       material = { E = 1e6, nu = 0.3 }, density = 1000 }\n"
    "      s:pin{ node = r.first, components = 'xyz' }\n"
    "    end\n"
    "    s:record{ every = 50, frames = 50 }\n"
    "    s:bench{ after = 2 }\n"
    "    s:gate{ name = 'stretch', quantity = 'stretch_error/max', measure = 'final',\n"
    "            at_most = p.stretch, finding = p.finding, reason = 'a test' }\n"
    "    return s\n"
    "  end,\n"
    "  runs = function(p, tier)\n"
    "    local list = {}\n"
    "    local function add(method, bodies, copy)\n"
    "      list[#list + 1] = { name = method .. '.with_so_many_bodies_as_' .. bodies .. copy,\n"
    "                          method = method, parameters = { bodies = bodies },\n"
    "                          iterations = 3 }\n"
    "    end\n"
    "    for _, bodies in ipairs{ 1, 2, 4 } do add('direct', bodies, '') end\n"
    "    for copy = 1, p.copies do add('xpbd', 1, copy == 1 and '' or '_' .. copy) end\n"
    "    return list\n"
    "  end,\n"
    "}\n";

static const char FIGURE[] =
    "#: series bench/xpbd.with_so_many_bodies_as_1 windows/wall_time\n"
    "plot series('xpbd.with_so_many_bodies_as_1', 'windows/wall_time') using 1:2 with points\n";

static void set_up(void) {
  make_home();
  write_file("bench/swing.lua", SCRIPT);
  write_file("plots/bench_swing.gp", FIGURE);
}

static json_t *parse(const char *text) {
  json_error_t json_error;
  json_t *document = json_loads(text, 0, &json_error);
  ck_assert_msg(document != NULL, "%s", json_error.text);
  return document;
}

static json_t *case_of(json_t *document, size_t i) {
  json_t *study = json_array_get(json_object_get(document, "studies"), 0);
  return json_array_get(json_object_get(study, "cases"), i);
}

START_TEST(wrong_usage_is_reported_in_one_sentence) {
  const struct {
    const char *words, *complaint;
  } cases[] = {
      {"bench swnig", "did you mean \"swing\"?"},
      {"bench swing --tier gold", "bench has no tier gold"},
      {"bench swing --fresh", "bench does not take --fresh"},
      {"run swing --baseline direct", "run does not take --baseline"},
      {"bench swing --slow 3", "--slow needs --launch"},
      {"bench --launch direct.1", "needs the name of one study"},
      {"bench swing --launch nothing", "has no case \"nothing\""},
      {"bench swing --launch nothing --slow much", "--slow needs a percentage"},
      {"bench swing --self-test", "takes no study"},
      {"bench swing --launch direct.1 --csv", "bench --launch prints no tables; leave out --csv"},
      {"bench --count H100", "bench --count needs the name of one study"},
      {"bench swing --count H900", "the devices are H200, H100, RTX-4090, GTX-1080"},
      {"bench swing --count H100 --json", "bench --count prints no tables; leave out --json"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    expect(cases[i].words, 2, cases[i].complaint);
    ck_assert_ptr_eq(strchr(error_output, '\n'), error_output + strlen(error_output) - 1);
  }
  expect("bench swing --baseline nope --out @/o/p", 2, "has no setting \"nope\"");
  ck_assert(exists("o/p"));
}
END_TEST

START_TEST(writes_tables_files_and_figures) {
  NEEDS_GNUPLOT
  expect("bench --out @/o --baseline xpbd", 0, "");
  // Where others disturb a case it has no speed, and no part in what follows from speeds.
  bool stable = !strstr(output, "UNSTABLE");
  ck_assert_ptr_nonnull(strstr(output, "Swinging bars"));
  if (stable) {
    ck_assert_ptr_nonnull(strstr(output, "direct.bodies"));
    ck_assert_ptr_nonnull(strstr(output, "  xpbd.with_so_many_bodies_as_1 "));
    ck_assert_ptr_nonnull(strstr(output, "1 scene"));
  }
  check_lines(output, 120); // piped names are whole
  ck_assert(exists("o/bench-swing.h5") && exists("o/bench-swing.json"));
  ck_assert(exists("o/bench-swing.svg") && exists("o/bench-swing.png"));
  ck_assert(!exists("o/bench-swing.h5.part") && !exists("o/bench-swing.json.part"));
  expect("plot @/o/bench-swing.h5", 0, "");
  if (!stable) {
    vb_skip("quiet machine", "a case is unstable: its series is not looked at");
    return;
  }
  expect("table @/o/bench-swing.h5 scaling/direct.bodies/size scaling/direct.bodies/step_time", 0,
         "");
  ck_assert_ptr_nonnull(strstr(output, "\n2 4 "));
}
END_TEST

START_TEST(prints_json) {
  expect("bench swing --json --method xpbd --out @/o", 0, "");
  json_t *document = parse(output), *first = case_of(document, 0);
  json_t *rate = json_object_get(json_object_get(first, "speed"), "dof_hz");
  double step = json_real_value(json_object_get(json_object_get(first, "speed"), "step_time"));
  if (strcmp(json_string_value(json_object_get(first, "remark")), "UNSTABLE") == 0)
    ck_assert(json_is_null(rate) && step > 0);
  else
    ck_assert_double_eq_tol(json_real_value(rate) * step, 4 * 4 + 3 * 3 - 3, 1e-9);
  ck_assert_uint_eq(json_array_size(json_object_get(first, "gates")), 1);
  ck_assert_str_eq(json_string_value(json_object_get(first, "method")), "xpbd");
  json_decref(document);
}
END_TEST

START_TEST(failed_gate_exits_1_without_speed) {
  expect("bench swing --quiet --method xpbd --set stretch=1e-12 --out @/o", 1,
         "viperbench: swing, case xpbd.with_so_many_bodies_as_1: gate \"stretch\" missed: ");
  expect("bench swing --json --method xpbd --set stretch=1e-12 --out @/o", 1, "");
  json_t *document = parse(output), *first = case_of(document, 0);
  ck_assert_str_eq(json_string_value(json_object_get(first, "remark")), "GATE FAILED");
  ck_assert(json_is_null(json_object_get(json_object_get(first, "speed"), "step_time")));
  ck_assert_uint_ge(
      json_array_size(json_object_get(json_object_get(first, "windows"), "wall_time")), 1);
  json_decref(document);
}
END_TEST

START_TEST(missed_finding_is_reported_with_speed) {
  expect("bench swing --method xpbd --set stretch=1e-12 --set finding=true --out @/o", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "finding: stretch: "));
  static char text[1 << 20];
  read_file("o/bench-swing.json", text, sizeof text);
  json_t *document = parse(text), *first = case_of(document, 0);
  json_t *gate = json_array_get(json_object_get(first, "gates"), 0);
  ck_assert(json_is_false(json_object_get(gate, "passed")));
  ck_assert(json_is_true(json_object_get(gate, "finding")));
  ck_assert_str_ne(json_string_value(json_object_get(first, "remark")), "GATE FAILED");
  ck_assert(json_is_real(json_object_get(json_object_get(first, "speed"), "step_time")));
  json_decref(document);
}
END_TEST

static const int signals[] = {SIGINT, SIGKILL};

START_TEST(signal_keeps_measurements) {
  // A case takes a quarter of a second to a second and a half: at least one, and not all.
  pid_t child = start("bench swing --set copies=60 --out @/o");
  while (!exists("o/bench-swing.json.part"))
    usleep(10000);
  kill(child, signals[_i]);
  if (signals[_i] == SIGINT) {
    ck_assert_int_eq(finish(child), 128 + SIGINT);
    ck_assert_ptr_nonnull(strstr(error_output, " cases of 1 study are missing; what was measured"));
  } else {
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
  }
  ck_assert_int_eq(exists("o/bench-swing.h5.part"), signals[_i] == SIGINT);
  ck_assert(!exists("o/bench-swing.h5") && !exists("o/bench-swing.json"));
  static char text[1 << 20];
  read_file("o/bench-swing.json.part", text, sizeof text);
  json_t *document = parse(text);
  ck_assert_ptr_nonnull(case_of(document, 0));
  ck_assert_ptr_null(case_of(document, 62));
  json_decref(document);
}
END_TEST

static double launch(const char *words) {
  expect(words, 0, "");
  char *end;
  double seconds = strtod(output, &end);
  ck_assert_msg(end != output && strcmp(end, "\n") == 0, "\"%s\" is no number alone", output);
  return seconds;
}

START_TEST(a_launch_prints_a_number) {
  double plain = launch("bench swing --quiet --launch direct.with_so_many_bodies_as_4");
  double slow = launch("bench swing --quiet --launch direct.with_so_many_bodies_as_4 --slow 900");
  ck_assert_double_gt(plain, 0);
  // Ten times as long. Load that comes or goes between the two changes a time up to threefold.
  ck_assert_double_gt(slow, 3 * plain);
}
END_TEST

START_TEST(a_launch_warns_where_others_are_busy) {
  static const char *const WORDS[] = {
      "bench swing --launch direct.with_so_many_bodies_as_4",
      "compare --time reported --launch echo${IFS}1 echo${IFS}1",
  };
  pid_t other[64];
  long n = sysconf(_SC_NPROCESSORS_ONLN) / 16 + 1; // more than 5 % of the processors
  for (long i = 0; i < n && i < 64; i++) {
    other[i] = fork();
    ck_assert_int_ge(other[i], 0);
    if (other[i] == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      for (volatile long turns = 0;; turns++)
        continue;
    }
  }
  for (size_t i = 0; i < 2; i++) {
    ck_assert_int_eq(finish(start(WORDS[i])), 0);
    const char *warned = i == 0 ? error_output : output; // a launch prints a number alone
    ck_assert_msg(strstr(warned, "WARNING: other processes use ") != NULL, "\"%s\"", warned);
  }
  for (long i = 0; i < n && i < 64; i++) {
    kill(other[i], SIGKILL);
    waitpid(other[i], NULL, 0);
  }
}
END_TEST

static TCase *bench_tests(void) {
  TCase *tests = tcase_create("bench");
  tcase_set_timeout(tests, 60); // programs are run, of which others may take the time
  tcase_add_checked_fixture(tests, set_up, remove_home);
  tcase_add_test(tests, wrong_usage_is_reported_in_one_sentence);
  tcase_add_test(tests, writes_tables_files_and_figures);
  tcase_add_test(tests, prints_json);
  tcase_add_test(tests, failed_gate_exits_1_without_speed);
  tcase_add_test(tests, missed_finding_is_reported_with_speed);
  tcase_add_loop_test(tests, signal_keeps_measurements, 0, 2);
  tcase_add_test(tests, a_launch_prints_a_number);
  tcase_add_test(tests, a_launch_warns_where_others_are_busy);
  return tests;
}

VB_TEST_MAIN("bench command", bench_tests())
