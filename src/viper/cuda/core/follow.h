// SPDX-License-Identifier: GPL-3.0-or-later
/// Where iterations begin at nodes that follow drivers, by a cooperative group.
#ifndef VIPER_CUDA_CORE_FOLLOW_H
#define VIPER_CUDA_CORE_FOLLOW_H

#include "viper/cuda/core/access_coop.h"
#include "viper/method/elements.h"
#include "viper/method/follower_load.h"

/// Phase function: a node that follows drivers goes from where it is to where those take it.
VIPER_FN void viper_follow_node(viper_access *w, int32_t k) {
  const viper_device_follow *follow = &w->model->follow[k];
  const viper_real *row = w->device->bound_value + 4 * (size_t)follow->value;
  viper_node_x x = viper_get_node(w, follow->node);
  x.c = viper_affine(row, row + 4, row + 8, x.c);
  viper_set_node(w, follow->node, x);
}

/// All such nodes of the body, after all that moves them.
VIPER_FN void viper_follow_nodes(viper_access *w) {
  if (w->model->n_follows == 0 || !w->launch->follows)
    return;
  viper_barrier(w);
  VIPER_EACH(w, NULL, 0, w->model->n_follows, viper_follow_node(w, at));
  viper_barrier(w);
}

#endif
