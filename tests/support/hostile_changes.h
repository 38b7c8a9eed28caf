// SPDX-License-Identifier: GPL-3.0-or-later
/// What may be wrong with a results file: one change each to a sound one, a command that meets it,
/// and what that then says.
#ifndef VB_TESTS_SUPPORT_HOSTILE_CHANGES_H
#define VB_TESTS_SUPPORT_HOSTILE_CHANGES_H

#include "cli_fixture.h"
#include "hostile_results.h"

static char path[256], index_path[256];

static const char *in_folder(const char *name, char out[256]) {
  snprintf(out, 256, "%s/%s", folder, name);
  return out;
}

/// One change to the file of the run (or the index), a command, and what it then says.
typedef struct hostile {
  const char *name;
  void (*change)(hid_t file);
  const char *command; ///< "@" stands for the folder
  const char *complaint;
} hostile;

// What holds one value, and claims more of them.

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

static void fixed_texts(hid_t file) {
  hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, 3);
  put_by(file, "scenario/label", type, 1, (hsize_t[]){2}, H5P_DEFAULT, "abcdef");
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

// Arrays that do not fit each other.

static void radius_without_width(hid_t file) {
  put(file, "topology/rest_radius", 2, (hsize_t[]){3, 0}, NULL);
}

static void body_without_width(hid_t file) {
  put(file, "topology/body", 2, (hsize_t[]){3, 0}, NULL);
}

static void length_without_width(hid_t file) {
  put(file, "topology/rest_length", 2, (hsize_t[]){2, 0}, NULL);
}

static void fastening_without_width(hid_t file) {
  put(file, "topology/vertex_segment", 2, (hsize_t[]){3, 0}, NULL);
}

static void scale_without_width(hid_t file) {
  put(file, "run/frames/scale", 3, (hsize_t[]){2, 3, 0}, NULL);
}

static void times_without_width(hid_t file) {
  put(file, "run/frames/time", 2, (hsize_t[]){2, 0}, NULL);
}

static void segment_beyond(hid_t file) {
  put(file, "topology/segment", 2, (hsize_t[]){2, 2}, (double[]){0, 1, 1, 3});
}

static void segment_of_nan(hid_t file) {
  put(file, "topology/segment", 2, (hsize_t[]){2, 2}, (double[]){0, 1, 1, NAN});
}

static void segment_before(hid_t file) {
  put(file, "topology/segment", 2, (hsize_t[]){2, 2}, (double[]){0, 1, 1, -1e300});
}

static void triangle_beyond(hid_t file) {
  put(file, "topology/triangle", 2, (hsize_t[]){1, 3}, (double[]){0, 1, 1e300});
}

static void triangle_between(hid_t file) {
  put(file, "topology/triangle", 2, (hsize_t[]){1, 3}, (double[]){0, 1, 0.5});
}

static void tetrahedron_beyond(hid_t file) {
  put(file, "topology/tetrahedron", 2, (hsize_t[]){1, 4}, (double[]){0, 1, 2, 3});
}

static void body_before(hid_t file) {
  put(file, "topology/body", 1, (hsize_t[]){3}, (double[]){0, 0, -5});
}

static void carrier_of_nan(hid_t file) {
  double x[9] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
  put(file, "topology/rest_position", 2, (hsize_t[]){3, 3}, x);
  put(file, "topology/vertex_segment", 1, (hsize_t[]){3}, (double[]){-1, -1, -1});
}

static void few_positions(hid_t file) {
  put_filled(file, "run/frames/position", 3, 2, 2, 3);
}

static void few_vertices(hid_t file) {
  put_filled(file, "run/frames/vertices", 3, 2, 2, 3);
}

static void few_frames(hid_t file) {
  put_filled(file, "run/frames/vertices", 3, 1, 3, 3);
}

static void gates_without_width(hid_t file) {
  put_texts(file, "gates/name", 1, 1, (const char *[]){"g"});
  put_texts(file, "gates/runs", 1, 1, (const char *[]){"a"});
  put(file, "gates/value", 2, (hsize_t[]){1, 0}, NULL);
  put(file, "gates/passed", 2, (hsize_t[]){1, 0}, NULL);
}

