// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/bundle/bundle_residual.h"

#include "viper/cpu/cpu_real.h"

vb_status VIPER_NAME(viper_bundle_residual)(const viper_model *model,
                                            const viper_bundle_end_state *end_state, double h,
                                            const double *load, double *out, vb_error *error) {
  viper_cpu end = {
      // the state is only read
      .model = model,
      .node = (viper_node_x *)end_state->node,
      .node_hat = (viper_node_x *)end_state->node_hat,
      .frame = (viper_quat *)end_state->frame,
      .frame_hat = (viper_quat *)end_state->frame_hat,
  };
  viper_cpu began = end;
  began.node_hat = (viper_node_x *)end_state->node_hat0;
  began.frame_hat = (viper_quat *)end_state->frame_hat0;
  return viper_relative_residual(&began, &end, h, load, out, error);
}
