// SPDX-License-Identifier: GPL-3.0-or-later
/// The kernels of the CUDA backend without a device: their code, run on the host lane by lane
/// (cuda_host.h). Their phases must be free of races (the order of lanes leaves the bits alone),
/// and strict results must be the CPU's, bit by bit.
/// Covers: src/viper/cuda/core/* src/viper/cuda/skin/*.h src/viper/cuda/skin/*_real.*
#include "cuda/cuda_cases.h"
#include "cuda/cuda_host.h"
#include "cuda/cuda_terms_set.h"
#include "cuda/phases_cases.h"

/// The backend that "cuda" names here.
static const viper_backend *on_host[2] = {&cuda_host_f64, &cuda_host_f32};
static const viper_backend *backends[3] = {&viper_backend_cpu};

const viper_backend *const *viper_backends(void) {
  return backends;
}

static const viper_device_limits limits = {
    .n_multiprocessors = 2,
    .shared_of_block = 48 * 1024,
    .shared_of_multiprocessor = 64 * 1024,
    .shared_reserved = 1024,
    .threads_of_multiprocessor = 512,
};

/// One on which no body fits.
static const viper_device_limits tiny = {
    .n_multiprocessors = 1,
    .shared_of_block = 1024,
    .shared_of_multiprocessor = 1024,
    .threads_of_multiprocessor = 512,
};

static handle open_in(const viper_device_limits *device, const vb_scene *scene, int v,
                      cuda_host_order order, int coop_size) {
  cuda_host = (cuda_host_choice){.order = order, .coop_size = coop_size, .limits = *device};
  backends[1] = on_host[v / CASE_METHODS];
  return case_open(scene, v, "cuda");
}

static handle open_on_host(const vb_scene *scene, int v, cuda_host_order order, int coop_size) {
  return open_in(&limits, scene, v, order, coop_size);
}

/// case_same_state, and says so where it is not.
static bool same_state(const handle *a, const handle *b, const char *what) {
  bool same = case_same_state(a, b);
  if (!same)
    fprintf(stderr, "%s: differs; first position %.17g and %.17g\n", what,
            handle_value(a, "position", 0), handle_value(b, "position", 0));
  return same;
}

/// Every term by itself: energy, gradient and block of random states, the bits of C code. The two
/// are the same source, but by another compiler, and on another machine in test_cuda_device.c.
START_TEST(terms_are_the_cpus) {
  enum { N = 500 };
  const terms_set *set = _i ? &terms_f32 : &terms_f64;
  unsigned long long seed = 11;
  char *in = calloc(N, (size_t)set->bytes_of_input);
  char *c = calloc(N, (size_t)set->bytes_of_output),
       *host = calloc(N, (size_t)set->bytes_of_output);
  for (int k = 0; k < N; k++)
    set->random(in + (size_t)k * (size_t)set->bytes_of_input, &seed);
  set->by_c(in, N, c);
  (_i ? cuda_host_terms_f32 : cuda_host_terms_f64)(in, N, host);
  ck_assert_mem_eq(c, host, (size_t)N * (size_t)set->bytes_of_output);
  free(in);
  free(c);
  free(host);
}
END_TEST

/// Steps of each case: what differs does so within few. ALL asks for many, as "make nightly" does.
static int steps_of_a_case(void) {
  return getenv("ALL") ? 100 : 25;
}

/// So many steps of each case by each method and precision: the CPU's bits, whatever the order of
/// lanes. The barriers of `direct` are many: fewer steps in other orders, and fewer lanes.
START_TEST(threads_in_any_order_give_the_bits_of_the_cpu) {
  int c = _i / CASE_VARIANTS, v = _i % CASE_VARIANTS, direct = case_is_direct(v);
  int some = direct ? 3 : 20;
  vb_scene *scene = cuda_cases[c].scene();
  handle cpu = case_open(scene, v, "cpu");
  handle host[CUDA_HOST_ORDERS];
  for (int order = 0; order < CUDA_HOST_ORDERS; order++)
    host[order] =
        open_on_host(scene, v, (cuda_host_order)order, order == 0 ? 4 * direct : 8 * order);
  handle_step(&cpu, some);
  for (int order = 0; order < CUDA_HOST_ORDERS; order++) {
    handle_step(&host[order], some);
    ck_assert(same_state(&cpu, &host[order], cuda_cases[c].name));
    case_check_work(&cpu, &host[order], v / CASE_METHODS ? FLT_EPSILON : DBL_EPSILON);
  }
  handle_step(&cpu, steps_of_a_case() - some);
  handle_step(&host[0], steps_of_a_case() - some);
  ck_assert(same_state(&cpu, &host[0], cuda_cases[c].name));
  for (int order = 0; order < CUDA_HOST_ORDERS; order++)
    handle_close(&host[order]);
  handle_close(&cpu);
  free(scene);
}
END_TEST

