// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/movie.h"

#include "base/output_policy.h"
#include "base/signals.h"
#include "base/started_program.h"
#include "base/version.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define LONGEST 3600.0 ///< s

#define MOST_MEMORY ((uint64_t)16 << 30) ///< bytes

vb_status vb_movie_name_picture(const char *folder, size_t k, char *out, size_t size,
                                vb_error *error) {
  return snprintf(out, size, "%s/frame-%06zu.png", folder, k) < (int)size
             ? VB_OK
             : vb_bad_input(error, "the name of the folder is too long: %.100s", folder);
}

/// Says why there is no movie, where that is so.
static vb_status check_end(vb_program_end end, int ended, const char *path, char *said,
                           vb_error *error) {
  switch (end) {
  case VB_PROGRAM_MISSING:
    return vb_error_set(error, VB_UNAVAILABLE,
                        "ffmpeg is not installed; --movie needs it (package ffmpeg)");
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
