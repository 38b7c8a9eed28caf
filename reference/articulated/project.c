// SPDX-License-Identifier: GPL-3.0-or-later
#include "project.h"

#include "reach.h"
#include "solve.h"

#include "scene/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// A gap and a step, over the scene's size or as an angle, at which the projection has converged.
static const double gap_tolerance = 1e-13, step_tolerance = 1e-12;
/// Iterations in which Newton's method converges where it does: up to 16 for chains that spin by
/// several radians in a step.
enum { SOON = 25 };
/// Below this a step that no longer shrinks is rounding.
static const double stalled = 1e-9;

vb_status ar_projector_create(const ar_body *body, ar_links *links, bool apart, ar_projector *out,
                              vb_error *error) {
  size_t bones = body->n_bones, rows = links->most_rows, all = 6 * bones + rows;
  ar_projector p = {.body = body, .links = links, .apart = apart, .most = 100, .curved = true};
  p.pose = calloc(bones + 1, sizeof *p.pose);
  p.multiplier = calloc(2 * rows + 21 * bones + 2 * all + 1, sizeof *p.multiplier);
  vb_status status = p.pose && p.multiplier ? VB_OK : vb_error_memory(error);
  if (!status && apart)
    status = ar_tree_create(links, &p.tree, error);
  if (!status && p.tree.n == 0)
    status = ar_projector_reserve(&p, error);
  if (status) {
    ar_projector_clear(&p);
    return status;
  }
  p.force = p.multiplier + rows;
  p.turn = p.force + 12 * bones;
  p.values = p.turn + 9 * bones;
  p.right = p.values + rows;
  p.unit = p.right + all;
  *out = p;
  return VB_OK;
}

vb_status ar_projector_reserve(ar_projector *p, vb_error *error) {
  size_t n = 6 * p->body->n_bones, rows = p->links->most_rows, all = n + rows;
  if (p->rows)
    return VB_OK;
  p->length = ar_solve_length((int)all);
  free(p->whole);
  p->whole = reallocarray(NULL, 2 * all + 1, sizeof *p->whole);
  p->rows = calloc(rows * n + 2 * all * all + (size_t)p->length + 1, sizeof *p->rows);
  if (!p->whole || !p->rows)
    return vb_error_memory(error);
  p->matrix = p->rows + rows * n;
  p->copy = p->matrix + all * all;
  p->work = p->copy + all * all;
  return VB_OK;
}

void ar_projector_clear(ar_projector *p) {
  free(p->pose);
  free(p->multiplier);
  free(p->rows);
  free(p->whole);
  ar_tree_clear(&p->tree);
  *p = (ar_projector){0};
}

void ar_pose_matrix(const ar_pose *pose, size_t n_bones, double *out) {
  for (size_t k = 0; k < n_bones; k++)
    for (int c = 0; c < 3; c++) {
      for (int r = 0; r < 3; r++)
        out[12 * k + (size_t)(3 * r + c)] = pose[k].r[3 * c + r];
      out[12 * k + 9 + (size_t)c] = pose[k].t[c];
    }
}

/// B = R^T g_A, with g_A the gradient by A, the transpose of the first three rows of `gradient`.
static void turn_of(const ar_pose *pose, const double *gradient, double out[9]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      double sum = 0;
      for (int c = 0; c < 3; c++)
        sum += pose->r[3 * c + i] * gradient[3 * j + c];
      out[3 * i + j] = sum;
    }
}

void ar_pose_gradient(const ar_pose *pose, size_t n_bones, const double *gradient, double *out) {
  for (size_t k = 0; k < n_bones; k++) {
    double b[9];
    turn_of(&pose[k], gradient + 12 * k, b);
    out[6 * k] = b[7] - b[5]; // B : w*
    out[6 * k + 1] = b[2] - b[6];
    out[6 * k + 2] = b[3] - b[1];
    ar_turn_back(pose[k].r, gradient + 12 * k + 9, out + 6 * k + 3);
  }
}

