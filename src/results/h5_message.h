// SPDX-License-Identifier: GPL-3.0-or-later
/// What the program and the reader of a file send each other: requests, each with a text behind it,
/// and replies, each with bytes behind it. Both are of one program on one machine.
#ifndef VB_RESULTS_H5_MESSAGE_H
#define VB_RESULTS_H5_MESSAGE_H

#include "results/h5_read.h"

/// What is asked of a reader: the functions of h5_read.h.
typedef enum vb_reader_task {
  VB_READER_FILE, ///< opens the file, whose name for messages is the text
  VB_READER_OBJECT,
  VB_READER_DATASET,
  VB_READER_EXPECT,
  VB_READER_NUMBERS,
  VB_READER_INTEGERS,
  VB_READER_TEXTS,
  VB_READER_ATTRIBUTE,
  VB_READER_INTEGER,
  VB_READER_NUMBER,
  VB_READER_MEMBERS,
  VB_READER_DATASETS,
  VB_READER_MEMBER,
  VB_READER_LINK,
  VB_READER_ALL,     ///< reads all of the file, and sends nothing of it
  VB_READER_RELEASE, ///< has no reply
} vb_reader_task;

/// Most bytes of a request's text, with its zero.
#define VB_READER_TEXT 4096

/// Most bytes that are sent together with the head of a reply.
#define VB_READER_TOGETHER 4096

/// Most bytes behind a reply that are not numbers.
#define VB_READER_BYTES ((size_t)1 << 30)

typedef struct vb_reader_request {
  int32_t task;
  uint32_t object; ///< that a reply has given
  int32_t kind, least, most;
  uint32_t length; ///< of the text, with its zero
  vb_h5_block block;
} vb_reader_request;

typedef struct vb_reader_reply {
  int32_t status; ///< a failure's message is behind it
  int32_t fault;  ///< where the file cannot be opened
  int32_t denied; ///< of a failure, see vb_h5_is_denied
  int32_t found;
  uint32_t object;
  int32_t sound;              ///< whether a dataset's claim is one that the file can hold
  int32_t kind, letter, rank; ///< of a dataset; kind is a type of HDF5 for any other object
  int64_t integer;
  double number;
  uint64_t size;
  uint64_t extent[VB_H5_RANK];
  uint64_t n;     ///< texts behind it
  uint64_t bytes; ///< behind it
} vb_reader_reply;

/// How long to wait for the other: asked whenever nothing has come for as long as the socket waits
/// (SO_RCVTIMEO).
typedef struct vb_reader_limit {
  bool (*wait)(void *context); ///< false: gives up
  void *context;
} vb_reader_limit;

/// Sends all bytes; false where the other is gone.
bool vb_reader_send(int socket, const void *bytes, size_t size);

/// Receives as many bytes; false where the other is gone, or the limit is reached. Null: there is
/// none.
bool vb_reader_receive(int socket, void *bytes, size_t size, const vb_reader_limit *limit);

/// Receives `least` bytes, and up to `most` that are there; how many, or 0 likewise.
size_t vb_reader_receive_some(int socket, void *bytes, size_t least, size_t most,
                              const vb_reader_limit *limit);

#endif
