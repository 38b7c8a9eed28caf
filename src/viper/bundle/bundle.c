// SPDX-License-Identifier: GPL-3.0-or-later
#include "viper/bundle/bundle.h"

#include "scene/rotation.h"
#include "viper/model/section_torsion.h"

#include <stdlib.h>
#include <string.h>

static vb_status allocate(viper_bundles *b, size_t n_model_nodes, vb_error *error) {
  VB_TAKE(&b->memory, b->bundle, b->n);
  VB_TAKE(&b->memory, b->member, b->n_members);
  VB_TAKE(&b->memory, b->node, n_model_nodes);
  VB_TAKE(&b->memory, b->first_share, n_model_nodes + 2);
  VB_TAKE(&b->memory, b->share, 2 * b->n_members);
  return vb_arena_status(&b->memory, error);
}

/// Rest data of the member that is scene segment `j`; its middle still from the origin.
static viper_bundle_member make_member(const viper_model *model, int32_t j) {
  size_t n;
  const vb_node *nodes = vb_scene_nodes(model->scene, &n);
  const vb_segment *s = &vb_scene_segments(model->scene, &n)[j];
  const vb_node *a = &nodes[s->node[0]], *b = &nodes[s->node[1]];
  double r = 0.5 * (a->rest_radius + b->rest_radius);
  viper_bundle_member m = {.segment = model->segment_at[j],
                           .mass = s->density * M_PI * r * r * s->rest_length,
                           .disc = r * r / 4};
  for (int k = 0; k < 3; k++)
    m.rest_middle[k] = 0.5 * (a->rest_position[k] + b->rest_position[k]);
  memcpy(m.rest_frame, s->rest_frame, sizeof m.rest_frame);
  return m;
}

/// Puts the middles at rest relative to their mean, and sums up the bundle.
static void finish_bundle(viper_bundles *b, viper_bundle *bundle) {
  double *mean = bundle->rest_mean;
  viper_bundle_member *m = b->member + bundle->first;
  for (int32_t i = 0; i < bundle->n; i++) {
    bundle->mass += m[i].mass;
    for (int k = 0; k < 3; k++)
      mean[k] += m[i].mass * m[i].rest_middle[k];
  }
  for (int k = 0; k < 3; k++)
    mean[k] /= bundle->mass;
  for (int32_t i = 0; i < bundle->n; i++) {
    for (int k = 0; k < 3; k++)
      m[i].rest_middle[k] -= mean[k];
    bundle->rest_norm += m[i].mass * (2 * m[i].disc + vb_dot(m[i].rest_middle, m[i].rest_middle));
  }
}

/// Lists, node by node, the members that meet there.
static vb_status share_out(const viper_model *model, viper_bundles *b, vb_error *error) {
  int32_t *count = calloc(2 * model->n_nodes + 1, sizeof *count);
  int32_t *place = count + model->n_nodes;
  if (!count)
    return vb_error_memory(error);
  for (size_t i = 0; i < b->n_members; i++)
    for (int end = 0; end < 2; end++)
      count[model->segment[b->member[i].segment].node[end]]++;
  for (size_t i = 0; i < model->n_nodes; i++)
    if (count[i] > 0) {
      place[i] = b->first_share[b->n_nodes];
      b->node[b->n_nodes++] = (int32_t)i;
      b->first_share[b->n_nodes] = b->first_share[b->n_nodes - 1] + count[i];
    }
  for (size_t i = 0; i < b->n_members; i++) {
    const viper_bundle_member *m = &b->member[i];
    for (int end = 0; end < 2; end++) {
      int32_t at = model->segment[m->segment].node[end];
      const viper_model_node *node = &model->node[at];
      b->share[place[at]++] = (viper_bundle_share){(int32_t)i, 0.5 * m->mass / node->mass,
                                                   m->mass * m->disc / node->scale_inertia};
    }
  }
  free(count);
  return VB_OK;
}

vb_status viper_bundles_create(const viper_model *model, viper_bundle_scale scale,
                               viper_bundles *out, vb_error *error) {
  viper_bundles b = {0};
  const vb_bundled *members = vb_scene_bundled(model->scene, &b.n_members);
  b.n = b.n_members ? (size_t)members[b.n_members - 1].bundle + 1 : 0;
  vb_status status = allocate(&b, model->n_nodes, error);
  for (size_t i = 0; !status && i < b.n_members; i++) {
    viper_bundle *bundle = &b.bundle[members[i].bundle];
    b.member[i] = make_member(model, members[i].segment);
    bundle->rigid = scale == VIPER_RIGID_BUNDLES;
    if (bundle->n++ == 0)
      bundle->first = (int32_t)i;
  }
  for (size_t k = 0; !status && k < b.n; k++) {
    viper_bundle *bundle = &b.bundle[k];
    bundle->solid = viper_is_fused(model->scene, members + bundle->first, (size_t)bundle->n);
    finish_bundle(&b, bundle);
  }
  if (!status)
    status = share_out(model, &b, error);
  if (status)
    viper_bundles_destroy(&b);
  else
    *out = b;
  return status;
}

void viper_bundles_destroy(viper_bundles *b) {
  vb_arena_clear(&b->memory);
  *b = (viper_bundles){0};
}
