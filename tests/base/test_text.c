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

static TCase *make_tests(void) {
  TCase *tests = tcase_create("text");
  tcase_add_test(tests, text_adds_what_fits);
  tcase_add_test(tests, text_never_passes_its_buffer);
  return tests;
}

VB_TEST_MAIN("text", make_tests())
