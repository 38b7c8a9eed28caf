// SPDX-License-Identifier: GPL-3.0-or-later
// The program as its users meet it: words, exit codes, files.
// Covers: src/cli/main.c src/cli/page.* src/cli/run_studies.c src/cli/solvers.c src/cli/verbs.c
// Covers: src/cli/option_notes.c src/cli/study_figures.* src/cli/results_place.*
// Covers: src/cli/solver_page.*
// Covers: src/base/version.h src/base/status.* src/script/study/study_files.*
#include "cli_fixture.h"
#include "figure/plot.h"

#include <jansson.h>
#include <sys/stat.h>

/// A bar that falls freely; its parameters make it wrong in the ways that the tests want.
static const char SCRIPT[] =
    "return {\n"
    "  title = 'A falling bar',\n"
    "  parameters = { reference = -0.0540, n = 5, steps = 10, wrong = false, finding = false },\n"
    "  build = function(p)\n"
    "    local s = vb.scene{ step = 0.01, steps = p.steps, gravity = {0, 0, -9.81} }\n"
    "    s:rod{ nodes = p.n, from = {0, 0, 0}, to = {1, 0, 0}, radius = 0.1,\n"
    "           material = { E = 1e5, nu = 0.3 }, density = 1000, name = 'bar' }\n"
    "    if p.wrong then s:rod{ radus = 1 } end\n"
    "    s:gate{ name = 'fall of the node at the end of the bar, told at length', quantity = "
    "'frames/position', node = 0, component = 'z',\n"
    "            measure = 'final', near = p.reference, tolerance = 1e-2, finding = p.finding,\n"
    "            reason = 'g t^2 / 2, and half a step more by implicit Euler' }\n"
    "    return s\n"
    "  end,\n"
    "  figure = 'fall',\n"
    "}\n";

static const char FIGURE[] = "#: series runs/* frames/position[0,2]\n"
                             "set xlabel 'time [s]'\n"
                             "set ylabel 'height [m]'\n"
                             "plot series(run(1), 'frames/position[0,2]') with lines ls 1\n";

static void set_up(void) {
  make_home();
  write_file("scenarios/fall.lua", SCRIPT);
  write_file("plots/fall.gp", FIGURE);
}

START_TEST(wrong_usage_is_reported_in_one_sentence) {
  const struct {
    const char *words, *complaint;
  } cases[] = {
      {"", "no command"},
      {"rnu fall", "did you mean \"run\"?"},
      {"self-test", "unknown command \"self-test\"; did you mean \"--self-test\"?"},
      {"--out @/o", "use help, list, info, run, join, bench, plot, table, outline, surface, "
                    "render, viperize, pills, distance, "
                    "compare, pack, report, site, history, gates, bisect, problem or score (see "
                    "--help)"},
      {"run --metod direct fall", "did you mean --method?"},
      {"run --set n fall", "--set needs NAME=VALUE"},
      {"run --option method fall", "--option needs NAME=VALUE"},
      {"run --tier fast fall", "use quick, full, gold or show"},
      {"run --out @/o fal", "did you mean \"fall\""},
      {"run --out @/o fall --set m=3", "\"m\""},
      {"run --out @/o fall --set wrong=true", "did you mean \"radius\""},
      {"run --out @/o fall --method magic", "magic"},
      {"run --out @/o fall --solver vipr", "did you mean \"viper\""},
      {"run fall --out --quiet", "--out needs DIR, not \"--quiet\""},
      {"list --quiet", "list does not take --quiet"},
      {"info", "info needs the name of a study"},
      {"table @/x.h5", "x.h5"},
      {"table @/x.h5 energy/stretch", "x.h5"},
      {"table @/scenarios/fall.lua energy/stretch", "fall.lua"},
      {"outline @/x.h5 --plane xx", "--plane needs two of x, y and z"},
      {"plot @/x.h5", "x.h5"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    expect(cases[i].words, 2, cases[i].complaint);
    ck_assert_str_eq(output, "");
    ck_assert_ptr_eq(strchr(error_output, '\n'), error_output + strlen(error_output) - 1);
  }
}
END_TEST

/// An option of the command line that the solver of some runs does not have leaves them alone, and
/// that is said once; nothing is said where all have it.
START_TEST(options_that_solvers_lack_are_told) {
  write_file(
      "scenarios/two.lua",
      "return {\n"
      "  title = 'Two solvers',\n"
      "  build = function(p)\n"
      "    local s = vb.scene{ step = 0.01, steps = 2, gravity = {0, 0, -9.81} }\n"
      "    s:rod{ nodes = 3, from = {0, 0, 0}, to = {1, 0, 0}, radius = 0.1,\n"
      "           material = { E = 1e5, nu = 0.3 }, density = 1000, name = 'bar' }\n"
      "    return s\n"
      "  end,\n"
      "  runs = function() return { { name = 'a' }, { name = 'b', solver = 'bergou' } } end,\n"
      "}\n");
  expect("run --out @/o --backend cpu two", 0,
         "1 run ignores --backend, which the solver bergou does not have");
  ck_assert_ptr_null(strstr(strstr(error_output, "ignores --backend") + 1, "ignores --backend"));
  expect("run --out @/o --backend cpu --quiet two", 0, "");
  ck_assert_str_eq(error_output, "");
  expect("run --out @/o --iterations 5 two", 0, "");
  ck_assert_ptr_null(strstr(error_output, "without --iterations"));
}
END_TEST

START_TEST(help_and_version_succeed) {
  expect("--help", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "outline"));
  expect("--version", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "viperbench "));
  expect("list", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "A falling bar"));
  expect("info fall --set n=7", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "7 nodes"));
}
END_TEST

