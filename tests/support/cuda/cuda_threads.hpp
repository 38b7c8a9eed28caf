// SPDX-License-Identifier: GPL-3.0-or-later
/// Runs the lanes of a team on the host, each on a stack of its own, one after the other from one
/// barrier to the next.
#ifndef VB_TESTS_SUPPORT_CUDA_THREADS_HPP
#define VB_TESTS_SUPPORT_CUDA_THREADS_HPP

#include "cuda/cuda_host.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <ucontext.h>
#include <vector>

#ifdef __SANITIZE_ADDRESS__
#include <pthread.h>
#include <sanitizer/common_interface_defs.h>
#endif

/// A team at work: `run` calls a function once for each lane.
class cuda_threads {
public:
  explicit cuda_threads(cuda_host_order order) : order_(order) {}

  void run(int n, const std::function<void(int)> &thread) {
    while ((int)fibers_.size() < n)
      fibers_.emplace_back();
    function_ = &thread;
    for (int i = 0; i < n; i++)
      begin(i);
    std::vector<int> turn(n);
    for (int i = 0; i < n; i++)
      turn[i] = order_ == CUDA_HOST_BACKWARD ? n - 1 - i : i;
    for (int done = 0; done < n;) {
      done = 0;
      if (order_ == CUDA_HOST_SHUFFLED)
        shuffle(turn);
      for (int i : turn)
        done += resume(i);
      if (done > 0 && done < n) { // some lanes wait for others that never come
        std::fprintf(stderr, "%d of %d lanes ended before the others' barrier\n", done, n);
        std::abort();
      }
    }
  }

  /// Where a lane waits for its team.
  void barrier() { leave(current_, false); }

private:
  struct fiber {
    ucontext_t context;
    std::vector<char> stack = std::vector<char>(256 * 1024);
    void *fake = nullptr;
    bool done = false;
  };

  static void entry(unsigned high, unsigned low) {
    auto *self = reinterpret_cast<cuda_threads *>((uintptr_t)high << 32 | low);
    self->arrive(nullptr);
    int thread = self->current_;
    (*self->function_)(thread);
    self->leave(thread, true);
  }

  void begin(int i) {
    fiber &f = fibers_[i];
    uintptr_t self = reinterpret_cast<uintptr_t>(this);
    f.done = false;
    f.fake = nullptr;
    getcontext(&f.context);
    f.context.uc_stack.ss_sp = f.stack.data();
    f.context.uc_stack.ss_size = f.stack.size();
    f.context.uc_link = nullptr;
    makecontext(&f.context, reinterpret_cast<void (*)()>(entry), 2, (unsigned)(self >> 32),
                (unsigned)self);
  }

  /// Runs a lane to its next barrier or its end; returns whether it has ended.
  bool resume(int i) {
    fiber &f = fibers_[i];
    current_ = i;
#ifdef __SANITIZE_ADDRESS__
    void *fake;
    __sanitizer_start_switch_fiber(&fake, f.stack.data(), f.stack.size());
#endif
    swapcontext(&main_, &f.context);
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
#endif
    return f.done;
  }

  void leave(int i, bool done) {
    fiber &f = fibers_[i];
    f.done = done;
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_start_switch_fiber(done ? nullptr : &f.fake, main_stack_, main_size_);
#endif
    swapcontext(&f.context, &main_);
    arrive(f.fake);
  }

  /// On a lane's stack, after a switch to it.
  void arrive(void *fake) {
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_finish_switch_fiber(fake, &main_stack_, &main_size_);
#else
    (void)fake;
#endif
  }

  void shuffle(std::vector<int> &turn) {
    for (size_t i = turn.size(); i > 1; i--) {
      random_ = random_ * 6364136223846793005u + 1442695040888963407u;
      std::swap(turn[i - 1], turn[(random_ >> 33) % i]);
    }
  }

  cuda_host_order order_;
  std::vector<fiber> fibers_;
  const std::function<void(int)> *function_ = nullptr;
  ucontext_t main_;
  int current_ = 0;
  uint64_t random_ = 1;
#ifdef __SANITIZE_ADDRESS__
  const void *main_stack_ = nullptr;
  size_t main_size_ = 0;
#endif
};

#endif
