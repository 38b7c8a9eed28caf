// SPDX-License-Identifier: GPL-3.0-or-later
/// Makes a movie of pictures, by ffmpeg.
#ifndef VB_CLI_MOVIE_H
#define VB_CLI_MOVIE_H

#include "base/status.h"

#include <stddef.h>

/// Which recorded frame each picture of a movie shows: the latest at its time.
typedef struct vb_movie_plan {
  size_t *frame; ///< (n), which do not decrease
  size_t n;      ///< pictures
} vb_movie_plan;

/// Frames `first`, `first` + `step`, ... up to `last` of those recorded at `time` [s]; in a second
/// of the movie pass `speed` seconds of the scene, in `rate` pictures. VB_BAD_INPUT where that is
/// less than two pictures of several frames, or too many; the message names a speed that fits. The
/// caller frees `frame`.
vb_status vb_movie_plan_make(const double *time, size_t first, size_t last, size_t step,
                             double speed, double rate, vb_movie_plan *out, vb_error *error);

/// VB_UNAVAILABLE where ffmpeg is in no folder of PATH: to be told before pictures are drawn.
vb_status vb_movie_check(vb_error *error);

/// Writes the path of picture `k` of a movie, counted from 0, in `folder`. VB_BAD_INPUT where it is
/// longer than `size`.
vb_status vb_movie_name_picture(const char *folder, size_t k, char *out, size_t size,
                                vb_error *error);

/// Joins the pictures in `folder` to the movie `path`, `rate` of them a second; its ending names
/// the format, as .mp4 or .webm. VB_UNAVAILABLE where ffmpeg is not installed, VB_FAILED, with
/// what it says, where it fails or takes more than an hour; VB_INTERRUPTED when a signal was noted.
vb_status vb_movie_write(const char *folder, double rate, const char *path, vb_error *error);

#endif
