// SPDX-License-Identifier: GPL-3.0-or-later
// Results files. An input is a list of changes (changed_files.h) of files that the program wrote
// itself (small_studies.h). Then everything that reads such files reads them.
#include "fuzz.h"
#include "small_studies.h"

#include "compare/pack_study.h"
#include "figure/plot_internal.h"
#include "report/pack.h"
#include "results/h5_reader.h"
#include "results/results.h"
#include "results/run_summary.h"

#include <stdio.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

/// Reads what is told of one file in a few words.
static void summarize(size_t file) {
  char path[FUZZ_PATH];
  vb_run_summary summary;
  vb_plot_facts facts = {0};
  vb_error error = {0};
  snprintf(path, sizeof path, "%s/%s", fuzz_folder(), small_studies_make()[file].name);
  fuzz_expect(vb_run_summary_read(path, &summary, &error), &error);
  vb_status status = vb_plot_facts_read(path, &facts, &error);
  fuzz_expect(status, &error);
  if (!status)
    vb_plot_facts_free(&facts);
}

/// Reads a column of a file, as gates do.
static void read_column(size_t file, const char *quantity, int64_t row, int component) {
  char path[FUZZ_PATH];
  vb_column column;
  vb_error error = {0};
  snprintf(path, sizeof path, "%s/%s", fuzz_folder(), small_studies_make()[file].name);
  vb_status status = vb_results_column(path, quantity, row, component, &column, &error);
  fuzz_expect(status, &error);
  if (!status)
    vb_column_free(&column);
}

/// Packs the frames of a run for the player of a report.
static void pack_frames(size_t file) {
  char path[FUZZ_PATH];
  vb_pack pack;
  vb_error error = {0};
  snprintf(path, sizeof path, "%s/%s", fuzz_folder(), small_studies_make()[file].name);
  vb_status status = vb_pack_run(&(vb_pack_plan){{path, NULL}, 1, 100}, &pack, &error);
  fuzz_expect(status, &error);
  if (!status)
    vb_pack_free(&pack);
}

/// Reads what the run of the rods holds.
static void read_run_of_rods(void) {
  read_column(1, "energy/total", -1, -1);
  read_column(1, "frames/position", 0, 2);
  read_column(1, "convergence/residual", -1, -1);
  pack_frames(1);
  fuzz_command("table @/rods-rods.h5 run/volume_error/rms_by_body topology/body_name");
  fuzz_command("outline @/rods-rods.h5");
  fuzz_command("surface @/rods-rods.h5");
  fuzz_command("render @/rods-rods.h5 --color scale --size 24x16 --plain --out @/a.png");
}

/// Reads what the index of the rods holds, with their run.
static void read_rods(void) {
  static const char *const COMMANDS[] = {
      "table @/rods.h5 runs/rods/run/energy/total runs/rods/run/frames/position gates/name",
      "outline @/rods.h5 --run rods",
      "render @/rods.h5 --show pills --size 24x16 --plain --out @/a.png",
      "distance @/rods.h5 rods rods",
      "compare @/rods.h5 @/rods.h5",
      "report @/rods.h5 @/rods-rods.h5 --plain --out @/a.html"};
  char index[FUZZ_PATH], packed[FUZZ_PATH];
  vb_error error = {0};
  read_column(0, "runs/rods/reaction/force", 0, 2);
  for (size_t i = 0; i < COUNT(COMMANDS); i++)
    fuzz_command(COMMANDS[i]);
  snprintf(index, sizeof index, "%s/rods.h5", fuzz_folder());
  snprintf(packed, sizeof packed, "%s/packed.h5", fuzz_folder());
  fuzz_expect(vb_pack_study(index, packed, &error), &error);
}

/// The same of the solid.
static void read_solid(void) {
  fuzz_command("render @/solid-solid.h5 --color volume_error --size 24x16 --plain --out @/a.png");
  fuzz_command("table @/solid.h5 runs/solid/run/energy/total scenario/runs");
  fuzz_command("compare @/solid-solid.h5 @/solid-solid.h5 --allow scene");
  fuzz_command("compare @/rods-rods.h5 @/solid-solid.h5 --json --allow scene,solver,options");
}

static void run(const uint8_t *data, size_t size) {
  vb_reader_stay_here(); // what another process executes is not seen
  fuzz_file *files = small_studies_make();
  fuzz_files_change(files, SMALL_STUDY_FILES, data, size);
  for (size_t i = 0; i < SMALL_STUDY_FILES; i++)
    if (files[i].touched)
      summarize(i);
  if (files[1].touched)
    read_run_of_rods();
  if (files[0].touched || files[1].touched)
    read_rods();
  if (files[2].touched || files[3].touched)
    read_solid();
  fuzz_files_restore(files, SMALL_STUDY_FILES);
}

const fuzz_target fuzz_results = {"results", run, NULL};
