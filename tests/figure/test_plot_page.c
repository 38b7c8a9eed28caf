// SPDX-License-Identifier: GPL-3.0-or-later
// Pages: what a template reads and writes, and that it changes its mind where results do.
// Covers: src/results/results_attribute.* src/report/page_conclusion.c
#include "base/home_files.h"
#include "cli_fixture.h"
#include "figure/plot.h"
#include "figure/plot_internal.h"

#include <hdf5.h>

/// A bar that falls freely: nodes 0 to 4, frames 0 to 10.
static const char SCRIPT[] =
    "return {\n"
    "  title = 'A falling bar', parameters = { length = 1 },\n"
    "  build = function(p)\n"
    "    local s = vb.scene{ step = 0.01, steps = 10, gravity = {0, 0, -9.81} }\n"
    "    local r = s:rod{ nodes = 5, from = {0, 0, 0}, to = {p.length, 0, 0}, radius = 0.1,\n"
    "           material = { E = 1e5, nu = 0.3 }, density = 1000, name = 'bar' }\n"
    "    s:record{ every = 1, frames = 1, exact = true }\n"
    "    s:gate{ name = 'fall', quantity = 'frames/position', node = r.nodes[4], component = 'z',\n"
    "            measure = 'final', at_most = 0, reason = 'a test' }\n"
    "    return s\n"
    "  end,\n"
    "  runs = function() return { { name = 'a', label = 'A|B' }, { name = 'b', method = 'xpbd' } } "
    "end,\n"
    "  gates = function() return { { name = 'same', runs = { 'a', 'b' }, combine = 'difference',\n"
    "    quantity = 'energy/gravity', measure = 'final', near = 1, tolerance = 0.1,\n"
    "    finding = true, reason = 'a test' } } end,\n"
    "  figure = 'fall',\n"
    "}\n";

static void set_up(void) {
  make_home();
  write_file("scenarios/fall.lua", SCRIPT);
  write_file("plots/fall.gp", "plot x\n");
  expect("run fall --out @/o --quiet", 0, has_gnuplot() ? "" : "gnuplot");
}

static void expect_page(const char *template, const char *text) {
  static char page[1 << 17];
  write_file("scenarios/fall.md.lua", template);
  expect("plot @/o/fall.h5", has_gnuplot() ? 0 : 3, has_gnuplot() ? "" : "gnuplot");
  read_file("o/fall.md", page, sizeof page);
  ck_assert_str_eq(page, text);
}