static const hostile RUNS[] = {
    {"many_rows", many_rows, "table @/a.h5 energy/total", "attribute \"rows\" is no integer"},
    {"many_statuses", many_statuses, "table @/a.h5 energy/foo", "has no series"},
    {"fixed_status", fixed_status, "table @/a.h5 energy/foo", "has no series"},
    {"fixed_schema", fixed_schema, "table @/a.h5 energy/total", "no results file of this program"},
    {"many_steps", many_steps, "table @/a.h5 energy/foo", "has no series"},
    {"steps_of_floats", steps_of_floats, "table @/a.h5 energy/foo", "has no series"},
    {"negative_steps", negative_steps, "table @/a.h5 energy/foo", "has no series"},
    {"many_texts", many_texts, "table @/a.h5 energy/foo", "has no series"},
    {"many_numbers", many_numbers, "table @/a.h5 energy/foo", "has no series"},
    {"wide_times", wide_times, "table @/a.h5 energy/total", "has 4096 rows; name one"},
    {"endless_rows", endless_rows, "table @/a.h5 energy/total",
     "claims 2305843009213693952 numbers, more than its 0 bytes in the file can hold"},
    {"all_but_overflowing", all_but_overflowing, "table @/a.h5 energy/total", "claims 2305843"},
    {"endless_frames", endless_frames, "render @/a.h5", "claims 1099511627776 numbers"},
    {"product_overflows", product_overflows, "outline @/a.h5",
     "claims 2 x 4294967296 x 4294967296 numbers"},
    {"endless_segments", endless_segments, "outline @/a.h5", "claims 4611686018427387904 x 2"},
    {"endless_width", endless_width, "table @/a.h5 topology/segment", "claims 0 x 46116860184"},
    {"endless_empty_rows", endless_empty_rows, "table @/a.h5 topology/segment", "7904 x 0 numbers"},
    {"never_written", never_written, "outline @/a.h5", "claims 1099511627776 x 2 numbers"},
    {"endless_texts", endless_texts, "table @/a.h5 scenario/label", "claims 2305843009213693952 t"},
    {"no_space", no_space, "table @/a.h5 energy/total", "holds no numbers"},
    {"many_axes", many_axes, "table @/a.h5 energy/total", "holds no numbers"},
    {"texts_for_numbers", texts_for_numbers, "table @/a.h5 energy/total", "holds no numbers"},
    {"numbers_for_texts", numbers_for_texts, "table @/a.h5 energy/foo", "has no series"},
    {"fixed_texts", fixed_texts, "table @/a.h5 scenario/label", "holds no numbers"},
    {"unset_texts", unset_texts, "table @/a.h5 energy/foo", "has no series"},
    {"compound", compound, "table @/a.h5 energy/total", "holds no numbers"},
    {"array_type", array_type, "table @/a.h5 energy/total", "holds no numbers"},
    {"list_type", list_type, "table @/a.h5 energy/total", "holds no numbers"},
    {"references", references, "table @/a.h5 energy/total", "holds no numbers"},
    {"odd_numbers", odd_numbers, "table @/a.h5 energy/total", "holds no numbers"},
    {"committed_number", committed_number, "table @/a.h5 energy/total", "has no series"},
    {"other_filter", other_filter, "table @/a.h5 energy/total", "uses a compression filter"},
    {"two_deflates", two_deflates, "table @/a.h5 energy/total", "uses a compression filter"},
    {"external_storage", external_storage, "table @/a.h5 energy/total",
     "is kept in another file, which is not read"},
    {"linked_dataset", linked_dataset, "table @/a.h5 energy/total", "leads out of the file"},
    {"linked_group", linked_group, "compare @/a.h5 @/good.h5", "leads out of the file"},
    {"linked_softly", linked_softly, "table @/a.h5 energy/total", "leads out of the file"},
    {"user_link", user_link, "table @/a.h5 energy/total", "leads out of the file"},
    {"loop_of_links", loop_of_links, "table @/a.h5 energy/total", "has no series"},
    {"group_in_itself", group_in_itself, "compare @/a.h5 @/good.h5", "too many groups"},
    {"deep_groups", deep_groups, "compare @/a.h5 @/good.h5", "too many groups"},
    {"made_of_other_file", made_of_other_file, "table @/a.h5 energy/total", "made of another file"},
    {"made_of_itself", made_of_itself, "table @/a.h5 energy/total", "that are made of others"},
    {"made_of_made", made_of_made, "table @/a.h5 energy/total", "that are made of others"},
    {"made_of_linked", made_of_linked, "table @/a.h5 energy/total", "leads out of the file"},
    {"made_of_many", made_of_many, "table @/a.h5 energy/total", "that is not there"},
    {"evil_study", evil_study, "table @/a.h5 energy/total", "\"../x\" in /scenario/study is no"},
    {"evil_escape", evil_escape, "table @/a.h5 energy/total", "\"?]0;x?\" in /scenario/run is no"},
    {"radius_without_width", radius_without_width, "outline @/a.h5", "does not fit its frames"},
    {"body_without_width", body_without_width, "outline @/a.h5 --body 0", "does not fit"},
    {"scale_without_width", scale_without_width, "outline @/a.h5", "does not fit its frames"},
    {"length_without_width", length_without_width, "render @/a.h5 --color volume_error",
     "topology is invalid"},
    {"fastening_without_width", fastening_without_width, "render @/a.h5", "topology is invalid"},
    {"times_without_width", times_without_width, "surface @/a.h5", "are no list"},
    {"segment_beyond", segment_beyond, "outline @/a.h5", "does not fit its frames"},
    {"segment_of_nan", segment_of_nan, "outline @/a.h5", "does not fit its frames"},
    {"segment_before", segment_before, "render @/a.h5", "topology is invalid"},
    {"triangle_beyond", triangle_beyond, "surface @/a.h5", "do not name vertices"},
    {"triangle_between", triangle_between, "distance @/study.h5 a a", "do not name vertices"},
    {"tetrahedron_beyond", tetrahedron_beyond, "render @/a.h5", "topology is invalid"},
    {"body_before", body_before, "render @/a.h5", "topology is invalid"},
    {"carrier_of_nan", carrier_of_nan, "render @/a.h5", "topology is invalid"},
    {"few_positions", few_positions, "render @/a.h5", "do not fit its topology"},
    {"few_vertices", few_vertices, "surface @/a.h5", "do not fit its vertices"},
    {"few_frames", few_frames, "surface @/a.h5", "has no frame 1"},
    {"gates_without_width", gates_without_width, "compare @/a.h5 @/good.h5", "are not whole"},
};

