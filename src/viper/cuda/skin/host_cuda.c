// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/cuda/skin/host.h"

#include "viper/cuda/core/blocks.h"

#include <stdlib.h>

struct viper_skin_cuda {
  const viper_skin_upload_api *api;
  const viper_skin_kernels *kernels;
  viper_blocks blocks;
  cudaStream_t stream;
  char *h_report; ///< pinned
};

void viper_skin_cuda_destroy(viper_skin_cuda *s) {
  if (!s)
    return;
  viper_blocks_free(&s->blocks);
  cudaFreeHost(s->h_report);
  free(s);
}

vb_status viper_skin_cuda_create(const viper_backend_setup *setup, const void *device, void *stream,
                                 viper_skin_cuda **out, vb_error *error) {
  viper_skin_cuda *s = calloc(1, sizeof *s);
  if (!s)
    return vb_error_memory(error);
  s->stream = stream;
  s->api =
      setup->variant->precision == VIPER_FLOAT ? &viper_skin_upload_f32 : &viper_skin_upload_f64;
  s->kernels = VIPER_KERNELS_FOR(viper_skin_kernels, setup);
  vb_status status = s->api->create(setup->skin, setup->model, device, &s->blocks.model, error);
  if (!status)
    status = viper_blocks_bring(&s->blocks, error);
  if (!status)
    status = viper_cuda_check(
        cudaMallocHost((void **)&s->h_report, s->api->report_bytes(s->blocks.model)),
        "cudaMallocHost", error);
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
    TRY(s->kernels->run(s->blocks.device, (viper_skin_phase)phase, s->stream));
  TRY(cudaMemcpyAsync(s->h_report, s->blocks.room,
                      vertices ? s->api->report_bytes(s->blocks.model) : sizeof *volume,
                      cudaMemcpyDeviceToHost, s->stream));
  TRY(cudaStreamSynchronize(s->stream));
  s->api->get(s->blocks.model, s->h_report, vertices, volume);
  return VB_OK;
}
