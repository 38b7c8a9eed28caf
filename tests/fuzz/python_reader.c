// SPDX-License-Identifier: GPL-3.0-or-later
// What Python's `load` reads. An input is a list of changes (changed_files.h) of the files of small
// studies; then all of it is read by the functions that the package calls.
#include "fuzz.h"
#include "small_studies.h"

#include "python/reading.h"
#include "results/h5_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Most names of a list that are read, and most numbers of a dataset.
enum { MOST_NAMES = 200, MOST_NUMBERS = 1 << 20 };

/// A failure has a kind that the package knows.
static void expect(vb_status status, vb_python_fault fault, const vb_error *error) {
  fuzz_expect(status, error);
  if (status && fault != VB_PYTHON_WRONG && fault != VB_PYTHON_DAMAGED && fault != VB_PYTHON_DENIED)
    abort();
}

static void read_dataset(const char *path, int64_t object, const char *name) {
  vb_python_dataset d = {0};
  vb_python_fault fault = VB_PYTHON_WRONG;
  vb_error error = {0};
  bool found = false;
  void *numbers = NULL;
  char *texts = NULL;
  size_t n = 0;
  vb_status status = vb_python_describe(path, object, name, &d, &found, &fault, &error);
  expect(status, fault, &error);
  if (status || !found)
    return;
  const uint64_t start[3] = {0}, count[3] = {d.rank > 0 ? d.rows : 1, d.extent[1], d.extent[2]};
  if (d.letter == 't') {
    status = vb_python_texts(path, object, name, &texts, &n, &fault, &error);
    vb_python_drop(texts);
  } else if (d.letter != '?' && count[0] < MOST_NUMBERS && count[1] < 1000 && count[2] < 1000) {
    status = vb_python_numbers(path, object, name, start, count, d.letter != 'f', &numbers, &n,
                               &fault, &error);
    if (!status && n != count[0] * count[1] * count[2])
      abort();
    vb_python_drop(numbers);
  }
  expect(status, fault, &error);
}

/// Reads all datasets below a group, and the attributes that the package asks for.
static void read_all(const char *path, int64_t object, const char *group) {
  char *names = NULL, text[100];
  size_t size = 0, at = 0;
  vb_python_fault fault = VB_PYTHON_WRONG;
  vb_error error = {0};
  expect(vb_python_list(path, object, group, true, &names, &size, &fault, &error), fault, &error);
  for (int i = 0; i < MOST_NAMES && at < size; i++) {
    char whole[2000];
    snprintf(whole, sizeof whole, "%s/%s", group, names + at);
    read_dataset(path, object, whole);
    at += strlen(names + at) + 1;
  }
  vb_python_drop(names);
  vb_python_attribute(path, object, group, "status", text, sizeof text);
  vb_python_integer(path, object, group, "steps", -1);
}

/// Reads the runs of an index.
static void read_runs(const char *path, int64_t index) {
  char *names = NULL;
  size_t size = 0, at = 0;
  vb_python_fault fault = VB_PYTHON_WRONG;
  vb_error error = {0};
  expect(vb_python_list(path, index, "runs", false, &names, &size, &fault, &error), fault, &error);
  for (int i = 0; i < MOST_NAMES && at < size; i++) {
    int64_t run = -1;
    vb_status status = vb_python_open_run(path, index, names + at, &run, &fault, &error);
    expect(status, fault, &error);
    if (!status)
      read_all(path, run, "run");
    if (!status)
      vb_python_close(run);
    at += strlen(names + at) + 1;
  }
  vb_python_drop(names);
}

static void read_file(const char *name) {
  static const char *const GROUPS[] = {"run", "topology", "scenario", "gates", "timing"};
  char path[FUZZ_PATH];
  int64_t object = -1;
  bool index = false;
  vb_python_fault fault = VB_PYTHON_WRONG;
  vb_error error = {0};
  snprintf(path, sizeof path, "%s/%s", fuzz_folder(), name);
  vb_status status = vb_python_open(path, &object, &index, &fault, &error);
  expect(status, fault, &error);
  if (status)
    return;
  for (size_t i = 0; i < sizeof GROUPS / sizeof *GROUPS; i++)
    read_all(path, object, GROUPS[i]);
  if (index)
    read_runs(path, object);
  vb_python_close(object);
}

static void run(const uint8_t *data, size_t size) {
  vb_reader_stay_here(); // what another process executes is not seen
  fuzz_file *files = small_studies_make();
  fuzz_files_change(files, SMALL_STUDY_FILES, data, size);
  for (size_t i = 0; i < SMALL_STUDY_FILES; i++)
    if (files[i].touched)
      read_file(files[i].name);
  fuzz_files_restore(files, SMALL_STUDY_FILES);
}

const fuzz_target fuzz_python_reader = {"python_reader", run, NULL};
