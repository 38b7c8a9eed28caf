// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/h5_own.h"

#include <errno.h>
#include <pthread.h>
#include <sys/file.h>

/// Gates look at the runs of one study, of which few have more.
#define MOST_OWN 1024

/// An index, and some of its runs. Each takes some 700 KB.
#define MOST_KEPT 8

static struct stat own[MOST_OWN];
static size_t n_noted;

/// Files that are kept open; an unused place has file 0.
static struct kept_file {
  struct stat status;
  hid_t file;
  uint64_t used; ///< when, in uses
} kept[MOST_KEPT];
static uint64_t n_uses;

static bool is_same(const struct stat *a, const struct stat *b) {
  return a->st_ino == b->st_ino && a->st_dev == b->st_dev && a->st_size == b->st_size &&
         a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static void drop_place(struct kept_file *place) {
  if (place->file > 0)
    vb_h5_release(place->file);
  *place = (struct kept_file){0};
}

static void drop_kept(void) {
  for (size_t i = 0; i < MOST_KEPT; i++)
    drop_place(&kept[i]);
}

// Files that this one replaces are closed.
void vb_h5_note_own(const char *path) {
  struct stat found;
  drop_kept();
  if (stat(path, &found) == 0)
    own[n_noted++ % MOST_OWN] = found;
}

bool vb_h5_is_own(const struct stat *file) {
  size_t n = n_noted < MOST_OWN ? n_noted : MOST_OWN, i = 0;
  while (i < n && !is_same(&own[i], file))
    i++;
  return i < n;
}

hid_t vb_h5_open_kept(int file, const struct stat *status) {
  size_t i = 0;
  while (i < MOST_KEPT && !(kept[i].file > 0 && is_same(&kept[i].status, status)))
    i++;
  if (i == MOST_KEPT)
    return -1;
  if (flock(file, LOCK_SH | LOCK_NB) == 0 || errno != EWOULDBLOCK) {
    kept[i].used = ++n_uses;
    return H5Freopen(kept[i].file);
  }
  drop_place(&kept[i]); // HDF5 looks at the lock of a file only where it is not open already
  return -1;
}

// A fork would share the position in the file.
void vb_h5_keep_open(hid_t file, const struct stat *status) {
  static bool prepared;
  if (!prepared)
    prepared = pthread_atfork(drop_kept, NULL, NULL) == 0;
  struct kept_file *place = kept; // the one that was used first
  for (struct kept_file *k = kept; k < kept + MOST_KEPT; k++)
    if (k->used < place->used)
      place = k;
  drop_place(place);
  if (!prepared)
    return;
  *place = (struct kept_file){*status, H5Freopen(file), ++n_uses};
  int descriptor = vb_h5_file_descriptor(file);
  if (descriptor >= 0)
    flock(descriptor, LOCK_UN);
}
