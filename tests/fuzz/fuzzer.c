// SPDX-License-Identifier: GPL-3.0-or-later
// The fuzz targets as one program of libFuzzer's. The name it is called by says which target runs:
// build-fuzz/fuzz/meshes is a link to it.
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);

static const fuzz_target *target;

// libFuzzer's signature. NOLINTNEXTLINE(readability-non-const-parameter)
int LLVMFuzzerInitialize(int *argc, char ***argv) {
  const char *path = *argc > 0 ? (*argv)[0] : "", *slash = strrchr(path, '/');
  target = fuzz_find(slash ? slash + 1 : path);
  if (target) {
    // What is made once is made here, where no limit on the time of an input ends it.
    target->run((const uint8_t *)"", 0);
    return 0;
  }
  fprintf(stderr, "%s: call it by the name of a target:", path);
  for (const fuzz_target *const *t = FUZZ_TARGETS; *t; t++)
    fprintf(stderr, " %s", (*t)->name);
  fputc('\n', stderr);
  exit(2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  target->run(data, size);
  return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed) {
  if (target->mutate && seed % 8)
    return target->mutate(data, size, room, seed);
  return LLVMFuzzerMutate(data, size, room);
}
