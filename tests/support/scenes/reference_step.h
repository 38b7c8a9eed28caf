// SPDX-License-Identifier: GPL-3.0-or-later
/// A time step by the reference model: prediction, minimiser (by GSL), rates, residual.
#ifndef VB_TESTS_SUPPORT_REFERENCE_STEP_H
#define VB_TESTS_SUPPORT_REFERENCE_STEP_H

#include "scenes/reference_model.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_multimin.h>
#include <stdlib.h>

/// The problem of a scene without its prediction.
static inline void ref_open(const vb_scene *scene, ref_real h, ref_problem *p) {
  memset(p, 0, sizeof *p);
  p->scene = scene;
  p->node = vb_scene_nodes(scene, &p->n_nodes);
  p->segment = vb_scene_segments(scene, &p->n_segments);
  p->joint = vb_scene_joints(scene, &p->n_joints);
  p->n_unknowns = 4 * p->n_nodes + 3 * p->n_segments;
  p->h = h;
  p->inertia_factor = 1;
  assert(p->n_nodes <= REF_NODES && p->n_segments <= REF_NODES);
  for (size_t j = 0; j < p->n_segments; j++)
    p->active[j][0] = p->active[j][1] = 1;
  for (size_t j = 0; j < p->n_segments; j++)
    for (int i = 0; i < 2; i++) {
      size_t n = (size_t)p->segment[j].node[i];
      ref_real r = ref_radius(p, j), line = p->segment[j].density * p->segment[j].rest_length;
      p->valence[n]++;
      for (size_t k = 0; k < 3; k++)
        p->inertia[4 * n + k] += line * REF_PI * r * r / 2;
      p->inertia[4 * n + 3] += line * REF_PI * r * r * r * r / 4;
    }
}

/// State and rates of a scene at time 0.
static inline void ref_start(const ref_problem *p, ref_state *x, ref_rates *v) {
  memset(x, 0, sizeof *x);
  memset(v, 0, sizeof *v);
  for (size_t i = 0; i < p->n_nodes; i++) {
    for (int k = 0; k < 3; k++) {
      x->node[i][k] = p->node[i].position[k];
      v->node[i][k] = p->node[i].velocity[k];
    }
    x->node[i][3] = p->node[i].scale;
    v->node[i][3] = p->node[i].scale_rate;
  }
  for (size_t j = 0; j < p->n_segments; j++) {
    ref_matrix(p->segment[j].frame, x->frame[j]);
    for (int k = 0; k < 3; k++)
      v->frame[j][k] = p->segment[j].angular_velocity[k];
  }
}

/// The body axis about which a frame pin that holds two others lets its frame turn.
static inline int ref_free_axis(const vb_frame_pin *pin) {
  return !(pin->mask & VB_FRAME_U) ? 0 : !(pin->mask & VB_FRAME_V) ? 1 : 2;
}

/// Frames that may turn about one of their axes alone go to the nearest such place at `time`: their
/// driver's, turned about that axis.
static inline void ref_hold_parts(const ref_problem *p, ref_real time, ref_state *x) {
  size_t n_pins, n_drivers;
  const vb_frame_pin *pin = vb_scene_frame_pins(p->scene, &n_pins);
  const vb_driver *driver = vb_scene_drivers(p->scene, &n_drivers);
  for (size_t m = 0; m < n_pins; m++) {
    double shift[3], angle;
    const int axis = ref_free_axis(&pin[m]), i = (axis + 1) % 3, j = (axis + 2) % 3;
    const int32_t at = pin[m].segment;
    ref_real v[3] = {0}, turn[3][3], d[3][3], start[3][3];
    vb_driver_at(p->scene, &driver[pin[m].driver], (double)time, shift, &angle);
    for (int k = 0; k < 3; k++)
      v[k] = (ref_real)angle * driver[pin[m].driver].axis[k];
    ref_rotation(v, turn);
    ref_matrix(p->segment[at].frame, start);
    ref_multiply(turn, start, false, false, turn);
    ref_multiply(turn, x->frame[at], true, false, d);
    ref_real about[3] = {0};
    about[axis] = atan2l(d[j][i] - d[i][j], d[i][i] + d[j][j]);
    ref_rotation(about, d);
    ref_multiply(turn, d, false, false, x->frame[at]);
  }
}

