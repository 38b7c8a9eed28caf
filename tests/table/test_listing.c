// SPDX-License-Identifier: GPL-3.0-or-later
// Listings as text, as comma-separated values and as JSON.
// Covers: src/table/csv.*
#include "narrow_terminal.h"
#include "table/listing.h"
#include "test.h"

#include <math.h>

static vb_listing listing;
static char *written;
static size_t size;

static void set_up(void) {
  listing = (vb_listing){0};
  written = NULL;
}

static void tear_down(void) {
  vb_listing_free(&listing);
  free(written);
}

/// A stream to what is written, in the place of what was.
static FILE *begin(void) {
  free(written);
  written = NULL;
  return open_memstream(&written, &size);
}

/// What the listing is in CSV.
static const char *csv(const char *names) {
  FILE *stream = begin();
  ck_assert_int_eq(vb_listing_write_csv(stream, &listing, names, NULL), VB_OK);
  fclose(stream);
  return written;
}

static const char *json(void) {
  json_t *rows = vb_listing_take_json(&listing);
  ck_assert_ptr_nonnull(rows);
  free(written);
  written = json_dumps(rows, JSON_COMPACT);
  json_decref(rows);
  return written;
}

static const char *text(const vb_text_column *columns, size_t n) {
  FILE *stream = begin();
  ck_assert_int_eq(vb_listing_write_text(stream, &listing, columns, n, NULL), VB_OK);
  fclose(stream);
  return written;
}

START_TEST(csv_quotes_what_needs_it) {
  vb_listing_row(&listing);
  vb_listing_text(&listing, "quote", "a \"b\"");
  vb_listing_text(&listing, "comma", "a,b");
  vb_listing_text(&listing, "lines", "a\r\nb");
  vb_listing_text(&listing, "tab", "a\tb");
  vb_listing_text(&listing, "none", NULL);
  vb_listing_text(&listing, "empty", "");
  ck_assert_str_eq(csv("quote,comma,lines,tab,none,empty"),
                   "quote,comma,lines,tab,none,empty\n"
                   "\"a \"\"b\"\"\",\"a,b\",\"a\r\nb\",a\tb,,\n");
}
END_TEST

START_TEST(json_escapes_what_needs_it) {
  vb_listing_row(&listing);
  vb_listing_text(&listing, "quote", "a \"b\"\\");
  vb_listing_text(&listing, "lines",
                  "a\n\t\x01"
                  "b");
  vb_listing_text(&listing, "utf8", "\xc3\xa9");
  vb_listing_text(&listing, "no utf8", "a\xff");
  vb_listing_text(&listing, "none", NULL);
  ck_assert_str_eq(json(), "[{\"quote\":\"a \\\"b\\\"\\\\\",\"lines\":\"a\\n\\t\\u0001b\","
                           "\"utf8\":\"\xc3\xa9\",\"no utf8\":\"a?\",\"none\":null}]");
}
END_TEST

static void add_numbers(void) {
  vb_listing_row(&listing);
  vb_listing_real(&listing, "nan", NAN);
  vb_listing_real(&listing, "inf", INFINITY);
  vb_listing_real(&listing, "less", -INFINITY);
  vb_listing_real(&listing, "tenth", 0.1);
  vb_listing_real(&listing, "small", 1e-6);
  vb_listing_integer(&listing, "most", INT64_MAX);
  vb_listing_flag(&listing, "yes", true);
  vb_listing_flag(&listing, "no", false);
}

START_TEST(csv_has_infinities_but_no_nan) {
  add_numbers();
  ck_assert_str_eq(csv("nan,inf,less,tenth,small,most,yes,no"),
                   "nan,inf,less,tenth,small,most,yes,no\n"
                   ",inf,-inf,0.1,1.0e-06,9223372036854775807,true,false\n");
}
END_TEST

START_TEST(json_has_null_for_what_is_no_number) {
  add_numbers();
  ck_assert_str_eq(json(), "[{\"nan\":null,\"inf\":null,\"less\":null,"
                           "\"tenth\":0.10000000000000001,\"small\":9.9999999999999995e-7,"
                           "\"most\":9223372036854775807,\"yes\":true,\"no\":false}]");
}
END_TEST

static void add_lists(void) {
  double numbers[] = {1, 0.5, NAN};
  json_t *list = json_array(), *object = json_object(), *values = json_array();
  json_array_append_new(list, json_string("a"));
  json_array_append_new(list, json_string("b,c"));
  json_object_set_new(object, "z", json_string("1"));
  json_object_set_new(object, "a", json_real(2.5));
  for (size_t i = 0; i < 3; i++)
    json_array_append_new(values, isnan(numbers[i]) ? json_null() : json_real(numbers[i]));
  vb_listing_row(&listing);
  vb_listing_json(&listing, "list", list);
  vb_listing_json(&listing, "object", object);
  vb_listing_json(&listing, "values", values);
}

