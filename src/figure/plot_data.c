// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/arena.h"
#include "base/names.h"
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
#include <unistd.h>

/// One thing that a script can name, and whose data were written.
typedef struct request {
  char *key; ///< the helper and its arguments: "series energy/stretch energy/bend"
  char **subjects;
  size_t n;
} request;

typedef struct writer {
  const char *folder;
  const char *index;
  FILE *definitions;
  request *requests; ///< (n)
  size_t n;
  char pictures[2000];       ///< those that are there, as words
  vb_plot_render *rendering; ///< of the line that is being written, or null
} writer;

/// What is being written. Its files and variables are called by the numbers of request and subject.
typedef struct place {
  const vb_plot_item *item;
  char **arguments; ///< (n) those of the item that this request is about
  size_t n;
  const char *group; ///< of the subject, see vb_plot_groups
  const char *name;
  size_t request, subject; ///< from 1
} place;

bool vb_plot_define(FILE *definitions, const char *name, const char *value) {
  char *quoted = vb_gnuplot_quote(value);
  bool good = quoted && fprintf(definitions, "%s = %s\n", name, quoted) > 0;
  free(quoted);
  return good;
}

/// Defines NAME_REQUEST_SUBJECT.
static vb_status define(const writer *w, const place *p, const char *name, const char *value,
                        vb_error *error) {
  char full[80];
  snprintf(full, sizeof full, "%s_%zu_%zu", name, p->request, p->subject);
  return vb_plot_define(w->definitions, full, value) ? VB_OK : vb_error_memory(error);
}

static vb_status check_signal(vb_error *error) {
  return vb_signal_caught()
             ? vb_error_set(error, VB_INTERRUPTED, "interrupted before its figure was drawn")
             : VB_OK;
}

