// SPDX-License-Identifier: GPL-3.0-or-later
/// An instance of the viper solver, shared by the sources of its interface: viper.c (life cycle and
/// time), option_rules.c (options) and fields.c (what can be read).
#ifndef VIPER_VIPER_INTERNAL_H
#define VIPER_VIPER_INTERNAL_H

#include "solver/solver.h"
#include "viper/backend/backend.h"
#include "viper/backend/evaluation.h"
#include "viper/contact/overlap.h"
#include "viper/settings/options.h"
#include "viper/skin/skin.h"

/// What the steps that bdf2 builds on must have in common; zeros before the first.
typedef struct viper_pace {
  int32_t substeps, iterations;
} viper_pace;

/// What is common to backends and precisions.
typedef struct viper {
  const vb_scene *scene;
  viper_model *model;
  viper_skin skin;
  const viper_backend *backend;
  void *instance;               ///< the backend's instance
  viper_evaluation *evaluation; ///< of `state`: energies, residual and reactions
  viper_overlap *overlap;       ///< null without contact
  double start_depth; ///< how deep pills are in each other or in half-planes at time 0, m; 0 where
                      ///< that is no more than a part of their radii (viper.c)
  double start_moved; ///< how far the farthest node was moved before time 0, m (option begin)
  viper_settings settings;
  viper_variant variant;
  viper_state state; ///< the state in double, as of the latest viper_fetch
  size_t n_state;    ///< numbers in it
  int32_t *pin_at;   ///< [n_nodes + n_segments] the pin there or -1; null without pin_force
  bool fetched;      ///< whether `state` is the current state
  double *contact;   ///< [n_contact] reported of contacts: numbers as a backend's, then forces on
                     ///< bodies and on half-planes, those with moments, times h^2 (viper_backend);
                     ///< null without contact
  size_t n_contact;
  double truncated_before; ///< steps with truncated motion before the state was put
  double *kept;            ///< [n_kept] room to save and restore what contacts keep; or null
  size_t n_kept;           ///< viper_count_kept
  bool contact_known;      ///< whether `contact` is of the current state
  int64_t n_steps;         ///< begun; done, once settled
  int64_t n_settled;       ///< done as of the latest viper_settle
  double substep;          ///< h of Phi in the latest substep, s
  viper_pace pace;         ///< of the latest step
  vb_divergence divergence;
  vb_convergence steps; ///< of load steps that were looked at (statics.h)
  int64_t n_increments; ///< that load steps were taken in besides one each
  double timer[VIPER_TIMER_COUNT];
  char warning[208];     ///< the latest
  char passed_over[400]; ///< why "auto" did not take the backend of a device that is here; or empty
} viper;

/// Waits for the steps begun, and notes whether one of them diverged.
vb_status viper_settle(viper *v, vb_error *error);

/// Settles, and brings the state to `state`.
vb_status viper_fetch(viper *v, vb_error *error);

/// Fetches what is reported of contacts.
vb_status viper_fetch_contact(viper *v, vb_error *error);

// option_rules.c

/// Refuses options that do not go with each other or with this machine, and decides what "auto"
/// is, but of the backend.
vb_status viper_settle_options(viper_settings *settings, viper_variant *variant, vb_error *error);

/// Refuses options of the CPU alone where backend cuda is asked for by name. The backend auto takes
/// them along, for the case that it takes the CPU.
vb_status viper_check_device(const vb_option *options, size_t n_options, vb_error *error);

/// Refuses a scene that the options do not go with, and decides what "auto" is where the scene
/// does.
vb_status viper_check_options(viper_settings *settings, const viper_variant *variant,
                              const viper_model *model, vb_error *error);

// fields.c, likewise
size_t viper_count(const void *self, size_t field);
vb_status viper_read(void *self, size_t field, double *out, vb_error *error);
vb_status viper_energies(void *self, double *out, vb_error *error);
vb_status viper_read_work(void *self, double *out, vb_error *error);
vb_status viper_residual(void *self, double *out, vb_error *error);
const char *viper_warning(void *self);
vb_status viper_reactions(void *self, double *force, double *torque, vb_error *error);

#endif
