// SPDX-License-Identifier: GPL-3.0-or-later
// Files of benchmarks. An input is a list of changes (changed_files.h) of one that the program
// wrote itself; then everything that reads such files reads it.
#include "changed_files.h"
#include "fuzz.h"

#include "results/h5_reader.h"

#include <stdlib.h>

static const char STUDY[] =
    "return { title = 'tiny', build = function()\n"
    "  local s = vb.scene{ step = 0.01, steps = 2 }\n"
    "  s:rod{ nodes = 3, from = {0, 0, 0}, to = {0, 0, 1}, radius = 0.1, density = 1000,\n"
    "    material = { E = 1e6, nu = 0.4 } }\n"
    "  s:record{ every = 1, frames = 1 }\n"
    "  s:solver{ threads = 1, backend = 'cpu' }\n"
    "  s:bench{ after = 1 }\n"
    "  return s end, runs = function() return { { name = 'one' }, { name = 'two' } } end }\n";

static fuzz_file file = {.name = "bench-tiny.h5"};

static void make(void) {
  char path[FUZZ_PATH];
  if (file.bytes)
    return;
  setenv("PATH", "/nowhere", 1); // no figure is drawn
  fuzz_write("tiny.lua", STUDY, sizeof STUDY - 1, path);
  fuzz_command("bench @/tiny.lua --quiet --out @");
  fuzz_file_keep(&file);
}

static void run(const uint8_t *data, size_t size) {
  static const char *const COMMANDS[] = {
      "info @/bench-tiny.h5",
      "table @/bench-tiny.h5",
      "table @/bench-tiny.h5 bench/one/speed/step_time bench/one/windows/wall_time bench/one/label",
      "report @/bench-tiny.h5 --plain --out @/a.html",
      "compare @/bench-tiny.h5 @/bench-tiny.h5",
      "history @",
      "render @/bench-tiny.h5 --size 24x16 --plain --out @/a.png"};
  vb_reader_stay_here(); // what another process executes is not seen
  make();
  fuzz_files_change(&file, 1, data, size);
  for (size_t i = 0; i < sizeof COMMANDS / sizeof *COMMANDS; i++)
    fuzz_command(COMMANDS[i]);
  fuzz_files_restore(&file, 1);
}

const fuzz_target fuzz_benches = {"benches", run, NULL};
