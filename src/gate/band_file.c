// SPDX-License-Identifier: GPL-3.0-or-later
#include "gate/band_file.h"

#include "base/arena.h"
#include "base/file.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define UNMEASURED "unmeasured"

/// Half of a new band's width, as a share of the value: the whole of it is below VB_BAND_WIDTH, and
/// a tenth of a change is outside of it whatever the rounding of its bounds.
static const double HALF_WIDTH = 0.02;

/// The most bytes of a file.
enum { MOST_BYTES = 1 << 24, FIELDS = 6 };

/// Tiers in the order of the file.
static const char *const TIERS[] = {"quick", "full"};

static const char HEAD[] =
    "# What the findings of this study measure at present, written by viperbench run "
    "--write-bands.\n"
    "# tier\tlow\thigh\truns\tfinding\treason for a width of more than 5 %\n";

/// A line of the file. Texts lie in that of the list.
typedef struct band_line {
  const char *tier, *low, *high, *runs, *name, *reason;
  vb_band band;
  bool taken; ///< by a gate
} band_line;

typedef struct band_list {
  char *text;  ///< the file, cut into its fields
  char *whole; ///< the file as it is; null where there is none
  band_line *lines;
  size_t n;
} band_list;

static void free_list(band_list *list) {
  free(list->text);
  free(list->whole);
  free(list->lines);
}

/// Reads a bound; false where it is no finite number.
static bool read_bound(const char *text, double *out) {
  char *end;
  *out = strtod(text, &end);
  return end > text && !*end && isfinite(*out);
}

static double width(const vb_band *band) {
  double most = fmax(fabs(band->low), fabs(band->high));
  return most > 0 ? (band->high - band->low) / most : 0;
}

/// Reads the band of a line. `place` is its file and number.
static vb_status read_band(band_line *line, const char *place, vb_error *error) {
  vb_band *band = &line->band;
  if (strcmp(line->tier, TIERS[0]) != 0 && strcmp(line->tier, TIERS[1]) != 0)
    return vb_bad_input(error, "%s: the tier is \"%.40s\"; use quick or full", place, line->tier);
  if (strcmp(line->low, UNMEASURED) == 0 && strcmp(line->high, UNMEASURED) == 0) {
    band->kind = VB_BAND_UNMEASURED;
    return line->reason[0]
               ? VB_OK
               : vb_bad_input(error,
                              "%s: the band is " UNMEASURED "; state the reason in the last field",
                              place);
  }
  if (!read_bound(line->low, &band->low) || !read_bound(line->high, &band->high) ||
      band->low > band->high)
    return vb_bad_input(error,
                        "%s: the band is \"%.40s\" to \"%.40s\"; use two numbers in increasing "
                        "order, or twice the word " UNMEASURED,
                        place, line->low, line->high);
  band->kind = VB_BAND_RANGE;
  if (width(band) > VB_BAND_WIDTH && !line->reason[0])
    return vb_bad_input(error,
                        "%s: the band %s to %s is %.3g %% wide, more than 5 %%; state the measured "
                        "reason in the last field",
                        place, line->low, line->high, 100 * width(band));
  return VB_OK;
}

/// Cuts a line into its fields, and reads its band.
static vb_status read_line(char *text, const char *place, band_line *out, vb_error *error) {
  const char *field[FIELDS];
  int n = 0;
  while (text && n + 1 < FIELDS)
    field[n++] = strsep(&text, "\t");
  if (text)
    field[n++] = text;
  if (n < FIELDS)
    return vb_bad_input(error,
                        "%s: the line has %d of the fields tier, low, high, runs, finding, reason, "
                        "with a tab between two; the last may be empty",
                        place, n);
  *out = (band_line){field[0], field[1], field[2], field[3], field[4], field[5], {0}, false};
  return read_band(out, place, error);
}

static vb_status read_lines(band_list *list, const char *path, vb_error *error) {
  vb_status status = VB_OK;
  int number = 1;
  for (char *at = list->text, *next; !status && *at; at = next, number++) {
    char place[4200];
    size_t length = strcspn(at, "\n");
    next = at + length + (at[length] == '\n');
    at[length] = '\0';
    if (*at == '#' || !*at)
      continue;
    band_line *line = VB_APPEND(list->lines, list->n);
    snprintf(place, sizeof place, "%s:%d", path, number);
    status = line ? read_line(at, place, line, error) : vb_error_memory(error);
  }
  return status;
}

/// Reads all lines; none where there is no such file. To be freed in any case.
static vb_status read_list(const char *path, band_list *out, vb_error *error) {
  size_t size;
  *out = (band_list){0};
  if (access(path, F_OK) != 0 && errno == ENOENT)
    return VB_OK;
  vb_status status = vb_file_read(path, path, MOST_BYTES, &out->text, &size, error);
  if (!status && strlen(out->text) != size)
    status = vb_bad_input(error, "%s: has a byte 0; it must be text", path);
  if (!status && !(out->whole = strdup(out->text)))
    status = vb_error_memory(error);
  return status ? status : read_lines(out, path, error);
}

/// Whether `field` is `text`, whose control characters are blanks there. What follows is left in
/// `*end`.
static bool begins(const char *field, const char *text, const char **end) {
  for (; *text; text++, field++)
    if (*field != (iscntrl((unsigned char)*text) ? ' ' : *text))
      return false;
  *end = field;
  return true;
}

static bool is_of(const band_line *line, const char *tier, const vb_gate *gate) {
  const char *rest = line->runs;
  if (strcmp(line->tier, tier) != 0)
    return false;
  for (size_t i = 0; i < gate->n_runs; i++)
    if ((i > 0 && *rest++ != ' ') || !begins(rest, gate->runs[i], &rest))
      return false;
  return !*rest && begins(line->name, gate->name, &rest) && !*rest;
}

