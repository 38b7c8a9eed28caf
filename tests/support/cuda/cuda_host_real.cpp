// SPDX-License-Identifier: GPL-3.0-or-later
/// See cuda_host.h. Compiled once per precision.
#include "cuda/phases_coop.hpp"

#include "cuda/cuda_bundle.hpp"
#include "cuda/cuda_contact.hpp"
#include "cuda/cuda_terms.h"
#include "cuda/cuda_terms_set.h"
#include "cuda/cuda_threads.hpp"
#include "cuda/phases_skin.hpp"
#include "viper/cuda/core/host.h"
#include "viper/cuda/skin/device.h"

#include <cstring>
#include <memory>

namespace {

cuda_threads *current_coop; ///< the lanes whose barrier it is

struct instance {
  const viper_model *model;
  viper_method method;
  viper_body_groups body_groups;
  viper_coops coops;
  const viper_upload_api *api;
  viper_device_model *device_model;
  std::vector<char> rest, state, moving;
  std::vector<viper_real> workspace;
  const viper_device *device;
  const viper_skin_upload_api *skin_api;
  viper_device_model *skin_model; ///< null where the scene has no surface
  const viper_skin_device *skin;
  std::vector<char> skin_rest, skin_room;
  int coop_size;
  std::unique_ptr<cuda_threads> coop;
  std::unique_ptr<contact_host> contact; ///< null where nothing touches
  std::unique_ptr<bundle_host> bundles;  ///< null where there are none
  int64_t n_settled;
};

void destroy(void *self) {
  auto *in = static_cast<instance *>(self);
  if (!in)
    return;
  viper_body_groups_destroy(&in->body_groups);
  viper_coops_destroy(&in->coops);
  viper_device_model_destroy(in->device_model);
  viper_device_model_destroy(in->skin_model);
  delete in;
}

vb_status create_skin(instance *in, const viper_skin *skin, vb_error *error) {
  vb_status status = in->skin_api->create(skin, in->model, in->device, &in->skin_model, error);
  if (status)
    return status;
  viper_block_bytes bytes = viper_device_model_count(in->skin_model);
  char *rest = aligned_block(in->skin_rest, bytes.rest, 0),
       *room = aligned_block(in->skin_room, bytes.room, 0);
  in->skin = static_cast<const viper_skin_device *>(
      viper_device_model_lay(in->skin_model, rest, rest, room));
  return VB_OK;
}

vb_status create(const viper_backend_setup *setup, void **out, vb_error *error) {
  auto *in = new instance();
  bool direct = setup->settings->method == VIPER_DIRECT;
  in->model = setup->model;
  in->method = setup->settings->method;
  in->api = &VIPER_NAME(viper_upload);
  in->skin_api = &VIPER_NAME(viper_skin_upload);
  in->coop_size = cuda_host.coop_size;
  in->coop = std::make_unique<cuda_threads>(cuda_host.order);
  viper_device_limits limits = cuda_host.limits;
  if (viper_has_contact(in->model) || viper_has_bundles(in->model)) // nothing in shared memory
    limits.shared_of_block = limits.shared_of_multiprocessor = VIPER_PLENTY_OF_MEMORY;
  vb_status status = viper_body_groups_create(in->model, false, direct, 0, &in->body_groups, error);
  if (!status)
    status = viper_body_groups_complete(in->model, direct, &in->body_groups, error);
  if (!status)
    status = viper_coops_create(&in->body_groups, in->method, sizeof(viper_real), &limits,
                                &in->coops, error);
  if (!status)
    status =
        in->api->create(in->model, &in->body_groups, setup->settings, &in->device_model, error);
  if (status) {
    destroy(in);
    return status;
  }
  viper_block_bytes bytes = viper_device_model_count(in->device_model);
  in->moving.resize(in->api->moving(in->device_model));
  char *rest = aligned_block(in->rest, bytes.rest, 0),
       *state = aligned_block(in->state, bytes.room, 0);
  in->device = static_cast<const viper_device *>(
      viper_device_model_lay(in->device_model, rest, rest, state));
  if (viper_has_contact(in->model)) {
    in->contact = std::make_unique<contact_host>(in->model, in->device, &in->coops, in->coop.get());
    status = in->contact->create({in->model, &in->body_groups, *setup->settings}, cuda_host.rooms,
                                 error);
  }
  if (viper_has_bundles(in->model)) {
    in->bundles = std::make_unique<bundle_host>(in->device, &in->coops, in->coop.get());
    status = in->bundles->create({in->model, &in->body_groups, *setup->settings}, error);
  }
  if (in->contact && in->bundles)
    in->contact->pass_bundles = [in](const viper_contact_device *bodies, int pass) {
      in->bundles->pass_among(bodies, pass);
    };
  if (!status && setup->skin->n_vertices > 0)
    status = create_skin(in, setup->skin, error);
  if (status) {
    destroy(in);
    return status;
  }
  *out = in;
  return VB_OK;
}

vb_status put(void *self, const viper_state *state, vb_error *) {
  auto *in = static_cast<instance *>(self);
  in->api->put(in->device_model, state, reinterpret_cast<char *>(in->device->control));
  if (in->contact)
    in->contact->reset(state->kept);
  if (in->bundles)
    in->bundles->put(state);
  in->n_settled = 0;
  return VB_OK;
}

vb_status get(void *self, viper_state *state, vb_error *) {
  auto *in = static_cast<instance *>(self);
  in->api->get(in->device_model, reinterpret_cast<const char *>(in->device->control), state);
  return VB_OK;
}

vb_status keep(void *self, double *out, vb_error *) {
  static_cast<instance *>(self)->contact->keep(out);
  return VB_OK;
}

/// What a kernel does for one body.
void step_body(instance *in, int32_t body, int coop_size, bool device_wide,
               const viper_launch *launch) {
  const viper_device_body *b = &in->device->body[body];
  const viper_device_body_group *group = &in->device->group[b->group];
  viper_workspace_size size = viper_workspace_size_of(group);
  size_t n_workspace = viper_workspace_reals(in->method, size);
  in->workspace.assign(n_workspace + 4, VIPER_R(NAN)); // what is read must have been written before
  viper_real *workspace = in->workspace.data();
  workspace += (16 - reinterpret_cast<uintptr_t>(workspace) % 16) % 16 / sizeof *workspace;
  in->coop->run(coop_size, [&](int rank) {
    phases_access w = {};
    w.log = phases_now;
    w.device = in->device;
    w.model = group;
    w.adjacency = &group->adjacency;
    w.body = b;
    w.workspace = viper_workspace_at(in->method, workspace, size);
    w.thread = {rank, coop_size, VIPER_SYNC_BLOCK, 0}; // on the host all meet alike
    w.launch = launch;
    w.h = launch->h;
    w.submatrices = device_wide;
    w.is_static = launch->settings.dynamics == VIPER_STATIC;
    w.solid = in->device->solid != nullptr;
    switch (in->method) {
#define SUBSTEP(name, NAME, word, traits, cost, text)                                              \
  case VIPER_##NAME:                                                                               \
    phases_substep<VIPER_##NAME>(&w, launch);                                                      \
    break;
      VIPER_METHODS(SUBSTEP)
#undef SUBSTEP
    }
  });
}

vb_status step(void *self, const viper_settings *settings, double time, double h, vb_error *) {
  auto *in = static_cast<instance *>(self);
  double substep = h / settings->substeps, damping = vb_scene_world(in->model->scene)->damping;
  current_coop = in->coop.get();
  for (int k = 0; k < settings->substeps; k++) {
    viper_advance advance = viper_advance_of(settings, k, substep, damping);
    viper_launch launch = viper_launch_of(settings, &advance);
    launch.settings.fresh_contacts = settings->fresh_contacts && k == 0;
    if (!in->moving.empty()) {
      in->api->move(in->device_model, time + k * substep, substep,
                    viper_advance_work_from(&advance, time + k * substep, substep),
                    in->moving.data());
      memcpy(const_cast<viper_real *>(in->device->bound_value), in->moving.data(),
             in->moving.size());
    }
    if (in->contact) {
      in->contact->substep({launch, in->coop_size}, k + 1 == settings->substeps);
      cuda_host.times_grown = in->contact->times_grown();
      continue;
    }
    if (in->bundles) {
      in->bundles->substep({launch, in->coop_size}, k + 1 == settings->substeps);
      continue;
    }
    if (in->device->control->stopped) // kernels that join bodies look for themselves
      break;
    for (size_t c = 0; c < in->coops.n; c++) {
      const viper_coop_class *coop = &in->coops.item[c];
      int coop_size = in->coop_size ? in->coop_size : coop->coop_size ? coop->coop_size : 96;
      for (int32_t b = 0; b < coop->n_bodies; b++)
        step_body(in, in->coops.body[coop->first + b], coop_size, coop->coop_size == 0, &launch);
    }
    for (int32_t slot = 0; slot < in->device->n_slots; slot++)
      viper_add_work(in->device, slot);
    viper_end_substep(in->device->control, k + 1 == settings->substeps);
  }
  return VB_OK;
}

vb_status sync_steps(void *self, double *, viper_progress *progress, vb_error *) {
  auto *in = static_cast<instance *>(self);
  const viper_control *control = in->device->control;
  progress->n_steps = control->n_steps - in->n_settled;
  progress->trouble = control->stopped;
  in->n_settled = control->n_steps;
  return VB_OK;
}

/// Runs `function` for each of `n` elements, by lanes that never meet.
void for_each(instance *in, int32_t n, const std::function<void(int32_t)> &function) {
  const int32_t coop_size = 64;
  in->coop->run(coop_size, [&](int rank) {
    for (int32_t i = rank; i < n; i += coop_size)
      function(i);
  });
}

vb_status skin(void *self, double *vertices, double *volume, vb_error *) {
  auto *in = static_cast<instance *>(self);
  for (int p = 0; p < VIPER_SKIN_PHASES; p++) {
    auto phase = static_cast<viper_skin_phase>(p);
    for_each(in, viper_skin_elements(in->skin, phase),
             [&](int32_t i) { viper_skin_element(in->skin, phase, i); });
    if (phases_now)
      phases_note_skin(phases_now, (int32_t)in->model->n_bodies, in->skin, phase);
  }
  in->skin_api->get(in->skin_model, reinterpret_cast<const char *>(in->skin->volume), vertices,
                    volume);
  return VB_OK;
}

vb_status bundled_residual(void *self, double h, const double *load, const double *active,
                           double *out, vb_error *error) {
  return static_cast<const instance *>(self)->bundles->residual(h, load, active, out, error);
}

void contact(const void *self, double out[VIPER_N_CONTACT]) {
  static_cast<const instance *>(self)->contact->report(out);
}

vb_status contact_forces(const void *self, const double *node, double *on_body, double *on_plane,
                         double work[2], vb_error *error) {
  (void)error;
  static_cast<const instance *>(self)->contact->forces(node, on_body, on_plane, work);
  return VB_OK;
}

} // namespace

#if VIPER_PRECISION == 32
cuda_host_choice cuda_host;
#endif

extern "C" void viper_host_barrier(void) {
  current_coop->barrier();
}

static viper_backend make_table() {
  viper_backend table = {};
  table.name = "cuda";
  table.create = create;
  table.destroy = destroy;
  table.put = put;
  table.get = get;
  table.keep = keep;
  table.step = step;
  table.sync = sync_steps;
  table.skin = skin;
  table.contact = contact;
  table.contact_forces = contact_forces;
  table.bundled_residual = bundled_residual;
  return table;
}

extern "C" const viper_backend VIPER_NAME(cuda_host) = make_table();

extern "C" void VIPER_NAME(cuda_host_terms)(const void *in, int n, void *out) {
  cuda_threads coop(CUDA_HOST_SHUFFLED);
  current_coop = &coop;
  coop.run(32, [&](int rank) {
    for (int k = rank; k < n; k += 32) {
      terms_all(static_cast<const terms_input *>(in) + k,
                static_cast<viper_scalar *>(out) + (size_t)k * TERMS_OUTPUT);
    }
  });
}
