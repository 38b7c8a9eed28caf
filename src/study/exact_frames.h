// SPDX-License-Identifier: GPL-3.0-or-later
/// Which frames of a study's runs are stored as they were computed, because gates read them
/// (results/results_rounding.h).
#ifndef VB_STUDY_EXACT_FRAMES_H
#define VB_STUDY_EXACT_FRAMES_H

#include "study/study.h"

/// Fills the record plans of all runs: in the tiers quick and show the frames that the gates of the
/// study read, in others all. To be called once, when runs and gates are there.
vb_status vb_study_keep_frames(vb_study *study, vb_error *error);

#endif
