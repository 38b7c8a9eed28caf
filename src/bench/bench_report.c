// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/bench_report.h"

#include "base/report_text.h"
#include "scene/material.h"
#include "table/listing.h"

#include <math.h>
#include <string.h>

static int longer(int a, int b) {
  return a > b ? a : b;
}

/// Columns of a terminal below which tables lack those that are needed least.
enum { WIDE = 110 };

/// The tables of a study's cases.
typedef enum table_kind { SPEEDS, SETTINGS, LIMITS, DEVICES } table_kind;

/// Columns of a table, at most; where the times of single steps begin, and those to residuals.
enum { MOST_COLUMNS = 12, SINGLE = 3, TARGET = 1 };

static const vb_text_column TABLES[][MOST_COLUMNS] = {
    [SPEEDS] = {{"case", "case", .before = "  ", .width = 6, .fit = VB_FIT_NAME},
                {"speed/step_time", "ms/step", "%.4g", 1e3, .width = 8},
                {"width", "+-%", "%.1f", .width = 4, .least = WIDE},
                {"single/p50", "p50", "%.2g", 1e3, 99, .width = 6, .least = WIDE},
                {"single/p95", "p95", "%.2g", 1e3, 99, .width = 6, .least = WIDE},
                {"single/p99", "p99", "%.2g", 1e3, 99, .width = 6, .least = WIDE},
                {"speed/dof_hz", "DOF Hz", "%.3g", .width = 8},
                {"speed/dof_iterations_hz", "DOF it Hz", "%.3g", .width = 9, .least = WIDE},
                {"speed/real_time_factor", "x real", "%.3g", .whole = 100, .width = 6,
                 .least = WIDE},
                {"residual/final", "resid.", "%.1e", .width = 7},
                {"distance/unsolved", "left", "%.1e", .width = 7, .least = WIDE},
                {"stop", "stopped", .before = "  ", .room = 12}},
    [SETTINGS] = {{"case", "case", .before = "  ", .width = 6, .fit = VB_FIT_NAME},
                  {"dofs", "DOFs", "%.0f", .width = 8},
                  {"bytes", "byte/node", "%.0f", .width = 9, .least = WIDE},
                  {"method", "method", "-", .before = "  ", .width = -16},
                  {"precision", "prec.", "-", .width = -6},
                  {"arithmetic", "arith.", "-", .width = -6, .least = WIDE},
                  {"instructions", "instr.", "-", .width = -9, .least = WIDE},
                  {"threads", "th.", "%.0f", .width = 3, .room = 4},
                  {"sweeps", "it x sub", .width = 9, .room = 11, .least = WIDE}},
    [LIMITS] = {{"case", "case", .before = "  ", .width = 6, .fit = VB_FIT_NAME},
                {"t1", .format = "%.3g", .scale = 1e3, .width = 21},
                {"t2", .format = "%.3g", .scale = 1e3, .width = 8},
                {"t3", .format = "%.3g", .scale = 1e3, .width = 8},
                {"floor/bytes", "floor: MB", "%.3g", 1e-6, .width = 10, .least = WIDE},
                {"floor/operations", "Mflop", "%.3g", 1e-6, .width = 9, .least = WIDE},
                {"floor/time", "ms", "%.3g", 1e3, .width = 9, .least = WIDE},
                {"floor/multiple", "times", "%.3g", .width = 6, .least = WIDE}},
    [DEVICES] = {{"case", "device", .before = "  ", .width = 6, .fit = VB_FIT_NAME},
                 {"device/launch", "launch", "-", .width = -6},
                 {"device/step_time", "ms/step", "%.4g", 1e3, .width = 8},
                 {"width", "+-%", "%.1f", .width = 5},
                 {"other", "other mode", "-", .width = 15, .least = WIDE},
                 {"repeated", .before = "", .width = -1, .least = WIDE},
                 {"device/sm_clock", "MHz", "%.0f", 1e-6, .width = 6, .least = WIDE},
                 {"marked", "% mk.", "%.0f", .width = 5, .least = WIDE},
                 {"device/energy", "mJ/step", "%.3g", 1e3, .width = 8},
                 {"device/energy_per_dof", "nJ/DOF", "%.3g", 1e9, .width = 8, .least = WIDE},
                 {"throttled", "throttled", "-", .before = "  ", .room = 21, .least = WIDE}}};

