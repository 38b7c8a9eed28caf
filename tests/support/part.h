// SPDX-License-Identifier: GPL-3.0-or-later
/// A part of many tests, so that processes side by side share them.
#ifndef VB_TESTS_SUPPORT_PART_H
#define VB_TESTS_SUPPORT_PART_H

#include "test.h"

/// Adds the loop test for indices 0 to n - 1: all, or of PART=K/N in the environment every N-th
/// from K on (0 <= K < N). Another text ends the process with a sentence.
static inline void part_add_loop_test(TCase *t, const TTest *test, int n) {
  const char *text = getenv("PART");
  int part = 0, parts = 1, end = 0;
  if (text && (sscanf(text, "%d/%d%n", &part, &parts, &end) != 2 || text[end] || part < 0 ||
               part >= parts)) {
    fprintf(stderr, "PART is \"%s\"; write K/N, with K from 0 to N - 1\n", text);
    exit(EXIT_FAILURE);
  }
  for (int i = part; i < n; i += parts)
    tcase_add_loop_test(t, test, i, i + 1);
}

#endif
