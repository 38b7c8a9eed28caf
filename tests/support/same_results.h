// SPDX-License-Identifier: GPL-3.0-or-later
/// Whether two results files hold the same, bit for bit.
#ifndef VB_TESTS_SUPPORT_SAME_RESULTS_H
#define VB_TESTS_SUPPORT_SAME_RESULTS_H

#include "test.h"

#include <hdf5.h>
#include <stdbool.h>

/// Two files being compared.
typedef struct same_files {
  hid_t a, b;
  const char *path; ///< of the second, for messages
  size_t compared;  ///< datasets
} same_files;

/// What may differ between equal runs: where and when they ran, and how long that took.
static inline bool same_may_differ(const char *name) {
  static const char *const prefixes[] = {"provenance/", "timing/", "convergence/wall_time",
                                         "solver/options"};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
      return true;
  return false;
}

/// All of a dataset's bytes, or its texts one after the other; freed by the caller.
static inline char *same_read(hid_t dataset, size_t *size) {
  hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
  size_t n = (size_t)H5Sget_simple_extent_npoints(space);
  char *bytes = NULL;
  if (H5Tis_variable_str(type) > 0) {
    char **texts = calloc(n + 1, sizeof *texts);
    ck_assert(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts) >= 0);
    FILE *stream = open_memstream(&bytes, size);
    for (size_t i = 0; i < n; i++)
      fprintf(stream, "%s%c", texts[i], '\0');
    fclose(stream);
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, texts);
    free(texts);
  } else {
    *size = n * H5Tget_size(type);
    bytes = calloc(*size + 1, 1);
    ck_assert(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) >= 0);
  }
  H5Sclose(space);
  H5Tclose(type);
  return bytes;
}

static inline herr_t same_visit(hid_t root, const char *name, const H5O_info_t *info, void *data) {
  same_files *files = data;
  (void)root;
  if (info->type != H5O_TYPE_DATASET || same_may_differ(name))
    return 0;
  size_t size_a = 0, size_b = 0;
  hid_t a = H5Dopen2(files->a, name, H5P_DEFAULT), b = H5Dopen2(files->b, name, H5P_DEFAULT);
  ck_assert_msg(b >= 0, "%s lacks %s", files->path, name);
  char *bytes_a = same_read(a, &size_a), *bytes_b = same_read(b, &size_b);
  ck_assert_msg(size_a == size_b && memcmp(bytes_a, bytes_b, size_a) == 0, "%s has another %s",
                files->path, name);
  free(bytes_a);
  free(bytes_b);
  H5Dclose(a);
  H5Dclose(b);
  files->compared++;
  return 0;
}

static inline size_t same_visit_all(same_files files) {
  ck_assert(H5Ovisit2(files.a, H5_INDEX_NAME, H5_ITER_INC, same_visit, &files, H5O_INFO_BASIC) >=
            0);
  return files.compared;
}

/// Checks that two files have the same datasets, bit for bit, but for what may differ.
static inline void expect_same_results(const char *path_a, const char *path_b) {
  hid_t a = H5Fopen(path_a, H5F_ACC_RDONLY, H5P_DEFAULT);
  hid_t b = H5Fopen(path_b, H5F_ACC_RDONLY, H5P_DEFAULT);
  ck_assert_msg(a >= 0 && b >= 0, "%s or %s cannot be opened", path_a, path_b);
  size_t there = same_visit_all((same_files){a, b, path_b, 0});
  ck_assert_uint_gt(there, 20);
  ck_assert_uint_eq(same_visit_all((same_files){b, a, path_a, 0}), there);
  H5Fclose(a);
  H5Fclose(b);
}

#endif