/// Where drivers hold the pins at `time`: written over those components of `x`.
static inline void ref_hold(const ref_problem *p, ref_real time, ref_state *x) {
  size_t n_pins, n_drivers;
  const vb_pin *pin = vb_scene_pins(p->scene, &n_pins);
  const vb_driver *driver = vb_scene_drivers(p->scene, &n_drivers);
  ref_state start;
  ref_rates rates;
  ref_start(p, &start, &rates);
  for (size_t m = 0; m < n_pins; m++) {
    const vb_driver *d = &driver[pin[m].driver];
    double shift[3], angle;
    ref_real v[3], turn[3][3];
    int32_t i = pin[m].index;
    vb_driver_at(p->scene, d, (double)time, shift, &angle);
    for (int k = 0; k < 3; k++)
      v[k] = (ref_real)angle * d->axis[k];
    ref_rotation(v, turn);
    if (pin[m].location == VB_AT_SEGMENT)
      ref_multiply(turn, start.frame[i], false, false, x->frame[i]);
    for (int k = 0; pin[m].location == VB_AT_NODE && k < 3; k++)
      if (pin[m].mask >> k & 1) {
        x->node[i][k] = (ref_real)d->origin[k] + shift[k];
        for (int c = 0; c < 3; c++)
          x->node[i][k] += turn[k][c] * (start.node[i][c] - d->origin[c]);
      }
    if (pin[m].location == VB_AT_NODE && pin[m].mask & VB_PIN_SCALE)
      x->node[i][3] = start.node[i][3];
  }
  ref_hold_parts(p, time, x);
}

/// Marks what is pinned.
static inline void ref_mark_held(ref_problem *p) {
  size_t n_pins;
  const vb_pin *pin = vb_scene_pins(p->scene, &n_pins);
  for (size_t m = 0; m < n_pins; m++) {
    size_t i = (size_t)pin[m].index;
    for (size_t k = 0; pin[m].location == VB_AT_NODE && k < 4; k++)
      p->held[4 * i + k] = pin[m].mask >> k & 1;
    for (size_t k = 0; pin[m].location == VB_AT_SEGMENT && k < 3; k++)
      p->held[4 * p->n_nodes + 3 * i + k] = pin[m].mask & VB_PIN_FRAME;
  }
  const vb_frame_pin *part = vb_scene_frame_pins(p->scene, &n_pins);
  for (size_t m = 0; m < n_pins; m++)
    for (size_t k = 0; k < 3; k++)
      p->held[4 * p->n_nodes + 3 * (size_t)part[m].segment + k] = part[m].mask >> k & 1;
}

/// Angular acceleration of frame `j` by loads, in world axes: (R I R^T)^-1 torque.
static inline void ref_spin_up(const ref_problem *p, const ref_state *x, size_t j, ref_real time,
                               ref_real out[3]) {
  size_t n_loads;
  const vb_load *load = vb_scene_loads(p->scene, &n_loads);
  const ref_real *inertia = p->inertia + 4 * p->n_nodes + 3 * j;
  memset(out, 0, 3 * sizeof *out);
  for (size_t m = 0; m < n_loads; m++) {
    if (load[m].location != VB_AT_SEGMENT || (size_t)load[m].index != j)
      continue;
    ref_real factor = vb_scene_curve(p->scene, load[m].amplitude, (double)time, 1);
    for (int axis = 0; axis < 3; axis++) {
      ref_real body = 0;
      for (int k = 0; k < 3; k++)
        body += x->frame[j][k][axis] * load[m].torque[k];
      for (int k = 0; k < 3; k++)
        out[k] += factor * body / inertia[axis] * x->frame[j][k][axis];
    }
  }
}

