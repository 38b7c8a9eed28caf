// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/results_meaning.h"

#include "results/h5_read.h"
#include "results/results_gate_columns.h"
#include "results/results_locate.h"
#include "scene/schema.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/// All but gates and the sets of a scene.
static const struct {
  const char *path, *meaning;
} MEANINGS[] = {
    {"provenance/arguments", "command line"},
    {"provenance/commit", "git commit of the program's source"},
    {"provenance/compiler", "compiler that built the program"},
    {"provenance/cores", "physical cores of the machine"},
    {"provenance/cpu", "model of the processor"},
    {"provenance/date", "when the file was begun, UTC"},
    {"provenance/dirty", "1 where that source had uncommitted changes"},
    {"provenance/flags", "flags of the compiler"},
    {"provenance/floating_point", "floating-point mode of the steps"},
    {"provenance/host", "name of the machine"},
    {"provenance/instruction_set",
     "instruction set of the steps, or that built for where the solver has no choice"},
    {"provenance/libraries", "versions of the libraries, JSON"},
    {"provenance/system", "operating system and its release"},
    {"provenance/threads", "logical processors at hand"},
    {"run/energy/total", "sum of all energies"},
    {"run/frames/radius", "current radius: scale times rest radius"},
    {"run/frames/time", "time of each frame"},
    {"run/reaction/force", "force that the pins of each driver exert on the bodies"},
    {"run/reaction/torque", "torque of those forces about the driver's moved origin"},
    {"run/residual", "norm of the gradient over the sum of the norms of its parts"},
    {"run/stretch_error/max", "greatest relative extension of a segment"},
    {"run/stretch_error/max_by_body", "greatest relative extension of a segment in each body"},
    {"run/stretch_error/rms", "relative extension of the segments, RMS weighted by rest length"},
    {"run/stretch_error/rms_by_body", "relative extension of the segments, RMS in each body"},
    {"run/time", "time of each row"},
    {"run/volume_error/max", "greatest relative error of a segment's volume"},
    {"run/volume_error/max_by_body", "greatest relative error of a segment's volume in each body"},
    {"run/volume_error/rms",
     "relative error of the segments' volumes, RMS weighted by rest volume"},
    {"run/volume_error/rms_by_body", "relative error of the segments' volumes, RMS in each body"},
    {"scenario/compare", "tolerances that the study declares for comparing records, JSON"},
    {"scenario/damping", "rate of damping of velocities"},
    {"scenario/gravity", "acceleration by gravity"},
    {"scenario/label", "name of the run in plots"},
    {"scenario/missing", "names of the runs that are not recorded here"},
    {"scenario/n_steps", "steps to the end of the scene"},
    {"scenario/name", "name of the scenario"},
    {"scenario/parameters", "resolved parameters, JSON"},
    {"scenario/reference", "points of the curve that a rod should come to"},
    {"scenario/run", "name of the run within the study"},
    {"scenario/runs", "names of the runs, in their order"},
    {"scenario/scene_sha256", "SHA-256 of the frozen scene"},
    {"scenario/script", "Lua text of the scenario or study"},
    {"scenario/settings", "settings of the command line; empty for the study as it is"},
    {"scenario/shard", "which shard of the study this is, and of how many"},
    {"scenario/show", "names of the runs that are for show"},
    {"scenario/step", "length of a time step"},
    {"scenario/study", "name of the study"},
    {"scenario/tier", "size of the study: quick, full, gold or show"},
    {"scenario/title", "what the study asks"},
    {"scenario/view", "where pictures are seen from: azimuth and elevation in degrees, zoom, lens"},
    {"solver/asked_for", "the solver as it was asked for"},
    {"solver/description", "fields, energies and sets of the solver, JSON"},
    {"solver/long_name", "what the solver is"},
    {"solver/name", "name of the solver"},
    {"solver/options", "all options as they are in use, JSON"},
    {"solver/plugin", "file of the plug-in"},
    {"solver/plugin_sha256", "SHA-256 of that file"},
    {"run/iteration", "iterations in the one step from the saved state"},
    {"run/wall_time", "wall time of that step"},
    {"timing/number", "number of each timed step, from 1"},
    {"timing/step", "wall time of a step"},
    {"timing/summary/maximum", "greatest wall time of a step"},
    {"timing/summary/mean", "mean wall time of a step"},
    {"timing/summary/median", "median wall time of a step"},
    {"timing/summary/minimum", "least wall time of a step"},
    {"timing/summary/total", "wall time of all timed steps"},
    {"topology/pin_frame", "1 where the frame of a segment is pinned"},
    {"topology/pin_position", "1 where x, y, z of a node is pinned"},
    {"topology/pin_scale", "1 where the scale of a node is pinned"},
    {"topology/skin_segment", "segments that each vertex follows, or -1"},
    {"topology/skin_weight", "weights of the segments that each vertex follows"},
    {"topology/tetrahedron_bone", "bone that each tetrahedron is inside of, or -1"},
};