START_TEST(studies_are_listed_by_subject_and_solvers_by_info) {
  char path[128];
  snprintf(path, sizeof path, "%s/scenarios/muscles", folder);
  ck_assert_int_eq(mkdir(path, 0777), 0);
  write_file("scenarios/muscles/arm.lua", "return { title = 'An arm', includes = {'fall'} }\n");
  write_file("bench/speed.lua", "return { title = 'A speed', includes = {'fall'} }\n");
  expect("list", 0, "");
  char *muscles = strstr(output, "Bundles, muscles and what they move:\n  arm ");
  char *others = strstr(output, "Studies:\n  fall ");
  char *speed = strstr(output, "Studies about speed, for \"bench\":\n  speed ");
  ck_assert_msg(muscles && others && speed && muscles < others && others < speed, "%s", output);
  ck_assert_ptr_null(strstr(output, "xpbd")); // a choice of an option
  expect("list -k ARM", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "An arm"));
  ck_assert(!strstr(output, "A falling bar") && !strstr(output, "Solvers"));
  expect("list -k ARM --names", 0, "");
  ck_assert(*output && !strstr(output, "fall"));
  expect("list -k nothing", 2, "no study has \"nothing\" in its name, title or folder");
  expect("info viper", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "solver viper: "));
  ck_assert_ptr_nonnull(strstr(output, "xpbd"));
  expect("info viper fall --json", 0, "");
  ck_assert(strstr(output, "\"solvers\"") && strstr(output, "\"substeps\""));
  expect("run fall --out @/o --backend gpu", 2, "cuda, which runs on NVIDIA GPUs");
  expect("--help", 0, "");
  char *commands = strstr(output, "Commands:"), *options = strstr(output, "--arithmetic");
  ck_assert(commands && options && commands < options);
}
END_TEST

START_TEST(broken_scripts_are_a_line_of_the_list) {
  write_file("scenarios/broken.lua", "x = = 1");
  write_file("scenarios/endless.lua", "while true do pcall(string.rep, 'x', 1000) end");
  write_file("scenarios/talking.lua", "print('I run') error('mine')");
  ck_assert_int_eq(finish(start("list")), 0);
  ck_assert_ptr_nonnull(strstr(output, "broken"));
  ck_assert_ptr_nonnull(strstr(output, "scenarios/broken.lua:1: unexpected symbol near '='"));
  ck_assert_ptr_nonnull(strstr(output, "scenarios/endless.lua:1: the script took more than 2 s"));
  ck_assert_ptr_nonnull(strstr(output, "scenarios/talking.lua:1: mine"));
  ck_assert_ptr_nonnull(strstr(output, "A falling bar"));
  write_file("scenarios/endless.lua", "error('once was enough')");
  ck_assert_int_eq(finish(start("list --json")), 0);
  json_t *all = json_loads(output, 0, NULL),
         *first = json_array_get(json_object_get(all, "studies"), 0);
  ck_assert_str_eq(json_string_value(json_object_get(first, "name")), "broken");
  ck_assert(json_is_null(json_object_get(first, "title")));
  ck_assert_ptr_nonnull(strstr(json_string_value(json_object_get(first, "error")), "unexpected"));
  json_decref(all);
  expect("list --names", 0, ""); // for completion: no script runs
  ck_assert_str_eq(output, "broken\nendless\nfall\ntalking\n");
  ck_assert_str_eq(error_output, "");
}
END_TEST