/// The file of a request and subject, and of a frame and a body where these are not negative.
static vb_status open_file(const writer *w, const place *p, long frame, long body, FILE **out,
                           vb_error *error) {
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

static vb_status close_file(const writer *w, FILE *file, vb_status status, vb_error *error) {
  bool bad = ferror(file) != 0;
  if ((fclose(file) || bad) && !status)
    return vb_error_set(error, VB_CANNOT_WRITE, "cannot write below %s: %s", w->folder,
                        strerror(errno));
  return status;
}

/// Reads the arguments, which are paths, of one frame where that is not negative.
static vb_status read_columns(const writer *w, const place *p, long frame, vb_columns *out,
                              vb_error *error) {
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
  return status ? status : vb_columns_read(w->index, texts, p->n, out, error);
}

static vb_status write_table(const writer *w, const place *p, long frame, vb_error *error) {
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
static vb_status write_outline(const writer *w, const place *p, long frame, vb_error *error) {
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

static vb_status write_box(const writer *w, const place *p, long frame, vb_error *error) {
  FILE *file;
  vb_status status = open_file(w, p, frame, -1, &file, error);
  if (status)
    return status;
  status = vb_box_lines_print(file, w->index, p->name, frame, atof(p->arguments[0]),
                              atof(p->arguments[1]), p->item->kind == VB_PLOT_BOX_SECTIONS, error);
  return close_file(w, file, status, error);
}

static vb_status write_rendered(const writer *w, const place *p, long frame, vb_error *error) {
  FILE *file;
  vb_status status = open_file(w, p, frame, -1, &file, error);
  if (status)
    return status;
  status = vb_plot_render_write(w->rendering, p->name, (size_t)frame, file, error);
  return close_file(w, file, status, error);
}

static vb_status write_frame(const writer *w, const place *p, long frame, vb_error *error) {
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
static vb_status write_frames(const writer *w, const place *p, vb_error *error) {
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
static vb_status write_distance(const writer *w, const place *p, vb_error *error) {
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

/// Numbers or texts as words of a variable, row by row; their x as those of another.
static vb_status define_block(const writer *w, const place *p, const vb_column_block *b,
                              vb_error *error) {
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
  free(words);
  free(x);
  return status;
}

static vb_status write_values(const writer *w, const place *p, vb_error *error) {
  vb_columns columns;
  vb_status status = read_columns(w, p, -1, &columns, error);
  if (status)
    return status;
  status = define_block(w, p, &columns.blocks[0], error);
  vb_columns_free(&columns);
  return status;
}

static vb_status write_place(const writer *w, const place *p, vb_error *error) {
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

/// The helper and the arguments that a script gives it; the caller frees; null for want of memory.
static char *key_of(const place *p) {
  char *key = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&key, &size);
  if (!out)
    return NULL;
  fputs(p->item->helper, out);
  for (size_t i = 0; p->item->kind != VB_PLOT_DISTANCE && i < p->n; i++)
    fprintf(out, " %s", p->arguments[i]);
  if (fclose(out)) {
    free(key);
    return NULL;
  }
  return key;
}

/// The number of the request of that key, which it takes, from 1; 0 for want of memory.
static size_t find_request(writer *w, char *key) {
  for (size_t i = 0; key && i < w->n; i++)
    if (strcmp(w->requests[i].key, key) == 0) {
      free(key);
      return i + 1;
    }
  request *added = key ? VB_APPEND(w->requests, w->n) : NULL;
  if (!added) {
    free(key);
    return 0;
  }
  added->key = key;
  return w->n;
}

/// The number of the subject in the request, from 1, 0 for want of memory; `*fresh` tells whether
/// it is new there.
static size_t find_subject(request *r, const char *name, bool *fresh) {
  *fresh = false;
  for (size_t i = 0; i < r->n; i++)
    if (strcmp(r->subjects[i], name) == 0)
      return i + 1;
  char **added = VB_APPEND(r->subjects, r->n);
  if (!added || !(*added = strdup(name)))
    return 0;
  *fresh = true;
  return r->n;
}

/// Writes a request's data of all subjects that do not have them yet.
static vb_status write_request(writer *w, const vb_plot_item *item, const vb_plot_groups *of,
                               char **arguments, size_t n, vb_error *error) {
  place p = {.item = item, .arguments = arguments, .n = n, .group = of->group};
  p.request = find_request(w, key_of(&p));
  if (p.request == 0)
    return vb_error_memory(error);
  vb_status status = VB_OK;
  for (size_t i = 0; !status && i < of->n; i++) {
    bool fresh;
    p.name = of->names[i];
    p.subject = find_subject(&w->requests[p.request - 1], p.name, &fresh);
    status = p.subject == 0 ? vb_error_memory(error) : check_signal(error);
    if (!status && fresh)
      status = write_place(w, &p, error);
    if (item->missing && status == VB_BAD_INPUT) {
      request *r = &w->requests[p.request - 1];
      free(r->subjects[--r->n]);
      status = VB_OK;
    }
  }
  return status;
}

/// Whether the picture NAME.svg is beside the index.
static void look_for_picture(writer *w, const char *name) {
  char path[4096];
  const char *slash = strrchr(w->index, '/');
  size_t used = strlen(w->pictures);
  int n = snprintf(path, sizeof path, "%.*s%s.svg", slash ? (int)(slash + 1 - w->index) : 0,
                   w->index, name);
  bool there = n > 0 && (size_t)n < sizeof path && access(path, R_OK) == 0;
  if (there && used + strlen(name) + 2 < sizeof w->pictures)
    snprintf(w->pictures + used, sizeof w->pictures - used, " %s", name);
}

static vb_status write_item(writer *w, const vb_plot_item *item, vb_error *error) {
  vb_plot_groups of;
  if (item->kind == VB_PLOT_PICTURE) {
    for (size_t i = 0; i < item->n_arguments; i++)
      if (vb_name_is_valid(item->arguments[i]))
        look_for_picture(w, item->arguments[i]);
    return VB_OK;
  }
  vb_status status = vb_plot_groups_find(w->index, item->of, &of, error);
  if (status)
    return status;
  if (item->frames && of.n > 0 && (!of.group || strcmp(of.group, "runs") != 0))
    status = vb_bad_input(error, "only runs have frames");
  if (!status && item->kind == VB_PLOT_RENDER)
    status = vb_plot_render_begin(w->index, item, &of, &w->rendering, error);
  bool nothing = item->missing && status == VB_BAD_INPUT;
  // Each of several values is asked for by its own name.
  size_t n = item->kind == VB_PLOT_VALUES ? 1 : item->n_arguments;
  for (size_t i = 0; !status && i < item->n_arguments; i += n)
    status = write_request(w, item, &of, item->arguments + i, n, error);
  if (nothing)
    status = VB_OK;
  vb_plot_render_end(w->rendering);
  w->rendering = NULL;
  vb_plot_groups_free(&of);
  return status;
}

/// Tells what there is to be asked for.
static vb_status define_requests(const writer *w, vb_error *error) {
  char *keys = NULL, name[40];
  size_t size = 0;
  FILE *out = open_memstream(&keys, &size);
  for (size_t i = 0; out && i < w->n; i++)
    fprintf(out, " \"%s\"", w->requests[i].key);
  bool good = out && fclose(out) == 0 && vb_plot_define(w->definitions, "requests", keys) &&
              vb_plot_define(w->definitions, "pictures", w->pictures) &&
              vb_plot_define(w->definitions, "folder", w->folder);
  free(keys);
  for (size_t i = 0; good && i < w->n; i++) {
    char *subjects = NULL;
    out = open_memstream(&subjects, &size);
    for (size_t k = 0; out && k < w->requests[i].n; k++)
      fprintf(out, " %s", w->requests[i].subjects[k]);
    snprintf(name, sizeof name, "subjects_%zu", i + 1);
    good = out && fclose(out) == 0 && vb_plot_define(w->definitions, name, subjects);
    free(subjects);
  }
  return good ? VB_OK : vb_error_memory(error);
}

static void free_requests(writer *w) {
  for (size_t i = 0; i < w->n; i++) {
    for (size_t k = 0; k < w->requests[i].n; k++)
      free(w->requests[i].subjects[k]);
    free(w->requests[i].subjects);
    free(w->requests[i].key);
  }
  free(w->requests);
}

vb_status vb_plot_data_write(const char *folder, const char *index, const char *script,
                             const vb_plot_list *list, FILE *definitions, vb_error *error) {
  writer w = {.folder = folder, .index = index, .definitions = definitions};
  vb_status status = VB_OK;
  for (size_t i = 0; !status && i < list->n; i++) {
    status = write_item(&w, &list->items[i], error);
    if (status)
      vb_error_prefix(error, "%s:%zu", script, list->items[i].line);
  }
  if (!status)
    status = define_requests(&w, error);
  free_requests(&w);
  return status;
}
