// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/output_policy.h"

#include "base/file.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/// Bytes at the begin and at the end of a file in which its mark is looked for. Movies have theirs
/// behind the pictures.
enum { WINDOW = 1 << 16 };

bool vb_is_same_file(const char *a, const char *b) {
  struct stat one, other;
  return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev &&
         one.st_ino == other.st_ino;
}

static bool holds(const char *bytes, size_t n, const char *mark, size_t length) {
  return memmem(bytes, n, mark, length) != NULL;
}

#define HOLDS(mark) holds(bytes, n, mark, sizeof(mark) - 1)

static bool has_mark(const char *bytes, size_t n) {
  return HOLDS(VB_MARK_HTML) || HOLDS("Software\0" VB_MARK_PNG) ||
         HOLDS(VB_MARK_LUA "pills. Meters.\n") || HOLDS(VB_MARK_LUA "viperize. Meters.\n") ||
         HOLDS(VB_MARK_LUA "problem --certify") || HOLDS(VB_MARK_PLOT) || HOLDS(VB_MARK_MOVIE);
}

/// What kind of file is in the way.
typedef enum kind { KIND_MARKED, KIND_HDF5, KIND_FOREIGN } kind;

static kind kind_of(const char *path, off_t size) {
  static const char HDF5[] = "\211HDF\r\n\032\n";
  static char bytes[WINDOW];
  const char *why;
  int file = vb_file_open(path, O_RDONLY | O_NOFOLLOW, &why);
  kind found = KIND_FOREIGN; // what cannot be read, too
  for (int end = 0; file >= 0 && end < 2; end++) {
    ssize_t n = pread(file, bytes, sizeof bytes, end && size > WINDOW ? size - WINDOW : 0);
    if (n >= (ssize_t)sizeof HDF5 - 1 && !end && memcmp(bytes, HDF5, sizeof HDF5 - 1) == 0)
      found = KIND_HDF5;
    else if (found == KIND_FOREIGN && n > 0 && has_mark(bytes, (size_t)n))
      found = KIND_MARKED;
  }
  if (file >= 0)
    close(file);
  return found;
}

vb_status vb_output_check(const vb_output_policy *policy, const char *path, vb_error *error) {
  struct stat found;
  for (size_t i = 0; i < policy->n; i++)
    if (vb_is_same_file(path, policy->input[i]))
      return vb_bad_input(error, "%s is the input and is not replaced; give another name", path);
  if (lstat(path, &found) || !S_ISREG(found.st_mode) || found.st_size == 0)
    return VB_OK;
  kind other = kind_of(path, found.st_size);
  if (other == KIND_HDF5)
    return vb_bad_input(error, "%s is an HDF5 file and is not replaced; give another name", path);
  if (other == KIND_FOREIGN && !policy->force)
    return vb_bad_input(error, "%s exists and was not made by this command; give another name%s",
                        path, policy->no_force ? "" : ", or --force to replace it");
  return VB_OK;
}