/// Predicted centers and scales, without pins.
static inline void ref_predict_nodes(ref_problem *p, const ref_state *x, const ref_rates *v,
                                     ref_real time) {
  size_t n_loads;
  const vb_load *load = vb_scene_loads(p->scene, &n_loads);
  const double *g = vb_scene_world(p->scene)->gravity;
  ref_real h = p->h;
  for (size_t i = 0; i < p->n_nodes; i++)
    for (int k = 0; k < 4; k++)
      p->hat.node[i][k] = x->node[i][k] + h * v->node[i][k] + (k < 3 ? h * h * g[k] : 0);
  for (size_t m = 0; m < n_loads; m++) {
    if (load[m].location != VB_AT_NODE)
      continue;
    ref_real factor = vb_scene_curve(p->scene, load[m].amplitude, (double)(time + h), 1);
    size_t i = (size_t)load[m].index;
    for (size_t k = 0; k < 4; k++)
      p->hat.node[i][k] +=
          h * h * factor * (k < 3 ? load[m].force[k] : load[m].scale_force) / p->inertia[4 * i + k];
  }
}

/// The predicted scale of node `n`; a pinned one keeps its own.
static inline ref_real ref_predicted_scale(const ref_problem *p, int32_t n) {
  return p->held[4 * (size_t)n + 3] ? (ref_real)p->node[n].scale : p->hat.node[n][3];
}

/// What active segments rest at at `time`. A force f has the potential f l dc.w, which with the
/// energy of stretch, K (dc.dc - 2 dc.w + 1) / 2, is that at the stretch 1 - f l / K.
static inline void ref_activate(ref_problem *p, ref_real time) {
  size_t n;
  const vb_activation *a = vb_scene_activations(p->scene, &n);
  for (size_t m = 0; m < n; m++) {
    size_t j = (size_t)a[m].index;
    ref_real value = vb_scene_curve(p->scene, a[m].curve, (double)time, 1), r = ref_radius(p, j);
    p->active[j][0] = value;
    if (a[m].active == VB_ACTIVE_FORCE)
      p->active[j][0] = 1 - value / (REF_PI * r * r * p->segment[j].stiffness[VB_KZ]);
    p->active[j][1] = a[m].active == VB_ACTIVE_STRAIN ? 1 / sqrtl(value) : 1;
  }
}

/// Prediction Xhat from a state at `time` (loads and pins at the end of the step); fills the
/// frames' inertias. Pinned components stay predicted: ref_hold puts them where they are held.
static inline void ref_predict(ref_problem *p, const ref_state *x, const ref_rates *v,
                               ref_real time) {
  ref_real h = p->h;
  memset(&p->hat, 0, sizeof p->hat);
  ref_mark_held(p);
  ref_activate(p, time + h);
  ref_predict_nodes(p, x, v, time);
  for (size_t j = 0; j < p->n_segments; j++) {
    const vb_segment *s = &p->segment[j];
    ref_real r = ref_radius(p, j), turn[3][3], spin[3];
    ref_real shat = (ref_predicted_scale(p, s->node[0]) + ref_predicted_scale(p, s->node[1])) / 2;
    for (size_t k = 0; k < 3; k++)
      p->inertia[4 * p->n_nodes + 3 * j + k] =
          shat * shat * s->density * s->rest_length * REF_PI * r * r * r * r / (k < 2 ? 4 : 2);
    ref_spin_up(p, x, j, time + h, spin);
    for (int k = 0; k < 3; k++)
      spin[k] = h * (v->frame[j][k] + h * spin[k]);
    ref_rotation(spin, turn);
    ref_multiply(turn, x->frame[j], false, false, p->hat.frame[j]);
  }
}

/// Rates after a step, damped.
static inline void ref_finish(const ref_problem *p, const ref_state *old, const ref_state *x,
                              ref_rates *v) {
  ref_real rate = 1 / (p->h * (1 + p->h * vb_scene_world(p->scene)->damping));
  for (size_t i = 0; i < p->n_nodes; i++)
    for (int k = 0; k < 4; k++)
      v->node[i][k] = rate * (x->node[i][k] - old->node[i][k]);
  for (size_t j = 0; j < p->n_segments; j++) {
    ref_real turn[3][3], sine[3];
    ref_multiply(x->frame[j], old->frame[j], false, true, turn);
    ref_half_sine(turn, sine);
    for (int k = 0; k < 3; k++)
      v->frame[j][k] = 2 * rate * sine[k];
  }
}

