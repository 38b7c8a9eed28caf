// SPDX-License-Identifier: GPL-3.0-or-later
// Figures: what their scripts may do and what they get, which figure a study has, and the layout of
// its panels.
// Covers: src/figure/*.[ch] src/base/figure_files.* src/base/scratch.* plots/*.gp scenarios/*/*.gp
// Covers: bench/*.gp
#include "base/home_files.h"
#include "figure/gnuplot.h"
#include "figure/plot.h"
#include "figure_fixture.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>

// ---- scripts ----

static bool begins_word(const char *line, const char *at) {
  return at == line || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
}

/// Whether `words` stand in the line, blanks between them; then `*rest` is what follows.
static bool has_command(const char *line, const char *words, const char **rest) {
  for (const char *at = line; *at; at++) {
    const char *c = at, *w = words;
    while (*w && (*c == *w || (*w == ' ' && isspace((unsigned char)*c)))) {
      if (*w == ' ')
        while (isspace((unsigned char)c[1]))
          c++;
      c++;
      w++;
    }
    if (!*w && begins_word(line, at) && !(isalnum((unsigned char)*c) || *c == '_')) {
      *rest = c + strspn(c, " \t");
      return true;
    }
  }
  return false;
}

/// What in a line of a script starts a program, reads from one, or writes to one; null where
/// nothing does.
static const char *starts_program(const char *line) {
  static const char *const anywhere[] = {"`", "\"<", "'<", "popen"};
  static const char *const commands[] = {"system", "shell",     "spawn",        "load",  "call",
                                         "import", "set table", "set fontpath", "pause", "reread"};
  const char *rest, *first = line + strspn(line, " \t");
  for (size_t i = 0; i < sizeof anywhere / sizeof *anywhere; i++)
    if (strstr(line, anywhere[i]))
      return anywhere[i];
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
    if (has_command(line, commands[i], &rest) && (first[0] != '#' || i == 0))
      return commands[i];
  if (has_command(line, "set print", &rest) && *rest != '$')
    return "set print";
  if (has_command(line, "set output", &rest) && strcmp(rest, "output\"\n") != 0)
    return "set output";
  for (const char *c = line; (c = strchr(c, '!')); c++) {
    const char *before = c;
    while (before > line && isspace((unsigned char)before[-1]))
      before--;
    if (c[1] != '=' && (before == line || before[-1] == ';' || before[-1] == '{'))
      return "!";
  }
  return NULL;
}

