// SPDX-License-Identifier: GPL-3.0-or-later
/// Changes to a sound results file that point out of it, or out of its folder, and names that a
/// shell or a file system would take for more than a name.
#ifndef VB_TESTS_SUPPORT_HOSTILE_LINKS_H
#define VB_TESTS_SUPPORT_HOSTILE_LINKS_H

#include "cli_fixture.h"
#include "hostile/hostile_results.h"

static char path[256], index_path[256];

static const char *in_folder(const char *name, char out[256]) {
  snprintf(out, 256, "%s/%s", folder, name);
  return out;
}

// Out of the file.

static void external_storage(hid_t file) {
  hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_external(plist, "/etc/passwd", 0, H5F_UNLIMITED);
  put_by(file, "run/time", H5T_NATIVE_UCHAR, 1, (hsize_t[]){64}, plist, NULL);
  put_by(file, "run/energy/total", H5T_NATIVE_UCHAR, 1, (hsize_t[]){64}, plist, NULL);
  put_attribute(file, "run", "rows", H5T_NATIVE_INT64, 0, &(int64_t){64});
  H5Pclose(plist);
}

static void linked_dataset(hid_t file) {
  H5Ldelete(file, "run/energy/total", H5P_DEFAULT);
  H5Lcreate_external("good.h5", "/run/energy/total", file, "run/energy/total", H5P_DEFAULT,
                     H5P_DEFAULT);
}

static void linked_group(hid_t file) {
  H5Ldelete(file, "run", H5P_DEFAULT);
  H5Lcreate_external("good.h5", "/run", file, "run", H5P_DEFAULT, H5P_DEFAULT);
}

static void linked_softly(hid_t file) {
  H5Lcreate_external("good.h5", "/", file, "elsewhere", H5P_DEFAULT, H5P_DEFAULT);
  H5Ldelete(file, "run/energy/total", H5P_DEFAULT);
  H5Lcreate_soft("/elsewhere/run/energy/total", file, "run/energy/total", H5P_DEFAULT, H5P_DEFAULT);
}

static hid_t follow_nowhere(const char *name, hid_t group, const void *value, size_t size,
                            hid_t access, hid_t transfer) {
  (void)name, (void)group, (void)value, (void)size, (void)access, (void)transfer;
  return -1;
}

static void user_link(hid_t file) {
  H5L_class_t class = {
      .version = H5L_LINK_CLASS_T_VERS, .id = (H5L_type_t)200, .trav_func = follow_nowhere};
  H5Ldelete(file, "run/energy/total", H5P_DEFAULT);
  ck_assert(H5Lregister(&class) >= 0);
  ck_assert(H5Lcreate_ud(file, "run/energy/total", class.id, "abc", 3, H5P_DEFAULT, H5P_DEFAULT) >=
            0);
  H5Lunregister(class.id);
}

static void loop_of_links(hid_t file) {
  H5Ldelete(file, "run/energy/total", H5P_DEFAULT);
  H5Lcreate_soft("/run/energy/total", file, "run/energy/total", H5P_DEFAULT, H5P_DEFAULT);
}

static void group_in_itself(hid_t file) {
  for (char name[] = "x0"; name[1] < '8'; name[1]++) {
    char link[16];
    snprintf(link, sizeof link, "run/%s", name);
    H5Lcreate_hard(file, "run", file, link, H5P_DEFAULT, H5P_DEFAULT);
  }
}

static void deep_groups(hid_t file) {
  char deep[256] = "run";
  for (int i = 0; i < 100; i++)
    strcat(deep, "/g");
  strcat(deep, "/x");
  put_filled(file, deep, 1, 2, 1, 1);
}

static void made_of(hid_t file, const char *where, const char *other, const char *dataset) {
  hid_t plist = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, (hsize_t[]){2}, NULL);
  H5Pset_virtual(plist, space, other, dataset, space);
  put_by(file, where, H5T_NATIVE_DOUBLE, 1, (hsize_t[]){2}, plist, NULL);
  H5Sclose(space);
  H5Pclose(plist);
}

static void made_of_other_file(hid_t file) {
  made_of(file, "run/energy/total", "good.h5", "/run/energy/total");
}

static void made_of_itself(hid_t file) {
  made_of(file, "run/energy/total", ".", "/run/energy/total");
}

