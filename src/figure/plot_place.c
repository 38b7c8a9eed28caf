// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/signals.h"
#include "figure/columns.h"
#include "figure/gnuplot.h"
#include "figure/outline_frame.h"
#include "figure/plot_internal.h"
#include "results/results_locate.h"

#include "gate/surface_series.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool vb_plot_define(FILE *definitions, const char *name, const char *value) {
  char *quoted = vb_gnuplot_quote(value);
  bool good = quoted && fprintf(definitions, "%s = %s\n", name, quoted) > 0;
  free(quoted);
  return good;
}

/// Defines NAME_REQUEST_SUBJECT.
static vb_status define(const vb_plot_output *w, const vb_plot_place *p, const char *name,
                        const char *value, vb_error *error) {
  char full[80];
  snprintf(full, sizeof full, "%s_%zu_%zu", name, p->request, p->subject);
  return vb_plot_define(w->file, full, value) ? VB_OK : vb_error_memory(error);
}

static vb_status check_signal(vb_error *error) {
  return vb_signal_caught()
             ? vb_error_set(error, VB_INTERRUPTED, "interrupted before its figure was drawn")
             : VB_OK;
}

/// The file of a request and subject, and of a frame and a body where these are not negative.
static vb_status open_file(const vb_plot_output *w, const vb_plot_place *p, long frame, long body,
                           FILE **out, vb_error *error) {
  char path[1200], numbers[64] = "";
  if (body >= 0)
    snprintf(numbers, sizeof numbers, "-%ld-%ld", frame, body);
  else if (frame >= 0)
    snprintf(numbers, sizeof numbers, "-%ld", frame);
  snprintf(path, sizeof path, "%s/%zu-%zu%s", w->folder, p->request, p->subject, numbers);
  *out = fopen(path, "we");
  return *out ? VB_OK
              : vb_error_set(error, VB_CANNOT_WRITE, "cannot write %s: %s", path, strerror(errno));
}

static vb_status close_file(const vb_plot_output *w, FILE *file, vb_status status,
                            vb_error *error) {
  bool bad = ferror(file) != 0;
  if ((fclose(file) || bad) && !status)
    return vb_error_set(error, VB_CANNOT_WRITE, "cannot write below %s: %s", w->folder,
                        strerror(errno));
  return status;
}

/// Reads the arguments, which are paths, of one frame where that is not negative.
static vb_status read_columns(const vb_plot_output *w, const vb_plot_place *p, long frame,
                              vb_columns *out, vb_error *error) {
  char paths[VB_PLOT_WORDS][VB_PLOT_PATH];
  char *texts[VB_PLOT_WORDS];
  vb_status status = VB_OK;
  for (size_t i = 0; !status && i < p->n; i++) {
    char quantity[VB_PLOT_PATH];
    bool whole = frame < 0 || vb_results_is_static(p->arguments[i]);
    snprintf(quantity, sizeof quantity, whole ? "%s" : "%s[frame=%ld]", p->arguments[i], frame);
    texts[i] = paths[i];
    status = vb_plot_path(w->index, p->group, p->name, quantity, paths[i], error);
  }
  if (!status)
    status = vb_columns_refuse_shared(w->index, texts, p->n, error);
  return status ? status : vb_columns_read(w->index, texts, p->n, out, error);
}

static vb_status write_table(const vb_plot_output *w, const vb_plot_place *p, long frame,
                             vb_error *error) {
  vb_columns columns;
  FILE *file;
  vb_status status = read_columns(w, p, frame, &columns, error);
  if (status)
    return status;
  status = open_file(w, p, frame, -1, &file, error);
  if (!status) {
    vb_columns_print(file, &columns);
    status = close_file(w, file, VB_OK, error);
  }
  vb_columns_free(&columns);
  return status;
}

/// Outlines of all bodies, and of each body in a file of its own where one is to be chosen.
static vb_status write_outline(const vb_plot_output *w, const vb_plot_place *p, long frame,
                               vb_error *error) {
  int axis[2];
  vb_outline_frame shape;
  FILE *file;
  vb_status status = vb_outline_plane(p->arguments[0], axis, error);
  if (!status)
    status = vb_outline_frame_read(w->index, p->name, frame, &shape, error);
  if (status)
    return status;
  double last = -1;
  for (size_t i = 0; p->item->kind == VB_PLOT_OUTLINE_OF && i < shape.body.n; i++)
    last = fmax(last, shape.body.values[i]);
  if (last >= (double)shape.body.n)
    status = vb_bad_input(error, "%s: run \"%s\" has a body %g, but %zu nodes", w->index, p->name,
                          last, shape.body.n);
  bool whole = p->item->kind == VB_PLOT_OUTLINE;
  for (long body = whole ? -1 : 0; !status && body <= (long)last; body++) {
    status = open_file(w, p, frame, body, &file, error);
    if (status)
      break;
    vb_outline_frame_print(file, &shape, axis, whole ? VB_ALL_BODIES : body, true);
    status = close_file(w, file, VB_OK, error);
  }
  vb_outline_frame_free(&shape);
  return status;
}

