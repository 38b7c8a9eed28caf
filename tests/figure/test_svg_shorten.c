// SPDX-License-Identifier: GPL-3.0-or-later
/// Pictures made shorter, by lines as gnuplot writes them.
#include "figure/svg_shorten.h"

#include "test.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/// The caller frees.
static char *shorten(const char *text) {
  char *out = NULL;
  size_t size = 0;
  vb_error error = {0};
  FILE *stream = open_memstream(&out, &size);
  ck_assert(stream && !vb_svg_shorten(text, stream, &error));
  fclose(stream);
  return out;
}

START_TEST(lines_are_shortened) {
  static const char *const LINES[][2] = {
      // Points on the line go, coordinates are relative and have no zeros at the end.
      {"<path stroke='black'  d='M90.00,227.13 L98.25,227.13 L99.00,227.13  '/>",
       "<path stroke='black'  d='M90 227.13l9 0'/>"},
      {"<path d='M1.50,2.05 L1.00,2.00 L3.50,-4.00 Z  '/>", "<path d='M1.5 2.05l-.5-.05 2.5-6z'/>"},
      // Pieces stay apart; a piece of one point stays.
      {"<path d='M1,2 L3,4 M5,6 L7,9 \n\tL7,10.5'/>", "<path d='M1 2l2 2M5 6l2 3 0 1.5'/>"},
      {"<path d='M1,2 L1,2'/>", "<path d='M1 2l0 0'/>"},
      // There and back: the end is where the beginning is, and the turn stays.
      {"<path d='M0,0 L9,0 L0,0'/>", "<path d='M0 0l9 0-9 0'/>"},
      {"<polygon fill = 'red' points = '301.90,9.00 -0.50,0.05'/>",
       "<polygon fill = 'red' points = '301.9,9 -.5,.05'/>"},
      // What gnuplot does not write stays.
      {"<path d='M0,1.330 L1.265,0.411 z'/>", "<path d='M0,1.330 L1.265,0.411 z'/>"},
      {"<path d='M-1,0 h2 M0,-1 v2'/>", "<path d='M-1,0 h2 M0,-1 v2'/>"},
      {"<path d='L1,0 L2,0'/>", "<path d='L1,0 L2,0'/>"},
      {"<path d='M1,0 L2", "<path d='M1,0 L2"},
      {"a < b <", "a < b <"},
      {"<text d='M0,0 L1,0 L2,0'/>", "<text d='M0,0 L1,0 L2,0'/>"},
      // Groups.
      {"<g fill=\"none\" stroke-linecap=\"butt\" stroke-linejoin=\"miter\">\n</g>\n<g id=\"1\">",
       "<g id=\"1\">"},
      {"<g fill=\"none\" stroke-linecap=\"butt\" stroke-linejoin=\"miter\">\n<a/></g>\n",
       "<g fill=\"none\">\n<a/></g>\n"},
      {"<g fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"miter\">\n<a/></g>\n",
       "<g fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"miter\">\n<a/></g>\n"},
  };
  for (size_t i = 0; i < sizeof LINES / sizeof *LINES; i++) {
    char *out = shorten(LINES[i][0]);
    ck_assert_str_eq(out, LINES[i][1]);
    free(out);
  }
}
END_TEST

/// The distance of a point from a line through points, in pixels.
static double distance(const double p[2], double (*line)[2], size_t n) {
  double least = INFINITY;
  for (size_t i = 0; i + 1 < n; i++) {
    double dx = line[i + 1][0] - line[i][0], dy = line[i + 1][1] - line[i][1];
    double x = p[0] - line[i][0], y = p[1] - line[i][1], length = dx * dx + dy * dy;
    double t = length > 0 ? fmin(1, fmax(0, (x * dx + y * dy) / length)) : 0;
    least = fmin(least, hypot(x - t * dx, y - t * dy));
  }
  return least;
}

/// A spiral of a thousand points: all are within 0.05 pixels of what remains of it.
START_TEST(no_point_is_far_from_the_line) {
  enum { N = 1000 };
  static double all[N][2], left[N][2];
  static char text[40 * N];
  char *end = text + sprintf(text, "<path d='");
  for (size_t i = 0; i < N; i++) {
    double t = 0.005 * (double)i;
    end +=
        sprintf(end, "%c%.2f,%.2f ", i ? 'L' : 'M', 400 + 80 * t * cos(t), 400 + 80 * t * sin(t));
    ck_assert_int_eq(sscanf(strrchr(text, i ? 'L' : 'M') + 1, "%lf,%lf", &all[i][0], &all[i][1]),
                     2);
  }
  strcpy(end, "'/>");
  char *out = shorten(text), *at = strchr(out, 'M') + 1;
  size_t n = 0;
  while (*at != '\'') {
    bool relative = n > 0;
    at += *at == 'l';
    for (int k = 0; k < 2; k++)
      left[n][k] = strtod(at, &at) + (relative ? left[n - 1][k] : 0);
    n++;
  }
  ck_assert_uint_lt(n, N / 3);
  for (size_t i = 0; i < N; i++)
    ck_assert_double_le(distance(all[i], left, n), 0.05 + 1e-9); // rounding of the sums
  ck_assert_double_eq_tol(left[n - 1][0], all[N - 1][0], 1e-9);
  free(out);
}
END_TEST

static TCase *shorten_case(void) {
  TCase *c = tcase_create("shorten");
  tcase_add_test(c, lines_are_shortened);
  tcase_add_test(c, no_point_is_far_from_the_line);
  return c;
}

VB_TEST_MAIN("svg_shorten", shorten_case())
