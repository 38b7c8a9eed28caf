// SPDX-License-Identifier: GPL-3.0-or-later
/// The interface of a backend of the viper solver: it holds the state of a model and advances it.
/// The solver computes everything else (energies, residual, reactions) by an evaluation in double
/// precision.
#ifndef VIPER_BACKEND_BACKEND_H
#define VIPER_BACKEND_BACKEND_H

#include "viper/method/bounds.h"
#include "viper/model/model.h"
#include "viper/settings/settings.h"

#include <stdbool.h>

struct vb_device;
struct viper_skin;

/// Phases whose time is reported.
typedef enum viper_timer {
  VIPER_TIMER_PREDICT,
  VIPER_TIMER_SOLVE,
  VIPER_TIMER_VELOCITY,
  VIPER_TIMER_WORK,
  VIPER_TIMER_DETECT,  ///< finding contacts
  VIPER_TIMER_CONTACT, ///< passes over them
  VIPER_TIMER_COUNT
} viper_timer;

/// A state in the order of the model, as it crosses precisions and is saved.
typedef struct viper_state {
  double *node;       ///< n_nodes x 4: center [m], scale
  double *node_rate;  ///< n_nodes x 4: velocity [m/s], scale rate [1/s]
  double *frame;      ///< n_segments x 4: (w, x, y, z)
  double *frame_rate; ///< n_segments x 3: angular velocity in world axes [rad/s]
  double *node_hat;   ///< n_nodes x 4: prediction of the latest substep, as if nothing were pinned;
                      ///< in statics of both kinds: loads (method/statics.h)
  double *frame_hat;  ///< n_segments x 4
  double *node_hat0;  ///< n_nodes x 4: node_hat before contacts pushed, or bundles by a penalty or
                      ///< Newton's method; null without contact and these
  double *multiplier; ///< n_nodes x 4 + n_segments x 3 of bundles by a penalty; null without these
  double *bundle_force;  ///< n_segments x VIPER_BUNDLE_ROWS: multipliers of bundles by Newton's
                         ///< method (cpu/evaluate/bundle_rows.h), N, J and N m; null without these
  double *bundle_torque; ///< n_segments x 3: their torques in body axes, N m, which frame_hat has
                         ///< not; likewise
  double *frame_push; ///< n_segments: torque of friction about the axis w of each frame that is not
                      ///< in frame_hat, N m; null but where contacts are solved by Newton's method
  double *active;     ///< n_segments x 2: see viper_contraction; null without activations
  // The state before this one, of bdf2; else null, but for pin_force, which statics has, too:
  double *node_before;       ///< n_nodes x 4
  double *node_rate_before;  ///< n_nodes x 4
  double *frame_before;      ///< n_segments x 4
  double *frame_rate_before; ///< n_segments x 3
  const double *kept; ///< of contacts (viper_count_kept), into a backend alone; null: nothing
  double *pin_force;  ///< n_pins x 4: what holds a node, N and J, or a frame, N m in world axes, 0
  double *work;       ///< done by each driver, then by each load, then by each activation, J
} viper_state;

/// Energies in the order of the description: those of the terms come first.
enum { VIPER_KINETIC = VIPER_N_TERMS, VIPER_GRAVITY, VIPER_N_ENERGIES };

/// What is reported of contacts: how many push, the greatest complementarity error [m], the
/// greatest predicted motion of two capsules against each other in a substep over the sum of their
/// radii; of how many nodes motion was truncated (contact/truncation.h) in the latest step, and
/// since the state was put; and in how many steps since then that was any.
#define VIPER_N_CONTACT 6

/// What a backend's instance is made with. The model and the skin must outlive it.
typedef struct viper_backend_setup {
  const viper_model *model;
  const viper_settings *settings; ///< no step has more threads
  const viper_variant *variant;
  const struct viper_skin *skin; ///< the scene's surface, whose weights are made; may be empty
} viper_backend_setup;

/// What was done since the latest sync.
typedef struct viper_progress {
  int64_t n_steps; ///< steps done; one that ended in trouble counts
  bool trouble;    ///< the latest of them ended with a free scale at its lower bound, or a value
                   ///< that is not finite
} viper_progress;

/// A backend. An instance's work may go on after `step` has returned, in order, until `sync`.
/// Errors are VB_UNAVAILABLE, of a device that cannot go on; then the instance can only be
/// destroyed.
typedef struct viper_backend {
  const char *name;
  /// An instance, its state still to be put. Freed by destroy.
  vb_status (*create)(const viper_backend_setup *setup, void **out, vb_error *error);
  void (*destroy)(void *self);
  /// The state, in and out. Work goes on adding to what was put.
  vb_status (*put)(void *self, const viper_state *state, vb_error *error);
  vb_status (*get)(void *self, viper_state *state, vb_error *error);
  /// The data that contacts pass to the next substep (contact/warm_start.h), viper_count_kept
  /// doubles. Null where no contact is supported.
  vb_status (*keep)(void *self, double *out, vb_error *error);
  /// Begins a step of length `h` from `time`. After a step that ended in trouble it changes
  /// nothing.
  vb_status (*step)(void *self, const viper_settings *settings, double time, double h,
                    vb_error *error);
  /// Waits for all steps begun, and tells what was done since the latest sync; adds the seconds
  /// that it took to `timer`.
  vb_status (*sync)(void *self, double *timer, viper_progress *progress, vb_error *error);
  /// The residual of a scene with bundles for substep length `h`, after a step, under the forces
  /// `load` of viper_boundary_forces: only the backend knows the state before bundles moved it
  /// last.
  vb_status (*bundled_residual)(void *self, double h, const double *load, const double *active,
                                double *out, vb_error *error);
  /// Of the contacts of the latest substep, in a scene that has contact or half-planes. Null where
  /// no contact is supported; such a backend refuses these scenes.
  void (*contact)(const void *self, double out[VIPER_N_CONTACT]);
  /// What these contacts push, friction included, as forces times the square of the substep's
  /// length [kg m]: on each body of the scene (n_bodies x 3), and by the bodies on each half-plane
  /// with the moment about the origin [kg m^2] (n_half_planes x 6); and their work in that substep
  /// [kg m^2], of pushes and of friction, over how the two surfaces moved against each other.
  /// `node` is the state's. Null where no contact is supported.
  vb_status (*contact_forces)(const void *self, const double *node, double *on_body,
                              double *on_plane, double work[2], vb_error *error);
  /// In a scene that has contact or half-planes: the largest displacement of a node [m] in one
  /// Newton step from the end of the latest substep, of length `h`, its contacts as constraints
  /// (cpu/evaluate/contact_newton.h). NaN after a put, and where contacts are averaged. Null where
  /// it is not known.
  vb_status (*contact_step)(void *self, double h, double *out, vb_error *error);
  /// As vb_solver's.
  void (*cost)(const void *self, const viper_settings *settings, double *bytes, double *operations);
  /// Where the vertices of the scene's surface are now (n_vertices x 3, m), and the volume that it
  /// encloses (m^3); either may be null. Null where the host makes them from the state.
  vb_status (*skin)(void *self, double *vertices, double *volume, vb_error *error);
  /// As vb_solver's; null where the steps run on the host.
  vb_status (*device)(void *self, struct vb_device *out, vb_error *error);
} viper_backend;

extern const viper_backend viper_backend_cpu;
extern const viper_backend viper_backend_cuda; ///< only in builds with nvcc

/// The backends of this build, ended by a null; the first that can be had is what "auto" comes to.
const viper_backend *const *viper_backends(void);

#endif
