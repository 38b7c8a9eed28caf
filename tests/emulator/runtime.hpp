// SPDX-License-Identifier: GPL-3.0-or-later
/// The state of the CUDA runtime that the emulator is: kernels, streams, graphs and the last error.
#ifndef VB_TESTS_EMULATOR_RUNTIME_HPP
#define VB_TESTS_EMULATOR_RUNTIME_HPP

#include "machine.hpp"
#include "settings.hpp"

#include <cuda_runtime_api.h>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>

namespace emulator {

/// The PTX in what a host object registers. Throws a Fault where there is none.
std::string ptx_of_object(const void *registered);
/// Adds what kernels have done to the folder that EMULATOR_COVERAGE names, if it does.
void keep_coverage();
/// Notes the registers of a module's kernels, from its machine code where that is there.
void note_registers(const void *registered, Module *module);

using Work = std::function<void()>;

struct Stream {
  bool blocking = false; ///< it and the legacy stream wait for each other
  std::deque<Work> queue;
  uint64_t queued = 0, done = 0;
  bool capturing = false, invalid = false;
  std::vector<Work> captured;
};

struct Event {
  Stream *stream = nullptr; ///< where it was recorded last
  uint64_t at = 0;          ///< how much of that is done then
  double time = -1;         ///< seconds; negative until it has come
  bool timed = true;
};

struct Graph {
  std::vector<Work> work;
};

/// A module of an object, read when a kernel of it is first loaded.
struct Object {
  const void *registered;
  std::unique_ptr<Module> module;
};

/// A kernel by the function of the host that stands for it.
struct Function {
  Object *object = nullptr;
  std::string name;
  Kernel *kernel = nullptr;      ///< once loaded
  size_t dynamic_shared = 49152; ///< that launches may ask for
};

class Runtime {
public:
  /// The beginning of every call: an error that stays, or that this call is to fail by; or 0.
  cudaError_t begin(const char *call);
  /// The end of a call: notes an error as the last one.
  cudaError_t end(cudaError_t code);
  /// Whether this call may be made while a stream captures; otherwise the capture is invalid.
  cudaError_t unless_capturing(const char *call);
  /// The function, loaded; null with an error where it has no kernel, or loads within a capture.
  Function *load(const void *host, cudaError_t *code);
  /// Its kernel, with its code; not loaded by that. Throws a Fault where there is none.
  Kernel *read(Function *f);
  /// Queues work, or captures it.
  void put(cudaStream_t stream, Work work);
  /// Does what was queued, until so much of a stream is done.
  void drain(Stream *stream, uint64_t until);
  void drain(Stream *stream) { drain(stream, stream->queued); }
  void drain_all();
  Stream *stream_of(cudaStream_t stream);
  bool is_pinned(const void *at);

  Memory memory;
  std::map<const void *, Function> functions;
  std::set<Stream *> streams;
  std::set<Event *> events;
  Stream legacy;
  Stream *capturing = nullptr;
  cudaError_t last = cudaSuccess, sticky = cudaSuccess;
  long calls = 0;
  long works = 0;          ///< launches and copies that were executed
  bool lost = false;       ///< one of these was made to fail: the memory goes with the process
  const char *failed = ""; ///< the call that was made to fail
  std::string fault;       ///< the first that a kernel or a copy did wrong
};

Runtime &runtime();

/// Blocks of a kernel, with so much dynamic shared memory, that find room on a multiprocessor.
int blocks_of_multiprocessor(const Kernel &kernel, int block, size_t shared);

} // namespace emulator

#endif
