// SPDX-License-Identifier: GPL-3.0-or-later
#include "measures.h"

#include "scene/rotation.h"

#include <math.h>
#include <string.h>

/// Current volume over rest volume, and the rest volume, of tetrahedron `i`.
static double dilation(const ar_stepper *s, size_t i, double *rest) {
  size_t n;
  const vb_tetrahedron *t = vb_scene_tetrahedra(s->scene, &n) + i;
  const vb_node *node = vb_scene_nodes(s->scene, &n);
  const double *x[4], *r[4];
  for (int a = 0; a < 4; a++) {
    x[a] = s->x + 3 * (size_t)t->node[a];
    r[a] = node[t->node[a]].rest_position;
  }
  *rest = vb_volume6(r[0], r[1], r[2], r[3]) / 6;
  return vb_volume6(x[0], x[1], x[2], x[3]) / (6 * *rest);
}

/// F of a tetrahedron that is not among the elements: the linear map of its bone.
static void rigid_deformation(const ar_stepper *s, size_t i, double f[9]) {
  size_t n;
  int32_t bone = s->body.bone_of[vb_scene_tetrahedra(s->scene, &n)[i].node[0]];
  memcpy(f, s->pose[bone].r, 9 * sizeof *f);
}

static void measure_matrices(const ar_stepper *s, bool stress, double *out) {
  size_t n = vb_scene_count(s->scene, VB_SET_TETRAHEDRON), e = 0;
  for (size_t i = 0; i < n; i++, out += 9) {
    double f[9], q[4], r[9];
    if (e == s->body.n_elements || s->body.element[e].tetrahedron != (int32_t)i) {
      rigid_deformation(s, i, out);
      for (int c = 0; c < 9 && stress; c++)
        out[c] = 0;
      continue;
    }
    ar_local_deformation(&s->body, e, s->x, stress ? f : out);
    if (stress) {
      memcpy(q, s->rotation + 4 * e, sizeof q);
      ar_rotation(f, q, r);
      ar_stress(&s->body.element[e].material, f, r, out);
    }
    e++;
  }
}

void ar_measure_tetrahedra(const ar_stepper *s, ar_field field, double *out) {
  size_t n = vb_scene_count(s->scene, VB_SET_TETRAHEDRON);
  if (field == AR_FIELD_DEFORMATION || field == AR_FIELD_STRESS) {
    measure_matrices(s, field == AR_FIELD_STRESS, out);
    return;
  }
  double sum = 0, least = INFINITY, most = -INFINITY;
  for (size_t i = 0; i < n; i++) {
    double rest, ratio = dilation(s, i, &rest);
    sum += ratio * rest;
    least = fmin(least, ratio);
    most = fmax(most, ratio);
    if (field == AR_FIELD_ELEMENT_VOLUME || field == AR_FIELD_DILATION)
      out[i] = field == AR_FIELD_DILATION ? ratio : ratio * rest;
  }
  if (field == AR_FIELD_VOLUME)
    *out = sum;
  if (field == AR_FIELD_DILATION_RANGE) {
    out[0] = n > 0 ? least : 1;
    out[1] = n > 0 ? most : 1;
  }
}

/// The rigid motion nearest to the nodes of a bone that is flesh: its center, and its turn.
static void flesh_pose(const ar_stepper *s, size_t bone, double center[3], double q[4]) {
  size_t n;
  const vb_node *node = vb_scene_nodes(s->scene, &n);
  const vb_bone *from = vb_scene_bones(s->scene, &n) + bone;
  double rest[3] = {0}, now[3] = {0}, f[9] = {0}, r[9], count = 0, arm[3];
  for (size_t i = 0; i < s->body.n_nodes; i++)
    if (s->body.shape_of[i] == (int32_t)bone) {
      vb_add_scaled(rest, 1, node[i].rest_position, rest);
      vb_add_scaled(now, 1, s->x + 3 * i, now);
      count++;
    }
  memcpy(center, from->position, 3 * sizeof *center);
  memcpy(q, from->frame, 4 * sizeof *q);
  if (count == 0)
    return;
  for (int c = 0; c < 3; c++) {
    rest[c] /= count;
    now[c] /= count;
  }
  for (size_t i = 0; i < s->body.n_nodes; i++)
    for (int c = 0; c < 9 && s->body.shape_of[i] == (int32_t)bone; c++)
      f[c] += (s->x[3 * i + (size_t)(c / 3)] - now[c / 3]) *
              (node[i].rest_position[c % 3] - rest[c % 3]);
  ar_rotation_fresh(f, q, r);
  vb_subtract(from->center, rest, arm);
  ar_turn(r, arm, center);
  vb_add_scaled(center, 1, now, center);
}

/// The largest entry of A^T A - I.
static double rigid_error(const double *t) {
  double most = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      most = fmax(most, fabs(vb_dot(t + 3 * i, t + 3 * j) - (i == j)));
  return most;
}

