// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/cuda/bundle/host.h"

#include "viper/cuda/core/blocks.h"

#include <stdlib.h>

/// Segments up to which one block makes a pass: its barriers take less than a grid's, but a fit is
/// some hundred operations in double for each member.
#define ONE_BLOCK 1024

struct viper_bundle_cuda {
  const viper_bundle_upload_api *api;
  const viper_bundle_kernels *kernels;
  const viper_contact_body_kernels *of_bodies;
  viper_contact_host host;
  int (*end_kernel)(const void *device, bool last, void *stream);
  viper_blocks blocks;
  const void *bodies; ///< the device model's viper_contact_device
  cudaStream_t stream;
  int n_blocks; ///< of a pass
  char *h_left; ///< pinned
  size_t left;  ///< bytes of that
  // Of the substep that is being queued
  viper_advance advance;
};

void viper_bundle_cuda_destroy(viper_bundle_cuda *b) {
  if (!b)
    return;
  viper_blocks_free(&b->blocks);
  cudaFreeHost(b->h_left);
  free(b);
}

static vb_status bring(viper_bundle_cuda *b, vb_error *error) {
  vb_status status = viper_blocks_bring(&b->blocks, error);
  if (status)
    return status;
  b->bodies = b->api->bodies(b->blocks.model);
  b->left = b->api->left(b->blocks.model);
  TRY(cudaMallocHost((void **)&b->h_left, b->left));
  return VB_OK;
}

/// How many blocks make a pass: one, or as many as its elements fill and the device holds.
static vb_status count_blocks(viper_bundle_cuda *b, size_t n_segments, vb_error *error) {
  int held;
  TRY(b->kernels->prepare(&held));
  size_t most = (size_t)held * (size_t)b->host.n_multiprocessors;
  size_t needed = n_segments / (size_t)b->kernels->threads + 1;
  b->n_blocks = n_segments <= ONE_BLOCK ? 1 : (int)(needed < most ? needed : most);
  return VB_OK;
}

vb_status viper_bundle_cuda_create(const viper_backend_setup *setup, const viper_contact_host *host,
                                   int (*end)(const void *device, bool last, void *stream),
                                   viper_bundle_cuda **out, vb_error *error) {
  viper_joined_setup of_upload = {setup->model, host->body_groups, *setup->settings};
  viper_bundle_cuda *b = calloc(1, sizeof *b);
  if (!b)
    return vb_error_memory(error);
  b->host = *host;
  b->stream = host->stream;
  b->end_kernel = end;
  b->api = setup->variant->precision == VIPER_FLOAT ? &viper_bundle_upload_f32
                                                    : &viper_bundle_upload_f64;
  b->kernels = VIPER_KERNELS_FOR(viper_bundle_kernels, setup);
  b->of_bodies = VIPER_BODY_KERNELS_FOR(contact_body_kernels, setup);
  vb_status status = b->api->create(&of_upload, &b->blocks.model, error);
  if (!status)
    status = bring(b, error);
  if (!status)
    status = count_blocks(b, setup->model->n_segments, error);
  if (status) {
    viper_bundle_cuda_destroy(b);
    return status;
  }
  *out = b;
  return VB_OK;
}

vb_status viper_bundle_cuda_put(viper_bundle_cuda *b, const viper_state *state, vb_error *error) {
  TRY(cudaStreamSynchronize(b->stream));
  b->api->put(b->blocks.model, state, b->h_left);
  TRY(cudaMemcpyAsync(b->blocks.room, b->h_left, b->left, cudaMemcpyHostToDevice, b->stream));
  TRY(cudaStreamSynchronize(b->stream));
  return VB_OK;
}

/// What a viper_bundle_executor does, by kernels.
static int bodies(void *self, viper_bodies_action action, const viper_settings *settings) {
  viper_bundle_cuda *b = self;
  return b->of_bodies->run(b->host.device, b->bodies, action, settings, &b->advance, b->host.coops,
                           b->host.d_bodies, b->stream);
}

int viper_bundle_cuda_pass(void *bundles, const void *contact, int pass) {
  viper_bundle_cuda *b = bundles;
  return b->kernels->pass(b->host.device, b->blocks.device, contact, pass, b->n_blocks, b->stream);
}

static int pass(void *self, int pass) {
  return viper_bundle_cuda_pass(self, ((viper_bundle_cuda *)self)->bodies, pass);
}

static int end(void *self, bool last) {
  viper_bundle_cuda *b = self;
  return b->end_kernel(b->host.device, last, b->stream);
}

vb_status viper_bundle_cuda_substep(viper_bundle_cuda *b, const viper_settings *settings,
                                    const viper_advance *advance, bool last, vb_error *error) {
  static const viper_bundle_executor executor = {bodies, pass, end};
  b->advance = *advance;
  TRY(viper_bundle_substep(&executor, b, settings, last));
  return VB_OK;
}

vb_status viper_bundle_cuda_residual(viper_bundle_cuda *b, double h, const double *load,
                                     const double *active, double *out, vb_error *error) {
  TRY(cudaMemcpyAsync(b->h_left, b->blocks.room, b->left, cudaMemcpyDeviceToHost, b->stream));
  TRY(cudaStreamSynchronize(b->stream));
  return b->api->residual(b->blocks.model, b->h_left, h, load, active, out, error);
}
