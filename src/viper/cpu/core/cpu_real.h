// SPDX-License-Identifier: GPL-3.0-or-later
/// The CPU backend's data in the working precision, and the phase functions on single elements.
#ifndef VIPER_CPU_CORE_CPU_REAL_H
#define VIPER_CPU_CORE_CPU_REAL_H

#include "viper/bundle/bundle_fit.h"
#include "viper/cpu/core/arrays.h"
#include "viper/cpu/core/cpu.h"
#include "viper/cpu/core/gathered.h"
#include "viper/cpu/core/lines.h"
#include "viper/cpu/core/panels.h"
#include "viper/energy/inertia.h"
#include "viper/energy/terms.h"
#include "viper/method/frame_pin.h"
#include "viper/method/statics.h"
#include "viper/model/boundary.h"
#include "viper/model/hill_law.h"
#include "viper/model/rest.h"

// What the sources of this backend share, by its name in the working precision.
#define viper_body_elastic           VIPER_NAME(viper_body_elastic)
#define viper_body_gradient          VIPER_NAME(viper_body_gradient)
#define viper_cpu_step               VIPER_NAME(viper_cpu_step)
#define viper_cpu_add_work           VIPER_NAME(viper_cpu_add_work)
#define viper_relative_residual      VIPER_NAME(viper_relative_residual)
#define viper_bundled_create         VIPER_NAME(viper_bundled_create)
#define viper_bundled_destroy        VIPER_NAME(viper_bundled_destroy)
#define viper_bundled_solve          VIPER_NAME(viper_bundled_solve)
#define viper_bundled_begin          VIPER_NAME(viper_bundled_begin)
#define viper_bundled_move           VIPER_NAME(viper_bundled_move)
#define viper_bundled_reset          VIPER_NAME(viper_bundled_reset)
#define viper_bundled_before         VIPER_NAME(viper_bundled_before)
#define viper_bundled_start          VIPER_NAME(viper_bundled_start)
#define viper_bundled_fit            VIPER_NAME(viper_bundled_fit)
#define viper_penalty_create         VIPER_NAME(viper_penalty_create)
#define viper_penalty_solve          VIPER_NAME(viper_penalty_solve)
#define viper_penalty_begin          VIPER_NAME(viper_penalty_begin)
#define viper_penalty_aim            VIPER_NAME(viper_penalty_aim)
#define viper_penalty_move           VIPER_NAME(viper_penalty_move)
#define viper_bundle_newton_create   VIPER_NAME(viper_bundle_newton_create)
#define viper_bundle_newton_solve    VIPER_NAME(viper_bundle_newton_solve)
#define viper_bundle_newton_begin    VIPER_NAME(viper_bundle_newton_begin)
#define viper_bundle_newton_end      VIPER_NAME(viper_bundle_newton_end)
#define viper_bundle_newton_distance VIPER_NAME(viper_bundle_newton_distance)

/// Nodes and frames of the whole model.
typedef struct viper_bundle_state {
  viper_node_x *node;
  viper_quat *frame;
} viper_bundle_state;

/// Penalties over the inertia: of centers; of scales and frames.
typedef struct viper_bundle_penalty {
  double center, disc;
} viper_bundle_penalty;

/// What contact needs (contact_real.h), and Newton's method in a substep (contact_newton.h).
typedef struct viper_contacts viper_contacts;
typedef struct viper_contact_newton viper_contact_newton;

