// SPDX-License-Identifier: GPL-3.0-or-later
// Results files that anyone may have written: each claim that is not so is told in one sentence,
// and nothing outside the file is read. Where HOSTILE names a folder, the files are left there.
// Covers: src/results/h5_read.* src/results/results_*.[ch] src/results/run_summary.*
// Covers: src/base/names.* src/base/printable.*
#include "hostile/hostile_changes.h"

#include "base/names.h"
#include "base/printable.h"
#include "compare/compare.h"
#include "compare/pack_study.h"
#include "figure/plot_internal.h"
#include "gate/surface_series.h"
#include "python_fixture.h"
#include "render/recording.h"
#include "results/h5_read.h"
#include "results/results.h"
#include "results/results_array.h"
#include "results/run_summary.h"

/// Lets HDF5 find a plug-in that leaves the file "pwned" when it is loaded.
static void offer_plugin(void) {
  char command[400], name[256];
  snprintf(command, sizeof command, "cp build/tests/fake_filter.so '%s'",
           in_folder("libfake_filter.so", name));
  ck_assert_int_eq(system(command), 0);
  setenv("HDF5_PLUGIN_PATH", folder, 1);
  setenv("FAKE_FOLDER", folder, 1);
}

static void set_up(void) {
  char other[256];
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  make_home();
  offer_plugin();
  in_folder("a.h5", path);
  in_folder("study.h5", index_path);
  H5Fclose(begin_run(path));
  H5Fclose(begin_run(in_folder("good.h5", other)));
  H5Fclose(begin_index(index_path));
}

/// Makes the file of a case, and leaves it in HOSTILE, too.
static void make(const hostile *h, const char *to) {
  hid_t file = H5Fopen(to, H5F_ACC_RDWR, H5P_DEFAULT);
  const char *kept = getenv("HOSTILE");
  ck_assert(file >= 0);
  h->change(file);
  ck_assert(H5Fclose(file) >= 0);
  if (kept) {
    char command[700];
    snprintf(command, sizeof command, "cp '%s' '%s/%s.h5'", to, kept, h->name);
    ck_assert_int_eq(system(command), 0);
  }
}

/// One sentence, and the exit code of bad input.
static void try_command(const hostile *h) {
  expect(h->command, 2, h->complaint);
  ck_assert_ptr_eq(strchr(error_output, '\n'), error_output + strlen(error_output) - 1);
  ck_assert_msg(!exists("pwned") && access("pwned", F_OK) != 0, "%s ran a command", h->name);
}

/// Reads the file by all that reads such files; each may refuse it.
static void read_by_all(const char *file, const char *run, const char *good) {
  static const char *const SERIES[] = {"energy/total", "frames/position", "frames/time",
                                       "residual"};
  static const char *const ARRAYS[] = {"topology/segment", "run/frames/position", "gates/value",
                                       "run/energy/total"};
  char name[300];
  vb_error error = {0};
  for (size_t i = 0; i < sizeof SERIES / sizeof *SERIES; i++) {
    vb_column column = {0};
    snprintf(name, sizeof name, "%s%s%s%s", run ? "runs/" : "", run ? run : "", run ? "/" : "",
             SERIES[i]);
    if (!vb_results_column(file, name, i == 1 ? 0 : -1, i == 1 ? 0 : -1, &column, &error))
      vb_column_free(&column);
  }
  for (size_t i = 0; i < sizeof ARRAYS / sizeof *ARRAYS; i++) {
    vb_array array = {0};
    vb_texts texts = {0};
    snprintf(name, sizeof name, "%s%s/%s", run ? "/runs/" : "", run ? run : "", ARRAYS[i]);
    for (int frame = 0; frame < 2; frame++)
      if (!vb_results_array(file, name, frame ? -1 : VB_NO_FRAME, &array, &error))
        vb_array_free(&array);
    if (!vb_results_texts(file, name, &texts, &error))
      vb_texts_free(&texts);
  }
  vb_run_summary summary;
  vb_plot_facts facts;
  vb_recording recording;
  vb_surface_series series;
  vb_compare_request request = {.allow = {true, true, true, true, true}};
  vb_compare_result result;
  vb_run_summary_read(file, &summary, &error);
  if (!vb_plot_facts_read(file, &facts, &error))
    vb_plot_facts_free(&facts);
  if (!vb_recording_open((vb_run_location){file, run}, false, &recording, &error)) {
    vb_shapes shapes, clear;
    for (size_t k = 0; k < recording.time.n && k < 2; k++)
      for (vb_coloring c = VB_COLOR_SCALE; c <= VB_COLOR_BODY; c++)
        if (!vb_recording_shapes(&recording, k, c, &shapes, &clear, &error)) {
          vb_shapes_clear(&shapes);
          vb_shapes_clear(&clear);
        }
    vb_recording_close(&recording);
  }
  if (!vb_surface_series_read((vb_run_location){file, run}, (vb_run_location){file, run}, &series,
                              &error))
    vb_surface_series_free(&series);
  for (int side = 0; side < 2; side++)
    if (!vb_compare_paths(side ? file : good, side ? good : file, &request, &result, &error)) {
      if (!run)
        for (size_t i = 0; i < result.n_runs; i++)
          ck_assert(result.runs[i].n_quantities > 0);
      vb_compare_result_free(&result);
    }
  if (run) {
    char packed[256];
    vb_pack_study(file, in_folder("packed.h5", packed), &error);
  }
}

