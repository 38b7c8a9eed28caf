// SPDX-License-Identifier: GPL-3.0-or-later
/// Motion of runs while they are executed: what is written, that it changes nothing, what is
/// refused, what a browser shows.
/// Covers: src/report/live*.[ch] src/report/player/live.js src/cli/live_view.[ch]
/// Covers: src/study/run_viewer.h
#include "cli_fixture.h"

/// A bar that falls onto a half-plane, in several runs, with a frame of each step.
static const char SCRIPT[] =
    "return { title = 'Bars', parameters = { steps = 500, runs = 2 }, build = function(p)\n"
    "    local s = vb.scene{ step = 0.001, steps = p.steps, gravity = { 0, 0, -9.81 } }\n"
    "    local a = s:node{ position = { 0, 0, 1 }, radius = 0.1 }\n"
    "    local b = s:node{ position = { 1, 0, 1.2 }, radius = 0.2 }\n"
    "    s:segment{ nodes = { a, b }, density = 1000, material = { E = 1e5, nu = 0.3 } }\n"
    "    s:halfplane{ normal = { 0, 0, 1 }, offset = 0, friction = 0 }\n"
    "    s:record{ every = 1, frames = 1, fields = { 'position', 'scale' } }\n"
    "    return s\n"
    "  end, runs = function(p)\n"
    "    local list = {}\n"
    "    for i = 1, p.runs do list[i] = { name = 'r' .. i } end\n"
    "    return list\n"
    "  end }\n";

static char *messages;

static void set_up(void) {
  make_home();
  write_file("scenarios/bars.lua", SCRIPT);
}

static void tear_down(void) {
  free(messages);
  messages = NULL;
  remove_home();
}

/// All messages, one after the other.
static void read_messages(void) {
  char command[160];
  size_t size = 0;
  ssize_t n = 0;
  free(messages);
  messages = NULL;
  snprintf(command, sizeof command, "cat %s/live.live/[0-9]*.js", folder);
  FILE *pipe = popen(command, "r"); // NOLINT(cert-env33-c)
  ck_assert_ptr_nonnull(pipe);
  n = getdelim(&messages, &size, '\0', pipe);
  ck_assert(pclose(pipe) == 0 && n > 0);
}

static size_t count(const char *words) {
  size_t n = 0;
  for (const char *at = messages; (at = strstr(at, words)); at += strlen(words))
    n++;
  return n;
}

START_TEST(all_runs_are_told) {
  expect("run bars --out @/o --live @/live.html", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "live.html in a browser"));
  read_messages();
  ck_assert_uint_eq(count("\"begin\":"), 2);
  ck_assert_uint_eq(count("\"end\":\"complete\""), 2);
  ck_assert_uint_eq(count("\"rest_radius\":{\"type\":\"f32\",\"n\":2,\"width\":1,"), 2);
  ck_assert_uint_eq(count("\"plane\":{\"type\":\"f32\",\"n\":1,\"width\":4,"), 2);
  ck_assert_ptr_nonnull(strstr(messages, "\"over\":\"complete\"});\n"));
  ck_assert(exists("live.live/sign.js"));
}
END_TEST

// Of 501 frames every second is shown, and the last.
START_TEST(frames_are_thinned) {
  expect("run bars --out @/o --live @/live.html", 0, "");
  read_messages();
  ck_assert_uint_eq(count("\"number\":"), 2 * 251);
  ck_assert_uint_eq(count("\"number\":0,"), 2);
  ck_assert_uint_eq(count("\"number\":1,"), 0);
  ck_assert_uint_eq(count("\"number\":500,"), 2);
  expect("run bars --out @/o --fresh --set steps=499 --set runs=30 --live @/live.html", 0, "");
  read_messages();
  ck_assert_uint_eq(count("\"number\":499,"), 30);
  ck_assert_uint_le(count("\"number\":"), 2000);
}
END_TEST

START_TEST(states_stay_the_same) {
  static char without[sizeof output];
  expect("run bars --out @/a", 0, "");
  expect("run bars --out @/b --live @/live.html", 0, "");
  const char *words = "table @/a/bars-r1.h5 frames/position[1,2] energy/total --csv";
  expect(words, 0, "");
  strcpy(without, output);
  expect("table @/b/bars-r1.h5 frames/position[1,2] energy/total --csv", 0, "");
  ck_assert_str_eq(output, without);
  ck_assert_uint_gt(strlen(output), 5000);
}
END_TEST

START_TEST(kept_runs_are_not_told) {
  expect("run bars --out @/o", 0, "");
  expect("run bars --out @/o --live @/live.html", 0, "");
  read_messages();
  ck_assert_uint_eq(count("\"begin\":"), 0);
  ck_assert_uint_eq(count("\"over\":\"complete\""), 1);
}
END_TEST

