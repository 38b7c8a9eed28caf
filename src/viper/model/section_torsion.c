// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/model/section_torsion.h"

#include "scene/rotation.h"

#define VIPER_PRECISION 64
#include "viper/energy/term.h"

#include <math.h>
#include <stdlib.h>

/// Of the slant of fibers, 9/4: a fiber at the distance d from the axis of a section that twists by
/// theta per length has the energy G s^2 (1/cos alpha - 1) beyond that of its stretch, with the
/// slant alpha. Over x = s^3 d omega, omega = theta cos alpha being the twist about the fiber, that
/// is x^2/2 (1 + SLANT x^2 + ..) (../bundle/README.md).
#define SLANT 2.25

viper_section viper_section_of(size_t n, const double (*middle)[3], const double *area) {
  double sum = 0, mean[3] = {0, 0, 0}, own = 0, spread = 0;
  for (size_t i = 0; i < n; i++) {
    sum += area[i];
    own += area[i] * area[i] / (2 * M_PI); // of a disc, the torsion constant is the polar moment
    for (int k = 0; k < 3; k++)
      mean[k] += area[i] * middle[i][k];
  }
  for (size_t i = 0; i < n; i++)
    for (int k = 0; k < 3; k++)
      spread += area[i] * pow(middle[i][k] - mean[k] / sum, 2);
  const viper_section out = {fmax(1, pow(sum, 4) / (40 * (own + spread)) / own), spread / sum};
  return out;
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

bool viper_has_fused_rods(const vb_scene *scene) {
  size_t n;
  const vb_bundled *member = vb_scene_bundled(scene, &n);
  for (size_t i = 0, end = 0; i < n; i = end) {
    while (end < n && member[end].bundle == member[i].bundle)
      end++;
    if (viper_is_fused(scene, member + i, end - i))
      return true;
  }
  return false;
}

/// Writes the section of the bundle whose `n` members begin at `member` to its segments, where they
/// are fused.
static void fill_bundle(const vb_scene *scene, const vb_bundled *member, size_t n,
                        double (*middle)[3], double *area, viper_section *section) {
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
  const viper_section value = viper_section_of(n, middle, area);
  for (size_t i = 0; i < n; i++)
    section[member[i].segment] = value;
}

/// Gives joint `at` of a model the mean of the sections of its segments that are fused.
static void fill_joint(viper_model *model, int32_t at, const viper_section *a,
                       const viper_section *b) {
  const int fused = (a->torsion > 0) + (b->torsion > 0);
  if (fused == 0)
    return;
  const double torsion = (a->torsion + b->torsion) / fused;
  model->joint[at].k[VIPER_TERM_TWIST] *= torsion;
  model->fused[at][0] = 1 - 1 / torsion;
  model->fused[at][1] = SLANT * (a->spread + b->spread) / fused;
}

vb_status viper_fill_section_torsion(viper_model *model, const int32_t *joint_at, vb_error *error) {
  size_t n_members, n_joints;
  const vb_bundled *member = vb_scene_bundled(model->scene, &n_members);
  const vb_joint *joint = vb_scene_joints(model->scene, &n_joints);
  if (!model->fused)
    return VB_OK;
  viper_section *section = calloc(model->n_segments, sizeof *section); // 0 outside of such bundles
  double *area = calloc(4 * n_members, sizeof *area);
  if (!section || !area) {
    free(section);
    free(area);
    return vb_error_memory(error);
  }
  for (size_t i = 0, end = 0; i < n_members; i = end) {
    while (end < n_members && member[end].bundle == member[i].bundle)
      end++;
    fill_bundle(model->scene, member + i, end - i, (double(*)[3])(area + n_members), area, section);
  }
  for (size_t t = 0; t < n_joints; t++)
    fill_joint(model, joint_at[t], &section[joint[t].segment[0]], &section[joint[t].segment[1]]);
  free(section);
  free(area);
  for (size_t k = 0; k < model->n_bodies; k++) {
    viper_model_body *body = &model->body[k];
    for (int32_t t = body->first_joint; t < body->first_joint + body->n_joints; t++)
      if (model->fused[t][0] > 0)
        body->apart = 1;
  }
  return VB_OK;
}
