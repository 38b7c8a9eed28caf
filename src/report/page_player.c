// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/page_parts.h"

#include "base/scratch.h"
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

static vb_status pack_all(const vb_page *page, packs *p, vb_error *error) {
  const vb_report_results *r = page->results;
  for (size_t i = 0; i < r->n_studies; i++)
    for (size_t k = 0; k < r->studies[i].n_runs && !r->studies[i].speeds; k++) {
      const vb_report_run *run = &r->studies[i].runs[k];
      vb_error why = {0};
      vb_pack pack;
      vb_status status = vb_pack_run(&(vb_pack_plan){run->place, p->step, p->points}, &pack, &why);
      p->n_without += status == VB_BAD_INPUT;
      if (status == VB_BAD_INPUT)
        continue;
      if (status)
        return vb_error_set(error, status, "%s", why.message);
      shown *added = VB_APPEND(p->runs, p->n);
      if (!added) {
        vb_pack_free(&pack);
        return vb_error_memory(error);
      }
      *added = (shown){&r->studies[i], run, pack};
    }
  return VB_OK;
}

/// Packs fewer frames of each run, all with the same step, and fewer points of its series.
static vb_status thin(packs *p, size_t room, vb_error *error) {
  double ratio = (double)total_of(p) / (double)(room + 1);
  size_t step = (size_t)((double)p->step * ratio) + 1;
  p->step = step > p->step ? step : p->step + p->step / 2 + 1;
  p->points = MOST_POINTS / p->step > LEAST_POINTS ? MOST_POINTS / p->step : LEAST_POINTS;
  for (size_t i = 0; i < p->n; i++) {
    vb_pack thinner;
    vb_pack_plan plan = {p->runs[i].run->place, p->step, p->points};
    vb_status status = vb_pack_run(&plan, &thinner, error);
    if (status)
      return status;
    vb_pack_free(&p->runs[i].pack);
    p->runs[i].pack = thinner;
  }
  return VB_OK;
}

static size_t most_frames(const packs *p) {
  size_t most = 0;
  for (size_t i = 0; i < p->n; i++)
    most = p->runs[i].pack.n_frames > most ? p->runs[i].pack.n_frames : most;
  return most;
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
  while (!status && total_of(p) > room && (most_frames(p) > 2 || p->points > LEAST_POINTS))
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
    if (thinned && most_frames(p) <= 2)
      fputs("the first and the last recorded frame of each run alone", out);
    else if (thinned)
      vb_html_print(out, "one of every %zu recorded frames, and the last", p->step);
    else
      fputs("all recorded frames", out);
    vb_html_print(out, "; its plots have at most %zu points.</p>\n", p->points);
  }
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
