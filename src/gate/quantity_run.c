// SPDX-License-Identifier: GPL-3.0-or-later
#include "gate/quantity_run.h"

#include "results/results_locate.h"

#include <string.h>

vb_status vb_quantity_run(const char *path, const char *quantity, char run[256],
                          vb_run_location *out, vb_error *error) {
  size_t prefix = vb_results_prefix(quantity), name = strlen("runs/");
  *out = (vb_run_location){path, NULL};
  if (prefix > 256)
    return vb_bad_input(error, "\"%.80s\" names no run", quantity);
  if (prefix > 0) {
    memcpy(run, quantity + name, prefix - name - 1);
    run[prefix - name - 1] = '\0';
    out->run = run;
  }
  return VB_OK;
}
