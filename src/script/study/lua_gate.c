// SPDX-License-Identifier: GPL-3.0-or-later
/// Gates, of a scene's run (s:gate{...}) and of a study.
#include "gate/gate.h"
#include "script/scene/lua_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// The keys that select a row, with the sets they count in.
static const struct {
  const char *key;
  vb_tag tag;
} ROWS[] = {{"node", VB_SET_NODE},
            {"segment", VB_SET_SEGMENT},
            {"driver", VB_SET_DRIVER},
            {"load", VB_SET_LOAD},
            {"tetrahedron", VB_SET_TETRAHEDRON},
            {"vertex", VB_SET_SURFACE_VERTEX},
            {"body", VB_SET_BODY},
            {"half_plane", VB_SET_HALF_PLANE},
            {"collider", VB_SET_COLLIDER},
            {"bone", VB_SET_BONE},
            {"link", VB_SET_LINK}};

static vb_tag read_row(const vb_args *args, const vb_lua_scene *scene, vb_gate *gate) {
  const char *chosen = NULL;
  vb_tag unchecked = 0;
  gate->row = -1;
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    if (!vb_args_has(args, ROWS[i].key))
      continue;
    if (chosen)
      vb_args_fail(args, "takes either \"%s\" or \"%s\"", chosen, ROWS[i].key);
    chosen = ROWS[i].key;
    // Bodies are counted when the scene is frozen, and a study's gates speak of several scenes.
    if (scene && ROWS[i].tag != VB_SET_BODY) {
      gate->row = vb_lua_index(args, scene, ROWS[i].tag, chosen);
    } else {
      gate->row = vb_args_integer(args, chosen, 0, INT32_MAX);
      unchecked = ROWS[i].tag;
    }
  }
  return unchecked;
}

/// The component, counted from 0: a letter x, y, z or a number from 1.
static int read_component(const vb_args *args) {
  static const char *const letters[] = {"x", "y", "z", NULL};
  int type = vb_args_push(args, "component");
  lua_pop(args->L, 1);
  if (type == LUA_TNIL)
    return -1;
  if (type == LUA_TNUMBER)
    return (int)vb_args_integer(args, "component", 1, 64) - 1;
  return vb_args_choice(args, "component", vb_args_string(args, "component", true), letters);
}

/// The row that the distance is taken from, of the same set as the row.
static void read_apart(const vb_args *args, vb_gate *gate) {
  gate->apart = vb_args_has(args, "apart_from");
  if (!gate->apart)
    return;
  if (gate->row < 0)
    vb_args_fail(args, "\"apart_from\" goes with a row, such as \"node\" or \"vertex\"");
  if (gate->component >= 0)
    vb_args_fail(args, "takes either \"component\" or \"apart_from\"");
  gate->other_row = vb_args_integer(args, "apart_from", 0, INT32_MAX);
}

static void read_window(const vb_args *args, vb_gate *gate) {
  const char *measure = vb_args_string(args, "measure", false);
  gate->measure = measure ? (vb_measure)vb_args_choice(args, "measure", measure, vb_measure_words)
                          : VB_MEASURE_FINAL;
  bool at = vb_args_has(args, "at");
  if (at != (gate->measure == VB_MEASURE_VALUE))
    vb_args_fail(args, at ? "\"at\" goes with measure = \"value\" only"
                          : "measure = \"value\" needs \"at\"");
  if (at && (vb_args_has(args, "from") || vb_args_has(args, "to")))
    vb_args_fail(args, "takes either \"at\" or the window \"from\", \"to\"");
  gate->from = at ? vb_args_number(args, "at") : vb_args_number_or(args, "from", -INFINITY);
  gate->to = vb_args_number_or(args, "to", INFINITY);
  if (gate->from > gate->to)
    vb_args_fail(args, "its window is empty: \"from\" is %g, \"to\" is %g", gate->from, gate->to);
}

static void read_near(const vb_args *args, vb_gate *gate) {
  gate->tolerance = vb_args_number(args, "tolerance");
  gate->relative = !vb_args_boolean_or(args, "absolute", false);
  if (gate->tolerance < 0)
    vb_args_fail(args, "\"tolerance\" is %g; it must not be negative", gate->tolerance);
  if (gate->relative && gate->reference == 0)
    vb_args_fail(args, "a tolerance relative to \"near\" = 0 allows nothing; set absolute = true");
}

static void read_comparator(const vb_args *args, vb_gate *gate) {
  int n = 0;
  for (int i = 0; i < 3; i++) {
    if (!vb_args_has(args, vb_comparator_words[i]))
      continue;
    n++;
    gate->comparator = (vb_comparator)i;
    gate->reference = vb_args_number(args, vb_comparator_words[i]);
  }
  if (n != 1)
    vb_args_fail(args, "needs exactly one of \"near\", \"at_most\" and \"at_least\"");
  if (gate->comparator == VB_CLOSE_TO)
    read_near(args, gate);
  else if (vb_args_has(args, "tolerance") || vb_args_has(args, "absolute"))
    vb_args_fail(args, "\"tolerance\" and \"absolute\" go with \"near\" only");
}

static void add_run(const vb_args *args, vb_gate *gate, const char *name) {
  for (size_t i = 0; i < gate->n_runs; i++)
    if (strcmp(gate->runs[i], name) == 0)
      vb_args_fail(args, "names run \"%.100s\" twice", name);
  vb_lua_add_text(args->L, &gate->runs, &gate->n_runs, name);
}

