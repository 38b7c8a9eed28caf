// SPDX-License-Identifier: GPL-3.0-or-later
/// Names under which something else lies than a file: devices and pipes are written in place,
/// planted symbolic links are not followed, and no pipe makes the program wait for ever. What is
/// said where stack or memory is wanting.
/// Covers: src/base/file.* src/base/process_limits.*
#include "cli_fixture.h"

#include <errno.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/sysmacros.h>

static const char SCRIPT[] =
    "return { title = 'Bar', parameters = { steps = 2 }, build = function(p)\n"
    "  local s = vb.scene{ step = 0.01, steps = p.steps }\n"
    "  local a = s:node{ position = {0, 0, 0}, radius = 0.1 }\n"
    "  local b = s:node{ position = {1, 0, 0}, radius = 0.1 }\n"
    "  s:segment{ nodes = {a, b}, density = 1000, material = { E = 1e5, nu = 0.3 } }\n"
    "  s:record{ every = 1, frames = 1, fields = { 'position', 'scale' } }\n"
    "  s:gate{ name = 'still', quantity = 'time', measure = 'final', at_least = 0, reason = 'r' }\n"
    "  return s\n"
    "end }\n";

static void set_up(void) {
  make_home();
  write_file("scenarios/bar.lua", SCRIPT);
  write_file("victim", "mine");
}

static void path_of(const char *name, char out[256]) {
  snprintf(out, 256, "%s/%s", folder, name);
}

static void link_to(const char *target, const char *name) {
  char path[256];
  path_of(name, path);
  ck_assert_int_eq(symlink(target, path), 0);
}

static mode_t kind_of(const char *name) {
  struct stat found;
  char path[256];
  path_of(name, path);
  ck_assert_msg(lstat(path, &found) == 0, "%s is gone", name);
  return found.st_mode & S_IFMT;
}

static void make_pipe(const char *name) {
  char path[256];
  path_of(name, path);
  ck_assert_int_eq(mkfifo(path, 0600), 0);
}

static void expect_png(const char *bytes) {
  ck_assert_mem_eq(bytes, "\x89PNG\r\n", 6);
}

/// The exit code of a program that must end within some seconds; a negative signal where it was
/// one.
static int end_of(pid_t child, const char *what) {
  int ended = 0;
  for (int i = 0; i < 2000; i++) {
    if (waitpid(child, &ended, WNOHANG) == child)
      return WIFSIGNALED(ended) ? -WTERMSIG(ended) : WEXITSTATUS(ended);
    usleep(10000);
  }
  kill(child, SIGKILL);
  waitpid(child, &ended, 0);
  ck_abort_msg("%s does not end", what);
}

START_TEST(output_to_a_device_keeps_it) {
  char path[256];
  path_of("null", path);
  if (mknod(path, S_IFCHR | 0666, makedev(1, 3)) || access(path, W_OK)) {
    vb_skip("mknod", "devices can be made by root alone");
    return;
  }
  int probe = open(path, O_WRONLY);
  if (probe < 0) {
    vb_skip("mknod", "the folder of the test takes no devices");
    return;
  }
  close(probe);
  expect("run bar --quiet --out @/o", 0, "");
  expect("render @/o/bar.h5 --size 40x30 --plain --out @/null", 0, "");
  ck_assert_uint_eq(kind_of("null"), S_IFCHR);
  link_to("null", "link");
  expect("render @/o/bar.h5 --size 40x30 --plain --out @/link", 0, "");
  ck_assert_uint_eq(kind_of("null"), S_IFCHR);
  ck_assert_uint_eq(kind_of("link"), S_IFLNK);
  ck_assert(!exists("null.part") && !exists("link.part"));
  // What has the name of a results file is written, too.
  path_of("o/bar-bar.h5", path);
  ck_assert_int_eq(unlink(path), 0);
  ck_assert_int_eq(mknod(path, S_IFCHR | 0666, makedev(1, 3)), 0);
  finish(start("run bar --quiet --out @/o"));
  ck_assert_uint_eq(kind_of("o/bar-bar.h5"), S_IFCHR);
}
END_TEST

