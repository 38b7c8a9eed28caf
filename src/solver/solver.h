// SPDX-License-Identifier: GPL-3.0-or-later
/// The interface of every solver: the solver under test, references, and plug-ins.
///
/// A run, a gate, a plot or a benchmark never depends on which solver it uses: it reads from the
/// solver's description what there is to set, to read and to sum. All numbers cross this interface
/// in double precision and SI units, in the order of the scene's arrays. Usable from C11 and C++11;
/// how to write a plug-in is described in README.md beside this file (installed in
/// share/viperbench/plugin).
#ifndef VB_SOLVER_SOLVER_H
#define VB_SOLVER_SOLVER_H

#include "base/status.h"
#include "scene/scene.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The version of this interface. It grows with every change that an older plug-in would not
/// survive; a plug-in of another version is refused.
#define VB_SOLVER_VERSION 7

/// A field of the scene, m: the largest displacement of a node in one Newton step from the state
/// with the full Hessian of what the step minimizes. It is recorded where the residual is. NaN
/// where it is not defined: with contact, or where the Hessian is singular; 0 before the first
/// step.
#define VB_NEWTON_STEP "newton_step"

/// A field that a solver offers: a value at each element of a location.
typedef struct vb_field {
  const char *name; ///< "position", "scale", "frame", "velocity", ...
  vb_location location;
  int components;        ///< values per element
  const char *unit;      ///< UDUNITS spelling, "1" when dimensionless
  const char *long_name; ///< what it means
} vb_field;

/// An energy that a solver offers [J].
typedef struct vb_energy {
  const char *name;      ///< "stretch", ..., "kinetic", "gravity"
  const char *long_name; ///< what it means
  bool potential;        ///< an elastic energy or potential; false for the kinetic energy
} vb_energy;

/// An option that a solver takes.
typedef struct vb_option_info {
  const char *name;          ///< "method", "precision", "iterations", ...
  const char *default_value; ///< as text
  const char *choices;       ///< allowed words, separated by "|"; or null where it takes a number
  double minimum;            ///< of a number
  double maximum;            ///< of a number
  bool integer;              ///< whether a number must be whole
  bool at_any_time;          ///< may be set after create, too
  const char *long_name;     ///< what it does, with its unit
} vb_option_info;

/// What a solver is and can do. All pointers live as long as the program.
typedef struct vb_solver_description {
  const char *name;
  const char *long_name;
  uint64_t sets;     ///< bit (1 << tag) for each vb_tag it supports; any other set in a scene is
                     ///< refused, but looks
  uint64_t features; ///< of vb_feature that it supports; any other in a scene is refused
  const vb_field *fields;
  size_t n_fields;
  const vb_energy *energies;
  size_t n_energies;
  const vb_option_info *options;
  size_t n_options;
  const char *const *phases; ///< names of the phases in `timings`
  size_t n_phases;
  bool has_residual;  ///< whether `residual` is defined
  bool has_reactions; ///< whether `reactions` is defined
} vb_solver_description;

/// The setting of an option, as text ("method", "direct").
typedef struct vb_option {
  const char *name;
  const char *value;
} vb_option;

/// Why stepping stopped early.
typedef struct vb_divergence {
  bool diverged;
  int64_t step;   ///< the first step that blew up, counted from 1
  char what[128]; ///< "scale of node 5 reached its lower bound 0.05", ...
} vb_divergence;

/// Whether the steps since time 0 converged, by the solver's own tolerance.
typedef struct vb_convergence {
  int64_t evaluated; ///< steps whose end the solver looked at
  int64_t missed;    ///< of these, steps that did not converge
  double worst;      ///< the greatest residual at the end of an evaluated step
  double tolerance;  ///< to which its steps iterate; 0: to none
  char what[128];    ///< why the first that missed did; "" where none did
} vb_convergence;

/// A device beside the host, on which a solver's steps run.
typedef struct vb_device {
  char name[96]; ///< "NVIDIA H200"; "" where the steps run on the host
  char uuid[48]; ///< "GPU-", and 32 digits in groups of 8, 4, 4, 4 and 12, as its driver reports it
  double seconds; ///< by its own clock, from the beginning of the first to the end of the last of
                  ///< the steps since the latest call; NaN where it has none
} vb_device;

