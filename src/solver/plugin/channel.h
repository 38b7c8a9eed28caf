// SPDX-License-Identifier: GPL-3.0-or-later
/// Communication between the program (host) and a child process that holds a solver. Requests and
/// answers are in memory that both map; a one-byte message through a socket announces each. The
/// scene is a separate, read-only mapping.
///
/// A solver can write to all of this at any time. So the host copies an answer before it
/// looks at it, and the memory can grow but not shrink: what is mapped is there.
#ifndef VB_SOLVER_PLUGIN_CHANNEL_H
#define VB_SOLVER_PLUGIN_CHANNEL_H

#include "solver/solver.h"

#include <sys/types.h>

/// Requests of the host. STEP advances and then syncs.
typedef enum vb_call {
  VB_CALL_LOAD, ///< opens the solver and sends its description
  VB_CALL_CREATE,
  VB_CALL_SET_OPTION,
  VB_CALL_GET_OPTION,
  VB_CALL_STEP,
  VB_CALL_SYNC,
  VB_CALL_SAVE,
  VB_CALL_RESTORE,
  VB_CALL_READ,
  VB_CALL_ENERGIES,
  VB_CALL_WORK,
  VB_CALL_RESIDUAL,
  VB_CALL_REACTIONS,
  VB_CALL_TIMINGS,
  VB_CALL_COST,
  VB_CALL_DEVICE,
  VB_CALL_CONVERGENCE,
  VB_CALL_DESTROY,
  VB_CALL_COUNT
} vb_call;

/// The solver's function that the child is in, to report when it does not answer.
typedef enum vb_function {
  VB_IN_NONE,
  VB_IN_OPEN, ///< the loader, with all that a shared object runs when it is opened
  VB_IN_PLUGIN,
  VB_IN_DESCRIBE,
  VB_IN_CREATE,
  VB_IN_SET_OPTION,
  VB_IN_GET_OPTION,
  VB_IN_STEP,
  VB_IN_SYNC,
  VB_IN_STATE_SIZE,
  VB_IN_SAVE,
  VB_IN_RESTORE,
  VB_IN_COUNT,
  VB_IN_READ,
  VB_IN_ENERGIES,
  VB_IN_WORK,
  VB_IN_RESIDUAL,
  VB_IN_REACTIONS,
  VB_IN_TIMINGS,
  VB_IN_COST,
  VB_IN_DEVICE,
  VB_IN_CONVERGENCE,
  VB_IN_DESTROY,
  VB_IN_IMPORT, ///< a Python file, with all that it runs when it is imported
  VB_FUNCTION_COUNT
} vb_function;

/// The name of a function ("read").
const char *vb_function_name(vb_function function);

/// Most names of outputs that can be reported when one of them is written beyond.
enum { VB_OUTPUTS = 2, VB_OUTPUT_NAME = 96 };

/// What a child may use.
typedef struct vb_channel_limits {
  double memory; ///< bytes of data (base/process_limits.h)
  double cpu_s;  ///< processor time, s; 0: any
} vb_channel_limits;

/// Files that a child may have open.
enum { VB_CHANNEL_FILES = 1024 };

/// How a child came to its end, noted by itself.
typedef struct vb_fault {
  int32_t signal;   ///< or 0
  int32_t memory;   ///< whether its latest failure was to get memory
  int32_t output;   ///< number of the output whose end or begin was crossed, -1 for none
  int32_t side;     ///< -1 before it, 0 in it, 1 beyond it
  int32_t scene;    ///< whether it was the scene that was written to
  uint64_t address; ///< that was touched
} vb_fault;

/// The status of a call that is not answered yet.
#define VB_NO_ANSWER UINT32_MAX

