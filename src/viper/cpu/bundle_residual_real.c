// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/bundle/bundle_residual.h"

#include "viper/cpu/cpu_real.h"

#include <stdlib.h>

vb_status VIPER_NAME(viper_bundle_residual)(const viper_model *model,
                                            const viper_bundle_end_state *end_state, double h,
                                            const double *load, double *out, vb_error *error) {
  const viper_node_x *bundled = end_state->node_bundled;
  double *node_hat0 = bundled ? malloc((4 * model->n_nodes + 1) * sizeof *node_hat0) : NULL;
  if (bundled && !node_hat0)
    return vb_error_memory(error);
  for (size_t i = 0; bundled && i < model->n_nodes; i++)
    viper_node_to(bundled[i], node_hat0 + 4 * i);
  viper_cpu end = {
      // the state is only read
      .model = model,
      .node = (viper_node_x *)end_state->node,
      .node_hat = (viper_node_x *)end_state->node_hat,
      .node_hat0 = node_hat0,
      .frame = (viper_quat *)end_state->frame,
      .frame_hat = (viper_quat *)end_state->frame_hat,
  };
  viper_cpu began = end;
  began.node_hat = (viper_node_x *)end_state->node_hat0;
  began.frame_hat = (viper_quat *)end_state->frame_hat0;
  vb_status status = viper_relative_residual(&began, &end, h, load, out, error);
  free(node_hat0);
  return status;
}
