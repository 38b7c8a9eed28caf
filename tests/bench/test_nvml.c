// SPDX-License-Identifier: GPL-3.0-or-later
/// What NVML tells, and what becomes of all that it may lack or refuse.
#include "bench/nvml.h"

#include "cuda/fake_nvml.h"

#include <math.h>

static vb_nvml *open_fake(const char *name, const char *uuid, const char *script) {
  char why[200] = "";
  use_fake_nvml(name, script);
  vb_nvml *nvml = vb_nvml_open(uuid, why, sizeof why);
  ck_assert_msg(nvml != NULL, "%s", why);
  return nvml;
}

START_TEST(reads_all_values) {
  vb_gpu gpu;
  vb_gpu_state state;
  vb_nvml *nvml = open_fake("fake_nvml.so", FAKE_UUID, "clock=1500 reasons=4 energy=2500");
  vb_nvml_describe(nvml, &gpu);
  ck_assert_str_eq(gpu.name, "Fake GPU");
  ck_assert_str_eq(gpu.uuid, FAKE_UUID);
  ck_assert_str_eq(gpu.driver, "570.00");
  ck_assert_str_eq(gpu.ecc, "on");
  ck_assert_double_eq(gpu.power_limit_w, 700);
  ck_assert_double_eq(gpu.most_sm_clock, 1980e6);
  ck_assert_double_eq(gpu.most_mem_clock, 2619e6);
  vb_nvml_read(nvml, &state);
  ck_assert_double_eq(state.sm_clock, 1500e6);
  ck_assert_double_eq(state.mem_clock, 2619e6);
  ck_assert_uint_eq(state.throttle, VB_THROTTLE_POWER_CAP);
  ck_assert_double_eq(state.power_w, 250);
  ck_assert_double_eq(state.energy_j, 2.5);
  vb_nvml_read(nvml, &state);
  ck_assert_double_eq(state.energy_j, 5);
  vb_nvml_close(nvml);
}
END_TEST

START_TEST(a_device_is_found_by_uuid_or_as_the_first) {
  char why[200];
  vb_nvml_close(open_fake("fake_nvml.so", "", ""));
  ck_assert_ptr_null(vb_nvml_open("GPU-of-someone-else", why, sizeof why));
  ck_assert_str_eq(why, "no device of that UUID: Not Found");
}
END_TEST

START_TEST(a_slice_is_found_by_the_digits_of_its_uuid) {
  vb_gpu gpu;
  vb_nvml *nvml = open_fake("fake_nvml.so", FAKE_UUID, "mig=1");
  vb_nvml_describe(nvml, &gpu);
  ck_assert_str_eq(gpu.uuid, "MIG-00010203-0405-0607-0809-0a0b0c0d0e0f");
  vb_nvml_close(nvml);
  use_fake_nvml("fake_nvml.so", "mig=1");
  char why[200];
  ck_assert_ptr_null(vb_nvml_open("GPU-of-someone-else", why, sizeof why));
}
END_TEST

START_TEST(missing_library_is_no_error) {
  vb_gpu gpu;
  vb_gpu_state state;
  char why[200] = "";
  setenv("VIPERBENCH_NVML", "/nowhere/libnvidia-ml.so.1", 1);
  ck_assert_ptr_null(vb_nvml_open("", why, sizeof why));
  ck_assert_msg(strncmp(why, "no NVML: ", 9) == 0, "%s", why);
  vb_nvml_describe(NULL, &gpu);
  ck_assert(!gpu.name[0] && !gpu.uuid[0] && !gpu.driver[0] && !gpu.ecc[0]);
  ck_assert(isnan(gpu.power_limit_w) && isnan(gpu.most_sm_clock) && isnan(gpu.most_mem_clock));
  vb_nvml_read(NULL, &state);
  ck_assert(isnan(state.sm_clock) && isnan(state.power_w) && isnan(state.energy_j));
  ck_assert_uint_eq(state.throttle, 0);
  vb_nvml_close(NULL);
}
END_TEST

START_TEST(another_library_is_refused) {
  char why[200] = "";
  setenv("VIPERBENCH_NVML", "libm.so.6", 1);
  ck_assert_ptr_null(vb_nvml_open("", why, sizeof why));
  ck_assert_str_eq(why, "not an NVML library: nvmlInit_v2 or nvmlShutdown is missing");
}
END_TEST

