// SPDX-License-Identifier: GPL-3.0-or-later
/// CUDA's runtime: memory and copies.
///
/// A copy from pageable memory takes what is there when it is called, and reaches the device when
/// its stream comes to it, also where the call waits for no more than that (cudaMemcpy). One from
/// pinned memory reads when its stream comes to it. One to pageable memory is waited for.
#include "runtime.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace emulator;

#define CALL()                                                                                     \
  if (cudaError_t code_ = runtime().begin(__func__))                                               \
  return code_
#define NOT_IN_CAPTURE()                                                                           \
  if (cudaError_t code_ = runtime().unless_capturing(__func__))                                    \
  return code_

namespace {

cudaError_t allocate(void **out, size_t bytes, Place place) {
  *out = bytes == 0 ? nullptr : runtime().memory.allocate(bytes, place);
  return runtime().end(bytes > 0 && !*out ? cudaErrorMemoryAllocation : cudaSuccess);
}

/// The memory is gone also where the call is made to fail: its caller cannot do more.
cudaError_t release(const char *call, void *at, Place place) {
  if (!at)
    return cudaSuccess;
  const cudaError_t failure = runtime().begin(call);
  if (cudaError_t code = runtime().unless_capturing(call))
    return code;
  runtime().drain_all();
  const bool released = runtime().memory.release(at, place);
  if (!released && !runtime().sticky) {
    runtime().fault = std::string(call) + " of what is not allocated";
    fprintf(stderr, "emulator: FAULT: %s\n", runtime().fault.c_str());
  }
  return failure ? failure : runtime().end(released ? cudaSuccess : cudaErrorInvalidValue);
}

bool is_of_device(const void *at, size_t bytes) {
  Allocation *a = runtime().memory.find(at, bytes);
  return a && a->place != Place::PINNED;
}

/// Both ends are looked for again when the copy is done: they may have been freed since.
void copy(void *to, const void *from, size_t bytes, bool to_device, bool from_device) {
  Memory &m = runtime().memory;
  if ((to_device && !m.find(to, bytes)) || (from_device && !m.find(from, bytes)))
    throw Fault(std::string("a copy of ") + m.trouble(to_device ? to : from));
  memmove(to, from, bytes);
  m.copied(to, from, bytes);
}

cudaError_t queue_copy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                       cudaStream_t stream) {
  Runtime &r = runtime();
  bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  if (bytes == 0)
    return cudaSuccess;
  if ((to_device && !is_of_device(to, bytes)) || (from_device && !is_of_device(from, bytes)))
    return r.end(cudaErrorInvalidValue);
  if (!from_device && !r.is_pinned(from)) {
    std::vector<char> staged((const char *)from, (const char *)from + bytes);
    r.put(stream, [=] { copy(to, staged.data(), bytes, to_device, false); });
    return cudaSuccess;
  }
  r.put(stream, [=] { copy(to, from, bytes, to_device, from_device); });
  if (!to_device && !r.is_pinned(to) && !r.stream_of(stream)->capturing)
    r.drain(r.stream_of(stream));
  return r.sticky;
}

cudaError_t queue_set(void *at, int value, size_t bytes, cudaStream_t stream) {
  if (bytes > 0 && !is_of_device(at, bytes))
    return runtime().end(cudaErrorInvalidValue);
  runtime().put(stream, [=] {
    Memory &m = runtime().memory;
    if (!m.find(at, bytes))
      throw Fault(std::string("a memset of ") + m.trouble(at));
    memset(at, value, bytes);
    m.wrote(at, bytes);
  });
  return cudaSuccess;
}

} // namespace

extern "C" {

cudaError_t cudaMalloc(void **out, size_t bytes) {
  CALL();
  NOT_IN_CAPTURE();
  return allocate(out, bytes, Place::DEVICE);
}
cudaError_t cudaMallocManaged(void **out, size_t bytes, unsigned) {
  CALL();
  NOT_IN_CAPTURE();
  return allocate(out, bytes, Place::MANAGED);
}
cudaError_t cudaMallocHost(void **out, size_t bytes) {
  CALL();
  NOT_IN_CAPTURE();
  return allocate(out, bytes, Place::PINNED);
}
cudaError_t cudaFree(void *at) {
  return release(__func__, at, Place::DEVICE);
}
cudaError_t cudaFreeHost(void *at) {
  return release(__func__, at, Place::PINNED);
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
  CALL();
  NOT_IN_CAPTURE();
  cudaError_t code = queue_copy(to, from, bytes, kind, nullptr);
  bool staged = kind == cudaMemcpyHostToDevice && !runtime().is_pinned(from);
  if (!code && !staged)
    runtime().drain(&runtime().legacy);
  return runtime().sticky ? runtime().sticky : code;
}
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  CALL();
  return queue_copy(to, from, bytes, kind, stream);
}
cudaError_t cudaMemset(void *at, int value, size_t bytes) {
  CALL();
  NOT_IN_CAPTURE();
  return queue_set(at, value, bytes, nullptr);
}
cudaError_t cudaMemsetAsync(void *at, int value, size_t bytes, cudaStream_t stream) {
  CALL();
  return queue_set(at, value, bytes, stream);
}
}
