// SPDX-License-Identifier: GPL-3.0-or-later
/// The contact constraint (README.md): a force along the normal, and friction across it.
/// Point-wise, on plain numbers.
///
/// A contact between capsules acts on four nodes, one with a half-plane on one. With weights w_k
/// ((1 - al), al of capsule a, minus (1 - be), be of capsule b) its gap is, in centers and scales
/// linear,
///   C = sum w_k n.c_k - |w_k| r_k s_k - offset.
/// Multipliers are forces times h^2 [kg m]: the displacement they make is their inverse inertia.
///
/// Sums over the nodes of a contact are (0 + 1) + (2 + 3): so four lanes that have a node each add
/// them up in two exchanges, and lanes that have a contact each do the same sums. Four GPU threads
/// that share a contact have VIPER_ONE_OF_FOUR of its nodes each, as its node 0, and the rest of it
/// all of them. Structs are rows of 16 bytes.
#ifndef VIPER_CONTACT_CONSTRAINT_H
#define VIPER_CONTACT_CONSTRAINT_H

#include "viper/contact/vec4.h"

#include <assert.h>

/// As a number of nodes: each of four GPU threads has its own.
enum { VIPER_ONE_OF_FOUR = 2 };

/// Structs of whole rows: a GPU's thread reads and writes a row at once.
#ifdef __CUDACC__
#define VIPER_IN_ROWS alignas(16)
#else
#define VIPER_IN_ROWS
#endif

/// A limit that nothing meets.
#define VIPER_NO_LIMIT ((viper_scalar)-1e30)

#ifdef __CUDA_ARCH__
/// The threads of a warp that share this one's contact.
static __device__ inline unsigned viper_quad_mask(void) {
  return 0xfu << (threadIdx.x & 28);
}
#endif

/// A node that contacts may move: center (x, y, z) and scale.
typedef struct VIPER_IN_ROWS viper_contact_node {
  viper_vec4 x;        ///< now
  viper_vec4 push;     ///< what contacts would have moved it in this substep, pinned or not
  viper_vec4 inverse;  ///< 1 / kg (three times), 1 / (kg m^2), pinned or not
  viper_vec4 free;     ///< 1; 0 where pinned
  viper_vec4 least;    ///< contacts do not push below; of a free scale alone
  viper_vec4 old;      ///< before the substep
  viper_vec4 hat;      ///< predicted, without contacts
  viper_scalar radius; ///< at rest, m
  viper_scalar spare[3];
} viper_contact_node;

/// A frame at a contact, and the arm at which it rolls: of capsules [m], or a share of one.
/// Integers are as wide as numbers here and below: what copies of a struct read has been written,
/// all of it.
typedef struct viper_roller {
  viper_bits segment;
  viper_scalar arm;
} viper_roller;

/// A contact of 4 nodes (two capsules) or 1 (a half-plane). The functions below take the number as
/// an argument, `n_nodes`, that compilers know, or VIPER_ONE_OF_FOUR.
typedef struct VIPER_IN_ROWS viper_touch {
  int32_t node[4];
  viper_vec4 weight;
  viper_vec4 pull;     ///< of the gap on scales: -|w_k| r_k, m
  viper_vec4 n;        ///< unit normal, from b (or the half-plane) to a; and 0
  viper_vec4 slide;    ///< accumulated friction; and 0
  viper_scalar offset; ///< of a half-plane, else 0, m
  viper_scalar inv_w;  ///< 1 over the inverse inertia along the normal, kg; 0 where all is pinned
  viper_scalar inv_slide; ///< likewise of centers, across it
  viper_scalar lambda;    ///< accumulated push, >= 0
  viper_bits which;       ///< color, or the number of the half-plane
  viper_scalar rolled;    ///< what of the work of friction rolls do (rolling.h), kg m^2
  viper_bits place;       ///< of two contacts of a pair of capsules, 1 for that farther along the
                          ///< first axis; else 0
  viper_scalar spare;
  viper_roller roller[2]; ///< of either capsule; of a half-plane the arm alone
} viper_touch;

