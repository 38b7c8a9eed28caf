// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/movie.h"

#include "base/output_policy.h"
#include "base/signals.h"
#include "base/started_program.h"
#include "base/version.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define LONGEST 3600.0 ///< s

#define MOST_MEMORY ((uint64_t)16 << 30) ///< bytes

#define MOST_PICTURES 100000.0 ///< almost an hour of 30 a second

#define NO_FFMPEG "ffmpeg is not installed; --movie needs it (package ffmpeg)"

/// Seconds of a movie that is easily watched, for advice.
#define EASY_S 5.0

vb_status vb_movie_plan_make(const double *time, size_t first, size_t last, size_t step,
                             double speed, double rate, vb_movie_plan *out, vb_error *error) {
  double span = time[last] - time[first];
  // The last picture shows the last frame, even where that is between two pictures.
  double pictures = ceil(span / speed * rate - 1e-6) + 1;
  if (!isfinite(pictures) || pictures < 1)
    return vb_bad_input(error, "the times of the frames do not increase");
  if ((pictures < 2 || (span > 0 && span / speed * rate < 1)) && last > first)
    return vb_bad_input(error,
                        "the frames cover %.3g s, too short for two pictures; --speed %.2g makes "
                        "the movie %g s long",
                        span, span / EASY_S, EASY_S);
  if (pictures > MOST_PICTURES)
    return vb_bad_input(error,
                        "the movie would have %.0f pictures, more than %.0f; --speed %.2g makes it "
                        "a minute long",
                        pictures, MOST_PICTURES, span / 60);
  *out = (vb_movie_plan){calloc((size_t)pictures, sizeof *out->frame), (size_t)pictures};
  if (!out->frame)
    return vb_error_memory(error);
  size_t k = first;
  for (size_t j = 0; j < out->n; j++) {
    double now = time[first] + (double)j * speed / rate + 1e-6 * speed / rate;
    while (k + step <= last && time[k + step] <= now)
      k += step;
    out->frame[j] = k;
  }
  return VB_OK;
}

vb_status vb_movie_name_picture(const char *folder, size_t k, char *out, size_t size,
                                vb_error *error) {
  return snprintf(out, size, "%s/frame-%06zu.png", folder, k) < (int)size
             ? VB_OK
             : vb_bad_input(error, "the name of the folder is too long: %.100s", folder);
}

vb_status vb_movie_check(vb_error *error) {
  const char *folder = getenv("PATH");
  char path[4096];
  for (; folder && *folder; folder += strcspn(folder, ":")) {
    folder += *folder == ':';
    int n = snprintf(path, sizeof path, "%.*s/ffmpeg", (int)strcspn(folder, ":"), folder);
    if (n < (int)sizeof path && access(path, X_OK) == 0)
      return VB_OK;
  }
  return vb_error_set(error, VB_UNAVAILABLE, NO_FFMPEG);
}

/// Says why there is no movie, where that is so.
static vb_status check_end(vb_program_end end, int ended, const char *path, char *said,
                           vb_error *error) {
  switch (end) {
  case VB_PROGRAM_MISSING:
    return vb_error_set(error, VB_UNAVAILABLE, NO_FFMPEG);
  case VB_PROGRAM_INTERRUPTED:
    return vb_error_set(error, VB_INTERRUPTED, "stopped by signal %d", vb_signal_caught());
  case VB_PROGRAM_LATE:
    return vb_error_set(error, VB_FAILED, "ffmpeg was ended because %s took longer than %g s", path,
                        LONGEST);
  case VB_PROGRAM_DONE:
    break;
  }
  for (char *c = said; *c; c++)
    *c = *c == '\n' || *c == '\t' ? ' ' : *c;
  if (WIFEXITED(ended) && WEXITSTATUS(ended) == 0)
    return VB_OK;
  return vb_error_set(error, VB_FAILED, "ffmpeg could not make %s; it says: %.600s", path,
                      said[0] ? said : "(nothing)");
}

vb_status vb_movie_write(const char *folder, double rate, const char *path, vb_error *error) {
  static const char comment[] = "comment=" VB_MARK_MOVIE " " VB_VERSION;
  char pattern[1200], number[32], said[4096];
  int ended = 0;
  snprintf(pattern, sizeof pattern, "%s/frame-%%06d.png", folder);
  snprintf(number, sizeof number, "%g", rate);
  // Usual players want colors at half resolution, and so sides that are even.
  const char *const words[] = {"ffmpeg",
                               "-nostdin",
                               "-y",
                               "-loglevel",
                               "error",
                               "-framerate",
                               number,
                               "-i",
                               pattern,
                               "-vf",
                               "pad=ceil(iw/2)*2:ceil(ih/2)*2",
                               "-metadata",
                               comment,
                               "-pix_fmt",
                               "yuv420p",
                               path,
                               NULL};
  char *arguments[sizeof words / sizeof *words];
  memcpy(arguments, words, sizeof words);
  const vb_program program = {.arguments = arguments,
                              .wall_s = LONGEST,
                              .cpu_s = LONGEST * (double)sysconf(_SC_NPROCESSORS_ONLN),
                              .memory = MOST_MEMORY,
                              .said = said,
                              .size = sizeof said};
  vb_program_end end;
  vb_status status = vb_program_run(&program, &end, &ended, error);
  return status ? status : check_end(end, ended, path, said, error);
}
