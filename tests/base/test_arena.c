// SPDX-License-Identifier: GPL-3.0-or-later
/// Arrays that are taken, grown and appended to: their bits, their order, and what is left where
/// there is no memory.
#include "base/arena.h"

#include "test.h"

#include <stdint.h>
#include <string.h>

START_TEST(arrays_are_zero_and_aligned) {
  vb_arena arena = {0};
  char *text = vb_arena_text(&arena, "seven 7");
  double *array, *none;
  VB_TAKE(&arena, array, 100);
  VB_TAKE(&arena, none, 0);
  ck_assert_str_eq(text, "seven 7");
  ck_assert_ptr_null(vb_arena_text(&arena, NULL));
  ck_assert(array && none && (uintptr_t)array % _Alignof(max_align_t) == 0);
  for (size_t i = 0; i < 100; i++)
    ck_assert_double_eq(array[i], 0);
  ck_assert_int_eq(vb_arena_status(&arena, NULL), VB_OK);
  vb_arena_clear(&arena);
  ck_assert_ptr_null(arena.latest);
}
END_TEST

START_TEST(want_of_memory_is_remembered) {
  vb_arena arena = {0};
  vb_error error = {0};
  double *array, *other;
  ck_assert_ptr_null(VB_TAKE(&arena, array, SIZE_MAX / sizeof *array));
  ck_assert_ptr_nonnull(VB_TAKE(&arena, other, 1));
  ck_assert_int_ne(vb_arena_status(&arena, &error), VB_OK);
  vb_arena_clear(&arena);
}
END_TEST

START_TEST(appended_elements_stay_in_order) {
  int32_t *list = NULL;
  size_t n = 0;
  for (int32_t i = 0; i < 1000; i++) {
    int32_t *added = VB_APPEND(list, n);
    ck_assert(added && added == list + i && *added == 0 && n == (size_t)i + 1);
    *added = i;
    if (i % 7 == 0) { // one that is dropped again leaves no gap
      added = VB_APPEND(list, n);
      ck_assert_ptr_nonnull(added);
      *added = -1;
      n--;
    }
  }
  for (int32_t i = 0; i < 1000; i++)
    ck_assert_int_eq(list[i], i);
  free(list);
}
END_TEST

START_TEST(grown_arrays_keep_what_they_hold) {
  char *text = NULL;
  size_t capacity = 0;
  ck_assert(VB_GROW(text, capacity, 6) && capacity >= 6);
  strcpy(text, "whole");
  ck_assert(VB_GROW(text, capacity, 100000) && capacity >= 100000);
  ck_assert_str_eq(text, "whole");
  ck_assert(!VB_GROW(text, capacity, SIZE_MAX - 100));
  ck_assert_str_eq(text, "whole");
  free(text);
}
END_TEST

static TCase *arena(void) {
  TCase *tc = tcase_create("arena");
  tcase_add_test(tc, arrays_are_zero_and_aligned);
  tcase_add_test(tc, want_of_memory_is_remembered);
  tcase_add_test(tc, appended_elements_stay_in_order);
  tcase_add_test(tc, grown_arrays_keep_what_they_hold);
  return tc;
}

VB_TEST_MAIN("arena", arena())
