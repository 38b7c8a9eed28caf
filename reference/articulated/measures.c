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

void ar_read_deformations(void *self, double *out) {
  measure_matrices(&((articulated *)self)->stepper, false, out);
}

void ar_read_stresses(void *self, double *out) {
  measure_matrices(&((articulated *)self)->stepper, true, out);
}

void ar_read_volumes(void *self, double *out) {
  const ar_stepper *s = &((articulated *)self)->stepper;
  size_t n = vb_scene_count(s->scene, VB_SET_TETRAHEDRON);
  for (size_t i = 0; i < n; i++) {
    double rest, ratio = dilation(s, i, &rest);
    out[i] = ratio * rest;
  }
}

void ar_read_dilations(void *self, double *out) {
  const ar_stepper *s = &((articulated *)self)->stepper;
  size_t n = vb_scene_count(s->scene, VB_SET_TETRAHEDRON);
  double rest;
  for (size_t i = 0; i < n; i++)
    out[i] = dilation(s, i, &rest);
}

void ar_read_volume(void *self, double *out) {
  const ar_stepper *s = &((articulated *)self)->stepper;
  size_t n = vb_scene_count(s->scene, VB_SET_TETRAHEDRON);
  *out = 0;
  for (size_t i = 0; i < n; i++) {
    double rest, ratio = dilation(s, i, &rest);
    *out += ratio * rest;
  }
}

