// SPDX-License-Identifier: GPL-3.0-or-later
/// Scenes for tests of the elastic energy, and their energies by term in double: the model's rest
/// data put through the terms element by element.
#ifndef VB_TESTS_SUPPORT_MODEL_ENERGIES_H
#define VB_TESTS_SUPPORT_MODEL_ENERGIES_H

#include "scene/builder.h"
#include "test.h"
#include "viper/energy/terms.h"
#include "viper/model/model.h"

#include <math.h>

/// The terms in the order of their energies below.
enum { STRETCH, SECTION, TAPER, VOLUME, BEND, TWIST, SURFACE_BEND, VOLUME_BEND, N_TERMS };
static const char *const term_name[N_TERMS] = {"stretch", "section", "taper",        "volume",
                                               "bend",    "twist",   "surface_bend", "volume_bend"};

/// A builder with a world that is sound.
static inline vb_builder *new_builder(void) {
  vb_builder *builder;
  vb_error error = {0};
  ck_assert_msg(!vb_builder_create(&builder, &error), "%s", error.message);
  vb_builder_world(builder)->step = 0.01;
  return builder;
}

static inline void add(vb_builder *builder, vb_tag tag, const void *element) {
  vb_error error = {0};
  ck_assert_msg(!vb_builder_add(builder, tag, element, NULL, &error), "%s", error.message);
}

/// The finished scene, to be freed with free(). Destroys the builder.
static inline vb_scene *finish(vb_builder *builder) {
  vb_scene *scene;
  vb_error error = {0};
  ck_assert_msg(!vb_builder_freeze(builder, &scene, &error), "%s", error.message);
  vb_builder_destroy(builder);
  return scene;
}

static inline viper_quat model_quat(const double q[4]) {
  return viper_quat_make(q[0], q[1], q[2], q[3]);
}

static inline viper_vec3 model_vec3(const double v[3]) {
  return viper_vec3_make(v[0], v[1], v[2]);
}

static inline viper_segment_rest model_segment_rest(const viper_model_segment *m) {
  return (viper_segment_rest){m->inv_l, m->k[0], m->k[1], m->k[2], m->k[3]};
}

static inline viper_joint_rest model_joint_rest(const viper_model_joint *m) {
  return (viper_joint_rest){
      .half = model_quat(m->half),
      .flip_j = m->flip[0],
      .flip_k = m->flip[1],
      .omega_rest = model_vec3(m->omega_rest),
      .inv_lm = m->inv_lm,
      .inv_l_j = m->inv_l_j,
      .inv_l_k = m->inv_l_k,
      .k_bend = m->k[0],
      .k_twist = m->k[1],
      .k_surface_bend = m->k[2],
      .k_volume_bend = m->k[3],
  };
}

/// The stencil of the model's segment `j` at time 0.
static inline viper_segment_state model_segment_state(const viper_model *m, size_t j) {
  size_t n;
  const viper_model_segment *segment = &m->segment[j];
  const vb_node *node = vb_scene_nodes(m->scene, &n);
  const vb_node *a = &node[m->node[segment->node[0]].scene_index];
  const vb_node *b = &node[m->node[segment->node[1]].scene_index];
  const vb_segment *s = &vb_scene_segments(m->scene, &n)[segment->scene_index];
  return (viper_segment_state){model_vec3(a->position), model_vec3(b->position), a->scale, b->scale,
                               model_quat(s->frame),    viper_passive()};
}

static inline viper_joint_state model_joint_state(const viper_model *m, size_t t) {
  size_t n;
  const vb_node *node = vb_scene_nodes(m->scene, &n);
  const vb_segment *segment = vb_scene_segments(m->scene, &n);
  double s[3];
  const double *q[2];
  for (int k = 0; k < 3; k++)
    s[k] = node[m->node[m->joint[t].node[k]].scene_index].scale;
  for (int k = 0; k < 2; k++)
    q[k] = segment[m->segment[m->joint[t].segment[k]].scene_index].frame;
  static const double even[4] = {1, 1, 1, 1};
  const double *part = m->bending ? m->bending[t] : even;
  return (viper_joint_state){s[0],
                             s[1],
                             s[2],
                             model_quat(q[0]),
                             model_quat(q[1]),
                             {{part[0], part[1]}, {part[2], part[3]}},
                             m->fused != NULL,
                             m->fused ? (viper_fused){m->fused[t][0], m->fused[t][1]}
                                      : viper_apart()};
}

static inline viper_model *new_model(const vb_scene *scene) {
  viper_model *model;
  vb_error error = {0};
  ck_assert_msg(!viper_model_create(scene, true, &model, &error), "%s", error.message);
  return model;
}

/// Energies [J] of a scene at time 0, by term.
static inline void scene_energies(const vb_scene *scene, double out[N_TERMS]) {
  viper_model *m = new_model(scene);
  memset(out, 0, N_TERMS * sizeof *out);
  for (size_t j = 0; j < m->n_segments; j++) {
    viper_segment_rest rest = model_segment_rest(&m->segment[j]);
    viper_segment_state x = model_segment_state(m, j);
    out[STRETCH] += viper_stretch_energy(&rest, &x);
    out[SECTION] += viper_section_energy(&rest, &x);
    out[TAPER] += viper_taper_energy(&rest, &x);
    out[VOLUME] += viper_volume_energy(&rest, &x);
  }
  for (size_t t = 0; t < m->n_joints; t++) {
    viper_joint_rest rest = model_joint_rest(&m->joint[t]);
    viper_joint_state x = model_joint_state(m, t);
    out[BEND] += viper_bend_energy(&rest, &x);
    out[TWIST] += viper_twist_energy(&rest, &x);
    out[SURFACE_BEND] += viper_surface_bend_energy(&rest, &x);
    out[VOLUME_BEND] += viper_volume_bend_energy(&rest, &x);
  }
  viper_model_destroy(m);
}

#endif
