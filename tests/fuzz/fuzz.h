// SPDX-License-Identifier: GPL-3.0-or-later
/// Fuzz targets: what is done with bytes that anybody could have made. Each is run by libFuzzer
/// (fuzzer.c, "make fuzz") and over its corpus by tests/system/test_fuzz_corpus.c. A target ends
/// well where the program refuses its input with a status and one sentence; anything else is a
/// crash, a sanitizer's report, or a limit on time or memory.
#ifndef VB_TESTS_FUZZ_FUZZ_H
#define VB_TESTS_FUZZ_FUZZ_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/// Longest path of the files of a target.
enum { FUZZ_PATH = 256 };

/// One target.
typedef struct fuzz_target {
  const char *name; ///< of its corpus, its link in build-fuzz/fuzz/, and its line in what is told
  void (*run)(const uint8_t *data, size_t size);
  /// Changes an input of `size` bytes in place, to at most `room`; returns the new size. Null:
  /// bytes are changed as libFuzzer likes.
  size_t (*mutate)(uint8_t *data, size_t size, size_t room, unsigned seed);
} fuzz_target;

extern const fuzz_target fuzz_scripts, fuzz_meshes, fuzz_results, fuzz_command_line, fuzz_json,
    fuzz_channel, fuzz_surfaces, fuzz_scenes, fuzz_benches, fuzz_shards, fuzz_python_reader,
    fuzz_hdf5_bytes, fuzz_texts;

/// All of them, with a null behind the last.
extern const fuzz_target *const FUZZ_TARGETS[];

/// The target of that name, or null.
const fuzz_target *fuzz_find(const char *name);

/// A folder of this process in $TMPDIR (or /tmp), which is gone when it exits.
const char *fuzz_folder(void);

/// Writes file `name` of that folder, and its path to `path`.
void fuzz_write(const char *name, const void *data, size_t size, char path[FUZZ_PATH]);

/// Fails where a status and its message do not go together: each failure is one line of text that
/// says something and holds no control characters.
void fuzz_expect(vb_status status, const vb_error *error);

/// Runs a command of the program: words separated by blanks, of which "@" stands for the folder of
/// the target. What it answers must be a status; its output goes where that of the process goes.
void fuzz_command(const char *words);

/// Pseudorandom numbers from a seed that is not 0 (xorshift).
static inline uint64_t fuzz_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

/// An input taken apart from its begin; zeros behind its end.
typedef struct fuzz_bytes {
  const uint8_t *at;
  size_t left;
} fuzz_bytes;

static inline unsigned fuzz_byte(fuzz_bytes *bytes) {
  if (bytes->left == 0)
    return 0;
  bytes->left--;
  return *bytes->at++;
}

static inline unsigned fuzz_pair(fuzz_bytes *bytes) {
  unsigned low = fuzz_byte(bytes);
  return low | fuzz_byte(bytes) << 8;
}

#endif
