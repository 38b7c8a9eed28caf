// SPDX-License-Identifier: GPL-3.0-or-later
/// Runs for show: where they go, what they record, and skins that are made of weights.
/// Covers: src/results/skin_record.* src/report/chosen_runs.*
#include "cli_fixture.h"
#include "report/chosen_runs.h"
#include "results/results_array.h"

#include <math.h>

/// Rods with a skin, that fall and bend, and a run without it.
static const char SCRIPT[] =
    "return { title = 'Rods', show = { runs = { 'skin' }, view = { 10, 80, 1, 30 } },\n"
    "  build = function(p)\n"
    "    local s = vb.scene{ step = 0.01, steps = 20, gravity = { 0, 0, -9.81 } }\n"
    "    for k = 0, 1 do\n"
    "      local rod = s:rod{ nodes = 6, from = { 0, 0.15 * k, 0 }, to = { 1, 0.15 * k, 0.2 * k "
    "},\n"
    "        radius = 0.1, density = 1000, material = { E = 1e4 * (k + 1), nu = 0.4 } }\n"
    "      s:pin{ node = rod.first, segment = rod.first_segment }\n"
    "    end\n"
    "    local list, sides = {}, {}\n"
    "    for i = 0, 19 do\n"
    "      local x, a = i // 4 / 4, i % 4 * math.pi / 2\n"
    "      list[i + 1] = { x, 0.07 + 0.3 * math.cos(a), 0.3 * math.sin(a) }\n"
    "      if i < 16 then\n"
    "        local j = i % 4 == 3 and i - 3 or i + 1\n"
    "        sides[#sides + 1] = { i, j, i + 4 }\n"
    "        sides[#sides + 1] = { j, j + 4, i + 4 }\n"
    "      end\n"
    "    end\n"
    "    s:surface{ vertices = list, triangles = sides }\n"
    "    s:record{ every = 1, frames = 3, fields = { 'position', 'vertices' }, exact = true }\n"
    "    s:solver{ method = 'xpbd' }\n"
    "    s:gate{ name = 'g', quantity = 'energy/total', at_most = -1e9, reason = 'it fails' }\n"
    "    return s\n"
    "  end,\n"
    "  runs = function() return { { name = 'other' }, { name = 'skin' } } end }\n";

static void set_up(void) {
  make_home();
  write_file("scenarios/rods.lua", SCRIPT);
  write_file("scenarios/plain.lua", "return { title = 'P', build = function() "
                                    "return vb.scene{ step = 1, steps = 1 } end }");
}

static vb_array frame(const char *name, int64_t k) {
  char path[256];
  vb_error error = {0};
  vb_array out = {0};
  snprintf(path, sizeof path, "%s/%s", folder, name);
  vb_status status =
      vb_run_array((vb_run_location){path, NULL}, "run/frames/vertices", k, &out, &error);
  ck_assert_msg(!status, "%s", error.message);
  return out;
}

static bool is_stored(const char *name, const char *dataset) {
  char path[256];
  vb_error error = {0};
  bool there = false;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  ck_assert(!vb_results_has(path, dataset, &there, &error));
  return there;
}

START_TEST(vertices_are_made_of_weights) {
  expect("run rods --tier show --quiet --out @/o/show", 0, "");
  expect("run rods --quiet --out @/o", 1, "missed");
  ck_assert(exists("o/rods-other.h5") && !exists("o/show/rods-other.h5"));
  ck_assert(is_stored("o/rods-skin.h5", "/run/frames/vertices"));
  ck_assert(!is_stored("o/rods-skin.h5", "/topology/skin_weight"));
  ck_assert(!is_stored("o/show/rods-skin.h5", "/run/frames/vertices"));
  double moved = 0;
  vb_array first = frame("o/rods-skin.h5", 0);
  for (int64_t k = 0; k < 8; k++) { // both have a frame each three steps, and the last
    vb_array made = frame("o/show/rods-skin.h5", k), stored = frame("o/rods-skin.h5", k);
    ck_assert_uint_eq(made.n, stored.n);
    ck_assert(made.n == 20 && made.width == 3 && strcmp(made.unit, stored.unit) == 0);
    for (size_t i = 0; i < 60; i++) {
      // Rounding of sums of up to ten numbers near 1, in another order than the solver's.
      ck_assert_double_eq_tol(made.values[i], stored.values[i], 1e-14);
      moved = fmax(moved, fabs(stored.values[i] - first.values[i]));
    }
    vb_array_free(&stored);
    vb_array_free(&made);
  }
  vb_array_free(&first);
  ck_assert_double_gt(moved, 0.05);
}
END_TEST

