// SPDX-License-Identifier: GPL-3.0-or-later
/// The scenes of every study of the project, for the CUDA backend in the emulator
/// (test_emulator_studies.c) and on a device (test_cuda_device_studies.c). What is cut is named and
/// counted.
#ifndef VB_TESTS_SUPPORT_CUDA_STUDIES_H
#define VB_TESTS_SUPPORT_CUDA_STUDIES_H

#include "cuda/cuda_cases.h"
#include "part.h"
#include "script/study/study_script.h"
#include "viper/model/model.h"

/// The studies at hand, in the order of their names.
static vb_study_info *studies;
static size_t n_studies;

/// Lists them: before any test, for tests are made by their number.
static inline void studies_list(void) {
  vb_error error = {0};
  if (setenv("VIPERBENCH_HOME", ".", 1) || vb_study_list(false, &studies, &n_studies, &error)) {
    fprintf(stderr, "%s\n", error.message);
    exit(EXIT_FAILURE);
  }
}

/// A study as its quick tier has it, to be destroyed.
static inline vb_study *studies_load(size_t i) {
  vb_study_request request = {.name = studies[i].path, .tier = "quick"};
  vb_error error = {0};
  vb_study *study;
  ck_assert_msg(vb_study_load(&request, &study, &error) == VB_OK, "%s", error.message);
  return study;
}

/// Whether run `k` is the first with its scene, and that is one of rods.
static inline bool studies_is_new(const vb_study *study, size_t k) {
  for (size_t i = 0; i < k; i++)
    if (study->runs[i].scene == study->runs[k].scene)
      return false;
  return strcmp(study->runs[k].solver, "viper") == 0;
}

/// The nodes of the largest body.
static inline size_t studies_largest(const vb_scene *scene) {
  viper_model *model;
  int32_t most = 0;
  ck_assert_int_eq(viper_model_create(scene, true, &model, NULL), VB_OK);
  for (size_t k = 0; k < model->n_bodies; k++)
    most = model->body[k].n_nodes > most ? model->body[k].n_nodes : most;
  viper_model_destroy(model);
  return (size_t)most;
}

/// Whether a study's bodies are not the same bit by bit by variant `v`, which is then told.
/// `direct` begins with a body shifted by the mean of its nodes' displacements. Where that vanishes
/// by symmetry what is left are the last digits of a sum, whose terms each backend adds in an order
/// of its own; in float they are seen.
static inline bool studies_vanish(const char *study, int v) {
  if (strcmp(study, "pinched") != 0 || !case_is_direct(v) || v < CASE_METHODS)
    return false;
  vb_skip("pinched, direct, float", "a mean that vanishes by symmetry is of a sum's last digits");
  return true;
}

/// Runs a test for each study, each within so many seconds, where `may`, if it is not null, says
/// so; what main returns.
static inline int studies_main(const char *name, const TTest *test, double seconds,
                               bool (*may)(TCase *)) {
  studies_list();
  Suite *suite = suite_create(name);
  TCase *t = tcase_create("bits");
  tcase_set_timeout(t, seconds);
  if (!may || may(t))
    part_add_loop_test(t, test, (int)n_studies);
  suite_add_tcase(suite, t);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  vb_study_list_destroy(studies, n_studies);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
