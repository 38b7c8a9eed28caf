// SPDX-License-Identifier: GPL-3.0-or-later
/// A page that shows the motion of runs while they are executed, without a server.
///
/// PAGE.html polls the folder PAGE.live beside it by adding elements <script>, which a browser
/// allows for a page that is itself a file. NNNN.js are messages in their order, from all processes
/// that execute runs; sign.js, which is replaced, tells how many there are and that a process is
/// alive. A message is a call of viperbenchLive with one object: `begin` (what does not change of a
/// run), `frames`, `end` of a run, `over`. Positions and scales of frames have 16 bits between the
/// least and the greatest of their component in the frame.
///
/// A process writes a message every 0.2 s at most, and no run has more than 300 frames: of more
/// frames, or of many runs, every second, third, .. is shown, and the last. Reading a state changes
/// nothing of it, and happens between the steps that are timed.
#ifndef VB_REPORT_LIVE_H
#define VB_REPORT_LIVE_H

#include "solver/solver.h"

/// The name of a run that may be shown.
typedef struct vb_live_name {
  const char *study;
  const char *run;
} vb_live_name;

typedef struct vb_live vb_live;

/// Makes the page `path` and its folder, from which messages of an earlier time are removed, for
/// `n` runs whose names are borrowed. VB_CANNOT_WRITE. Ended by vb_live_end.
vb_status vb_live_create(const char *path, const vb_live_name *runs, size_t n, vb_live **out,
                         vb_error *error);

/// Tells the page that all is over, where `interrupted` by a signal, and frees; null is none.
/// VB_CANNOT_WRITE where some message could not be written: nothing was written after it.
vb_status vb_live_end(vb_live *live, bool interrupted, vb_error *error);

// These are of a viewer of runs (study/run.h), whose `context` is a vb_live; child processes of the
// one that made it may call them. A message that cannot be written ends all messages.

/// A run of `n_frames` frames begins.
void vb_live_begin_run(void *context, const vb_live_name *name, const vb_solver *solver,
                       void *instance, const vb_scene *scene, int64_t n_frames);
/// Its next frame.
void vb_live_show_frame(void *context, double time);
/// It has advanced to step `done` of `total`.
void vb_live_advance(void *context, int64_t done, int64_t total);
/// It has ended: "complete", "diverged", "interrupted", "failed".
void vb_live_end_run(void *context, const char *how);

#endif