static void read_runs(const vb_args *args, vb_gate *gate) {
  if (vb_args_has(args, "run") == vb_args_has(args, "runs"))
    vb_args_fail(args, "needs either \"run\" or \"runs\"");
  if (vb_args_has(args, "run")) {
    add_run(args, gate, vb_args_string(args, "run", true));
    return;
  }
  int64_t n = vb_args_length(args, "runs");
  for (int64_t i = 0; i < n; i++)
    add_run(args, gate, vb_args_text_at(args, "runs", i));
}

/// The resolutions of the runs of an order, which increase.
static void read_sizes(const vb_args *args, vb_gate *gate) {
  if (vb_args_length(args, "sizes") != (int64_t)gate->n_runs)
    vb_args_fail(args, "needs \"sizes\", one per run: %zu", gate->n_runs);
  double last = 0;
  for (size_t i = 0; i < gate->n_runs; i++) {
    double size = vb_args_number_at(args, "sizes", (int64_t)i);
    if (size <= last)
      vb_args_fail(args, "\"sizes\" must be positive and increase; %g follows %g", size, last);
    last = size;
    gate->sizes = vb_lua_grow(args->L, gate->sizes, i, sizeof *gate->sizes);
    gate->sizes[i] = size;
  }
}

static void read_combination(const vb_args *args, vb_gate *gate) {
  const char *combine = vb_args_string(args, "combine", false);
  size_t n = gate->n_runs;
  gate->combination =
      combine ? (vb_combination)vb_args_choice(args, "combine", combine, vb_combination_words)
              : VB_SINGLE;
  bool order = gate->combination == VB_ORDER;
  if (gate->combination == VB_SINGLE && n != 1)
    vb_args_fail(args,
                 "names %zu runs; set \"combine\" (difference, ratio, order, "
                 "surface_rms, surface_hausdorff, over_distance)",
                 n);
  if (!order && gate->combination != VB_SINGLE && n != 2)
    vb_args_fail(args, "combine = \"%s\" takes 2 runs, not %zu", combine, n);
  bool limited = order || gate->combination == VB_OVER_DISTANCE;
  if ((!order && vb_args_has(args, "sizes")) || (!limited && vb_args_has(args, "limit")))
    vb_args_fail(args, "\"sizes\" and \"limit\" go with combine = \"order\" only (\"limit\" with "
                       "\"over_distance\", too)");
  if (limited)
    gate->limit = vb_args_number_or(args, "limit", NAN);
  if (!order)
    return;
  size_t least = isnan(gate->limit) ? 3 : 2; // two numbers to fit a line through
  if (n < least)
    vb_args_fail(args, "an order takes at least %zu runs%s, not %zu", least,
                 least == 3 ? " without a \"limit\"" : "", n);
  read_sizes(args, gate);
}

/// The number of a gate that measures nothing.
static void read_number(const vb_args *args, vb_gate *gate) {
  static const char *const others[] = {"quantity", "measure", "origin", "component",
                                       "at",       "from",    "to"};
  gate->number = vb_args_number(args, "number");
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (vb_args_has(args, others[i]))
      vb_args_fail(args, "takes either \"number\" or \"%s\"", others[i]);
}

/// The keys of any gate; a study's and a scene's have more.
#define KEYS                                                                                       \
  "vertex tetrahedron half_plane collider bone link apart_from finding timed name quantity node "  \
  "segment driver body load component "                                                            \
  "origin measure at from to near at_most at_least tolerance absolute reason"

vb_tag vb_lua_read_gate(lua_State *L, int index, const char *who, vb_lua_scene *scene,
                        vb_gate *gate) {
  vb_args args =
      vb_args_open(L, index, who, scene ? KEYS " number" : KEYS " run runs combine sizes limit");
  gate->name = vb_lua_copy(L, vb_args_string(&args, "name", true));
  gate->found = scene && vb_args_has(&args, "number");
  if (gate->found)
    read_number(&args, gate);
  gate->quantity = vb_lua_copy(L, gate->found ? "number" : vb_args_string(&args, "quantity", true));
  gate->reason = vb_lua_copy(L, vb_args_string(&args, "reason", true));
  gate->origin = vb_args_number_or(&args, "origin", 0);
  gate->limit = NAN;
  vb_tag unchecked = read_row(&args, scene, gate);
  gate->component = read_component(&args);
  read_apart(&args, gate);
  gate->finding = vb_args_boolean_or(&args, "finding", false);
  gate->timed = vb_args_boolean_or(&args, "timed", false);
  if (gate->timed && !gate->finding)
    vb_args_fail(&args, "\"timed\" goes with finding = true only: no gate may depend on wall time");
  read_window(&args, gate);
  read_comparator(&args, gate);
  if (!scene) {
    read_runs(&args, gate);
    read_combination(&args, gate);
  }
  return unchecked;
}

int vb_lua_gate(lua_State *L) {
  vb_lua_scene *scene = vb_lua_scene_self(L, "gate");
  size_t n = scene->n_gates;
  scene->gate_rows = vb_lua_grow(L, scene->gate_rows, n, sizeof *scene->gate_rows);
  scene->gates = vb_lua_grow(L, scene->gates, n, sizeof *scene->gates);
  scene->n_gates++;
  scene->gate_rows[n] = vb_lua_read_gate(L, 2, "gate", scene, &scene->gates[n]);
  return 0;
}