START_TEST(a_pipe_and_the_standard_output_are_written_in_place) {
  char path[256], head[8] = "";
  expect("run bar --quiet --out @/o", 0, "");
  make_pipe("pipe");
  path_of("pipe", path);
  pid_t child = start("render @/o/bar.h5 --size 40x30 --plain --quiet --out @/pipe");
  int reader = open(path, O_RDONLY);
  ck_assert_int_ge(reader, 0);
  ck_assert_int_eq(read(reader, head, 6), 6);
  expect_png(head);
  char rest[4096];
  while (read(reader, rest, sizeof rest) > 0)
    continue;
  close(reader);
  ck_assert_int_eq(finish(child), 0);
  ck_assert_uint_eq(kind_of("pipe"), S_IFIFO);
  link_to("/proc/self/fd/1", "stdout"); // as /dev/stdout is; here it is a file
  expect("render @/o/bar.h5 --size 40x30 --plain --quiet --out @/stdout", 0, "");
  expect_png(output);
  ck_assert_uint_eq(kind_of("stdout"), S_IFLNK);
  // A link to a file of one's own is replaced, as ever.
  link_to("victim", "picture.png");
  expect("render @/o/bar.h5 --size 40x30 --plain --quiet --out @/picture.png", 0, "");
  ck_assert_uint_eq(kind_of("picture.png"), S_IFREG);
  read_file("victim", output, sizeof output);
  ck_assert_str_eq(output, "mine");
}
END_TEST

START_TEST(planted_links_are_not_followed) {
  static const char *const names[] = {"bar.h5.part",           "bar.h5.part.new",
                                      "bar-bar.h5.part",       "bar-bar.h5.part.new",
                                      "bar-bar.h5.gates.part", "bar-bar.xdmf.part",
                                      "bar-bar.xdmf",          "bar.svg.part",
                                      "bar.png.part",          "bench-bar.json.part.new",
                                      "bench-bar.json.part",   "bench-bar.h5.part.new",
                                      "bar-bar-0002.png.part"};
  char path[256], victim[256], name[64];
  path_of("o", path);
  path_of("victim", victim);
  ck_assert_int_eq(mkdir(path, 0777), 0);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    snprintf(name, sizeof name, "o/%s", names[i]);
    link_to(victim, name);
  }
  expect("run bar --quiet --out @/o", 0, "");
  expect("render @/o/bar.h5 --size 40x30 --plain --quiet", 0, "");
  read_file("victim", output, sizeof output);
  ck_assert_msg(strcmp(output, "mine") == 0, "a link was followed");
  ck_assert_uint_eq(kind_of("o/bar-bar.h5"), S_IFREG);
  ck_assert_uint_eq(kind_of("o/bar-bar.xdmf"), S_IFREG);
  ck_assert(!exists("o/bar-bar.h5.part") && !exists("o/bar-bar.h5.part.new"));
}
END_TEST

START_TEST(a_lock_that_is_no_file_is_refused) {
  char path[256], victim[256];
  path_of("o", path);
  path_of("victim", victim);
  ck_assert_int_eq(mkdir(path, 0777), 0);
  link_to(victim, "o/bar-bar.h5.lock");
  expect("run bar --quiet --out @/o", 5, "bar-bar.h5.lock: it is a symbolic link, not a file");
  read_file("victim", output, sizeof output);
  ck_assert_str_eq(output, "mine");
  path_of("o/bar-bar.h5.lock", path);
  ck_assert_int_eq(unlink(path), 0);
  make_pipe("o/bar-bar.h5.lock");
  expect("run bar --quiet --out @/o", 5, "bar-bar.h5.lock: it is a pipe, not a file");
  // Another name of somebody's file is locked, and left as it is.
  ck_assert_int_eq(unlink(path), 0);
  ck_assert_int_eq(link(victim, path), 0);
  expect("run bar --quiet --out @/o", 0, "");
  read_file("victim", output, sizeof output);
  ck_assert_str_eq(output, "mine");
}
END_TEST

START_TEST(pipes_in_place_of_files_are_refused) {
  static const struct {
    const char *words, *pipe;
    int code;
  } cases[] = {{"run bar --quiet --out @/o", "o/bar-bar.h5.part", 0},
               {"run bar --quiet --out @/p", "p/bar-bar.h5.part.new", 0},
               {"run @/script.lua --out @/o", "script.lua", 2},
               {"info @/info.lua", "info.lua", 2},
               {"table @/file.h5 time", "file.h5", 2},
               {"compare @/old.h5 @/old.h5", "old.h5", 2},
               {"plot @/plot.h5", "plot.h5", 2},
               {"run mesh --quiet --out @/o", "scenarios/meshes/cube.msh", 2}};
  const char *folders[] = {"o", "p", "scenarios/meshes"};
  char path[256];
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
    path_of(folders[i], path);
    ck_assert_int_eq(mkdir(path, 0777), 0);
  }
  write_file("scenarios/mesh.lua", "return { title = 'Mesh', build = function()\n"
                                   "  vb.read_mesh{ file = 'cube.msh' } end }\n");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    make_pipe(cases[i].pipe);
    int code = end_of(start(cases[i].words), cases[i].words);
    read_file("program.err", error_output, sizeof error_output);
    ck_assert_msg(code == cases[i].code, "\"%s\": %d: %s", cases[i].words, code, error_output);
    ck_assert_msg(code == 0 || strstr(error_output, "it is a pipe, not a file"), "\"%s\": %s",
                  cases[i].words, error_output);
  }
}
END_TEST

