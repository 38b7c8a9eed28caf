// SPDX-License-Identifier: GPL-3.0-or-later
#define VIPER_PRECISION 32 // numbers are only counted here
#include "viper/cuda/core/host.h"

#include "viper/cuda/core/device.h"
#include "viper/linear/dissection.h"

#include <stdlib.h>

/// A cooperative group has a power of two of threads, at most a block.
#define MOST_THREADS 128
/// Threads of a block that several groups share.
#define BLOCK 128

static int64_t rounds_of(const viper_phase *phase, int32_t from, int32_t to, int coop_size) {
  int64_t rounds = 0;
  for (int32_t p = from; p < to; p++)
    rounds += (phase[p].count + coop_size - 1) / coop_size;
  return rounds;
}

static int64_t rounds_for(int64_t tasks, int coop_size) {
  return (tasks + coop_size - 1) / coop_size;
}

/// A column on the way back takes a tile of threads a round; so many rounds take an element, and a
/// column of a chain forward.
#define ROUNDS_OF_ELEMENT 12
#define ROUNDS_OF_COLUMN  3

/// Rounds of an iteration of `direct` of a chain: the elements; for each stage its columns forward
/// and on the way back; all columns once more.
static int64_t rounds_of_chain(const viper_body_group *group, int coop_size) {
  const viper_schedule *s = group->schedule;
  int64_t elements = (int64_t)(group->model->n_segments + group->model->n_joints);
  int64_t rounds = ROUNDS_OF_ELEMENT * rounds_for(elements, coop_size) +
                   rounds_for((int64_t)group->elimination->n_columns, coop_size);
  for (int32_t i = 0; i < s->n_stages; i++)
    rounds += (ROUNDS_OF_COLUMN + 1) *
              rounds_for(VIPER_TILE * (int64_t)(s->stage[i + 1] - s->stage[i]), coop_size);
  return rounds;
}

/// An element is linearized in the time of so many updates.
#define UPDATES_OF_ELEMENT 8

/// Likewise of other bodies: the elements; for each stage the updates by its columns, and
/// its columns on the way back, by four threads each; all columns and all blocks once more.
static int64_t rounds_of_updates(const viper_body_group *group, int coop_size) {
  const viper_schedule *s = group->schedule;
  const viper_elimination *e = group->elimination;
  int64_t elements = (int64_t)(group->model->n_segments + group->model->n_joints);
  int64_t rounds = UPDATES_OF_ELEMENT * rounds_for(elements, coop_size) +
                   rounds_for((int64_t)e->n_columns, coop_size) +
                   rounds_for((int64_t)e->n_blocks, coop_size);
  for (int32_t i = 0; i < s->n_stages; i++) {
    int64_t updates = 0;
    for (int32_t c = s->stage[i]; c < s->stage[i + 1]; c++) {
      const int64_t rows = e->first_block[c + 1] - e->first_block[c];
      updates += rows * (rows + 1) / 2;
    }
    rounds += rounds_for(4 * updates, coop_size) +
              rounds_for(4 * (int64_t)(s->stage[i + 1] - s->stage[i]), coop_size);
  }
  return rounds;
}

/// A round of what goes over all nodes, segments or joints, as the beginning and the end of a
/// substep, is this part of a round of constraints, in each iteration.
#define PARTS_OF_ROUND 4

/// Likewise of an iteration over constraints, in such parts; barriers of a block, where those of a
/// warp would do, take as long as another round.
static int64_t rounds_of_constraints(const viper_model *m, int coop_size) {
  const int64_t barriers = coop_size > VIPER_WARP;
  return PARTS_OF_ROUND * (barriers + viper_rounds_count(m, coop_size)) +
         rounds_for((int64_t)m->n_nodes, coop_size) +
         rounds_for((int64_t)m->n_segments, coop_size) +
         rounds_for((int64_t)m->n_joints, coop_size);
}

int64_t viper_coop_rounds(const viper_body_group *group, viper_method method, int coop_size) {
  const viper_adjacency *adjacency = group->adjacency;
  if (viper_method_has(method, VIPER_OWN_PHASES)) {
    // Joints note what they ask of nodes, of frames, and again after each color of frames.
    int64_t notes = 1;
    for (int32_t p = adjacency->body_phase[0]; p < adjacency->body_phase[1]; p++)
      notes += adjacency->phase[p].joints != 0;
    return rounds_of(adjacency->phase, adjacency->body_phase[0], adjacency->body_phase[1],
                     coop_size) +
           notes * (((int64_t)group->model->n_joints + coop_size - 1) / coop_size);
  }
  if (viper_method_has(method, VIPER_FACTORS))
    return group->schedule->is_chain ? rounds_of_chain(group, coop_size)
                                     : rounds_of_updates(group, coop_size);
  return rounds_of_constraints(group->model, coop_size);
}

