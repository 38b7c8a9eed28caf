// SPDX-License-Identifier: GPL-3.0-or-later
// A plug-in of HDF5 that a hostile file asks for: loading it leaves a file that tells of it.
#include <H5PLextern.h>
#include <fcntl.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// The type is HDF5's. NOLINTBEGIN(readability-non-const-parameter)
static size_t pass(unsigned flags, size_t n_values, const unsigned *values, size_t n,
                   size_t *n_buffer, void **buffer) {
  (void)flags, (void)n_values, (void)values, (void)n_buffer, (void)buffer;
  return n;
}
// NOLINTEND(readability-non-const-parameter)

static const H5Z_class2_t CLASS = {.version = H5Z_CLASS_T_VERS,
                                   .id = 32001,
                                   .encoder_present = 1,
                                   .decoder_present = 1,
                                   .name = "fake",
                                   .filter = pass};

static void leave_trace(void) {
  char path[256];
  snprintf(path, sizeof path, "%s/pwned", getenv("FAKE_FOLDER"));
  close(open(path, O_WRONLY | O_CREAT, 0666));
}

/// Any program that loads it executes this, where the test asks for it.
__attribute__((constructor)) static void begin(void) {
  if (getenv("FAKE_EARLY"))
    leave_trace();
}

H5PL_type_t H5PLget_plugin_type(void) {
  leave_trace();
  return H5PL_TYPE_FILTER;
}

const void *H5PLget_plugin_info(void) {
  return &CLASS;
}
