// SPDX-License-Identifier: GPL-3.0-or-later
/// Which instructions of kernels have been done, in a folder that many processes add to
/// (coverage.py reads it).
#include "runtime.hpp"

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <sys/file.h>
#include <unistd.h>

namespace emulator {

namespace {

/// Whether each instruction was done, as a file has it after its name and after each line's number.
std::vector<bool> done_before(FILE *f) {
  fseek(f, 0, SEEK_END);
  std::string text((size_t)ftell(f), '\0');
  rewind(f);
  text.resize(fread(&text[0], 1, text.size(), f));
  std::vector<bool> done;
  for (size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', end + 1))
    if (end > 1 && text[end - 2] == ' ')
      done.push_back(text[end - 1] == '1');
  return done;
}

/// Adds to a file of a kernel: its name, and for each instruction its line in the PTX and whether
/// it was done. A kernel that was never loaded has none.
void add_kernel(const std::string &path, const std::string &name, const Kernel *kernel) {
  FILE *f = fopen(path.c_str(), "a+");
  if (!f) {
    fprintf(stderr, "emulator: %s cannot be written\n", path.c_str());
    return;
  }
  flock(fileno(f), LOCK_EX);
  const std::vector<bool> had = done_before(f);
  if (kernel || had.empty()) {
    if (ftruncate(fileno(f), 0))
      perror("emulator");
    fprintf(f, "%s\n", name.c_str());
    for (size_t k = 0; kernel && k < kernel->code.size(); k++)
      fprintf(f, "%d %d\n", kernel->code[k].line,
              (k < kernel->done.size() && kernel->done[k]) || (k < had.size() && had[k]));
  }
  fclose(f);
}

} // namespace

void keep_coverage() {
  const char *folder = getenv("EMULATOR_COVERAGE");
  if (!folder || !*folder)
    return;
  for (const auto &[host, f] : runtime().functions) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%016zx", folder, std::hash<std::string>()(f.name));
    add_kernel(path, f.name, f.kernel);
  }
}

} // namespace emulator
