// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/h5_message.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

bool vb_reader_send(int socket, const void *bytes, size_t size) {
  const char *from = bytes;
  while (size > 0) {
    ssize_t n = send(socket, from, size, MSG_NOSIGNAL);
    if (n < 0 && errno != EINTR)
      return false;
    if (n > 0) {
      from += n;
      size -= (size_t)n;
    }
  }
  return true;
}

/// Whether to try again after a read that failed.
static bool tries_again(const vb_reader_limit *limit) {
  bool nothing_came = errno == EAGAIN || errno == EWOULDBLOCK;
  return errno == EINTR || (nothing_came && (!limit || limit->wait(limit->context)));
}

size_t vb_reader_receive_some(int socket, void *bytes, size_t least, size_t most,
                              const vb_reader_limit *limit) {
  size_t size = 0;
  while (size < least) {
    ssize_t n = read(socket, (char *)bytes + size, most - size);
    if (n == 0 || (n < 0 && !tries_again(limit)))
      return 0;
    if (n > 0)
      size += (size_t)n;
  }
  return size;
}

bool vb_reader_receive(int socket, void *bytes, size_t size, const vb_reader_limit *limit) {
  return size == 0 || vb_reader_receive_some(socket, bytes, size, size, limit) == size;
}
