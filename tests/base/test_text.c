// SPDX-License-Identifier: GPL-3.0-or-later
/// Texts that are added up stay within their buffer, and end.
#include "base/text.h"

#include "test.h"

#include <string.h>

START_TEST(text_adds_what_fits) {
  char text[12] = "";
  ck_assert(vb_text_add(text, 8, "%s", "abc"));
  ck_assert(vb_text_add(text, 8, "%d", 1234));
  ck_assert_str_eq(text, "abc1234");
  ck_assert(!vb_text_add(text, 8, "%s", "x"));
  ck_assert_str_eq(text, "abc1234");
  ck_assert(vb_text_add(text, 8, "%s", ""));
}
END_TEST

START_TEST(text_never_passes_its_buffer) {
  char text[12];
  memset(text, '#', sizeof text);
  text[0] = '\0';
  for (int i = 0; i < 5; i++)
    vb_text_add(text, 8, "%s", "12345");
  ck_assert_str_eq(text, "1234512");
  ck_assert_int_eq(memcmp(text + 8, "####", 4), 0);
  memset(text, '#', sizeof text); // it has no end
  ck_assert(!vb_text_add(text, 8, "%s", "1"));
  ck_assert_int_eq(memcmp(text, "############", 12), 0);
}
END_TEST

/// The values that its authors print.
START_TEST(hashes_are_those_of_fnv_1a) {
  ck_assert_uint_eq(vb_text_hash(""), UINT64_C(0xcbf29ce484222325));
  ck_assert_uint_eq(vb_text_hash("a"), UINT64_C(0xaf63dc4c8601ec8c));
  ck_assert_uint_eq(vb_text_hash("foobar"), UINT64_C(0x85944171f73967e8));
}
END_TEST

static TCase *make_tests(void) {
  TCase *tests = tcase_create("text");
  tcase_add_test(tests, text_adds_what_fits);
  tcase_add_test(tests, text_never_passes_its_buffer);
  tcase_add_test(tests, hashes_are_those_of_fnv_1a);
  return tests;
}

VB_TEST_MAIN("text", make_tests())
