// SPDX-License-Identifier: GPL-3.0-or-later
/// The CPU backend's data in the working precision, and the phase functions on single elements.
#ifndef VIPER_CPU_CPU_REAL_H
#define VIPER_CPU_CPU_REAL_H

#include "viper/bundle/bundle_fit.h"
#include "viper/cpu/arrays.h"
#include "viper/cpu/cpu.h"
#include "viper/cpu/lanes.h"
#include "viper/cpu/panels.h"
#include "viper/energy/inertia.h"
#include "viper/energy/terms.h"
#include "viper/method/motion.h"
#include "viper/model/boundary.h"
#include "viper/model/rest.h"

// What the sources of this backend share, by its name in the working precision.
#define viper_body_elastic      VIPER_NAME(viper_body_elastic)
#define viper_body_gradient     VIPER_NAME(viper_body_gradient)
#define viper_cpu_step          VIPER_NAME(viper_cpu_step)
#define viper_make_forces       VIPER_NAME(viper_make_forces)
#define viper_relative_residual VIPER_NAME(viper_relative_residual)
#define viper_bundled_create    VIPER_NAME(viper_bundled_create)
#define viper_bundled_destroy   VIPER_NAME(viper_bundled_destroy)
#define viper_bundled_solve     VIPER_NAME(viper_bundled_solve)
#define viper_bundled_reset     VIPER_NAME(viper_bundled_reset)
#define viper_bundled_before    VIPER_NAME(viper_bundled_before)
#define viper_bundled_start     VIPER_NAME(viper_bundled_start)

/// Nodes and frames of the whole model.
typedef struct viper_bundle_state {
  viper_node_x *node;
  viper_quat *frame;
} viper_bundle_state;

/// What bundles need; all null where there is none.
typedef struct viper_bundled {
  size_t n; ///< bundles
  viper_bundles rest;
  viper_bundle_place *now;       ///< [n_members] where members are, and where they should be
  viper_bundle_place *goal;      ///< [n_members]
  viper_bundle_state predicted;  ///< the prediction of the latest substep
  viper_bundle_state pushed;     ///< moved on by all that the bundles moved
  viper_bundle_state before;     ///< the state before the bundles moved it last
  viper_bundle_state before_hat; ///< and the moved prediction then
  vb_arena memory;               ///< all of it, but `rest`
} viper_bundled;

/// What contact needs (contact_real.h).
typedef struct viper_contacts viper_contacts;

/// An instance.
typedef struct viper_cpu {
  const viper_model *model;
  const viper_body_groups *body_groups;
  const viper_lanes_api *lanes_api; ///< works on the body groups
  void *lanes;
  const viper_tiling *tiling; ///< [n_singles] of the body groups; null where none is swept in tiles
  void *tiles;
  bool at_start; ///< looked at where the solve began: at the prediction, pins held
  viper_segment_rest *segment;
  viper_joint_rest *joint;
#define VIPER_ROWS(name, type, place, set, spare) type *name;
  VIPER_STATE_FIELDS(VIPER_ROWS)
  VIPER_RATE_FIELDS(VIPER_ROWS)
  VIPER_OLD_FIELDS(VIPER_ROWS)
#undef VIPER_ROWS
  viper_arrays arrays;  ///< the above as rows of scalars, and what only the methods use
  viper_scalar *matrix; ///< of `direct`, and all that is in one block with it
  viper_panels *panels; ///< where its factor is not kept; else null
  viper_boundary boundary;
  double *node_force;  ///< scratch for gradients, n_nodes x 4; where something needs them
  double *frame_force; ///< n_segments x 3
  viper_bundled bundled;
  viper_contacts *contacts; ///< null where nothing touches
  double *hat_scale;        ///< [n_nodes] with contacts: predicted scales before these pushed
} viper_cpu;

/// Mass [kg] and scale inertia of node `i`.
static inline viper_node_inertia viper_node_inertia_load(const viper_cpu *cpu, int32_t i) {
  return (viper_node_inertia){(viper_real)cpu->model->node[i].mass,
                              (viper_real)cpu->model->node[i].scale_inertia};
}

/// The predicted scale of node `i`; a pinned one is where it is held.
static inline viper_real viper_predicted_scale(const viper_cpu *cpu, int32_t i) {
  if (cpu->model->node[i].pinned & VB_PIN_SCALE)
    return cpu->node[i].s;
  return cpu->hat_scale ? (viper_real)cpu->hat_scale[i] : cpu->node_hat[i].s;
}

/// Inertia of frame `j` about u and v, constant within a step.
static inline viper_real viper_frame_inertia_load(const viper_cpu *cpu, int32_t j) {
  const viper_model_segment *m = &cpu->model->segment[j];
  return viper_frame_inertia((viper_real)m->frame_inertia, viper_predicted_scale(cpu, m->node[0]),
                             viper_predicted_scale(cpu, m->node[1]), VIPER_MINIMUM_SCALE);
}

/// 1 for free components of node `i` (x, y, z, scale), 0 for pinned ones.
static inline void viper_node_free(const viper_cpu *cpu, int32_t i, viper_real free[4]) {
  for (int k = 0; k < 4; k++)
    free[k] = cpu->model->node[i].pinned >> k & 1 ? VIPER_R(0) : VIPER_R(1);
}

