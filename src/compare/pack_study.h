// SPDX-License-Identifier: GPL-3.0-or-later
/// Copies the data that a comparison needs from a study's results to one small file.
#ifndef VB_COMPARE_PACK_STUDY_H
#define VB_COMPARE_PACK_STUDY_H

#include "base/status.h"

/// Writes the runs of the index `index` to `path`, laid out like an index whose runs are inside it
/// (results/README.md): all quantities that vb_record lists but those of surfaces and indexes below
/// topology/, the description of the run, and its provenance. No wall time is among it. The file
/// appears when it is whole. VB_BAD_INPUT where the index cannot be read or holds gates of its
/// runs, VB_CANNOT_WRITE where the file cannot be written.
vb_status vb_pack_study(const char *index, const char *path, vb_error *error);

#endif
