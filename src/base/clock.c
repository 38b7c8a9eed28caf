// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/clock.h"

#include <time.h>

double vb_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
