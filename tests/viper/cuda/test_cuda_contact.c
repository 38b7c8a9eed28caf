// SPDX-License-Identifier: GPL-3.0-or-later
/// Contact on the CUDA backend without a device: the kernels' code on the host, lane by lane
/// (cuda_host.h), gives the CPU's strict bits, whatever the order of lanes, and where there was no
/// room for what was found.
/// Covers: src/viper/cuda/contact/*.h src/viper/cuda/contact/*_real.*
#include "cuda/cuda_contact_cases.h"
#include "cuda/cuda_host.h"
#include "cuda/phases_cases.h"

/// The backend that "cuda" names here.
static const viper_backend *on_host[2] = {&cuda_host_f64, &cuda_host_f32};
static const viper_backend *backends[3] = {&viper_backend_cpu};

const viper_backend *const *viper_backends(void) {
  return backends;
}

static const viper_device_limits limits = {2, 48 * 1024, 64 * 1024, 1024, 512, 0};

static handle open_on_host(const vb_scene *scene, int v, cuda_host_order order,
                           viper_contact_rooms rooms) {
  cuda_host =
      (cuda_host_choice){.order = order, .coop_size = 4 << order, .limits = limits, .rooms = rooms};
  backends[1] = on_host[v / CASE_METHODS];
  return case_open(scene, v, "cuda");
}

enum { STEPS = 12, LOOKS = 3 };

/// Every case by each method and precision, the lanes forward and in one of the other orders.
START_TEST(contacts_are_those_of_the_cpu) {
  const cuda_case *c = &contact_cases[_i / CASE_VARIANTS];
  int v = _i % CASE_VARIANTS;
  const cuda_host_order orders[2] = {CUDA_HOST_FORWARD,
                                     v % 2 ? CUDA_HOST_SHUFFLED : CUDA_HOST_BACKWARD};
  vb_scene *scene = c->scene();
  handle cpu = case_open(scene, v, "cpu"), host[2];
  double contacts = 0;
  for (int k = 0; k < 2; k++)
    host[k] = open_on_host(scene, v, orders[k], (viper_contact_rooms){0});
  for (int look = 0; look < LOOKS; look++) {
    handle_step(&cpu, STEPS / LOOKS);
    contacts += handle_value(&cpu, "contacts", 0);
    for (int k = 0; k < 2; k++) {
      handle_step(&host[k], STEPS / LOOKS);
      ck_assert_msg(case_same_state(&cpu, &host[k]), "%s: step %d, order %d", c->name,
                    (look + 1) * STEPS / LOOKS, orders[k]);
      ck_assert_msg(contact_same_report(&cpu, &host[k]), "%s: order %d", c->name, orders[k]);
      if (vb_scene_count(scene, VB_SET_PLANE_DRIVER) > 0)
        case_check_work(&cpu, &host[k], v / CASE_METHODS ? FLT_EPSILON : DBL_EPSILON);
    }
  }
  ck_assert_double_gt(contacts, 10);
  const char *warning = cpu.solver->warning(cpu.self);
  ck_assert(c->scene != contact_throw || warning);
  for (int k = 0; k < 2 && warning; k++)
    ck_assert_str_eq(host[k].solver->warning(host[k].self), warning);
  for (int k = 0; k < 2; k++)
    handle_close(&host[k]);
  handle_close(&cpu);
  free(scene);
}
END_TEST

/// Likewise with the normals of smooth rods, of which at least one turns.
START_TEST(smooth_contacts_are_those_of_the_cpu) {
  vb_scene *scene = contact_heap();
  cuda_host = (cuda_host_choice){.order = CUDA_HOST_SHUFFLED, .coop_size = 8, .limits = limits};
  backends[1] = on_host[_i];
  handle s[3];
  for (int k = 0; k < 3; k++) {
    s[k] = handle_open(scene, "backend", k == 1 ? "cuda" : "cpu", "precision", case_precisions[_i],
                       "contact_normal", k == 2 ? "segment" : "smooth", "method", "xpbd",
                       "iterations", "3", NULL);
    handle_step(&s[k], STEPS);
  }
  ck_assert(case_same_state(&s[0], &s[1]));
  ck_assert(contact_same_report(&s[0], &s[1]));
  ck_assert(!case_same_state(&s[0], &s[2]));
  for (int k = 0; k < 3; k++)
    handle_close(&s[k]);
  free(scene);
}
END_TEST

/// Phase by phase: what finding contacts, bodies and each pass leave behind, at two places of a
/// fall.
START_TEST(each_phase_is_the_cpus) {
  int v = _i % CASE_VARIANTS, contacts = 0;
  vb_scene *scene = contact_cases[_i / CASE_VARIANTS].scene();
  phases_subject s = phases_open(scene, v);
  for (int look = 0; look < 2; look++) {
    handle_step(&s.cpu, 4);
    ck_assert_int_eq(viper_fetch(s.of, NULL), VB_OK);
    viper_state x = phases_copy_state(&s, &s.of->state), y = phases_copy_state(&s, &x);
    phases a = phases_create(&s), b = phases_create(&s);
    double time = (double)s.of->n_steps * s.h;
    cuda_host =
        (cuda_host_choice){v % 2 ? CUDA_HOST_SHUFFLED : CUDA_HOST_BACKWARD, 8, limits, {0}, 0};
    phases_step(&phases_cpu, &s, time, &x, &a);
    phases_step(on_host[v / CASE_METHODS], &s, time, &y, &b);
    ck_assert_int_eq(cuda_host.times_grown, 0);
    contacts += phases_compare_contact(&s, &a, &b);
    phases_compare_bodies(&s, &a, &b);
    ck_assert(phases_same_state(&s, &x, &y));
    phases_destroy(&a);
    phases_destroy(&b);
    free(x.node);
    free(y.node);
  }
  ck_assert_int_gt(contacts, 10);
  handle_close(&s.cpu);
  free(scene);
}
END_TEST

