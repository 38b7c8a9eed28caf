// SPDX-License-Identifier: GPL-3.0-or-later
// What processes recorded in shares. An input is a list of changes (changed_files.h) of the files
// of two shares of a study; then they are joined, and the study is read and continued.
#include "changed_files.h"
#include "fuzz.h"

#include "results/h5_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char STUDY[] =
    "return { title = 'parts', figure = './plain', build = function(p)\n"
    "  local s = vb.scene{ step = 0.01, steps = 2 }\n"
    "  s:rod{ nodes = p.n, from = {0, 0, 0}, to = {0, 0, 1}, radius = 0.1, density = 1000,\n"
    "    material = { E = 1e6, nu = 0.4 } }\n"
    "  s:solver{ iterations = 2, threads = 1, backend = 'cpu' }\n"
    "  s:gate{ name = 'low', quantity = 'energy/total', at_most = 1e9, reason = 'a test' }\n"
    "  return s end, parameters = { n = 3 }, runs = function()\n"
    "  return { { name = 'a', parameters = { n = 3 } },"
    "    { name = 'b', parameters = { n = 4 } } } end,\n"
    "  gates = function() return { { name = 'both', runs = { 'a', 'b' }, quantity = "
    "'energy/total',\n"
    "    combine = 'ratio', measure = 'final', at_most = 1e9, reason = 'a test' } } end }\n";

static fuzz_file files[] = {{.name = "parts-a.h5"}, {.name = "parts-b.h5"}, {.name = "parts.h5"}};
enum { N_FILES = sizeof files / sizeof *files };

static void make(void) {
  char path[FUZZ_PATH];
  if (files[0].bytes)
    return;
  setenv("PATH", "/nowhere", 1); // no figure is drawn
  fuzz_write("parts.lua", STUDY, sizeof STUDY - 1, path);
  // The default figure renders frames, which takes seconds for each input.
  fuzz_write("plain.gp", "plot 0\n", 7, path);
  fuzz_command("run @/parts.lua --quiet --shard 1/2 --out @");
  fuzz_command("run @/parts.lua --quiet --shard 2/2 --out @");
  fuzz_command("join @/parts.lua --quiet --out @");
  for (size_t i = 0; i < N_FILES; i++)
    fuzz_file_keep(&files[i]);
}

static void run(const uint8_t *data, size_t size) {
  static const char *const COMMANDS[] = {"join @/parts.lua --quiet --out @",
                                         "table @/parts.h5 gates/name scenario/runs",
                                         "run @/parts.lua --quiet --out @"};
  char path[FUZZ_PATH];
  vb_reader_stay_here(); // what another process executes is not seen
  make();
  fuzz_files_change(files, N_FILES, data, size);
  for (size_t i = 0; i < sizeof COMMANDS / sizeof *COMMANDS; i++)
    fuzz_command(COMMANDS[i]);
  // The commands replace what they find wrong, and keep that beside.
  for (size_t i = 0; i < N_FILES; i++) {
    files[i].touched = true;
    snprintf(path, sizeof path, "%s/%s.damaged", fuzz_folder(), files[i].name);
    unlink(path);
  }
  fuzz_files_restore(files, N_FILES);
}

const fuzz_target fuzz_shards = {"shards", run, NULL};
