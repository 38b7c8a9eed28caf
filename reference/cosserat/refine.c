// SPDX-License-Identifier: GPL-3.0-or-later
// Rods by elements: their chains, refined and extrapolated.
#include "reference/cosserat/elements.h"
#include "reference/cosserat/equations.h"
#include "scene/rotation.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Radii over the length of the disc whose stiffness stands for what is rigid.
enum { RADII = 3 };
static const double slenderness[RADII] = {0.02, 0.01, 0.005};

static bool is_rigid(const cosserat_rod *rod) {
  for (int k = 0; k < 6; k++)
    if (rod->flexibility[k] == 0)
      return true;
  return false;
}

/// What is rigid of a rod resists as the area of a disc does whose bending stiffness it has.
static void find_stiffness(const cosserat_rod *rod, double radius, double out[6]) {
  double bending = rod->flexibility[3] > 0 ? 1 / rod->flexibility[3] : 1, r = radius * rod->length;
  for (int k = 0; k < 6; k++)
    out[k] = rod->flexibility[k] > 0 ? 1 / rod->flexibility[k]
             : k < 3                 ? 4 * bending / (r * r)
                                     : 4 * bending / (radius * radius);
}

/// Puts the state of the first guess at each node.
static void begin(const cosserat_rod *rod, double factor, cosserat_chain *chain) {
  for (size_t i = 0; i < chain->n_nodes; i++) {
    double state[COSSERAT_STATE];
    double s = rod->length * (double)i / (double)(chain->n_nodes - 1);
    cosserat_first_guess(rod, factor, s, state);
    memcpy(chain->position[i], state, sizeof chain->position[i]);
    memcpy(chain->frame[i], state + 3, sizeof chain->frame[i]);
  }
}

/// Puts node `i` where an end holds it.
static void hold(cosserat_chain *chain, size_t i, const cosserat_end *end, const double frame[4]) {
  chain->held[i] = end->held;
  for (int k = 0; k < 3; k++)
    if (end->held >> k & 1)
      chain->position[i][k] = end->position[k];
  if ((end->held >> 3 & 7) == 7)
    memcpy(chain->frame[i], frame, sizeof chain->frame[i]);
}

void cosserat_rod_load(const cosserat_rod *rod, double factor, cosserat_chain *chain) {
  size_t last = chain->n_nodes - 1;
  double part = factor * rod->length / (6 * (double)chain->n_elements);
  double half = 0.5 * factor * rod->twist, frame[4];
  const double turn[4] = {cos(half), 0, 0, sin(half)};
  vb_quaternion_multiply(rod->finish.frame, turn, frame);
  memset(chain->force, 0, chain->n_nodes * sizeof *chain->force);
  for (size_t i = 0; i < chain->n_nodes; i++)
    vb_add_scaled(chain->force[i], part * cosserat_chain_weight(chain, i), rod->weight,
                  chain->force[i]);
  vb_add_scaled(chain->force[last], factor, rod->force, chain->force[last]);
  for (int k = 0; k < 3; k++)
    chain->moment[last][k] = factor * rod->moment[k];
  hold(chain, 0, &rod->start, rod->start.frame);
  hold(chain, last, &rod->finish, frame);
  if (rod->middle_plane)
    chain->held[last / 2] |= COSSERAT_Z;
}

vb_status cosserat_rod_chain(const cosserat_rod *rod, size_t n_elements, double radius,
                             double factor, cosserat_chain *out, vb_error *error) {
  vb_status status = cosserat_chain_create(n_elements, out, error);
  if (status)
    return status;
  for (size_t e = 0; e < n_elements; e++) {
    cosserat_element *element = &out->element[e];
    element->length = rod->length / (double)n_elements;
    find_stiffness(rod, radius, element->stiffness);
    for (int g = 0; g < COSSERAT_GAUSS; g++) {
      element->rest[g][2] = 1;
      memcpy(element->rest[g] + 3, rod->curvature, sizeof rod->curvature);
    }
  }
  begin(rod, factor, out);
  cosserat_rod_load(rod, factor, out);
  return VB_OK;
}

