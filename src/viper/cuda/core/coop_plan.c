// SPDX-License-Identifier: GPL-3.0-or-later
#define VIPER_PRECISION 32 // numbers are only counted here
#include "viper/cuda/core/coop_plan.h"

#include "viper/cuda/core/workspace.h"
#include "viper/linear/dissection.h"

#include <stdlib.h>

/// Lanes of a team are a power of two: of a warp, or, from there on, of a block.
#define MOST_LANES 128
/// Threads of a block that several teams share.
#define BLOCK 128

static int64_t rounds_of(const viper_phase *phase, int32_t from, int32_t to, int lanes) {
  int64_t rounds = 0;
  for (int32_t p = from; p < to; p++)
    rounds += (phase[p].count + lanes - 1) / lanes;
  return rounds;
}

/// Rounds of the factorization of `direct`: for each stage what its blocks, its columns and again
/// its blocks need, and its columns on the way back.
static int64_t rounds_of_stages(const viper_kind *kind, int lanes) {
  const viper_schedule *s = kind->schedule;
  int64_t rounds = 0;
  for (int32_t i = 0; i < s->n_stages; i++) {
    int32_t columns = s->stage[i + 1] - s->stage[i];
    int32_t blocks = kind->elimination->first_block[s->stage[i + 1]] -
                     kind->elimination->first_block[s->stage[i]];
    rounds += (4 * blocks + 5 * columns + lanes - 1) / lanes + (blocks + lanes - 1) / lanes +
              2 * ((columns + lanes - 1) / lanes);
  }
  return rounds;
}

int64_t viper_team_rounds(const viper_kind *kind, viper_method method, int lanes) {
  const viper_links *links = kind->links;
  if (method == VIPER_BLOCK_DESCENT) {
    // Joints note what they ask of nodes, of frames, and again after each color of frames.
    int64_t notes = 1;
    for (int32_t p = links->body_phase[0]; p < links->body_phase[1]; p++)
      notes += links->phase[p].joints != 0;
    return rounds_of(links->phase, links->body_phase[0], links->body_phase[1], lanes) +
           notes * (((int64_t)kind->model->n_joints + lanes - 1) / lanes);
  }
  int64_t rounds = rounds_of(kind->model->phase, 0, (int32_t)kind->model->n_phases, lanes);
  return method == VIPER_DIRECT ? rounds + rounds_of_stages(kind, lanes) : rounds;
}

/// Bodies at work at the same time on a multiprocessor.
static int64_t resident(int lanes, size_t near_bytes, const viper_device_limits *limits) {
  int64_t by_lanes = limits->lanes_of_multiprocessor / lanes;
  size_t taken = near_bytes + (lanes < VIPER_WARP ? 0 : limits->shared_reserved);
  int64_t by_memory = (int64_t)(limits->shared_of_multiprocessor / taken);
  return by_lanes < by_memory ? by_lanes : by_memory;
}

int viper_team_lanes(const viper_kind *kind, viper_method method, int64_t n_bodies, size_t n_near,
                     int bytes_of_real, const viper_device_limits *limits) {
  size_t bytes = n_near * (size_t)bytes_of_real;
  int best = 0;
  double least = 0;
  for (int lanes = 1; lanes <= MOST_LANES; lanes *= 2) {
    // A block of one warp at least must find room for all its teams.
    size_t of_warp = lanes < VIPER_WARP ? bytes * (size_t)(VIPER_WARP / lanes) : bytes;
    int64_t at_once = resident(lanes, bytes, limits) * limits->n_multiprocessors;
    if (of_warp > limits->shared_of_block || at_once < 1)
      continue;
    double turns = n_bodies > at_once ? (double)n_bodies / (double)at_once : 1;
    double time = turns * (double)viper_team_rounds(kind, method, lanes);
    if (best == 0 || time < least) {
      best = lanes;
      least = time;
    }
  }
  return best;
}

/// The class of so many lanes, made where there is none yet.
static viper_team_class *find_class(viper_teams *teams, int lanes) {
  size_t i = 0;
  while (i < teams->n && teams->item[i].lanes != lanes)
    i++;
  if (i == teams->n)
    teams->item[teams->n++] = (viper_team_class){.lanes = lanes};
  return &teams->item[i];
}

/// Few lanes first, the grid (0) last.
static int compare(const void *x, const void *y) {
  int a = ((const viper_team_class *)x)->lanes, b = ((const viper_team_class *)y)->lanes;
  return (a == 0) - (b == 0) != 0 ? (a == 0) - (b == 0) : (a > b) - (a < b);
}

