// SPDX-License-Identifier: GPL-3.0-or-later
/// How far the end of a step is from its minimizer, where the residual does not tell.
#ifndef VIPER_DISTANCE_H
#define VIPER_DISTANCE_H

#include "viper/viper_internal.h"

/// Looks at the end of the latest step of `direct`, in double and to a tolerance, without contact
/// and bundles. `out` has one step that missed where a Newton step from there moves a node by more
/// than the tolerance times the size of the scene and more than a hundredth of how far it has come:
/// along that way since time 0, and in the latest substep. Forces may all but balance there, in a
/// direction that is all but free, as across a rod near its buckling load. Else no step was looked
/// at. Fails only for want of memory.
vb_status viper_look_at_distance(viper *v, vb_convergence *out, vb_error *error);

#endif