enum { ITERATIONS = 60 };
static const double tolerance = 1e-13;

/// Lets the load of a chain grow to its full size, by steps that are halved where Newton's method
/// fails.
static vb_status grow(const cosserat_rod *rod, cosserat_chain *chain, vb_error *error) {
  enum { MOST_STEPS = 400 };
  size_t bytes[2] = {chain->n_nodes * sizeof *chain->position,
                     chain->n_nodes * sizeof *chain->frame};
  char *kept = calloc(1, bytes[0] + bytes[1]);
  if (!kept)
    return vb_error_memory(error);
  double reached = 0, step = 0.25;
  for (int i = 0; i < MOST_STEPS && reached < 1; i++) {
    double factor = fmin(1, reached + step);
    memcpy(kept, chain->position, bytes[0]);
    memcpy(kept + bytes[0], chain->frame, bytes[1]);
    cosserat_rod_load(rod, factor, chain);
    if (cosserat_chain_balance(chain, ITERATIONS, tolerance).converged) {
      reached = factor;
    } else {
      memcpy(chain->position, kept, bytes[0]);
      memcpy(chain->frame, kept + bytes[0], bytes[1]);
      step /= 2;
    }
  }
  free(kept);
  return reached < 1 ? vb_error_set(error, VB_FAILED,
                                    "elements: Newton's method does not converge beyond %g of "
                                    "the load",
                                    reached)
                     : VB_OK;
}

/// Numbers of a rod by `n` elements and a radius.
typedef vb_status measure(const cosserat_rod *rod, size_t n, double radius, const void *what,
                          size_t n_values, double *out, vb_error *error);

/// Refines: `n` elements and half as many, extrapolated by their order, 4, which is what `change`
/// tells.
static vb_status refine(measure *find, const cosserat_rod *rod, size_t n, double radius,
                        const void *what, size_t n_values, double *out, double *change,
                        vb_error *error) {
  double *coarse = calloc(n_values, sizeof *coarse);
  vb_status status = coarse ? VB_OK : vb_error_memory(error);
  if (!status)
    status = find(rod, n / 2, radius, what, n_values, coarse, error);
  if (!status)
    status = find(rod, n, radius, what, n_values, out, error);
  for (size_t i = 0; !status && i < n_values; i++) {
    change[i] = fabs(out[i] - coarse[i]) / 15;
    out[i] += (out[i] - coarse[i]) / 15;
  }
  free(coarse);
  return status;
}

/// The same for each radius, and extrapolated by its square to 0 where something is rigid.
static vb_status approach(measure *find, const cosserat_rod *rod, size_t n, const void *what,
                          size_t n_values, cosserat_value *out, vb_error *error) {
  double *v = calloc(n_values, 2 * RADII * sizeof *v);
  vb_status status = v ? VB_OK : vb_error_memory(error);
  int radii = is_rigid(rod) ? RADII : 1;
  for (int r = 0; !status && r < radii; r++)
    status = refine(find, rod, n, slenderness[r], what, n_values, v + (size_t)r * n_values,
                    v + (size_t)(RADII + r) * n_values, error);
  for (size_t i = 0; !status && i < n_values; i++) {
    double a = v[i], b = v[n_values + i], c = v[2 * n_values + i];
    double mesh = v[(size_t)(RADII + radii - 1) * n_values + i];
    double first = (4 * b - a) / 3, second = (4 * c - b) / 3; // exact to the square of the radius
    out[i] = radii == 1 ? (cosserat_value){a, mesh}
                        : (cosserat_value){(16 * second - first) / 15, mesh + fabs(second - first)};
    out[i].error += 1e-9 * rod->length; // rounding, for strains are small beside 1
  }
  free(v);
  return status;
}

