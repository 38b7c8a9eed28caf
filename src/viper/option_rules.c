// SPDX-License-Identifier: GPL-3.0-or-later
/// What options forbid or imply of each other, and of machines and scenes.
#include "viper/viper_internal.h"

#include "solver/table.h"
#include "viper/cpu/core/lanes.h"
#include "viper/description.h"
#include "viper/model/section_torsion.h"

#include <string.h>

/// The word of an option's value.
typedef struct word {
  char text[32];
} word;

static word word_of(const viper_settings *settings, const char *option) {
  word out;
  viper_option_get(settings, NULL, option, out.text, sizeof out.text, NULL);
  return out;
}

/// Refuses what statics has not got: an integrator of time, and methods that project constraints by
/// way of the inertia.
static vb_status check_static(const viper_settings *settings, vb_error *error) {
  if (settings->integrator != VIPER_EULER)
    return vb_bad_input(error, "dynamics static has no time to integrate; leave out integrator %s",
                        word_of(settings, "integrator").text);
  if (!viper_method_has(settings->method, VIPER_SEEKS_MINIMUM))
    return vb_bad_input(error,
                        "dynamics static needs method direct or block-descent: %s weights "
                        "constraints by inertia, which load steps do not have",
                        word_of(settings, "method").text);
  return VB_OK;
}

/// Whether the gyroscope is on of itself: it is part of the material model solid, and of frames
/// with moments of inertia of their own.
static bool spins_by_itself(const viper_model *model) {
  return model->has_moments || vb_scene_features(model->scene) & VB_FEATURE_SOLID;
}

/// Whether a driver of the scene moves.
static bool has_moving_drivers(const vb_scene *scene) {
  size_t n;
  const vb_driver *driver = vb_scene_drivers(scene, &n);
  bool moves = false;
  for (size_t k = 0; k < n; k++)
    moves = moves || driver[k].angle >= 0 || driver[k].translation[0] >= 0 ||
            driver[k].translation[1] >= 0 || driver[k].translation[2] >= 0;
  return moves;
}

/// Refuses what midpoint has not got: it is for energy and momentum over long runs of what nothing
/// from outside but loads moves.
static vb_status check_midpoint(const viper_settings *settings, const viper_model *model,
                                vb_error *error) {
  if (settings->integrator != VIPER_MIDPOINT)
    return VB_OK;
  if (viper_has_bundles(model) || viper_has_contact(model) || model->n_follower_loads > 0 ||
      model->n_activations > 0 || has_moving_drivers(model->scene))
    return vb_error_set(error, VB_UNAVAILABLE,
                        "integrator midpoint does not support contact, half-planes, bundles, "
                        "activations, moving drivers or follower loads; use euler");
  if (vb_scene_world(model->scene)->damping > 0)
    return vb_error_set(
        error, VB_UNAVAILABLE,
        "integrator midpoint conserves energy and does not support damping; use bdf2");
  return VB_OK;
}

/// Decides what "auto" is of the gyroscope.
static vb_status settle_gyroscope(viper_settings *settings, const viper_model *model,
                                  vb_error *error) {
  const bool is_static = settings->dynamics == VIPER_STATIC;
  if (is_static && settings->gyroscope == VIPER_GYROSCOPE_ON)
    return vb_bad_input(error, "dynamics static has no rotary inertia; leave out gyroscope on");
  if (settings->integrator == VIPER_MIDPOINT && settings->gyroscope == VIPER_GYROSCOPE_OFF)
    return vb_bad_input(error,
                        "integrator midpoint conserves angular momentum; leave out gyroscope off");
  const bool spins = settings->integrator == VIPER_MIDPOINT || spins_by_itself(model);
  if (settings->gyroscope == VIPER_GYROSCOPE_AUTO)
    settings->gyroscope = !is_static && spins ? VIPER_GYROSCOPE_ON : VIPER_GYROSCOPE_OFF;
  return VB_OK;
}

/// Refuses what only a method that averages displacements has.
static vb_status check_averages(const viper_settings *settings, vb_error *error) {
  bool averaged = settings->contact == VIPER_CONTACT_AVERAGED;
  if (viper_method_has(settings->method, VIPER_AVERAGES) ||
      (!averaged && settings->relaxation == 1))
    return VB_OK;
  return vb_bad_input(
      error, "%s needs method jacobi-published, whose displacements are averaged; the method is %s",
      averaged ? "contact averaged" : "a relaxation other than 1",
      word_of(settings, "method").text);
}

