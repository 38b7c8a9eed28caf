// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/contact/rod_neighbors.h"

#include <stdlib.h>

vb_status viper_rod_neighbors_fill(const viper_model *model, viper_rod_neighbors *out,
                                   vb_error *error) {
  // Of each node its segments: how many, and one of them, or both.
  typedef struct meeting {
    int32_t n, segment[2];
  } meeting;
  meeting *at = calloc(model->n_nodes + 1, sizeof *at);
  if (!at)
    return vb_error_memory(error);
  for (size_t j = 0; j < model->n_segments; j++)
    for (int end = 0; end < 2; end++) {
      meeting *m = &at[model->segment[j].node[end]];
      if (m->n < 2)
        m->segment[m->n] = (int32_t)j;
      m->n++;
    }
  for (size_t j = 0; j < model->n_segments; j++)
    for (int end = 0; end < 2; end++) {
      int32_t here = model->segment[j].node[end];
      const meeting *m = &at[here];
      const int32_t *other = model->segment[m->segment[m->segment[0] == (int32_t)j]].node;
      out[j].node[end] = m->n == 2 ? other[other[0] == here] : -1;
    }
  free(at);
  return VB_OK;
}
