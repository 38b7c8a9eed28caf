// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/machine.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

/// How long the processors are watched, s.
static const double WATCHED_S = 0.2;

/// Ticks of all processors since the system began: all, and those spent at work.
static void read_ticks(double *all, double *busy) {
  unsigned long long t[8] = {0};
  FILE *file = fopen("/proc/stat", "r");
  *all = *busy = 0;
  if (!file)
    return;
  if (fscanf(file, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &t[0], &t[1], &t[2], &t[3], &t[4],
             &t[5], &t[6], &t[7]) == 8)
    for (int i = 0; i < 8; i++) {
      *all += (double)t[i];
      *busy += i == 3 || i == 4 ? 0 : (double)t[i]; // idle, and waiting for disks
    }
  fclose(file);
}

void vb_machine_look(vb_machine *out) {
  double all[2], busy[2];
  struct timespec pause = {.tv_nsec = (long)(1e9 * WATCHED_S)};
  *out = (vb_machine){0};
  vb_provenance_collect(&out->origin);
  long cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
  if (cache <= 0)
    cache = sysconf(_SC_LEVEL2_CACHE_SIZE);
  out->last_cache = cache > 0 ? (double)cache : 0;
  read_ticks(&all[0], &busy[0]);
  nanosleep(&pause, NULL);
  read_ticks(&all[1], &busy[1]);
  if (all[1] > all[0])
    out->busy = (busy[1] - busy[0]) / (all[1] - all[0]);
}
