// SPDX-License-Identifier: GPL-3.0-or-later
/// What a figure has on its page: the places that its script asked for, and the texts of its SVG.
#include "figure/plot_layout.h"
#include "figure/plot_layout_internal.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Mean advance of a letter over the size of its font, of DejaVu Sans.
#define ADVANCE 0.6
/// Room at most that texts take around a panel [pixel]: what is farther belongs to the page.
#define FARTHEST 90.0

/// A text of the picture.
typedef struct text {
  vb_layout_box box;
  double length; ///< of the text [pixel]
  bool upright;
} text;

/// While a picture is read. gnuplot names the elements of its k-th plot with the k-th letter.
typedef struct reading {
  vb_layout *l;
  text *waiting; ///< texts since the last element of a plot: of that plot, or of the next
  size_t n_waiting;
  char letter;
  size_t plot; ///< from 1
  int depth;   ///< of groups
  int in_plot; ///< depth of the plot's element that is open, or 0
  double x, y, size;
  bool upright;
  char anchor; ///< s, m or e
} reading;

/// A place at the end of a list that grows; null for want of memory.
static void *grow(void **list, size_t *n, size_t size) {
  void *longer = reallocarray(*list, *n + 1, size);
  if (!longer)
    return NULL;
  *list = longer;
  void *last = (char *)longer + *n * size;
  memset(last, 0, size);
  ++*n;
  return last;
}

#define GROW(list, n) grow((void **)&(list), &(n), sizeof *(list))

static bool note_line(vb_layout *l, const char *line) {
  double v[4];
  size_t letters;
  if (sscanf(line, "canvas %lf %lf", &v[0], &v[1]) == 2) {
    l->page_width = v[0];
    l->page_height = v[1];
  } else if (sscanf(line, "panel %lf %lf %lf %lf", &v[0], &v[1], &v[2], &v[3]) == 4) {
    vb_layout_panel *p = GROW(l->panels, l->n_panels);
    if (!p)
      return false;
    p->page = (vb_layout_box){v[0] * l->page_width, v[1] * l->page_width,
                              (1 - v[3]) * l->page_height, (1 - v[2]) * l->page_height};
  } else if (sscanf(line, "place %lf %lf", &v[0], &v[1]) == 2) {
    vb_layout_place *p = GROW(l->places, l->n_places);
    if (!p)
      return false;
    *p = (vb_layout_place){v[0] * l->page_width, (1 - v[1]) * l->page_height};
  } else if (sscanf(line, "key %lf %lf", &v[0], &v[1]) == 2) {
    vb_layout_key *k = GROW(l->keys, l->n_keys);
    if (!k)
      return false;
    k->after = l->n_panels;
    k->page_y = (1 - v[1]) * l->page_height;
  } else if (sscanf(line, "title %zu", &letters) == 1) {
    vb_layout_title *t = GROW(l->titles, l->n_titles);
    if (!t)
      return false;
    *t = (vb_layout_title){l->n_panels, letters, NULL};
  }
  return true;
}

static bool lies_in(const vb_layout_box *a, const vb_layout_box *b) {
  return a->left >= b->left && a->right <= b->right && a->top >= b->top && a->bottom <= b->bottom;
}

/// Finds insets, and the panels of titles: scripts set all their titles before their panels, or all
/// after.
static vb_status relate(vb_layout *l, vb_error *error) {
  l->order = calloc(l->n_panels + 1, sizeof(vb_layout_panel *));
  if (!l->order)
    return vb_error_memory(error);
  for (size_t i = 0; i < l->n_panels; i++) {
    vb_layout_panel *p = &l->panels[i];
    for (size_t j = 0; j < l->n_panels && !p->parent; j++)
      if (j != i && !l->panels[j].parent && lies_in(&p->page, &l->panels[j].page))
        p->parent = &l->panels[j];
    if (!p->parent)
      l->order[l->n_order++] = p;
  }
  bool before = l->n_titles > 0 && l->titles[0].after == 0;
  for (size_t i = 0; i < l->n_titles; i++) {
    vb_layout_title *t = &l->titles[i];
    size_t at = t->after + before;
    t->panel = at >= 1 && at <= l->n_panels ? &l->panels[at - 1] : NULL;
    if (t->panel && t->letters > t->panel->letters)
      t->panel->letters = t->letters;
  }
  return VB_OK;
}

