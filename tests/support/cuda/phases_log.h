// SPDX-License-Identifier: GPL-3.0-or-later
/// Takes the notes of phases.h, in the words of the accessors. Included after what says how
/// elements are reached, and after
///   phases_put(w, p, at, from, width, x)   puts `width` numbers of an element into its note: those
///                                          of a body's element i begin at number from + i * width
///   phases_begin(w), phases_end(w, p, kind, n)   before and after the numbers of a note
/// are defined, and PHASES_FN, what functions are; with PHASES_DIRECT also PHASES_MATRIX(w),
/// phases_put_entries and phases_put_wide.
#ifndef VB_TESTS_SUPPORT_PHASES_LOG_H
#define VB_TESTS_SUPPORT_PHASES_LOG_H

#include <string.h>

/// Numbers that an element notes, at most.
#define PHASES_MOST 16

VIPER_FN bool phases_has_multipliers(viper_method method) {
  return viper_method_has(method, VIPER_MULTIPLIERS);
}

VIPER_FN int phases_of_node(const viper_access *w, viper_at at, const phases *p,
                            phases_note_type type, viper_real *out) {
  const viper_node_x x[3] = {viper_get_node(w, at), viper_get_node_hat(w, at),
                             p->method == VIPER_JACOBI_PUBLISHED && type == PHASES_SWEPT
                                 ? viper_get_node_sum(w, at)
                                 : viper_get_node(w, at)};
  int n = 0;
  for (int k = 0; k < 3; k++) {
    out[n++] = x[k].c.x;
    out[n++] = x[k].c.y;
    out[n++] = x[k].c.z;
    out[n++] = x[k].s;
  }
  if (type == PHASES_SWEPT && phases_has_multipliers(p->method)) {
    viper_node_inertia a = viper_get_h2a(w, at);
    out[n++] = a.mass;
    out[n++] = a.scale;
  }
  return n;
}

VIPER_FN int phases_of_frame(const viper_access *w, viper_at at, const phases *p,
                             phases_note_type type, viper_real *out) {
  const viper_quat q = viper_get_frame(w, at), hat = viper_get_frame_hat(w, at);
  const viper_real both[9] = {
      q.w, q.x, q.y, q.z, hat.w, hat.x, hat.y, hat.z, viper_get_inertia(w, at)};
  int n = 0;
  for (; n < 9; n++)
    out[n] = both[n];
  if (type == PHASES_SWEPT && phases_has_multipliers(p->method))
    out[n++] = viper_get_frame_h2a(w, at);
  if (type == PHASES_SWEPT && p->method != VIPER_XPBD) {
    viper_vec3 sum = viper_get_frame_sum(w, at);
    out[n++] = sum.x;
    out[n++] = sum.y;
    out[n++] = sum.z;
  }
  if (type == PHASES_SWEPT && p->method == VIPER_BLOCK_DESCENT) {
    viper_inverse inverse = viper_get_inverse(w, at);
    out[n++] = inverse.x;
    out[n++] = inverse.y;
    out[n++] = inverse.z;
  }
  return n;
}

VIPER_FN int phases_of_joint(const viper_access *w, viper_at at, const phases *p, viper_real *out) {
  int n = 0;
  if (phases_has_multipliers(p->method)) {
    viper_joint_lambda lambda = viper_get_joint_lambda(w, at);
    memcpy(out, &lambda, sizeof lambda);
    return VIPER_JOINT_ROWS;
  }
  viper_turn turn = viper_get_turn(w, at);
  viper_hold hold = viper_get_hold(w, at);
  viper_pull pull = viper_get_pull(w, at);
  for (size_t k = 0; k < sizeof turn / sizeof *out; k++)
    out[n++] = ((const viper_real *)&turn)[k];
  for (size_t k = 0; k < sizeof hold / sizeof *out; k++)
    out[n++] = ((const viper_real *)&hold)[k];
  out[n++] = pull.g;
  out[n++] = pull.h;
  return n;
}

/// Notes the state, and after a sweep's phase what the method works with.
PHASES_FN void phases_note(viper_access *w, phases *p, phases_note_type type) {
  const viper_model_body *b = viper_access_body(w);
  bool swept = type == PHASES_SWEPT;
  size_t from = 0;
  viper_real x[PHASES_MOST];
  int n = 0;
  phases_begin(w);
  VIPER_EACH(w, NULL, b->first_node, b->n_nodes, n = phases_of_node(w, at, p, type, x);
             phases_put(w, p, at, b->first_node, from, n, x));
  from += (size_t)b->n_nodes * (swept && phases_has_multipliers(p->method) ? 14 : 12);
  VIPER_EACH(w, NULL, b->first_segment, b->n_segments, n = phases_of_frame(w, at, p, type, x);
             phases_put(w, p, at, b->first_segment, from, n, x));
  from += (size_t)b->n_segments * (!swept                             ? 9
                                   : p->method == VIPER_XPBD          ? 10
                                   : p->method == VIPER_BLOCK_DESCENT ? 15
                                                                      : 13);
  if (swept && phases_has_multipliers(p->method)) {
    VIPER_EACH(w, NULL, b->first_segment, b->n_segments,
               const viper_segment_lambda lambda = viper_get_segment_lambda(w, at);
               phases_put(w, p, at, b->first_segment, from, VIPER_SEGMENT_ROWS, lambda.row));
    from += (size_t)b->n_segments * VIPER_SEGMENT_ROWS;
  }
  if (swept) {
    VIPER_EACH(w, NULL, b->first_joint, b->n_joints, n = phases_of_joint(w, at, p, x);
               phases_put(w, p, at, b->first_joint, from, n, x));
    from += (size_t)b->n_joints * (phases_has_multipliers(p->method) ? VIPER_JOINT_ROWS : 16);
  }
  phases_end(w, p, type, from);
}

