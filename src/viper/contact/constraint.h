// SPDX-License-Identifier: GPL-3.0-or-later
/// The contact constraint (README.md): a force along the normal, and friction across it.
/// Point-wise, on scalars.
///
/// A contact between capsules acts on four nodes, one with a half-plane on one. With the weights
/// w_k (1 - al and al of capsule a, be - 1 and -be of capsule b) its gap is linear in centers and
/// scales,
///   C = sum w_k n.c_k - |w_k| r_k s_k - offset.
/// Multipliers are forces times h^2 [kg m]: a displacement is a multiplier times the inverse
/// inertia. The multiplier of the normal force is called push, that of friction slide.
///
/// Sums over the nodes of a contact are (0 + 1) + (2 + 3). Four GPU threads with a node each
/// compute them in two exchanges; SIMD lanes with a contact each compute the same sums. Each of
/// four GPU threads that share a contact has one of its nodes (VIPER_ONE_OF_FOUR), as node 0, and
/// all of the other data. Structs are rows of 16 bytes.
#ifndef VIPER_CONTACT_CONSTRAINT_H
#define VIPER_CONTACT_CONSTRAINT_H

#include "viper/contact/vec4.h"

#include <assert.h>

/// A number of nodes: each of four GPU threads has one of the contact's.
enum { VIPER_ONE_OF_FOUR = 2 };

/// Structs of whole rows: a GPU's thread reads and writes a row at once.
#ifdef __CUDACC__
#define VIPER_IN_ROWS alignas(16)
#else
#define VIPER_IN_ROWS
#endif

/// Lower bound of scales in scenes with contact. Capsules are nearly incompressible, and the energy
/// alone resists differences between the scales of neighboring nodes only weakly.
#define VIPER_LEAST_TOUCHING 0.5
/// A lower bound that no value reaches.
#define VIPER_NO_LIMIT ((viper_scalar)-1e30)

#ifdef __CUDA_ARCH__
/// Mask of the threads of a warp that share the contact of the calling one.
static __device__ inline unsigned viper_quad_mask(void) {
  return 0xfu << (threadIdx.x & 28);
}
#endif

/// A node that contacts may move: center (x, y, z) and scale.
typedef struct VIPER_IN_ROWS viper_contact_node {
  viper_vec4 x;           ///< now
  viper_vec4 push;        ///< displacement by contacts in this substep, as if not pinned
  viper_vec4 old;         ///< before the substep
  viper_scalar radius;    ///< at rest, m
  viper_scalar packed[3]; ///< the three below in one row, for viper_contact_node_fetch
  viper_vec4 hat;         ///< predicted, without contacts
  viper_vec4 inverse;     ///< 1 / kg (three times), 1 / (kg m^2), pinned or not
  viper_vec4 free;        ///< 1; 0 where pinned
  viper_vec4 least;       ///< contacts do not move it below; for free scales only
} viper_contact_node;

/// A frame at a contact, and the arm at which it rolls: of capsules [m], or a share of one.
/// Integers are as wide as numbers here and below, so that structs have no padding that copies
/// would read uninitialized.
typedef struct viper_roller {
  viper_bits segment;
  viper_scalar arm;
} viper_roller;

/// A contact of 4 nodes (two capsules) or 1 (a half-plane). The functions below take this number as
/// the compile-time constant `n_nodes`, or VIPER_ONE_OF_FOUR.
typedef struct VIPER_IN_ROWS viper_touch {
  int32_t node[4];
  viper_vec4 weight;
  viper_vec4 pull;        ///< slope of the gap in scales: -|w_k| r_k, m
  viper_vec4 n;           ///< unit normal, from b (or the half-plane) to a; and 0
  viper_vec4 slide;       ///< accumulated multiplier of friction; and 0
  viper_scalar offset;    ///< of a half-plane, else 0, m
  viper_scalar inv_w;     ///< 1 over the inverse inertia along the normal, kg; 0 if all is pinned
  viper_scalar inv_slide; ///< the same across it, of centers
  viper_scalar lambda;    ///< accumulated push, >= 0
  viper_bits which;       ///< color, or the number of the half-plane
  viper_scalar rolled;    ///< part of the work of friction that rolls do (friction.h), kg m^2
  viper_bits place;   ///< of two contacts of a pair of capsules, 1 for the one farther along the
                      ///< first axis; else 0
  viper_scalar works; ///< of friction, in a round in which it is taken back (ease.h), kg m^2
  viper_roller roller[2]; ///< of each capsule; of a half-plane the arm only
} viper_touch;