static double picture_time(void) {
  char path[128];
  snprintf(path, sizeof path, "%s/o/p/fall.svg", folder);
  return vb_file_changed(path);
}

START_TEST(run_writes_tables_files_and_figures) {
  NEEDS_GNUPLOT
  expect("run --out @/o/p", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "1 of 1 gates passed"));
  ck_assert_ptr_nonnull(strstr(output, "complete"));
  ck_assert(exists("o/p/fall.h5") && exists("o/p/fall-fall.h5") && exists("o/p/fall-fall.xdmf"));
  ck_assert(exists("o/p/fall.svg") && !exists("o/p/fall.png")); // which plot draws, and the PDF
  ck_assert(!exists("o/p/fall.h5.part") && !exists("o/p/fall.svg.part"));
  double drawn = picture_time();
  check_lines(output, 160);
  expect("run fall --out @/o/p", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "complete, kept"));
  ck_assert_double_eq(picture_time(), drawn);
  expect("run fall --out @/o/p --fresh", 0, "");
  ck_assert_ptr_null(strstr(output, "kept"));
  ck_assert(picture_time() > drawn);
  expect("run fall --out @/o/p --set n=6", 0, "");
  ck_assert_ptr_null(strstr(output, "kept"));
  expect("run fall --out @/o/p --quiet", 0, "");
  ck_assert_str_eq(output, "");
}
END_TEST

START_TEST(failed_gate_exits_1_and_is_in_json) {
  expect("run fall --out @/o --json --set reference=1", 1, "");
  json_error_t json_error;
  json_t *document = json_loads(output, 0, &json_error);
  ck_assert_msg(document != NULL, "%s", json_error.text);
  ck_assert_int_eq(json_integer_value(json_object_get(document, "exit_code")), 1);
  json_t *study = json_array_get(json_object_get(document, "studies"), 0);
  json_t *gate = json_array_get(json_object_get(study, "gates"), 0);
  json_t *run = json_array_get(json_object_get(study, "runs"), 0);
  ck_assert(json_is_false(json_object_get(gate, "passed")));
  // g h^2 n (n + 1) / 2 for n = 10 steps of implicit Euler, but for the solver's tolerance.
  ck_assert_double_eq_tol(json_real_value(json_object_get(gate, "value")), -9.81e-4 * 55, 1e-6);
  ck_assert_int_eq(json_integer_value(json_object_get(run, "steps")), 10);
  ck_assert_int_eq(json_integer_value(json_object_get(run, "dofs")), 5 * 4 + 4 * 3);
  json_decref(document);
}
END_TEST

START_TEST(missed_finding_is_reported_and_passes) {
  expect("run fall --out @/o --set reference=1 --set finding=true", 0, "");
  ck_assert_ptr_nonnull(strstr(output, " not judged\n"));
  ck_assert_ptr_null(strstr(output, "FAILED"));
  ck_assert_ptr_nonnull(
      strstr(output, "0 passed, 0 findings as expected, 0 worse, 0 better, 1 not judged\n"));
  check_lines(output, 160);
}
END_TEST

/// Writes the study again with another text in place of the parameters.
static void write_study(const char *parameters) {
  char text[sizeof SCRIPT + 256];
  const char *at = strstr(SCRIPT, "reference = -0.0540"), *rest = strstr(at, " }");
  snprintf(text, sizeof text, "%.*s%s%s", (int)(at - SCRIPT), SCRIPT, parameters, rest);
  write_file("scenarios/fall.lua", text);
}

/// Runs the study `fall` as it is, and checks its code, and the end of what it prints.
static void expect_last(const char *options, int code, const char *last) {
  char words[128];
  snprintf(words, sizeof words, "run fall --out @/o %s", options);
  expect(words, code, "");
  size_t n = strlen(output), length = strlen(last);
  ck_assert_msg(n >= length && strcmp(output + n - length, last) == 0, "%s", output);
}