START_TEST(a_hostile_run_is_refused_in_one_sentence) {
  char good[256];
  const hostile *h = &RUNS[_i];
  make(h, path);
  try_command(h);
  read_by_all(path, NULL, in_folder("good.h5", good));
  // Through an index the same file is read by the same readers.
  if (_i % 4 == 0 || getenv("ALL"))
    read_by_all(index_path, "a", index_path);
  ck_assert(!exists("pwned"));
}
END_TEST

START_TEST(a_hostile_index_is_refused_in_one_sentence) {
  char good[256];
  H5Fclose(begin_index(in_folder("good_study.h5", good)));
  make(&INDEXES[_i], index_path);
  try_command(&INDEXES[_i]);
  read_by_all(index_path, "a", good);
}
END_TEST

/// What is no file, by the name of one: no command waits for it, or reads it.
START_TEST(only_files_are_read) {
  // The last takes folders, too.
  static const char *const COMMANDS[] = {
      "info @/x.h5", "table @/x.h5 energy/total", "render @/x.h5",
      "plot @/x.h5", "pack @/x.h5 --out @/plots", "compare @/x.h5 @/a.h5"};
  static const char *const WORDS[] = {"it is a pipe, not a file", "not a file", "not a file",
                                      "it is a folder, not a file"};
  char name[256];
  for (size_t kind = 0; kind < sizeof WORDS / sizeof *WORDS; kind++) {
    in_folder("x.h5", name);
    int made = kind == 0   ? mkfifo(name, 0666)
               : kind == 1 ? symlink("/dev/zero", name)
               : kind == 2 ? symlink("/dev/tty", name)
                           : mkdir(name, 0777);
    ck_assert_int_eq(made, 0);
    for (size_t i = 0; i < sizeof COMMANDS / sizeof *COMMANDS - (kind == 3); i++)
      expect(COMMANDS[i], 2, WORDS[kind]);
    ck_assert_int_eq(remove(name), 0);
  }
}
END_TEST

/// Loading a shared object executes it. What is not called one is no solver, whatever its bytes.
START_TEST(only_what_is_called_a_solver_is_loaded) {
  static const char *const NAMES[] = {"a.h5.damaged", "a.h5.part", "a.json", "a.csv", "a"};
  setenv("FAKE_EARLY", "yes", 1);
  for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
    char command[600], name[256], words[300];
    snprintf(command, sizeof command, "cp build/tests/fake_filter.so '%s'",
             in_folder(NAMES[i], name));
    ck_assert_int_eq(system(command), 0);
    snprintf(words, sizeof words, "info @/%s", NAMES[i]);
    expect(words, 2, i < 2 ? "is no HDF5 file" : "is no file that info knows");
    ck_assert_msg(!exists("pwned"), "%s was loaded", NAMES[i]);
  }
}
END_TEST

