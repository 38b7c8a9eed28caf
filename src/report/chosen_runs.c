// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/chosen_runs.h"

#include <math.h>
#include <stdlib.h>

/// Least, greatest and mean coordinates of one frame.
enum { N_BOX = 9 };

/// Of the middle frame and of the last.
enum { N_MARKS = 2 * N_BOX };

/// What is compared of a run.
typedef struct marks {
  double at[N_MARKS];
  bool shown; ///< whether it has frames
} marks;

static bool measure_frame(vb_run_location place, int64_t frame, double *box) {
  vb_array a;
  if (vb_run_array(place, "run/frames/position", frame, &a, NULL))
    return false;
  bool good = a.width == 3 && a.n > 0;
  for (size_t c = 0; good && c < 3; c++) {
    double least = INFINITY, most = -INFINITY, sum = 0;
    for (size_t i = 0; i < a.n; i++) {
      double x = a.values[3 * i + c];
      least = fmin(least, x);
      most = fmax(most, x);
      sum += x;
    }
    box[c] = least;
    box[3 + c] = most;
    box[6 + c] = sum / (double)a.n;
    good = isfinite(least) && isfinite(most) && isfinite(sum);
  }
  vb_array_free(&a);
  return good;
}

static marks measure(vb_run_location place) {
  marks m = {0};
  vb_array time;
  bool there = false;
  if (vb_run_has(place, "run/frames/position", &there, NULL) || !there ||
      vb_run_array(place, "run/frames/time", VB_NO_FRAME, &time, NULL))
    return m;
  int64_t n = (int64_t)time.n;
  vb_array_free(&time);
  m.shown = n > 0 && measure_frame(place, n / 2, m.at) && measure_frame(place, n - 1, m.at + N_BOX);
  return m;
}

static double distance(const marks *a, const marks *b) {
  double sum = 0;
  for (size_t k = 0; k < N_MARKS; k++)
    sum += (a->at[k] - b->at[k]) * (a->at[k] - b->at[k]);
  return sqrt(sum);
}

/// The run with frames that is farthest from those chosen; of equal ones the first.
static size_t farthest(const marks *m, size_t n, const bool *chosen) {
  size_t best = n;
  double most = -1;
  for (size_t i = 0; i < n; i++) {
    if (!m[i].shown || chosen[i])
      continue;
    double nearest = INFINITY;
    for (size_t k = 0; k < n; k++)
      if (m[k].shown && chosen[k])
        nearest = fmin(nearest, distance(&m[i], &m[k]));
    if (nearest > most) {
      most = nearest;
      best = i;
    }
  }
  return best;
}

/// Chooses runs without frames and those that the study names for show; how many these are.
static size_t choose_named(const vb_report_study *study, const marks *m, bool *chosen) {
  size_t n = 0;
  for (size_t i = 0; i < study->n_runs; i++) {
    bool named = m[i].shown && study->runs[i].shown;
    chosen[i] = !m[i].shown || named;
    n += named;
  }
  return n;
}

size_t vb_report_choose_runs(const vb_report_study *study, size_t most, bool *chosen) {
  size_t n = study->n_runs, shown = 0;
  marks *m = calloc(n + 1, sizeof *m);
  for (size_t i = 0; i < n; i++) {
    chosen[i] = true;
    if (m && n > most)
      m[i] = measure(study->runs[i].place);
    shown += m && m[i].shown;
  }
  size_t left = 0;
  if (shown > most) {
    size_t n_named = choose_named(study, m, chosen);
    for (size_t k = 0; k < most && n_named == 0; k++)
      chosen[farthest(m, n, chosen)] = true;
    left = shown - (n_named ? n_named : most);
  }
  free(m);
  return left;
}
