// SPDX-License-Identifier: GPL-3.0-or-later
/// A solver instance whose every call is checked: its outputs are guarded and examined before
/// anything else reads them.
///
/// The functions mirror those of vb_solver. They give what the solver gave: VB_BAD_INPUT and
/// VB_UNAVAILABLE in its words, and VB_FAILED for any other failure, or with one sentence where it
/// broke a promise of the interface that a single call shows.
#ifndef VB_SOLVER_PLUGIN_GUARDED_H
#define VB_SOLVER_PLUGIN_GUARDED_H

#include "solver/plugin/channel.h"
#include "solver/plugin/guard.h"

/// Room for the value of an option.
enum { VB_VALUE_SIZE = 256 };

typedef struct vb_guarded {
  const vb_solver *solver;
  const vb_solver_description *about;
  const vb_scene *scene;
  vb_channel *channel; ///< whose head names functions and outputs
  void *self;
  size_t *count;   ///< (n_fields)
  vb_guard *field; ///< (n_fields) made when first read
  size_t state_size;
  size_t n_drivers;
  size_t n_work;
  vb_guard state;
  vb_guard energies;
  vb_guard work;
  vb_guard residual;
  vb_guard force;
  vb_guard torque;
  vb_guard timings;
  vb_guard cost; ///< bytes, operations
  vb_guard divergence;
  vb_guard device;
  vb_guard convergence;
  vb_guard text; ///< VB_VALUE_SIZE
  int64_t n_steps;
  bool diverged; ///< by the latest sync
} vb_guarded;

/// Asks a solver for its description; the same checks.
vb_status vb_guarded_describe(const vb_solver *solver, vb_channel *channel,
                              const vb_solver_description **out, vb_error *error);

/// Makes an instance. To be freed by vb_guarded_destroy, on failure too.
vb_status vb_guarded_create(const vb_solver *solver, vb_channel *channel, const vb_scene *scene,
                            const vb_option *options, size_t n_options, vb_guarded *out,
                            vb_error *error);
void vb_guarded_destroy(vb_guarded *g);

/// These leave what they give in the guard of that name, or of that field, until the same is asked
/// again.
vb_status vb_guarded_set_option(vb_guarded *g, const char *name, const char *value,
                                vb_error *error);
vb_status vb_guarded_get_option(vb_guarded *g, const char *name, vb_error *error);
vb_status vb_guarded_step(vb_guarded *g, int64_t n, vb_error *error);
vb_status vb_guarded_sync(vb_guarded *g, vb_divergence *divergence, vb_error *error);
vb_status vb_guarded_save(vb_guarded *g, vb_error *error);
/// Syncs as well, to learn whether what was restored had diverged.
vb_status vb_guarded_restore(vb_guarded *g, const void *state, vb_error *error);
vb_status vb_guarded_read(vb_guarded *g, size_t field, vb_error *error);
vb_status vb_guarded_energies(vb_guarded *g, vb_error *error);
vb_status vb_guarded_work(vb_guarded *g, vb_error *error);
vb_status vb_guarded_residual(vb_guarded *g, vb_error *error);
vb_status vb_guarded_reactions(vb_guarded *g, vb_error *error);
vb_status vb_guarded_timings(vb_guarded *g, vb_error *error);
vb_status vb_guarded_cost(vb_guarded *g, vb_error *error);
vb_status vb_guarded_device(vb_guarded *g, vb_error *error);
vb_status vb_guarded_convergence(vb_guarded *g, vb_error *error);

/// Whether calls that must fail do so by VB_BAD_INPUT and leave alone what they were given: an
/// unknown field, an unknown option with and without an error to write to.
vb_status vb_guarded_refuses(vb_guarded *g, vb_error *error);

/// Whether state_size and count still give what they gave first, and 0 for a field that is not
/// there.
vb_status vb_guarded_same_sizes(vb_guarded *g, vb_error *error);

/// Numbers in a field.
size_t vb_guarded_numbers(const vb_guarded *g, size_t field);

#endif
