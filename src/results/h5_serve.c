// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/h5_serve.h"

#include "base/arena.h"
#include "base/confine.h"
#include "base/process_limits.h"
#include "results/h5_descriptor.h"
#include "results/h5_message.h"
#include "results/results_trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/// Longest text attribute that is handed over.
#define MOST_ATTRIBUTE ((size_t)1 << 16)

/// Bytes that a reader may have besides those of its file: of HDF5 itself, and what deflate makes
/// of a file, in another type and once more in the buffers of the way.
#define OWN_MEMORY     ((double)((size_t)512 << 20))
#define MEMORY_OF_FILE (10 * 1032)

/// What the program has open of the file; an unused place has no id.
typedef struct object {
  hid_t id;
  vb_h5_dataset dataset; ///< where it is one
} object;

typedef struct server {
  int socket;
  int file;
  hid_t kept; ///< the file, open from the first request on
  vb_h5 h5;   ///< of the request
  vb_error error;
  char came[2 * VB_READER_TEXT]; ///< of requests that were not answered yet
  size_t n_came;
  char path[VB_READER_TEXT]; ///< of the file, for messages
  char text[VB_READER_TEXT]; ///< of the request
  object *objects;
  size_t n_objects;
  void *bytes; ///< of the reply
  size_t n_bytes;
  size_t room; ///< bytes that may be added to, where it is made piece by piece
} server;

static void keep_object(server *s, hid_t id, const vb_h5_dataset *dataset, vb_reader_reply *r) {
  object *place = NULL;
  for (size_t i = 0; s->objects && !place && i < s->n_objects; i++)
    if (s->objects[i].id < 0)
      place = &s->objects[i];
  if (!place)
    place = VB_APPEND(s->objects, s->n_objects);
  if (!place) {
    vb_h5_out_of_memory(&s->h5);
    vb_h5_release(id);
    return;
  }
  *place = (object){.id = id};
  if (dataset)
    place->dataset = *dataset;
  r->object = (uint32_t)(place - s->objects);
  r->found = true;
}

/// Adds bytes to the reply.
static void add_bytes(server *s, const void *bytes, size_t size) {
  if (s->h5.status)
    return;
  if (s->n_bytes + size > VB_READER_BYTES) {
    s->h5.status = vb_bad_input(s->h5.error, "%s: one of its groups has too many names", s->path);
    return;
  }
  if (!vb_grow(&s->bytes, &s->room, s->n_bytes + size, 1)) {
    vb_h5_out_of_memory(&s->h5);
    return;
  }
  memcpy((char *)s->bytes + s->n_bytes, bytes, size);
  s->n_bytes += size;
}

static void open_file(server *s, vb_reader_reply *r) {
  vb_h5_fault fault = VB_H5_DAMAGED;
  snprintf(s->path, sizeof s->path, "%s", s->text);
  hid_t file = vb_h5_open_descriptor(&s->h5, s->file, false, &fault);
  r->fault = fault;
  if (file >= 0 && s->kept < 0)
    s->kept = H5Freopen(file);
  if (file >= 0)
    keep_object(s, file, NULL, r);
}

static void open_object(server *s, hid_t from, vb_reader_reply *r) {
  hid_t id = vb_h5_open_object(&s->h5, from, s->text);
  if (id < 0)
    return;
  r->kind = (int32_t)H5Iget_type(id);
  keep_object(s, id, NULL, r);
}

static void open_dataset(server *s, hid_t from, vb_reader_reply *r) {
  vb_h5_dataset d;
  if (!vb_h5_open_dataset(&s->h5, from, s->text, &d))
    return;
  vb_h5 claim = {s->path, VB_BAD_INPUT, NULL, VB_OK};
  vb_h5_expect(&claim, &d, d.kind, 0, VB_H5_RANK);
  r->sound = claim.status == VB_OK;
  r->kind = (int32_t)d.kind;
  r->letter = (unsigned char)d.letter;
  r->rank = d.rank;
  r->size = d.size;
  for (int i = 0; i < VB_H5_RANK; i++)
    r->extent[i] = d.extent[i];
  keep_object(s, d.id, &d, r);
}

static void read_numbers(server *s, const vb_h5_dataset *d, const vb_h5_block *block) {
  s->bytes = vb_h5_new_numbers(&s->h5, d, block);
  s->n_bytes = block->count[0] * block->count[1] * block->count[2] * sizeof(double);
}

static void read_integers(server *s, const vb_h5_dataset *d, const vb_h5_block *block) {
  s->bytes = vb_h5_new_integers(&s->h5, d, block);
  s->n_bytes = block->count[0] * block->count[1] * block->count[2] * sizeof(int64_t);
}

static void read_texts(server *s, const vb_h5_dataset *d, vb_reader_reply *r) {
  size_t n = 0;
  char **texts = vb_h5_new_texts(&s->h5, d, &n);
  for (size_t i = 0; i < n; i++) {
    add_bytes(s, texts[i], strlen(texts[i]) + 1);
    free(texts[i]);
  }
  free(texts);
  r->n = n;
}

static void read_attribute(server *s, hid_t id, vb_reader_reply *r) {
  static char text[MOST_ATTRIBUTE];
  r->found = vb_h5_read_attribute(id, s->text, text, sizeof text);
  if (r->found)
    add_bytes(s, text, strlen(text) + 1);
}

static bool add_member(const char *name, H5L_type_t link, void *data) {
  server *s = data;
  char type = (char)link;
  add_bytes(s, &type, 1);
  add_bytes(s, name, strlen(name) + 1);
  return !s->h5.status;
}

