// SPDX-License-Identifier: GPL-3.0-or-later
/// Provenance of a result: program, compiler, machine, time.
#ifndef VB_RESULTS_PROVENANCE_H
#define VB_RESULTS_PROVENANCE_H

#include "base/status.h"

#include <stdbool.h>

/// All texts end with a zero; "unknown" if something cannot be determined.
typedef struct vb_provenance {
  char commit[64];      ///< of the program's source
  bool dirty;           ///< whether that source had uncommitted changes
  char arguments[4096]; ///< the command line, words separated by spaces
  char compiler[128];
  char flags[1024];         ///< of the compiler
  char floating_point[16];  ///< "strict": no contraction, no fast-math
  char instruction_set[32]; ///< that the program was built for, "x86-64-v1" and so on
  char host[256];
  char system[256]; ///< kernel and its release
  char cpu[256];
  int cores;           ///< physical ones of the machine
  int threads;         ///< available logical processors
  char date[32];       ///< UTC, ISO 8601
  char libraries[256]; ///< versions, as a JSON object
} vb_provenance;

/// Gathers all of it.
void vb_provenance_collect(vb_provenance *out);

#endif
