// SPDX-License-Identifier: GPL-3.0-or-later
/// Notes of contact's phases (phases.h) on a device: the backend's kernels one by one, waited for.
#include "cuda/phases_contact.hpp"
#include "cuda/phases_managed.hpp"
#include "viper/cuda/contact/host.h"

#if VIPER_PRECISION == 32
#define KERNELS viper_contact_kernels_f32_strict
#define BODIES  viper_contact_body_kernels_f32_strict
#else
#define KERNELS viper_contact_kernels_f64_strict
#define BODIES  viper_contact_body_kernels_f64_strict
#endif

namespace {

struct runner {
  phases_scene *scene;
  const viper_contact_device *contact;
  viper_coops coops;
  viper_contact_coop coop; ///< one block, with all the shared memory that there is
  const int32_t *bodies;
  char *scratch;
  size_t bytes;
  bool between, driven;

  phases_of_contact notes() const { return {scene->job->log, contact, between}; }
};

int wait(int code) {
  return code ? code : (int)cudaDeviceSynchronize();
}

int bodies(void *self, viper_bodies_action action, const viper_settings *settings) {
  auto *r = static_cast<runner *>(self);
  return wait(BODIES.run(r->scene->device, r->contact, action, settings, r->scene->job->h,
                         r->scene->advance.rate, &r->coops, r->bodies, nullptr));
}

int phase(void *self, viper_contact_phase phase) {
  auto *r = static_cast<runner *>(self);
  int code = wait(KERNELS.phase(r->scene->device, r->contact, phase, &r->coop, nullptr));
  if (!code)
    r->notes().after_phase(phase);
  return code;
}

int sort(void *self, viper_contact_sort sort) {
  auto *r = static_cast<runner *>(self);
  int code = wait(KERNELS.sort(r->contact, sort, r->scratch, r->bytes, nullptr));
  if (!code)
    r->notes().after_sort(sort);
  return code;
}

int end(void *self, bool last) {
  auto *r = static_cast<runner *>(self);
  return wait(KERNELS.end(r->scene->device, r->contact, last, nullptr));
}

int run(runner *r, const viper_contact_upload_api *api, viper_device_model *device_model) {
  phases_memory *memory = &r->scene->memory;
  const viper_model *model = r->scene->job->model;
  viper_contact_rooms rooms = *api->rooms(device_model);
  viper_block_bytes bytes = viper_device_model_count(device_model);
  char *rest = memory->take<char>(bytes.rest), *room = memory->take<char>(bytes.room);
  int32_t *list = memory->take<int32_t>(model->n_bodies);
  int32_t most = (int32_t)model->n_segments;
  if (int code = viper_sort_bytes(most > rooms.touches ? most : rooms.touches, &r->bytes))
    return code;
  if (int code = KERNELS.prepare(&r->coop))
    return code;
  r->coop.blocks = 1;
  r->scratch = memory->take<char>(r->bytes);
  if (memory->code)
    return memory->code;
  r->contact = static_cast<const viper_contact_device *>(
      viper_device_model_lay(device_model, rest, rest, room));
  memcpy(list, r->coops.body, model->n_bodies * sizeof *list);
  r->bodies = list;
  static const viper_contact_executor executor = {bodies, phase, sort, end, nullptr};
  int code =
      viper_contact_substep(&executor, r, r->between, r->driven, &r->scene->job->settings, true);
  if (!code && r->contact->run->full)
    code = cudaErrorMemoryAllocation; // a test has too little room
  return code ? code : r->scene->get();
}

} // namespace

extern "C" int VIPER_NAME(phases_contact_device)(const phases_job *job) {
  const viper_contact_upload_api *api = &VIPER_NAME(viper_contact_upload);
  const viper_joined_setup setup = {job->model, job->body_groups, job->settings};
  const viper_device_limits limits = {132, VIPER_PLENTY_OF_MEMORY, VIPER_PLENTY_OF_MEMORY, 0, 384,
                                      0};
  phases_scene scene(job);
  runner r = {};
  viper_device_model *device_model = nullptr;
  if (scene.memory.code || api->create(&setup, &device_model, nullptr))
    return cudaErrorMemoryAllocation;
  r.scene = &scene;
  r.between = vb_scene_contact(job->model->scene) != nullptr;
  r.driven = vb_scene_count(job->model->scene, VB_SET_PLANE_DRIVER) > 0;
  int code = cudaErrorMemoryAllocation;
  if (!viper_coops_create(job->body_groups, job->settings.method, sizeof(viper_real), &limits,
                          &r.coops, nullptr)) {
    code = run(&r, api, device_model);
    viper_coops_destroy(&r.coops);
  }
  viper_device_model_destroy(device_model);
  return code;
}
