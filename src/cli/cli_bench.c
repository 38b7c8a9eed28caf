// SPDX-License-Identifier: GPL-3.0-or-later
// The verb "bench": measures studies, prints tables, writes files, draws figures.
#include "base/file.h"
#include "base/home.h"
#include "base/printable.h"
#include "base/signals.h"
#include "bench/bench_report.h"
#include "bench/count_kernels.h"
#include "bench/measure_case.h"
#include "cli/cli.h"
#include "cli/summary.h"
#include "figure/plot.h"
#include "script/study/study_files.h"
#include "study/study_run.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct settings {
  vb_cli_results results;
  int jobs;
  const char *baseline; ///< setting, or null
  bool self_test;
  const char *launch; ///< case, or null
  double slow;        ///< part of a step's time that is added
  const char *count;  ///< device, or null
} settings;

static vb_status take_percent(const vb_cli_given *given, void *place, vb_error *error) {
  char *end;
  double percent = strtod(given->text, &end);
  if (end == given->text || *end || !(percent >= 0 && percent <= 1000))
    return vb_cli_refuse(given, "a percentage of 0 to 1000", error);
  *(double *)place = percent / 100;
  return VB_OK;
}

static const vb_cli_option options[] = {
    {.shared = vb_study_options, VB_AT(results.study)},
    {.shared = vb_results_options, VB_AT(results)},
    {VB_OPTION_JOBS, VB_AT(jobs)},
    {"baseline", "SETTING", "bench: compare speeds with those of this setting", 4, vb_take_text,
     VB_AT(baseline)},
    {"self-test", NULL, "bench: test that a slowdown of 3 % is detected", 4, vb_take_switch,
     VB_AT(self_test)},
    {"launch", "CASE", "bench: time a single case, for compare --launch", 4, vb_take_text,
     VB_AT(launch)},
    {"count", "DEVICE", "bench: count kernel instructions on an emulated device", 4, vb_take_text,
     VB_AT(count)},
    {"slow", "PERCENT", "bench --launch: slow down timing windows by this, for tests", 4,
     take_percent, VB_AT(slow)},
    {0}};

/// Several studies at once.
typedef struct batch {
  const settings *asked;
  vb_machine machine;
  vb_progress progress;
  vb_study **studies; ///< (n)
  vb_bench *benches;  ///< (n)
  size_t n;
  bool all; ///< no studies were named: those that time whole runs are omitted
  vb_status worst;
} batch;

static void complain(batch *b, const vb_error *error, vb_status status) {
  vb_cli_complain(error);
  b->worst = vb_status_worse(b->worst, status);
}

/// Where the results of study `i` go.
static vb_status path_of(const batch *b, size_t i, const char *end, char path[4096],
                         vb_error *error) {
  if (snprintf(path, 4096, "%s/bench-%s%s", b->asked->results.out, b->studies[i]->name, end) < 4096)
    return VB_OK;
  return vb_bad_input(error, "the path of the folder of results is too long");
}

/// Writes the JSON document of study `i`: to a .part, which is never less than it was, until it is
/// whole.
static vb_status write_json(const batch *b, size_t i, bool whole, vb_error *error) {
  char path[4096], partial_path[4200], next[4200];
  vb_status status = path_of(b, i, ".json", path, error);
  if (status)
    return status;
  snprintf(partial_path, sizeof partial_path, "%s.part", path);
  snprintf(next, sizeof next, "%s.part.new", path);
  const char *why;
  int made = vb_file_create(next, &why);
  if (made < 0)
    return vb_error_set(error, VB_CANNOT_WRITE, "cannot write %s: %s", next, why);
  FILE *file = fdopen(made, "w");
  if (!file) {
    close(made);
    return vb_error_memory(error);
  }
  status = vb_bench_json(file, &b->benches[i], 1, &b->machine, vb_cli_exit_code(b->worst), error);
  if (fclose(file) && !status)
    status = vb_error_set(error, VB_CANNOT_WRITE, "cannot write %s: %s", next, strerror(errno));
  status = status ? status : vb_file_rename(next, partial_path, error);
  if (status)
    unlink(next);
  return !status && whole ? vb_file_publish(partial_path, path, error) : status;
}

