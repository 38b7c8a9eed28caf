// SPDX-License-Identifier: GPL-3.0-or-later
/// Notes of a skin's phases (phases.h) from what the kernels leave behind, where the host can read
/// it.
#ifndef VB_TESTS_SUPPORT_PHASES_SKIN_HPP
#define VB_TESTS_SUPPORT_PHASES_SKIN_HPP

#include "cuda/phases_contact.h"
#include "viper/cuda/skin/device.h"

namespace {

double phases_total(const double *sum, int n) {
  double total = 0;
  for (int k = 0; k < n; k++)
    total += sum[k];
  return total;
}

/// After a phase; `body` is the number of bodies.
void phases_note_skin(phases *log, int32_t body, const viper_skin_device *s,
                      viper_skin_phase phase) {
  phases_page page = {log, body, 0};
  if (phase == VIPER_SKIN_CARRIERS)
    return; // bundles come next
  if (phase == VIPER_SKIN_BUNDLES) {
    for (int32_t j = 0; j < s->n_segments; j++)
      phases_numbers(&page, &s->carrier[j].axis[0].x, sizeof *s->carrier / sizeof(viper_scalar));
    phases_finish(&page, PHASES_CARRIERS);
  } else if (phase == VIPER_SKIN_VERTICES) {
    phases_numbers(&page, s->vertex, 3 * s->n_vertices);
    phases_finish(&page, PHASES_VERTICES);
  } else {
    phases_number(&page, phase == VIPER_SKIN_TRIANGLES ? phases_total(s->sum, VIPER_SKIN_SUMS) / 6
                         : phase == VIPER_SKIN_SUM_SUMS
                             ? phases_total(s->sum + VIPER_SKIN_SUMS, VIPER_SKIN_FEW) / 6
                             : *s->volume);
    phases_finish(&page, PHASES_VOLUME);
  }
}

} // namespace

#endif
