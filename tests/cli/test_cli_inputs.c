// SPDX-License-Identifier: GPL-3.0-or-later
// What the program says of inputs that mean nothing, or that are out of range or damaged.
// Covers: src/cli/cli_options.c src/cli/cli_args.c src/mesh/link_file.* src/mesh/tetgen_run.*
// Covers: src/base/process_limits.*
#include "cli_fixture.h"

#include <jansson.h>

/// Two runs with values of their own for n; its parameter `most` is read by the list of runs alone,
/// and `count` too, though each run has a value of its own for it.
static const char SCRIPT[] =
    "return {\n"
    "  title = 'Bars',\n"
    "  parameters = { n = 3, length = 1.0, kind = 'free', most = 9, count = 2, idle = 1,\n"
    "                 n_more = 0 },\n"
    "  ranges = { n = { least = 2, most = 100 }, length = { above = 0, below = 10 },\n"
    "             kind = { 'free', 'held' } },\n"
    "  build = function(p)\n"
    "    local s = vb.scene{ step = 0.01, steps = 3 }\n"
    "    s:rod{ nodes = p.n + p.n_more, from = {0, 0, 0}, to = {p.length, 0, 0}, radius = 0.1,\n"
    "           material = { E = 1e5, nu = 0.3 }, density = 1000 }\n"
    "    if p.kind == 'held' then s:pin{ node = 0, components = 'xyz' } end\n"
    "    return s\n"
    "  end,\n"
    "  gates = function(p)\n"
    "    return { { name = 'still', run = 'n1', quantity = 'energy/total', measure = "
    "'maximum_abs',\n"
    "               at_most = 1, reason = 'no gravity, no motion' } }\n"
    "  end,\n"
    "  runs = function(p)\n"
    "    local list = {}\n"
    "    for i = 1, p.count do\n"
    "      list[i] = { name = 'n' .. i, parameters = { n = math.min(i + 1, p.most), count = i } }\n"
    "    end\n"
    "    return list\n"
    "  end,\n"
    "}\n";

static void set_up(void) {
  make_home();
  write_file("scenarios/bars.lua", SCRIPT);
}

START_TEST(a_setting_that_no_run_uses_is_an_error) {
  expect("run bars --list --set n=5", 2,
         "--set n=5: no run of bars uses it; each has its own \"n\"");
  expect("run bars --list --set length=2 --set n=5", 2, "--set n=5");
  expect("run bars --list --set length=1.0", 0, "");
  expect("run bars --list --set most=8", 0, "");
  expect("run bars --list --set idle=2", 2,
         "--set idle=2: nothing in bars reads parameter \"idle\"");
  expect("run bars --list --set idle=1", 2, "nothing in bars reads parameter \"idle\"");
  expect("run bars --list --set count=3", 0, "");
  ck_assert_str_eq(output, "bars n1\nbars n2\nbars n3\n");
}
END_TEST

START_TEST(ranges_are_checked) {
  expect("run bars --list --set length=-1", 2, "--set length=-1: it must be above 0");
  expect("run bars --list --set length=10", 2, "--set length=10: it must be below 10");
  expect("run bars --list --set n=1", 2, "--set n=1: it must be at least 2");
  expect("run bars --list --set n=101", 2, "it must be at most 100");
  expect("run bars --list --set kind=loose", 2, "--set kind=loose: it must be free or held");
  expect("run bars --list --set kind=held", 0, "");
  expect("run bars --list --set most=1", 2,
         "run \"n1\": parameter \"n\" is 1; it must be at least 2");
}
END_TEST

