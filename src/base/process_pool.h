// SPDX-License-Identifier: GPL-3.0-or-later
/// Runs tasks in child processes, several at a time, so that a crash of one does not affect the
/// others.
#ifndef VB_BASE_PROCESS_POOL_H
#define VB_BASE_PROCESS_POOL_H

#include "base/status.h"

#include <stddef.h>

/// What is to be done, and who hears of it.
typedef struct vb_pool {
  int jobs; ///< children at a time, >= 1
  /// Does item number `item`, in a child that ends with it. What it is to leave goes to memory that
  /// is shared with this process, or to files.
  void (*run_item)(void *context, size_t item);
  /// Told in this process when the child of `item` has ended; `ended` is what waitpid gave.
  void (*ended)(void *context, size_t item, int ended);
  /// Told now and then how many items are done; may be null.
  void (*report_progress)(void *context, size_t done, size_t total);
  void *context;
} vb_pool;

/// Does the `n` items in the order of `items`, each in a child of its own. Children are forks of
/// this process, which therefore must run no threads but OpenMP's, which idle and are ended here,
/// and have touched no GPU before. SIGINT and
/// SIGTERM are only noted in a child, any number of them; a child dies when this process does.
/// After a signal (base/signals.h) no item is begun, and children are sent SIGTERM and waited
/// for: VB_OK, since each item reports its own result. VB_UNAVAILABLE where no child can be
/// started at all.
vb_status vb_pool_run(const vb_pool *pool, const size_t *items, size_t n, vb_error *error);

/// Zeroed memory for `n` elements of `size` bytes that children share with this process; null for
/// want of it. Freed by vb_pool_memory_free with the same numbers; null is none.
void *vb_pool_memory(size_t n, size_t size);
void vb_pool_memory_free(void *memory, size_t n, size_t size);

#endif
