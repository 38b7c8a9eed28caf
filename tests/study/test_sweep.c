// SPDX-License-Identifier: GPL-3.0-or-later
// Sweeps: runs of a grid in several processes, shared among programs, killed and taken up again.
// Covers: src/study/study*.[ch] src/base/process_pool.* src/base/file_lock.* src/gate/gate_record.*
#include "results/results.h"
#include "results/results_attribute.h"
#include "sweep_fixture.h"

#include <sys/file.h>
#include <sys/resource.h>

// HDF5 1.10 loses some memory where it opens a file that is just being written, as tests here do.
const char *__lsan_default_suppressions(void);  // NOLINT(bugprone-reserved-identifier)
const char *__lsan_default_suppressions(void) { // NOLINT(bugprone-reserved-identifier)
  return "leak:libhdf5";
}

static size_t count_words(const char *text, const char *word) {
  size_t n = 0;
  for (const char *at = text; (at = strstr(at, word)); at += strlen(word))
    n++;
  return n;
}

START_TEST(jobs_do_not_change_results) {
  expect("run sweep --out @/a --jobs 1", 0, "");
  check_lines(output, 110);
  expect("run sweep --out @/b --jobs 3", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "12 of 12 gates passed"));
  ck_assert_ptr_null(strstr(output, "kept"));
  expect_same_folders("a", "b");
  expect("run sweep --out @/b --jobs 3", 0, "");
  ck_assert_uint_eq(count_words(output, "complete, kept"), N_RUNS);
  expect("run sweep --out @/b --jobs 2 --fresh --json", 0, "");
  ck_assert_ptr_null(strstr(output, "\"kept\": true"));
  expect_same_folders("a", "b");
}
END_TEST

/// How many runs in the folder say that others were executed beside them, as `word` says.
static size_t count_shared(const char *name, const char *word) {
  char path[300];
  size_t n = 0;
  for (size_t i = 0; i < N_RUNS; i++) {
    vb_attribute shared;
    vb_error error = {0};
    snprintf(path, sizeof path, "%s/%s/sweep-%s.h5", folder, name, RUNS[i]);
    ck_assert_msg(
        !vb_run_attribute((vb_run_location){path, NULL}, "timing", "shared", &shared, &error), "%s",
        error.message);
    n += strcmp(shared.text, word) == 0;
  }
  return n;
}

START_TEST(runs_go_side_by_side_unless_the_study_is_timed) {
  setenv("OMP_NUM_THREADS", "1", 1);
  expect("run sweep --out @/a", 0, "");
  ck_assert_uint_eq(count_shared("a", "no"), N_RUNS);
  setenv("OMP_NUM_THREADS", "3", 1);
  expect("run sweep --out @/b", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "times are not comparable"));
  ck_assert_uint_eq(count_shared("b", "yes"), N_RUNS);
  expect_same_folders("a", "b");
  expect("run sweep --out @/c --jobs 1", 0, "");
  ck_assert_uint_eq(count_shared("c", "no"), N_RUNS);
  expect("run sweep --tier full --out @/f", 0, "");
  ck_assert_uint_eq(count_shared("f", "no"), N_RUNS);
  char timed[sizeof SCRIPT + 20];
  const char *head = strstr(SCRIPT, "title");
  snprintf(timed, sizeof timed, "%.*stimed = true, %s", (int)(head - SCRIPT), SCRIPT, head);
  write_file("scenarios/sweep.lua", timed);
  expect("run sweep --out @/d --jobs 3", 0, "");
  ck_assert_ptr_null(strstr(output, "times are not comparable"));
  ck_assert_uint_eq(count_shared("d", "no"), N_RUNS);
  unsetenv("OMP_NUM_THREADS");
}
END_TEST

START_TEST(figures_compare_no_times_of_runs_side_by_side) {
  NEEDS_GNUPLOT
  char with_figure[sizeof SCRIPT + 40];
  const char *head = strstr(SCRIPT, "title");
  snprintf(with_figure, sizeof with_figure, "%.*sfigure = './speed', %s", (int)(head - SCRIPT),
           SCRIPT, head);
  write_file("scenarios/sweep.lua", with_figure);
  write_file("scenarios/speed.gp", "#: values runs/* timing/step\nplot 0\n");
  expect("run sweep --out @/a --jobs 3", 2, "was timed in parallel with other runs");
  expect("run sweep --out @/b --jobs 1", 0, "");
  ck_assert(exists("b/sweep.svg"));
  // A figure that can do without them leaves them out.
  write_file("scenarios/speed.gp", "#: maybe values runs/* timing/step\nplot 0\n");
  expect("run sweep --out @/c --jobs 3", 0, "");
  ck_assert(exists("c/sweep.svg"));
}
END_TEST

