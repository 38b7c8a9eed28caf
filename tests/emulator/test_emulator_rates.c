// SPDX-License-Identifier: GPL-3.0-or-later
/// What a device does at best (bench/device_rates.cu), in the emulator: kernels and calls, not
/// numbers, which are the host's. ALL=1 also does the arithmetic, which takes long.
/// Covers: src/bench/device_rates.*
#include "bench/device_rates.h"
#include "emulator.h"
#include "test.h"

#include <cuda_runtime_api.h>
#include <stdlib.h>

extern const vb_device_rates vb_device_rates_cuda;

enum { BYTES = 1 << 14 };

/// The UUID of the emulated device, as a solver tells it.
static void find_uuid(char out[48]) {
  struct cudaDeviceProp about;
  ck_assert_int_eq(cudaGetDeviceProperties(&about, 0), cudaSuccess);
  char *at = out + sprintf(out, "GPU");
  for (int k = 0; k < 16; k++)
    at += sprintf(at, "%s%02x", k == 0 || k == 4 || k == 6 || k == 8 || k == 10 ? "-" : "",
                  (unsigned char)about.uuid.bytes[k]);
}

static void begin(char uuid[48]) {
  emulator_forget();
  emulator_schedule(EMULATOR_LOCKSTEP, 1, 0);
  emulator_device(1, 256, 49152);
  find_uuid(uuid);
}

/// No race, no fault, nothing left behind.
static void check_end(void) {
  ck_assert_msg(emulator_races() == 0, "races");
  ck_assert_str_eq(emulator_fault(), "");
  ck_assert_uint_eq(emulator_leaks(), 0);
}

START_TEST(copies_have_a_rate) {
  char uuid[48];
  double rate = 0;
  vb_error error = {0};
  begin(uuid);
  ck_assert_msg(vb_device_rates_cuda.copies(uuid, BYTES, &rate, &error) == VB_OK, "%s",
                error.message);
  ck_assert_double_gt(rate, 0);
  ck_assert_int_eq(vb_device_rates_cuda.copies("GPU-of-someone-else", BYTES, &rate, &error),
                   VB_UNAVAILABLE);
  check_end();
}
END_TEST

START_TEST(arithmetic_has_a_rate) {
  char uuid[48];
  double rate = 0;
  vb_error error = {0};
  begin(uuid);
  ck_assert_msg(vb_device_rates_cuda.arithmetic(uuid, _i % 2 == 0, _i / 2 == 0, &rate, &error) ==
                    VB_OK,
                "%s", error.message);
  ck_assert_double_gt(rate, 0);
  check_end();
}
END_TEST

/// A call that fails ends it with a sentence, unless it frees, and the next is as if there had been
/// none. The first calls are all different: batches repeat what follows.
START_TEST(calls_that_fail_are_told) {
  enum { DIFFERENT = 24 };
  char uuid[48];
  double rate = 0;
  begin(uuid);
  for (long k = 0; k < DIFFERENT; k++) {
    vb_error error = {0};
    size_t leaks = emulator_leaks();
    emulator_fail_call(k);
    vb_status status = vb_device_rates_cuda.copies(uuid, BYTES, &rate, &error);
    emulator_fail_call(-1);
    ck_assert_msg(status == VB_OK || error.message[0], "call %ld, %s: no message", k,
                  emulator_failed_call());
    ck_assert_msg(emulator_leaks() == leaks, "call %ld, %s: memory is lost", k,
                  emulator_failed_call());
    ck_assert_int_eq(cudaGetLastError(), cudaSuccess);
  }
  check_end();
}
END_TEST

static TCase *rates(void) {
  TCase *t = tcase_create("rates");
  tcase_set_timeout(t, 120);
  tcase_add_test(t, copies_have_a_rate);
  tcase_add_test(t, calls_that_fail_are_told);
  if (getenv("ALL"))
    tcase_add_loop_test(t, arithmetic_has_a_rate, 0, 4);
  else
    vb_skip("arithmetic of device_rates.cu", "takes a minute; ALL=1 does it");
  return t;
}

VB_TEST_MAIN("emulator rates", rates())
