// SPDX-License-Identifier: GPL-3.0-or-later
/// What every test program shares: its main, and honest skips.
#ifndef VB_TESTS_SUPPORT_TEST_H
#define VB_TESTS_SUPPORT_TEST_H

#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Says that this test does not run here, and why; `what` is the thing that is missing
/// ("paraview"). Check knows no skip, so the line is counted by the test runner. Where the
/// environment variable REQUIRE names `what`, a skip is a failure. Use as: if (!there) {
/// vb_skip("h5py", "..."); return; }
static inline void vb_skip(const char *what, const char *reason) {
  const char *required = getenv("REQUIRE");
  if (required && strstr(required, what))
    ck_abort_msg("%s is required: %s", what, reason);
  fprintf(stderr, "SKIPPED (%s): %s\n", what, reason);
}

/// Whether sanitizers watch this program.
#ifdef __SANITIZE_ADDRESS__
enum { VB_WATCHED = 1 };
#else
enum { VB_WATCHED = 0 };
#endif

/// Whether ParaView can look at files here, or else a skip. It takes seconds, and what it sees of
/// the files of a watched program is what it sees of any.
static inline bool vb_has_paraview(void) {
  if (!VB_WATCHED && system("command -v pvpython >/dev/null") == 0)
    return true;
  vb_skip("paraview", VB_WATCHED ? "files are the same without sanitizers" : "no pvpython");
  return false;
}

/// Defines main for one suite of test cases, each an argument `TCase *`.
#define VB_TEST_MAIN(name, ...)                                                                    \
  int main(void) {                                                                                 \
    Suite *suite = suite_create(name);                                                             \
    TCase *cases[] = {__VA_ARGS__};                                                                \
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)                                      \
      suite_add_tcase(suite, cases[i]);                                                            \
    SRunner *runner = srunner_create(suite);                                                       \
    srunner_run_all(runner, CK_ENV);                                                               \
    int failed = srunner_ntests_failed(runner);                                                    \
    srunner_free(runner);                                                                          \
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;                                                   \
  }

#endif