/// Bytes of a row.
enum { VIPER_ROW_BYTES = 16 };
static_assert(sizeof(viper_contact_node) % VIPER_ROW_BYTES == 0, "nodes are whole rows");
static_assert(sizeof(viper_touch) % VIPER_ROW_BYTES == 0, "contacts are whole rows");

/// Coefficients of friction: of what sticks, and of what slides.
typedef struct viper_friction {
  viper_scalar at_rest, sliding;
} viper_friction;

/// The greatest ones of `here` and of two nodes' bodies; `of_node` is null where no body has its
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

/// A half-plane, in the working precision, where it is at the end of the substep.
typedef struct viper_plane {
  viper_scalar normal[3], offset; ///< n.x >= offset, m
  viper_friction friction;
  viper_scalar map[3][4]; ///< of a driven one: viper_plane_displacement
  viper_scalar inv_h2;    ///< likewise: 1 over the square of the substep's length, 1/s^2
  int32_t driver;         ///< -1: it does not move
} viper_plane;

/// Moves a driven half-plane to where its values of viper_boundary_planes say.
VIPER_FN void viper_plane_move(viper_plane *plane, const viper_scalar *value) {
  VIPER_UNROLL for (int k = 0; k < 3; k++) {
    plane->normal[k] = value[k];
    VIPER_UNROLL for (int c = 0; c < 4; c++) plane->map[k][c] = value[4 + 4 * k + c];
  }
  plane->offset = value[3];
  plane->inv_h2 = value[16];
}

/// How far a point of the half-plane that is at `x` now has moved in this substep, m; and 0.
VIPER_FN viper_vec4 viper_plane_displacement(const viper_plane *plane, viper_vec4 x) {
  viper_vec4 out = viper_vec4_make(0, 0, 0, 0);
  if (plane->driver >= 0)
    VIPER_UNROLL for (int k = 0; k < 3; k++) {
      const viper_scalar *row = plane->map[k];
      out[k] = ((row[0] * x[0] + row[1] * x[1]) + row[2] * x[2]) + row[3];
    }
  return out;
}

VIPER_FN viper_scalar viper_scalar_abs(viper_scalar x) {
  return x < 0 ? -x : x;
}

/// How many nodes a thread has of a contact.
VIPER_FN int viper_touch_own(int n_nodes) {
  return n_nodes == VIPER_ONE_OF_FOUR ? 1 : n_nodes;
}

/// The sum over all nodes of a contact, over the thread's own ones being `sum`.
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

/// What the thread that has node 0 of a contact knows of it.
VIPER_FN viper_scalar viper_touch_of_first(viper_scalar own, int n_nodes) {
#ifdef __CUDA_ARCH__
  if (n_nodes == VIPER_ONE_OF_FOUR)
    own = __shfl_sync(viper_quad_mask(), own, 0, 4);
#else
  (void)n_nodes;
#endif
  return own;
}

/// Fills in the pulls and the inverse inertias of a contact whose nodes, weights and normal are
/// there; whether anything of it can move.
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

/// What touches is not squeezed to less than this scale, by contacts or otherwise: capsules are
/// nearly incompressible, and the energy alone lets the scales of neighboring nodes part at little
/// cost.
#define VIPER_LEAST_TOUCHING 0.5

/// A node whose scale is at that limit, or near it.
typedef struct viper_limit {
  int32_t node;
  viper_scalar lambda; ///< accumulated push on the scale, times h^2, >= 0
} viper_limit;

/// Keeps a scale at its limit or above.
VIPER_FN void viper_limit_scale(viper_limit *l, viper_contact_node *node) {
  viper_contact_node *x = &node[l->node];
  viper_scalar lambda = l->lambda + (x->least[3] - x->x[3]) / x->inverse[3];
  lambda = lambda > 0 ? lambda : 0;
  viper_scalar ds = x->inverse[3] * (lambda - l->lambda);
  l->lambda = lambda;
  x->x[3] += ds;
  x->push[3] += ds;
}

