// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/progress.h"

#include "base/clock.h"
#include "base/terminal.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BAR_WIDTH = 30, LABEL_WIDTH = 28 };

static const double REDRAW_S = 0.1;

/// Part of the whole cost below which the time that is left cannot be told.
static const double LEAST_PART = 0.01;

void vb_progress_init(vb_progress *progress, bool wanted) {
  *progress = (vb_progress){.shown = wanted && vb_terminal_redraws(STDERR_FILENO)};
}

void vb_progress_plan(vb_progress *progress, size_t total, double cost, bool lines) {
  progress->total = total;
  progress->cost = cost;
  progress->lines = lines && !progress->shown;
  progress->since = vb_clock();
}

void vb_progress_begin(vb_progress *progress, const char *label, double cost) {
  snprintf(progress->label, sizeof progress->label, "%s", label);
  progress->begun = vb_clock();
  progress->drawn = 0;
  progress->current = cost;
}

double vb_progress_left(const vb_progress *progress, double fraction, double now) {
  double executed = progress->executed + fraction * progress->current;
  double left = progress->cost - progress->kept - executed;
  if (progress->total == 0 || executed < LEAST_PART * progress->cost || left < 0)
    return -1;
  return (now - progress->since) * left / executed;
}

/// What stands behind the bar: its part, its time, and the time that is left for all items.
static void describe(const vb_progress *progress, double fraction, double now, char *out,
                     size_t size) {
  double left = vb_progress_left(progress, fraction, now);
  if (left >= 0)
    snprintf(out, size, " %3.0f %%, %.0f s left", 100 * fraction, left);
  else
    snprintf(out, size, " %3.0f %% %7.1f s", 100 * fraction, now - progress->begun);
}

void vb_progress_update(void *context, int64_t done, int64_t total) {
  vb_progress *progress = context;
  double now = vb_clock();
  if (!progress->shown || total <= 0 || now - progress->drawn < REDRAW_S)
    return;
  progress->drawn = now;
  double fraction = (double)done / (double)total;
  char bar[BAR_WIDTH + 4] = "", count[48] = "", end[64];
  describe(progress, fraction, now, end, sizeof end);
  if (progress->total)
    snprintf(count, sizeof count, "%zu/%zu ", progress->done, progress->total);
  int columns = vb_terminal_columns(STDERR_FILENO);
  int room = columns - 1 - LABEL_WIDTH - 3 - (int)strlen(count) - (int)strlen(end);
  int width = room < BAR_WIDTH ? room : BAR_WIDTH;
  if (width > 4) {
    bar[0] = '[';
    for (int i = 0; i < width; i++)
      bar[1 + i] = i < fraction * width ? '#' : '.';
    bar[1 + width] = ']';
  }
  fprintf(stderr, "\r%s%-*.*s %s%s\x1b[K", count, LABEL_WIDTH, LABEL_WIDTH, progress->label, bar,
          end);
  fflush(stderr);
}

void vb_progress_end(vb_progress *progress) {
  progress->current = 0;
  if (!progress->shown)
    return;
  fputs("\r\x1b[K", stderr);
  fflush(stderr);
}

void vb_progress_count(vb_progress *progress, const char *label, double cost, bool kept,
                       const char *how) {
  progress->done++;
  *(kept ? &progress->kept : &progress->executed) += cost;
  if (!progress->lines)
    return;
  if (progress->total)
    printf("%zu/%zu ", progress->done, progress->total);
  printf("%s: %s\n", label, how);
  fflush(stdout);
}