/// Measures the cases of study `index`, and saves each; leaves out those that are not available
/// here, stops at a signal and at the first that cannot be measured.
static vb_status measure_all(batch *b, size_t index, vb_error *error) {
  vb_bench *bench = &b->benches[index];
  const vb_study *study = bench->study;
  vb_run_watcher watcher = {.report_progress = vb_progress_update, .context = &b->progress};
  vb_bench_shared shared = {.study = study,
                            .limits = &bench->limits,
                            .folder = b->asked->results.out,
                            .watcher = &watcher,
                            .machine = &b->machine};
  bench->cases = calloc(study->n_runs + 1, sizeof *bench->cases);
  vb_status status = bench->cases ? VB_OK : vb_error_memory(error);
  for (size_t i = 0; !status && i < study->n_runs && !vb_signal_caught(); i++) {
    char label[128];
    snprintf(label, sizeof label, "%s-%s", study->name, study->runs[i].name);
    vb_progress_begin(&b->progress, label, 0);
    vb_bench_case *c = &bench->cases[bench->n_cases];
    status = vb_bench_measure(&shared, i, c, error);
    vb_progress_end(&b->progress);
    if (status)
      vb_error_prefix(error, "%s, case %s", study->name, study->runs[i].name);
    if (status == VB_UNAVAILABLE) {
      complain(b, error, status);
      *error = (vb_error){0};
      vb_bench_case_free(c);
      bench->n_unavailable++;
      status = VB_OK;
      continue;
    }
    // A case that a signal left without windows says nothing.
    if (status || (vb_signal_caught() && c->n_windows == 0)) {
      vb_bench_case_free(c);
      break;
    }
    bench->n_cases++;
    if (c->stop == VB_STOP_DIVERGED || c->divergence.diverged || !c->repeated || !c->gates_passed)
      b->worst = vb_status_worse(b->worst, VB_FAILED);
    status = write_json(b, index, false, error);
  }
  vb_bench_shared_free(&shared);
  return status;
}

static void draw(batch *b, const char *path) {
  size_t drawn = 0;
  vb_error error = {0};
  vb_status status = vb_plot_index(path, NULL, INFINITY, VB_PLOT_ALL, &drawn, &error);
  if (status)
    complain(b, &error, status == VB_UNAVAILABLE ? VB_OK : status);
}

static vb_status write_and_draw(batch *b, size_t i, vb_error *error) {
  const vb_bench *bench = &b->benches[i];
  char path[4096];
  bool whole = bench->n_cases + bench->n_unavailable == bench->study->n_runs && !vb_signal_caught();
  vb_status status = path_of(b, i, ".h5", path, error);
  if (!status)
    status = vb_bench_write(path, bench, &b->machine, whole ? "complete" : "interrupted", error);
  if (!status)
    status = write_json(b, i, whole, error);
  if (!status && whole)
    draw(b, path);
  return status;
}

static bool has_setting(const vb_study *study, const char *setting) {
  char name[128];
  for (size_t i = 0; i < study->n_runs; i++) {
    vb_bench_setting_name(study->runs[i].name, name, sizeof name);
    if (strcmp(name, setting) == 0)
      return true;
  }
  return false;
}

/// Loads, measures and writes one study.
static vb_status bench_one(batch *b, const char *name, vb_error *error) {
  vb_study_request request = b->asked->results.study;
  size_t i = b->n;
  request.name = name;
  vb_status status = vb_study_load(&request, &b->studies[i], error);
  if (status)
    return status;
  if (b->all && b->studies[i]->timed) {
    fprintf(stderr, "viperbench: omitting %s, which times whole runs: viperbench run %s\n", name,
            name);
    vb_study_destroy(b->studies[i]);
    return VB_OK;
  }
  b->n++;
  vb_cli_list_missing(b->studies[i], request.solver);
  if (!b->asked->results.quiet)
    vb_cli_note_options(&request, &b->studies[i], 1);
  b->benches[i].study = b->studies[i];
  if (b->asked->baseline && !has_setting(b->studies[i], b->asked->baseline))
    return vb_bad_input(error,
                        "study %s has no setting \"%.100s\"; settings are the names of its runs up "
                        "to the first dot",
                        name, b->asked->baseline);
  b->benches[i].limits = vb_bench_limits_of(request.tier);
  status = measure_all(b, i, error);
  vb_status found = vb_bench_scaling_find(&b->benches[i], status ? NULL : error);
  status = status ? status : found;
  // What was measured before a failure is written, too.
  vb_error second = {0};
  vb_status written = found ? VB_OK : write_and_draw(b, i, &second);
  if (status)
    return status;
  if (written)
    *error = second;
  return written;
}

