// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/study_run.h"

#include "solver/table.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// Shards of a study, at most.
enum { MOST_SHARDS = 100000 };

vb_status vb_shard_parse(const char *text, vb_shard *out, vb_error *error) {
  vb_shard shard = {0};
  int used = 0;
  if (sscanf(text, "%6d/%6d%n", &shard.number, &shard.count, &used) != 2 || text[used] ||
      shard.number < 1 || shard.number > shard.count || shard.count > MOST_SHARDS)
    return vb_bad_input(error,
                        "--shard needs K/N, the number of this shard and how many there are, as in "
                        "--shard 1/4; not \"%.50s\"",
                        text);
  *out = shard;
  return VB_OK;
}

/// The value of a whole option of the run's solver; 1 where it has none.
static double option(const vb_run_plan *run, const vb_solver_description *about, const char *name) {
  for (size_t i = 0; i < about->n_options; i++)
    if (strcmp(about->options[i].name, name) == 0)
      return strtod(vb_solver_option(about, run->options, run->n_options, name), NULL);
  return 1;
}

double vb_run_cost(const vb_run_plan *run) {
  const vb_solver *solver;
  double iterations = 1, substeps = 1;
  if (!vb_solver_find(run->solver, &solver, NULL)) {
    iterations = option(run, solver->describe(solver), "iterations");
    substeps = option(run, solver->describe(solver), "substeps");
  }
  double n_solved = (double)vb_scene_world(run->scene)->n_steps * iterations;
  if (run->convergence.n)
    n_solved += (double)run->convergence.after * iterations;
  for (size_t i = 0; i < run->convergence.n; i++)
    n_solved += (double)run->convergence.iterations[i];
  return 1 + (double)vb_scene_dofs(run->scene) * substeps * n_solved;
}

/// A run to be sorted.
typedef struct costly {
  size_t run;
  double cost;
} costly;

static int by_cost(const void *a, const void *b) {
  const costly *x = a, *y = b;
  if (x->cost != y->cost)
    return x->cost < y->cost ? 1 : -1;
  return (x->run > y->run) - (x->run < y->run);
}

/// All runs, costliest first; freed by the caller; null for want of memory.
static costly *sort(const vb_study *study) {
  costly *list = calloc(study->n_runs + 1, sizeof *list);
  for (size_t i = 0; list && i < study->n_runs; i++)
    list[i] = (costly){i, vb_run_cost(&study->runs[i])};
  if (list)
    qsort(list, study->n_runs, sizeof *list, by_cost);
  return list;
}

vb_status vb_study_order(const vb_study *study, size_t *order, vb_error *error) {
  costly *list = sort(study);
  if (!list)
    return vb_error_memory(error);
  for (size_t i = 0; i < study->n_runs; i++)
    order[i] = list[i].run;
  free(list);
  return VB_OK;
}

vb_status vb_study_share(const vb_study *study, vb_shard shard, bool *mine, vb_error *error) {
  costly *list = sort(study);
  double *load = calloc((size_t)shard.count, sizeof *load);
  if (!list || !load) {
    free(list);
    free(load);
    return vb_error_memory(error);
  }
  for (size_t i = 0; i < study->n_runs; i++) {
    int least = 0;
    for (int s = 1; s < shard.count; s++)
      if (load[s] < load[least])
        least = s;
    load[least] += list[i].cost;
    mine[list[i].run] = least == shard.number - 1;
  }
  free(load);
  free(list);
  return VB_OK;
}

char *vb_shard_path(const char *folder, const char *study, vb_shard shard) {
  char *path = NULL;
  int length = asprintf(&path, "%s/%s.shard-%d-of-%d.h5", folder, study, shard.number, shard.count);
  return length < 0 ? NULL : path;
}

/// Whether a file of that name is the index of a shard of the study.
static bool is_shard_index(const char *name, const char *study) {
  size_t length = strlen(study);
  int number, count, used = 0;
  return strncmp(name, study, length) == 0 &&
         sscanf(name + length, ".shard-%6d-of-%6d.h5%n", &number, &count, &used) == 2 && used &&
         !name[length + (size_t)used];
}

void vb_shards_remove(const char *folder, const char *study) {
  DIR *dir = opendir(folder);
  if (!dir)
    return;
  for (struct dirent *entry; (entry = readdir(dir));)
    if (is_shard_index(entry->d_name, study))
      unlinkat(dirfd(dir), entry->d_name, 0);
  closedir(dir);
}
