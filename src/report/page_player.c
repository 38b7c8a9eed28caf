// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/page_parts.h"

#include "base/scratch.h"
#include "report/chosen_runs.h"
#include "report/pack.h"
#include "report/still.h"

#include <stdlib.h>
#include <string.h>

/// Stills in a page at most.
#define MOST_STILLS 24

/// Points of a series at most: the eye sees no more. Where room is short there are fewer, down to
/// some that still show a shape.
#define MOST_POINTS  400
#define LEAST_POINTS 50

/// Runs of a study in the player at most: side by side more cannot be told apart.
#define MOST_RUNS ((size_t)6)

/// Frames of a run that still show its motion. Where there is no room for them, runs are left out
/// instead.
#define LEAST_FRAMES ((size_t)12)

/// A run that is packed.
typedef struct shown {
  const vb_report_study *study;
  const vb_report_run *run;
  vb_pack pack;
} shown;

/// All runs of a page that have frames.
typedef struct packs {
  shown *runs;
  size_t n;
  size_t step;      ///< of the frames that are kept, every step-th is packed
  size_t points;    ///< of a series at most
  size_t n_dropped; ///< runs that are left out for want of room
  size_t n_without; ///< runs that have no frames
  size_t n_alike;   ///< runs that are left out because others differ more
} packs;

static size_t bytes_of(const vb_pack *pack) {
  return 4 * ((pack->n_bytes + 2) / 3) + strlen(pack->facts) + 500;
}

static size_t total_of(const packs *p) {
  size_t sum = 0;
  for (size_t i = 0; i < p->n; i++)
    sum += bytes_of(&p->runs[i].pack);
  return sum;
}

static void free_packs(packs *p) {
  for (size_t i = 0; i < p->n; i++)
    vb_pack_free(&p->runs[i].pack);
  free(p->runs);
  *p = (packs){0};
}

static vb_status pack_one(const vb_report_study *s, const vb_report_run *run, packs *p,
                          vb_error *error) {
  vb_error why = {0};
  vb_pack pack;
  vb_status status = vb_pack_run(&(vb_pack_plan){run->place, p->step, p->points}, &pack, &why);
  p->n_without += status == VB_BAD_INPUT;
  if (status)
    return status == VB_BAD_INPUT ? VB_OK : vb_error_set(error, status, "%s", why.message);
  shown *added = VB_APPEND(p->runs, p->n);
  if (!added) {
    vb_pack_free(&pack);
    return vb_error_memory(error);
  }
  *added = (shown){s, run, pack};
  return VB_OK;
}

static vb_status pack_all(const vb_page *page, packs *p, vb_error *error) {
  const vb_report_results *r = page->results;
  vb_status status = VB_OK;
  for (size_t i = 0; !status && i < r->n_studies; i++) {
    const vb_report_study *s = &r->studies[i];
    bool *chosen = s->speeds ? NULL : calloc(s->n_runs + 1, sizeof *chosen);
    if (s->speeds)
      continue;
    if (!chosen)
      return vb_error_memory(error);
    p->n_alike += vb_report_choose_runs(s, MOST_RUNS, chosen);
    for (size_t k = 0; !status && k < s->n_runs; k++)
      if (chosen[k])
        status = pack_one(s, &s->runs[k], p, error);
    free(chosen);
  }
  return status;
}

static size_t most_frames(const packs *p) {
  size_t most = 0;
  for (size_t i = 0; i < p->n; i++)
    most = p->runs[i].pack.n_frames > most ? p->runs[i].pack.n_frames : most;
  return most;
}

/// The step of a run that recorded `n` frames: no greater than leaves enough of them.
static size_t step_of(const packs *p, size_t n) {
  size_t most = n / LEAST_FRAMES > 1 ? n / LEAST_FRAMES : 1;
  return p->step < most ? p->step : most;
}

/// Packs fewer frames of each run, and fewer points of its series.
static vb_status thin(packs *p, size_t room, vb_error *error) {
  double ratio = (double)total_of(p) / (double)(room + 1);
  size_t step = (size_t)((double)p->step * ratio) + 1,
         most = p->step * most_frames(p) / LEAST_FRAMES;
  p->step = step > p->step ? step : p->step + p->step / 2 + 1;
  p->step = p->step > most ? most : p->step;
  p->points = MOST_POINTS / p->step > LEAST_POINTS ? MOST_POINTS / p->step : LEAST_POINTS;
  for (size_t i = 0; i < p->n; i++) {
    vb_pack thinner;
    vb_pack_plan plan = {p->runs[i].run->place, step_of(p, p->runs[i].pack.n_recorded), p->points};
    vb_status status = vb_pack_run(&plan, &thinner, error);
    if (status)
      return status;
    vb_pack_free(&p->runs[i].pack);
    p->runs[i].pack = thinner;
  }
  return VB_OK;
}

