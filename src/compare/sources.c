// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/compare.h"

#include "base/names.h"
#include "results/results_array.h"
#include "results/results_file.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void vb_sources_free(vb_sources *sources) {
  free(sources->runs);
  free(sources->gates);
  vb_arena_clear(&sources->memory);
  *sources = (vb_sources){0};
}

vb_status vb_source_add(vb_arena *memory, vb_source **list, size_t *n, vb_source source,
                        vb_error *error) {
  vb_source *added = vb_append(list, n, sizeof **list);
  if (!added)
    return vb_error_memory(error);
  *added = (vb_source){.study = vb_arena_text(memory, source.study),
                       .run = vb_arena_text(memory, source.run),
                       .path = vb_arena_text(memory, source.path),
                       .inside = source.inside};
  return vb_arena_status(memory, error);
}

const vb_source *vb_source_match(const vb_source *sources, size_t n, const vb_source *source,
                                 bool by_study) {
  for (size_t i = 0; i < n; i++) {
    const vb_source *s = &sources[i];
    bool same_run = source->run ? s->run && strcmp(s->run, source->run) == 0 : !s->run;
    if (same_run && (!by_study || strcmp(s->study, source->study) == 0))
      return s;
  }
  return NULL;
}

/// What a file of ours is.
typedef struct file_facts {
  bool index;
  bool has_runs; ///< an index of runs, not of measured speeds
  bool joint;    ///< the index of a study that is made of others
} file_facts;

static bool take_first(const char *name, H5L_type_t link, void *data) {
  (void)link;
  snprintf(data, VB_RECORDED_NAME_MAX + 1, "%s", name);
  return false;
}

/// The first run of a joint index lies in a file that is called after another study.
static bool is_joint(vb_h5 *h5, hid_t runs, const char *path) {
  char first[VB_RECORDED_NAME_MAX + 1] = "", target[512] = "";
  const char *name = strrchr(path, '/');
  name = name ? name + 1 : path;
  vb_h5_list_members(h5, runs, take_first, first);
  bool linked = first[0] && vb_h5_link_target(runs, first, target, sizeof target);
  size_t stem = strcspn(name, ".");
  return linked && (strncmp(target, name, stem) != 0 || target[stem] != '-');
}

static vb_status read_source(const char *path, file_facts *out, vb_error *error) {
  vb_h5 h5 = {path, VB_BAD_INPUT, error, VB_OK};
  hid_t file = vb_results_open(&h5, &out->index);
  hid_t runs = out->index ? vb_h5_open_group(&h5, file, "runs") : -1;
  out->has_runs = runs >= 0;
  if (out->has_runs)
    out->joint = is_joint(&h5, runs, path);
  vb_h5_release(runs);
  vb_h5_release(file);
  return h5.status;
}

/// Adds the run of a run's file, or the runs of an index, and the gates.
static vb_status add_file(const char *path, bool index, vb_sources *out, vb_error *error) {
  vb_texts study = {0}, runs = {0};
  vb_status status = vb_results_texts(path, "/scenario/study", &study, error);
  if (!status)
    status = vb_results_texts(path, index ? "/scenario/runs" : "/scenario/run", &runs, error);
  if (!status && (study.n != 1 || (!index && runs.n != 1)))
    status =
        vb_bad_input(error, "%s does not say of which %s it is", path, index ? "study" : "run");
  for (size_t i = 0; !status && i < runs.n; i++)
    status = vb_source_add(&out->memory, &out->runs, &out->n_runs,
                           (vb_source){study.texts[0], runs.texts[i], (char *)path, index}, error);
  if (!status)
    status = vb_source_add(
        &out->memory, &out->gates, &out->n_gates,
        (vb_source){study.texts[0], index ? NULL : runs.texts[0], (char *)path, false}, error);
  vb_texts_free(&study);
  vb_texts_free(&runs);
  return status;
}

static vb_status find_in_file(const char *path, vb_sources *out, vb_error *error) {
  file_facts facts = {0};
  vb_status status = read_source(path, &facts, error);
  if (!status && facts.index && !facts.has_runs)
    return vb_bad_input(
        error,
        "%s holds speeds from one launch, which cannot be compared between launches; "
        "use compare --launch",
        path);
  if (status)
    return status;
  out->kind = facts.index ? VB_SOURCE_INDEX : VB_SOURCE_RUN;
  return add_file(path, facts.index, out, error);
}

static bool has_study(const vb_sources *sources, size_t n, const char *study) {
  for (size_t i = 0; i < n; i++)
    if (strcmp(sources->runs[i].study, study) == 0)
      return true;
  return false;
}

/// Drops the last run and its gates where an index among the first `n_indexed` runs stands for it.
static void drop_indexed(vb_sources *sources, size_t n_indexed) {
  if (!has_study(sources, n_indexed, sources->runs[sources->n_runs - 1].study))
    return;
  sources->n_runs--;
  sources->n_gates--;
}

/// Indexes first, then the files of runs that none of them stands for.
static vb_status find_in_folder(const char *path, vb_sources *out, vb_error *error) {
  char *pattern = NULL;
  glob_t found;
  if (asprintf(&pattern, "%s/*.h5", path) < 0)
    return vb_error_memory(error);
  int code = glob(pattern, 0, NULL, &found);
  if (code == 0)
    vb_names_sort(found.gl_pathv, found.gl_pathc);
  free(pattern);
  if (code)
    return vb_bad_input(error, "%s holds no results files", path);
  vb_status status = VB_OK;
  size_t n_indexed = 0;
  out->kind = VB_SOURCE_FOLDER;
  for (int pass = 0; pass < 2; pass++) {
    for (size_t i = 0; !status && i < found.gl_pathc; i++) {
      file_facts facts = {0};
      status = read_source(found.gl_pathv[i], &facts, error);
      if (!status && pass == 0 && facts.has_runs && !facts.joint)
        status = add_file(found.gl_pathv[i], true, out, error);
      if (!status && pass == 1 && !facts.index) {
        status = add_file(found.gl_pathv[i], false, out, error);
        if (!status)
          drop_indexed(out, n_indexed);
      }
    }
    n_indexed = out->n_runs;
  }
  globfree(&found);
  if (!status && out->n_runs == 0)
    status = vb_bad_input(error, "%s holds no results files of runs", path);
  return status;
}

vb_status vb_sources_find(const char *path, vb_sources *out, vb_error *error) {
  struct stat found;
  vb_sources sources = {0};
  bool folder = stat(path, &found) == 0 && S_ISDIR(found.st_mode);
  vb_status status =
      folder ? find_in_folder(path, &sources, error) : find_in_file(path, &sources, error);
  if (status)
    vb_sources_free(&sources);
  else
    *out = sources;
  return status;
}
