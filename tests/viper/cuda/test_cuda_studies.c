// SPDX-License-Identifier: GPL-3.0-or-later
/// The scenes of every study by the kernels of the CUDA backend, run on the host (cuda_host.h):
/// step by step the CPU's bits, by every method, in both precisions by turns. As many steps as a
/// third of a second or so allows, or a second (ALL); what has more nodes is cut.
/// Covers: src/viper/cuda/core/*
#include "cuda/cuda_host.h"
#include "cuda/cuda_studies.h"

static const viper_backend *on_host[2] = {&cuda_host_f64, &cuda_host_f32};
static const viper_backend *backends[3] = {&viper_backend_cpu};

const viper_backend *const *viper_backends(void) {
  return backends;
}

/// One on which every body fits: the bits are the CPU's.
static const viper_device_limits limits = {
    .n_multiprocessors = 4,
    .shared_of_block = 64 * 1024 * 1024,
    .shared_of_multiprocessor = 64 * 1024 * 1024,
    .threads_of_multiprocessor = 512,
};

/// FEW_NODE_STEPS unless ALL is set ("make nightly").
enum { MOST_NODES = 1500, NODE_STEPS = 1200, FEW_NODE_STEPS = 400, MOST_STEPS = 20, COOP_SIZE = 4 };

/// Steps both on, comparing each.
static void compare_steps(const vb_scene *scene, const char *name, int v, int steps) {
  cuda_host =
      (cuda_host_choice){.order = CUDA_HOST_SHUFFLED, .coop_size = COOP_SIZE, .limits = limits};
  backends[1] = on_host[v / CASE_METHODS];
  handle cpu = case_open(scene, v, "cpu"), host = case_open(scene, v, "cuda");
  bool well = true;
  for (int k = 0; well && k < steps; k++) {
    well = handle_try(&cpu, 1);
    ck_assert(handle_try(&host, 1) == well);
    ck_assert_msg(case_same_state(&cpu, &host), "%s, %s, %s: step %d differs", name,
                  case_methods[v % CASE_METHODS], case_precisions[v / CASE_METHODS], k + 1);
  }
  handle_close(&cpu);
  handle_close(&host);
}

START_TEST(studies_are_the_cpus_step_by_step) {
  vb_study *study = studies_load((size_t)_i);
  size_t n_scenes = 0;
  int budget = getenv("ALL") ? NODE_STEPS : FEW_NODE_STEPS;
  for (size_t k = 0; k < study->n_runs; k++) {
    const vb_scene *scene = study->runs[k].scene;
    if (!studies_is_new(study, k))
      continue;
    char name[256];
    snprintf(name, sizeof name, "%s of %s", study->runs[k].name, studies[_i].name);
    if (vb_scene_count(scene, VB_SET_NODE) > MOST_NODES) {
      vb_skip(name, "more nodes than are tried on the host");
      continue;
    }
    int n = (int)vb_scene_count(scene, VB_SET_NODE), steps = budget / n;
    steps = steps < 1 ? 1 : steps > MOST_STEPS ? MOST_STEPS : steps;
    for (int m = 0; m < CASE_METHODS; m++) {
      int v = m + CASE_METHODS * (int)((n_scenes + (size_t)m) % 2);
      if (!studies_vanish(studies[_i].name, v))
        compare_steps(scene, name, v, steps);
    }
    fprintf(stderr, "%s: %d nodes, %d steps by each method\n", name, n, steps);
    n_scenes++;
  }
  vb_study_destroy(study);
}
END_TEST

int main(void) {
  return studies_main("cuda studies", studies_are_the_cpus_step_by_step, 120, NULL);
}
