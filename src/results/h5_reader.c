// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/h5_reader.h"

#include "base/clock.h"
#include "base/nearest_word.h"
#include "base/signals.h"
#include "results/h5_message.h"
#include "results/h5_serve.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/// Files that may be open at once, and readers that are kept though nothing of theirs is open.
#define MOST_READERS 256
#define MOST_IDLE    4

/// Processor time of a reader for one request, s: ten times what reading ten million numbers takes;
/// and bytes of its file for each further second, a hundredth of what a processor inflates. What
/// takes longer does not come to an end.
#define REQUEST_SECONDS      30
#define FILE_BYTES_IN_SECOND 4e6

/// A file of so many bytes or more, of which less than this part is on the disk, was made to keep
/// readers busy: HDF5 leaves no holes of that size in ours.
#define SPARSE_BYTES 1e8
#define SPARSE_PART  (1.0 / 64)

/// Time of the wall for as much, in times of that: a reader that waits for a disk uses no
/// processor.
#define LONGEST_WAIT 20

/// How long a socket waits until the reader's time is looked at, s.
#define LOOK_SECONDS 1

/// HDF5 has no identifier with this bit: it would be of a type beyond the 64th.
#define OURS ((hid_t)1 << 62)

/// A process that reads a file.
typedef struct reader {
  pid_t pid; ///< 0 of a place without reader
  int socket;
  int file; ///< as it has it: locked while something of it is open
  dev_t device;
  ino_t inode;
  off_t size; ///< of the file, and the next when it was changed last
  struct timespec changed;
  uint32_t number; ///< no other in this place has it
  size_t n_open;   ///< of its objects
  uint64_t used;   ///< when, in requests
  double seconds;  ///< longest processor time of a request
  char *path;      ///< by which its file was opened last; may be null
  bool ended;
  bool crashed; ///< rather than that somebody else has ended it
  bool late;    ///< rather than that it crashed
  bool stopped; ///< because a signal asks the program to end
} reader;

// Like what HDF5 has open, the readers are those of the process.
static reader readers[MOST_READERS];
static uint64_t n_requests;
static bool stays_here;
static double request_seconds = REQUEST_SECONDS;

void vb_reader_set_seconds(double seconds) {
  request_seconds = seconds;
}

void vb_reader_stay_here(void) {
  stays_here = true;
}

bool vb_reader_stays_here(void) {
  return stays_here;
}

bool vb_reader_has(hid_t id) {
  return id > 0 && (id & OURS) != 0;
}

/// An identifier: the place of the reader, its number there (22 bits), and the object (32 bits).
static hid_t identify(const reader *r, uint32_t object) {
  return OURS | (hid_t)(r - readers) << 54 | (hid_t)(r->number & 0x3fffff) << 32 | (hid_t)object;
}

/// The reader of an identifier; null where it is gone, as in a fork of the process that opened it.
static reader *reader_of(hid_t id) {
  reader *r = &readers[id >> 54 & 0xff];
  return r->pid && (hid_t)(r->number & 0x3fffff) == (id >> 32 & 0x3fffff) ? r : NULL;
}

/// Whether a process ended by itself, and not well: by a crash, or as sanitizers end it.
static bool is_crash(int ended) {
  if (WIFSIGNALED(ended))
    return WTERMSIG(ended) == SIGSEGV || WTERMSIG(ended) == SIGBUS || WTERMSIG(ended) == SIGABRT ||
           WTERMSIG(ended) == SIGFPE || WTERMSIG(ended) == SIGILL || WTERMSIG(ended) == SIGSYS;
  return WEXITSTATUS(ended) != EXIT_SUCCESS && WEXITSTATUS(ended) != VB_UNAVAILABLE;
}

/// Ends a process. Without mercy: it writes nothing, and may be somebody else's. One that crashed
/// has its end behind it, and that stays.
static void end_process(reader *r) {
  int ended = 0;
  if (r->ended)
    return;
  close(r->socket);
  close(r->file);
  kill(r->pid, SIGKILL);
  pid_t found;
  while ((found = waitpid(r->pid, &ended, 0)) < 0 && errno == EINTR)
    ;
  r->crashed = r->crashed || (found > 0 && is_crash(ended));
  r->ended = true;
}

