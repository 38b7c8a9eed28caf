// SPDX-License-Identifier: GPL-3.0-or-later
#include "figure/gnuplot.h"

#include "base/started_program.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TIME_VARIABLE "VIPERBENCH_GNUPLOT_TIME"
#define USUAL_TIME    120.0 ///< s
#define MOST_SCRIPTS  8

#define MOST_MEMORY ((uint64_t)4 << 30) ///< bytes

char *vb_gnuplot_quote(const char *text) {
  // Nothing is expanded between single quotes; a quote itself is joined on between double ones.
  const char *joint = "'.\"'\".'";
  char *out = reallocarray(NULL, strlen(text) + 3, strlen(joint)), *end = out;
  if (!out)
    return NULL;
  *end++ = '\'';
  for (; *text; text++)
    if (*text == '\'')
      end = stpcpy(end, joint);
    else
      *end++ = (unsigned char)*text < ' ' || *text == 0x7f ? ' ' : *text;
  *end++ = '\'';
  *end = '\0';
  return out;
}

static vb_status read_limit(double *out, vb_error *error) {
  const char *text = getenv(TIME_VARIABLE);
  char *end;
  *out = USUAL_TIME;
  if (!text || !*text)
    return VB_OK;
  *out = strtod(text, &end);
  if (*end || !(*out > 0) || !isfinite(*out))
    return vb_bad_input(
        error, TIME_VARIABLE " is \"%.40s\"; it must be a positive number of seconds", text);
  return VB_OK;
}

static vb_status report_missing(vb_error *error) {
  return vb_error_set(error, VB_UNAVAILABLE,
                      "gnuplot is not installed; figures need it (package gnuplot-nox)");
}

vb_status vb_gnuplot_find(vb_error *error) {
  const char *list = getenv("PATH");
  while (list && *list) { // without a list the system's usual one counts: then running it tells
    char path[PATH_MAX];
    int length = (int)strcspn(list, ":");
    snprintf(path, sizeof path, "%.*s/gnuplot", length ? length : 1, length ? list : ".");
    if (access(path, X_OK) == 0)
      return VB_OK;
    list += length;
    if (!*list++)
      return report_missing(error);
  }
  return VB_OK;
}

/// Says why there is no figure, where that is so.
static vb_status check_end(vb_program_end end, double limit, const char *what, vb_error *error) {
  switch (end) {
  case VB_PROGRAM_MISSING:
    return report_missing(error);
  case VB_PROGRAM_INTERRUPTED:
    return vb_error_set(error, VB_INTERRUPTED, "interrupted: %s is not drawn", what);
  case VB_PROGRAM_LATE:
    return vb_error_set(error, VB_FAILED,
                        "gnuplot was ended because %s took longer than %g s; " TIME_VARIABLE
                        " sets this limit",
                        what, limit);
  case VB_PROGRAM_DONE:
    break;
  }
  return VB_OK;
}

vb_status vb_gnuplot_run(const char *const *scripts, const char *what, char *output, size_t size,
                         int *ended, vb_error *error) {
  char *arguments[MOST_SCRIPTS + 3] = {"gnuplot", "-d"};
  double limit;
  vb_program_end end;
  for (size_t i = 0; i < MOST_SCRIPTS && scripts[i]; i++)
    arguments[2 + i] = (char *)scripts[i];
  output[0] = '\0';
  vb_status status = read_limit(&limit, error);
  if (status)
    return status;
  const vb_program program = {.arguments = arguments,
                              .wall_s = limit,
                              .cpu_s = limit,
                              .memory = MOST_MEMORY,
                              .said = output,
                              .size = size};
  status = vb_program_run(&program, &end, ended, error);
  return status ? status : check_end(end, limit, what, error);
}