/// What is looked for of an equilibrium: the places.
static vb_status measure_places(const cosserat_rod *rod, size_t n, double radius, const void *what,
                                size_t n_values, double *out, vb_error *error) {
  const cosserat_place *place = what;
  cosserat_chain chain;
  vb_status status = cosserat_rod_chain(rod, n, radius, 0, &chain, error);
  if (!status)
    status = grow(rod, &chain, error);
  for (size_t i = 0; !status && i < n_values; i++) {
    size_t node = (size_t)lround(place[i].at * (double)(chain.n_nodes - 1));
    out[i] = chain.position[node][place[i].component];
  }
  cosserat_chain_free(&chain);
  return status;
}

/// How many eigenvalues of the second variation are below 0 at a load factor.
static vb_status count_negative(const cosserat_rod *rod, size_t n, double radius, double factor,
                                int *out, vb_error *error) {
  cosserat_chain chain;
  vb_status status = cosserat_rod_chain(rod, n, radius, factor, &chain, error);
  if (!status) {
    // Close to a critical load rounding of forces is magnified; eigenvalues change little with it.
    cosserat_outcome outcome = cosserat_chain_balance(&chain, ITERATIONS, 1e3 * tolerance);
    *out = outcome.negative;
    if (!outcome.converged)
      status =
          vb_error_set(error, VB_FAILED,
                       "elements: Newton's method does not converge at the load factor %g", factor);
  }
  cosserat_chain_free(&chain);
  return status;
}

/// The load factor where the first eigenvalue falls below 0, by halving: what[0] to what[1].
static vb_status measure_critical(const cosserat_rod *rod, size_t n, double radius,
                                  const void *what, size_t n_values, double *out, vb_error *error) {
  (void)n_values;
  const double *range = what;
  double low = range[0], high = range[1];
  int at_low = 0, at_high = 0;
  vb_status status = count_negative(rod, n, radius, low, &at_low, error);
  if (!status)
    status = count_negative(rod, n, radius, high, &at_high, error);
  if (!status && (at_low > 0 || at_high == 0))
    status = vb_error_set(error, VB_FAILED,
                          "elements: %d negative eigenvalues at the load factor %g, and %d at %g; "
                          "the first number must be 0, the second positive",
                          at_low, low, at_high, high);
  while (!status && high - low > 1e-12 * high) {
    double middle = 0.5 * (low + high);
    int negative;
    status = count_negative(rod, n, radius, middle, &negative, error);
    if (!status)
      *(negative > 0 ? &high : &low) = middle;
  }
  *out = 0.5 * (low + high);
  return status;
}

vb_status cosserat_elements_solve(const cosserat_rod *rod, size_t n_elements,
                                  const cosserat_place *place, size_t n, cosserat_value *out,
                                  vb_error *error) {
  if (rod->string)
    return vb_bad_input(error, "elements do not support strings");
  return approach(measure_places, rod, n_elements, place, n, out, error);
}

vb_status cosserat_elements_critical(const cosserat_rod *rod, size_t n_elements, double low,
                                     double high, cosserat_value *out, vb_error *error) {
  const double range[2] = {low, high};
  if (rod->string)
    return vb_bad_input(error, "elements do not support strings");
  vb_status status = approach(measure_critical, rod, n_elements, range, 1, out, error);
  if (status)
    return status;
  // An eigenvalue is known to the rounding of the greatest stiffness, some 5 times that of stretch
  // over the length of an element. It changes with the load factor by that of a mode whose squares
  // sum to 1 over all nodes: by about one over their number.
  double stiffness[6], greatest = 0, n = (double)n_elements;
  find_stiffness(rod, slenderness[is_rigid(rod) ? RADII - 1 : 0], stiffness);
  for (int k = 0; k < 3; k++)
    greatest = fmax(greatest, stiffness[k]);
  out->error += DBL_EPSILON / 2 * 5 * greatest * n / rod->length * (2 * n + 1);
  return VB_OK;
}
