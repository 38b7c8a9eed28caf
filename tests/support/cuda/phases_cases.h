// SPDX-License-Identifier: GPL-3.0-or-later
/// The CPU's phases against those of the kernels' code, on the host (test_cuda_phases.c) and on a
/// device (test_cuda_device.c).
#ifndef VB_TESTS_SUPPORT_PHASES_CASES_H
#define VB_TESTS_SUPPORT_PHASES_CASES_H

#define VIPER_PRECISION 64 // the CPU's skins
#include "cuda/cuda_cases.h"
#include "cuda/phases_contact.h"
#include "viper/skin/skin_transform.h"
#include "viper/viper_internal.h"

#include <float.h>

/// An instance's scene, what it is set to (one substep a step), and its states from step to step.
typedef struct phases_subject {
  handle cpu;
  viper *of;
  viper_settings settings;
  double h;
} phases_subject;

/// A state of its own, a copy of another; its arrays are one block that begins at `node`.
static inline viper_state phases_copy_state(const phases_subject *s, const viper_state *from) {
  const viper_model *m = s->of->model;
  size_t active = from->active ? 2 : 0;
  size_t doubles = 16 * m->n_nodes + (11 + active) * m->n_segments + viper_count_work(m);
  viper_state out = *from;
  out.node = calloc(doubles + 1, sizeof *out.node);
  ck_assert_ptr_nonnull(out.node);
  memcpy(out.node, from->node,
         (doubles - (from->node_hat0 ? 0 : 4 * m->n_nodes)) * sizeof *out.node);
  ptrdiff_t by = out.node - from->node;
  out.node_rate += by;
  out.node_hat += by;
  out.frame += by;
  out.frame_hat += by;
  out.frame_rate += by;
  out.work += by;
  out.node_hat0 = from->node_hat0 ? from->node_hat0 + by : NULL;
  out.active = from->active ? from->active + by : NULL;
  return out;
}

static inline phases_subject phases_open(const vb_scene *scene, int v) {
  phases_subject s = {.cpu = case_open(scene, v, "cpu")};
  s.of = s.cpu.self;
  s.settings = s.of->settings;
  s.settings.substeps = s.settings.threads = 1;
  s.h = vb_scene_world(scene)->step;
  return s;
}

/// Room for 2^17 numbers of each body.
static inline phases phases_create(const phases_subject *s) {
  size_t n = s->of->model->n_bodies + 1;
  phases p = {.method = s->settings.method, .capacity = 1 << 17};
  p.value = calloc(n * p.capacity, sizeof *p.value);
  p.n = calloc(n, sizeof *p.n);
  ck_assert(p.value && p.n);
  return p;
}

static inline void phases_destroy(phases *p) {
  free(p->value);
  free(p->n);
}

/// Has a backend that takes notes do a step from `state` on.
static inline void phases_step(const viper_backend *b, const phases_subject *s, double time,
                               viper_state *state, phases *log) {
  const viper *v = s->of;
  const viper_backend_setup setup = {v->model, &s->settings, &v->variant, &v->skin};
  viper_progress progress;
  double timer[VIPER_TIMER_COUNT] = {0};
  void *self;
  ck_assert_int_eq(b->create(&setup, &self, NULL), VB_OK);
  ck_assert_int_eq(b->put(self, state, NULL), VB_OK);
  phases_now = log;
  ck_assert_int_eq(b->step(self, &s->settings, time, s->h, NULL), VB_OK);
  phases_now = NULL;
  ck_assert_int_eq(b->sync(self, timer, &progress, NULL), VB_OK);
  ck_assert_int_eq(b->get(self, state, NULL), VB_OK);
  b->destroy(self);
}

/// Whether a sum over a body is that of the CPU. In double both add in the same order. In float the
/// CPU adds in double and the kernels in pairs of floats (viper/cuda/core/pair.h): the lower halves
/// of n numbers add up to n 2^-25 of the sum and are rounded n times to 2^-24 of that; the few
/// other operations round to 2^-46.
static inline bool phases_same_sum(double a, double b, double n, viper_precision precision) {
  double bound = precision == VIPER_DOUBLE ? 0 : n * n * ldexp(1, -49) + ldexp(1, -44);
  return fabs(a - b) <= bound * fabs(a);
}

/// As many values as are added up for a body, at most.
static inline double phases_values(const viper_model_body *body) {
  return 2.0 * (body->n_nodes + body->n_segments);
}

/// Compares two logs of body `k` (the one after the last: of contact), note by note; counts the
/// notes of each kind.
static inline void phases_compare_body(const phases_subject *s, size_t k, const phases *a,
                                       const phases *b, int count[PHASES_N_TYPES]) {
  static const char *const names[PHASES_N_TYPES] = {
      "",          "prediction", "phase of a sweep", "choice of the start",
      "assembly",  "factor",     "search",           "sum",
      "gathering", "pairs",      "contacts",         "colors",
      "nodes",     "pass",       "carriers",         "vertices",
      "volume"};
  const double *x = a->value + k * a->capacity, *y = b->value + k * b->capacity;
  double most = k < s->of->model->n_bodies ? phases_values(&s->of->model->body[k]) : 0;
  ck_assert_uint_le(a->n[k], a->capacity);
  for (size_t at = 0; at < a->n[k]; at += 2 + (size_t)x[at + 1]) {
    int type = (int)x[at];
    size_t n = (size_t)x[at + 1];
    ck_assert(type > 0 && type < PHASES_N_TYPES);
    ck_assert(!memcmp(x + at, y + at, 2 * sizeof *x));
    bool same = type == PHASES_SUM
                    ? phases_same_sum(x[at + 2], y[at + 2], most, s->of->variant.precision)
                    : !memcmp(x + at + 2, y + at + 2, n * sizeof *x);
    ck_assert_msg(same, "%s %d of body %zu differs", names[type], count[type], k);
    count[type]++;
  }
  ck_assert_uint_eq(a->n[k], b->n[k]);
}