/// Replaces element `i` of a dataset of numbers in a file of the results.
static void change(const char *name, const char *dataset, hsize_t i, double value) {
  char path[256];
  hsize_t n[3] = {0};
  snprintf(path, sizeof path, "%s/%s", folder, name);
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  hid_t data = H5Dopen2(file, dataset, H5P_DEFAULT), space = H5Dget_space(data);
  ck_assert_msg(file >= 0 && data >= 0 && space >= 0, "%s has no %s", path, dataset);
  ck_assert_int_ge(H5Sget_simple_extent_dims(space, n, NULL), 1);
  hssize_t all = H5Sget_simple_extent_npoints(space);
  ck_assert_int_lt((hssize_t)i, all);
  double *values = calloc((size_t)all, sizeof *values);
  ck_assert_ptr_nonnull(values);
  ck_assert(H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  values[i] = value;
  ck_assert(H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  free(values);
  H5Sclose(space);
  H5Dclose(data);
  ck_assert(H5Fclose(file) >= 0);
}

// ---- what a template reads ----

START_TEST(values_are_those_of_the_file) {
  expect_page("local v = page.values('a', 'topology/rest_position')\n"
              "page.put('{1} {2:%d} {3:%d} {4} {5}', { page.values('a', 'topology/body_name')[1],\n"
              "  v.rows, v.width, v[13], v.unit })\n"
              "page.put('{1} {2}', { page.last('a', 'frames/position[50%,0]') })\n"
              "page.put('{1:%.2f} {2:%.2f}', { page.at('a', 'frames/position[4,2]', 0.035) })\n"
              "page.put('{1:%.4f} {2}', { page.minimum('b', 'frames/position[0,2]') })\n"
              "page.put('{1} {2}', { page.maximum('b', 'frames/position[0,2]') })\n"
              "page.put('{1} {2}', { page.maximum('b', 'frames/position[0,2]', 0.085) })\n"
              "page.put('{1}', { page.first('a', 'frames/scale[gate=0]') })\n"
              "page.put('{1} {2}', { page.last('a', 'topology/rest_position', 0) })\n"
              "page.put('{1}', { table.concat(page.values('.', 'scenario/runs'), ' ') })\n"
              "page.put('{1} {2}', { table.concat(page.runs, ' '), page.labels.a })\n"
              "page.put('{1} {2}', { page.attribute('a', 'run', 'status'),\n"
              "  page.attribute('a', 'run', 'steps') })\n"
              "page.put('{1} {2}', { page.option('b', 'method'), page.parameter('a', 'length') })\n"
              "page.put('{1}', { tostring(page.has('a', 'energy/gravity')) .. ' ' ..\n"
              "  tostring(page.has('a', 'energy/none')) .. ' ' .. tostring(page.has('c', 'time'))\n"
              "  .. ' ' .. #page.find('[ab]') .. ' ' .. #page.find('c*') })\n"
              "page.put('{1}', { tostring(page.picture('none')) })\n",
              "bar 5 3 1.0 m\n0.5 0.1\n-0.01 0.03\n-0.0540 0.1\n0.0 0.0\n-0.044145 0.09\n1.0\n"
              "1.0 4.0\na b\na b A/B\ncomplete 10.0\nxpbd 1.0\ntrue false false 2 0\nfalse\n");
}
END_TEST

START_TEST(gates_are_those_of_the_index) {
  expect_page("for _, g in ipairs(page.gates()) do\n"
              "  page.put('{runs}: {name} {verdict} {comparator} {reference:%g}', g)\n"
              "end\n"
              "page.put('{1} {2} {3}', { page.count(page.gates()) })\n"
              "page.put('{1:%d} {2:%d}', { #page.gates('a*'), #page.gates('*', 's*') })\n"
              "page.put('{verdict} {value:%.3f}', page.gate('b', 'fall'))\n"
              "page.put('{reason}', page.gate('a b', 'same'))\n",
              "a: fall passed at_most 0\nb: fall passed at_most 0\na b: same finding near 1\n"
              "2 1 0\n2 1\npassed -0.054\na test\n");
}
END_TEST

// ---- what it writes ----

START_TEST(numbers_are_written_as_they_are_read) {
  expect_page(
      "local function si(x, n) return page.si(x, 's', n) end\n"
      "page.put('{1}|{2}|{3}|{4}', { si(1.13e-5), si(0.99996), si(999.96), si(0) })\n"
      "page.put('{1}|{2}|{3}', { si(-2.5e-3, 2), si(1e-14), si(0/0) })\n"
      "page.put('{1}|{2}|{3}', { page.within(0.0273), page.within(2.2e-4),\n"
      "  page.within(-0.03) })\n"
      "page.put('{1}|{2}|{3}', { page.within(0), page.within(1.72), page.within(0/0) })\n"
      "page.put('{x:%+.1e} {{x}} {x:%5d}|{y:%.2f}', { x = 3, y = 1/0 })\n"
      "page.put('{t}', { t = '{x}' })\n"
      "page.table({ 'a', 'b' }, { { 'x|y', 1 }, { 'two\\nlines', 2.5 } })\n",
      "11.3 µs|1.00 s|1.00 ks|0.00 s\n-2.5 ms|0.01 ps|nan s\nwithin 3 %|within 0.03 %|within 3 %\n"
      "equal to rounding|off by up to 200 %|not a finite number\n+3.0e+00 {x}     3|inf\n{x}\n"
      "| a | b |\n|---|---|\n| x\\|y | 1 |\n| two lines | 2.5 |\n");
}
END_TEST

/// Fails unless the page is refused with that complaint in one sentence. The figure is young enough
/// to stay, which spares three starts of gnuplot.
static void expect_refusal(const char *complaint) {
  char index[128];
  size_t drawn = 0;
  vb_error error = {0};
  snprintf(index, sizeof index, "%s/o/fall.h5", folder);
  ck_assert_int_eq(vb_plot_index(index, NULL, 0, VB_PLOT_ALL, &drawn, &error), VB_BAD_INPUT);
  ck_assert_msg(strstr(error.message, complaint) != NULL, "\"%s\" lacks \"%s\"", error.message,
                complaint);
  ck_assert_ptr_null(strchr(error.message, '\n'));
}

/// One sentence with the template's line, whatever a template asks for or writes wrongly; the
/// command line prints it.
START_TEST(what_is_not_there_is_told_with_its_line) {
  static const struct {
    const char *template, *complaint;
  } cases[] = {
      {"\npage.last('a', 'energy/none')\n", "fall.md.lua:2: page.last: "},
      {"page.last('a', 'energy/none')\n", "no series \"runs/a/energy/none\""},
      {"page.values('c', 'time')\n", "fall.md.lua:1: page.values: "},
      {"page.values('c', 'time')\n", "fall.h5 has no run \"c\""},
      {"page.values('a', 'topology/none')\n", "no dataset \"/runs/a/topology/none\""},
      {"page.values('a', 'frames/scale[gate=7]')\n", "no gate 7"},
      {"page.last('a', 'topology/body_name')\n", "holds texts, not numbers"},
      {"page.last('a', 'topology/rest_position', 3)\n", "has no column 3 of 3"},
      {"page.at('a', 'energy/gravity', -1)\n", "has no row up to -1"},
      {"page.maximum('a', 'energy/gravity', 9)\n", "has no number behind 9"},
      {"page.gate('a', 'rise')\n", "has no gate \"rise\" of run \"a\""},
      {"page.option('a', 'color')\n", "run \"a\" has no \"color\" in solver/options"},
      {"page.attribute('a', 'run', 'none')\n", "has no attribute \"none\" of \"run\""},
      {"page.distance('a', 'b')\n", "fall.md.lua:1: page.distance: "},
      {"page.distance('a', 'c')\n", "has no run \"c\""},
      {"page.values(1, 'time')\n", "argument 1 must be the name of a run, or \".\", not a number"},
      {"page.put('{x}')\n", "the text has {x}, and there is no table of values"},
      {"page.put('{x}', {})\n", "the text has {x}, which is not among its values"},
      {"page.put('{x:%s}', { x = 1 })\n", "must have the format of one number"},
      {"page.put('{x:%n}', { x = 1 })\n", "must have the format of one number"},
      {"page.put('{x:%.1f}', { x = 'a' })\n", "its value is a text"},
      {"page.put('a } b', {})\n", "a brace is alone"},
      {"page.table({ 'a', 'b' }, { { 1 } })\n", "row 1 must be a list of 2 cells"},
      {"page.table({ 'a' }, { { {} } })\n", "cell 1 of a row is a table"},
      {"page.count(1)\n", "takes a list of gates"},
      {"local x = 1\n", "has written nothing to its page"},
      {"page.labels = nil; page.last('a', 'energy/gravity')\n", "has replaced the table page"},
      {"page.put(\n", "fall.md.lua:2: "},
      {"io.open('/etc/passwd')\n", "fall.md.lua:1: attempt to index a nil value (global 'io')"},
      {"print(('x'):rep(1 << 20))\n", "the script printed more than 1048576 bytes"},
  };
  NEEDS_GNUPLOT
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    write_file("scenarios/fall.md.lua", cases[i].template);
    expect_refusal(cases[i].complaint);
    ck_assert(!exists("o/fall.md") && !exists("o/fall.md.part"));
  }
  write_file("scenarios/fall.md.lua", cases[0].template);
  expect("plot @/o/fall.h5", 2, cases[0].complaint);
  ck_assert_ptr_eq(strchr(error_output, '\n'), error_output + strlen(error_output) - 1);
}
END_TEST

// ---- a page changes its mind ----

START_TEST(another_verdict_is_another_page) {
  static const char page[] =
      "local g = page.gate('b', 'fall')\n"
      "page.put(g.passed and 'It falls.' or g.finding and 'It floats, as is known.'\n"
      "  or 'It does not fall: {value:%.3f} m.', g)\n";
  expect_page(page, "It falls.\n");
  change("o/fall.h5", "gates/passed", 1, 0);
  expect_page(page, "It does not fall: -0.054 m.\n");
  change("o/fall.h5", "gates/value", 1, 0.25);
  expect_page(page, "It does not fall: 0.250 m.\n");
  change("o/fall.h5", "gates/finding", 1, 1);
  expect_page(page, "It floats, as is known.\n");
}
END_TEST

START_TEST(another_value_is_another_page) {
  static const char page[] =
      "local a, b = page.last('a', 'energy/gravity'), page.last('b', 'energy/gravity')\n"
      "page.put(a < b and 'a is lower' or a > b and 'b is lower' or 'they are the same')\n";
  double lower = -1e9;
  expect_page("page.put('{1}', { page.values('a', 'energy/gravity').rows })\n", "11\n");
  change("o/fall-a.h5", "/run/energy/gravity", 10, lower);
  expect_page(page, "a is lower\n");
  change("o/fall-b.h5", "/run/energy/gravity", 10, 2 * lower);
  expect_page(page, "b is lower\n");
  change("o/fall-b.h5", "/run/energy/gravity", 10, lower);
  expect_page(page, "they are the same\n");
}
END_TEST

/// Whether the first row of the table below a title ends with that word.
static bool first_row_ends(const char *page, const char *title, const char *word) {
  const char *row = strstr(page, title), *end = NULL;
  row = row ? strstr(row, "| 0.1 m |") : NULL;
  end = row ? strchr(row, '\n') : NULL;
  ck_assert_msg(end != NULL, "\"%s\" has no such row", title);
  return end - row > (long)strlen(word) && strncmp(end - strlen(word), word, strlen(word)) == 0;
}

/// Makes the first step of all runs of a method in two cases take so long [s].
static void slow_down(const char *method, double seconds) {
  static const char *const cases[] = {"hang", "time"};
  for (int n = 1; n <= 1000; n++)
    for (int i = 0; i < 2; i++) {
      char name[100];
      snprintf(name, sizeof name, "w/work_precision-%s.%s.%d.h5", cases[i], method, n);
      if (exists(name))
        change(name, "/timing/step", 0, seconds);
    }
}

/// Writes the page about work and precision without its figure.
static void write_own_page(char *page, size_t size) {
  char index[128], path[128];
  vb_plot_facts facts;
  vb_error error = {0};
  snprintf(index, sizeof index, "%s/w/work_precision.h5", folder);
  snprintf(path, sizeof path, "%s/w/work_precision.md", folder);
  ck_assert_int_eq(vb_plot_facts_read(index, &facts, &error), VB_OK);
  ck_assert_msg(vb_plot_page_write(index, &facts, "scenarios/rods/work_precision.md.lua", path,
                                   &error) == VB_OK,
                "%s", error.message);
  vb_plot_facts_free(&facts);
  read_file("w/work_precision.md", page, size);
}

/// The page about work and precision names the method that is the quickest, whatever this machine's
/// times were. Which come as near as 0.1 m does not depend on times.
START_TEST(an_own_page_changes_its_mind) {
  static const char *const titles[] = {"## a falling rod", "## the falling rod, substeps"};
  static char page[1 << 16];
  setenv("VIPERBENCH_HOME", ".", 1);
  expect("run work_precision --set nodes=17 --out @/w --quiet", 0, "");
  slow_down("xpbd", 1e3);
  slow_down("block-descent", 2e3);
  slow_down("jacobi-published", 3e3);
  write_own_page(page, sizeof page);
  ck_assert_ptr_nonnull(strstr(page, " 17 nodes"));
  for (int i = 0; i < 2; i++)
    ck_assert(first_row_ends(page, titles[i], "| direct |"));
  slow_down("direct", 4e3);
  write_own_page(page, sizeof page);
  for (int i = 0; i < 2; i++)
    ck_assert(first_row_ends(page, titles[i], "| xpbd |"));
}
END_TEST

/// The conclusion of a report is counted from the same verdicts.
START_TEST(another_verdict_is_another_conclusion) {
  static char page[1 << 20];
  expect("report @/o -o @/r.html", 0, "");
  read_file("r.html", page, sizeof page);
  ck_assert_ptr_nonnull(strstr(page, "2 of 3 gates passed; the others are findings"));
  change("o/fall.h5", "gates/passed", 1, 0);
  expect("report @/o -o @/r.html", 0, "");
  read_file("r.html", page, sizeof page);
  ck_assert_ptr_nonnull(strstr(page, "1 of 3 gates failed"));
  change("o/fall.h5", "gates/passed", 1, 1);
  change("o/fall.h5", "gates/passed", 2, 1);
  expect("report @/o -o @/r.html", 0, "");
  read_file("r.html", page, sizeof page);
  ck_assert_ptr_nonnull(strstr(page, "All 3 gates passed"));
}
END_TEST

// ---- where templates lie ----

START_TEST(a_template_is_no_study) {
  vb_home_file *files;
  size_t n;
  write_file("scenarios/fall.md.lua", "page.put('x')\n");
  expect("list", 0, "");
  ck_assert_ptr_null(strstr(output, "fall.md"));
  expect("run fall.md --out @/o", 2, "there is no study \"fall.md\"");
  expect("run @/scenarios/fall.md.lua --out @/o", 2, "is the template of a page, not a study");
  ck_assert_int_eq(vb_home_files(folder, VB_HOME_PAGE, &files, &n, NULL), VB_OK);
  ck_assert_uint_eq(n, 1);
  ck_assert_str_eq(files[0].name, "fall");
  free(files);
}
END_TEST

START_TEST(two_pages_of_one_name_are_refused) {
  NEEDS_GNUPLOT
  write_file("scenarios/fall.md.lua", "page.put('x')\n");
  write_file("plots/fall.md.lua", "page.put('y')\n");
  expect("plot @/o/fall.h5", 2, "two pages are called \"fall\": ");
}
END_TEST

/// Every template of the project has a figure of its name, which tells studies of it.
START_TEST(every_template_has_its_figure) {
  vb_home_file *pages, figure;
  size_t n;
  ck_assert_int_eq(vb_home_files(".", VB_HOME_PAGE, &pages, &n, NULL), VB_OK);
  ck_assert_msg(n >= 3, "tests run in the root of the repository");
  for (size_t i = 0; i < n; i++)
    ck_assert_int_eq(vb_home_find(".", VB_HOME_FIGURE, pages[i].name, &figure, NULL), VB_OK);
  free(pages);
}
END_TEST

static TCase *pages(void) {
  TCase *tests = tcase_create("pages");
  tcase_set_timeout(tests, 120);
  tcase_add_checked_fixture(tests, set_up, remove_home);
  tcase_add_test(tests, values_are_those_of_the_file);
  tcase_add_test(tests, gates_are_those_of_the_index);
  tcase_add_test(tests, numbers_are_written_as_they_are_read);
  tcase_add_test(tests, what_is_not_there_is_told_with_its_line);
  tcase_add_test(tests, another_verdict_is_another_page);
  tcase_add_test(tests, another_value_is_another_page);
  tcase_add_test(tests, another_verdict_is_another_conclusion);
  tcase_add_test(tests, an_own_page_changes_its_mind);
  tcase_add_test(tests, a_template_is_no_study);
  tcase_add_test(tests, two_pages_of_one_name_are_refused);
  return tests;
}

static TCase *templates(void) {
  TCase *tests = tcase_create("templates");
  tcase_add_test(tests, every_template_has_its_figure);
  return tests;
}

VB_TEST_MAIN("plot_page", pages(), templates())
