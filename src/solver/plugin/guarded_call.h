// SPDX-License-Identifier: GPL-3.0-or-later
/// The steps of one checked call of a solver's function: its outputs are guarded, the function runs
/// between vb_enter_solver and vb_leave_solver, its outputs are checked. For guarded.c and
/// guarded_read.c.
#ifndef VB_SOLVER_PLUGIN_GUARDED_CALL_H
#define VB_SOLVER_PLUGIN_GUARDED_CALL_H

#include "solver/plugin/guarded.h"

/// Names output number `i` of the call that comes, poisons it and watches it.
void vb_offer_output(vb_guarded *g, int i, vb_guard *guard, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/// The solver's function runs from here ..
void vb_enter_solver(vb_channel *channel, vb_function function);

/// .. to here. Its status, in the words of `channel->said`; VB_FAILED for what it is not to give.
vb_status vb_leave_solver(vb_channel *channel, vb_function function, vb_status status,
                          vb_error *error);

/// Both, around `call`: an expression that calls the function with `&g->channel->said` for its
/// error.
#define vb_call_solver(g, function, call, error)                                                   \
  (vb_enter_solver((g)->channel, function), vb_leave_solver((g)->channel, function, call, error))

/// What a guard holds, as numbers.
static inline double *vb_guard_numbers(const vb_guard *guard) {
  return (double *)(void *)guard->data;
}

/// What a call that gave `status` did to output number `i`: that status, or VB_FAILED.
vb_status vb_check_output(const vb_guarded *g, vb_function function, vb_status status, int i,
                          const vb_guard *guard, vb_error *error);

/// Numbers are finite until a divergence is reported: VB_FAILED otherwise. `width` of them make an
/// element.
vb_status vb_check_finite(const vb_guarded *g, vb_function function, int i, const vb_guard *guard,
                          size_t width, vb_error *error);

#endif
