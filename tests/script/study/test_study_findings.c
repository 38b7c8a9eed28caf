// SPDX-License-Identifier: GPL-3.0-or-later
// Every finding of the program's own studies has a band in either tier, or says that it is timed,
// and the files of bands have no other lines: in full size with ALL=1. Covers: src/gate/band_file.*
#include "base/file.h"
#include "gate/band_file.h"
#include "script/study/study_script.h"
#include "test.h"

#include <stdlib.h>
#include <unistd.h>

/// Whether the script says the word, so that making its scenes is worth the time.
static bool has_findings(const char *path) {
  char *text = NULL;
  size_t size;
  vb_error error = {0};
  ck_assert_msg(vb_file_read(path, path, 1 << 24, &text, &size, &error) == VB_OK, "%s",
                error.message);
  bool found = strstr(text, "finding") != NULL;
  free(text);
  return found;
}

/// Names the findings without a band.
static size_t count_missing(const vb_study *study) {
  size_t n = 0;
  for (size_t i = 0; i < study->n_gates; i++) {
    const vb_gate *gate = &study->gates[i];
    if (!gate->finding || gate->timed || gate->band.kind != VB_BAND_MISSING)
      continue;
    printf("%s has no band for \"%s\" (%s); write it by: viperbench run %s --tier %s "
           "--write-bands\n",
           study->bands, gate->name, gate->runs[0], study->name, study->tier);
    n++;
  }
  return n;
}

/// Whether writing the file again, with nothing measured, would change it: lines of findings that
/// there are no more go, and others are put in order. A copy is written.
static bool would_change(const vb_study *study) {
  char command[9000], path[] = "/tmp/vb_findings_XXXXXX";
  bool changed = false;
  vb_error error = {0};
  if (access(study->bands, F_OK) != 0)
    return false;
  int file = mkstemp(path);
  ck_assert_int_ge(file, 0);
  close(file);
  snprintf(command, sizeof command, "cp '%s' '%s'", study->bands, path);
  ck_assert_int_eq(system(command), 0);
  vb_verdict *verdicts = calloc(study->n_gates + 1, sizeof *verdicts);
  bool *evaluated = calloc(study->n_gates + 1, sizeof *evaluated);
  ck_assert(verdicts && evaluated);
  const vb_band_source source = {study->tier, study->gates, verdicts, evaluated, study->n_gates};
  ck_assert_msg(vb_bands_write(path, &source, &changed, &error) == VB_OK, "%s", error.message);
  if (changed)
    printf("%s has lines of findings that are not there, or in another order; write it by: "
           "viperbench run %s --tier %s --write-bands\n",
           study->bands, study->name, study->tier);
  free(evaluated);
  free(verdicts);
  unlink(path);
  return changed;
}

START_TEST(every_finding_has_a_band) {
  static const char *const tiers[] = {"quick", "full"};
  vb_study_info *list = NULL;
  vb_error error = {0};
  size_t n = 0, bad = 0, findings = 0;
  if (_i == 1 && !getenv("ALL")) {
    vb_skip("findings in full size", "their scenes take ten seconds: ALL=1, as \"make nightly\" "
                                     "does");
    return;
  }
  ck_assert_msg(vb_study_list(false, &list, &n, &error) == VB_OK, "%s", error.message);
  for (size_t i = 0; i < n; i++) {
    vb_study *study = NULL;
    const vb_study_request request = {.name = list[i].name, .tier = tiers[_i]};
    if (!list[i].folder || strcmp(list[i].folder, "scenarios") != 0 || !has_findings(list[i].path))
      continue;
    ck_assert_msg(vb_study_load(&request, &study, &error) == VB_OK, "%s", error.message);
    for (size_t g = 0; g < study->n_gates; g++)
      findings += study->gates[g].finding;
    if (study->bands)
      bad += count_missing(study) + would_change(study);
    vb_study_destroy(study);
  }
  vb_study_list_destroy(list, n);
  ck_assert_uint_gt(findings, 0);
  ck_assert_msg(bad == 0, "%zu faults of bands, listed above", bad);
}
END_TEST

static TCase *bands(void) {
  TCase *tests = tcase_create("bands");
  tcase_set_timeout(tests, 300); // the scenes of all studies are made
  tcase_add_loop_test(tests, every_finding_has_a_band, 0, 2);
  return tests;
}

VB_TEST_MAIN("study findings", bands())
