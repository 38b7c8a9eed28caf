// SPDX-License-Identifier: GPL-3.0-or-later
/// Bundles on the CUDA backend without a device: the kernels' code on the host, lane by lane
/// (cuda_host.h), gives the CPU's strict bits, whatever the order of lanes.
/// Covers: src/viper/cuda/bundle/*.h src/viper/cuda/bundle/*_real.*
/// Covers: src/viper/cpu/evaluate/bundle_residual_real.c
#include "cuda/cuda_bundle_cases.h"
#include "cuda/cuda_host.h"

/// The backend that "cuda" names here.
static const viper_backend *on_host[2] = {&cuda_host_f64, &cuda_host_f32};
static const viper_backend *backends[3] = {&viper_backend_cpu};

const viper_backend *const *viper_backends(void) {
  return backends;
}

static const viper_device_limits limits = {2, 48 * 1024, 64 * 1024, 1024, 512, 0};

static handle open_on_host(const vb_scene *scene, int v, cuda_host_order order) {
  cuda_host = (cuda_host_choice){.order = order, .coop_size = 4 << order, .limits = limits};
  backends[1] = on_host[v / CASE_METHODS];
  return case_open(scene, v, "cuda");
}

/// Every case by each method and precision, in every order of lanes, in looks of so many steps: the
/// state and the residual.
START_TEST(bundles_are_those_of_the_cpu) {
  enum { LOOKS = 3, STEPS = 4 };
  const cuda_case *c = &bundle_cases[_i / CASE_VARIANTS];
  int v = _i % CASE_VARIANTS;
  vb_scene *scene = c->scene();
  handle cpu = case_open(scene, v, "cpu"), host[CUDA_HOST_ORDERS];
  for (int k = 0; k < CUDA_HOST_ORDERS; k++)
    host[k] = open_on_host(scene, v, (cuda_host_order)k);
  for (int look = 0; look < LOOKS; look++) {
    handle_step(&cpu, STEPS);
    for (int k = 0; k < CUDA_HOST_ORDERS; k++) {
      handle_step(&host[k], STEPS);
      ck_assert(bundle_same(&cpu, &host[k], v, c->name));
    }
  }
  for (int k = 0; k < CUDA_HOST_ORDERS; k++)
    handle_close(&host[k]);
  handle_close(&cpu);
  free(scene);
}
END_TEST

/// Iteration by iteration: the first alone, two, and so on.
START_TEST(each_iteration_is_the_cpus) {
  int v = _i % CASE_VARIANTS;
  vb_scene *scene = bundle_cases[_i / CASE_VARIANTS].scene();
  handle cpu = case_open(scene, v, "cpu");
  handle host = open_on_host(scene, v, CUDA_HOST_SHUFFLED);
  ck_assert(case_same_iterations(&cpu, &host, 4));
  handle_close(&host);
  handle_close(&cpu);
  free(scene);
}
END_TEST

/// Likewise without scale, in double precision; the band moves otherwise than with it.
START_TEST(rigid_bundles_are_those_of_the_cpu) {
  vb_scene *scene = bundle_driven();
  cuda_host = (cuda_host_choice){.order = CUDA_HOST_SHUFFLED, .coop_size = 8, .limits = limits};
  backends[1] = on_host[0];
  handle s[3];
  for (int k = 0; k < 3; k++) {
    s[k] = handle_open(scene, "backend", k == 1 ? "cuda" : "cpu", "bundle_scale",
                       k == 2 ? "yes" : "no", "method", "xpbd", NULL);
    handle_step(&s[k], 8);
  }
  ck_assert(bundle_same(&s[0], &s[1], 0, "rigid bundles"));
  ck_assert(!case_same_state(&s[0], &s[2]));
  for (int k = 0; k < 3; k++)
    handle_close(&s[k]);
  free(scene);
}
END_TEST