/// Bytes of a row.
enum { VIPER_ROW_BYTES = 16 };
static_assert(sizeof(viper_contact_node) % VIPER_ROW_BYTES == 0, "nodes are whole rows");
static_assert(sizeof(viper_touch) % VIPER_ROW_BYTES == 0, "contacts are whole rows");

/// Coefficients of friction: static and kinetic.
typedef struct viper_friction {
  viper_scalar at_rest, sliding;
} viper_friction;

/// The larger coefficients of `here` and of two nodes' bodies. `of_node` is null if no body has its
/// own.
VIPER_FN viper_friction viper_friction_between(viper_friction here, const viper_friction *of_node,
                                               int32_t a, int32_t b) {
  VIPER_UNROLL for (int k = 0; of_node && k < 2; k++) {
    const viper_friction own = of_node[k ? b : a];
    here.at_rest = own.at_rest > here.at_rest ? own.at_rest : here.at_rest;
    here.sliding = own.sliding > here.sliding ? own.sliding : here.sliding;
  }
  return here;
}

/// A half-plane at its position at the end of the substep, in the working precision.
typedef struct viper_plane {
  viper_scalar normal[3], offset; ///< n.x >= offset, m
  viper_friction friction;
  viper_scalar map[3][4]; ///< if driven: viper_plane_displacement
  viper_scalar inv_h2;    ///< if driven: 1 over the square of the substep's length, 1/s^2
  int32_t driver;         ///< -1 if it does not move
} viper_plane;

/// Sets the position of a driven half-plane from its values of viper_boundary_planes.
VIPER_FN void viper_plane_move(viper_plane *plane, const viper_scalar *value) {
  VIPER_UNROLL for (int k = 0; k < 3; k++) {
    plane->normal[k] = value[k];
    VIPER_UNROLL for (int c = 0; c < 4; c++) plane->map[k][c] = value[4 + 4 * k + c];
  }
  plane->offset = value[3];
  plane->inv_h2 = value[16];
}

/// The displacement in this substep of the point of the half-plane that is now at `x`, m; and 0.
VIPER_FN viper_vec4 viper_plane_displacement(const viper_plane *plane, viper_vec4 x) {
  viper_vec4 out = viper_vec4_make(0, 0, 0, 0);
  if (plane->driver >= 0)
    VIPER_UNROLL for (int k = 0; k < 3; k++) {
      const viper_scalar *row = plane->map[k];
      out[k] = ((row[0] * x[0] + row[1] * x[1]) + row[2] * x[2]) + row[3];
    }
  return out;
}

/// Sets what is constant of a node: inverse inertias of its center and scale, and the components
/// that are pinned (bits). The last of the packed numbers has the bits of those that are free.
VIPER_FN void viper_contact_node_set(viper_contact_node *x, viper_scalar center, viper_scalar scale,
                                     uint32_t pinned) {
  x->packed[0] = center;
  x->packed[1] = scale;
  x->packed[2] = (viper_scalar)(~pinned & 15);
  VIPER_UNROLL for (int k = 0; k < 4; k++) {
    const int held = pinned >> k & 1;
    x->inverse[k] = k < 3 ? center : scale;
    x->free[k] = held ? 0 : 1;
    x->least[k] = k < 3 || held ? VIPER_NO_LIMIT : (viper_scalar)VIPER_LEAST_TOUCHING;
  }
}

/// A copy of a node without its prediction, from the first four rows.
VIPER_FN viper_contact_node viper_contact_node_fetch(const viper_contact_node *from) {
  viper_contact_node x;
  x.x = from->x;
  x.push = from->push;
  x.old = x.hat = from->old;
  x.radius = from->radius;
  viper_contact_node_set(&x, from->packed[0], from->packed[1], ~(uint32_t)from->packed[2] & 15);
  return x;
}

