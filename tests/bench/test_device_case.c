// SPDX-License-Identifier: GPL-3.0-or-later
/// Cases on a device: what its clock counted, which windows are marked, both ways to start kernels,
/// energy, floor, and how all of it is written. The device is a fake: the viper solver on the host
/// says that it has one.
/// Covers: src/bench/floor.c src/bench/replay.c src/bench/measure_case.* src/bench/bench_file.c
#include "bench/bench_report.h"
#include "bench/measure_case.h"
#include "results/results_array.h"

#include "cuda/fake_nvml.h"
#include "lua_fixture.h"
#include "narrow_terminal.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>

static const char STUDY[] =
    "return {title = 'a bar swings', build = function(p)\n"
    "local s = vb.scene{step = 0.01, steps = 10, gravity = {0, 0, -10}}\n"
    "local r = s:rod{nodes = 5, from = {0, 0, 0}, to = {1, 0, 0}, radius = 0.1,\n"
    "  density = 1000, material = {E = 1e6, nu = 0.3}}\n"
    "s:pin{node = r.first, components = 'xyz'}\n"
    "s:bench{after = 3}\n"
    "return s end,\n"
    "runs = function(p, tier) return {{name = 'direct.a', method = 'direct', precision = 'float'}} "
    "end}";

/// Seconds that the device says it took for whatever was done since it was asked last.
#define DEVICE_S 0.008

static const char *device_name = "Fake GPU";

static vb_status fake_device(void *self, vb_device *out, vb_error *error) {
  (void)self, (void)error;
  *out = (vb_device){.uuid = FAKE_UUID, .seconds = DEVICE_S};
  snprintf(out->name, sizeof out->name, "%s", device_name);
  return VB_OK;
}

static vb_status copies(const char *uuid, size_t bytes, double *out, vb_error *error) {
  (void)error;
  ck_assert_str_eq(uuid, FAKE_UUID);
  *out = 1e6 * (double)bytes;
  return VB_OK;
}

static vb_status arithmetic(const char *uuid, bool single, bool fused, double *out,
                            vb_error *error) {
  (void)error;
  ck_assert_str_eq(uuid, FAKE_UUID);
  *out = (single ? 2e12 : 1e12) * (fused ? 2 : 1);
  return VB_OK;
}

static const vb_device_rates fake_rates = {copies, arithmetic};

typedef struct fixture {
  vb_study *study;
  vb_bench bench;
  vb_machine machine;
  vb_solver solver;
  vb_timed_solver timed;
  vb_bench_case *c;
} fixture;

static fixture fix;

/// The study's case up to its checkpoint, on the fake device.
static void begin(const char *script) {
  vb_error error = {0};
  use_fake_nvml("fake_nvml.so", script);
  fix = (fixture){.study = load_good(STUDY)};
  fix.bench = (vb_bench){.study = fix.study, .limits = vb_bench_limits_of("quick"), .n_cases = 1};
  fix.c = fix.bench.cases = calloc(1, sizeof *fix.c);
  ck_assert_ptr_nonnull(fix.c);
  fix.bench.limits.window_s = 1e-3;
  fix.bench.limits.warm_s = 0.01;
  fix.bench.limits.sample_s = 0.1;
  fix.bench.limits.windows = 20;
  fix.bench.limits.precision = 0; // all twenty
  vb_status status =
      vb_bench_begin(&fix.bench.limits, &fix.study->runs[0], &fix.timed, fix.c, &error);
  ck_assert_msg(!status, "%s", error.message);
  fix.solver = *fix.timed.solver;
  fix.solver.device = fake_device;
  fix.timed.solver = &fix.solver;
  vb_provenance_collect(&fix.machine.origin);
  fix.machine.device_rates = &fake_rates;
  ck_assert(!vb_device_begin(&fix.machine, &fix.timed, fix.c, &error));
}

/// Its windows, as vb_bench_measure takes them.
static void sample(void) {
  vb_error error = {0};
  ck_assert(!vb_sample_warm(&fix.timed, &fix.bench.limits, fix.c, &error));
  fix.bench.limits.sample_s = 60; // as long as twenty windows take
  ck_assert(!vb_sample_windows(&fix.timed, &fix.bench.limits, NULL, fix.c, &error));
  ck_assert_uint_eq(fix.c->n_windows, 20);
  fix.bench.limits.sample_s = 0.1;
  vb_device_conclude(fix.c);
  fix.c->repeated = fix.c->gates_passed = true;
}

/// A busy machine disturbs wall times, which are not what is tested here.
static void calm(void) {
  for (size_t i = 0; i < fix.c->n_windows; i++)
    fix.c->windows[i].wall_s = fix.c->step_s.median * (double)fix.c->steps;
}

