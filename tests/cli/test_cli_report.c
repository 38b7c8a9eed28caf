// SPDX-License-Identifier: GPL-3.0-or-later
/// Reports of kept results: what the page says, refuses and keeps out, and what a browser makes of
/// it.
/// Covers: src/report/*.[ch] src/report/player/*.js
#include "cli_fixture.h"

/// Two bars that fall, one of them with a name and reasons that would be markup.
static const char SCRIPT[] =
    "local evil = '<img src=x "
    "onerror=\"document.title=1\"></script><script>document.title=2</script>'\n"
    "return { title = 'Bars ' .. evil, parameters = { far = 1, g = 9.81, n = 2, steps = 40, every "
    "= 4 },\n"
    "  build = function(p)\n"
    "    local s = vb.scene{ step = 0.01, steps = p.steps, gravity = {0, 0, -p.g} }\n"
    "    local last\n"
    "    for i = 0, p.n - 1 do\n"
    "      local a = s:node{ position = {0, i, 1}, radius = 0.1 }\n"
    "      last = s:node{ position = {p.far, i, 1.2}, radius = 0.2 }\n"
    "      s:segment{ nodes = {a, last}, density = 1000, material = { E = 1e5, nu = 0.3 } }\n"
    "    end\n"
    "    s:halfplane{ normal = {0, 0, 1}, offset = -1, friction = 0 }\n"
    "    s:record{ every = 1, frames = p.every, fields = { 'position', 'scale', 'frame' } }\n"
    "    s:gate{ name = 'falls ' .. evil, quantity = 'frames/position', node = last, component = "
    "'z',\n"
    "            measure = 'final', at_most = 0.6, reason = 'free fall ' .. evil }\n"
    "    s:gate{ name = 'stays', quantity = 'frames/position', node = last, component = 'z',\n"
    "            measure = 'final', at_least = 0.9, reason = 'it does not' }\n"
    "    return s\n"
    "  end }\n";

/// Eight runs of a ball that falls, with two outcomes but for `strange`, which falls upward.
static const char MANY[] =
    "return { title = 'Many', parameters = { g = -9.81 }, build = function(p)\n"
    "    local s = vb.scene{ step = 0.01, steps = 40, gravity = { 0, 0, p.g } }\n"
    "    local a = s:node{ position = { 0, 0, 1 }, radius = 0.1 }\n"
    "    local b = s:node{ position = { 1, 0, 1 }, radius = 0.1 }\n"
    "    s:segment{ nodes = { a, b }, density = 1000, material = { E = 1e5, nu = 0.3 } }\n"
    "    s:record{ every = 4, frames = 4, fields = { 'position', 'scale' } }\n"
    "    return s\n"
    "  end, runs = function()\n"
    "    local list = {}\n"
    "    for i = 1, 8 do list[i] = { name = 'r' .. i } end\n"
    "    list[8] = { name = 'strange', parameters = { g = 9.81 } }\n"
    "    return list\n"
    "  end }\n";

static char *page;

/// The page that was written, whole.
static void read_page(const char *name) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "r");
  ck_assert_ptr_nonnull(file);
  fseek(file, 0, SEEK_END);
  size_t size = (size_t)ftell(file);
  rewind(file);
  free(page);
  page = malloc(size + 1);
  ck_assert_ptr_nonnull(page);
  page[fread(page, 1, size, file)] = '\0';
  fclose(file);
}

static const char *place_of(const char *text) {
  const char *at = strstr(page, text);
  ck_assert_msg(at != NULL, "the page lacks \"%s\"", text);
  return at;
}

static bool is_before(const char *first, const char *second) {
  return first < second;
}

static void set_up(void) {
  make_home();
  write_file("scenarios/bars.lua", SCRIPT);
  expect("run bars --quiet --out @/o", 1, "gate \"stays\" missed");
}

static void tear_down(void) {
  free(page);
  page = NULL;
  remove_home();
}

START_TEST(the_conclusion_comes_first) {
  expect("report @/o/bars.h5 -o @/r.html --plain", 0, "");
  read_page("r.html");
  const char *verdict = place_of("1 of 2 gates failed");
  const char *failed = place_of("stays");
  ck_assert(is_before(verdict, failed));
  ck_assert(is_before(failed, place_of("<caption>Gates</caption>")));
  ck_assert(is_before(place_of("<caption>Gates</caption>"), place_of("Runs: time and residual")));
  ck_assert(is_before(place_of("Residual at the end"), place_of("id=\"provenance\"")));
  place_of("it does not");
  place_of("at least 0.9 m</td>");
  place_of("Scene (SHA-256)");
  place_of("<dt>commit</dt>");
  place_of("s:halfplane"); // the script, folded
}
END_TEST

