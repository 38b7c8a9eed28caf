// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/cuda/contact/host.h"

#include "viper/cuda/core/blocks.h"

#include <stdlib.h>

/// Segments up to which one block colors contacts, and up to which one block does all the rest: its
/// barriers take less than a grid's.
#define ONE_BLOCK      16384
#define ONE_PASS_BLOCK 1024
/// Segments for each block of a grid that goes over the contacts.
#define SEGMENTS_OF_BLOCK 28

struct viper_contact_cuda {
  const viper_contact_upload_api *api;
  const viper_contact_kernels *kernels;
  const viper_contact_body_kernels *of_bodies;
  const viper_model *model;
  viper_contact_host host;
  viper_blocks blocks;
  cudaStream_t stream;
  bool between; ///< whether capsules touch each other
  bool driven;  ///< whether there are driven half-planes
  bool stepped; ///< since a state was put
  viper_contact_coop coop;
  viper_contact_rooms *rooms; ///< the device model's
  viper_contact_run *h_run;   ///< pinned
  char *h_report;             ///< pinned
  int (*pass_bundles)(void *bundles, const void *contact, int pass);
  void *bundles; ///< null where there are none
  // Of the substep that is being queued
  viper_advance advance;
};

void viper_contact_cuda_destroy(viper_contact_cuda *c) {
  if (!c)
    return;
  viper_blocks_free(&c->blocks);
  cudaFreeHost(c->h_run);
  cudaFreeHost(c->h_report);
  free(c);
}

vb_status viper_contact_cuda_limits(const viper_backend_setup *setup, viper_device_limits *limits,
                                    vb_error *error) {
  limits->joined_of_block = limits->shared_of_block;
  limits->joined_of_multiprocessor = limits->shared_of_multiprocessor;
  limits->shared_of_block = limits->shared_of_multiprocessor = VIPER_PLENTY_OF_MEMORY;
  TRY(VIPER_BODY_KERNELS_FOR(contact_body_kernels, setup)
          ->prepare(setup->settings->method, &limits->threads_of_multiprocessor));
  return VB_OK;
}

static vb_status bring(viper_contact_cuda *c, vb_error *error) {
  c->rooms = c->api->rooms(c->blocks.model);
  if (viper_cuda_first.pairs > 0)
    *c->rooms = (viper_contact_rooms){viper_cuda_first.pairs, viper_cuda_first.touches};
  vb_status status = viper_blocks_bring(&c->blocks, error);
  if (status)
    return status;
  TRY(cudaMallocHost((void **)&c->h_run, sizeof *c->h_run));
  TRY(cudaMallocHost((void **)&c->h_report, c->api->report_bytes));
  return VB_OK;
}

/// Chooses the blocks of the groups. `coop` has how many of them a multiprocessor holds.
static void choose_blocks(viper_contact_coop *coop, size_t n_segments, int n_multiprocessors) {
  const int most = coop->blocks > 0 ? coop->blocks * n_multiprocessors : 1;
  size_t wanted = n_segments > ONE_PASS_BLOCK ? n_segments / SEGMENTS_OF_BLOCK : 1;
  int coloring = n_segments > ONE_BLOCK ? most : 1;
  if (viper_cuda_first.pass_blocks > 0)
    wanted = (size_t)viper_cuda_first.pass_blocks;
  if (viper_cuda_first.color_blocks > 0)
    coloring = viper_cuda_first.color_blocks;
  coop->blocks = coloring < most ? coloring : most;
  coop->pass_blocks = wanted < (size_t)most ? (int)wanted : most;
}

vb_status viper_contact_cuda_create(const viper_backend_setup *setup,
                                    const viper_contact_host *host, viper_contact_cuda **out,
                                    vb_error *error) {
  viper_joined_setup of_upload = {setup->model, host->body_groups, *setup->settings};
  viper_contact_cuda *c = calloc(1, sizeof *c);
  if (!c)
    return vb_error_memory(error);
  c->model = setup->model;
  c->host = *host;
  c->stream = host->stream;
  c->between = vb_scene_contact(setup->model->scene) != NULL;
  c->driven = vb_scene_count(setup->model->scene, VB_SET_PLANE_DRIVER) > 0;
  c->api = setup->variant->precision == VIPER_FLOAT ? &viper_contact_upload_f32
                                                    : &viper_contact_upload_f64;
  c->kernels = VIPER_KERNELS_FOR(viper_contact_kernels, setup);
  c->of_bodies = VIPER_BODY_KERNELS_FOR(contact_body_kernels, setup);
  vb_status status = c->api->create(&of_upload, &c->blocks.model, error);
  if (!status)
    status = bring(c, error);
  if (!status)
    status = viper_cuda_check((cudaError_t)c->kernels->prepare(&c->coop), "prepare", error);
  if (status) {
    viper_contact_cuda_destroy(c);
    return status;
  }
  choose_blocks(&c->coop, setup->model->n_segments, host->n_multiprocessors);
  *out = c;
  return VB_OK;
}

