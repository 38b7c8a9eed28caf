// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/plugin/guarded_call.h"

#include "solver/plugin/fault.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

void vb_offer_output(vb_guarded *g, int i, vb_guard *guard, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(g->channel->head->output[i], VB_OUTPUT_NAME, format, args);
  va_end(args);
  vb_guard_poison(guard);
  vb_fault_watch(i, guard);
}

void vb_enter_solver(vb_channel *channel, vb_function function) {
  channel->said = (vb_error){0};
  channel->head->function = (uint32_t)function;
  vb_channel_lock_head(channel, true);
}

vb_status vb_leave_solver(vb_channel *channel, vb_function function, vb_status status,
                          vb_error *error) {
  const char *name = vb_function_name(function);
  vb_channel_lock_head(channel, false);
  for (int i = 0; i < VB_OUTPUTS; i++)
    vb_fault_watch(i, NULL);
  if (status == VB_OK)
    return VB_OK;
  char *why = channel->said.message;
  why[sizeof channel->said.message - 1] = '\0';
  if (status == VB_BAD_INPUT || status == VB_UNAVAILABLE)
    return *why ? vb_error_set(error, status, "%s", why)
                : vb_error_set(error, status, "%s failed without a message", name);
  if ((int)status < VB_OK || (int)status > VB_INTERRUPTED)
    return vb_error_set(error, VB_FAILED, "%s returned %d, which is not a vb_status", name,
                        (int)status);
  return vb_error_set(error, VB_FAILED, "%s failed with status %d: %s", name, (int)status,
                      *why ? why : "no message");
}

vb_status vb_check_output(const vb_guarded *g, vb_function function, vb_status status, int i,
                          const vb_guard *guard, vb_error *error) {
  const char *name = vb_function_name(function), *output = g->channel->head->output[i];
  size_t first = 0;
  if (status)
    return vb_guard_untouched(guard)
               ? status
               : vb_error_set(error, VB_FAILED, "%s failed, and yet wrote to %s", name, output);
  switch (vb_guard_check(guard, &first)) {
  case VB_GUARD_BEFORE:
    return vb_error_set(error, VB_FAILED, "%s wrote before the begin of %s", name, output);
  case VB_GUARD_BEYOND:
    return vb_error_set(error, VB_FAILED, "%s wrote beyond the end of %s", name, output);
  case VB_GUARD_PARTLY:
    return vb_error_set(error, VB_FAILED, "%s did not write all of %s: number %zu is missing", name,
                        output, first);
  case VB_GUARD_WRITTEN:
    break;
  }
  return VB_OK;
}

vb_status vb_check_finite(const vb_guarded *g, vb_function function, int i, const vb_guard *guard,
                          size_t width, vb_error *error) {
  const double *value = vb_guard_numbers(guard);
  size_t n = guard->bytes / sizeof *value, k = 0;
  if (g->diverged)
    return VB_OK;
  while (k < n && isfinite(value[k]))
    k++;
  if (k == n)
    return VB_OK;
  return vb_error_set(error, VB_FAILED,
                      "%s gave %g for element %zu, component %zu of %s after step %lld, though "
                      "sync reported no divergence",
                      vb_function_name(function), value[k], k / width, k % width,
                      g->channel->head->output[i], (long long)g->n_steps);
}