/// Threads of a block: as many teams as fill one, and as have room together.
static int count_threads(const viper_team_class *c, int bytes_of_real,
                         const viper_device_limits *limits) {
  size_t bytes = c->n_near * (size_t)bytes_of_real;
  if (c->lanes == 0)
    return BLOCK;
  int threads = c->lanes > VIPER_WARP ? c->lanes : BLOCK;
  while (threads > VIPER_WARP && threads > c->lanes &&
         bytes * (size_t)(threads / c->lanes) > limits->shared_of_block / 2)
    threads /= 2;
  return threads;
}

static size_t count_near(const viper_kind *kind, viper_method method) {
  return viper_near_reals(method, viper_near_size_of_kind(kind));
}

void viper_place_near(const viper_kinds *kinds, viper_method method, size_t n_bodies,
                      int64_t *first) {
  first[0] = 0;
  for (size_t k = 0; k < kinds->n_kinds; k++)
    for (int32_t i = 0; i < kinds->kind[k].n_bodies; i++)
      first[kinds->kind[k].body[i] + 1] = (int64_t)count_near(&kinds->kind[k], method);
  for (size_t k = 0; k < n_bodies; k++)
    first[k + 1] += first[k];
}

/// Gives a kind the elimination that the whole grid is best at, in pieces of so many columns.
static vb_status dissect(viper_kind *kind, int32_t most, vb_error *error) {
  viper_elimination_destroy(kind->elimination);
  viper_schedule_destroy(kind->schedule);
  kind->elimination = NULL;
  kind->schedule = NULL;
  vb_status status = viper_elimination_dissect(kind->model, most, &kind->elimination, error);
  return status ? status : viper_schedule_create(kind->elimination, &kind->schedule, error);
}

/// Writes the lanes of each kind, and the classes with their counts and needs.
static vb_status sort_kinds(const viper_kinds *kinds, viper_method method, int bytes_of_real,
                            const viper_device_limits *limits, viper_teams *teams, int *lanes,
                            vb_error *error) {
  for (size_t k = 0; k < kinds->n_kinds; k++) {
    viper_kind *kind = &kinds->kind[k];
    size_t n_near = count_near(kind, method);
    lanes[k] = viper_team_lanes(kind, method, kind->n_bodies, n_near, bytes_of_real, limits);
    if (lanes[k] == 0 && method == VIPER_DIRECT) {
      vb_status status = dissect(kind, limits->columns_at_once, error);
      if (status)
        return status;
      n_near = count_near(kind, method);
    }
    viper_team_class *c = find_class(teams, lanes[k]);
    c->n_bodies += kind->n_bodies;
    c->n_near = n_near > c->n_near ? n_near : c->n_near;
  }
  qsort(teams->item, teams->n, sizeof *teams->item, compare);
  return VB_OK;
}

/// Lists the bodies class by class.
static void list_bodies(const viper_kinds *kinds, const int *lanes, viper_teams *teams) {
  int32_t next = 0;
  for (size_t i = 0; i < teams->n; i++) {
    teams->item[i].first = next;
    for (size_t k = 0; k < kinds->n_kinds; k++)
      for (int32_t b = 0; lanes[k] == teams->item[i].lanes && b < kinds->kind[k].n_bodies; b++)
        teams->body[next++] = kinds->kind[k].body[b];
  }
}

vb_status viper_teams_create(const viper_kinds *kinds, viper_method method, int bytes_of_real,
                             const viper_device_limits *limits, viper_teams *out, vb_error *error) {
  size_t n_bodies = 0;
  for (size_t k = 0; k < kinds->n_kinds; k++)
    n_bodies += (size_t)kinds->kind[k].n_bodies;
  int *lanes = malloc((kinds->n_kinds + 1) * sizeof *lanes);
  viper_teams teams = {
      .item = calloc(16, sizeof *teams.item), // a class for each power of two, and the grid's
      .body = malloc((n_bodies + 1) * sizeof *teams.body),
  };
  vb_status status = !lanes || !teams.item || !teams.body
                         ? vb_error_memory(error)
                         : sort_kinds(kinds, method, bytes_of_real, limits, &teams, lanes, error);
  if (status) {
    free(lanes);
    viper_teams_destroy(&teams);
    return status;
  }
  list_bodies(kinds, lanes, &teams);
  for (size_t i = 0; i < teams.n; i++)
    teams.item[i].threads = count_threads(&teams.item[i], bytes_of_real, limits);
  free(lanes);
  *out = teams;
  return VB_OK;
}

void viper_teams_destroy(viper_teams *teams) {
  free(teams->item);
  free(teams->body);
}