START_TEST(what_starts_a_program_is_found) {
  static const char *const bad[] = {
      "x = system(\"ls\")\n",
      "system \"ls\"\n",
      "print \"`ls`\"\n",
      "# see `ls`\n",
      "plot \"< ls\" using 1:2\n",
      "f(x) = sprintf(\"< %s table\", x)\n",
      "plot '<ls'\n",
      "!ls\n",
      "  ! ls\n",
      "x = 1; !ls\n",
      "do for [i=1:2] { !ls }\n",
      "shell\n",
      "set print \"|ls\"\n",
      "set  print '| ls'\n",
      "set print name\n",
      "set output \"|ls\"\n",
      "set output name\n",
      "load \"<ls\"\n",
      "call 'x.gp'\n",
      "set table '|ls'\n",
      "import f(x) from \"evil.so\"\n",
      "a = popen(x)\n",
  };
  static const char *const good[] = {
      "set print $tips\n",
      "print \"| bar | scale |\"\n",
      "x = a != b && !c\n",
      "if (!full || x < 1) { y = 'a<b' }\n",
      "  . \"; set output output\"\n",
      "# a script does not load another\n",
      "unset print\n",
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    ck_assert_msg(starts_program(bad[i]) != NULL, "not found: %s", bad[i]);
  for (size_t i = 0; i < sizeof good / sizeof *good; i++)
    ck_assert_msg(!starts_program(good[i]), "%s in %s", starts_program(good[i]), good[i]);
}
END_TEST

START_TEST(no_script_starts_a_program) {
  char *line = NULL;
  size_t room = 0, n_files;
  vb_home_file *files;
  ck_assert_int_eq(vb_home_files(".", VB_HOME_FIGURE, &files, &n_files, NULL), VB_OK);
  ck_assert_msg(n_files >= 60, "tests run in the root of the repository");
  for (size_t i = 0; i < n_files; i++) {
    FILE *script = fopen(files[i].path, "r");
    ck_assert_ptr_nonnull(script);
    for (int n = 1; getline(&line, &room, script) >= 0; n++)
      ck_assert_msg(!starts_program(line), "%s:%d: \"%s\" in: %s", files[i].path, n,
                    starts_program(line), line);
    fclose(script);
  }
  free(line);
  free(files);
}
END_TEST

// ---- what a script gets ----

/// What a figure's script prints before it draws.
static void expect_print(const char *script, const char *text) {
  char printed[4096], whole[8192], path[128];
  snprintf(path, sizeof path, "%s/printed", folder);
  unlink(path);
  // Lines that begin with "#:" are the script's list, wherever they stand.
  snprintf(whole, sizeof whole, "set print '%s'\n%sunset print\nplot x\n", path, script);
  write_file("plots/fall.gp", whole);
  expect("plot @/o/fall.h5", 0, "");
  read_file("printed", printed, sizeof printed);
  ck_assert_str_eq(printed, text);
  expect_clean();
}

START_TEST(values_are_those_of_the_file) {
  NEEDS_GNUPLOT
  expect_print(
      "#: values runs/a topology/body_name topology/rest_position frames/position[50%,0]\n"
      "#: values runs/a,b frames/position[100%,0] frames/scale[gate=0]\n"
      "#: values runs/last:* frames/position[frame=0]\n"
      "#: values . gates/name scenario/runs\n"
      "print word(names('a', 'topology/body_name'), 1)\n"
      "print number('a', 'topology/rest_position', -1, 0), rows('a', 'topology/rest_position')\n"
      "print number('a', 'topology/rest_position', 1, 0)\n"
      "print number('a', 'frames/position[50%,0]', 0, 0)\n"
      "print sprintf('%g', total('a', 'topology/rest_position'))\n"
      "print number('b', 'frames/position[100%,0]', 0, 0)\n"
      "print number('a', 'frames/scale[gate=0]', 0, 0)\n"
      "print number('b', 'frames/position[frame=0]', 2, 0)\n"
      "print sprintf('%g', number('a', 'frames/position[50%,0]', 3, -1))\n"
      "print row_at('a', 'frames/position[50%,0]', 0.05)\n"
      "print names('.', 'scenario/runs')\n"
      "print names('.', 'gates/name')\n",
      "bar\n1.0 5.0\n0.25\n0.5\n2.5\n1.0\n1.0\n0.5\n0.03\n5\n \"a\" \"b\"\n \"fall\" \"fall\"\n");
}
END_TEST

START_TEST(frames_are_chosen_by_number_time_and_share) {
  NEEDS_GNUPLOT
  expect_print("#: frame runs/a 0,-1,t=0.035,spread=3 frames/position\n"
               "#: outline runs/* -1 xz\n"
               "#: outline_of runs/* 0 xz\n"
               "do for [k in '0 3 5 10 -1'] {\n"
               "  stats frame('a', 'frames/position', int(k)) using 4 nooutput\n"
               "  print sprintf('%s %.3f', k, STATS_mean)\n"
               "}\n"
               "stats outline('b', -1, 'xz') using 1 nooutput\n"
               "print sprintf('%.1f %.1f', STATS_min, STATS_max)\n"
               "stats outline_of('b', 0, 'xz', 0) using 2 nooutput\n"
               "print sprintf('%.1f', STATS_max)\n"
               "print frame('a', 'frames/position', 1) ne frame('a', 'frames/position', 2)\n",
               "0 0.000\n3 -0.006\n5 -0.015\n10 -0.054\n-1 -0.054\n-0.1 1.1\n0.1\n1\n");
}
END_TEST

/// A picture has all its pixels, and the bar is seen; both ends of the fall by one camera, so that
/// the bar is in different rows. What may be missing is told.
START_TEST(frames_are_rendered_and_data_may_be_missing) {
  NEEDS_GNUPLOT
  expect_print("#: rendered runs/a,b 0,-1 40x30 0,0,1,0 pills limits=0,1\n"
               "#: maybe rendered runs/* 99 40x30 0,0\n"
               "#: maybe series runs/* energy/none\n"
               "#: maybe series runs/* energy/gravity\n"
               "format = \"binary record=1200 format='%uchar%uchar%uchar'\"\n"
               "view = '40x30 0,0,1,0 pills limits=0,1'\n"
               "do for [k=0:1] {\n"
               "  stats rendered('a', view, -k) @format using 1 nooutput\n"
               "  print STATS_records, STATS_min < 250\n"
               "  if (k == 0) { first = STATS_sum } else { print STATS_sum != first }\n"
               "}\n"
               "print has('a', 'rendered 40x30 0,0'), has('a', 'series energy/none'), "
               "has('b', 'series energy/gravity')\n",
               "1200 1\n1200 1\n1\n0 0 1\n");
}
END_TEST

/// A draft has as many pixels, neighbors of which are of one ray; otherwise they differ.
START_TEST(drafts_have_a_ray_for_four_pixels) {
  NEEDS_GNUPLOT
  static const char *const drafts[] = {"", "1"};
  for (int i = 0; i < 2; i++) {
    setenv("VIPERBENCH_DRAFT", drafts[i], 1);
    expect_print("#: rendered runs/a -1 40x30 20,10 pills\n"
                 "format = \"binary record=1200 format='%uchar%uchar%uchar'\"\n"
                 "view = '40x30 20,10 pills'\n"
                 "stats rendered('a', view, -1) @format using 1 name 'all' nooutput\n"
                 "stats rendered('a', view, -1) @format every 2 using 1 name 'left' nooutput\n"
                 "stats rendered('a', view, -1) @format every 2::1 using 1 name 'right' nooutput\n"
                 "print all_records, all_min < 250, left_records == right_records\n"
                 "print left_sum == right_sum\n",
                 i ? "1200 1 1\n1\n" : "1200 1 1\n0\n");
  }
  unsetenv("VIPERBENCH_DRAFT");
}
END_TEST

/// Without gnuplot nothing is prepared for it: not even that there is no such run is found.
START_TEST(a_missing_gnuplot_is_told_at_once) {
  write_file("plots/fall.gp", "#: rendered runs/none -1 4000x4000 0,0\nplot x\n");
  setenv("PATH", "/nonexistent", 1);
  expect("plot @/o/fall.h5", 3, "gnuplot is not installed");
  setenv("PATH", old_path, 1);
  NEEDS_GNUPLOT
  expect("plot @/o/fall.h5", 2, "none");
}
END_TEST

/// A pattern stands for all that a run has recorded there, whatever the solver calls it.
START_TEST(a_pattern_finds_all_energies) {
  NEEDS_GNUPLOT
  expect_print("#: maybe series runs/a energy/*\n"
               "#: values runs/b energy/k* momentum[0]\n"
               "#: maybe series runs/b none/*\n"
               "print paths_of('a', 'series energy/')\n"
               "print paths_of('b', 'series '), '.'\n"
               "print paths_of('b', 'values ')\n"
               "stats series('a', 'energy/gravity') using 2 nooutput\n"
               "print STATS_min < 0\n",
               "energy/bend energy/gravity energy/kinetic energy/section energy/stretch "
               "energy/surface_bend energy/taper energy/total energy/twist energy/volume "
               "energy/volume_bend \n .\nenergy/kinetic momentum[0] \n1\n");
  write_file("plots/fall.gp", "#: series runs/* none/*\n");
  expect("plot @/o/fall.h5", 2, "fall.gp:1: ");
  ck_assert_ptr_nonnull(strstr(error_output, "fall.h5 has no \"runs/a/none/*\""));
  write_file("plots/fall.gp", "#: values . gates/*\n");
  expect("plot @/o/fall.h5", 2, "only paths of runs may contain a *");
}
END_TEST

START_TEST(the_largest_and_slices_are_found) {
  NEEDS_GNUPLOT
  char sweep[2048], script[2048], path[128];
  snprintf(sweep, sizeof sweep, "%s",
           "return { title = 'g', build = function(p)\n"
           "    local s = vb.scene{ step = 0.01, steps = 2, gravity = {0, 0, -p.g} }\n"
           "    s:rod{ nodes = 3, from = {0, 0, 0}, to = {1, 0, 0}, radius = 0.1,\n"
           "           material = { E = 1e5, nu = 0.3 }, density = 1000 }\n"
           "    return s\n"
           "  end, parameters = { g = 1 }, figure = 'grid',\n"
           "  grid = { method = { 'direct', 'xpbd' }, g = { 0.1, 2 } } }\n");
  write_file("scenarios/grid.lua", sweep);
  snprintf(path, sizeof path, "set print '%s/printed'\n", folder);
  write_file(
      "plots/grid.gp",
      strcat(strcpy(script, path),
             "#: values . scenario/grid/method scenario/grid/g\n"
             "#: values runs/* frames/position[0,2] energy/kinetic\n"
             "print slice('method g', 'xpbd 0.1')\n"
             "print slice('method', 'direct')\n"
             "print values_of('method'), '.', values_of('g')\n"
             "lines = last_of(slice('method', 'direct'), 'g', 'frames/position[0,2]')\n"
             "print words(lines), sprintf(' %.5f', real(word(lines, 4)))\n"
             "print largest(run(1), 'energy/kinetic', -1), largest(run(1), 'frames/position[0,2]', "
             "0.005)\nunset print\nplot x\n"));
  expect("run grid --out @/o --quiet", 0, "");
  char page[512];
  read_file("printed", page, sizeof page);
  ck_assert_str_eq(page,
                   "xpbd-g0.1 \ndirect-g0.1 direct-g2 \ndirect xpbd . 0.1 2\n4  -0.00060\n2 1\n");
}
END_TEST

START_TEST(reports_bad_lists_with_line) {
  NEEDS_GNUPLOT
  static const struct {
    const char *list;
    int code;
    const char *complaint;
  } cases[] = {
      {"#: serie runs/* x\n", 2,
       "fall.gp:1: a figure cannot request \"serie\"; did you mean \"series\"?"},
      {"\n#: series runs/*\n", 2, "fall.gp:2: this must be \"#: series OF PATH..\""},
      {"#: outline runs/* -1 xz xy\n", 2, "\"#: outline OF FRAMES PLANE\""},
      {"#: outline runs/* -1 xx\n", 2, "two of x, y and z"},
      {"#: outline runs/* 99 xz\n", 2, "fall.gp:1: there is no frame 99 of 11"},
      {"#: outline runs/* first xz\n", 2, "\"first\" selects no frames"},
      {"#: outline . -1 xz\n", 2, "only runs have frames"},
      {"#: series runs/none energy/total\n", 2, "fall.h5 has no runs/none"},
      {"#: series rums/* energy/total\n", 2, "must be \".\" or begin with runs/"},
      {"#: series runs/* energy/none\n", 2, "no series \"runs/a/energy/none\""},
      {"#: values runs/* topology/none\n", 2, "no dataset \"/runs/a/topology/none\""},
      {"#: values runs/* frames/scale[gate=7]\n", 2, "no gate 7"},
      {"#: distance runs/a runs/*\n", 2, "must be one run, not 2"},
      {"#: distance runs/a runs/b\n", 2, "triangle"},
      {"#: box_edges runs/* 0 1 1\n", 2, "rest_vertex"},
      {"#: rendered runs/* -1 40 0,0\n", 2, "\"40\" is not a size"},
      {"#: rendered runs/* -1 40x30 0\n", 2, "\"0\" is not a view"},
      {"#: rendered runs/* -1 40x30 0,0 red\n", 2, "\"red\" is none of pills"},
      {"#: maybe serie runs/* x\n", 2, "did you mean \"series\"?"},
      {"#: values 'x'\n", 2, "contains an invalid character"},
      {"#: picture x\n", 2, "a figure cannot request \"picture\""},
      {"plot series('a', 'energy/total')\n", 1,
       "the list of the script does not ask for: series energy/total of a"},
      {"plot number('a', 'gates/value', 0, 0)\n", 1, "Non-numeric string"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    write_file("plots/fall.gp", cases[i].list);
    expect("plot @/o/fall.h5", cases[i].code, cases[i].complaint);
    ck_assert_ptr_eq(strchr(error_output, '\n'), error_output + strlen(error_output) - 1);
    expect_clean();
  }
  // A pattern that matches nothing asks for nothing.
  write_file("plots/fall.gp", "#: series runs/none* energy/none\nplot x\n");
  expect("plot @/o/fall.h5", 0, "");
}
END_TEST

/// Whether a line of a script defines a name of its own: "NAME(x) = " or "NAME = ".
static bool defines(const char *line, const char *name) {
  const char *c = line + strspn(line, " ");
  size_t n = strlen(name);
  if (strncmp(c, name, n) != 0 || !strchr("( =", c[n]))
    return false;
  c += n;
  c += *c == '(' ? strcspn(c, ")") + 1 : 0;
  c += strspn(c, " ");
  return c[0] == '=' && c[1] != '=';
}

START_TEST(no_script_redefines_what_places_panels) {
  static const char *const names[] = {"canvas",    "panel",       "panels",   "once",   "page_y",
                                      "page_part", "head_height", "headline", "varied", "shared"};
  char *line = NULL;
  size_t room = 0, n_files;
  vb_home_file *files;
  ck_assert(defines("panel(a, b) = 1\n", "panel") && !defines("panel(a, b) == 1\n", "panel"));
  ck_assert_int_eq(vb_home_files(".", VB_HOME_FIGURE, &files, &n_files, NULL), VB_OK);
  for (size_t i = 0; i < n_files; i++) {
    FILE *script = fopen(files[i].path, "r");
    ck_assert_ptr_nonnull(script);
    while (!strstr(files[i].path, "style.gp") && getline(&line, &room, script) >= 0)
      for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        ck_assert_msg(!defines(line, names[k]), "%s defines %s", files[i].path, names[k]);
    fclose(script);
  }
  free(line);
  free(files);
}
END_TEST

START_TEST(texts_are_quoted_for_gnuplot) {
  char *quoted = vb_gnuplot_quote("it's\nhere\x1b[2J\x7f");
  ck_assert_str_eq(quoted, "'it'.\"'\".'s here [2J '");
  free(quoted);
}
END_TEST

// ---- what a figure tells ----

/// Whether a picture of the test has that text.
static bool is_drawn(const char *name, const char *text) {
  static char svg[1 << 20];
  read_file(name, svg, sizeof svg);
  return strstr(svg, text);
}

START_TEST(a_figure_tells_study_runs_and_settings) {
  NEEDS_GNUPLOT
  expect("plot @/o/fall.h5", 0, "");
  ck_assert(is_drawn("o/fall.svg", "fall: A falling bar"));
  ck_assert(is_drawn("o/fall.svg", "2 runs: A/B | b; method: direct, xpbd"));
  ck_assert(is_drawn("o/fall.svg", "tier: quick; solver: viper; precision: "));
  ck_assert(is_drawn("o/fall.svg", "time step: 0.01 s"));
}
END_TEST

START_TEST(a_figure_tells_the_axes_of_a_grid_and_changed_settings) {
  NEEDS_GNUPLOT
  write_file("scenarios/grid.lua",
             "return { title = 'A grid', parameters = { x = 1, y = 2 },\n"
             "  build = function(p)\n"
             "    local s = vb.scene{ step = 0.01, steps = p.y }\n"
             "    s:rod{ nodes = 2, from = {0, 0, 0}, to = {1, 0, 0}, radius = 0.1,\n"
             "      material = { E = 1e5, nu = 0.3 }, density = 1000 }\n"
             "    s:record{ frames = 1 }\n"
             "    return s\n"
             "  end,\n"
             "  grid = { x = { 1, 2, 4 } },\n"
             "  figure = 'fall' }\n");
  expect("run grid --set y=3 --out @/g --quiet", 0, "");
  ck_assert(is_drawn("g/grid.svg", "3 runs; x: 1, 2, 4<"));
  ck_assert(is_drawn("g/grid.svg", "tier: quick; settings: y=3; solver: viper"));
}
END_TEST

// ---- a study's own figure ----

/// A study anywhere on the disk has its figure beside it, wherever the program is started; its
/// results alone do not lead there.
START_TEST(a_study_may_have_its_figure_beside_it) {
  NEEDS_GNUPLOT
  char command[2 * PATH_MAX + 200], path[128], program_path[PATH_MAX];
  ck_assert_ptr_nonnull(realpath(program(), program_path));
  snprintf(path, sizeof path, "%s/far", folder);
  ck_assert_int_eq(mkdir(path, 0777), 0);
  write_file("far/mine.lua",
             "local fall = {\n"
             "  title = 'Mine',\n"
             "  figure = './pictures',\n"
             "  runs = function() return { { name = 'a', scenario = 'fall' } } end,\n"
             "}\n"
             "return fall\n");
  expect("run @/far/mine.lua --out @/m", 2,
         "far/mine.lua:3: study: there is no figure "
         "\"./pictures\": ");
  ck_assert(!exists("m/mine-a.h5"));
  write_file("far/pictures.gp", "#: series runs/* frames/position[0,2]\n"
                                "plot series('a', 'frames/position[0,2]') ls 1\n");
  write_file("far/pictures_more.gp", "plot x\n");
  write_file("far/pictures_other.gp", "fault, as it is of the study beside it\n");
  write_file("far/pictures_other.lua", "return {}\n");
  write_file("far/pictures.md.lua", "page.put(page.runs[1])\n");
  expect("run @/far/mine.lua --out @/m --quiet", 0, "");
  ck_assert(exists("m/mine.svg") && exists("m/mine_more.svg"));
  ck_assert(exists("m/mine.md"));
  ck_assert(!exists("m/mine_other.svg"));
  expect("plot @/m/mine.h5", 2, "mine.h5: its figure \"./pictures\" is beside the study's script");
  expect("report @/m -o @/m/r.html", 0, "");
  ck_assert_int_eq(unlink(strcat(strcpy(path, folder), "/m/mine.svg")), 0);
  expect("plot @/far/mine.lua --out @/m", 0, "");
  ck_assert(exists("m/mine.svg") && exists("m/mine.pdf") && exists("m/mine_more.png"));
  snprintf(command, sizeof command, "cd %s/far && %s run mine.lua --quiet --out here", folder,
           program_path);
  ck_assert_int_eq(system(command), 0);
  ck_assert(exists("far/here/mine.svg"));
}
END_TEST

START_TEST(a_missing_figure_is_told_before_the_run) {
  write_file("scenarios/wrong.lua", "return { title = 'Wrong', -- its figure == none\n"
                                    "  build = function() error('it was built') end,\n"
                                    "  figure = 'fal' }\n");
  expect("run wrong --out @/w", 2,
         "scenarios/wrong.lua:3: study: there is no figure \"fal\"; did you mean \"fall\"?");
  ck_assert(!exists("w/wrong-wrong.h5"));
}
END_TEST

// ---- layout ----

/// Two panels beside each other, a key on the page, small letters, a long title.
static const char PAGE[] =
    "#: series runs/* frames/position[0,2]\n"
    "eval canvas(900, 400)\n"
    "set multiplot\n"
    "set xlabel 'time [s]'\n"
    "set ylabel 'height [m]' font letters_9\n"
    "eval key_at(0.5, 0.03, 'center bottom maxrows 1', 'samplen 3')\n"
    "do for [k=1:2] {\n"
    "  eval panel(0.5 * k - 0.42, 0.5 * k - 0.03, 0.2, 0.9)\n"
    "  set title fold('how far a bar falls that nothing holds, over the time in which it falls')\n"
    "  plot for [i=1:n_runs] series(run(i), 'frames/position[0,2]') ls i title label_of(i)\n"
    "}\n"
    "unset multiplot\n";

/// The numbers behind each `before` in a text.
static size_t read_all(const char *text, const char *before, double *out, size_t most) {
  size_t n = 0;
  for (const char *at = strstr(text, before); at && n < most; at = strstr(at + 1, before))
    out[n++] = strtod(at + strlen(before), NULL);
  return n;
}

START_TEST(a_figure_is_laid_out_for_a_column) {
  NEEDS_GNUPLOT
  static char svg[200000];
  double sizes[200], height[1], wide[1];
  write_file("plots/fall.gp", PAGE);
  expect("plot @/o/fall.h5 --width 85", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "caption: fall"));
  ck_assert(exists("o/fall-85mm.pdf") && exists("o/fall-85mm.png") && !exists("o/fall.svg"));
  read_file("o/fall-85mm.svg", svg, sizeof svg);
  ck_assert_ptr_nonnull(strstr(svg, "width=\"85mm\""));
  // At 331 pixels in 85 mm, 11 pixels are 8 points; no letter but exponents is smaller.
  ck_assert_ptr_nonnull(strstr(svg, "viewBox=\"0 0 331 "));
  size_t n = read_all(svg, "font-family=\"DejaVu Sans\" font-size=\"", sizes, 200);
  ck_assert_uint_gt(n, 10);
  for (size_t i = 0; i < n; i++)
    ck_assert(sizes[i] >= 11);
  ck_assert_uint_eq(read_all(svg, "height=\"", height, 1), 1);
  // In 180 mm the panels are beside each other.
  expect("plot @/o/fall.h5 --width 180 --quiet", 0, "");
  read_file("o/fall-180mm.svg", svg, sizeof svg);
  ck_assert_uint_eq(read_all(svg, "height=\"", wide, 1), 1);
  ck_assert(wide[0] < 0.9 * height[0]);
}
END_TEST

START_TEST(a_panel_alone_on_its_line_is_laid_out) {
  NEEDS_GNUPLOT
  // Its texts leave less than what a panel must have beside another one.
  write_file("plots/fall.gp", "#: series runs/* frames/position[0,2]\n"
                              "eval canvas(900, 400)\n"
                              "set multiplot\n"
                              "set format y '%.12f'\n"
                              "set label 1 'a text to the right' at graph 1.02, graph 0.5\n"
                              "eval panel(0.3, 0.6, 0.2, 0.9)\n"
                              "plot series(run(1), 'frames/position[0,2]') ls 1\n"
                              "unset multiplot\n");
  expect("plot @/o/fall.h5 --width 85 --quiet", 0, "");
  ck_assert(exists("o/fall-85mm.svg"));
  // It becomes wider than on its page, 270 x 280 pixels of which 701 are 180 mm, and no higher.
  static char svg[200000];
  double height[1];
  expect("plot @/o/fall.h5 --width 180 --quiet", 0, "");
  read_file("o/fall-180mm.svg", svg, sizeof svg);
  ck_assert_uint_eq(read_all(svg, "height=\"", height, 1), 1);
  ck_assert_double_lt(height[0], 100);
}
END_TEST

START_TEST(a_high_figure_is_laid_out_for_one_page) {
  NEEDS_GNUPLOT
  // Four graphs that stand alone at 85 mm, 370 pixels high each: 1480 without their texts.
  write_file("plots/fall.gp", "#: series runs/* frames/position[0,2]\n"
                              "eval canvas(900, 1000)\n"
                              "set multiplot\n"
                              "do for [k=1:4] {\n"
                              "  eval panel(k % 2 ? 0.1 : 0.6, k % 2 ? 0.48 : 0.98, k < 3 ? 0.58 : "
                              "0.08, k < 3 ? 0.95 : 0.45)\n"
                              "  plot series(run(1), 'frames/position[0,2]') ls 1\n"
                              "}\n"
                              "unset multiplot\n");
  static char svg[200000];
  double height[1];
  expect("plot @/o/fall.h5 --width 85", 0, "");
  ck_assert_ptr_null(strstr(output, "mm high"));
  read_file("o/fall-85mm.svg", svg, sizeof svg);
  // A page of 250 mm has 974 pixels, of which it takes most.
  ck_assert_uint_eq(read_all(svg, "viewBox=\"0 0 331 ", height, 1), 1);
  ck_assert_double_gt(height[0], 900);
  ck_assert_double_lt(height[0], 975);
  // Five pictures, three above two, are all 104 pixels wide and 122 high: the whole 364, and 428 if
  // the lower ones filled their line.
  write_file("plots/fall.gp", "eval canvas(900, 400)\n"
                              "set multiplot\n"
                              "unset key; unset border; unset tics\n"
                              "do for [k=1:5] {\n"
                              "  eval panel(k / 5.0 - 0.19, k / 5.0, 0.2, 0.7)\n"
                              "  set title fold('two words,\\nlines')\n"
                              "  plot x\n"
                              "}\n"
                              "unset multiplot\n");
  expect("plot @/o/fall.h5 --width 85 --quiet", 0, "");
  read_file("o/fall-85mm.svg", svg, sizeof svg);
  ck_assert_uint_eq(read_all(svg, "viewBox=\"0 0 331 ", height, 1), 1);
  ck_assert_double_lt(height[0], 400);
  // Two rows of slim pictures, 1100 pixels without their titles, become smaller, too; titles keep
  // the room of their pictures, so that they have one line.
  write_file("plots/fall.gp", "eval canvas(900, 1400)\n"
                              "set multiplot\n"
                              "unset key; unset border; unset tics\n"
                              "do for [k=0:7] {\n"
                              "  x0 = 0.01 + 0.25 * (k % 4); y0 = k < 4 ? 0.5 : 0.02\n"
                              "  eval panel(x0, x0 + 0.1, y0, y0 + 0.5)\n"
                              "  set title fold('two words')\n"
                              "  plot x\n"
                              "}\n"
                              "unset multiplot\n");
  expect("plot @/o/fall.h5 --width 180", 0, "");
  ck_assert_ptr_null(strstr(output, "mm high"));
}
END_TEST

START_TEST(a_script_knows_the_folder_of_pictures) {
  NEEDS_GNUPLOT
  write_file(
      "plots/fall.gp",
      "if (plots[strlen(plots) - 5:*] ne '/plots') { print 'it is ', plots; exit status 1 }\n"
      "plot x\n");
  expect("plot @/o/fall.h5 --quiet", 0, "");
}
END_TEST

START_TEST(a_figure_without_panels_is_not_laid_out) {
  NEEDS_GNUPLOT
  write_file("plots/fall.gp",
             "eval canvas(900, 400)\nset multiplot layout 1, 2\nplot x\nplot x\nunset multiplot\n");
  expect("plot @/o/fall.h5 --width 85", 2, "it draws 2 plots in 1 panels");
  expect("plot @/o/fall.h5 --width 90", 2, "page, 85 or 180");
}
END_TEST

static TCase *scripts(void) {
  TCase *tests = tcase_create("scripts");
  tcase_add_test(tests, what_starts_a_program_is_found);
  tcase_add_test(tests, no_script_starts_a_program);
  tcase_add_test(tests, no_script_redefines_what_places_panels);
  tcase_add_test(tests, texts_are_quoted_for_gnuplot);
  return tests;
}

static TCase *figures(void) {
  TCase *tests = tcase_create("figures");
  tcase_set_timeout(tests, 120);
  tcase_add_checked_fixture(tests, set_up, tear_down);
  tcase_add_test(tests, values_are_those_of_the_file);
  tcase_add_test(tests, frames_are_chosen_by_number_time_and_share);
  tcase_add_test(tests, frames_are_rendered_and_data_may_be_missing);
  tcase_add_test(tests, drafts_have_a_ray_for_four_pixels);
  tcase_add_test(tests, a_missing_gnuplot_is_told_at_once);
  tcase_add_test(tests, a_pattern_finds_all_energies);
  tcase_add_test(tests, the_largest_and_slices_are_found);
  tcase_add_test(tests, reports_bad_lists_with_line);
  tcase_add_test(tests, a_figure_tells_study_runs_and_settings);
  tcase_add_test(tests, a_figure_tells_the_axes_of_a_grid_and_changed_settings);
  tcase_add_test(tests, a_study_may_have_its_figure_beside_it);
  tcase_add_test(tests, a_missing_figure_is_told_before_the_run);
  tcase_add_test(tests, a_figure_is_laid_out_for_a_column);
  tcase_add_test(tests, a_panel_alone_on_its_line_is_laid_out);
  tcase_add_test(tests, a_high_figure_is_laid_out_for_one_page);
  tcase_add_test(tests, a_script_knows_the_folder_of_pictures);
  tcase_add_test(tests, a_figure_without_panels_is_not_laid_out);
  return tests;
}

VB_TEST_MAIN("plot", scripts(), figures())
