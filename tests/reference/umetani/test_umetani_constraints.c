// SPDX-License-Identifier: GPL-3.0-or-later
/// The constraints of position-based rods: gradients against differences, identities, signs by
/// known turns, single projections, and the projections of free elements against the general ones.
/// Covers: reference/umetani/element.* reference/umetani/frame.h reference/umetani/kernel.h
/// Covers: reference/umetani/lanes* reference/umetani/pass.h reference/umetani/step.*
#include "scenes/umetani_rods.h"

enum { POINTS = 5 };

/// A random unit quaternion of a turn by `angle`.
static void random_turn(uint64_t *seed, double angle, double q[4]) {
  double axis[3], norm;
  do {
    random_vector(seed, 1, axis);
    norm = sqrt(vb_dot(axis, axis));
  } while (norm < 0.1 || norm > 1);
  q[0] = cos(angle / 2);
  for (int k = 0; k < 3; k++)
    q[1 + k] = sin(angle / 2) * axis[k] / norm;
}

/// The points of a random joint whose frames are turned by `angle`: lengths and ghosts' distances
/// differ, and ghosts are off the bisectors. `q`: of the first frame.
static void random_joint(uint64_t *seed, double angle, double x[POINTS][3], umetani_joint *joint) {
  double q[2][4], turn[4], size[2][3];
  random_turn(seed, 3, q[0]);
  random_turn(seed, angle, turn);
  vb_quaternion_multiply(q[0], turn, q[1]);
  for (int side = 0; side < 2; side++)
    for (int k = 0; k < 3; k++)
      size[side][k] = 1 + 0.4 * scenes_random(seed);
  random_vector(seed, 1, x[0]);
  for (int side = 0; side < 2; side++) {
    double u[3], w[3];
    vb_frame_axis(q[side], 0, u);
    vb_frame_axis(q[side], 2, w);
    vb_add_scaled(x[side], size[side][0], w, x[side + 1]);
    vb_add_scaled(x[side], 0.5 * size[side][0] * size[side][1], w, x[3 + side]);
    vb_add_scaled(x[3 + side], size[side][2], u, x[3 + side]);
  }
  *joint = (umetani_joint){.point = {0, 1, 2, 3, 4}, .lb = 1 + 0.3 * scenes_random(seed)};
  for (int k = 0; k < 3; k++) {
    joint->rest[k] = 0.3 * scenes_random(seed);
    joint->k[k] = 2 + scenes_random(seed);
  }
}

/// A random constraint of any kind, over points 0 to 4.
typedef struct sample {
  int kind; ///< joint, attachment, hold, three of an edge, three of a rigid body
  umetani_joint joint;
  umetani_attachment attachment;
  umetani_hold hold;
  umetani_edge edge;
  umetani_hub hub;
  double target[3][3];
  double x[POINTS][3];
} sample;
enum { JOINT, ATTACHMENT, HOLD, EDGE, HUB = EDGE + 3, KINDS = HUB + 3 };

static sample make_sample(int kind, double angle, uint64_t seed) {
  sample s = {.kind = kind};
  seed = 7919 * seed + 13;
  random_joint(&seed, angle, s.x, &s.joint);
  umetani_frame f[2];
  s.edge = (umetani_edge){.point = {1, 2, 4}, .length = 1.1, .ghost = 0.8, .stiffness = 1};
  s.hub = (umetani_hub){.point = {1, 2, 4}, .length = 0.9};
  // The same two frames, as a rigid body's and an edge's at point 1, or as a goal and an edge's.
  ck_assert(umetani_frame_of(s.x[0], s.x[1], s.x[3], 0, &f[0]));
  memcpy(s.target, f[0].d, sizeof s.target);
  s.hold = (umetani_hold){.point = {1, 2, 4}, .rows = 7, .lb = 0.6};
  if (kind != ATTACHMENT)
    return s;
  const int32_t own[POINTS] = {1, 0, 3, 2, 4}; // point 0 toward h1, 3 is h2
  s.attachment = (umetani_attachment){.lb = 0.6, .k = {1, 2, 3}};
  memcpy(s.attachment.point, own, sizeof own);
  // D* of the body is to be the first frame, so that the turn to the edge's is `angle`.
  ck_assert(umetani_frame_of(s.x[1], s.x[0], s.x[3], 0, &f[1]));
  umetani_relative((const double(*)[3])f[1].d, (const double(*)[3])f[0].d, s.attachment.turn);
  return s;
}