VIPER_FN viper_scalar viper_scalar_abs(viper_scalar x) {
  return x < 0 ? -x : x;
}

/// The number of a contact's nodes that a thread has.
VIPER_FN int viper_touch_own(int n_nodes) {
  return n_nodes == VIPER_ONE_OF_FOUR ? 1 : n_nodes;
}

/// The sum over all nodes of a contact; `sum` is that over the thread's own ones.
VIPER_FN viper_scalar viper_touch_total(viper_scalar sum, int n_nodes) {
#ifdef __CUDA_ARCH__
  if (n_nodes == VIPER_ONE_OF_FOUR) {
    sum += __shfl_xor_sync(viper_quad_mask(), sum, 1);
    sum += __shfl_xor_sync(viper_quad_mask(), sum, 2);
  }
#else
  (void)n_nodes;
#endif
  return sum;
}

VIPER_FN viper_vec4 viper_touch_total4(viper_vec4 sum, int n_nodes) {
  VIPER_UNROLL for (int c = 0; n_nodes == VIPER_ONE_OF_FOUR && c < 4; c++) sum[c] =
      viper_touch_total(sum[c], n_nodes);
  return sum;
}

/// The value of the thread that has node 0 of a contact.
VIPER_FN viper_scalar viper_touch_of_first(viper_scalar own, int n_nodes) {
#ifdef __CUDA_ARCH__
  if (n_nodes == VIPER_ONE_OF_FOUR)
    own = __shfl_sync(viper_quad_mask(), own, 0, 4);
#else
  (void)n_nodes;
#endif
  return own;
}

/// Computes pulls and inverse inertias of a contact from its nodes, weights and normal. Returns
/// whether any of its unknowns can move.
VIPER_FN int viper_touch_weigh(viper_touch *t, const viper_contact_node *node, int n_nodes) {
  viper_scalar yields[4] = {0, 0, 0, 0}, slides[4] = {0, 0, 0, 0};
  VIPER_UNROLL for (int k = 0; k < n_nodes; k++) {
    const viper_contact_node *x = &node[t->node[k]];
    viper_scalar across = t->weight[k] * t->weight[k] * x->inverse[0], along = 0, most = 0;
    VIPER_UNROLL for (int c = 0; c < 3; c++) {
      along += x->free[c] * (t->n[c] * t->n[c]);
      most = x->free[c] > most ? x->free[c] : most;
    }
    t->pull[k] = -viper_scalar_abs(t->weight[k]) * x->radius;
    slides[k] = across * most;
    yields[k] = across * along + t->pull[k] * t->pull[k] * (x->free[3] * x->inverse[3]);
  }
  viper_scalar normal = (yields[0] + yields[1]) + (yields[2] + yields[3]),
               slide = (slides[0] + slides[1]) + (slides[2] + slides[3]);
  t->inv_w = normal > 0 ? 1 / normal : 0;
  t->inv_slide = slide > 0 ? 1 / slide : 0;
  return normal > 0;
}

/// The gap's slope in the center and the scale of node `k` of a contact.
VIPER_FN viper_vec4 viper_touch_slope(const viper_touch *t, int k) {
  viper_vec4 slope = t->weight[k] * t->n;
  slope[3] = t->pull[k];
  return slope;
}

/// C, m.
VIPER_FN viper_scalar viper_touch_gap(const viper_touch *t, const viper_contact_node *node,
                                      int n_nodes) {
  viper_vec4 sum = viper_touch_slope(t, 0) * node[t->node[0]].x;
  if (n_nodes == 4) {
    sum += viper_touch_slope(t, 1) * node[t->node[1]].x;
    sum +=
        viper_touch_slope(t, 2) * node[t->node[2]].x + viper_touch_slope(t, 3) * node[t->node[3]].x;
  }
  return viper_vec4_sum(viper_touch_total4(sum, n_nodes)) - t->offset;
}

/// A node whose scale is at this bound, or near it.
typedef struct viper_limit {
  int32_t node;
  viper_scalar lambda; ///< accumulated multiplier of the bound, >= 0
} viper_limit;