START_TEST(lists_and_objects_are_one_field) {
  add_lists();
  ck_assert_str_eq(csv("list,object,values"), "list,object,values\n\"a b,c\",z=1 a=2.5,1 0.5 \n");
}
END_TEST

START_TEST(lists_and_objects_keep_their_order_in_json) {
  add_lists();
  ck_assert_str_eq(json(), "[{\"list\":[\"a\",\"b,c\"],\"object\":{\"z\":\"1\",\"a\":2.5},"
                           "\"values\":[1.0,0.5,null]}]");
}
END_TEST

static void add_unlike_rows(void) {
  vb_listing_row(&listing);
  vb_listing_text(&listing, "name", "a");
  vb_listing_real(&listing, "windows/time", 2);
  vb_listing_unit(&listing, "s");
  vb_listing_row(&listing);
  vb_listing_row(&listing);
  vb_listing_integer(&listing, "windows/n", 3);
  vb_listing_text(&listing, "name", "b");
  vb_listing_text(&listing, "name", "shadowed");
}

START_TEST(csv_has_gaps_for_cells_that_a_row_lacks) {
  add_unlike_rows();
  ck_assert_str_eq(csv("name,windows/n,absent"), "name,windows/n,absent\na,,\n,,\nb,3,\n");
}
END_TEST

START_TEST(csv_finds_its_columns_and_their_units) {
  add_unlike_rows();
  add_lists();
  ck_assert_str_eq(csv(NULL), "name,windows/time[s],windows/n\na,2,\n,,\nb,,3\n,,\n");
}
END_TEST

START_TEST(json_puts_groups_into_objects) {
  vb_listing_row(&listing);
  vb_listing_real(&listing, "windows/time", 2);
  vb_listing_text(&listing, "name", "a");
  vb_listing_integer(&listing, "windows/n", 3);
  vb_listing_row(&listing);
  ck_assert_str_eq(json(), "[{\"windows\":{\"time\":2.0,\"n\":3},\"name\":\"a\"},{}]");
}
END_TEST

START_TEST(an_empty_listing_has_heads_alone) {
  static const vb_text_column COLUMNS[] = {{.cell = "a", .head = "a", .before = "", .width = -4},
                                           {.cell = "b", .head = "b", .width = 4},
                                           {.cell = "c"}};
  ck_assert_str_eq(csv("a,b"), "a,b\n");
  ck_assert_str_eq(json(), "[]");
  ck_assert_ptr_null(vb_listing_take_object(&listing));
  ck_assert_str_eq(text(COLUMNS, 3), "a       b\n");
}
END_TEST

START_TEST(one_row_is_an_object) {
  vb_listing_row(&listing);
  vb_listing_text(&listing, "a", "b");
  json_t *row = vb_listing_take_object(&listing);
  written = json_dumps(row, JSON_COMPACT);
  json_decref(row);
  ck_assert_str_eq(written, "{\"a\":\"b\"}");
}
END_TEST

/// Two rows, the first with a name of two-byte letters.
static void add_bars(void) {
  vb_listing_row(&listing);
  vb_listing_text(&listing, "name", "b\xc3\xa9\xc3\xa9");
  vb_listing_real(&listing, "value", 0.25);
  vb_listing_integer(&listing, "n", 12);
  vb_listing_text(&listing, "verdict", "passed");
  vb_listing_row(&listing);
  vb_listing_text(&listing, "name", "long name of a bar");
  vb_listing_real(&listing, "value", INFINITY);
  vb_listing_text(&listing, "note", "line\nline");
}

START_TEST(text_is_aligned_by_letters_and_not_by_bytes) {
  add_bars();
  const vb_text_column columns[] = {
      {.cell = "name",
       .head = "name",
       .before = "  ",
       .width = -vb_listing_longest(&listing, "name", 4)},
      {.cell = "value", .head = "value", .format = "%.3g", .width = 8},
      {.cell = "n", .head = "n", .before = "  ", .width = 3},
      {.cell = "verdict", .before = "  ", .width = -6},
      {.cell = "note", .before = ": "}};
  ck_assert_str_eq(text(columns, 5), "  name                  value    n\n"
                                     "  b\xc3\xa9\xc3\xa9                    0.25   12  passed\n"
                                     "  long name of a bar        -             : line line\n");
}
END_TEST

