// SPDX-License-Identifier: GPL-3.0-or-later
/// The CUDA backend on a device: strict results are the CPU's, bit by bit, and the same every time,
/// as a graph and kernel by kernel. The cases are those of the emulator's tests, which need none.
/// A device is first touched inside of a test: Check forks, and CUDA does not survive that.
/// Covers: src/viper/cuda/*.[ch] src/viper/cuda/*/*
#include "cuda/cuda_at_hand.h"
#include "cuda/cuda_bundle_cases.h"
#include "cuda/cuda_contact_cases.h"
#include "cuda/cuda_terms_set.h"
#include "part.h"

/// Every term by itself, strict: energy, gradient and block of random states are the bits of C
/// code.
START_TEST(terms_are_the_cpus) {
  enum { N = 20000 };
  const terms_set *set = _i ? &terms_f32 : &terms_f64;
  int (*on_device)(const void *, int, void *) = _i ? cuda_device_terms_f32 : cuda_device_terms_f64;
  if (!on_device) {
    vb_skip("cuda", "this build has no kernels of single terms; make CUDA_ARCHS=all test");
    return;
  }
  unsigned long long seed = 12;
  char *in = calloc(N, (size_t)set->bytes_of_input);
  char *c = calloc(N, (size_t)set->bytes_of_output);
  char *device = calloc(N, (size_t)set->bytes_of_output);
  for (int k = 0; k < N; k++)
    set->random(in + (size_t)k * (size_t)set->bytes_of_input, &seed);
  set->by_c(in, N, c);
  ck_assert_int_eq(on_device(in, N, device), 0);
  ck_assert_mem_eq(c, device, (size_t)N * (size_t)set->bytes_of_output);
  free(in);
  free(c);
  free(device);
}
END_TEST

/// Strict: after 1, 2 and 100 steps the bits of the CPU.
START_TEST(strict_steps_are_the_cpus) {
  static const int steps[] = {1, 1, 98};
  vb_scene *scene = cuda_cases[_i / CASE_VARIANTS].scene();
  handle cpu = case_open(scene, _i % CASE_VARIANTS, "cpu");
  handle cuda = case_open(scene, _i % CASE_VARIANTS, "cuda");
  for (int k = 0; k < 3; k++) {
    handle_step(&cpu, steps[k]);
    handle_step(&cuda, steps[k]);
    ck_assert(case_same_state(&cpu, &cuda));
  }
  handle_close(&cpu);
  handle_close(&cuda);
  free(scene);
}
END_TEST

/// Iteration by iteration: the first sweep alone, two, and so on.
START_TEST(each_iteration_is_the_cpus) {
  vb_scene *scene = cuda_cases[_i / CASE_VARIANTS].scene();
  handle cpu = case_open(scene, _i % CASE_VARIANTS, "cpu");
  handle cuda = case_open(scene, _i % CASE_VARIANTS, "cuda");
  ck_assert(case_same_iterations(&cpu, &cuda, 7));
  handle_close(&cpu);
  handle_close(&cuda);
  free(scene);
}
END_TEST

/// The same bits every time: strict and fast, as a graph and one kernel after the other, step by
/// step and many at once.
START_TEST(runs_repeat_bit_by_bit) {
  vb_scene *scene = cuda_cases[_i / CASE_METHODS].scene();
  for (int fast = 0; fast < 2; fast++) {
    handle s[3];
    for (int k = 0; k < 3; k++) {
      s[k] = handle_open(scene, "backend", "cuda", "method", case_method(scene, _i), "precision",
                         "float", "arithmetic", fast ? "fast" : "strict", "launch",
                         k == 1 ? "stream" : "graph", "iterations", "5", NULL);
      for (int step = 0; step < (k == 2 ? 30 : 1); step++)
        handle_step(&s[k], k == 2 ? 1 : 30);
    }
    ck_assert(case_same_state(&s[0], &s[1]));
    ck_assert(case_same_state(&s[0], &s[2]));
    for (int k = 0; k < 3; k++)
      handle_close(&s[k]);
  }
  free(scene);
}
END_TEST

/// Fast arithmetic in float is near strict: over 30 steps of scenes that do not amplify
/// differences, positions of meters are off by less than a thousand rounding errors.
START_TEST(fast_is_near_strict) {
  vb_scene *scene = case_rods();
  handle s[2];
  double *x[2];
  for (int fast = 0; fast < 2; fast++) {
    s[fast] = handle_open(scene, "backend", "cuda", "method", case_methods[_i], "precision",
                          "float", "arithmetic", fast ? "fast" : "strict", "iterations", "5", NULL);
    handle_step(&s[fast], 30);
    x[fast] = handle_read(&s[fast], "position");
  }
  size_t n = 3 * vb_scene_count(scene, VB_SET_NODE);
  for (size_t k = 0; k < n; k++)
    ck_assert_double_le(fabs(x[0][k] - x[1][k]), 1000 * (double)FLT_EPSILON);
  for (int fast = 0; fast < 2; fast++) {
    free(x[fast]);
    handle_close(&s[fast]);
  }
  free(scene);
}
END_TEST

