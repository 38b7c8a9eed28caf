// SPDX-License-Identifier: GPL-3.0-or-later
/// What every instance of a solver in the program has, and the functions of the interface that
/// follow from tables: a solver writes tables and physics, and VB_INSTANCE_SOLVER makes a vb_solver
/// of them. For solvers that run on the host and step by step.
#ifndef VB_SOLVER_INSTANCE_H
#define VB_SOLVER_INSTANCE_H

#include "solver/fields.h"
#include "solver/settings.h"
#include "solver/state.h"

/// What instances begin with.
typedef struct vb_instance {
  const struct vb_solver_parts *parts;
  const vb_scene *scene;
  int64_t n_steps;
  vb_divergence divergence;
  vb_convergence convergence;
} vb_instance;

/// A solver's tables and functions. `self` is a whole instance.
typedef struct vb_solver_parts {
  size_t bytes; ///< of an instance
  const vb_solver_description *about;
  const vb_reading *fields;         ///< of fields, in the description's order
  const vb_setting_table *settings; ///< of options; places in the instance
  vb_reading energies;              ///< in the description's order
  vb_reading work;                  ///< drivers, then loads, then activations
  vb_reading timer;                 ///< phases
  vb_reading residual;              ///< of solvers that have one
  /// Refuses a scene for more than its sets and features; null: nothing else is refused.
  vb_status (*check)(const vb_scene *scene, vb_error *error);
  /// Makes what the zeroed instance holds beside its settings, which are kept already.
  vb_status (*build)(void *self, vb_error *error);
  /// Frees what was built, wholly or in part.
  void (*clear)(void *self);
  /// Heeds settings that have changed; null: they are looked at when they are needed.
  vb_status (*set)(void *self, vb_error *error);
  /// Makes one step from vb_instance_time; may diverge (vb_instance_note_divergence).
  vb_status (*step)(void *self, vb_error *error);
  /// What is saved beside what every instance has.
  vb_state_carry *carry;
  /// Finds what follows from a state that was restored; null: nothing.
  void (*derive)(void *self);
  /// Adds to force and torque of each driver, which are 0 (as in vb_solver).
  void (*reactions)(void *self, double *force, double *torque);
} vb_solver_parts;

/// The time at which the next step begins [s].
double vb_instance_time(const vb_instance *self);

/// Notes that the step that is being made blew up, and why.
void vb_instance_note_divergence(vb_instance *self, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/// Notes whether the step that is being made converged; `residual` is that at its end.
void vb_instance_note_convergence(vb_instance *self, bool met, double residual, double tolerance);

// As vb_solver has them.
vb_status vb_instance_create(const vb_solver_parts *parts, const vb_scene *scene,
                             const vb_option *options, size_t n_options, void **out,
                             vb_error *error);
void vb_instance_destroy(void *self);
vb_status vb_instance_set_option(void *self, const char *name, const char *value, vb_error *error);
vb_status vb_instance_get_option(void *self, const char *name, char *out, size_t size,
                                 vb_error *error);
vb_status vb_instance_step(void *self, int64_t n, vb_error *error);
vb_status vb_instance_sync(void *self, vb_divergence *divergence, vb_error *error);
size_t vb_instance_state_size(const void *self);
vb_status vb_instance_save(void *self, void *state, vb_error *error);
vb_status vb_instance_restore(void *self, const void *state, vb_error *error);
size_t vb_instance_count(const void *self, size_t field);
vb_status vb_instance_read(void *self, size_t field, double *out, vb_error *error);
vb_status vb_instance_energies(void *self, double *out, vb_error *error);
vb_status vb_instance_work(void *self, double *out, vb_error *error);
vb_status vb_instance_residual(void *self, double *out, vb_error *error);
vb_status vb_instance_reactions(void *self, double *force, double *torque, vb_error *error);
vb_status vb_instance_timings(void *self, double *out, vb_error *error);
vb_status vb_instance_convergence(void *self, vb_convergence *out, vb_error *error);

/// Defines the lists of the description, and how these are read and kept, by the tables
/// (fields.h, settings.h) of a solver whose instances are a `type`, which tables call vb_self.
#define VB_TABLES(type, FIELDS, ENERGIES, OPTIONS)                                                 \
  typedef type vb_self;                                                                            \
  static const vb_field field_list[] = {FIELDS(VB_FIELD)};                                         \
  static const vb_reading reading_list[] = {FIELDS(VB_FIELD_READING)};                             \
  static const vb_energy energy_list[] = {ENERGIES(VB_ENERGY)};                                    \
  static const vb_option_info option_list[] = {OPTIONS(VB_OPTION)};                                \
  static const vb_setting setting_list[] = {OPTIONS(VB_OPTION_SETTING)};                           \
  static const vb_setting_table setting_table = {setting_list,                                     \
                                                 sizeof setting_list / sizeof *setting_list};

/// The members of a description that these lists are.
#define VB_LISTS                                                                                   \
  .fields = field_list, .n_fields = sizeof field_list / sizeof *field_list,                        \
  .energies = energy_list, .n_energies = sizeof energy_list / sizeof *energy_list,                 \
  .options = option_list, .n_options = sizeof option_list / sizeof *option_list

/// The bit of a set in a description.
#define VB_TAG_BIT(SET) (UINT64_C(1) << VB_SET_##SET)

/// Defines NAME_solver, a vb_solver, by a vb_solver_parts; further members of it follow.
#define VB_INSTANCE_SOLVER(NAME, PARTS, ...)                                                       \
  static const vb_solver_description *describe(const vb_solver *solver) {                          \
    (void)solver;                                                                                  \
    return (PARTS).about;                                                                          \
  }                                                                                                \
  static vb_status create(const vb_solver *solver, const vb_scene *scene,                          \
                          const vb_option *options, size_t n_options, void **out,                  \
                          vb_error *error) {                                                       \
    (void)solver;                                                                                  \
    return vb_instance_create(&(PARTS), scene, options, n_options, out, error);                    \
  }                                                                                                \
  const vb_solver NAME##_solver = {.version = VB_SOLVER_VERSION,                                   \
                                   .scene_version = VB_SCENE_VERSION,                              \
                                   .describe = describe,                                           \
                                   .create = create,                                               \
                                   .set_option = vb_instance_set_option,                           \
                                   .get_option = vb_instance_get_option,                           \
                                   .step = vb_instance_step,                                       \
                                   .sync = vb_instance_sync,                                       \
                                   .state_size = vb_instance_state_size,                           \
                                   .save = vb_instance_save,                                       \
                                   .restore = vb_instance_restore,                                 \
                                   .count = vb_instance_count,                                     \
                                   .read = vb_instance_read,                                       \
                                   .energies = vb_instance_energies,                               \
                                   .work = vb_instance_work,                                       \
                                   .residual = vb_instance_residual,                               \
                                   .reactions = vb_instance_reactions,                             \
                                   .timings = vb_instance_timings,                                 \
                                   .destroy = vb_instance_destroy,                                 \
                                   __VA_ARGS__}

#endif