static void end(void) {
  vb_timed_solver_close(&fix.timed);
  vb_machine_close(&fix.machine);
  vb_bench_free(&fix.bench);
  vb_study_destroy(fix.study);
}

START_TEST(device_time_is_reported_beside_host_time) {
  begin("");
  sample();
  ck_assert(fix.c->device.there);
  ck_assert_str_eq(fix.c->device.name, "Fake GPU");
  ck_assert_str_eq(fix.c->device.uuid, FAKE_UUID);
  for (size_t i = 0; i < fix.c->n_windows; i++) {
    ck_assert_double_eq(fix.c->windows[i].device_s, DEVICE_S);
    ck_assert(fix.c->windows[i].valid && fix.c->windows[i].wall_s > 0);
  }
  ck_assert_double_eq(fix.c->device.step_s.median, DEVICE_S / (double)fix.c->steps);
  ck_assert_double_eq(fix.c->device.sm_clock, 1980e6);
  calm();
  ck_assert_double_eq(vb_bench_marked(fix.c), 0);
  ck_assert_str_eq(vb_bench_remark(fix.c), "");
  end();
}
END_TEST

START_TEST(host_solvers_have_no_device_time) {
  device_name = "";
  begin("");
  sample();
  ck_assert(!fix.c->device.there && !fix.machine.has_gpu && !fix.timed.nvml);
  ck_assert(isnan(fix.c->windows[0].device_s) && isnan(fix.c->windows[0].sm_clock));
  ck_assert(isnan(fix.c->device.step_s.median));
  end();
}
END_TEST

/// Which scripts mark which part of the windows, and what is then said. The warm-up's windows take
/// answers, too, so lists are such that any beginning marks the same part of twenty.
START_TEST(low_clocks_and_throttling_mark_windows) {
  static const struct {
    const char *script;
    double marked;
    const char *remark;
  } cases[] = {
      {"clock=1980,1980,1980,1980,1980", 0, ""},
      {"clock=1980,1980,1980,1980,1921", 0, ""},       // 0.9702
      {"clock=1980,1980,1980,1980,1920", 0.2, ""},     // 0.9697: a fifth, and not more
      {"clock=1980,1980,1980,1400", 0.25, "UNSTABLE"}, //
      {"clock=1980,1980,1980,2100", 0, ""},            // more is no harm
      {"reasons=0,0,0,0,4", 0.2, ""},                  //
      {"reasons=0,0,0,4", 0.25, "UNSTABLE"},           //
      {"reasons=8", 1, "UNSTABLE"},                    //
      {"reasons=1,2,256", 0, ""},                      // idle, and set by a person
      {"clock=!3 reasons=!3", 0, ""},                  // not told
      {"clock=!3 reasons=64,0", 0.5, "UNSTABLE"},      // one of the two is told
      {"clock=1980,1980,1980,1400 reasons=!3", 0.25, "UNSTABLE"},
  };
  begin(cases[_i].script);
  sample();
  calm();
  ck_assert_msg(vb_bench_marked(fix.c) == cases[_i].marked, "%s: %g marked", cases[_i].script,
                vb_bench_marked(fix.c));
  ck_assert_str_eq(vb_bench_remark(fix.c), cases[_i].remark);
  ck_assert(vb_bench_has_time(fix.c)); // it is told, and does not go away
  ck_assert_int_eq(vb_bench_has_speed(fix.c), !cases[_i].remark[0]);
  end();
}
END_TEST

START_TEST(reasons_of_all_windows_are_gathered) {
  begin("reasons=0,4,0,32");
  sample();
  ck_assert_uint_eq(fix.c->device.throttle, VB_THROTTLE_POWER_CAP | VB_THROTTLE_TEMPERATURE);
  end();
}
END_TEST

START_TEST(both_launch_modes_are_timed) {
  vb_error error = {0};
  char value[16];
  begin("");
  sample();
  ck_assert(!vb_device_other_launch(&fix.timed, &fix.bench.limits, fix.c, &error));
  ck_assert_str_eq(fix.c->device.launch, "graph");
  ck_assert_str_eq(fix.c->device.other_launch, "stream");
  ck_assert_double_gt(fix.c->device.other_wall_s.median, 0);
  ck_assert_double_eq(fix.c->device.other_step_s.median, DEVICE_S / (double)fix.c->steps);
  ck_assert(fix.c->device.other_repeated);
  ck_assert(!fix.solver.get_option(fix.timed.instance, "launch", value, sizeof value, &error));
  ck_assert_str_eq(value, "graph"); // as it was
  end();
}
END_TEST