START_TEST(surfaces_are_those_of_the_cpu) {
  int v = _i * CASE_METHODS; // a precision
  vb_scene *scene = case_surface();
  handle cpu = case_open(scene, v, "cpu"), cuda = case_open(scene, v, "cuda");
  handle_step(&cpu, 7);
  handle_step(&cuda, 7);
  case_check_surface(&cpu, &cuda, _i ? FLT_EPSILON : DBL_EPSILON);
  handle_close(&cpu);
  handle_close(&cuda);
  free(scene);
}
END_TEST

/// Strict: contacts are the CPU's, bit by bit, over 100 steps, as a graph and kernel by kernel.
START_TEST(contacts_are_those_of_the_cpu) {
  vb_scene *scene = contact_cases[_i / CASE_VARIANTS].scene();
  handle cpu = case_open(scene, _i % CASE_VARIANTS, "cpu");
  handle cuda = case_open(scene, _i % CASE_VARIANTS, "cuda");
  for (int k = 0; k < 4; k++) {
    handle_set(&cuda, "launch", k % 2 ? "stream" : "graph");
    bool well = handle_try(&cpu, 25);
    ck_assert_int_eq(handle_try(&cuda, 25), well);
    ck_assert(case_same_state(&cpu, &cuda));
    ck_assert(contact_same_report(&cpu, &cuda));
  }
  handle_close(&cpu);
  handle_close(&cuda);
  free(scene);
}
END_TEST

/// Strict: bundles are the CPU's, bit by bit, over 100 steps, as a graph and kernel by kernel, and
/// so is the residual.
START_TEST(bundles_are_those_of_the_cpu) {
  const cuda_case *c = &bundle_cases[_i / CASE_VARIANTS];
  int v = _i % CASE_VARIANTS;
  vb_scene *scene = c->scene();
  handle cpu = case_open(scene, v, "cpu"), cuda = case_open(scene, v, "cuda");
  for (int k = 0; k < 4; k++) {
    handle_set(&cuda, "launch", k % 2 ? "stream" : "graph");
    bool well = handle_try(&cpu, 25);
    ck_assert_int_eq(handle_try(&cuda, 25), well);
    ck_assert(bundle_same(&cpu, &cuda, v, c->name));
  }
  handle_close(&cpu);
  handle_close(&cuda);
  free(scene);
}
END_TEST

/// The same by a grid.
START_TEST(many_bundles_are_those_of_the_cpu) {
  vb_scene *scene = bundle_many();
  handle cpu = case_open(scene, _i, "cpu"), cuda = case_open(scene, _i, "cuda");
  handle_step(&cpu, 10);
  handle_step(&cuda, 10);
  ck_assert(bundle_same(&cpu, &cuda, _i, "many bands"));
  handle_close(&cpu);
  handle_close(&cuda);
  free(scene);
}
END_TEST

static TCase *device(void) {
  TCase *t = tcase_create("device");
  tcase_set_timeout(t, 120);
  if (!case_add_where_device(t))
    return t;
  part_add_loop_test(t, terms_are_the_cpus, CASE_PRECISIONS);
  part_add_loop_test(t, each_iteration_is_the_cpus, N_CUDA_CASES * CASE_VARIANTS);
  part_add_loop_test(t, strict_steps_are_the_cpus, N_CUDA_CASES * CASE_VARIANTS);
  part_add_loop_test(t, runs_repeat_bit_by_bit, N_CUDA_CASES * CASE_METHODS);
  part_add_loop_test(t, fast_is_near_strict, CASE_METHODS);
  part_add_loop_test(t, contacts_are_those_of_the_cpu, N_CONTACT_CASES * CASE_VARIANTS);
  part_add_loop_test(t, bundles_are_those_of_the_cpu, N_BUNDLE_CASES * CASE_VARIANTS);
  part_add_loop_test(t, many_bundles_are_those_of_the_cpu, CASE_VARIANTS);
  part_add_loop_test(t, surfaces_are_those_of_the_cpu, CASE_PRECISIONS);
  return t;
}

VB_TEST_MAIN("cuda device", device())
