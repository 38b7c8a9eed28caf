// SPDX-License-Identifier: GPL-3.0-or-later
/// The functions of one variant.
#include "viper/cpu/batch/batches.h"
#include "viper/cpu/contact/contact_lanes.h"
#include "viper/cpu/single/single.h"
#include "viper/cpu/tiles/tiles_lanes.h"

const viper_lanes_api VIPER_NAME(viper_lanes) = {
    VIPER_LANES,          viper_batches_create,  viper_batches_destroy, viper_batches_put,
    viper_batches_get,    viper_batches_substep, viper_batches_begin,   viper_batches_iterate,
    viper_batches_end,    viper_batches_places,  viper_single_predict,  viper_single_rate,
    viper_single_sweeps,  viper_single_direct,   viper_tiles_create,    viper_tiles_destroy,
    viper_tiles_reserve,  viper_tiles_sweep,     viper_contact_begins,  viper_contact_passes,
    viper_contact_settle, viper_contact_watch};