/// Python's load, too, refuses each of these files, or reads it in order.
START_TEST(python_is_given_all_of_them) {
  char kept[256], command[1200];
  if (!has_python("numpy"))
    return;
  ck_assert_int_eq(mkdir(in_folder("kept", kept), 0777), 0);
  setenv("HOSTILE", kept, 1);
  for (int i = 0; i < N_RUNS + N_INDEXES; i++) {
    // Some make a pipe or a link of their own beside the file.
    char pipe[256];
    unlink(in_folder("pipe", pipe));
    H5Fclose(i < N_RUNS ? begin_run(path) : begin_index(index_path));
    if (i < N_RUNS)
      make(&RUNS[i], path);
    else
      make(&INDEXES[i - N_RUNS], index_path);
  }
  snprintf(command, sizeof command,
           "PYTHONPATH=src/python " PYTHON
           " tests/python/check_hostile.py --only %s/*.h5 >%s/check.log 2>&1",
           kept, folder);
  int ended = system(command);
  read_file("check.log", output, sizeof output);
  ck_assert_msg(ended == 0, "%s", output);
  ck_assert(!exists("pwned"));
}
END_TEST

START_TEST(valid_files_are_read) {
  expect("table @/a.h5 energy/total", 0, "");
  expect("table @/study.h5 runs/a/energy/total scenario/runs", 2, "do not have the same rows");
  expect("table @/study.h5 runs/a/energy/total", 0, "");
  expect("outline @/study.h5 --run a", 0, "");
  expect("surface @/a.h5", 0, "");
  expect("distance @/study.h5 a a", 0, "");
  expect("render @/study.h5 --out @/x.png --size 100x80 --plain --quiet", 0, "");
  expect("compare @/a.h5 @/good.h5", 0, "");
  expect("pack @/study.h5 --out @/plots", 0, "");
  expect("compare @/study.h5 @/plots/study.h5", 0, "");
}
END_TEST

START_TEST(virtual_datasets_within_the_file_are_read) {
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  vb_array array;
  vb_error error = {0};
  made_of(file, "view/energy", ".", "/run/energy/total");
  H5Lcreate_soft("/run/energy", file, "view/soft", H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(file);
  static const char *const NAMES[] = {"/view/energy", "/view/soft/total"};
  for (size_t i = 0; i < 2; i++) {
    ck_assert_msg(!vb_results_array(path, NAMES[i], VB_NO_FRAME, &array, &error), "%s",
                  error.message);
    ck_assert_uint_eq(array.n, 2);
    ck_assert_double_eq(array.values[1], 1);
    vb_array_free(&array);
  }
}
END_TEST

/// What is compressed well, and more than the file's bytes, is no reason to refuse it.
START_TEST(compressed_zeros_are_read) {
  static double zeros[1 << 20];
  const hid_t types[] = {H5T_NATIVE_DOUBLE, H5T_NATIVE_UCHAR};
  vb_array array;
  vb_error error = {0};
  for (int i = 0; i < 2; i++) {
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), plist = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(plist, 1, (hsize_t[]){1 << 20});
    H5Pset_shuffle(plist);
    H5Pset_deflate(plist, 9);
    H5Pset_fletcher32(plist);
    put_by(file, "topology/zeros", types[i], 1, (hsize_t[]){1 << 20}, plist, zeros);
    H5Pclose(plist);
    H5Fclose(file);
    ck_assert_msg(!vb_results_array(path, "/topology/zeros", VB_NO_FRAME, &array, &error), "%s",
                  error.message);
    ck_assert_uint_eq(array.n, 1 << 20);
    vb_array_free(&array);
  }
}
END_TEST

START_TEST(a_summary_of_a_damaged_run_says_what_is_wrong) {
  static const struct {
    void (*change)(hid_t);
    const char *words;
  } CASES[] = {{many_steps, "attribute \"steps\" is no integer"},
               {steps_of_floats, "attribute \"steps\" is no integer"},
               {negative_steps, "says that it has -9223372036854775808 steps"},
               {many_statuses, "is not the results file of a run"},
               {fixed_status, "is not the results file of a run"},
               {linked_group, "leads out of the file"}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    vb_run_summary summary;
    vb_error error = {0};
    hid_t file = begin_run(path);
    CASES[i].change(file);
    H5Fclose(file);
    ck_assert_int_eq(vb_run_summary_read(path, &summary, &error), VB_BAD_INPUT);
    ck_assert_msg(strstr(error.message, CASES[i].words) != NULL, "\"%s\" lacks \"%s\"",
                  error.message, CASES[i].words);
  }
}
END_TEST

