// SPDX-License-Identifier: GPL-3.0-or-later
/// Results files that claim what is not so: a sound file of a run and a sound index, written by
/// HDF5 alone, and one change to either.
#ifndef VB_TESTS_SUPPORT_HOSTILE_RESULTS_H
#define VB_TESTS_SUPPORT_HOSTILE_RESULTS_H

#include "test.h"

#include <hdf5.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

/// More than any file can hold.
#define HUGE_ROWS ((hsize_t)1 << 61)

static inline hid_t text_type(void) {
  hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

/// Puts a dataset in place of what is at `path`; `plist` may be H5P_DEFAULT and `data` null.
static inline void put_by(hid_t file, const char *path, hid_t type, int rank, const hsize_t *extent,
                          hid_t plist, const void *data) {
  hid_t link = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(link, 1);
  H5Ldelete(file, path, H5P_DEFAULT);
  hid_t space = rank ? H5Screate_simple(rank, extent, NULL) : H5Screate(H5S_SCALAR);
  hid_t dataset = H5Dcreate2(file, path, type, space, link, plist, H5P_DEFAULT);
  ck_assert_msg(dataset >= 0, "%s cannot be made", path);
  if (data)
    ck_assert(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
  H5Dclose(dataset);
  H5Sclose(space);
  H5Pclose(link);
}

static inline void put(hid_t file, const char *path, int rank, const hsize_t *extent,
                       const double *data) {
  put_by(file, path, H5T_NATIVE_DOUBLE, rank, extent, H5P_DEFAULT, data);
}

static inline void put_texts(hid_t file, const char *path, int rank, hsize_t n,
                             const char *const *texts) {
  hid_t type = text_type();
  put_by(file, path, type, rank, &n, H5P_DEFAULT, texts);
  H5Tclose(type);
}

static inline void put_text(hid_t file, const char *path, const char *text) {
  put_texts(file, path, 0, 1, &text);
}

/// Puts an attribute of `n` elements in place of one; 0 for a single one.
static inline void put_attribute(hid_t file, const char *path, const char *name, hid_t type,
                                 hsize_t n, const void *data) {
  hid_t object = H5Oopen(file, path, H5P_DEFAULT);
  hid_t space = n ? H5Screate_simple(1, &n, NULL) : H5Screate(H5S_SCALAR);
  H5Adelete(object, name);
  hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  ck_assert(H5Awrite(attribute, type, data) >= 0);
  H5Aclose(attribute);
  H5Sclose(space);
  H5Oclose(object);
}

static inline void put_text_attribute(hid_t file, const char *path, const char *name,
                                      const char *text) {
  hid_t type = text_type();
  put_attribute(file, path, name, type, 0, &text);
  H5Tclose(type);
}

static inline hid_t create_file(const char *path, const char *schema) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110); // small
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  ck_assert_msg(file >= 0, "%s cannot be made", path);
  put_text_attribute(file, "/", "schema_name", schema);
  put_text_attribute(file, "/", "schema_version", "1.0.0");
  H5Pclose(access);
  return file;
}

/// The numbers that all arrays are filled with: small and whole.
static inline void put_filled(hid_t file, const char *path, int rank, hsize_t a, hsize_t b,
                              hsize_t c) {
  double values[64];
  for (int i = 0; i < 64; i++)
    values[i] = i % 3;
  put(file, path, rank, (hsize_t[]){a, b, c}, values);
}

/// A run of two frames: two segments between three nodes, and a triangle around them.
static inline hid_t begin_run(const char *path) {
  static const char *const TEXTS[] = {
      "scenario/label", "scenario/scene_sha256", "scenario/study", "scenario/run",
      "solver/name",    "provenance/commit",     "provenance/date"};
  hid_t file = create_file(path, "viperbench-run");
  for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++)
    put_text(file, TEXTS[i], "a");
  put_filled(file, "provenance/dirty", 0, 1, 1, 1);
  put_filled(file, "scenario/step", 0, 1, 1, 1);
  put_filled(file, "timing/summary/total", 0, 1, 1, 1);
  put_filled(file, "run/time", 1, 2, 1, 1);
  put_filled(file, "run/energy/total", 1, 2, 1, 1);
  put_filled(file, "run/frames/time", 1, 2, 1, 1);
  put_filled(file, "run/frames/position", 3, 2, 3, 3);
  put(file, "run/frames/vertices", 3, (hsize_t[]){2, 3, 3},
      (double[]){0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 0, 2, 1, 0, 2, 1, 1, 2});
  put_filled(file, "topology/body", 1, 3, 1, 1);
  double ones[6] = {1, 1, 1, 1, 1, 1};
  put(file, "run/frames/scale", 2, (hsize_t[]){2, 3}, ones);
  put(file, "topology/rest_radius", 1, (hsize_t[]){3}, ones);
  put(file, "topology/rest_length", 1, (hsize_t[]){2}, ones);
  put(file, "topology/vertex_segment", 1, (hsize_t[]){3}, (double[]){0, 1, -1});
  put(file, "topology/segment", 2, (hsize_t[]){2, 2}, (double[]){0, 1, 1, 2});
  put(file, "topology/triangle", 2, (hsize_t[]){1, 3}, (double[]){0, 1, 2});
  put(file, "topology/rest_position", 2, (hsize_t[]){3, 3}, (double[]){0, 0, 0, 1, 0, 0, 1, 1, 0});
  put(file, "topology/rest_vertex", 2, (hsize_t[]){3, 3}, (double[]){0, 0, 1, 1, 0, 1, 1, 1, 1});
  put_text_attribute(file, "run", "status", "complete");
  put_attribute(file, "run", "steps", H5T_NATIVE_INT64, 0, &(int64_t){1});
  put_attribute(file, "run", "rows", H5T_NATIVE_INT64, 0, &(int64_t){2});
  return file;
}

/// The index of a study of the run a, which is the file "a.h5" beside it.
static inline hid_t begin_index(const char *path) {
  hid_t file = create_file(path, "viperbench-study");
  put_text_attribute(file, "/", "figure", "");
  put_text(file, "scenario/study", "study");
  put_text(file, "scenario/title", "a study");
  put_text(file, "scenario/tier", "quick");
  put_texts(file, "scenario/runs", 1, 1, (const char *[]){"a"});
  put_text(file, "provenance/date", "today");
  hid_t runs = H5Gcreate2(file, "runs", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  ck_assert(H5Lcreate_external("a.h5", "/", runs, "a", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  H5Gclose(runs);
  return file;
}

#endif
