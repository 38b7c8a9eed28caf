// SPDX-License-Identifier: GPL-3.0-or-later
/// Steps on a device. All of a step is queued without waiting for the device: one graph, made once
/// for the settings at hand, or the same kernels one by one.
#include "viper/cuda/backend_cuda.h"

/// Queues the kernels of a substep of bodies that do not touch.
static vb_status queue_bodies(viper_cuda *b, const viper_settings *settings,
                              const viper_advance *advance, bool last, vb_error *error) {
  for (size_t c = 0; c < b->coops.n; c++) {
    const viper_coop_class *coop = &b->coops.item[c];
    int of_block = coop->coop_size ? coop->threads / coop->coop_size : 1;
    int blocks = coop->coop_size ? (coop->n_bodies + of_block - 1) / of_block : b->device_blocks;
    TRY(b->kernels->substep(b->blocks.device, settings, advance, coop, blocks,
                            b->d_bodies + coop->first, b->d_workspace, b->stream));
  }
  TRY(b->kernels->end(b->blocks.device, last, b->stream));
  return VB_OK;
}

/// Queues the kernels of a step of length `h`, from a substep on.
static vb_status queue_step(viper_cuda *b, const viper_settings *settings, double h, int from,
                            vb_error *error) {
  double substep = h / settings->substeps, damping = vb_scene_world(b->model->scene)->damping;
  for (int k = from; k < settings->substeps; k++) {
    bool last = k + 1 == settings->substeps;
    const viper_advance t = viper_advance_of(settings, k, substep, damping);
    if (b->moving > 0) // bounds that move are the first
      TRY(cudaMemcpyAsync(b->blocks.rest, b->d_moving + (size_t)k * b->moving, b->moving,
                          cudaMemcpyDeviceToDevice, b->stream));
    vb_status status;
    viper_settings own = *settings;
    own.fresh_contacts = settings->fresh_contacts && k == 0;
    if (b->contact)
      status = viper_contact_cuda_substep(b->contact, &own, &t, last, error);
    else if (b->bundles)
      status = viper_bundle_cuda_substep(b->bundles, settings, &t, last, error);
    else
      status = queue_bodies(b, settings, &t, last, error);
    if (status)
      return status;
  }
  return VB_OK;
}

void viper_cuda_drop_graph(viper_cuda *b) {
  if (b->graph)
    cudaGraphExecDestroy(b->graph);
  b->graph = NULL;
}

/// Makes the graph of a step.
static vb_status capture(viper_cuda *b, const viper_settings *settings, double h, vb_error *error) {
  cudaGraph_t graph = NULL;
  TRY(cudaStreamBeginCapture(b->stream, cudaStreamCaptureModeThreadLocal));
  vb_status status = queue_step(b, settings, h, 0, error);
  cudaError_t code = cudaStreamEndCapture(b->stream, &graph);
  viper_cuda_drop_graph(b);
  if (!status && !code)
    code = cudaGraphInstantiate(&b->graph, graph, 0);
  if (graph)
    cudaGraphDestroy(graph);
  vb_status ended = viper_cuda_check(code, "capture", status ? NULL : error);
  return status ? status : ended;
}

/// Makes room for what moves in a step of so many substeps. With other settings than before there
/// is no graph that knows the old places.
static vb_status make_room(viper_cuda *b, int substeps, vb_error *error) {
  if (b->moving == 0 || b->room >= substeps)
    return VB_OK;
  TRY(cudaStreamSynchronize(b->stream));
  cudaFree(b->d_moving);
  cudaFreeHost(b->h_moving);
  b->d_moving = b->h_moving = NULL;
  b->room = 0;
  TRY(cudaMalloc((void **)&b->d_moving, (size_t)substeps * b->moving));
  TRY(cudaMallocHost((void **)&b->h_moving, VIPER_SLOTS * (size_t)substeps * b->moving));
  b->room = substeps;
  return VB_OK;
}

/// Sends where drivers and loads will be in each substep. Waits only where the device is
/// VIPER_SLOTS steps behind.
static vb_status send_moving(viper_cuda *b, const viper_settings *settings, double time, double h,
                             vb_error *error) {
  int substeps = settings->substeps;
  size_t slot = (size_t)(b->slot % VIPER_SLOTS), bytes = (size_t)substeps * b->moving;
  if (b->moving == 0)
    return VB_OK;
  char *out = b->h_moving + slot * (size_t)b->room * b->moving;
  if (b->slot >= VIPER_SLOTS)
    TRY(cudaEventSynchronize(b->taken[slot]));
  for (int k = 0; k < substeps; k++) {
    const viper_advance t = viper_advance_of(settings, k, h, 0); // the damping does not matter
    b->api->move(b->blocks.model, time + k * h, h, viper_advance_work_from(&t, time + k * h, h),
                 out + (size_t)k * b->moving);
  }
  TRY(cudaMemcpyAsync(b->d_moving, out, bytes, cudaMemcpyHostToDevice, b->stream));
  TRY(cudaEventRecord(b->taken[slot], b->stream));
  b->slot++;
  return VB_OK;
}