/// Keeps a scale at its bound or above.
VIPER_FN void viper_limit_scale(viper_limit *l, viper_contact_node *node) {
  viper_contact_node *x = &node[l->node];
  viper_scalar lambda = l->lambda + (x->least[3] - x->x[3]) / x->inverse[3];
  lambda = lambda > 0 ? lambda : 0;
  viper_scalar ds = x->inverse[3] * (lambda - l->lambda);
  l->lambda = lambda;
  x->x[3] += ds;
  x->push[3] += ds;
}

/// The part of node `k` in the sliding of the surface points in this substep, after a move of the
/// node by `step`.
VIPER_FN viper_vec4 viper_touch_slid_by(const viper_touch *t, const viper_contact_node *node, int k,
                                        viper_vec4 step) {
  const viper_contact_node *x = &node[t->node[k]];
  return t->weight[k] * ((x->x - x->old) + x->free * step);
}

/// The tangential part of a displacement, m; and 0.
VIPER_FN viper_vec4 viper_touch_tangent(const viper_touch *t, viper_vec4 d) {
  d[3] = 0;
  return d - viper_vec4_sum(d * t->n) * t->n;
}

/// The bound of friction where the multiplier `needed` to stop the surfaces exceeds static
/// friction. Sliding that static friction stops by the end of the next substep is creep and meets
/// the full static friction; faster sliding meets the kinetic one. Without creep, the first node of
/// a resting rod that slips, because iterations have not converged or sections settle, would carry
/// less from then on, and its neighbors would follow.
VIPER_FN viper_scalar viper_friction_most(viper_friction friction, viper_scalar push,
                                          viper_scalar needed) {
  return (needed > 2 * friction.at_rest * push ? friction.sliding : friction.at_rest) * push;
}

/// Coulomb's friction: reverses the sliding if static friction suffices; otherwise friction is
/// viper_friction_most. Returns the change of the multiplier.
VIPER_FN viper_vec4 viper_touch_brake(viper_touch *t, viper_vec4 slid, viper_friction friction) {
  viper_vec4 before = t->slide, all = before - t->inv_slide * slid;
  viper_scalar size = VIPER_SCALAR_SQRT(viper_vec4_sum(all * all));
  if (size > friction.at_rest * t->lambda)
    all = viper_friction_most(friction, t->lambda, size) / size * all;
  t->slide = all;
  return all - before;
}

/// Moves nodes by the change `d` of a push.
VIPER_FN void viper_touch_press(const viper_touch *t, viper_contact_node *node, viper_scalar d,
                                int n_nodes) {
  const viper_vec4 zero = viper_vec4_make(0, 0, 0, 0);
  VIPER_UNROLL for (int k = 0; k < viper_touch_own(n_nodes); k++) {
    viper_contact_node *to = &node[t->node[k]];
    viper_vec4 room = viper_vec4_smaller(to->least - to->x, zero);
    viper_vec4 step = viper_vec4_larger(to->inverse * (d * viper_touch_slope(t, k)), room);
    to->push += step;
    to->x += to->free * step;
  }
}

/// Updates the push so that the gap becomes 0, or the push 0, and moves the nodes.
VIPER_FN void viper_touch_push(viper_touch *t, viper_contact_node *node, int n_nodes) {
  viper_scalar lambda = t->lambda - viper_touch_gap(t, node, n_nodes) * t->inv_w;
  lambda = lambda > 0 ? lambda : 0;
  viper_scalar d = lambda - t->lambda;
  if (d == 0)
    return;
  t->lambda = lambda;
  viper_touch_press(t, node, d, n_nodes);
}

/// A node's part in the gap before the substep, and in its change by the motion that counts as
/// velocity.
typedef struct viper_touch_share {
  viper_vec4 place, move;
} viper_touch_share;

VIPER_FN viper_touch_share viper_touch_share_of(const viper_touch *t,
                                                const viper_contact_node *node,
                                                const viper_vec4 *still, int k) {
  const viper_contact_node *x = &node[t->node[k]];
  viper_vec4 slope = viper_touch_slope(t, k);
  viper_touch_share out = {slope * x->old, slope * ((x->x - x->old) - still[t->node[k]])};
  return out;
}