START_TEST(energy_is_counted_or_taken_from_power) {
  vb_error error = {0};
  begin("energy=3000"); // 3 J from look to look, of which there is one after each window
  sample();
  ck_assert(!vb_device_energy(&fix.timed, &fix.bench.limits, fix.c, &error));
  ck_assert_str_eq(fix.c->device.energy_by, "counter");
  ck_assert_double_eq_tol(fix.c->device.energy_j, 3 / (double)fix.c->steps, 1e-12); // rounding
  setenv("FAKE_NVML", "energy=!3 power=250000", 1);
  ck_assert(!vb_device_energy(&fix.timed, &fix.bench.limits, fix.c, &error));
  ck_assert_str_eq(fix.c->device.energy_by, "power");
  // 250 W for as long as a step takes, which on a busy machine differs from one time to another.
  ck_assert_double_gt(fix.c->device.energy_j, 250 * fix.c->step_s.median / 20);
  ck_assert_double_lt(fix.c->device.energy_j, 250 * fix.c->step_s.median * 20);
  fix.c->device.energy_by = NULL;
  setenv("FAKE_NVML", "energy=!3 power=!3", 1);
  ck_assert(!vb_device_energy(&fix.timed, &fix.bench.limits, fix.c, &error));
  ck_assert_ptr_null(fix.c->device.energy_by);
  end();
}
END_TEST

START_TEST(the_floor_is_the_devices) {
  vb_error error = {0};
  vb_bench_floor *f;
  begin("");
  sample();
  f = &fix.c->floor;
  ck_assert(!vb_bench_floor_measure(&fix.machine, &fix.timed, fix.c, &error));
  ck_assert(f->known);
  ck_assert_double_eq(f->arithmetic_rate, 2e12);              // float, strict
  ck_assert_double_eq(f->copy_rate, 1e6 * (double)(1 << 20)); // so small a state: the least size
  ck_assert_double_eq(f->time_s, fmax(f->bytes / f->copy_rate, f->operations / 2e12));
  ck_assert_uint_eq(fix.machine.n_rates, 2);
  ck_assert(!vb_bench_floor_measure(&fix.machine, &fix.timed, fix.c, &error));
  ck_assert_uint_eq(fix.machine.n_rates, 2); // kept
  fix.machine.device_rates = NULL;           // a build that cannot measure devices has no floor
  *f = (vb_bench_floor){0};
  ck_assert(!vb_bench_floor_measure(&fix.machine, &fix.timed, fix.c, &error));
  ck_assert(!f->known);
  end();
}
END_TEST

static void print_report(FILE *stream) {
  ck_assert_int_eq(vb_bench_report_cases(stream, &fix.bench, NULL), VB_OK);
  vb_bench_report_device(stream, &fix.machine);
  vb_bench_report_rates(stream, &fix.machine);
}

static void check_table(const char *has, const char *lacks) {
  char *text = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&text, &size);
  print_report(stream);
  fclose(stream);
  ck_assert_msg(!has || strstr(text, has), "\"%s\" lacks \"%s\"", text, has);
  ck_assert_msg(!lacks || !strstr(text, lacks), "\"%s\" has \"%s\"", text, lacks);
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
    ck_assert_msg(strlen(line) <= 110 && line[strlen(line) - 1] != ' ', "\"%s\"", line);
  free(text);
}

/// The number at a path of the benchmark's file; NaN where there is none.
static double stored(const char *path, const char *quantity) {
  vb_array array;
  vb_error error = {0};
  if (vb_results_array(path, quantity, VB_NO_FRAME, &array, &error))
    return NAN;
  double value = array.values[0];
  vb_array_free(&array);
  return value;
}

static void measure_all(const char *script) {
  vb_error error = {0};
  begin(script);
  sample();
  ck_assert(!vb_device_other_launch(&fix.timed, &fix.bench.limits, fix.c, &error));
  ck_assert(!vb_device_energy(&fix.timed, &fix.bench.limits, fix.c, &error));
  ck_assert(!vb_bench_floor_measure(&fix.machine, &fix.timed, fix.c, &error));
}

START_TEST(tables_fit_a_terminal) {
  static char text[1 << 14];
  measure_all("clock=1500 reasons=4 energy=2000");
  narrow_terminal terminal = open_narrow();
  print_report(terminal.stream);
  close_narrow(&terminal, text, sizeof text);
  ck_assert_ptr_nonnull(strstr(text, "mJ/step"));
  ck_assert_ptr_nonnull(strstr(text, "Fake GPU, driver 570.00"));
  end();
}
END_TEST

