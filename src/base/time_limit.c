// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/time_limit.h"

#include <stddef.h>

static _Thread_local vb_time_limit current;

vb_time_limit vb_time_limit_set(vb_time_limit limit) {
  vb_time_limit before = current;
  current = limit;
  return before;
}

bool vb_time_limit_over(void) {
  return current.over && current.over(current.context);
}

void vb_time_limit_wait(bool waits) {
  if (current.wait)
    current.wait(current.context, waits);
}

vb_status vb_time_limit_check(vb_error *error) {
  return vb_time_limit_over() ? vb_error_set(error, VB_FAILED, "it takes too long") : VB_OK;
}
