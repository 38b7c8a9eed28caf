// SPDX-License-Identifier: GPL-3.0-or-later
/// The kernels of bodies that something joins between iterations (contact, bundles), and their
/// table. Included once by a source that has said whether they look for segments of the material
/// model solid (VIPER_WITH_SOLID), and how the table is named (viper_these).
#ifndef VIPER_CUDA_CONTACT_BODIES_H
#define VIPER_CUDA_CONTACT_BODIES_H

#include "viper/cuda/contact/phases.h"

/// Threads of a block at most, and blocks that a multiprocessor must have registers for.
#define BODIES_MOST  128
#define BODIES_LEAST (VIPER_PRECISION == 32 && !VIPER_WITH_SOLID ? 3 : 2)

namespace {

/// Bodies, each by `coop_size` threads. After trouble, and in a lost substep, nothing. If
/// `n_workspace` is not 0, each iterates in so many numbers of shared memory.
template <viper_bodies_action ACTION, viper_method METHOD>
__global__ void __launch_bounds__(BODIES_MOST, BODIES_LEAST)
    contact_bodies(const __grid_constant__ viper_device device,
                   const __grid_constant__ viper_contact_device contact,
                   const __grid_constant__ viper_launch launch, const int32_t *bodies,
                   int32_t n_bodies, int32_t coop_size, int32_t n_workspace) {
  extern __shared__ double2 memory[];
  const bool idle = viper_contact_idle(&device, &contact),
             lost = ACTION != VIPER_BODIES_BEGIN && viper_contact_lost(&contact);
  if (idle | lost) // what both read is read at once
    return;
  if (ACTION == VIPER_BODIES_BEGIN && contact.begins) {
    const viper_coop_thread all = viper_coop_thread_of_launch(VIPER_SYNC_BLOCK);
    for (int32_t i = all.rank; i < viper_contact_clear_elements(&contact); i += all.size)
      viper_contact_clear(&device, &contact, i);
  }
  int32_t coops = (int32_t)blockDim.x / coop_size, coop = (int32_t)threadIdx.x / coop_size;
  viper_access w;
  w.device = &device;
  w.launch = &launch;
  w.h = launch.h;
  w.thread = viper_coop_thread_of_group(coop_size);
  w.submatrices = false;
  w.is_static = w.second = w.frames_held = false;
  w.part = VIPER_R(1);
  viper_real *shared =
      n_workspace > 0 ? (viper_real *)memory + (size_t)coop * (size_t)n_workspace : NULL;
  for (int32_t k = (int32_t)blockIdx.x * coops + coop; k < n_bodies;
       k += (int32_t)gridDim.x * coops)
    viper_contact_body<ACTION, METHOD>(&w, &contact, &launch, bodies[k], shared);
}

typedef void bodies_kernel(const viper_device, const viper_contact_device, const viper_launch,
                           const int32_t *, int32_t, int32_t, int32_t);

template <viper_method METHOD> constexpr bodies_kernel *iterate_or_none() {
  if constexpr (viper_has_kernel(METHOD, false))
    return contact_bodies<VIPER_BODIES_ITERATE, METHOD>;
  return nullptr;
}

bodies_kernel *iterate_of(viper_method method) {
#define KERNEL(name, NAME, word, traits, cost, text) iterate_or_none<VIPER_##NAME>(),
  static bodies_kernel *const kernels[] = {VIPER_METHODS(KERNEL)};
#undef KERNEL
  return kernels[method];
}

bodies_kernel *bodies_of(viper_bodies_action action, viper_method method) {
  switch (action) {
  case VIPER_BODIES_BEGIN:
    return contact_bodies<VIPER_BODIES_BEGIN, VIPER_XPBD>;
  case VIPER_BODIES_LEAVE:
    return contact_bodies<VIPER_BODIES_LEAVE, VIPER_XPBD>;
  default:
    return iterate_of(method);
  }
}

int prepare_bodies(viper_method method, int *threads) {
  const void *kernel = (const void *)iterate_of(method);
  int blocks = 0, shared = 0, device = 0;
  cudaError_t status =
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, VIPER_WARP, 0);
  *threads = blocks * VIPER_WARP;
  if (!status)
    status = cudaGetDevice(&device);
  if (!status)
    status = cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  if (!status)
    status = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
  return status;
}

int run_bodies(const void *device, const void *contact, viper_bodies_action action,
               const viper_settings *settings, const viper_advance *advance,
               const viper_coops *coops, const int32_t *list, void *stream) {
  viper_device d = *(const viper_device *)device;
  viper_contact_device c = *(const viper_contact_device *)contact;
  viper_launch launch = viper_launch_of(settings, advance);
  const bool begins = action == VIPER_BODIES_BEGIN, leaves = action == VIPER_BODIES_LEAVE;
  c.centers = action == VIPER_BODIES_CENTER;
  const void *kernel = (const void *)bodies_of(action, settings->method);
  cudaError_t code = cudaSuccess;
  for (size_t k = 0; k < coops->n && !code; k++) {
    viper_coop_class coop = coops->item[k];
    const int32_t *first = list + coop.first;
    int32_t coop_size = coop.coop_size, of_block = coop.threads / coop_size;
    int32_t n_shared = !begins && !leaves && coop.in_shared ? (int32_t)coop.n_workspace : 0;
    c.begins = begins && k == 0 && c.count; // there is none without contact
    void *arguments[] = {&d, &c, &launch, &first, &coop.n_bodies, &coop_size, &n_shared};
    code = cudaLaunchKernel(kernel, dim3((unsigned)((coop.n_bodies + of_block - 1) / of_block)),
                            dim3((unsigned)coop.threads), arguments,
                            (size_t)of_block * (size_t)n_shared * sizeof(viper_real),
                            (cudaStream_t)stream);
  }
  return code;
}

} // namespace

extern "C" const viper_contact_body_kernels VIPER_KERNELS(viper_these) = {prepare_bodies,
                                                                          run_bodies};

#endif