START_TEST(all_values_are_written) {
  char path[64] = "/tmp/vb_device_XXXXXX.h5", *text = NULL;
  size_t size = 0;
  vb_error error = {0};
  int file = mkstemps(path, 3);
  ck_assert_int_ge(file, 0);
  close(file);
  measure_all("clock=1500 reasons=4 energy=2000");
  double step = DEVICE_S / (double)fix.c->steps, energy = 2 / (double)fix.c->steps;
  check_table("Fake GPU, driver 570.00, ECC on, 700 W at most, 1980 MHz at most", NULL);
  check_table("power limit", NULL);
  check_table("stream", "stream 0!"); // an exclamation mark where it does not repeat
  check_table("float, device, not fused", NULL);
  ck_assert_int_eq(vb_bench_write(path, &fix.bench, &fix.machine, "complete", &error), VB_OK);
  ck_assert_double_eq(stored(path, "/bench/direct.a/device/step_time"), step);
  ck_assert_double_eq(stored(path, "/bench/direct.a/device/energy"), energy);
  ck_assert_double_eq(stored(path, "/bench/direct.a/device/energy_per_dof"),
                      energy / (double)fix.c->dofs);
  ck_assert_double_eq(stored(path, "/bench/direct.a/windows/sm_clock"), 1500e6);
  ck_assert_double_eq(stored(path, "/bench/direct.a/windows/throttle"), 4);
  ck_assert_double_eq(stored(path, "/bench/direct.a/windows/marked"), 1);
  ck_assert_double_eq(stored(path, "/machine/gpu/power_limit"), 700);
  unlink(path);
  FILE *stream = open_memstream(&text, &size);
  ck_assert_int_eq(vb_bench_json(stream, &fix.bench, 1, &fix.machine, 0, &error), VB_OK);
  fclose(stream);
  json_t *document = json_loads(text, 0, NULL), *gpu, *device;
  gpu = json_object_get(json_object_get(document, "machine"), "gpu");
  device = json_object_get(
      json_array_get(
          json_object_get(json_array_get(json_object_get(document, "studies"), 0), "cases"), 0),
      "device");
  ck_assert_str_eq(json_string_value(json_object_get(gpu, "driver")), "570.00");
  ck_assert_str_eq(json_string_value(json_object_get(device, "throttle")), "power limit");
  ck_assert_str_eq(json_string_value(json_object_get(device, "energy_by")), "counter");
  json_decref(document);
  free(text);
  end();
}
END_TEST

START_TEST(without_nvml_the_rest_is_written) {
  measure_all("init=!9");
  ck_assert_ptr_null(fix.timed.nvml);
  ck_assert(fix.c->device.there && fix.machine.has_gpu);
  ck_assert_double_eq(fix.c->device.step_s.median, DEVICE_S / (double)fix.c->steps);
  ck_assert(isnan(fix.c->device.sm_clock) && !fix.c->device.energy_by);
  check_table(
      "clocks and power of the device are not available: NVML does not start: Unknown Error", NULL);
  end();
}
END_TEST

START_TEST(without_a_device_none_is_reported) {
  char *text = NULL;
  size_t size = 0;
  vb_error error = {0};
  device_name = "";
  fix.machine.device_rates = NULL;
  measure_all("");
  check_table(NULL, "device");
  FILE *stream = open_memstream(&text, &size);
  ck_assert_int_eq(vb_bench_json(stream, &fix.bench, 1, &fix.machine, 0, &error), VB_OK);
  fclose(stream);
  ck_assert_ptr_null(strstr(text, "device"));
  ck_assert_ptr_null(strstr(text, "\"gpu\""));
  free(text);
  end();
}
END_TEST

static TCase *device_tests(void) {
  TCase *tc = tcase_create("device");
  tcase_add_test(tc, device_time_is_reported_beside_host_time);
  tcase_add_test(tc, host_solvers_have_no_device_time);
  tcase_add_loop_test(tc, low_clocks_and_throttling_mark_windows, 0, 12);
  tcase_add_test(tc, reasons_of_all_windows_are_gathered);
  tcase_add_test(tc, both_launch_modes_are_timed);
  tcase_add_test(tc, energy_is_counted_or_taken_from_power);
  tcase_add_test(tc, the_floor_is_the_devices);
  tcase_add_test(tc, all_values_are_written);
  tcase_add_test(tc, tables_fit_a_terminal);
  tcase_add_test(tc, without_nvml_the_rest_is_written);
  tcase_add_test(tc, without_a_device_none_is_reported);
  return tc;
}

VB_TEST_MAIN("cases on a device", device_tests())