START_TEST(ranges_are_checked_themselves) {
  const struct {
    const char *ranges, *complaint;
  } cases[] = {{"3", "\"ranges\" must be a table, not a number"},
               {"{ m = { least = 1 } }", "\"ranges\" has \"m\", which is no parameter"},
               {"{ n = 1 }", "must be a table of limits or words, not a number"},
               {"{ n = { lest = 1 } }", "did you mean \"least\""},
               {"{ n = { least = 'x' } }", "\"least\""},
               {"{ { least = 1 } }", "takes named values only"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[400];
    snprintf(text, sizeof text,
             "return { title = 'x', parameters = { n = 3 }, ranges = %s, build = function() end }",
             cases[i].ranges);
    write_file("scenarios/odd.lua", text);
    expect("run odd --list", 2, cases[i].complaint);
  }
}
END_TEST

/// Cuts a file off, or fills its middle with letters.
static void damage(const char *name, bool cut) {
  char path[256], letters[4096];
  struct stat about;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  ck_assert_int_eq(stat(path, &about), 0);
  if (cut) {
    ck_assert_int_eq(truncate(path, about.st_size / 2), 0);
    return;
  }
  memset(letters, 'x', sizeof letters);
  FILE *file = fopen(path, "r+");
  ck_assert_ptr_nonnull(file);
  for (long at = 0; at < about.st_size; at += (long)sizeof letters)
    ck_assert_uint_eq(fwrite(letters, 1, sizeof letters, file), sizeof letters);
  ck_assert_int_eq(fclose(file), 0);
}

START_TEST(a_damaged_file_is_made_again) {
  expect("run bars --out @/o", 0, "");
  for (int cut = 0; cut < 2; cut++)
    for (int jobs = 0; jobs < 2; jobs++) {
      damage("o/bars-n1.h5", cut);
      expect(jobs ? "run bars --out @/o --jobs 2" : "run bars --out @/o", 0,
             "o/bars-n1.h5 was damaged, and its run was executed again; ");
      ck_assert_ptr_nonnull(strstr(output, "2 runs of 1 study, 1 kept from before"));
      expect("run bars --out @/o", 0, "");
      ck_assert_ptr_nonnull(strstr(output, "2 kept from before"));
    }
}
END_TEST

START_TEST(the_record_names_the_instructions_that_ran) {
  expect("run bars --out @/o --arithmetic fast --precision float", 0, "");
  expect("table @/o/bars-n1.h5 provenance/instruction_set", 0, "");
  ck_assert_ptr_null(strstr(output, "x86-64-v1")); // none that steps are compiled for
  expect("table @/o/bars-n1.h5 provenance/floating_point", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "\"fast\""));
}
END_TEST

START_TEST(names_are_suggested) {
  char *absolute_program = realpath(program(), NULL);
  expect("plot bers --out @/o", 2, "there is no file or study \"bers\"; did you mean \"bars\"?");
  expect("plot bars --out @/o", 2, "study bars has no results in");
  expect("run bars --out @/o", 0, "");
  expect("distance @/o/bars.h5 n11 n2", 2, "has no run \"n11\"; did you mean \"n1\"?");
  expect("render @/o/bars.h5 --run n11", 2, "has no run \"n11\"; did you mean \"n1\"?");
  ck_assert_int_eq(chdir(folder), 0);
  setenv("VB_PROGRAM", absolute_program, 1);
  write_file("mine.so", "");
  expect("run bars --solver mine", 2, "did you mean the shared object ./mine.so?");
  expect("info bers", 2, "did you mean \"bars\"?");
  free(absolute_program);
}
END_TEST

START_TEST(bench_checks_names_before_it_measures) {
  expect("bench bars bers --out @/o", 2, "did you mean \"bars\"?");
  ck_assert_str_eq(output, "");
}
END_TEST

START_TEST(what_no_run_has_is_told_once) {
  expect("run bars --out @/o --threads 1 --solver viper --option instructions=base", 3,
         "instructions");
  const char *first = strstr(error_output, "run n1: ");
  ck_assert_ptr_nonnull(first);
  ck_assert_ptr_null(strstr(error_output, "run n2: "));
  ck_assert_ptr_nonnull(strstr(output, "NOT RUN bars, run n2"));
  const char *end = " runs and ", *last = strstr(output, end);
  ck_assert_msg(last && strstr(last, " gates are missing\n"), "%s", output);
}
END_TEST

START_TEST(tables_are_listed_and_exported) {
  expect("run bars --out @/o", 0, "");
  expect("table @/o/bars-n1.h5", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "frames/position"));
  ck_assert_ptr_nonnull(strstr(output, " x 2 x 3"));
  ck_assert_ptr_nonnull(strstr(output, "center of each node"));
  expect("table @/o/bars.h5", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "runs/n1/energy/stretch "));
  expect("table @/o/bars.h5 --csv", 0, "");
  ck_assert_ptr_eq(strstr(output, "column,unit,axes\n"), output);
  // As h5ls prints paths.
  expect("table @/o/bars-n1.h5 /run/time /topology/rest_length", 2, "same rows");
  expect("table @/o/bars.h5 /runs/n2/run/time --csv", 0, "");
  ck_assert_str_eq(output, "time[s],/runs/n2/run/time[s]\n0,0\n0.01,0.01\n0.02,0.02\n0.03,0.03\n");
  expect("table @/o/bars.h5 runs/n2/scenario/parameters --csv", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "0,\"{\"\"count\"\": 2, "));
  expect("table @/o/bars-n1.h5 topology/rest_position --json", 0, "");
  json_t *document = json_loads(output, 0, NULL);
  ck_assert_uint_eq(json_array_size(json_object_get(document, "columns")), 4);
  json_decref(document);
  expect("table @/o/bars-n1.h5 time --json --csv", 2, "not both");
}
END_TEST