/// A finished run stands for a new one, unless its file is damaged: that is told, and it is kept.
START_TEST(a_damaged_run_is_executed_again) {
  static const char WORDS[] = "run fall --out @/plots --quiet";
  char run[256];
  write_file("scenarios/fall.lua",
             "return { title = 'a', build = function()\n"
             "  local s = vb.scene{ step = 0.01, steps = 2 }\n"
             "  s:rod{ nodes = 3, from = {0, 0, 0}, to = {1, 0, 0}, radius = 0.1,\n"
             "         material = { E = 1e6, nu = 0.3 }, density = 1000 }\n"
             "  return s\n"
             "end }\n");
  expect(WORDS, 0, "");
  hid_t file = H5Fopen(in_folder("plots/fall-fall.h5", run), H5F_ACC_RDWR, H5P_DEFAULT);
  many_steps(file);
  H5Fclose(file);
  expect(WORDS, 0, "was damaged, and its run was executed again");
  expect(WORDS, 0, "");
  ck_assert_ptr_null(strstr(error_output, "damaged"));
}
END_TEST

/// Flips a bit of the first place of the file at which these bytes are.
static void flip(const char *name, const void *bytes, size_t n) {
  static char all[1 << 20];
  FILE *file = fopen(name, "r+b");
  ck_assert_ptr_nonnull(file);
  size_t size = fread(all, 1, sizeof all, file);
  const char *found = memmem(all, size, bytes, n);
  ck_assert_ptr_nonnull(found);
  ck_assert_int_eq(fseek(file, found - all, SEEK_SET), 0);
  ck_assert_int_ne(fputc(*found ^ 1, file), EOF);
  ck_assert_int_eq(fclose(file), 0);
}

/// A finished run whose gates cannot be read for damage does not stand for a new one; one that
/// cannot be read for other reasons does.
START_TEST(a_run_with_damaged_numbers_is_executed_again) {
  static const char WORDS[] = "run fall --out @/plots --quiet";
  char run[256];
  write_file("scenarios/fall.lua",
             "return { title = 'a', build = function()\n"
             "  local s = vb.scene{ step = 0.01, steps = 4 }\n"
             "  s:rod{ nodes = 3, from = {0, 0, 0}, to = {1, 0, 0}, radius = 0.1,\n"
             "         material = { E = 1e6, nu = 0.3 }, density = 1000 }\n"
             "  s:gate{ name = 'end', quantity = 'time', measure = 'final', at_least = 0.03,\n"
             "          reason = 'r' }\n"
             "  return s\n"
             "end }\n");
  expect(WORDS, 0, "");
  flip(in_folder("plots/fall-fall.h5", run), (double[]){0.01, 0.02}, 2 * sizeof(double));
  expect(WORDS, 0, "was damaged, and its run was executed again");
  ck_assert(exists("plots/fall-fall.h5.damaged"));
  expect("report @/plots -o @/r.html --quiet", 0, "");
  flip(run, (double[]){0.01, 0.02}, 2 * sizeof(double));
  expect("report @/plots -o @/r.html --quiet", 0, "is damaged: HDF5 cannot read \"run/time\"");
  expect("join fall --out @/plots --quiet", 4, "is damaged, and is left out");
}
END_TEST

/// Rows whose times are no numbers are those of the same times.
START_TEST(columns_of_times_that_are_no_numbers_stand_side_by_side) {
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  put(file, "run/time", 1, (hsize_t[]){2}, (double[]){NAN, NAN});
  H5Fclose(file);
  expect("table @/a.h5 energy/total energy/total", 0, "");
}
END_TEST

