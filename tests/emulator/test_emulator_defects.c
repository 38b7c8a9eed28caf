// SPDX-License-Identifier: GPL-3.0-or-later
/// The emulator finds planted defects, by every schedule, and nothing where there is none; and the
/// rules of the runtime: streams, graphs, copies, errors.
#include "emulator.h"
#include "planted.h"
#include "test.h"

enum { N = 64, SCHEDULES = 3 };

typedef struct arrays {
  int32_t *in, *out;
} arrays;

/// Two arrays of 256 numbers; the first holds 0, 1, 2, .., the second zeros.
static arrays take(int schedule) {
  arrays a;
  int32_t number[256];
  emulator_schedule(schedule, 7, 1);
  for (int k = 0; k < 256; k++)
    number[k] = k;
  ck_assert_int_eq(cudaMalloc((void **)&a.in, sizeof number), 0);
  ck_assert_int_eq(cudaMalloc((void **)&a.out, sizeof number), 0);
  ck_assert_int_eq(cudaMemcpy(a.in, number, sizeof number, cudaMemcpyHostToDevice), 0);
  ck_assert_int_eq(cudaMemset(a.out, 0, sizeof number), 0);
  return a;
}

static void drop(arrays *a) {
  emulator_forget();
  ck_assert_int_eq(cudaFree(a->in), 0);
  ck_assert_int_eq(cudaFree(a->out), 0);
}

static void read_out(const arrays *a, int32_t out[256]) {
  ck_assert_int_eq(cudaMemcpy(out, a->out, 256 * sizeof *out, cudaMemcpyDeviceToHost), 0);
}

/// A call that was queued went well, without a race.
static void check_well(cudaError_t code) {
  ck_assert_int_eq(code, 0);
  ck_assert_int_eq(cudaDeviceSynchronize(), 0);
  ck_assert_str_eq(emulator_fault(), "");
  ck_assert_uint_eq(emulator_races(), 0);
}

static void check_race(cudaError_t code) {
  ck_assert_int_eq(code, 0);
  ck_assert_int_eq(cudaDeviceSynchronize(), 0);
  ck_assert_uint_gt(emulator_races(), 0);
}

/// The kernel is stopped with a message that has these words; so are all calls after it.
static void check_fault(cudaError_t code, const char *words) {
  ck_assert_int_eq(code, 0);
  ck_assert_int_ne(cudaDeviceSynchronize(), 0);
  ck_assert_msg(strstr(emulator_fault(), words) != NULL, "%s", emulator_fault());
  ck_assert_int_ne(cudaDeviceSynchronize(), 0);
}

START_TEST(a_missing_barrier_is_a_race) {
  arrays a = take(_i);
  int32_t out[256];
  check_well(planted_reverse(a.in, a.out, true, NULL));
  read_out(&a, out);
  for (int k = 0; k < N; k++)
    ck_assert_int_eq(out[k], N - 1 - k);
  check_race(planted_reverse(a.in, a.out, false, NULL));
  drop(&a);
}
END_TEST

START_TEST(a_missing_barrier_of_a_warp_is_a_race) {
  arrays a = take(_i);
  check_well(planted_reverse_warp(a.in, a.out, true, NULL));
  check_race(planted_reverse_warp(a.in, a.out, false, NULL));
  drop(&a);
}
END_TEST

/// Neighbors in one word do not race, two writers of a byte do.
START_TEST(bytes_are_watched) {
  arrays a = take(_i);
  check_well(planted_bytes((uint8_t *)a.out, true, NULL));
  check_race(planted_bytes((uint8_t *)a.out, false, NULL));
  drop(&a);
}
END_TEST

START_TEST(a_wrong_mask_is_a_fault) {
  arrays a = take(_i);
  int32_t out[256];
  check_well(planted_sum(a.in, a.out, true, NULL));
  read_out(&a, out);
  ck_assert_int_eq(out[0], 31 * 32 / 2);
  check_fault(planted_sum(a.in, a.out, false, NULL), "not in the mask");
  drop(&a);
}
END_TEST

