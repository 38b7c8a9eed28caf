// SPDX-License-Identifier: GPL-3.0-or-later
// The process of a plug-in that does what a recipe says (channel.c): it answers as it should, or
// lies about sizes, writes anywhere into what it shares, cuts that short, says too much or nothing,
// and ends when it likes. Each call of the host takes steps from the recipe up to its answer.
#include "solver/plugin/channel.h"
#include "solver/plugin/pack.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

/// Bytes of a step: what is done, where, and a number.
enum { STEP_BYTES = 4 };

static unsigned char recipe[4096];
static size_t recipe_bytes;
static char *shared;
static size_t shared_bytes;

static void answer(void) {
  send(VB_FD_SOCKET, "!", 1, MSG_NOSIGNAL);
}

/// What an instance says of its sizes: a state of 64 bytes, and four elements of each field.
static void tell_sizes(void) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  vb_pack pack = {.bytes = shared + page, .size = shared_bytes - page};
  vb_pack_whole(&pack, 64);
  for (int i = 0; i < 3; i++)
    vb_pack_whole(&pack, 4);
}

static const uint64_t NUMBER[] = {0,
                                  1,
                                  2,
                                  4,
                                  64,
                                  255,
                                  4096,
                                  65536,
                                  69632,
                                  69633,
                                  0x7fffffff,
                                  0xffffffff,
                                  UINT64_C(1) << 40,
                                  UINT64_C(1) << 61,
                                  UINT64_MAX / 8,
                                  UINT64_MAX};

/// One step; whether it was the answer.
static bool take_step(const unsigned char *step) {
  vb_channel_head *head = (vb_channel_head *)shared;
  size_t at = (size_t)(step[1] | step[2] << 8);
  uint64_t number = NUMBER[step[3] % 16];
  switch (step[0] % 10) {
  case 0:
    head->status = VB_OK;
    answer();
    return true;
  case 1:
    head->status = step[3];
    answer();
    return true;
  case 2: // into the head
    memcpy(shared + at % sizeof *head, &number, 8);
    return false;
  case 3: // into the data
    memcpy(shared + ((size_t)sysconf(_SC_PAGESIZE) + 8 * at) % (shared_bytes - 8), &number, 8);
    return false;
  case 4:
    if (ftruncate(VB_FD_MEMORY, (off_t)(number > 1 << 20 ? 0 : number)) == 0)
      answer(); // this end must not touch it any more
    pause();
    return false;
  case 5:
    for (unsigned i = 0; i < step[3] % 8u; i++)
      answer();
    return false;
  case 6:
    close(VB_FD_SOCKET);
    usleep(10000); // the host is patient with a process that lives on
    _exit(step[3]);
  case 7:
    _exit(step[3]);
  case 8:
    raise(1 + step[3] % 31);
    return false;
  default:
    head->bytes = number;
    return false;
  }
}

int main(void) {
  char byte;
  struct stat found;
  const char *path = getenv("VB_FUZZ_RECIPE");
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  ssize_t n = file < 0 ? -1 : read(file, recipe, sizeof recipe);
  if (n < 0 || fstat(VB_FD_MEMORY, &found))
    return 2;
  recipe_bytes = (size_t)n;
  shared_bytes = (size_t)found.st_size;
  shared = mmap(NULL, shared_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, VB_FD_MEMORY, 0);
  if (shared == MAP_FAILED)
    return 2;
  // Nothing outlives its host by long.
  alarm(1);
  size_t at = 0;
  while (recv(VB_FD_SOCKET, &byte, 1, 0) == 1) {
    bool answered = false;
    if (((vb_channel_head *)shared)->call == VB_CALL_CREATE)
      tell_sizes();
    for (; !answered && at + STEP_BYTES <= recipe_bytes; at += STEP_BYTES)
      answered = take_step(recipe + at);
    if (!answered) // as it should, behind the recipe's end
      take_step((const unsigned char[STEP_BYTES]){0});
  }
  return 0;
}
