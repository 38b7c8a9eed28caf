// SPDX-License-Identifier: GPL-3.0-or-later
/// Notes of contact's phases (phases.h): after the last body's. For C code and for the kernels'
/// hosts, in one precision.
#ifndef VB_TESTS_SUPPORT_PHASES_CONTACT_H
#define VB_TESTS_SUPPORT_PHASES_CONTACT_H

#include "cuda/phases.h"
#include "viper/contact/candidate.h"

#include <stdlib.h>

/// A note being taken.
typedef struct phases_page {
  phases *log;
  int32_t body; ///< the number of bodies
  size_t n;     ///< numbers so far
} phases_page;

static inline void phases_number(phases_page *page, double x) {
  phases *p = page->log;
  if (p->n[page->body] + 2 + page->n >= p->capacity)
    abort(); // a test has too little room
  p->value[(size_t)page->body * p->capacity + p->n[page->body] + 2 + page->n++] = x;
}

static inline void phases_numbers(phases_page *page, const viper_scalar *x, int n) {
  for (int k = 0; k < n; k++)
    phases_number(page, (double)x[k]);
}

static inline void phases_vec4(phases_page *page, viper_vec4 x, int n) {
  for (int k = 0; k < n; k++)
    phases_number(page, (double)x[k]);
}

static inline void phases_finish(phases_page *page, phases_note_type type) {
  phases *p = page->log;
  double *head = p->value + (size_t)page->body * p->capacity + p->n[page->body];
  head[0] = (double)type;
  head[1] = (double)page->n;
  p->n[page->body] += page->n + 2;
  page->n = 0;
}

/// A node as it was gathered.
static inline void phases_gathered(phases_page *page, const viper_contact_node *x) {
  phases_vec4(page, x->x, 4);
  phases_vec4(page, x->old, 4);
  phases_vec4(page, x->hat, 4);
  phases_vec4(page, x->push, 4);
}

/// A contact as it was found, at so many nodes.
static inline void phases_touch(phases_page *page, const viper_touch *t, int n_nodes) {
  for (int k = 0; k < n_nodes; k++)
    phases_number(page, t->node[k]);
  phases_vec4(page, t->weight, n_nodes);
  phases_vec4(page, t->n, 3);
  phases_number(page, (double)t->offset);
  phases_number(page, (double)t->inv_w);
  phases_number(page, (double)t->inv_slide);
}

/// What a pass changes of a contact, and of a node.
static inline void phases_pushed(phases_page *page, const viper_touch *t) {
  phases_number(page, (double)t->lambda);
  phases_vec4(page, t->slide, 3);
}

static inline void phases_moved(phases_page *page, const viper_contact_node *x) {
  phases_vec4(page, x->x, 4);
  phases_vec4(page, x->push, 4);
}

#endif