/// The rigid motion nearest to `target` where there are no links, by mass (Procrustes): the
/// rotation of A0 Sigma.
static void begin(ar_projector *p, const double *target) {
  for (size_t k = 0; k < p->body->n_bones; k++) {
    const double *t = target + 12 * k, *second = p->body->bone[k].second;
    double f[9], q[4];
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        f[3 * i + j] = t[i] * second[j] + t[3 + i] * second[3 + j] + t[6 + i] * second[6 + j];
    ar_rotation_fresh(f, q, p->pose[k].r);
    memcpy(p->pose[k].t, t + 9, sizeof p->pose[k].t);
  }
}

/// W (T - T0) of the present poses.
static void find_force(ar_projector *p, const double *target, double *t) {
  size_t n = 4 * p->body->n_bones, wide = p->apart ? 4 : n;
  ar_pose_matrix(p->pose, p->body->n_bones, t);
  for (size_t i = 0; i < 3 * n; i++)
    t[i] -= target[i];
  for (size_t i = 0; i < n; i++)
    for (size_t c = 0; c < 3; c++) {
      double sum = 0;
      const double *first = t + (p->apart ? 3 * (i - i % 4) : 0) + c;
      for (size_t j = 0; j < wide; j++)
        sum += p->weight[c][i * wide + j] * first[3 * j];
      p->force[3 * i + c] = sum;
    }
}

/// Component c of dT/ds of a pose: of the rows of A by the turn (row c of R w*), of t by the shift.
typedef struct ar_derivative {
  double turn[3][3];
  const double *shift;
} ar_derivative;

static ar_derivative derivative(const ar_pose *pose, int c) {
  const double *r = pose->r + 3 * c;
  return (ar_derivative){{{0, -r[2], r[1]}, {r[2], 0, -r[0]}, {-r[1], r[0], 0}}, r};
}

/// Adds Q = Gt^T W Gt of the bones k and l to 6 x 6 numbers of leading dimension `lead`.
static void add_quadratic(const ar_projector *p, size_t k, size_t l, double *to, size_t lead) {
  size_t n = p->apart ? 4 : 4 * p->body->n_bones, first = p->apart ? 0 : 4 * l;
  for (int c = 0; c < 3; c++) {
    ar_derivative left = derivative(&p->pose[k], c), right = derivative(&p->pose[l], c);
    double half[4][6];
    for (size_t a = 0; a < 4; a++) {
      const double *w = p->weight[c] + (4 * k + a) * n + first;
      for (int j = 0; j < 3; j++) {
        half[a][j] = w[0] * right.turn[0][j] + w[1] * right.turn[1][j] + w[2] * right.turn[2][j];
        half[a][3 + j] = w[3] * right.shift[j];
      }
    }
    for (size_t i = 0; i < 3; i++)
      for (size_t j = 0; j < 6; j++) {
        double *out = to + i * lead + j;
        for (int a = 0; a < 3; a++)
          *out += left.turn[a][i] * half[a][j];
        out[3 * lead] += left.shift[i] * half[3][j];
      }
  }
}

/// The same of l and k: transposed, since W is symmetric.
static void mirror(const ar_projector *p, size_t k, size_t l, size_t lead) {
  for (size_t i = 0; i < 6; i++)
    for (size_t j = 0; j < 6; j++)
      p->matrix[(6 * l + j) * lead + 6 * k + i] = p->matrix[(6 * k + i) * lead + 6 * l + j];
}

/// Adds sym(B) - tr(B) I.
static void add_turn(const double b[9], double *to, size_t lead) {
  double trace = b[0] + b[4] + b[8];
  for (size_t i = 0; i < 3; i++)
    for (size_t j = 0; j < 3; j++)
      to[i * lead + j] += 0.5 * (b[3 * i + j] + b[3 * j + i]) - (i == j ? trace : 0);
}

/// B of each bone, but for what links add.
static void begin_turns(ar_projector *p) {
  for (size_t k = 0; k < p->body->n_bones; k++)
    turn_of(&p->pose[k], p->force + 12 * k, p->turn + 9 * k);
}

/// Adds the curvature of the turns of each bone, and what links add.
static void add_curvature(ar_projector *p, size_t lead) {
  begin_turns(p);
  ar_links_curve(p->links, p->pose, p->multiplier, p->turn, p->matrix, lead);
  for (size_t k = 0; k < p->body->n_bones; k++)
    add_turn(p->turn + 9 * k, p->matrix + 6 * k * lead + 6 * k, lead);
}