/// Refuses Newton's method in contact where it has no matrix, or no sources.
static vb_status check_contact_solve(const viper_settings *settings, const viper_variant *variant,
                                     vb_error *error) {
  if (settings->contact_solve != VIPER_BY_NEWTON)
    return VB_OK;
  if (!viper_method_has(settings->method, VIPER_FACTORS))
    return vb_bad_input(
        error, "contact_solve newton needs method direct, which factors a matrix; the method is %s",
        word_of(settings, "method").text);
  if (variant->backend == VIPER_BACKEND_CUDA)
    return vb_bad_input(error, "contact_solve newton needs backend cpu or auto: cuda does not "
                               "support sparse matrices of several bodies");
  return VB_OK;
}

/// Refuses bundles by a penalty where they have no place: methods with multipliers of their own,
/// and the device.
static vb_status check_penalty(const viper_settings *settings, const viper_variant *variant,
                               const viper_model *model, vb_error *error) {
  if (!viper_has_penalty(settings))
    return VB_OK;
  if (!viper_method_has(settings->method, VIPER_SEEKS_MINIMUM))
    return vb_bad_input(error,
                        "bundle_solve penalty needs method direct or block-descent, which solve "
                        "for balanced forces; the method is %s",
                        word_of(settings, "method").text);
  if (viper_has_bundles(model) && variant->backend == VIPER_BACKEND_CUDA)
    return vb_error_set(error, VB_UNAVAILABLE,
                        "bundle_solve penalty needs backend cpu or auto; use bundle_solve impulses "
                        "with backend cuda");
  return VB_OK;
}

/// Refuses bundles by Newton's method where it has no matrix, no sources or no rows for them; and
/// either of bundles and contact by it without the other.
static vb_status check_bundle_rows(const viper_settings *settings, const viper_variant *variant,
                                   const viper_model *model, vb_error *error) {
  const bool newton = viper_has_bundle_rows(settings), bundles = viper_has_bundles(model);
  if (newton && !viper_method_has(settings->method, VIPER_FACTORS))
    return vb_bad_input(
        error, "bundle_solve newton needs method direct, which factors a matrix; the method is %s",
        word_of(settings, "method").text);
  if (newton && variant->backend == VIPER_BACKEND_CUDA)
    return vb_bad_input(error, "bundle_solve newton needs backend cpu or auto: cuda does not "
                               "support sparse matrices of several bodies");
  if (bundles && !newton && settings->contact_solve == VIPER_BY_NEWTON)
    return vb_bad_input(error,
                        "contact_solve newton needs bundle_solve newton in a scene with bundles, "
                        "which it solves, too; it is %s",
                        word_of(settings, "bundle_solve").text);
  if (bundles && newton && viper_has_contact(model) && settings->contact_solve != VIPER_BY_NEWTON)
    return vb_bad_input(error,
                        "bundle_solve newton needs contact_solve newton in a scene with contact or "
                        "half-planes, which it solves, too; it is %s",
                        word_of(settings, "contact_solve").text);
  if (newton && viper_has_fused_rods(model->scene))
    return vb_error_set(error, VB_UNAVAILABLE,
                        "bundle_solve newton does not support bundles of parallel rods of the "
                        "material model solid; use impulses or penalty");
  return VB_OK;
}

static vb_status settle_instructions(viper_variant *variant, vb_error *error) {
  const char *asked = viper_instructions_word(variant->instructions), *best = viper_lanes_best();
  const bool chosen = variant->instructions != VIPER_WIDEST, here = viper_lanes_has(asked);
  if (chosen && !(here && viper_lanes_name(asked)))
    return vb_error_set(error, VB_UNAVAILABLE, "this %s has no %s instructions; use auto%s",
                        here ? "build" : "machine", asked,
                        here ? ", or build with make INSTRUCTIONS=all" : "");
  if (!chosen && !best)
    return vb_error_set(error, VB_UNAVAILABLE,
                        "this machine has none of the instruction sets that viperbench was built "
                        "for; build it here, or with make INSTRUCTIONS=all (x86-64-v2 or newer)");
  viper_option_apply("instructions", chosen ? asked : best, NULL, variant);
  return VB_OK;
}