START_TEST(the_text_of_a_figure_is_its_conclusion) {
  NEEDS_GNUPLOT
  char script[8192];
  snprintf(script, sizeof script, "%.*s, figure = 'bars' }\n", (int)(strrchr(SCRIPT, '}') - SCRIPT),
           SCRIPT);
  write_file("plots/bars.gp", "plot x\n");
  write_file("scenarios/bars.lua", script);
  expect("run bars --quiet --fresh --out @/o", 1, "gate \"stays\" missed");
  expect("report @/o/bars.h5 -o @/r.html --plain", 0, "");
  read_page("r.html");
  place_of(" 1 of 2 gates fail: stays, found ");
  place_of(", expected at least 0.9. 1 of 2 gates pass: falls ");
}
END_TEST

START_TEST(texts_of_results_are_no_markup) {
  expect("report @/o/bars.h5 -o @/r.html", 0, "");
  read_page("r.html");
  ck_assert_ptr_null(strstr(page, "<img src=x"));
  ck_assert_ptr_null(strstr(page, "<script>document"));
  place_of("&lt;img src=x onerror=&quot;");
  place_of("content=\"default-src 'none'; ");
}
END_TEST

START_TEST(a_size_is_kept) {
  expect("report @/o/bars.h5 -o @/r.html", 0, "");
  read_page("r.html");
  ck_assert_ptr_null(strstr(page, "id=\"thinned\""));
  ck_assert_ptr_nonnull(strstr(page, "class=\"bytes\""));
  // Style and script alone take more than half of it.
  expect("report @/o/bars.h5 -o @/r.html --size 0.1", 0, "");
  read_page("r.html");
  place_of("too large for the player");
  ck_assert_ptr_null(strstr(page, "class=\"bytes\""));
  ck_assert_uint_le(strlen(page), 100000);
  expect("report @/o/bars.h5 -o @/r.html --size 0", 2, "--size needs a number of megabytes");
}
END_TEST

static size_t count_of(const char *text) {
  size_t n = 0;
  for (const char *at = page; (at = strstr(at, text)) != NULL; at++)
    n++;
  return n;
}

START_TEST(of_many_runs_those_that_differ_are_shown) {
  write_file("scenarios/many.lua", MANY);
  expect("run many --quiet --out @/many", 0, "");
  expect("report @/many -o @/r.html", 0, "");
  read_page("r.html");
  ck_assert_uint_eq(count_of("class=\"pack\""), 6);
  place_of("for show, or the 6 that differ most; 2 others");
  place_of("data-run=\"r1\"");
  place_of("data-run=\"strange\"");
}
END_TEST

START_TEST(many_studies_are_listed) {
  char name[64], text[256] = "run --quiet --out @/nine";
  for (int i = 0; i < 9; i++) {
    snprintf(name, sizeof name, "scenarios/bars%d.lua", i);
    write_file(name, SCRIPT);
    snprintf(name, sizeof name, " bars%d", i);
    strcat(text, name);
  }
  expect(text, 1, "gate \"stays\" missed");
  expect("report @/nine -o @/r.html", 0, "");
  read_page("r.html");
  place_of("9 of 18 gates failed");
  place_of("<a href=\"r/bars4.html\">");
  ck_assert_ptr_null(strstr(page, "class=\"pack\""));
  read_page("r/bars8.html");
  place_of("<a href=\"../r.html\">All studies</a>");
  place_of("id=\"player\"");
  // With a baseline all is in one page.
  expect("report @/nine --against @/nine -o @/one.html --plain", 0, "");
  read_page("one.html");
  place_of("id=\"study-bars4\"");
  ck_assert(!exists("one"));
}
END_TEST

START_TEST(bad_input_is_refused) {
  expect("report @/nothing.h5 -o @/r.html", 2, "nothing.h5");
  write_file("text.h5", "no results");
  expect("report @/text.h5 -o @/r.html", 2, "text.h5");
  expect("report @/scenarios -o @/r.html", 2, "holds no results");
  expect("report @/o @/o --against @/o -o @/r.html", 2, "--against compares one");
  expect("report @/o -o @/missing/r.html", 5, "missing");
  ck_assert(!exists("r.html"));
}
END_TEST