START_TEST(a_finding_that_leaves_its_band_is_a_failure) {
  char bands[1024];
  write_study("reference = -0.1, n = 5, steps = 10, wrong = false, finding = true");
  expect_last("", 0, "0 passed, 0 findings as expected, 0 worse, 0 better, 1 no band\n");
  ck_assert_ptr_nonnull(strstr(output, "\n  no band fall, run fall: gate \"fall of the node"));
  expect_last("--write-bands", 0, "0 passed, 1 finding as expected, 0 worse, 0 better\n");
  read_file("scenarios/fall.findings", bands, sizeof bands);
  ck_assert_ptr_nonnull(strstr(bands, "\nquick\t-0.0550341\t-0.0528759\tfall\tfall of the node at "
                                      "the end of the bar, told at length\t\n"));
  expect_last("", 0, "0 passed, 1 finding as expected, 0 worse, 0 better\n");
  ck_assert_ptr_nonnull(strstr(output, "  as expected fall, run fall: gate \"fall of the node"));
  ck_assert_ptr_nonnull(strstr(output, "; band -0.0550341 to -0.0528759\n"));
  expect_last("--threads 1", 0, "0 passed, 1 finding as expected, 0 worse, 0 better\n");
  expect_last("--tier full", 0, "1 no band\n");
  expect_last("--substeps 2", 0,
              "0 passed, 0 findings as expected, 0 worse, 0 better, 1 not judged\n");
  // A step fewer falls less far; one more falls farther, nearer to what the gate asks.
  write_study("reference = -0.1, n = 5, steps = 9, wrong = false, finding = true");
  expect_last("", 1, "0 passed, 0 findings as expected, 1 worse, 0 better\n");
  ck_assert_ptr_nonnull(strstr(output, "  worse fall, run fall: gate \"fall of the node"));
  expect("run fall --out @/o --quiet", 1, "viperbench: fall, run fall: worse: gate \"fall of");
  write_study("reference = -0.1, n = 5, steps = 11, wrong = false, finding = true");
  expect_last("", 1, "0 passed, 0 findings as expected, 0 worse, 1 better\n");
  expect("info fall", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "; finding, band -0.0550341 to -0.0528759\n"));
  expect("run fall --out @/o --csv", 1, "");
  ck_assert_ptr_nonnull(strstr(output, ",better,-0.06"));
  ck_assert_ptr_nonnull(strstr(output, ",true,false,-0.0550341,-0.0528759,"));
}
END_TEST

START_TEST(bands_that_cannot_be_are_reported) {
  write_study("reference = -0.1, n = 5, steps = 10, wrong = false, finding = true");
  write_file("scenarios/fall.findings", "quick\t1\t2\tfall\tfall\t\n");
  expect("run fall --out @/o", 2, "fall.findings:1: the band 1 to 2 is 50 % wide");
  expect("run fall --out @/o --set n=6", 0, "");
  expect("run fall --out @/o --write-bands --set n=6", 2, "leave out --set, --solver");
  expect("run fall --out @/o --write-bands --threads 1", 2, "leave out --set, --solver");
}
END_TEST

START_TEST(a_distance_needs_surfaces) {
  expect("distance @/o/fall.h5", 2, "distance");
  expect("run fall --out @/o", 0, "");
  expect("distance @/o/fall.h5 fall fall", 2, "triangle");
}
END_TEST

START_TEST(a_study_that_cannot_run_does_not_stop_the_others) {
  write_file("scenarios/bad.lua", "return { title = 'Bad', build = function() error('no') end }\n");
  expect("run bad fall --out @/o", 2, "bad.lua:1");
  ck_assert_ptr_nonnull(strstr(output, "1 of 1 gates passed"));
}
END_TEST

START_TEST(unwritable_folder_exits_5) {
  write_file("plain", "");
  expect("run fall --out @/plain", 5, "plain");
  expect("run fall --out @/plain/deeper", 5, "plain");
  expect("run fall --out /proc/nothing", 5, "/proc/nothing");
}
END_TEST

START_TEST(full_pipe_exits_5) {
  expect("run fall --out @/o", 0, "");
  char command[512];
  snprintf(command, sizeof command, "%s table %s/o/fall-fall.h5 energy/stretch > /dev/full 2>&1",
           program(), folder);
  int ended = system(command);
  ck_assert_int_eq(WEXITSTATUS(ended), 5);
}
END_TEST

