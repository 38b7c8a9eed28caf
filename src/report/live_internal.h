// SPDX-License-Identifier: GPL-3.0-or-later
/// Internal to live*.c: the session, and what is written of a run.
#ifndef VB_REPORT_LIVE_INTERNAL_H
#define VB_REPORT_LIVE_INTERNAL_H

#include "report/live.h"

#include <stdatomic.h>
#include <stdio.h>

/// What all processes of a session share.
typedef struct vb_live_shared {
  atomic_long n;      ///< messages that have a number
  atomic_bool failed; ///< whether one could not be written
  vb_error error;     ///< why not
} vb_live_shared;

/// The run that this process executes.
typedef struct vb_live_course {
  size_t number; ///< among the runs of the session
  const vb_solver *solver;
  void *instance;
  const vb_scene *scene;
  size_t position, scale; ///< fields of the solver
  bool has_scale;
  size_t n_nodes;          ///< 0 where there is nothing to show
  double *values;          ///< (3 n_nodes) a field
  int64_t n_frames, frame; ///< recorded in all, and so far
  int64_t stride;          ///< of frames that are shown
  int64_t done, total;     ///< steps
  FILE *text;              ///< frames that wait, or null
  char *waiting;
  size_t size;
} vb_live_course;

struct vb_live {
  char *folder;
  const char *page; ///< its path
  const vb_live_name *runs;
  size_t n_runs;
  char session[40]; ///< by which the page tells its own messages from others
  vb_live_shared *shared;
  double written, signed_; ///< when this process wrote its latest message and sign, s
  bool runs_one;
  vb_live_course course;
};

/// Publishes the members `body` of an object as the next message.
void vb_live_send(vb_live *live, const char *body);

/// Writes the page.
vb_status vb_live_write_page(const vb_live *live, vb_error *error);

/// Write members of JSON with a comma before them, for the page's parts: integers, numbers, and a
/// field (n x width) in 16 bits.
void vb_live_put_integers(FILE *out, const char *name, const int32_t *values, size_t n,
                          size_t width);
void vb_live_put_numbers(FILE *out, const char *name, const double *values, size_t n, size_t width);
void vb_live_put_field(FILE *out, const char *name, const double *values, size_t n, size_t width);

/// Writes what does not change of a run: nodes, segments, sides of solids, half-planes, colliders.
void vb_live_put_scene(FILE *out, const vb_scene *scene);

/// Writes where drivers have moved half-planes and colliders at `time`, if they move any.
void vb_live_put_moved(FILE *out, const vb_scene *scene, double time);

#endif
