// SPDX-License-Identifier: GPL-3.0-or-later
// Motions by differences on a staggered grid and the Runge-Kutta method.
#include "reference/cosserat/motion.h"
#include "scene/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// State of a node and of the cell behind it: position, velocity, frame, angular momentum in fixed
/// axes. The last node has no cell.
enum { POSITION = 0, VELOCITY = 3, FRAME = 6, MOMENTUM = 10, STATE = 13 };

typedef struct grid {
  const cosserat_rod *rod;
  const cosserat_motion *motion;
  size_t n;    ///< of cells
  double size; ///< of a cell
} grid;

/// The moment in fixed axes between two frames that are `length` apart.
static void find_moment(const grid *g, const double p[4], const double q[4], double length,
                        double out[3]) {
  const double back[4] = {p[0], -p[1], -p[2], -p[3]};
  double r[4], half[4], middle[4], moment[3];
  vb_quaternion_multiply(back, q, r);
  double sign = r[0] < 0 ? -1 : 1, sine = sqrt(vb_dot(r + 1, r + 1));
  double over = sine > 0 ? sign * 2 * atan2(sine, sign * r[0]) / (sine * length) : 2 / length;
  for (int k = 0; k < 3; k++)
    moment[k] = (over * r[1 + k] - g->rod->curvature[k]) / g->rod->flexibility[3 + k];
  for (int k = 0; k < 4; k++)
    half[k] = (k == 0) + sign * r[k];
  double norm = vb_quaternion_norm(half);
  for (int k = 0; k < 4; k++)
    half[k] /= norm;
  vb_quaternion_multiply(p, half, middle);
  vb_quaternion_rotate(middle, moment, out);
}

/// The force in fixed axes of a cell between two nodes.
static void find_force(const grid *g, const double *a, const double *b, double out[3]) {
  const double *q = a + FRAME, back[4] = {q[0], -q[1], -q[2], -q[3]};
  double along[3], strain[3];
  for (int k = 0; k < 3; k++)
    along[k] = (b[POSITION + k] - a[POSITION + k]) / g->size;
  vb_quaternion_rotate(back, along, strain);
  for (int k = 0; k < 3; k++)
    strain[k] = (strain[k] - (k == 2)) / g->rod->flexibility[k];
  vb_quaternion_rotate(q, strain, out);
}

/// The rates of a cell's frame and angular momentum; `torque` acts on it.
static void turn_cell(const grid *g, const double *state, const double torque[3], double *rate) {
  const double *q = state + FRAME, back[4] = {q[0], -q[1], -q[2], -q[3]};
  double momentum[3], spin[4] = {0}, qdot[4];
  vb_quaternion_rotate(back, state + MOMENTUM, momentum);
  for (int k = 0; k < 3; k++)
    spin[1 + k] = 0.5 * momentum[k] / (g->motion->inertia[k] * g->size);
  vb_quaternion_multiply(q, spin, qdot);
  memcpy(rate + FRAME, qdot, sizeof qdot);
  memcpy(rate + MOMENTUM, torque, 3 * sizeof *torque);
}

/// The moment before the first cell: of what holds the start's frame, half a cell away, or none.
static void start_moment(const grid *g, double t, const double *state, double out[3]) {
  double frame[4];
  memset(out, 0, 3 * sizeof *out);
  cosserat_motion_start(g->rod, g->motion, t, frame);
  if (g->rod->start.held & (COSSERAT_U | COSSERAT_V | COSSERAT_W))
    find_moment(g, frame, state + FRAME, 0.5 * g->size, out);
}

/// The rates of all of the state at time `t`.
static void find_rates(const grid *g, double t, const double *state, double *rate) {
  double factor = cosserat_motion_factor(g->motion, t), before[3] = {0}, moment[3], next[3];
  start_moment(g, t, state, moment);
  for (size_t i = 0; i <= g->n; i++) {
    const double *a = state + STATE * i, *b = a + STATE;
    double *r = rate + STATE * i, force[3] = {0}, arm[3], torque[3];
    double mass = g->motion->mass * g->size * (i == 0 || i == g->n ? 0.5 : 1);
    if (i < g->n)
      find_force(g, a, b, force);
    for (int k = 0; k < 3; k++) {
      bool held = i == 0 && g->rod->start.held >> k & 1;
      double load = factor * (g->rod->weight[k] * mass / g->motion->mass +
                              (i == g->n ? g->rod->force[k] : 0));
      r[POSITION + k] = held ? 0 : a[VELOCITY + k];
      r[VELOCITY + k] = held ? 0 : ((i < g->n ? force[k] : 0) - before[k] + load) / mass;
      arm[k] = i < g->n ? b[POSITION + k] - a[POSITION + k] : 0;
    }
    if (i == g->n)
      return;
    if (i + 1 < g->n)
      find_moment(g, a + FRAME, b + FRAME, g->size, next);
    else
      vb_add_scaled((double[3]){0}, factor, g->rod->moment, next);
    vb_cross(arm, force, torque);
    for (int k = 0; k < 3; k++)
      torque[k] += next[k] - moment[k];
    turn_cell(g, a, torque, r);
    memcpy(moment, next, sizeof moment);
    memcpy(before, force, sizeof before);
  }
}

