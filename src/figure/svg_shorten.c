// SPDX-License-Identifier: GPL-3.0-or-later
#include "figure/svg_shorten.h"

#include "base/file.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/// How far a point that is left out may be from the line that remains, in hundredths of a pixel.
#define FARTHEST 5.0

/// What every group of gnuplot's says, and SVG takes as said: none is in another.
static const char CAPS[] = " stroke-linecap=\"butt\" stroke-linejoin=\"miter\"";

/// What is between the tags of a group that holds nothing.
static const char EMPTY[] = "\n</g>\n";

/// A point of a path, in hundredths of a pixel, in which gnuplot writes.
typedef struct point {
  int64_t x, y;
  bool begins; ///< a piece of the path that is not joined to what is before
  bool closes; ///< the piece, behind this point
  bool kept;
} point;

typedef struct path {
  point *points;
  size_t n;
} path;

/// Reads a number of at most 7 digits before and 2 behind its point, in hundredths; null for
/// another.
static const char *read_hundredths(const char *at, int64_t *out) {
  bool negative = *at == '-';
  at += negative;
  size_t whole = strspn(at, "0123456789"), behind = 0;
  int64_t value = 0;
  if (whole == 0 || whole > 7)
    return NULL;
  for (size_t i = 0; i < whole; i++)
    value = 10 * value + (at[i] - '0');
  at += whole;
  if (*at == '.') {
    behind = strspn(++at, "0123456789");
    if (behind > 2)
      return NULL;
  }
  for (size_t i = 0; i < 2; i++)
    value = 10 * value + (i < behind ? at[i] - '0' : 0);
  *out = negative ? -value : value;
  return at + behind;
}

static const char *read_pair(const char *at, point *out) {
  at = read_hundredths(at, &out->x);
  return at && *at == ',' ? read_hundredths(at + 1, &out->y) : NULL;
}

/// Reads the points up to `end`: of a path behind M and L, of a polygon (`bare`) without letters;
/// false where there is anything else.
static bool read_points(const char *at, const char *end, bool bare, path *out) {
  while (at && at < end) {
    point p = {.begins = *at == 'M'};
    if (strchr(" \t\n", *at)) {
      at++;
    } else if (*at == 'Z' && !bare && out->n > 0) {
      out->points[out->n - 1].closes = true;
      at++;
    } else if (bare || *at == 'M' || (*at == 'L' && out->n > 0)) {
      at = read_pair(at + !bare, &p);
      out->points[out->n] = p;
      out->n += at != NULL;
    } else {
      at = NULL;
    }
  }
  return at == end && out->n > 0 && (bare || out->points[0].begins);
}

/// The distance of `p` from the line between two points.
static double distance(const point *p, const point *a, const point *b) {
  double dx = (double)(b->x - a->x), dy = (double)(b->y - a->y);
  double x = (double)(p->x - a->x), y = (double)(p->y - a->y), length = dx * dx + dy * dy;
  double t = length > 0 ? fmin(1, fmax(0, (x * dx + y * dy) / length)) : 0;
  return hypot(x - t * dx, y - t * dy);
}

/// Marks what remains of the points between two that do: of those too far from the line, the
/// farthest, and so on to both of its sides (Douglas and Peucker 1973). `stack` has room for two
/// numbers a point.
static void thin(point *points, size_t first, size_t last, size_t *stack) {
  size_t n = 0;
  stack[n++] = first;
  stack[n++] = last;
  while (n > 0) {
    size_t b = stack[--n], a = stack[--n], farthest = a;
    double most = FARTHEST;
    for (size_t i = a + 1; i < b; i++) {
      double d = distance(&points[i], &points[a], &points[b]);
      if (d > most) {
        most = d;
        farthest = i;
      }
    }
    if (farthest == a)
      continue;
    points[farthest].kept = true;
    stack[n++] = a;
    stack[n++] = farthest;
    stack[n++] = farthest;
    stack[n++] = b;
  }
}

/// Marks what remains of each piece.
static void thin_all(path *p, size_t *stack) {
  size_t first = 0;
  for (size_t i = 0; i < p->n; i++)
    if (i + 1 == p->n || p->points[i + 1].begins) {
      p->points[first].kept = p->points[i].kept = true;
      thin(p->points, first, i, stack);
      first = i + 1;
    }
}

static void print_hundredths(FILE *out, int64_t value, bool first) {
  int64_t size = value < 0 ? -value : value, whole = size / 100, rest = size % 100;
  if (value < 0)
    fputc('-', out);
  else if (!first)
    fputc(' ', out);
  if (whole > 0 || rest == 0)
    fprintf(out, "%lld", (long long)whole);
  if (rest % 10)
    fprintf(out, ".%02lld", (long long)rest);
  else if (rest)
    fprintf(out, ".%lld", (long long)(rest / 10));
}

