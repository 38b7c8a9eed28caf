// SPDX-License-Identifier: GPL-3.0-or-later
/// The method `direct` on a batch of gathered bodies: a source of its own, so that compilers know
/// of other batches that they have no activations.
#include "viper/cpu/batch/gathered.h"

// Names of its own for what direct_lanes.c defines and access.h says of activations.
#undef viper_batch_direct
#undef viper_batch_take_chain
#define viper_batch_direct     VIPER_NAME(viper_gathered_batch_direct)
#define viper_batch_take_chain VIPER_NAME(viper_gathered_take_chain)
void viper_batch_direct(viper_access *w, const viper_settings *settings);
void viper_batch_take_chain(viper_scratch *s, char *block, size_t *at, size_t n);
#define viper_get_active viper_get_no_active
#include "viper/cpu/batch/access.h"
#undef viper_get_active

VIPER_FN viper_contraction viper_get_active(const viper_access *w, viper_at at) {
  const viper_contraction *active = ((const viper_gathered_access *)(const void *)w)->active;
  return active ? active[at] : viper_passive();
}

#include "viper/cpu/batch/direct_lanes.c" // NOLINT(bugprone-suspicious-include)

void viper_gathered_direct(viper_gathered_access *access, const viper_settings *settings) {
  viper_batch_direct(&access->w, settings);
}
