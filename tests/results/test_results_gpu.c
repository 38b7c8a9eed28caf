// SPDX-License-Identifier: GPL-3.0-or-later
/// Provenance of runs whose steps run on a GPU.
#include "bench/nvml.h"
#include "cuda/fake_nvml.h"
#include "results/results_array.h"
#include "results_fixture.h"

static vb_status on_a_device(void *self, vb_device *out, vb_error *error) {
  (void)self, (void)error;
  *out = (vb_device){.name = "Fake GPU", .uuid = FAKE_UUID, .seconds = NAN};
  return VB_OK;
}

static vb_status on_the_host(void *self, vb_device *out, vb_error *error) {
  (void)self, (void)error;
  *out = (vb_device){.seconds = NAN};
  return VB_OK;
}

static vb_status lost(void *self, vb_device *out, vb_error *error) {
  (void)self, (void)out;
  return vb_error_set(error, VB_UNAVAILABLE, "the device has fallen off the bus");
}

/// A file of the fake solver with that answer to `device`.
static vb_status write_file(vb_status (*device)(void *, vb_device *, vb_error *)) {
  vb_solver solver = fake_solver_table;
  vb_results *results = NULL;
  solver.device = device;
  vb_status status = vb_run_record(fix.path, &fix.study, &fix.run, &solver, fix.instance,
                                   vb_nvml_record, &results, &fix.error);
  return status ? status : vb_results_close(results, "complete", NULL, &fix.error);
}

static bool has_gpu(void) {
  hid_t file = H5Fopen(fix.path, H5F_ACC_RDONLY, H5P_DEFAULT);
  ck_assert(file >= 0);
  bool there = H5Lexists(file, "provenance/gpu", H5P_DEFAULT) > 0;
  H5Fclose(file);
  return there;
}

static void expect_text(const char *name, const char *expected) {
  vb_texts texts;
  ck_assert(!vb_results_texts(fix.path, name, &texts, &fix.error));
  ck_assert_str_eq(texts.texts[0], expected);
  vb_texts_free(&texts);
}

static double number(const char *name) {
  vb_array array;
  ck_assert(!vb_results_array(fix.path, name, VB_NO_FRAME, &array, &fix.error));
  double value = array.values[0];
  vb_array_free(&array);
  return value;
}

START_TEST(records_the_gpu) {
  use_fake_nvml("fake_nvml.so", "clock=1500 ecc=0");
  ck_assert(!write_file(on_a_device));
  expect_text("/provenance/gpu/name", "Fake GPU");
  expect_text("/provenance/gpu/uuid", FAKE_UUID);
  expect_text("/provenance/gpu/driver", "570.00");
  expect_text("/provenance/gpu/ecc", "off");
  ck_assert_double_eq(number("/provenance/gpu/power_limit"), 700);
  ck_assert_double_eq(number("/provenance/gpu/sm_clock"), 1500e6);
  ck_assert_double_eq(number("/provenance/gpu/most_sm_clock"), 1980e6);
}
END_TEST

START_TEST(without_nvml_records_name_and_uuid) {
  use_fake_nvml("fake_nvml.so", "init=!9");
  ck_assert(!write_file(on_a_device));
  expect_text("/provenance/gpu/name", "Fake GPU");
  expect_text("/provenance/gpu/uuid", FAKE_UUID);
  expect_text("/provenance/gpu/driver", "");
  ck_assert(isnan(number("/provenance/gpu/power_limit")));
}
END_TEST

START_TEST(host_runs_record_no_gpu) {
  use_fake_nvml("fake_nvml.so", "");
  ck_assert(!write_file(on_the_host) && !has_gpu());
  ck_assert(!write_file(NULL) && !has_gpu());
}
END_TEST

START_TEST(reports_a_failing_device) {
  ck_assert_int_eq(write_file(lost), VB_UNAVAILABLE);
  ck_assert_str_eq(fix.error.message, "the device has fallen off the bus");
  ck_assert_int_ne(access(fix.path, F_OK), 0);
}
END_TEST

static TCase *gpu_tests(void) {
  TCase *tc = tcase_create("gpu");
  tcase_add_checked_fixture(tc, set_up, tear_down);
  tcase_add_test(tc, records_the_gpu);
  tcase_add_test(tc, without_nvml_records_name_and_uuid);
  tcase_add_test(tc, host_runs_record_no_gpu);
  tcase_add_test(tc, reports_a_failing_device);
  return tc;
}

VB_TEST_MAIN("provenance of GPUs", gpu_tests())