/// Leaves a place without reader.
static void clear_place(reader *r) {
  free(r->path);
  *r = (reader){.number = r->number};
}

static void end_reader(reader *r) {
  end_process(r);
  clear_place(r);
}

static void end_all(void) {
  for (size_t i = 0; i < MOST_READERS; i++)
    if (readers[i].pid)
      end_reader(&readers[i]);
}

/// In a fork, which must not speak in its parent's place. What is not written remains in memory
/// that both share.
static void forget_all(void) {
  for (reader *r = readers; r < readers + MOST_READERS; r++) {
    if (!r->pid)
      continue;
    if (!r->ended) {
      close(r->socket);
      close(r->file);
    }
    clear_place(r);
  }
}

/// Ends the idle reader that was used first, where there are more than `most`; whether there was
/// one.
static bool end_idle(size_t most) {
  reader *first = NULL;
  size_t n = 0;
  for (reader *r = readers; r < readers + MOST_READERS; r++)
    if (r->pid && r->n_open == 0) {
      n++;
      first = !first || r->used < first->used ? r : first;
    }
  if (n <= most)
    return false;
  end_reader(first);
  return true;
}

/// Only a crash says that the file is damaged. A reader that was killed, as for want of memory,
/// does not, and nor does one that a fork of this process does not have.
static void note_end(vb_h5 *h5, const reader *r) {
  if (h5->status)
    return;
  const char *path = r && r->path ? r->path : h5->path;
  vb_h5_set_denied(false);
  if (r && r->late)
    h5->status = vb_error_set(h5->error, VB_BAD_INPUT,
                              "%s is damaged: HDF5 does not get through it in %g s; make it anew",
                              path, r->seconds);
  else if (r && r->crashed)
    h5->status = vb_error_set(h5->error, VB_BAD_INPUT,
                              "%s is damaged: HDF5 crashes on it; make it anew", path);
  else if (r && r->stopped)
    h5->status = vb_error_set(h5->error, VB_INTERRUPTED, "interrupted");
  else
    h5->status = vb_error_set(h5->error, VB_UNAVAILABLE,
                              "cannot read %s: the process that reads it has ended", path);
}

/// Forks the process; its socket, or -1 and errno where there can be none.
static int start_process(int file, pid_t *pid) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
    return -1;
  // A signal at the end of a thread that is not the first would come too early.
  bool first_thread = getpid() == gettid();
  *pid = fork();
  if (*pid == 0) {
    if (first_thread)
      prctl(PR_SET_PDEATHSIG, SIGKILL);
    vb_h5_serve(ends[1], file);
  }
  int failure = errno;
  close(ends[1]);
  if (*pid > 0) {
    setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){LOOK_SECONDS, 0},
               sizeof(struct timeval));
    setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, &(struct timeval){REQUEST_SECONDS, 0},
               sizeof(struct timeval));
    return ends[0];
  }
  close(ends[0]);
  errno = failure;
  return -1;
}

/// Starts a reader of a file, whose descriptor it then owns; false, and errno, where there is none.
static bool fill_place(reader *r, int file, const struct stat *found) {
  pid_t pid;
  int own = fcntl(file, F_DUPFD_CLOEXEC, 0), socket = own < 0 ? -1 : start_process(own, &pid);
  if (socket < 0) {
    int failure = errno;
    if (own >= 0)
      close(own);
    errno = failure;
    return false;
  }
  *r = (reader){.pid = pid,
                .socket = socket,
                .file = own,
                .device = found->st_dev,
                .inode = found->st_ino,
                .size = found->st_size,
                .changed = found->st_mtim,
                .seconds = request_seconds + (double)found->st_size / FILE_BYTES_IN_SECOND,
                .number = r->number + 1};
  return true;
}

