// SPDX-License-Identifier: GPL-3.0-or-later
// Tolerances that a study declares, as JSON in its results.
#include "fuzz.h"

#include "compare/tolerances.h"

#include <stdlib.h>
#include <string.h>

static void run(const uint8_t *data, size_t size) {
  char *text = malloc(size + 1), kind[16];
  vb_tolerances tolerances = {0};
  vb_error error = {0};
  if (!text)
    return;
  memcpy(text, data, size);
  text[size] = '\0';
  for (int single = 0; single < 2; single++) {
    vb_status status = vb_tolerances_read(text, single != 0, &tolerances, &error);
    fuzz_expect(status, &error);
    if (status)
      continue;
    vb_tolerance t = vb_tolerance_of(&tolerances, text);
    if (!(t.absolute >= 0 && t.relative >= 0))
      __builtin_trap();
    vb_tolerances_free(&tolerances);
  }
  vb_quantity_kind(text, kind, sizeof kind);
  free(text);
}

const fuzz_target fuzz_json = {"json", run, NULL};