START_TEST(index_records_the_sweep) {
  expect("run sweep --out @/a --jobs 2", 0, "");
  expect("table @/a/sweep.h5 scenario/runs scenario/grid/method scenario/grid/n", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "\n2 \"direct-n17\" \"direct\" 17\n"));
  expect("table @/a/sweep-xpbd-n9.h5 scenario/grid/method scenario/grid/n", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "\n0 \"xpbd\" 9\n"));
}
END_TEST

START_TEST(shards_join_into_one_index) {
  expect("run sweep --out @/a", 0, "");
  expect("run sweep --out @/b --shard 2/3", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "of this shard's"));
  check_lines(output, 110);
  ck_assert(exists("b/sweep.shard-2-of-3.h5") && !exists("b/sweep.h5"));
  expect("table @/b/sweep.shard-2-of-3.h5 scenario/shard", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "\"2/3\""));
  expect("join sweep --out @/b", 4, "runs are missing");
  ck_assert_ptr_nonnull(strstr(error_output, "direct-n17"));
  ck_assert(exists("b/sweep.h5") && exists("b/sweep.shard-2-of-3.h5"));
  expect("run sweep --out @/b --shard 1/3", 0, "");
  expect("run sweep --out @/b --shard 3/3 --jobs 2", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "12 of 12 gates passed"));
  ck_assert_ptr_nonnull(strstr(output, "complete, kept"));
  ck_assert_uint_eq(count_files("b/*shard*"), 0);
  expect_same_folders("a", "b");
  expect("join sweep --out @/b", 0, "");
  ck_assert_uint_eq(count_words(output, "complete, kept"), N_RUNS);
  expect_same_folders("a", "b");
}
END_TEST

START_TEST(shards_at_once_in_one_folder) {
  expect("run sweep --out @/a", 0, "");
  const char *names[] = {"one", "two"};
  size_t executed = 0;
  pid_t child[2] = {start_as("run sweep --out @/b --shard 1/2", names[0]),
                    start_as("run sweep --out @/b --shard 2/2 --jobs 2", names[1])};
  for (int i = 0; i < 2; i++) {
    ck_assert_int_eq(finish_as(child[i], names[i]), 0);
    ck_assert_str_eq(error_output, "");
    executed += count_words(output, "complete\n");
  }
  ck_assert_uint_eq(executed, N_RUNS);
  expect_same_folders("a", "b");
}
END_TEST

/// Programs that are not told of each other share the runs, too: no run is executed twice.
START_TEST(programs_at_once_in_one_folder) {
  expect("run sweep --out @/a", 0, "");
  const char *names[] = {"one", "two", "three"};
  size_t executed = 0;
  pid_t child[3];
  for (int i = 0; i < 3; i++)
    child[i] = start_as(i == 1 ? "run sweep --out @/b --jobs 2" : "run sweep --out @/b", names[i]);
  for (int i = 0; i < 3; i++) {
    ck_assert_msg(finish_as(child[i], names[i]) == 0, "%s%s", output, error_output);
    ck_assert_str_eq(error_output, "");
    ck_assert_ptr_nonnull(strstr(output, "12 of 12 gates passed"));
    executed += count_words(output, "complete\n");
  }
  ck_assert_uint_eq(executed, N_RUNS);
  expect_same_folders("a", "b");
}
END_TEST

/// Waits until a process has the lock of that file, and returns which.
static pid_t await_owner(const char *name) {
  int pid = 0;
  for (int i = 0; i < 6000 && pid == 0; i++) {
    char text[64] = "";
    FILE *file = fopen(in_folder("%s.lock%s", name, ""), "r");
    if (file && (!fgets(text, sizeof text, file) || sscanf(text, "process %d on", &pid) != 1))
      pid = 0;
    if (file)
      fclose(file);
    usleep(10000);
  }
  ck_assert_msg(pid != 0, "no one locks %s", name);
  return pid;
}

