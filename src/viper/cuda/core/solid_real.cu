// SPDX-License-Identifier: GPL-3.0-or-later
/// The kernels of scenes with segments of the material model solid. Those of others are compiled
/// without a trace of it, so that they take no more registers.
#define VIPER_WITH_SOLID true
#define viper_these      viper_solid_kernels
#include "viper/cuda/core/kernels_real.cu"
