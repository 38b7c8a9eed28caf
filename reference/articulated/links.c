// SPDX-License-Identifier: GPL-3.0-or-later
#include "links.h"

#include "scene/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void ar_turn(const double r[9], const double v[3], double out[3]) {
  const double w[3] = {r[0] * v[0] + r[1] * v[1] + r[2] * v[2],
                       r[3] * v[0] + r[4] * v[1] + r[5] * v[2],
                       r[6] * v[0] + r[7] * v[1] + r[8] * v[2]};
  memcpy(out, w, sizeof w);
}

void ar_turn_back(const double r[9], const double v[3], double out[3]) {
  const double w[3] = {r[0] * v[0] + r[3] * v[1] + r[6] * v[2],
                       r[1] * v[0] + r[4] * v[1] + r[7] * v[2],
                       r[2] * v[0] + r[5] * v[1] + r[8] * v[2]};
  memcpy(out, w, sizeof w);
}

static void number_rows(ar_links *links) {
  links->n_rows = 0;
  for (size_t i = 0; i < links->n; i++) {
    links->link[i].row = links->n_rows;
    links->n_rows += 3 + (size_t)links->link[i].n_values;
  }
}

static void read_link(const ar_body *body, const vb_link *from, ar_link *out) {
  *out = (ar_link){.bone = {from->bone[0], from->bone[1]},
                   .driver = from->driver,
                   .hinge = from->type == VB_LINK_HINGE,
                   .limit = {from->limit[0], from->limit[1]},
                   .side = {.r = {1, 0, 0, 0, 1, 0, 0, 0, 1}}};
  for (int k = 0; k < 2; k++) {
    static const double zero[3] = {0};
    const double *center = from->bone[k] >= 0 ? body->bone[from->bone[k]].center : zero;
    vb_subtract(from->at, center, out->point[k]);
  }
  memcpy(out->a[0], from->axis[0], sizeof out->a[0]);
  memcpy(out->a[1], from->axis[0], sizeof out->a[1]);
  memcpy(out->n[0], from->axis[1], sizeof out->n[0]);
  if (out->hinge) {
    double frame[4];
    vb_frame_begin(from->axis[0], frame);
    for (int k = 0; k < 2; k++) {
      vb_frame_axis(frame, k, out->across[k]);
      memcpy(out->n[k], out->across[k], sizeof out->n[k]);
    }
  }
  out->n_always = out->hinge ? 2 : from->type == VB_LINK_UNIVERSAL ? 1 : 0;
  out->n_values = out->n_always;
}

vb_status ar_links_create(const ar_body *body, ar_links *out, vb_error *error) {
  size_t n;
  const vb_link *link = vb_scene_links(body->scene, &n);
  ar_links l = {.body = body, .n = body->n_links};
  l.link = calloc(l.n + 1, sizeof *l.link);
  if (!l.link)
    return vb_error_memory(error);
  for (size_t i = 0; i < l.n; i++)
    read_link(body, &link[i], &l.link[i]);
  l.most_rows = (3 + AR_MOST_VALUES) * l.n;
  number_rows(&l);
  *out = l;
  return VB_OK;
}

vb_status ar_links_select(const ar_links *whole, const ar_body *body, const int32_t *link, size_t n,
                          const int32_t *place, ar_links *out, vb_error *error) {
  ar_links l = {.body = body, .n = n, .most_rows = (3 + AR_MOST_VALUES) * n};
  l.link = calloc(n + 1, sizeof *l.link);
  if (!l.link)
    return vb_error_memory(error);
  for (size_t i = 0; i < n; i++) {
    l.link[i] = whole->link[link[i]];
    for (int k = 0; k < 2; k++)
      if (l.link[i].bone[k] >= 0)
        l.link[i].bone[k] = place[l.link[i].bone[k]];
  }
  number_rows(&l);
  *out = l;
  return VB_OK;
}

void ar_links_clear(ar_links *links) {
  free(links->link);
  *links = (ar_links){0};
}

void ar_links_drive(ar_links *links, double time) {
  for (size_t i = 0; i < links->n; i++) {
    ar_link *link = &links->link[i];
    double q[4];
    if (link->driver < 0)
      continue;
    vb_driver_motion(links->body->scene, link->driver, time, q, link->side.t);
    ar_matrix(q, link->side.r);
  }
}

