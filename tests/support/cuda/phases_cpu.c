// SPDX-License-Identifier: GPL-3.0-or-later
/// The CPU backend once more, with the functions that take notes (phases.h).
#define viper_backend_cpu phases_cpu
#define viper_lanes_find  phases_lanes_find

#include "cuda/phases.h"
#include "viper/cpu/core/cpu.h"
#include "viper/cpu/core/lanes.h"

phases *phases_now;

const viper_lanes_api *phases_lanes_f32(void);
const viper_lanes_api *phases_lanes_f64(void);

const viper_cpu_api *phases_cpu_api_f32(void);
const viper_cpu_api *phases_cpu_api_f64(void);

const viper_lanes_api *phases_lanes_find(int precision, const char *instructions, bool fast) {
  (void)instructions;
  (void)fast;
  return precision == 32 ? phases_lanes_f32() : phases_lanes_f64();
}

#define viper_cpu_f32 (*phases_cpu_api_f32())
#define viper_cpu_f64 (*phases_cpu_api_f64())
#include "viper/cpu/backend_cpu.c"