void ar_measure_bones(const ar_stepper *s, ar_field field, double *out) {
  size_t n = vb_scene_count(s->scene, VB_SET_BONE), m = s->body.n_bones;
  for (size_t k = 0; k < n; k++) {
    double center[3], q[4], arm[3];
    const double zero[12] = {0}, *t = k < m ? s->t + 12 * k : zero;
    const double *rate = k < m ? s->rate + 12 * k : zero;
    if (k >= m)
      flesh_pose(s, k, center, q);
    switch (field) {
    case AR_FIELD_BONE_POSITION:
    case AR_FIELD_BONE_VELOCITY:
      for (int c = 0; c < 3; c++) {
        const double *from = field == AR_FIELD_BONE_POSITION ? t : rate;
        arm[c] = from[9 + c];
        for (int r = 0; r < 3 && k < m; r++)
          arm[c] += s->body.bone[k].offset[r] * from[3 * r + c];
      }
      memcpy(out + 3 * k, k >= m && field == AR_FIELD_BONE_POSITION ? center : arm, sizeof arm);
      break;
    case AR_FIELD_BONE_FRAME:
      memcpy(out + 4 * k, k < m ? s->frame + 4 * k : q, sizeof q);
      break;
    case AR_FIELD_BONE_SPIN:
      memcpy(out + 3 * k, k < m ? s->spin + 3 * k : zero, 3 * sizeof *out);
      break;
    default:
      out[k] = k < m ? rigid_error(t) : 0;
    }
  }
}

/// A point of a link's side where bones are flesh, or the link is dropped.
static void side_point(const ar_stepper *s, const vb_link *link, int which, double out[3]) {
  size_t n;
  int32_t bone = link->bone[which];
  double arm[3], center[3], q[4], shift[3];
  if (bone < 0 && link->driver < 0) {
    memcpy(out, link->at, sizeof link->at);
  } else if (bone < 0) {
    vb_driver_motion(s->scene, link->driver, (double)s->n_steps * vb_scene_world(s->scene)->step, q,
                     shift);
    vb_rigid_move(q, shift, link->at, out);
  } else if ((size_t)bone < s->body.n_bones) {
    vb_subtract(link->at, s->body.bone[bone].center, arm);
    ar_turn(s->pose[bone].r, arm, out);
    vb_add_scaled(out, 1, s->pose[bone].t, out);
  } else {
    flesh_pose(s, (size_t)bone, center, q);
    vb_subtract(link->at, vb_scene_bones(s->scene, &n)[bone].center, arm);
    vb_rigid_move(q, center, arm, out);
  }
}

void ar_measure_links(const ar_stepper *s, ar_field field, double *out) {
  size_t n;
  const vb_link *link = vb_scene_links(s->scene, &n);
  for (size_t i = 0; i < n; i++) {
    bool kept = i < s->links.n;
    if (field == AR_FIELD_JOINT_ERROR) {
      double a[3], b[3];
      side_point(s, &link[i], 0, a);
      side_point(s, &link[i], 1, b);
      out[i] = vb_distance(a, b);
    } else if (field == AR_FIELD_JOINT_ANGLE) {
      out[i] = kept ? ar_links_angle(&s->links, i, s->pose) : 0;
    } else {
      for (size_t c = 0; c < 3; c++)
        out[3 * i + c] = kept ? s->joint[6 * i + c] : 0;
    }
  }
}

void ar_measure_momentum(const ar_stepper *s, double linear[3], double angular[3]) {
  memset(linear, 0, 3 * sizeof *linear);
  memset(angular, 0, 3 * sizeof *angular);
  for (size_t i = 0; i < s->body.n_nodes; i++) {
    double turn[3];
    if (s->body.bone_of[i] >= 0)
      continue;
    vb_cross(s->x + 3 * i, s->v + 3 * i, turn);
    vb_add_scaled(linear, s->body.mass[i], s->v + 3 * i, linear);
    vb_add_scaled(angular, s->body.mass[i], turn, angular);
  }
  for (size_t k = 0; k < s->body.n_bones; k++) {
    const double *mass = s->reduced.bone_mass + 16 * k, *t = s->t + 12 * k;
    vb_add_scaled(linear, mass[15], s->rate + 12 * k + 9, linear);
    for (int r = 0; r < 4; r++)
      for (int c = 0; c < 4; c++) {
        double turn[3];
        vb_cross(t + 3 * r, s->rate + 12 * k + (size_t)(3 * c), turn);
        vb_add_scaled(angular, mass[4 * r + c], turn, angular);
      }
  }
}

static double time_of(const ar_stepper *s) {
  return (double)s->n_steps * vb_scene_world(s->scene)->step;
}

double ar_measure_penetration(const ar_stepper *s) {
  double depth, energy;
  ar_contact_measure(&s->contact, time_of(s), s->x, s->local.threads, &depth, &energy);
  return depth;
}

void ar_measure_energies(const ar_stepper *s, double out[4]) {
  const double *g = vb_scene_world(s->scene)->gravity;
  double depth;
  memset(out, 0, 4 * sizeof *out);
  ar_contact_measure(&s->contact, time_of(s), s->x, s->local.threads, &depth, &out[3]);
  for (size_t e = 0; e < s->body.n_elements; e++) {
    double f[9], q[4], r[9], p[9];
    ar_local_deformation(&s->body, e, s->x, f);
    memcpy(q, s->rotation + 4 * e, sizeof q);
    ar_rotation(f, q, r);
    out[0] += s->body.element[e].volume * ar_stress(&s->body.element[e].material, f, r, p);
  }
  for (size_t i = 0; i < s->body.n_nodes; i++)
    if (s->body.bone_of[i] < 0) {
      out[1] += 0.5 * s->body.mass[i] * vb_dot(s->v + 3 * i, s->v + 3 * i);
      out[2] -= s->body.mass[i] * vb_dot(g, s->x + 3 * i);
    }
  for (size_t k = 0; k < s->body.n_bones; k++) {
    const double *mass = s->reduced.bone_mass + 16 * k, *rate = s->rate + 12 * k;
    out[2] -= mass[15] * vb_dot(g, s->t + 12 * k + 9);
    for (int r = 0; r < 4; r++)
      for (int c = 0; c < 4; c++)
        out[1] += 0.5 * mass[4 * r + c] * vb_dot(rate + 3 * r, rate + 3 * c);
  }
}