/// Notes on the device's clock that steps begin, unless that is noted.
static vb_status note_begin(viper_cuda *b, vb_error *error) {
  if (!b->first_noted)
    TRY(cudaEventRecord(b->first, b->stream));
  if (!b->sync_noted)
    TRY(cudaEventRecord(b->sync_first, b->stream));
  b->first_noted = b->sync_noted = true;
  return VB_OK;
}

/// Notes the settings of a step. Returns whether they are those of the latest: the first step with
/// new ones is queued kernel by kernel, for a kernel must not be loaded while a graph is made.
static bool note_settings(viper_cuda *b, const viper_settings *settings, double h) {
  if (b->latest_h == h && viper_settings_same(&b->latest, settings))
    return true;
  viper_cuda_drop_graph(b);
  b->latest = *settings;
  b->latest_h = h;
  return false;
}

/// Starts a step, from a substep on: as a graph where that is wanted and it is a whole one.
static vb_status start(viper_cuda *b, const viper_queued_step *q, int from, vb_error *error) {
  const viper_settings *settings = &q->settings;
  bool graph = note_settings(b, settings, q->h) && settings->launch == VIPER_BY_GRAPH && from == 0;
  vb_status status = make_room(b, settings->substeps, error);
  if (!status && graph && !b->graph)
    status = capture(b, settings, q->h, error);
  if (!status)
    status = note_begin(b, error);
  if (!status)
    status = send_moving(b, settings, q->time, q->h / settings->substeps, error);
  if (!status && !graph)
    status = queue_step(b, settings, q->h, from, error);
  if (status)
    return status;
  if (graph)
    TRY(cudaGraphLaunch(b->graph, b->stream));
  if (b->contact)
    viper_contact_cuda_note_step(b->contact);
  TRY(cudaEventRecord(b->last, b->stream));
  b->fetched = false;
  return VB_OK;
}

/// Starts again the steps that were queued and not done, with more room.
static vb_status start_again(viper_cuda *b, const viper_contact_run *run, vb_error *error) {
  TRY(cudaMemcpy(b->h_state, b->blocks.room, b->api->control, cudaMemcpyDeviceToHost));
  int done = (int)b->api->progress(b->h_state, b->n_sure).n_steps;
  vb_status status = viper_contact_cuda_grow(b->contact, run, error);
  viper_cuda_drop_graph(b); // it knows the old places
  for (int k = done; k < b->n_queued && !status; k++)
    status = start(b, &b->queued[k], k == done ? run->substeps : 0, error);
  return status;
}

/// With contact: waits for the steps that were queued, until there was room for all they found.
static vb_status make_sure(viper_cuda *b, vb_error *error) {
  viper_contact_run run;
  vb_status status = viper_contact_cuda_look(b->contact, &run, error);
  while (!status && run.full) {
    status = start_again(b, &run, error);
    if (!status)
      status = viper_contact_cuda_look(b->contact, &run, error);
  }
  if (status)
    return status;
  b->n_sure += b->n_queued;
  b->n_queued = 0;
  return VB_OK;
}

vb_status viper_cuda_step(void *self, const viper_settings *settings, double time, double h,
                          vb_error *error) {
  viper_cuda *b = self;
  const viper_queued_step q = {*settings, time, h};
  vb_status status = b->contact && b->n_queued == VIPER_QUEUED ? make_sure(b, error) : VB_OK;
  if (!status && b->contact)
    b->queued[b->n_queued++] = q;
  return status ? status : start(b, &q, 0, error);
}

vb_status viper_cuda_sync(void *self, double *timer, viper_progress *progress, vb_error *error) {
  viper_cuda *b = self;
  float milliseconds = 0;
  vb_status status = b->contact ? make_sure(b, error) : VB_OK;
  if (status)
    return status;
  // The block begins with how far the run has come. All of it where reads followed last time, too.
  if (!b->fetched)
    TRY(cudaMemcpyAsync(b->h_state, b->blocks.room,
                        b->reads_follow ? b->blocks.bytes.room : b->api->control,
                        cudaMemcpyDeviceToHost, b->stream));
  TRY(cudaStreamSynchronize(b->stream));
  if (b->sync_noted)
    TRY(cudaEventElapsedTime(&milliseconds, b->sync_first, b->last));
  timer[VIPER_TIMER_SOLVE] += 1e-3 * (double)milliseconds;
  *progress = b->api->progress(b->h_state, b->n_settled);
  b->n_settled += progress->n_steps;
  b->fetched = b->fetched || b->reads_follow;
  b->reads_follow = b->sync_noted = false;
  return VB_OK;
}