/// The camera of a picture is the study's where the command line has none.
START_TEST(pictures_are_seen_as_the_study_says) {
  expect("run rods --tier show --quiet --out @/o", 0, "");
  expect("render @/o/rods-skin.h5 --size 80x60 --plain --quiet --out @/own.png", 0, "");
  expect("render @/o/rods-skin.h5 --size 80x60 --plain --quiet --view 10,80 --out @/same.png", 0,
         "");
  expect("render @/o/rods-skin.h5 --size 80x60 --plain --quiet --view 30,20 --out @/usual.png", 0,
         "");
  char command[256];
  snprintf(command, sizeof command, "cmp -s %s/own.png %s/same.png", folder, folder);
  ck_assert_int_eq(system(command), 0);
  snprintf(command, sizeof command, "cmp -s %s/own.png %s/usual.png", folder, folder);
  ck_assert_int_ne(system(command), 0);
}
END_TEST

START_TEST(studies_for_show_are_found) {
  expect("run --tier show --list", 0, "");
  ck_assert(strstr(output, "rods") && !strstr(output, "plain") && !strstr(output, "other"));
  expect("run plain --tier show --out @/o", 2, "it names no runs for show");
  expect("bench plain --tier show", 2, "bench has no tier show; use quick or full");
  expect("run rods --tier showy", 2, "use quick, full, gold or show");
}
END_TEST

/// Of many runs those for show.
START_TEST(the_player_takes_runs_for_show) {
  char path[8][128];
  vb_report_run runs[8] = {0};
  vb_report_study study = {.runs = runs, .n_runs = 8};
  bool chosen[8];
  expect("run rods --quiet --out @/o", 1, "missed");
  for (int i = 0; i < 8; i++) {
    snprintf(path[i], sizeof path[i], "%s/o/rods-%s.h5", folder, i % 2 ? "skin" : "other");
    runs[i].place = (vb_run_location){path[i], NULL};
    runs[i].shown = i == 3 || i == 7;
  }
  ck_assert_uint_eq(vb_report_choose_runs(&study, 6, chosen), 6);
  for (int i = 0; i < 8; i++)
    ck_assert_msg(chosen[i] == runs[i].shown, "run %d", i);
  runs[3].shown = runs[7].shown = false;
  ck_assert_uint_eq(vb_report_choose_runs(&study, 6, chosen), 2);
  runs[3].shown = true;
  ck_assert_uint_eq(vb_report_choose_runs(&study, 8, chosen), 0); // there is room for all
  ck_assert(chosen[0] && chosen[3]);
}
END_TEST

/// The picture of a study in a list is of a run for show, whichever comes first.
START_TEST(a_card_has_a_run_for_show) {
  static char page[1 << 20];
  expect("run rods --quiet --out @/o", 1, "missed");
  expect("site @/o --out @/site --quiet", 0, "");
  read_file("site/index.html", page, sizeof page);
  ck_assert_ptr_nonnull(strstr(page, ">rods, skin</figcaption>"));
  ck_assert_ptr_null(strstr(page, ">rods, other</figcaption>"));
}
END_TEST

static TCase *show(void) {
  TCase *c = tcase_create("show");
  tcase_add_checked_fixture(c, set_up, remove_home);
  tcase_set_timeout(c, 120);
  tcase_add_test(c, vertices_are_made_of_weights);
  tcase_add_test(c, pictures_are_seen_as_the_study_says);
  tcase_add_test(c, studies_for_show_are_found);
  tcase_add_test(c, the_player_takes_runs_for_show);
  tcase_add_test(c, a_card_has_a_run_for_show);
  return c;
}

VB_TEST_MAIN("cli_show", show())
