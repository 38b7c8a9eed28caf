// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/cuda/skin/host.h"

#include "viper/cuda/core/try.h"

#include <stdlib.h>

struct viper_skin_cuda {
  const viper_skin_upload_api *api;
  const viper_skin_kernels *kernels;
  void *device_model;
  const void *device; ///< viper_skin_device
  cudaStream_t stream;
  char *d_rest, *d_room;
  char *h_report; ///< pinned
};

void viper_skin_cuda_destroy(viper_skin_cuda *s) {
  if (!s)
    return;
  cudaFree(s->d_rest);
  cudaFree(s->d_room);
  cudaFreeHost(s->h_report);
  if (s->api)
    s->api->destroy(s->device_model);
  free(s);
}

/// Makes the memory, and fills it with what is written once.
static vb_status bring(viper_skin_cuda *s, vb_error *error) {
  viper_skin_bytes bytes = s->api->bytes(s->device_model);
  TRY(cudaMalloc((void **)&s->d_rest, bytes.rest));
  TRY(cudaMalloc((void **)&s->d_room, bytes.room));
  char *rest = calloc(1, bytes.rest);
  if (!rest)
    return vb_error_memory(error);
  s->device = s->api->fill(s->device_model, rest, s->d_rest, s->d_room);
  cudaError_t code = cudaMemcpy(s->d_rest, rest, bytes.rest, cudaMemcpyHostToDevice);
  free(rest);
  TRY(code);
  TRY(cudaMallocHost((void **)&s->h_report, s->api->report_bytes(s->device_model)));
  return VB_OK;
}

vb_status viper_skin_cuda_create(const viper_backend_setup *setup, const void *device, void *stream,
                                 viper_skin_cuda **out, vb_error *error) {
  viper_skin_cuda *s = calloc(1, sizeof *s);
  if (!s)
    return vb_error_memory(error);
  s->stream = stream;
  s->api = setup->precision == 32 ? &viper_skin_upload_f32 : &viper_skin_upload_f64;
  if (setup->precision == 32)
    s->kernels = setup->fast ? &viper_skin_kernels_f32_fast : &viper_skin_kernels_f32_strict;
  else
    s->kernels = setup->fast ? &viper_skin_kernels_f64_fast : &viper_skin_kernels_f64_strict;
  vb_status status = s->api->create(setup->skin, setup->model, device, &s->device_model, error);
  if (!status)
    status = bring(s, error);
  if (status) {
    viper_skin_cuda_destroy(s);
    return status;
  }
  *out = s;
  return VB_OK;
}

vb_status viper_skin_cuda_read(viper_skin_cuda *s, double *vertices, double *volume,
                               vb_error *error) {
  int last = volume ? VIPER_SKIN_VOLUME : VIPER_SKIN_VERTICES;
  for (int phase = 0; phase <= last; phase++)
    TRY(s->kernels->run(s->device, (viper_skin_phase)phase, s->stream));
  TRY(cudaMemcpyAsync(s->h_report, s->d_room,
                      vertices ? s->api->report_bytes(s->device_model) : sizeof *volume,
                      cudaMemcpyDeviceToHost, s->stream));
  TRY(cudaStreamSynchronize(s->stream));
  s->api->get(s->device_model, s->h_report, vertices, volume);
  return VB_OK;
}
