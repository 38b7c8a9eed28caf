// SPDX-License-Identifier: GPL-3.0-or-later
// The verb "bisect", in a clone of a few commits whose program is a line of shell.
// Covers: src/cli/cli_bisect.c src/cli/commit_order.* tests/bisect*
#include "cli/commit_order.h"
#include "cli_fixture.h"

/// Runs a command of the shell in the folder of the test.
static int in_home(const char *command) {
  char line[2048];
  snprintf(line, sizeof line, "cd '%s' && %s", folder, command);
  return system(line);
}

/// Commits a program whose gate measures `value`; one that cannot be built where that is null.
static void commit(const char *value) {
  char program_text[512];
  snprintf(program_text, sizeof program_text,
           "#!/bin/sh\necho '{\"studies\": [{\"gates\": [{\"runs\": [\"a\"], \"name\": \"depth\", "
           "\"verdict\": \"passed\", \"value\": %s}]}]}'\n",
           value ? value : "0");
  write_file("program.sh", program_text);
  write_file("Makefile", value ? "all:\n\tmkdir -p bin && cp program.sh bin/viperbench && chmod +x "
                                 "bin/viperbench\n"
                               : "all:\n\tfalse\n");
  ck_assert_int_eq(in_home("git add Makefile program.sh && git -c user.name=t -c user.email=t@t "
                           "commit -q --allow-empty -m \"$(printf 'change\\033[2J')\""),
                   0);
}

/// Commits that measure 1, 1, nothing at all, 2 and 2.
static void make_clone(void) {
  char copy[512];
  make_home();
  snprintf(copy, sizeof copy,
           "mkdir '%s/tests' && cp tests/bisect.sh tests/bisect_value.py '%s/tests/'", folder,
           folder);
  ck_assert_int_eq(system(copy), 0);
  ck_assert_int_eq(
      in_home("git init -q . && printf 'bin\\n*.out\\n*.err\\nbefore\\n' > .gitignore"), 0);
  const char *const values[] = {"1", "1.00000000001", NULL, "1", "2", "2.0"};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    commit(values[i]);
    char tag[64];
    snprintf(tag, sizeof tag, "git tag c%zu", i);
    ck_assert_int_eq(in_home(tag), 0);
  }
  ck_assert_int_eq(in_home("echo mine > unsaved && git status --porcelain > before"), 0);
}

START_TEST(the_commit_that_changed_a_gate_is_found) {
  expect("bisect toy --good c0 --gate dep", 0, "");
  char *first = strstr(output, " is the first bad commit");
  ck_assert_msg(first != NULL, "%s", output);
  char command[128];
  snprintf(command, sizeof command, "[ %.40s = $(git rev-parse c4) ]", first - 40);
  ck_assert_int_eq(in_home(command), 0);
  ck_assert_ptr_nonnull(strstr(output, "(cannot be built, skipped)"));
  ck_assert_ptr_nonnull(strstr(output, "change?[2J")); // what a commit says is only text
  ck_assert(!strchr(output, 033) && !strchr(error_output, 033));
  // The user's tree is as it was, and no worktree is left.
  ck_assert_int_eq(in_home("git status --porcelain | cmp - before && [ ! -e bin ] && "
                           "[ $(git worktree list | wc -l) = 1 ] && [ \"$(cat unsaved)\" = mine ]"),
                   0);
  // All gates of the study pass: their counts do not change.
  expect("bisect toy --good c0", 4, "nothing changed from c0 to HEAD");
}
END_TEST

START_TEST(commits_are_put_in_order) {
  char hash[3][64];
  const char *commits[3], *tags[] = {"c4", "c0", "c2"};
  for (int i = 0; i < 3; i++) {
    char command[128];
    snprintf(command, sizeof command, "git -C '%s' rev-parse %s", folder, tags[i]);
    FILE *said = popen(command, "r"); // NOLINT(cert-env33-c)
    ck_assert(said && fscanf(said, "%63s", hash[i]) == 1);
    pclose(said);
    commits[i] = hash[i];
  }
  hash[1][8] = '\0'; // a short one, too
  size_t order[3] = {9, 9, 9};
  ck_assert(vb_cli_commit_order(folder, commits, 3, order));
  ck_assert(order[0] == 1 && order[1] == 2 && order[2] == 0);
  commits[1] = "0123456789";
  ck_assert(!vb_cli_commit_order(folder, commits, 3, order));
  commits[1] = "--all";
  ck_assert(!vb_cli_commit_order(folder, commits, 3, order));
  ck_assert(!vb_cli_commit_order("/", commits, 1, order));
}
END_TEST

START_TEST(wrong_usage_is_reported_in_one_sentence) {
  expect("bisect toy --good c5 --bad c0", 2, "c5 does not come before c0");
  expect("bisect toy --good nothing", 2, "there is no commit nothing");
  expect("bisect toy --good no\033thing", 2, "there is no commit no?thing");
  expect("bisect toy", 2, "bisect needs one study, and --good COMMIT");
  expect("bisect toy --good c2", 2, "c2 cannot be measured");
  expect("bisect toy --good c0 --gate width", 2, "c0 cannot be measured");
}
END_TEST

static TCase *bisect(void) {
  TCase *tests = tcase_create("bisect");
  tcase_set_timeout(tests, 120);
  tcase_add_checked_fixture(tests, make_clone, remove_home);
  tcase_add_test(tests, the_commit_that_changed_a_gate_is_found);
  tcase_add_test(tests, commits_are_put_in_order);
  tcase_add_test(tests, wrong_usage_is_reported_in_one_sentence);
  return tests;
}

VB_TEST_MAIN("cli_bisect", bisect())
