// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/cpu/access_batch.h"
void viper_batch_direct(viper_work *w, const viper_settings *settings) {
  (void)w;
  (void)settings;
}
