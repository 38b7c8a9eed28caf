// SPDX-License-Identifier: GPL-3.0-or-later
/// Does the steps whose instructions are counted ("make counts", tests/counts.py): brings each case
/// to a state of its motion, and goes on in `counted_steps`, by one thread. Valgrind counts what
/// that function executes, and writes a part of its record after each call; this program
/// prints a line for each, in the same order. Arguments are studies; without any, all cases are
/// done; --studies prints the names of these.
#include "bench/timed_solver.h"
#include "script/study/study_script.h"
#include "viper/cpu/core/gathered.h"
#include "viper/cpu/core/lines.h"

#include <stdio.h>
#include <string.h>

/// Steps before those that are counted, which find room, and steps counted.
enum { FIRST_STEPS = 2, STEPS = 4 };

/// A variant that no case uses, which is then not compiled for valgrind.
const viper_lanes_api viper_lanes_f32_v3_strict = {0};
const viper_lines_api viper_lines_f32_v3_strict = {0};
const viper_gathered_api viper_gathered_f32_v3_strict = {0};

/// Small sizes with all that large ones do: a batch of rods in float, two in double; a rod alone; a
/// chain in tiles; a heap in contact; bundles.
static const struct {
  const char *study;
  const char *runs; ///< names between blanks; null: all of the study
  int64_t before;   ///< steps to a state whose steps are as any later one
  vb_setting settings[1];
  vb_option options[2]; ///< beside those of all cases; none has no name
} cases[] = {{"rods", NULL, 6, {{"bodies", "8"}}, {{0}}},
             {"rods", "block-float-fast.rods xpbd-float-fast.rods", 6, {{"bodies", "1"}}, {{0}}},
             {"scaling",
              "direct-float-fast.1x1024 block-float-fast.1x1024 xpbd-float-fast.1x1024",
              1,
              {{"most_bodies", "1"}},
              {{0}}},
             {"octopuses", NULL, 4, {{"octopuses", "8"}}, {{0}}},
             {"octopus_crowd",
              "xpbd block-descent",
              12,
              {{"n", "2"}},
              {{"precision", "float"}, {"arithmetic", "fast"}}},
             {"muscles", NULL, 2, {{"muscles", "1"}}, {{"arithmetic", "fast"}}}};

/// Valgrind's command line has its name, so the compiler must keep it: it is not static.
vb_status counted_steps(vb_timed_solver *timed, vb_timing_window *window, vb_error *error);
__attribute__((noinline)) vb_status counted_steps(vb_timed_solver *timed, vb_timing_window *window,
                                                  vb_error *error) {
  vb_status status = vb_timed_solver_advance(timed, STEPS, window, error);
  __asm__ volatile("" ::: "memory"); // no jump into the callee in place of a call
  return status;
}

static vb_status count_run(size_t i, const vb_run_plan *run, vb_error *error) {
  vb_timed_solver timed = {0};
  vb_timing_window window;
  vb_bench_settings in_use = {0};
  vb_status status = vb_timed_solver_open(run, run->scene, &timed, error);
  if (!status)
    status = vb_timed_solver_settings(&timed, &in_use, error);
  if (!status)
    status = vb_timed_solver_advance(&timed, cases[i].before + FIRST_STEPS, &window, error);
  if (!status)
    status = counted_steps(&timed, &window, error);
  if (!status && timed.divergence.diverged)
    status = vb_error_set(error, VB_FAILED, "diverged: %s", timed.divergence.what);
  if (!status)
    printf("%s.%s, %zu bodies: %s, %s, %s, %lld iterations, %lld substeps\n", cases[i].study,
           run->name, vb_scene_count(run->scene, VB_SET_BODY), in_use.method, in_use.precision,
           in_use.arithmetic, (long long)in_use.iterations, (long long)in_use.substeps);
  fflush(stdout);
  vb_timed_solver_close(&timed);
  if (status)
    vb_error_prefix(error, "case %s", run->name);
  return status;
}

/// Whether `name` is one of `list`, names between blanks.
static bool is_named(const char *list, const char *name) {
  size_t length = strlen(name);
  for (const char *at = list; at && (at = strstr(at, name)); at += length)
    if ((at == list || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
      return true;
  return !list;
}

static vb_status count_case(size_t i, vb_error *error) {
  vb_option options[3 + 2] = {{"backend", "cpu"}, {"instructions", "x86-64-v3"}, {"threads", "1"}};
  size_t n_options = 3;
  for (int k = 0; k < 2; k++)
    if (cases[i].options[k].name)
      options[n_options++] = cases[i].options[k];
  vb_study_request request = {.name = cases[i].study,
                              .tier = "quick",
                              .parameters = cases[i].settings,
                              .n_parameters = 1,
                              .options = options,
                              .n_options = n_options};
  vb_study *study;
  vb_status status = vb_study_load(&request, &study, error);
  if (status)
    return status;
  for (size_t r = 0; !status && r < study->n_runs; r++)
    if (is_named(cases[i].runs, study->runs[r].name))
      status = count_run(i, &study->runs[r], error);
  vb_study_destroy(study);
  return status;
}

static int print_studies(void) {
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (i == 0 || strcmp(cases[i].study, cases[i - 1].study) != 0)
      printf("%s\n", cases[i].study);
  return 0;
}

int main(int argc, char **argv) {
  vb_status status = VB_OK;
  if (argc == 2 && strcmp(argv[1], "--studies") == 0)
    return print_studies();
  for (size_t i = 0; !status && i < sizeof cases / sizeof *cases; i++) {
    bool wanted = argc < 2;
    for (int k = 1; k < argc; k++)
      wanted |= strcmp(argv[k], cases[i].study) == 0;
    vb_error error = {0};
    if (wanted)
      status = count_case(i, &error);
    if (status)
      fprintf(stderr, "count_steps: %s: %s\n", cases[i].study, error.message);
  }
  return status ? 1 : 0;
}
