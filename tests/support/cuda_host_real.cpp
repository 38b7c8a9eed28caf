// SPDX-License-Identifier: GPL-3.0-or-later
/// See cuda_host.h. Compiled once per precision.
#include "phases_coop.hpp"

#include "cuda_bundle.hpp"
#include "cuda_contact.hpp"
#include "cuda_threads.hpp"
#include "cuda_terms.h"
#include "cuda_terms_set.h"
#include "phases_skin.hpp"
#include "viper/cuda/core/host.h"
#include "viper/cuda/skin/device.h"

#include <cstring>
#include <memory>

namespace {

cuda_lanes *at_work; ///< the lanes whose barrier it is

struct instance {
  const viper_model *model;
  viper_method method;
  viper_kinds kinds;
  viper_teams teams;
  const viper_image_api *api;
  void *image;
  std::vector<char> rest, state, moving;
  std::vector<viper_real> near;
  const viper_device *device;
  const viper_skin_image_api *skin_api;
  void *skin_image; ///< null where the scene has no surface
  const viper_skin_device *skin;
  std::vector<char> skin_rest, skin_room;
  int lanes;
  std::unique_ptr<cuda_lanes> team;
  std::unique_ptr<contact_host> contact; ///< null where nothing touches
  std::unique_ptr<bundle_host> bundles;  ///< null where there are none
  int64_t n_settled;
};

void destroy(void *self) {
  auto *in = static_cast<instance *>(self);
  if (!in)
    return;
  viper_kinds_destroy(&in->kinds);
  viper_teams_destroy(&in->teams);
  in->api->destroy(in->image);
  in->skin_api->destroy(in->skin_image);
  delete in;
}

vb_status create_skin(instance *in, const viper_skin *skin, vb_error *error) {
  vb_status status = in->skin_api->create(skin, in->model, in->device, &in->skin_image, error);
  if (status)
    return status;
  viper_skin_bytes bytes = in->skin_api->bytes(in->skin_image);
  char *rest = aligned_block(in->skin_rest, bytes.rest, 0),
       *room = aligned_block(in->skin_room, bytes.room, 0);
  in->skin =
      static_cast<const viper_skin_device *>(in->skin_api->fill(in->skin_image, rest, rest, room));
  return VB_OK;
}

vb_status create(const viper_backend_setup *setup, void **out, vb_error *error) {
  auto *in = new instance();
  bool direct = setup->method == VIPER_DIRECT;
  in->model = setup->model;
  in->method = setup->method;
  in->api = &VIPER_NAME(viper_image);
  in->skin_api = &VIPER_NAME(viper_skin_image);
  in->lanes = cuda_host.lanes;
  in->team = std::make_unique<cuda_lanes>(cuda_host.order);
  viper_device_limits limits = cuda_host.limits;
  if (viper_has_contact(in->model) || viper_has_bundles(in->model)) // nothing in shared memory
    limits.shared_of_block = limits.shared_of_multiprocessor = VIPER_PLENTY_OF_MEMORY;
  vb_status status = viper_kinds_create(in->model, false, direct, 0, &in->kinds, error);
  if (!status)
    status = viper_kinds_close(in->model, direct, &in->kinds, error);
  if (!status)
    status =
        viper_teams_create(&in->kinds, in->method, sizeof(viper_real), &limits, &in->teams, error);
  if (!status)
    status = in->api->create(in->model, &in->kinds, &in->image, error);
  if (status) {
    destroy(in);
    return status;
  }
  viper_image_bytes bytes = in->api->bytes(in->image);
  in->moving.resize(bytes.moving);
  char *rest = aligned_block(in->rest, bytes.rest, 0),
       *state = aligned_block(in->state, bytes.state, 0);
  in->device = static_cast<const viper_device *>(in->api->fill(in->image, rest, rest, state));
  if (viper_has_contact(in->model)) {
    in->contact = std::make_unique<contact_host>(in->model, in->device, &in->teams, in->team.get());
    status = in->contact->create(&in->kinds, in->method, cuda_host.rooms, error);
  }
  if (viper_has_bundles(in->model)) {
    in->bundles = std::make_unique<bundle_host>(in->device, &in->teams, in->team.get());
    status = in->bundles->create({in->model, &in->kinds, in->method}, error);
  }
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
  in->api->put(in->image, state, reinterpret_cast<char *>(in->device->control));
  if (in->contact)
    in->contact->reset();
  if (in->bundles)
    in->bundles->put(state);
  in->n_settled = 0;
  return VB_OK;
}

vb_status get(void *self, viper_state *state, vb_error *) {
  auto *in = static_cast<instance *>(self);
  in->api->get(in->image, reinterpret_cast<const char *>(in->device->control), state);
  return VB_OK;
}

/// What a kernel does for one body.
void work_on(instance *in, int32_t body, int lanes, bool grid, const viper_launch *launch) {
  const viper_device_body *b = &in->device->body[body];
  const viper_device_kind *kind = &in->device->kind[b->kind];
  viper_near_size size = viper_near_size_of(kind);
  size_t n_near = viper_near_reals(in->method, size);
  in->near.assign(n_near + 4, VIPER_R(NAN)); // what is read must have been written before
  viper_real *near = in->near.data();
  near += (16 - reinterpret_cast<uintptr_t>(near) % 16) % 16 / sizeof *near;
  in->team->run(lanes, [&](int rank) {
    phases_work w = {};
    w.log = phases_now;
    w.device = in->device;
    w.model = kind;
    w.links = &kind->links;
    w.body = b;
    w.near = viper_near_at(in->method, near, size);
    w.lane = {rank, lanes, VIPER_MEET_BLOCK, 0}; // on the host all meet alike
    w.launch = launch;
    w.h = launch->h;
    w.pieces = grid;
    if (in->method == VIPER_DIRECT)
      phases_substep<VIPER_DIRECT>(&w, launch);
    else if (in->method == VIPER_XPBD)
      phases_substep<VIPER_XPBD>(&w, launch);
    else if (in->method == VIPER_BLOCK_DESCENT)
      phases_substep<VIPER_BLOCK_DESCENT>(&w, launch);
    else
      phases_substep<VIPER_JACOBI_PUBLISHED>(&w, launch);
  });
}

vb_status step(void *self, const viper_settings *settings, double time, double h, vb_error *) {
  auto *in = static_cast<instance *>(self);
  double substep = h / settings->substeps, damping = vb_scene_world(in->model->scene)->damping;
  viper_launch launch = viper_launch_of(settings, substep, 1 / (substep * (1 + damping * substep)));
  at_work = in->team.get();
  for (int k = 0; k < settings->substeps; k++) {
    if (!in->moving.empty()) {
      in->api->move(in->image, time + k * substep + substep, in->moving.data());
      memcpy(const_cast<viper_real *>(in->device->bound_value), in->moving.data(),
             in->moving.size());
    }
    if (in->contact) {
      in->contact->substep({launch, in->lanes}, k + 1 == settings->substeps);
      cuda_host.times_grown = in->contact->times_grown();
      continue;
    }
    if (in->bundles) {
      in->bundles->substep({launch, in->lanes}, k + 1 == settings->substeps);
      continue;
    }
    if (in->device->control->stopped) // kernels that join bodies look for themselves
      break;
    for (size_t c = 0; c < in->teams.n; c++) {
      const viper_team_class *team = &in->teams.item[c];
      int lanes = in->lanes ? in->lanes : team->lanes ? team->lanes : 96;
      for (int32_t b = 0; b < team->n_bodies; b++)
        work_on(in, in->teams.body[team->first + b], lanes, team->lanes == 0, &launch);
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

/// Runs `work` for each of `n` elements, by lanes that never meet.
void for_each(instance *in, int32_t n, const std::function<void(int32_t)> &work) {
  const int32_t lanes = 64;
  in->team->run(lanes, [&](int rank) {
    for (int32_t i = rank; i < n; i += lanes)
      work(i);
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
  in->skin_api->get(in->skin_image, reinterpret_cast<const char *>(in->skin->volume), vertices,
                    volume);
  return VB_OK;
}

vb_status bundled_residual(void *self, double h, double *out, vb_error *error) {
  return static_cast<const instance *>(self)->bundles->residual(h, out, error);
}

void contact(const void *self, double out[VIPER_N_CONTACT]) {
  static_cast<const instance *>(self)->contact->tell(out);
}

} // namespace

#if VIPER_PRECISION == 32
cuda_host_choice cuda_host;
#endif

extern "C" void viper_host_barrier(void) {
  at_work->barrier();
}

static viper_backend make_table() {
  viper_backend table = {};
  table.name = "cuda";
  table.create = create;
  table.destroy = destroy;
  table.put = put;
  table.get = get;
  table.step = step;
  table.sync = sync_steps;
  table.skin = skin;
  table.contact = contact;
  table.bundled_residual = bundled_residual;
  return table;
}

extern "C" const viper_backend VIPER_NAME(cuda_host) = make_table();

extern "C" void VIPER_NAME(cuda_host_terms)(const void *in, int n, void *out) {
  cuda_lanes team(CUDA_HOST_SHUFFLED);
  at_work = &team;
  team.run(32, [&](int rank) {
    for (int k = rank; k < n; k += 32) {
      terms_all(static_cast<const terms_input *>(in) + k,
                static_cast<viper_scalar *>(out) + (size_t)k * TERMS_OUTPUT);
    }
  });
}