static void made_of_made(hid_t file) {
  made_of(file, "topology/x", "good.h5", "/run/energy/total");
  made_of(file, "run/energy/total", ".", "/topology/x");
}

/// Of a dataset without elements, which may have any rank.
static void made_of_nothing(hid_t file) {
  hid_t nothing = H5Screate(H5S_NULL);
  hid_t dataset = H5Dcreate2(file, "topology/x", H5T_NATIVE_DOUBLE, nothing, H5P_DEFAULT,
                             H5P_DEFAULT, H5P_DEFAULT);
  ck_assert(dataset >= 0);
  H5Dclose(dataset);
  H5Sclose(nothing);
  made_of(file, "run/energy/total", ".", "/topology/x");
}

/// One element where two are named.
static void made_of_less(hid_t file) {
  put(file, "topology/x", 1, (hsize_t[]){1}, (double[]){1});
  made_of(file, "run/energy/total", ".", "/topology/x");
}

static void made_of_linked(hid_t file) {
  H5Lcreate_external("good.h5", "/", file, "elsewhere", H5P_DEFAULT, H5P_DEFAULT);
  made_of(file, "run/energy/total", ".", "/elsewhere/run/energy/total");
}

static void made_of_many(hid_t file) {
  hsize_t one = 1, endless = H5S_UNLIMITED, zero = 0;
  hid_t plist = H5Pcreate(H5P_DATASET_CREATE), part = H5Screate_simple(1, &one, NULL);
  hid_t all = H5Screate_simple(1, &one, &endless);
  H5Sselect_hyperslab(all, H5S_SELECT_SET, &zero, &one, &endless, &one);
  ck_assert(H5Pset_virtual(plist, all, ".", "/run/%b", part) >= 0);
  H5Ldelete(file, "run/energy/total", H5P_DEFAULT);
  hid_t dataset =
      H5Dcreate2(file, "run/energy/total", H5T_NATIVE_DOUBLE, all, H5P_DEFAULT, plist, H5P_DEFAULT);
  ck_assert(dataset >= 0);
  H5Dclose(dataset);
  H5Sclose(all);
  H5Sclose(part);
  H5Pclose(plist);
}

// Names.

static const char EVIL[] = "x';touch${IFS}pwned;'";

static void evil_run(hid_t file) {
  put_texts(file, "scenario/runs", 1, 1, (const char *[]){EVIL});
}

static void evil_member(hid_t file) {
  H5Lmove(file, "runs/a", file, "runs/x';touch${IFS}pwned;'", H5P_DEFAULT, H5P_DEFAULT);
}

static void evil_scaling(hid_t file) {
  put_texts(file, "scaling/names", 1, 1, (const char *[]){EVIL});
}

static void evil_case(hid_t file) {
  put_text(file, "bench/x y/label", "x");
}

static void evil_figure(hid_t file) {
  put_text_attribute(file, "/", "figure", "../../sec/evil");
}

static void evil_study(hid_t file) {
  put_text(file, "scenario/study", "../x");
}

static void evil_escape(hid_t file) {
  put_text(file, "scenario/run", "\x1b]0;x\x07");
}

// Links of an index.

static void lead(hid_t file, const char *to, const char *object) {
  H5Ldelete(file, "runs/a", H5P_DEFAULT);
  H5Lcreate_external(to, object, file, "runs/a", H5P_DEFAULT, H5P_DEFAULT);
}

static void lead_up(hid_t file) {
  char to[300];
  snprintf(to, sizeof to, "..%s/good.h5", strrchr(folder, '/'));
  lead(file, to, "/");
}

static void lead_to_root(hid_t file) {
  lead(file, path, "/");
}

static void lead_to_group(hid_t file) {
  lead(file, "good.h5", "/run");
}

static void lead_to_symlink(hid_t file) {
  char link[256];
  ck_assert_int_eq(symlink("good.h5", in_folder("link.h5", link)), 0);
  lead(file, "link.h5", "/");
}

static void lead_to_pipe(hid_t file) {
  char pipe[256];
  ck_assert_int_eq(mkfifo(in_folder("pipe.h5", pipe), 0666), 0);
  lead(file, "pipe.h5", "/");
}

static void lead_to_itself(hid_t file) {
  lead(file, "study.h5", "/");
}

static void lead_nowhere(hid_t file) {
  lead(file, "nowhere.h5", "/");
}

#endif