/// Waits until a file is there.
static void await(const char *name) {
  for (int i = 0; i < 6000 && !exists(name); i++)
    usleep(10000);
  ck_assert_msg(exists(name), "%s does not appear", name);
}

/// Rows that a file being written holds on the disk, by its own count; 0 where it cannot be read
/// now.
static size_t rows_now(const char *path) {
  int64_t rows = 0;
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_file_locking(access, false, true);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, access);
  hid_t run = file < 0 ? -1 : H5Gopen2(file, "run", H5P_DEFAULT);
  hid_t count = run < 0 ? -1 : H5Aopen(run, "rows", H5P_DEFAULT);
  if (count >= 0 && H5Aread(count, H5T_NATIVE_INT64, &rows) < 0)
    rows = 0;
  if (count >= 0)
    H5Aclose(count);
  if (run >= 0)
    H5Gclose(run);
  if (file >= 0)
    H5Fclose(file);
  H5Pclose(access);
  return (size_t)rows;
}

START_TEST(a_run_that_crashes_leaves_the_others_alone) {
  pid_t child = start("run sweep --out @/b --jobs 2 --set long=100000000");
  await("b/sweep-direct-n17.h5.part");
  pid_t owner = await_owner("b/sweep-direct-n17.h5");
  while (rows_now(in_folder("b/sweep-direct-n17.h5.part%s%s", "", "")) == 0)
    usleep(10000);
  ck_assert_int_ne(owner, child);
  ck_assert_int_eq(kill(owner, SIGKILL), 0);
  ck_assert_int_eq(finish(child), 1);
  ck_assert_ptr_nonnull(strstr(error_output,
                               "sweep, run direct-n17: its process ended with signal 9 "
                               "(Killed); what was recorded is kept in"));
  ck_assert_uint_eq(count_words(output, "complete\n"), N_RUNS - 1);
  ck_assert_ptr_nonnull(strstr(output, "10 of 10 gates passed"));
  expect("table @/b/sweep.h5 scenario/missing", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "\n0 \"direct-n17\"\n"));
  expect("table @/b/sweep.h5 scenario/runs", 0, "");
  ck_assert_ptr_null(strstr(output, "direct-n17"));
  expect("table @/b/sweep-direct-n17.h5.part energy/kinetic", 0, "");
  expect("join sweep --out @/b --set long=100000000", 4, "1 of 5 runs are missing");
}
END_TEST

/// A limit on the size of files stands for a full disk. Only one run needs more.
START_TEST(a_full_disk_fails_one_run_alone) {
  struct rlimit limit;
  write_file("scenarios/sweep.lua", "return { title = 'Large and small',\n"
                                    "  parameters = { n = 5, frames = 100 },\n"
                                    "  build = function(p)\n"
                                    "    local s = vb.scene{ step = 0.001, steps = 40 }\n"
                                    "    s:rod{ nodes = p.n, from = {0, 0, 0}, to = {1, 0, 0},\n"
                                    "           radius = 0.01, density = 1000,\n"
                                    "           material = { E = 1e5, nu = 0.3 } }\n"
                                    "    s:record{ every = 10, frames = 1 }\n"
                                    "    s:solver{ method = 'xpbd', iterations = 1 }\n"
                                    "    return s\n"
                                    "  end,\n"
                                    "  grid = { n = {5, 6, 20000} } }\n");
  ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
  limit.rlim_cur = 16 << 20;
  ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
  expect("run sweep --out @/b --jobs 2", 5, "sweep, run n20000: cannot write");
  ck_assert_msg(count_words(error_output, "\n") == 1, "%s", error_output);
  ck_assert_uint_eq(count_words(output, "complete\n"), 2);
  ck_assert(exists("b/sweep.h5") && !exists("b/sweep-n20000.h5"));
  limit.rlim_cur = limit.rlim_max;
  ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
  expect("run sweep --out @/b --jobs 2", 0, "");
  ck_assert_uint_eq(count_words(output, "complete, kept"), 2);
  ck_assert_uint_eq(count_files("b/*.part"), 0);
}
END_TEST

