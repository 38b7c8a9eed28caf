// SPDX-License-Identifier: GPL-3.0-or-later
/// The state of the runtime: errors, queues, and the loading of kernels.
#include "runtime.hpp"

#include "emulator.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace emulator {

Runtime &runtime() {
  static Runtime *r = new Runtime; // objects register before and after all that is static
  return *r;
}

cudaError_t Runtime::begin(const char *call) {
  if (sticky)
    return sticky;
  if (calls++ != settings().fail)
    return cudaSuccess;
  failed = call;
  if (settings().tell)
    fprintf(stderr, "emulator: call %ld, %s, is made to fail\n", calls - 1, call);
  return end(cudaErrorMemoryAllocation);
}

cudaError_t Runtime::end(cudaError_t code) {
  if (sticky)
    return sticky;
  if (code)
    last = code;
  return code;
}

cudaError_t Runtime::unless_capturing(const char *call) {
  if (!capturing)
    return cudaSuccess;
  capturing->invalid = true;
  fprintf(stderr, "emulator: %s is not allowed while a stream is captured\n", call);
  return end(cudaErrorStreamCaptureUnsupported);
}

/// Writes a module where EMULATOR_PTX asks for it, so that the lines of messages can be looked at.
static void keep_ptx(const std::string &text, const std::string &kernel) {
  const char *folder = getenv("EMULATOR_PTX");
  if (!folder || !*folder)
    return;
  std::string path = std::string(folder) + "/" + kernel.substr(0, 200) + ".ptx";
  if (FILE *f = fopen(path.c_str(), "w")) {
    fwrite(text.data(), 1, text.size(), f);
    fclose(f);
  }
}

Kernel *Runtime::read(Function *f) {
  auto &module = f->object->module;
  if (!module) {
    module = std::make_unique<Module>();
    std::string text = ptx_of_object(f->object->registered);
    keep_ptx(text, f->name);
    read_module(text, module.get());
    note_registers(f->object->registered, module.get());
    module->memory = memory.allocate(module->initial.size() + 1, Place::MODULE);
    memcpy(module->memory, module->initial.data(), module->initial.size());
  }
  auto kernel = module->kernels.find(f->name);
  if (kernel == module->kernels.end())
    throw Fault("no PTX of " + f->name);
  read_code(&kernel->second);
  return &kernel->second;
}

Function *Runtime::load(const void *host, cudaError_t *code) {
  auto found = functions.find(host);
  *code = cudaErrorInvalidDeviceFunction;
  if (found == functions.end())
    return nullptr;
  Function *f = &found->second;
  *code = cudaSuccess;
  if (f->kernel)
    return f;
  if ((*code = unless_capturing("the first use of a kernel, which loads it,")))
    return nullptr;
  try {
    f->kernel = read(f);
  } catch (const Fault &e) {
    fprintf(stderr, "emulator: %s\n", e.what());
    *code = end(cudaErrorInvalidDeviceFunction);
    return nullptr;
  }
  return f;
}

Stream *Runtime::stream_of(cudaStream_t stream) {
  return stream ? (Stream *)stream : &legacy;
}

void Runtime::put(cudaStream_t stream, Work work) {
  Stream *s = stream_of(stream);
  if (s->capturing) {
    s->captured.push_back(std::move(work));
    return;
  }
  if (s == &legacy) {
    for (Stream *other : streams)
      if (other->blocking)
        drain(other);
  } else if (s->blocking) {
    drain(&legacy);
  }
  s->queue.push_back(std::move(work));
  s->queued++;
  if (settings().eager)
    drain(s);
}

void Runtime::drain(Stream *s, uint64_t until) {
  while (s->done < until && !sticky) {
    Work work = std::move(s->queue.front());
    s->queue.pop_front();
    s->done++;
    if (works++ == settings().fail_work) {
      sticky = last = cudaErrorECCUncorrectable;
      lost = true;
      break;
    }
    try {
      work();
    } catch (const Fault &e) {
      fprintf(stderr, "emulator: FAULT: %s\n", e.what());
      fault = e.what();
      sticky = last = cudaErrorIllegalAddress;
    }
  }
}

void Runtime::drain_all() {
  drain(&legacy);
  for (Stream *s : streams)
    drain(s);
}

bool Runtime::is_pinned(const void *at) {
  Allocation *a = memory.find(at, 1);
  return a && (a->place == Place::PINNED || a->place == Place::MANAGED);
}

namespace {

/// At the end of the process: what it left behind, and whether it did wrong.
struct AtEnd {
  ~AtEnd() {
    Runtime &r = runtime();
    keep_coverage();
    size_t n, bytes = r.memory.leaked(&n);
    bool wrong = Races::found > 0 || (n > 0 && !r.sticky);
    if (settings().tell)
      fprintf(
          stderr,
          "emulator: %llu launches, %llu lane instructions, %llu warp instructions, %ld calls\n",
          (unsigned long long)counts.launches, (unsigned long long)counts.lane_instructions,
          (unsigned long long)counts.warp_instructions, r.calls);
    if (Races::found > 0)
      fprintf(stderr, "emulator: %llu races\n", (unsigned long long)Races::found);
    if (n > 0)
      fprintf(stderr, "emulator: %zu allocations of %zu bytes in all were not freed\n", n, bytes);
    if (wrong)
      _exit(97);
  }
} at_end;

} // namespace

} // namespace emulator

using namespace emulator;

void emulator_read(void) {
  for (auto &[host, f] : runtime().functions)
    runtime().read(&f);
}

uint64_t emulator_races(void) {
  return Races::found;
}

void emulator_forget(void) {
  Races::found = 0;
  Races::first.clear();
  if (runtime().lost) {
    runtime().lost = false;
    runtime().legacy.queue.clear();
    runtime().legacy.done = runtime().legacy.queued;
    runtime().memory.drop();
  }
  runtime().sticky = runtime().last = cudaSuccess;
  runtime().fault.clear();
}

const char *emulator_fault(void) {
  return runtime().fault.c_str();
}

uint64_t emulator_lane_instructions(void) {
  return counts.lane_instructions;
}

size_t emulator_leaks(void) {
  size_t n;
  runtime().memory.leaked(&n);
  return n;
}

const char *emulator_failed_call(void) {
  return runtime().failed;
}

long emulator_calls(void) {
  return runtime().calls;
}

void emulator_fail_call(long n) {
  settings().fail = n < 0 ? -1 : runtime().calls + n;
}

long emulator_works(void) {
  return runtime().works;
}

void emulator_fail_work(long n) {
  settings().fail_work = n < 0 ? -1 : runtime().works + n;
}

int emulator_target(void) {
  for (const auto &[host, f] : runtime().functions)
    if (f.kernel)
      return f.kernel->module->target;
  return 0;
}

void emulator_schedule(int schedule, unsigned seed, int races) {
  settings().schedule = (Schedule)schedule;
  settings().seed = seed;
  settings().races = races;
}

void emulator_devices(int n) {
  settings().devices = n;
}

void emulator_device(int multiprocessors, int threads, size_t shared) {
  settings().multiprocessors = multiprocessors;
  settings().threads = threads;
  settings().shared = shared;
}
