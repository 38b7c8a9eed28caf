// SPDX-License-Identifier: GPL-3.0-or-later
/// What is done to loose bodies, elements several at a time: see viper_lanes_api. Only for sources
/// that end in _lanes.c.
#ifndef VIPER_CPU_SINGLE_H
#define VIPER_CPU_SINGLE_H

#include "viper/cpu/lanes.h"

#define viper_loose_predict VIPER_NAME(viper_loose_predict)
#define viper_loose_rate    VIPER_NAME(viper_loose_rate)
#define viper_loose_sweeps  VIPER_NAME(viper_loose_sweeps)
#define viper_loose_direct  VIPER_NAME(viper_loose_direct)

void viper_loose_predict(const viper_arrays *arrays, const viper_motion *motion, viper_team team);
bool viper_loose_rate(const viper_arrays *arrays, const viper_motion *motion, viper_team team);
void viper_loose_sweeps(const viper_arrays *arrays, const viper_model_body *body,
                        const viper_settings *settings, double h, viper_team team);
void viper_loose_direct(const viper_arrays *arrays, const viper_model_body *body,
                        const viper_settings *settings, double h, viper_team team);

#endif
