// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes of HDF5 files. An input is a list of changes of three bytes each - two of a place, which
// goes round the file, and one that is put there - of the file of a small run; then the functions
// that a reader has for it read all of it. HDF5 itself crashes on some such files, for which
// readers are confined: so a fork reads, and what counts are faults in this program's code.
#include "fuzz.h"
#include "small_studies.h"

#include "results/h5_reader.h"
#include "results/results_file.h"
#include "results/results_trial.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RUN_FILE = 1, CHANGE = 3, MOST_CHANGES = 64 };

/// Exit code of a fork in which HDF5 is at fault.
enum { HDF5_FAULT = 77 };

// libFuzzer's counters of what was executed, which are the fork's own until they are copied.
extern unsigned char __start___sancov_cntrs[] __attribute__((weak)); // NOLINT
extern unsigned char __stop___sancov_cntrs[] __attribute__((weak));  // NOLINT

/// Where a sanitizer tells what it found, if there is one.
void __asan_set_error_report_callback(void (*tell)(const char *report)) // NOLINT
    __attribute__((weak));

static unsigned char *counters; ///< shared with forks
static size_t n_counters;

static void share_counters(void) {
  n_counters = (uintptr_t)__stop___sancov_cntrs - (uintptr_t)__start___sancov_cntrs;
  if (n_counters > 0 && !counters)
    counters = mmap(NULL, n_counters, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

static _Noreturn void leave(int code) {
  if (n_counters > 0)
    memcpy(counters, __start___sancov_cntrs, n_counters);
  _exit(code);
}

/// Whether an address is in HDF5's library.
static bool is_in_hdf5(void *address) {
  Dl_info info;
  return dladdr(address, &info) && info.dli_fname && strstr(info.dli_fname, "libhdf5");
}

/// Whether an address is in a function of the C library, or in that of a sanitizer in its place.
static bool is_in_libc(void *address) {
  Dl_info info;
  return dladdr(address, &info) && ((info.dli_fname && strstr(info.dli_fname, "libc.so")) ||
                                    (info.dli_sname && strstr(info.dli_sname, "__interceptor")));
}

/// A crash is HDF5's where it is executed itself, or a function of the C library that it called.
/// Elsewhere, as in what HDF5 calls of this program, the signal comes again, and counts.
static void tell_crash(int number) {
  void *calls[64];
  int n = backtrace(calls, sizeof calls / sizeof *calls), i = 3; // behind this, and what called it
  int first = i;
  while (i < n && !is_in_hdf5(calls[i]))
    i++;
  if (i < n && (i == first || is_in_libc(calls[i - 1])))
    leave(HDF5_FAULT);
  signal(number, SIG_DFL);
}

/// What a sanitizer found in a function that HDF5 called, such as memcpy, is HDF5's: in its list of
/// calls, the library comes before the program.
static void tell_report(const char *report) {
  const char *calls = strstr(report, "#0 "), *library = calls ? strstr(calls, "libhdf5") : NULL;
  const char *program =
      calls ? strstr(calls, "/src/") : NULL; // a sanitizer tells no source of its own
  if (library && (!program || library < program))
    leave(HDF5_FAULT);
}

static void watch(void) {
  static const int CRASHES[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU};
  static char stack[1 << 18]; // a crash may be for want of stack
  const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
  struct sigaction action = {.sa_handler = tell_crash, .sa_flags = SA_NODEFER | SA_ONSTACK};
  sigaltstack(&other, NULL);
  for (size_t i = 0; i < sizeof CRASHES / sizeof *CRASHES; i++)
    sigaction(CRASHES[i], &action, NULL);
  if (__asan_set_error_report_callback)
    __asan_set_error_report_callback(tell_report);
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  // A file of this size is read in less than a second. HDF5 may loop over a damaged one.
  setrlimit(RLIMIT_CPU, &(struct rlimit){5, 10});
}

/// What a reader does with a file.
static void read_file(const char *path) {
  vb_error error = {0};
  vb_h5 h5 = {path, VB_BAD_INPUT, &error, VB_OK};
  bool index = false;
  hid_t file = vb_results_open(&h5, &index);
  if (!h5.status)
    vb_results_read_all(&h5, file);
  fuzz_expect(h5.status, &error);
  vb_h5_release(file);
}

static void change(const fuzz_file *file, const uint8_t *data, size_t size) {
  char path[FUZZ_PATH], *bytes = malloc(file->size);
  if (!bytes)
    abort();
  memcpy(bytes, file->bytes, file->size);
  for (size_t at = 0; at + CHANGE <= size && at < (size_t)MOST_CHANGES * CHANGE; at += CHANGE)
    bytes[((size_t)data[at] | (size_t)data[at + 1] << 8) % file->size] = (char)data[at + 2];
  fuzz_write(file->name, bytes, file->size, path);
  free(bytes);
}

static void run(const uint8_t *data, size_t size) {
  char path[FUZZ_PATH];
  int ended = 0;
  vb_reader_stay_here(); // the fork is the reader
  const fuzz_file *file = &small_studies_make()[RUN_FILE];
  share_counters();
  change(file, data, size);
  snprintf(path, sizeof path, "%s/%s", fuzz_folder(), file->name);
  pid_t child = fork();
  if (child == 0) {
    watch();
    if (chdir(fuzz_folder())) // where a sanitizer leaves what it found
      abort();
    read_file(path);
    leave(EXIT_SUCCESS);
  }
  pid_t found = child;
  while (child > 0 && (found = waitpid(child, &ended, 0)) < 0 && errno == EINTR)
    ; // libFuzzer's own clock
  if (child < 0 || found != child)
    abort();
  if (n_counters > 0)
    memcpy(__start___sancov_cntrs, counters, n_counters);
  fuzz_file_restore(file);
  if (ended != 0 && !(WIFEXITED(ended) && WEXITSTATUS(ended) == HDF5_FAULT)) {
    fprintf(stderr, "the reader ended with %d\n", ended);
    abort();
  }
}

const fuzz_target fuzz_hdf5_bytes = {"hdf5_bytes", run, NULL};
