// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/plugin/channel.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

const char *vb_function_name(vb_function function) {
  static const char *const NAME[VB_FUNCTION_COUNT] = {
      "start-up",   "dlopen", "vb_plugin", "describe",    "create",   "set_option",
      "get_option", "step",   "sync",      "state_size",  "save",     "restore",
      "count",      "read",   "energies",  "work",        "residual", "reactions",
      "timings",    "cost",   "device",    "convergence", "destroy",  "import"};
  return (unsigned)function < VB_FUNCTION_COUNT ? NAME[function] : "?";
}

static size_t head_bytes(void) {
  return (size_t)sysconf(_SC_PAGESIZE);
}

/// Maps the first `bytes` of the shared memory, in place of what is mapped of it now.
static bool map(vb_channel *channel, size_t bytes) {
  void *old = channel->head;
  void *all = old ? mremap(old, head_bytes() + channel->data_bytes, bytes, MREMAP_MAYMOVE)
                  : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, channel->memory, 0);
  if (all == MAP_FAILED)
    return false;
  channel->head = all;
  channel->data = (char *)all + head_bytes();
  channel->data_bytes = bytes - head_bytes();
  return true;
}

void vb_channel_unmap(vb_channel *channel) {
  if (channel->head)
    munmap(channel->head, head_bytes() + channel->data_bytes);
  if (channel->memory >= 0)
    close(channel->memory);
  if (channel->socket >= 0)
    close(channel->socket);
  *channel = (vb_channel){.memory = -1, .socket = -1};
}

vb_status vb_channel_make(vb_channel *out, int *other, vb_error *error) {
  vb_channel channel = {.socket = -1};
  size_t bytes = head_bytes() + VB_CHANNEL_DATA;
  int ends[2];
  channel.memory = memfd_create("viperbench-channel", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  // Without the seals the child could take away memory that the host has mapped, and so end it.
  bool well = channel.memory >= 0 && ftruncate(channel.memory, (off_t)bytes) == 0 &&
              fcntl(channel.memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL) == 0 &&
              map(&channel, bytes) &&
              socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0;
  if (!well) {
    int reason = errno;
    vb_channel_unmap(&channel);
    return vb_error_set(error, VB_UNAVAILABLE, "cannot share memory with a child process: %s",
                        strerror(reason));
  }
  channel.socket = ends[0];
  *other = ends[1];
  channel.head->bytes = bytes;
  *out = channel;
  return VB_OK;
}

bool vb_channel_follow(vb_channel *channel) {
  struct stat found;
  uint64_t bytes = channel->answer.bytes, mapped = head_bytes() + channel->data_bytes;
  if (bytes == mapped)
    return true;
  return bytes > mapped && fstat(channel->memory, &found) == 0 &&
         bytes <= (uint64_t)found.st_size && map(channel, (size_t)bytes);
}

bool vb_channel_send(const vb_channel *channel) {
  const char byte = VB_CHANNEL_BYTE;
  ssize_t n;
  do
    n = send(channel->socket, &byte, 1, MSG_NOSIGNAL);
  while (n < 0 && errno == EINTR);
  return n == 1;
}

ssize_t vb_channel_receive(const vb_channel *channel, char *first) {
  ssize_t n;
  *first = 0;
  do
    n = recv(channel->socket, first, 1, MSG_TRUNC); // tells the whole length
  while (n < 0 && errno == EINTR);
  return n;
}

/// Maps the scene, if there is one.
static bool map_scene(const vb_scene **scene, size_t *bytes) {
  struct stat found;
  *scene = NULL;
  *bytes = 0;
  if (fstat(VB_FD_SCENE, &found))
    return errno == EBADF;
  void *all = mmap(NULL, (size_t)found.st_size, PROT_READ, MAP_PRIVATE, VB_FD_SCENE, 0);
  if (all == MAP_FAILED)
    return false;
  *scene = all;
  *bytes = (size_t)found.st_size;
  return true;
}

vb_status vb_channel_join(vb_channel *out, const vb_scene **scene, size_t *scene_bytes,
                          vb_error *error) {
  vb_channel channel = {.memory = VB_FD_MEMORY, .socket = VB_FD_SOCKET};
  struct stat found;
  if (fstat(VB_FD_MEMORY, &found) || (size_t)found.st_size <= head_bytes() ||
      !map(&channel, (size_t)found.st_size) || !map_scene(scene, scene_bytes))
    return vb_bad_input(error, "only viperbench itself starts a process that serves a solver");
  fcntl(VB_FD_SOCKET, F_SETFD, FD_CLOEXEC);
  fcntl(VB_FD_MEMORY, F_SETFD, FD_CLOEXEC);
  // What a user or the system asks for is for the host alone.
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  *out = channel;
  return VB_OK;
}

pid_t vb_channel_host(const vb_channel *channel) {
  struct ucred maker = {0};
  socklen_t size = sizeof maker;
  getsockopt(channel->socket, SOL_SOCKET, SO_PEERCRED, &maker, &size);
  return maker.pid;
}

vb_status vb_channel_reserve(vb_channel *channel, size_t bytes, vb_error *error) {
  if (bytes <= channel->data_bytes)
    return VB_OK;
  size_t all = (head_bytes() + bytes + head_bytes() - 1) / head_bytes() * head_bytes();
  if (bytes > SIZE_MAX / 4 || ftruncate(channel->memory, (off_t)all) || !map(channel, all))
    return vb_error_memory(error);
  channel->head->bytes = all;
  return VB_OK;
}

void vb_channel_lock_head(vb_channel *channel, bool locked) {
  mprotect(channel->head, head_bytes(), locked ? PROT_READ : PROT_READ | PROT_WRITE);
}
