// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/planted.h"

#include <stdlib.h>

#define WORD(name, word, always, text)   word,
#define ALWAYS(name, word, always, text) [VB_PLANTED_##name] = (always),

const char *const vb_planted_words[] = {VB_PLANTED_SOLVERS(WORD) NULL};

vb_planted_plan vb_planted_default(void) {
  return (vb_planted_plan){.must = {VB_PLANTED_SOLVERS(ALWAYS)}};
}

void vb_planted_clear(vb_planted_plan *plan) {
  for (int i = 0; i < VB_PLANTED_COUNT; i++)
    free(plan->exempt[i]);
  *plan = (vb_planted_plan){0};
}