/// Each line of `output` has as many fields as its first; none has commas in it. Their number of
/// lines.
static size_t check_rows(void) {
  size_t fields = 0, lines = 0;
  char *copy = strdup(output), *rest = copy;
  for (char *line; (line = strsep(&rest, "\n")) && *line; lines++) {
    size_t n = 1;
    bool quoted = false;
    for (const char *c = line; *c; c++) {
      quoted ^= *c == '"';
      n += *c == ',' && !quoted;
    }
    fields = lines ? fields : n;
    ck_assert_msg(n == fields, "%zu fields, not %zu: %s", n, fields, line);
  }
  free(copy);
  return lines;
}

static json_t *parse(void) {
  json_t *document = json_loads(output, 0, NULL);
  ck_assert_msg(document != NULL, "no JSON: %s", output);
  return document;
}

START_TEST(studies_are_exported) {
  expect("list --csv", 0, "");
  ck_assert_uint_gt(check_rows(), 20);
  ck_assert_ptr_nonnull(strstr(output, "\nstudy,,bars,Bars,,,"));
  ck_assert_ptr_nonnull(strstr(output, "\noption,viper,method,"));
  expect("list --csv --json", 2, "list takes --csv or --json, not both");
  expect("list --names --csv", 2, "list takes --names or --csv, not both");
  expect("info bars --csv --set length=2", 0, "");
  ck_assert_uint_eq(check_rows(), 4);
  ck_assert_ptr_nonnull(strstr(output, "\nrun,bars,n2,n2,,"));
  ck_assert_ptr_nonnull(strstr(output, ",\"{\"\"count\"\": 2, "));
  ck_assert_ptr_nonnull(strstr(output, "\ngate,bars,still,n1,energy/total,maximum_abs,at_most,1,"));
  expect("info bars bars --json", 0, "");
  json_t *document = parse(), *studies = json_object_get(document, "studies");
  json_t *study = json_array_get(studies, 1),
         *run = json_array_get(json_object_get(study, "runs"), 1);
  ck_assert_uint_eq(json_array_size(studies), 2);
  ck_assert_int_eq(json_integer_value(json_object_get(run, "nodes")), 3);
  ck_assert_str_eq(json_string_value(json_object_get(run, "material_model")), "published");
  ck_assert_int_eq(json_integer_value(json_object_get(json_object_get(run, "parameters"), "count")),
                   2);
  ck_assert_uint_eq(json_array_size(json_object_get(study, "gates")), 1);
  json_decref(document);
  expect("info bars bers --json", 2, "did you mean \"bars\"?");
  ck_assert_str_eq(output, "");
}
END_TEST

START_TEST(runs_are_exported) {
  expect("run bars --out @/o --csv", 0, "");
  ck_assert_uint_eq(check_rows(), 4);
  ck_assert_ptr_eq(strstr(output, "kind,study,name,runs,status,value,"), output);
  ck_assert_ptr_nonnull(strstr(output, "\nrun,bars,n2,n2,complete,,"));
  ck_assert_ptr_nonnull(strstr(output, "\ngate,bars,still,n1,passed,"));
  ck_assert_ptr_nonnull(strstr(output, ",\"no gravity, no motion\","));
  expect("run bars --out @/o --csv --quiet", 0, "");
  ck_assert_uint_eq(check_rows(), 4);
  expect("run bars --list --csv", 0, "");
  ck_assert_str_eq(output, "study,run\nbars,n1\nbars,n2\n");
  expect("run bars --list --json", 0, "");
  json_t *document = parse();
  ck_assert_uint_eq(json_array_size(json_object_get(document, "runs")), 2);
  json_decref(document);
  expect("compare @/o @/o --csv", 0, "");
  ck_assert_uint_gt(check_rows(), 10);
  ck_assert_ptr_nonnull(strstr(output, "\nquantity,bars,n1,n1,energy/total,J,agrees,0,0,0,"));
  expect("run bars --out @/p --csv --set n_more=1", 0, "");
  expect("compare @/o @/p --csv", 2, "");
  ck_assert_uint_ge(check_rows(), 2);
  ck_assert_ptr_nonnull(strstr(output, "\nrun,bars,n1,n1,,,refused,"));
  expect("compare @/o @/p --csv --allow scene", 1, "");
  ck_assert_uint_gt(check_rows(), 10);
  ck_assert_ptr_nonnull(strstr(output, ",other shape,"));
  expect("compare --time reported --launch echo${IFS}1 echo${IFS}1.1 --csv", 1, "");
  ck_assert_uint_eq(check_rows(), 2);
  ck_assert_ptr_nonnull(strstr(output, "echo${IFS}1,echo${IFS}1.1,reported,11,1,1.1,"));
  ck_assert_ptr_nonnull(strstr(output, ",SLOWER\n"));
}
END_TEST

