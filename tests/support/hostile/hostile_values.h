// SPDX-License-Identifier: GPL-3.0-or-later
/// Changes to a sound results file whose values, kinds and filters are not what the schema says.
#ifndef VB_TESTS_SUPPORT_HOSTILE_VALUES_H
#define VB_TESTS_SUPPORT_HOSTILE_VALUES_H

#include "cli_fixture.h"
#include "hostile/hostile_results.h"

// What holds one value, and claims more of them.

static void negative_rows(hid_t file) {
  put_attribute(file, "run", "rows", H5T_NATIVE_INT64, 0, &(int64_t){-5});
}

static void many_rows(hid_t file) {
  int64_t values[1000] = {0};
  put_attribute(file, "run", "rows", H5T_NATIVE_INT64, 1000, values);
}

static void many_steps(hid_t file) {
  int64_t values[1000] = {0};
  put_attribute(file, "run", "steps", H5T_NATIVE_INT64, 1000, values);
}

static void steps_of_floats(hid_t file) {
  put_attribute(file, "run", "steps", H5T_NATIVE_DOUBLE, 0, &(double){NAN});
}

static void negative_steps(hid_t file) {
  put_attribute(file, "run", "steps", H5T_NATIVE_INT64, 0, &(int64_t){INT64_MIN});
}

static void many_statuses(hid_t file) {
  const char *texts[1000];
  hid_t type = text_type();
  for (int i = 0; i < 1000; i++)
    texts[i] = "complete";
  put_attribute(file, "run", "status", type, 1000, texts);
  H5Tclose(type);
}

static void fixed_status(hid_t file) {
  char text[4096];
  hid_t type = H5Tcopy(H5T_C_S1);
  memset(text, 'x', sizeof text); // without a zero
  H5Tset_size(type, sizeof text);
  put_attribute(file, "run", "status", type, 0, text);
  H5Tclose(type);
}

static void fixed_schema(hid_t file) {
  hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, 15);
  put_attribute(file, "/", "schema_name", type, 0, "viperbench-run!");
  H5Tclose(type);
}

static void many_texts(hid_t file) {
  const char *texts[1000];
  for (int i = 0; i < 1000; i++)
    texts[i] = "x";
  put_texts(file, "solver/name", 1, 1000, texts);
  put_texts(file, "solver/options", 1, 1000, texts);
  put_texts(file, "scenario/compare", 1, 1000, texts);
}

static void many_numbers(hid_t file) {
  static double values[4096];
  put(file, "scenario/step", 1, (hsize_t[]){4096}, values);
  put(file, "timing/summary/total", 1, (hsize_t[]){4096}, values);
  put(file, "timing/summary/median", 1, (hsize_t[]){4096}, values);
}

static void wide_times(hid_t file) {
  static double values[2 * 4096];
  put(file, "run/time", 2, (hsize_t[]){2, 4096}, values);
  put(file, "run/frames/time", 2, (hsize_t[]){2, 4096}, values);
  put(file, "run/energy/total", 1, (hsize_t[]){2}, (double[]){5, 5});
}

// More than there is.

static void claim(hid_t file, const char *where, int rank, const hsize_t *extent) {
  hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(plist, rank, (hsize_t[]){1, 1, 1});
  put_by(file, where, H5T_NATIVE_DOUBLE, rank, extent, plist, NULL);
  H5Pclose(plist);
}

static void endless_rows(hid_t file) {
  put_attribute(file, "run", "rows", H5T_NATIVE_INT64, 0, &(int64_t){INT64_MAX});
  claim(file, "run/time", 1, (hsize_t[]){HUGE_ROWS});
  claim(file, "run/energy/total", 1, (hsize_t[]){HUGE_ROWS});
}

static void all_but_overflowing(hid_t file) {
  // (2^61 - 1 + 1) numbers of 8 bytes are none.
  put_attribute(file, "run", "rows", H5T_NATIVE_INT64, 0, &(int64_t){INT64_MAX});
  claim(file, "run/time", 1, (hsize_t[]){HUGE_ROWS - 1});
  claim(file, "run/energy/total", 1, (hsize_t[]){HUGE_ROWS - 1});
}

static void endless_frames(hid_t file) {
  put_attribute(file, "run", "rows", H5T_NATIVE_INT64, 0, &(int64_t){INT64_MAX});
  claim(file, "run/frames/time", 1, (hsize_t[]){(hsize_t)1 << 40});
  claim(file, "run/frames/position", 3, (hsize_t[]){(hsize_t)1 << 40, 3, 3});
}

static void product_overflows(hid_t file) {
  claim(file, "run/frames/position", 3, (hsize_t[]){2, (hsize_t)1 << 32, (hsize_t)1 << 32});
}

static void endless_segments(hid_t file) {
  claim(file, "topology/segment", 2, (hsize_t[]){(hsize_t)1 << 62, 2});
}

static void endless_width(hid_t file) {
  claim(file, "topology/segment", 2, (hsize_t[]){0, (hsize_t)1 << 62});
}

static void endless_empty_rows(hid_t file) {
  claim(file, "topology/segment", 2, (hsize_t[]){(hsize_t)1 << 62, 0});
}

static void never_written(hid_t file) {
  put_by(file, "topology/segment", H5T_NATIVE_DOUBLE, 2, (hsize_t[]){(hsize_t)1 << 40, 2},
         H5P_DEFAULT, NULL);
}

static void endless_texts(hid_t file) {
  hid_t plist = H5Pcreate(H5P_DATASET_CREATE), type = text_type();
  H5Pset_chunk(plist, 1, (hsize_t[]){1});
  put_by(file, "scenario/label", type, 1, (hsize_t[]){HUGE_ROWS}, plist, NULL);
  H5Tclose(type);
  H5Pclose(plist);
}