/// sqrt(g^T A^-1 g) over free unknowns.
static inline ref_real ref_norm(const ref_problem *p, const ref_real *gradient) {
  ref_real sum = 0;
  for (size_t u = 0; u < p->n_unknowns; u++)
    sum += p->held[u] ? 0 : gradient[u] * gradient[u] / p->inertia[u];
  return sqrtl(sum);
}

/// What acts from outside over the unknowns at `time`, torques in the frames' body axes.
static inline void ref_loads(const ref_problem *p, const ref_state *x, ref_real time,
                             ref_real out[REF_UNKNOWNS]) {
  size_t n_loads;
  const vb_load *load = vb_scene_loads(p->scene, &n_loads);
  memset(out, 0, p->n_unknowns * sizeof *out);
  for (size_t i = 0; i < p->n_nodes; i++)
    for (size_t k = 0; k < 3; k++)
      out[4 * i + k] = p->inertia[4 * i + k] * vb_scene_world(p->scene)->gravity[k];
  for (size_t m = 0; m < n_loads; m++) {
    ref_real factor = vb_scene_curve(p->scene, load[m].amplitude, (double)time, 1);
    size_t i = (size_t)load[m].index;
    for (size_t k = 0; load[m].location == VB_AT_NODE && k < 4; k++)
      out[4 * i + k] += factor * (k < 3 ? load[m].force[k] : load[m].scale_force);
    for (size_t k = 0; load[m].location == VB_AT_SEGMENT && k < 9; k++)
      out[4 * p->n_nodes + 3 * i + k % 3] +=
          factor * x->frame[i][k / 3][k % 3] * load[m].torque[k / 3];
  }
}

/// The residual of `x` after a step from the state `old` with the rates `v` at `time`, as the model
/// defines it: the norm of the gradient over the sum of those of its parts, inertia of nodes being
/// A (X - X_n - h V_n) / h^2 by the state alone.
static inline ref_real ref_residual(const ref_problem *p, const ref_state *x, const ref_state *old,
                                    const ref_rates *v, ref_real time) {
  ref_real zero[REF_UNKNOWNS] = {0}, gradient[REF_UNKNOWNS], load[REF_UNKNOWNS];
  ref_real part[REF_TERMS + 1][REF_UNKNOWNS], h = p->h, sum;
  ref_result result = {.gradient = gradient, .part = part};
  ref_evaluate(p, x, zero, &result);
  ref_loads(p, x, time + h, load);
  for (size_t u = 0; u < p->n_unknowns; u++)
    part[REF_TERMS][u] += load[u];
  for (size_t i = 0; i < p->n_nodes; i++)
    for (size_t k = 0; k < 4; k++)
      part[REF_TERMS][4 * i + k] =
          p->inertia[4 * i + k] / (h * h) * (x->node[i][k] - old->node[i][k] - h * v->node[i][k]);
  sum = ref_norm(p, load);
  for (int k = 0; k <= REF_TERMS; k++)
    sum += ref_norm(p, part[k]);
  return ref_norm(p, gradient) / sum;
}

/// A minimisation: parameters are scaled so that the inertia alone has the unit matrix.
typedef struct ref_search {
  const ref_problem *p;
  const ref_state *base;
  size_t n, unknown[REF_UNKNOWNS];
  ref_real scale[REF_UNKNOWNS];
} ref_search;

static inline double ref_search_fdf(const gsl_vector *y, const ref_search *s, gsl_vector *g) {
  ref_real x[REF_UNKNOWNS] = {0}, gradient[REF_UNKNOWNS];
  ref_result result = {.gradient = gradient};
  ref_state state;
  for (size_t k = 0; k < s->n; k++)
    x[s->unknown[k]] = gsl_vector_get(y, k) * s->scale[k];
  if (!g) {
    ref_apply(s->p, s->base, x, &state);
    return (double)ref_phi(s->p, &state);
  }
  ref_evaluate(s->p, s->base, x, &result);
  for (size_t k = 0; k < s->n; k++)
    gsl_vector_set(g, k, (double)(gradient[s->unknown[k]] * s->scale[k]));
  return (double)result.phi;
}