/// Bodies at work at the same time on a multiprocessor.
static int64_t resident(int coop_size, size_t workspace_bytes, const viper_device_limits *limits) {
  int64_t by_threads = limits->threads_of_multiprocessor / coop_size;
  size_t taken = workspace_bytes + (coop_size < VIPER_WARP ? 0 : limits->shared_reserved);
  int64_t by_memory = (int64_t)(limits->shared_of_multiprocessor / taken);
  return by_threads < by_memory ? by_threads : by_memory;
}

int viper_coop_size(const viper_body_group *group, viper_method method, int64_t n_bodies,
                    size_t n_workspace, int bytes_of_real, const viper_device_limits *limits) {
  size_t bytes = n_workspace * (size_t)bytes_of_real;
  int best = 0;
  double least = 0;
  for (int coop_size = 1; coop_size <= MOST_THREADS; coop_size *= 2) {
    // A block of one warp at least must have memory for all its groups.
    size_t of_warp = coop_size < VIPER_WARP ? bytes * (size_t)(VIPER_WARP / coop_size) : bytes;
    int64_t at_once = resident(coop_size, bytes, limits) * limits->n_multiprocessors;
    if (of_warp > limits->shared_of_block || at_once < 1)
      continue;
    double turns = n_bodies > at_once ? (double)n_bodies / (double)at_once : 1;
    double time = turns * (double)viper_coop_rounds(group, method, coop_size);
    if (best == 0 || time < least) {
      best = coop_size;
      least = time;
    }
  }
  return best;
}

/// The class of so many lanes, made where there is none yet.
static viper_coop_class *find_class(viper_coops *coops, int coop_size) {
  size_t i = 0;
  while (i < coops->n && coops->item[i].coop_size != coop_size)
    i++;
  if (i == coops->n)
    coops->item[coops->n++] = (viper_coop_class){.coop_size = coop_size};
  return &coops->item[i];
}

/// Few lanes first, the grid (0) last.
static int compare(const void *x, const void *y) {
  int a = ((const viper_coop_class *)x)->coop_size, b = ((const viper_coop_class *)y)->coop_size;
  return (a == 0) - (b == 0) != 0 ? (a == 0) - (b == 0) : (a > b) - (a < b);
}

/// Threads of a block: as many groups as fill one and fit into its shared memory.
static int count_threads(const viper_coop_class *c, int bytes_of_real,
                         const viper_device_limits *limits) {
  size_t bytes = c->n_workspace * (size_t)bytes_of_real;
  if (c->coop_size == 0)
    return BLOCK;
  int threads = c->coop_size > VIPER_WARP ? c->coop_size : BLOCK;
  while (threads > VIPER_WARP && threads > c->coop_size &&
         bytes * (size_t)(threads / c->coop_size) > limits->shared_of_block / 2)
    threads /= 2;
  return threads;
}

/// Whether there is shared memory for all bodies of a class at the same time.
static bool fits_shared(const viper_coop_class *c, int bytes_of_real,
                        const viper_device_limits *limits) {
  if (c->coop_size == 0 || limits->joined_of_block == 0)
    return false;
  const size_t of_block = (size_t)(c->threads / c->coop_size),
               blocks = ((size_t)c->n_bodies + of_block - 1) / of_block,
               mps = (size_t)limits->n_multiprocessors,
               bytes = of_block * c->n_workspace * (size_t)bytes_of_real;
  return bytes <= limits->joined_of_block &&
         (blocks + mps - 1) / mps * (bytes + limits->shared_reserved) <=
             limits->joined_of_multiprocessor;
}

static size_t count_workspace(const viper_body_group *group, viper_method method) {
  return viper_workspace_reals(method, viper_workspace_size_of_body_group(group));
}