START_TEST(reports_a_driver_that_does_not_start) {
  const struct {
    const char *script, *why;
  } cases[] = {
      {"init=!9", "NVML does not start: Unknown Error"},
      {"find=!6", "no device: Not Found"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char why[200] = "";
    use_fake_nvml("fake_nvml.so", cases[i].script);
    ck_assert_ptr_null(vb_nvml_open("", why, sizeof why));
    ck_assert_str_eq(why, cases[i].why);
  }
}
END_TEST

/// An old library has no names for errors, finds no UUIDs, counts no energy.
START_TEST(old_library_gives_what_it_has) {
  vb_gpu gpu;
  vb_gpu_state state;
  char why[200] = "";
  vb_nvml *nvml = open_fake("fake_nvml_old.so", "", "clock=1500 reasons=32");
  vb_nvml_describe(nvml, &gpu);
  ck_assert_str_eq(gpu.name, "Fake GPU");
  ck_assert(!gpu.driver[0] && !gpu.ecc[0] && isnan(gpu.power_limit_w) && isnan(gpu.most_sm_clock));
  vb_nvml_read(nvml, &state);
  ck_assert_double_eq(state.sm_clock, 1500e6);
  ck_assert_uint_eq(state.throttle, VB_THROTTLE_TEMPERATURE);
  ck_assert(isnan(state.power_w) && isnan(state.energy_j));
  vb_nvml_close(nvml);
  ck_assert_ptr_null(vb_nvml_open(FAKE_UUID, why, sizeof why));
  ck_assert_str_eq(why, "this NVML cannot find devices");
  use_fake_nvml("fake_nvml_old.so", "init=!9");
  ck_assert_ptr_null(vb_nvml_open("", why, sizeof why));
  ck_assert_str_eq(why, "NVML does not start: error 9");
}
END_TEST

/// Each question may be answered by "Not Supported".
START_TEST(unsupported_values_are_absent) {
  vb_gpu gpu;
  vb_gpu_state state;
  vb_nvml *nvml = open_fake("fake_nvml.so", "",
                            "name=!3 clock=!3 memory=!3 reasons=!3 power=!3 energy=!3 ecc=!3 "
                            "limit=!3");
  vb_nvml_describe(nvml, &gpu);
  ck_assert(!gpu.name[0] && !gpu.ecc[0] && isnan(gpu.power_limit_w));
  ck_assert_str_eq(gpu.driver, "570.00");
  vb_nvml_read(nvml, &state);
  ck_assert(isnan(state.sm_clock) && isnan(state.mem_clock));
  ck_assert(isnan(state.power_w) && isnan(state.energy_j));
  ck_assert_uint_eq(state.throttle, 0);
  vb_nvml_close(nvml);
  nvml = open_fake("fake_nvml.so", "", "ecc=0");
  vb_nvml_describe(nvml, &gpu);
  ck_assert_str_eq(gpu.ecc, "off");
  vb_nvml_close(nvml);
}
END_TEST

/// Idleness (1), clocks set by a person (2, 256) and bits of the future are no throttling.
START_TEST(throttling_is_what_comes_and_goes) {
  static const struct {
    const char *script;
    uint64_t heeded;
    const char *words;
  } cases[] = {
      {"reasons=0", 0, ""},
      {"reasons=1", 0, ""},
      {"reasons=2", 0, ""},
      {"reasons=256", 0, ""},
      {"reasons=1099511627776", 0, ""},
      {"reasons=5", VB_THROTTLE_POWER_CAP, "power limit"},
      {"reasons=8", VB_THROTTLE_HARDWARE, "hardware slowdown"},
      {"reasons=16", VB_THROTTLE_SYNC_BOOST, "sync boost"},
      {"reasons=32", VB_THROTTLE_TEMPERATURE, "temperature"},
      {"reasons=72", VB_THROTTLE_HARDWARE | VB_THROTTLE_HW_TEMPERATURE,
       "hardware slowdown, hardware temperature"},
      {"reasons=130", VB_THROTTLE_POWER_BRAKE, "power brake"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char words[120], little[8];
    vb_gpu_state state;
    vb_nvml *nvml = open_fake("fake_nvml.so", "", cases[i].script);
    vb_nvml_read(nvml, &state);
    ck_assert_uint_eq(state.throttle, cases[i].heeded);
    vb_throttle_words(state.throttle, words, sizeof words);
    ck_assert_str_eq(words, cases[i].words);
    vb_throttle_words(UINT64_MAX, little, sizeof little); // cut off, and ended
    ck_assert_str_eq(little, "power l");
    vb_nvml_close(nvml);
  }
}
END_TEST

static TCase *nvml_tests(void) {
  TCase *tc = tcase_create("nvml");
  tcase_add_test(tc, reads_all_values);
  tcase_add_test(tc, a_device_is_found_by_uuid_or_as_the_first);
  tcase_add_test(tc, a_slice_is_found_by_the_digits_of_its_uuid);
  tcase_add_test(tc, missing_library_is_no_error);
  tcase_add_test(tc, another_library_is_refused);
  tcase_add_test(tc, reports_a_driver_that_does_not_start);
  tcase_add_test(tc, old_library_gives_what_it_has);
  tcase_add_test(tc, unsupported_values_are_absent);
  tcase_add_test(tc, throttling_is_what_comes_and_goes);
  return tc;
}

VB_TEST_MAIN("nvml", nvml_tests())
