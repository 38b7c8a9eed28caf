// SPDX-License-Identifier: GPL-3.0-or-later
/// What tests of the Python package share.
#ifndef VB_TESTS_SUPPORT_PYTHON_FIXTURE_H
#define VB_TESTS_SUPPORT_PYTHON_FIXTURE_H

#include "cli_fixture.h"

#include <limits.h>

/// Debian's: a python3 earlier on PATH may be any.
#define PYTHON "/usr/bin/python3"

/// Whether python3 has these modules ("numpy, h5py"), and the package is here; a test that lacks
/// them says so. They are looked for, not imported, which takes ten times as long.
static inline bool has_python(const char *modules) {
  char command[256];
  snprintf(command, sizeof command,
           PYTHON " -c 'import sys; from importlib.util import find_spec\n"
                  "sys.exit(not all(map(find_spec, \"%s\".split(\", \"))))' >/dev/null 2>&1",
           modules);
  if (system(command)) {
    vb_skip("h5py", "python3 lacks a module of python3-numpy or python3-h5py");
    return false;
  }
  if (access("tests/plugins/faulty.py", R_OK) || access("src/scene/sets.h", R_OK)) {
    vb_skip("sources", "the sources of the package and of its tests are not here");
    return false;
  }
  setenv("VIPERBENCH_PYTHON", PYTHON, 1);
  return true;
}

#endif
