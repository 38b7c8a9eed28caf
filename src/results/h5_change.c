// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/h5_change.h"

#include "base/child_process.h"
#include "base/clock.h"
#include "base/confine.h"
#include "base/time_limit.h"
#include "results/h5_descriptor.h"
#include "results/h5_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

/// Bytes of memory that HDF5 may take: it holds a few of what a file lists.
#define MOST_MEMORY ((size_t)4 << 30)

/// Time of the wall, s, a thousand times what a file of ours takes; a file that is read meanwhile
/// has a longer one.
#define LONGEST 120.0

/// A file to change.
typedef struct job {
  const char *path;
  int file;
  vb_h5_change_fn *change;
  void *context;
} job;

static vb_status change_here(void *data, vb_error *error) {
  const job *j = data;
  vb_h5_fault fault;
  vb_h5 h5 = {j->path, VB_CANNOT_WRITE, error, VB_OK};
  vb_h5_quiet();
  hid_t file = vb_h5_open_descriptor(&h5, j->file, true, &fault);
  if (file >= 0)
    j->change(&h5, file, j->context);
  if (file >= 0 && H5Fclose(file) < 0 && !h5.status)
    vb_h5_checked(&h5, -1, "H5Fclose");
  int code = vb_h5_descriptor_failure();
  return code ? vb_error_set(error, VB_CANNOT_WRITE, "cannot write %s: %s", j->path, strerror(code))
              : h5.status;
}

static vb_status change_confined(void *data, vb_error *error) {
  job *j = data;
  vb_confine_prepare(&j->file, &j->file);
  if (j->file < 0 || !vb_confine(true))
    return vb_error_set(error, VB_UNAVAILABLE, "cannot sandbox the process that changes %s",
                        j->path);
  return change_here(j, error);
}

/// Makes sure that the disk takes what is added, so that HDF5 never finds a full one halfway.
static vb_status reserve(const job *j, size_t more, vb_error *error) {
  struct stat found;
  int code = fstat(j->file, &found) ? errno : posix_fallocate(j->file, found.st_size, (off_t)more);
  return code == 0 || code == EOPNOTSUPP || code == EINVAL
             ? VB_OK
             : vb_error_set(error, VB_CANNOT_WRITE, "cannot write %s: %s", j->path, strerror(code));
}

static bool is_over(void *end) {
  return vb_clock() > *(double *)end;
}

vb_status vb_h5_change(const char *path, int file, size_t more, bool own, vb_h5_change_fn *change,
                       void *context, vb_error *error) {
  job j = {path, file, change, context};
  vb_status status = reserve(&j, more, error);
  if (status || own || vb_reader_stays_here())
    return status ? status : change_here(&j, error);
  double end = vb_clock() + LONGEST;
  vb_time_limit before = vb_time_limit_set((vb_time_limit){.over = is_over, .context = &end});
  vb_error why = {0};
  status = vb_child_run(change_confined, &j, MOST_MEMORY, &why);
  vb_time_limit_set(before);
  if (status == VB_FAILED)
    return vb_bad_input(error, "%s cannot be changed by HDF5: %s; make it anew", path, why.message);
  return status ? vb_error_set(error, status, "%s", why.message) : VB_OK;
}
