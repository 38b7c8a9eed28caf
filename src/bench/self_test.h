// SPDX-License-Identifier: GPL-3.0-or-later
/// Tests whether a comparison detects a slowdown of 3 % on this machine.
#ifndef VB_BENCH_SELF_TEST_H
#define VB_BENCH_SELF_TEST_H

#include "study/study.h"

/// One launch of a comparison (`bench --launch CASE STUDY`): measures the case of that name alone,
/// for about half a second, `slow` times its step's time longer, and prints the median time [s] of
/// a step and nothing else; a warning where others keep the machine busy goes to the standard
/// error, unless quiet.
vb_status vb_bench_launch(const vb_study *study, const char *name, double slow, bool quiet,
                          vb_error *error);

/// `bench --self-test`: measures this machine's margin, then finds out whether a slowdown of 3 % is
/// found and whether none is found between the program and itself. VB_INCONCLUSIVE where the margin
/// is above 2 %, VB_FAILED where a verdict is wrong.
vb_status vb_bench_self_test(bool quiet, vb_error *error);

#endif
