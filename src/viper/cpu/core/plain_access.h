// SPDX-License-Identifier: GPL-3.0-or-later
/// Element access to what bodies of batches and lines have not: bodies with activations, with
/// bending factors, of fused rods, with frames of which parts are held, and with nodes that follow
/// drivers are single ones, worked on element by element. Included by access.h of both, which
/// define viper_access and viper_at before.
#ifndef VIPER_CPU_CORE_PLAIN_ACCESS_H
#define VIPER_CPU_CORE_PLAIN_ACCESS_H

VIPER_FN void viper_follow_nodes(const viper_access *w) {
  (void)w;
}

VIPER_FN bool viper_has_held_frames(const viper_access *w) {
  (void)w;
  return false;
}

VIPER_FN viper_held viper_get_held(const viper_access *w, viper_at at) {
  (void)w;
  (void)at;
  return viper_held_none();
}

VIPER_FN viper_contraction viper_get_active(const viper_access *w, viper_at at) {
  (void)w;
  (void)at;
  return viper_passive();
}

VIPER_FN bool viper_has_bending(const viper_access *w) {
  (void)w;
  return false;
}

VIPER_FN viper_bending viper_get_bending(const viper_access *w, viper_at at) {
  (void)w;
  (void)at;
  return viper_isotropic();
}

VIPER_FN bool viper_has_fused(const viper_access *w) {
  (void)w;
  return false;
}

VIPER_FN viper_fused viper_get_fused(const viper_access *w, viper_at at) {
  (void)w;
  (void)at;
  return viper_apart();
}

#endif