/// The same with bdf2, through a change of pace, and after a state of the CPU's was restored. It
/// takes no loads that turn.
START_TEST(bdf2_gives_the_bits_of_the_cpu) {
  int c = _i / CASE_VARIANTS, v = _i % CASE_VARIANTS;
  vb_scene *scene = cuda_cases[c].scene();
  if (vb_scene_count(scene, VB_SET_FOLLOWER_LOAD) > 0) {
    free(scene);
    return;
  }
  handle cpu = case_open_by(scene, v, "cpu", "bdf2");
  cuda_host = (cuda_host_choice){.order = CUDA_HOST_SHUFFLED, .coop_size = 8, .limits = limits};
  backends[1] = on_host[v / CASE_METHODS];
  handle host = case_open_by(scene, v, "cuda", "bdf2");
  for (int k = 0; k < 3; k++) {
    handle_step(&cpu, 3);
    handle_step(&host, 3);
    ck_assert(same_state(&cpu, &host, cuda_cases[c].name));
    case_check_work(&cpu, &host, v / CASE_METHODS ? FLT_EPSILON : DBL_EPSILON);
    if (k == 0) {
      void *state = handle_save(&cpu);
      ck_assert_int_eq(host.solver->restore(host.self, state, NULL), VB_OK);
      free(state);
    } else {
      handle_set(&cpu, "substeps", "3");
      handle_set(&host, "substeps", "3");
    }
  }
  handle_close(&host);
  handle_close(&cpu);
  free(scene);
}
END_TEST

/// Frames that keep their momentum, by both integrators that the kernels have.
START_TEST(a_gyroscope_gives_the_bits_of_the_cpu) {
  const int n = N_CUDA_CASES * CASE_VARIANTS, c = _i % n / CASE_VARIANTS, v = _i % CASE_VARIANTS;
  const char *integrator = _i / n ? "bdf2" : "euler";
  vb_scene *scene = cuda_cases[c].scene();
  if (_i / n && vb_scene_count(scene, VB_SET_FOLLOWER_LOAD) > 0) {
    free(scene);
    return;
  }
  handle cpu = case_open_spinning(scene, v, "cpu", integrator);
  cuda_host = (cuda_host_choice){.order = CUDA_HOST_SHUFFLED, .coop_size = 8, .limits = limits};
  backends[1] = on_host[v / CASE_METHODS];
  handle host = case_open_spinning(scene, v, "cuda", integrator);
  for (int k = 0; k < 2; k++) {
    handle_step(&cpu, 3);
    handle_step(&host, 3);
    ck_assert(same_state(&cpu, &host, cuda_cases[c].name));
    case_check_work(&cpu, &host, v / CASE_METHODS ? FLT_EPSILON : DBL_EPSILON);
  }
  handle_close(&host);
  handle_close(&cpu);
  free(scene);
}
END_TEST

/// The same in statics, by both methods that it has, and after a state of the CPU's was restored.
START_TEST(statics_gives_the_bits_of_the_cpu) {
  const char *method = _i % 2 ? "block-descent" : "direct";
  const char *precision = case_precisions[_i / 2 % 2];
  vb_scene *scene = case_held_fast_of(_i >= 4);
  backends[1] = on_host[_i / 2 % 2];
  for (int order = 0; order < CUDA_HOST_ORDERS; order++) {
    cuda_host = (cuda_host_choice){.order = order, .coop_size = 8, .limits = limits};
    handle cpu = handle_open(scene, "backend", "cpu", "dynamics", "static", "method", method,
                             "precision", precision, "iterations", "6", "substeps", "2", NULL);
    handle host = handle_open(scene, "backend", "cuda", "dynamics", "static", "method", method,
                              "precision", precision, "iterations", "6", "substeps", "2", NULL);
    for (int k = 0; k < 3; k++) {
      handle_step(&cpu, 2);
      handle_step(&host, 2);
      ck_assert(same_state(&cpu, &host, "statics"));
      case_check_work(&cpu, &host, _i / 2 % 2 ? FLT_EPSILON : DBL_EPSILON);
      void *state = handle_save(&cpu);
      ck_assert_int_eq(host.solver->restore(host.self, state, NULL), VB_OK);
      free(state);
    }
    handle_close(&host);
    handle_close(&cpu);
  }
  free(scene);
}
END_TEST

