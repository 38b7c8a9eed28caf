// SPDX-License-Identifier: GPL-3.0-or-later
/// Changes to a sound results file that would have a reader open, start or wait for something else:
/// other files in other ways than hostile_links.h, devices, pipes, plug-ins, and endless walks.
#ifndef VB_TESTS_SUPPORT_HOSTILE_PLACES_H
#define VB_TESTS_SUPPORT_HOSTILE_PLACES_H

#include "hostile/hostile_links.h"

#include <sys/stat.h>

/// Keeps the bytes of a dataset in a file by this name.
static void store_in(hid_t file, const char *where, const char *name) {
  hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_external(plist, name, 0, H5F_UNLIMITED);
  put_by(file, where, H5T_NATIVE_DOUBLE, 1, (hsize_t[]){3}, plist, NULL);
  H5Pclose(plist);
}

static void stored_beside(hid_t file) {
  store_in(file, "topology/rest_radius", "good.h5");
}

static void stored_in_device(hid_t file) {
  store_in(file, "topology/rest_radius", "/dev/zero");
}

static void stored_in_memory(hid_t file) {
  store_in(file, "topology/rest_radius", "/proc/self/mem");
}

static void stored_in_pipe(hid_t file) {
  char name[256];
  ck_assert_int_eq(mkfifo(in_folder("pipe", name), 0666), 0);
  store_in(file, "topology/rest_radius", name);
}

static void stored_in_several(hid_t file) {
  hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_external(plist, "good.h5", 8, 8);
  H5Pset_external(plist, "study.h5", 0, 16);
  put_by(file, "run/energy/total", H5T_NATIVE_DOUBLE, 1, (hsize_t[]){2}, plist, NULL);
  H5Pclose(plist);
}

static void made_of_path(hid_t file) {
  char name[256];
  made_of(file, "run/energy/total", in_folder("good.h5", name), "/run/energy/total");
}

static void made_of_own_name(hid_t file) {
  made_of(file, "run/energy/total", "a.h5", "/run/time");
}

static void made_of_pattern(hid_t file) {
  hsize_t one = 1, endless = H5S_UNLIMITED, zero = 0;
  hid_t plist = H5Pcreate(H5P_DATASET_CREATE), part = H5Screate_simple(1, &one, NULL);
  hid_t space = H5Screate_simple(1, &one, &endless);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &zero, &one, &endless, &one);
  H5Pset_virtual(plist, space, "good%b.h5", "/run/energy/total", part);
  hid_t link = H5Pcreate(H5P_LINK_CREATE);
  H5Ldelete(file, "run/energy/total", H5P_DEFAULT);
  hid_t dataset =
      H5Dcreate2(file, "run/energy/total", H5T_NATIVE_DOUBLE, space, link, plist, H5P_DEFAULT);
  ck_assert(dataset >= 0);
  H5Dclose(dataset);
  H5Pclose(link);
  H5Sclose(space);
  H5Sclose(part);
  H5Pclose(plist);
}

/// One half is the file's own, and one of another.
static void made_of_both(hid_t file) {
  hsize_t two = 2, one = 1;
  hid_t plist = H5Pcreate(H5P_DATASET_CREATE), half = H5Screate_simple(1, &one, NULL);
  hid_t space = H5Screate_simple(1, &two, NULL);
  for (hsize_t i = 0; i < 2; i++) {
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &i, NULL, &one, NULL);
    H5Pset_virtual(plist, space, i ? "good.h5" : ".", "/scenario/step", half);
  }
  put_by(file, "run/energy/total", H5T_NATIVE_DOUBLE, 1, &two, plist, NULL);
  H5Sclose(space);
  H5Sclose(half);
  H5Pclose(plist);
}

static void link_to(hid_t file, const char *where, const char *other, const char *object) {
  H5Ldelete(file, where, H5P_DEFAULT);
  ck_assert(H5Lcreate_external(other, object, file, where, H5P_DEFAULT, H5P_DEFAULT) >= 0);
}

static void linked_to_itself(hid_t file) {
  link_to(file, "run/energy/total", "a.h5", "/run/time");
}

static void linked_to_device(hid_t file) {
  link_to(file, "run/energy", "/dev/zero", "/");
}

static void linked_to_pipe(hid_t file) {
  char name[256];
  ck_assert_int_eq(mkfifo(in_folder("pipe", name), 0666), 0);
  link_to(file, "run/energy", name, "/");
}

static void linked_scenario(hid_t file) {
  link_to(file, "scenario", "good.h5", "/scenario");
}

static void linked_topology(hid_t file) {
  link_to(file, "topology", "good.h5", "/topology");
}