/// The first page of the shared memory. What comes from the other side is never trusted with a
/// size.
typedef struct vb_channel_head {
  uint32_t call;     ///< vb_call
  uint32_t status;   ///< vb_status of the answer, or VB_NO_ANSWER
  uint32_t function; ///< vb_function: where the child is
  uint32_t moved;    ///< of a solver that is checked: whether a field has ever changed
  int64_t number;    ///< field, or steps
  double value[2];
  uint64_t bytes;           ///< of the whole shared memory; only the child makes it larger
  vb_channel_limits limits; ///< of the child, which it sets as it begins
  double cpu_s;             ///< processor time of the child so far
  double memory;            ///< bytes that making the instance allocated
  int64_t switches;         ///< involuntary context switches of the child
  vb_divergence divergence;
  vb_fault fault;
  char output[VB_OUTPUTS][VB_OUTPUT_NAME]; ///< outputs of the function that is running
  char message[sizeof((vb_error *)0)->message];
} vb_channel_head;

/// Room for data that a channel begins with, and the most that a description may take.
enum { VB_CHANNEL_DATA = 1 << 16, VB_DESCRIPTION_DATA = 1 << 26 };

/// One end of it. Zeroed, it is closed.
typedef struct vb_channel {
  vb_channel_head *head;
  char *data;               ///< behind the head
  size_t data_bytes;        ///< room for data
  vb_channel_limits limits; ///< of the host's end: of the child
  int memory;               ///< file descriptors
  int socket;
  pid_t child;            ///< of the host's end: the guard of the process that serves (watchdog.h)
  vb_channel_head answer; ///< of the host's end: its copy of the head, taken with the latest answer
  vb_error said;          ///< of the child's end: what the solver said of its latest failure
} vb_channel;

/// Starts `program` (null: the running one) to serve solver `name` in a child process; `scene` may
/// be null, and is copied. The child and all that it starts have these limits each. To be closed by
/// vb_channel_close.
vb_status vb_channel_open(const char *program, const char *name, const vb_scene *scene,
                          vb_channel_limits limits, vb_channel *out, vb_error *error);

/// Ends the child with all processes that it has started, and frees what the channel holds.
void vb_channel_close(vb_channel *channel);

/// Asks for `call`, whose arguments are in head and data, and waits `limit_s` seconds at most (0:
/// for ever). The answer's status and message; what else it holds is in `channel->answer`, and in
/// the data. VB_FAILED where the child ended, or was ended for taking too long or for sending what
/// is no answer, with the function it was in. After that only vb_channel_close is allowed.
vb_status vb_channel_ask(vb_channel *channel, vb_call call, double limit_s, vb_error *error);

/// The child's end (child.c has the host's), and the scene, null where there is none. VB_BAD_INPUT
/// where this process was not started by vb_channel_open.
vb_status vb_channel_join(vb_channel *out, const vb_scene **scene, size_t *scene_bytes,
                          vb_error *error);

/// The process that opened the channel, for the child's end.
pid_t vb_channel_host(const vb_channel *channel);

/// The child makes room for `bytes` of data.
vb_status vb_channel_reserve(vb_channel *channel, size_t bytes, vb_error *error);

/// Keeps the child from changing the head while a solver's function is running; or no longer.
void vb_channel_lock_head(vb_channel *channel, bool locked);

/// One byte to the other side; false where that is gone.
bool vb_channel_send(const vb_channel *channel);

/// Waits for a message from the other side. Its length; 0 where that is gone; -1 on failure.
/// `*first` is its first byte, and VB_CHANNEL_BYTE where it is what vb_channel_send sends.
ssize_t vb_channel_receive(const vb_channel *channel, char *first);
#define VB_CHANNEL_BYTE '!'

/// Parts of vb_channel_open, vb_channel_ask and vb_channel_close: a channel whose socket's other
/// end is `*other`; maps what the child claims in `channel->answer` to have added, and false where
/// that is not there; frees without asking for the child.
vb_status vb_channel_make(vb_channel *out, int *other, vb_error *error);
bool vb_channel_follow(vb_channel *channel);
void vb_channel_unmap(vb_channel *channel);

/// The descriptors of the child.
enum { VB_FD_SOCKET = 3, VB_FD_MEMORY, VB_FD_SCENE, VB_FD_END };

/// The argument of the program that makes it serve a solver, before that one's name.
#define VB_CHILD_COMMAND "--serve-solver"

#endif