/// Starts a reader of the file in an unused place; null, and a failure in h5, where there is none.
static reader *start_reader(vb_h5 *h5, int file, const struct stat *found) {
  static bool prepared;
  if (!prepared)
    prepared = pthread_atfork(NULL, NULL, forget_all) == 0 && atexit(end_all) == 0;
  end_idle(MOST_IDLE);
  reader *r = readers;
  while (r < readers + MOST_READERS && r->pid)
    r++;
  bool started = r < readers + MOST_READERS;
  if (!started)
    errno = EMFILE;
  // Fewer open files may do.
  while (started && !fill_place(r, file, found))
    started = errno == EMFILE && end_idle(0);
  if (started)
    return r;
  h5->status =
      vb_error_set(h5->error, VB_BAD_INPUT, "cannot read %s: %s", h5->path, strerror(errno));
  return NULL;
}

/// Refuses a file that is little but a hole; false where it is none.
static bool refuse_sparse(vb_h5 *h5, const struct stat *found) {
  enum { BLOCK = 512 }; // as stat counts
  double size = (double)found->st_size, there = BLOCK * (double)found->st_blocks;
  if (size < SPARSE_BYTES || there >= SPARSE_PART * size)
    return false;
  h5->status = vb_error_set(h5->error, VB_BAD_INPUT,
                            "%s is a sparse file: of its %.3g bytes %.3g are on the disk; give a "
                            "results file",
                            h5->path, size, there);
  return true;
}

static bool is_changed(const reader *r, const struct stat *found) {
  return r->size != found->st_size || r->changed.tv_sec != found->st_mtim.tv_sec ||
         r->changed.tv_nsec != found->st_mtim.tv_nsec;
}

/// The reader of a file; one that has the file open as it was before is ended.
static reader *find_reader(const struct stat *found) {
  for (reader *r = readers; r < readers + MOST_READERS; r++) {
    if (!r->pid || r->ended || r->inode != found->st_ino || r->device != found->st_dev)
      continue;
    if (r->n_open > 0 || !is_changed(r, found))
      return r;
    end_reader(r);
  }
  return NULL;
}

/// What is wanted behind a reply: numbers into `numbers`, of so many bytes, or else new memory.
typedef struct behind {
  void *numbers;
  size_t n_numbers; ///< bytes
  char *bytes;      ///< to be freed
} behind;

/// Sends a request; false where the reader is gone.
static bool send_request(reader *r, vb_reader_request *q, const char *text) {
  char together[sizeof *q + VB_READER_TEXT];
  q->length = (uint32_t)strlen(text) + 1;
  memcpy(together, q, sizeof *q);
  memcpy(together + sizeof *q, text, q->length);
  r->used = ++n_requests;
  return vb_reader_send(r->socket, together, sizeof *q + q->length);
}

/// Memory for what lies behind a reply; null where there is none, or the reply is a lie.
static char *room_behind(reader *r, const vb_reader_reply *reply, const behind *wanted) {
  bool numbers = wanted->numbers && !reply->status;
  // A reader that sends anything else is in the hands of its file.
  r->crashed = numbers ? reply->bytes != wanted->n_numbers : reply->bytes > VB_READER_BYTES;
  return r->crashed ? NULL : numbers ? wanted->numbers : malloc(reply->bytes + 1);
}

/// A request that a reader has, and when it came to it.
typedef struct waiting {
  reader *of;
  double cpu, wall; ///< s
} waiting;