void ar_links_limit(ar_links *links, size_t i, int which) {
  ar_link *link = &links->link[i];
  if (link->at_limit == which)
    return;
  link->at_limit = which;
  link->n_values = link->n_always + (which != 0);
  if (which != 0) {
    // (R_j n1) . (R_k m) = sin(angle - limit), m being n2 turned back with the limit
    double angle = link->limit[which > 0], *m = link->n[2];
    memcpy(link->a[2], link->across[0], sizeof link->a[2]);
    for (int c = 0; c < 3; c++)
      m[c] = cos(angle) * link->across[1][c] - sin(angle) * link->across[0][c];
  }
  number_rows(links);
}

const ar_pose *ar_links_side(const ar_links *links, size_t i, int which, const ar_pose *bones) {
  const ar_link *link = &links->link[i];
  return link->bone[which] >= 0 ? &bones[link->bone[which]] : &link->side;
}

/// A point of a side.
static void point_at(const ar_link *link, int which, const ar_pose *pose, double out[3]) {
  ar_turn(pose->r, link->point[which], out);
  vb_add_scaled(out, 1, pose->t, out);
}

void ar_links_gap(const ar_links *links, const ar_pose *bones, double *out) {
  for (size_t i = 0; i < links->n; i++) {
    const ar_link *link = &links->link[i];
    const ar_pose *side[2];
    double at[2][3], a[3], n[3];
    for (int k = 0; k < 2; k++) {
      side[k] = ar_links_side(links, i, k, bones);
      point_at(link, k, side[k], at[k]);
    }
    vb_subtract(at[0], at[1], out + link->row);
    for (int k = 0; k < link->n_values; k++) {
      ar_turn(side[0]->r, link->a[k], a);
      ar_turn(side[1]->r, link->n[k], n);
      out[link->row + 3 + (size_t)k] = vb_dot(a, n);
    }
  }
}

double ar_links_greatest(const ar_links *links, const double *values) {
  double most = 0;
  for (size_t i = 0; i < links->n; i++) {
    const ar_link *link = &links->link[i];
    for (size_t k = 0; k < 3 + (size_t)link->n_values; k++)
      most = fmax(most, fabs(values[link->row + k]) / (k < 3 ? links->body->size : 1));
  }
  return most;
}

/// Rows of the point of one side: [R q*, -R] on bone 0, the opposite on bone 1.
static void point_rows(const ar_link *link, int which, const ar_pose *pose, double *row,
                       size_t columns) {
  const double *q = link->point[which], *r = pose->r, sign = which == 0 ? 1 : -1;
  for (int c = 0; c < 3; c++) {
    double *out = row + (size_t)c * columns;
    vb_cross(r + 3 * c, q, out); // row c of R q*
    for (int d = 0; d < 3; d++) {
      out[d] *= sign;
      out[3 + d] = -sign * r[3 * c + d];
    }
  }
}

void ar_links_part(const ar_links *links, size_t i, const ar_pose *bones, double *const out[2],
                   size_t columns) {
  const ar_link *link = &links->link[i];
  const ar_pose *side[2];
  for (int k = 0; k < 2; k++) {
    side[k] = ar_links_side(links, i, k, bones);
    if (link->bone[k] >= 0)
      point_rows(link, k, side[k], out[k], columns);
  }
  for (int k = 0; k < link->n_values; k++) {
    size_t row = (3 + (size_t)k) * columns;
    double world[3], local[3];
    // (R_k n)^T R_j a* on bone 0, and (R_j a)^T R_k n* on bone 1
    ar_turn(side[1]->r, link->n[k], world);
    ar_turn_back(side[0]->r, world, local);
    vb_cross(local, link->a[k], out[0] + row);
    if (link->bone[1] < 0)
      continue;
    ar_turn(side[0]->r, link->a[k], world);
    ar_turn_back(side[1]->r, world, local);
    vb_cross(local, link->n[k], out[1] + row);
  }
}