void ar_read_dilation_range(void *self, double *out) {
  const ar_stepper *s = &((articulated *)self)->stepper;
  size_t n = vb_scene_count(s->scene, VB_SET_TETRAHEDRON);
  double rest, least = INFINITY, most = -INFINITY;
  for (size_t i = 0; i < n; i++) {
    double ratio = dilation(s, i, &rest);
    least = fmin(least, ratio);
    most = fmax(most, ratio);
  }
  out[0] = n > 0 ? least : 1;
  out[1] = n > 0 ? most : 1;
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

/// Where the center of bone `k` is by `t`, the linear maps of bones; or its velocity by their
/// rates.
static void center_of(const ar_stepper *s, const double *t, size_t k, double out[3]) {
  for (int c = 0; c < 3; c++) {
    out[c] = t[12 * k + 9 + (size_t)c];
    for (int r = 0; r < 3; r++)
      out[c] += s->body.bone[k].offset[r] * t[12 * k + (size_t)(3 * r + c)];
  }
}

void ar_read_bone_position(void *self, double *out) {
  const ar_stepper *s = &((articulated *)self)->stepper;
  size_t n = vb_scene_count(s->scene, VB_SET_BONE), m = s->body.n_bones;
  double q[4];
  for (size_t k = 0; k < n; k++)
    if (k < m)
      center_of(s, s->t, k, out + 3 * k);
    else
      flesh_pose(s, k, out + 3 * k, q);
}

void ar_read_bone_velocity(void *self, double *out) {
  const ar_stepper *s = &((articulated *)self)->stepper;
  size_t n = vb_scene_count(s->scene, VB_SET_BONE), m = s->body.n_bones;
  memset(out, 0, 3 * n * sizeof *out);
  for (size_t k = 0; k < m; k++)
    center_of(s, s->rate, k, out + 3 * k);
}

void ar_read_bone_frame(void *self, double *out) {
  const ar_stepper *s = &((articulated *)self)->stepper;
  size_t n = vb_scene_count(s->scene, VB_SET_BONE), m = s->body.n_bones;
  double center[3];
  for (size_t k = 0; k < n; k++)
    if (k < m)
      memcpy(out + 4 * k, s->frame + 4 * k, 4 * sizeof *out);
    else
      flesh_pose(s, k, center, out + 4 * k);
}

void ar_read_bone_spin(void *self, double *out) {
  const ar_stepper *s = &((articulated *)self)->stepper;
  size_t n = vb_scene_count(s->scene, VB_SET_BONE), m = s->body.n_bones;
  memset(out, 0, 3 * n * sizeof *out);
  memcpy(out, s->spin, 3 * m * sizeof *out);
}

void ar_read_bone_error(void *self, double *out) {
  const ar_stepper *s = &((articulated *)self)->stepper;
  size_t n = vb_scene_count(s->scene, VB_SET_BONE), m = s->body.n_bones;
  for (size_t k = 0; k < n; k++)
    out[k] = k < m ? rigid_error(s->t + 12 * k) : 0;
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

void ar_read_joint_error(void *self, double *out) {
  const ar_stepper *s = &((articulated *)self)->stepper;
  size_t n;
  const vb_link *link = vb_scene_links(s->scene, &n);
  for (size_t i = 0; i < n; i++) {
    double a[3], b[3];
    side_point(s, &link[i], 0, a);
    side_point(s, &link[i], 1, b);
    out[i] = vb_distance(a, b);
  }
}

void ar_read_joint_angle(void *self, double *out) {
  const ar_stepper *s = &((articulated *)self)->stepper;
  size_t n = vb_scene_count(s->scene, VB_SET_LINK);
  for (size_t i = 0; i < n; i++)
    out[i] = i < s->links.n ? ar_links_angle(&s->links, i, s->pose) : 0;
}

void ar_read_joint_force(void *self, double *out) {
  const ar_stepper *s = &((articulated *)self)->stepper;
  size_t n = vb_scene_count(s->scene, VB_SET_LINK);
  for (size_t i = 0; i < 3 * n; i++)
    out[i] = i / 3 < s->links.n ? s->joint[6 * (i / 3) + i % 3] : 0;
}

/// Momentum [kg m/s], angular momentum about the origin [kg m^2/s].
static void measure_momentum(const ar_stepper *s, double linear[3], double angular[3]) {
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

void ar_read_momentum(void *self, double *out) {
  double angular[3];
  measure_momentum(&((articulated *)self)->stepper, out, angular);
}

void ar_read_angular_momentum(void *self, double *out) {
  double linear[3];
  measure_momentum(&((articulated *)self)->stepper, linear, out);
}

static double time_of(const ar_stepper *s) {
  return (double)s->n_steps * vb_scene_world(s->scene)->step;
}

void ar_read_penetration(void *self, double *out) {
  const ar_stepper *s = &((articulated *)self)->stepper;
  double energy;
  ar_contact_measure(&s->contact, time_of(s), s->x, s->local.threads, out, &energy);
}

void ar_read_energies(void *self, double *out) {
  const ar_stepper *s = &((articulated *)self)->stepper;
  const double *g = vb_scene_world(s->scene)->gravity;
  double depth;
  memset(out, 0, AR_ENERGY_COUNT * sizeof *out);
  ar_contact_measure(&s->contact, time_of(s), s->x, s->local.threads, &depth, &out[AR_CONTACT]);
  for (size_t e = 0; e < s->body.n_elements; e++) {
    double f[9], q[4], r[9], p[9];
    ar_local_deformation(&s->body, e, s->x, f);
    memcpy(q, s->rotation + 4 * e, sizeof q);
    ar_rotation(f, q, r);
    out[AR_ELASTIC] += s->body.element[e].volume * ar_stress(&s->body.element[e].material, f, r, p);
  }
  for (size_t i = 0; i < s->body.n_nodes; i++)
    if (s->body.bone_of[i] < 0) {
      out[AR_KINETIC] += 0.5 * s->body.mass[i] * vb_dot(s->v + 3 * i, s->v + 3 * i);
      out[AR_GRAVITY] -= s->body.mass[i] * vb_dot(g, s->x + 3 * i);
    }
  for (size_t k = 0; k < s->body.n_bones; k++) {
    const double *mass = s->reduced.bone_mass + 16 * k, *rate = s->rate + 12 * k;
    out[AR_GRAVITY] -= mass[15] * vb_dot(g, s->t + 12 * k + 9);
    for (int r = 0; r < 4; r++)
      for (int c = 0; c < 4; c++)
        out[AR_KINETIC] += 0.5 * mass[4 * r + c] * vb_dot(rate + 3 * r, rate + 3 * c);
  }
}
