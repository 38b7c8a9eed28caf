// SPDX-License-Identifier: GPL-3.0-or-later
/// CUDA's runtime: the kernels of host objects, their attributes and launches, and the device.
#include "runtime.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

using namespace emulator;

#define CALL()                                                                                     \
  if (cudaError_t code_ = runtime().begin(__func__))                                               \
  return code_

/// Numbers of the devices that CUDA_VISIBLE_DEVICES lets be seen, in its order, up to the first
/// that is none; all where it is not set.
static std::vector<int> visible_devices() {
  std::vector<int> out;
  const char *list = getenv("CUDA_VISIBLE_DEVICES");
  if (!list) {
    for (int k = 0; k < settings().devices; k++)
      out.push_back(k);
    return out;
  }
  for (char *end; *list; list = *end == ',' ? end + 1 : end) {
    long k = strtol(list, &end, 10);
    if (end == list || (*end && *end != ',') || k < 0 || k >= settings().devices)
      break;
    out.push_back((int)k);
  }
  return out;
}

/// Registers of a multiprocessor.
enum { REGISTERS = 65536 };

int emulator::blocks_of_multiprocessor(const Kernel &kernel, int block, size_t shared) {
  const Settings &s = settings();
  int by_threads = s.threads / block > 0 ? s.threads / block : 1;
  size_t each = kernel.static_shared + shared + 1024;
  int by_shared = (int)((s.shared + 1024) / each);
  int most = by_threads < by_shared ? by_threads : by_shared;
  // Registers are allotted to warps, in steps of eight a thread. Where they are not known (PTX
  // alone), a kernel takes as many as its bounds allow.
  int allowed = std::min(256, REGISTERS / (kernel.most_threads * kernel.fewest_blocks) / 8 * 8);
  int of_thread = kernel.registers > 0 ? (kernel.registers + 7) / 8 * 8 : allowed;
  int warps = (block + WARP - 1) / WARP, registers = of_thread * WARP * warps;
  int by_registers = registers > 0 ? REGISTERS / registers : most;
  most = most < by_registers ? most : by_registers;
  return most < 32 ? most : 32;
}

namespace {

/// Of a launch by <<<>>>.
struct Configuration {
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
} configuration;

/// Whether the device can do such a launch.
cudaError_t check(const Function *f, dim3 grid, dim3 block, size_t shared, bool cooperative) {
  bool flat = grid.y == 1 && grid.z == 1 && block.y == 1 && block.z == 1;
  if (!flat || grid.x == 0 || block.x == 0 ||
      shared + f->kernel->static_shared > f->dynamic_shared) {
    fprintf(stderr,
            "emulator: a launch of %s by %u blocks of %u threads with %zu bytes of shared memory\n",
            f->name.c_str(), grid.x, block.x, shared);
    return cudaErrorInvalidValue;
  }
  if ((int)block.x > f->kernel->most_threads)
    return cudaErrorLaunchOutOfResources;
  int most =
      blocks_of_multiprocessor(*f->kernel, (int)block.x, shared) * settings().multiprocessors;
  return cooperative && (int)grid.x > most ? cudaErrorCooperativeLaunchTooLarge : cudaSuccess;
}

cudaError_t launch(const void *host, dim3 grid, dim3 block, void **arguments, size_t shared,
                   cudaStream_t stream, bool cooperative) {
  cudaError_t code;
  Function *f = runtime().load(host, &code);
  if (f)
    code = check(f, grid, block, shared, cooperative);
  if (code)
    return runtime().end(code);
  const Kernel &k = *f->kernel;
  Launch l = {f->kernel, grid.x,      block.x,
              shared,    cooperative, std::vector<char>(k.parameter_bytes + 16)};
  for (size_t p = 0; p < k.parameters.size(); p++)
    memcpy(l.arguments.data() + k.parameters[p].offset, arguments[p], k.parameters[p].bytes);
  runtime().put(stream, [l] { run_launch(l, &runtime().memory); });
  return cudaSuccess;
}

} // namespace

extern "C" {

// What nvcc has host objects call.
void **__cudaRegisterFatBinary(void *fatbin) {
  return (void **)new Object{fatbin, nullptr};
}
void __cudaRegisterFatBinaryEnd(void **) {}
void __cudaUnregisterFatBinary(void **) {}
void __cudaRegisterVar(void **, char *, char *, const char *, int, size_t, int, int) {}
void __cudaRegisterFunction(void **object, const char *host, char *, const char *name, int, uint3 *,
                            uint3 *, dim3 *, dim3 *, int *) {
  Function &f = runtime().functions[host];
  f.object = (Object *)object;
  f.name = name;
}
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared,
                                     struct CUstream_st *stream) {
  configuration = {grid, block, shared, stream};
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream) {
  *grid = configuration.grid;
  *block = configuration.block;
  *shared = configuration.shared;
  *(cudaStream_t *)stream = configuration.stream;
  return cudaSuccess;
}
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *host) {
  *kernel = (cudaKernel_t)host;
  return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                               size_t shared, cudaStream_t stream) {
  CALL();
  return launch((const void *)kernel, grid, block, arguments, shared, stream, false);
}

