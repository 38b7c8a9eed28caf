// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/movie.h"

#include "base/output_policy.h"
#include "base/signals.h"
#include "base/version.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

vb_status vb_movie_name_picture(const char *folder, size_t k, char *out, size_t size,
                                vb_error *error) {
  return snprintf(out, size, "%s/frame-%06zu.png", folder, k) < (int)size
             ? VB_OK
             : vb_bad_input(error, "the name of the folder is too long: %.100s", folder);
}

/// Starts a program of the path, without input, and waits for its end; `*ended` is what waitpid
/// gives. An errno value.
static int run_program(char *const *arguments, int *ended) {
  pid_t child;
  int code = posix_spawnp(&child, arguments[0], NULL, NULL, arguments, environ);
  if (code)
    return code;
  while (waitpid(child, ended, 0) < 0 && errno == EINTR)
    if (vb_signal_caught())
      kill(child, SIGTERM);
  return 0;
}

vb_status vb_movie_write(const char *folder, double rate, const char *path, vb_error *error) {
  static const char comment[] = "comment=" VB_MARK_MOVIE " " VB_VERSION;
  char pattern[1200], number[32];
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
  int code = run_program(arguments, &ended);
  if (code == ENOENT)
    return vb_error_set(error, VB_UNAVAILABLE,
                        "ffmpeg is not installed; --movie needs it (package ffmpeg)");
  if (code)
    return vb_error_set(error, VB_UNAVAILABLE, "cannot start ffmpeg: %s", strerror(code));
  if (vb_signal_caught())
    return vb_error_set(error, VB_INTERRUPTED, "stopped by signal %d", vb_signal_caught());
  if (!WIFEXITED(ended) || WEXITSTATUS(ended) != 0)
    return vb_error_set(error, VB_FAILED, "ffmpeg could not make %s; it said why above", path);
  return VB_OK;
}