/// What was not copied was never written.
START_TEST(a_missing_copy_is_a_fault) {
  arrays a = take(_i);
  int32_t *empty;
  ck_assert_int_eq(cudaMalloc((void **)&empty, N * sizeof *empty), 0);
  check_fault(planted_reverse(empty, a.out, true, NULL), "never written");
  emulator_forget();
  ck_assert_int_eq(cudaFree(empty), 0);
  drop(&a);
}
END_TEST

/// A host that does not wait reads what was there before, though the copy was queued.
START_TEST(a_missing_synchronization_shows) {
  arrays a = take(_i);
  int32_t *out;
  cudaStream_t stream;
  ck_assert_int_eq(cudaDeviceSynchronize(), 0);
  ck_assert_int_eq(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), 0);
  ck_assert_int_eq(cudaMallocHost((void **)&out, N * sizeof *out), 0);
  ck_assert_int_eq(planted_reverse(a.in, a.out, true, stream), 0);
  ck_assert_int_eq(cudaMemcpyAsync(out, a.out, N * sizeof *out, cudaMemcpyDeviceToHost, stream), 0);
  ck_assert_int_eq(out[0], -1);
  ck_assert_int_eq(cudaStreamSynchronize(stream), 0);
  ck_assert_int_eq(out[0], N - 1);
  ck_assert_int_eq(cudaFreeHost(out), 0);
  ck_assert_int_eq(cudaStreamDestroy(stream), 0);
  drop(&a);
}
END_TEST

START_TEST(bounds_and_alignment_are_checked) {
  arrays a = take(_i);
  int32_t *small;
  ck_assert_int_eq(cudaMalloc((void **)&small, N * sizeof *small), 0);
  ck_assert_int_eq(cudaMemset(small, 0, N * sizeof *small), 0);
  check_well(planted_shift(small, a.out, true, NULL));
  check_fault(planted_shift(small, a.out, false, NULL), "outside of every allocation");
  emulator_forget();
  check_well(planted_aligned(a.in, a.out, true, NULL));
  check_fault(planted_aligned(a.in, a.out, false, NULL), "not aligned");
  emulator_forget();
  ck_assert_int_eq(cudaFree(small), 0);
  check_fault(planted_shift(small, a.out, true, NULL), "freed");
  drop(&a);
}
END_TEST

START_TEST(barriers_are_checked) {
  arrays a = take(_i);
  check_well(planted_barrier(a.out, true, NULL));
  check_fault(planted_barrier(a.out, false, NULL), "different places");
  emulator_forget();
  check_well(planted_deadlock(a.out, true, NULL));
  check_fault(planted_deadlock(a.out, false, NULL), "deadlock");
  drop(&a);
}
END_TEST

START_TEST(grids_wait_for_each_other) {
  arrays a = take(_i);
  int32_t out[256];
  check_well(planted_grid(a.in, a.out, true, NULL));
  read_out(&a, out);
  for (int k = 0; k < 4 * N; k++)
    ck_assert_int_eq(out[k], 3 * ((k + N) % (4 * N)));
  check_race(planted_grid(a.in, a.out, false, NULL));
  drop(&a);
}
END_TEST

/// More blocks than the device holds at a time cannot wait for each other.
START_TEST(a_grid_too_large_is_refused) {
  arrays a = take(_i);
  emulator_device(3, N, 49152);
  ck_assert_int_eq(planted_grid(a.in, a.out, true, NULL), cudaErrorCooperativeLaunchTooLarge);
  ck_assert_int_eq(cudaGetLastError(), cudaErrorCooperativeLaunchTooLarge);
  drop(&a);
}
END_TEST

START_TEST(atomics_do_not_race) {
  arrays a = take(_i);
  int32_t out[256];
  check_well(planted_count(a.out, true, NULL));
  read_out(&a, out);
  for (int k = 0; k < N; k++)
    ck_assert_int_eq(out[k], 4);
  check_race(planted_count(a.out, false, NULL));
  drop(&a);
}
END_TEST

