// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/bundle/bundle_residual.h"

#include "viper/cpu/cpu_real.h"

#include <stdlib.h>

vb_status VIPER_NAME(viper_bundle_residual)(const viper_model *model,
                                            const viper_bundle_end_state *end_state, double h,
                                            double *out, vb_error *error) {
  size_t nodes = 0, segments = 0; // of the largest body
  for (size_t k = 0; k < model->n_bodies; k++) {
    size_t n = (size_t)model->body[k].n_nodes, s = (size_t)model->body[k].n_segments;
    nodes = n > nodes ? n : nodes;
    segments = s > segments ? s : segments;
  }
  double *scratch = malloc((4 * nodes + 3 * segments + 1) * sizeof *scratch);
  if (!scratch)
    return vb_error_memory(error);
  viper_cpu end = {
      // the state is only read
      .model = model,
      .node = (viper_node_x *)end_state->node,
      .node_hat = (viper_node_x *)end_state->node_hat,
      .frame = (viper_quat *)end_state->frame,
      .frame_hat = (viper_quat *)end_state->frame_hat,
      .node_force = scratch,
      .frame_force = scratch + 4 * nodes,
  };
  viper_cpu began = end;
  began.node_hat = (viper_node_x *)end_state->node_hat0;
  began.frame_hat = (viper_quat *)end_state->frame_hat0;
  *out = viper_relative_residual(&began, &end, h);
  free(scratch);
  return VB_OK;
}
