// SPDX-License-Identifier: GPL-3.0-or-later
/// The order of commits in the history of a clone.
#ifndef VB_CLI_COMMIT_ORDER_H
#define VB_CLI_COMMIT_ORDER_H

#include <stdbool.h>
#include <stddef.h>

/// Writes the numbers of `n` commits, which are given by their hashes, to `order`, ancestors first;
/// equal ones stay as they are given. False, and nothing written, where the folder `home` is no
/// clone that has them all, or there is no git.
bool vb_cli_commit_order(const char *home, const char *const *commits, size_t n, size_t *order);

#endif