START_TEST(votes_and_shuffles) {
  arrays a = take(_i);
  int32_t out[256];
  check_well(planted_warp(a.out, NULL));
  read_out(&a, out);
  for (int k = 0; k < 32; k++) {
    ck_assert_uint_eq((uint32_t)out[k], 0xaaaaaaaau);
    ck_assert_int_ne(out[32 + k], 0);
    ck_assert_int_eq(out[64 + k], 0);
    ck_assert_int_eq(out[96 + k], 10 * (k / 8 * 8 + 3));
    ck_assert_int_eq(out[128 + k], k < 2 ? k : k - 2);
    ck_assert_int_eq(out[160 + k], k % 16 < 14 ? k + 2 : k);
    ck_assert_int_eq(out[192 + k], k ^ 5);
  }
  drop(&a);
}
END_TEST

/// A multiprocessor holds as many blocks as its 65536 registers allow. Where there is PTX alone, a
/// kernel has as many as its launch bounds allow, 255 at most, rounded up to 256; where there is
/// machine code, its own. Without that limit these devices would hold 16 and 32 blocks.
START_TEST(registers_limit_blocks) {
  static const struct {
    bool few;
    int threads, blocks; ///< of PTX alone
  } cases[] = {{false, 128, 4}, {false, 64, 8}, {false, 96, 5}, {true, 128, 2}, {true, 64, 4}};
  emulator_forget();
  emulator_device(1, 2048, 232448);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    int blocks = 0, registers = 0;
    ck_assert_int_eq(planted_room(cases[i].few, cases[i].threads, &blocks, &registers), 0);
    const int by_code = registers ? 65536 / ((registers + 7) / 8 * 8 * cases[i].threads) : 0;
    const int by_threads = 2048 / cases[i].threads;
    const int held = by_code < by_threads ? by_code : by_threads;
    ck_assert_int_eq(blocks, !registers ? cases[i].blocks : held < 32 ? held : 32);
  }
}
END_TEST

/// More than 48 KiB of shared memory has to be asked for, and there is an end to it.
START_TEST(shared_memory_is_asked_for) {
  arrays a = take(_i);
  ck_assert_int_ne(planted_shared(a.out, 65536, false, NULL), 0);
  ck_assert_int_ne(cudaGetLastError(), 0);
  check_well(planted_shared(a.out, 65536, true, NULL));
  ck_assert_int_ne(planted_shared(a.out, 1 << 20, true, NULL), 0);
  drop(&a);
}
END_TEST

/// The first use of a kernel loads it, which a capture may not.
START_TEST(a_kernel_first_used_in_a_capture_breaks_it) {
  arrays a = take(_i);
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  ck_assert_int_eq(cudaDeviceSynchronize(), 0);
  ck_assert_int_eq(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), 0);
  ck_assert_int_eq(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), 0);
  ck_assert_int_ne(planted_count(a.out, true, stream), 0);
  ck_assert_int_ne(cudaStreamEndCapture(stream, &graph), 0);
  (void)cudaGetLastError();
  check_well(planted_count(a.out, true, stream));
  ck_assert_int_eq(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), 0);
  ck_assert_int_eq(planted_count(a.out, true, stream), 0);
  ck_assert_int_eq(cudaStreamEndCapture(stream, &graph), 0);
  ck_assert_int_eq(cudaGraphInstantiate(&exec, graph, 0), 0);
  for (int k = 0; k < 3; k++)
    ck_assert_int_eq(cudaGraphLaunch(exec, stream), 0);
  ck_assert_int_eq(cudaStreamSynchronize(stream), 0);
  int32_t out[256];
  read_out(&a, out);
  ck_assert_int_eq(out[5], 4 * 4);
  ck_assert_int_eq(cudaGraphDestroy(graph), 0);
  ck_assert_int_eq(cudaGraphExecDestroy(exec), 0);
  ck_assert_int_eq(cudaStreamDestroy(stream), 0);
  drop(&a);
}
END_TEST

/// A copy of pageable memory on the default stream is not there yet for a stream that does not
/// block.
START_TEST(pageable_copies_arrive_late) {
  for (int waits = 0; waits < 2; waits++) {
    arrays a = take(_i);
    int32_t *in, number[N] = {0};
    cudaStream_t stream;
    ck_assert_int_eq(cudaDeviceSynchronize(), 0);
    ck_assert_int_eq(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), 0);
    ck_assert_int_eq(cudaMalloc((void **)&in, sizeof number), 0);
    ck_assert_int_eq(cudaMemcpy(in, number, sizeof number, cudaMemcpyHostToDevice), 0);
    if (waits)
      ck_assert_int_eq(cudaStreamSynchronize(NULL), 0);
    ck_assert_int_eq(planted_reverse(in, a.out, true, stream), 0);
    ck_assert((cudaStreamSynchronize(stream) == 0) == waits);
    emulator_forget();
    ck_assert_int_eq(cudaFree(in), 0);
    ck_assert_int_eq(cudaStreamDestroy(stream), 0);
    drop(&a);
  }
}
END_TEST