/// The same of a tree.
static void add_curvature_to_tree(ar_projector *p) {
  begin_turns(p);
  for (size_t k = 0; k < p->tree.n; k++) {
    ar_branch *b = &p->tree.branch[k];
    double between[9] = {0};
    if (b->link < 0)
      continue;
    ar_links_curve_one(p->links, (size_t)b->link, p->pose, p->multiplier, p->turn, between, 3);
    for (size_t i = 0; i < 9; i++)
      b->coupling[i / 3][i % 3] += between[b->side == 0 ? i : 3 * (i % 3) + i / 3];
  }
  for (size_t k = 0; k < p->tree.n; k++)
    add_turn(p->turn + 9 * k, p->tree.branch[k].matrix[0], AR_BRANCH);
}

/// Right sides: minus the gradient, and the values of rows.
static void write_right(ar_projector *p) {
  size_t bones = p->body->n_bones, n = 6 * bones;
  ar_pose_gradient(p->pose, bones, p->force, p->right);
  for (size_t i = 0; i < n; i++)
    p->right[i] = -p->right[i];
  memcpy(p->right + n, p->values, p->links->n_rows * sizeof *p->right);
}

/// The system of an iteration by a tree.
static void write_tree(ar_projector *p, bool curved) {
  ar_tree_begin(&p->tree, p->links, p->pose);
  for (size_t k = 0; k < p->tree.n; k++)
    add_quadratic(p, k, k, p->tree.branch[k].matrix[0], AR_BRANCH);
  if (curved)
    add_curvature_to_tree(p);
  write_right(p);
}

/// The system of an iteration: Q, perhaps with curvature, C and right sides.
void ar_projector_write(ar_projector *p, bool curved) {
  size_t bones = p->body->n_bones, n = 6 * bones, all = n + p->links->n_rows;
  memset(p->matrix, 0, all * all * sizeof *p->matrix);
  for (size_t k = 0; k < bones; k++)
    for (size_t l = k; l < (p->apart ? k + 1 : bones); l++) {
      add_quadratic(p, k, l, p->matrix + 6 * k * all + 6 * l, all);
      if (l > k)
        mirror(p, k, l, all);
    }
  if (curved)
    add_curvature(p, all);
  for (size_t i = 0; i < p->links->n_rows; i++)
    for (size_t j = 0; j < n; j++)
      p->matrix[(n + i) * all + j] = p->matrix[j * all + n + i] = p->rows[i * n + j];
  write_right(p);
}

/// Moves poses by s: turns by the polar factor of I + w*, the rotation by atan |w|. Returns the
/// greatest turn or shift over the scene's size.
double ar_projector_move(ar_projector *p) {
  double most = 0;
  for (size_t k = 0; k < p->body->n_bones; k++) {
    const double *s = p->right + 6 * k;
    double shift[3], turn[9], r[9], norm = sqrt(vb_dot(s, s)), half = 0.5 * atan(norm);
    double part = norm > 0 ? sin(half) / norm : 0.5;
    const double q[4] = {cos(half), part * s[0], part * s[1], part * s[2]};
    ar_pose *pose = &p->pose[k];
    ar_turn(pose->r, s + 3, shift);
    vb_add_scaled(pose->t, 1, shift, pose->t);
    ar_matrix(q, turn);
    for (int i = 0; i < 9; i++)
      r[i] = pose->r[i / 3 * 3] * turn[i % 3] + pose->r[i / 3 * 3 + 1] * turn[3 + i % 3] +
             pose->r[i / 3 * 3 + 2] * turn[6 + i % 3];
    memcpy(pose->r, r, sizeof r);
    most = fmax(most, fmax(norm, sqrt(vb_dot(s + 3, s + 3)) / p->body->size));
  }
  return most;
}

void ar_projector_measure(ar_projector *p, const double *target, double *difference) {
  find_force(p, target, difference);
  ar_links_gap(p->links, p->pose, p->values);
  p->gap = ar_links_greatest(p->links, p->values);
}