/// Compares what two logs have of contact; returns how many contacts there were.
static inline int phases_compare_contact(const phases_subject *s, const phases *a,
                                         const phases *b) {
  int count[PHASES_N_TYPES] = {0};
  bool between = vb_scene_contact(s->of->scene) != NULL;
  size_t k = s->of->model->n_bodies;
  phases_compare_body(s, k, a, b, count);
  ck_assert_int_eq(count[PHASES_GATHERED], 1);
  ck_assert_int_eq(count[PHASES_PAIRS], between);
  ck_assert_int_eq(count[PHASES_FOUND], between);
  ck_assert_int_eq(count[PHASES_COLORED], between);
  ck_assert_int_eq(count[PHASES_NODES], 1);
  ck_assert_int_eq(count[PHASES_PASSED], s->settings.iterations);
  const double *x = a->value + k * a->capacity, *last = x;
  for (size_t at = 0; at < a->n[k]; at += 2 + (size_t)x[at + 1])
    last = x + at; // of each node at work, and of each contact, at least four numbers
  return (int)(last[1] / 4);
}

/// Compares what two logs have of bodies.
static inline void phases_compare_bodies(const phases_subject *s, const phases *a,
                                         const phases *b) {
  bool direct = s->settings.method == VIPER_DIRECT;
  for (size_t k = 0; k < s->of->model->n_bodies; k++) {
    int count[PHASES_N_TYPES] = {0};
    phases_compare_body(s, k, a, b, count);
    ck_assert_int_eq(count[PHASES_PREDICTED], 1);
    ck_assert_int_ge(count[direct ? PHASES_FACTORED : PHASES_SWEPT], s->settings.iterations);
  }
}

/// Whether two states are the same but for the work done.
static inline bool phases_same_state(const phases_subject *s, const viper_state *x,
                                     const viper_state *y) {
  const viper_model *m = s->of->model;
  return !memcmp(x->node, y->node, (12 * m->n_nodes + 11 * m->n_segments) * sizeof *x->node) &&
         (!x->node_hat0 ||
          !memcmp(x->node_hat0, y->node_hat0, 4 * m->n_nodes * sizeof *x->node_hat0));
}

/// Notes the phases of a skin by the CPU, which works in double, in a state.
static inline void phases_skin_of_cpu(const phases_subject *s, const viper_state *state,
                                      phases *log) {
  const viper *v = s->of;
  phases_page page = {log, (int32_t)v->model->n_bodies, 0};
  size_t n = 3 * v->skin.n_vertices;
  double *vertex = calloc(n, sizeof *vertex);
  viper_skin_vertices(&v->skin, v->model, state->node, state->frame, vertex);
  for (size_t j = 0; j < v->model->n_segments; j++)
    phases_numbers(&page, &v->skin.carrier[j].axis[0].x,
                   sizeof *v->skin.carrier / sizeof(viper_scalar));
  phases_finish(&page, PHASES_CARRIERS);
  phases_numbers(&page, vertex, (int)n);
  phases_finish(&page, PHASES_VERTICES);
  for (int k = 0; k < 3; k++) {
    phases_number(&page, viper_skin_volume(&v->skin, vertex));
    phases_finish(&page, PHASES_VOLUME);
  }
  free(vertex);
}

/// Compares what two logs have of a skin, as case_check_surface does: transforms and vertices of
/// less than a meter are the CPU's in double, and off by some ten roundings in float.
static inline void phases_compare_skin(const phases_subject *s, const phases *a, const phases *b) {
  double epsilon = s->of->variant.precision == VIPER_FLOAT ? FLT_EPSILON : DBL_EPSILON;
  size_t k = s->of->model->n_bodies, n_notes = 0;
  const double *x = a->value + k * a->capacity, *y = b->value + k * b->capacity;
  for (size_t at = 0; at < a->n[k]; at += 2 + (size_t)x[at + 1], n_notes++) {
    double bound = s->of->variant.precision == VIPER_FLOAT ? 20 * epsilon : 0;
    ck_assert(!memcmp(x + at, y + at, 2 * sizeof *x));
    if ((int)x[at] == PHASES_VOLUME)
      bound = 1000 * epsilon * fabs(x[at + 2]);
    for (size_t i = 0; i < (size_t)x[at + 1]; i++)
      ck_assert_double_le(fabs(x[at + 2 + i] - y[at + 2 + i]), bound);
  }
  ck_assert_uint_eq(n_notes, 5);
  ck_assert_uint_eq(a->n[k], b->n[k]);
}

#endif