static bool add_dataset(const char *path, vb_h5_kind kind, void *data) {
  server *s = data;
  char type = (char)kind;
  add_bytes(s, &type, 1);
  add_bytes(s, path, strlen(path) + 1);
  return !s->h5.status;
}

static void read_link(server *s, hid_t group, vb_reader_reply *r) {
  char target[VB_READER_TEXT];
  r->found = vb_h5_link_target(group, s->text, target, sizeof target);
  if (r->found)
    add_bytes(s, target, strlen(target) + 1);
}

static void release(object *o) {
  vb_h5_release(o->id);
  o->id = -1;
}

static void answer(server *s, const vb_reader_request *q, vb_reader_reply *r) {
  object *o = q->object < s->n_objects ? &s->objects[q->object] : NULL;
  hid_t id = o ? o->id : -1;
  vb_h5_dataset d = o ? o->dataset : (vb_h5_dataset){.id = -1};
  d.path = s->text;
  switch ((vb_reader_task)q->task) {
  case VB_READER_FILE:
    open_file(s, r);
    break;
  case VB_READER_OBJECT:
    open_object(s, id, r);
    break;
  case VB_READER_DATASET:
    open_dataset(s, id, r);
    break;
  case VB_READER_EXPECT:
    vb_h5_expect(&s->h5, &d, (vb_h5_kind)q->kind, q->least, q->most);
    break;
  case VB_READER_NUMBERS:
    read_numbers(s, &d, &q->block);
    break;
  case VB_READER_INTEGERS:
    read_integers(s, &d, &q->block);
    break;
  case VB_READER_TEXTS:
    read_texts(s, &d, r);
    break;
  case VB_READER_ATTRIBUTE:
    read_attribute(s, id, r);
    break;
  case VB_READER_INTEGER:
    r->found = vb_h5_read_integer(&s->h5, id, s->text, &r->integer);
    break;
  case VB_READER_NUMBER:
    r->found = vb_h5_read_number(&s->h5, id, s->text, &r->number);
    break;
  case VB_READER_MEMBERS:
    vb_h5_list_members(&s->h5, id, add_member, s);
    break;
  case VB_READER_DATASETS:
    vb_h5_list_datasets(&s->h5, id, s->text, add_dataset, s);
    break;
  case VB_READER_MEMBER:
    r->found = vb_h5_has_member(id, s->text);
    break;
  case VB_READER_LINK:
    read_link(s, id, r);
    break;
  case VB_READER_ALL:
    vb_results_read_all(&s->h5, id);
    break;
  case VB_READER_RELEASE:
    break;
  }
}

/// Takes bytes of what has come; false where the program is gone.
static bool take(server *s, void *out, size_t size) {
  if (s->n_came < size) {
    size_t more = vb_reader_receive_some(s->socket, s->came + s->n_came, size - s->n_came,
                                         sizeof s->came - s->n_came, NULL);
    if (more == 0)
      return false;
    s->n_came += more;
  }
  memcpy(out, s->came, size);
  s->n_came -= size;
  memmove(s->came, s->came + size, s->n_came);
  return true;
}

/// Sends a reply: at once, where it is short.
static bool send_reply(const server *s, const vb_reader_reply *r, const void *bytes) {
  char together[sizeof *r + VB_READER_TOGETHER];
  size_t n = r->bytes < VB_READER_TOGETHER ? r->bytes : VB_READER_TOGETHER;
  memcpy(together, r, sizeof *r);
  if (n > 0)
    memcpy(together + sizeof *r, bytes, n);
  return vb_reader_send(s->socket, together, sizeof *r + n) &&
         (r->bytes == n || vb_reader_send(s->socket, (const char *)bytes + n, r->bytes - n));
}

/// Answers one request; false where the program is gone.
static bool serve_one(server *s) {
  vb_reader_request q;
  vb_reader_reply r = {0};
  if (!take(s, &q, sizeof q) || q.length == 0 || q.length > sizeof s->text ||
      !take(s, s->text, q.length))
    return false;
  s->text[q.length - 1] = '\0';
  if (q.task == VB_READER_RELEASE) {
    if (q.object < s->n_objects)
      release(&s->objects[q.object]);
    return true;
  }
  s->error = (vb_error){0};
  s->h5 = (vb_h5){s->path, VB_BAD_INPUT, &s->error, VB_OK};
  s->bytes = NULL;
  s->n_bytes = s->room = 0;
  vb_h5_set_denied(false);
  answer(s, &q, &r);
  r.denied = vb_h5_is_denied();
  r.status = (int32_t)s->h5.status;
  r.bytes = r.status ? strlen(s->error.message) + 1 : s->bytes ? s->n_bytes : 0;
  bool sent = send_reply(s, &r, r.status ? s->error.message : s->bytes);
  free(s->bytes);
  return sent;
}

_Noreturn void vb_h5_serve(int socket, int file) {
  static server s;
  struct rlimit files;
  struct stat found;
  if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
    files.rlim_cur = files.rlim_max; // two must be beyond the standard streams
    setrlimit(RLIMIT_NOFILE, &files);
  }
  // A length in a few bytes of the file has HDF5 fill gigabytes otherwise.
  if (fstat(file, &found) == 0)
    vb_limit_data(OWN_MEMORY + MEMORY_OF_FILE * (double)found.st_size);
  vb_confine_prepare(&socket, &file);
  vb_h5_quiet();
  s.socket = socket;
  s.file = file;
  s.kept = -1;
  if (socket < 0 || file < 0 || !vb_confine(false))
    _exit(VB_UNAVAILABLE);
  while (serve_one(&s))
    ;
  _exit(EXIT_SUCCESS);
}
