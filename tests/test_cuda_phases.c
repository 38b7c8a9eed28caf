// SPDX-License-Identifier: GPL-3.0-or-later
/// The kernels of the CUDA backend without a device: their code, run on the host lane by lane
/// (cuda_host.h). Their phases must be free of races (the order of lanes leaves the bits alone),
/// and strict results must be the CPU's, bit by bit.
#include "cuda_cases.h"
#include "cuda_host.h"

#include <float.h>

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
    .lanes_of_multiprocessor = 512,
};

static handle open_on_host(const vb_scene *scene, int v, cuda_host_order order, int lanes) {
  cuda_host = (cuda_host_choice){order, lanes, limits};
  backends[1] = on_host[v / CASE_METHODS];
  return case_open(scene, v, "cuda");
}

/// Whether two instances are in the same state, bit by bit but for the work that drivers and loads
/// did: the CPU sums its terms in another order, in double. Says where they are not.
static bool same_state(const handle *a, const handle *b, const char *what) {
  size_t n = a->solver->state_size(a->self);
  char *x = malloc(n), *y = malloc(n);
  ck_assert_int_eq(a->solver->save(a->self, x, NULL), VB_OK);
  ck_assert_int_eq(b->solver->save(b->self, y, NULL), VB_OK);
  size_t n_work = vb_scene_count(a->scene, VB_SET_DRIVER) + vb_scene_count(a->scene, VB_SET_LOAD);
  bool same = !memcmp(x, y, n - n_work * sizeof(double));
  if (!same) {
    const double *p = handle_read(a, "position"), *q = handle_read(b, "position");
    fprintf(stderr, "%s: differs; first position %.17g and %.17g\n", what, p[0], q[0]);
    free((void *)p);
    free((void *)q);
  }
  free(x);
  free(y);
  return same;
}

/// The work of two instances: equal but for the rounding errors of forces, which are made of terms
/// some thousand times larger, over 100 steps of two substeps.
static void check_work(const handle *a, const handle *b, double epsilon) {
  double x[8] = {0}, y[8] = {0};
  ck_assert_int_eq(a->solver->work(a->self, x, NULL), VB_OK);
  ck_assert_int_eq(b->solver->work(b->self, y, NULL), VB_OK);
  for (int k = 0; k < 8; k++) {
    ck_assert_double_le(fabs(x[k] - y[k]), 1e4 * epsilon * (fabs(x[k]) + 1e-3));
  }
}

enum { STEPS = 100 };

/// 100 steps of each case by each method and precision: the CPU's bits, whatever the order of
/// lanes.
START_TEST(lanes_in_any_order_give_the_bits_of_the_cpu) {
  int c = _i / CASE_VARIANTS, v = _i % CASE_VARIANTS;
  vb_scene *scene = cuda_cases[c].scene();
  handle cpu = case_open(scene, v, "cpu");
  handle host[CUDA_HOST_ORDERS];
  for (int order = 0; order < CUDA_HOST_ORDERS; order++)
    host[order] = open_on_host(scene, v, (cuda_host_order)order, order == 0 ? 0 : 8 * order);
  handle_step(&cpu, 20);
  for (int order = 0; order < CUDA_HOST_ORDERS; order++) {
    handle_step(&host[order], 20);
    ck_assert(same_state(&cpu, &host[order], cuda_cases[c].name));
    check_work(&cpu, &host[order], v / CASE_METHODS ? FLT_EPSILON : DBL_EPSILON);
  }
  handle_step(&cpu, STEPS - 20);
  handle_step(&host[0], STEPS - 20);
  ck_assert(same_state(&cpu, &host[0], cuda_cases[c].name));
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

int main(void) {
  Suite *suite = suite_create("cuda phases");
  TCase *bits = tcase_create("bits");
  tcase_set_timeout(bits, 60);
  tcase_add_loop_test(bits, lanes_in_any_order_give_the_bits_of_the_cpu, 0,
                      N_CUDA_CASES * CASE_VARIANTS);
  tcase_add_loop_test(bits, surfaces_are_those_of_the_cpu, 0, CASE_PRECISIONS);
  suite_add_tcase(suite, bits);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
