// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/bundle/bundle_residual.h"

#include "viper/cpu/core/cpu_real.h"

#include <stdlib.h>

/// Copies in the working precision, or as doubles, freed with `cpu`; without memory null.
static void copy_parts(viper_cpu *cpu, const viper_bundle_end_state *from) {
  const viper_node_x *bundled = from->node_bundled;
  cpu->node_hat0 =
      bundled ? reallocarray(NULL, 4 * cpu->model->n_nodes + 1, sizeof *cpu->node_hat0) : NULL;
  for (size_t i = 0; cpu->node_hat0 && i < cpu->model->n_nodes; i++)
    viper_node_to(bundled[i], cpu->node_hat0 + 4 * i);
  cpu->active =
      from->active ? reallocarray(NULL, cpu->model->n_segments + 1, sizeof *cpu->active) : NULL;
  for (size_t j = 0; cpu->active && j < cpu->model->n_segments; j++)
    cpu->active[j] =
        (viper_contraction){(viper_real)from->active[2 * j], (viper_real)from->active[2 * j + 1]};
}

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
  copy_parts(&end, end_state);
  viper_cpu began = end;
  began.node_hat = (viper_node_x *)end_state->node_hat0;
  began.frame_hat = (viper_quat *)end_state->frame_hat0;
  bool complete = (!end_state->node_bundled || end.node_hat0) && (!end_state->active || end.active);
  vb_status status = complete ? viper_relative_residual(&began, &end, h, load, out, error)
                              : vb_error_memory(error);
  free(end.node_hat0);
  free(end.active);
  return status;
}
