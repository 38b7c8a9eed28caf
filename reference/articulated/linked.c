// SPDX-License-Identifier: GPL-3.0-or-later
#include "linked.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// With fewer bones one thread is done sooner than several.
enum { PARALLEL = 40 };

/// Lists links by sets, each of which has those of its bones.
static void list_links(ar_linked *l) {
  size_t at = 0;
  for (size_t i = 0; i < l->links->n; i++)
    l->set[l->sets.set_of[l->links->link[i].bone[0]]].links.n++;
  for (size_t k = 0; k < l->sets.n; k++) {
    l->set[k].link = l->link + at;
    at += l->set[k].links.n;
    l->set[k].links.n = 0;
  }
  for (size_t i = 0; i < l->links->n; i++) {
    ar_linked_set *set = &l->set[l->sets.set_of[l->links->link[i].bone[0]]];
    l->link[(size_t)(set->link - l->link) + set->links.n++] = (int32_t)i;
  }
}

/// A set's bones and links, and its numbers.
static vb_status make_set(const ar_linked *l, size_t k, bool apart, vb_error *error) {
  ar_linked_set *set = &l->set[k];
  size_t n = l->sets.first[k + 1] - l->sets.first[k], square = apart ? 16 * n : 16 * n * n;
  set->bone = l->sets.bone + l->sets.first[k];
  set->body = (ar_body){.scene = l->body->scene,
                        .n_bones = n,
                        .n_links = set->links.n,
                        .size = l->body->size,
                        .bone = calloc(n, sizeof *set->body.bone)};
  set->pose = calloc(n, sizeof *set->pose);
  set->weight = calloc(3 * square + 24 * n, sizeof *set->weight);
  if (!set->body.bone || !set->pose || !set->weight)
    return vb_error_memory(error);
  set->target = set->weight + 3 * square;
  set->next = set->target + 12 * n;
  for (size_t i = 0; i < n; i++)
    set->body.bone[i] = l->body->bone[set->bone[i]];
  vb_status status = ar_links_select(l->links, &set->body, set->link, set->links.n, l->sets.place,
                                     &set->links, error);
  if (!status)
    status = ar_projector_create(&set->body, &set->links, apart, &set->projector, error);
  if (status)
    return status;
  set->projector.start = set->pose;
  for (size_t c = 0; c < 3; c++)
    set->projector.weight[c] = set->weight + c * square;
  return VB_OK;
}

/// The 4 x 4 numbers of two bones' weight, of leading dimension `lead`, or null where it is 0.
static const double *find_weight(const ar_reduced *r, int component, int32_t k, int32_t l,
                                 size_t *lead) {
  const ar_part *part = &r->system[r->of[component]].part[r->sets.set_of[k]];
  *lead = 4 * part->n_bones;
  return r->sets.set_of[k] != r->sets.set_of[l]
             ? NULL
             : part->weight + 4 * (size_t)r->sets.place[k] * *lead + 4 * (size_t)r->sets.place[l];
}

/// Writes the weight of a set, by S or by mass over the square of the step.
static void fill_weight(ar_linked_set *set, const ar_reduced *r, bool apart, bool published,
                        double h) {
  size_t n = set->body.n_bones, wide = apart ? 4 : 4 * n;
  for (int c = 0; c < 3; c++)
    for (size_t k = 0; k < n; k++)
      for (size_t l = apart ? k : 0; l < (apart ? k + 1 : n); l++) {
        double *out = set->weight + ((size_t)c * n + k) * 4 * wide + (apart ? 0 : 4 * l);
        size_t lead = 4;
        const double *from = published && k != l ? NULL
                             : published         ? r->bone_mass + 16 * (size_t)set->bone[k]
                                         : find_weight(r, c, set->bone[k], set->bone[l], &lead);
        for (size_t i = 0; i < 16 && from; i++)
          out[i / 4 * wide + i % 4] = from[i / 4 * lead + i % 4] / (published ? h * h : 1);
      }
}

/// Whether flesh couples no two bones of set k.
static bool is_apart(const ar_linked *l, size_t k, const ar_reduced *r, bool published) {
  for (size_t j = l->sets.first[k]; j < l->sets.first[k + 1] && !published; j++) {
    int32_t set = r->sets.set_of[l->sets.bone[j]];
    if (r->sets.first[set + 1] - r->sets.first[set] > 1)
      return false;
  }
  return true;
}

vb_status ar_linked_create(const ar_body *body, ar_links *links, const ar_reduced *reduced,
                           bool published, double h, ar_linked *out, vb_error *error) {
  ar_linked l = {.body = body, .links = links, .threads = 1};
  vb_status status = ar_sets_create(body, !published, true, &l.sets, error);
  if (status)
    return status;
  l.set = calloc(l.sets.n + 1, sizeof *l.set);
  l.link = calloc(links->n + 1, sizeof *l.link);
  l.multiplier = calloc(2 * links->most_rows + 1, sizeof *l.multiplier);
  l.pose = calloc(body->n_bones + 1, sizeof *l.pose);
  if (!l.set || !l.link || !l.multiplier || !l.pose)
    status = vb_error_memory(error);
  else
    list_links(&l);
  l.values = l.multiplier + links->most_rows;
  for (size_t k = 0; k < l.sets.n && !status; k++) {
    bool apart = is_apart(&l, k, reduced, published);
    status = make_set(&l, k, apart, error);
    if (!status)
      fill_weight(&l.set[k], reduced, apart, published, h);
  }
  if (status)
    ar_linked_clear(&l);
  *out = l;
  return status;
}