static void add_missed_gates(vb_listing *table, const vb_study *study, const vb_bench_case *c) {
  static const char *const WORDS[] = {
      [VB_CLOSE_TO] = "near", [VB_AT_MOST] = "at most", [VB_AT_LEAST] = "at least"};
  for (size_t g = 0; c->evaluated && g < study->n_gates; g++) {
    const vb_gate *gate = &study->gates[g];
    if (!c->evaluated[g] || c->verdicts[g].passed)
      continue;
    vb_listing_line(table, VB_FIT_WORDS, "      ", "%s%.250s: %.4g, not %s %.4g",
                    gate->finding ? "finding: " : "", gate->name, c->verdicts[g].value,
                    WORDS[gate->comparator], gate->reference);
    if (c->verdicts[g].note[0])
      vb_listing_line(table, VB_FIT_WORDS, "      ", "%s", c->verdicts[g].note);
  }
}

/// Adds what ended the case or is wrong with it, and the lines below its speeds.
static void add_end(vb_listing *table, const vb_study *study, const vb_bench_case *c) {
  const char *remark = vb_bench_remark(c);
  vb_listing_word(table, "stop", remark[0] ? remark : vb_stop_word(c->stop),
                  !remark[0]                        ? VB_PLAIN
                  : strcmp(remark, "UNSTABLE") == 0 ? VB_YELLOW
                                                    : VB_RED);
  if (c->divergence.diverged)
    vb_listing_line(table, VB_FIT_WORDS, "      ", "step %" PRId64 ": %.200s", c->divergence.step,
                    c->divergence.what);
  if (vb_bench_unsolved(c) > 0.5)
    vb_listing_line(table, VB_FIT_WORDS, "      ",
                    "this speed solves nothing: from where its last step ends, Newton's step is "
                    "%.2g of the motion",
                    vb_bench_unsolved(c));
  add_missed_gates(table, study, c);
}

/// Adds the cells of speeds and settings that stand in a text alone.
static void add_words(vb_listing *table, const vb_bench_case *c) {
  vb_listing_real(table, "bytes", c->memory > 0 ? c->memory / (double)c->nodes : NAN);
  vb_listing_print(table, "sweeps", "%5" PRId64 " x %" PRId64, c->settings.iterations,
                   c->settings.substeps);
  for (int k = 0; k < VB_BENCH_TARGETS; k++)
    vb_listing_real(table, TABLES[LIMITS][TARGET + k].cell, c->accuracy.time_s[k]);
}

/// Likewise of devices. The other launch mode is marked where it ended in another state.
static void add_device_words(vb_listing *table, const vb_bench_case *c) {
  const vb_bench_device *d = &c->device;
  char words[120];
  vb_throttle_words(d->throttle, words, sizeof words);
  vb_listing_print(table, "throttled", "%.20s", words);
  vb_listing_real(table, "marked", 100 * vb_bench_marked(c));
  if (d->other_launch[0])
    vb_listing_print(table, "other", "%s %.4g", d->other_launch, 1e3 * d->other_step_s.median);
  if (d->other_launch[0] && !d->other_repeated)
    vb_listing_text(table, "repeated", "!");
}

static vb_status add_case(vb_listing *table, const vb_study *study, const vb_bench_case *c,
                          table_kind kind, vb_error *error) {
  const vb_interval *step = kind == DEVICES ? &c->device.step_s : &c->step_s;
  bool timed = vb_bench_has_time(c);
  vb_listing_row(table);
  vb_listing_text(table, "case", c->run->name);
  vb_listing_real(table, "width", timed ? 100 * vb_relative_width(step) : NAN);
  for (int k = 0; !timed && k < 3; k++) // in place of the numbers below
    vb_listing_text(table, TABLES[SPEEDS][SINGLE + k].cell, NULL);
  vb_status status = vb_bench_add_case(table, c, error);
  add_words(table, c);
  if (kind == DEVICES)
    add_device_words(table, c);
  if (kind == SPEEDS)
    add_end(table, study, c);
  return status;
}

/// Adds the lines below speeds.
static void add_notes(vb_listing *table, const vb_bench *bench, bool wide) {
  if (wide)
    vb_listing_line(table, VB_FIT_WHOLE, "  ", "(p50, p95, p99 are of single steps, ms)");
  if (strcmp(bench->study->name, "contact_crowd") == 0)
    vb_listing_line(table, VB_FIT_WORDS, "  ",
                    "(The paper reports %.3g DOF Hz on a GTX 1080 for such a crowd, without an "
                    "iteration count; compare the case with moving skins)",
                    VB_PAPER_DOF_HZ);
}

