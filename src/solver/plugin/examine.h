// SPDX-License-Identifier: GPL-3.0-or-later
/// Checks promises of the solver interface that single calls cannot show, such as that a restored
/// state continues bit by bit.
#ifndef VB_SOLVER_PLUGIN_EXAMINE_H
#define VB_SOLVER_PLUGIN_EXAMINE_H

#include "solver/plugin/guarded.h"

/// Examines an instance that was just made with these options, and others with the same options. It
/// is left as it was found, where the solver keeps its promises. VB_FAILED where it does not, with
/// a sentence for each that is broken.
vb_status vb_examine_new(vb_guarded *g, const vb_option *options, size_t n_options,
                         vb_error *error);

/// The same for an instance that has taken steps.
vb_status vb_examine_running(vb_guarded *g, const vb_option *options, size_t n_options,
                             vb_error *error);

#endif
