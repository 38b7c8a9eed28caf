// SPDX-License-Identifier: GPL-3.0-or-later
/// The CPU backend's step once more, with notes of contact's phases (phases.h).
#include "viper/cpu/contact/contact_real.h"

#include "cuda/phases_contact.h"

#define PHASES_CPU_STEP VIPER_NAME(phases_cpu_step)

static phases_page page_of(const viper_cpu *cpu) {
  return (phases_page){phases_now, (int32_t)cpu->model->n_bodies, 0};
}

static void note_gathered(const viper_cpu *cpu) {
  phases_page page = page_of(cpu);
  for (size_t i = 0; phases_now && i < cpu->model->n_nodes; i++)
    phases_gathered(&page, &cpu->contacts->node[i]);
  if (phases_now)
    phases_finish(&page, PHASES_GATHERED);
}

static void sphere_of(const viper_cpu *cpu, int32_t j, float out[4]) {
  const viper_contacts *c = cpu->contacts;
  const int32_t *node = cpu->model->segment[j].node;
  viper_sphere_about(&c->node[node[0]], &c->node[node[1]], (viper_scalar)c->settings->margin, out);
}

/// Whether the spheres without skins of two segments overlap.
static bool spheres_overlap(const viper_cpu *cpu, int32_t i, int32_t j) {
  float a[4], b[4];
  sphere_of(cpu, i, a);
  sphere_of(cpu, j, b);
  float x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2], r = a[3] + b[3];
  return x * x + y * y + z * z <= r * r;
}

/// The pairs that the spheres without skins make, of those that are listed: in the first substep
/// after a state was put all of them are.
static void note_pairs(const viper_cpu *cpu) {
  const viper_neighbor_list *neighbors = &cpu->contacts->neighbors;
  phases_page page = page_of(cpu);
  for (int32_t i = 0; phases_now && i < (int32_t)cpu->model->n_segments; i++)
    for (int32_t k = neighbors->first[i]; k < neighbors->first[i + 1]; k++)
      if (spheres_overlap(cpu, i, neighbors->other[k])) {
        phases_number(&page, i);
        phases_number(&page, neighbors->other[k]);
      }
  if (phases_now)
    phases_finish(&page, PHASES_PAIRS);
}

static void note_found(const viper_cpu *cpu) {
  const viper_contacts *c = cpu->contacts;
  phases_page page = page_of(cpu);
  if (!phases_now)
    return;
  phases_number(&page, c->speed);
  for (int32_t p = 0; p < c->n_ranges; p++)
    for (size_t k = 0; k < c->range[p].n; k++)
      phases_touch(&page, &c->finds[c->range[p].thread].touch.touch[c->range[p].first + k], 4);
  phases_finish(&page, PHASES_FOUND);
}

static void note_colored(const viper_cpu *cpu) {
  const viper_contacts *c = cpu->contacts;
  phases_page page = page_of(cpu);
  for (size_t k = 0; phases_now && k < c->touch.n; k++) {
    phases_number(&page, c->touch.touch[k].which);
    phases_touch(&page, &c->touch.touch[k], 4);
  }
  if (phases_now)
    phases_finish(&page, PHASES_COLORED);
}

/// Nodes at work, watched scales, and contacts with half-planes.
static void note_nodes(const viper_cpu *cpu) {
  const viper_contacts *c = cpu->contacts;
  phases_page page = page_of(cpu);
  if (!phases_now)
    return;
  for (int32_t k = 0; k < c->n_active; k++)
    phases_number(&page, c->active[k]);
  phases_number(&page, -1);
  for (int32_t k = 0; k < c->n_limits; k++)
    phases_number(&page, c->limit[k].node);
  phases_number(&page, -1);
  for (size_t k = 0; k < c->rest.n; k++) {
    phases_number(&page, c->rest.touch[k].which);
    phases_touch(&page, &c->rest.touch[k], 1);
  }
  phases_finish(&page, PHASES_NODES);
}

static void note_pass(const viper_cpu *cpu) {
  const viper_contacts *c = cpu->contacts;
  phases_page page = page_of(cpu);
  if (!phases_now)
    return;
  for (size_t k = 0; k < c->touch.n; k++)
    phases_pushed(&page, &c->touch.touch[k]);
  for (size_t k = 0; k < c->rest.n; k++)
    phases_pushed(&page, &c->rest.touch[k]);
  for (int32_t k = 0; k < c->n_limits; k++)
    phases_number(&page, (double)c->limit[k].lambda);
  for (int32_t k = 0; k < c->n_active; k++)
    phases_moved(&page, &c->node[c->active[k]]);
  phases_finish(&page, PHASES_PASSED);
}

/// viper_contact_detect, step by step.
static vb_status detect(viper_cpu *cpu, const viper_settings *settings, vb_error *error) {
  viper_contacts *c = cpu->contacts;
  double margin = c->margin;
  int threads = settings->threads;
  c->touch.n = 0;
  c->speed = 0;
  viper_contact_gather(cpu, threads);
  note_gathered(cpu);
  if (c->settings) {
    vb_status status = viper_contact_pairs(cpu, margin, threads, error);
    if (status)
      return status;
    note_pairs(cpu);
    if (!viper_contact_find(cpu, threads))
      return vb_error_memory(error);
    note_found(cpu);
    if (!viper_contact_sort(c, threads))
      return vb_error_memory(error);
    note_colored(cpu);
  }
  if (!viper_contact_nodes(cpu, margin, threads))
    return vb_error_memory(error);
  note_nodes(cpu);
  if (c->frame && settings->contact != VIPER_CONTACT_AVERAGED)
    viper_contact_frames(cpu, threads);
  return VB_OK;
}

static void pass(viper_cpu *cpu, const viper_settings *settings) {
  viper_contact_pass(cpu, settings);
  note_pass(cpu);
}

#undef viper_contact_detect
#undef viper_contact_pass
#undef viper_cpu_step
#define viper_contact_detect detect
#define viper_contact_pass   pass
#define viper_cpu_step       PHASES_CPU_STEP

vb_status viper_cpu_step(void *self, const viper_settings *settings, double time, double h,
                         double *work, double *timer, bool *trouble, vb_error *error);

#include "viper/cpu/step_real.c"

/// The backend's functions, but that they take notes.
const viper_cpu_api *VIPER_NAME(phases_cpu_api)(void);

const viper_cpu_api *VIPER_NAME(phases_cpu_api)(void) {
  static viper_cpu_api table;
  table = VIPER_NAME(viper_cpu);
  table.step = viper_cpu_step;
  return &table;
}
