// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/model/section_torsion.h"

#include "scene/rotation.h"

#define VIPER_PRECISION 64
#include "viper/energy/term.h"

#include <math.h>
#include <stdlib.h>

double viper_section_torsion(size_t n, const double (*middle)[3], const double *area) {
  double sum = 0, mean[3] = {0, 0, 0}, own = 0, polar = 0;
  for (size_t i = 0; i < n; i++) {
    sum += area[i];
    own += area[i] * area[i] / (2 * M_PI);
    for (int k = 0; k < 3; k++)
      mean[k] += area[i] * middle[i][k];
  }
  polar = own; // of a disc, the torsion constant is the polar moment
  for (size_t i = 0; i < n; i++)
    for (int k = 0; k < 3; k++)
      polar += area[i] * pow(middle[i][k] - mean[k] / sum, 2);
  return fmax(1, pow(sum, 4) / (40 * polar) / own);
}

/// Parallel up to rounding of the points that rods are drawn by.
#define PARALLEL (1 - 1e-9)

bool viper_is_fused(const vb_scene *scene, const vb_bundled *member, size_t n) {
  size_t count;
  const vb_segment *all = vb_scene_segments(scene, &count);
  double first[3], axis[3];
  vb_frame_axis(all[member[0].segment].rest_frame, 2, first);
  for (size_t i = 0; i < n; i++) {
    vb_frame_axis(all[member[i].segment].rest_frame, 2, axis);
    if (all[member[i].segment].model != VB_MATERIAL_SOLID || fabs(vb_dot(first, axis)) < PARALLEL)
      return false;
  }
  return true;
}

/// Writes the factor of the bundle whose `n` members begin at `member` to its segments, where they
/// are fused.
static void fill_bundle(const vb_scene *scene, const vb_bundled *member, size_t n,
                        double (*middle)[3], double *area, double *factor) {
  size_t count;
  if (!viper_is_fused(scene, member, n))
    return;
  const vb_node *node = vb_scene_nodes(scene, &count);
  const vb_segment *all = vb_scene_segments(scene, &count);
  for (size_t i = 0; i < n; i++) {
    const vb_segment *s = &all[member[i].segment];
    const vb_node *a = &node[s->node[0]], *b = &node[s->node[1]];
    for (int k = 0; k < 3; k++)
      middle[i][k] = 0.5 * (a->rest_position[k] + b->rest_position[k]);
    area[i] = M_PI * pow(0.5 * (a->rest_radius + b->rest_radius), 2);
  }
  const double value = viper_section_torsion(n, middle, area);
  for (size_t i = 0; i < n; i++)
    factor[member[i].segment] = value;
}

vb_status viper_fill_section_torsion(viper_model *model, const int32_t *joint_at, vb_error *error) {
  size_t n_members, n_joints;
  const vb_bundled *member = vb_scene_bundled(model->scene, &n_members);
  const vb_joint *joint = vb_scene_joints(model->scene, &n_joints);
  if (n_members == 0)
    return VB_OK;
  double *factor = calloc(model->n_segments, sizeof *factor); // 0 outside of such bundles
  double *area = calloc(4 * n_members, sizeof *area);
  if (!factor || !area) {
    free(factor);
    free(area);
    return vb_error_memory(error);
  }
  for (size_t i = 0, end = 0; i < n_members; i = end) {
    while (end < n_members && member[end].bundle == member[i].bundle)
      end++;
    fill_bundle(model->scene, member + i, end - i, (double(*)[3])(area + n_members), area, factor);
  }
  for (size_t t = 0; t < n_joints; t++) {
    const double f[2] = {factor[joint[t].segment[0]], factor[joint[t].segment[1]]};
    const int bundled = (f[0] > 0) + (f[1] > 0);
    if (bundled > 0)
      model->joint[joint_at[t]].k[VIPER_TERM_TWIST] *= (f[0] + f[1]) / bundled;
  }
  free(factor);
  free(area);
  return VB_OK;
}