static void drop_largest(packs *p) {
  size_t worst = 0;
  for (size_t i = 1; i < p->n; i++)
    if (bytes_of(&p->runs[i].pack) > bytes_of(&p->runs[worst].pack))
      worst = i;
  vb_pack_free(&p->runs[worst].pack);
  memmove(&p->runs[worst], &p->runs[worst + 1], (p->n - worst - 1) * sizeof *p->runs);
  p->n--;
  p->n_dropped++;
}

/// Thins, and leaves out the largest runs where that is not enough.
static vb_status shrink(packs *p, size_t room, vb_error *error) {
  vb_status status = VB_OK;
  while (!status && total_of(p) > room && most_frames(p) >= 2 * LEAST_FRAMES)
    status = thin(p, room, error);
  while (!status && p->n > 0 && total_of(p) > room)
    drop_largest(p);
  return status;
}

static vb_status put_stills(FILE *out, const packs *p, vb_error *error) {
  char folder[VB_SCRATCH_PATH];
  vb_status status = vb_scratch_make(folder, error);
  if (status)
    return status;
  fputs("<div class=\"stills\" id=\"stills\">\n<p>The last frame of each run. Where there are "
        "scripts and WebGL 2, a player shows the motion here.</p>\n",
        out);
  for (size_t i = 0; !status && i < p->n && i < MOST_STILLS; i++)
    status = vb_still_write(out, p->runs[i].study, p->runs[i].run, folder, error);
  if (p->n > MOST_STILLS)
    vb_html_print(out, "<p>%zu more runs have no picture here.</p>\n", p->n - MOST_STILLS);
  fputs("</div>\n", out);
  vb_scratch_remove(folder);
  return status;
}

/// What was left out, in words.
static void put_thinning(FILE *out, const packs *p) {
  bool thinned = false;
  for (size_t i = 0; i < p->n; i++)
    thinned = thinned || p->runs[i].pack.n_frames < p->runs[i].pack.n_recorded;
  if (p->points < MOST_POINTS && p->n) {
    fputs("<p id=\"thinned\">To keep the page small, the player has ", out);
    if (thinned)
      vb_html_print(
          out, "one of every %zu recorded frames, or %zu of each run, with the first and the last",
          p->step, LEAST_FRAMES);
    else
      fputs("all recorded frames", out);
    vb_html_print(out, "; its plots have at most %zu points.</p>\n", p->points);
  }
  if (p->n_alike)
    vb_html_print(out,
                  "<p>Of a study with more than %zu runs the player has those that it names for "
                  "show, or the %zu that differ most; %zu other%s in the results files.</p>\n",
                  MOST_RUNS, MOST_RUNS, p->n_alike, p->n_alike > 1 ? "s are" : " is");
  if (p->n_without && p->n)
    vb_html_print(out, "<p class=\"aside\">%zu run%s recorded no frames that can be shown.</p>\n",
                  p->n_without, p->n_without > 1 ? "s" : "");
  if (p->n_dropped)
    vb_html_print(out,
                  "<p>%zu runs are too large for the player even so; a larger --size makes room "
                  "for them.</p>\n",
                  p->n_dropped);
}

static void put_pack(FILE *out, const shown *s) {
  vb_html_print(
      out, "<script type=\"application/json\" class=\"pack\" data-study=\"%s\" data-run=\"%s\">",
      s->study->name, s->run->name);
  vb_html_json(out, s->pack.facts);
  fputs("</script>\n<script type=\"text/plain\" class=\"bytes\">", out);
  vb_html_base64(out, s->pack.bytes, s->pack.n_bytes);
  fputs("</script>\n", out);
}

vb_status vb_page_player(FILE *out, const vb_page *page, size_t room, vb_error *error) {
  packs p = {.step = 1, .points = MOST_POINTS};
  char *stills = NULL;
  size_t size = 0;
  vb_status status = pack_all(page, &p, error);
  if (!status)
    status = shrink(&p, room, error);
  FILE *behind = status ? NULL : open_memstream(&stills, &size);
  if (!status && !behind)
    status = vb_error_memory(error);
  if (!status)
    status = put_stills(behind, &p, error);
  if (behind && fclose(behind) && !status)
    status = vb_error_memory(error);
  if (!status)
    status = shrink(&p, room > size ? room - size : 0, error);
  if (!status) {
    fputs("<section id=\"motion\" aria-labelledby=\"motion-head\">\n"
          "<h2 id=\"motion-head\">Motion</h2>\n",
          out);
    if (p.n == 0)
      fputs("<p>No run has recorded frames.</p>\n", out);
    put_thinning(out, &p);
    if (p.n)
      fwrite(stills, 1, size, out);
    fputs("<div class=\"player\" id=\"player\" hidden></div>\n", out);
    for (size_t i = 0; i < p.n; i++)
      put_pack(out, &p.runs[i]);
    fputs("</section>\n", out);
  }
  free(stills);
  free_packs(&p);
  return status;
}