/// The first line of a finding that no other has taken: two may have one name. Null where there is
/// none.
static band_line *take_line(band_list *list, const char *tier, const vb_gate *gate) {
  for (size_t i = 0; i < list->n; i++)
    if (!list->lines[i].taken && is_of(&list->lines[i], tier, gate)) {
      list->lines[i].taken = true;
      return &list->lines[i];
    }
  return NULL;
}

static bool has_band(const vb_gate *gate) {
  return gate->finding && !gate->timed;
}

vb_status vb_bands_read(const char *path, const char *tier, vb_gate *gates, size_t n,
                        vb_error *error) {
  band_list list;
  vb_status status = read_list(path, &list, error);
  for (size_t i = 0; !status && i < n; i++) {
    const band_line *line = has_band(&gates[i]) ? take_line(&list, tier, &gates[i]) : NULL;
    gates[i].band = line ? line->band : (vb_band){0};
    if (!line)
      gates[i].band.kind = has_band(&gates[i]) ? VB_BAND_MISSING : VB_BAND_NONE;
  }
  free_list(&list);
  return status;
}

static void put_line(FILE *out, const band_line *line) {
  fprintf(out, "%s\t%s\t%s\t%s\t%s\t%s\n", line->tier, line->low, line->high, line->runs,
          line->name, line->reason);
}

static void put_plain(FILE *out, const char *text) {
  for (; *text; text++)
    fputc(iscntrl((unsigned char)*text) ? ' ' : *text, out);
}

/// Half of the width of the band around a value that has left the band of `old` (null: it had
/// none). One with a reason stays as wide, as a share of the value; one around 0 has no such share.
static double half_width(const band_line *old, double value) {
  if (!old || !old->reason[0] || old->band.kind != VB_BAND_RANGE)
    return HALF_WIDTH * fabs(value);
  double low = old->band.low, high = old->band.high;
  return low <= 0 && high >= 0 ? (high - low) / 2 : (high - low) / fabs(low + high) * fabs(value);
}

/// Writes the line of a finding that has none, or whose value left it.
static void put_finding(FILE *out, const char *tier, const vb_gate *gate, const band_line *old,
                        double value) {
  double half = half_width(old, value);
  bool is_wide = old && old->band.kind == VB_BAND_RANGE;
  value = value == 0 ? 0 : value; // not -0
  fprintf(out, "%s\t%.6g\t%.6g\t", tier, value - half, value + half);
  for (size_t i = 0; i < gate->n_runs; i++) {
    fputs(i ? " " : "", out);
    put_plain(out, gate->runs[i]);
  }
  fputc('\t', out);
  put_plain(out, gate->name);
  fprintf(out, "\t%s\n", is_wide ? old->reason : "");
}

/// Writes the lines of the tier that is measured, in the order of the gates.
static void put_tier(FILE *out, band_list *list, const vb_band_source *s) {
  for (size_t i = 0; i < s->n; i++) {
    double value = s->evaluated[i] ? s->verdicts[i].value : NAN;
    if (!has_band(&s->gates[i]))
      continue;
    const band_line *old = take_line(list, s->tier, &s->gates[i]);
    bool inside =
        old && old->band.kind == VB_BAND_RANGE && value >= old->band.low && value <= old->band.high;
    if (old && (inside || !isfinite(value)))
      put_line(out, old);
    else if (isfinite(value))
      put_finding(out, s->tier, &s->gates[i], old, value);
  }
}

/// Makes the file of a text, or removes it where that is null.
static vb_status replace(const char *path, const char *text, vb_error *error) {
  vb_output output;
  if (!text)
    return unlink(path) == 0 ? VB_OK
                             : vb_error_set(error, VB_CANNOT_WRITE, "cannot remove %s: %s", path,
                                            strerror(errno));
  vb_status status = vb_output_begin(path, false, &output, error);
  if (status)
    return status;
  FILE *out = vb_output_stream(&output);
  if (!out)
    return vb_output_end(&output, vb_error_memory(error), error);
  bool good = fputs(text, out) >= 0;
  if (fclose(out) != 0 || !good)
    status = vb_error_set(error, VB_CANNOT_WRITE, "cannot write %s", path);
  return vb_output_end(&output, status, error);
}

/// The whole file, to be freed; null for want of memory.
static char *make_text(band_list *list, const vb_band_source *source) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (!out)
    return NULL;
  fputs(HEAD, out);
  for (size_t k = 0; k < sizeof TIERS / sizeof *TIERS; k++)
    if (strcmp(TIERS[k], source->tier) == 0)
      put_tier(out, list, source);
    else
      for (size_t i = 0; i < list->n; i++)
        if (strcmp(list->lines[i].tier, TIERS[k]) == 0)
          put_line(out, &list->lines[i]);
  bool good = !ferror(out);
  if (fclose(out) == 0 && good)
    return text;
  free(text);
  return NULL;
}

vb_status vb_bands_write(const char *path, const vb_band_source *source, bool *changed,
                         vb_error *error) {
  band_list list;
  char *text = NULL;
  vb_status status = read_list(path, &list, error);
  if (!status && !(text = make_text(&list, source)))
    status = vb_error_memory(error);
  if (!status) {
    bool empty = strcmp(text, HEAD) == 0;
    bool same = list.whole ? !empty && strcmp(list.whole, text) == 0 : empty;
    if (!same)
      status = replace(path, empty ? NULL : text, error);
    if (changed)
      *changed = !same && !status;
  }
  free(text);
  free_list(&list);
  return status;
}