void ar_links_rows(const ar_links *links, const ar_pose *bones, double *out) {
  size_t columns = 6 * links->body->n_bones;
  memset(out, 0, links->n_rows * columns * sizeof *out);
  for (size_t i = 0; i < links->n; i++) {
    const ar_link *link = &links->link[i];
    double *row = out + link->row * columns, *part[2] = {row + 6 * (size_t)link->bone[0], row};
    if (link->bone[1] >= 0)
      part[1] = row + 6 * (size_t)link->bone[1];
    ar_links_part(links, i, bones, part, columns);
  }
}

/// turn += factor (R^T u) v^T
static void add_product(double *turn, double factor, const double r[9], const double u[3],
                        const double v[3]) {
  double local[3];
  ar_turn_back(r, u, local);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      turn[3 * i + j] += factor * local[i] * v[j];
}

/// The columns of R a*.
static void turned_star(const double r[9], const double a[3], double out[3][3]) {
  for (int d = 0; d < 3; d++) {
    const double e[3] = {d == 0, d == 1, d == 2};
    double across[3];
    vb_cross(a, e, across);
    ar_turn(r, across, out[d]);
  }
}

void ar_links_curve_one(const ar_links *links, size_t i, const ar_pose *bones,
                        const double *multiplier, double *turn, double *between, size_t lead) {
  const ar_link *link = &links->link[i];
  const double *force = multiplier + link->row;
  const ar_pose *side[2];
  for (int k = 0; k < 2; k++) {
    side[k] = ar_links_side(links, i, k, bones);
    if (link->bone[k] >= 0)
      add_product(turn + 9 * link->bone[k], k == 0 ? -1 : 1, side[k]->r, force, link->point[k]);
  }
  for (int k = 0; k < link->n_values; k++) {
    double world[3], left[3][3], right[3][3], lambda = force[3 + k];
    ar_turn(side[1]->r, link->n[k], world);
    add_product(turn + 9 * link->bone[0], -lambda, side[0]->r, world, link->a[k]);
    if (link->bone[1] < 0)
      continue;
    ar_turn(side[0]->r, link->a[k], world);
    add_product(turn + 9 * link->bone[1], -lambda, side[1]->r, world, link->n[k]);
    turned_star(side[0]->r, link->a[k], left);
    turned_star(side[1]->r, link->n[k], right);
    for (size_t a = 0; a < 3; a++)
      for (size_t b = 0; b < 3; b++)
        between[a * lead + b] += -lambda * vb_dot(left[a], right[b]);
  }
}

void ar_links_curve(const ar_links *links, const ar_pose *bones, const double *multiplier,
                    double *turn, double *matrix, size_t lead) {
  for (size_t i = 0; i < links->n; i++) {
    const ar_link *link = &links->link[i];
    size_t p = 6 * (size_t)link->bone[0], q = link->bone[1] < 0 ? p : 6 * (size_t)link->bone[1];
    ar_links_curve_one(links, i, bones, multiplier, turn, matrix + p * lead + q, lead);
    for (size_t a = 0; a < 3 && q != p; a++)
      for (size_t b = 0; b < 3; b++)
        matrix[(q + b) * lead + p + a] = matrix[(p + a) * lead + q + b];
  }
}

double ar_links_angle(const ar_links *links, size_t i, const ar_pose *bones) {
  const ar_link *link = &links->link[i];
  double turned[3], first[3], second[3];
  if (!link->hinge)
    return 0;
  ar_turn(ar_links_side(links, i, 0, bones)->r, link->across[0], turned);
  ar_turn(ar_links_side(links, i, 1, bones)->r, link->across[0], first);
  ar_turn(ar_links_side(links, i, 1, bones)->r, link->across[1], second);
  return atan2(vb_dot(turned, second), vb_dot(turned, first));
}

void ar_links_force(const ar_links *links, size_t i, const ar_pose *bones, const double *multiplier,
                    double force[3], double torque[3]) {
  const ar_link *link = &links->link[i];
  memcpy(force, multiplier + link->row, 3 * sizeof *force);
  memset(torque, 0, 3 * sizeof *torque);
  for (int k = 0; k < link->n_values; k++) {
    double a[3], n[3], across[3];
    ar_turn(ar_links_side(links, i, 0, bones)->r, link->a[k], a);
    ar_turn(ar_links_side(links, i, 1, bones)->r, link->n[k], n);
    vb_cross(a, n, across);
    vb_add_scaled(torque, multiplier[link->row + 3 + (size_t)k], across, torque);
  }
}
