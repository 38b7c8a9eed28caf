// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/signals.h"

#include <signal.h>
#include <stddef.h>

// A handler has no argument of ours, so what it notes must be global.
static volatile sig_atomic_t caught;

static void note(int number) {
  if (!caught)
    caught = number;
}

static void install(int flags) {
  struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART | flags}, before;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  // What nohup has started is to outlive its terminal.
  if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
    sigaction(SIGHUP, &action, NULL);
  // A limit on file sizes then fails the write, which is told and ends the run in order.
  signal(SIGXFSZ, SIG_IGN);
}

void vb_signals_install(void) {
  install((int)SA_RESETHAND);
}

void vb_signals_install_in_child(void) {
  install(0);
}

int vb_signal_caught(void) {
  return caught;
}
