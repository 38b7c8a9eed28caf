// SPDX-License-Identifier: GPL-3.0-or-later
/// Friction at the beginning of a substep: the frames that it may roll.
#include "viper/cpu/contact/contact_real.h"

#include <string.h>

/// Marks the frames that a contact rolls.
static void mark_rolling(viper_contacts *c) {
  for (size_t k = 0; k < c->touch.n; k++)
    for (int e = 0; e < 2; e++)
      c->marked[c->touch.touch[k].roller[e].segment] = 1;
  for (size_t k = 0; k < c->rest.n; k++) {
    const int32_t node = c->rest.touch[k].node[0];
    for (int32_t r = c->roller_first[node]; r < c->roller_first[node + 1]; r++)
      c->marked[c->roller[r].segment] = 1;
  }
}

/// Lists the frames that contacts roll.
static void list_rolling(viper_cpu *cpu) {
  viper_contacts *c = cpu->contacts;
  int32_t n = (int32_t)cpu->model->n_segments;
  mark_rolling(c);
  c->n_rolling = 0;
  for (int32_t j = 0; j < n; j++) {
    c->rolling[c->n_rolling] = j;
    c->n_rolling += c->marked[j];
  }
  memset(c->marked, 0, (size_t)n);
}

static viper_vec4 read_frame(const void *from, size_t stride) {
  const viper_scalar *x = from;
  return viper_vec4_make(x[0], x[stride], x[2 * stride], x[3 * stride]);
}

void viper_contact_frames(viper_cpu *cpu, int threads) {
  const viper_contacts *c = cpu->contacts;
  list_rolling(cpu);
#pragma omp parallel for if (c->n_rolling > VIPER_CONTACT_PARALLEL) num_threads(threads)
  for (int32_t k = 0; k < c->n_rolling; k++) {
    int32_t j = c->rolling[k];
    const int32_t *node = cpu->model->segment[j].node;
    const viper_place *p = &c->frame_place[j];
    c->frame[j].old = read_frame(p->node_old, p->stride);
    c->frame[j].hat = read_frame(p->node_hat, p->stride);
    viper_frame_begin(&c->frame[j], &c->node[node[0]], &c->node[node[1]],
                      (viper_scalar)VIPER_MINIMUM_SCALE);
  }
}