/// Solves the system of an iteration, by the tree of links or else densely. Writes whether it is
/// that of a least point.
static vb_status solve_system(ar_projector *p, bool curved, bool *least, vb_error *error) {
  if (p->tree.n > 0) {
    write_tree(p, curved);
    if (ar_tree_solve(&p->tree, p->links, p->right, least))
      return VB_OK;
  }
  vb_status status = ar_projector_reserve(p, error);
  if (status)
    return status;
  ar_links_rows(p->links, p->pose, p->rows);
  ar_projector_write(p, curved);
  return ar_solve_saddle(6 * p->body->n_bones, p->links->n_rows, p->matrix, p->right, p->copy,
                         p->unit, p->work, p->length, p->whole, least, error);
}

/// One iteration; writes the size of its step.
static vb_status iterate(ar_projector *p, double *step, vb_error *error) {
  vb_status status = VB_OK;
  for (int curved = p->curved; curved >= 0; curved--) {
    bool least = false;
    status = solve_system(p, curved, &least, error);
    // Without the least point that Newton's method looks for: the step of Gauss and Newton.
    if (status || least)
      break;
  }
  if (status)
    return status;
  memcpy(p->multiplier, p->right + 6 * p->body->n_bones, p->links->n_rows * sizeof *p->multiplier);
  *step = ar_projector_move(p);
  return VB_OK;
}

/// Keeps the gap after the latest iteration, for all that follow, too: there may be none.
static void keep_gap(const ar_projector *p) {
  for (int i = p->iterations > 0 ? p->iterations - 1 : 0; p->gaps && i < AR_GAPS; i++)
    p->gaps[i] = p->gap * p->body->size;
}

/// Iterates with the rows that hold now. Writes whether it converged within `most` iterations.
static vb_status converge(ar_projector *p, const double *target, double *scratch, int most,
                          bool *converged, vb_error *error) {
  double step = INFINITY, before;
  vb_status status = VB_OK;
  memset(p->multiplier, 0, p->links->n_rows * sizeof *p->multiplier);
  *converged = false;
  while (!status && p->iterations < most && !*converged) {
    ar_projector_measure(p, target, scratch);
    keep_gap(p);
    bool held = p->gap <= gap_tolerance;
    *converged = held && (step <= step_tolerance || (p->feasible && p->links->n_rows > 0));
    if (*converged)
      break;
    before = step;
    status = iterate(p, &step, error);
    p->iterations++;
    *converged = held && step <= stalled && step > 0.5 * before;
  }
  ar_projector_measure(p, target, scratch);
  keep_gap(p);
  return status;
}

/// The same, and where Newton's method does not converge soon by steps that are watched.
static vb_status solve(ar_projector *p, const double *target, double *scratch, vb_error *error) {
  bool watched = p->curved && p->links->n_rows > 0, converged;
  int most = watched ? p->iterations + SOON : p->most;
  vb_status status =
      converge(p, target, scratch, most < p->most ? most : p->most, &converged, error);
  if (!status && !converged && watched && p->iterations < p->most)
    status = ar_reach(p, p->start, target, scratch, &converged, error);
  if (!converged)
    p->iterations = p->most; // which is told
  return status;
}

/// Lets limits hold that angles are beyond, and lets go of one that pulls. Whether any changed.
static bool change_limits(ar_projector *p) {
  bool changed = false;
  for (size_t i = 0; i < p->links->n; i++) {
    const ar_link *link = &p->links->link[i];
    if (!link->hinge)
      continue;
    int which = link->at_limit;
    if (which != 0) {
      double pull = p->multiplier[link->row + 3 + (size_t)link->n_always];
      which = (which > 0 ? pull > 0 : pull < 0) ? 0 : which;
    } else {
      double angle = ar_links_angle(p->links, i, p->pose);
      which = angle > link->limit[1] + step_tolerance   ? 1
              : angle < link->limit[0] - step_tolerance ? -1
                                                        : 0;
    }
    if (which != link->at_limit) {
      ar_links_limit(p->links, i, which);
      changed = true;
    }
  }
  return changed;
}

vb_status ar_project(ar_projector *p, const double *target, double *out, vb_error *error) {
  begin(p, target);
  p->iterations = 0;
  vb_status status = VB_OK;
  if (p->body->n_bones == 0)
    return VB_OK;
  // Each round changes rows of limits; more than a few would be a circle.
  for (size_t round = 0; round < 4 + 2 * p->links->n; round++) {
    status = solve(p, target, out, error);
    if (status || !change_limits(p))
      break;
  }
  ar_pose_matrix(p->pose, p->body->n_bones, out);
  return status;
}