void ar_linked_clear(ar_linked *l) {
  for (size_t k = 0; k < l->sets.n && l->set; k++) {
    ar_linked_set *set = &l->set[k];
    ar_projector_clear(&set->projector);
    ar_links_clear(&set->links);
    free(set->body.bone);
    free(set->pose);
    free(set->weight);
  }
  free(l->set);
  free(l->link);
  free(l->multiplier);
  free(l->pose);
  ar_sets_clear(&l->sets);
  *l = (ar_linked){0};
}

void ar_linked_set_options(ar_linked *l, int most, bool feasible, bool curved, int threads) {
  l->threads = threads;
  for (size_t k = 0; k < l->sets.n; k++) {
    l->set[k].projector.most = most;
    l->set[k].projector.feasible = feasible;
    l->set[k].projector.curved = curved;
  }
}

/// Gives a set the limits and driven sides of all links.
static void take_links(const ar_linked *l, ar_linked_set *set) {
  for (size_t i = 0; i < set->links.n; i++) {
    const ar_link *from = &l->links->link[set->link[i]];
    set->links.link[i].side = from->side;
    ar_links_limit(&set->links, i, from->at_limit);
  }
}

static void project_set(const ar_linked *l, ar_linked_set *set, const ar_pose *start,
                        const double *target) {
  take_links(l, set);
  for (size_t i = 0; i < set->body.n_bones; i++) {
    set->pose[i] = start[set->bone[i]];
    memcpy(set->target + 12 * i, target + 12 * set->bone[i], 12 * sizeof *target);
  }
  set->projector.gaps = l->gaps ? set->gaps : NULL;
  set->status = ar_project(&set->projector, set->target, set->next, &set->error);
}

/// Hands a set's result to all bones and links.
static void give_back(ar_linked *l, const ar_linked_set *set, double *out) {
  const ar_projector *p = &set->projector;
  for (size_t i = 0; i < set->body.n_bones; i++) {
    l->pose[set->bone[i]] = p->pose[i];
    memcpy(out + 12 * set->bone[i], set->next + 12 * i, 12 * sizeof *out);
  }
  for (size_t i = 0; i < set->links.n; i++) {
    const ar_link *own = &set->links.link[i];
    memcpy(l->multiplier + l->links->link[set->link[i]].row, p->multiplier + own->row,
           (3 + (size_t)own->n_values) * sizeof *l->multiplier);
  }
  l->iterations = p->iterations > l->iterations ? p->iterations : l->iterations;
  for (int i = 0; i < AR_GAPS && l->gaps; i++)
    l->gaps[i] = fmax(l->gaps[i], set->gaps[i]);
}

vb_status ar_linked_project(ar_linked *l, const ar_pose *start, const double *target, double *out,
                            vb_error *error) {
  size_t n = l->sets.n;
#pragma omp parallel for schedule(dynamic)                                                         \
    num_threads(l->threads) if (n > 1 && l->body->n_bones > PARALLEL)
  for (size_t k = 0; k < n; k++)
    project_set(l, &l->set[k], start, target);
  l->iterations = 0;
  for (int i = 0; i < AR_GAPS && l->gaps; i++)
    l->gaps[i] = 0;
  for (size_t k = 0; k < n; k++) {
    if (l->set[k].status) {
      if (error)
        *error = l->set[k].error;
      return l->set[k].status;
    }
    for (size_t i = 0; i < l->set[k].links.n; i++)
      ar_links_limit(l->links, (size_t)l->set[k].link[i], l->set[k].links.link[i].at_limit);
  }
  for (size_t k = 0; k < n; k++)
    give_back(l, &l->set[k], out);
  return VB_OK;
}

static void remove_of_set(const ar_linked *l, ar_linked_set *set, const ar_pose *pose,
                          double *gradient) {
  double *own = set->next; // its memory is free now
  set->status = VB_OK;
  take_links(l, set);
  if (set->links.n == 0)
    return;
  for (size_t i = 0; i < set->body.n_bones; i++) {
    set->pose[i] = pose[set->bone[i]];
    memcpy(own + 6 * i, gradient + 6 * set->bone[i], 6 * sizeof *own);
  }
  set->status = ar_projector_remove(&set->projector, set->pose, own, &set->error);
  for (size_t i = 0; i < set->body.n_bones; i++)
    memcpy(gradient + 6 * set->bone[i], own + 6 * i, 6 * sizeof *own);
}

vb_status ar_linked_remove(ar_linked *l, const ar_pose *pose, double *gradient, vb_error *error) {
  size_t n = l->sets.n;
#pragma omp parallel for schedule(dynamic)                                                         \
    num_threads(l->threads) if (n > 1 && l->body->n_bones > PARALLEL)
  for (size_t k = 0; k < n; k++)
    remove_of_set(l, &l->set[k], pose, gradient);
  for (size_t k = 0; k < n; k++)
    if (l->set[k].status) {
      if (error)
        *error = l->set[k].error;
      return l->set[k].status;
    }
  return VB_OK;
}