/// What bundles need; all null where there is none.
typedef struct viper_bundled {
  size_t n; ///< bundles
  viper_bundles rest;
  viper_bundle_place *now;       ///< [n_members] where members are, and where they should be
  viper_bundle_place *goal;      ///< [n_members]
  viper_bundle_state predicted;  ///< the prediction of the latest substep
  viper_bundle_state pushed;     ///< moved on by all that the bundles moved
  viper_bundle_state before;     ///< the state before the bundles moved it last
  viper_bundle_state before_hat; ///< and the prediction then, moved by bundles and contacts
  double *before_hat0;           ///< [n_nodes x 4] moved by bundles alone; null without contact
  // By a penalty (bundle_penalty_real.c), else null:
  double penalty_h; ///< of the substeps that penalties are for, s; 0 before the first
  viper_bundle_penalty *member_penalty; ///< [n_members] that of the bundle
  viper_bundle_penalty *node_penalty;   ///< [n_nodes] the mean over its members
  double *frame_penalty;                ///< [n_segments]
  viper_bundle_share *pull;             ///< as rest.share, weighed by penalties
  viper_bundle_state target;            ///< where bundles want nodes and frames
  double *multiplier; ///< [n_nodes x 4 + n_segments x 3] times h^2 over penalty and inertia
  double *torque;     ///< [n_segments x 3] on frames, in body axes, times h^2, N m s^2
  viper_node_inertia *node_inertia; ///< [n_nodes] with the penalty
  // By Newton's method (bundle_newton_real.c), else null:
  double *row_force;            ///< [n_segments x VIPER_BUNDLE_ROWS] multipliers of its rows
  double *node_push;            ///< [n_nodes x 4] forces of bundles in the latest substep, N and J
  bool solved;                  ///< these are of the substep that ended in the state
  viper_contact_newton *newton; ///< of scenes without contact; null until it is asked for
  vb_arena memory;              ///< all of it, but `rest`
} viper_bundled;

/// An instance.
typedef struct viper_cpu {
  const viper_model *model;
  bool is_static; ///< no inertia: method/statics.h
  const viper_body_groups *body_groups;
  const viper_lanes_api *lanes_api; ///< works on the body groups
  void *lanes;
  const viper_tiling *tiling; ///< [n_singles] of the body groups; null where none is swept in tiles
  void *tiles;
  const viper_lines_api *lines_api;
  void *lines; ///< null where no single body is worked on as a line
  viper_segment_rest *segment;
  viper_joint_rest *joint;
#define VIPER_ROWS(name, type, place, set, spare) type *name;
  VIPER_STATE_FIELDS(VIPER_ROWS)
  VIPER_RATE_FIELDS(VIPER_ROWS)
  VIPER_HISTORY_FIELDS(VIPER_ROWS) ///< null without bdf2
  VIPER_SPIN_FIELDS(VIPER_ROWS)    ///< null without a gyroscope
  VIPER_OLD_FIELDS(VIPER_ROWS)
#undef VIPER_ROWS
  viper_contraction *active;     ///< [n_segments + 1] of this substep; null without activations
  viper_contraction *active_old; ///< [n_segments] of the one before
  viper_node_x *turned;    ///< [n_follower_loads] loads that turn, as they are in this substep
  viper_bending *bending;  ///< [n_joints + 1]; null without bending factors
  viper_fused *fused;      ///< [n_joints + 1]; null without fused rods
  viper_solid_rest *solid; ///< [n_segments + 1]; null without segments of the material model solid
  viper_moments *moments;  ///< [n_segments]; null where all frames are discs
  viper_held *held;     ///< [n_segments + 1] of this substep; null where no part of a frame is held
  viper_arrays arrays;  ///< the above as rows of scalars, and what only the methods use
  viper_scalar *matrix; ///< of `direct`, and all that is in one block with it; else sums
  viper_panels *panels; ///< where its factor is not kept; else null
  viper_boundary boundary;
  double *pin_force;   ///< [n_pins x 4] as viper_state has it; of bdf2 and in statics, else null
  double *node_force;  ///< scratch for gradients, n_nodes x 4; where something needs them
  double *frame_force; ///< n_segments x 3
  viper_bundled bundled;
  viper_contacts *contacts;  ///< null where nothing touches
  double *frame_push;        ///< [n_segments] as viper_state has it; of evaluations alone
  double *bundle_torque;     ///< [n_segments x 3] as viper_state has it; null without
  double *node_hat0;         ///< [n_nodes x 4] with contacts: node_hat without what these pushed
  const double *torque;      ///< [n_segments x 3] of bundles, not in frame_hat; of residuals alone
  const viper_scalar *light; ///< [n_nodes x 2] inertia without the penalty of bundles, while bodies
                             ///< iterate with it
  bool at_targets;           ///< these are done, and bundles' nodes and frames are at their targets
  viper_body_groups gathered; ///< of single bodies that lanes gather; mostly none
  const viper_gathered_api *gathered_api;
  void *gathered_lanes; ///< null where there are none
} viper_cpu;