/// Two bones without nodes, on the joints of a file.
static const char ARM[] =
    "return { title = 'Arm', build = function(p)\n"
    "  local s = vb.scene{ step = 0.01, steps = 2, gravity = {0, 0, -9.81} }\n"
    "  local bones, inertia = {}, {0.01, 0.1, 0.1, 0, 0, 0}\n"
    "  bones.upper = s:bone{ name = 'upper', mass = 1, center = {0.5, 0, 0}, inertia = inertia }\n"
    "  bones.fore = s:bone{ name = 'fore', mass = 1, center = {1.5, 0, 0}, inertia = inertia }\n"
    "  local joints = vb.read_links{ file = 'arm.joint', bones = bones }\n"
    "  assert(#joints == 2 and joints[2].kind == 'hinge' and joints[2].axis[2] == 1)\n"
    "  for _, joint in ipairs(joints) do s:link(joint) end\n"
    "  s:record{ every = 1, frames = 1, fields = { 'joint_error' } }\n"
    "  s:solver{ solver = 'articulated' }\n"
    "  return s\n"
    "end }\n";

START_TEST(joints_are_read_from_a_file) {
  char path[256];
  snprintf(path, sizeof path, "%s/scenarios/meshes", folder);
  ck_assert_int_eq(mkdir(path, 0777), 0);
  write_file("scenarios/arm.lua", ARM);
  expect("run arm --quiet --out @/o", 2, "scenarios/meshes/arm.joint: cannot be opened");
  write_file("scenarios/meshes/arm.joint", "shoulder ball upper world 0 0 0\n"
                                           "elbow hinge fore upper 1 0 0  0 1 0  -1 2\n");
  expect("run arm --quiet --out @/o", 0, "");
  expect("table @/o/arm-arm.h5 topology/link_name --csv", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "shoulder"));
  ck_assert_ptr_nonnull(strstr(output, "elbow"));
  expect("table @/o/arm-arm.h5 topology/link_side --csv", 0, "");
  ck_assert_msg(strstr(output, "0,-1,-1") && strstr(output, "1,0,-1"), "%s", output);
  write_file("scenarios/meshes/arm.joint", "# an arm\nelbow ball hand upper 1 0 0\n");
  expect("run arm --quiet --out @/o", 2,
         "arm.lua:6: read_links: scenarios/meshes/arm.joint:2: \"bones\" has no bone \"hand\"");
}
END_TEST

START_TEST(a_script_finds_the_files_beside_it) {
  char path[256];
  snprintf(path, sizeof path, "%s/own", folder);
  ck_assert_int_eq(mkdir(path, 0777), 0);
  snprintf(path, sizeof path, "%s/scenarios/meshes", folder);
  ck_assert_int_eq(mkdir(path, 0777), 0);
  write_file("own/arm.lua", ARM);
  expect("run @/own/arm.lua --quiet --out @/o", 2, "scenarios/meshes/arm.joint: cannot be opened");
  write_file("scenarios/meshes/arm.joint", "shoulder ball upper world 0 0 0\n"
                                           "wrist hinge fore upper 1 0 0  0 1 0  -1 2\n");
  expect("run @/own/arm.lua --quiet --out @/o", 0, "");
  write_file("own/arm.joint", "shoulder ball upper world 0 0 0\n"
                              "elbow hinge fore upper 1 0 0  0 1 0  -1 2\n");
  expect("run @/own/arm.lua --quiet --out @/o", 0, "");
  expect("table @/o/arm-arm.h5 topology/link_name --csv", 0, "");
  ck_assert_ptr_nonnull(strstr(output, "elbow"));
  // A name is no path.
  write_file("own/arm.lua", "return { title = 'A', build = function()\n"
                            "  vb.read_mesh{ file = '../own/arm.joint' } end }\n");
  expect("run @/own/arm.lua --quiet --out @/o", 2,
         "it must name a file in scenarios/meshes, or beside the script");
}
END_TEST

