// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/progress.h"

#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BAR_WIDTH 30

static const double REDRAW_S = 0.1;

void vb_progress_init(vb_progress *progress, bool wanted) {
  const char *terminal = getenv("TERM");
  bool able = isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
  *progress = (vb_progress){.shown = wanted && able};
}

void vb_progress_begin(vb_progress *progress, const char *label) {
  snprintf(progress->label, sizeof progress->label, "%s", label);
  progress->begun = vb_clock();
  progress->drawn = 0;
}

void vb_progress_update(void *context, int64_t done, int64_t total) {
  vb_progress *progress = context;
  double now = vb_clock();
  if (!progress->shown || total <= 0 || now - progress->drawn < REDRAW_S)
    return;
  progress->drawn = now;
  double fraction = (double)done / (double)total;
  char bar[BAR_WIDTH + 1] = "";
  for (int i = 0; i < BAR_WIDTH; i++)
    bar[i] = i < fraction * BAR_WIDTH ? '#' : '.';
  fprintf(stderr, "\r%-28.28s [%s] %3.0f %% %7.1f s\x1b[K", progress->label, bar, 100 * fraction,
          now - progress->begun);
  fflush(stderr);
}

void vb_progress_end(vb_progress *progress) {
  if (!progress->shown)
    return;
  fputs("\r\x1b[K", stderr);
  fflush(stderr);
}
