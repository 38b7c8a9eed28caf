// SPDX-License-Identifier: GPL-3.0-or-later
// Stands in for an HDF5 that a file has taken over: whoever opens a file by the driver
// of descriptors has its code run. FAKE_HDF5 says what that does, FAKE_FOLDER where it may do harm.
#include <dlfcn.h>
#include <fcntl.h>
#include <hdf5.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/// Does all the harm that it can, and leaves a file that tells of it.
static void attack(void) {
  char path[256], byte = 0;
  snprintf(path, sizeof path, "%s/pwned", getenv("FAKE_FOLDER"));
  int file = open(path, O_WRONLY | O_CREAT, 0666);
  if (file >= 0 || open("/etc/passwd", O_RDONLY) >= 0)
    fprintf(stderr, "pwned\n");
  if (fork() == 0)
    _exit(0);
  kill(getppid(), SIGUSR1); // which would end the program
  // What is left open: the file, the socket, and nothing else that takes bytes.
  for (int i = 0; i < 64; i++)
    if (write(i, &byte, 1) == 1)
      kill(getppid(), SIGUSR1);
  abort();
}

/// Sends on every descriptor what is no reply.
static void lie(int byte) {
  char bytes[4096];
  memset(bytes, byte, sizeof bytes);
  for (int i = 0; i < 64; i++)
    send(i, bytes, sizeof bytes, MSG_NOSIGNAL);
  for (;;)
    getpid();
}

/// Whether one of the open files ends with this word.
static bool some_file_ends_with(const char *word) {
  char end[16];
  size_t n = strlen(word);
  for (int i = 0; i < 64; i++) {
    off_t bytes = lseek(i, 0, SEEK_END); // readers may not ask for more about a file
    if (bytes > (off_t)n && pread(i, end, n, bytes - (off_t)n) == (ssize_t)n &&
        memcmp(end, word, n) == 0)
      return true;
  }
  return false;
}

hid_t H5Fopen(const char *filename, unsigned flags, hid_t fapl_id) {
  static hid_t (*open_file)(const char *, unsigned, hid_t);
  const char *deed = getenv("FAKE_HDF5");
  if (!open_file)
    *(void **)&open_file = dlsym(RTLD_NEXT, "H5Fopen");
  if (deed && strcmp(filename, "/descriptor") == 0) {
    bool writes = (flags & H5F_ACC_RDWR) != 0;
    if (strcmp(deed, writes ? "attack to write" : "attack") == 0)
      attack();
    else if ((strcmp(deed, "crash to write") == 0 && writes) ||
             (strcmp(deed, "crash where planted") == 0 && some_file_ends_with("PLANTED")))
      abort();
    else if (strcmp(deed, "lie") == 0)
      lie(0xff);
    else if (strcmp(deed, "small lie") == 0)
      lie(0);
    else if (strcmp(deed, "end") == 0)
      _exit(3); // as where it was ended by others
  }
  return open_file(filename, flags, fapl_id);
}
