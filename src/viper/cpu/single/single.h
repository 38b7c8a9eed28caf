// SPDX-License-Identifier: GPL-3.0-or-later
/// Functions on single bodies, several elements at a time: see viper_lanes_api. Only for sources
/// that end in _lanes.c.
#ifndef VIPER_CPU_SINGLE_SINGLE_H
#define VIPER_CPU_SINGLE_SINGLE_H

#include "viper/cpu/core/lanes.h"

#define viper_single_predict VIPER_NAME(viper_single_predict)
#define viper_single_rate    VIPER_NAME(viper_single_rate)
#define viper_single_sweeps  VIPER_NAME(viper_single_sweeps)
#define viper_single_direct  VIPER_NAME(viper_single_direct)
#define viper_single_static  VIPER_NAME(viper_single_static)

void viper_single_predict(const viper_arrays *arrays, const viper_motion *motion,
                          viper_thread_group thread_group);
bool viper_single_rate(const viper_arrays *arrays, const viper_motion *motion,
                       viper_thread_group thread_group);
void viper_single_sweeps(const viper_arrays *arrays, const viper_model_body *body,
                         const viper_settings *settings, double h, viper_thread_group thread_group);
void viper_single_direct(const viper_arrays *arrays, const viper_model_body *body,
                         const viper_settings *settings, double h, viper_thread_group thread_group);
void viper_single_static(const viper_arrays *arrays, const viper_model_body *body,
                         const viper_settings *settings, double h, viper_thread_group thread_group);

#endif