static vb_status bench_all(batch *b, char **names, size_t n, vb_error *error) {
  b->studies = calloc(n + 1, sizeof *b->studies);
  b->benches = calloc(n + 1, sizeof *b->benches);
  if (!b->studies || !b->benches)
    return vb_error_memory(error);
  for (size_t i = 0; i < n && !vb_signal_caught(); i++) {
    vb_error failure = {0};
    vb_status status = bench_one(b, names[i], &failure);
    if (status)
      complain(b, &failure, status);
  }
  if (vb_signal_caught())
    b->worst = VB_INTERRUPTED;
  return VB_OK;
}

/// The setting that others are compared with: the one asked for, or that of the first case.
static void choose_baseline(const batch *b, char *out, size_t size) {
  if (b->asked->baseline)
    snprintf(out, size, "%s", b->asked->baseline);
  else
    vb_bench_setting_name(b->benches[0].cases[0].run->name, out, size);
}

/// Says of each case why it has no speed, for those who want no tables.
static void print_failures(const vb_bench *bench) {
  for (size_t i = 0; i < bench->n_cases; i++) {
    const vb_bench_case *c = &bench->cases[i];
    const char *study = bench->study->name, *name = c->run->name;
    if (c->stop == VB_STOP_DIVERGED || c->divergence.diverged)
      vb_printable_print(stderr, "viperbench: %s, case %s: diverged: %s\n", study, name,
                         c->divergence.what);
    else if (c->stop != VB_STOP_INTERRUPTED && !c->repeated)
      fprintf(stderr, "viperbench: %s, case %s: its timing window is not reproducible\n", study,
              name);
    for (size_t g = 0; c->evaluated && g < bench->study->n_gates; g++)
      if (c->evaluated[g] && !c->verdicts[g].passed && !bench->study->gates[g].finding) {
        fprintf(stderr, "viperbench: %s, case %s: ", study, name);
        vb_report_missed(stderr, &bench->study->gates[g], &c->verdicts[g]);
      }
  }
}

static vb_status report(const batch *b, vb_error *error) {
  char baseline[128];
  vb_status status = VB_OK;
  for (size_t i = 0; b->asked->results.quiet && i < b->n; i++)
    print_failures(&b->benches[i]);
  if (b->asked->results.json)
    return vb_bench_json(stdout, b->benches, b->n, &b->machine, vb_cli_exit_code(b->worst), error);
  if (b->asked->results.csv)
    return vb_bench_csv(stdout, b->benches, b->n, error);
  if (b->asked->results.quiet)
    return VB_OK;
  for (size_t i = 0; !status && i < b->n; i++)
    if (b->benches[i].n_cases > 0)
      status = vb_bench_report_cases(stdout, &b->benches[i], error);
  vb_bench_report_device(stdout, &b->machine);
  vb_bench_report_rates(stdout, &b->machine);
  if (status || b->n == 0 || b->benches[0].n_cases == 0)
    return status;
  choose_baseline(b, baseline, sizeof baseline);
  return vb_bench_report_ratios(stdout, b->benches, b->n, baseline, error);
}

/// The last line after a signal: how many cases of the studies that were begun are missing.
static void report_missing(const batch *b) {
  size_t n = 0, n_all = 0;
  for (size_t i = 0; i < b->n; i++) {
    n += b->benches[i].n_cases + b->benches[i].n_unavailable;
    n_all += b->studies[i]->n_runs;
  }
  fflush(stdout);
  if (b->n == 0)
    fputs("viperbench: stopped before the first case\n", stderr);
  else
    fprintf(stderr,
            "viperbench: stopped: %zu of %zu cases of %zu stud%s are missing; what was measured is "
            "in %s/bench-*.json.part\n",
            n_all - n, n_all, b->n, b->n == 1 ? "y" : "ies", b->asked->results.out);
}