static inline double ref_search_f(const gsl_vector *y, void *s) {
  return ref_search_fdf(y, s, NULL);
}

static inline void ref_search_df(const gsl_vector *y, void *s, gsl_vector *g) {
  ref_search_fdf(y, s, g);
}

static inline void ref_search_both(const gsl_vector *y, void *s, double *f, gsl_vector *g) {
  *f = ref_search_fdf(y, s, g);
}

/// One step of Newton with differences of the gradient; its Cholesky factor exists only where Phi
/// is convex, so that what is found is a minimum.
static inline bool ref_newton(ref_search *s, gsl_vector *y, gsl_vector *g) {
  gsl_matrix *m = gsl_matrix_alloc(s->n, s->n);
  gsl_vector *low = gsl_vector_alloc(s->n), *high = gsl_vector_alloc(s->n);
  const double step = 1e-4;
  for (size_t k = 0; k < s->n; k++) {
    double at = gsl_vector_get(y, k), width = step / (double)s->scale[k];
    gsl_vector_set(y, k, at - width);
    ref_search_fdf(y, s, low);
    gsl_vector_set(y, k, at + width);
    ref_search_fdf(y, s, high);
    gsl_vector_set(y, k, at);
    gsl_vector_sub(high, low);
    gsl_vector_scale(high, 1 / (2 * width));
    gsl_matrix_set_col(m, k, high);
  }
  ref_search_fdf(y, s, g);
  bool convex = gsl_linalg_cholesky_decomp1(m) == GSL_SUCCESS;
  if (convex) {
    gsl_linalg_cholesky_svx(m, g);
    gsl_vector_sub(y, g);
  }
  gsl_vector_free(low);
  gsl_vector_free(high);
  gsl_matrix_free(m);
  return convex;
}

/// Finds the minimiser of Phi from `start`, whose pinned components are where they are held: by
/// GSL's quasi-Newton method until it stalls, then two Newton steps. Whether it is a minimum.
static inline bool ref_minimise(const ref_problem *p, const ref_state *start, ref_state *out) {
  ref_search s = {.p = p, .base = start};
  for (size_t u = 0; u < p->n_unknowns; u++)
    if (!p->held[u]) {
      s.scale[s.n] = p->h / sqrtl(p->inertia[u]);
      s.unknown[s.n++] = u;
    }
  gsl_error_handler_t *handler = gsl_set_error_handler_off();
  gsl_multimin_function_fdf f = {ref_search_f, ref_search_df, ref_search_both, s.n, &s};
  gsl_vector *y = gsl_vector_calloc(s.n), *g = gsl_vector_alloc(s.n);
  gsl_multimin_fdfminimizer *search =
      gsl_multimin_fdfminimizer_alloc(gsl_multimin_fdfminimizer_vector_bfgs2, s.n);
  gsl_multimin_fdfminimizer_set(search, &f, y, 1e-2, 0.1);
  for (int i = 0; i < 400; i++)
    if (gsl_multimin_fdfminimizer_iterate(search) != GSL_SUCCESS ||
        gsl_blas_dnrm2(search->gradient) < 1e-7)
      break;
  gsl_vector_memcpy(y, search->x);
  bool found = true;
  for (int i = 0; found && i < 2; i++)
    found = ref_newton(&s, y, g);
  ref_real x[REF_UNKNOWNS] = {0};
  for (size_t k = 0; k < s.n; k++)
    x[s.unknown[k]] = gsl_vector_get(y, k) * s.scale[k];
  ref_apply(p, start, x, out);
  gsl_multimin_fdfminimizer_free(search);
  gsl_vector_free(y);
  gsl_vector_free(g);
  gsl_set_error_handler(handler);
  return found;
}

/// Advances a state by a step from `time`; whether a minimum was found. Keeps the problem.
static inline bool ref_step(ref_problem *p, ref_state *x, ref_rates *v, ref_real time) {
  ref_state old = *x, start;
  ref_predict(p, x, v, time);
  start = p->hat;
  ref_hold(p, time + p->h, &start);
  if (!ref_minimise(p, &start, x))
    return false;
  ref_finish(p, &old, x, v);
  return true;
}

#endif
