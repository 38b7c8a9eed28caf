// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/plugin/fault.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>

// A handler has no argument of ours, so what it looks at must be global.
static vb_channel *noted_channel;
static const char *scene_begin;
static size_t scene_size;
static const vb_guard *watched[VB_OUTPUTS];

/// Calls only what a handler may call.
static void note(int number, siginfo_t *info, void *context) {
  (void)context;
  const char *address = info->si_addr;
  bool touched = number == SIGSEGV || number == SIGBUS;
  vb_fault fault = {.signal = number,
                    .memory = errno == ENOMEM,
                    .output = -1,
                    .address = (uint64_t)(uintptr_t)address};
  for (int i = 0; touched && i < VB_OUTPUTS; i++) {
    int side = watched[i] ? vb_guard_side(watched[i], address) : 2;
    if (side < 2) {
      fault.output = i;
      fault.side = side;
    }
  }
  fault.scene = touched && scene_begin && address >= scene_begin &&
                (size_t)(address - scene_begin) < scene_size;
  vb_channel_lock_head(noted_channel, false);
  noted_channel->head->fault = fault;
  // The same again, and the process ends by it as it would have.
  signal(number, SIG_DFL);
  if (!touched || info->si_code <= 0)
    raise(number);
}

void vb_fault_install(vb_channel *channel, const vb_scene *scene, size_t scene_bytes) {
  static const int SIGNALS[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
  static char stack[1 << 16]; // for when the solver's stack has run over
  stack_t alternative = {.ss_sp = stack, .ss_size = sizeof stack};
  struct sigaction action = {.sa_sigaction = note, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  noted_channel = channel;
  scene_begin = (const char *)scene;
  scene_size = scene_bytes;
  sigemptyset(&action.sa_mask);
  sigaltstack(&alternative, NULL);
  for (size_t i = 0; i < sizeof SIGNALS / sizeof *SIGNALS; i++)
    sigaction(SIGNALS[i], &action, NULL);
}

void vb_fault_watch(int output, const vb_guard *guard) {
  watched[output] = guard;
}
