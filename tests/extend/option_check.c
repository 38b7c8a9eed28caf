// SPDX-License-Identifier: GPL-3.0-or-later
/// That an option besides the known ones is whole (tests/extend.sh): users see it, set and get it,
/// and it changes what the table says, by the methods that the table names.
#include "option_walk.h"

START_TEST(users_have_it) {
  char got[64];
  vb_scene *scene = case_driven();
  handle s = handle_open(scene, "method", "xpbd", "push", "0.75", NULL);
  ck_assert_int_eq(s.solver->get_option(s.self, "push", got, sizeof got, NULL), VB_OK);
  ck_assert_str_eq(got, "0.75");
  handle_set(&s, "push", "0.5");
  ck_assert_int_eq(s.solver->get_option(s.self, "push", got, sizeof got, NULL), VB_OK);
  ck_assert_str_eq(got, "0.5");
  handle_close(&s);
  free(scene);
}
END_TEST

START_TEST(it_changes_what_the_table_says) {
  walk_check_name("push");
}
END_TEST

static TCase *option(void) {
  TCase *c = tcase_create("option");
  tcase_set_timeout(c, 300);
  tcase_add_test(c, users_have_it);
  tcase_add_test(c, it_changes_what_the_table_says);
  return c;
}

VB_TEST_MAIN("option", option())