/// The share of node `k` in how far points have slid in this substep after it was moved by `step`.
VIPER_FN viper_vec4 viper_touch_slid_by(const viper_touch *t, const viper_contact_node *node, int k,
                                        viper_vec4 step) {
  const viper_contact_node *x = &node[t->node[k]];
  return t->weight[k] * ((x->x - x->old) + x->free * step);
}

/// The part of a displacement that is along the surfaces in contact, m; and 0.
VIPER_FN viper_vec4 viper_touch_tangent(const viper_touch *t, viper_vec4 d) {
  d[3] = 0;
  return d - viper_vec4_sum(d * t->n) * t->n;
}

/// The most that friction can be where `needed` would hold the surfaces, which is more than static
/// friction can be. What static friction stops by the end of the next substep only creeps, and
/// meets all of it; what is faster slides. Else the first node of a rod at rest that gives way, by
/// what iterations lack or as sections settle, would carry less from then on, and its neighbors
/// would follow one after the other.
VIPER_FN viper_scalar viper_friction_most(viper_friction friction, viper_scalar push,
                                          viper_scalar needed) {
  return (needed > 2 * friction.at_rest * push ? friction.sliding : friction.at_rest) * push;
}

/// Coulomb's friction: what slid is taken back where that needs no more than the static friction;
/// else it is braked by viper_friction_most. Returns what is added to the friction.
VIPER_FN viper_vec4 viper_touch_brake(viper_touch *t, viper_vec4 slid, viper_friction friction) {
  viper_vec4 before = t->slide, all = before - t->inv_slide * slid;
  viper_scalar size = VIPER_SCALAR_SQRT(viper_vec4_sum(all * all));
  if (size > friction.at_rest * t->lambda)
    all = viper_friction_most(friction, t->lambda, size) / size * all;
  t->slide = all;
  return all - before;
}

/// Moves nodes by what is added to a push.
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

/// Pushes along the normal as far as the gap asks for, or takes back of what was pushed.
VIPER_FN void viper_touch_push(viper_touch *t, viper_contact_node *node, int n_nodes) {
  viper_scalar lambda = t->lambda - viper_touch_gap(t, node, n_nodes) * t->inv_w;
  lambda = lambda > 0 ? lambda : 0;
  viper_scalar d = lambda - t->lambda;
  if (d == 0)
    return;
  t->lambda = lambda;
  viper_touch_press(t, node, d, n_nodes);
}

/// Of a node's share in how fast the surfaces part: where it was before the substep, and how far it
/// has moved but for what velocities do not count.
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

/// After the last pass: what takes back a penetration that the substep began with moves nodes, but
/// is no velocity. Takes it out of how fast the surfaces part, by an impulse along the normal: the
/// kinetic energy falls. `still` [n_nodes] is how much of their motion in this substep velocities
/// do not count; `carried` is how far the half-plane moved.
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

/// The friction of a contact between capsules, the scene's being `here`; and of one with a
/// half-plane.
VIPER_FN viper_friction viper_touch_friction(const viper_touch *t, viper_friction here,
                                             const viper_friction *of_node) {
  return viper_friction_between(here, of_node, t->node[0], t->node[2]);
}

VIPER_FN viper_friction viper_plane_friction(const viper_touch *t, const viper_plane *plane,
                                             const viper_friction *of_node) {
  return viper_friction_between(plane->friction, of_node, t->node[0], t->node[0]);
}

/// What a driven half-plane's force at a contact does to the node in this substep, J: its force
/// times how far the half-plane moved there.
VIPER_FN double viper_plane_work(const viper_plane *plane, const viper_touch *t,
                                 const viper_contact_node *node) {
  viper_vec4 carried = viper_plane_displacement(plane, node[t->node[0]].x);
  double sum = 0;
  VIPER_UNROLL for (int k = 0; k < 3; k++) sum +=
      ((double)t->lambda * (double)t->n[k] + (double)t->slide[k]) * (double)carried[k];
  return sum * (double)plane->inv_h2;
}

#endif