/// Starts the program with a pipe that nobody writes as its standard input.
static pid_t start_reading(const char *words, int *writer) {
  int ends[2], kept = dup(STDIN_FILENO);
  ck_assert(pipe2(ends, O_CLOEXEC) == 0 && dup2(ends[0], STDIN_FILENO) == STDIN_FILENO);
  pid_t child = start(words);
  dup2(kept, STDIN_FILENO);
  close(kept);
  close(ends[0]);
  *writer = ends[1];
  return child;
}

START_TEST(the_standard_input_is_read_and_can_be_left) {
  static const struct {
    const char *words;
    int code;
  } cases[] = {{"run @/in.lua --out @/o", 128 + SIGINT}, {"info @/in.lua", -SIGINT}};
  int writer;
  link_to("/proc/self/fd/0", "in.lua");
  pid_t child = start_reading("info @/in.lua", &writer);
  ck_assert_int_eq(write(writer, SCRIPT, sizeof SCRIPT - 1), (ssize_t)sizeof SCRIPT - 1);
  close(writer);
  ck_assert_int_eq(finish(child), 0);
  ck_assert_ptr_nonnull(strstr(output, "Bar"));
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    child = start_reading(cases[i].words, &writer);
    ck_assert_int_eq(write(writer, "return {", 8), 8);
    for (int left = 1; left > 0; usleep(100000)) // until it has read that, and waits for more
      ck_assert_int_eq(ioctl(writer, FIONREAD, &left), 0);
    kill(child, SIGINT);
    ck_assert_int_eq(end_of(child, cases[i].words), cases[i].code);
    close(writer);
  }
}
END_TEST

/// Starts the program with a limit on its stack or memory.
static pid_t start_limited(int resource, rlim_t soft, rlim_t hard, const char *words) {
  pid_t child = fork();
  if (child == 0) {
    struct rlimit limit = {soft, hard};
    setrlimit(resource, &limit);
    int ended;
    waitpid(start(words), &ended, 0);
    _exit(WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended));
  }
  return child;
}

static const char SMALL_RUN[] = "run bar --quiet --out @/o";

START_TEST(reports_too_little_stack) {
  ck_assert_int_eq(end_of(start_limited(RLIMIT_STACK, 1 << 16, 1 << 16, SMALL_RUN), SMALL_RUN), 3);
  read_file("program.err", error_output, sizeof error_output);
  ck_assert_ptr_nonnull(strstr(error_output, "the stack is limited to 64 KiB"));
  ck_assert_int_eq(end_of(start_limited(RLIMIT_STACK, 1 << 16, 8 << 20, SMALL_RUN), SMALL_RUN), 0);
}
END_TEST

START_TEST(reports_too_little_memory) {
#ifdef __SANITIZE_ADDRESS__
  vb_skip("no sanitizer", "with the address sanitizer a program needs terabytes of addresses");
#else
  // Less than the program asks for, and yet enough for its loader: a program with machine code for
  // every GPU architecture takes 160 MB of it.
  const rlim_t little = 500 << 20, least = 50000 << 10;
  ck_assert_int_eq(end_of(start_limited(RLIMIT_AS, little, little, SMALL_RUN), SMALL_RUN), 3);
  read_file("program.err", error_output, sizeof error_output);
  ck_assert_ptr_nonnull(strstr(error_output, "memory is limited to 512000 KiB"));
  // Below that the loader says that it cannot map a library, before the program begins.
  ck_assert_int_eq(end_of(start_limited(RLIMIT_AS, least, least, SMALL_RUN), SMALL_RUN), 127);
#endif
}
END_TEST

static TCase *make_tests(void) {
  TCase *tests = tcase_create("outputs");
  tcase_set_timeout(tests, 120);
  tcase_add_checked_fixture(tests, set_up, remove_home);
  tcase_add_test(tests, output_to_a_device_keeps_it);
  tcase_add_test(tests, a_pipe_and_the_standard_output_are_written_in_place);
  tcase_add_test(tests, planted_links_are_not_followed);
  tcase_add_test(tests, a_lock_that_is_no_file_is_refused);
  tcase_add_test(tests, pipes_in_place_of_files_are_refused);
  tcase_add_test(tests, reports_too_little_stack);
  tcase_add_test(tests, reports_too_little_memory);
  tcase_add_test(tests, the_standard_input_is_read_and_can_be_left);
  return tests;
}

VB_TEST_MAIN("outputs", make_tests())
