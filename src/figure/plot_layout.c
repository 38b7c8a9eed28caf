// SPDX-License-Identifier: GPL-3.0-or-later
#include "figure/plot_layout.h"

#include "figure/plot_layout_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Pixels of a page of VB_PAGE_PIXELS, below: a line of text, a mark of a key beside its text, the
/// mean advance of a letter, room between parts.
#define LINE          15.0
#define KEY_LINE      17.0
#define KEY_MARK      54.0
#define LETTER        6.7
#define ROOM          6.0
#define LEAST_GRAPH   185.0 ///< width of a graph beside another one
#define LEAST_SHARE   62.0  ///< of a graph that shares its axis with the one on its left
#define LEAST_IMAGE   85.0  ///< of a picture, or its height where that is greater
#define LEAST_HIGH    120.0 ///< height of a graph
#define LEAST_REDUCED 72.0  ///< likewise, where the figure is higher than a page

static double larger(double a, double b) {
  return a > b ? a : b;
}

/// Whether there is nothing but a title around it.
static bool is_image(const vb_layout_panel *p) {
  return p->need.left < 1 && p->need.bottom < 1 && p->upright == 0;
}

/// Whether it has no axis of its own on the left, but the one that its neighbor has.
static bool shares_axis(const vb_layout_panel *p, const vb_layout_panel *before) {
  return !is_image(p) && p->need.left < 14 && p->upright == 0 && before && before->row == p->row;
}

/// A high picture shows as much in less width.
static double least_image(const vb_layout_panel *p) {
  double width = p->page.right - p->page.left, height = p->page.bottom - p->page.top;
  return fmin(LEAST_IMAGE * fmin(1, sqrt(width / height)), width);
}

static double least_width(const vb_layout_panel *p, bool shares) {
  double width = p->page.right - p->page.left;
  return is_image(p) ? least_image(p) : shares ? LEAST_SHARE : fmin(LEAST_GRAPH, width);
}

/// Rows of the page from the top, and in each from the left: panels that overlap by half their
/// height are in one.
static int compare_places(const void *a, const void *b) {
  const vb_layout_panel *p = *(vb_layout_panel *const *)a, *q = *(vb_layout_panel *const *)b;
  if (p->row != q->row)
    return p->row < q->row ? -1 : 1;
  double across = p->page.left - q->page.left;
  return fabs(across) > 5 ? (across < 0 ? -1 : 1) : p->page.top < q->page.top ? -1 : 1;
}

static int compare_tops(const void *a, const void *b) {
  const vb_layout_panel *p = *(vb_layout_panel *const *)a, *q = *(vb_layout_panel *const *)b;
  return p->page.top < q->page.top ? -1 : p->page.top > q->page.top;
}

static void sort_panels(vb_layout *l) {
  qsort(l->order, l->n_order, sizeof *l->order, compare_tops);
  size_t row = 0;
  double bottom = -INFINITY;
  for (size_t i = 0; i < l->n_order; i++) {
    vb_layout_panel *p = l->order[i];
    if (p->page.top + 0.4 * (p->page.bottom - p->page.top) > bottom) {
      row++;
      bottom = p->page.bottom;
    }
    p->row = row;
  }
  qsort(l->order, l->n_order, sizeof *l->order, compare_places);
}

/// What the panels i to i + n - 1 of the order need beside each other, in width without their
/// interiors, and the width of the narrowest interior over what it must have.
static double beside(const vb_layout *l, size_t i, size_t n, double *sum) {
  double around = 0, widths = 0, worst = INFINITY;
  for (size_t j = i; j < i + n; j++) {
    around += l->order[j]->need.left + l->order[j]->need.right + ROOM;
    widths += l->order[j]->page.right - l->order[j]->page.left;
  }
  for (size_t j = i; j < i + n; j++) {
    const vb_layout_panel *p = l->order[j];
    double width = (l->width - around) * (p->page.right - p->page.left) / widths;
    bool shares = shares_axis(p, j > 0 ? l->order[j - 1] : NULL) ||
                  (j + 1 < l->n_order && shares_axis(l->order[j + 1], p));
    worst = fmin(worst, width / least_width(p, shares));
  }
  *sum = around;
  return worst;
}

/// Whether panel i of the order may begin a line.
static bool may_begin(const vb_layout *l, size_t i) {
  return i == 0 || l->order[i]->row != l->order[i - 1]->row ||
         !shares_axis(l->order[i], l->order[i - 1]);
}