void viper_contact_cuda_join(viper_contact_cuda *c,
                             int (*pass)(void *bundles, const void *contact, int pass),
                             void *bundles) {
  c->pass_bundles = pass;
  c->bundles = bundles;
}

/// Room on the host for copies of what the device has at `from`; freed by free_kept.
static vb_status make_kept(const viper_kept_arrays *from, viper_kept_arrays *out, vb_error *error) {
  *out = *from;
  out->row = calloc(1, from->row_bytes + 1);
  out->rest = calloc(1, from->rest_bytes + 1);
  out->push = calloc(1, from->push_bytes + 1);
  return out->row && out->rest && out->push ? VB_OK : vb_error_memory(error);
}

static void free_kept(viper_kept_arrays *copies) {
  free(copies->row);
  free(copies->rest);
  free(copies->push);
}

/// Brings the copies to the device, or what the device has to them.
static vb_status copy_kept(viper_contact_cuda *c, const viper_kept_arrays *device,
                           const viper_kept_arrays *host, enum cudaMemcpyKind kind,
                           vb_error *error) {
  bool in = kind == cudaMemcpyHostToDevice;
  if (device->row_bytes > 0)
    TRY(cudaMemcpyAsync(in ? device->row : host->row, in ? host->row : device->row,
                        device->row_bytes, kind, c->stream));
  if (device->rest_bytes > 0)
    TRY(cudaMemcpyAsync(in ? device->rest : host->rest, in ? host->rest : device->rest,
                        device->rest_bytes, kind, c->stream));
  if (device->push_bytes > 0)
    TRY(cudaMemcpyAsync(in ? device->push : host->push, in ? host->push : device->push,
                        device->push_bytes, kind, c->stream));
  TRY(cudaStreamSynchronize(c->stream));
  return VB_OK;
}

vb_status viper_contact_cuda_keep(viper_contact_cuda *c, double *out, vb_error *error) {
  const viper_kept_arrays device = c->api->kept(c->blocks.device);
  viper_kept_arrays copies;
  vb_status status = make_kept(&device, &copies, error);
  if (!status)
    status = copy_kept(c, &device, &copies, cudaMemcpyDeviceToHost, error);
  if (!status)
    c->api->keep_to(&copies, out);
  free_kept(&copies);
  return status;
}

vb_status viper_contact_cuda_reset(viper_contact_cuda *c, const double *kept, vb_error *error) {
  const viper_kept_arrays device = c->api->kept(c->blocks.device);
  viper_kept_arrays copies;
  TRY(cudaMemsetAsync(c->blocks.rest, 0, sizeof *c->h_run, c->stream)); // it begins with the run
  c->stepped = false;
  vb_status status = make_kept(&device, &copies, error);
  if (!status) {
    c->api->keep_from(kept, &copies);
    status = copy_kept(c, &device, &copies, cudaMemcpyHostToDevice, error);
  }
  free_kept(&copies);
  return status;
}

/// What a viper_contact_executor does, by kernels.
static int bodies(void *self, viper_bodies_action action, const viper_settings *settings) {
  viper_contact_cuda *c = self;
  return c->of_bodies->run(c->host.device, c->blocks.device, action, settings, &c->advance,
                           c->host.coops, c->host.d_bodies, c->stream);
}

static int phase(void *self, viper_contact_phase phase) {
  viper_contact_cuda *c = self;
  return c->kernels->phase(c->host.device, c->blocks.device, phase, &c->coop, c->stream);
}

static int end(void *self, bool last) {
  viper_contact_cuda *c = self;
  return c->kernels->end(c->host.device, c->blocks.device, last, c->stream);
}

static int bundles(void *self, int pass) {
  viper_contact_cuda *c = self;
  return c->pass_bundles(c->bundles, c->blocks.device, pass);
}

/// Whether an attempt to make more room has failed: the room there was is freed.
static bool has_no_room(const viper_contact_cuda *c) {
  return !c->blocks.room;
}

vb_status viper_contact_cuda_substep(viper_contact_cuda *c, const viper_settings *settings,
                                     const viper_advance *advance, bool last, vb_error *error) {
  const viper_contact_executor executor = {bodies, phase, end, c->bundles ? bundles : NULL};
  if (has_no_room(c))
    return viper_cuda_check(cudaErrorMemoryAllocation, "room for contacts", error);
  c->advance = *advance;
  c->api->take_settings(c->blocks.model, settings);
  TRY(viper_contact_substep(&executor, c, c->between, c->driven, settings, last));
  return VB_OK;
}

void viper_contact_cuda_note_step(viper_contact_cuda *c) {
  c->stepped = true;
}

