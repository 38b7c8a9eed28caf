// SPDX-License-Identifier: GPL-3.0-or-later
/// Threads that wait for each other: what the program sets, and what two of them cost beside busy
/// processes. PAIRS=11 compares more often.
/// Covers: src/base/waiting.*
#include "base/waiting.h"
#include "cli_fixture.h"

#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>

/// Pairs of launches unless PAIRS says otherwise, which are fewer where they decide the median
/// already, and the most.
enum { PAIRS = 3, MOST_PAIRS = 101 };

/// The most that two threads may take of one thread's time.
static const double MOST_RATIO = 1.5;

/// Part of the processors that others may have had where too slow is to be called a failure.
static const double MOST_OTHERS = 0.1;

/// Rods of the benchmark "rods", by block-descent.
static const char STUDY[] =
    "local function build()\n"
    "  local s = vb.scene{ step = 1 / 60, steps = 60, gravity = { 0, 0, -9.81 } }\n"
    "  for k = 0, 999 do\n"
    "    local x, y = 2 * (k % 32), 2 * (k // 32)\n"
    "    local rod = s:rod{ nodes = 33, radius = 0.02, density = 1000,\n"
    "      material = { E = 1e6, nu = 0.49 },\n"
    "      curve = function(t) return x + math.sin(t), y + 1 - math.cos(t), 0 end }\n"
    "    s:pin{ node = rod.first, components = 'xyz' }\n"
    "  end\n"
    "  s:bench{ after = 30 }\n"
    "  return s\n"
    "end\n"
    "return { title = 'Rods', build = build, runs = function()\n"
    "  return { { name = 'block.rods', method = 'block-descent', iterations = 10, tolerance = 0,\n"
    "    precision = 'float', arithmetic = 'fast' } }\nend }\n";

static void set_up(void) {
  make_home();
  write_file("bench/many.lua", STUDY);
  unsetenv("GOMP_SPINCOUNT");
  unsetenv("KMP_BLOCKTIME");
}

static void tear_down(void) {
  remove_home();
}

/// What libgomp says, at its last start, of one of its settings; "" where it says nothing.
static const char *setting_in_child(const char *name) {
  static char value[64];
  char key[64];
  const char *last = NULL;
  snprintf(key, sizeof key, "%s = '", name);
  for (const char *at = error_output; (at = strstr(at, key)); last = at)
    at += strlen(key);
  snprintf(value, sizeof value, "%.*s", last ? (int)strcspn(last, "'") : 0, last ? last : "");
  return value;
}

/// How often libgomp was initialized.
static int starts_of_the_library(void) {
  int n = 0;
  for (const char *at = error_output; (at = strstr(at, "DISPLAY ENVIRONMENT BEGIN")); at++)
    n++;
  return n;
}

/// Variables in whose place the program may set its own.
static const char *const REPLACED[] = {"_", "OLDPWD", "SHLVL", "PWD"};

START_TEST(limit_reaches_the_library) {
  static const char *const POLICIES[] = {"", "active", "passive"};
  setenv("OMP_DISPLAY_ENV", "verbose", 1);
  setenv("OMP_NUM_THREADS", "3", 1);
  for (size_t i = 0; i < 3; i++) {
    unsetenv("OMP_WAIT_POLICY");
    if (POLICIES[i][0])
      setenv("OMP_WAIT_POLICY", POLICIES[i], 1);
    ck_assert_int_eq(finish(start("--version")), 0);
    if (!strstr(error_output, "GOMP_SPINCOUNT")) {
      vb_skip("libgomp", "the program was built with another library of threads");
      return;
    }
    ck_assert_str_eq(setting_in_child("GOMP_SPINCOUNT"), "1000");
    ck_assert_str_eq(setting_in_child("OMP_NUM_THREADS"), "3");
    ck_assert_int_eq(starts_of_the_library(), 1);
  }
  setenv("GOMP_SPINCOUNT", "77", 1);
  ck_assert_int_eq(finish(start("--version")), 0);
  ck_assert_str_eq(setting_in_child("GOMP_SPINCOUNT"), "77");
}
END_TEST

START_TEST(without_a_variable_to_replace_the_program_starts_again) {
  setenv("OMP_DISPLAY_ENV", "verbose", 1);
  for (size_t i = 0; i < sizeof REPLACED / sizeof *REPLACED; i++)
    unsetenv(REPLACED[i]);
  ck_assert_int_eq(finish(start("--version")), 0);
  if (starts_of_the_library() == 0) {
    vb_skip("libgomp", "the program was built with another library of threads");
    return;
  }
  ck_assert_int_eq(starts_of_the_library(), 2);
  ck_assert_str_eq(setting_in_child("GOMP_SPINCOUNT"), "1000");
}
END_TEST

START_TEST(replaced_variable_is_put_back) {
  for (size_t i = 0; i < sizeof REPLACED / sizeof *REPLACED; i++) {
    char variable[32], *list[] = {"FIRST=1", variable, "LAST=2", NULL}, **own = environ;
    snprintf(variable, sizeof variable, "%s=kept", REPLACED[i]);
    environ = list;
    vb_waiting_prepare(0, NULL, list);
    ck_assert_str_eq(list[1], "GOMP_SPINCOUNT=1000");
    vb_waiting_limit(NULL);
    ck_assert_str_eq(getenv(REPLACED[i]), "kept");
    ck_assert_str_eq(getenv("FIRST"), "1");
    ck_assert_str_eq(getenv("LAST"), "2");
    ck_assert_str_eq(getenv("GOMP_SPINCOUNT"), "1000");
    environ = own;
  }
}
END_TEST