START_TEST(a_baseline_is_compared) {
  expect("run bars --quiet --out @/p --set far=1.01", 1, "gate \"stays\" missed");
  expect("report @/o --against @/o -o @/r.html --plain", 0, "");
  read_page("r.html");
  place_of("1 of 1 runs agree, 0 of 2 gates changed side");
  expect("report @/o --against @/p -o @/r.html --plain", 0, "");
  read_page("r.html");
  place_of("0 of 1 runs agree");
  place_of("not compared");
}
END_TEST

START_TEST(history_tells_what_changed) {
  char text[4096];
  expect("history @/o @/o", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "0 changes beyond the noise"));
  expect("run bars --quiet --out @/p --set g=5", 1, "gate");
  expect("history @/o @/p", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "  2  FAILS  bars, bars: falls"));
  ck_assert_ptr_nonnull(strstr(output, "  2  moved  bars, bars: stays"));
  ck_assert_ptr_nonnull(strstr(output, " changes beyond the noise among "));
  check_lines(output, 110);
  expect("report @/p --history @/o -o @/r.html --plain", 0, "");
  read_page("r.html");
  place_of("<section id=\"history\">");
  place_of(">moved</span>");
  ck_assert_ptr_null(strstr(page, "<img src=x"));
  expect("report @/p @/o --history @/o -o @/r.html", 2, "--history goes before one");
  NEEDS_GNUPLOT
  FILE *script = fopen("plots/history.gp", "r");
  ck_assert_ptr_nonnull(script);
  text[fread(text, 1, sizeof text - 1, script)] = '\0';
  fclose(script);
  write_file("plots/history.gp", text);
  expect("history @/o @/p --figure @/h", 0, "");
  ck_assert(exists("h.svg") && exists("h.png"));
}
END_TEST

START_TEST(a_site_links_all_studies) {
  write_file("README.md", "# Read *me*\n\n[web](https://example.org) [none](x.md) <b>\n");
  expect("site @/o -o @/s", 0, "");
  read_page("s/index.html");
  place_of("1 of 2 gates failed");
  place_of("<a href=\"bars.html\">Bars &lt;img");
  place_of("<a href=\"readme.html\">README.md</a>");
  ck_assert_ptr_null(strstr(page, "<img src=x"));
  read_page("s/bars.html");
  place_of("<a href=\"index.html\">All studies</a>");
  place_of("id=\"player\"");
  read_page("s/readme.html");
  place_of("<h1>Read <em>me</em></h1>");
  place_of("<a href=\"https://example.org\">web</a> none &lt;b&gt;");
  expect("site @/nowhere -o @/s", 2, "nowhere");
  expect("site @/o -o @/o/bars.h5", 5, "bars.h5");
}
END_TEST

/// What a person sees and does: see tests/support/check_report.py.
START_TEST(a_browser_shows_it) {
  char command[512];
  if (system("command -v chromium >/dev/null 2>&1") != 0) {
    vb_skip("chromium", "a browser opens the report");
    return;
  }
  expect("report @/o/bars.h5 -o @/r.html", 0, "");
  snprintf(command, sizeof command,
           "/usr/bin/python3 tests/support/check_report.py %s/r.html %s/o/bars.h5 %s %s", folder,
           folder, program(), folder);
  ck_assert_int_eq(system(command), 0);
}
END_TEST

static TCase *reports(void) {
  TCase *c = tcase_create("reports");
  tcase_set_timeout(c, 240);
  tcase_add_checked_fixture(c, set_up, tear_down);
  tcase_add_test(c, the_conclusion_comes_first);
  tcase_add_test(c, the_text_of_a_figure_is_its_conclusion);
  tcase_add_test(c, texts_of_results_are_no_markup);
  tcase_add_test(c, a_size_is_kept);
  tcase_add_test(c, of_many_runs_those_that_differ_are_shown);
  tcase_add_test(c, many_studies_are_listed);
  tcase_add_test(c, bad_input_is_refused);
  tcase_add_test(c, a_baseline_is_compared);
  tcase_add_test(c, history_tells_what_changed);
  tcase_add_test(c, a_site_links_all_studies);
  tcase_add_test(c, a_browser_shows_it);
  return c;
}

VB_TEST_MAIN("cli report", reports())