int64_t *viper_place_workspaces(const viper_body_groups *body_groups, viper_method method,
                                size_t n_bodies) {
  int64_t *first = calloc(n_bodies + 1, sizeof *first);
  for (size_t k = 0; first && k < body_groups->n_groups; k++)
    for (int32_t i = 0; i < body_groups->group[k].n_bodies; i++)
      first[body_groups->group[k].body[i] + 1] =
          (int64_t)count_workspace(&body_groups->group[k], method);
  for (size_t k = 0; first && k < n_bodies; k++)
    first[k + 1] += first[k];
  return first;
}

/// Gives a kind the elimination that the whole grid is best at, in submatrices of so many columns.
static vb_status dissect(viper_body_group *group, int32_t most, vb_error *error) {
  viper_elimination_destroy(group->elimination);
  viper_schedule_destroy(group->schedule);
  group->elimination = NULL;
  group->schedule = NULL;
  vb_status status = viper_elimination_dissect(group->model, most, &group->elimination, error);
  return status ? status : viper_schedule_create(group->elimination, &group->schedule, error);
}

/// Writes the lanes of each kind, and the classes with their counts and needs.
static vb_status sort_body_groups(const viper_body_groups *body_groups, viper_method method,
                                  int bytes_of_real, const viper_device_limits *limits,
                                  viper_coops *coops, int *coop_size, vb_error *error) {
  for (size_t k = 0; k < body_groups->n_groups; k++) {
    viper_body_group *group = &body_groups->group[k];
    size_t n_workspace = count_workspace(group, method);
    coop_size[k] =
        viper_coop_size(group, method, group->n_bodies, n_workspace, bytes_of_real, limits);
    if (viper_method_has(method, VIPER_FACTORS)) {
      vb_status status = coop_size[k] == 0 ? dissect(group, limits->columns_at_once, error)
                                           : viper_schedule_find_passes(group->elimination,
                                                                        group->schedule, error);
      if (status)
        return status;
      n_workspace = count_workspace(group, method);
    }
    if (coop_size[k] > 0 && !viper_method_has(method, VIPER_FACTORS) &&
        !viper_method_has(method, VIPER_OWN_PHASES)) {
      vb_status status = viper_rounds_pack(group->model, coop_size[k], &group->rounds, error);
      if (status)
        return status;
    }
    viper_coop_class *c = find_class(coops, coop_size[k]);
    c->n_bodies += group->n_bodies;
    c->n_workspace = n_workspace > c->n_workspace ? n_workspace : c->n_workspace;
  }
  qsort(coops->item, coops->n, sizeof *coops->item, compare);
  return VB_OK;
}

/// Lists the bodies class by class.
static void list_bodies(const viper_body_groups *body_groups, const int *coop_size,
                        viper_coops *coops) {
  int32_t next = 0;
  for (size_t i = 0; i < coops->n; i++) {
    coops->item[i].first = next;
    for (size_t k = 0; k < body_groups->n_groups; k++)
      for (int32_t b = 0;
           coop_size[k] == coops->item[i].coop_size && b < body_groups->group[k].n_bodies; b++)
        coops->body[next++] = body_groups->group[k].body[b];
  }
}

vb_status viper_coops_create(const viper_body_groups *body_groups, viper_method method,
                             int bytes_of_real, const viper_device_limits *limits, viper_coops *out,
                             vb_error *error) {
  size_t n_bodies = 0;
  for (size_t k = 0; k < body_groups->n_groups; k++)
    n_bodies += (size_t)body_groups->group[k].n_bodies;
  int *coop_size;
  viper_coops coops = {0};
  VB_TAKE(&coops.memory, coop_size, body_groups->n_groups);
  VB_TAKE(&coops.memory, coops.item, 16); // a class for each power of two, and the grid's
  VB_TAKE(&coops.memory, coops.body, n_bodies);
  vb_status status = vb_arena_status(&coops.memory, error);
  if (!status)
    status = sort_body_groups(body_groups, method, bytes_of_real, limits, &coops, coop_size, error);
  if (status) {
    viper_coops_destroy(&coops);
    return status;
  }
  list_bodies(body_groups, coop_size, &coops);
  for (size_t i = 0; i < coops.n; i++) {
    coops.item[i].threads = count_threads(&coops.item[i], bytes_of_real, limits);
    coops.item[i].in_shared = fits_shared(&coops.item[i], bytes_of_real, limits);
  }
  *out = coops;
  return VB_OK;
}

void viper_coops_destroy(viper_coops *coops) {
  vb_arena_clear(&coops->memory);
}