START_TEST(setting_of_the_user_is_kept) {
  char *list[] = {"PWD=/", "GOMP_SPINCOUNT=77", NULL}, **own = environ;
  environ = list;
  vb_waiting_prepare(0, NULL, list);
  vb_waiting_limit(NULL);
  ck_assert_ptr_eq(environ, list);
  ck_assert_str_eq(list[0], "PWD=/");
  ck_assert_str_eq(list[1], "GOMP_SPINCOUNT=77");
  environ = own;
}
END_TEST

/// Processes that keep the processors busy, one on each.
typedef struct company {
  pid_t spinner[CPU_SETSIZE];
  int n;
} company;

static company invite(void) {
  company all = {.n = 0};
  cpu_set_t set, one;
  ck_assert_int_eq(sched_getaffinity(0, sizeof set, &set), 0);
  for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
    if (!CPU_ISSET(cpu, &set))
      continue;
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      setsid(); // as another user's: where the system shares out by session, in one of its own
      CPU_ZERO(&one);
      CPU_SET(cpu, &one);
      sched_setaffinity(0, sizeof one, &one);
      for (volatile long turns = 0;; turns++)
        continue;
    }
    all.spinner[all.n++] = child;
  }
  return all;
}

static void dismiss(const company *all) {
  for (int i = 0; i < all->n; i++) {
    kill(all->spinner[i], SIGKILL);
    waitpid(all->spinner[i], NULL, 0);
  }
}

static double seconds(clockid_t clock) {
  struct timespec t;
  ck_assert_int_eq(clock_gettime(clock, &t), 0);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// Processor time of the spinners and of the launches that have ended.
static double time_at_work(const company *all) {
  struct rusage usage;
  clockid_t clock;
  ck_assert_int_eq(getrusage(RUSAGE_CHILDREN, &usage), 0);
  double sum = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
               1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
  for (int i = 0; i < all->n; i++) {
    ck_assert_int_eq(clock_getcpuclockid(all->spinner[i], &clock), 0);
    sum += seconds(clock);
  }
  return sum;
}

static double launch(int threads) {
  char words[128];
  snprintf(words, sizeof words, "bench many --launch block.rods --quiet --threads %d", threads);
  ck_assert_int_eq(finish(start(words)), 0);
  double step = strtod(output, NULL);
  ck_assert(step > 0);
  return step;
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/// Whether more than half of `of` ratios lie on one side of the most, whatever those that the list
/// of `n` lacks turn out to be.
static bool is_decided(const double *ratio, int n, int of) {
  int slower = 0;
  for (int i = 0; i < n; i++)
    slower += ratio[i] > MOST_RATIO;
  return 2 * slower > of || 2 * (n - slower) > of;
}

START_TEST(two_threads_beside_others_are_no_slower) {
  const char *asked = getenv("PAIRS");
  int most = asked ? atoi(asked) : PAIRS, n = 0;
  double ratio[MOST_PAIRS];
  company all = invite();
  ck_assert(most >= 1 && most <= MOST_PAIRS);
  if (all.n < 2) {
    dismiss(&all);
    vb_skip("processors", "two threads need two");
    return;
  }
  // What has threads spin longest where nothing is done about it.
  setenv("OMP_WAIT_POLICY", "active", 1);
  double begin = seconds(CLOCK_MONOTONIC), work = time_at_work(&all);
  for (; n < most && (asked || !is_decided(ratio, n, most)); n++) {
    double first = launch(1 + n % 2), second = launch(2 - n % 2);
    ratio[n] = n % 2 ? first / second : second / first;
  }
  double span = (seconds(CLOCK_MONOTONIC) - begin) * all.n;
  double others = 1 - (time_at_work(&all) - work) / span;
  dismiss(&all);
  qsort(ratio, (size_t)n, sizeof *ratio, by_size);
  double median = 0.5 * (ratio[(n - 1) / 2] + ratio[n / 2]);
  printf("two threads beside %d busy processes: %.2f times one thread's time [%.2f, %.2f], median "
         "of %d pairs; others had %.0f %% of the processors\n",
         all.n, median, ratio[0], ratio[n - 1], n, 100 * others);
  if (median > MOST_RATIO && others > MOST_OTHERS) {
    vb_skip("quiet machine", "inconclusive: other processes kept the processors busy");
    return;
  }
  ck_assert_msg(median <= MOST_RATIO, "two threads take %.2f times as long as one", median);
}
END_TEST

static TCase *waiting(void) {
  TCase *t = tcase_create("waiting");
  tcase_set_timeout(t, 200);
  tcase_add_checked_fixture(t, set_up, tear_down);
  tcase_add_test(t, limit_reaches_the_library);
  tcase_add_test(t, without_a_variable_to_replace_the_program_starts_again);
  tcase_add_test(t, replaced_variable_is_put_back);
  tcase_add_test(t, setting_of_the_user_is_kept);
  tcase_add_test(t, two_threads_beside_others_are_no_slower);
  return t;
}

VB_TEST_MAIN("waiting", waiting())