/// A chain of soft links, the last of which leaves the file.
static void linked_by_chain(hid_t file) {
  link_to(file, "z", "good.h5", "/run/energy");
  H5Lcreate_soft("/z", file, "y", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_soft("/y", file, "x", H5P_DEFAULT, H5P_DEFAULT);
  H5Ldelete(file, "run/energy", H5P_DEFAULT);
  H5Lcreate_soft("/x", file, "run/energy", H5P_DEFAULT, H5P_DEFAULT);
}

static void ring_of_links(hid_t file) {
  H5Ldelete(file, "run/energy", H5P_DEFAULT);
  H5Lcreate_soft("/b", file, "run/energy", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_soft("/run/energy", file, "b", H5P_DEFAULT, H5P_DEFAULT);
}

static void user_link_to_run(hid_t file) {
  H5L_class_t class = {
      .version = H5L_LINK_CLASS_T_VERS, .id = (H5L_type_t)255, .trav_func = follow_nowhere};
  H5Ldelete(file, "run/frames", H5P_DEFAULT);
  ck_assert(H5Lregister(&class) >= 0);
  ck_assert(H5Lcreate_ud(file, "run/frames", class.id, "/etc", 5, H5P_DEFAULT, H5P_DEFAULT) >= 0);
  H5Lunregister(class.id);
}

/// The whole file once more in a group of itself.
static void root_in_itself(hid_t file) {
  H5Lcreate_hard(file, "/", file, "run/energy/again", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_hard(file, "/", file, "gates/again", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_hard(file, "/", file, "run/frames/again", H5P_DEFAULT, H5P_DEFAULT);
}

/// A filter by its number, which the file could not be made with here: optional, so that it can.
static void filter_by(hid_t file, H5Z_filter_t filter, const unsigned *values, size_t n) {
  hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(plist, 1, (hsize_t[]){2});
  ck_assert(H5Pset_filter(plist, filter, H5Z_FLAG_OPTIONAL, n, values) >= 0);
  put_by(file, "run/energy/total", H5T_NATIVE_DOUBLE, 1, (hsize_t[]){2}, plist, (double[]){1, 2});
  H5Pclose(plist);
}

/// One for which HDF5 would load a plug-in from HDF5_PLUGIN_PATH.
static void filter_of_plugin(hid_t file) {
  filter_by(file, 32001, (unsigned[]){2, 2, 8, 16, 5, 1, 0}, 7);
}

static void filter_of_stranger(hid_t file) {
  filter_by(file, 65535, NULL, 0);
}

static void filter_of_bits(hid_t file) {
  hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(plist, 1, (hsize_t[]){2});
  H5Pset_nbit(plist);
  put_by(file, "run/energy/total", H5T_NATIVE_DOUBLE, 1, (hsize_t[]){2}, plist, (double[]){1, 2});
  H5Pclose(plist);
}

/// A chunk of half a terabyte that was never written, of a dataset without limit.
static void chunk_without_end(hid_t file) {
  hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(plist, 1, (hsize_t[]){1 << 28});
  H5Pset_deflate(plist, 9);
  put_by(file, "run/energy/total", H5T_NATIVE_DOUBLE, 1, (hsize_t[]){(hsize_t)1 << 36}, plist,
         NULL);
  H5Pclose(plist);
}

// Of an index.

static void lead_by_path(hid_t file) {
  char name[256];
  link_to(file, "runs/a", in_folder("a.h5", name), "/");
}

static void lead_by_dot(hid_t file) {
  link_to(file, "runs/a", "./a.h5", "/");
}

static void lead_to_device(hid_t file) {
  char name[256];
  ck_assert_int_eq(symlink("/dev/zero", in_folder("zero.h5", name)), 0);
  link_to(file, "runs/a", "zero.h5", "/");
}

static void lead_to_folder(hid_t file) {
  link_to(file, "runs/a", "scenarios", "/");
}

static void lead_to_proc(hid_t file) {
  link_to(file, "runs/a", "/proc/self/exe", "/");
}

static void lead_softly(hid_t file) {
  link_to(file, "elsewhere", "good.h5", "/");
  H5Ldelete(file, "runs/a", H5P_DEFAULT);
  H5Lcreate_soft("/elsewhere", file, "runs/a", H5P_DEFAULT, H5P_DEFAULT);
}

static void lead_by_user(hid_t file) {
  H5L_class_t class = {
      .version = H5L_LINK_CLASS_T_VERS, .id = (H5L_type_t)100, .trav_func = follow_nowhere};
  H5Ldelete(file, "runs/a", H5P_DEFAULT);
  ck_assert(H5Lregister(&class) >= 0);
  ck_assert(H5Lcreate_ud(file, "runs/a", class.id, "x", 2, H5P_DEFAULT, H5P_DEFAULT) >= 0);
  H5Lunregister(class.id);
}

static void linked_gates(hid_t file) {
  link_to(file, "gates", "good.h5", "/run");
}

#endif