START_TEST(without_gnuplot_run_succeeds_and_plot_exits_3) {
  NEEDS_GNUPLOT
  const char *old = getenv("PATH");
  ck_assert_ptr_nonnull(old);
  char *path = strdup(old);
  setenv("PATH", "/nonexistent", 1);
  expect("run fall --out @/o", 0, "gnuplot is not installed");
  expect("plot @/o/fall.h5", 3, "gnuplot is not installed");
  setenv("PATH", path, 1);
  free(path);
  expect("plot @/o/fall.h5", 0, "");
  ck_assert(exists("o/fall.svg"));
}
END_TEST

START_TEST(a_study_may_have_several_figures) {
  NEEDS_GNUPLOT
  write_file("plots/fall_more.gp", FIGURE);
  expect("run fall --out @/o", 0, "");
  ck_assert(exists("o/fall.svg") && exists("o/fall_more.svg"));
  ck_assert(!exists("o/fall.png") && !exists("o/fall_more.png"));
  expect("plot @/o/fall.h5", 0, "");
  ck_assert(exists("o/fall.png") && exists("o/fall.pdf") && exists("o/fall_more.png"));
  // Then no picture shows older results than another.
  char path[128];
  snprintf(path, sizeof path, "%s/o/fall.png", folder);
  ck_assert_int_eq(truncate(path, 0), 0);
  expect("run fall --out @/o --fresh", 0, "");
  struct stat drawn;
  ck_assert(stat(path, &drawn) == 0 && drawn.st_size > 0);
}
END_TEST

/// A study of studies keeps what is recorded, links to it, judges it, draws, and writes its page.
/// Settings that the solver of the command line lacks are told in a line, once.
START_TEST(settings_that_a_solver_lacks_are_listed) {
  write_file("scenarios/fixed.lua",
             "return { title = 'Fixed', build = function(p)\n"
             "  local s = vb.scene{ step = 0.1, steps = 1 }\n"
             "  s:rod{ nodes = 3, from = {0, 0, 0}, to = {0, 0, 1}, radius = 0.1, density = 1000,\n"
             "    material = { E = 1e6, nu = 0.4 } }\n"
             "  s:solver{ precision = 'double' } return s end,\n"
             "  runs = function() return { { name = 'a', method = 'direct' },\n"
             "    { name = 'b', method = 'xpbd' } } end }\n");
  expect(
      "run fixed --list --solver bergou", 0,
      "viperbench: fixed: ignoring settings that solver bergou does not have: precision, method\n");
  ck_assert_str_eq(output, "fixed a\nfixed b\n");
  expect("run fixed --list", 0, "");
}
END_TEST

START_TEST(study_may_include_others) {
  NEEDS_GNUPLOT
  char page[512];
  write_file("scenarios/drop.lua", SCRIPT);
  write_file("scenarios/both.lua", "return { title = 'Both', includes = { 'fall', 'drop' },\n"
                                   "  if_there = { 'nowhere' }, figure = 'both' }\n");
  write_file("plots/both.gp", "#: series runs/* frames/position[0,2]\n"
                              "plot for [i=1:n_runs] series(run(i), 'frames/position[0,2]')\n");
  write_file("scenarios/both.md.lua", "page.put('{1}: {2:%.4f}', { table.concat(page.runs, ' '),\n"
                                      "  (page.last('drop-drop', 'frames/position[0,2]')) })\n");
  expect("run drop --out @/o", 0, "");
  expect("run both --json --out @/o", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "\"kept\": true"));
  ck_assert(exists("o/fall.svg") && exists("o/both.svg") && !exists("o/both.png"));
  read_file("o/both.md", page, sizeof page);
  ck_assert_str_eq(page, "fall-fall drop-drop: -0.0540\n");
  expect("table @/o/both.h5 runs/drop-drop/energy/stretch", 0, "");
  expect("table @/o/both.h5 gates/passed", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "\n1 1\n")); // one of either part
  expect("info both", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "study drop"));
  expect("run drop both --set wrong=true --out @/o", 2, "unknown key");
  expect("run both --set reference=1 --out @/o", 1, "");
}
END_TEST