START_TEST(a_signal_ends_all_children) {
  const int signals[] = {SIGINT, SIGTERM};
  for (int i = 0; i < 2; i++) {
    pid_t child = start("run sweep --out @/b --jobs 3 --fresh --set long=100000000 --set "
                        "steps=100000000");
    pid_t owner[3];
    const char *runs[] = {"direct-n17", "direct-n9", "xpbd-n9"};
    for (int k = 0; k < 3; k++) {
      char name[64];
      snprintf(name, sizeof name, "b/sweep-%s.h5", runs[k]);
      owner[k] = await_owner(name);
      while (rows_now(in_folder("%s.part%s", name, "")) == 0)
        usleep(10000);
    }
    ck_assert_int_eq(kill(child, signals[i]), 0);
    ck_assert_int_eq(finish(child), 128 + signals[i]);
    ck_assert_uint_eq(count_words(error_output, "what was recorded is kept in"), 3);
    for (int k = 0; k < 3; k++)
      ck_assert_int_ne(kill(owner[k], 0), 0);
    ck_assert_uint_eq(count_files("b/*.part"), 3);
    ck_assert_uint_eq(count_files("b/*.lock"), 0);
    ck_assert_uint_eq(count_files("b/sweep.h5"), 0);
    expect("table @/b/sweep-xpbd-n9.h5.part energy/kinetic", 0, "");
  }
}
END_TEST

/// A generator of numbers of [0, 1), the same each time.
static double chance(uint64_t *state) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*state >> 11) / 9007199254740992.0;
}

/// Whether a process holds a lock in the folder b.
static bool is_at_work(void) {
  glob_t found;
  bool held = false;
  if (glob(in_folder("b/*.lock%s%s", "", ""), 0, NULL, &found) == 0)
    for (size_t i = 0; i < found.gl_pathc && !held; i++) {
      int descriptor = open(found.gl_pathv[i], O_RDONLY | O_CLOEXEC);
      held = descriptor >= 0 && flock(descriptor, LOCK_SH | LOCK_NB) != 0;
      if (descriptor >= 0)
        close(descriptor);
    }
  globfree(&found);
  return held;
}

/// Waits until no process holds a lock in the folder b: all of a killed program are gone.
static void await_silence(void) {
  glob_t found;
  if (glob(in_folder("b/*.lock%s%s", "", ""), 0, NULL, &found) == 0)
    for (size_t i = 0; i < found.gl_pathc; i++) {
      int descriptor = open(found.gl_pathv[i], O_RDONLY | O_CLOEXEC);
      ck_assert(descriptor < 0 || flock(descriptor, LOCK_EX) == 0);
      close(descriptor);
    }
  globfree(&found);
}

/// What a killed run left is the beginning of what it would have become.
static size_t expect_beginning(const char *part, const char *whole) {
  vb_error error = {0};
  vb_column a = {0}, b = {0};
  ck_assert_msg(!vb_results_column(part, "energy/kinetic", -1, -1, &a, &error), "%s",
                error.message);
  ck_assert_msg(!vb_results_column(whole, "energy/kinetic", -1, -1, &b, &error), "%s",
                error.message);
  ck_assert_uint_le(a.n, b.n);
  for (size_t i = 0; i < a.n; i++)
    ck_assert_msg(a.x[i] == b.x[i] && a.y[i] == b.y[i],
                  "%s: row %zu of %zu is %.17g at %.17g, not %.17g at %.17g", part, i, a.n, a.y[i],
                  a.x[i], b.y[i], b.x[i]);
  size_t n = a.n;
  vb_column_free(&a);
  vb_column_free(&b);
  return n;
}

/// Checks what ten kills must not lose, after one of them: runs that were finished before, as they
/// were, and rows that were on the disk.
static void look_after_kill(bool finished[N_RUNS], const size_t rows[N_RUNS]) {
  for (int i = 0; i < N_RUNS; i++) {
    const char *path = in_folder("b/sweep-%s.h5%s", RUNS[i], "");
    const char *part = in_folder("b/sweep-%s.h5.part%s", RUNS[i], "");
    const char *whole = in_folder("a/sweep-%s.h5%s", RUNS[i], "");
    bool there = access(path, F_OK) == 0;
    ck_assert_msg(there || !finished[i], "%s was lost", path);
    finished[i] = there;
    if (there)
      ck_assert_uint_gt(expect_beginning(path, whole), 0);
    else if (access(part, F_OK) == 0 && rows[i] > 0)
      ck_assert_uint_ge(expect_beginning(part, whole), rows[i]);
  }
}

