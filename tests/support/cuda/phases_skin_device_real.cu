// SPDX-License-Identifier: GPL-3.0-or-later
/// Notes of a skin's phases (phases.h) on a device: the backend's kernels one by one, waited for.
#include "cuda/phases_managed.hpp"
#include "cuda/phases_skin.hpp"

#if VIPER_PRECISION == 32
#define KERNELS viper_skin_kernels_f32_strict
#else
#define KERNELS viper_skin_kernels_f64_strict
#endif

static int run(phases_scene *scene, viper_device_model *device_model) {
  viper_block_bytes bytes = viper_device_model_count(device_model);
  char *rest = scene->memory.take<char>(bytes.rest), *room = scene->memory.take<char>(bytes.room);
  if (scene->memory.code)
    return scene->memory.code;
  auto *skin = static_cast<const viper_skin_device *>(
      viper_device_model_lay(device_model, rest, rest, room));
  for (int p = 0; p < VIPER_SKIN_PHASES; p++) {
    auto phase = static_cast<viper_skin_phase>(p);
    int code = KERNELS.run(skin, phase, nullptr);
    if (!code)
      code = cudaDeviceSynchronize();
    if (code)
      return code;
    phases_note_skin(scene->job->log, (int32_t)scene->job->model->n_bodies, skin, phase);
  }
  return 0;
}

extern "C" int VIPER_NAME(phases_skin_device)(const phases_job *job) {
  const viper_skin_upload_api *api = &VIPER_NAME(viper_skin_upload);
  phases_scene scene(job);
  viper_device_model *device_model = nullptr;
  if (scene.memory.code || api->create(job->skin, job->model, scene.device, &device_model, nullptr))
    return cudaErrorMemoryAllocation;
  int code = run(&scene, device_model);
  viper_device_model_destroy(device_model);
  return code;
}
