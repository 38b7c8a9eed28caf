// SPDX-License-Identifier: GPL-3.0-or-later
// The session: its folder, its messages, and the run of this process.
#include "report/live.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/process_pool.h"
#include "report/live_internal.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MOST_FRAMES  300                ///< of a run
#define LEAST_FRAMES 24                 ///< likewise, where there are many runs
#define ALL_FRAMES   2000               ///< of all runs together, unless each has its least
#define MOST_BYTES   ((size_t)64 << 20) ///< of the frames of a run
#define MESSAGE_S    0.2                ///< between messages of a process
#define SIGN_S       1.0                ///< between signs of life of a process

static void note_failure(vb_live *live, const vb_error *error) {
  if (!atomic_exchange(&live->shared->failed, true))
    live->shared->error = *error;
}

/// Writes a file of the folder: a call with the session and the members `body`.
static vb_status write_script(const vb_live *live, const char *name, const char *body,
                              vb_error *error) {
  char *path = NULL;
  vb_output output;
  if (asprintf(&path, "%s/%s", live->folder, name) < 0)
    return vb_error_memory(error);
  vb_status status = vb_output_begin(path, false, &output, error);
  if (!status) {
    FILE *out = vb_output_stream(&output);
    if (!out)
      status = vb_error_memory(error);
    else
      fprintf(out, "viperbenchLive({\"session\":\"%s\"%s});\n", live->session, body);
    bool broken = out && ferror(out);
    if (out && (fclose(out) || broken) && !status)
      status = vb_error_set(error, VB_CANNOT_WRITE, "cannot write %s", path);
    status = vb_output_end(&output, status, error);
  }
  free(path);
  return status;
}

/// Gives the sign of this process the name of that of all.
static vb_status publish_sign(const vb_live *live, const char *name, vb_error *error) {
  char *from = NULL, *to = NULL;
  bool named = asprintf(&from, "%s/%s", live->folder, name) >= 0;
  named = asprintf(&to, "%s/sign.js", live->folder) >= 0 && named;
  vb_status status = named ? vb_file_rename(from, to, error) : vb_error_memory(error);
  free(to);
  free(from);
  return status;
}

/// Tells that this process is alive, and how many messages there are.
static vb_status write_sign(vb_live *live, vb_error *error) {
  char body[160], name[40];
  snprintf(name, sizeof name, "sign%ld.js", (long)getpid());
  snprintf(body, sizeof body, ",\"sign\":%.2f,\"n\":%ld,\"run\":%zu,\"done\":%lld,\"total\":%lld",
           vb_clock(), atomic_load(&live->shared->n), live->course.number,
           (long long)live->course.done, (long long)live->course.total);
  live->signed_ = vb_clock();
  vb_status status = write_script(live, name, body, error);
  return status ? status : publish_sign(live, name, error);
}

void vb_live_send(vb_live *live, const char *body) {
  char name[32];
  vb_error error = {0};
  if (atomic_load(&live->shared->failed))
    return;
  snprintf(name, sizeof name, "%04ld.js", atomic_fetch_add(&live->shared->n, 1));
  vb_status status = write_script(live, name, body, &error);
  live->written = vb_clock();
  if (!status)
    status = write_sign(live, &error);
  if (status)
    note_failure(live, &error);
}

/// Whether a file of the folder is one of ours, which another session replaces.
static bool is_message(const char *name) {
  size_t sign = strncmp(name, "sign", 4) == 0 ? 4 : 0;
  size_t digits = strspn(name + sign, "0123456789");
  const char *end = name + sign + digits;
  return sign + digits >= 4 && (strcmp(end, ".js") == 0 || strcmp(end, ".js.part") == 0);
}

static vb_status clear_folder(const vb_live *live, vb_error *error) {
  vb_status status = vb_folder_make(live->folder, error);
  DIR *folder = status ? NULL : opendir(live->folder);
  for (struct dirent *entry; folder && (entry = readdir(folder));)
    if (is_message(entry->d_name))
      unlinkat(dirfd(folder), entry->d_name, 0);
  if (folder)
    closedir(folder);
  return status;
}

static void destroy(vb_live *live) {
  if (live)
    vb_pool_memory_free(live->shared, 1, sizeof *live->shared);
  if (live)
    free(live->folder);
  free(live);
}

vb_status vb_live_create(const char *path, const vb_live_name *runs, size_t n, vb_live **out,
                         vb_error *error) {
  size_t length = strlen(path), end = strlen(".html");
  bool ends = length > end && strcmp(path + length - end, ".html") == 0;
  vb_live *live = calloc(1, sizeof *live);
  if (!live)
    return vb_error_memory(error);
  live->page = path;
  live->runs = runs;
  live->n_runs = n;
  live->shared = vb_pool_memory(1, sizeof *live->shared);
  snprintf(live->session, sizeof live->session, "%lld-%ld", (long long)time(NULL), (long)getpid());
  bool whole = live->shared &&
               asprintf(&live->folder, "%.*s.live", (int)(ends ? length - end : length), path) >= 0;
  vb_status status = whole ? VB_OK : vb_error_memory(error);
  if (!status)
    status = clear_folder(live, error);
  if (!status)
    status = write_sign(live, error);
  if (!status)
    status = vb_live_write_page(live, error);
  if (status)
    destroy(live);
  else
    *out = live;
  return status;
}