/// A bar with two bones: of two surfaces and a file of joints, and of the cells of a box.
static const char BAR[] =
    "return { title = 'Bar', parameters = { cells = false }, build = function(p)\n"
    "  local s = vb.scene{ step = 0.01, steps = 1, gravity = {0, 0, -9.81} }\n"
    "  local mesh = p.cells and vb.box{ to = {1.2, 0.4, 0.4}, cells = {12, 4, 4} }\n"
    "    or vb.tetrahedralize{ outside = 'bar.obj', inside = {'bar_bones.obj'} }\n"
    "  local body = s:mesh{ mesh = mesh, density = 1000, material = { E = 1e5, nu = 0.3 } }\n"
    "  local lists = body.regions\n"
    "  if p.cells then\n"
    "    lists = {{}, {}}\n"
    "    for i, x in ipairs(mesh.vertices) do\n"
    "      local inner = x[2] > 0.09 and x[2] < 0.31 and x[3] > 0.09 and x[3] < 0.31\n"
    "      if inner and x[1] > 0.09 and x[1] < 0.51 then table.insert(lists[1], i - 1) end\n"
    "      if inner and x[1] > 0.69 and x[1] < 1.11 then table.insert(lists[2], i - 1) end\n"
    "    end\n"
    "  end\n"
    "  local bones = { first = s:bone{ name = 'first', nodes = lists[1] },\n"
    "                  second = s:bone{ name = 'second', nodes = lists[2] } }\n"
    "  for _, j in ipairs(vb.read_links{ file = 'bar.joint', bones = bones }) do s:link(j) end\n"
    "  s:record{ every = 1, frames = 1, fields = { 'joint_error' } }\n"
    "  s:solver{ solver = 'articulated' }\n"
    "  return s\n"
    "end }\n";

/// Copies a file of scenarios/meshes of the suite.
static void copy_mesh(const char *name) {
  char command[512];
  snprintf(command, sizeof command, "cp scenarios/meshes/%s %s/scenarios/meshes/", name, folder);
  ck_assert_int_eq(system(command), 0);
}

START_TEST(a_bar_of_two_surfaces_is_that_of_a_box) {
  double volume[2], mass[2][2];
  char path[256];
  if (system("command -v tetgen >/dev/null 2>&1") != 0) {
    vb_skip("tetgen", "it meshes surfaces");
    return;
  }
  snprintf(path, sizeof path, "%s/scenarios/meshes", folder);
  ck_assert_int_eq(mkdir(path, 0777), 0);
  copy_mesh("bar.obj");
  copy_mesh("bar_bones.obj");
  copy_mesh("bar.joint");
  write_file("scenarios/bar.lua", BAR);
  for (int cells = 0; cells < 2; cells++) {
    expect(cells ? "run bar --quiet --out @/o --set cells=true" : "run bar --quiet --out @/o", 0,
           "");
    expect("table @/o/bar-bar.h5 topology/bone_mass --csv", 0, "");
    ck_assert_int_eq(
        sscanf(strchr(output, '\n'), " %*[^,],%lf %*[^,],%lf", &mass[cells][0], &mass[cells][1]),
        2);
    expect("table @/o/bar-bar.h5 volume --csv", 0, "");
    ck_assert_int_eq(sscanf(strchr(output, '\n'), " %*[^,],%lf", &volume[cells]), 1);
  }
  ck_assert_double_eq_tol(volume[0], volume[1], 1e-12); // at time 0; 0.192 m^3
  for (int k = 0; k < 2; k++) {                         // 16 kg, of the tetrahedra inside
    ck_assert_double_eq_tol(mass[0][k], 16, 1e-10);
    ck_assert_double_eq_tol(mass[1][k], 16, 1e-10);
  }
}
END_TEST

static TCase *inputs(void) {
  TCase *tests = tcase_create("inputs");
  tcase_set_timeout(tests, 60);
  tcase_add_checked_fixture(tests, set_up, remove_home);
  tcase_add_test(tests, a_setting_that_no_run_uses_is_an_error);
  tcase_add_test(tests, ranges_are_checked);
  tcase_add_test(tests, ranges_are_checked_themselves);
  tcase_add_test(tests, tables_are_listed_and_exported);
  tcase_add_test(tests, studies_are_exported);
  tcase_add_test(tests, runs_are_exported);
  tcase_add_test(tests, names_are_suggested);
  tcase_add_test(tests, bench_checks_names_before_it_measures);
  tcase_add_test(tests, what_no_run_has_is_told_once);
  tcase_add_test(tests, a_damaged_file_is_made_again);
  tcase_add_test(tests, joints_are_read_from_a_file);
  tcase_add_test(tests, a_script_finds_the_files_beside_it);
  tcase_add_test(tests, a_bar_of_two_surfaces_is_that_of_a_box);
  tcase_add_test(tests, the_record_names_the_instructions_that_ran);
  return tests;
}

VB_TEST_MAIN("inputs", inputs())