/// plot takes the name of a study that was run, too.
START_TEST(a_study_is_plotted_by_its_name) {
  NEEDS_GNUPLOT
  expect("run fall --out @/o", 0, "");
  char path[128];
  snprintf(path, sizeof path, "%s/o/fall.svg", folder);
  ck_assert_int_eq(unlink(path), 0);
  expect("plot fall --out @/o", 0, "");
  ck_assert(exists("o/fall.svg"));
  ck_assert_ptr_nonnull(strstr(output, "o/fall.svg, .png and .pdf\n"));
  expect("plot @/o/fall.h5 --out @/p", 2, "beside it; --out is the folder of the results");
  expect("plot rise --out @/o", 2, "there is no file or study \"rise\"");
}
END_TEST

START_TEST(included_studies_are_checked) {
  write_file("scenarios/a.lua", "return { title = 'a', includes = { 'fall' } }\n");
  write_file("scenarios/b.lua", "return { title = 'b', includes = { 'a' } }\n");
  expect("run b --out @/o", 2, "study a includes other studies, so it cannot be included itself");
  write_file("scenarios/b.lua", "return { title = 'b', includes = { 'b' } }\n");
  expect("run b --out @/o", 2, "it includes itself");
  write_file("scenarios/b.lua", "return { title = 'b', includes = { 'fal' } }\n");
  expect("run b --out @/o", 2, "there is no study \"fal\"; did you mean \"fall\"?");
  write_file("scenarios/b.lua", "return { title = 'b', includes = 'fall' }\n");
  expect("run b --out @/o", 2, "\"includes\" must be a list of names");
  write_file("scenarios/b.lua", "return { title = 'b', includes = { 3 } }\n");
  expect("run b --out @/o", 2, "must hold names of studies, not a number");
  write_file("scenarios/b.lua", "return { title = 'b', if_there = { 'fall' } }\n");
  expect("run b --out @/o", 2, "\"if_there\" adds to \"includes\"");
  write_file("scenarios/b.lua",
             "return { title = 'b', includes = { 'fall' }, runs = function() end }\n");
  expect("run b --out @/o", 2, "a study that includes others has no \"runs\" of its own");
}
END_TEST

START_TEST(failed_figure_reports_gnuplots_message) {
  NEEDS_GNUPLOT
  write_file("plots/fall.gp", "plot nonsense(x)\n");
  expect("run fall --out @/o", 1, "undefined function");
  write_file("plots/fall.gp", "#: series runs/* energy/none\n"
                              "plot series(run(1), 'energy/none') with lines\n");
  expect("plot @/o/fall.h5", 2, "fall.h5 has no series \"runs/fall/energy/none\"");
  ck_assert(!exists("o/fall.svg") && !exists("o/fall.svg.part"));
}
END_TEST

START_TEST(columns_and_outlines_are_printed) {
  expect("run fall --out @/o", 0, "");
  expect("table @/o/fall.h5 runs/fall/energy/stretch runs/fall/energy/kinetic", 0, "");
  ck_assert_ptr_eq(strstr(output, "# time[s] runs/fall/energy/stretch[J]"), output);
  expect("table @/o/fall-fall.h5 frames/position[frame=0]", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "\n4 1 0 0\n"));
  expect("table @/o/fall.h5 runs/fall/topology/body_name", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "\n0 \"bar\"\n"));
  expect("table @/o/fall.h5 gates/name gates/passed", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "told at length\" 1\n"));
  expect("table @/o/fall-fall.h5 topology/rest_radius topology/rest_position", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "\n4 0.1 1 0 0\n"));
  expect("table @/o/fall-fall.h5 topology/none", 2, "no dataset");
  expect("table @/o/fall-fall.h5 frames/position[frame=99]", 2, "no frame 99");
  expect("table @/o/fall-fall.h5 frames/position[1", 2, "is invalid; write path");
  expect("table @/o/fall.h5 gates/value gates/passed", 0, "");
  ck_assert_ptr_eq(strstr(output, "# element gates/value[1] gates/passed[1]\n0 -0.0539"), output);
  expect("table @/o/fall.h5 runs/fall/topology/rest_length", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "\n3 0.25\n"));
  expect("table @/o/fall-fall.h5 scenario/step", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "\n0 0.01"));
  expect("table @/o/fall-fall.h5 topology/rest_length[frame=0]", 2, "without brackets");
  expect("table @/o/fall-fall.h5 topology/rest_length gates/value", 2, "the same rows");
  expect("outline @/o/fall.h5 --run fall --frame 0 --plane xy", 0, "");
  ck_assert_ptr_eq(strstr(output, "# x[m] y[m]\n"), output);
  expect("outline @/o/fall.h5", 2, "name one of its runs");
}
END_TEST