/// Mass [kg] and scale inertia of node `i`.
static inline viper_node_inertia viper_node_inertia_load(const viper_cpu *cpu, int32_t i) {
  return (viper_node_inertia){(viper_real)cpu->model->node[i].mass,
                              (viper_real)cpu->model->node[i].scale_inertia};
}

/// The predicted scale of node `i`; a pinned one is where it is held. In statics that at rest.
static inline viper_real viper_predicted_scale(const viper_cpu *cpu, int32_t i) {
  if (cpu->is_static)
    return VIPER_R(1);
  if (cpu->model->node[i].pinned & VB_PIN_SCALE)
    return cpu->node[i].s;
  return cpu->node_hat0 ? (viper_real)cpu->node_hat0[4 * (size_t)i + 3] : cpu->node_hat[i].s;
}

/// Inertia of frame `j` about u (of a disc about v, too), constant within a step.
static inline viper_real viper_frame_inertia_load(const viper_cpu *cpu, int32_t j) {
  const viper_model_segment *m = &cpu->model->segment[j];
  return viper_frame_inertia((viper_real)m->frame_inertia, viper_predicted_scale(cpu, m->node[0]),
                             viper_predicted_scale(cpu, m->node[1]), VIPER_MINIMUM_SCALE);
}

/// Its other moments, over that.
static inline viper_moments viper_moments_load(const viper_cpu *cpu, int32_t j) {
  const double *m = cpu->model->segment[j].moments;
  return (viper_moments){(viper_real)m[0], (viper_real)m[1]};
}

/// viper_frame_inertial_block of frame `j`, which is at `q` and was predicted at `hat`.
static inline void viper_frame_block_load(const viper_cpu *cpu, int32_t j, viper_quat q,
                                          viper_quat hat, viper_real g[3], viper_real h[3][3]) {
  const viper_real inertia = viper_frame_inertia_load(cpu, j);
  if (cpu->model->has_moments)
    viper_moments_block(inertia, viper_moments_load(cpu, j), q, hat, g, h);
  else
    viper_frame_inertial_block(inertia, q, hat, g, h);
}

/// 1 for free components of node `i` (x, y, z, scale), 0 for pinned ones.
static inline void viper_node_free(const viper_cpu *cpu, int32_t i, viper_real free[4]) {
  for (int k = 0; k < 4; k++)
    free[k] = cpu->model->node[i].pinned >> k & 1 ? VIPER_R(0) : VIPER_R(1);
}

static inline bool viper_frame_free(const viper_cpu *cpu, int32_t j) {
  return !(cpu->model->segment[j].pinned & VB_PIN_FRAME);
}

/// What holds parts of a frame, by a pin of the mask `mask` whose driver has it at `target`.
static inline viper_held viper_held_by(const double target[4], uint32_t mask) {
  viper_held out = {viper_quat_make((viper_real)target[0], (viper_real)target[1],
                                    (viper_real)target[2], (viper_real)target[3]),
                    {VIPER_R(!viper_holds(mask, 0)), VIPER_R(!viper_holds(mask, 1)),
                     VIPER_R(!viper_holds(mask, 2))}};
  return out;
}

/// What holds parts of frames in the substep that ends with drivers at `boundary`.
static inline void viper_hold_parts(viper_cpu *cpu, const viper_boundary *boundary) {
  for (size_t k = 0; cpu->held && k < cpu->model->n_pins; k++) {
    const viper_model_pin *pin = &cpu->model->pin[k];
    if (pin->location == VB_AT_SEGMENT && !(pin->mask & VB_PIN_FRAME))
      cpu->held[pin->index] = viper_held_by(boundary->target + 4 * k, pin->mask);
  }
}