/// Processor time of a reader, s; 0 where the system does not tell.
static double reader_time(const reader *r) {
  clockid_t clock;
  struct timespec now = {0};
  if (clock_getcpuclockid(r->pid, &clock) == 0 && clock_gettime(clock, &now))
    now = (struct timespec){0};
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/// Whether a reader that takes a while still has time. A file that keeps it busy for longer is
/// damaged; that it waits, or is not waited for, says nothing about the file.
static bool has_time(void *context) {
  const waiting *w = context;
  w->of->stopped = vb_signal_caught() != 0;
  w->of->late = reader_time(w->of) - w->cpu > w->of->seconds;
  w->of->crashed = w->of->late;
  return !w->of->late && !w->of->stopped && vb_clock() - w->wall <= LONGEST_WAIT * w->of->seconds;
}

/// Receives a reply, and what lies behind it. A zero follows, so that no text is without an end.
static bool receive_reply(reader *r, vb_reader_reply *reply, behind *out) {
  char together[sizeof *reply + VB_READER_TOGETHER];
  waiting since = {r, reader_time(r), vb_clock()};
  const vb_reader_limit limit = {has_time, &since};
  size_t n = vb_reader_receive_some(r->socket, together, sizeof *reply, sizeof together, &limit);
  if (n == 0)
    return false;
  memcpy(reply, together, sizeof *reply);
  n -= sizeof *reply;
  r->crashed = n > reply->bytes;
  char *bytes = r->crashed ? NULL : room_behind(r, reply, out);
  if (!bytes)
    return false;
  memcpy(bytes, together + sizeof *reply, n);
  bool whole = vb_reader_receive(r->socket, bytes + n, reply->bytes - n, &limit);
  if (bytes != out->numbers) {
    bytes[reply->bytes] = '\0';
    out->bytes = bytes;
  }
  return whole;
}

/// Notes the failure that a reply tells.
static void note_failure(vb_h5 *h5, const vb_reader_reply *reply, const behind *message) {
  vb_status status = reply->status == VB_UNAVAILABLE ? VB_UNAVAILABLE : VB_BAD_INPUT;
  if (!reply->status)
    return;
  h5->status = vb_error_set(h5->error, status, "%s", message->bytes);
  vb_h5_set_denied(reply->denied != 0);
}

/// Asks the reader of an object; false after a failure, which h5 has. `out` may be null where
/// nothing is to be behind the reply; else its bytes are the caller's.
static bool ask_reader(vb_h5 *h5, reader *r, vb_reader_request *q, const char *text,
                       vb_reader_reply *reply, behind *out) {
  behind none = {0}, *to = out ? out : &none;
  if (h5->status)
    return false;
  if (strlen(text) >= VB_READER_TEXT) {
    h5->status = vb_error_set(h5->error, VB_BAD_INPUT, "%s: a name is too long", h5->path);
    return false;
  }
  if (r && !r->ended && send_request(r, q, text) && receive_reply(r, reply, to)) {
    note_failure(h5, reply, to);
  } else {
    if (r)
      end_process(r);
    note_end(h5, r);
  }
  if (!out || h5->status) {
    free(to->bytes);
    to->bytes = NULL;
  }
  return !h5->status && (!out || out->numbers || out->bytes);
}

/// The same by an object's identifier.
static bool ask(vb_h5 *h5, hid_t object, vb_reader_request q, const char *text,
                vb_reader_reply *reply, behind *out) {
  q.object = (uint32_t)(object & 0xffffffff);
  return ask_reader(h5, reader_of(object), &q, text, reply, out);
}

/// Locks the file of a reader that has nothing open, as HDF5 itself does, so that nobody writes to
/// it meanwhile. Where the file system has no locks there is none.
static bool lock(vb_h5 *h5, const reader *r) {
  if (r->n_open > 0 || flock(r->file, LOCK_SH | LOCK_NB) == 0 || errno != EWOULDBLOCK)
    return true;
  h5->status = vb_error_set(h5->error, VB_BAD_INPUT,
                            "%s is in use by another process; wait for its end", h5->path);
  return false;
}

static void unlock(reader *r) {
  if (r->n_open > 0)
    return;
  if (r->ended)
    end_reader(r);
  else
    flock(r->file, LOCK_UN);
}

hid_t vb_reader_open(vb_h5 *h5, int file, vb_h5_fault *fault) {
  struct stat found;
  vb_reader_reply reply = {0};
  vb_reader_request q = {.task = VB_READER_FILE};
  *fault = VB_H5_OUT_OF_REACH;
  if (fstat(file, &found)) {
    h5->status =
        vb_error_set(h5->error, VB_BAD_INPUT, "cannot read %s: %s", h5->path, strerror(errno));
    return -1;
  }
  if (refuse_sparse(h5, &found))
    return -1;
  reader *r = find_reader(&found);
  if (!r)
    r = start_reader(h5, file, &found);
  if (!r || !lock(h5, r))
    return -1;
  char *path = strdup(h5->path);
  free(r->path);
  r->path = path;
  if (ask_reader(h5, r, &q, h5->path, &reply, NULL)) {
    r->n_open++;
    return identify(r, reply.object);
  }
  bool damaged = r->ended ? r->crashed : reply.fault == VB_H5_DAMAGED;
  *fault = damaged ? VB_H5_DAMAGED : VB_H5_OUT_OF_REACH;
  unlock(r);
  return -1;
}

const char *vb_reader_path(hid_t id) {
  const reader *r = vb_reader_has(id) ? reader_of(id) : NULL;
  return r ? r->path : NULL;
}

void vb_reader_release(hid_t id) {
  reader *r = reader_of(id);
  vb_reader_request q = {.task = VB_READER_RELEASE, .object = (uint32_t)(id & 0xffffffff)};
  if (!r)
    return;
  if (!r->ended && !send_request(r, &q, ""))
    end_process(r);
  r->n_open -= r->n_open > 0;
  unlock(r);
}

void vb_reader_check(vb_h5 *h5, hid_t id) {
  const reader *r = vb_reader_has(id) ? reader_of(id) : NULL;
  if (vb_reader_has(id) && (!r || r->ended))
    note_end(h5, r);
}

/// Opens what a request names; -1 where it is not there.
static hid_t open_by(vb_h5 *h5, hid_t from, vb_reader_task task, const char *path,
                     vb_reader_reply *reply) {
  if (!ask(h5, from, (vb_reader_request){.task = task}, path, reply, NULL) || !reply->found)
    return -1;
  reader *r = reader_of(from);
  r->n_open++;
  return identify(r, reply->object);
}

hid_t vb_reader_object(vb_h5 *h5, hid_t from, const char *path, H5I_type_t *type) {
  vb_reader_reply reply = {0};
  hid_t id = open_by(h5, from, VB_READER_OBJECT, path, &reply);
  *type = (H5I_type_t)reply.kind;
  return id;
}

bool vb_reader_dataset(vb_h5 *h5, hid_t from, const char *path, vb_h5_dataset *out) {
  vb_reader_reply reply = {0};
  out->id = -1;
  hid_t id = open_by(h5, from, VB_READER_DATASET, path, &reply);
  if (id < 0)
    return false;
  // What a reader says may be a lie, but not one about the number of axes or a kind that is none.
  bool known = reply.kind == VB_H5_NUMBERS || reply.kind == VB_H5_TEXTS;
  *out = (vb_h5_dataset){.id = id,
                         .path = path,
                         .kind = known ? (vb_h5_kind)reply.kind : VB_H5_OTHER,
                         .letter = (char)reply.letter,
                         .sound = reply.sound != 0,
                         .size = reply.size,
                         .rank = reply.rank >= 0 && reply.rank <= VB_H5_RANK ? reply.rank : 0};
  for (int i = 0; i < VB_H5_RANK; i++)
    out->extent[i] = i < out->rank ? reply.extent[i] : 1;
  return true;
}

void vb_reader_expect(vb_h5 *h5, const vb_h5_dataset *dataset, vb_h5_kind kind, int least,
                      int most) {
  vb_reader_reply reply;
  vb_reader_request q = {
      .task = VB_READER_EXPECT, .kind = (int32_t)kind, .least = least, .most = most};
  ask(h5, dataset->id, q, dataset->path, &reply, NULL);
}

void vb_reader_numbers(vb_h5 *h5, const vb_h5_dataset *dataset, const vb_h5_block *block,
                       bool integer, void *out) {
  vb_reader_reply reply;
  vb_reader_request q = {.task = integer ? VB_READER_INTEGERS : VB_READER_NUMBERS, .block = *block};
  // The caller has room for as many.
  behind numbers = {.numbers = out,
                    .n_numbers =
                        block->count[0] * block->count[1] * block->count[2] * sizeof(double)};
  ask(h5, dataset->id, q, dataset->path, &reply, &numbers);
}

char **vb_reader_texts(vb_h5 *h5, const vb_h5_dataset *dataset, size_t *n) {
  vb_reader_reply reply = {0};
  behind texts = {0};
  if (!ask(h5, dataset->id, (vb_reader_request){.task = VB_READER_TEXTS}, dataset->path, &reply,
           &texts))
    return NULL;
  size_t count = reply.n <= reply.bytes ? reply.n : 0, at = 0;
  char **out = calloc(count + 1, sizeof *out);
  bool whole = out != NULL;
  for (size_t i = 0; whole && i < count; i++) {
    whole = (out[i] = strdup(at < reply.bytes ? texts.bytes + at : "")) != NULL;
    at += whole ? strlen(out[i]) + 1 : 0;
  }
  free(texts.bytes);
  if (whole) {
    *n = count;
    return out;
  }
  if (out)
    vb_texts_destroy(out, count);
  vb_h5_out_of_memory(h5);
  return NULL;
}

/// Asks for a text that is there or not.
static bool ask_text(hid_t object, vb_reader_task task, const char *name, behind *text) {
  vb_h5 h5 = {"", VB_BAD_INPUT, NULL, VB_OK};
  vb_reader_reply reply = {0};
  return ask(&h5, object, (vb_reader_request){.task = task}, name, &reply, text) && reply.found;
}

bool vb_reader_attribute(hid_t object, const char *name, char *out, size_t size) {
  behind text = {0};
  bool found = ask_text(object, VB_READER_ATTRIBUTE, name, &text);
  if (found)
    snprintf(out, size, "%s", text.bytes);
  free(text.bytes);
  return found;
}

bool vb_reader_link(hid_t group, const char *name, char *out, size_t size) {
  behind text = {0};
  bool found = ask_text(group, VB_READER_LINK, name, &text) && strlen(text.bytes) < size;
  if (found)
    strcpy(out, text.bytes);
  free(text.bytes);
  return found;
}

bool vb_reader_member(hid_t group, const char *name) {
  return ask_text(group, VB_READER_MEMBER, name, NULL);
}

bool vb_reader_integer(vb_h5 *h5, hid_t object, const char *name, int64_t *out) {
  vb_reader_reply reply = {0};
  bool found =
      ask(h5, object, (vb_reader_request){.task = VB_READER_INTEGER}, name, &reply, NULL) &&
      reply.found;
  if (found)
    *out = reply.integer;
  return found;
}

bool vb_reader_number(vb_h5 *h5, hid_t object, const char *name, double *out) {
  vb_reader_reply reply = {0};
  bool found = ask(h5, object, (vb_reader_request){.task = VB_READER_NUMBER}, name, &reply, NULL) &&
               reply.found;
  if (found)
    *out = reply.number;
  return found;
}

/// Asks for a list of names, each behind a byte that says what it is of.
static bool ask_names(vb_h5 *h5, hid_t object, vb_reader_task task, const char *path, behind *names,
                      size_t *size) {
  vb_reader_reply reply = {0};
  bool there = ask(h5, object, (vb_reader_request){.task = task}, path, &reply, names);
  *size = reply.bytes;
  return there;
}

void vb_reader_members(vb_h5 *h5, hid_t group, vb_h5_member *visit, void *data) {
  behind names = {0};
  size_t size, at = 0;
  bool on = ask_names(h5, group, VB_READER_MEMBERS, "", &names, &size);
  while (on && at + 1 < size) {
    const char *name = names.bytes + at + 1;
    on = visit(name, (H5L_type_t)names.bytes[at], data);
    at += strlen(name) + 2;
  }
  free(names.bytes);
}

void vb_reader_datasets(vb_h5 *h5, hid_t from, const char *path, vb_h5_found *visit, void *data) {
  behind names = {0};
  size_t size, at = 0;
  bool on = ask_names(h5, from, VB_READER_DATASETS, path, &names, &size);
  while (on && at + 1 < size) {
    const char *name = names.bytes + at + 1;
    on = visit(name, (vb_h5_kind)names.bytes[at], data);
    at += strlen(name) + 2;
  }
  free(names.bytes);
}

void vb_reader_all(vb_h5 *h5, hid_t file) {
  vb_reader_reply reply;
  ask(h5, file, (vb_reader_request){.task = VB_READER_ALL}, "", &reply, NULL);
}