/// A solver. `describe` and `create` are given the solver itself, so that one set of functions can
/// stand for several solvers; all others take what `create` wrote. None is called from two threads
/// at once for the same instance.
///
/// What every solver promises, and `--solver check:NAME` verifies: an output is written whole and
/// not beyond; pointers are aligned for the type they point to, and no better; a call that fails
/// leaves its outputs untouched and describes the failure in `error` (which may be null); numbers
/// are finite until a divergence is reported; reading (read, energies, save, ..) changes nothing;
/// the same calls on the same scene give the same bits.
///
/// A plug-in may leave null what its description says is not there: set_option and get_option
/// without options, residual without has_residual, reactions without has_reactions, timings without
/// phases, cost, device, warning, and convergence.
typedef struct vb_solver {
  uint32_t version;       ///< VB_SOLVER_VERSION
  uint32_t scene_version; ///< VB_SCENE_VERSION

  /// The same answer at any time.
  const vb_solver_description *(*describe)(const struct vb_solver *solver);

  /// Makes an instance for a sound `scene`, which must outlive it, at time 0. Options not named
  /// have their defaults; the last of a name counts. VB_BAD_INPUT for an unknown option or value,
  /// VB_UNAVAILABLE for a set or backend that is not to be had. `*out` is freed by `destroy`.
  vb_status (*create)(const struct vb_solver *solver, const vb_scene *scene,
                      const vb_option *options, size_t n_options, void **out, vb_error *error);

  /// Changes an option marked `at_any_time`; VB_BAD_INPUT for any other.
  vb_status (*set_option)(void *self, const char *name, const char *value, vb_error *error);

  /// Writes the value of an option that is in use, as text of at most `size` bytes with its
  /// terminating zero: what was set, or what "auto" and the like came to. `create` and `set_option`
  /// take it, too. VB_BAD_INPUT for an unknown option.
  vb_status (*get_option)(void *self, const char *name, char *out, size_t size, vb_error *error);

  /// Advances `n` >= 0 steps of the scene's length without returning to the host in between; the
  /// same as n times one step. May return before the work is done: `sync` waits. A divergence is a
  /// result: it is VB_OK here, and steps after it leave the state as it is.
  vb_status (*step)(void *self, int64_t n, vb_error *error);

  /// Waits until all steps are done, and reports whether they diverged.
  vb_status (*sync)(void *self, vb_divergence *divergence, vb_error *error);

  /// Bytes that `save` writes; fixed for an instance.
  size_t (*state_size)(const void *self);
  /// Writes all that the next step depends on, multipliers and warm starts included (not options):
  /// equal bytes for equal states. To be read by `restore` of the same instance or of one made
  /// alike.
  vb_status (*save)(void *self, void *state, vb_error *error);
  vb_status (*restore)(void *self, const void *state, vb_error *error);

  /// Elements of field number `field` of the description: nodes of the scene at VB_AT_NODE, and so
  /// on; fixed for an instance. 0 where the scene has none, or there is no such field.
  size_t (*count)(const void *self, size_t field);

  /// Writes field number `field` of the description: count * components doubles, row by row.
  /// VB_BAD_INPUT where there is no such field.
  vb_status (*read)(void *self, size_t field, double *out, vb_error *error);

  /// Writes the energies [J] in the description's order.
  vb_status (*energies)(void *self, double *out, vb_error *error);

  /// Work [J] done since time 0 on the bodies: by each driver of the scene, then by each load, then
  /// by each activation (what the elastic energies change as it does).
  vb_status (*work)(void *self, double *out, vb_error *error);

  /// The residual of the latest step, 0 before the first: |g| over the sum of |g_k|, g being the
  /// gradient of what the step minimizes over free unknowns, and the g_k its parts: inertia
  /// A (X - X_n - h V_n) / h^2, loads and gravity, each energy term, contacts, bundles. A part is
  /// first assembled at the unknowns; |x|^2 = x^T A^-1 x with the inertia A. 0 where g is within
  /// its rounding errors. A solver whose residual differs documents in what.
  vb_status (*residual)(void *self, double *out, vb_error *error);

  /// Force [N] (n_drivers x 3) and torque [N m] about the driver's moved origin (n_drivers x 3)
  /// that the pins of each driver exert on the bodies, at the end of the latest step.
  vb_status (*reactions)(void *self, double *force, double *torque, vb_error *error);

  /// Seconds spent in each phase since create, in the description's order; they never shrink.
  vb_status (*timings)(void *self, double *out, vb_error *error);

  /// Frees an instance; null is none.
  void (*destroy)(void *self);

  /// The fewest bytes that one step with the present options must move, each read and each write
  /// counted, and the fewest floating-point operations that it must do (an addition, a
  /// multiplication, a division and a square root count as one each). NaN in both where the scene
  /// has something that is not counted. Null where nothing is.
  void (*cost)(const void *self, double *bytes, double *operations);

  /// Waits until all steps are done, and reports their device. Null if no instance has one.
  vb_status (*device)(void *self, vb_device *out, vb_error *error);

  /// What must be known of the steps so far, in one sentence ("capsules would have passed .."), or
  /// null; it belongs to the instance. Null if there are no warnings; a solver in a process of its
  /// own is not called.
  const char *(*warning)(void *self);

  /// Waits until all steps are done, and reports whether they converged. What is reported belongs
  /// to the state: `restore` brings it back. A solver that iterates to a tolerance but does not
  /// look at the end of each step leaves `evaluated` at 0 and writes the tolerance, by which the
  /// residual is then evaluated. Null where a solver says nothing of it.
  vb_status (*convergence)(void *self, vb_convergence *out, vb_error *error);
} vb_solver;

/// What a plug-in, a shared object, defines: its solver, which lives as long as the program.
__attribute__((visibility("default"))) const vb_solver *vb_plugin(void);

/// Checks options against a description: known names, allowed words, numbers in range.
vb_status vb_solver_check_options(const vb_solver_description *description,
                                  const vb_option *options, size_t n_options, vb_error *error);

/// Whether the solver supports every set and every feature of the scene; otherwise VB_UNAVAILABLE
/// and the name of what it does not support.
vb_status vb_solver_check_scene(const vb_solver_description *description, const vb_scene *scene,
                                vb_error *error);

/// The value that `options` (the last of a name wins) or else the description gives option `name`.
/// The name must be in the description. The text belongs to the options or the description.
const char *vb_solver_option(const vb_solver_description *description, const vb_option *options,
                             size_t n_options, const char *name);

#ifdef __cplusplus
}
#endif

#endif