/// The sum of two.
VIPER_FN viper_touch_share viper_touch_share_sum(viper_touch_share a, viper_touch_share b) {
  viper_touch_share out = {a.place + b.place, a.move + b.move};
  return out;
}

/// After the last pass: the correction of a penetration at the beginning of the substep moves
/// nodes, but must not count as velocity. Subtracts it from the separation speed of the surfaces,
/// by an impulse along the normal: the kinetic energy falls. `still` [n_nodes] is the part of each
/// node's motion in this substep that does not count as velocity; `carried` is the displacement of
/// the half-plane.
VIPER_FN void viper_touch_stabilize(const viper_touch *t, const viper_contact_node *node,
                                    viper_vec4 *still, viper_vec4 carried, int n_nodes) {
  viper_vec4 began = t->n * carried, parts = viper_vec4_make(0, 0, 0, 0) - began;
  if (!(t->lambda > 0))
    return;
  viper_touch_share own = viper_touch_share_of(t, node, still, 0);
  if (n_nodes == 4)
    own = viper_touch_share_sum(viper_touch_share_sum(own, viper_touch_share_of(t, node, still, 1)),
                                viper_touch_share_sum(viper_touch_share_of(t, node, still, 2),
                                                      viper_touch_share_of(t, node, still, 3)));
  began += viper_touch_total4(own.place, n_nodes);
  parts += viper_touch_total4(own.move, n_nodes);
  viper_scalar depth = t->offset - viper_vec4_sum(began), out = viper_vec4_sum(parts);
  out = out < depth ? out : depth;
  if (!(out > 0))
    return;
  VIPER_UNROLL for (int k = 0; k < viper_touch_own(n_nodes); k++) {
    const viper_contact_node *x = &node[t->node[k]];
    still[t->node[k]] += x->free * (x->inverse * (out * t->inv_w * viper_touch_slope(t, k)));
  }
}

/// The coefficients of friction of a contact between capsules, with those of the scene `here`; and
/// of one with a half-plane.
VIPER_FN viper_friction viper_touch_friction(const viper_touch *t, viper_friction here,
                                             const viper_friction *of_node) {
  return viper_friction_between(here, of_node, t->node[0], t->node[2]);
}

VIPER_FN viper_friction viper_plane_friction(const viper_touch *t, const viper_plane *plane,
                                             const viper_friction *of_node) {
  return viper_friction_between(plane->friction, of_node, t->node[0], t->node[0]);
}

/// The work of a driven half-plane on a node in this substep, J: of friction the force at its end,
/// of the normal force the mean of those at its beginning and end, each times the displacement of
/// the half-plane where it acts. `t` is null if they do not touch. `before` is the normal force of
/// the substep before, N, and for how many substeps there has been one, up to 2; it is advanced. A
/// contact begins with the forces at the ends alone, of two substeps: if its first force is an
/// impact, that force is not of the next substep, too.
VIPER_FN double viper_plane_work(const viper_plane *plane, const viper_touch *t,
                                 const viper_contact_node *node, double before[4]) {
  double ends = 0, begins = 0, rubs = 0;
  if (!t || !(t->lambda > 0)) {
    VIPER_UNROLL for (int k = 0; k < 4; k++) before[k] = 0;
    return 0;
  }
  const viper_contact_node *x = &node[t->node[0]];
  viper_vec4 to = viper_plane_displacement(plane, x->x);
  viper_vec4 from = viper_plane_displacement(plane, x->old);
  from = viper_plane_displacement(plane, x->old + from); // of the point that was at x->old
  VIPER_UNROLL for (int k = 0; k < 3; k++) {
    double force = (double)t->lambda * (double)t->n[k] * (double)plane->inv_h2;
    rubs += (double)t->slide[k] * (double)to[k];
    ends += force * (double)to[k];
    begins += before[k] * (double)from[k];
    before[k] = force;
  }
  ends = before[3] < 2 ? ends : 0.5 * (begins + ends);
  before[3] += before[3] < 2 ? 1 : 0;
  return ends + rubs * (double)plane->inv_h2;
}

#endif
