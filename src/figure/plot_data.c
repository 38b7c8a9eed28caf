// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/arena.h"
#include "figure/plot_internal.h"

#include <stdlib.h>
#include <string.h>

/// One thing that a script can name, and whose data were written.
typedef struct request {
  char *key; ///< the helper and its arguments: "series energy/stretch energy/bend"
  char **subjects;
  size_t n;
} request;

typedef struct writer {
  vb_plot_output output;
  request *requests; ///< (n)
  size_t n;
} writer;

/// The helper and the arguments that a script gives it; the caller frees; null for want of memory.
static char *key_of(const vb_plot_place *p) {
  char *key = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&key, &size);
  if (!out)
    return NULL;
  fputs(p->item->helper, out);
  for (size_t i = 0; p->item->kind != VB_PLOT_DISTANCE && i < p->n; i++)
    fprintf(out, " %s", p->arguments[i]);
  if (fclose(out)) {
    free(key);
    return NULL;
  }
  return key;
}

/// The number of the request of that key, which it takes, from 1; 0 for want of memory.
static size_t find_request(writer *w, char *key) {
  for (size_t i = 0; key && i < w->n; i++)
    if (strcmp(w->requests[i].key, key) == 0) {
      free(key);
      return i + 1;
    }
  request *added = key ? VB_APPEND(w->requests, w->n) : NULL;
  if (!added) {
    free(key);
    return 0;
  }
  added->key = key;
  return w->n;
}

/// The number of the subject in the request, from 1, 0 for want of memory; `*fresh` tells whether
/// it is new there.
static size_t find_subject(request *r, const char *name, bool *fresh) {
  *fresh = false;
  for (size_t i = 0; i < r->n; i++)
    if (strcmp(r->subjects[i], name) == 0)
      return i + 1;
  char **added = VB_APPEND(r->subjects, r->n);
  if (!added || !(*added = strdup(name)))
    return 0;
  *fresh = true;
  return r->n;
}

/// Writes a request's data of all subjects that do not have them yet.
static vb_status write_request(writer *w, const vb_plot_item *item, const vb_plot_groups *of,
                               char **arguments, size_t n, vb_error *error) {
  vb_plot_place p = {.item = item, .arguments = arguments, .n = n, .group = of->group};
  p.request = find_request(w, key_of(&p));
  if (p.request == 0)
    return vb_error_memory(error);
  vb_status status = VB_OK;
  for (size_t i = 0; !status && i < of->n; i++) {
    bool fresh;
    p.name = of->names[i];
    p.subject = find_subject(&w->requests[p.request - 1], p.name, &fresh);
    status = p.subject == 0 ? vb_error_memory(error) : VB_OK;
    if (!status && fresh)
      status = vb_plot_place_write(&w->output, &p, error);
    if (item->missing && status == VB_BAD_INPUT) {
      request *r = &w->requests[p.request - 1];
      free(r->subjects[--r->n]);
      status = VB_OK;
    }
  }
  return status;
}

/// Writes the requests of all paths that a pattern stands for, those of each subject.
static vb_status write_matches(writer *w, const vb_plot_item *item, const vb_plot_groups *of,
                               const char *pattern, vb_error *error) {
  vb_status status = VB_OK;
  if (!of->group || strcmp(of->group, "runs") != 0)
    return vb_bad_input(error, "only paths of runs may contain a *");
  for (size_t i = 0; !status && i < of->n; i++) {
    vb_texts paths = {0};
    const vb_plot_groups one = {of->group, &of->names[i], 1};
    status = vb_plot_paths_find(w->output.index, of->names[i], pattern, &paths, error);
    if (item->missing && status == VB_BAD_INPUT)
      status = VB_OK;
    for (size_t k = 0; !status && k < paths.n; k++)
      status = write_request(w, item, &one, &paths.texts[k], 1, error);
    vb_texts_free(&paths);
  }
  return status;
}

static vb_status write_item(writer *w, const vb_plot_item *item, vb_error *error) {
  vb_plot_groups of;
  vb_status status = vb_plot_groups_find(w->output.index, item->of, &of, error);
  if (status)
    return status;
  if (item->frames && of.n > 0 && (!of.group || strcmp(of.group, "runs") != 0))
    status = vb_bad_input(error, "only runs have frames");
  if (!status && item->kind == VB_PLOT_RENDER)
    status = vb_plot_render_begin(w->output.index, item, &of, &w->output.render, error);
  bool nothing = item->missing && status == VB_BAD_INPUT;
  // Each of several values is asked for by its own name.
  size_t n = item->kind == VB_PLOT_VALUES ? 1 : item->n_arguments;
  bool paths = item->kind == VB_PLOT_SERIES || item->kind == VB_PLOT_VALUES;
  for (size_t i = 0; !status && i < item->n_arguments; i += n)
    status = paths && n == 1 && strchr(item->arguments[i], '*')
                 ? write_matches(w, item, &of, item->arguments[i], error)
                 : write_request(w, item, &of, item->arguments + i, n, error);
  if (nothing)
    status = VB_OK;
  vb_plot_render_end(w->output.render);
  w->output.render = NULL;
  vb_plot_groups_free(&of);
  return status;
}

/// Tells what there is to be asked for.
static vb_status define_requests(const writer *w, vb_error *error) {
  char *keys = NULL, name[40];
  size_t size = 0;
  FILE *out = open_memstream(&keys, &size);
  for (size_t i = 0; out && i < w->n; i++)
    fprintf(out, " \"%s\"", w->requests[i].key);
  bool good = out && fclose(out) == 0 && vb_plot_define(w->output.file, "requests", keys) &&
              vb_plot_define(w->output.file, "folder", w->output.folder);
  free(keys);
  for (size_t i = 0; good && i < w->n; i++) {
    char *subjects = NULL;
    out = open_memstream(&subjects, &size);
    for (size_t k = 0; out && k < w->requests[i].n; k++)
      fprintf(out, " %s", w->requests[i].subjects[k]);
    snprintf(name, sizeof name, "subjects_%zu", i + 1);
    good = out && fclose(out) == 0 && vb_plot_define(w->output.file, name, subjects);
    free(subjects);
  }
  return good ? VB_OK : vb_error_memory(error);
}

static void free_requests(writer *w) {
  for (size_t i = 0; i < w->n; i++) {
    for (size_t k = 0; k < w->requests[i].n; k++)
      free(w->requests[i].subjects[k]);
    free(w->requests[i].subjects);
    free(w->requests[i].key);
  }
  free(w->requests);
}

vb_status vb_plot_data_write(const char *folder, const char *index, const char *script,
                             const vb_plot_list *list, FILE *definitions, vb_error *error) {
  writer w = {.output = {.folder = folder, .index = index, .file = definitions}};
  vb_status status = VB_OK;
  for (size_t i = 0; !status && i < list->n; i++) {
    status = write_item(&w, &list->items[i], error);
    if (status)
      vb_error_prefix(error, "%s:%zu", script, list->items[i].line);
  }
  if (!status)
    status = define_requests(&w, error);
  free_requests(&w);
  return status;
}
