// SPDX-License-Identifier: GPL-3.0-or-later
/// The kernels of scenes with contact. Compiled once per precision and arithmetic, for every
/// architecture.
#include "viper/cuda/contact/phases.h"

/// Whether they look for segments of the material model solid: solid_real.cu compiles them so.
#ifndef VIPER_WITH_SOLID
#define VIPER_WITH_SOLID false
#define viper_these      viper_contact_kernels
#endif

/// Threads of a block: for bodies at most, for elements, and for passes over contacts.
#define BODIES_MOST  128
#define BODIES_LEAST (VIPER_PRECISION == 32 && !VIPER_WITH_SOLID ? 3 : 2)
#define ELEMENTS     128
#define COOP         512
#define COOP_TRUNCATE   256

namespace {

/// Bodies, each by `coop_size` threads. After trouble, and in a lost substep, nothing.
template <viper_bodies_action ACTION, viper_method METHOD>
__global__ void __launch_bounds__(BODIES_MOST, BODIES_LEAST)
    contact_bodies(const __grid_constant__ viper_device device,
                   const __grid_constant__ viper_contact_device contact,
                   const __grid_constant__ viper_launch launch, const int32_t *bodies,
                   int32_t n_bodies, int32_t coop_size) {
  if (viper_contact_idle(&device, &contact) ||
      (ACTION != VIPER_BODIES_BEGIN && viper_contact_lost(&contact)))
    return;
  int32_t coops = (int32_t)blockDim.x / coop_size, coop = (int32_t)threadIdx.x / coop_size;
  viper_access w;
  w.device = &device;
  w.launch = &launch;
  w.h = launch.h;
  w.thread = viper_coop_thread_of_group(coop_size);
  w.submatrices = false;
  w.is_static = false;
  w.solid = VIPER_WITH_SOLID;
  for (int32_t k = (int32_t)blockIdx.x * coops + coop; k < n_bodies;
       k += (int32_t)gridDim.x * coops)
    viper_contact_body<ACTION, METHOD>(&w, &contact, &launch, bodies[k]);
}

/// A phase whose elements are independent.
template <viper_contact_phase PHASE>
__global__ void __launch_bounds__(ELEMENTS, 2)
    contact_elements(const __grid_constant__ viper_device device,
                     const __grid_constant__ viper_contact_device contact) {
  viper_coop_thread thread = viper_coop_thread_of_launch(VIPER_SYNC_BLOCK);
  viper_contact_thread(&device, &contact, PHASE, &thread);
}

/// The same in double at any precision: sums of momentum over a body, and reports.
template <viper_contact_phase PHASE>
__global__ void __launch_bounds__(ELEMENTS)
    contact_in_double(const __grid_constant__ viper_device device,
                      const __grid_constant__ viper_contact_device contact) {
  viper_coop_thread thread = viper_coop_thread_of_launch(VIPER_SYNC_BLOCK);
  viper_contact_thread(&device, &contact, PHASE, &thread);
}

/// A phase of one cooperative group: a block, or the whole launch grid.
template <viper_contact_phase PHASE>
__global__ void __launch_bounds__(COOP)
    contact_coop(const __grid_constant__ viper_device device,
                 const __grid_constant__ viper_contact_device contact) {
  viper_coop_thread thread =
      viper_coop_thread_of_launch(gridDim.x > 1 ? VIPER_SYNC_DEVICE : VIPER_SYNC_BLOCK);
  viper_contact_thread(&device, &contact, PHASE, &thread);
}

/// The same of smaller blocks: what is rarely done takes many registers.
__global__ void __launch_bounds__(COOP_TRUNCATE)
    contact_truncate(const __grid_constant__ viper_device device,
                  const __grid_constant__ viper_contact_device contact) {
  viper_coop_thread thread =
      viper_coop_thread_of_launch(gridDim.x > 1 ? VIPER_SYNC_DEVICE : VIPER_SYNC_BLOCK);
  viper_contact_thread(&device, &contact, VIPER_CONTACT_TRUNCATE, &thread);
}

/// The end of a substep, after all bodies: one block.
__global__ void __launch_bounds__(ELEMENTS)
    end_substep_in_contact(const __grid_constant__ viper_device device,
                           const __grid_constant__ viper_contact_device contact, bool last) {
  bool idle = viper_contact_idle(&device, &contact), lost = viper_contact_lost(&contact);
  for (int32_t k = (int32_t)threadIdx.x; !idle && !lost && k < device.n_slots;
       k += (int32_t)blockDim.x)
    viper_add_work(&device, k);
  __syncthreads();
  if (threadIdx.x == 0 && !idle)
    viper_contact_end(&device, &contact, last);
}

typedef void bodies_kernel(const viper_device, const viper_contact_device, const viper_launch,
                           const int32_t *, int32_t, int32_t);
typedef void phase_kernel(const viper_device, const viper_contact_device);

bodies_kernel *iterate_of(viper_method method) {
  switch (method) {
#define KERNEL(name, NAME, word, traits, cost, text)                                               \
  case VIPER_##NAME:                                                                               \
    return contact_bodies<VIPER_BODIES_ITERATE, VIPER_##NAME>;
    VIPER_METHODS(KERNEL)
#undef KERNEL
  }
  return nullptr;
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

/// In the order of viper_contact_phase.
phase_kernel *const phase_of[VIPER_CONTACT_PHASES] = {
    contact_elements<VIPER_CONTACT_CLEAR>,   contact_elements<VIPER_CONTACT_GATHER>,
    contact_elements<VIPER_CONTACT_SPHERES>, contact_elements<VIPER_CONTACT_BUCKETS>,
    contact_elements<VIPER_CONTACT_PAIRS>,   contact_elements<VIPER_CONTACT_TOUCHES>,
    contact_elements<VIPER_CONTACT_SMOOTH>,  contact_coop<VIPER_CONTACT_COLOR>,
    contact_elements<VIPER_CONTACT_ARRANGE>, contact_in_double<VIPER_CONTACT_CENTER>,
    contact_coop<VIPER_CONTACT_PASS>,        contact_coop<VIPER_CONTACT_PASS_HAT>,
    contact_elements<VIPER_CONTACT_FRAMES>,  contact_elements<VIPER_CONTACT_FORGET>,
    contact_coop<VIPER_CONTACT_BEGIN>,       contact_coop<VIPER_CONTACT_SETTLE>,
    contact_elements<VIPER_CONTACT_SUSPECT>, contact_truncate,
    contact_in_double<VIPER_CONTACT_WORK>,   contact_in_double<VIPER_CONTACT_REPORT>,
};

/// Threads of a block of a cooperative phase.
int coop_threads(viper_contact_phase phase) {
  return phase == VIPER_CONTACT_TRUNCATE ? COOP_TRUNCATE : COOP;
}

int prepare(viper_method method, int *threads, int *coop_blocks) {
  int blocks = 0, of_phase = 0;
  cudaError_t status = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &blocks, (const void *)iterate_of(method), VIPER_WARP, 0);
  *threads = blocks * VIPER_WARP;
  *coop_blocks = 1 << 16;
  for (int phase = 0; !status && phase < VIPER_CONTACT_PHASES; phase++) {
    if (!viper_contact_is_cooperative((viper_contact_phase)phase))
      continue;
    status = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &of_phase, (const void *)phase_of[phase], coop_threads((viper_contact_phase)phase), 0);
    *coop_blocks = of_phase < *coop_blocks ? of_phase : *coop_blocks;
  }
  return status;
}