/// A surface that bundles carry is the CPU's, and another than that which segments carry.
START_TEST(surfaces_that_bundles_carry_are_those_of_the_cpu) {
  vb_scene *scene = bundle_surface();
  size_t bytes = 3 * vb_scene_count(scene, VB_SET_SURFACE_VERTEX) * sizeof(double);
  for (int order = 0; order < CUDA_HOST_ORDERS; order++) {
    cuda_host =
        (cuda_host_choice){.order = (cuda_host_order)order, .coop_size = 8, .limits = limits};
    backends[1] = on_host[_i];
    handle s[3];
    for (int k = 0; k < 3; k++) {
      s[k] = handle_open(scene, "backend", k == 1 ? "cuda" : "cpu", "precision",
                         case_precisions[_i], "skin_frames", k == 2 ? "segment" : "bundle",
                         "method", "xpbd", "iterations", "3", NULL);
      handle_step(&s[k], 7);
    }
    case_check_surface(&s[0], &s[1], _i ? FLT_EPSILON : DBL_EPSILON);
    double *x = handle_read(&s[0], "vertices"), *y = handle_read(&s[2], "vertices");
    ck_assert_mem_ne(x, y, bytes);
    free(x);
    free(y);
    for (int k = 0; k < 3; k++)
      handle_close(&s[k]);
  }
  free(scene);
}
END_TEST

/// From a state that was put: what bundles moved before is forgotten on both sides.
START_TEST(a_state_goes_from_one_to_the_other) {
  vb_scene *scene = bundle_driven();
  handle cpu = case_open(scene, _i, "cpu"), host = open_on_host(scene, _i, CUDA_HOST_BACKWARD);
  handle_step(&host, 3);
  void *state = handle_save(&host);
  ck_assert_int_eq(cpu.solver->restore(cpu.self, state, NULL), VB_OK);
  ck_assert_int_eq(host.solver->restore(host.self, state, NULL), VB_OK);
  ck_assert(bundle_same(&cpu, &host, _i, "put"));
  ck_assert_double_gt(handle_residual(&cpu), 0);
  handle_step(&cpu, 2);
  handle_step(&host, 2);
  ck_assert(bundle_same(&cpu, &host, _i, "put, and stepped"));
  free(state);
  handle_close(&host);
  handle_close(&cpu);
  free(scene);
}
END_TEST

/// Beside a band, a rod without stiffness whose scales fall fast: both end in the same substep, and
/// what follows it changes nothing.
START_TEST(trouble_ends_both_equally) {
  static const scenes_material none = {1000, {1e-20, 1e-20, 1e-20, 0, 0, 1e-20}};
  vb_builder *b = scenes_begin(0.01, 0);
  bundle_band(b, 3, 4, 0, &scenes_rubber);
  scenes_disturb(b, 0.01, 0.2, 5);
  int32_t first = scenes_bar(b, 2, 0.2, 0.05, &none);
  size_t n;
  vb_node *node = vb_builder_elements(b, VB_SET_NODE, &n);
  for (size_t i = (size_t)first; i < n; i++)
    node[i].scale_rate = -80; // to the bound of 0.05 in the third of four substeps
  vb_scene *scene = fixture_freeze(b);
  handle cpu = case_open(scene, _i, "cpu"), host = open_on_host(scene, _i, CUDA_HOST_FORWARD);
  ck_assert(handle_try(&cpu, 1) && handle_try(&host, 1));
  ck_assert(!handle_try(&cpu, 1));
  ck_assert(!handle_try(&host, 1));
  ck_assert(bundle_same(&cpu, &host, _i, "in trouble"));
  handle_close(&host);
  handle_close(&cpu);
  free(scene);
}
END_TEST

static TCase *bundles(void) {
  TCase *t = tcase_create("bundles");
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, bundles_are_those_of_the_cpu, 0, N_BUNDLE_CASES * CASE_VARIANTS);
  tcase_add_test(t, rigid_bundles_are_those_of_the_cpu);
  tcase_add_loop_test(t, surfaces_that_bundles_carry_are_those_of_the_cpu, 0, CASE_PRECISIONS);
  tcase_add_loop_test(t, each_iteration_is_the_cpus, 0, N_BUNDLE_CASES * CASE_VARIANTS);
  tcase_add_loop_test(t, a_state_goes_from_one_to_the_other, 0, CASE_VARIANTS);
  tcase_add_loop_test(t, trouble_ends_both_equally, 0, CASE_VARIANTS);
  return t;
}

VB_TEST_MAIN("cuda bundle", bundles())
