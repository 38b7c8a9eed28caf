// SPDX-License-Identifier: GPL-3.0-or-later
/// Confinement of a process that only computes on what it has open.
///
/// Two locks of the kernel, each of which holds by itself. Landlock takes all rights on files, and
/// where the kernel knows these, on network and on other processes. A seccomp filter leaves the
/// system calls for memory, for reading and writing what is open, and for ending; nothing can be
/// opened, started, sent or changed. Both last until the process ends.
#ifndef VB_BASE_CONFINE_H
#define VB_BASE_CONFINE_H

#include <stdbool.h>

/// Confines this process for good, with as many of the locks as the kernel has. False where it has
/// one and that cannot be put on. What this process has open stays usable; close all else before.
bool vb_confine(void);

/// Which of the locks this kernel lacks, in words that follow "without"; null where it has both.
const char *vb_confine_lacks(void);

#endif