static const hostile INDEXES[] = {
    {"evil_run", evil_run, "plot @/study.h5",
     "\"x';touch${IFS}pwned;'\" in /scenario/runs is no name; it must be of letters"},
    {"evil_member", evil_member, "table @/study.h5 scenario/title", "in /runs is no name"},
    {"evil_scaling", evil_scaling, "table @/study.h5 scaling/names",
     "in /scaling/names is no name"},
    {"evil_case", evil_case, "plot @/study.h5", "\"x y\" in /bench is no name"},
    {"evil_figure", evil_figure, "plot @/study.h5", "\"../../sec/evil\" in the attribute figure"},
    {"lead_up", lead_up, "pack @/study.h5 --out @/plots", "its run \"a\" cannot be opened"},
    {"lead_to_root", lead_to_root, "render @/study.h5", "its run \"a\" cannot be opened"},
    {"lead_to_group", lead_to_group, "render @/study.h5", "leads out of the file"},
    {"lead_to_symlink", lead_to_symlink, "outline @/study.h5 --run a", "its run \"a\" cannot be"},
    {"lead_to_pipe", lead_to_pipe, "surface @/study.h5 --run a", "its run \"a\" cannot be opened"},
    {"lead_to_itself", lead_to_itself, "table @/study.h5 runs/a/energy/total",
     "its run \"a\" cannot be opened"},
    {"lead_nowhere", lead_nowhere, "compare @/study.h5 @/study.h5",
     "should be the file nowhere.h5"},
};

#define N_RUNS    ((int)(sizeof RUNS / sizeof *RUNS))
#define N_INDEXES ((int)(sizeof INDEXES / sizeof *INDEXES))

#endif
