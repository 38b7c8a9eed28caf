// SPDX-License-Identifier: GPL-3.0-or-later
/// Notes of the CPU backend's phases (phases.h): sweeps over single bodies.
#define viper_barrier no_barrier
#include "viper/cpu/single/access.h"
#undef viper_barrier
#define viper_barrier phases_barrier

#include "cuda/phases_lanes.h"

static void viper_barrier(const viper_access *w);

#include "viper/cpu/single/single.h"
#undef viper_single_sweeps
#define viper_single_sweeps phases_sweeps

static void viper_single_sweeps(const viper_arrays *arrays, const viper_model_body *body,
                                const viper_settings *settings, double h,
                                viper_thread_group thread_group);

#include "viper/cpu/single/sweeps_lanes.c"

#include "cuda/phases_single.h"

#define PHASES_FN static
#include "cuda/phases_log.h"

static bool sweeping;

static void viper_barrier(const viper_access *w) {
  viper_access mine = *w;
  if (sweeping && phases_now)
    phases_note(&mine, phases_now, PHASES_SWEPT);
}

void phases_single_sweeps(const viper_arrays *a, const viper_model_body *body,
                          const viper_settings *settings, double h,
                          viper_thread_group thread_group) {
  viper_access w = {a,
                    a->model,
                    a->adjacency,
                    body,
                    thread_group,
                    (viper_scalar)h,
                    NULL,
                    false,
                    {0},
                    settings->dynamics == VIPER_STATIC,
                    false};
  if (phases_now && !settings->continued)
    phases_note(&w, phases_now, PHASES_PREDICTED);
  if (phases_now)
    phases_clear(&w, phases_now);
  sweeping = true;
  viper_single_sweeps(a, body, settings, h, thread_group);
  sweeping = false;
}
