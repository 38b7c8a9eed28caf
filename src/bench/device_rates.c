// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/device_rates.h"

#ifdef VIPER_CUDA
extern const vb_device_rates vb_device_rates_cuda; // device_rates.cu
#endif

const vb_device_rates *vb_device_rates_here(void) {
#ifdef VIPER_CUDA
  return &vb_device_rates_cuda;
#else
  return NULL;
#endif
}