/// Adds to the room around a panel what a text takes there.
static void add_need(vb_layout_panel *p, const text *t) {
  const vb_layout_box *b = &t->box, *page = &p->page;
  double x = 0.5 * (b->left + b->right), y = 0.5 * (b->top + b->bottom);
  bool inside = x > page->left && x < page->right && y > page->top && y < page->bottom;
  bool beside = y > page->top - 8 && y < page->bottom + 8;
  if (inside)
    return;
  if (t->upright && t->length > p->upright && beside)
    p->upright = t->length;
  if (beside && x < page->left)
    p->need.left = fmin(fmax(p->need.left, page->left - b->left), FARTHEST);
  if (beside && x > page->right)
    p->need.right = fmin(fmax(p->need.right, b->right - page->right), FARTHEST);
  if (y > page->bottom)
    p->need.bottom = fmin(fmax(p->need.bottom, b->bottom - page->bottom), FARTHEST);
  if (y < page->top)
    p->need.top = fmin(fmax(p->need.top, page->top - b->top), FARTHEST);
  // Numbers at the ends of a horizontal axis stand over it by half.
  if (!beside && t->length < 60 && y > page->bottom && b->right > page->right)
    p->need.right = fmax(p->need.right, fmin(b->right - page->right, 30));
}

static double distance(const vb_layout_box *b, const vb_layout_box *to) {
  double x = fmax(fmax(to->left - b->right, b->left - to->right), 0);
  double y = fmax(fmax(to->top - b->bottom, b->top - to->bottom), 0);
  return hypot(x, y);
}

/// Gives the texts since the last plot to it, or to the next one, which begins.
static void settle(reading *r) {
  vb_layout_panel *last =
      r->plot >= 1 && r->plot <= r->l->n_panels ? &r->l->panels[r->plot - 1] : NULL;
  vb_layout_panel *next = r->plot < r->l->n_panels ? &r->l->panels[r->plot] : NULL;
  for (size_t i = 0; i < r->n_waiting; i++) {
    const text *t = &r->waiting[i];
    bool to_next = next && (!last || t->upright ||
                            distance(&t->box, &next->page) < distance(&t->box, &last->page));
    if (to_next || last)
      add_need(to_next ? next : last, t);
  }
  r->n_waiting = 0;
}

/// An entry of a key.
static void note_key(reading *r, const text *t) {
  if (r->plot < 1 || r->plot > r->l->n_panels)
    return;
  vb_layout_panel *p = &r->l->panels[r->plot - 1];
  double x = 0.5 * (t->box.left + t->box.right), y = 0.5 * (t->box.top + t->box.bottom);
  if (x > p->page.left && x < p->page.right && y > p->page.top && y < p->page.bottom) {
    p->inner_key++;
  } else {
    p->outer_key++;
    p->outer_widest = fmax(p->outer_widest, t->length);
  }
}

/// Letters of a line of SVG that are shown: without tags, an entity or a sequence of UTF-8 being
/// one.
static size_t letters_of(const char *line) {
  size_t n = 0;
  for (const char *c = line; *c && *c != '\n'; c++) {
    if (*c == '<') {
      while (c[1] && *c != '>')
        c++;
    } else if (*c == '&') {
      while (c[1] && *c != ';')
        c++;
      n++;
    } else if (((unsigned char)*c & 0xc0) != 0x80) {
      n++;
    }
  }
  return n;
}

