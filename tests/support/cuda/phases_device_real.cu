// SPDX-License-Identifier: GPL-3.0-or-later
/// Notes of the kernels' phases (phases.h) on a device: a block for each body, which works on it in
/// the device's memory. All memory is managed, so that the host lays out and reads what it is
/// given.
#include "cuda/phases_managed.hpp"

#include "cuda/phases_coop.hpp"

namespace {

enum { COOP_SIZE = 64 };

template <viper_method METHOD>
__global__ void substep(const __grid_constant__ viper_device device,
                        const __grid_constant__ viper_launch launch, phases *log,
                        viper_real *workspace, size_t n_workspace) {
  phases_access w;
  w.device = &device;
  w.launch = &launch;
  w.h = launch.h;
  w.thread = viper_coop_thread_of_group(COOP_SIZE);
  w.submatrices = false;
  w.is_static = false;
  w.solid = device.solid != nullptr;
  w.body = &device.body[blockIdx.x];
  w.model = &device.group[w.body->group];
  w.adjacency = &w.model->adjacency;
  w.workspace = viper_workspace_at(METHOD, workspace + blockIdx.x * n_workspace,
                                   viper_workspace_size_of(w.model));
  w.log = log;
  phases_substep<METHOD>(&w, &launch);
}

typedef void substep_kernel(const viper_device, const viper_launch, phases *, viper_real *, size_t);

substep_kernel *kernel_of(viper_method method) {
  switch (method) {
#define KERNEL(name, NAME, word, traits, cost, text)                                               \
  case VIPER_##NAME:                                                                               \
    return substep<VIPER_##NAME>;
    VIPER_METHODS(KERNEL)
#undef KERNEL
  }
  return nullptr;
}

/// Room near any body of the model.
size_t most_workspace(const phases_job *job) {
  size_t most = 0;
  for (size_t k = 0; k < job->body_groups->n_groups; k++) {
    const viper_body_group *group = &job->body_groups->group[k];
    size_t n =
        viper_workspace_reals(job->settings.method, viper_workspace_size_of_body_group(group));
    most = n > most ? n : most;
  }
  return most;
}

int run(const phases_job *job) {
  phases_scene scene(job);
  size_t n_bodies = job->model->n_bodies, n_workspace = most_workspace(job);
  viper_real *workspace = scene.memory.take<viper_real>(n_bodies * n_workspace);
  phases *log = scene.memory.take<phases>(1);
  double *value = scene.memory.take<double>(n_bodies * job->log->capacity);
  size_t *n = scene.memory.take<size_t>(n_bodies);
  if (scene.memory.code)
    return scene.memory.code;
  memset(n, 0, n_bodies * sizeof *n);
  *log = *job->log;
  log->value = value;
  log->n = n;
  viper_launch launch = viper_launch_of(&job->settings, &scene.advance);
  void *arguments[] = {const_cast<viper_device *>(scene.device), &launch, &log, &workspace,
                       &n_workspace};
  int code = cudaLaunchKernel((const void *)kernel_of(job->settings.method),
                              dim3((unsigned)n_bodies), dim3(COOP_SIZE), arguments, 0, nullptr);
  if (!code)
    code = scene.get();
  if (code)
    return code;
  memcpy(job->log->value, value, n_bodies * job->log->capacity * sizeof *value);
  memcpy(job->log->n, n, n_bodies * sizeof *n);
  return 0;
}

} // namespace

extern "C" int VIPER_NAME(phases_device)(const phases_job *job) {
  return run(job);
}