START_TEST(a_text_without_heads_has_rows_alone) {
  add_bars();
  static const vb_text_column COLUMNS[] = {{.cell = "n", .before = ""}, {.cell = "note"}};
  ck_assert_str_eq(text(COLUMNS, 2), "12\n line line\n");
}
END_TEST

static void add_scaled(double value, const char *what) {
  vb_listing_row(&listing);
  vb_listing_real(&listing, "value", value);
  vb_listing_print(&listing, "what", "%s of %d", what, 3);
}

START_TEST(numbers_are_scaled_and_lose_their_decimals) {
  static const vb_text_column COLUMNS[] = {
      {"value", "ms", "%.2g", 1e3, 99, .before = "", .width = 6},
      {"none", "none", .format = "-"},
      {.cell = "what"}};
  add_scaled(0.0123, "one");
  add_scaled(1.2345, "another");
  ck_assert_str_eq(text(COLUMNS, 3), "    ms none\n    12 - one of 3\n  1234 - another of 3\n");
}
END_TEST

/// A row of names that is longer than a narrow terminal, and a line of each kind.
static void add_long_row(void) {
  vb_listing_row(&listing);
  vb_listing_text(&listing, "name", "a_rod_of_many_nodes.with_contact.and_friction");
  vb_listing_text(&listing, "run", "direct.double.n1025");
  vb_listing_text(&listing, "what", "passed everywhere");
  vb_listing_word(&listing, "end", "FAILED", VB_RED);
  vb_listing_line(&listing, VB_FIT_END, "   ", "%s",
                  "an end of more than sixty columns is cut at "
                  "the last of them");
  vb_listing_line(&listing, VB_FIT_WORDS, " - ",
                  "words of more than %d columns go on below them, "
                  "as far in as they began",
                  60);
  vb_listing_line(&listing, VB_FIT_WHOLE, "", "whole");
}

static const vb_text_column FITTED[] = {
    {"name", "name", .before = "  ", .fit = VB_FIT_NAME},
    {"run", "run with a long head", .width = -11, .fit = VB_FIT_MIDDLE},
    {"what", "what", .width = -9, .fit = VB_FIT_END},
    {"gone", "gone", .width = 4},
    {NULL, "left out", .width = 8},
    {"name", "wide", .width = 8, .least = 61},
    {"end", "end", .room = 9}};

START_TEST(texts_fit_a_terminal) {
  char seen[2048];
  add_long_row();
  narrow_terminal terminal = open_narrow();
  vb_status status = vb_listing_write_text(terminal.stream, &listing, FITTED, 7, NULL);
  ck_assert_int_eq(status, VB_OK);
  close_narrow(&terminal, seen, sizeof seen);
  ck_assert_str_eq(seen, "  name                 run with... what      gone end\n"
                         "  a_rod_of_...friction dire...1025 passed...      FAILED\n"
                         "   an end of more than sixty columns is cut at the last ...\n"
                         " - words of more than 60 columns go on below them, as far\n"
                         "   in as they began\n"
                         "whole\n");
}
END_TEST

START_TEST(texts_elsewhere_have_whole_names_and_all_columns) {
  add_long_row();
  ck_assert_ptr_nonnull(strstr(text(FITTED, 7), "  a_rod_of_many_nodes.with_contact.and_friction "
                                                "dire...1025 passed...      a_rod_of_many_nodes"));
}
END_TEST

static TCase *all(void) {
  TCase *c = tcase_create("listing");
  tcase_add_checked_fixture(c, set_up, tear_down);
  tcase_add_test(c, csv_quotes_what_needs_it);
  tcase_add_test(c, json_escapes_what_needs_it);
  tcase_add_test(c, csv_has_infinities_but_no_nan);
  tcase_add_test(c, json_has_null_for_what_is_no_number);
  tcase_add_test(c, lists_and_objects_are_one_field);
  tcase_add_test(c, lists_and_objects_keep_their_order_in_json);
  tcase_add_test(c, csv_has_gaps_for_cells_that_a_row_lacks);
  tcase_add_test(c, csv_finds_its_columns_and_their_units);
  tcase_add_test(c, json_puts_groups_into_objects);
  tcase_add_test(c, an_empty_listing_has_heads_alone);
  tcase_add_test(c, one_row_is_an_object);
  tcase_add_test(c, text_is_aligned_by_letters_and_not_by_bytes);
  tcase_add_test(c, a_text_without_heads_has_rows_alone);
  tcase_add_test(c, numbers_are_scaled_and_lose_their_decimals);
  tcase_add_test(c, texts_fit_a_terminal);
  tcase_add_test(c, texts_elsewhere_have_whole_names_and_all_columns);
  return c;
}

VB_TEST_MAIN("listing", all())