START_TEST(settings_are_kept_beside_the_study_as_it_is) {
  expect("run fall --out @/o", 0, "");
  expect("run fall --out @/o --set steps=20 --set n=6", 1, ""); // it falls further
  ck_assert_ptr_nonnull(strstr(output, "beside those of the unmodified study"));
  ck_assert(exists("o/n=6,steps=20/fall.h5") && exists("o/n=6,steps=20/fall-fall.h5"));
  expect("run fall --out @/o --set n=6 --set steps=20", 1, ""); // in any order
  ck_assert_ptr_nonnull(strstr(output, "complete, kept"));
  expect("run fall --out @/o", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "complete, kept"));
  // A folder that holds nothing else is the user's choice.
  expect("run fall --out @/mine --set n=6", 0, "");
  ck_assert(exists("mine/fall.h5"));
  expect("run fall --out @/mine --set n=7", 0, "");
  ck_assert(exists("mine/n=7/fall.h5"));
}
END_TEST

/// A clamped rod of which one sweep leaves nearly all out of balance; its gates may fail or not.
static const char SAGGING[] =
    "return { title = 'A rod that sags', parameters = { least = 1 },\n"
    "  build = function(p)\n"
    "    local s = vb.scene{ step = 1, steps = 2, gravity = {0, 0, -9.81} }\n"
    "    local rod = s:rod{ nodes = 65, from = {0, 0, 0}, to = {1, 0, 0}, radius = 0.01,\n"
    "           material = { E = 1e6, nu = 0.3 }, density = 1000 }\n"
    "    s:pin{ node = rod.first, components = 'xyz', segment = rod.first_segment }\n"
    "    s:record{ residual = true }\n"
    "    s:solver{ method = 'xpbd', iterations = 1 }\n"
    "    s:gate{ name = 'tip', quantity = 'frames/position', node = rod.last, component = 'x',\n"
    "            at_least = p.least, reason = 'none' }\n"
    "    return s\n"
    "  end }\n";

START_TEST(a_run_out_of_balance_is_not_converged) {
  write_file("scenarios/sag.lua", SAGGING);
  expect("run sag --out @/o --set least=1000", 1, "");
  ck_assert_ptr_nonnull(strstr(output, "complete, not converged"));
  ck_assert_ptr_nonnull(strstr(output, "not converged sag, run sag: residual "));
  ck_assert_ptr_nonnull(strstr(output, "use --method direct"));
  expect("run sag --out @/p --set least=-1000", 0,
         ""); // what is good enough for its gates is left alone
  ck_assert_ptr_null(strstr(output, "not converged"));
  expect("run sag --out @/q --set least=1000 --method direct --iterations 200", 1, "");
  ck_assert_ptr_null(strstr(output, "not converged"));
}
END_TEST

/// The rod of bench/rods.lua of either material model, by few sweeps: it falls, or a fast
/// driver presses its ends together.
static const char FEW_SWEEPS[] =
    "return { title = 'few', parameters = { model = 'solid', pressed = false },\n"
    "  build = function(p)\n"
    "    local s = vb.scene{ step = 1 / 60, steps = 6, gravity = { 0, 0, -9.81 } }\n"
    "    local rod = s:rod{ nodes = 33, from = { 0, 0, 0 }, to = { 1, 0, 0 }, radius = 0.02,\n"
    "      density = 1000, material = { E = 1e6, nu = 0.49, model = p.model } }\n"
    "    s:pin{ node = rod.first, components = 'xyz' }\n"
    "    s:pin{ segment = rod.first_segment }\n"
    "    if p.pressed then\n"
    "      local hand = s:driver{ name = 'hand', x = { { 0, 0 }, { 0.1, -0.7 } } }\n"
    "      s:pin{ node = rod.last, components = 'xyz', driver = hand }\n"
    "    end\n"
    "    s:solver{ method = 'block-descent', iterations = 20 }\n"
    "    return s\n"
    "  end }\n";

START_TEST(few_sweeps_on_solid_rods_are_not_converged) {
  write_file("scenarios/few.lua", FEW_SWEEPS);
  expect("run few --out @/n", 0, "");
  ck_assert_ptr_null(strstr(output, "not converged"));
  expect("run few --out @/o --set pressed=true", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "complete, not converged"));
  ck_assert_ptr_nonnull(strstr(output, "too few sweeps of block-descent on rods of the material"));
  expect("run few --out @/p --method direct", 0, "");
  ck_assert_ptr_null(strstr(output, "not converged"));
  expect("run few --out @/r --set pressed=true --set model=published", 0, "");
  ck_assert_ptr_null(strstr(output, "too few sweeps of block-descent"));
}
END_TEST