/// Leaves of the gradient `g` over frame `j` what is along free directions.
static inline void viper_free_part(const viper_cpu *cpu, int32_t j, double g[3]) {
  viper_vec3 all = {(viper_real)g[0], (viper_real)g[1], (viper_real)g[2]};
  viper_vec3 free = viper_held_project(&cpu->held[j], cpu->frame[j], all);
  g[0] = (double)free.x;
  g[1] = (double)free.y;
  g[2] = (double)free.z;
}

/// What of the gradient `g` over frame `j` its driver holds.
static inline void viper_held_part(const viper_cpu *cpu, int32_t j, const double g[3],
                                   double out[3]) {
  double free[3] = {g[0], g[1], g[2]};
  viper_free_part(cpu, j, free);
  for (int k = 0; k < 3; k++)
    out[k] = g[k] - free[k];
}

/// The stencil of segment `j`.
static inline viper_segment_state viper_segment_load(const viper_cpu *cpu, int32_t j) {
  const int32_t *node = cpu->model->segment[j].node;
  viper_node_x a = cpu->node[node[0]], b = cpu->node[node[1]];
  return (viper_segment_state){a.c, b.c,           a.s,
                               b.s, cpu->frame[j], cpu->active ? cpu->active[j] : viper_passive()};
}

/// The stencil of joint `t`.
static inline viper_joint_state viper_joint_load(const viper_cpu *cpu, int32_t t) {
  const viper_model_joint *joint = &cpu->model->joint[t];
  return (viper_joint_state){
      cpu->node[joint->node[0]].s,   cpu->node[joint->node[1]].s,
      cpu->node[joint->node[2]].s,   cpu->frame[joint->segment[0]],
      cpu->frame[joint->segment[1]], viper_bending_from(cpu->model, (size_t)t),
      cpu->model->fused != NULL,     viper_fused_from(cpu->model, (size_t)t)};
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

/// Puts what acts in statics, as viper_boundary_forces has it, where predictions would be.
static inline void viper_put_static_loads(viper_cpu *cpu, const double *load) {
  const double *torque = load + 4 * cpu->model->n_nodes;
  for (size_t i = 0; i < cpu->model->n_nodes; i++)
    cpu->node_hat[i] = viper_node_from(load + 4 * i);
  for (size_t j = 0; j < cpu->model->n_segments; j++, torque += 3)
    cpu->frame_hat[j] = viper_frame_load(
        viper_vec3_make((viper_real)torque[0], (viper_real)torque[1], (viper_real)torque[2]));
}

/// The time step: see viper_cpu_api.
vb_status viper_cpu_step(void *self, const viper_settings *settings, double time, double h,
                         double *work, double *timer, bool *trouble, vb_error *error);

/// A substep.
typedef struct viper_cpu_substep {
  double start, h; ///< s
  viper_advance advance;
} viper_cpu_substep;

/// Adds the work that drivers, loads and activations did on single bodies in a substep that is done
/// [J], as viper_state has it. Notes what holds pins, where bdf2 keeps it.
void viper_cpu_add_work(viper_cpu *cpu, const viper_cpu_substep *step, double *work);

/// Elastic energy of a body by term [J], added to `out` in the order of the table.
void viper_body_elastic(const viper_cpu *cpu, const viper_model_body *body,
                        double out[VIPER_N_TERMS]);

/// Adds what a segment or a joint has in its local unknowns to node (x 4) and frame (x 3) arrays
/// over its body.
static inline void viper_segment_scatter(const viper_cpu *cpu, const viper_model_body *body,
                                         int32_t j, const double *g, double *node, double *frame) {
  const int32_t *at = cpu->model->segment[j].node;
  for (int k = 0; k < 4; k++) {
    node[4 * (at[0] - body->first_node) + k] += g[k];
    node[4 * (at[1] - body->first_node) + k] += g[4 + k];
  }
  for (int k = 0; k < 3; k++)
    frame[3 * (j - body->first_segment) + k] += g[8 + k];
}

static inline void viper_joint_scatter(const viper_cpu *cpu, const viper_model_body *body,
                                       int32_t t, const double *g, double *node, double *frame) {
  const viper_model_joint *joint = &cpu->model->joint[t];
  for (int k = 0; k < 3; k++) {
    node[4 * (joint->node[k] - body->first_node) + 3] += g[k];
    frame[3 * (joint->segment[0] - body->first_segment) + k] += g[3 + k];
    frame[3 * (joint->segment[1] - body->first_segment) + k] += g[6 + k];
  }
}

/// Gradient of Phi of a body for substep length `h` into node (x 4) and frame (x 3) arrays over the
/// body, pinned unknowns included.
void viper_body_gradient(const viper_cpu *cpu, const viper_model_body *body, viper_real h,
                         double *node, double *frame);

/// The residual of `end` for substep length `h` (method/README.md), with the forces `load` as
/// viper_boundary_forces has them. `began` has the prediction that the substep began with; that of
/// `end` is moved by what contacts or bundles pushed. Fails only for want of memory.
vb_status viper_relative_residual(const viper_cpu *began, const viper_cpu *end, double h,
                                  const double *load, double *out, vb_error *error);

/// One pass of a method over all bodies.
typedef void viper_solve_bodies(viper_cpu *cpu, const viper_settings *settings, double h);

/// Solves a substep of a scene with bundles: one iteration of all bodies, then the bundles, and
/// again. The prediction ends moved on by what the bundles moved.
void viper_bundled_solve(viper_cpu *cpu, const viper_settings *settings, double h,
                         viper_solve_bodies *bodies);

/// The same in parts, for scenes with contact. After the prediction; and after an iteration of all
/// bodies, `last` of the substep: moves all bundles.
void viper_bundled_begin(viper_cpu *cpu);
void viper_bundled_move(viper_cpu *cpu, const viper_settings *settings, bool last);

/// Phase function: notes where members of bundle `k` are, and where it wants them.
void viper_bundled_fit(viper_cpu *cpu, size_t k);

/// After a new state was put: there is no state before the bundles' last move.
void viper_bundled_reset(viper_cpu *cpu);

/// The same instance, without bundles itself; with them, with the state and moved prediction before
/// the bundles' last move; or with the prediction the substep began with. Borrows all from `cpu`.
viper_cpu viper_bundled_before(const viper_cpu *cpu);
viper_cpu viper_bundled_start(const viper_cpu *cpu);

/// Likewise by a penalty. Create follows viper_bundled_create, and frees with it.
vb_status viper_penalty_create(viper_cpu *cpu, vb_error *error);
void viper_penalty_solve(viper_cpu *cpu, const viper_settings *settings, double h,
                         viper_solve_bodies *bodies);

/// The same in parts, for scenes with contact. After contacts are found; before each iteration of
/// all bodies; and after it, `last` of the substep.
void viper_penalty_begin(viper_cpu *cpu, const viper_settings *settings, double h);
void viper_penalty_aim(viper_cpu *cpu);
void viper_penalty_move(viper_cpu *cpu, const viper_settings *settings, bool last);

/// Likewise by Newton's method. Create follows viper_bundled_create, and frees with it. Solve is of
/// scenes without contact, and fails only for want of memory.
vb_status viper_bundle_newton_create(viper_cpu *cpu, vb_error *error);
vb_status viper_bundle_newton_solve(viper_cpu *cpu, const viper_settings *settings, double h,
                                    vb_error *error);

/// In scenes with contact: gives the solver the multipliers of bundles; and takes what it found,
/// which moves predictions, as far as these can hold forces.
void viper_bundle_newton_begin(const viper_cpu *cpu, viper_contact_newton *newton);
void viper_bundle_newton_end(viper_cpu *cpu, viper_contact_newton *newton, double h);

/// See viper_backend, contact_step: of scenes without contact.
vb_status viper_bundle_newton_distance(viper_cpu *cpu, double h, double *out, vb_error *error);

vb_status viper_bundled_create(const viper_model *model, const viper_settings *settings,
                               viper_bundled *out, vb_error *error);
void viper_bundled_destroy(viper_bundled *bundled);

#endif