static bool evaluate(sample *s, umetani_element *e) {
  switch (s->kind) {
  case JOINT:
    return umetani_joint_element(&s->joint, plain.alpha, &plain, s->x, e);
  case ATTACHMENT:
    return umetani_attachment_element(&s->attachment, &plain, s->x, e);
  case HOLD:
    return umetani_hold_element(&s->hold, (const double(*)[3])s->target, s->x, e);
  default:
    return s->kind < HUB ? umetani_edge_element(&s->edge, 1.1, (umetani_edge_kind)(s->kind - EDGE),
                                                &plain, s->x, e)
                         : umetani_hub_element(&s->hub, s->kind - HUB, s->x, e);
  }
}

/// Greatest difference of a gradient from Richardson's differences of the values, over its greatest
/// entry. Steps of 1e-3 of lengths of order 1 leave h^4 times a fifth derivative.
static double gradient_error(sample *s, double step) {
  umetani_element e;
  double most = 0, greatest = 0;
  ck_assert(evaluate(s, &e));
  for (int p = 0; p < e.n_points; p++)
    for (int k = 0; k < 3; k++) {
      double *at = &s->x[e.point[p]][k], old = *at, value[4][3];
      const double shift[4] = {2, 1, -1, -2};
      for (int n = 0; n < 4; n++) {
        umetani_element moved;
        *at = old + step * shift[n];
        ck_assert(evaluate(s, &moved));
        memcpy(value[n], moved.c, sizeof value[n]);
      }
      *at = old;
      for (int i = 0; i < e.n_rows; i++) {
        double slope =
            (8 * (value[1][i] - value[2][i]) - (value[0][i] - value[3][i])) / (12 * step);
        most = fmax(most, fabs(slope - e.gradient[i][p][k]));
        greatest = fmax(greatest, fabs(e.gradient[i][p][k]));
      }
    }
  return most / greatest;
}

/// Up to 2.5 rad differences are right to 1e-6: (1e-3)^4 times a fifth derivative of tan(1.25) over
/// lengths of 0.4, and rounding errors of 1e-16/1e-3. Up to 3.1 rad the tangent's derivatives grow
/// by 1/cos each, 48 times: steps of 1e-4 leave 1e-4.
START_TEST(gradients_are_right) {
  double most = 0;
  for (uint64_t n = 0; n < 10000; n++) {
    uint64_t seed = n;
    double angle = 1.25 * (1 + scenes_random(&seed));
    sample s = make_sample(n < 5000 ? JOINT : (int)(n % KINDS), angle, n);
    most = fmax(most, gradient_error(&s, 1e-3 * (1 - 0.3 * angle)));
  }
  ck_assert_double_lt(most, 1e-6);
  for (uint64_t n = 0; n < 1000; n++) {
    uint64_t seed = n;
    sample s = make_sample((int)(n % 3), 2.8 + 0.3 * scenes_random(&seed), n);
    ck_assert_double_lt(gradient_error(&s, 1e-5), 1e-4);
  }
}
END_TEST

/// No constraint changes as its points move together, and none of rods as they turn together; a
/// held frame turns against its goal. To rounding.
START_TEST(gradients_keep_rigid_motions) {
  for (uint64_t n = 0; n < 2000; n++) {
    sample s = make_sample((int)(n % KINDS), 1.2, n);
    umetani_element e;
    ck_assert(evaluate(&s, &e));
    for (int i = 0; i < e.n_rows; i++) {
      double sum[3] = {0}, turn[3] = {0}, size = 0;
      for (int p = 0; p < e.n_points; p++) {
        double moment[3];
        vb_add_scaled(sum, 1, e.gradient[i][p], sum);
        vb_cross(s.x[e.point[p]], e.gradient[i][p], moment);
        vb_add_scaled(turn, 1, moment, turn);
        size = fmax(size, sqrt(vb_dot(e.gradient[i][p], e.gradient[i][p])));
      }
      for (int k = 0; k < 3; k++) {
        ck_assert_double_lt(fabs(sum[k]), 1e-13 * size);
        if (s.kind != HOLD)
          ck_assert_double_lt(fabs(turn[k]), 1e-13 * size * 4);
      }
    }
  }
}
END_TEST

