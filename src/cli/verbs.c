// SPDX-License-Identifier: GPL-3.0-or-later
// The verbs of the command line, in the order of --help: a line for each, its NAME of a `const
// vb_verb vb_verb_NAME`.
#include "cli/cli.h"

#define VERBS(X)                                                                                   \
  X(self_test)                                                                                     \
  X(help)                                                                                          \
  X(list)                                                                                          \
  X(info)                                                                                          \
  X(run)                                                                                           \
  X(join)                                                                                          \
  X(bench)                                                                                         \
  X(plot)                                                                                          \
  X(table)                                                                                         \
  X(outline)                                                                                       \
  X(surface)                                                                                       \
  X(render)                                                                                        \
  X(viperize)                                                                                      \
  X(pills)                                                                                         \
  X(distance)                                                                                      \
  X(compare)                                                                                       \
  X(pack)                                                                                          \
  X(report)                                                                                        \
  X(site)                                                                                          \
  X(history)                                                                                       \
  X(gates)                                                                                         \
  X(bisect)                                                                                        \
  X(problem)                                                                                       \
  X(score)

#define DECLARE(name) extern const vb_verb vb_verb_##name;
#define LIST(name)    &vb_verb_##name,

VERBS(DECLARE)

const vb_verb *const vb_verbs[] = {VERBS(LIST) NULL};