/// Kills a sweep at random moments; SEED gives others. Flushes come about once a second.
START_TEST(kills_lose_nothing_that_was_finished_or_flushed) {
  const char *given = getenv("SEED"), *line = "run sweep --out @/b --jobs 2 --set long=20000";
  uint64_t seed = given ? strtoull(given, NULL, 10) : 1;
  bool finished[N_RUNS] = {false};
  size_t seen = 0;
  chance(&seed);
  expect("run sweep --out @/a --set long=20000", 0, "");
  for (int k = 0; k < 10; k++) {
    size_t rows[N_RUNS];
    double moment_s = 0.02 + (k == 9 ? 1.6 : 1.2) * chance(&seed);
    pid_t child = start(line);
    for (int i = 0; i < 12000 && !is_at_work(); i++)
      usleep(5000);
    usleep((useconds_t)(1e6 * moment_s));
    for (int i = 0; i < N_RUNS; i++)
      seen += rows[i] = rows_now(in_folder("b/sweep-%s.h5.part%s", RUNS[i], ""));
    ck_assert_int_eq(kill(child, SIGKILL), 0);
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
    await_silence();
    look_after_kill(finished, rows);
  }
  size_t kept = 0;
  for (int i = 0; i < N_RUNS; i++)
    kept += finished[i];
  expect(line, 0, "");
  ck_assert_uint_eq(count_words(output, "complete, kept"), kept);
  expect_same_folders("a", "b");
  printf("seed %s: %zu runs were finished between kills, %zu rows were seen on the disk before\n",
         given ? given : "1", kept, seen);
}
END_TEST

START_TEST(wrong_usage_is_reported_in_one_sentence) {
  const struct {
    const char *words, *complaint;
  } cases[] = {
      {"run sweep --out @/a --jobs 0", "--jobs needs a whole number from 1 to 1024, not \"0\""},
      {"run sweep --out @/a --jobs two", "--jobs needs a whole number"},
      {"run sweep --out @/a --shard 0/4", "--shard needs K/N"},
      {"run sweep --out @/a --shard 5/4", "--shard needs K/N"},
      {"run sweep --out @/a --shard 1", "--shard needs K/N"},
      {"run sweep --out @/a --shard 1/2x", "--shard needs K/N"},
      {"bench sweep --jobs 2", "bench takes no --jobs 2: parallel measurements would disturb"},
      {"bench sweep --shard 1/2", "bench does not take --shard"},
      {"join sweep --jobs 2", "join does not take --jobs"},
      {"join swep", "did you mean \"sweep\"?"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    expect(cases[i].words, 2, cases[i].complaint);
    ck_assert_str_eq(output, "");
    ck_assert_uint_eq(count_words(error_output, "\n"), 1);
  }
}
END_TEST

static TCase *sweeps(void) {
  TCase *tests = tcase_create("sweeps");
  tcase_set_timeout(tests, 200);
  tcase_add_checked_fixture(tests, set_up, remove_home);
  tcase_add_test(tests, jobs_do_not_change_results);
  tcase_add_test(tests, runs_go_side_by_side_unless_the_study_is_timed);
  tcase_add_test(tests, figures_compare_no_times_of_runs_side_by_side);
  tcase_add_test(tests, index_records_the_sweep);
  tcase_add_test(tests, shards_join_into_one_index);
  tcase_add_test(tests, shards_at_once_in_one_folder);
  tcase_add_test(tests, programs_at_once_in_one_folder);
  tcase_add_test(tests, wrong_usage_is_reported_in_one_sentence);
  return tests;
}

static TCase *mishaps(void) {
  TCase *tests = tcase_create("mishaps");
  tcase_set_timeout(tests, 200);
  tcase_add_checked_fixture(tests, set_up, remove_home);
  tcase_add_test(tests, a_run_that_crashes_leaves_the_others_alone);
  tcase_add_test(tests, a_full_disk_fails_one_run_alone);
  tcase_add_test(tests, a_signal_ends_all_children);
  tcase_add_test(tests, kills_lose_nothing_that_was_finished_or_flushed);
  return tests;
}

VB_TEST_MAIN("sweeps", sweeps(), mishaps())