START_TEST(messages_of_an_earlier_time_are_removed) {
  char path[128];
  snprintf(path, sizeof path, "%s/live.live", folder);
  ck_assert_int_eq(mkdir(path, 0777), 0);
  write_file("live.live/0999.js", "old");
  write_file("live.live/0998.js.part", "old");
  write_file("live.live/mine.js", "mine");
  expect("run bars --out @/o --live @/live.html", 0, "");
  ck_assert(!exists("live.live/0999.js") && !exists("live.live/0998.js.part"));
  ck_assert(exists("live.live/mine.js"));
}
END_TEST

START_TEST(what_cannot_be_written_is_refused_at_the_start) {
  write_file("file", "");
  write_file("other.html", "of somebody else");
  write_file("taken.live", "");
  expect("run bars --out @/o --live @/file/live.html", 5, "cannot make the folder ");
  expect("run bars --out @/o --live @/taken.html", 5, "taken.live is not a folder");
  expect("run bars --out @/o --live @/other.html", 2, "other.html");
  expect("run bars --out @/o --live", 2, "--live");
  ck_assert(!exists("o/bars-r1.h5"));
}
END_TEST

/// Starts runs that last until they are stopped, and waits for their first message.
static pid_t start_long_run(void) {
  pid_t child =
      start_as("run bars --out @/o --set steps=2000000 --set runs=1 --live @/live.html", "long");
  for (int i = 0; i < 1000 && !exists("live.live/0001.js"); i++)
    usleep(20000);
  ck_assert(exists("live.live/0001.js"));
  return child;
}

START_TEST(an_interruption_is_told) {
  int ended;
  pid_t child = start_long_run();
  kill(child, SIGINT);
  ck_assert_int_eq(waitpid(child, &ended, 0), child);
  read_messages();
  ck_assert_uint_eq(count("\"end\":\"interrupted\""), 1);
  ck_assert_uint_eq(count("\"over\":\"interrupted\""), 1);
}
END_TEST

START_TEST(runs_go_on_where_the_page_cannot) {
  char command[256];
  int ended;
  pid_t child =
      start_as("run bars --out @/o --set steps=20000 --set runs=1 --live @/live.html", "long");
  for (int i = 0; i < 30000 && !exists("live.live/0000.js"); i++)
    usleep(1000);
  kill(child, SIGSTOP); // it must not end before the folder is another
  snprintf(command, sizeof command, "mv %s/live.live %s/away && touch %s/live.live", folder, folder,
           folder);
  ck_assert_int_eq(system(command), 0);
  kill(child, SIGCONT);
  ck_assert_int_eq(waitpid(child, &ended, 0), child);
  ck_assert(WIFEXITED(ended));
  ck_assert_int_eq(WEXITSTATUS(ended), 5);
  read_file("long.err", error_output, sizeof error_output);
  const char *sentence = strstr(error_output, "cannot write ");
  ck_assert_ptr_nonnull(sentence);
  ck_assert_ptr_null(strstr(sentence + 1, "cannot write "));
  ck_assert_ptr_nonnull(strstr(sentence, "the runs went on"));
  expect("info @/o/bars-r1.h5", 0, "");
}
END_TEST

START_TEST(a_browser_shows_it) {
  char command[512];
  if (system("command -v chromium >/dev/null 2>&1") != 0) {
    vb_skip("chromium", "a browser shows live motion");
    return;
  }
  write_file("scenarios/long.lua", SCRIPT);
  snprintf(command, sizeof command,
           "sed -i 's/steps = 500, runs = 2/steps = 2000000, runs = 1/' %s/scenarios/long.lua && "
           "/usr/bin/python3 tests/support/check_live.py %s %s/scenarios/long.lua %s",
           folder, program(), folder, folder);
  ck_assert_int_eq(system(command), 0);
}
END_TEST

static TCase *live(void) {
  TCase *c = tcase_create("live");
  tcase_set_timeout(c, 240);
  tcase_add_checked_fixture(c, set_up, tear_down);
  tcase_add_test(c, all_runs_are_told);
  tcase_add_test(c, frames_are_thinned);
  tcase_add_test(c, states_stay_the_same);
  tcase_add_test(c, kept_runs_are_not_told);
  tcase_add_test(c, messages_of_an_earlier_time_are_removed);
  tcase_add_test(c, what_cannot_be_written_is_refused_at_the_start);
  tcase_add_test(c, an_interruption_is_told);
  tcase_add_test(c, runs_go_on_where_the_page_cannot);
  tcase_add_test(c, a_browser_shows_it);
  return c;
}

VB_TEST_MAIN("cli: live motion", live())
