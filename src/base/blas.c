// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/blas.h"

#include <dlfcn.h>
#include <string.h>

bool vb_blas_use_one_thread(void) {
  void (*set_threads)(int);
  void *symbol = dlsym(RTLD_DEFAULT, "openblas_set_num_threads");
  memcpy(&set_threads, &symbol, sizeof set_threads);
  if (symbol)
    set_threads(1);
  return symbol != NULL;
}

const char *vb_blas_name(void) {
  char *(*config)(void);
  void *symbol = dlsym(RTLD_DEFAULT, "openblas_get_config");
  memcpy(&config, &symbol, sizeof config);
  return symbol ? config() : "not OpenBLAS";
}
