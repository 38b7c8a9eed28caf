// SPDX-License-Identifier: GPL-3.0-or-later
/// Changes to a sound results file whose objects are of other kinds than the schema says: types
/// that HDF5 has and this program does not write, groups for datasets, layouts of the file itself.
#ifndef VB_TESTS_SUPPORT_HOSTILE_KINDS_H
#define VB_TESTS_SUPPORT_HOSTILE_KINDS_H

#include "hostile/hostile_places.h"
#include "hostile/hostile_values.h"

/// Puts two elements of a type, never written, in the place of a series.
static void unwritten(hid_t file, hid_t type) {
  put_by(file, "run/energy/total", type, 1, (hsize_t[]){2}, H5P_DEFAULT, NULL);
}

static void moments(hid_t file) {
  unwritten(file, H5T_UNIX_D32LE);
}

static void bits(hid_t file) {
  unwritten(file, H5T_STD_B64LE);
}

static void enumeration(hid_t file) {
  hid_t type = H5Tenum_create(H5T_NATIVE_INT);
  H5Tenum_insert(type, "\x1b[31mred", &(int){1});
  H5Tenum_insert(type, "none", &(int){0});
  unwritten(file, type);
  H5Tclose(type);
}

static void opaque(hid_t file) {
  hid_t type = H5Tcreate(H5T_OPAQUE, 8);
  H5Tset_tag(type, "\x1b]0;x\x07");
  unwritten(file, type);
  H5Tclose(type);
}

/// A floating-point number of one bit of exponent, with padding on both sides.
static void own_float(hid_t file) {
  hid_t type = H5Tcopy(H5T_NATIVE_DOUBLE);
  H5Tset_fields(type, 40, 38, 2, 10, 20);
  H5Tset_precision(type, 41);
  unwritten(file, type);
  H5Tclose(type);
}

static void wide_integer(hid_t file) {
  hid_t type = H5Tcopy(H5T_NATIVE_INT64);
  H5Tset_size(type, 4096);
  H5Tset_precision(type, 32000);
  unwritten(file, type);
  H5Tclose(type);
}

/// A text of a gigabyte that was never written.
static void gigabyte_text(hid_t file) {
  hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, (size_t)1 << 30);
  put_by(file, "scenario/run", type, 0, NULL, H5P_DEFAULT, NULL);
  H5Tclose(type);
}

static void regions(hid_t file) {
  unwritten(file, H5T_STD_REF_DSETREG);
}

/// Lists of lists of compounds with texts.
static void nested_lists(hid_t file) {
  hid_t text = text_type(), pair = H5Tcreate(H5T_COMPOUND, 24);
  H5Tinsert(pair, "text", 0, text);
  H5Tinsert(pair, "number", 8, H5T_NATIVE_DOUBLE);
  hid_t list = H5Tvlen_create(pair), lists = H5Tvlen_create(list);
  unwritten(file, lists);
  H5Tclose(lists);
  H5Tclose(list);
  H5Tclose(pair);
  H5Tclose(text);
}

/// A dataset that was never written, all of whose texts are its fill value.
static void texts_by_filling(hid_t file) {
  hid_t type = text_type(), plist = H5Pcreate(H5P_DATASET_CREATE);
  const char *fill = "../../\x1b[31m";
  H5Pset_fill_value(plist, type, &fill);
  put_by(file, "scenario/study", type, 0, NULL, plist, NULL);
  H5Pclose(plist);
  H5Tclose(type);
}

static void group_for_times(hid_t file) {
  H5Ldelete(file, "run/time", H5P_DEFAULT);
  put_filled(file, "run/time/x", 1, 2, 1, 1);
}

static void dataset_for_run(hid_t file) {
  H5Ldelete(file, "run", H5P_DEFAULT);
  put_filled(file, "run", 1, 3, 1, 1);
}

static void type_for_topology(hid_t file) {
  hid_t type = H5Tcopy(H5T_NATIVE_DOUBLE);
  H5Ldelete(file, "topology", H5P_DEFAULT);
  H5Tcommit2(file, "topology", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Tclose(type);
}

static void empty_attribute(hid_t file) {
  hid_t object = H5Oopen(file, "run", H5P_DEFAULT), space = H5Screate(H5S_NULL);
  H5Adelete(object, "rows");
  H5Aclose(H5Acreate2(object, "rows", H5T_NATIVE_INT64, space, H5P_DEFAULT, H5P_DEFAULT));
  H5Sclose(space);
  H5Oclose(object);
}

static void attribute_of_lists(hid_t file) {
  hid_t type = H5Tvlen_create(H5T_NATIVE_DOUBLE);
  double x = 1;
  put_attribute(file, "run", "rows", type, 0, &(hvl_t){1, &x});
  H5Tclose(type);
}

/// So many attributes that HDF5 keeps them in a heap of their own; one of them says too much.
static void crowd_of_attributes(hid_t file) {
  for (int i = 0; i < 300; i++) {
    char name[32];
    hid_t object = H5Oopen(file, "run", H5P_DEFAULT), space = H5Screate(H5S_SCALAR);
    snprintf(name, sizeof name, "a%d", i);
    H5Aclose(H5Acreate2(object, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT));
    H5Sclose(space);
    H5Oclose(object);
  }
  negative_rows(file);
}

/// Names as long as HDF5 lets them be, of more links than a header holds.
static void long_names(hid_t file) {
  static char name[60000];
  memset(name, 'n', sizeof name - 1);
  memcpy(name, "run/energy/", strlen("run/energy/"));
  put_filled(file, name, 1, 2, 1, 1);
}

static void no_rows_yet(hid_t file) {
  put(file, "run/time", 1, (hsize_t[]){0}, NULL);
}

static void times_of_nan(hid_t file) {
  put(file, "run/frames/time", 1, (hsize_t[]){2}, (double[]){NAN, NAN});
  put(file, "run/frames/position", 3, (hsize_t[]){2, 3, 3}, (double[18]){NAN, INFINITY});
}

static void view_of_another_file(hid_t file) {
  made_of(file, "view/frame_000000/position", "good.h5", "/run/time");
}

static void view_of_itself(hid_t file) {
  made_of(file, "view/frame_000000/position", ".", "/view/frame_000000/position");
}

static void gates_of_two_lengths(hid_t file) {
  put_texts(file, "gates/name", 1, 2, (const char *[]){"g", "h"});
  put_texts(file, "gates/runs", 1, 1, (const char *[]){"../../x"});
}

// Of an index.

static void run_without_link(hid_t file) {
  put_texts(file, "scenario/runs", 1, 2, (const char *[]){"a", "b"});
}

static void no_runs(hid_t file) {
  put_texts(file, "scenario/runs", 1, 0, NULL);
}

static void two_of_one_name(hid_t file) {
  put_texts(file, "scenario/runs", 1, 2, (const char *[]){"a", "a"});
}

static void lead_by_controls(hid_t file) {
  link_to(file, "runs/a", "\x1b[31m.h5", "/");
}

static void lead_by_long_name(hid_t file) {
  static char name[60000];
  memset(name, 'x', sizeof name - 1);
  link_to(file, "runs/a", name, "/");
}

static void figure_of_command(hid_t file) {
  put_text_attribute(file, "/", "figure", "|touch pwned");
}

#endif