static void free_batch(batch *b) {
  for (size_t i = 0; i < b->n; i++) {
    vb_bench_free(&b->benches[i]);
    vb_study_destroy(b->studies[i]);
  }
  free(b->benches);
  free(b->studies);
}

/// Looks whether there are all studies that the arguments name, before any is measured.
static vb_status check_names(const vb_cli *cli, vb_error *error) {
  char home[4096];
  vb_home_file file;
  vb_status status = vb_home(home, sizeof home, error);
  for (size_t i = 0; !status && i < cli->n_arguments; i++)
    if (cli->n_arguments > 1 || strcmp(cli->arguments[i], "all") != 0)
      status = vb_study_find(home, cli->arguments[i], &file, error);
  return status;
}

/// Measures the studies that the arguments name.
static vb_status bench_studies(vb_cli *cli, const settings *s, vb_error *error) {
  batch b = {.asked = s, .all = cli->n_arguments == 0 || !strcmp(cli->arguments[0], "all")};
  vb_status named = check_names(cli, error);
  if (named)
    return named;
  vb_progress_init(&b.progress, !s->results.quiet);
  vb_machine_open(&b.machine);
  if (vb_cli_wants_tables(&s->results))
    vb_bench_report_machine(stdout, &b.machine);
  fflush(stdout);
  vb_status status = vb_folder_make(s->results.out, error);
  if (!status)
    status = vb_cli_name_studies(cli, "bench", error);
  if (!status)
    status = bench_all(&b, cli->arguments, cli->n_arguments, error);
  if (!status)
    status = report(&b, error);
  if (!status && vb_signal_caught())
    report_missing(&b);
  free_batch(&b);
  vb_machine_close(&b.machine);
  return status ? status : b.worst;
}

/// Times one case, and prints that alone; or counts what kernels do.
static vb_status one_study(const vb_cli *cli, const settings *s, vb_error *error) {
  vb_study_request request = s->results.study;
  vb_study *study;
  if (cli->n_arguments != 1)
    return vb_bad_input(error, "bench --%s needs the name of one study",
                        s->count ? "count" : "launch");
  request.name = cli->arguments[0];
  vb_status status = vb_study_load(&request, &study, error);
  if (status)
    return status;
  vb_cli_list_missing(study, request.solver);
  status = s->count ? vb_bench_count(stdout, study, s->count, error)
                    : vb_bench_launch(study, s->launch, s->slow, s->results.quiet, error);
  vb_study_destroy(study);
  return status;
}

static vb_status run(vb_cli *cli, vb_error *error) {
  const settings *s = cli->settings;
  if (strcmp(s->results.study.tier, "quick") != 0 && strcmp(s->results.study.tier, "full") != 0)
    return vb_bad_input(error, "bench has no tier %s; use quick or full", s->results.study.tier);
  if (s->jobs > 1)
    return vb_bad_input(
        error, "bench takes no --jobs %d: parallel measurements would disturb each other", s->jobs);
  if (vb_cli_find(cli, "slow") && !s->launch)
    return vb_bad_input(error, "--slow needs --launch: it tests the comparison");
  if ((s->results.csv || s->results.json) && (s->launch || s->count || s->self_test))
    return vb_bad_input(error, "bench --%s prints no tables; leave out --%s",
                        s->launch  ? "launch"
                        : s->count ? "count"
                                   : "self-test",
                        s->results.csv ? "csv" : "json");
  if (s->launch || s->count)
    return one_study(cli, s, error);
  if (s->self_test && cli->n_arguments > 0)
    return vb_bad_input(error, "bench --self-test takes no study");
  return s->self_test ? vb_bench_self_test(s->results.quiet, error) : bench_studies(cli, s, error);
}

VB_VERB(bench, "[all | NAME...]", "measure speed (by default of all studies of bench/)",
        .options = options, VB_SETTINGS(.results = {VB_RESULTS_DEFAULTS}), .ends_in_order = true,
        .examples = "viperbench bench rods\n"
                    "viperbench bench rods --method direct --csv\n");