/// A table without elements that differs nowhere has no place to divide by.
START_TEST(series_of_nothing_are_compared) {
  const char *names[2] = {"a.h5", "good.h5"};
  for (int i = 0; i < 2; i++) {
    char one[256];
    hid_t file = H5Fopen(in_folder(names[i], one), H5F_ACC_RDWR, H5P_DEFAULT);
    put(file, "run/none", 2, (hsize_t[]){2, 0}, NULL);
    put(file, "run/never", 3, (hsize_t[]){0, 3, 3}, NULL);
    H5Fclose(file);
  }
  expect("compare @/a.h5 @/good.h5", 0, "");
}
END_TEST

/// A figure of a difference looks for the time of each row, which may be no list.
START_TEST(difference_without_times_is_located) {
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  wide_times(file);
  H5Fclose(file);
  vb_compare_request request = {.allow = {true, true, true, true, true}};
  vb_compare_result result;
  vb_error error = {0};
  char good[256];
  ck_assert_msg(!vb_compare_paths(path, in_folder("good.h5", good), &request, &result, &error),
                "%s", error.message);
  bool found = false;
  for (size_t i = 0; i < result.runs[0].n_quantities; i++)
    if (strcmp(result.runs[0].quantities[i].name, "energy/total") == 0) {
      found = true;
      ck_assert_str_eq(result.runs[0].quantities[i].first, "row 0");
    }
  ck_assert(found);
  vb_compare_result_free(&result);
}
END_TEST

START_TEST(what_files_say_is_printed_without_control_characters) {
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  put_text(file, "scenario/label", "\x1b[2J\xc2\x9bred\x7f\xff \xc3\xa9");
  put_text_attribute(file, "run/energy/total", "units", "\x1b]0;J\x07");
  H5Fclose(file);
  expect("table @/a.h5 scenario/label", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "\"?[2J??red?? \xc3\xa9\""));
  expect("table @/a.h5 energy/total", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "energy/total[?]0;J?]"));
  expect("table @/a.h5 \x1b[31m", 2, "\"?[31m\"");
  write_file("scenarios/evil.lua",
             "print('\\27[2J\\tx\\ny', '\\194\\155')\n"
             "return { title = 'a\\27]0;x\\7b', build = function() error('\\27c') end,\n"
             "         runs = function() return { { name = 'a' } } end }\n");
  expect("info evil", 2, "?[2J\tx\ny\t??\n");
  ck_assert_ptr_nonnull(strstr(error_output, ": ?c\n"));
}
END_TEST

START_TEST(control_characters_are_found_in_any_pieces) {
  static const char RAW[] = "a\x01\t\n\x1b\x7f\xc2\x80\xc2\x9f\xc2\xa0\xe2\x82\xac\xed\xa0\x80\xf0"
                            "\x9f\x98\x80\xf4\x90\x80\x80\xc0\xaf\xe2\x82";
  static const char PLAIN[] =
      "a?\t\n?\x3f\?\?\?\?\xc2\xa0\xe2\x82\xac\?\?\?\xf0\x9f\x98\x80\?\?\?\?"
      "\?\?\?\?";
  char text[sizeof RAW];
  memcpy(text, RAW, sizeof RAW);
  vb_printable_text(text);
  ck_assert_str_eq(text, PLAIN);
  for (size_t size = 4; size < sizeof RAW; size++) {
    char waiting[2 * sizeof RAW], out[2 * sizeof RAW] = "";
    size_t n = 0, taken = 0, used = 0;
    while (taken < sizeof RAW - 1) {
      size_t more = sizeof RAW - 1 - taken < size ? sizeof RAW - 1 - taken : size;
      memcpy(waiting + n, RAW + taken, more);
      n += more;
      taken += more;
      size_t done = vb_printable_bytes(waiting, n);
      memcpy(out + used, waiting, done);
      used += done;
      memmove(waiting, waiting + done, n -= done);
    }
    ck_assert_uint_eq(n, 2); // the begin of a character that never comes
    ck_assert_int_eq(memcmp(out, PLAIN, used), 0);
    ck_assert_uint_eq(used, sizeof RAW - 3);
  }
}
END_TEST