/// The matrix of a straight joint of equal lengths is diag(6, 6, 2.5)/l^4, and ghosts take no part
/// in bending.
START_TEST(straight_joint_has_its_matrix) {
  const double l = 0.3;
  double x[POINTS][3] = {{0, 0, 0}, {0, 0, l}, {0, 0, 2 * l}, {l, 0, l / 2}, {l, 0, 3 * l / 2}};
  double weights[POINTS][3], a[3][3];
  umetani_joint joint = {.point = {0, 1, 2, 3, 4}, .lb = l};
  umetani_element e;
  for (int p = 0; p < POINTS; p++)
    for (int k = 0; k < 3; k++)
      weights[p][k] = 1;
  ck_assert(umetani_joint_element(&joint, plain.alpha, &plain, x, &e));
  umetani_matrix(&e, weights, &plain, a);
  const double right[3] = {6, 6, 2.5};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      ck_assert_double_eq_tol(a[i][k] * l * l * l * l, i == k ? right[i] : 0, 1e-13);
      if (i < 2)
        ck_assert_double_lt(fabs(e.gradient[i][3][k]) + fabs(e.gradient[i][4][k]), 1e-15);
    }
}
END_TEST

/// f turned by +angle about an axis of e gives 2/lb tan(angle/2) there (eq. 10's first form; its
/// second one has the other sign).
START_TEST(turns_have_their_sign) {
  for (int axis = 0; axis < 3; axis++)
    for (int n = -3; n <= 3; n++) {
      double angle = 0.9 * n, c[3], f[3][3];
      const double e[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
      double q[4] = {cos(angle / 2), 0, 0, 0}, r[3][3];
      q[1 + axis] = sin(angle / 2);
      for (int i = 0; i < 3; i++)
        vb_frame_axis(q, i, f[i]);
      umetani_relative(e, (const double(*)[3])f, r);
      umetani_tangent((const double(*)[3])r, c);
      for (int i = 0; i < 3; i++)
        ck_assert_double_eq_tol(c[i], i == axis ? tan(angle / 2) : 0, 1e-13);
    }
}
END_TEST

/// One projection takes a length's whole error, and with eq. 17 as printed would double it.
START_TEST(projection_takes_the_error) {
  double x[3][3] = {{0, 0, 0}, {0, 0, 1.3}, {0.5, 0, 0.5}}, lambda = 0;
  double weights[3][3], impulse[3][3] = {{0}}, weight[3] = {1, 2, 3};
  umetani_edge edge = {.point = {0, 1, 2}, .length = 1, .ghost = 0.5};
  umetani_element e;
  for (int p = 0; p < 3; p++)
    for (int k = 0; k < 3; k++)
      weights[p][k] = weight[p];
  ck_assert(umetani_edge_element(&edge, 1, UMETANI_LENGTH, &plain, x, &e));
  ck_assert_double_eq_tol(e.c[0], 0.3, 1e-15);
  umetani_enforce(&e, weights, weight, &plain, UMETANI_BLOCK, x, &lambda, impulse, NULL);
  ck_assert_double_eq_tol(vb_distance(x[0], x[1]), 1, 1e-15);
  ck_assert_double_eq_tol(x[0][2], 0.1, 1e-15); // a third of the way: weights 1 and 2
}
END_TEST

/// The angle of a joint after one projection of it alone, bent about `axis` by `angle` at first,
/// all weights and lengths 1.
static double projected_angle(const double axis[3], double angle, double alpha, double *moved) {
  double x[POINTS][3] = {{0, 0, -1}, {0, 0, 0}, {0}, {1, 0, -0.5}, {0}}, old[POINTS][3];
  double q[4] = {cos(angle / 2)}, u[3], w[3], weights[POINTS][3], weight[POINTS], lambda[3] = {0};
  for (int k = 0; k < 3; k++)
    q[1 + k] = sin(angle / 2) * axis[k];
  vb_frame_axis(q, 0, u);
  vb_frame_axis(q, 2, w);
  for (int k = 0; k < 3; k++) {
    x[2][k] = w[k];
    x[4][k] = 0.5 * w[k] + u[k];
  }
  for (int p = 0; p < POINTS; p++)
    for (int k = 0; k < 3; k++)
      weight[p] = weights[p][k] = 1;
  memcpy(old, x, sizeof x);
  umetani_joint joint = {.point = {0, 1, 2, 3, 4}, .lb = 1};
  const double alphas[3] = {alpha, alpha, alpha};
  umetani_element e;
  ck_assert(umetani_joint_element(&joint, alphas, &plain, x, &e));
  umetani_enforce(&e, weights, weight, &plain, UMETANI_BLOCK, x, lambda, NULL, NULL);
  double sum = 0;
  for (int p = 0; p < POINTS; p++)
    sum += vb_distance(x[p], old[p]) * vb_distance(x[p], old[p]);
  *moved = sqrt(sum);
  ck_assert(umetani_joint_element(&joint, alphas, &plain, x, &e));
  return 2 * atan(0.5 * sqrt(vb_dot(e.c, e.c)));
}

/// The pull back from a joint bent far is weak (README.md): known angles after one projection. A
/// half turn is an unstable rest, and alpha scales the move (the goal of eq. 21 does not move).
START_TEST(lone_joint_goes_back_by_the_sine) {
  static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  double moved, half, tenth;
  for (int i = 0; i < 3; i++) {
    ck_assert_double_eq_tol(projected_angle(axes[i], 3.1, 1, &moved), 3.058, 1e-3);
    ck_assert_double_eq_tol(projected_angle(axes[i], 3.0, 1, &moved), 2.86, 5e-3);
  }
  ck_assert_double_eq_tol(projected_angle(axes[0], 1, 1, &moved), 0.10, 5e-3);
  ck_assert_double_eq_tol(projected_angle(axes[2], 1, 1, &moved), 0.24, 5e-3);
  projected_angle(axes[2], 1, 0.5, &half);
  projected_angle(axes[2], 1, 0.1, &tenth);
  ck_assert_double_eq_tol(half / moved, 0.5, 1e-13);
  ck_assert_double_eq_tol(tenth / moved, 0.1, 1e-13);
}
END_TEST

/// A rod that is curved at rest and in disorder; its elements are free, or some nodes are held.
static vb_scene *disorder(bool held) {
  vb_builder *b = scenes_begin(0.01, 0);
  scenes_helix(b, 7, 0, &scenes_rubber);
  int32_t wall = held ? scenes_wall(b, "wall") : 0;
  for (int32_t i = 0; i < 5 && held; i += i == 0 ? 1 : 3) // 0, 1 and 4
    scenes_pin_node(b, i, VB_PIN_CENTER, wall);
  scenes_disturb(b, 0.02, 0.3, 17);
  return fixture_freeze(b);
}

/// Elements that are free or wholly held are projected without what is known to be 0: the same
/// moves, multipliers and impulses as by the general form, but for rounding.
START_TEST(compact_projections_agree) {
  vb_scene *scene = disorder(_i / 4);
  const umetani_choice choice = {.ghost_mass = 0.05, .matched = _i % 2};
  umetani_settings settings = {.law = plain, .iterations = 1, .substeps = 1, .threads = 1};
  settings.law.xpbd = _i / 2 % 2;
  settings.law.inv_h2 = 1e4;
  settings.law.alpha[1] = 0.7;
  settings.law.stretch = 0.6;
  umetani_state state[2];
  for (int general = 0; general < 2; general++) {
    umetani_rods *rods = NULL;
    umetani_scratch scratch;
    ck_assert_int_eq(umetani_rods_create(scene, &choice, &rods, NULL), VB_OK);
    ck_assert_int_eq(umetani_state_create(rods, &state[general], NULL), VB_OK);
    ck_assert_int_eq(umetani_scratch_create(rods, &scratch, NULL), VB_OK);
    umetani_start(rods, &state[general]);
    umetani_order_elements(rods, UMETANI_INTERLEAVED, &scratch);
    umetani_set_alphas(rods, &settings, 0.01, scratch.alpha);
    for (size_t i = 0; i < rods->n_segments; i++)
      rods->edge[i].held = general ? UMETANI_PARTLY : rods->edge[i].held;
    for (size_t i = 0; i < rods->n_joints; i++)
      rods->joint[i].held = general ? UMETANI_PARTLY : rods->joint[i].held;
    for (int n = 0; n < 3; n++)
      umetani_sweep(rods, &settings, 0, 0, &state[general], &scratch);
    umetani_scratch_free(&scratch);
    umetani_rods_destroy(rods);
  }
  const double *one = (const double *)state[0].x, *other = (const double *)state[1].x;
  for (size_t i = 0; i < state[0].n_doubles; i++)
    ck_assert_double_lt(fabs(one[i] - other[i]), 1e-12 * (1e-3 + fabs(one[i])));
  umetani_state_free(&state[0]);
  umetani_state_free(&state[1]);
  free(scene);
}
END_TEST

/// Eleven rods that are connected alike but for one that is longer, held in part.
static vb_scene *alike(void) {
  vb_builder *b = scenes_begin(0.01, 0);
  int32_t wall = scenes_wall(b, "wall");
  size_t segments = 0;
  for (int k = 0; k < 11; k++) {
    int32_t first = scenes_helix(b, k == 9 ? 8 : 7, k, &scenes_rubber);
    scenes_pin_node(b, first, k == 10 ? VB_PIN_X : VB_PIN_CENTER, wall);
    scenes_pin_frame(b, (int32_t)segments, wall);
    vb_builder_elements(b, VB_SET_SEGMENT, &segments);
  }
  scenes_disturb(b, 0.02, 0.3, 17);
  return fixture_freeze(b);
}

/// Bodies in the lanes of vectors have the results of each alone, to the last bit: in vectors of
/// each width that this machine has, full ones and the last one of a group.
START_TEST(lanes_are_bodies_alone) {
  vb_scene *scene = alike();
  const umetani_choice choice = {.ghost_mass = 0.05, .matched = true};
  umetani_settings settings = {.law = plain, .iterations = 3, .substeps = 1, .threads = 1};
  settings.law.xpbd = _i;
  settings.law.inv_h2 = 1e4;
  umetani_rods *rods = NULL;
  umetani_state alone, together;
  umetani_scratch scratch;
  ck_assert_int_eq(umetani_rods_create(scene, &choice, &rods, NULL), VB_OK);
  ck_assert_int_eq(umetani_scratch_create(rods, &scratch, NULL), VB_OK);
  umetani_order_elements(rods, UMETANI_INTERLEAVED, &scratch);
  umetani_set_alphas(rods, &settings, 0.01, scratch.alpha);
  ck_assert_uint_eq(rods->n_groups, 4); // of 8, 1, 1 and 1
  ck_assert_int_eq(umetani_state_create(rods, &alone, NULL), VB_OK);
  umetani_start(rods, &alone);
  for (int32_t b = 0; b < 11; b++)
    for (int n = 0; n < 3; n++)
      umetani_sweep(rods, &settings, b, n, &alone, &scratch);
  ck_assert_int_eq(umetani_state_create(rods, &together, NULL), VB_OK);
  const umetani_pass pass = {rods, &settings, &together, &scratch};
  for (int32_t lanes = 2; lanes <= umetani_count_lanes(); lanes *= 2) {
    memset(together.x, 0, together.n_doubles * sizeof(double));
    umetani_start(rods, &together);
    ck_assert(umetani_sweep_lanes(&pass, 0, 8, 2, lanes)); // in two goes, and in groups of 3 and 5
    ck_assert(umetani_sweep_lanes(&pass, 0, 3, 1, lanes));
    ck_assert(umetani_sweep_lanes(&pass, 3, 5, 1, lanes));
    ck_assert(!umetani_sweep_lanes(&pass, 8, 1, 3, lanes));
    for (int32_t b = 8; b < 11; b++)
      for (int n = 0; n < 3; n++)
        umetani_sweep(rods, &settings, b, n, &together, &scratch);
    ck_assert_mem_eq(alone.x, together.x, alone.n_doubles * sizeof(double));
  }
  umetani_scratch_free(&scratch);
  umetani_rods_destroy(rods);
  umetani_state_free(&alone);
  umetani_state_free(&together);
  free(scene);
}
END_TEST

/// Orders of visits (section 4 of the paper): known ones, and permutations.
START_TEST(orders_are_permutations) {
  static const int32_t even[6] = {0, 5, 2, 3, 4, 1}, odd[5] = {0, 3, 2, 1, 4};
  static const int32_t ends[5] = {0, 4, 1, 3, 2};
  int32_t list[40], seen[40];
  umetani_order_chain(UMETANI_INTERLEAVED, 6, list);
  ck_assert_mem_eq(list, even, sizeof even);
  umetani_order_chain(UMETANI_INTERLEAVED, 5, list);
  ck_assert_mem_eq(list, odd, sizeof odd);
  umetani_order_chain(UMETANI_ENDS, 5, list);
  ck_assert_mem_eq(list, ends, sizeof ends);
  for (int order = 0; order < 4; order++)
    for (int32_t n = 1; n <= 40; n++) {
      memset(seen, 0, sizeof seen);
      umetani_order_chain((umetani_order)order, n, list);
      umetani_shuffle((uint64_t)n, order == UMETANI_RANDOM ? n : 0, list);
      for (int32_t i = 0; i < n; i++)
        seen[list[i]]++;
      for (int32_t i = 0; i < n; i++)
        ck_assert_int_eq(seen[i], 1);
    }
}
END_TEST

/// Matched ghosts have the twist inertia of the cross-section, m_g Lg^2 = rho L pi r^4/2, whatever
/// their mass.
START_TEST(matched_ghosts_have_the_inertia_of_twist) {
  const umetani_choice choice = {.ghost_mass = _i ? 0.05 : 0.4, .matched = true};
  vb_builder *b = scenes_begin(0.01, 0);
  scenes_bar(b, 4, 0.5, 0.03, &scenes_rubber);
  small s = begin_small(b, &choice);
  size_t n;
  const vb_segment *segment = vb_scene_segments(s.scene, &n);
  for (size_t i = 0; i < n; i++) {
    const umetani_edge *e = &s.rods->edge[i];
    double inertia = s.rods->mass[e->point[2]] * e->ghost * e->ghost;
    double own = segment[e->segment].density * e->length * M_PI * pow(0.03, 4) / 2;
    ck_assert_double_eq_tol(inertia / own, 1, 1e-12);
  }
  end_small(&s);
}
END_TEST

/// A bar slides on a plane, pressed onto it by gravity: static friction of
/// 0.5 would hold it, but it moves, and kinetic friction of 0.2 slows it by 0.2 g a second. Damping
/// of 1/s divides the speed by 1 + h in each step.
START_TEST(sliding_is_slowed_by_kinetic_friction) {
  const umetani_choice choice = {.ghost_mass = 0.05, .matched = true};
  const double h = 0.002, start = 1;
  vb_builder *b = scenes_begin(h, 10);
  vb_builder_world(b)->damping = _i;
  int32_t first = scenes_bar(b, 6, 0.6, 0.05, &scenes_rubber);
  fixture_add(b, VB_SET_HALF_PLANE, &(vb_half_plane){{0, 0, 1}, -0.05, 0.5, 0.2});
  small s = begin_small(b, &choice);
  for (size_t p = 0; p < s.rods->n_points; p++)
    s.state.v[p][0] = start;
  step_small(&s, 100, h);
  double speed = start;
  for (int n = 0; n < 100; n++)
    speed = (speed - 0.2 * 10 * h) / (1 + _i * h);
  const double *v = s.state.v[s.rods->point_of_node[first]];
  ck_assert_double_eq_tol(v[0], speed, 0.01);
  ck_assert_double_eq_tol(v[1], 0, 1e-9);
  end_small(&s);
}
END_TEST

static TCase *constraints(void) {
  TCase *t = tcase_create("umetani constraints");
  tcase_add_test(t, gradients_are_right);
  tcase_add_test(t, gradients_keep_rigid_motions);
  tcase_add_test(t, straight_joint_has_its_matrix);
  tcase_add_test(t, turns_have_their_sign);
  tcase_add_test(t, projection_takes_the_error);
  tcase_add_test(t, lone_joint_goes_back_by_the_sine);
  tcase_add_loop_test(t, compact_projections_agree, 0, 8);
  tcase_add_loop_test(t, lanes_are_bodies_alone, 0, 2);
  tcase_add_test(t, orders_are_permutations);
  tcase_add_loop_test(t, matched_ghosts_have_the_inertia_of_twist, 0, 2);
  tcase_add_loop_test(t, sliding_is_slowed_by_kinetic_friction, 0, 2);
  return t;
}

VB_TEST_MAIN("umetani constraints", constraints())
