// SPDX-License-Identifier: GPL-3.0-or-later
/// Reads sets of a scene back from the topology of a run.
#ifndef VB_RESULTS_RESULTS_SET_H
#define VB_RESULTS_RESULTS_SET_H

#include "results/results_array.h"
#include "scene/scene.h"

/// Reads the `*n` elements of set `tag`, 0 and null where it is not recorded. Members that are not
/// recorded are what they are before they are given; an element's name is its number. The caller
/// frees `*elements` with free(). VB_BAD_INPUT where the datasets do not fit one another or the
/// set; the elements themselves are for vb_scene_check.
vb_status vb_run_set(vb_run_location place, vb_tag tag, void **elements, size_t *n,
                     vb_error *error);

#endif