/// Texts of the length of their type that were never written.
static void endless_fixed_texts(hid_t file) {
  hid_t plist = H5Pcreate(H5P_DATASET_CREATE), type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, 4096);
  H5Pset_chunk(plist, 1, (hsize_t[]){1});
  put_by(file, "scenario/label", type, 1, (hsize_t[]){HUGE_ROWS}, plist, NULL);
  H5Tclose(type);
  H5Pclose(plist);
}

// Other kinds.

static void no_space(hid_t file) {
  hid_t space = H5Screate(H5S_NULL);
  H5Ldelete(file, "run/energy/total", H5P_DEFAULT);
  H5Dclose(H5Dcreate2(file, "run/energy/total", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT,
                      H5P_DEFAULT));
  H5Sclose(space);
}

static void many_axes(hid_t file) {
  hsize_t extent[32];
  for (int i = 0; i < 32; i++)
    extent[i] = 1;
  put(file, "run/energy/total", 32, extent, (double[]){1});
}

static void texts_for_numbers(hid_t file) {
  put_texts(file, "run/energy/total", 1, 2, (const char *[]){"1", "2"});
}

static void numbers_for_texts(hid_t file) {
  put_filled(file, "scenario/label", 1, 3, 1, 1);
}

/// Longer than texts that have the length of their type may be.
static void fixed_texts(hid_t file) {
  static const char TEXT[2][8193];
  hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, sizeof *TEXT);
  put_by(file, "scenario/label", type, 1, (hsize_t[]){2}, H5P_DEFAULT, TEXT);
  H5Tclose(type);
}

static void unset_texts(hid_t file) {
  hid_t type = text_type();
  put_by(file, "scenario/label", type, 1, (hsize_t[]){3}, H5P_DEFAULT, NULL);
  H5Tclose(type);
}

static void compound(hid_t file) {
  hid_t type = H5Tcreate(H5T_COMPOUND, 16);
  H5Tinsert(type, "x", 0, H5T_NATIVE_DOUBLE);
  H5Tinsert(type, "y", 8, H5T_NATIVE_DOUBLE);
  put_by(file, "run/energy/total", type, 1, (hsize_t[]){2}, H5P_DEFAULT, (double[]){1, 2, 3, 4});
  H5Tclose(type);
}

static void array_type(hid_t file) {
  hid_t type = H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, (hsize_t[]){2});
  put_by(file, "run/energy/total", type, 1, (hsize_t[]){2}, H5P_DEFAULT, (double[]){1, 2, 3, 4});
  H5Tclose(type);
}

static void list_type(hid_t file) {
  hid_t type = H5Tvlen_create(H5T_NATIVE_DOUBLE);
  double x[2] = {1, 2};
  put_by(file, "run/energy/total", type, 1, (hsize_t[]){2}, H5P_DEFAULT, (hvl_t[]){{2, x}, {1, x}});
  H5Tclose(type);
}

static void references(hid_t file) {
  hobj_ref_t to[2];
  for (int i = 0; i < 2; i++)
    H5Rcreate(&to[i], file, "run", H5R_OBJECT, -1);
  put_by(file, "run/energy/total", H5T_STD_REF_OBJ, 1, (hsize_t[]){2}, H5P_DEFAULT, to);
}

static void odd_numbers(hid_t file) {
  hid_t type = H5Tcopy(H5T_NATIVE_INT64);
  H5Tset_precision(type, 13);
  H5Tset_offset(type, 5);
  put_by(file, "run/energy/total", type, 1, (hsize_t[]){2}, H5P_DEFAULT, (int64_t[]){1, 2});
  H5Tclose(type);
}

static void committed_number(hid_t file) {
  hid_t type = H5Tcopy(H5T_NATIVE_DOUBLE);
  H5Tcommit2(file, "number", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Ldelete(file, "run/energy/total", H5P_DEFAULT);
  H5Lcreate_hard(file, "number", file, "run/energy/total", H5P_DEFAULT, H5P_DEFAULT);
  H5Tclose(type);
}

// Other filters.

// The type is HDF5's. NOLINTBEGIN(readability-non-const-parameter)
static size_t pass_through(unsigned flags, size_t n_values, const unsigned *values, size_t bytes,
                           size_t *size, void **buffer) {
  (void)flags, (void)n_values, (void)values, (void)size, (void)buffer;
  return bytes;
}
// NOLINTEND(readability-non-const-parameter)

static void other_filter(hid_t file) {
  H5Z_class2_t filter = {H5Z_CLASS_T_VERS, 32000, 1, 1, "x", NULL, NULL, pass_through};
  ck_assert(H5Zregister(&filter) >= 0);
  hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(plist, 1, (hsize_t[]){2});
  H5Pset_filter(plist, 32000, 0, 0, NULL);
  put_by(file, "run/energy/total", H5T_NATIVE_DOUBLE, 1, (hsize_t[]){2}, plist, (double[]){1, 2});
  H5Pclose(plist);
}

static void two_deflates(hid_t file) {
  static double zeros[1 << 17];
  hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(plist, 1, (hsize_t[]){1 << 17});
  for (int i = 0; i < 3; i++)
    H5Pset_deflate(plist, 9);
  put_by(file, "run/time", H5T_NATIVE_DOUBLE, 1, (hsize_t[]){1 << 17}, plist, zeros);
  put_by(file, "run/energy/total", H5T_NATIVE_DOUBLE, 1, (hsize_t[]){1 << 17}, plist, zeros);
  H5Pclose(plist);
}

#endif