/// Phase by phase: what prediction, each phase of each iteration and velocities leave behind, over
/// two steps; the lanes in every order.
START_TEST(each_phase_is_the_cpus) {
  vb_scene *scene = cuda_cases[_i / CASE_VARIANTS].scene();
  phases_subject s = phases_open(scene, _i % CASE_VARIANTS);
  const viper_backend *host = on_host[s.of->variant.precision == VIPER_FLOAT];
  viper_state before = phases_copy_state(&s, &s.of->state);
  for (int step = 0; step < 2; step++) {
    viper_state x = phases_copy_state(&s, &before);
    phases a = phases_create(&s);
    phases_step(&phases_cpu, &s, step * s.h, &x, &a);
    for (int order = 0; order < CUDA_HOST_ORDERS; order++) {
      viper_state y = phases_copy_state(&s, &before);
      phases b = phases_create(&s);
      cuda_host = (cuda_host_choice){(cuda_host_order)order, 4 << order, limits, {0}, 0};
      phases_step(host, &s, step * s.h, &y, &b);
      phases_compare_bodies(&s, &a, &b);
      ck_assert(phases_same_state(&s, &x, &y));
      phases_destroy(&b);
      free(y.node);
    }
    phases_destroy(&a);
    free(before.node);
    before = x;
  }
  free(before.node);
  handle_close(&s.cpu);
  free(scene);
}
END_TEST

/// Iteration by iteration: the first sweep alone, two, and so on.
START_TEST(each_iteration_is_the_cpus) {
  int v = _i % CASE_VARIANTS;
  vb_scene *scene = cuda_cases[_i / CASE_VARIANTS].scene();
  handle cpu = case_open(scene, v, "cpu");
  handle host = open_on_host(scene, v, CUDA_HOST_SHUFFLED, 4);
  ck_assert(case_same_iterations(&cpu, &host, case_is_direct(v) ? 3 : 7));
  handle_close(&host);
  handle_close(&cpu);
  free(scene);
}
END_TEST

/// The greatest distance of a node of one instance from where it is in another, m.
static double apart(const handle *a, const handle *b) {
  double *x = handle_read(a, "position"), *y = handle_read(b, "position"), most = 0;
  for (size_t k = 0; k < 3 * vb_scene_count(a->scene, VB_SET_NODE); k++)
    most = fmax(most, fabs(x[k] - y[k]));
  free(x);
  free(y);
  return most;
}

/// A body that does not fit, by `direct`: the whole grid factors it in an order of its own, so its
/// rounding errors are others than the CPU's; the order of lanes changes nothing. Each iteration
/// takes back the errors of the one before, and the last moves little, so what stays are some
/// rounding errors of positions (6 m) for each substep: a hundred are allowed in all. In one
/// submatrix, and in submatrices of a few columns, of which one matrix is held.
START_TEST(large_bodies_by_direct_agree_with_the_cpus) {
  enum { SOME = 3, COLUMNS = 90 };
  int v = _i % CASE_PRECISIONS * CASE_METHODS + CASE_DIRECT;
  bool graphs = _i / CASE_PRECISIONS % 2, submatrices = _i / CASE_PRECISIONS / 2;
  vb_scene *scene = graphs ? case_graphs() : case_long();
  double epsilon = v / CASE_METHODS ? FLT_EPSILON : DBL_EPSILON;
  viper_device_limits device = tiny;
  device.columns_at_once = !submatrices ? 0 : graphs ? COLUMNS / 5 : COLUMNS;
  handle cpu = case_open(scene, v, "cpu"), host[CUDA_HOST_ORDERS];
  handle_step(&cpu, SOME);
  for (int order = 0; order < CUDA_HOST_ORDERS; order++) {
    host[order] = open_in(&device, scene, v, (cuda_host_order)order, 24);
    handle_step(&host[order], SOME);
    ck_assert(same_state(&host[0], &host[order], "a large body"));
  }
  double off = apart(&cpu, &host[0]);
  fprintf(stderr, "a body of the grid, %s, %s: %.2g m from the CPU's after %d steps\n",
          case_precisions[v / CASE_METHODS], submatrices ? "in pieces" : "whole", off, SOME);
  ck_assert_double_le(off, 100 * 6 * epsilon);
  for (int order = 0; order < CUDA_HOST_ORDERS; order++)
    handle_close(&host[order]);
  handle_close(&cpu);
  free(scene);
}
END_TEST

