// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/study_figures.h"

#include "base/file_lock.h"
#include "base/process_pool.h"
#include "cli/cli.h"
#include "figure/plot.h"

#include <stdlib.h>
#include <sys/wait.h>

/// Figures that are drawn at a time, and what became of each, in memory that children share.
typedef struct drawing {
  const vb_waiting_figure *figures;
  vb_error *errors;
} drawing;

/// One process at a time draws a figure.
static void draw(void *context, size_t i) {
  const drawing *d = context;
  const vb_waiting_figure *f = &d->figures[i];
  size_t drawn = 0;
  vb_file_lock lock = {0};
  vb_error error = {0};
  vb_status status = vb_file_lock_take(f->index, true, &lock, &error);
  if (!status)
    status = vb_plot_index(f->index, f->study->folder, f->since, VB_PLOT_SVG, &drawn, &error);
  vb_file_lock_release(&lock);
  // What a figure may lack leaves its words behind, too.
  d->errors[i] = status ? error : (vb_error){0};
}

static void note_end(void *context, size_t i, int ended) {
  const drawing *d = context;
  if (!WIFEXITED(ended) || WEXITSTATUS(ended) != EXIT_SUCCESS)
    vb_error_write(&d->errors[i], VB_FAILED, "%s: the process that drew its figure crashed",
                   d->figures[i].study->name);
}

static vb_status draw_in_children(drawing *d, size_t n, int jobs, vb_error *error) {
  size_t items[VB_MOST_WAITING];
  vb_pool pool = {.jobs = jobs, .run_item = draw, .ended = note_end, .context = d};
  for (size_t i = 0; i < n; i++)
    items[i] = i;
  return vb_pool_run(&pool, items, n, error);
}

bool vb_study_figures_add(vb_study_figures *figures, const vb_study *study, const char *index,
                          double since) {
  figures->waiting[figures->n++] = (vb_waiting_figure){study, index, since};
  return figures->n == VB_MOST_WAITING;
}

/// Tells what went wrong with a figure; what that is to the caller.
static vb_status complain(vb_study_figures *figures, const vb_error *error) {
  bool no_gnuplot = error->status == VB_UNAVAILABLE;
  if (error->status && !(no_gnuplot && figures->no_gnuplot))
    vb_cli_complain(error);
  figures->no_gnuplot |= no_gnuplot;
  return no_gnuplot ? VB_OK : error->status;
}

vb_status vb_study_figures_draw(vb_study_figures *figures, int jobs) {
  size_t n = figures->n;
  figures->n = 0;
  if (n == 0 || figures->no_gnuplot)
    return VB_OK;
  vb_error error = {0};
  drawing d = {figures->waiting, vb_pool_memory(n, sizeof *d.errors)};
  if (!d.errors) {
    vb_error_memory(&error);
    vb_cli_complain(&error);
    return error.status;
  }
  for (size_t i = 0; i < n && jobs == 0; i++)
    draw(&d, i);
  if (jobs > 0)
    draw_in_children(&d, n, jobs, &error);
  vb_status worst = error.status;
  if (worst)
    vb_cli_complain(&error);
  for (size_t i = 0; i < n; i++)
    worst = vb_status_worse(worst, complain(figures, &d.errors[i]));
  vb_pool_memory_free(d.errors, n, sizeof *d.errors);
  return worst;
}