/// The last error stays until it is asked for; other calls are not touched by it.
START_TEST(calls_fail_as_asked) {
  arrays a = take(_i);
  void *p;
  emulator_fail_call(1);
  ck_assert_int_eq(cudaDeviceSynchronize(), 0);
  ck_assert_int_eq(cudaMalloc(&p, 16), cudaErrorMemoryAllocation);
  ck_assert_int_eq(cudaDeviceSynchronize(), 0);
  ck_assert_int_eq(cudaPeekAtLastError(), cudaErrorMemoryAllocation);
  ck_assert_int_eq(cudaGetLastError(), cudaErrorMemoryAllocation);
  ck_assert_int_eq(cudaGetLastError(), 0);
  ck_assert_uint_eq(emulator_leaks(), 2);
  drop(&a);
  ck_assert_uint_eq(emulator_leaks(), 0);
}
END_TEST

/// A free that fails tells so; what it was of is gone, and another free of it is a fault.
START_TEST(frees_fail_as_asked) {
  void *p[2];
  emulator_forget();
  ck_assert_int_eq(cudaMalloc(&p[0], 16), 0);
  ck_assert_int_eq(cudaMallocHost(&p[1], 16), 0);
  for (int k = 0; k < 2; k++) {
    emulator_fail_call(0);
    ck_assert_int_ne(k ? cudaFreeHost(p[k]) : cudaFree(p[k]), 0);
    ck_assert_str_eq(emulator_failed_call(), k ? "cudaFreeHost" : "cudaFree");
    ck_assert_str_eq(emulator_fault(), "");
  }
  ck_assert_uint_eq(emulator_leaks(), 0);
  ck_assert_int_eq(cudaFree(p[0]), cudaErrorInvalidValue);
  ck_assert_str_eq(emulator_fault(), "cudaFree of what is not allocated");
  emulator_forget();
}
END_TEST

static TCase *defects(void) {
  TCase *t = tcase_create("defects");
  tcase_add_loop_test(t, a_missing_barrier_is_a_race, 0, SCHEDULES);
  tcase_add_loop_test(t, a_missing_barrier_of_a_warp_is_a_race, 0, SCHEDULES);
  tcase_add_loop_test(t, bytes_are_watched, 0, SCHEDULES);
  tcase_add_loop_test(t, a_wrong_mask_is_a_fault, 0, SCHEDULES);
  tcase_add_loop_test(t, a_missing_copy_is_a_fault, 0, SCHEDULES);
  tcase_add_loop_test(t, a_missing_synchronization_shows, 0, SCHEDULES);
  tcase_add_loop_test(t, bounds_and_alignment_are_checked, 0, SCHEDULES);
  tcase_add_loop_test(t, barriers_are_checked, 0, SCHEDULES);
  tcase_add_loop_test(t, grids_wait_for_each_other, 0, SCHEDULES);
  tcase_add_test(t, a_grid_too_large_is_refused);
  tcase_add_loop_test(t, atomics_do_not_race, 0, SCHEDULES);
  tcase_add_loop_test(t, votes_and_shuffles, 0, SCHEDULES);
  tcase_add_test(t, shared_memory_is_asked_for);
  tcase_add_test(t, registers_limit_blocks);
  return t;
}

static TCase *rules(void) {
  TCase *t = tcase_create("rules");
  tcase_add_test(t, a_kernel_first_used_in_a_capture_breaks_it);
  tcase_add_test(t, pageable_copies_arrive_late);
  tcase_add_test(t, calls_fail_as_asked);
  tcase_add_test(t, frees_fail_as_asked);
  return t;
}

VB_TEST_MAIN("emulator defects", defects(), rules())
