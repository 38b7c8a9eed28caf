// SPDX-License-Identifier: GPL-3.0-or-later
/// Covers: src/base/blas.* src/results/program_id.*
#include "results/program_id.h"
#include "results/provenance.h"
#include "test.h"

#include <dlfcn.h>
#include <jansson.h>
#include <time.h>
#include <unistd.h>

START_TEST(records_all_items) {
  vb_provenance p;
  vb_provenance_collect(&p);
  ck_assert(strstr(p.arguments, "test_provenance") != NULL);
  ck_assert_str_eq(p.floating_point, "strict");
  ck_assert(p.compiler[0] && p.flags[0] && p.commit[0] && p.cpu[0]);
  ck_assert_str_ne(p.host, "unknown");
  ck_assert_str_ne(p.system, "unknown");
  ck_assert_int_ge(p.threads, 1);
  ck_assert_int_ge(p.cores, 1);
}
END_TEST

START_TEST(date_is_now_in_utc) {
  vb_provenance p;
  struct tm utc = {0};
  vb_provenance_collect(&p);
  char *end = strptime(p.date, "%Y-%m-%dT%H:%M:%SZ", &utc);
  ck_assert(end && *end == '\0');
  double age_s = difftime(time(NULL), timegm(&utc));
  // Seconds are cut off, and a loaded machine may pause for some more.
  ck_assert(age_s >= 0 && age_s < 60);
}
END_TEST

START_TEST(libraries_are_json) {
  vb_provenance p;
  vb_provenance_collect(&p);
  json_t *versions = json_loads(p.libraries, 0, NULL);
  ck_assert_str_eq(json_string_value(json_object_get(versions, "jansson")), JANSSON_VERSION);
  ck_assert_ptr_nonnull(strchr(json_string_value(json_object_get(versions, "lua")), '.'));
  json_decref(versions);
}
END_TEST

START_TEST(program_id_is_the_linkers) {
  char hex[65], command[300], expected[65] = "";
  vb_error error = {0};
  ck_assert(!vb_program_id(hex, &error));
  Dl_info own; // the program, or the library that tests share
  ck_assert(dladdr((void *)(uintptr_t)vb_program_id, &own) != 0);
  snprintf(command, sizeof command, "readelf -n '%.150s' | sed -n 's/.*Build ID: //p'",
           own.dli_fname);
  FILE *pipe = popen(command, "r");
  ck_assert(pipe && fscanf(pipe, "%64s", expected) == 1);
  pclose(pipe);
  ck_assert_str_eq(hex, expected);
}
END_TEST

static TCase *provenance_case(void) {
  TCase *c = tcase_create("provenance");
  tcase_add_test(c, records_all_items);
  tcase_add_test(c, date_is_now_in_utc);
  tcase_add_test(c, libraries_are_json);
  tcase_add_test(c, program_id_is_the_linkers);
  return c;
}

VB_TEST_MAIN("provenance", provenance_case())