/// The number of panels on the line that begins with panel i: as many as have room, and about as
/// many as on the other lines of its row. 0 where what must be together has none.
static size_t panels_on_line(const vb_layout *l, size_t i) {
  size_t left = 1, fit = 0;
  double sum;
  while (i + left < l->n_order && l->order[i + left]->row == l->order[i]->row)
    left++;
  for (size_t n = 1; n <= left; n++)
    // One that stands alone has all the room there is.
    if ((n == left || may_begin(l, i + n)) && (n == 1 || beside(l, i, n, &sum) >= 1))
      fit = n;
  if (fit == 0 || fit == left)
    return fit;
  size_t lines = (left + fit - 1) / fit, even = (left + lines - 1) / lines;
  while (even < fit && !may_begin(l, i + even))
    even++;
  return even;
}

/// Letters of a title on each line, of a panel whose cell is so wide; how many lines that makes at
/// most, about: half a word of each is lost where the next word does not fit.
static size_t fold(double width, size_t letters, size_t *each) {
  size_t most = (size_t)larger(width / LETTER, 8), kept = most > 16 ? most - 4 : (3 * most + 3) / 4;
  *each = most;
  return letters > most ? (letters + kept - 1) / kept : 1;
}

/// Keys that stand above (or below) the line of panels i to i + n - 1: places them from `y` on, and
/// returns where they end.
static double put_keys(vb_layout *l, size_t i, size_t n, bool above, double y) {
  for (size_t k = 0; k < l->n_keys; k++)
    for (size_t j = i; j < i + n; j++) {
      vb_layout_key *key = &l->keys[k];
      if (!key->owner || key->owner != l->order[j] || key->above != above)
        continue;
      double column = key->widest + KEY_MARK;
      size_t columns = (size_t)larger(floor((l->width - 2 * ROOM) / column), 1);
      key->rows = (key->n + columns - 1) / columns;
      key->y = y + (above ? 2 : 4);
      y += (double)key->rows * KEY_LINE + 16;
    }
  return y;
}

/// The height of a panel's interior at its new width: a graph that becomes wider than on its page,
/// as one that stands alone does, becomes no higher. `reduced` is 1 for the least height of graphs.
static double height_of(const vb_layout_panel *p, double width, double reduced) {
  double page_width = p->page.right - p->page.left, page_height = p->page.bottom - p->page.top;
  double height = width * page_height / page_width;
  if (is_image(p))
    return height;
  height = larger(fmin(height, page_height), fmin(page_height, LEAST_HIGH));
  double key = 1.4 * KEY_LINE * (double)p->inner_key;
  height = larger(fmin(larger(height, p->upright), 1.6 * width), key > 0 ? 60 + key : 0);
  double least = fmin(height, larger(larger(LEAST_REDUCED, p->upright), key > 0 ? 30 + key : 0));
  return height - reduced * (height - least);
}

/// The scale of pictures that begin a line, of at most `room`: no larger than those on the line
/// above, if it is of the same row, since pictures beside each other are compared.
static double image_scale(const vb_layout *l, size_t i, size_t n, double room) {
  const vb_layout_panel *p = i > 0 ? l->order[i - 1] : NULL;
  bool same_row = p && p->row == l->order[i]->row && is_image(p);
  double scale = fmin(room, 1), least = 0;
  for (size_t j = i; j < i + n; j++) {
    const vb_layout_box *page = &l->order[j]->page;
    double side = larger(page->right - page->left, page->bottom - page->top);
    least = larger(least, fmin(LEAST_IMAGE / side, scale));
  }
  scale -= l->reduced * (scale - least);
  return same_row ? fmin(scale, (p->paper.right - p->paper.left) / (p->page.right - p->page.left))
                  : scale;
}