vb_status viper_contact_cuda_look(viper_contact_cuda *c, viper_contact_run *run, vb_error *error) {
  TRY(cudaMemcpyAsync(c->h_run, c->blocks.rest, sizeof *run, cudaMemcpyDeviceToHost, c->stream));
  TRY(cudaStreamSynchronize(c->stream));
  *run = *c->h_run;
  return VB_OK;
}

static int32_t grown(int32_t room, int32_t asked) {
  int64_t more = (int64_t)asked + asked / 2;
  more = more < INT32_MAX ? more : INT32_MAX;
  return asked > room ? (int32_t)more : room;
}

vb_status viper_contact_cuda_grow(viper_contact_cuda *c, const viper_contact_run *run,
                                  vb_error *error) {
  c->rooms->pairs = grown(c->rooms->pairs, run->pairs);
  c->rooms->touches = grown(c->rooms->touches, run->touches);
  vb_status status = viper_blocks_make_room(&c->blocks, error);
  if (status)
    return status; // the run stays full: the next look asks for room again
  *c->h_run = *run;
  c->h_run->full = 0;
  TRY(cudaMemcpyAsync(c->blocks.rest, c->h_run, sizeof *run, cudaMemcpyHostToDevice, c->stream));
  TRY(cudaStreamSynchronize(c->stream));
  return VB_OK;
}

void viper_contact_cuda_report(viper_contact_cuda *c, double out[VIPER_N_CONTACT]) {
  for (int k = 0; k < VIPER_N_CONTACT; k++)
    out[k] = 0;
  if (!c->stepped || has_no_room(c))
    return;
  // A device that cannot go on says so where the state is asked for.
  cudaMemsetAsync(c->blocks.room, 0, c->api->report_bytes,
                  c->stream); // it begins with what is told
  phase(c, VIPER_CONTACT_REPORT);
  cudaMemcpyAsync(c->h_run, c->blocks.rest, sizeof *c->h_run, cudaMemcpyDeviceToHost, c->stream);
  cudaMemcpyAsync(c->h_report, c->blocks.room, c->api->report_bytes, cudaMemcpyDeviceToHost,
                  c->stream);
  if (cudaStreamSynchronize(c->stream) == cudaSuccess)
    c->api->report((const char *)c->h_run, c->h_report, out);
  (void)cudaGetLastError();
}

/// Copies `bytes` from the device; null where there are none to copy, or no memory.
static void *fetch(viper_contact_cuda *c, const void *from, size_t bytes) {
  void *out = bytes > 0 ? malloc(bytes) : NULL;
  if (out)
    cudaMemcpyAsync(out, from, bytes, cudaMemcpyDeviceToHost, c->stream);
  return out;
}

/// Copies of what contacts and half-planes are now, in place of the device's; `n` of them between
/// capsules. Freed by free_lists, on failure, too.
static vb_status fetch_lists(viper_contact_cuda *c, size_t n, viper_contact_lists *l,
                             vb_error *error) {
  size_t n_nodes = c->model->n_nodes;
  size_t n_planes = vb_scene_count(c->model->scene, VB_SET_HALF_PLANE);
  c->api->lists(c->blocks.device, l);
  l->between = fetch(c, l->between, n * l->touch_bytes);
  l->rest = fetch(c, l->rest, n_nodes * n_planes * l->touch_bytes);
  l->n_rests = fetch(c, l->n_rests, n_nodes * sizeof *l->n_rests);
  l->node = fetch(c, l->node, n_nodes * l->node_bytes);
  l->plane = fetch(c, l->plane, n_planes * l->plane_bytes);
  if ((n > 0 && !l->between) || (n_planes > 0 && (!l->rest || !l->plane)) || !l->n_rests ||
      !l->node)
    return vb_error_memory(error);
  return viper_cuda_check(cudaStreamSynchronize(c->stream), "contact forces", error);
}

static void free_lists(const viper_contact_lists *l) {
  free((void *)l->between);
  free((void *)l->rest);
  free((void *)l->n_rests);
  free((void *)l->node);
  free((void *)l->plane);
}

vb_status viper_contact_cuda_forces(viper_contact_cuda *c, const double *node, double *on_body,
                                    double *on_plane, double work[2], vb_error *error) {
  viper_contact_lists lists = {0};
  viper_contact_run run;
  if (!c->stepped || has_no_room(c)) {
    c->api->forces(c->model, node, &lists, 0, on_body, on_plane, work);
    return VB_OK;
  }
  vb_status status = viper_contact_cuda_look(c, &run, error);
  if (status)
    return status;
  status = fetch_lists(c, (size_t)run.touches, &lists, error);
  if (!status)
    c->api->forces(c->model, node, &lists, (size_t)run.touches, on_body, on_plane, work);
  free_lists(&lists);
  return status;
}