/// A surface on the device is that of the host, whatever the order of lanes.
START_TEST(surfaces_are_those_of_the_cpu) {
  int v = _i * CASE_METHODS; // a precision
  vb_scene *scene = case_surface();
  handle cpu = case_open(scene, v, "cpu");
  handle_step(&cpu, 7);
  for (int order = 0; order < CUDA_HOST_ORDERS; order++) {
    handle host = open_on_host(scene, v, (cuda_host_order)order, 0);
    handle_step(&host, 7);
    case_check_surface(&cpu, &host, _i ? FLT_EPSILON : DBL_EPSILON);
    handle_close(&host);
  }
  handle_close(&cpu);
  free(scene);
}
END_TEST

/// The same phase by phase.
START_TEST(each_phase_of_a_surface_is_the_cpus) {
  vb_scene *scene = case_surface();
  phases_subject s = phases_open(scene, _i * CASE_METHODS);
  const viper_backend *host = on_host[_i];
  const viper_backend_setup setup = {s.of->model, &s.settings, &s.of->variant, &s.of->skin};
  handle_step(&s.cpu, 7);
  ck_assert_int_eq(viper_fetch(s.of, NULL), VB_OK);
  for (int order = 0; order < CUDA_HOST_ORDERS; order++) {
    phases a = phases_create(&s), b = phases_create(&s);
    void *self;
    cuda_host = (cuda_host_choice){(cuda_host_order)order, 0, limits, {0}, 0};
    ck_assert_int_eq(host->create(&setup, &self, NULL), VB_OK);
    ck_assert_int_eq(host->put(self, &s.of->state, NULL), VB_OK);
    phases_now = &b;
    ck_assert_int_eq(host->skin(self, NULL, NULL, NULL), VB_OK);
    phases_now = NULL;
    phases_skin_of_cpu(&s, &s.of->state, &a);
    phases_compare_skin(&s, &a, &b);
    host->destroy(self);
    phases_destroy(&a);
    phases_destroy(&b);
  }
  handle_close(&s.cpu);
  free(scene);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("cuda phases");
  TCase *bits = tcase_create("bits");
  tcase_set_timeout(bits, 60);
  tcase_add_loop_test(bits, terms_are_the_cpus, 0, CASE_PRECISIONS);
  tcase_add_loop_test(bits, threads_in_any_order_give_the_bits_of_the_cpu, 0,
                      N_CUDA_CASES * CASE_VARIANTS);
  tcase_add_loop_test(bits, bdf2_gives_the_bits_of_the_cpu, 0, N_CUDA_CASES * CASE_VARIANTS);
  tcase_add_loop_test(bits, a_gyroscope_gives_the_bits_of_the_cpu, 0,
                      2 * N_CUDA_CASES * CASE_VARIANTS);
  tcase_add_loop_test(bits, statics_gives_the_bits_of_the_cpu, 0, 8);
  tcase_add_loop_test(bits, each_phase_is_the_cpus, 0, N_CUDA_CASES * CASE_VARIANTS);
  tcase_add_loop_test(bits, each_iteration_is_the_cpus, 0, N_CUDA_CASES * CASE_VARIANTS);
  tcase_add_loop_test(bits, large_bodies_by_direct_agree_with_the_cpus, 0, 4 * CASE_PRECISIONS);
  tcase_add_loop_test(bits, surfaces_are_those_of_the_cpu, 0, CASE_PRECISIONS);
  tcase_add_loop_test(bits, each_phase_of_a_surface_is_the_cpus, 0, CASE_PRECISIONS);
  suite_add_tcase(suite, bits);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
