// SPDX-License-Identifier: GPL-3.0-or-later
/// Confinement of a process that only computes on what it has open.
///
/// Two locks of the kernel, each of which holds by itself. Landlock takes all rights on files, and
/// where the kernel knows these, on network and on other processes. A seccomp filter leaves the
/// system calls for memory, for reading what is open and sending by sockets, and for ending;
/// nothing can be opened, started, sent or changed. Both last until the process ends.
#ifndef VB_BASE_CONFINE_H
#define VB_BASE_CONFINE_H

#include <stdbool.h>

/// Prepares a fork to be confined: of what this process has open it keeps the two descriptors,
/// which may be the same and are moved away from the standard streams, and these lead nowhere. A
/// crash of it is no crash of the program, and leaves no core. A descriptor of -1 after it: there
/// are too many open files.
void vb_confine_prepare(int *one, int *other);

/// Confines this process for good, with as many of the locks as the kernel has. False where it has
/// one and that cannot be put on. What this process has open stays usable; close all else before.
/// Where it `writes` it may also write to open files at any place, and cut them.
bool vb_confine(bool writes);

/// Which of the locks this kernel lacks, in words that follow "without"; null where it has both.
const char *vb_confine_lacks(void);

#endif