static bool take_text(reading *r, const char *line) {
  double size = fmax(r->size, VB_PAGE_PIXELS);
  text t = {.length = ADVANCE * size * (double)letters_of(line), .upright = r->upright};
  double shift = r->anchor == 'm' ? -0.5 : r->anchor == 'e' ? -1 : 0;
  double from = shift * t.length;
  t.box = r->upright ? (vb_layout_box){r->x - 0.8 * size, r->x + 0.25 * size,
                                       r->y - from - t.length, r->y - from}
                     : (vb_layout_box){r->x + from, r->x + from + t.length, r->y - 0.8 * size,
                                       r->y + 0.25 * size};
  if (r->in_plot) {
    note_key(r, &t);
    return true;
  }
  if (t.length <= 0) // as the footer that is not on paper
    return true;
  text *place = GROW(r->waiting, r->n_waiting);
  if (place)
    *place = t;
  return place != NULL;
}

/// Reads a line that begins a group.
static void begin_group(reading *r, const char *line) {
  char end[8] = "";
  const char *at = strstr(line, "translate("), *size = strstr(line, "font-size=\"");
  r->depth++;
  if (at && size) {
    sscanf(at, "translate(%lf,%lf)", &r->x, &r->y);
    sscanf(size, "font-size=\"%lf", &r->size);
    r->upright = strstr(at, "rotate(270)") != NULL;
    const char *anchor = strstr(line, "text-anchor=\"");
    r->anchor = anchor ? anchor[strlen("text-anchor=\"")] : 's';
  }
  if (strstr(line, "id=\"gnuplot_plot_") && !r->in_plot) {
    // The one plot of a page has no letter.
    if (sscanf(line, " <g id=\"gnuplot_plot_%*d%7[a-z]", end) != 1)
      end[0] = '-';
    if (end[0] != r->letter) {
      settle(r);
      r->plot++;
      r->letter = end[0];
    }
    r->in_plot = r->depth;
  }
}

static vb_status read_picture(const char *svg, vb_layout *l, size_t *plots, vb_error *error) {
  char *line = NULL;
  size_t size = 0;
  bool good = true;
  reading r = {.l = l};
  FILE *file = fopen(svg, "re");
  if (!file)
    return vb_error_set(error, VB_CANNOT_WRITE, "cannot read %s: %s", svg, strerror(errno));
  while (good && getline(&line, &size, file) >= 0) {
    const char *text_at = strstr(line, "<text>");
    if (strstr(line, "<g "))
      begin_group(&r, line);
    if (text_at)
      good = take_text(&r, text_at);
    if (strstr(line, "</g>")) {
      if (r.in_plot == r.depth)
        r.in_plot = 0;
      r.depth--;
    }
  }
  settle(&r);
  *plots = r.plot;
  free(r.waiting);
  free(line);
  fclose(file);
  return good ? VB_OK : vb_error_memory(error);
}

static vb_status read_noted(const char *noted, vb_layout *l, vb_error *error) {
  char *line = NULL;
  size_t size = 0;
  bool good = true;
  FILE *file = fopen(noted, "re");
  if (!file)
    return vb_error_set(error, VB_CANNOT_WRITE, "cannot read %s: %s", noted, strerror(errno));
  while (good && getline(&line, &size, file) >= 0)
    good = note_line(l, line);
  free(line);
  fclose(file);
  return good ? VB_OK : vb_error_memory(error);
}

vb_status vb_layout_read(const char *noted, const char *svg, const char *script, vb_layout *out,
                         vb_error *error) {
  size_t plots = 0;
  vb_status status = read_noted(noted, out, error);
  if (!status && out->n_panels == 0) { // one plot, whose margins gnuplot chooses
    vb_layout_panel *p = GROW(out->panels, out->n_panels);
    if (!p)
      return vb_error_memory(error);
    p->page = (vb_layout_box){0.1 * out->page_width, 0.97 * out->page_width, 0.1 * out->page_height,
                              0.85 * out->page_height};
  }
  if (!status)
    status = relate(out, error);
  if (!status)
    status = read_picture(svg, out, &plots, error);
  if (!status && plots != out->n_panels)
    status = vb_bad_input(error,
                          "%s cannot be laid out for a paper's column: it draws %zu plots in %zu "
                          "panels; draw it without --width",
                          script, plots, out->n_panels);
  return status;
}

void vb_layout_free(vb_layout *l) {
  free(l->order);
  free(l->panels);
  free(l->keys);
  free(l->places);
  free(l->titles);
  *l = (vb_layout){0};
}
