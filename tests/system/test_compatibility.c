// SPDX-License-Identifier: GPL-3.0-or-later
/// What earlier versions wrote: results files are read with the values of then, plug-ins of this
/// version of the solver interface run as they were compiled, and older ones are refused
/// (tests/compatibility/README.md).
#include "cli_fixture.h"

#include <jansson.h>

#define FILES "tests/compatibility/"

static void set_up(void) {
  make_home();
}

// NOLINTBEGIN(misc-no-recursion): as deep as JSON of this folder

/// Whether today's value has all that it had then. Objects may have more members, and arrays of
/// objects more of them; the words that explain a value may change.
static bool has_all(json_t *now, json_t *then);

static bool explains(const char *key) {
  return strcmp(key, "what") == 0 || strcmp(key, "reason") == 0;
}

static bool has_members(json_t *now, json_t *then) {
  const char *key;
  json_t *value;
  json_object_foreach(then, key, value) if (!explains(key) && !has_all(json_object_get(now, key),
                                                                       value)) return false;
  return true;
}

static bool has_one_like(json_t *now, json_t *then) {
  size_t i;
  json_t *element;
  json_array_foreach(now, i, element) if (has_all(element, then)) return true;
  return false;
}

static bool has_elements(json_t *now, json_t *then) {
  size_t i;
  json_t *element;
  bool objects = json_is_object(json_array_get(then, 0));
  if (!objects && json_array_size(now) != json_array_size(then))
    return false;
  json_array_foreach(
      then, i, element) if (!(objects ? has_one_like(now, element)
                                      : has_all(json_array_get(now, i), element))) return false;
  return true;
}

static bool has_all(json_t *now, json_t *then) {
  if (json_is_object(then))
    return json_is_object(now) && has_members(now, then);
  if (json_is_array(then))
    return json_is_array(now) && has_elements(now, then);
  return json_equal(now, then);
}

// NOLINTEND(misc-no-recursion)

/// Takes a line of commands.txt apart: the file of what was printed, and the command with the names
/// of its files.
static bool next_command(FILE *list, char (*file)[128], char (*command)[512]) {
  char line[512];
  while (fgets(line, sizeof line, list)) {
    size_t name = strcspn(line, " "), place = strcspn(line, "/");
    if (line[0] == '#')
      continue;
    line[strcspn(line, "\n")] = '\0';
    snprintf(*file, sizeof *file, FILES "%.*s", (int)name, line);
    char *at = strchr(line + name, '@');
    ck_assert_ptr_nonnull(at);
    snprintf(*command, sizeof *command, "%.*s" FILES "%.*s%s", (int)(at - line - (ptrdiff_t)name),
             line + name, (int)place, line, at + 1);
    return true;
  }
  return false;
}

/// Portable folders have the test alone.
static bool files_are_here(void) {
  bool here = access(FILES "commands.txt", R_OK) == 0;
  if (!here)
    vb_skip("sources", FILES " is not in this folder");
  return here;
}

START_TEST(old_results_have_the_values_of_then) {
  char file[128], command[512];
  int n = 0;
  if (!files_are_here())
    return;
  FILE *list = fopen(FILES "commands.txt", "r");
  ck_assert_ptr_nonnull(list);
  for (; next_command(list, &file, &command); n++) {
    expect(command, 0, "");
    json_t *then = json_load_file(file, 0, NULL), *now = json_loads(output, 0, NULL);
    ck_assert_msg(then && now, "%s: no JSON", command);
    ck_assert_msg(has_all(now, then), "%s: does not print all that is in %s:\n%s", command, file,
                  output);
    json_decref(then);
    json_decref(now);
  }
  fclose(list);
  ck_assert_int_ge(n, 21);
}
END_TEST

START_TEST(what_is_gone_or_changed_is_seen) {
  static const struct {
    const char *now, *then;
    bool has;
  } CASES[] = {
      {"{'a': 1, 'b': 2}", "{'a': 1}", true},
      {"{'b': 2}", "{'a': 1}", false},
      {"{'a': 1.5}", "{'a': 1.25}", false},
      {"{'a': 1, 'what': 'new words'}", "{'a': 1, 'what': 'old words'}", true},
      {"[{'name': 'x'}, {'name': 'y', 'v': [1, 2]}]", "[{'name': 'y', 'v': [1, 2]}]", true},
      {"[{'name': 'x'}, {'name': 'y', 'v': [1, 3]}]", "[{'name': 'y', 'v': [1, 2]}]", false},
      {"[1, 2, 3]", "[1, 2]", false},
      {"[1, null]", "[1, 2]", false},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    char texts[2][128];
    json_t *values[2];
    for (int k = 0; k < 2; k++) {
      snprintf(texts[k], sizeof texts[k], "%s", k ? CASES[i].then : CASES[i].now);
      for (char *c = texts[k]; *c; c++)
        *c = *c == '\'' ? '"' : *c;
      ck_assert_ptr_nonnull(values[k] = json_loads(texts[k], 0, NULL));
    }
    ck_assert_msg(has_all(values[0], values[1]) == CASES[i].has, "%s, then %s", CASES[i].now,
                  CASES[i].then);
    json_decref(values[0]);
    json_decref(values[1]);
  }
}
END_TEST

/// Plug-ins are compiled for one kind of machine.
static bool plugins_load(void) {
#if defined __x86_64__ && !defined __SANITIZE_ADDRESS__
  return files_are_here();
#else
  vb_skip("plug-in", "it was compiled for x86-64, without sanitizers");
  return false;
#endif
}

START_TEST(a_plugin_runs_as_it_was_compiled) {
  if (!plugins_load())
    return;
  expect("run src/solver/template/hanging_chain.lua --quiet --out @/out --solver " FILES
         "solver-7/mass_spring.so",
         0, "");
  ck_assert(exists("out/hanging_chain.h5"));
  expect("gates @/out/hanging_chain.h5", 0, "");
}
END_TEST

START_TEST(an_incompatible_plugin_is_refused) {
  if (!plugins_load())
    return;
  expect("run src/solver/template/hanging_chain.lua --quiet --out @/out --solver " FILES
         "solver-6/mass_spring.so",
         2, "is built for version 6 of the solver interface, and this is version");
  ck_assert(!exists("out/hanging_chain.h5"));
}
END_TEST

static TCase *compatibility(void) {
  TCase *c = tcase_create("compatibility");
  tcase_add_checked_fixture(c, set_up, remove_home);
  tcase_set_timeout(c, 120);
  tcase_add_test(c, old_results_have_the_values_of_then);
  tcase_add_test(c, what_is_gone_or_changed_is_seen);
  tcase_add_test(c, a_plugin_runs_as_it_was_compiled);
  tcase_add_test(c, an_incompatible_plugin_is_refused);
  return c;
}

VB_TEST_MAIN("compatibility", compatibility())
