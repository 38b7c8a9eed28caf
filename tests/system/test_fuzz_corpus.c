// SPDX-License-Identifier: GPL-3.0-or-later
/// Every input of the corpora of tests/fuzz, once: each was meant to break something, or did. "make
/// fuzz" looks for more.
/// Covers: src/script/*/*.[ch] src/mesh/*.c src/results/*.c src/cli/*.c src/compare/tolerances.c
/// Covers: src/solver/plugin/channel.* src/solver/plugin/description.* src/solver/plugin/proxy.*
#include "fuzz/fuzz.h"
#include "test.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

static const char CORPUS[] = "tests/fuzz/corpus";

/// Reads a whole file; the caller frees.
static uint8_t *read_input(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  ck_assert_msg(file != NULL, "cannot open %s", path);
  ck_assert_int_eq(fseek(file, 0, SEEK_END), 0);
  *size = (size_t)ftell(file);
  rewind(file);
  uint8_t *bytes = malloc(*size + 1);
  ck_assert_ptr_nonnull(bytes);
  ck_assert_uint_eq(fread(bytes, 1, *size, file), *size);
  fclose(file);
  return bytes;
}

/// Runs one input; its name is told first, in case that it ends the process.
static void run_input(const fuzz_target *target, const char *path) {
  size_t size;
  uint8_t *bytes = read_input(path, &size);
  fprintf(stderr, "%s\n", path);
  target->run(bytes, size);
  free(bytes);
}

START_TEST(every_input_is_handled) {
  const fuzz_target *target = FUZZ_TARGETS[_i];
  char folder[128], path[512];
  size_t n = 0;
  if (access(CORPUS, R_OK) != 0) {
    vb_skip("corpus", "tests/fuzz/corpus is not here");
    return;
  }
  // What commands print is not looked at.
  ck_assert_int_ge(dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDOUT_FILENO), 0);
  snprintf(folder, sizeof folder, "%s/%s", CORPUS, target->name);
  DIR *list = opendir(folder);
  ck_assert_msg(list != NULL, "there is no corpus %s", folder);
  for (struct dirent *entry; (entry = readdir(list));)
    if (entry->d_name[0] != '.') {
      snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
      run_input(target, path);
      n++;
    }
  closedir(list);
  ck_assert_msg(n > 0, "%s is empty", folder);
}
END_TEST

static TCase *corpora(void) {
  TCase *tcase = tcase_create("corpora");
  int n = 0;
  while (FUZZ_TARGETS[n])
    n++;
  tcase_set_timeout(tcase, 120);
  tcase_add_loop_test(tcase, every_input_is_handled, 0, n);
  return tcase;
}

VB_TEST_MAIN("fuzz corpus", corpora())