/// With too little room a substep is done again with more, as often as it takes: nothing is lost.
/// Also after a state was put, and by several substeps in a step.
START_TEST(no_contact_is_lost_for_want_of_room) {
  vb_scene *scene = contact_heap();
  handle cpu = case_open(scene, _i, "cpu");
  handle host = open_on_host(scene, _i, CUDA_HOST_SHUFFLED, (viper_contact_rooms){3, 2});
  handle_step(&cpu, 6);
  handle_step(&host, 6);
  ck_assert(case_same_state(&cpu, &host));
  ck_assert_int_gt(cuda_host.times_grown, 2);
  void *state = handle_save(&cpu);
  double contacts = handle_value(&cpu, "contacts", 0);
  handle_step(&cpu, 6);
  handle_step(&host, 2);
  ck_assert_int_eq(host.solver->restore(host.self, state, NULL), VB_OK);
  ck_assert_double_eq(handle_value(&host, "contacts", 0), contacts);
  handle_step(&host, 6);
  ck_assert(case_same_state(&cpu, &host));
  free(state);
  handle_close(&host);
  handle_close(&cpu);
  free(scene);
}
END_TEST

/// Capsules that fly at each other from all sides, far enough in a step for most to be truncated.
static vb_scene *implosion(void) {
  vb_builder *b = scenes_begin(1.0 / 60, 0);
  uint64_t seed = 3;
  for (int k = 0; k < 120; k++) {
    double x[3], size = 0;
    for (int c = 0; c < 3; c++) {
      x[c] = 2 * scenes_random(&seed) - 1;
      size += x[c] * x[c];
    }
    size = sqrt(size);
    int32_t first = fixture_node(b, x[0] / size, x[1] / size, x[2] / size, 0.02);
    int32_t last = fixture_node(b, x[0] / size + 0.1, x[1] / size - 0.1 * x[2], x[2] / size, 0.02);
    scenes_segment(b, first, last, &scenes_rubber);
    contact_move(b, first, (double[]){0, 0, 0},
                 (double[]){-25 * x[0] / size, -25 * x[1] / size, -25 * x[2] / size});
  }
  contact_add(b, 0.3, false);
  return fixture_freeze(b);
}

/// Where most motions are truncated the CPU looks for pairs with a grid, the device without.
START_TEST(many_truncated_motions_are_the_cpus) {
  vb_scene *scene = implosion();
  handle cpu = case_open(scene, _i, "cpu");
  handle host = open_on_host(scene, _i, CUDA_HOST_SHUFFLED, (viper_contact_rooms){0});
  double truncated = 0, contacts = 0;
  for (int step = 0; step < 5; step++) {
    ck_assert_int_eq(handle_try(&cpu, 1), handle_try(&host, 1));
    ck_assert(case_same_state(&cpu, &host));
    contacts = fmax(contacts, handle_value(&cpu, "contacts", 0));
    truncated = fmax(truncated, handle_value(&cpu, "contact_truncated", 0));
    ck_assert_double_eq(handle_value(&host, "contact_truncated", 0),
                        handle_value(&cpu, "contact_truncated", 0));
  }
  // By block-descent, whose bodies are put back to their momentum, none is.
  ck_assert_double_gt(contacts, 10);
  vb_convergence found[2];
  ck_assert(!cpu.solver->convergence(cpu.self, &found[0], NULL));
  ck_assert(!host.solver->convergence(host.self, &found[1], NULL));
  ck_assert_int_eq(found[0].missed, found[1].missed);
  ck_assert((found[0].missed > 0) == (truncated > 0));
  ck_assert(!strcmp(case_methods[_i % CASE_METHODS], "block-descent") || truncated > 64);
  handle_close(&cpu);
  handle_close(&host);
  free(scene);
}
END_TEST

static TCase *contacts(void) {
  TCase *t = tcase_create("contacts");
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, contacts_are_those_of_the_cpu, 0, N_CONTACT_CASES * CASE_VARIANTS);
  tcase_add_loop_test(t, smooth_contacts_are_those_of_the_cpu, 0, CASE_PRECISIONS);
  tcase_add_loop_test(t, each_phase_is_the_cpus, 0, N_CONTACT_CASES * CASE_VARIANTS);
  tcase_add_loop_test(t, no_contact_is_lost_for_want_of_room, 0, CASE_VARIANTS);
  tcase_add_loop_test(t, many_truncated_motions_are_the_cpus, 0, CASE_VARIANTS);
  return t;
}

VB_TEST_MAIN("cuda contact", contacts())