START_TEST(script_time_sets_the_limit) {
  write_file("scenarios/endless.lua", "local s = ('x'):rep(1 << 24) while true do s:upper() end\n");
  expect("run endless --out @/o --script-time 0.1", 2,
         "scenarios/endless.lua:1: the script took more than 0.1 s of processor time");
  expect("info endless --script-time 0.1", 2, "more than 0.1 s");
  expect("run fall --out @/o --script-time 1e4", 0, "");
  expect("run fall --out @/o --script-time nan", 2, "a positive number of seconds, not \"nan\"");
  expect("run fall --out @/o --script-time 0", 2, "a positive number of seconds");
  expect("list --script-time 1", 2, "list does not take --script-time");
}
END_TEST

START_TEST(quiet_reports_why_a_run_failed) {
  expect("run fall --out @/o --quiet --set reference=1", 1, "viperbench: fall, run fall: gate \"");
  ck_assert_str_eq(output, "");
  ck_assert_ptr_nonnull(strstr(error_output, "\" missed: "));
  ck_assert_ptr_nonnull(strstr(error_output, " is not near 1"));
  expect("join fall --out @/o --quiet --set reference=1", 1, " is not near 1");
  expect("run fall --out @/o --quiet --set reference=1 --set finding=true", 0, "");
}
END_TEST

static TCase *use(void) {
  TCase *tests = tcase_create("use");
  tcase_set_timeout(tests, 60);
  tcase_add_checked_fixture(tests, set_up, remove_home);
  tcase_add_test(tests, wrong_usage_is_reported_in_one_sentence);
  tcase_add_test(tests, options_that_solvers_lack_are_told);
  tcase_add_test(tests, help_and_version_succeed);
  tcase_add_test(tests, studies_are_listed_by_subject_and_solvers_by_info);
  tcase_add_test(tests, broken_scripts_are_a_line_of_the_list);
  tcase_add_test(tests, run_writes_tables_files_and_figures);
  tcase_add_test(tests, failed_gate_exits_1_and_is_in_json);
  tcase_add_test(tests, missed_finding_is_reported_and_passes);
  tcase_add_test(tests, a_finding_that_leaves_its_band_is_a_failure);
  tcase_add_test(tests, bands_that_cannot_be_are_reported);
  tcase_add_test(tests, a_distance_needs_surfaces);
  tcase_add_test(tests, a_study_that_cannot_run_does_not_stop_the_others);
  tcase_add_test(tests, unwritable_folder_exits_5);
  tcase_add_test(tests, full_pipe_exits_5);
  tcase_add_test(tests, columns_and_outlines_are_printed);
  tcase_add_test(tests, settings_are_kept_beside_the_study_as_it_is);
  tcase_add_test(tests, a_run_out_of_balance_is_not_converged);
  tcase_add_test(tests, few_sweeps_on_solid_rods_are_not_converged);
  tcase_add_test(tests, script_time_sets_the_limit);
  tcase_add_test(tests, quiet_reports_why_a_run_failed);
  return tests;
}

static TCase *figures(void) {
  TCase *tests = tcase_create("figures");
  tcase_set_timeout(tests, 60);
  tcase_add_checked_fixture(tests, set_up, remove_home);
  tcase_add_test(tests, without_gnuplot_run_succeeds_and_plot_exits_3);
  tcase_add_test(tests, a_study_may_have_several_figures);
  tcase_add_test(tests, study_may_include_others);
  tcase_add_test(tests, a_study_is_plotted_by_its_name);
  tcase_add_test(tests, included_studies_are_checked);
  tcase_add_test(tests, failed_figure_reports_gnuplots_message);
  return tests;
}

static TCase *other_solvers(void) {
  TCase *tests = tcase_create("other solvers");
  tcase_set_timeout(tests, 60);
  tcase_add_checked_fixture(tests, set_up, remove_home);
  tcase_add_test(tests, settings_that_a_solver_lacks_are_listed);
  return tests;
}

VB_TEST_MAIN("cli", use(), figures(), other_solvers())