cudaError_t cudaLaunchKernel(const void *host, dim3 grid, dim3 block, void **arguments,
                             size_t shared, cudaStream_t stream) {
  CALL();
  return launch(host, grid, block, arguments, shared, stream, false);
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *c, const void *host, void **arguments) {
  CALL();
  return launch(host, c->gridDim, c->blockDim, arguments, c->dynamicSmemBytes, c->stream, false);
}
cudaError_t cudaLaunchCooperativeKernel(const void *host, dim3 grid, dim3 block, void **arguments,
                                        size_t shared, cudaStream_t stream) {
  CALL();
  return launch(host, grid, block, arguments, shared, stream, true);
}

cudaError_t cudaFuncSetAttribute(const void *host, cudaFuncAttribute attribute, int value) {
  CALL();
  cudaError_t code;
  Function *f = runtime().load(host, &code);
  if (f && attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) {
    if (value < 0 || (size_t)value > settings().shared)
      code = cudaErrorInvalidValue;
    else
      f->dynamic_shared = (size_t)value;
  }
  return runtime().end(code);
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *out, const void *host) {
  CALL();
  cudaError_t code;
  Function *f = runtime().load(host, &code);
  if (!f)
    return runtime().end(code);
  memset(out, 0, sizeof *out);
  out->ptxVersion = out->binaryVersion = f->object->module->target;
  out->maxThreadsPerBlock = f->kernel->most_threads;
  out->numRegs = f->kernel->registers;
  out->sharedSizeBytes = f->kernel->static_shared;
  return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *n, const void *host,
                                                                   int block, size_t shared,
                                                                   unsigned) {
  CALL();
  cudaError_t code;
  Function *f = runtime().load(host, &code);
  if (f)
    *n = blocks_of_multiprocessor(*f->kernel, block, shared);
  return runtime().end(code);
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *n, const void *host, int block,
                                                          size_t shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(n, host, block, shared, 0);
}

cudaError_t cudaGetDeviceCount(int *n) {
  CALL();
  *n = (int)visible_devices().size();
  return runtime().end(*n > 0 ? cudaSuccess : cudaErrorNoDevice);
}
cudaError_t cudaGetDevice(int *device) {
  CALL();
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  CALL();
  return runtime().end(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int device) {
  CALL();
  const std::vector<int> visible = visible_devices();
  if (device < 0 || device >= (int)visible.size())
    return runtime().end(cudaErrorInvalidDevice);
  memset(p, 0, sizeof *p);
  snprintf(p->name, sizeof p->name, "Emulated device");
  p->uuid.bytes[15] = (char)visible[device];
  p->multiProcessorCount = settings().multiprocessors;
  p->sharedMemPerBlock = 49152;
  p->sharedMemPerBlockOptin = settings().shared;
  p->sharedMemPerMultiprocessor = settings().shared + 1024;
  p->reservedSharedMemPerBlock = 1024;
  p->totalGlobalMem = settings().memory;
  p->l2CacheSize = 50 << 20;
  p->major = 9;
  p->warpSize = 32;
  p->maxThreadsPerBlock = 1024;
  p->maxThreadsPerMultiProcessor = 2048;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int) {
  CALL();
  switch (attribute) {
  case cudaDevAttrMultiProcessorCount:
    *value = settings().multiprocessors;
    return cudaSuccess;
  case cudaDevAttrComputeCapabilityMajor:
    *value = 9;
    return cudaSuccess;
  case cudaDevAttrComputeCapabilityMinor:
    *value = 0;
    return cudaSuccess;
  case cudaDevAttrMaxSharedMemoryPerBlockOptin:
    *value = (int)settings().shared;
    return cudaSuccess;
  case cudaDevAttrMaxSharedMemoryPerBlock:
    *value = 49152;
    return cudaSuccess;
  case cudaDevAttrMaxGridDimX:
    *value = 2147483647;
    return cudaSuccess;
  case cudaDevAttrWarpSize:
    *value = 32;
    return cudaSuccess;
  default:
    fprintf(stderr, "emulator: attribute %d of a device is not known\n", (int)attribute);
    return runtime().end(cudaErrorInvalidValue);
  }
}
cudaError_t cudaDriverGetVersion(int *version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int *version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaGetLastError(void) {
  cudaError_t code = runtime().last;
  if (!runtime().sticky)
    runtime().last = cudaSuccess;
  return code;
}
cudaError_t cudaPeekAtLastError(void) {
  return runtime().last;
}
const char *cudaGetErrorString(cudaError_t code) {
  static char text[64];
  if (code == cudaErrorMemoryAllocation)
    return "out of memory";
  if (code == cudaErrorIllegalAddress)
    return "an illegal memory access was encountered";
  if (code == cudaErrorECCUncorrectable)
    return "uncorrectable ECC error encountered";
  snprintf(text, sizeof text, "error %d", (int)code);
  return text;
}
const char *cudaGetErrorName(cudaError_t code) {
  return cudaGetErrorString(code);
}
}
