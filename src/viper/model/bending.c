// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/model/bending.h"

#include "viper/model/solid.h"

#include <math.h>
#include <stdlib.h>

static int compare_segments(const void *x, const void *y) {
  int32_t a = ((const vb_bending *)x)->segment, b = ((const vb_bending *)y)->segment;
  return (a > b) - (a < b);
}

/// The factors of a segment of the scene.
static const double *factors_of(const vb_scene *scene, int32_t segment) {
  static const double one[2] = {1, 1};
  size_t n;
  const vb_bending *all = vb_scene_bendings(scene, &n), key = {.segment = segment};
  const vb_bending *found = n > 0 ? bsearch(&key, all, n, sizeof *all, compare_segments) : NULL;
  return found ? found->factor : one;
}

/// K of a bending term and the parts of it that its rows have, of segments with the stiffnesses
/// `k`. Equal factors leave parts of 1.
static void share(const double k[2], const double *const factor[2], double *stiffness,
                  double out[2]) {
  const double sum = k[0] + k[1];
  if (!(sum > 0))
    return;
  for (int row = 0; row < 2; row++)
    out[row] = (k[0] * factor[0][row] + k[1] * factor[1][row]) / sum;
  const double most = fmax(out[0], out[1]);
  *stiffness *= most;
  for (int row = 0; row < 2; row++)
    out[row] = most > 0 ? out[row] / most : 1;
}

static void fill_joint(const vb_scene *scene, const vb_joint *joint, viper_model_joint *out,
                       double part[4]) {
  static const struct {
    int term, stiffness;
  } list[2] = {{VIPER_TERM_BEND, VB_KZ}, {VIPER_TERM_VOLUME_BEND, VB_KV}};
  size_t n;
  const vb_segment *segment = vb_scene_segments(scene, &n);
  const double *const factor[2] = {factors_of(scene, joint->segment[0]),
                                   factors_of(scene, joint->segment[1])};
  double own[2][6];
  for (int side = 0; side < 2; side++)
    viper_joint_stiffness_of(&segment[joint->segment[side]], own[side]);
  for (int i = 0; i < 2; i++) {
    const double k[2] = {own[0][list[i].stiffness], own[1][list[i].stiffness]};
    part[2 * i] = part[2 * i + 1] = 1;
    share(k, factor, &out->k[list[i].term], part + 2 * i);
  }
}

static bool is_even(const double part[4]) {
  return part[0] == part[1] && part[2] == part[3];
}

void viper_fill_bending(viper_model *m, const int32_t *joint_at) {
  size_t n;
  const vb_joint *joint = vb_scene_joints(m->scene, &n);
  for (size_t t = 0; t < n; t++)
    fill_joint(m->scene, &joint[t], &m->joint[joint_at[t]], m->bending[joint_at[t]]);
  for (size_t k = 0; k < m->n_bodies; k++) {
    viper_model_body *body = &m->body[k];
    for (int32_t t = body->first_joint; t < body->first_joint + body->n_joints; t++)
      if (!is_even(m->bending[t]))
        body->apart = 1;
  }
}