/// Places a line of panels from `y` on; returns where it ends.
static double put_line(vb_layout *l, size_t i, size_t n, double y) {
  double around, widths = 0, top = 0, bottom = 0, high = 0, x = ROOM / 2;
  beside(l, i, n, &around);
  for (size_t j = i; j < i + n; j++)
    widths += l->order[j]->page.right - l->order[j]->page.left;
  double scale = (l->width - around) / widths, cell = scale;
  if (is_image(l->order[i])) {
    scale = image_scale(l, i, n, scale);
    cell = l->reduced > 0 ? larger(fmin(cell, 1), scale) : scale; // titles keep their room
  }
  x += larger(0, (l->width - around - cell * widths) / 2);
  double room = (1 - l->reduced) * ROOM;
  y = put_keys(l, i, n, true, y);
  for (size_t j = i; j < i + n; j++) {
    vb_layout_panel *p = l->order[j];
    double width = scale * (p->page.right - p->page.left);
    double margin = 0.5 * (cell - scale) * (p->page.right - p->page.left);
    double across = width + 2 * margin + p->need.left * 0.8;
    double title = p->letters ? LINE * (double)fold(across, p->letters, &p->each) + room + ROOM : 0;
    p->paper.left = x + margin + p->need.left;
    p->paper.right = p->paper.left + width;
    x = p->paper.right + margin + p->need.right + ROOM;
    top = larger(top, larger(title, p->need.top));
    bottom = larger(bottom, p->need.bottom);
    high = larger(high, height_of(p, width, l->reduced));
  }
  y += top + ROOM;
  for (size_t j = i; j < i + n; j++) {
    l->order[j]->paper.top = y;
    l->order[j]->paper.bottom =
        y + (is_image(l->order[j])
                 ? height_of(l->order[j], l->order[j]->paper.right - l->order[j]->paper.left, 0)
                 : high);
  }
  return put_keys(l, i, n, false, y + high + bottom + room);
}

/// A panel within another keeps its place in it.
static void put_inset(vb_layout_panel *p) {
  const vb_layout_box *from = &p->parent->page, *to = &p->parent->paper;
  double across = (to->right - to->left) / (from->right - from->left);
  double down = (to->bottom - to->top) / (from->bottom - from->top);
  p->paper = (vb_layout_box){to->left + across * (p->page.left - from->left),
                             to->left + across * (p->page.right - from->left),
                             to->top + down * (p->page.top - from->top),
                             to->top + down * (p->page.bottom - from->top)};
}

/// Places all lines; false where panels that must be beside each other have no room.
static bool put_lines(vb_layout *l, double reduced) {
  double y = ROOM;
  l->reduced = reduced;
  for (size_t i = 0; i < l->n_order;) {
    size_t n = panels_on_line(l, i);
    if (n == 0)
      return false;
    y = put_line(l, i, n, y);
    i += n;
  }
  l->height = y + ROOM;
  return true;
}

/// Where it would be higher than a page, graphs become lower and pictures smaller, all by one part
/// of what they can. The height is convex in this part, so that the chord between both ends is
/// above it; but titles of smaller pictures may have more lines.
static vb_status put_all(vb_layout *l, const char *script, double mm, vb_error *error) {
  double most = l->width * VB_PAPER_HEIGHT / mm;
  sort_panels(l);
  if (!put_lines(l, 0))
    return vb_bad_input(error,
                        "%s cannot be laid out %g mm wide: panels that share an axis have no room "
                        "beside each other; use a greater --width",
                        script, mm);
  double high = l->height;
  if (high > most) {
    put_lines(l, 1);
    if (l->height < most)
      put_lines(l, (high - most) / (high - l->height));
    if (l->height > most + 1 && l->reduced < 1)
      put_lines(l, 1);
  }
  for (size_t i = 0; i < l->n_panels; i++)
    if (l->panels[i].parent)
      put_inset(&l->panels[i]);
  return VB_OK;
}

/// The distance of a point from a box, 0 inside.
static double distance(const vb_layout_box *b, double x, double y) {
  return hypot(larger(larger(b->left - x, x - b->right), 0),
               larger(larger(b->top - y, y - b->bottom), 0));
}

/// Where a point of the page goes: with the panel that it is nearest to.
static void map_point(const vb_layout *l, double *x, double *y) {
  const vb_layout_panel *nearest = &l->panels[0];
  for (size_t i = 1; i < l->n_panels; i++)
    if (distance(&l->panels[i].page, *x, *y) < distance(&nearest->page, *x, *y))
      nearest = &l->panels[i];
  const vb_layout_box *from = &nearest->page, *to = &nearest->paper;
  *x = *x < from->left ? larger(to->left + *x - from->left, 3)
       : *x > from->right
           ? to->right + *x - from->right
           : to->left + (to->right - to->left) * (*x - from->left) / (from->right - from->left);
  *y = *y < from->top ? to->top + *y - from->top
       : *y > from->bottom
           ? to->bottom + *y - from->bottom
           : to->top + (to->bottom - to->top) * (*y - from->top) / (from->bottom - from->top);
}

static void write_array(FILE *out, const char *name, size_t n, const double *values) {
  fprintf(out, "array %s[%zu] = [", name, n ? n : 1);
  for (size_t i = 0; i < n; i++)
    fprintf(out, "%s%.7g", i ? ", " : "", values[i]);
  fprintf(out, n ? "]\n" : "0]\n");
}

