// SPDX-License-Identifier: GPL-3.0-or-later
/// The table of backends.
#include "viper/backend/backend.h"

const viper_backend *const *viper_backends(void) {
  static const viper_backend *const table[] = {
#ifdef VIPER_CUDA
      &viper_backend_cuda,
#endif
      &viper_backend_cpu, NULL};
  return table;
}