START_TEST(names_are_of_the_rule) {
  static const char *const BAD[] = {"",   ".",   "-x",       "a b", "a/b",
                                    "a'", "a\n", "\xc3\xa9", "$x",  "`x`"};
  char longest[VB_RECORDED_NAME_MAX + 2];
  memset(longest, 'x', sizeof longest);
  for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++)
    ck_assert(!vb_name_is_valid(BAD[i]) && !vb_recorded_name_is_valid(BAD[i]));
  longest[VB_RECORDED_NAME_MAX + 1] = '\0';
  ck_assert(!vb_recorded_name_is_valid(longest));
  longest[VB_RECORDED_NAME_MAX] = '\0';
  ck_assert(vb_recorded_name_is_valid(longest) && !vb_name_is_valid(longest));
  longest[VB_NAME_MAX] = '\0';
  ck_assert(vb_name_is_valid(longest) && vb_name_is_valid("a.B_1+2-3"));
}
END_TEST

/// Who reads HDF5 goes through the sources of h5_read.h, where all is checked; h5_repack.c reads
/// what this process has just written.
START_TEST(one_place_reads) {
  static const struct {
    const char *call, *files;
  } CALLS[] = {
      {"H5Dread", " h5_dataset.c h5_texts.c h5_repack.c "},
      {"H5Aread", " h5_attribute.c h5_repack.c "},
      {"H5Oopen", " h5_read.c h5_repack.c "},
      {"H5Literate", " h5_list.c h5_repack.c "},
      {"H5Lget_val", " h5_list.c "},
      {"H5Fis_hdf5", " h5.c "},
      {"H5Dopen", " h5_repack.c "},
      {"H5Ovisit", " h5_repack.c "},
      {"H5Lvisit", ""},
      {"H5LT", ""},
      {"H5Fopen", " h5.c h5_descriptor.c "}, // of our own, and of others
      {"H5Aopen",
       " h5_write.c h5_attribute.c h5_repack.c "},      // a writer sets an attribute that is there
      {"H5Gopen", " results_gates.c results_write.c "}, // groups that the writer just made
      {"H5Lexists", " h5_list.c results_gates.c "},
  };
  for (size_t i = 0; i < sizeof CALLS / sizeof *CALLS; i++) {
    char command[200], line[300];
    snprintf(command, sizeof command,
             "grep -rl '%s[A-Za-z_0-9]* *(' src --include=*.c --include=*.h", CALLS[i].call);
    FILE *found = popen(command, "r");
    ck_assert_ptr_nonnull(found);
    while (fgets(line, sizeof line, found)) {
      char name[300];
      line[strcspn(line, "\n")] = '\0';
      snprintf(name, sizeof name, " %s ", strrchr(line, '/') + 1);
      ck_assert_msg(strstr(CALLS[i].files, name) != NULL,
                    "%s calls %s; read by the functions of results/h5_read.h", line, CALLS[i].call);
    }
    pclose(found);
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("results: hostile files");
  TCase *files = tcase_create("files"), *text = tcase_create("text");
  tcase_add_checked_fixture(files, set_up, remove_home);
  tcase_set_timeout(files, 60);
  tcase_add_test(files, valid_files_are_read);
  tcase_add_test(files, only_files_are_read);
  tcase_add_test(files, only_what_is_called_a_solver_is_loaded);
  tcase_add_test(files, python_is_given_all_of_them);
  tcase_add_loop_test(files, a_hostile_run_is_refused_in_one_sentence, 0, N_RUNS);
  tcase_add_loop_test(files, a_hostile_index_is_refused_in_one_sentence, 0, N_INDEXES);
  tcase_add_test(files, virtual_datasets_within_the_file_are_read);
  tcase_add_test(files, compressed_zeros_are_read);
  tcase_add_test(files, a_summary_of_a_damaged_run_says_what_is_wrong);
  tcase_add_test(files, a_damaged_run_is_executed_again);
  tcase_add_test(files, a_run_with_damaged_numbers_is_executed_again);
  tcase_add_test(files, columns_of_times_that_are_no_numbers_stand_side_by_side);
  tcase_add_test(files, series_of_nothing_are_compared);
  tcase_add_test(files, difference_without_times_is_located);
  tcase_add_test(files, what_files_say_is_printed_without_control_characters);
  tcase_add_test(text, control_characters_are_found_in_any_pieces);
  tcase_add_test(text, names_are_of_the_rule);
  tcase_add_test(text, one_place_reads);
  suite_add_tcase(suite, files);
  suite_add_tcase(suite, text);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
