// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/launch_session.h"

#include <math.h>

/// A launch on its way to the caller's, which notes its time.
typedef struct relay {
  vb_launch *launch;
  void *context;
  bool equal; ///< A in place of B
  double seconds[2];
  vb_progress *progress;
  int64_t done;
} relay;

static vb_status pass_on(void *context, int which, double *seconds, vb_error *error) {
  relay *r = context;
  vb_status status = r->launch(r->context, r->equal ? 0 : which, seconds, error);
  if (!status)
    r->seconds[which] = *seconds;
  r->done++;
  if (r->progress)
    vb_progress_update(r->progress, r->done, VB_SESSION_LAUNCHES);
  return status;
}

static vb_status launch_both(relay *r, size_t i, vb_launch_session *s, vb_error *error) {
  r->equal = true;
  vb_status status = vb_launch_pair(pass_on, r, i, &s->equal[i], error);
  r->equal = false;
  if (!status)
    status = vb_launch_pair(pass_on, r, i, &s->log_ratio[i], error);
  for (int k = 0; k < 2; k++)
    s->time[k][i] = r->seconds[k];
  return status;
}

vb_status vb_launch_session_run(vb_launch *launch, void *context, vb_progress *progress,
                                vb_launch_session *out, vb_error *error) {
  relay r = {.launch = launch, .context = context, .progress = progress};
  vb_launch_session session = {0};
  double unused;
  // The first launch of a program reads it from the disk.
  vb_status status = vb_launch_pair(pass_on, &r, 0, &unused, error);
  for (size_t i = 0; !status && i < VB_LAUNCH_PAIRS; i++)
    status = launch_both(&r, i, &session, error);
  if (status)
    return status;
  vb_launch_session_evaluate(&session);
  *out = session;
  return VB_OK;
}

void vb_launch_session_evaluate(vb_launch_session *session) {
  vb_launch_session *s = session;
  s->margin = vb_comparison_margin(s->equal, VB_LAUNCH_PAIRS);
  s->verdict = vb_compare(s->log_ratio, VB_LAUNCH_PAIRS, s->margin, &s->interval);
  if (s->margin <= log1p(VB_MAX_MARGIN))
    return;
  bool clear = s->interval.low > s->margin || s->interval.high < -s->margin;
  if (!clear)
    s->verdict = VB_COMPARED_INCONCLUSIVE;
}
