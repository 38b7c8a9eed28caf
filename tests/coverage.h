// SPDX-License-Identifier: GPL-3.0-or-later
/// Included before every source by `make coverage`, and by nothing else: processes that end by
/// `_exit`, as forks of the program do, write what they counted first.
#ifndef VB_TESTS_COVERAGE_H
#define VB_TESTS_COVERAGE_H

void __gcov_dump(void);
void _Exit(int code) __attribute__((noreturn));

__attribute__((noreturn, unused)) static void vb_coverage_exit(int code) {
  __gcov_dump();
  _Exit(code);
}

#define _exit vb_coverage_exit

#endif