/// The prediction of node `i` with pinned components where they are held.
static inline viper_node_x viper_node_held(const viper_cpu *cpu, int32_t i) {
  viper_node_x held = cpu->node_hat[i], now = cpu->node[i];
  uint32_t pinned = cpu->model->node[i].pinned;
  held.c.x = pinned & VB_PIN_X ? now.c.x : held.c.x;
  held.c.y = pinned & VB_PIN_Y ? now.c.y : held.c.y;
  held.c.z = pinned & VB_PIN_Z ? now.c.z : held.c.z;
  held.s = pinned & VB_PIN_SCALE ? now.s : held.s;
  return held;
}

static inline bool viper_frame_free(const viper_cpu *cpu, int32_t j) {
  return !(cpu->model->segment[j].pinned & VB_PIN_FRAME);
}

/// Node `i` and frame `j`, where they are looked at.
static inline viper_node_x viper_node_load(const viper_cpu *cpu, int32_t i) {
  return cpu->at_start ? viper_node_held(cpu, i) : cpu->node[i];
}

static inline viper_quat viper_frame_load(const viper_cpu *cpu, int32_t j) {
  return cpu->at_start && viper_frame_free(cpu, j) ? cpu->frame_hat[j] : cpu->frame[j];
}

/// The stencil of segment `j`.
static inline viper_segment_state viper_segment_load(const viper_cpu *cpu, int32_t j) {
  const int32_t *node = cpu->model->segment[j].node;
  viper_node_x a = viper_node_load(cpu, node[0]), b = viper_node_load(cpu, node[1]);
  return (viper_segment_state){a.c, b.c, a.s, b.s, viper_frame_load(cpu, j)};
}

/// The stencil of joint `t`.
static inline viper_joint_state viper_joint_load(const viper_cpu *cpu, int32_t t) {
  const viper_model_joint *joint = &cpu->model->joint[t];
  return (viper_joint_state){
      viper_node_load(cpu, joint->node[0]).s, viper_node_load(cpu, joint->node[1]).s,
      viper_node_load(cpu, joint->node[2]).s, viper_frame_load(cpu, joint->segment[0]),
      viper_frame_load(cpu, joint->segment[1])};
}

/// Between the working precision and double: center and scale, and quaternions.
static inline viper_node_x viper_node_from(const double v[4]) {
  return (viper_node_x){{(viper_real)v[0], (viper_real)v[1], (viper_real)v[2]}, (viper_real)v[3]};
}

static inline void viper_node_to(viper_node_x x, double v[4]) {
  v[0] = (double)x.c.x;
  v[1] = (double)x.c.y;
  v[2] = (double)x.c.z;
  v[3] = (double)x.s;
}

static inline viper_quat viper_quat_from(const double v[4]) {
  return viper_quat_make((viper_real)v[0], (viper_real)v[1], (viper_real)v[2], (viper_real)v[3]);
}

static inline void viper_quat_to(viper_quat q, double v[4]) {
  v[0] = (double)q.w;
  v[1] = (double)q.x;
  v[2] = (double)q.y;
  v[3] = (double)q.z;
}

/// The time step: see viper_cpu_api.
vb_status viper_cpu_step(void *self, const viper_settings *settings, double time, double h,
                         double *work, double *timer, bool *trouble, vb_error *error);

/// Elastic energy of a body by term [J], added to `out` in the order of the table.
void viper_body_elastic(const viper_cpu *cpu, const viper_model_body *body,
                        double out[VIPER_N_TERMS]);

/// Sums of squared norms, weighted by the inverse inertias of free unknowns.
typedef struct viper_residual_sums {
  double now;      ///< of the gradient of Phi
  double term;     ///< of the terms' own forces
  double rounding; ///< of the forces that a rounding error of 1 in the terms' data would make
} viper_residual_sums;

/// Whether a gradient is as small as rounding lets it be: a few rounding errors per unknown.
static inline bool viper_is_rounding(double now, double rounding) {
  const double epsilon = (double)VIPER_EPSILON;
  return now <= 100 * epsilon * epsilon * rounding;
}

/// Makes memory for the gradient of any body of `model`: node_force and frame_force, of which the
/// first is to be freed. False without memory.
bool viper_make_forces(const viper_model *model, viper_cpu *out);

/// Gradient of Phi of a body for substep length `h` into node (x 4) and frame (x 3) arrays over the
/// body, pinned unknowns included; and, where `sums` is not null, the norms over free ones.
void viper_body_gradient(const viper_cpu *cpu, const viper_model_body *body, viper_real h,
                         double *node, double *frame, viper_residual_sums *sums);

/// The relative residual of `end` for substep length `h`: the gradient's norm over its value where
/// the solve of `began` began, or over the terms' own forces; 0 where it is within the rounding
/// errors of its own evaluation. `end` has scratch for the gradient of its largest body at least.
double viper_relative_residual(const viper_cpu *began, const viper_cpu *end, double h);

/// One pass of a method over all bodies.
typedef void viper_solve_bodies(viper_cpu *cpu, const viper_settings *settings, double h);

/// Solves a substep of a scene with bundles: one iteration of all bodies, then the bundles, and
/// again. The prediction ends moved on by what the bundles moved.
void viper_bundled_solve(viper_cpu *cpu, const viper_settings *settings, double h,
                         viper_solve_bodies *bodies);

/// After a new state was put: there is no state before the bundles' last move.
void viper_bundled_reset(viper_cpu *cpu);

/// The same instance, without bundles itself; with them, with the state and moved prediction before
/// the bundles' last move; or with the prediction the substep began with. Borrows all from `cpu`.
viper_cpu viper_bundled_before(const viper_cpu *cpu);
viper_cpu viper_bundled_start(const viper_cpu *cpu);

vb_status viper_bundled_create(const viper_model *model, viper_bundled *out, vb_error *error);
void viper_bundled_destroy(viper_bundled *bundled);

#endif
