// SPDX-License-Identifier: GPL-3.0-or-later
/// The scenes of every study on a device: over 100 steps the CPU's bits, by every method, in both
/// precisions by turns. test_emulator_studies.c does what can be done of it without a device.
/// Covers: src/viper/cuda/*.[ch] src/viper/cuda/*/*
#include "cuda/cuda_at_hand.h"
#include "cuda/cuda_studies.h"

#include <float.h>

/// Nodes of a body that finds room on every multiprocessor there is (64 KiB), in double, too. By
/// `direct` larger ones may be factored in another order than the CPU's.
enum { SMALL_BODY = 36 };

/// The greatest distance of a node of one instance from where it is in another, m.
static double apart(const handle *a, const handle *b) {
  double *x = handle_read(a, "position"), *y = handle_read(b, "position"), most = 0;
  for (size_t k = 0; k < 3 * vb_scene_count(a->scene, VB_SET_NODE); k++)
    most = fmax(most, fabs(x[k] - y[k]));
  free(x);
  free(y);
  return most;
}

/// After 1, 2 and 100 steps. Bodies that are factored in another order are off by rounding errors
/// of one solve after the first step (1e6 is what stiffness is above inertia; sizes are of meters);
/// later steps may amplify that, and are compared bit by bit only.
static void compare(const vb_scene *scene, const char *name, int v) {
  static const int steps[] = {1, 1, 98};
  bool exact = !case_is_direct(v) || studies_largest(scene) <= SMALL_BODY, well = true;
  double epsilon = v / CASE_METHODS ? FLT_EPSILON : DBL_EPSILON;
  handle cpu = case_open(scene, v, "cpu"), cuda = case_open(scene, v, "cuda");
  for (int k = 0; well && k < (exact ? 3 : 1); k++) {
    well = handle_try(&cpu, steps[k]);
    ck_assert(handle_try(&cuda, steps[k]) == well);
    if (!well) // there may be NaNs, whose signs are the compiler's choice
      break;
    if (exact)
      ck_assert_msg(case_same_state(&cpu, &cuda), "%s, %s, %s: differs", name,
                    case_methods[v % CASE_METHODS], case_precisions[v / CASE_METHODS]);
    else
      ck_assert_double_le(apart(&cpu, &cuda), 1e6 * epsilon);
  }
  handle_close(&cpu);
  handle_close(&cuda);
}

START_TEST(studies_are_the_cpus_over_100_steps) {
  vb_study *study = studies_load((size_t)_i);
  size_t n_scenes = 0;
  for (size_t k = 0; k < study->n_runs; k++) {
    const vb_scene *scene = study->runs[k].scene;
    char name[256];
    snprintf(name, sizeof name, "%s of %s", study->runs[k].name, studies[_i].name);
    if (!studies_is_new(study, k))
      continue;
    for (int m = 0; m < CASE_METHODS; m++) {
      int v = m + CASE_METHODS * (int)((n_scenes + (size_t)m) % 2);
      if (!studies_vanish(studies[_i].name, v))
        compare(scene, name, v);
    }
    n_scenes++;
  }
  vb_study_destroy(study);
}
END_TEST

int main(void) {
  return studies_main("cuda device studies", studies_are_the_cpus_over_100_steps, 600,
                      case_add_where_device);
}