/// Groups whose datasets mean the same, whatever their names are.
static const struct {
  const char *group, *meaning;
} GROUPS[] = {
    {"run/work/", "work done by the driver, the loads or the activations of this name"},
    {"scenario/grid/", "place of each run on this axis of the grid"},
    {"solver/", "the option of this name, as it is in use"},
    {"timing/phases/", "wall time of this phase in a step"},
};

/// What a dataset of the sets of a scene holds; "" for another one.
static const char *find_in_sets(const char *name) {
  for (vb_tag tag = VB_SET_BODY; tag < VB_SET_COUNT; tag++)
    for (int i = 0; i < vb_schema[tag].n_members; i++) {
      const vb_dataset *d = vb_schema[tag].members[i].datasets;
      for (int k = 0; k < VB_MOST_DATASETS && d[k].name; k++)
        if (strcmp(d[k].name, name) == 0)
          return d[k].long_name ? d[k].long_name : "";
    }
  return "";
}

static const char *find_in_gates(const char *name) {
  for (size_t i = 0; i < VB_N_GATE_COLUMNS; i++)
    if (strcmp(vb_gate_columns[i].name, name) == 0)
      return vb_gate_columns[i].long_name;
  return "";
}

/// The path below the root of a run's file: without a slash before it and the name of a run, and of
/// series against iterations that of those over time. `out` has `size` bytes.
static void find_below(const char *path, char *out, size_t size) {
  static const char CONVERGENCE[] = "convergence/";
  path += *path == '/';
  path += vb_results_prefix(path);
  bool against = strncmp(path, CONVERGENCE, strlen(CONVERGENCE)) == 0;
  snprintf(out, size, "%s%s", against ? "run/" : "", path + (against ? strlen(CONVERGENCE) : 0));
}

void vb_results_unit_of(int64_t dataset, const char *path, char *out, size_t size) {
  char below[8];
  find_below(path, below, sizeof below);
  bool has = vb_h5_is_described(path) || strncmp(below, "run/", strlen("run/")) == 0;
  if (!vb_h5_read_attribute(dataset, "units", out, size))
    snprintf(out, size, "%s", has ? "1" : "");
}

const char *vb_results_meaning(const char *path) {
  char below[128];
  find_below(path, below, sizeof below);
  path = below;
  for (size_t i = 0; i < sizeof MEANINGS / sizeof *MEANINGS; i++)
    if (strcmp(MEANINGS[i].path, path) == 0)
      return MEANINGS[i].meaning;
  for (size_t i = 0; i < sizeof GROUPS / sizeof *GROUPS; i++)
    if (strncmp(path, GROUPS[i].group, strlen(GROUPS[i].group)) == 0)
      return GROUPS[i].meaning;
  if (strncmp(path, "gates/", strlen("gates/")) == 0)
    return find_in_gates(path + strlen("gates/"));
  return strncmp(path, "topology/", strlen("topology/")) == 0
             ? find_in_sets(path + strlen("topology/"))
             : "";
}
