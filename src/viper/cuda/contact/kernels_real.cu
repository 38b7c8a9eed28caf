// SPDX-License-Identifier: GPL-3.0-or-later
/// The kernels of scenes with contact. Compiled once per precision and arithmetic, for every
/// architecture.
#define VIPER_WITH_SOLID false
#define viper_these      viper_contact_body_kernels
#include "viper/cuda/contact/bodies.h"

/// Threads of a block, for elements.
#define ELEMENTS 128

namespace {

/// Threads of a block of a cooperative phase: as many as find registers. What is rarely done takes
/// many.
constexpr int coop_threads(viper_contact_phase phase) {
  return phase == VIPER_CONTACT_COLOR                               ? 1024
         : phase == VIPER_CONTACT_TRUNCATE || VIPER_PRECISION == 64 ? 256
         : phase == VIPER_CONTACT_SETTLE                            ? 384
                                                                    : 512;
}

/// Blocks of elements for which a multiprocessor must have registers: the search for pairs, whose
/// threads are many and wait for memory, takes few.
constexpr int elements_least(viper_contact_phase phase) {
  return phase == VIPER_CONTACT_PAIRS && VIPER_PRECISION == 32 ? 8 : 2;
}

/// A phase whose elements are independent.
template <viper_contact_phase PHASE>
__global__ void __launch_bounds__(ELEMENTS, elements_least(PHASE))
    contact_elements(const __grid_constant__ viper_device device,
                     const __grid_constant__ viper_contact_device contact) {
  viper_coop_thread thread = viper_coop_thread_of_launch(VIPER_SYNC_BLOCK);
  viper_contact_thread(&device, &contact, PHASE, &thread, nullptr);
}

/// The same in double at any precision: sums of momentum over a body, and reports.
template <viper_contact_phase PHASE>
__global__ void __launch_bounds__(ELEMENTS, 1)
    contact_in_double(const __grid_constant__ viper_device device,
                      const __grid_constant__ viper_contact_device contact) {
  viper_coop_thread thread = viper_coop_thread_of_launch(VIPER_SYNC_BLOCK);
  viper_contact_thread(&device, &contact, PHASE, &thread, nullptr);
}

/// Threads of a block of the grid that goes over contacts.
#define PASS_THREADS 128

/// This thread in the group of all threads of the launch. Warps are dealt out to the blocks in
/// turn, so that the elements of a short list are worked on by all multiprocessors.
__device__ viper_coop_thread dealt_thread() {
  const bool alone = gridDim.x == 1;
  viper_coop_thread thread =
      viper_coop_thread_of_launch(alone ? VIPER_SYNC_BLOCK : VIPER_SYNC_DEVICE);
  const int32_t warp = (int32_t)(threadIdx.x / VIPER_WARP * gridDim.x + blockIdx.x);
  thread.rank = warp * VIPER_WARP + (int32_t)(threadIdx.x % VIPER_WARP);
  return thread;
}

/// A phase of one cooperative group: a block, or the whole launch grid.
template <viper_contact_phase PHASE>
__global__ void __launch_bounds__(coop_threads(PHASE), 1)
    contact_coop(const __grid_constant__ viper_device device,
                 const __grid_constant__ viper_contact_device contact) {
  viper_coop_thread thread = dealt_thread();
  extern __shared__ double2 memory[];
  viper_contact_thread(&device, &contact, PHASE, &thread, contact.is_shared ? memory : nullptr);
}

/// The same of smaller blocks: what is rarely done takes many registers.
__global__ void __launch_bounds__(coop_threads(VIPER_CONTACT_TRUNCATE))
    contact_truncate(const __grid_constant__ viper_device device,
                     const __grid_constant__ viper_contact_device contact) {
  viper_coop_thread thread =
      viper_coop_thread_of_launch(gridDim.x > 1 ? VIPER_SYNC_DEVICE : VIPER_SYNC_BLOCK);
  viper_contact_thread(&device, &contact, VIPER_CONTACT_TRUNCATE, &thread, nullptr);
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

typedef void phase_kernel(const viper_device, const viper_contact_device);

/// In the order of viper_contact_phase. Both passes are one kernel, which is told by `moves_hat`.
phase_kernel *const phase_of[VIPER_CONTACT_PHASES] = {
    contact_elements<VIPER_CONTACT_GATHER>,
    contact_elements<VIPER_CONTACT_PAIRS>,
    contact_elements<VIPER_CONTACT_TOUCHES>,
    contact_elements<VIPER_CONTACT_SMOOTH>,
    contact_coop<VIPER_CONTACT_COLOR>,
    contact_elements<VIPER_CONTACT_ARRANGE>,
    contact_in_double<VIPER_CONTACT_CENTER>,
    contact_coop<VIPER_CONTACT_PASS>,
    contact_coop<VIPER_CONTACT_PASS>,
    contact_elements<VIPER_CONTACT_FRAMES>,
    contact_elements<VIPER_CONTACT_FORGET>,
    contact_coop<VIPER_CONTACT_BEGIN>,
    contact_coop<VIPER_CONTACT_SETTLE>,
    contact_elements<VIPER_CONTACT_SUSPECT>,
    contact_truncate,
    contact_in_double<VIPER_CONTACT_WORK>,
    contact_in_double<VIPER_CONTACT_REPORT>,
};

int prepare(viper_contact_coop *coop) {
  int of_phase = 0, shared = 0, device = 0;
  cudaError_t status = cudaGetDevice(&device);
  if (!status)
    status = cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  coop->shared_of_block = (size_t)shared;
  coop->blocks = 1 << 16;
  for (int phase = 0; !status && phase < VIPER_CONTACT_PHASES; phase++) {
    if (!viper_contact_is_cooperative((viper_contact_phase)phase))
      continue;
    status = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &of_phase, (const void *)phase_of[phase], coop_threads((viper_contact_phase)phase), 0);
    coop->blocks = of_phase < coop->blocks ? of_phase : coop->blocks;
    if (!status && phase != VIPER_CONTACT_TRUNCATE)
      status = cudaFuncSetAttribute((const void *)phase_of[phase],
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
  }
  return status;
}

int phase(const void *device, const void *contact, viper_contact_phase phase,
          const viper_contact_coop *coop, void *stream) {
  viper_device d = *(const viper_device *)device;
  viper_contact_device c = *(const viper_contact_device *)contact;
  void *arguments[] = {&d, &c};
  const void *kernel = (const void *)phase_of[phase];
  int32_t n = viper_contact_elements(&c, phase);
  if (!viper_contact_is_cooperative(phase))
    return cudaLaunchKernel(kernel, dim3((unsigned)(n / ELEMENTS + 1)), dim3(ELEMENTS), arguments,
                            0, (cudaStream_t)stream);
  const bool few =
      coop->blocks == 1 && phase != VIPER_CONTACT_SETTLE && phase != VIPER_CONTACT_TRUNCATE;
  const int blocks = phase == VIPER_CONTACT_COLOR ? coop->blocks : coop->pass_blocks;
  const dim3 threads(few && blocks > 1 ? PASS_THREADS : (unsigned)coop_threads(phase));
  c.moves_hat = phase == VIPER_CONTACT_PASS_HAT;
  if (blocks > 1)
    return cudaLaunchCooperativeKernel(kernel, dim3((unsigned)blocks), threads, arguments, 0,
                                       (cudaStream_t)stream);
  const size_t near = viper_contact_memory(&c, phase);
  c.is_shared = near > 0 && near <= coop->shared_of_block;
  return cudaLaunchKernel(kernel, dim3(1), threads, arguments, c.is_shared ? near : 0,
                          (cudaStream_t)stream);
}

int end(const void *device, const void *contact, bool last, void *stream) {
  viper_device d = *(const viper_device *)device;
  viper_contact_device c = *(const viper_contact_device *)contact;
  void *arguments[] = {&d, &c, &last};
  return cudaLaunchKernel((const void *)end_substep_in_contact, dim3(1),
                          dim3(d.n_slots > 0 ? ELEMENTS : 1), arguments, 0, (cudaStream_t)stream);
}

} // namespace

extern "C" const viper_contact_kernels VIPER_KERNELS(viper_contact_kernels) = {prepare, phase, end};