/// Prints a table of the cases; that of devices has those that ran on one, if any did.
static vb_status print_cases(FILE *stream, const vb_bench *bench, table_kind kind,
                             vb_error *error) {
  vb_text_column columns[MOST_COLUMNS];
  char heads[VB_BENCH_TARGETS][32];
  vb_listing table = {0};
  vb_status status = VB_OK;
  memcpy(columns, TABLES[kind], sizeof columns);
  for (int k = 0; kind == LIMITS && k < VB_BENCH_TARGETS; k++) {
    snprintf(heads[k], sizeof heads[k], "%s%.0e", k ? "" : "ms to residual ", vb_bench_target[k]);
    columns[TARGET + k].head = heads[k];
  }
  for (size_t i = 0; !status && i < bench->n_cases; i++) {
    const vb_bench_case *c = &bench->cases[i];
    columns[0].width = longer(columns[0].width, vb_report_columns(c->run->name));
    if (kind != DEVICES || c->device.there)
      status = add_case(&table, bench->study, c, kind, error);
  }
  if (kind == SPEEDS)
    add_notes(&table, bench, vb_terminal_width(stream) >= WIDE - 1);
  if (status || table.n_rows == 0) {
    vb_listing_free(&table);
    return status;
  }
  fputs(kind == SPEEDS ? "" : "\n", stream);
  return vb_listing_write_text(stream, &table, columns, MOST_COLUMNS, error);
}

/// Room for a modulus as words.
enum { MODULUS = 48 };

/// A modulus: that of all segments, or the least and the greatest.
static const char *print_modulus(const double range[2], char out[MODULUS]) {
  if (isnan(range[0]))
    return "-";
  if (range[1] - range[0] <= 1e-9 * range[1])
    snprintf(out, MODULUS, "%.3g", range[0]);
  else
    snprintf(out, MODULUS, "%.3g to %.3g", range[0], range[1]);
  return out;
}

/// Room for what a case's segments are made of, as words.
enum { MATERIAL = 3 * MODULUS };

static void print_material(const vb_bench_case *c, char out[MATERIAL]) {
  const vb_moduli moduli = vb_moduli_of(c->run->scene);
  char young[MODULUS], bending[MODULUS];
  snprintf(out, MATERIAL, "material model %s, E [Pa] %s, bends as %s",
           vb_material_models_of(c->run->scene), print_modulus(moduli.young, young),
           print_modulus(moduli.bending, bending));
}

/// Writes a material and the cases that have it, from number `i` on; that of the first case is the
/// usual one, whose cases are not named.
static vb_status print_cases_of(FILE *stream, const vb_bench *bench, char (*material)[MATERIAL],
                                size_t i, bool only, vb_error *error) {
  char *text = NULL;
  size_t size = 0;
  FILE *words = open_memstream(&text, &size);
  if (!words)
    return vb_error_memory(error);
  fprintf(words, "%s: ", material[i]);
  if (i == 0)
    fputs(only ? "all cases" : "all other cases", words);
  for (size_t k = i; i > 0 && k < bench->n_cases; k++)
    if (strcmp(material[k], material[i]) == 0)
      fprintf(words, "%s%s", k > i ? ", " : "", bench->cases[k].run->name);
  bool done = fclose(words) == 0;
  if (done)
    vb_report_words(stream, "  ", text, 2, vb_terminal_width(stream));
  free(text);
  return done ? VB_OK : vb_error_memory(error);
}

/// Says what the segments of the cases are made of: a line for each material.
static vb_status print_materials(FILE *stream, const vb_bench *bench, vb_error *error) {
  char(*material)[MATERIAL] = calloc(bench->n_cases + 1, sizeof *material);
  vb_status status = material ? VB_OK : vb_error_memory(error);
  bool only = true;
  for (size_t i = 0; !status && i < bench->n_cases; i++) {
    print_material(&bench->cases[i], material[i]);
    only = only && strcmp(material[i], material[0]) == 0;
  }
  for (size_t n = bench->n_cases; !status && n > 0; n--) { // the usual one last
    size_t first = 0;
    while (strcmp(material[first], material[n - 1]) != 0)
      first++;
    if (first == n - 1)
      status = print_cases_of(stream, bench, material, first, only, error);
  }
  free(material);
  return status;
}

