// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/compare_report.h"

#include "compare/record.h"
#include "figure/plot.h"
#include "results/provenance.h"
#include "results/results_locate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// A quantity to be shown.
typedef struct panel {
  const vb_run_comparison *run;
  const vb_quantity_result *quantity;
  double excess; ///< greatest difference over what is allowed
} panel;

/// What makes a scene comes after all that became of it.
static double excess_of(const vb_quantity_result *q) {
  const vb_difference *d = &q->difference;
  double excess = d->allowed > 0 ? d->greatest / d->allowed : INFINITY;
  return q->outcome != VB_DIFFERS ? 0 : vb_results_is_static(q->name) ? 1e-30 * excess : excess;
}

/// Whether a panel shows that kind already: one energy tells what all tell.
static bool is_shown(const panel *panels, size_t n, const panel *other) {
  char kind[96], shown[96];
  vb_quantity_kind(other->quantity->name, kind, sizeof kind);
  for (size_t i = 0; i < n; i++) {
    vb_quantity_kind(panels[i].quantity->name, shown, sizeof shown);
    if (strcmp(kind, shown) == 0)
      return true;
  }
  return false;
}

/// The most telling quantity that no panel shows yet; `quantity` is null where there is none.
static panel next_panel(const vb_compare_result *result, const panel *panels, size_t n) {
  panel best = {0};
  for (size_t r = 0; r < result->n_runs; r++)
    for (size_t i = 0; i < result->runs[r].n_quantities; i++) {
      panel p = {&result->runs[r], &result->runs[r].quantities[i], 0};
      p.excess = excess_of(p.quantity);
      if (p.excess > best.excess && !is_shown(panels, n, &p))
        best = p;
    }
  return best;
}

/// What one curve is made of.
typedef struct curve {
  vb_record record;
  vb_record_shape shape;
  double *row; ///< (width)
} curve;

static vb_status open_curve(const panel *p, int side, curve *out, vb_error *error) {
  const char *name = side ? p->run->other : p->run->run;
  vb_status status =
      vb_record_open(p->run->path[side], p->run->inside[side] ? name : NULL, &out->record, error);
  if (status)
    return status;
  if (!vb_record_find(&out->record, p->quantity->name, &out->shape))
    return vb_bad_input(error, "%s: \"%s\" cannot be read", p->run->path[side], p->quantity->name);
  out->row = calloc(out->shape.width + 1, sizeof *out->row);
  return out->row ? VB_OK : vb_error_memory(error);
}

static void close_curve(curve *c) {
  free(c->row);
  vb_record_close(&c->record);
}

/// The x of a row: time, iteration, or its number.
static double x_of(const vb_record *record, const char *quantity, size_t row) {
  char path[300];
  vb_record_shape shape;
  double x = (double)row;
  bool convergence = strncmp(quantity, "convergence/", strlen("convergence/")) == 0;
  if (vb_results_is_static(quantity) || !vb_results_locate_x(quantity, path, sizeof path))
    return x;
  const char *name = convergence ? "convergence/iteration" : path + strlen("/run/");
  if (vb_record_find(record, name, &shape) && row < shape.rows && shape.width == 1)
    (void)vb_record_read(record, name, row, 1, &x, NULL);
  return x;
}

/// Writes a block of x, A, B and what is allowed, at the element of the greatest difference.
static vb_status write_panel(FILE *out, const panel *p, vb_error *error) {
  curve c[2] = {{.record = {.file = -1, .root = -1}}, {.record = {.file = -1, .root = -1}}};
  const vb_quantity_result *q = p->quantity;
  const size_t *at = q->worst_place;
  vb_status status = open_curve(p, 0, &c[0], error);
  if (!status)
    status = open_curve(p, 1, &c[1], error);
  size_t column = at[1] * c[0].shape.extent[2] + at[2];
  for (size_t row = 0; !status && row < c[0].shape.rows; row++) {
    for (int k = 0; !status && k < 2; k++)
      status = vb_record_read(&c[k].record, q->name, row, 1, c[k].row, error);
    if (!status)
      fprintf(out, "%.17g %.17g %.17g %.17g\n", x_of(&c[0].record, q->name, row), c[0].row[column],
              c[1].row[column], q->difference.allowed);
  }
  fputs("\n\n", out);
  close_curve(&c[0]);
  close_curve(&c[1]);
  return status;
}

/// "study run: frames/position, node 3, y [m]|time [s]".
static vb_status write_label(FILE *out, const panel *p, vb_error *error) {
  vb_record record;
  vb_record_shape shape;
  char place[128] = "";
  const char *name = p->quantity->name;
  vb_status status =
      vb_record_open(p->run->path[0], p->run->inside[0] ? p->run->run : NULL, &record, error);
  if (status)
    return status;
  if (vb_record_find(&record, name, &shape))
    vb_location_name(&record, name, &shape, p->quantity->worst_place, place, sizeof place);
  vb_record_close(&record);
  bool is_static = vb_results_is_static(name);
  const char *x = is_static                           ? "element"
                  : strncmp(name, "convergence/", 12) ? "time [s]"
                                                      : "iteration";
  const char *element = is_static ? NULL : strstr(place, ", "); // behind the step
  fprintf(out, "%s %s: %s%s [%s]|%s|", p->run->study, p->run->run, name, element ? element : "",
          p->quantity->unit, x);
  return VB_OK;
}

/// Data and labels of all panels.
static vb_status write_all(const vb_compare_result *result, FILE *data, FILE *labels, size_t *n,
                           vb_error *error) {
  panel panels[VB_FIGURE_PANELS];
  vb_status status = VB_OK;
  for (*n = 0; !status && *n < VB_FIGURE_PANELS; ++*n) {
    panels[*n] = next_panel(result, panels, *n);
    if (!panels[*n].quantity)
      break;
    status = write_panel(data, &panels[*n], error);
    if (!status)
      status = write_label(labels, &panels[*n], error);
  }
  return status;
}

static vb_status draw(const vb_compared *c, const char *data, const char *labels, size_t n,
                      const char *stem, vb_error *error) {
  static const char NAMES[] = "1 2 3 4 5"; // of the panels
  char names[sizeof NAMES], footer[400];
  vb_provenance origin;
  vb_provenance_collect(&origin);
  _Static_assert(sizeof NAMES == 2 * VB_FIGURE_PANELS, "a name and a blank for each panel");
  snprintf(names, sizeof names, "%.*s", (int)(2 * n - 1), NAMES);
  snprintf(footer, sizeof footer, "A = %.120s, B = %.120s, %s", c->a, c->b, origin.date);
  return vb_plot_text("compare", data, names, labels, "What differs most between A and B", footer,
                      stem, error);
}

vb_status vb_compare_figure(const vb_compared *compared, const char *stem, vb_error *error) {
  char *data = NULL, *labels = NULL;
  size_t data_size = 0, labels_size = 0, n = 0;
  FILE *out = open_memstream(&data, &data_size), *text = open_memstream(&labels, &labels_size);
  vb_status status = out && text ? VB_OK : vb_error_memory(error);
  if (!status)
    status = write_all(compared->result, out, text, &n, error);
  if (out && fclose(out) && !status)
    status = vb_error_memory(error);
  if (text && fclose(text) && !status)
    status = vb_error_memory(error);
  if (!status && n > 0)
    status = draw(compared, data, labels, n, stem, error);
  free(data);
  free(labels);
  return status;
}