int bodies(const void *device, const void *contact, viper_bodies_action action,
           const viper_settings *settings, double h, double rate, const viper_coops *coops,
           const int32_t *list, void *stream) {
  viper_device d = *(const viper_device *)device;
  viper_contact_device c = *(const viper_contact_device *)contact;
  viper_advance euler = viper_advance_of(settings, 0, h, 0);
  euler.rate = rate; // damping included
  euler.kept = rate == 1 / h ? 1 : h * rate;
  viper_launch launch = viper_launch_of(settings, &euler);
  const void *kernel = (const void *)bodies_of(action, settings->method);
  cudaError_t code = cudaSuccess;
  for (size_t k = 0; k < coops->n && !code; k++) {
    viper_coop_class coop = coops->item[k];
    const int32_t *first = list + coop.first;
    int32_t coop_size = coop.coop_size, of_block = coop.threads / coop_size;
    void *arguments[] = {&d, &c, &launch, &first, &coop.n_bodies, &coop_size};
    code = cudaLaunchKernel(kernel, dim3((unsigned)((coop.n_bodies + of_block - 1) / of_block)),
                            dim3((unsigned)coop.threads), arguments, 0, (cudaStream_t)stream);
  }
  return code;
}

int phase(const void *device, const void *contact, viper_contact_phase phase, int coop_blocks,
          void *stream) {
  viper_device d = *(const viper_device *)device;
  viper_contact_device c = *(const viper_contact_device *)contact;
  void *arguments[] = {&d, &c};
  const void *kernel = (const void *)phase_of[phase];
  int32_t n = viper_contact_elements(&c, phase);
  if (!viper_contact_is_cooperative(phase))
    return cudaLaunchKernel(kernel, dim3((unsigned)(n / ELEMENTS + 1)), dim3(ELEMENTS), arguments,
                            0, (cudaStream_t)stream);
  const dim3 threads((unsigned)coop_threads(phase));
  if (coop_blocks == 1)
    return cudaLaunchKernel(kernel, dim3(1), threads, arguments, 0, (cudaStream_t)stream);
  return cudaLaunchCooperativeKernel(kernel, dim3((unsigned)coop_blocks), threads, arguments, 0,
                                     (cudaStream_t)stream);
}

int sort(const void *contact, viper_contact_sort sort, void *scratch, size_t bytes, void *stream) {
  const viper_contact_device *c = (const viper_contact_device *)contact;
  switch (sort) {
  case VIPER_SORT_SPHERES:
    return viper_sort_32(scratch, bytes, c->bucket, c->bucket_out, c->segment, c->segment_out,
                         c->n_segments, c->bucket_bits, stream);
  case VIPER_SORT_TOUCHES:
    return viper_sort_64(scratch, bytes, c->key, c->key_out, c->number, c->number_out,
                         c->rooms.touches, 2 * c->number_bits + 1, stream);
  default:
    return viper_sort_32(scratch, bytes, c->color, c->color_out, c->number, c->order_out,
                         c->rooms.touches, VIPER_COLOR_BITS, stream);
  }
}

int end(const void *device, const void *contact, bool last, void *stream) {
  viper_device d = *(const viper_device *)device;
  viper_contact_device c = *(const viper_contact_device *)contact;
  void *arguments[] = {&d, &c, &last};
  return cudaLaunchKernel((const void *)end_substep_in_contact, dim3(1),
                          dim3(d.n_slots > 0 ? ELEMENTS : 1), arguments, 0, (cudaStream_t)stream);
}

} // namespace

extern "C" const viper_contact_kernels VIPER_KERNELS(viper_these) = {prepare, bodies,
                                                                               phase, sort, end};