static vb_status write_places(const vb_layout *l, double mm, FILE *out, vb_error *error) {
  size_t most = 4 * l->n_panels + 3 * l->n_keys + 2 * l->n_places + l->n_titles + 1;
  double *values = calloc(most, sizeof *values);
  if (!values)
    return vb_error_memory(error);
  fprintf(out, "paper_mm = %.6g\npaper_w = %.6g\npaper_h = %.0f\n", mm, l->width, l->height);
  for (size_t i = 0; i < l->n_panels; i++) {
    const vb_layout_box *b = &l->panels[i].paper;
    values[4 * i] = b->left / l->width;
    values[4 * i + 1] = b->right / l->width;
    values[4 * i + 2] = 1 - b->bottom / l->height;
    values[4 * i + 3] = 1 - b->top / l->height;
  }
  write_array(out, "panel_at", 4 * l->n_panels, values);
  for (size_t i = 0; i < l->n_places; i++) {
    double x = l->places[i].x, y = l->places[i].y;
    map_point(l, &x, &y);
    values[2 * i] = x / l->width;
    values[2 * i + 1] = 1 - y / l->height;
  }
  write_array(out, "place_at", 2 * l->n_places, values);
  for (size_t i = 0; i < l->n_keys; i++) {
    values[3 * i] = 0.5;
    values[3 * i + 1] = l->keys[i].owner ? 1 - l->keys[i].y / l->height : -1;
    values[3 * i + 2] = (double)(l->keys[i].rows ? l->keys[i].rows : 1);
  }
  write_array(out, "key_place", 3 * l->n_keys, values);
  for (size_t i = 0; i < l->n_titles; i++)
    values[i] =
        l->titles[i].panel && l->titles[i].panel->each ? (double)l->titles[i].panel->each : 60;
  write_array(out, "fold_at", l->n_titles, values);
  free(values);
  return ferror(out) ? vb_error_set(error, VB_CANNOT_WRITE, "cannot write a layout") : VB_OK;
}

/// The key of call k is drawn by the first panel from then on that has a key outside of itself.
static void find_owners(vb_layout *l) {
  for (size_t k = 0; k < l->n_keys; k++) {
    vb_layout_key *key = &l->keys[k];
    size_t i = key->after > 0 ? key->after - 1 : 0;
    while (i < l->n_panels && l->panels[i].outer_key == 0)
      i++;
    if (i == l->n_panels)
      continue;
    vb_layout_panel *p = &l->panels[i];
    key->owner = p->parent ? p->parent : p;
    key->n = p->outer_key;
    key->widest = p->outer_widest;
    key->above = key->page_y < 0.5 * (p->page.top + p->page.bottom);
  }
}

/// A key above all rows goes with the first line, one below all with the last.
static void move_outer_keys(vb_layout *l) {
  double top = INFINITY, bottom = -INFINITY;
  vb_layout_panel *last = NULL, *first = NULL;
  for (size_t i = 0; i < l->n_panels; i++) {
    vb_layout_panel *p = &l->panels[i];
    if (p->parent)
      continue;
    if (p->page.top < top || (p->page.top == top && first && p->page.left < first->page.left))
      first = p;
    if (p->page.bottom > bottom ||
        (p->page.bottom == bottom && last && p->page.left > last->page.left))
      last = p;
    top = fmin(top, p->page.top);
    bottom = larger(bottom, p->page.bottom);
  }
  for (size_t k = 0; k < l->n_keys; k++)
    if (l->keys[k].owner && l->keys[k].page_y < top)
      l->keys[k].owner = first;
    else if (l->keys[k].owner && l->keys[k].page_y > bottom)
      l->keys[k].owner = last;
}

vb_status vb_plot_layout(const char *noted, const char *svg, const char *script, double mm,
                         double *high, FILE *definitions, vb_error *error) {
  vb_layout l = {.width = mm / 25.4 * 72 * VB_PAGE_PIXELS / VB_PAPER_POINTS};
  vb_status status = vb_layout_read(noted, svg, script, &l, error);
  if (!status) {
    find_owners(&l);
    move_outer_keys(&l);
    status = put_all(&l, script, mm, error);
  }
  *high = mm * l.height / l.width;
  if (!status)
    status = write_places(&l, mm, definitions, error);
  vb_layout_free(&l);
  return status;
}
