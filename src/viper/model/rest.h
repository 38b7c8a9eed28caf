// SPDX-License-Identifier: GPL-3.0-or-later
/// Rest data of a model's elements in the working precision, as arguments of the energy terms.
#ifndef VIPER_MODEL_REST_H
#define VIPER_MODEL_REST_H

#include "viper/energy/element.h"
#include "viper/model/model.h"

static inline viper_segment_rest viper_segment_rest_from(const viper_model_segment *m) {
  viper_segment_rest rest;
  rest.inv_l = (viper_real)m->inv_l;
#define SET(name, NAME) rest.k_##name = (viper_real)m->k[VIPER_TERM_##NAME];
  VIPER_SEGMENT_TERMS(SET)
  return rest;
}

static inline viper_solid_rest viper_solid_rest_from(const viper_model_segment *m) {
  viper_solid_rest rest = {(viper_real)m->inv_l, (viper_real)m->k_solid[VIPER_TERM_AXIAL],
                           (viper_real)m->k_solid[VIPER_TERM_DILATION], (viper_real)m->slant};
  return rest;
}

/// The bending factors of joint `t` of a model.
static inline viper_bending viper_bending_from(const viper_model *m, size_t t) {
  if (!m->bending)
    return viper_isotropic();
  const double *part = m->bending[t];
  viper_bending out = {{(viper_real)part[0], (viper_real)part[1]},
                       {(viper_real)part[2], (viper_real)part[3]}};
  return out;
}

/// How joint `t` of a model twists, if it is of fused rods.
static inline viper_fused viper_fused_from(const viper_model *m, size_t t) {
  if (!m->fused)
    return viper_apart();
  viper_fused out = {(viper_real)m->fused[t][0], (viper_real)m->fused[t][1]};
  return out;
}

static inline viper_joint_rest viper_joint_rest_from(const viper_model_joint *m) {
  viper_joint_rest rest;
  rest.half = viper_quat_make((viper_real)m->half[0], (viper_real)m->half[1],
                              (viper_real)m->half[2], (viper_real)m->half[3]);
  rest.flip_j = (viper_real)m->flip[0];
  rest.flip_k = (viper_real)m->flip[1];
  rest.omega_rest = viper_vec3_make((viper_real)m->omega_rest[0], (viper_real)m->omega_rest[1],
                                    (viper_real)m->omega_rest[2]);
  rest.inv_lm = (viper_real)m->inv_lm;
  rest.inv_l_j = (viper_real)m->inv_l_j;
  rest.inv_l_k = (viper_real)m->inv_l_k;
  VIPER_JOINT_TERMS(SET)
#undef SET
  return rest;
}

#endif