/// Whether any case has a time to accuracy, or a floor.
static bool has_limits(const vb_bench *bench) {
  for (size_t i = 0; i < bench->n_cases; i++)
    if (bench->cases[i].accuracy.n > 0 || bench->cases[i].floor.known)
      return true;
  return false;
}

static vb_status print_scaling(FILE *stream, const vb_bench *bench, vb_error *error) {
  static const vb_text_column COLUMNS[] = {
      {"name", "time of a step = t0 + DOFs / r", .before = "  ", .fit = VB_FIT_NAME},
      {"largest", "largest", .width = 12},
      {"dofs", "DOFs", "%.3g", .width = 9, .least = WIDE},
      {"offset", "t0 [ms]", "%.3g", 1e3, .width = 9},
      {"rate", "r [DOF/s]", "%.3g", .width = 9},
      {"deviation", "deviation", "%.1f %%", 100, .width = 10, .least = WIDE}};
  vb_listing table = {0};
  for (size_t i = 0; i < bench->n_scaling; i++) {
    const vb_bench_scaling *s = &bench->scaling[i];
    vb_listing_row(&table);
    vb_listing_text(&table, "name", s->name);
    vb_listing_print(&table, "largest", "%5g %-6s", s->size[s->n - 1],
                     s->over_bodies ? "bodies" : "nodes");
    vb_listing_real(&table, "dofs", s->dofs[s->n - 1]);
    vb_listing_real(&table, "offset", s->fitted ? s->cost.offset : NAN);
    vb_listing_real(&table, "rate", s->fitted ? s->cost.rate : NAN);
    vb_listing_real(&table, "deviation", s->fitted ? s->cost.deviation : NAN);
  }
  if (table.n_rows == 0)
    return VB_OK;
  fputc('\n', stream);
  return vb_listing_write_text(stream, &table, COLUMNS, sizeof COLUMNS / sizeof *COLUMNS, error);
}

vb_status vb_bench_report_cases(FILE *stream, const vb_bench *bench, vb_error *error) {
  char text[400];
  snprintf(text, sizeof text, "%.100s: %.250s (tier %s)", bench->study->name, bench->study->title,
           bench->study->tier);
  vb_report_words(stream, "\n", text, 0, vb_terminal_width(stream));
  vb_status status = VB_OK;
  for (table_kind kind = SPEEDS; !status && kind <= DEVICES; kind++) {
    if (kind != LIMITS || has_limits(bench))
      status = print_cases(stream, bench, kind, error);
    if (!status && kind == SETTINGS)
      status = print_materials(stream, bench, error);
  }
  return status ? status : print_scaling(stream, bench, error);
}

/// Whether the table has a row of that setting.
static bool has_setting(const vb_listing *table, const char *setting) {
  for (size_t i = 0; i < table->n_rows; i++) {
    const vb_cell *cell = vb_listing_cell(table, i, "setting");
    if (cell && cell->text && strcmp(cell->text, setting) == 0)
      return true;
  }
  return false;
}

vb_status vb_bench_report_ratios(FILE *stream, const vb_bench *benches, size_t n,
                                 const char *baseline, vb_error *error) {
  vb_listing table = {0};
  char setting[128];
  size_t scenes;
  int longest = 6;
  for (size_t b = 0; b < n; b++)
    for (size_t i = 0; i < benches[b].n_cases; i++) {
      vb_bench_setting_name(benches[b].cases[i].run->name, setting, sizeof setting);
      longest = longer(longest, vb_report_columns(setting));
      double ratio = vb_bench_ratio(benches, n, setting, baseline, &scenes);
      if (scenes == 0 || has_setting(&table, setting))
        continue;
      vb_listing_row(&table);
      vb_listing_text(&table, "setting", setting);
      vb_listing_real(&table, "ratio", ratio);
      vb_listing_print(&table, "scenes", "%zu scene%s", scenes, scenes == 1 ? "" : "s");
    }
  const vb_text_column columns[] = {
      {"setting", .before = "  ", .width = longest, .fit = VB_FIT_NAME},
      {"ratio", .format = "%.3f", .width = 8},
      {"scenes", .before = "  ", .room = 9}};
  fprintf(stream, "\n  speed over that of %s, geometric mean over scenes\n", baseline);
  return vb_listing_write_text(stream, &table, columns, sizeof columns / sizeof *columns, error);
}