static void print_path(FILE *out, const path *p) {
  int64_t x = 0, y = 0;
  bool letter = false; // whether the latest is l
  for (size_t i = 0; i < p->n; i++) {
    const point *q = &p->points[i];
    if (q->kept) {
      if (q->begins || !letter)
        fputc(q->begins ? 'M' : 'l', out);
      print_hundredths(out, q->begins ? q->x : q->x - x, q->begins || !letter);
      print_hundredths(out, q->begins ? q->y : q->y - y, false);
      letter = !q->begins;
      x = q->x;
      y = q->y;
    }
    if (q->closes)
      fputc('z', out);
    letter = letter && !q->closes;
  }
}

static void print_polygon(FILE *out, const path *p) {
  for (size_t i = 0; i < p->n; i++) {
    if (i > 0)
      fputc(' ', out);
    print_hundredths(out, p->points[i].x, true);
    fputc(',', out);
    print_hundredths(out, p->points[i].y, true);
  }
}

/// Writes the points from `at` to `end`, as they are where they are not understood.
static vb_status shorten_points(const char *at, const char *end, bool bare, FILE *out,
                                vb_error *error) {
  size_t length = (size_t)(end - at);
  path p = {calloc(length + 1, sizeof *p.points), 0};
  size_t *stack = calloc(length + 1, 2 * sizeof *stack);
  vb_status status = p.points && stack ? VB_OK : vb_error_memory(error);
  bool good = !status && read_points(at, end, bare, &p);
  if (good && bare) {
    print_polygon(out, &p);
  } else if (good) {
    thin_all(&p, stack);
    print_path(out, &p);
  } else if (!status) {
    fwrite(at, 1, length, out);
  }
  free(stack);
  free(p.points);
  return status;
}

/// The end of the tag that begins at `at`.
static const char *end_of_tag(const char *at) {
  const char *end = strchr(at, '>');
  return end ? end + 1 : at + strlen(at);
}

/// Writes a group's tag without what needs not be said, or nothing of an empty group; what follows.
static const char *shorten_group(const char *at, FILE *out) {
  const char *end = end_of_tag(at), *caps = strstr(at, CAPS);
  if (strncmp(end, EMPTY, strlen(EMPTY)) == 0)
    return end + strlen(EMPTY);
  if (!caps || caps >= end)
    caps = end;
  fwrite(at, 1, (size_t)(caps - at), out);
  at = caps < end ? caps + strlen(CAPS) : end;
  fwrite(at, 1, (size_t)(end - at), out);
  return end;
}

/// The points in a tag: behind `name` and a quote, up to the next quote; null for none.
static const char *find_points(const char *at, const char *name, const char **end) {
  const char *tag = end_of_tag(at), *found = strstr(at, name);
  const char *begin = found && found < tag ? found + strlen(name) : NULL;
  *end = begin ? strchr(begin, '\'') : NULL;
  return *end && *end < tag ? begin : NULL;
}

vb_status vb_svg_shorten(const char *data, FILE *out, vb_error *error) {
  vb_status status = VB_OK;
  const char *at = data;
  while (!status && *at) {
    const char *end = NULL, *points = NULL;
    bool polygon = strncmp(at, "<polygon ", 9) == 0;
    if (strncmp(at, "<g fill=", 8) == 0) {
      at = shorten_group(at, out);
      continue;
    }
    if (polygon)
      points = find_points(at, " points = '", &end);
    else if (strncmp(at, "<path ", 6) == 0)
      points = find_points(at, " d='", &end);
    if (points) {
      fwrite(at, 1, (size_t)(points - at), out);
      status = shorten_points(points, end, polygon, out, error);
      at = end;
    } else {
      const char *next = strchr(at + 1, '<');
      size_t length = next ? (size_t)(next - at) : strlen(at);
      fwrite(at, 1, length, out);
      at += length;
    }
  }
  return status;
}

vb_status vb_svg_shorten_file(const char *file, vb_error *error) {
  char *data = NULL;
  size_t size = 0;
  vb_status status = vb_file_read(file, file, (size_t)1 << 28, &data, &size, error);
  if (status)
    return status;
  FILE *out = fopen(file, "we");
  if (out)
    status = vb_svg_shorten(data, out, error);
  bool broken = out && ferror(out);
  if (!out || fclose(out) || broken)
    status = vb_error_set(error, VB_CANNOT_WRITE, "cannot write %s", file);
  free(data);
  return status;
}