vb_status vb_live_end(vb_live *live, bool interrupted, vb_error *error) {
  if (!live)
    return VB_OK;
  vb_live_send(live, interrupted ? ",\"over\":\"interrupted\"" : ",\"over\":\"complete\"");
  vb_status status = VB_OK;
  if (atomic_load(&live->shared->failed))
    status =
        vb_error_set(error, VB_CANNOT_WRITE, "%s; %s shows nothing after that, the runs went on",
                     live->shared->error.message, live->page);
  destroy(live);
  return status;
}

static size_t find_run(const vb_live *live, const vb_live_name *name) {
  size_t i = 0;
  while (i < live->n_runs && (strcmp(live->runs[i].study, name->study) != 0 ||
                              strcmp(live->runs[i].run, name->run) != 0))
    i++;
  return i;
}

static bool find_field(const vb_solver *solver, const char *name, int components, size_t *index) {
  const vb_solver_description *about = solver->describe(solver);
  for (size_t i = 0; i < about->n_fields; i++)
    if (strcmp(about->fields[i].name, name) == 0 && about->fields[i].location == VB_AT_NODE &&
        about->fields[i].components == components) {
      *index = i;
      return true;
    }
  return false;
}

/// How many frames of a run are skipped for each that is shown, plus one.
static int64_t choose_stride(const vb_live *live, size_t n_nodes, int64_t n_frames) {
  size_t share = live->n_runs ? ALL_FRAMES / live->n_runs : MOST_FRAMES;
  size_t most = share > MOST_FRAMES ? MOST_FRAMES : share < LEAST_FRAMES ? LEAST_FRAMES : share;
  size_t fit = MOST_BYTES / (11 * n_nodes + 300); // 8 bytes in base64, and what is around them
  most = fit > most ? most : fit > 2 ? fit : 2;
  return n_frames / (int64_t)most + 1;
}

static void begin_message(vb_live *live) {
  vb_live_course *c = &live->course;
  char *body = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&body, &size);
  if (!out)
    return;
  fprintf(out, ",\"run\":%zu,\"begin\":{\"recorded\":%lld,\"nodes\":%zu", c->number,
          (long long)c->n_frames, c->n_nodes);
  vb_live_put_scene(out, c->scene);
  fputs("}", out);
  if (!fclose(out))
    vb_live_send(live, body);
  free(body);
}

void vb_live_begin_run(void *context, const vb_live_name *name, const vb_solver *solver,
                       void *instance, const vb_scene *scene, int64_t n_frames) {
  vb_live *live = context;
  vb_live_course *c = &live->course;
  *c = (vb_live_course){.number = find_run(live, name),
                        .solver = solver,
                        .instance = instance,
                        .scene = scene,
                        .n_frames = n_frames};
  live->runs_one = c->number < live->n_runs;
  if (!live->runs_one)
    return;
  if (find_field(solver, "position", 3, &c->position))
    c->n_nodes = vb_scene_count(scene, VB_SET_NODE);
  c->has_scale = find_field(solver, "scale", 1, &c->scale);
  c->values = reallocarray(NULL, c->n_nodes + 1, 3 * sizeof *c->values);
  c->stride = choose_stride(live, c->n_nodes, n_frames);
  begin_message(live);
}

/// Sends the frames that wait.
static void send_frames(vb_live *live) {
  vb_live_course *c = &live->course;
  char *body = NULL;
  if (!c->text)
    return;
  bool whole = !fclose(c->text);
  c->text = NULL;
  if (whole && asprintf(&body, ",\"run\":%zu,\"frames\":[%s]", c->number, c->waiting) >= 0)
    vb_live_send(live, body);
  free(body);
  free(c->waiting);
  c->waiting = NULL;
}

static void put_frame(vb_live_course *c, double time) {
  bool first = !c->text;
  if (first)
    c->text = open_memstream(&c->waiting, &c->size);
  if (!c->text)
    return;
  fprintf(c->text, "%s{\"time\":%.9g,\"number\":%lld", first ? "" : ",", time, (long long)c->frame);
  if (!c->solver->read(c->instance, c->position, c->values, NULL))
    vb_live_put_field(c->text, "position", c->values, c->n_nodes, 3);
  if (c->has_scale && !c->solver->read(c->instance, c->scale, c->values, NULL))
    vb_live_put_field(c->text, "scale", c->values, c->n_nodes, 1);
  vb_live_put_moved(c->text, c->scene, time);
  fputs("}", c->text);
}

void vb_live_show_frame(void *context, double time) {
  vb_live *live = context;
  vb_live_course *c = &live->course;
  bool shown = c->values && (c->frame % c->stride == 0 || c->frame + 1 == c->n_frames);
  if (!live->runs_one || atomic_load(&live->shared->failed))
    return;
  if (shown && c->n_nodes)
    put_frame(c, time);
  c->frame++;
  if (vb_clock() - live->written > MESSAGE_S)
    send_frames(live);
}

void vb_live_advance(void *context, int64_t done, int64_t total) {
  vb_live *live = context;
  vb_error error = {0};
  if (!live->runs_one || atomic_load(&live->shared->failed))
    return;
  live->course.done = done;
  live->course.total = total;
  if (vb_clock() - live->written > MESSAGE_S)
    send_frames(live);
  if (vb_clock() - live->signed_ > SIGN_S && write_sign(live, &error))
    note_failure(live, &error);
}

void vb_live_end_run(void *context, const char *how) {
  vb_live *live = context;
  vb_live_course *c = &live->course;
  char body[80];
  if (!live->runs_one)
    return;
  send_frames(live);
  snprintf(body, sizeof body, ",\"run\":%zu,\"end\":\"%s\"", c->number, how);
  vb_live_send(live, body);
  free(c->values);
  *c = (vb_live_course){0};
  live->runs_one = false;
}