static vb_status write_box(const vb_plot_output *w, const vb_plot_place *p, long frame,
                           vb_error *error) {
  FILE *file;
  vb_status status = open_file(w, p, frame, -1, &file, error);
  if (status)
    return status;
  status = vb_box_lines_print(file, w->index, p->name, frame, atof(p->arguments[0]),
                              atof(p->arguments[1]), p->item->kind == VB_PLOT_BOX_SECTIONS, error);
  return close_file(w, file, status, error);
}

static vb_status write_rendered(const vb_plot_output *w, const vb_plot_place *p, long frame,
                                vb_error *error) {
  FILE *file;
  vb_status status = open_file(w, p, frame, -1, &file, error);
  if (status)
    return status;
  status = vb_plot_render_write(w->render, p->name, (size_t)frame, file, error);
  return close_file(w, file, status, error);
}

static vb_status write_frame(const vb_plot_output *w, const vb_plot_place *p, long frame,
                             vb_error *error) {
  switch (p->item->kind) {
  case VB_PLOT_FRAME:
    return write_table(w, p, frame, error);
  case VB_PLOT_OUTLINE:
  case VB_PLOT_OUTLINE_OF:
    return write_outline(w, p, frame, error);
  case VB_PLOT_RENDER:
    return write_rendered(w, p, frame, error);
  default:
    return write_box(w, p, frame, error);
  }
}

/// All frames that the item chooses, and how many there are.
static vb_status write_frames(const vb_plot_output *w, const vb_plot_place *p, vb_error *error) {
  vb_plot_frames frames;
  char n[32];
  vb_status status = vb_plot_frames_choose(w->index, p->name, p->item->frames, &frames, error);
  if (status)
    return status;
  snprintf(n, sizeof n, "%zu", frames.n_frames);
  status = define(w, p, "frames", n, error);
  for (size_t i = 0; !status && i < frames.n; i++) {
    status = check_signal(error);
    if (!status)
      status = write_frame(w, p, (long)frames.chosen[i], error);
  }
  free(frames.chosen);
  return status;
}

/// How far the surfaces of a run are from those of the one run that the argument means.
static vb_status write_distance(const vb_plot_output *w, const vb_plot_place *p, vb_error *error) {
  vb_plot_groups other;
  vb_surface_series series;
  FILE *file;
  vb_status status = vb_plot_groups_find(w->index, p->arguments[0], &other, error);
  if (status)
    return status;
  if (other.n != 1)
    status = vb_bad_input(error, "\"%s\" must be one run, not %zu", p->arguments[0], other.n);
  if (!status)
    status = vb_surface_series_read((vb_run_location){w->index, other.names[0]},
                                    (vb_run_location){w->index, p->name}, &series, error);
  vb_plot_groups_free(&other);
  if (status)
    return status;
  status = open_file(w, p, -1, -1, &file, error);
  if (!status) {
    vb_surface_series_print(file, &series);
    status = close_file(w, file, VB_OK, error);
  }
  vb_surface_series_free(&series);
  return status;
}

/// The sum of all numbers, as a script would need a time for it that grows with their square.
static vb_status define_total(const vb_plot_output *w, const vb_plot_place *p,
                              const vb_column_block *b, vb_error *error) {
  char text[32];
  double total = 0;
  for (size_t i = 0; b->y && i < b->n * b->width; i++)
    total += b->y[i];
  snprintf(text, sizeof text, "%.17g", total);
  return b->y ? define(w, p, "total", text, error) : VB_OK;
}

/// Numbers or texts as words of a variable, row by row; their x as those of another.
static vb_status define_block(const vb_plot_output *w, const vb_plot_place *p,
                              const vb_column_block *b, vb_error *error) {
  char *words = NULL, *x = NULL, n[32], width[32];
  size_t words_size = 0, x_size = 0;
  FILE *out = open_memstream(&words, &words_size), *x_out = open_memstream(&x, &x_size);
  bool good = out && x_out;
  for (size_t i = 0; good && i < b->n; i++) {
    vb_columns_print_row(out, b, i);
    fprintf(x_out, " %.17g", b->x[i]);
  }
  good = (!out || fclose(out) == 0) && good;
  good = (!x_out || fclose(x_out) == 0) && good;
  snprintf(n, sizeof n, "%zu", b->n);
  snprintf(width, sizeof width, "%zu", b->width);
  vb_status status = good ? define(w, p, "values", words, error) : vb_error_memory(error);
  status = status ? status : define(w, p, "x", x, error);
  status = status ? status : define(w, p, "rows", n, error);
  status = status ? status : define(w, p, "width", width, error);
  status = status ? status : define_total(w, p, b, error);
  free(words);
  free(x);
  return status;
}

static vb_status write_values(const vb_plot_output *w, const vb_plot_place *p, vb_error *error) {
  vb_columns columns;
  vb_status status = read_columns(w, p, -1, &columns, error);
  if (status)
    return status;
  status = define_block(w, p, &columns.blocks[0], error);
  vb_columns_free(&columns);
  return status;
}

vb_status vb_plot_place_write(const vb_plot_output *w, const vb_plot_place *p, vb_error *error) {
  vb_status status = check_signal(error);
  if (status)
    return status;
  switch (p->item->kind) {
  case VB_PLOT_SERIES:
    return write_table(w, p, -1, error);
  case VB_PLOT_DISTANCE:
    return write_distance(w, p, error);
  case VB_PLOT_VALUES:
    return write_values(w, p, error);
  default:
    return write_frames(w, p, error);
  }
}
