// SPDX-License-Identifier: GPL-3.0-or-later
/// Files of joints between bones, good and bad.
#include "mesh/link_file.h"
#include "test.h"

#include <math.h>
#include <unistd.h>

static vb_link_row rows[VB_LINK_ROWS];

/// Reads a file of this text.
static vb_status read_text(const char *text, size_t *n, vb_error *error) {
  char path[] = "/tmp/vb_links_XXXXXX";
  int file = mkstemp(path);
  ck_assert_int_ge(file, 0);
  ck_assert_int_eq(write(file, text, strlen(text)), (ssize_t)strlen(text));
  close(file);
  vb_status status = vb_link_file_read(path, "arm.joint", rows, n, error);
  unlink(path);
  return status;
}

START_TEST(joints_are_read) {
  size_t n;
  vb_error error = {0};
  vb_status status = read_text("# an arm\n"
                               "\n"
                               "elbow hinge fore upper  0.6 0.2 0.25  0 2 0  -0.5 2.5 # limited\r\n"
                               "\tshoulder ball upper world 0.1 0.2 -2e-1\n"
                               "wrist universal hand fore 1 2 3  0 3 4  0 0 -2",
                               &n, &error);
  ck_assert_msg(!status, "%s", error.message);
  ck_assert_uint_eq(n, 3);
  const vb_link *elbow = &rows[0].link, *shoulder = &rows[1].link, *wrist = &rows[2].link;
  ck_assert_str_eq(elbow->name, "elbow");
  ck_assert_int_eq(elbow->type, VB_LINK_HINGE);
  ck_assert_str_eq(rows[0].bone[0], "fore");
  ck_assert_str_eq(rows[0].bone[1], "upper");
  ck_assert_double_eq(elbow->at[2], 0.25);
  ck_assert_double_eq(elbow->axis[0][1], 1);
  ck_assert_double_eq(elbow->limit[0], -0.5);
  ck_assert_double_eq(elbow->limit[1], 2.5);
  ck_assert_uint_eq(rows[0].line, 3);
  ck_assert_int_eq(shoulder->type, VB_LINK_BALL);
  ck_assert_str_eq(rows[1].bone[1], "world");
  ck_assert_double_eq(shoulder->at[2], -0.2);
  ck_assert(isinf(shoulder->limit[0]) && isinf(shoulder->limit[1]));
  ck_assert_int_eq(wrist->type, VB_LINK_UNIVERSAL);
  ck_assert_double_eq_tol(wrist->axis[0][1], 0.6, 1e-15);
  ck_assert_double_eq_tol(wrist->axis[0][2], 0.8, 1e-15);
  ck_assert_double_eq(wrist->axis[1][2], -1);
}
END_TEST

#define FIRST "a ball upper world 0 0 0\n"
static const struct {
  const char *text, *message;
} bad[] = {
    {"# nothing\n", "arm.joint:1: it has no joint"},
    {FIRST "b", "arm.joint:2: kind of the joint is missing"},
    {FIRST "b weld fore upper 0 0 0", "arm.joint:2: \"weld\" is no kind of joint; write ball,"},
    {FIRST "b ball fore", "arm.joint:2: second bone is missing"},
    {FIRST "b ball world fore 0 0 0", "arm.joint:2: the first bone is \"world\"; the world"},
    {FIRST "b ball fore fore 0 0 0", "arm.joint:2: both bones are \"fore\"; a joint is between"},
    {FIRST "b ball fore upper 0 0", "arm.joint:2: z is missing"},
    {FIRST "b ball fore upper 0 zero 0", "arm.joint:2: y: \"zero 0\" begins with no number"},
    {FIRST "b ball fore upper 0 inf 0", "arm.joint:2: y is inf; it should be finite"},
    {FIRST "b ball fore upper 0 0 0 1", "arm.joint:2: \"1\" is too much for a ball"},
    {FIRST "b hinge fore upper 0 0 0 0 1", "arm.joint:2: z of the axis is missing"},
    {FIRST "b hinge fore upper 0 0 0 0 0 0", "arm.joint:2: an axis is zero"},
    {FIRST "b hinge fore upper 0 0 0 0 1 0 2", "arm.joint:2: greatest angle is missing"},
    {FIRST "b hinge fore upper 0 0 0 0 1 0 2 1", "arm.joint:2: the least angle 2 is greater"},
    {FIRST "b universal fore upper 0 0 0 0 1 0", "arm.joint:2: x of the axis is missing"},
    {FIRST FIRST, "arm.joint:2: there is a joint \"a\" already, in line 1"},
    {FIRST "a_joint_whose_name_is_longer_than_any_name_here_may_be ball fore upper 0 0 0",
     "arm.joint:2: name of the joint has 54 letters; there is room for 47"},
};

START_TEST(mistakes_are_told_by_line) {
  size_t n;
  vb_error error = {0};
  ck_assert_int_eq(read_text(bad[_i].text, &n, &error), VB_BAD_INPUT);
  ck_assert_msg(strncmp(error.message, bad[_i].message, strlen(bad[_i].message)) == 0,
                "%s\nshould begin with\n%s", error.message, bad[_i].message);
}
END_TEST

START_TEST(a_file_holds_so_many_and_no_more) {
  static char text[64 * (VB_LINK_ROWS + 2)];
  size_t n, used = 0;
  vb_error error = {0};
  for (int i = 0; i < VB_LINK_ROWS; i++)
    used += (size_t)snprintf(text + used, 64, "j%d ball fore upper 0 0 %d\n", i, i);
  ck_assert_int_eq(read_text(text, &n, &error), VB_OK);
  ck_assert_uint_eq(n, VB_LINK_ROWS);
  snprintf(text + used, 64, "more ball fore upper 0 0 0\n");
  ck_assert_int_eq(read_text(text, &n, &error), VB_BAD_INPUT);
  ck_assert_ptr_nonnull(strstr(error.message, "arm.joint:1025: there are more than 1024 joints"));
  ck_assert_int_eq(vb_link_file_read("/nowhere/arm.joint", "arm.joint", rows, &n, &error),
                   VB_BAD_INPUT);
}
END_TEST

static TCase *make_tests(void) {
  TCase *test = tcase_create("link files");
  tcase_add_test(test, joints_are_read);
  tcase_add_loop_test(test, mistakes_are_told_by_line, 0, (int)(sizeof bad / sizeof *bad));
  tcase_add_test(test, a_file_holds_so_many_and_no_more);
  return test;
}

VB_TEST_MAIN("link_file", make_tests())