vb_status viper_check_device(const vb_option *options, size_t n_options, vb_error *error) {
  static const char *const of_cpu[] = {"threads", "instructions"};
  const vb_solver_description *d = viper_describe();
  if (strcmp(vb_solver_option(d, options, n_options, "backend"), "cuda") != 0)
    return VB_OK;
  for (size_t i = 0; i < sizeof of_cpu / sizeof *of_cpu; i++) {
    const char *value = vb_solver_option(d, options, n_options, of_cpu[i]);
    if (strcmp(value, vb_description_option(d, of_cpu[i])->default_value) != 0)
      return vb_bad_input(error,
                          "option %s is only for the cpu backend, and is %s with backend cuda; "
                          "leave it out, or use backend cpu",
                          of_cpu[i], value);
  }
  return VB_OK;
}

vb_status viper_settle_options(viper_settings *settings, viper_variant *variant, vb_error *error) {
  vb_status status = VB_OK;
  if (settings->dynamics == VIPER_STATIC)
    status = check_static(settings, error);
  if (settings->contact == VIPER_CONTACT_AUTO)
    settings->contact = viper_method_has(settings->method, VIPER_AVERAGES) ? VIPER_CONTACT_AVERAGED
                                                                           : VIPER_BY_COLORS;
  if (!status && settings->integrator == VIPER_MIDPOINT &&
      !viper_method_has(settings->method, VIPER_SEEKS_MINIMUM))
    status = vb_bad_input(error,
                          "integrator midpoint needs method direct or block-descent, which solve "
                          "for balanced forces; the method is %s",
                          word_of(settings, "method").text);
  if (!status)
    status = check_averages(settings, error);
  if (!status)
    status = check_contact_solve(settings, variant, error);
  return status ? status : settle_instructions(variant, error);
}

/// Refuses bundles of segments that are no discs: their fit weights sections as discs, and would
/// not keep the momentum of others.
static vb_status check_bundled_moments(const viper_model *model, vb_error *error) {
  size_t n;
  const vb_bundled *bundled = vb_scene_bundled(model->scene, &n);
  for (size_t i = 0; i < n; i++) {
    const double *moment = model->segment[model->segment_at[bundled[i].segment]].moments;
    if (moment[0] != 1 || moment[1] != 2)
      return vb_error_set(error, VB_UNAVAILABLE,
                          "segment %d is in a bundle, whose sections are discs, and has a "
                          "frame_inertia that is not a disc's; leave one of them out",
                          bundled[i].segment);
  }
  return VB_OK;
}

vb_status viper_check_options(viper_settings *settings, const viper_variant *variant,
                              const viper_model *model, vb_error *error) {
  bool bundles = viper_has_bundles(model), second_order = settings->integrator == VIPER_BDF2;
  if (settings->skin_frames == VIPER_BUNDLE_FRAMES && !bundles)
    return vb_bad_input(error,
                        "skin_frames=bundle needs bundles, and the scene has none; use segment");
  if (model->n_solids > 0 && viper_method_has(settings->method, VIPER_AVERAGES))
    return vb_error_set(error, VB_UNAVAILABLE,
                        "method %s is the published one and does not support the material model "
                        "solid; use xpbd, block-descent or direct",
                        word_of(settings, "method").text);
  if (second_order && (bundles || viper_has_contact(model)))
    return vb_error_set(
        error, VB_UNAVAILABLE,
        "integrator bdf2 does not support contact, half-planes or bundles; use euler");
  if (second_order && model->n_follower_loads > 0)
    return vb_error_set(error, VB_UNAVAILABLE,
                        "integrator bdf2 does not support follower loads; use euler");
  vb_status status = check_penalty(settings, variant, model, error);
  if (!status)
    status = check_bundle_rows(settings, variant, model, error);
  if (!status)
    status = check_midpoint(settings, model, error);
  if (!status)
    status = check_bundled_moments(model, error);
  return status ? status : settle_gyroscope(settings, model, error);
}