/// Before the sweeps: what a method has not written yet is 0.
PHASES_FN void phases_clear(viper_access *w, const phases *p) {
  const viper_model_body *b = viper_access_body(w);
  const viper_real zero = VIPER_R(0);
  viper_turn turn;
  viper_hold hold;
  viper_pull pull;
  viper_inverse inverse;
  if (p->method != VIPER_BLOCK_DESCENT)
    return;
  memset(&turn, 0, sizeof turn);
  memset(&hold, 0, sizeof hold);
  memset(&pull, 0, sizeof pull);
  memset(&inverse, 0, sizeof inverse);
  VIPER_EACH(w, NULL, b->first_segment, b->n_segments,
             viper_set_frame_sum(w, at, viper_vec3_make(zero, zero, zero));
             viper_set_inverse(w, at, inverse));
  VIPER_EACH(w, NULL, b->first_joint, b->n_joints, viper_set_turn(w, at, turn);
             viper_set_hold(w, at, hold); viper_set_pull(w, at, pull));
}

#ifdef PHASES_DIRECT
/// Notes gradient or solution, and the matrix or its factor: of diagonal blocks the lower triangle.
PHASES_FN void phases_note_matrix(viper_access *w, phases *p, phases_note_type type) {
  viper_matrix m = PHASES_MATRIX(w);
  const viper_model_body *b = viper_access_body(w);
  int32_t first = b->first_node + b->first_segment, n = b->n_nodes + b->n_segments;
  int32_t block = m.elimination->first_block[first];
  int32_t n_blocks = m.elimination->first_block[first + n] - block;
  VIPER_ENTRY x[16];
  phases_begin(w);
  for (int32_t c = 0; c < n; c++) {
    int at = 0;
    VIPER_ENTRY(*of)[VIPER_BLOCK] = type == PHASES_ASSEMBLED ? m.gradient : m.move;
    for (int k = 0; k < 4; k++)
      x[at++] = of[first + c][k];
    for (int i = 0; i < 4; i++)
      for (int j = 0; j <= i; j++)
        x[at++] = m.diagonal[first + c].a[i][j];
    phases_put_entries(w, p, (size_t)c * 14, 14, x);
  }
  for (int32_t k = 0; k < n_blocks; k++) {
    for (int i = 0; i < 16; i++)
      x[i] = m.block[block + k].a[i / 4][i % 4];
    phases_put_entries(w, p, (size_t)n * 14 + (size_t)k * 16, 16, x);
  }
  phases_end(w, p, type, (size_t)n * 14 + (size_t)n_blocks * 16);
}

PHASES_FN void phases_note_sum(viper_access *w, phases *p, VIPER_WIDE sum) {
  phases_begin(w);
  phases_put_wide(w, p, sum);
  phases_end(w, p, PHASES_SUM, 1);
}

/// The phases of viper_iterate_direct one by one (tolerance 0). Bodies that lie together in lanes
/// are assembled again where any of them is: what is noted is the first matrix, and the last as
/// factored.
PHASES_FN void phases_of_direct(viper_access *w, phases *p, const viper_settings *settings,
                                bool uniform) {
  VIPER_WIDE zero = VIPER_WIDE_ZERO, active = zero + 1;
  VIPER_WIDE phi = viper_choose_start(w, settings->continued, uniform);
  phases_note(w, p, PHASES_CHOSEN);
  phases_note_sum(w, p, phi);
  VIPER_WIDE scale = viper_phi_scale(w, uniform);
  viper_newton_step step = viper_begin_newton(settings);
  phases_note_sum(w, p, scale);
  for (int iteration = 0; iteration < settings->iterations; iteration++) {
    w->second = iteration > 0 || settings->continued;
    w->part = VIPER_R(1);
    for (int attempt = 0; attempt < 2; attempt++) {
      viper_assemble(w, uniform);
      if (attempt == 0)
        phases_note_matrix(w, p, PHASES_ASSEMBLED);
      if (!viper_find_moves(w, active, &step))
        break;
    }
    phases_note_matrix(w, p, PHASES_FACTORED);
    phases_note_sum(w, p, step.slope);
    phi = viper_line_search(w, active, phi, step.slope, scale, uniform);
    phi = viper_keep_momentum(w, step.shifted, phi, uniform);
    phases_note(w, p, PHASES_SEARCHED);
    phases_note_sum(w, p, phi);
  }
}
#endif

#endif