/// A step of `h` from `t` on; `work` has room for three states.
static void step(const grid *g, double t, double h, double *state, double *work) {
  static const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1 / 6.0, 1 / 3.0, 1 / 3.0, 1 / 6.0};
  size_t n = STATE * (g->n + 1);
  double *rate = work, *try = work + n, *sum = work + 2 * n;
  memset(rate, 0, n * sizeof *rate);
  memcpy(sum, state, n * sizeof *sum);
  for (int s = 0; s < 4; s++) {
    for (size_t i = 0; i < n; i++)
      try[i] = state[i] + part[s] * h * rate[i];
    find_rates(g, t + part[s] * h, try, rate);
    for (size_t i = 0; i < n; i++)
      sum[i] += weight[s] * h * rate[i];
  }
  memcpy(state, sum, n * sizeof *sum);
  for (size_t i = 0; i < g->n; i++) {
    double *q = state + STATE * i + FRAME, norm = vb_quaternion_norm(q);
    for (int k = 0; k < 4; k++)
      q[k] /= norm;
  }
}

/// The longest step: the fastest wave and the fastest turn of a cell are resolved (the method is
/// stable up to 2.8 over the frequency).
static double longest_step(const grid *g) {
  double square = 0;
  for (int k = 0; k < 3; k++) {
    double shear = 1 / (g->rod->flexibility[k] * g->motion->mass);
    double bend = 1 / (g->rod->flexibility[3 + k] * g->motion->inertia[k]);
    square = fmax(square, fmax(shear, 2 * bend) * 4 / (g->size * g->size));
    if (k < 2)
      square = fmax(square, 1 / (g->rod->flexibility[k] * g->motion->inertia[1 - k]) +
                                4 * fmax(shear, bend) / (g->size * g->size));
  }
  return 1 / sqrt(square);
}

/// Puts the rod at rest: nodes and middles of cells along the constant curvature.
static void begin(const grid *g, double *state) {
  enum { PARTS = 16 }; // of a cell, by the midpoint rule
  double at[3], q[4], tangent[3];
  memcpy(at, g->rod->start.position, sizeof at);
  memcpy(q, g->rod->start.frame, sizeof q);
  double h = g->size / PARTS, rate = sqrt(vb_dot(g->rod->curvature, g->rod->curvature));
  double half[4] = {cos(0.25 * rate * h)};
  for (int k = 0; k < 3; k++)
    half[1 + k] = rate > 0 ? sin(0.25 * rate * h) * g->rod->curvature[k] / rate : 0;
  for (size_t i = 0; i <= g->n; i++) {
    memcpy(state + STATE * i + POSITION, at, sizeof at);
    for (int part = 0; part < PARTS; part++) {
      if (part == PARTS / 2)
        memcpy(state + STATE * i + FRAME, q, sizeof q);
      vb_quaternion_multiply(q, half, q);
      vb_frame_axis(q, 2, tangent);
      vb_add_scaled(at, h, tangent, at);
      vb_quaternion_multiply(q, half, q);
    }
  }
}

/// What is asked for at a place: a position of a node, or the mean direction u of the two cells
/// beside it, which is of order 2.
static double find_answer(const grid *g, const double *state, const cosserat_place *place) {
  size_t node = (size_t)lround(place->at * (double)g->n);
  double before[3], behind[3];
  if (place->component < 3)
    return state[STATE * node + POSITION + (size_t)place->component];
  size_t cell = node < g->n ? node : g->n - 1, other = node > 0 ? node - 1 : 0;
  vb_quaternion_rotate(state + STATE * other + FRAME, (double[3]){1, 0, 0}, before);
  vb_quaternion_rotate(state + STATE * cell + FRAME, (double[3]){1, 0, 0}, behind);
  return 0.5 * (before[place->component - 3] + behind[place->component - 3]);
}

static vb_status find(const cosserat_rod *rod, const cosserat_motion *motion, size_t n_cells,
                      double longest, const cosserat_place *place, size_t n, double *out,
                      vb_error *error) {
  grid g = {.rod = rod, .motion = motion, .n = n_cells, .size = rod->length / (double)n_cells};
  (void)longest;
  double h = longest_step(&g), t = 0, *state = calloc(n_cells + 1, STATE * sizeof *state);
  double *work = calloc(n_cells + 1, 3 * STATE * sizeof *work);
  vb_status status = state && work ? VB_OK : vb_error_memory(error);
  if (!status)
    begin(&g, state);
  for (size_t i = 0; !status && i < n; i++) {
    int steps = (int)ceil((place[i].time - t) / h - 1e-9);
    double begun = t, part = steps > 0 ? (place[i].time - t) / steps : 0;
    for (int k = 0; k < steps; k++)
      step(&g, begun + k * part, part, state, work);
    t = place[i].time;
    out[i] = find_answer(&g, state, &place[i]);
  }
  free(state);
  free(work);
  return status;
}

vb_status cosserat_move_staggered(const cosserat_rod *rod, const cosserat_motion *motion,
                                  size_t n_cells, const cosserat_place *place, size_t n,
                                  cosserat_value *out, vb_error *error) {
  return cosserat_motion_refine(find, rod, motion, n_cells, 1, place, n, out, error);
}
